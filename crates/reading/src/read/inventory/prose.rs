//! Paragraphs of sections that list what is open: questions, what stands below a bold label, and, where a section has
//! nothing else, sentences that leave something open.

use std::ops::Range;
use std::sync::LazyLock;

use super::super::source::POINTER;
use super::super::vocabulary::words_of;
use super::listing::Listing;
use super::names::{asks, other_id};
use super::over::{
    is_answer, is_answered_below, is_aside, is_in_italics, is_of_template, is_over, says_none,
    tells_of_the_end,
};
use super::titles::listing_of;
use super::wording::{Waits, is_bold, shortened};
use super::{DeclaredAs, Gathering};
use gapless_domain::words::phrases;
use gapless_markdown::{Block, BlockKind, last_at};

/// How long a label may be.
const LONGEST_LABEL: usize = 120;

static DOUBTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/doubts.txt")).collect());

static OPTIONS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/option_leads.txt")).collect());

/// Paragraphs that belong together: those of a section, or those below a bold label.
pub(super) struct Group {
    section: Option<usize>,
    label: Option<String>,
    paragraphs: Vec<(Range<usize>, String)>,
}

impl Gathering<'_> {
    /// Finds the lists that say more about the question before them: its options, or an item's that are not indented far enough.
    pub fn find_contexts(&mut self) {
        let document = self.document;
        for pair in document.outermost.windows(2) {
            let [before, list] = pair else { continue };
            let mut items = document.items_in(list).filter(|item| item.depth == 0);
            let first = items.next();
            if self.is_left_of_a_template(list) {
                self.contexts.push(list.clone());
                continue;
            }
            if first.is_none()
                || first
                    .into_iter()
                    .chain(items)
                    .any(|item| is_own(&item.text))
            {
                continue;
            }
            let words = self.words(before);
            let column = |range: &Range<usize>| {
                let text = document.source.get(range.clone()).unwrap_or("");
                let start = range.start + text.len() - text.trim_start().len();
                let line = document.source[..start].rfind('\n');
                start - line.map_or(0, |at| at + 1)
            };
            let follows_a_list = document.items_in(before).next().is_some();
            let ends_open = words.trim_end_matches('*').ends_with([':', '：']);
            // A pointer stands where the question stood.
            let is_lead = || {
                words.starts_with(POINTER)
                    || asks(&words)
                    || ends_open && (has_question(&words) || names_options(&words))
            };
            let is_context = match follows_a_list {
                true => column(list) > column(before),
                false => is_lead() && !words.starts_with('#') && !tells_that_it_lists(&words),
            };
            if is_context {
                self.contexts.push(list.clone());
            }
        }
    }

    /// True for a list most of whose items are the words of a template.
    fn is_left_of_a_template(&self, list: &Range<usize>) -> bool {
        let items = self.document.items_in(list).filter(|item| item.depth == 0);
        let (of_template, own): (Vec<_>, Vec<_>) =
            items.partition(|item| is_of_template(&item.text));
        of_template.len() > own.len()
    }

    /// True in a list that says more about the question before it.
    pub fn is_context(&self, at: usize) -> bool {
        last_at(&self.contexts, at, |list| list.start).is_some_and(|list| list.end > at)
    }

    pub fn paragraphs(&mut self, groups: &[Group]) {
        for group in groups {
            let settled = |(range, _): &(Range<usize>, String)| self.is_settled(range);
            match &group.label {
                Some(_) if group.paragraphs.iter().any(settled) => {
                    self.questions(&group.paragraphs[1..]);
                }
                Some(label) => {
                    self.labelled(label, group);
                }
                None => self.questions(&group.paragraphs),
            }
        }
    }

    /// `**Open questions:** borrowing, destruction order.` in a paragraph of any section.
    pub fn inline_lists(&mut self) {
        let document = self.document;
        let paragraphs = document.blocks.iter().filter(|block| is_paragraph(block));
        for block in paragraphs {
            let at = block.span.start;
            let is_other = matches!(self.listings.at(at), Listing::Open | Listing::Closed);
            if is_other || self.is_in_block(at) || self.is_settled(&block.span) {
                continue;
            }
            let text = document.prose_of(block.span.clone());
            let Some((from, behind)) = behind_an_open_label(text) else {
                continue;
            };
            let words = super::wording::one_line(&text[behind..]);
            if may_state(&words) && !self.leads_a_list(&block.span) {
                self.take_words(&(at + from..at + text.trim_end().len()), &words);
            }
        }
    }

    /// The paragraphs that may leave something open, in their groups.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for block in &self.document.blocks {
            let at = block.span.start;
            let listing = self.listings.at(at);
            let is_listed = matches!(listing, Listing::Open | Listing::Perhaps);
            let is_own = block.kind == BlockKind::Paragraph && !block.quoted && is_listed;
            if !is_own || self.is_in_block(at) {
                continue;
            }
            let words = self.words(&block.span);
            let section = self.listings.section_at(at);
            let says_open = section.is_some_and(|index| self.listings.says_open(index));
            // Below the title of an entry, labels name its options.
            let is_label = listing == Listing::Open
                && (says_open || asks(&words))
                && is_bold(&words)
                && words.len() <= LONGEST_LABEL
                && listing_of(words.trim_matches(['*', ':', ' '])).is_none();
            let is_new = groups.last().is_none_or(|last| last.section != section);
            if is_new || is_label {
                groups.push(Group {
                    section,
                    label: is_label.then(|| words.clone()),
                    paragraphs: Vec::new(),
                });
            }
            if let Some(group) = groups.last_mut() {
                group.paragraphs.push((block.span.clone(), words));
            }
        }
        groups
    }

    /// A group below a label is one matter: the label where it asks, else the first paragraph that leaves something open. Questions
    /// behind it are more.
    fn labelled(&mut self, label: &str, group: &Group) {
        let Some(((at, _), below)) = group.paragraphs.split_first() else {
            return;
        };
        let is_over = is_over(label)
            || below.iter().any(|(_, words)| is_answer(words))
            || below.first().is_some_and(|(_, words)| says_none(words));
        if is_over {
            return;
        }
        if asks(label) || other_id(label).is_some() {
            self.take_words(at, label);
            self.questions(below);
            return;
        }
        let open = below.iter().position(|(_, words)| may_state(words));
        if let Some((index, (range, words))) = open.map(|index| (index, &below[index])) {
            let words = format!("{}: {words}", label.trim_matches(['*', ':', ' ']));
            self.take_words(range, &words);
            self.questions(&below[index + 1..]);
        }
    }

    fn questions(&mut self, paragraphs: &[(Range<usize>, String)]) {
        for (index, (range, words)) in paragraphs.iter().enumerate() {
            let is_open = self.listings.at(range.start) == Listing::Open;
            let is_question = asks(words) || is_open && has_question(words);
            let next = paragraphs.get(index + 1);
            let is_answered = is_answered_below(self.document.prose_of(range.clone()))
                || next.is_some_and(|(_, next)| is_answered_below(&format!("\n{next}")));
            let is_none = says_none(words) || is_over(words) || is_answered;
            let is_told = is_of_template(words) || is_in_italics(words) || is_aside(words);
            let is_lead = asks(words) && tells_that_it_lists(words) && self.leads_a_list(range);
            if is_question && !is_none && !is_told && !is_lead && !self.is_settled(range) {
                self.take_words(range, words);
            }
        }
    }

    /// True where a list or a table follows a paragraph.
    fn leads_a_list(&self, range: &Range<usize>) -> bool {
        let outermost = &self.document.outermost;
        let next = outermost.iter().find(|block| block.start >= range.end);
        next.is_some_and(|next| {
            self.document.items_in(next).next().is_some()
                || self.document.rows_in(next).next().is_some()
        })
    }

    /// What sections state that have no entry of any kind: each paragraph with a word of doubt, else the first.
    pub fn statements(&mut self, groups: &[Group]) {
        let mut found: Vec<usize> = self.found.iter().map(|it| it.at).collect();
        found.sort_unstable();
        for group in groups {
            let Some(section) = group.section.filter(|_| group.label.is_none()) else {
                continue;
            };
            let section = &self.listings.sections[section];
            let own = section.own.clone();
            let from = found.partition_point(|at| *at < own.start);
            let is_taken = found.get(from).is_some_and(|at| *at < own.end);
            let is_leaf = section.own.end == section.whole.end;
            let mut unlisted = group.paragraphs.clone();
            unlisted.retain(|(range, _)| self.listings.at(range.start) == Listing::Open);
            let is_over = |(_, words): &(Range<usize>, String)| {
                says_none(words) || tells_of_the_end(words) || is_over(words) || is_answer(words)
            };
            if is_taken || self.has_entries(&own) || unlisted.iter().any(is_over) {
                continue;
            }
            unlisted
                .retain(|(_, words)| may_state(words) && (is_leaf || !tells_of_questions(words)));
            let has_doubt = |(_, words): &(Range<usize>, String)| {
                let mut words = words_of(words);
                words.any(|word| DOUBTS.contains(&word.to_lowercase().as_str()))
            };
            // Each has its title at its beginning.
            let are_titled =
                unlisted.len() > 1 && unlisted.iter().all(|(_, words)| begins_with_title(words));
            let doubtful = !are_titled && unlisted.iter().any(has_doubt);
            let most = match (doubtful || are_titled, is_leaf) {
                (true, _) => unlisted.len(),
                (false, true) => 1,
                (false, false) => 0,
            };
            let open = unlisted.iter().filter(|one| !doubtful || has_doubt(one));
            for (range, words) in open.take(most) {
                self.take_words(range, words);
            }
        }
    }

    /// True where a section has items, rows or something settled, whatever they say.
    fn has_entries(&self, section: &Range<usize>) -> bool {
        let document = self.document;
        document.items_in(section).next().is_some()
            || document.rows_in(section).next().is_some()
            || self.is_settled(section)
            || self.has_part(section)
    }

    fn take_words(&mut self, range: &Range<usize>, words: &str) {
        let line = self.document.line_of(range.start);
        let other = || self.named(words, line, range.start);
        if let Some((name, mut gap)) = super::entries::own_named(words, line).or_else(other) {
            gap.description = shortened(&gap.description);
            self.covered.push(range.clone());
            let form = DeclaredAs::Words(range.clone());
            self.take(name, gap, form, range.start, Waits::noted_in(words));
        }
    }
}

/// True for an item that is an entry whatever stands before its list.
fn is_own(item: &str) -> bool {
    asks(item) || other_id(item).is_some() || super::entries::own_named(item, 0).is_some()
}

/// Where a label in bold begins that lists what is open, and where it ends.
fn behind_an_open_label(text: &str) -> Option<(usize, usize)> {
    let marks: Vec<usize> = text.match_indices("**").map(|(at, _)| at).collect();
    marks.chunks_exact(2).find_map(|pair| {
        let label = &text[pair[0] + 2..pair[1]];
        let behind = &text[pair[1] + 2..];
        let is_label = label.ends_with([':', '：']) || behind.starts_with([':', '：']);
        let says_open = is_label
            && label.len() <= LONGEST_LABEL
            && listing_of(label.trim_matches([':', '：', ' '])) == Some(Listing::Open);
        let skipped = behind.len() - behind.trim_start_matches([':', '：', ' ']).len();
        says_open.then_some((pair[0], pair[1] + 2 + skipped))
    })
}

/// `**Retention.** The spec keeps …`
fn begins_with_title(words: &str) -> bool {
    let title = words
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"));
    title.is_some_and(|(title, text)| {
        let ends = title.ends_with(['.', ':', '：', '。']) || text.starts_with([':', '.', '：']);
        ends && title.chars().count() <= LONGEST_LABEL && text.contains(char::is_alphanumeric)
    })
}

/// True where a sentence of a text asks something.
fn has_question(words: &str) -> bool {
    let ends = words.match_indices(['?', '？']);
    ends.into_iter().any(|(at, mark)| {
        let behind = &words[at + mark.len()..];
        mark == "？" || behind.starts_with([' ', '*', '_', ')', '"']) || behind.is_empty()
    })
}

/// `Options:` and `It could be either:` before a list.
fn names_options(words: &str) -> bool {
    let last = words.rsplit(['.', '?', '!', '？']).next().unwrap_or("");
    words_of(last).any(|word| OPTIONS.contains(&word.to_lowercase().as_str()))
}

/// `What is still open?` before a list.
fn tells_that_it_lists(words: &str) -> bool {
    const TELLING: [&str; 8] = [
        "open",
        "remains",
        "remain",
        "left",
        "unresolved",
        "undecided",
        "unclear",
        "missing",
    ];
    let few: Vec<&str> = words_of(words).take(8).collect();
    few.len() < 8
        && few
            .iter()
            .any(|word| TELLING.contains(&word.to_lowercase().as_str()))
}

/// `Several questions need an answer.` before the sections that ask them.
fn tells_of_questions(words: &str) -> bool {
    const NOUNS: [&str; 5] = ["questions", "issues", "points", "items", "decisions"];
    words_of(words)
        .take(25)
        .any(|word| NOUNS.contains(&word.to_lowercase().as_str()))
}

/// False for a sentence that leads to something, refers to something, or says what the section is for.
fn may_state(words: &str) -> bool {
    const LEADING: [&str; 12] = [
        "see",
        "these",
        "following",
        "this",
        "here",
        "below",
        "refer",
        "tracked",
        "listed",
        "please",
        "for",
        "http",
    ];
    let first = words_of(words).find(|word| !word.eq_ignore_ascii_case("the"));
    let first = first.unwrap_or("").to_lowercase();
    let is_lead = words.ends_with([':', '：']) || LEADING.contains(&first.as_str());
    let is_none = says_none(words) || is_over(words) || is_answer(words) || is_aside(words);
    // Where a mark was settled, a pointer stands in the sentence.
    let is_settled = words.contains("efined in [");
    let is_link =
        is_settled || words.starts_with(['[', '!', '<']) && words.ends_with([')', ']', '>']);
    let is_long_enough = words.chars().count() >= 12;
    !is_lead
        && !is_none
        && !is_link
        && is_long_enough
        && !is_in_italics(words)
        && !is_of_template(words)
}

/// True for a paragraph of the document itself.
pub(super) fn is_paragraph(block: &Block) -> bool {
    block.kind == BlockKind::Paragraph && !block.quoted
}
