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

    /// Makes splices that don't overlap, each as a step of its own: the first has this number.
    pub fn make(&mut self, splices: &[(usize, Splice)]) {
        let mut ordered: Vec<&(usize, Splice)> = splices.iter().collect();
        ordered.sort_by_key(|(_, splice)| (splice.range.start, splice.range.end));
        // From the end, so that places before stay what they are.
        for (step, splice) in ordered.into_iter().rev() {
            self.splice(*step, splice);
        }
    }

    fn splice(&mut self, step: usize, splice: &Splice) {
        let Range { start, end } = splice.range;
        self.text.replace_range(start..end, &splice.text);
        let first = self.cut(start);
        let last = self.cut(end).max(first);
        let span = Span {
            length: splice.text.len(),
            of: Of::Step(step),
        };
        self.spans.splice(first..last, [span]);
    }

    /// Makes a span begin at a byte; its place among the spans.
    fn cut(&mut self, at: usize) -> usize {
        let mut begin = 0;
        for index in 0..self.spans.len() {
            if begin >= at {
                return index;
            }
            let span = self.spans[index];
            let end = begin + span.length;
            if at < end {
                let head = at - begin;
                self.spans[index].length = head;
                let of = match span.of {
                    Of::Source(from) => Of::Source(from + head),
                    step => step,
                };
                let length = span.length - head;
                self.spans.insert(index + 1, Span { length, of });
                return index + 1;
            }
            begin = end;
        }
        self.spans.len()
    }

    /// Where a byte of the source is now; nowhere once it was taken out.
    pub fn place_of(&self, in_source: usize) -> Option<usize> {
        let mut begin = 0;
        for span in &self.spans {
            if let Of::Source(from) = span.of
                && from <= in_source
                && in_source < from + span.length
            {
                return Some(begin + in_source - from);
            }
            begin += span.length;
        }
        None
    }

    /// Where a line of the source is now: its beginning, or what is left of it.
    pub fn line_now(&self, source: &str, line: u32) -> Option<u32> {
        let newlines = source.match_indices('\n').map(|(at, _)| at + 1);
        let mut starts = std::iter::once(0).chain(newlines);
        let start = starts.nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let end = starts.next().unwrap_or(source.len());
        let place = (start..end).find_map(|byte| self.place_of(byte))?;
        u32::try_from(self.text[..place].matches('\n').count() + 1).ok()
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
