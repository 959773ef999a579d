//! The list of the built-in templates.

/// The built-in templates by name. A workspace overrides one with `.gapless/prompts/<name>.md`.
pub const TEMPLATES: [(&str, &str); 23] = [
    ("analyst", include_str!("../../prompts/analyst.md")),
    ("answering", include_str!("../../prompts/answering.md")),
    ("engineer", include_str!("../../prompts/engineer.md")),
    ("reviewer", include_str!("../../prompts/reviewer.md")),
    ("editor", include_str!("../../prompts/editor.md")),
    (
        "final_review",
        include_str!("../../prompts/final_review.md"),
    ),
    ("example", include_str!("../../prompts/example.md")),
    ("ask_again", include_str!("../../prompts/ask_again.md")),
    ("press", include_str!("../../prompts/press.md")),
    ("retry", include_str!("../../prompts/retry.md")),
    ("shortened", include_str!("../../prompts/shortened.md")),
    (
        "retry/file_missing",
        include_str!("../../prompts/retry/file_missing.md"),
    ),
    (
        "retry/empty_output",
        include_str!("../../prompts/retry/empty_output.md"),
    ),
    (
        "retry/wrong_format",
        include_str!("../../prompts/retry/wrong_format.md"),
    ),
    (
        "retry/no_gaps_addressed",
        include_str!("../../prompts/retry/no_gaps_addressed.md"),
    ),
    (
        "retry/inconsistent_refs",
        include_str!("../../prompts/retry/inconsistent_refs.md"),
    ),
    (
        "retry/invalid_disagree_ref",
        include_str!("../../prompts/retry/invalid_disagree_ref.md"),
    ),
    (
        "retry/malformed_disagree",
        include_str!("../../prompts/retry/malformed_disagree.md"),
    ),
    (
        "retry/re_argued_conflict",
        include_str!("../../prompts/retry/re_argued_conflict.md"),
    ),
    (
        "retry/uncertainty",
        include_str!("../../prompts/retry/uncertainty.md"),
    ),
    (
        "retry/unclear_assignment",
        include_str!("../../prompts/retry/unclear_assignment.md"),
    ),
    (
        "retry/spec_change_mismatch",
        include_str!("../../prompts/retry/spec_change_mismatch.md"),
    ),
    (
        "retry/passage_stands",
        include_str!("../../prompts/retry/passage_stands.md"),
    ),
];
