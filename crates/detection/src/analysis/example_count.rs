//! The counting of examples: labelled ones (`Example 1: …`, an entry of an Examples part) and code blocks. A block that
//! stands behind a label is that label's example.

use std::ops::Range;

use super::material::Read;
use super::ranges::{beginning_in, holds};
use gapless_reading::read::{BoundGap, words_of};

/// How many examples each gap needs.
pub(super) const LEAST_EXAMPLES: u32 = 2;

/// Words that, at the beginning of a line and with a mark behind them, label an example.
const LABELS: [&str; 5] = ["example", "scenario", "edge case", "test case", "use case"];

/// The examples of a gap's section.
pub(super) struct Examples {
    pub count: usize,
    /// The bytes of parts that are headed as examples, in order.
    pub parts: Vec<Range<usize>>,
    pub labelled: bool,
}

pub(super) fn examples_in(read: &Read, bound: &BoundGap) -> Examples {
    let parts = parts(read, bound);
    let mut labels = labels(read, bound, &parts);
    let mut blocks: Vec<usize> = beginning_in(&read.document.code_blocks, &bound.section)
        .iter()
        .chain(beginning_in(read.hidden_code, &bound.section))
        .map(|block| block.start)
        .filter(|at| holds(&bound.solution, *at))
        .collect();
    labels.sort_unstable();
    blocks.sort_unstable();
    let outside = |places: &[usize]| -> Vec<usize> {
        let mut places = places.to_vec();
        places.retain(|at| !holds(&parts, *at));
        places
    };
    let mut count = together(&outside(&labels), &outside(&blocks));
    for part in &parts {
        let labels = places_in(&labels, part);
        let blocks = places_in(&blocks, part);
        count += match labels {
            [] => entries(read, part).max(blocks.len()),
            labels => together(labels, blocks),
        };
    }
    Examples {
        count,
        labelled: !labels.is_empty(),
        parts,
    }
}

fn places_in<'p>(places: &'p [usize], within: &Range<usize>) -> &'p [usize] {
    let from = places.partition_point(|at| *at < within.start);
    let to = places.partition_point(|at| *at < within.end);
    &places[from..to.max(from)]
}

/// Labels and blocks, the first block behind each label being that label's.
fn together(labels: &[usize], blocks: &[usize]) -> usize {
    let mut own = 0;
    for (index, label) in labels.iter().enumerate() {
        let end = labels.get(index + 1).copied().unwrap_or(usize::MAX);
        own += usize::from(!places_in(blocks, &(*label..end)).is_empty());
    }
    labels.len() + blocks.len() - own
}

/// The parts headed as examples; those within others are theirs.
fn parts(read: &Read, bound: &BoundGap) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (index, heading) in read.document.headings_in(&bound.section) {
        let first = heading.line == bound.line || !holds(&bound.solution, heading.span.start);
        if first
            || parts
                .last()
                .is_some_and(|last| heading.span.start < last.end)
        {
            continue;
        }
        let mut words = words_of(&heading.title);
        if words.any(|word| {
            ["example", "examples"]
                .iter()
                .any(|w| word.eq_ignore_ascii_case(w))
        }) {
            let body = read
                .document
                .section(index, |next| next.level <= heading.level);
            parts.push(heading.span.start..body.end.min(bound.section.end));
        }
    }
    parts
}

fn labels(read: &Read, bound: &BoundGap, parts: &[Range<usize>]) -> Vec<usize> {
    let document = read.document;
    let mut labels = Vec::new();
    for range in &bound.solution {
        for (at, line) in document.prose_lines(range.clone()) {
            let headed = line.trim_start().starts_with('#');
            let opens = headed && parts.binary_search_by_key(&at, |part| part.start).is_ok();
            let in_part = !opens && holds(parts, at);
            if is_label(line) || (in_part && (headed || is_bold_line(line))) {
                labels.push(at);
            }
        }
    }
    labels
}

/// `**Example 1: title**`, `#### Scenario A`, `- Edge case: …`; not `For example`, not `Examples`.
fn is_label(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| {
        c.is_whitespace() || c.is_ascii_digit() || "#*_->+.)|".contains(c)
    });
    let headed = line.trim_start().starts_with('#');
    LABELS.iter().any(|label| {
        let Some(start) = bare.get(..label.len()) else {
            return false;
        };
        let behind = bare[label.len()..].trim_start_matches(['*', '_']);
        if !start.eq_ignore_ascii_case(label) || behind.starts_with(char::is_alphanumeric) {
            return false;
        }
        // A number or a letter may stand between the word and its mark.
        let mut words = behind
            .trim_start()
            .splitn(2, [' ', ':', '*', '.', ')', '(']);
        let number = words.next().unwrap_or("");
        let numbered = !number.is_empty()
            && number.len() <= 3
            && (number.chars().all(|c| c.is_ascii_digit())
                || number.chars().all(|c| c.is_ascii_uppercase()));
        let mark = behind.trim_start();
        headed || numbered || mark.is_empty() || mark.starts_with([':', '(', '-', '–', '—'])
    })
}

/// A line that is bold as a whole stands for a heading.
fn is_bold_line(line: &str) -> bool {
    let line = line.trim().trim_end_matches(':');
    line.strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"))
        .is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
}

/// The entries of a part without labels: its outermost unnumbered items and the rows of its tables; steps and prose are one.
fn entries(read: &Read, part: &Range<usize>) -> usize {
    let document = read.document;
    let is_step = |at: usize| {
        let first = document.source.as_bytes().get(at);
        first.is_some_and(u8::is_ascii_digit)
    };
    let items = document.items_in(part).filter(|item| item.depth == 0);
    let items = items.filter(|item| !is_step(item.span.start)).count();
    let mut rows = 0;
    let mut last_end = None;
    for row in document.rows_in(part) {
        // The first row of a table is its head.
        let goes_on = last_end.is_some_and(|end| {
            let between = document.source.get(end..row.span.start).unwrap_or("\n\n");
            between.matches('\n').count() <= 2 && !between.contains("\n\n")
        });
        rows += usize::from(goes_on);
        last_end = Some(row.span.end);
    }
    let said = document
        .prose_lines(part.clone())
        .skip(1)
        .any(|(_, line)| line.chars().any(char::is_alphanumeric));
    (items + rows).max(usize::from(said))
}
