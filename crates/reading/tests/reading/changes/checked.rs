//! What the checks say of spec changes, with a small spec that they are held against.

use std::cell::RefCell;

use super::{all_shown, bound, document, shown};
use crate::support::{ENGINEER, GAPS, Known, engineer, gap, warned};
use gapless_domain::config::Strictness;
use gapless_domain::failure::{Cause, FailureType, Warning};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_domain::{ChangeFault, ChangeText};
use gapless_reading::validate::{
    ChangeVerdict, Checked, GapAssignment, IssueAssignment, ProposedChanges, Shown,
    ValidationContext, explain, fix, salvage, validate, validate_cut,
};

/// Holds quoted passages against a text, and remembers what it was asked.
struct Spec {
    gaps: Known,
    text: &'static str,
    /// A passage that opened the first gap.
    opened_by: Option<&'static str>,
    shown: Vec<Shown>,
    asked: RefCell<Vec<Vec<ProposedChanges>>>,
}

impl Spec {
    fn of(text: &'static str) -> Self {
        Self {
            gaps: Known::assigned(&GAPS),
            text,
            opened_by: None,
            shown: Vec::new(),
            asked: RefCell::default(),
        }
    }

    fn validate(&self, text: &str) -> Checked {
        validate(Role::Engineer, Some(text), Strictness::Tolerant, self)
    }
}

fn fault(gap: &GapId, line: u32, what: &str) -> ChangeFault {
    ChangeFault {
        gap: gap.clone(),
        line,
        what: what.to_owned(),
        nearest: None,
    }
}

impl ValidationContext for Spec {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        self.gaps.gap(gap)
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        self.gaps.issue(issue)
    }

    fn shown(&self) -> Vec<Shown> {
        self.shown.clone()
    }

    fn spec_changes(&self, proposed: &[ProposedChanges]) -> ChangeVerdict {
        self.asked.borrow_mut().push(proposed.to_vec());
        let mut verdict = ChangeVerdict::default();
        for ProposedChanges { gap, changes, .. } in proposed {
            for change in changes {
                let what = match &change.old {
                    Some(old) if self.text.contains(old.as_str()) => continue,
                    Some(_) => "the passage that it quotes is not in the specification",
                    None if change.kind.quotes() => "it quotes no passage",
                    None if change.section.is_none() => "it names no section",
                    None => continue,
                };
                verdict.faults.push(fault(gap, change.line, what));
            }
            let goes = |change: &ChangeText, passage: &str| {
                change.kind.takes_away() && change.old.as_deref() == Some(passage)
            };
            if let Some(passage) = self.opened_by
                && !changes.is_empty()
                && !changes.iter().any(|change| goes(change, passage))
            {
                verdict
                    .standing
                    .push(fault(gap, 0, "`TBD: the cap` still stands"));
            }
            let message = format!("{gap} was looked at");
            verdict
                .warnings
                .push(Warning::new("LOOKED_AT", None, message));
        }
        verdict
    }
}

const SPEC: &str = "# Payouts\n\nMax: 10\n\nTBD: the cap\n";
const FINE: &str = "#### Replace in: Payouts\n```old\nMax: 10\n```\n```new\nMax: 50\n```";

#[test]
fn changes_that_can_be_made_are_valid() {
    let spec = Spec::of(SPEC);
    let checked = spec.validate(&document(FINE));
    assert!(checked.result.success);
    assert!(warned(&checked, "LOOKED_AT").is_some());
    let asked = spec.asked.borrow();
    assert_eq!(asked.len(), 1, "asked once");
    assert_eq!(asked[0].len(), 1);
    assert_eq!(asked[0][0].changes[0].new.as_deref(), Some("Max: 50"));
}

#[test]
fn gaps_without_changes_are_passed_on_too() {
    let spec = Spec::of(SPEC);
    let checked = spec.validate(ENGINEER);
    assert!(checked.result.success);
    let asked = spec.asked.borrow();
    let counts: Vec<usize> = asked[0].iter().map(|it| it.changes.len()).collect();
    assert_eq!(counts, [0, 0]);
}

#[test]
fn a_passage_that_is_not_there_is_a_mismatch() {
    let spec = Spec::of(SPEC);
    let text = document(&FINE.replace("Max: 10", "Max: 11"));
    let checked = spec.validate(&text);
    let result = &checked.result;
    assert_eq!(result.failure_type, Some(FailureType::SpecChangeMismatch));
    assert!(result.retriable && checked.reading.is_none());
    assert_eq!(result.facts.cause, None);
    assert_eq!(result.facts.changes.len(), 1);
    assert_eq!(result.facts.changes[0].gap, gap(GAPS[0]));
    let line = result.facts.changes[0].line;
    assert_eq!(
        result.message,
        format!(
            "the spec changes of GAP-FLOW-001 can't be made: the passage that it quotes is not in the specification (line \
             {line})"
        )
    );
    assert!(fix(Role::Engineer, result).is_some());
}

#[test]
fn a_passage_that_still_stands_is_a_mismatch_of_its_own() {
    let spec = Spec {
        opened_by: Some("TBD: the cap"),
        ..Spec::of(SPEC)
    };
    let result = spec.validate(&document(FINE)).result;
    assert_eq!(result.failure_type, Some(FailureType::SpecChangeMismatch));
    assert_eq!(result.facts.cause, Some(Cause::PassageStands));
    assert_eq!(result.facts.changes[0].what, "`TBD: the cap` still stands");
    let both = format!("{FINE}\n\n#### Remove from: Payouts\n```old\nTBD: the cap\n```");
    assert!(spec.validate(&document(&both)).result.success);
    // What is faulty is said first.
    let faulty = spec
        .validate(&document(&FINE.replace("Max: 10", "Max: 11")))
        .result;
    assert_eq!(faulty.facts.cause, None);
}

#[test]
fn malformed_changes_are_not_left_out_in_silence() {
    for (changes, what) in [
        ("#### Replace in: Payouts", "it quotes no passage"),
        (
            "#### Replace in: Payouts\n```new\nb\n```",
            "it quotes no passage",
        ),
        ("#### Remove from: Payouts\n", "it quotes no passage"),
        (
            "#### Add to section:\n```new\nb\n```",
            "it names no section",
        ),
        (
            "#### Foo bar\n```new\nb\n```",
            "`#### Foo bar` names no kind of change; write one of `#### Replace in: …`, \
          `#### Add after passage in: …`, `#### Add to section: …`, `#### New section: …`, `#### Remove from: …`",
        ),
        ("#### Foo bar", "`#### Foo bar` names no kind"),
        ("```new\nb\n```", "names no kind of change"),
        (
            "The cap goes up to 50.",
            "`The cap goes up to 50.` names no kind",
        ),
    ] {
        let result = Spec::of(SPEC).validate(&document(changes)).result;
        assert_eq!(
            result.failure_type,
            Some(FailureType::SpecChangeMismatch),
            "{changes}"
        );
        let said = &result.facts.changes[0];
        assert!(said.what.contains(what), "{changes}: {}", said.what);
        assert_eq!(said.gap, gap(GAPS[0]));
    }
}

#[test]
fn other_failures_come_first() {
    let faulty = document(&FINE.replace("Max: 10", "Max: 11"));
    let unknown =
        format!("{faulty}\n## Gap Resolution: GAP-ZZ-001\n\n**Confidence:** LOW\n\ntext\n");
    let result = Spec::of(SPEC).validate(&unknown).result;
    assert_eq!(result.failure_type, Some(FailureType::InconsistentRefs));
    let elsewhere = faulty.replace("GAP-FLOW-001", "GAP-ZZ-001");
    let result = Spec::of(SPEC).validate(&elsewhere).result;
    assert_eq!(result.failure_type, Some(FailureType::InconsistentRefs));
}

#[test]
fn a_fence_that_ends_with_the_document_is_not_taken() {
    let text = document("");
    let (before, _) = text.split_once("### Trade-offs").unwrap();
    let cut = format!("{before}{}", FINE.trim_end_matches("\n```"));
    let result = Spec::of(SPEC).validate(&cut).result;
    assert_eq!(result.failure_type, Some(FailureType::SpecChangeMismatch));
    assert!(
        result.message.contains("never closes"),
        "{}",
        result.message
    );
}

#[test]
fn a_document_that_was_cut_in_a_change_keeps_the_gaps_before_it() {
    let first = document(FINE);
    let second = document(FINE).replace("GAP-FLOW-001", "GAP-FLOW-002");
    let end = second.find("Max: 50").unwrap();
    let text = format!("{first}\n{}", &second[..end]);
    let spec = Spec::of(SPEC);
    let checked = validate_cut(Role::Engineer, &text, Strictness::Tolerant, &spec);
    assert!(checked.result.success, "{:?}", checked.result);
    assert_eq!(checked.result.gaps_addressed, [gap(GAPS[0])]);
    assert_eq!(
        all_shown(&checked),
        ["replace [Payouts] Max: 10 => Max: 50"]
    );
    let alone = validate_cut(Role::Engineer, &second[..end], Strictness::Tolerant, &spec);
    assert!(!alone.result.success);
}

#[test]
fn what_is_salvaged_has_no_faulty_changes() {
    let first = document(FINE);
    let second =
        document(&FINE.replace("Max: 10", "Max: 11")).replace("GAP-FLOW-001", "GAP-FLOW-002");
    let text = format!("{first}\n{second}");
    let spec = Spec {
        opened_by: Some("TBD: the cap"),
        ..Spec::of(SPEC)
    };
    assert!(!spec.validate(&text).result.success);
    let left = salvage(Role::Engineer, &text, &spec).unwrap();
    let gaps = &engineer(&left).gaps;
    assert_eq!(gaps.len(), 2);
    assert_eq!(gaps[0].changes.len(), 1);
    assert!(gaps[1].changes.is_empty() && gaps[1].change_parts.is_empty());
    assert!(!left.document.text.contains("Max: 11"));
    assert!(
        gaps[1]
            .solution_in(&left.document.text)
            .contains("split over")
    );
    assert!(warned(&left, "LEFT_OUT").is_some());
}

#[test]
fn what_was_copied_from_the_prompt_changes_nothing() {
    let form = "#### Replace in: <title of the section>\n```old\n<the passage, as it is>\n```\n```new\n<what it becomes>\n```";
    let example = document(
        "#### New section: Open payouts\n```new\nA seller has at most 10 open payouts.\n```",
    );
    let spec = Spec {
        shown: vec![Shown::Form(form.to_owned()), Shown::Example(example)],
        ..Spec::of(SPEC)
    };
    let copied = format!(
        "{form}\n\n#### New section: Open payouts\n```new\nA seller has at most 10 open payouts.\n```\n\n{FINE}"
    );
    let own = document(&copied).replace("A payout above the cap", "Whatever is above the cap");
    let checked = spec.validate(&own);
    assert_eq!(
        all_shown(&checked),
        ["replace [Payouts] Max: 10 => Max: 50"]
    );
    assert!(warned(&checked, "ECHO_REMOVED").is_some());
    let only = spec.validate(&document(form).replace("A payout above", "Whatever is above"));
    assert!(only.result.success && bound(&only).changes.is_empty());
}

#[test]
fn of_very_many_changes_only_some_are_taken() {
    let checked = Spec::of(SPEC).validate(&document(&[FINE; 50].join("\n\n")));
    assert_eq!(bound(&checked).changes.len(), 40);
    assert!(warned(&checked, "TOO_MANY").is_some());
}

#[test]
fn an_explanation_lists_each_change() {
    let text = document(&format!(
        "{FINE}\n\n- **Remove** from \"Errors\":\n  ```old\n  d\n  ```\n\n#### Foo bar"
    ));
    let checked = Spec::of(SPEC).validate(&text);
    let explained: Vec<String> = explain(Role::Engineer, &checked, Strictness::Tolerant)
        .into_iter()
        .filter(|it| it.line > 8)
        .map(|it| format!("{}: {} ({})", it.line, it.title, it.role))
        .collect();
    assert_eq!(
        explained,
        [
            "9: Spec Changes (spec changes)",
            "11: Replace in: Payouts (change: replace in Payouts)",
            "19: - **Remove** from \"Errors\": (change: remove from Errors)",
            "24: Foo bar (unclear change)",
            "26: Trade-offs (trade-offs)",
            "30: New Gaps Introduced (new gaps)",
        ]
    );
}

#[test]
fn changes_in_no_gaps_section_are_said() {
    let text =
        format!("{ENGINEER}\n## Response to ISSUE-R1-001\n\nDone.\n\n### Spec Changes\n\n{FINE}\n");
    let checked = Spec::of(SPEC).validate(&text);
    assert!(checked.result.success);
    assert!(warned(&checked, "SECTION_NOT_BOUND").is_some());
    assert!(
        engineer(&checked)
            .gaps
            .iter()
            .all(|it| it.changes.is_empty())
    );
}

#[test]
fn a_reading_survives_its_record() {
    let checked = Spec::of(SPEC).validate(&document(FINE));
    let reading = engineer(&checked);
    let json = serde_json::to_string(reading).unwrap();
    let again: gapless_reading::read::EngineerReading = serde_json::from_str(&json).unwrap();
    assert_eq!(&again, reading);
    assert_eq!(
        shown(&again.gaps[0].changes[0]),
        "replace [Payouts] Max: 10 => Max: 50"
    );
}
