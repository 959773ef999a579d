//! Owns the options that each kind of question can have. Which of them one offers is said where it is asked.

use super::{About, Question};

impl About {
    /// Every option of every kind.
    pub const OPTIONS: [(&'static str, &'static [&'static str]); 24] = [
        ("inventory", &["begin", "change", "pause", "abandon"]),
        ("blocked_gap", &["input", "defer", "another", "go_on"]),
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
}

impl Question {
    /// True where every option is one of its kind's.
    pub fn has_known_options(&self) -> bool {
        let of_kind = About::OPTIONS
            .iter()
            .find(|(kind, _)| *kind == self.about.kind());
        let known = of_kind.map_or(&[][..], |(_, options)| *options);
        self.options
            .iter()
            .all(|choice| known.contains(&choice.label.as_str()))
    }
}
