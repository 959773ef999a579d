//! The canonical form of spec changes, in both modes.

use super::{all_shown, bound, document, read};
use crate::support::{engineer, strict, tolerant, warned};
use gapless_domain::task::Role;

pub const CANONICAL: &str = "\
#### Replace in: Payouts
```old
Max per seller per day: 10,000 EUR
```
```new
Max per seller per day: 50,000 EUR. A payout above it is split over the next days.
```

#### Add after passage in: Retries
```old
A failed payout is retried.
```
```new
It is retried 3 times, after 1, 5 and 30 minutes.
```

#### Add to section: Errors
```new
- `cap_exceeded` (409): the payout would pass the daily cap.
```

#### New section: Limits
After: Errors
```new
A seller has at most 10 open payouts.
```

#### Remove from: Open questions
```old
- TBD: the daily cap
```";

pub const READ: [&str; 5] = [
    "replace [Payouts] Max per seller per day: 10,000 EUR => Max per seller per day: 50,000 EUR. A payout above it is \
     split over the next days.",
    "add_after [Retries] A failed payout is retried. => It is retried 3 times, after 1, 5 and 30 minutes.",
    "add_to_section [Errors] - => - `cap_exceeded` (409): the payout would pass the daily cap.",
    "new_section [Limits after Errors] - => A seller has at most 10 open payouts.",
    "remove [Open questions] - TBD: the daily cap => -",
];

#[test]
fn the_canonical_form_is_read_in_both_modes() {
    let text = document(CANONICAL);
    for checked in [
        tolerant(Role::Engineer, &text),
        strict(Role::Engineer, &text),
    ] {
        assert_eq!(all_shown(&checked), READ);
        assert!(bound(&checked).unclear_changes.is_empty());
        assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
        let lines: Vec<u32> = bound(&checked).changes.iter().map(|it| it.line).collect();
        let at = |change: &str| {
            let before = text.split(change).next().unwrap();
            u32::try_from(before.matches('\n').count() + 1).unwrap()
        };
        assert_eq!(lines[0], at("#### Replace"));
        assert_eq!(lines[4], at("#### Remove"));
    }
}

#[test]
fn the_rest_of_the_section_is_as_without_changes() {
    let text = document(CANONICAL);
    let checked = tolerant(Role::Engineer, &text);
    let gap = bound(&checked);
    assert!(gap.has_trade_offs);
    assert_eq!(gap.new_gaps.len(), 1);
    let solution = gap.solution_in(&text);
    for new in [
        "50,000 EUR",
        "3 times",
        "`cap_exceeded` (409)",
        "10 open payouts",
    ] {
        assert!(solution.contains(new), "{new} is in: {solution}");
    }
    for other in [
        "10,000 EUR",
        "#### ",
        "TBD",
        "```",
        "After: Errors",
        "Trade-offs",
        "### Spec",
    ] {
        assert!(!solution.contains(other), "{other} is in: {solution}");
    }
}

#[test]
fn titles_lose_their_marks_and_keep_their_words() {
    for (written, title) in [
        ("`Payouts`", "Payouts"),
        ("\"Payouts\"", "Payouts"),
        ("“Payouts”", "Payouts"),
        ("**Payouts**", "Payouts"),
        ("## Payouts", "Payouts"),
        ("`## Payouts`", "Payouts"),
        ("3.2 Payouts", "3.2 Payouts"),
        ("Limits > Payouts", "Limits > Payouts"),
        ("Payouts: the cap", "Payouts: the cap"),
        ("The Text", "The Text"),
        ("Section", "Section"),
        ("GAP-FLOW-002 Resolution", "GAP-FLOW-002 Resolution"),
    ] {
        let changes = format!("#### Replace in: {written}\n```old\na\n```\n```new\nb\n```");
        let checked = read(&changes);
        let expected = format!("replace [{title}] a => b");
        assert_eq!(all_shown(&checked), [expected], "{written}");
        assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None, "{written}");
    }
}

#[test]
fn text_with_code_stands_in_a_longer_fence() {
    let changes = "#### Replace in: Format\n````old\nAs JSON:\n\n```json\n{\"a\": 1}\n```\n````\n~~~new\nAs YAML:\n\n```yaml\na: \
                   1\n```\n\n#### Replace in: Nothing\n~~~";
    for checked in [read(changes), strict(Role::Engineer, &document(changes))] {
        assert_eq!(
            all_shown(&checked),
            [
                "replace [Format] As JSON:\n\n```json\n{\"a\": 1}\n``` => As YAML:\n\n```yaml\na: 1\n```\n\n#### Replace in: Nothing"
            ]
        );
        assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
    }
}

#[test]
fn indentation_and_tables_stay_and_line_ends_are_one() {
    let changes = "#### Replace in: Limits\n```old\n| a | b |\n|---|---|\n  | 1 | 2 |\n\n    code\n```\n```new\n\tx\n```";
    let expected = "replace [Limits] | a | b |\n|---|---|\n  | 1 | 2 |\n\n    code => \tx";
    assert_eq!(all_shown(&read(changes)), [expected]);
    let text = document(changes).replace('\n', "\r\n");
    for checked in [
        tolerant(Role::Engineer, &text),
        strict(Role::Engineer, &text),
    ] {
        assert_eq!(all_shown(&checked), [expected]);
        assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
    }
}

#[test]
fn a_part_without_changes_says_so() {
    for none in [
        "None",
        "None.",
        "No changes.",
        "- None",
        "*None.*",
        "No spec changes are needed: it says so already.",
        "N/A",
        "",
        "<!-- none -->",
    ] {
        let checked = read(none);
        assert!(bound(&checked).changes.is_empty(), "{none}");
        assert!(bound(&checked).unclear_changes.is_empty(), "{none}");
        assert_eq!(bound(&checked).change_parts.len(), 1, "{none}");
        assert!(bound(&checked).has_trade_offs, "{none}");
    }
}

#[test]
fn a_part_without_changes_may_name_the_gap_that_settles_it() {
    for (none, with) in [
        ("None: GAP-FLOW-002", Some("GAP-FLOW-002")),
        (
            "**None:** GAP-FLOW-002, whose change says it.",
            Some("GAP-FLOW-002"),
        ),
        (
            "- No changes: those for GAP-FLOW-002 settle it.",
            Some("GAP-FLOW-002"),
        ),
        ("None: GAP-FLOW-001", None),
        ("None.\n\nGAP-FLOW-002 is another matter.", None),
        ("None", None),
    ] {
        let checked = read(none);
        let with = with.map(|id| id.parse().unwrap());
        assert_eq!(bound(&checked).settled_with, with, "{none}");
        assert!(bound(&checked).unclear_changes.is_empty(), "{none}");
    }
    let change = "#### Remove from: Errors\n\n```old\nIt fails.\n```\n\nNone for GAP-FLOW-002.\n";
    assert_eq!(bound(&read(change)).settled_with, None);
}

#[test]
fn what_stands_in_fences_and_comments_binds_nothing() {
    let changes = "#### Replace in: Resolution of GAP-FLOW-002\n````old\n## Gap Resolution: GAP-FLOW-002\n\n### Spec Changes\n\n\
                   BLOCKED_NEEDS_INPUT: GAP-FLOW-001\n````\n````new\n## Response to ISSUE-R1-001\n\n### Trade-offs\n````\n\n\
                   <!--\n#### Remove from: Errors\n```old\nx\n```\n-->";
    let checked = read(changes);
    let reading = engineer(&checked);
    assert_eq!(reading.gaps.len(), 1);
    assert!(reading.responses.is_empty() && reading.blocked.is_empty());
    assert_eq!(bound(&checked).changes.len(), 1);
    assert!(bound(&checked).has_trade_offs);
}

#[test]
fn a_change_heading_ends_no_section_at_any_level() {
    let changes = "## Replace in: Resolution of GAP-FLOW-002\n```old\na\n```\n```new\nb\n```\n\n### Add to section: \
                   Trade-offs\n```new\nc\n```";
    let checked = read(changes);
    assert_eq!(
        all_shown(&checked),
        [
            "replace [Resolution of GAP-FLOW-002] a => b",
            "add_to_section [Trade-offs] - => c"
        ]
    );
    assert_eq!(engineer(&checked).gaps.len(), 1);
    assert_eq!(bound(&checked).new_gaps.len(), 1);
    assert!(warned(&checked, "NONCANONICAL_FORM").is_some());
}

#[test]
fn strict_reading_takes_the_canonical_form_only() {
    let changes = "#### Replace in: Payouts\n```text\na\n```\n```text\nb\n```";
    let checked = strict(Role::Engineer, &document(changes));
    assert_eq!(all_shown(&checked), ["replace [Payouts] - => -"]);
    let tolerant = read(changes);
    assert_eq!(all_shown(&tolerant), ["replace [Payouts] a => b"]);
    let bold = strict(
        Role::Engineer,
        &document("**Replace in: Payouts**\n```old\na\n```\n```new\nb\n```"),
    );
    assert!(!bold.result.success, "it is not left out in silence");
}

#[test]
fn a_note_beside_a_canonical_change_is_no_other_form() {
    let changes = "The cap is raised:\n\n#### Replace in: Payouts\n\nThe old cap was a guess.\n```old\na\n```\n\n```new\nb\n```";
    let checked = read(changes);
    assert_eq!(all_shown(&checked), ["replace [Payouts] a => b"]);
    assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
}
