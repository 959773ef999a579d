//! Spans of a text: growing one, blanking some out so that every other byte stays where it is, and finding what starts where.

use std::borrow::Cow;
use std::ops::Range;

/// Three spaces for the three bytes of the mark: places stay what they are, and up to three spaces may stand before a
/// heading.
pub fn without_byte_order_mark(source: &str) -> Cow<'_, str> {
    match source.strip_prefix('\u{feff}') {
        Some(rest) => Cow::Owned(format!("   {rest}")),
        None => Cow::Borrowed(source),
    }
}

/// Makes a span reach over another one too.
pub fn grow(range: &mut Option<Range<usize>>, by: &Range<usize>) {
    *range = Some(match range.take() {
        Some(old) => old.start.min(by.start)..old.end.max(by.end),
        None => by.clone(),
    });
}

/// The places of those in a list, ordered by where they start, that start in a range.
pub fn starting_in<T>(
    list: &[T],
    range: &Range<usize>,
    start: impl Fn(&T) -> usize,
) -> Range<usize> {
    let from = list.partition_point(|one| start(one) < range.start);
    let more = list[from..].partition_point(|one| start(one) < range.end);
    from..from + more
}

/// The last in a list, ordered by where they start, that starts at a place or before it.
pub fn last_at<T>(list: &[T], at: usize, start: impl Fn(&T) -> usize) -> Option<&T> {
    let behind = list.partition_point(|one| start(one) <= at);
    behind.checked_sub(1).and_then(|index| list.get(index))
}

/// Replaces ranges by spaces, line ends aside, so that every other byte stays where it is.
pub fn blank(source: &str, ranges: &[Range<usize>]) -> String {
    let mut prose = String::with_capacity(source.len());
    let mut at = 0;
    for range in ranges {
        let from = range.start.max(at);
        if from >= range.end {
            continue;
        }
        prose.push_str(&source[at..from]);
        prose.extend(source[from..range.end].bytes().map(|byte| match byte {
            b'\n' => '\n',
            _ => ' ',
        }));
        at = range.end;
    }
    prose.push_str(&source[at..]);
    prose
}
