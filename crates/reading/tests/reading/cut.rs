//! Documents that were cut at a limit, at every place: the last section never counts.

use gapless_domain::config::Strictness;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_reading::read::Reading;
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, LAST_SECTION_LEFT_OUT, ValidationContext, validate_cut,
};

use crate::support::{GAPS, Known, addressed, engineer, gap, reviewer, warned};

fn cut(role: Role, text: &str) -> Checked {
    validate_cut(role, text, Strictness::Tolerant, &Known::assigned(&GAPS))
}

fn resolution(gap: &str, limit: u32) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nThe limit is {limit} per second, counted \
         for each key.\n\n### Examples\n\n```\n## Gap Resolution: GAP-FLOW-009\n```\n\n### Trade-offs\n\n- For: it is \
         simple.\n\n### New Gaps Introduced\n\nNone\n\n"
    )
}

fn review(gap: &str, issue: &str) -> String {
    format!(
        "## Review: {gap}\n\n### High Priority\n\n- **{issue}**: The limit has no unit.\n\n### Medium Priority\n\nNone found.\n\n"
    )
}

/// What is taken of a document that is cut at each place.
fn taken_at_each_place(role: Role, text: &str) -> Vec<(usize, Checked)> {
    let places = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    let checked = places.map(|at| (at, cut(role, &text[..at])));
    checked
        .filter(|(_, checked)| checked.result.success)
        .collect()
}

#[test]
fn the_last_section_of_a_proposal_never_binds() {
    let [first, second] = GAPS;
    let text = resolution(first, 10) + &resolution(second, 20);
    let begins = text.rfind("## Gap Resolution: GAP-FLOW-002").unwrap();
    let taken = taken_at_each_place(Role::Engineer, &text);
    assert!(!taken.is_empty());
    for (at, checked) in taken {
        assert!(at > begins, "{at}");
        assert_eq!(addressed(&checked), [first], "{at}");
        assert_eq!(checked.document.text, text[..begins], "{at}");
        let warning = &checked.result.warnings[0];
        assert_eq!(warning.code, LAST_SECTION_LEFT_OUT);
        assert!(
            warning
                .message
                .contains("`## Gap Resolution: GAP-FLOW-002`"),
            "{}",
            warning.message
        );
    }
}

#[test]
fn an_answer_that_was_cut_answers_nothing() {
    let response = "## Response to ISSUE-R1-001\n\nThe unit is requests.\n\n";
    let disagree = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** It has no unit.\n\n**Engineer Position:** It has.\n\n\
                    **Rationale:** See above.\n";
    for last in [response, disagree, "## Summary\n\nAll is done.\n"] {
        let text = resolution(GAPS[0], 10) + last;
        let checked = cut(Role::Engineer, &text);
        let reading = engineer(&checked);
        assert!(reading.responses.is_empty() && reading.disagreements.is_empty());
        assert_eq!(addressed(&checked), [GAPS[0]]);
        assert!(!checked.document.text.contains(last.trim()));
    }
    let text = resolution(GAPS[0], 10) + response + "## Summary\n";
    assert_eq!(engineer(&cut(Role::Engineer, &text)).responses.len(), 1);
}

#[test]
fn nothing_is_taken_where_it_may_go_on_behind_the_cut() {
    let [first, second] = GAPS;
    let (one, other) = (resolution(first, 10), resolution(second, 20));
    for text in [
        String::new(),
        one.clone(),
        // The same gap again, so that the first section may be a draft.
        format!("{one}{one}"),
        // A section in another form may be a part of the one before.
        format!("# GAP-FLOW-001 Resolution\n\nThe limit is 10.\n\n{other}"),
        // A fence that never closes has the rest in it.
        format!("## Gap Resolution: {first}\n\n```\ncode\n\n{other}"),
        format!("```markdown\n{one}{other}"),
        // Nobody knows whether the reasoning ended.
        format!("<think>\n{one}{other}"),
        // Only what is no gap of the task is whole.
        format!("## Summary\n\nAll.\n\n{one}"),
    ] {
        let checked = cut(Role::Engineer, &text);
        assert!(!checked.result.success, "{text}");
        assert!(checked.result.message.contains("was cut"), "{text}");
    }
    let verdict = "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Blocking Issues\n\nNone\n\n## Notes\n";
    assert!(!cut(Role::FinalReviewer, verdict).result.success);
}

#[test]
fn the_last_review_is_dropped_and_with_it_what_it_speaks_of() {
    let [first, second] = GAPS;
    let text = review(first, "ISSUE-R1-001") + &review(second, "ISSUE-R1-002");
    for (at, checked) in taken_at_each_place(Role::Reviewer, &text) {
        assert_eq!(addressed(&checked), [first], "{at}");
        assert_eq!(reviewer(&checked).issues.len(), 1, "{at}");
    }
    // The head approves of all, and what comes behind is not known.
    let approved = "Reviewed: GAP-FLOW-001, GAP-FLOW-002\n\n**Verdict:** APPROVED\n\n";
    let checked = cut(Role::Reviewer, &format!("{approved}{text}"));
    assert_eq!(addressed(&checked), [first]);
    // The last review may have raised something on the first gap.
    let crossing = text.clone() + "### Critical Issues\n\n- GAP-FLOW-001 contradic";
    assert!(!cut(Role::Reviewer, &crossing).result.success);
    // A review whose sections are headings of the same level is not over where one of them begins.
    let flat =
        "## Review: GAP-FLOW-001\n\n## Critical Issues\n\nNone found.\n\n## High Priority\n\n- ";
    assert!(!cut(Role::Reviewer, flat).result.success);
    let silent = "## Review: GAP-FLOW-001\n\n**NO_ISSUES_FOUND**\n\n## Consistency\n\nThe lim";
    assert!(!cut(Role::Reviewer, silent).result.success);
}

#[test]
fn the_last_gap_and_the_last_edited_section_are_left_out() {
    let gap =
        |id: &str| format!("## Gap: {id}\n\n**Severity:** HIGH\n\nThe limit is not said.\n\n");
    let text = gap("GAP-NEW-001") + &gap("GAP-NEW-002");
    let begins = text.rfind("## Gap").unwrap();
    for (at, checked) in taken_at_each_place(Role::Analyst, &text) {
        assert!(at > begins);
        assert_eq!(addressed(&checked), ["GAP-NEW-001"], "{at}");
        assert!(warned(&checked, LAST_SECTION_LEFT_OUT).is_some());
        assert!(matches!(checked.reading, Some(Reading::Analyst(_))));
    }
    assert!(
        !cut(
            Role::Analyst,
            "**NO_GAPS_FOUND**\n\n## Gap: GAP-NEW-001\n\nThe"
        )
        .result
        .success
    );
}

/// Knows that ISSUE-R1-001 is on the first gap.
struct Raised(Known);

impl ValidationContext for Raised {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        self.0.gap(gap)
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        self.0.issue(issue)
    }

    fn gaps_of(&self, issue: &IssueId) -> Vec<GapId> {
        match *issue == IssueId::new(1, 1) {
            true => vec![gap(GAPS[0])],
            false => Vec::new(),
        }
    }
}

#[test]
fn a_review_whose_issue_the_last_section_names_is_left_out_too() {
    let [first, second] = GAPS;
    let silent =
        format!("## Review: {first}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the unit\n\n");
    let context = Raised(Known::assigned(&GAPS));
    let cut = |issue: &str| {
        let text = silent.clone() + &review(second, issue);
        validate_cut(Role::Reviewer, &text, Strictness::Tolerant, &context)
    };
    assert_eq!(addressed(&cut("ISSUE-R2-001")), [first]);
    let raised_again = cut("ISSUE-R1-001");
    assert!(!raised_again.result.success, "{:?}", raised_again.result);
}
