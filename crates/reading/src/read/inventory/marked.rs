//! What marks in running text declare: which blocks are looked through, and what each mark leaves open.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::gap_line::{DeclaredGap, bracketed};
use super::super::vocabulary::{has_word, words_of};
use super::candidate::{CATEGORY, Name};
use super::foreign_marks::is_doubtful_mark;
use super::listing::Listing;
use super::marks::{LATER_STATES, Left, left_open};
use super::over::is_of_template;
use super::wording::{Waits, notes_at, one_line, shortened};
use super::{DeclaredAs, Gathering};
use gapless_domain::{GapId, gap_ids_in};
use gapless_markdown::{Block, BlockKind, Item, TableRow, blank};

/// Where a mark stands.
struct Around {
    section: Option<usize>,
    is_heading: bool,
    /// What its cell is about.
    cell: Option<String>,
}

/// How far the document's rows and items are walked through, block by block.
#[derive(Default)]
struct Places {
    row: usize,
    head: usize,
    item: usize,
    /// Up to where the bars of the row are counted, and how many they are.
    counted: (usize, usize),
}

impl Gathering<'_> {
    pub fn marks(&mut self, traced: &BTreeSet<GapId>) {
        let document = self.document;
        self.shown = self.with_placeholders();
        let visible = self.visible();
        let own = self.found.iter().filter_map(|it| it.name.own());
        let mut known: BTreeSet<GapId> = own.chain(traced).cloned().collect();
        known.extend(self.over.keys().filter_map(|key| key.parse().ok()));
        self.covered.sort_by_key(|span| span.start);
        let mut covered = std::mem::take(&mut self.covered).into_iter().peekable();
        let mut covered_until = 0;
        let mut places = Places::default();
        for block in &document.blocks {
            let at = block.span.start;
            while let Some(span) = covered.next_if(|span| span.start <= at) {
                covered_until = covered_until.max(span.end);
            }
            let is_text = match block.kind {
                BlockKind::Code(_) => false,
                BlockKind::Html => is_placeholder(self.source_of(&block.span).trim()),
                _ => true,
            };
            let is_closed = self.listings.at(at) == Listing::Closed;
            if !is_text || is_closed || at < covered_until || self.earlier.contains(&at) {
                continue;
            }
            let found = left_open(visible.get(block.span.clone()).unwrap_or(""));
            if found.is_empty() || self.is_told(block, &mut places) {
                continue;
            }
            let section = self.listings.section_at(at);
            // One in a list or a quote heads no section.
            let heads = |index: usize| document.headings[index].span.contains(&at);
            let around = Around {
                section,
                is_heading: block.kind == BlockKind::Heading && section.is_some_and(heads),
                cell: (block.kind == BlockKind::Cell).then(|| self.cell_name(&mut places, at)),
            };
            for left in found {
                let left = left.shifted(at);
                let sentence = self.shown_of(left.sentence.clone());
                if is_of_template(sentence) {
                    continue;
                }
                let sentence = sentence.to_owned();
                // What it waits on is another gap.
                let named = &sentence[..notes_at(&sentence).unwrap_or(sentence.len())];
                match gap_ids_in(named).as_slice() {
                    [] => self.mark(&left, None, &around),
                    [only] if known.contains(&only.id) => {}
                    [only] => self.mark(&left, Some(only.id.clone()), &around),
                    several => {
                        let shares = left.shared_out(several);
                        let is_open = several.iter().all(|found| !known.contains(&found.id));
                        if shares.is_empty() && is_open {
                            self.mark(&left, None, &around);
                        }
                        for (left, id) in shares {
                            if !known.contains(&id) {
                                self.mark(&left, Some(id), &around);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The prose, and `<TBD date>`, which markdown takes for HTML.
    fn with_placeholders(&self) -> String {
        let document = self.document;
        let mut shown = document.prose().as_bytes().to_vec();
        let html = document.blocks.iter();
        let html = html.filter(|block| block.kind == BlockKind::Html);
        let spans = html.map(|block| &block.span).chain(&document.html_spans);
        for span in spans {
            let tag = self.source_of(span);
            if let Some(blanks) = shown
                .get_mut(span.clone())
                .filter(|_| is_placeholder(tag.trim()))
            {
                blanks.copy_from_slice(tag.as_bytes());
            }
        }
        String::from_utf8(shown).unwrap_or_else(|_| document.prose().to_owned())
    }

    pub fn shown_of(&self, range: Range<usize>) -> &str {
        self.shown.get(range).unwrap_or("")
    }

    fn source_of(&self, range: &Range<usize>) -> &str {
        self.document.source.get(range.clone()).unwrap_or("")
    }

    /// What is shown without code and links within it. A placeholder in backticks is no code.
    fn visible(&self) -> String {
        let document = self.document;
        let code = document.code_spans.iter();
        let code = code.filter(|span| !is_placeholder(self.source_of(span).trim_matches('`')));
        let mut hidden: Vec<Range<usize>> = code.cloned().collect();
        hidden.extend(document.links.iter().map(|link| link.span.clone()));
        hidden.sort_by_key(|span| span.start);
        blank(&self.shown, &hidden)
    }

    /// True where a block with marks leaves nothing open: a heading of what is open, or of a part that settles it, and a
    /// `TODO` that is one of several states.
    fn is_told(&self, block: &Block, places: &mut Places) -> bool {
        let document = self.document;
        let at = block.span.start;
        match block.kind {
            BlockKind::Heading => self.listings.section_at(at).is_some_and(|index| {
                let section = &self.listings.sections[index];
                self.listings.is_in_part(at)
                    || self.listings.may_be_open(index)
                    || self.has_part(&section.own)
            }),
            BlockKind::Cell => {
                places.reach_row(self, at);
                let text = self.words(&block.span);
                let row = document.rows.get(places.row);
                let is_name = row.is_some_and(|row| {
                    row.is_head || row.cells.first().is_some_and(|first| *first == text)
                });
                if is_doubtful_mark(&text) && self.is_state(places, at) {
                    return true;
                }
                is_name && has_word(&["TODO", "FIXME"], text.trim_matches(['*', '_']))
            }
            BlockKind::Item => {
                places.reach_item(self, at);
                let text = document.items.get(places.item).map_or("", |i| &i.text);
                let names = |index: Option<usize>| {
                    let item = index.and_then(|index| document.items.get(index));
                    item.is_some_and(|item| names_a_later_state(&item.text))
                };
                let is_state = words_of(text).next() == Some("TODO");
                is_state && (names(places.item.checked_sub(1)) || names(places.item.checked_add(1)))
            }
            _ => false,
        }
    }

    fn mark(&mut self, left: &Left, own: Option<GapId>, around: &Around) {
        let document = self.document;
        let first = left.spans.first();
        let at = first.map_or(left.sentence.start, |span| span.start);
        let title = |index: usize| shortened(&self.listings.sections[index].title);
        let title = around.section.map(title);
        let behind = left.behind..left.sentence.end;
        let said = self.shown_of(left.asked.clone().unwrap_or(behind));
        let Some(unnamed) = GapId::new(CATEGORY, 1) else {
            return;
        };
        let said = DeclaredGap::from_words(unnamed, &one_line(said), 0);
        let before = one_line(self.shown_of(left.sentence.start..at));
        let lead = before.trim_matches(['*', '_', ' ', '|', '>', '(', '[']);
        let is_unknown = self.shown_of(at..at + 1) == "?";
        let what = match &left.asked {
            Some(_) if lead.is_empty() => said.description.clone(),
            Some(_) => format!("{} ({} …)", said.description, lead.replace("**", "")),
            None if lead.is_empty() && !is_unknown => behind_the_mark(&said.description),
            None => {
                let words = one_line(self.shown_of(left.sentence.clone()));
                words.trim_start_matches([')', ',', ';', ' ']).to_owned()
            }
        };
        let word = || {
            first.map_or("TBD".to_owned(), |span| {
                one_line(self.shown_of(span.clone()))
            })
        };
        let says_nothing = what.trim().is_empty();
        let description = match (what.trim(), &around.cell, &title) {
            ("", Some(cell), _) => format!("{cell} is {}", word()),
            (words, Some(cell), _) => format!("{cell}: {words}"),
            ("", None, Some(title)) => format!("{title}: {}", word()),
            ("", None, None) => word(),
            (words, None, _) => words.to_owned(),
        };
        let gap = DeclaredGap {
            section: said.section.or(title),
            description: shortened(&description),
            line: document.line_of(at),
            ..said
        };
        let has_id = own.is_some();
        let name = match own {
            Some(id) => Name::Own(id),
            None => Name::None(self.category(around.section)),
        };
        let form = match around.is_heading {
            // A heading can't point anywhere; its part stands below it.
            true => DeclaredAs::Heading,
            false if !has_id && lead.is_empty() && left.asked.is_none() && !says_nothing => {
                self.whole_sentence(left)
            }
            false => DeclaredAs::Marks(left.spans.clone()),
        };
        let waits = Waits::noted_in(&one_line(self.shown_of(left.sentence.clone())));
        self.take(name, gap, form, at, waits);
    }

    /// A sentence that begins with its mark is nothing but the mark; only its emphasis must not be torn.
    fn whole_sentence(&self, left: &Left) -> DeclaredAs {
        let text = self.shown_of(left.sentence.clone());
        let start = left.sentence.start + (text.len() - text.trim_start().len());
        let is_even = |mark: &str| text.matches(mark).count().is_multiple_of(2);
        match !left.is_shared && is_even("*") && is_even("_") && is_even("`") && is_even("~") {
            true => DeclaredAs::Words(start..start + text.trim().len()),
            false => DeclaredAs::Marks(left.spans.clone()),
        }
    }

    /// True in a column that says how far things are.
    fn is_state(&self, places: &mut Places, at: usize) -> bool {
        const STATES: [&str; 7] = [
            "status",
            "state",
            "stand",
            "zustand",
            "estado",
            "statut",
            "статус",
        ];
        let column = places.column(self, at);
        let head = self.document.rows.get(places.head);
        let title = head.and_then(|row| row.cells.get(column));
        title.is_some_and(|title| has_word(&STATES, &title.to_lowercase()) || title == "状态")
    }

    /// What a cell is about: the first cell of its row and the head of its column.
    fn cell_name(&self, places: &mut Places, at: usize) -> String {
        let rows = &self.document.rows;
        let cell = |row: usize, column: usize| {
            let cells = rows.get(row).map_or(&[][..], |row| row.cells.as_slice());
            cells.get(column).map_or("", String::as_str)
        };
        let column = places.column(self, at);
        let (first, head) = (cell(places.row, 0), cell(places.head, column));
        match (column, first, head) {
            (0, _, head) | (_, "", head) => head.to_owned(),
            (_, first, "") => first.to_owned(),
            (_, first, head) => format!("{first}: {head}"),
        }
    }
}

impl Places {
    fn reach_row(&mut self, gathering: &Gathering, at: usize) {
        let rows = &gathering.document.rows;
        let begins = |row: &TableRow| row.span.start <= at;
        while rows.get(self.row + 1).is_some_and(begins) {
            self.row += 1;
            if rows[self.row].is_head {
                self.head = self.row;
            }
        }
    }

    fn reach_item(&mut self, gathering: &Gathering, at: usize) {
        let items = &gathering.document.items;
        let begins = |item: &Item| item.span.start <= at;
        while items.get(self.item + 1).is_some_and(begins) {
            self.item += 1;
        }
    }

    /// The column in which a byte of the row stands: each byte of a row is looked at once.
    fn column(&mut self, gathering: &Gathering, at: usize) -> usize {
        let document = gathering.document;
        let start = document.rows.get(self.row).map_or(at, |row| row.span.start);
        if self.counted.0 <= start {
            let text = document.prose_of(start..at);
            let lead = text.len() - text.trim_start().len();
            let opens = usize::from(text[lead..].starts_with('|'));
            self.counted = ((start + lead + opens).min(at), 0);
        }
        let (from, bars) = self.counted;
        let more = document.prose_of(from..at).matches('|').count();
        self.counted = (at, bars + more);
        bars + more
    }
}

/// `<TBD date>`, without its backticks.
fn is_placeholder(tag: &str) -> bool {
    let inner = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
    inner.is_some_and(|inner| {
        let first = inner.split([' ', ':', '-']).next().unwrap_or("");
        has_word(&["TBD", "TBC", "TODO"], first) && !inner.contains(['<', '>', '\n', '='])
    })
}

/// What stands behind a mark; `TODO(anna)` says who, not what.
fn behind_the_mark(words: &str) -> String {
    let what = match bracketed(words, '(', ')') {
        Some((who, what)) if !who.contains(' ') => what,
        _ => words,
    };
    let behind = what.trim_start_matches([')', ']', '.', ',', ':', '*', ' ']);
    match behind.contains(char::is_alphanumeric) {
        true => behind.to_owned(),
        false => String::new(),
    }
}

/// `Done: …` and `In progress`.
fn names_a_later_state(item: &str) -> bool {
    let mut words = words_of(item);
    let first = words.next().unwrap_or("");
    let is_later = |word: &str| has_word(&LATER_STATES, word);
    is_later(first) || first.eq_ignore_ascii_case("in") && words.next().is_some_and(is_later)
}
