//! Ignore comments: `<!-- gapless: ignore RULE reason -->` silences a rule for the block that follows, or for the section
//! if it is right under the heading; `ignore-file` silences it everywhere.

use std::collections::BTreeMap;
use std::ops::Range;

use gapless_markdown::{BlockKind, last_at};

use crate::{Facts, Finding};

/// An ignore comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub span: Range<usize>,
    pub rules: Vec<String>,
    pub has_reason: bool,
    pub whole_file: bool,
}

/// The ignore comments of a spec, in order.
pub fn comments(facts: &Facts<'_>) -> Vec<Comment> {
    let blocks = facts.document.blocks.iter();
    let blocks = blocks.filter(|block| block.kind == BlockKind::Html);
    let spans = blocks.map(|block| &block.span);
    let spans = spans.chain(&facts.document.html_spans);
    let mut places: Vec<Range<usize>> = spans.cloned().collect();
    places.sort_by_key(|place| place.start);
    let mut found = Vec::new();
    for place in places {
        let html = &facts.document.source[place.clone()];
        let mut from = 0;
        while let Some(start) = html[from..].find("<!--").map(|at| from + at) {
            let Some(length) = html[start..].find("-->") else {
                break;
            };
            let end = start + length + 3;
            let inner = html[start + 4..start + length].trim();
            found.extend(read(inner, place.start + start..place.start + end));
            from = end;
        }
    }
    found
}

fn read(inner: &str, span: Range<usize>) -> Option<Comment> {
    let order = inner.strip_prefix("gapless:")?.trim_start();
    let (rest, whole_file) = match order.strip_prefix("ignore-file") {
        Some(rest) => (rest, true),
        None => (order.strip_prefix("ignore")?, false),
    };
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let mut words = rest.split_whitespace();
    let names = words.next().unwrap_or("");
    let rules = names
        .split(',')
        .filter(|name| !name.is_empty())
        .map(str::to_owned);
    Some(Comment {
        span,
        rules: rules.collect(),
        has_reason: words.next().is_some(),
        whole_file,
    })
}

/// The silenced ranges of each rule, in order and without overlaps.
pub struct Silence {
    ranges: BTreeMap<String, Vec<Range<usize>>>,
}

impl Silence {
    pub fn of(facts: &Facts<'_>) -> Self {
        let mut ranges: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
        for comment in comments(facts) {
            let range = match comment.whole_file {
                true => 0..facts.document.source.len(),
                false => reach(facts, &comment.span),
            };
            for rule in comment.rules {
                ranges.entry(rule).or_default().push(range.clone());
            }
        }
        for ranges in ranges.values_mut() {
            ranges.sort_by_key(|range| range.start);
            let mut joined: Vec<Range<usize>> = Vec::new();
            for range in ranges.drain(..) {
                match joined.last_mut() {
                    Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                    _ => joined.push(range),
                }
            }
            *ranges = joined;
        }
        Self { ranges }
    }

    pub fn covers(&self, finding: &Finding) -> bool {
        let ranges = self.ranges.get(finding.rule).map_or(&[][..], Vec::as_slice);
        let at = finding.span.start;
        last_at(ranges, at, |range| range.start).is_some_and(|range| range.contains(&at))
    }
}

/// What a comment reaches: its section right under a heading, its own block within text, else the block that follows.
fn reach(facts: &Facts<'_>, comment: &Range<usize>) -> Range<usize> {
    section_right_above(facts, comment)
        .or_else(|| block_around(facts, comment))
        .or_else(|| block_behind(facts, comment))
        .unwrap_or_else(|| comment.clone())
}

/// The section whose heading is followed by this comment, with nothing but comments between them.
fn section_right_above(facts: &Facts<'_>, comment: &Range<usize>) -> Option<Range<usize>> {
    let document = &facts.document;
    let section = &facts.sections[facts.section_at(comment.start)];
    let heading = section.heading.as_ref()?;
    let between = &document.source[heading.end.min(comment.start)..comment.start];
    // A comment far from the heading is not under it; no honest row of comments is longer.
    let only_comments = between.len() < 2000
        && between.split("-->").all(|part| {
            let part = part.trim();
            part.is_empty() || part.starts_with("<!--")
        });
    if !only_comments || comment.start < heading.end {
        return None;
    }
    let headings = &document.headings;
    let index = headings.partition_point(|found| found.span.start < heading.start);
    let level = section.level;
    let whole = document.section(index, |next| next.level <= level);
    Some(heading.start..whole.end)
}

/// The first block that doesn't end before the comment.
fn block_index_at(facts: &Facts<'_>, comment: &Range<usize>) -> usize {
    facts
        .document
        .blocks
        .partition_point(|block| block.span.end <= comment.start)
}

/// The text that a comment is in; within a cell, the whole row.
fn block_around(facts: &Facts<'_>, comment: &Range<usize>) -> Option<Range<usize>> {
    let document = &facts.document;
    let block = document.blocks.get(block_index_at(facts, comment))?;
    if block.kind == BlockKind::Html || block.span.start > comment.start {
        return None;
    }
    let row = document
        .rows
        .partition_point(|row| row.span.end <= comment.start);
    Some(match document.rows.get(row) {
        Some(row) if row.span.start <= comment.start => row.span.clone(),
        _ => block.span.clone(),
    })
}

/// The block that follows a comment: in a list or a quote, the next text there.
fn block_behind(facts: &Facts<'_>, comment: &Range<usize>) -> Option<Range<usize>> {
    let document = &facts.document;
    let next = document
        .outermost
        .partition_point(|block| block.start < comment.end);
    let outer = document.outermost[..next].last();
    let nested = outer.is_some_and(|outer| {
        outer.end > comment.end && !document.source[outer.start..].starts_with("<!--")
    });
    match nested {
        true => document.blocks[block_index_at(facts, comment)..]
            .iter()
            .find(|block| block.span.start >= comment.end)
            .map(|block| block.span.clone()),
        // Comments in a row all reach the same block.
        false => document.outermost[next..]
            .iter()
            .take(32)
            .find(|block| !document.source[(*block).clone()].starts_with("<!--"))
            .cloned(),
    }
}
