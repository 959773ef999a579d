//! What the headings of a proposal are about.

use std::sync::LazyLock;

use gapless_domain::words::phrases;
use gapless_domain::{gap_ids_in, issue_ids_in};
use gapless_reading::read::words_of;

/// First words of headings that say what a part is for and not what it is about.
static FORMAL: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/formal.txt")).collect());

/// What a heading is about: without its number, ids and asides; `None` where it only names a part of the form.
pub(super) fn topic(title: &str) -> Option<String> {
    let plain: String = title.replace(['*', '`', '_'], " ");
    let mut plain = plain.split(" (").next().unwrap_or("").trim();
    plain = plain.trim_start_matches(|c: char| c.is_ascii_digit() || ".) ".contains(c));
    let plain = plain.trim_end_matches([':', '.', ' ']);
    let first = words_of(plain).next()?;
    let formal = FORMAL.iter().any(|word| first.eq_ignore_ascii_case(word));
    let named = !gap_ids_in(plain).is_empty() || !issue_ids_in(plain).is_empty();
    (!formal && !named && plain.chars().filter(|c| c.is_alphabetic()).count() > 2)
        .then(|| plain.to_owned())
}
