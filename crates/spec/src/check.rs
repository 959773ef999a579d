//! The check of a refined spec against its source. It shares nothing with the assembling but the parser: every block of the
//! source stands in the spec, in order and byte for byte, unless a change names a passage of it, or it names or declares a gap
//! that was settled without a change. Of a block that a change touches, everything around the passage is still there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use gapless_domain::{GapId, gap_ids_in};

/// Why a spec can't be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("line {line} of the source would be lost or changed, and no accepted change names it")]
    Lost { line: usize },
}

/// A passage that an accepted change names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    pub text: String,
    /// False where the change adds something to it and leaves it.
    pub is_gone: bool,
}

/// What may be different in a spec.
#[derive(Debug, Clone, Default)]
pub struct Named<'n> {
    /// Gaps that were settled without naming a passage.
    pub settled: BTreeSet<GapId>,
    /// The lines of the source on which these were declared, by an id or without.
    pub lines: BTreeSet<u32>,
    pub passages: &'n [Passage],
}

impl<'n> Named<'n> {
    pub fn passages(passages: &'n [Passage]) -> Self {
        Self {
            passages,
            ..Self::default()
        }
    }
}

/// Checks a refined spec.
pub fn check(source: &str, spec: &str, named: &Named) -> Result<(), SpecError> {
    let (before, after) = (Split::of(source), Split::of(spec));
    before.stands_in(&after, named)
}

/// A leaf of a document: a block of its own, an item of a list without the lists in it, or a row of a table.
struct Leaf {
    kind: Kind,
    span: Range<usize>,
    /// The list items around it, itself included, by the number of the leaf that begins each.
    items: Vec<usize>,
}

/// A row that is no row any more has the same words and is lost all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Paragraph,
    Heading,
    Code,
    Item,
    Table,
    Other,
}

impl Kind {
    fn of(tag: &Tag) -> Self {
        match tag {
            Tag::Paragraph => Kind::Paragraph,
            Tag::Heading { .. } => Kind::Heading,
            Tag::CodeBlock(_) => Kind::Code,
            Tag::Item => Kind::Item,
            Tag::Table(_) | Tag::TableRow => Kind::Table,
            _ => Kind::Other,
        }
    }
}

struct Split<'t> {
    text: &'t str,
    leaves: Vec<Leaf>,
}

/// What is open while a document is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Item(usize),
    Table,
    /// What is not looked into.
    Block,
}

impl<'t> Split<'t> {
    fn of(text: &'t str) -> Self {
        let mut split = Self {
            text,
            leaves: Vec::new(),
        };
        // The mark would keep the first line from being a heading; blanks of the same length don't.
        let readable = match text.strip_prefix('\u{feff}') {
            Some(rest) => std::borrow::Cow::Owned(format!("   {rest}")),
            None => std::borrow::Cow::Borrowed(text),
        };
        let mut open: Vec<(Open, Range<usize>)> = Vec::new();
        let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES).into_offset_iter();
        for (event, span) in parser {
            match event {
                Event::Start(tag) => {
                    let kind = split.begin(&tag, &span, &open);
                    open.push((kind, span));
                }
                Event::End(_) => {
                    let ended = open.pop();
                    // What follows a list inside an item is the item's again.
                    if let (Some((Open::List, list)), Some((Open::Item(_), item))) =
                        (ended, open.last())
                    {
                        split.leaf(Kind::Item, list.end..item.end, &open);
                    }
                }
                Event::Rule if open.is_empty() => split.leaf(Kind::Other, span, &open),
                _ => {}
            }
        }
        split
    }

    fn begin(&mut self, tag: &Tag, span: &Range<usize>, open: &[(Open, Range<usize>)]) -> Open {
        let around = open.last().map(|(kind, _)| *kind);
        match (tag, around) {
            (Tag::List(_), None) => Open::List,
            (Tag::List(_), Some(Open::Item(_))) => {
                self.cut(span.start);
                Open::List
            }
            (Tag::Item, Some(Open::List)) => {
                let number = self.leaves.len();
                self.leaf(Kind::of(tag), span.clone(), open);
                if let Some(leaf) = self.leaves.get_mut(number) {
                    leaf.items.push(number);
                }
                Open::Item(number)
            }
            (Tag::Table(_), None) => {
                self.leaf(Kind::of(tag), span.clone(), open);
                Open::Table
            }
            (Tag::TableRow, Some(Open::Table)) => {
                self.cut(span.start);
                self.leaf(Kind::of(tag), span.clone(), open);
                Open::Block
            }
            (_, None) => {
                self.leaf(Kind::of(tag), span.clone(), open);
                Open::Block
            }
            _ => Open::Block,
        }
    }

    fn leaf(&mut self, kind: Kind, span: Range<usize>, open: &[(Open, Range<usize>)]) {
        let items = open
            .iter()
            .filter_map(|(kind, _)| match kind {
                Open::Item(number) => Some(*number),
                _ => None,
            })
            .collect();
        self.leaves.push(Leaf { kind, span, items });
    }

    /// The last leaf ends here.
    fn cut(&mut self, at: usize) {
        if let Some(leaf) = self.leaves.last_mut() {
            leaf.span.end = leaf.span.end.min(at).max(leaf.span.start);
        }
    }

    fn words(&self, leaf: &Leaf) -> &'t str {
        self.text.get(leaf.span.clone()).unwrap_or("").trim()
    }

    /// Holds every leaf against those of the spec.
    fn stands_in(&self, spec: &Split, named: &Named) -> Result<(), SpecError> {
        let places = self.places_of(&named.lines);
        let whole = plain(spec.text);
        let passages: Vec<(String, bool)> = named
            .passages
            .iter()
            .map(|passage| (plain(&passage.text), passage.is_gone))
            .collect();
        let mut by_words: BTreeMap<(Kind, &str), Vec<usize>> = BTreeMap::new();
        for (at, leaf) in spec.leaves.iter().enumerate() {
            let words = (leaf.kind, spec.words(leaf));
            by_words.entry(words).or_default().push(at);
        }
        let mut next = 0;
        let last = self.leaves.len().saturating_sub(1);
        for (number, leaf) in self.leaves.iter().enumerate() {
            let words = self.words(leaf);
            if words.is_empty() {
                continue;
            }
            let same = by_words.get(&(leaf.kind, words)).and_then(|places| {
                let from = places.partition_point(|at| *at < next);
                places.get(from).copied()
            });
            let found = same.or_else(|| {
                if number != last {
                    return None;
                }
                let mut left = next..spec.leaves.len();
                let is_it = |at: &usize| is_closed_form(words, spec.words(&spec.leaves[*at]));
                left.find(is_it)
            });
            let may_differ = || {
                self.is_touched(leaf, &named.settled, &places)
                    || is_named(&plain(words), &passages, &whole)
            };
            if let Some(at) = found {
                // Words that a change takes away may be there by chance, farther down.
                if at == next || !may_differ() {
                    next = at + 1;
                }
            } else if !may_differ() {
                let line = self.text[..leaf.span.start].matches('\n').count() + 1;
                return Err(SpecError::Lost { line });
            }
        }
        Ok(())
    }

    /// The bytes of these lines, in order.
    fn places_of(&self, lines: &BTreeSet<u32>) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut places = Vec::new();
        for (number, line) in (1u32..).zip(self.text.split_inclusive('\n')) {
            if lines.contains(&number) {
                places.push(at..at + line.len());
            }
            at += line.len();
        }
        places
    }

    /// True where a settled gap may have changed a leaf: it names the gap, stands on the line that declares it, or is part
    /// of an entry that the gap has.
    fn is_touched(&self, leaf: &Leaf, settled: &BTreeSet<GapId>, places: &[Range<usize>]) -> bool {
        let names = |words: &str| {
            gap_ids_in(words)
                .iter()
                .any(|found| settled.contains(&found.id))
        };
        let declared = leaf
            .items
            .iter()
            .rev()
            .find_map(|number| declared_by(self.words(self.leaves.get(*number)?)));
        let is_on_line = |span: &Range<usize>| {
            let from = places.partition_point(|place| place.end <= span.start);
            places.get(from).is_some_and(|place| place.start < span.end)
        };
        let in_entry = || {
            let around = leaf
                .items
                .iter()
                .filter_map(|number| self.leaves.get(*number));
            around.chain([leaf]).any(|leaf| is_on_line(&leaf.span))
        };
        match declared {
            Some(gap) => settled.contains(&gap),
            None => names(self.words(leaf)) || in_entry(),
        }
    }
}

/// A text with one blank for each stretch of white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// True where changes name a leaf: it is part of a passage, or a passage is part of it and everything around that is still in
/// the spec.
fn is_named(leaf: &str, passages: &[(String, bool)], spec: &str) -> bool {
    let mut rest = vec![leaf.to_owned()];
    let mut is_touched = false;
    for (passage, is_gone) in passages {
        if passage.is_empty() {
            continue;
        }
        if contains_words(passage, leaf) && *is_gone {
            return true;
        }
        // What something is added to stays, unless another change takes it away.
        if !is_gone && leaf.contains(passage.as_str()) {
            if !spec.contains(passage.as_str()) && !is_taken(passage, passages, spec) {
                return false;
            }
            is_touched = true;
        }
        let mut parts = Vec::new();
        for piece in &rest {
            let cut = cut_out(piece, passage);
            is_touched |= cut.len() != 1 || cut[0] != *piece;
            parts.extend(cut);
        }
        rest = parts;
    }
    is_touched && rest.iter().all(|part| spec.contains(part.trim()))
}

/// True where changes take a passage away, or a part of it and leave the rest.
fn is_taken(passage: &str, passages: &[(String, bool)], spec: &str) -> bool {
    let taking: Vec<(String, bool)> = passages
        .iter()
        .filter(|(_, is_gone)| *is_gone)
        .cloned()
        .collect();
    is_named(passage, &taking, spec)
}

/// True where a text has these words, and not as a part of others.
fn contains_words(text: &str, words: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, _)| {
        let before = is_word(text[..at].chars().next_back()) && is_word(words.chars().next());
        let behind = &text[at + words.len()..];
        let after = is_word(behind.chars().next()) && is_word(words.chars().next_back());
        !before && !after
    })
}

/// What is left of a text without a passage, which may reach over its beginning or its end.
fn cut_out(text: &str, passage: &str) -> Vec<String> {
    if text.contains(passage) {
        return text.split(passage).map(str::to_owned).collect();
    }
    const SHORTEST: usize = 3;
    let bounds = |text: &str| -> Vec<usize> { text.char_indices().map(|(at, _)| at).collect() };
    let tail = bounds(text).into_iter().find(|at| {
        let tail = &text[*at..];
        tail.len() >= SHORTEST && passage.starts_with(tail)
    });
    if let Some(at) = tail {
        return vec![text[..at].to_owned()];
    }
    let head = bounds(text).into_iter().rev().find(|at| {
        let head = &text[..*at];
        head.len() >= SHORTEST && passage.ends_with(head)
    });
    match head {
        Some(at) => vec![text[at..].to_owned()],
        None => vec![text.to_owned()],
    }
}

/// The gap that a list item begins with.
fn declared_by(item: &str) -> Option<GapId> {
    let found = gap_ids_in(item).into_iter().next()?;
    let before = item.get(..found.at)?;
    let is_marker = before
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace() || "-*+.)[]xX`_".contains(c));
    is_marker.then_some(found.id)
}

/// True where the end of the source was left open and is closed in the spec.
fn is_closed_form(open: &str, closed: &str) -> bool {
    const CLOSERS: [&str; 8] = [
        "-->",
        "?>",
        "]]>",
        ">",
        "</script>",
        "</pre>",
        "</style>",
        "</textarea>",
    ];
    let Some(added) = closed.strip_prefix(open).map(str::trim) else {
        return false;
    };
    let is_fence = |mark: char| added.len() >= 3 && added.chars().all(|c| c == mark);
    CLOSERS.contains(&added) || is_fence('`') || is_fence('~')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "# A\n\npara\n\n- one\n- GAP-AA-001: two\n  - detail\n- GAP-AA-002: three\n\n| a | b |\n|---|---|\n| c | d |\n\nIt waits a while. Then it stops.\n";

    fn of(change: impl Fn(String) -> String) -> Result<(), SpecError> {
        let named = Named {
            settled: BTreeSet::from(["GAP-AA-001".parse().unwrap()]),
            lines: BTreeSet::from([6]),
            passages: &[],
        };
        let spec = SOURCE.replace("GAP-AA-001: two\n  - detail", "settled");
        check(SOURCE, &change(spec + "\n## T\n\ntext\n"), &named)
    }

    #[test]
    fn what_stands_is_found() {
        assert_eq!(of(|spec| spec), Ok(()));
        assert_eq!(
            of(|spec| spec.replace("settled", "GAP-AA-001: two")),
            Ok(())
        );
    }

    #[test]
    fn what_is_lost_changed_or_swallowed_is_found() {
        let lost = |line| Err(SpecError::Lost { line });
        assert_eq!(of(|spec| spec.replace("para", "Para")), lost(3));
        assert_eq!(of(|spec| spec.replace("- one\n", "")), lost(5));
        assert_eq!(of(|spec| spec.replace("002: three", "002: done")), lost(8));
        assert_eq!(of(|spec| spec.replace("|---|", "|:--|")), lost(10));
        assert_eq!(of(|spec| spec.replace("| c |", "| C |")), lost(12));
        assert_eq!(of(|spec| spec.replace("# A\n", "# A\n\n```\n")), lost(3));
        assert_eq!(
            of(|spec| spec.replace("para\n\n", "") + "\npara\n"),
            lost(5)
        );
    }

    fn with(passage: &str, is_gone: bool, from: &str, to: &str) -> Result<(), SpecError> {
        let passage = Passage {
            text: passage.to_owned(),
            is_gone,
        };
        assert!(SOURCE.contains(from));
        check(
            SOURCE,
            &SOURCE.replace(from, to),
            &Named::passages(&[passage]),
        )
    }

    #[test]
    fn a_named_passage_may_go_and_nothing_around_it() {
        let lost = |line| Err(SpecError::Lost { line });
        assert_eq!(with("a while", true, "a while", "5 s"), Ok(()));
        assert_eq!(with("a while", true, "a while. Then", "5 s. Then"), Ok(()));
        assert_eq!(
            with("a while", true, "a while. Then it stops.", "5 s."),
            lost(14)
        );
        assert_eq!(with("a while", true, "para", "Para"), lost(3));
        assert_eq!(with("- one", true, "- one\n", ""), Ok(()));
        assert_eq!(
            with(
                "one\n- GAP-AA-001: two",
                true,
                "one\n- GAP-AA-001: two",
                "1"
            ),
            Ok(())
        );
        assert_eq!(with("para", true, "para", "```\npara"), lost(5));
    }

    #[test]
    fn what_is_added_to_a_passage_leaves_it() {
        let added = |to: &str| with("It waits a while.", false, "a while.", to);
        assert_eq!(added("a while. It is 5 s."), Ok(()));
        assert_eq!(added("5 s."), Err(SpecError::Lost { line: 14 }));
    }
}
