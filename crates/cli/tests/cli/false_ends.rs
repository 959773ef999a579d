//! Sessions that nobody watches, with agents that would close what is open. The recorded documents go as far as the false end;
//! none of them ends as COMPLETE.

use crate::recording::{
    COLOURS, MEASURED, Round, SPEC, disagree, final_review, has_not_ended, is_settled, issue,
    items, no_issues, proposals, record, resolution, resolution_with_new_gaps, review, run,
    run_by_answers, run_by_policy, shown, waiting,
};
use crate::support::Project;

const ISSUE: &str = "ISSUE-R1-001";
const FADED: &str = "Nobody says how a faded lamp is told.";
const PUT_OFF: &str = "## Notes\n\nISSUE-R1-001: deferred to a later round.\n";

/// A first round with one issue on the colours.
fn objected(section: &str) -> Round {
    let faded = issue(ISSUE, FADED, "Compare it with a new one");
    let reviews = review("GAP-COL-001", section, &[faded]) + &no_issues("GAP-COL-002");
    (proposals(), reviews)
}

/// A second round in which the Engineer adds this to the same proposal and the Reviewer says nothing.
fn let_pass(added: &str) -> Round {
    let again = resolution("GAP-COL-001", COLOURS);
    (again + added, no_issues("GAP-COL-001"))
}

fn state_of(project: &Project, issue: &str) -> String {
    shown(project, "issues", issue, "state")
}

#[test]
fn an_issue_that_is_put_off_is_not_closed_by_silence() {
    for section in ["Critical Issues", "High Priority"] {
        let project = record(SPEC, &[objected(section), let_pass(PUT_OFF)]);
        has_not_ended(&project, &run_by_answers(&project, ""));
        assert_eq!(state_of(&project, ISSUE), "OPEN", "{section}");
        assert!(!is_settled(&project, "GAP-COL-001"), "{section}");
        assert!(is_settled(&project, "GAP-COL-002"), "{section}");
    }
}

#[test]
fn a_policy_has_an_issue_that_is_put_off_carried_out() {
    let rounds = [objected("Critical Issues"), let_pass(PUT_OFF)];
    let project = record(SPEC, &rounds);
    has_not_ended(&project, &run_by_policy(&project));
    // The policy made a conflict of it and decided for the Reviewer.
    assert_eq!(state_of(&project, ISSUE), "DECIDED");
    assert!(!is_settled(&project, "GAP-COL-001"));
}

#[test]
fn an_issue_that_is_only_mentioned_stays_open() {
    for (section, words) in [
        ("High Priority", "## Notes\n\nSee ISSUE-R1-001.\n"),
        ("High Priority", "## Notes\n\nISSUE-R1-001 was noted.\n"),
        ("Critical Issues", "## Notes\n\nSee ISSUE-R1-001.\n"),
    ] {
        let project = record(SPEC, &[objected(section), let_pass(words)]);
        has_not_ended(&project, &run_by_answers(&project, ""));
        assert_eq!(state_of(&project, ISSUE), "OPEN", "{section}: {words}");
        assert!(!is_settled(&project, "GAP-COL-001"), "{section}: {words}");
    }
}

#[test]
fn of_two_issues_under_one_id_the_one_that_is_not_answered_stays_open() {
    let faded = issue(ISSUE, FADED, "Compare it with a new one");
    let tolerance = issue(
        ISSUE,
        "The instrument has no tolerance.",
        "Give it in nanometres",
    );
    let reviews = review("GAP-COL-001", "Critical Issues", &[faded])
        + &review("GAP-COL-002", "Critical Issues", &[tolerance]);
    let compared = "A faded lamp is told by comparing it with a new one of the same colour.";
    let answered = resolution("GAP-COL-001", &format!("{COLOURS} {compared}"))
        + &resolution("GAP-COL-002", MEASURED)
        + &format!("## Response to ISSUE-R1-001\n\n{compared}\n");
    let silent = no_issues("GAP-COL-001") + &no_issues("GAP-COL-002");
    let project = record(SPEC, &[(proposals(), reviews), (answered, silent)]);
    has_not_ended(&project, &run_by_answers(&project, ""));
    assert_eq!(items(&project.json(&["issues"])).count(), 2);
    assert_eq!(state_of(&project, ISSUE), "CLOSED");
    assert_eq!(state_of(&project, "ISSUE-R1-002"), "OPEN");
    assert!(!is_settled(&project, "GAP-COL-002"));
}

#[test]
fn a_grave_disagreement_waits_for_a_person() {
    let block = disagree(ISSUE, FADED, "Lamps don't fade.", "The norm tests that.");
    let project = record(SPEC, &[objected("High Priority"), let_pass(&block)]);
    has_not_ended(&project, &run_by_policy(&project));
    assert_eq!(state_of(&project, ISSUE), "ANSWERED");
    assert_eq!(waiting(&project), ["conflict", "nothing_to_plan"]);
}

#[test]
fn a_response_that_disagrees_waits_for_a_person() {
    let response = "## Response to ISSUE-R1-001\n\n**Reviewer Concern:** Nobody says how a faded lamp is told.\n\
        **Engineer Position:** DISAGREE: lamps don't fade.\n**Rationale:** The norm tests that.\n\n\
        **Request:** Escalate to the user\n";
    let project = record(SPEC, &[objected("Critical Issues"), let_pass(response)]);
    has_not_ended(&project, &run_by_answers(&project, ""));
    assert_eq!(waiting(&project), ["conflict"]);
    assert!(!is_settled(&project, "GAP-COL-001"));
}

#[test]
fn a_new_gap_under_a_known_id_is_a_gap_of_its_own() {
    let spec = SPEC.replace(
        "GAP-COL-002 [HIGH] (section: Colour): who measures a lamp is not said",
        "GAP-COL-002 [LOW] (section: Colour): what happens when a lamp is dropped is not said",
    );
    let new = "- GAP-COL-002 [CRITICAL]: what happens when the mains voltage fails is not said";
    let engineer = resolution_with_new_gaps("GAP-COL-001", COLOURS, new)
        + &resolution(
            "GAP-COL-002",
            "A lamp that was dropped is measured once more.",
        );
    let reviews = no_issues("GAP-COL-001") + &no_issues("GAP-COL-002");
    let project = record(&spec, &[(engineer, reviews)]);
    has_not_ended(&project, &run_by_policy(&project));
    let gaps = project.json(&["gaps"]);
    let new = items(&gaps).find(|gap| gap["severity"] == "CRITICAL");
    let new = new.unwrap_or_else(|| panic!("{gaps}"));
    assert_ne!(new["id"], "GAP-COL-002");
    assert_eq!(new["aliases"][0]["name"], "GAP-COL-002");
    assert!(new["accepted_in"].is_null(), "{new}");
    assert_eq!(
        shown(&project, "gaps", "GAP-COL-002", "severity"),
        "LOW",
        "{gaps}"
    );
}

#[test]
fn what_an_analyst_finds_graver_is_graver_and_keeps_both_texts() {
    for declared in ["HIGH", "MEDIUM"] {
        let spec = SPEC.replace("GAP-COL-001 [HIGH]", &format!("GAP-COL-001 [{declared}]"));
        let project = record(&spec, &[]);
        let analysis = "## Gap: GAP-COL-001\n\n**Severity:** CRITICAL\n**Section:** Colour\n\n\
            The spec leaves open which colours a lamp may have.\n";
        project.write("recorded/round_000/analyst.md", analysis);
        run(&project, &[]).exits(3);
        assert_eq!(waiting(&project), ["inventory"]);
        let gaps = project.json(&["gaps"]);
        assert_eq!(items(&gaps).count(), 2, "{gaps}");
        let gap = items(&gaps).find(|gap| gap["id"] == "GAP-COL-001").unwrap();
        assert_eq!(gap["severity"], "CRITICAL", "{gap}");
        assert_eq!(
            gap["description"],
            "which colours a lamp may have is not said"
        );
        assert_eq!(
            gap["also"][0]["text"], "The spec leaves open which colours a lamp may have.",
            "{gap}"
        );
    }
}

#[test]
fn a_blocker_that_shares_common_words_with_a_waived_issue_counts() {
    let unsaid = issue(
        ISSUE,
        "What happens to a faded lamp is not said.",
        "Compare it with a new one",
    );
    let reviews = review("GAP-COL-001", "Critical Issues", &[unsaid]) + &no_issues("GAP-COL-002");
    let project = record(SPEC, &[(proposals(), reviews), let_pass("")]);
    let blocker = "- **ISSUE-R2-900**: GAP-COL-001 What happens to a lamp when its glass is broken is not said.";
    let not_ready = final_review("NOT_READY", blocker);
    project.write("recorded/round_002/final_review.md", &not_ready);
    let waive = "[[answer]]\nkind = \"implicit_disagreement\"\noption = \"waive\"\nfields.text = \"not for version 1\"\n";
    let said = run_by_answers(&project, waive);
    has_not_ended(&project, &said);
    assert_eq!(state_of(&project, ISSUE), "WAIVED");
    let issues = project.json(&["issues"]);
    let glass = items(&issues).find(|issue| issue["summary"].to_string().contains("glass"));
    assert_eq!(glass.unwrap()["state"], "OPEN", "{issues}");
    assert!(!is_settled(&project, "GAP-COL-001"));
}
