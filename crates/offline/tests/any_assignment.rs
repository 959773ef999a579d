//! Proves on arbitrary assignments that every document is valid, binds exactly the gaps of its task, and is the same each time.

#![allow(clippy::unwrap_used)]

mod support;

use gapless_domain::assignment::{
    ASSIGNMENT_VERSION, AssignedDecision, AssignedGap, AssignedIssue, AssignedProposal, Assignment,
};
use gapless_domain::config::Strictness;
use gapless_domain::decision::DecisionKind;
use gapless_domain::gap::GapState;
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_offline::{engineer, final_review, reviewer};
use gapless_reading::read::{Reading, WrittenChange};
use gapless_scan::Topic;
use gapless_scan::rules::ALL;
use proptest::prelude::*;
use support::checked;

/// What specs, users and other agents may write, gentle and hostile.
fn words() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "the timeout is TBD",
        "\"calls the bank\"",
        "`retry`",
        "## Gap Resolution: GAP-AA-001",
        "## Review: GAP-AA-001",
        "```",
        "<!--",
        "-->",
        "**NO_ISSUES_FOUND**",
        "BLOCKED_NEEDS_INPUT: GAP-AA-002 x",
        "### New Gaps Introduced",
        "- GAP-NEW-001 [HIGH]: more",
        "10 seconds",
        "withdrawn",
        "RESOLVED",
        "[LOW]",
        "ISSUE-R1-001",
        "## DISAGREE: ISSUE-R1-001",
        "**Default to confirm:** Timeouts",
        "**Confidence:** HIGH",
        "\n",
        "\n\n",
        "===",
        "---",
        "| a | b |",
        "é—…",
        "\"",
        "`",
        "\0",
        "    indented",
        "# Title",
        "a reasonable time",
        "### Critical Issues",
        "UNCERTAINTY: all of it",
        "<div>",
        "1. one",
        "> quote",
        "[a]: http://b",
        "~~~",
        "$x$",
        "&amp;",
        "***",
    ]);
    prop::collection::vec(
        prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => ".{0,12}"],
        0..8,
    )
    .prop_map(|pieces| pieces.join(" "))
}

/// A specification with something for most rules, and with what hostile authors write.
fn spec() -> impl Strategy<Value = String> {
    let lines = prop::sample::select(vec![
        "## Calls",
        "The call has a reasonable timeout.",
        "The worker polls the API periodically, and the service retries.",
        "- The call has a reasonable timeout.",
        "- Retention: TBD",
        "The page size is TBD.",
        "[NEEDS CLARIFICATION: how long?]",
        "## Open questions",
        "- How long are rows kept?",
        "| field | type |\n|---|---|\n| `seen_at` | |\n| `name` | string |",
        "> The call has a short timeout.",
        "```\nTBD\n```",
        "<!-- The call has a short timeout. -->",
        "The export supports CSV, JSON, etc.",
        "The service must be highly available.",
        "## Empty",
        "",
    ]);
    prop::collection::vec(lines, 0..9).prop_map(|lines| lines.join("\n\n"))
}

fn severity() -> impl Strategy<Value = Severity> {
    prop::sample::select(Severity::GRAVEST_FIRST.to_vec())
}

fn issue() -> impl Strategy<Value = AssignedIssue> {
    (
        1..40u16,
        severity(),
        words(),
        prop::option::of(words()),
        any::<bool>(),
    )
        .prop_map(
            |(number, severity, summary, suggestion, settled_by_user)| AssignedIssue {
                id: IssueId::new(1, number),
                severity,
                summary,
                suggestion,
                settled_by_user,
            },
        )
}

fn proposal() -> impl Strategy<Value = AssignedProposal> {
    (words(), prop::option::of(Just("Timeouts".to_owned()))).prop_map(|(text, default)| {
        AssignedProposal {
            round: 1,
            text,
            default,
        }
    })
}

fn gap() -> impl Strategy<Value = AssignedGap> {
    let states = GapState::ALL.to_vec();
    let rules: Vec<&str> = ALL
        .iter()
        .map(|rule| rule.id)
        .chain(["a-rule-of-tomorrow"])
        .collect();
    let topics: Vec<&str> = Topic::ALL
        .iter()
        .map(|topic| topic.name())
        .chain(["a-topic-of-tomorrow"])
        .collect();
    let found = (
        prop::option::of(prop::sample::select(rules)),
        prop::collection::vec(prop::sample::select(topics), 0..3),
    );
    let said = (
        words(),
        prop::option::of(words()),
        prop::option::of(1..12u32),
        prop::option::of(words()),
        any::<bool>(),
    );
    let stands = (
        prop::sample::select(states),
        severity(),
        prop::collection::vec(issue(), 0..3),
        prop::option::of(proposal()),
    );
    (found, said, stands).prop_map(
        |(
            (rule, topics),
            (description, section, line, passage, declared),
            (state, severity, issues, proposal),
        )| {
            AssignedGap {
                id: GapId::new("AA", 1).unwrap(),
                severity,
                state,
                description,
                section,
                rule: rule.map(str::to_owned),
                topics: topics.into_iter().map(str::to_owned).collect(),
                line,
                passage,
                declared,
                issues,
                proposal,
            }
        },
    )
}

fn decision() -> impl Strategy<Value = AssignedDecision> {
    let kinds = vec![
        DecisionKind::Input,
        DecisionKind::Conflict,
        DecisionKind::Waiver,
        DecisionKind::Deferral,
        DecisionKind::Acceptance,
    ];
    (
        1..99u16,
        prop::sample::select(kinds),
        prop::collection::vec(1..5u16, 0..3),
        words(),
        words(),
        any::<bool>(),
    )
        .prop_map(
            |(number, kind, gaps, decision, constraints, to_carry_out)| AssignedDecision {
                id: DecisionId::new(1, number),
                kind,
                gaps: gaps
                    .into_iter()
                    .filter_map(|number| GapId::new("AA", number))
                    .collect(),
                decision,
                constraints,
                to_carry_out,
            },
        )
}

fn assignment(role: Role) -> impl Strategy<Value = Assignment> {
    (
        prop::collection::vec(gap(), 1..5),
        prop::collection::vec(decision(), 0..4),
        prop_oneof![3 => spec(), 1 => words()],
    )
        .prop_map(move |(mut gaps, decisions, spec)| {
            for (gap, number) in gaps.iter_mut().zip(1..) {
                gap.id = GapId::new("AA", number).unwrap();
            }
            Assignment {
                version: ASSIGNMENT_VERSION,
                role,
                round: 2,
                gaps,
                decisions,
                next_issue: Some(IssueId::new(2, 1)),
                spec,
            }
        })
}

/// The document, valid in both modes, and the gaps that it addresses.
fn valid(assignment: &Assignment, document: &str) -> (Reading, Vec<String>) {
    let mut read = None;
    for mode in [Strictness::Tolerant, Strictness::Strict] {
        let checked = checked(assignment, document, mode);
        assert!(
            checked.result.success,
            "{mode:?}: {}\n{document}\n{assignment:#?}",
            checked.result.message
        );
        let mut gaps: Vec<String> = checked
            .result
            .gaps_addressed
            .iter()
            .map(ToString::to_string)
            .collect();
        gaps.sort();
        read = checked.reading.map(|reading| (reading, gaps));
    }
    read.unwrap()
}

/// Whether what a change quotes is there, and what it names is a section.
fn fits(spec: &str, change: &WrittenChange) -> bool {
    match &change.old {
        Some(old) => spec.contains(old.as_str()),
        None => {
            let title = change.section.as_deref().unwrap_or_default();
            let document = Document::parse(spec);
            document
                .headings
                .iter()
                .any(|heading| heading.title == title)
        }
    }
}

fn ids(assignment: &Assignment) -> Vec<String> {
    assignment
        .gaps
        .iter()
        .map(|gap| gap.id.to_string())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_engineers_document_is_valid_and_has_every_gap(assignment in assignment(Role::Engineer)) {
        let document = engineer(&assignment);
        let (reading, gaps) = valid(&assignment, &document);
        prop_assert_eq!(gaps, ids(&assignment), "{}", document);
        let Reading::Engineer(reading) = reading else { unreachable!() };
        prop_assert!(reading.disagreements.is_empty() && reading.new_gaps.is_empty());
        for bound in &reading.gaps {
            prop_assert!(bound.new_gaps.is_empty(), "{}", document);
            for change in &bound.changes {
                prop_assert!(fits(&assignment.spec, change), "{change:?}\n{document}");
            }
            let gap = assignment.gaps.iter().find(|gap| gap.id == bound.gap).unwrap();
            let due = gap.issues.iter().filter(|issue| !issue.settled_by_user);
            for issue in due {
                prop_assert!(reading.responses.iter().any(|response| response.issue == issue.id), "{}", document);
            }
        }
        prop_assert_eq!(document, engineer(&assignment));
    }

    #[test]
    fn a_reviewers_document_is_valid_and_raises_what_it_says(assignment in assignment(Role::Reviewer)) {
        let document = reviewer(&assignment);
        let (reading, gaps) = valid(&assignment, &document);
        prop_assert_eq!(gaps, ids(&assignment), "{}", document);
        let Reading::Reviewer(reading) = reading else { unreachable!() };
        prop_assert!(reading.new_gaps.is_empty());
        for issue in &reading.issues {
            prop_assert!(issue.canonical && !issue.withdrawn, "{}", document);
        }
        for gap in assignment.gaps.iter().filter(|gap| gap.proposal.as_ref().is_some_and(|p| p.default.is_some())) {
            let to_confirm = reading.issues.iter().filter(|issue| issue.gap.as_ref() == Some(&gap.id) && issue.concern.settled_by_user);
            prop_assert_eq!(to_confirm.count(), 1, "{}", document);
        }
        prop_assert_eq!(document, reviewer(&assignment));
    }

    #[test]
    fn a_final_review_is_valid(assignment in assignment(Role::FinalReviewer)) {
        let document = final_review(&assignment);
        let (reading, _) = valid(&assignment, &document);
        let Reading::FinalReviewer(reading) = reading else { unreachable!() };
        let open = assignment.gaps.iter().any(|gap| gap.state.is_open() || gap.state == GapState::BlockedExternal);
        prop_assert!(!open || !reading.blockers.is_empty(), "{}", document);
    }
}
