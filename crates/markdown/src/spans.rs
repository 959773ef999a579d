//! Spans of a text: growing one, and blanking some out so that every other byte stays where it is.

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
