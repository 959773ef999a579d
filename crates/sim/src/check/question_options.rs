//! The checkers' own table of questions and their options.

/// The options of every kind of question.
pub const OPTIONS: [(&str, &[&str]); 24] = [
    ("inventory", &["begin", "change", "pause", "abandon"]),
    (
        "blocked_gap",
        &["input", "defer", "another", "go_on", "unanswered"],
    ),
    (
        "escalation",
        &[
            "skip",
            "reassign",
            "context",
            "narrow",
            "best",
            "roll_back",
            "pause",
        ],
    ),
    (
        "both_empty",
        &[
            "retry", "human", "defer", "close", "go_on", "pause", "abandon",
        ],
    ),
    ("agent_cannot_run", &["again", "another", "pause"]),
    (
        "broken_agent",
        &["again", "another", "go_on", "stop", "pause"],
    ),
    ("conflict", &["A", "B", "C", "D"]),
    ("lesser_conflicts", &["A", "B", "each"]),
    ("decided_matter", &["keep", "change"]),
    ("contradiction", &["revise", "fits", "change"]),
    ("defaults", &["confirm", "own", "defer", "close"]),
    (
        "implicit_disagreement",
        &[
            "settled",
            "again",
            "convert",
            "waive",
            "clarify",
            "false_positive",
        ],
    ),
    (
        "systematic_concern",
        &["approach", "specify", "close", "disagree", "false_positive"],
    ),
    (
        "rate_limit",
        &["accept", "revise", "review", "scope", "pause"],
    ),
    ("severity", &["keep", "raise"]),
    (
        "divergence",
        &[
            "narrow",
            "accept",
            "prioritise",
            "roll_back",
            "pause",
            "force_complete",
            "abandon",
        ],
    ),
    (
        "nothing_to_plan",
        &[
            "resume", "input", "unblock", "close", "stop", "pause", "abandon",
        ],
    ),
    (
        "round_limit",
        &["extend", "accept", "pause", "abandon", "forced_stop"],
    ),
    (
        "rollback",
        &["retry", "narrow", "context", "skip", "cancel"],
    ),
    (
        "root_cause",
        &["split", "context", "reassign", "force", "retry", "pause"],
    ),
    ("rollback_limit", &["pause", "accept", "abandon", "go_on"]),
    (
        "undone_decisions",
        &["leave", "all", "some", "edit", "pause"],
    ),
    ("archives", &["keep", "delete", "recent", "cold"]),
    ("stop", &["accept", "continue", "pause", "abandon"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gapless_domain::About;

    use super::*;

    #[test]
    fn the_table_has_every_kind() {
        let listed: BTreeSet<&str> = OPTIONS.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(listed, BTreeSet::from(About::KINDS));
        for (kind, options) in About::options() {
            let own = OPTIONS.iter().find(|(name, _)| *name == kind);
            let own = own.map(|(_, options)| BTreeSet::from_iter(*options));
            assert_eq!(own, Some(BTreeSet::from_iter(&options)), "{kind}");
        }
    }

    #[test]
    fn docs_questions_has_one_row_for_each_kind_with_all_its_options() {
        let page = include_str!("../../../../docs/questions.md");
        for (kind, options) in OPTIONS {
            let start = format!("| `{kind}` |");
            let row = page.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("docs/questions.md has no row for {kind}"));
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 8, "{row}");
            let words: BTreeSet<&str> = cells[5]
                .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .collect();
            for option in options {
                assert!(
                    words.contains(option),
                    "docs/questions.md, {kind}: {option}"
                );
            }
        }
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        assert_eq!(rows.count(), OPTIONS.len());
    }
}
