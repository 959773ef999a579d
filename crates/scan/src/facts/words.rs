//! Splits a text block into words: runs of letters and digits with their places, numbers, and code as one word.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    Plain,
    /// Begins with a digit and has nothing but digits and separators, perhaps with a unit glued to it.
    Number {
        bare: bool,
    },
    /// A whole code span.
    Code,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub kind: WordKind,
}

impl Word {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    pub fn is_plain(&self) -> bool {
        self.kind == WordKind::Plain
    }

    pub fn is_number(&self) -> bool {
        matches!(self.kind, WordKind::Number { .. })
    }

    pub fn is_bare_number(&self) -> bool {
        self.kind == WordKind::Number { bare: true }
    }

    pub fn is_code(&self) -> bool {
        self.kind == WordKind::Code
    }
}

/// Appends the words of a range of the text. `codes` are the code spans in it, in order.
pub fn words_of(text: &str, range: Range<usize>, codes: &[Range<usize>], words: &mut Vec<Word>) {
    let mut codes = codes.iter().peekable();
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end {
        while codes.next_if(|code| code.end <= at).is_some() {}
        if let Some(code) = codes.next_if(|code| code.start <= at) {
            words.push(Word {
                start: code.start,
                end: code.end.min(range.end),
                kind: WordKind::Code,
            });
            at = code.end;
            continue;
        }
        let length = letter_length(text, at);
        if length == 0 {
            at += width(bytes[at]);
            continue;
        }
        let limit = codes
            .peek()
            .map_or(range.end, |code| code.start.min(range.end));
        let word = match bytes[at].is_ascii_digit() {
            true => number(text, at, limit),
            false => plain(text, at, limit),
        };
        words.push(word);
        at = word.end.max(at + 1);
    }
}

fn width(byte: u8) -> usize {
    match byte {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// How many bytes the letter or digit at this place has; 0 where there is none.
fn letter_length(text: &str, at: usize) -> usize {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        return usize::from(byte.is_ascii_alphanumeric());
    }
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(c) if c.is_alphanumeric() => c.len_utf8(),
        _ => 0,
    }
}

fn plain(text: &str, start: usize, limit: usize) -> Word {
    let bytes = text.as_bytes();
    let mut end = start;
    while end < limit {
        let length = letter_length(text, end);
        if length > 0 {
            end += length;
            continue;
        }
        let joins = match bytes[end] {
            b'_' => true,
            b'-' | b'\'' => end + 1 < limit && letter_length(text, end + 1) > 0,
            // A typographic apostrophe.
            0xe2 => {
                text[end..].starts_with('\u{2019}')
                    && end + 3 < limit
                    && letter_length(text, end + 3) > 0
            }
            _ => false,
        };
        if !joins {
            break;
        }
        end += width(bytes[end]);
    }
    Word {
        start,
        end,
        kind: WordKind::Plain,
    }
}

fn number(text: &str, start: usize, limit: usize) -> Word {
    let bytes = text.as_bytes();
    let mut end = start;
    while end < limit {
        let digit_follows = bytes.get(end + 1).is_some_and(u8::is_ascii_digit) && end + 1 < limit;
        match bytes[end] {
            byte if byte.is_ascii_digit() => end += 1,
            b'.' | b',' | b'_' | b':' if digit_follows => end += 1,
            _ => break,
        }
    }
    let digits = end;
    while end < limit && letter_length(text, end) > 0 {
        end += letter_length(text, end);
    }
    // `2026-01-02`, `3-way`: no bare number.
    let dashed =
        bytes.get(end) == Some(&b'-') && end + 1 < limit && letter_length(text, end + 1) > 0;
    if dashed {
        end = plain(text, end + 1, limit).end;
    }
    let signed = matches!(bytes.get(end), Some(b'%' | b'x'))
        || text[..start].ends_with(['$', '€', '£', '#', '/', '.', '±'])
        || text[end..].starts_with(['°', '×', '/', '…']);
    Word {
        start,
        end,
        kind: WordKind::Number {
            bare: end == digits && !signed,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, WordKind)> {
        let codes: Vec<Range<usize>> = match (text.find('`'), text.rfind('`')) {
            (Some(from), Some(to)) => std::iter::once(from..to + 1).collect(),
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        words_of(text, 0..text.len(), &codes, &mut found);
        found.iter().map(|w| (&text[w.span()], w.kind)).collect()
    }

    #[test]
    fn words_numbers_and_code_are_told_apart() {
        use WordKind::{Code, Number, Plain};
        assert_eq!(
            words("user-friendly Größe: 1,024.5 or 30s, 5% `a b` don't 3-way 7."),
            [
                ("user-friendly", Plain),
                ("Größe", Plain),
                ("1,024.5", Number { bare: true }),
                ("or", Plain),
                ("30s", Number { bare: false }),
                ("5", Number { bare: false }),
                ("`a b`", Code),
                ("don't", Plain),
                ("3-way", Number { bare: false }),
                ("7", Number { bare: true }),
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn words_stand_in_order_within_the_text(text in "\\PC{0,80}") {
            let mut found = Vec::new();
            words_of(&text, 0..text.len(), &[], &mut found);
            let mut at = 0;
            for word in found {
                proptest::prop_assert!(word.start >= at && word.end > word.start);
                proptest::prop_assert!(text.get(word.span()).is_some());
                at = word.end;
            }
        }
    }
}
