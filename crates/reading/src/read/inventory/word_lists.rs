//! The word lists that several parts of the inventory look into.

use std::sync::LazyLock;

use super::super::vocabulary::words_of;
use gapless_domain::words::phrases;

pub(super) static ASIDE_LABELS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/aside_labels.txt")).collect());

pub(super) static OVER_FOREIGN: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/over_foreign.txt")).collect());

/// Whether words in lower case, with a space between each two, have one of these phrases. Chinese has no spaces.
pub(super) fn has_phrase(list: &[&str], words: &str) -> bool {
    let mut found = list.iter().filter(|phrase| words.contains(**phrase));
    found.any(|phrase| is_chinese(phrase) || is_within(words, phrase))
}

fn is_within(words: &str, phrase: &str) -> bool {
    let mut places = words.match_indices(phrase);
    places.any(|(at, _)| {
        let (before, behind) = (&words[..at], &words[at + phrase.len()..]);
        (before.is_empty() || before.ends_with(' '))
            && (behind.is_empty() || behind.starts_with(' '))
    })
}

pub(super) fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'))
}

/// The words of a text in lower case, with a space between each two, so many at most.
pub(super) fn in_lower_case(text: &str, most: usize) -> String {
    let words: Vec<String> = words_of(text).take(most).map(str::to_lowercase).collect();
    words.join(" ")
}
