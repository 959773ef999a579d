//! Owns ignore comments: `<!-- gapless: ignore RULE reason -->` silences a rule for the block that follows, or for the section
//! where it stands right under the heading; `ignore-file` silences it everywhere.

use std::collections::BTreeMap;
use std::ops::Range;

use gapless_markdown::BlockKind;

use crate::facts::Facts;
use crate::finding::Finding;

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
    let blocks = facts
        .document
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Html);
    let mut places: Vec<Range<usize>> = blocks.map(|block| block.span.clone()).collect();
    places.extend(facts.document.html_spans.iter().cloned());
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

/// What is silenced: for each rule, ranges that don't overlap, in order.
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
        self.ranges.get(finding.rule).is_some_and(|ranges| {
            let at = ranges.partition_point(|range| range.end <= finding.span.start);
            ranges
                .get(at)
                .is_some_and(|range| range.start <= finding.span.start)
        })
    }
}

/// What a comment reaches: its section right under a heading, its own block within text, else the block that follows.
fn reach(facts: &Facts<'_>, comment: &Range<usize>) -> Range<usize> {
    let document = &facts.document;
    let section = &facts.sections[facts.section_at(comment.start)];
    if let Some(heading) = &section.heading {
        let between = &document.source[heading.end.min(comment.start)..comment.start];
        // A comment far from the heading is not under it; no honest row of comments is longer.
        let only_comments = between.len() < 2000
            && between.split("-->").all(|part| {
                let part = part.trim();
                part.is_empty() || part.starts_with("<!--")
            });
        if only_comments && comment.start >= heading.end {
            let index = document
                .headings
                .partition_point(|found| found.span.start < heading.start);
            let level = section.level;
            let whole = document.section(index, |next| next.level <= level);
            return heading.start..whole.end;
        }
    }
    let at = document
        .blocks
        .partition_point(|block| block.span.end <= comment.start);
    if let Some(block) = document.blocks.get(at)
        && block.kind != BlockKind::Html
        && block.span.start <= comment.start
    {
        // Within a cell, the row is meant.
        let row = document
            .rows
            .partition_point(|row| row.span.end <= comment.start);
        return match document.rows.get(row) {
            Some(row) if row.span.start <= comment.start => row.span.clone(),
            _ => block.span.clone(),
        };
    }
    let next = document
        .outermost
        .partition_point(|block| block.start < comment.end);
    let outer = next
        .checked_sub(1)
        .and_then(|index| document.outermost.get(index));
    let nested = outer.is_some_and(|outer| {
        outer.end > comment.end && !document.source[outer.start..].starts_with("<!--")
    });
    let following = match nested {
        // In a list or a quote: the text that follows there.
        true => document.blocks[at..]
            .iter()
            .find(|block| block.span.start >= comment.end)
            .map(|block| block.span.clone()),
        // Comments in a row all reach what follows them.
        false => document.outermost[next..]
            .iter()
            .take(32)
            .find(|block| !document.source[(*block).clone()].starts_with("<!--"))
            .cloned(),
    };
    following.unwrap_or_else(|| comment.clone())
}
