//! The words of a text, one after the other, and what of it is only quoted.

pub(super) struct Word<'t> {
    pub text: &'t str,
    pub at: usize,
    /// Nothing but white space and emphasis stands between it and the word before.
    pub joined: bool,
}

impl Word<'_> {
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '\u{2019}' | '_');
    let mut words = Vec::new();
    let mut end = 0;
    let mut rest = text;
    let mut at = 0;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let word = &rest[start..];
        let length = word.find(|c| !inner(c)).unwrap_or(word.len());
        let trimmed = word[..length].trim_end_matches(|c: char| !c.is_alphanumeric());
        let between = &text[end..at + start];
        words.push(Word {
            text: trimmed,
            at: at + start,
            joined: between.chars().all(|c| c.is_whitespace() || c == '*')
                && between.matches('\n').count() < 2,
        });
        at += start + length;
        end = at;
        rest = &rest[start + length..];
    }
    words
}

/// Blanks out what is quoted on one line: messages, names and words that are only mentioned.
pub(super) fn without_quotations(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '\u{201c}']) {
            let mark = if rest[at..].starts_with('"') {
                '"'
            } else {
                '\u{201d}'
            };
            let opening = at + rest[at..].chars().next().map_or(1, char::len_utf8);
            let Some(length) = rest[opening..].find(mark) else {
                break;
            };
            let end = opening + length + mark.len_utf8();
            left.push_str(&rest[..at]);
            left.extend(std::iter::repeat_n(' ', end - at));
            rest = &rest[end..];
        }
        left.push_str(rest);
    }
    left
}
