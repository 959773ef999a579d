//! Reviews with reasoning in them: nothing that was raised is lost with it.

use gapless_domain::task::Role;

use crate::support::{GAPS, addressed, reviewer, tolerant};

fn review(between: &str) -> String {
    let [first, second] = GAPS;
    format!(
        "## Review: {first}\n\n### Critical Issues\n\n- **ISSUE-R1-001**: The limit has no unit.\n\n{between}\n\n### High \
         Priority\n\n- **ISSUE-R1-002**: A second request at once is not spoken of.\n\n## Review: {second}\n\n**NO_ISSUES_FOUND**\n\n\
         Examined:\n\n- the unit\n"
    )
}

#[test]
fn an_issue_behind_a_tag_that_never_closes_is_raised() {
    let checked = tolerant(Role::Reviewer, &review("<think>\nWhat else is there?"));
    assert_eq!(addressed(&checked), GAPS);
    assert_eq!(reviewer(&checked).issues.len(), 2);
}

#[test]
fn an_issue_between_two_tags_that_others_speak_of_is_raised() {
    let text = review("  - **Location:** behind the line with\n  <think> in it").replace(
        "is not spoken of.",
        "is not spoken of.\n  - **Location:** behind the line with\n  </think> in it",
    );
    assert_eq!(reviewer(&tolerant(Role::Reviewer, &text)).issues.len(), 2);
}

#[test]
fn a_draft_of_a_review_before_it_and_in_it_is_taken_off() {
    let draft = format!(
        "<think>\n{}</think>\n\n{}",
        review(""),
        review("").replace("no unit", "no name")
    );
    let checked = tolerant(Role::Reviewer, &draft);
    assert_eq!(reviewer(&checked).issues.len(), 2);
    assert!(!checked.document.text.contains("no unit"));
    let between = review("<think>\nIs the limit one for each key? It says so.\n</think>");
    assert!(
        !tolerant(Role::Reviewer, &between)
            .document
            .text
            .contains("each key")
    );
}
