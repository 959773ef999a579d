//! The sentences of a block.

use std::ops::Range;

/// Words whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 12] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp", "no", "fig", "sec", "max",
];

/// The sentence of a block that has these bytes, or the sentences, where they reach over several.
pub(crate) fn sentence_at(text: &str, block: &Range<usize>, found: &Range<usize>) -> Range<usize> {
    let inside = &text[block.clone()];
    let ends = sentence_ends(inside).map(|end| block.start + end);
    let (mut start, mut end) = (block.start, block.end);
    for at in ends {
        if at <= found.start {
            start = at;
        } else if at >= found.end {
            end = at;
            break;
        }
    }
    trimmed(text, start..end)
}

/// Behind each sentence of a text.
fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(['.', '!', '?']).filter_map(|(at, _)| {
        let behind =
            text[at + 1..].trim_start_matches(['.', '!', '?', ')', '"', '”', '*', '_', '`']);
        let end = text.len() - behind.len();
        let next = behind
            .trim_start()
            .trim_start_matches(['*', '_', '`', '"', '“', '(', '[']);
        let begins = next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            || behind.trim_start().starts_with('`');
        let word = text[..at].rsplit([' ', '\n', '(']).next().unwrap_or("");
        let is_short = ABBREVIATIONS
            .iter()
            .any(|short| word.eq_ignore_ascii_case(short));
        let is_number = word.chars().all(|c| c.is_ascii_digit()) && !word.is_empty();
        let is_first = text[..at].trim().len() == word.len();
        let ends = behind.starts_with(char::is_whitespace) && begins && !is_short;
        (ends && !(is_number && is_first)).then_some(end)
    })
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..(range.start + inside.trim_end().len()).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_the_next_one_begins() {
        let text = "It waits 2.5 s, e.g. for a\nlock. **Then** it ends (in v1. Or later.) `next()` is called. 3 more follow";
        for (found, expected) in [
            ("lock", "It waits 2.5 s, e.g. for a\nlock."),
            ("ends", "**Then** it ends (in v1."),
            ("called", "`next()` is called."),
            ("more", "3 more follow"),
            ("is called. 3", "`next()` is called. 3 more follow"),
        ] {
            let at = text.find(found).unwrap();
            let sentence = sentence_at(text, &(0..text.len()), &(at..at + found.len()));
            assert_eq!(&text[sentence], expected);
        }
    }
}
