//! Words around a mark that say that it is only spoken of: `no TODO is left`.

use std::sync::LazyLock;

use gapless_domain::words::phrases;

/// What follows a task's mark that is only spoken of.
pub(super) static SPOKEN_OF: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/marks_spoken_of.txt")).collect());

/// What precedes a mark that is only spoken of.
pub(super) const COUNTED: [&str; 5] = ["no", "any", "every", "each", "without"];

/// The word right before a place.
pub(super) fn word_before(before: &str) -> &str {
    let before = before.strip_suffix(' ').unwrap_or("");
    let mut words = before.rsplit(|c: char| !c.is_alphanumeric());
    words.next().unwrap_or("")
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»' | '`')
}
