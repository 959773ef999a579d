//! Word lists of beginnings, by which rules know what a text argues with.

/// True where a word of the text begins with one of these.
pub(super) fn begins_any(text: &str, beginnings: &[&str]) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .map(str::to_lowercase)
        .any(|word| beginnings.iter().any(|begin| word.starts_with(begin)))
}
