//! How findings name themselves: ids of any shape, and numbers before titles.

/// An issue's id at the beginning of a text, and what stands behind it. Gap ids are none.
pub(super) fn leading_id(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(['*', '`', '[', ' ']);
    if let Some(found) = lettered_id(text) {
        return Some(found);
    }
    let end = text
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'))
        .unwrap_or(text.len());
    let id = text[..end].trim_end_matches('-');
    let (head, number) = id.rsplit_once('-')?;
    let numbered =
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && number.len() <= 4;
    let named = head.starts_with(|c: char| c.is_ascii_uppercase()) && !id.starts_with("GAP-");
    let bounded = !text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (numbered && named && bounded).then(|| (id, &text[id.len()..]))
}

/// What reviewers number with one letter: critical, high, medium and low ones, blockers, issues, nits.
const NUMBERING_LETTERS: [char; 7] = ['C', 'H', 'M', 'L', 'B', 'I', 'N'];

/// `H2: …`, `C1. …`: a letter for the severity and a number, with a mark behind it. `M3 bolts` is a word.
fn lettered_id(text: &str) -> Option<(&str, &str)> {
    let digits = text.strip_prefix(NUMBERING_LETTERS)?;
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let rest = digits.get(count..)?;
    let marked = [":", ".", ")", "]", "*", " -", " \u{2013}", " \u{2014}"]
        .iter()
        .any(|mark| rest.starts_with(mark));
    let another = rest
        .strip_prefix('.')
        .is_some_and(|behind| behind.starts_with(|c: char| c.is_alphanumeric()));
    ((1..=3).contains(&count) && marked && !another).then(|| {
        let end = 1 + count;
        (
            &text[..end],
            text[end..].trim_start_matches(['.', ')', '-', '\u{2013}', '\u{2014}', ' ']),
        )
    })
}

/// A title without the number before it: `1. Title`, `Issue 2: Title`.
pub(super) fn unnumbered(title: &str) -> &str {
    let bare = title.trim_start_matches(['*', ' ']);
    let numbered = match bare.split_at_checked(5) {
        Some((word, rest)) if word.eq_ignore_ascii_case("issue") => {
            rest.trim_start_matches([' ', '#'])
        }
        _ => bare,
    };
    let digits = numbered.bytes().take_while(u8::is_ascii_digit).count();
    match numbered.get(digits..) {
        Some(rest) if digits > 0 && rest.starts_with(['.', ')', ':']) => {
            rest[1..].trim_start_matches(['*', ' '])
        }
        _ => bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_any_shape_lead() {
        let id = |text: &str| leading_id(text).map(|(id, _)| id.to_owned());
        for (text, expected) in [
            ("**ISSUE-R1-001**: x", "ISSUE-R1-001"),
            ("CRIT-003: x", "CRIT-003"),
            ("C-1: x", "C-1"),
            ("H2: x", "H2"),
            ("**H12**: x", "H12"),
            ("C1 - x", "C1"),
        ] {
            assert_eq!(id(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "H2O: x",
            "M3 bolts",
            "H2.1: x",
            "GAP-AA-001: x",
            "L",
            "H: x",
            "R2: x",
        ] {
            assert_eq!(id(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_before_titles_are_taken_off() {
        for title in [
            "1. No limit",
            "Issue 2: No limit",
            "**3) No limit",
            "No limit",
        ] {
            assert_eq!(
                unnumbered(title).trim_end_matches('*'),
                "No limit",
                "{title}"
            );
        }
        assert_eq!(unnumbered("3 retries"), "3 retries");
        assert_eq!(unnumbered("Issues remain"), "Issues remain");
    }
}
