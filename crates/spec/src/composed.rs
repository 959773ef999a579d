//! The refined spec while it is composed: the source, and what each step put into it or took out, byte by byte.

use std::ops::Range;

/// A text of which each byte is known to be of the source or of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Composed {
    pub text: String,
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    length: usize,
    of: Of,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The source, from this byte on.
    Source(usize),
    /// A step, by its number. One that only takes away has a span without bytes.
    Step(usize),
}

/// A stretch of a text and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub range: Range<usize>,
    pub text: String,
}

impl Composed {
    pub fn of(source: &str) -> Self {
        Self {
            text: source.to_owned(),
            spans: vec![Span {
                length: source.len(),
                of: Of::Source(0),
            }],
        }
    }

    /// Makes splices that don't overlap, each as a step of its own, which has this number. Of several at one place the first
    /// given comes first.
    pub fn make(&mut self, splices: &[(usize, Splice)]) {
        let mut ordered: Vec<&(usize, Splice)> = splices.iter().collect();
        ordered.sort_by_key(|(_, splice)| (splice.range.start, splice.range.end));
        let added: usize = ordered.iter().map(|(_, splice)| splice.text.len()).sum();
        let old = std::mem::take(self);
        self.text.reserve(old.text.len() + added);
        self.spans.reserve(old.spans.len() + 2 * ordered.len());
        let mut rest = Rest {
            of: &old,
            next: 0,
            into: 0,
            at: 0,
        };
        for (step, splice) in ordered {
            rest.keep_until(splice.range.start, self);
            rest.skip_until(splice.range.end, self);
            self.text += &splice.text;
            self.spans.push(Span {
                length: splice.text.len(),
                of: Of::Step(*step),
            });
        }
        rest.keep_until(old.text.len(), self);
    }

    /// Where a byte of the source is now; nowhere once it was taken out.
    pub fn place_of(&self, in_source: usize) -> Option<usize> {
        self.place_in(in_source..in_source + 1)
    }

    /// Where what is left of a stretch of the source is, if no step wrote anything between its beginning and its end.
    pub fn untouched(&self, of_source: &Range<usize>) -> Option<Range<usize>> {
        let mut begin = 0;
        let mut left: Option<Range<usize>> = None;
        let mut written = 0..0;
        for span in &self.spans {
            match span.of {
                Of::Source(from) if from >= of_source.end => break,
                Of::Source(from) => {
                    let first = from.max(of_source.start);
                    let end = (from + span.length).min(of_source.end);
                    if first < end {
                        let start = left.map_or(begin + first - from, |left| left.start);
                        left = Some(start..begin + end - from);
                    }
                }
                Of::Step(_) if span.length > 0 => written = begin..begin + span.length,
                Of::Step(_) => {}
            }
            if left
                .as_ref()
                .is_some_and(|left| left.start <= written.start && written.end <= left.end)
                && !written.is_empty()
            {
                return None;
            }
            begin += span.length;
        }
        left
    }

    /// Where a line of the source is now: its beginning, or what is left of it.
    pub fn line_now(&self, source: &str, line: u32) -> Option<u32> {
        let newlines = source.match_indices('\n').map(|(at, _)| at + 1);
        let mut starts = std::iter::once(0).chain(newlines);
        let start = starts.nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let end = starts.next().unwrap_or(source.len());
        let place = self.place_in(start..end)?;
        u32::try_from(self.text[..place].matches('\n').count() + 1).ok()
    }

    /// Where the first byte of a stretch of the source is that is still there.
    fn place_in(&self, of_source: Range<usize>) -> Option<usize> {
        let mut begin = 0;
        for span in &self.spans {
            if let Of::Source(from) = span.of {
                let first = from.max(of_source.start);
                if first < (from + span.length).min(of_source.end) {
                    return Some(begin + first - from);
                }
            }
            begin += span.length;
        }
        None
    }

    /// The line of the source that a line of the text is of, or was made of; nothing where a step wrote all of it.
    pub fn line_in(&self, source: &str, line: u32) -> Option<u32> {
        let newlines = self.text.match_indices('\n').map(|(at, _)| at + 1);
        let mut starts = std::iter::once(0).chain(newlines);
        let start = starts.nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let end = starts.next().unwrap_or(self.text.len());
        let mut begin = 0;
        for span in &self.spans {
            let (from, to) = (begin.max(start), (begin + span.length).min(end));
            if let Of::Source(of_source) = span.of
                && from < to
                && !self.text.get(from..to).unwrap_or("").trim().is_empty()
            {
                let place = of_source + from - begin;
                return u32::try_from(source[..place].matches('\n').count() + 1).ok();
            }
            begin += span.length;
        }
        None
    }

    /// True where a line of the text is all of the source.
    pub fn is_source_line(&self, line: u32) -> bool {
        let newlines = self.text.match_indices('\n').map(|(at, _)| at + 1);
        let mut starts = std::iter::once(0).chain(newlines);
        let nth = usize::try_from(line)
            .ok()
            .and_then(|line| line.checked_sub(1));
        let Some(start) = nth.and_then(|nth| starts.nth(nth)) else {
            return false;
        };
        let end = starts.next().unwrap_or(self.text.len());
        let mut steps = self.steps();
        !steps.any(|(_, range)| range.start < end && start < range.end)
    }

    /// The stretches of each step, in order.
    pub fn steps(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let mut begin = 0;
        self.spans.iter().filter_map(move |span| {
            let range = begin..begin + span.length;
            begin = range.end;
            match span.of {
                Of::Step(step) => Some((step, range)),
                Of::Source(_) => None,
            }
        })
    }
}

/// What of a text is not looked at yet, while it is spliced.
struct Rest<'c> {
    of: &'c Composed,
    /// The span that is next, and how many of its bytes are done with.
    next: usize,
    into: usize,
    at: usize,
}

impl Rest<'_> {
    fn keep_until(&mut self, at: usize, kept: &mut Composed) {
        let at = at.max(self.at);
        kept.text += &self.of.text[self.at..at];
        self.walk_until(at, |span| kept.spans.push(span));
    }

    /// Of a step that is taken out something stays that says where it was.
    fn skip_until(&mut self, at: usize, kept: &mut Composed) {
        self.walk_until(at, |span| {
            if let Of::Step(_) = span.of {
                let trace = Span { length: 0, ..span };
                if kept.spans.last() != Some(&trace) {
                    kept.spans.push(trace);
                }
            }
        });
    }

    /// Goes on to a byte. A span without bytes stays before it.
    fn walk_until(&mut self, at: usize, mut each: impl FnMut(Span)) {
        while let Some(span) = self.of.spans.get(self.next) {
            let left = span.length - self.into;
            let length = left.min(at.saturating_sub(self.at));
            if length == 0 && left > 0 {
                break;
            }
            each(Span {
                length,
                of: match span.of {
                    Of::Source(from) => Of::Source(from + self.into),
                    step => step,
                },
            });
            self.at += length;
            self.into += length;
            if self.into == span.length {
                self.next += 1;
                self.into = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(range: Range<usize>, text: &str) -> Splice {
        Splice {
            range,
            text: text.to_owned(),
        }
    }

    #[test]
    fn bytes_are_told_apart() {
        let mut composed = Composed::of("one two three");
        composed.make(&[(0, splice(4..7, "2")), (1, splice(13..13, " four"))]);
        assert_eq!(composed.text, "one 2 three four");
        composed.make(&[(2, splice(0..4, "")), (3, splice(5..5, "and "))]);
        assert_eq!(composed.text, "2and  three four");
        assert_eq!(composed.place_of(0), None);
        assert_eq!(composed.place_of(4), None);
        assert_eq!(composed.place_of(8), Some(6));
        let steps: Vec<(usize, &str)> = composed
            .steps()
            .map(|(step, range)| (step, &composed.text[range]))
            .collect();
        assert_eq!(steps, [(2, ""), (0, "2"), (3, "and "), (1, " four")]);
    }

    proptest::proptest! {
        #[test]
        fn spans_cover_the_text(splices in proptest::collection::vec((0usize..30, 0usize..6, "[a-z]{0,5}"), 0..12)) {
            let source = "abcdefghijklmnopqrstuvwxyz";
            let mut composed = Composed::of(source);
            for (step, (at, length, text)) in splices.iter().enumerate() {
                let start = (*at).min(composed.text.len());
                let end = (start + length).min(composed.text.len());
                composed.make(&[(step, splice(start..end, text))]);
                let covered: usize = composed.spans.iter().map(|span| span.length).sum();
                proptest::prop_assert_eq!(covered, composed.text.len());
                for byte in 0..source.len() {
                    if let Some(place) = composed.place_of(byte) {
                        proptest::prop_assert_eq!(composed.text.as_bytes()[place], source.as_bytes()[byte]);
                    }
                }
            }
        }
    }
}
