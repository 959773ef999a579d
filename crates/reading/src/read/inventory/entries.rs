//! The entries of a source that declare something: headings, list items, table rows, and sections.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::gap_line::{DeclaredGap, strip_checkbox};
use super::super::source::POINTER;
use super::super::vocabulary::{RESOLVING_WORDS, has_word, words_of};
use super::candidate::{CATEGORY, Candidate, Name, key_at_start};
use super::columns::Columns;
use super::listing::Listing;
use super::names::{asks, is_question, names_a_requirement, other_id};
use super::over::{
    is_answered_below, is_aside, is_done_word, is_in_italics, is_of_template, is_over, says_none,
    without_marks,
};
use super::titles::tells_of_the_list;
use super::wording::{Waits, is_label, one_line, shortened};
use super::{DeclaredAs, Gathering, naming};
use gapless_domain::GapId;
use gapless_markdown::{Block, BlockKind, Item, TableRow};

impl Gathering<'_> {
    pub fn headings(&mut self, traced: &BTreeSet<GapId>) {
        for index in 0..self.listings.sections.len() {
            let section = &self.listings.sections[index];
            let (at, line, own) = (section.own.start, section.line, section.own.clone());
            let title = section.title.clone();
            let (_, around) = self.listings.of_section(index);
            let asks =
                around == Listing::Open && is_question(&title) && !self.listings.may_be_open(index);
            let asked = || asks.then(|| self.named(&title, line, at)).flatten();
            let Some((name, mut gap)) = own_named(&title, line).or_else(asked) else {
                continue;
            };
            self.covered.push(own.clone());
            let is_answered = || name.own().is_none() && self.is_answered(&own);
            if is_over(&title) || tells_its_end(&gap.description) || is_answered() {
                self.note_over(&title, line);
                continue;
            }
            // Its part stands below it already.
            let is_settled = match &name {
                Name::Own(id) => traced.contains(id),
                _ => self.has_part(&own),
            };
            if is_settled {
                // A gap id may be declared anew; another name means what it meant.
                if name.own().is_none() {
                    self.note_over(&title, line);
                }
                continue;
            }
            if gap.description.is_empty() {
                let first = self.first_block(index);
                gap.description = first.map_or(String::new(), |block| self.words(&block.span));
            }
            let waits = Waits::noted_in(&title);
            self.take(name, gap, DeclaredAs::Heading, at, waits);
        }
    }

    pub fn items(&mut self) {
        let document = self.document;
        // How deep the group stands that the items belong to, and where it ends.
        let mut group: Option<(u32, usize)> = None;
        for (index, item) in document.items.iter().enumerate() {
            let at = item.span.start;
            if group.is_some_and(|(_, end)| at >= end) {
                group = None;
            }
            let own = at..self.end_of_own(index);
            let words = strip_checkbox(&item.text);
            if self.is_settled(&own) {
                self.covered.push(own);
                continue;
            }
            let listing = self.listings.at(at);
            if is_over(&item.text) || listing == Listing::Closed {
                self.note_over(&item.text, item.line);
                self.covered.push(own);
                continue;
            }
            let form = DeclaredAs::Item(index);
            if let Some((name, gap)) = own_named(&item.text, item.line) {
                self.covered.push(own);
                self.take(name, gap, form, at, Waits::noted_in(words));
                continue;
            }
            if listing == Listing::No || !self.may_declare(item, words) {
                continue;
            }
            if other_id(words).is_none() && self.is_group(index, words) {
                group = group.or(Some((item.depth, item.span.end)));
                continue;
            }
            if self.is_answered(&item.span) || self.is_answered_beside(index) {
                self.note_over(&item.text, item.line);
                self.covered.push(item.span.clone());
                continue;
            }
            let is_boxed = words.len() < item.text.len();
            let in_group = group.is_some_and(|(depth, _)| item.depth == depth + 1);
            let stands_for_itself = item.depth == 0 || (in_group && asks(words));
            let is_entry = match (listing, other_id(words)) {
                (Listing::Open, Some(_)) => true,
                (Listing::Open, None) => stands_for_itself && !self.is_context(at),
                (Listing::Perhaps, Some((name, _))) => !names_a_requirement(name),
                (Listing::Perhaps, None) => stands_for_itself && (is_boxed || asks(words)),
                (Listing::No | Listing::Closed, _) => false,
            };
            if is_entry && let Some((name, gap)) = self.named(words, item.line, at) {
                self.covered.push(item.span.clone());
                self.take(name, gap, form, at, Waits::noted_in(words));
            }
        }
    }

    /// Where what an item has itself ends, and what is nested in it begins.
    fn end_of_own(&self, index: usize) -> usize {
        let item = &self.document.items[index];
        let next = self.document.items.get(index + 1);
        let nested = next.filter(|next| next.span.start < item.span.end);
        nested.map_or(item.span.end, |next| next.span.start)
    }

    /// False for an item that says that there is nothing, for an aside, and for the words of a template.
    fn may_declare(&self, item: &Item, words: &str) -> bool {
        let is_instruction = || is_in_italics(words) && !asks(words) || is_of_template(words);
        let is_named = other_id(words).is_some();
        !words.is_empty()
            && !says_none(words)
            && (is_named || !is_aside(words))
            && !is_instruction()
            && !self.is_in_block(item.span.start)
    }

    /// True where an item only names a group of entries that are nested in it.
    fn is_group(&self, index: usize, words: &str) -> bool {
        let item = &self.document.items[index];
        let next = self.document.items.get(index + 1);
        let nested = next.filter(|next| next.span.start < item.span.end);
        nested.is_some_and(|nested| {
            let inner = strip_checkbox(&nested.text);
            let own = nested.span.start..self.end_of_own(index + 1);
            let is_done = || is_over(&nested.text) || self.is_settled(&own);
            let names = || inner != words && key_at_start(inner).is_some() && !is_aside(inner);
            names() || is_label(words) && (asks(inner) || is_done())
        })
    }

    /// True where the next item is the answer to this one: `- Q: …` and `- A: …`.
    fn is_answered_beside(&self, index: usize) -> bool {
        let item = &self.document.items[index];
        let next = self.document.items.get(index + 1);
        next.is_some_and(|next| {
            let starts = next.span.start;
            next.depth == item.depth
                && starts <= item.span.end + 1
                && is_answered_below(&format!("\n{}", next.text))
        })
    }

    /// True where what stands below an entry answers it.
    pub fn is_answered(&self, range: &Range<usize>) -> bool {
        is_answered_below(self.document.prose_of(range.clone()))
    }

    pub fn rows(&mut self) {
        let mut columns: Option<Columns> = None;
        for (index, row) in self.document.rows.iter().enumerate() {
            if row.is_head {
                columns = Some(Columns::of(&row.cells));
            } else if let Some(columns) = &columns {
                self.row(index, row, columns);
            }
        }
    }

    fn row(&mut self, index: usize, row: &TableRow, columns: &Columns) {
        let at = row.span.start;
        let first = row.cells.first().map_or("", String::as_str);
        let own = own_named(first, row.line);
        let listing = self.listings.at(at);
        let is_listed = matches!(listing, Listing::Open | Listing::Perhaps);
        if own.is_none() && !is_listed || self.is_in_block(at) {
            return;
        }
        if self.is_settled(&row.span) {
            self.covered.push(row.span.clone());
            return;
        }
        let is_closed = self.listings.at(at) == Listing::Closed;
        let is_asked_over = columns.what(&row.cells).is_some_and(is_over);
        if is_over(first) || is_asked_over || columns.say_done(&row.cells) || is_closed {
            self.note_over(first, row.line);
            self.covered.push(row.span.clone());
            return;
        }
        let start = match (own, other_id(first)) {
            (Some(own), _) => Some(own),
            (None, Some((name, _))) if listing == Listing::Open || !names_a_requirement(name) => {
                self.named(first, row.line, at)
            }
            (None, None) if columns.name_what_is_missing(listing) => self.named("", row.line, at),
            _ => None,
        };
        let Some((name, mut gap)) = start else {
            return;
        };
        let is_own = name.own().is_some();
        columns.read(&mut gap, &row.cells, name.key().is_some());
        if !is_own && (gap.description.is_empty() || says_none(&gap.description)) {
            return;
        }
        self.covered.push(row.span.clone());
        let waits = columns.waits(&row.cells);
        self.take(name, gap, DeclaredAs::Row(index), at, waits);
    }

    /// Sections within one that lists what is open, whose title is the entry and whose text says more about it.
    pub fn bare_sections(&mut self) {
        let mut found: Vec<usize> = self.found.iter().map(|candidate| candidate.at).collect();
        found.sort_unstable();
        for index in 0..self.listings.sections.len() {
            let section = &self.listings.sections[index];
            let (own, line) = (section.own.clone(), section.line);
            let (listing, around) = self.listings.of_section(index);
            let from = found.partition_point(|at| *at < own.start);
            let says_own = found.get(from).is_some_and(|at| *at < own.end);
            let is_leaf = section.own.end == section.whole.end;
            let words = title_of_entry(&section.title);
            let is_entry = listing == Listing::Open
                && around == Listing::Open
                && !says_own
                && !self.listings.may_be_open(index)
                && !is_over(words)
                && !tells_of_the_list(words)
                && !words.to_lowercase().starts_with("how ");
            if !is_entry || self.is_settled(&own) {
                continue;
            }
            if self.has_part(&own) {
                self.covered.push(own);
                continue;
            }
            if !is_leaf {
                continue;
            }
            let first = self.first_block(index).filter(|block| !block.quoted);
            let text = match first.map(|block| &block.kind) {
                Some(BlockKind::Paragraph) => first.map(|block| self.words(&block.span)),
                Some(BlockKind::Item) if self.lists_options(&own) => Some(String::new()),
                _ => None,
            };
            let Some(text) = text else {
                continue;
            };
            if !text.is_empty() && says_none(&text)
                || is_over(&text)
                || is_over(&text)
                || is_of_template(&text)
                || self.is_answered(&own)
            {
                self.covered.push(own);
                continue;
            }
            let words = match text.is_empty() {
                true => words.to_owned(),
                false => shortened(&format!("{words}: {text}")),
            };
            if let Some((name, gap)) = self.named(&words, line, own.start) {
                self.covered.push(own.clone());
                let waits = Waits::noted_in(&text);
                self.take(name, gap, DeclaredAs::Heading, own.start, waits);
            }
        }
    }

    /// True where all that a section lists is options, and what speaks for one of them.
    fn lists_options(&self, section: &Range<usize>) -> bool {
        let items = self.document.items_in(section);
        let (asides, others): (Vec<&Item>, Vec<&Item>) = items
            .filter(|item| item.depth == 0)
            .partition(|item| is_aside(strip_checkbox(&item.text)));
        asides.len() > 1 && others.is_empty()
    }

    /// The first block below a heading.
    pub fn first_block(&self, heading: usize) -> Option<&Block> {
        let body = self.document.headings[heading].span.end;
        let end = self.listings.sections[heading].own.end;
        let blocks = &self.document.blocks;
        let from = blocks.partition_point(|block| block.span.start < body);
        blocks.get(from).filter(|block| block.span.start < end)
    }

    /// Reads an entry without a gap id; its name is that of another shape, or its section's.
    pub fn named(&self, words: &str, line: u32, at: usize) -> Option<(Name, DeclaredGap)> {
        let (name, rest) = match other_id(words) {
            Some((name, rest)) => {
                // Emphasis may begin before the name and end behind the question.
                let is_torn = !rest.matches("**").count().is_multiple_of(2);
                let rest = rest.replacen("**", "", usize::from(is_torn));
                (Name::Other(name.to_owned()), rest)
            }
            None => {
                let category = self.category(self.listings.section_at(at));
                // What is set off at its beginning is no name.
                let is_bold = words.starts_with("**");
                let plain = words.replacen("**", "", if is_bold { 2 } else { 0 });
                (Name::None(category), plain)
            }
        };
        let mut gap = DeclaredGap::from_words(GapId::new(CATEGORY, 1)?, &rest, line);
        if let Name::Other(other) = &name {
            gap.alias = Some(other.clone());
        }
        Some((name, gap))
    }

    pub fn category(&self, section: Option<usize>) -> String {
        let title = section.map_or("", |index| self.listings.sections[index].title.as_str());
        naming::category(title)
    }

    pub fn take(
        &mut self,
        name: Name,
        mut gap: DeclaredGap,
        form: DeclaredAs,
        at: usize,
        waits: Waits,
    ) {
        let is_mark = matches!(form, DeclaredAs::Marks(_));
        if gap.severity.is_none() && !is_mark {
            gap.severity = self.listings.severity_at(at);
        }
        gap.blocked_by.extend(waits.gaps);
        self.found.push(Candidate {
            name,
            forms: vec![(gap.line, form)],
            gap,
            at,
            section: self.listings.section_at(at),
            in_earlier: self.earlier.contains(&at),
            in_part: self.listings.is_in_part(at),
            waits_on: waits.names,
        });
    }

    fn note_over(&mut self, words: &str, line: u32) {
        // A requirement that is checked off is built, not answered.
        let key = key_at_start(without_marks(words)).filter(|key| !names_a_requirement(key));
        if let Some(key) = key {
            self.over.entry(key).or_insert(line);
        }
    }

    pub fn words(&self, range: &Range<usize>) -> String {
        one_line(self.document.prose_of(range.clone()))
    }

    pub fn is_settled(&self, range: &Range<usize>) -> bool {
        let text = self.document.source.get(range.clone()).unwrap_or("");
        text.contains(POINTER) || text.contains("<!-- gapless: settled ")
    }

    pub fn has_part(&self, section: &Range<usize>) -> bool {
        let text = self.document.source.get(section.clone()).unwrap_or("");
        text.contains("<!-- gapless: GAP-")
    }
}

/// Reads an entry that begins with a gap id.
pub(super) fn own_named(words: &str, line: u32) -> Option<(Name, DeclaredGap)> {
    let gap = DeclaredGap::from_item(words, line)?;
    Some((Name::Own(gap.id.clone()), gap))
}

/// `GAP-AA-001: Resolution` heads what settles it.
fn tells_its_end(description: &str) -> bool {
    let mut words = words_of(description);
    let first = words.next().unwrap_or("");
    words.next().is_none() && (has_word(&RESOLVING_WORDS, first) || is_done_word(first))
}

/// A title without the number before it.
fn title_of_entry(title: &str) -> &str {
    let bare = title.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare.starts_with([' ', ')']) {
        true => bare.trim_start_matches([')', ' ']),
        false => title,
    }
}
