//! Owns the severity sections of a review: under which of them a place stands, and which parts raise nothing.

use super::Mode;
use super::document::Document;
use super::reviewer::bare_severity;
use super::vocabulary::{VERIFICATION_WORDS, has_word, severity_of_title, words_of};
use crate::severity::Severity;

/// Where a place stands: under which severity section, or under none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub severity: Option<Severity>,
    pub canonical: bool,
    /// True right under the severity section's title, false under a heading below it.
    pub direct: bool,
}

/// The severity sections of a document by where they begin, and the parts that raise nothing.
pub(super) struct SeverityOutline {
    /// Each mark holds from its byte on until the next.
    marks: Vec<(usize, Option<Place>)>,
}

impl SeverityOutline {
    pub fn of(document: &Document, mode: Mode) -> Self {
        let mut marks: Vec<(usize, Option<Place>)> = Vec::new();
        // The headings that are open at this point, each with what it makes of its section.
        let mut open: Vec<(u8, Option<Place>)> = Vec::new();
        let nothing = Some(Place {
            severity: None,
            canonical: false,
            direct: false,
        });
        let mut lines = document.prose_lines(0..document.source.len()).peekable();
        let mut headings = document.headings.iter().peekable();
        while let Some(heading) = headings.next() {
            open.retain(|(level, _)| *level < heading.level);
            let around = open.last().map_or(nothing, |(_, place)| *place);
            let place = match severity_of_title(&heading.title) {
                _ if around.is_none() => None,
                _ if is_verification(&heading.title) => None,
                Some(severity) if mode == Mode::Tolerant || heading.level == 3 => Some(Place {
                    severity: Some(severity),
                    canonical: heading.level == 3,
                    direct: true,
                }),
                _ => around.map(|place| Place {
                    direct: false,
                    ..place
                }),
            };
            open.push((heading.level, place));
            marks.push((heading.span.start, place));
            if mode == Mode::Strict {
                continue;
            }
            let end = headings
                .peek()
                .map_or(document.source.len(), |next| next.span.start);
            while let Some((at, line)) = lines.next_if(|(at, _)| *at < end) {
                if at >= heading.span.end
                    && place.is_some()
                    && let Some(severity) = bare_severity(line)
                {
                    marks.push((
                        at,
                        Some(Place {
                            severity: Some(severity),
                            canonical: false,
                            direct: true,
                        }),
                    ));
                }
            }
        }
        Self { marks }
    }

    /// `None` where the place raises nothing.
    pub fn place(&self, at: usize) -> Option<Place> {
        let index = self.marks.partition_point(|(start, _)| *start <= at);
        match index.checked_sub(1).and_then(|index| self.marks.get(index)) {
            Some((_, place)) => *place,
            None => Some(Place {
                severity: None,
                canonical: false,
                direct: false,
            }),
        }
    }
}

fn is_verification(title: &str) -> bool {
    let words: Vec<&str> = words_of(title).collect();
    words.iter().any(|word| has_word(&VERIFICATION_WORDS, word))
        && words
            .iter()
            .any(|word| word.to_ascii_lowercase().starts_with("issue"))
        || words
            .first()
            .is_some_and(|word| word.eq_ignore_ascii_case("resolved"))
}
