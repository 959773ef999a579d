//! Fields such as `**Name:** value`, and the words that stand for an empty list.

use super::vocabulary::has_word;

/// How many gaps one heading may bind: each reads the whole section, and no honest heading names more.
pub(super) const MOST_GAPS_IN_HEADING: usize = 20;

/// Splits `**Name:** value` and `**Name**: value` into name and value.
pub fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("**")?;
    let (inner, behind) = rest.split_once("**")?;
    match inner.strip_suffix(':') {
        Some(name) => Some((name.trim(), behind.trim())),
        None => Some((inner.trim(), behind.trim().strip_prefix(':')?.trim())),
    }
}

/// Reads the value of the first field of this name among the lines.
pub(super) fn find_field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .map(|line| line.trim_start().strip_prefix("- ").unwrap_or(line))
        .filter_map(field)
        .find(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// True for the words that stand for an empty list.
pub fn is_none_word(text: &str) -> bool {
    let word = text.trim().trim_end_matches('.').trim_matches('*');
    has_word(&["none", "n/a", "-", "nothing"], word)
}

/// What a record without such a field means.
pub(super) fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_the_colon_on_either_side() {
        assert_eq!(field("**Severity:** HIGH"), Some(("Severity", "HIGH")));
        assert_eq!(
            field("  **Impact**: it breaks "),
            Some(("Impact", "it breaks"))
        );
        assert_eq!(field("**bold** words"), None);
        assert_eq!(field("Severity: HIGH"), None);
    }
}
