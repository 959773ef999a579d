//! Words of others as a title or an item can have them.

use gapless_domain::one_line;

const LONGEST_PLACE: usize = 60;

/// The first characters of a text.
fn cut(text: &str, longest: usize) -> String {
    let cut: String = text.chars().take(longest).collect();
    cut.trim_end().to_owned()
}

/// Words as a title can have them: on one line, short, without marks that markdown reads.
pub(crate) fn plain(words: &str) -> String {
    plain_to(words, LONGEST_PLACE)
}

/// As `plain`, at another length.
pub(crate) fn plain_to(words: &str, longest: usize) -> String {
    let marks = ['`', '*', '_', '#', '<', '>', '[', ']', '|', '\\', '&', '~'];
    let kept = one_line(&words.replace(marks, " "));
    cut(kept.trim_matches([':', '.', ',', ' ']), longest)
}
