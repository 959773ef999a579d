//! Names of other shapes than gap ids: `OQ-1`, `Q3`, `XCUT-NAV-001`.

use super::super::gap_line::bracketed;

/// A name of another shape than a gap id at the start of a text, and what stands behind it: `OQ-1`, `Q3`, `XCUT-NAV-001`.
pub(super) fn other_id(text: &str) -> Option<(&str, &str)> {
    let bare = text.trim_start_matches(['*', '`', '_', '[']);
    let opened = text.len() - bare.len();
    let length = bare
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))
        .unwrap_or(bare.len());
    let name = bare[..length].trim_end_matches(['-', '_', '.']);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_shaped = name.len() <= 32
        && name.len() - stem.len() <= 1
        && stem.starts_with(|c: char| c.is_ascii_uppercase())
        && stem.ends_with(|c: char| c.is_ascii_digit())
        && !stem.contains(|c: char| c.is_ascii_lowercase());
    if !is_shaped {
        return None;
    }
    let behind = &bare[name.len()..];
    let closed = behind.trim_start_matches(['*', '`', '_', ']']);
    let mut rest = closed.trim_start();
    while let Some((_, next)) = bracketed(rest, '[', ']').or_else(|| bracketed(rest, '(', ')')) {
        rest = next;
    }
    let is_alone = opened > 0 && closed.len() < behind.len();
    let is_bounded = rest.is_empty()
        || rest.starts_with([':', '–', '—', '|', '*', '~'])
        || rest.starts_with("- ")
        || rest.starts_with(". ")
        || rest.starts_with(") ");
    (is_alone || is_bounded).then_some((name, closed.trim_start_matches(['.', ')'])))
}

/// True for names that requirements, stories and tests go by.
pub(super) fn names_a_requirement(name: &str) -> bool {
    const REQUIREMENTS: [&str; 14] = [
        "FR", "NFR", "REQ", "R", "US", "UC", "AC", "SC", "TC", "BR", "NF", "RQ", "STORY", "T",
    ];
    let kind = name
        .split(|c: char| !c.is_ascii_uppercase())
        .next()
        .unwrap_or("");
    REQUIREMENTS.contains(&kind)
}

/// `How long are events kept?` and `OQ-1: retention`.
pub(super) fn is_question(title: &str) -> bool {
    asks(title) || other_id(title).is_some()
}

pub(super) fn asks(words: &str) -> bool {
    words
        .trim_end_matches(['*', '_', ' ', ')', '"', '”'])
        .ends_with(['?', '？'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_shapes_stand_alone_at_the_start() {
        for (text, name, rest) in [
            ("OQ-1: how?", "OQ-1", ": how?"),
            ("**OQ-001**", "OQ-001", ""),
            ("[Q3] how?", "Q3", " how?"),
            ("XCUT-NAV-001 [HIGH]: how?", "XCUT-NAV-001", " [HIGH]: how?"),
            ("Q3. How?", "Q3", " How?"),
            ("FR-012a – how?", "FR-012a", " – how?"),
        ] {
            assert_eq!(other_id(text), Some((name, rest)), "{text}");
        }
        for text in [
            "UTF-8 or UTF-16?",
            "HTTP2 (or 3)?",
            "How?",
            "x1: y",
            "2. a",
            "Mp3: y",
            "",
            "[ ] x",
        ] {
            assert_eq!(other_id(text), None, "{text}");
        }
    }
}
