//! The words that readers know: what prompts ask for, and what agents write instead, as data.

use std::sync::LazyLock;

use gapless_domain::Severity;
use gapless_domain::words::phrases;

/// Words that stand for something still to be written.
pub const PLACEHOLDER_WORDS: [&str; 5] = ["TBD", "TODO", "TBC", "FIXME", "XXX"];

/// Words that, beside a gap's id in a heading, say that the heading's section resolves it.
pub const RESOLVING_WORDS: [&str; 8] = [
    "resolution",
    "resolutions",
    "revision",
    "revised",
    "proposal",
    "proposed",
    "solution",
    "resolved",
];

/// Words that, beside a gap's id in a heading, say that the heading's section reviews it.
pub const REVIEWING_WORDS: [&str; 5] =
    ["review", "assessment", "verdict", "evaluation", "findings"];

/// First words of headings that belong to the round and to no gap.
pub const ROUND_LEVEL_WORDS: [&str; 7] = [
    "summary",
    "appendix",
    "response",
    "responses",
    "disagree",
    "disagreement",
    "disagreements",
];

/// Fields of a document's head that name what it is about.
pub static SCOPE_FIELDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/scope_fields.txt")).collect());

/// First words of a heading or a bare line that open a severity section.
pub const SEVERITY_WORDS: [(&str, Severity); 8] = [
    ("critical", Severity::Critical),
    ("blocker", Severity::Critical),
    ("high", Severity::High),
    ("major", Severity::High),
    ("medium", Severity::Medium),
    ("low", Severity::Low),
    ("minor", Severity::Low),
    ("nits", Severity::Low),
];

/// What may stand beside a severity word in a severity section's heading.
pub const SEVERITY_COMPANIONS: [&str; 14] = [
    "issue", "issues", "priority", "severity", "problem", "problems", "nit", "nits", "finding",
    "findings", "concern", "concerns", "non", "blocking",
];

/// `**Settled by:** the user`: no proposal answers such an issue.
pub const SETTLED_BY_FIELD: &str = "settled by";

/// Words that alone in brackets, in bold or as a field's value take an issue back: `(withdrawn)`.
pub const WITHDRAWN_WORDS: [&str; 3] = ["withdrawn", "retracted", "non-issue"];

/// Phrases with which an issue's own text takes it back.
pub static WITHDRAWING_PHRASES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/withdrawing.txt")).collect());

/// Phrases with which an Engineer says of an issue that it disagrees.
pub static DISAGREEING_PHRASES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/disagreeing.txt")).collect());

/// True for the title of a part that lists new gaps: `New Gaps Introduced`, `Newly identified gaps`.
pub fn is_new_gaps_title(title: &str) -> bool {
    let lower = title.trim_start_matches(['*', ' ']).to_ascii_lowercase();
    let begins = ["new gap", "newly ", "additional gap"];
    let names = lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "gap" || word == "gaps");
    names && begins.iter().any(|start| lower.starts_with(start))
}

/// Whether a list of words has this one, whatever its case.
pub fn has_word(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The words of a title, without marks.
pub fn words_of(title: &str) -> impl Iterator<Item = &str> {
    title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

fn severity_of_word(word: &str) -> Option<Severity> {
    let mut known = SEVERITY_WORDS.iter();
    let known = known.find(|(known, _)| known.eq_ignore_ascii_case(word));
    known.map(|(_, severity)| *severity)
}

/// The severity that a heading or a bare line opens a section for.
pub fn severity_of_title(title: &str) -> Option<Severity> {
    let mut words = words_of(title);
    let severity = severity_of_word(words.next()?)?;
    // `High-level design` is no severity section: all that may follow is what such a heading says.
    let fits = words.take(4).all(|word| {
        has_word(&SEVERITY_COMPANIONS, word)
            || word.parse::<u32>().is_ok()
            || severity_of_word(word).is_some()
            || word.eq_ignore_ascii_case("and")
    });
    fits.then_some(severity)
}

/// Severity in brackets or parentheses, or as the first word: `[HIGH]`, `(LOW)`, `HIGH (was MEDIUM)`.
pub fn severity_tag(text: &str) -> Option<Severity> {
    let mut rest = text;
    while let Some(at) = rest.find(['[', '(']) {
        let inner = &rest[at + 1..];
        let end = inner.find([']', ')'])?;
        let words: Vec<&str> = words_of(&inner[..end]).collect();
        let severity = match words.as_slice() {
            [word] | [word, _] | [_, word] if word.parse::<Severity>().is_ok() => word.parse().ok(),
            _ => None,
        };
        if severity.is_some() {
            return severity;
        }
        rest = &inner[end..];
    }
    None
}

/// The severity that a field's value begins with.
pub fn severity_at_start(value: &str) -> Option<Severity> {
    let word = words_of(value).next()?;
    word.parse().ok().or_else(|| severity_of_word(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_titles_are_told_from_other_headings() {
        for (title, severity) in [
            ("Critical Issues", Some(Severity::Critical)),
            ("HIGH Priority", Some(Severity::High)),
            ("Low Priority / Nits", Some(Severity::Low)),
            ("Minor Issues (Non-Blocking)", Some(Severity::Low)),
            ("MEDIUM", Some(Severity::Medium)),
            ("High-level design", None),
            ("CRITICAL Gap Warning", None),
            ("Minor Observations (Not Issues)", None),
        ] {
            assert_eq!(severity_of_title(title), severity, "{title}");
        }
    }

    #[test]
    fn severity_tags_are_read_in_brackets() {
        for (text, severity) in [
            ("ISSUE-R8-001 (LOW): x", Some(Severity::Low)),
            ("[HIGH] x", Some(Severity::High)),
            (
                "about (something) and (MEDIUM severity)",
                Some(Severity::Medium),
            ),
            ("no tag (at all", None),
        ] {
            assert_eq!(severity_tag(text), severity, "{text}");
        }
    }
}
