//! How much of a text a report shows.

use gapless_domain::shortened;

/// The longest text that is shown of a gap, an issue or a message, in bytes.
const BRIEF: usize = 2_000;
/// The longest text that is shown of an answer or a position.
const LONG: usize = 6_000;

pub fn brief(text: &str) -> String {
    shortened(text.trim(), BRIEF)
}

pub fn long(text: &str) -> String {
    shortened(text.trim(), LONG)
}
