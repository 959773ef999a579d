//! The check of a refined spec against its source. It shares nothing with the assembling but the parser: every
//! block of the source that neither names nor declares a settled gap stands in the spec, in order, byte for byte; every settled gap has
//! exactly one part, and no other gap has any. A section that an Editor made is held against what it was made from instead,
//! and everything around it as ever.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{Fault, Given};
use gapless_domain::{GapId, gap_ids_in};

/// Why a spec can't be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("what stands on line {line} of the source would be lost or changed")]
    Lost { line: usize },
    #[error("{gap} would have {begun} parts of which {ended} end, where it needs one")]
    Parts { gap: GapId, begun: i64, ended: i64 },
    #[error("{gap} is not settled, and would be shown as if it were")]
    Stray { gap: GapId },
    #[error("an edited section does not hold: {fault}")]
    Edited { fault: Fault },
    #[error("a section that was edited is not there as one")]
    NotEditable,
}

/// A section of the source in whose place stands what an Editor made of it.
pub struct Worked {
    /// Its bytes in the source.
    pub own: Range<usize>,
    /// The gap whose comments are the innermost around it.
    pub last_gap: GapId,
    pub given: Given,
}

/// Checks a refined spec. `lines` are those of the source on which settled gaps were declared, by an id or without.
pub fn check(
    source: &str,
    spec: &str,
    settled: &BTreeSet<GapId>,
    lines: &BTreeSet<u32>,
) -> Result<(), SpecError> {
    check_edited(source, spec, settled, lines, &[])
}

/// The same for a spec with sections that an Editor made.
pub fn check_edited(
    source: &str,
    spec: &str,
    settled: &BTreeSet<GapId>,
    lines: &BTreeSet<u32>,
    worked: &[Worked],
) -> Result<(), SpecError> {
    let before = Split::of(source);
    let mut after = Split::of(spec);
    for section in worked {
        after.hold(source, section)?;
    }
    let own: Vec<Range<usize>> = worked.iter().map(|section| section.own.clone()).collect();
    before.stands_in(&after, settled, &before.places_of(lines), &own)?;
    let gaps: BTreeSet<&GapId> = before
        .traces
        .keys()
        .chain(after.traces.keys())
        .chain(settled)
        .collect();
    for gap in gaps {
        let old = before.traces.get(gap).copied().unwrap_or_default();
        let new = after.traces.get(gap).copied().unwrap_or_default();
        let (begun, ended) = (new.begun - old.begun, new.ended - old.ended);
        let is_settled = settled.contains(gap);
        if is_settled && (begun, ended) != (1, 1) {
            let gap = gap.clone();
            return Err(SpecError::Parts { gap, begun, ended });
        }
        let shown = begun > 0 || ended > 0 || new.pointers > old.pointers;
        if !is_settled && shown {
            return Err(SpecError::Stray { gap: gap.clone() });
        }
    }
    Ok(())
}

/// How often the comments of gapless name a gap.
#[derive(Debug, Clone, Copy, Default)]
struct Trace {
    begun: i64,
    ended: i64,
    pointers: i64,
}

/// A leaf of a document: a block of its own, an item of a list without the lists in it, or a row of a table.
struct Leaf {
    span: Range<usize>,
    /// The list items around it, itself included, by the number of the leaf that begins each.
    items: Vec<usize>,
}

struct Split<'t> {
    text: &'t str,
    leaves: Vec<Leaf>,
    traces: BTreeMap<GapId, Trace>,
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
            traces: BTreeMap::new(),
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
                        split.leaf(list.end..item.end, &open);
                    }
                }
                Event::Rule if open.is_empty() => split.leaf(span, &open),
                Event::Html(html) | Event::InlineHtml(html) => split.note(&html),
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
                self.leaf(span.clone(), open);
                if let Some(leaf) = self.leaves.get_mut(number) {
                    leaf.items.push(number);
                }
                Open::Item(number)
            }
            (Tag::Table(_), None) => {
                self.leaf(span.clone(), open);
                Open::Table
            }
            (Tag::TableRow, Some(Open::Table)) => {
                self.cut(span.start);
                self.leaf(span.clone(), open);
                Open::Block
            }
            (_, None) => {
                self.leaf(span.clone(), open);
                Open::Block
            }
            _ => Open::Block,
        }
    }

    fn leaf(&mut self, span: Range<usize>, open: &[(Open, Range<usize>)]) {
        let items = open
            .iter()
            .filter_map(|(kind, _)| match kind {
                Open::Item(number) => Some(*number),
                _ => None,
            })
            .collect();
        self.leaves.push(Leaf { span, items });
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

    /// Notes the comments of gapless in a piece of HTML.
    fn note(&mut self, html: &str) {
        for comment in html.split("<!-- gapless: ").skip(1) {
            let Some((words, _)) = comment.split_once(" -->") else {
                continue;
            };
            let (kind, gap) = words.split_once(' ').unwrap_or(("", words));
            let Ok(gap) = gap.parse() else {
                continue;
            };
            let trace = self.traces.entry(gap).or_default();
            match kind {
                "" => trace.begun += 1,
                "end" => trace.ended += 1,
                _ => trace.pointers += 1,
            }
        }
    }

    /// Holds an edited section against what it was made from. What stands in it is no longer looked for by anything else.
    fn hold(&mut self, source: &str, section: &Worked) -> Result<(), SpecError> {
        // A comment inside of anything else ends nothing.
        let leaf_with = |comment: String| {
            let is_trace = |words: &str| {
                let mut lines = words.lines();
                lines.all(|line| line.starts_with("<!-- gapless: ") && line.ends_with("-->"))
            };
            let mut leaves = self.leaves.iter().map(|leaf| self.words(leaf));
            leaves.position(|words| words.contains(&comment) && is_trace(words))
        };
        let gap = &section.last_gap;
        let begin = leaf_with(format!("<!-- gapless: {gap} -->"));
        let end = leaf_with(format!("<!-- gapless: end {gap} -->"));
        let (Some(begin), Some(end)) = (begin, end) else {
            return Err(SpecError::NotEditable);
        };
        let region = self.leaves[begin].span.end..self.leaves[end].span.start;
        let own = source.get(section.own.clone()).unwrap_or("");
        let heading = Split::of(own).leaves.into_iter().next();
        let heading = heading.and_then(|leaf| own.get(leaf.span)).unwrap_or("");
        let body = self.text.get(region.clone()).unwrap_or("");
        let text = format!("{}\n\n{}\n", heading.trim_end(), body.trim());
        let faults = section.given.faults(&text.replace("\r\n", "\n"), &[]);
        if let Some(fault) = faults.into_iter().next() {
            return Err(SpecError::Edited { fault });
        }
        for leaf in &mut self.leaves {
            if region.contains(&leaf.span.start) {
                leaf.span.end = leaf.span.start;
            }
        }
        Ok(())
    }

    /// Holds every leaf that no settled gap touches against the leaves of the spec.
    fn stands_in(
        &self,
        spec: &Split,
        settled: &BTreeSet<GapId>,
        places: &[Range<usize>],
        edited: &[Range<usize>],
    ) -> Result<(), SpecError> {
        let is_edited = |leaf: &Leaf| {
            // The heading of an edited section stands as it was.
            let mut edited = edited.iter();
            edited.any(|own| own.contains(&leaf.span.start) && leaf.span.start != own.start)
        };
        let mut left = spec.leaves.iter();
        let last = self.leaves.len().saturating_sub(1);
        for (number, leaf) in self.leaves.iter().enumerate() {
            let words = self.words(leaf);
            if words.is_empty() || is_edited(leaf) || self.is_touched(leaf, settled, places) {
                continue;
            }
            let stands = left.any(|other| {
                let other = spec.words(other);
                other == words || (number == last && is_closed_form(words, other))
            });
            if !stands {
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

    const SOURCE: &str = "# A\n\npara\n\n- one\n- GAP-AA-001: two\n  - detail\n- GAP-AA-002: three\n\n| a | b |\n|---|---|\n| c | d |\n";

    fn of(change: impl Fn(String) -> String) -> Result<(), SpecError> {
        let settled = BTreeSet::from(["GAP-AA-001".parse().unwrap()]);
        let spec = SOURCE.replace("GAP-AA-001: two\n  - detail", "settled");
        let part =
            "\n<!-- gapless: GAP-AA-001 -->\n## T\n\ntext\n\n<!-- gapless: end GAP-AA-001 -->\n";
        check(SOURCE, &change(spec + part), &settled, &BTreeSet::from([6]))
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

    #[test]
    fn parts_are_counted() {
        let parts = |begun, ended| {
            let gap = "GAP-AA-001".parse().unwrap();
            Err(SpecError::Parts { gap, begun, ended })
        };
        assert_eq!(
            of(|spec| spec.replace("<!-- gapless: GAP-AA-001 -->", "")),
            parts(0, 1)
        );
        assert_eq!(
            of(|spec| spec + "\n<!-- gapless: GAP-AA-001 -->\n"),
            parts(2, 1)
        );
        assert_eq!(
            of(|spec| spec + "\n<!-- gapless: settled GAP-AA-002 -->\n"),
            Err(SpecError::Stray {
                gap: "GAP-AA-002".parse().unwrap()
            })
        );
    }

    #[test]
    fn an_open_end_may_be_closed_and_nothing_else() {
        let check =
            |source: &str, spec: &str| check(source, spec, &BTreeSet::new(), &BTreeSet::new());
        assert_eq!(check("a\n\n```\nx", "a\n\n```\nx\n```\n\nmore\n"), Ok(()));
        assert_eq!(check("<!-- x", "<!-- x\n-->\n\nmore\n"), Ok(()));
        assert!(check("```\nx", "```\nx\nmore\n```\n").is_err());
    }
}
