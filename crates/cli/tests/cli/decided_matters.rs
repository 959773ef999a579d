//! What the user decided, and what the user was asked, against agents that go on without the user: the recorded documents go as
//! far as an end that would be false.

use crate::recording::{
    COLOURS, Round, SPEC, answer, disagree, has_not_ended, is_settled, issue, items, no_issues,
    proposals, record, refined, resolution, review, run_by_answers, shown, waiting,
};
use crate::support::Project;

const GAP: &str = "GAP-COL-001";
const FADED: &str = "Nobody says how a faded lamp is told.";
const REVIEWERS: &str = "Compare every lamp with a sealed reference lamp once a year.";
const ENGINEERS: &str = "The owner replaces a faded lamp by eye.";
const WAVELENGTHS: &str =
    "Red is 620 to 630 nanometres, green 520 to 530 and blue 465 to 475 nanometres of wavelength.";

fn faded(id: &str) -> String {
    issue(id, FADED, REVIEWERS)
}

fn wavelengths() -> String {
    let summary = "The wavelength of each colour is not given.";
    issue("ISSUE-R1-002", summary, "Give it in nanometres")
}

/// Two rounds: the Engineer disagrees with what is said of faded lamps, the Reviewer holds on to it, and another issue keeps the gap
/// open.
fn quarrel() -> Vec<Round> {
    let both = || {
        review(
            GAP,
            "High Priority",
            &[faded("ISSUE-R1-001"), wavelengths()],
        )
    };
    let block = disagree(
        "ISSUE-R1-001",
        FADED,
        ENGINEERS,
        "The works never see a lamp again.",
    );
    vec![
        (proposals(), both() + &no_issues("GAP-COL-002")),
        (resolution(GAP, COLOURS) + &block, both()),
    ]
}

/// A proposal that gives the wavelengths, and says this besides.
fn with_wavelengths(besides: &str) -> String {
    let solution = format!("{COLOURS} {WAVELENGTHS} {besides}");
    let response = format!("## Response to ISSUE-R1-002\n\nGiven now: {WAVELENGTHS}\n\n");
    resolution(GAP, solution.trim_end()) + &response
}

fn decide(option: &str) -> String {
    let divergence = "[[answer]]\nkind = \"divergence\"\noption = \"accept\"\n";
    format!("[[answer]]\nkind = \"conflict\"\noption = \"{option}\"\n\n{divergence}")
}

fn issue_state(project: &Project) -> String {
    shown(project, "issues", "ISSUE-R1-001", "state")
}

#[test]
fn a_decided_matter_under_a_new_id_opens_nothing_and_the_user_is_asked() {
    let mut rounds = quarrel();
    let again = review(GAP, "High Priority", &[faded("ISSUE-R3-001")]);
    rounds.push((with_wavelengths(""), again));
    rounds.push((with_wavelengths(REVIEWERS), no_issues(GAP)));
    let project = record(SPEC, &rounds);
    let said = run_by_answers(&project, &decide("B"));
    has_not_ended(&project, &said);
    assert_eq!(waiting(&project), ["decided_matter"]);
    let status = project.json(&["status"]);
    assert_eq!(status["round"], 3, "{status}");
    assert_eq!(issue_state(&project), "DECIDED");
    let issues = project.json(&["issues"]);
    assert_eq!(items(&issues).count(), 2, "{issues}");
    assert!(!refined(&project).contains("sealed reference lamp"));

    answer(&project, "decided_matter", "keep");
    project.gapless(&["resume"]).exits(0);
    let status = project.json(&["status"]);
    assert_eq!(status["termination"]["type"], "COMPLETE", "{status}");
    assert_eq!(issue_state(&project), "DECIDED");
    assert!(!refined(&project).contains("sealed reference lamp"));
}

/// What the user decides, the position that this turns down, and the one that it chooses.
const DECISIONS: [(&str, &str, &str); 2] =
    [("B", REVIEWERS, ENGINEERS), ("A", ENGINEERS, REVIEWERS)];

/// A run in which the proposal after the decision takes up what was turned down; the one after that says what was chosen.
fn taken_up(option: &str, rejected: &str, chosen: &str) -> Project {
    let mut rounds = quarrel();
    rounds.push((with_wavelengths(rejected), no_issues(GAP)));
    rounds.push((with_wavelengths(chosen), no_issues(GAP)));
    let project = record(SPEC, &rounds);
    let said = run_by_answers(&project, &decide(option));
    has_not_ended(&project, &said);
    project
}

#[test]
fn a_proposal_that_takes_up_a_rejected_position_is_not_accepted() {
    for (option, rejected, chosen) in DECISIONS {
        let project = taken_up(option, rejected, chosen);
        let kinds = waiting(&project);
        assert_eq!(kinds, ["contradiction", "nothing_to_plan"], "{option}");
        assert!(!is_settled(&project, GAP), "{option}");
        let spec = refined(&project);
        assert!(!spec.contains(rejected), "{option}: {spec}");
    }
}

#[test]
fn a_decision_that_the_user_upholds_is_carried_out_in_the_next_round() {
    for (option, rejected, chosen) in DECISIONS {
        let project = taken_up(option, rejected, chosen);
        answer(&project, "contradiction", "revise");
        project.gapless(&["resume"]).exits(0);
        let status = project.json(&["status"]);
        assert_eq!(status["termination"]["type"], "COMPLETE", "{status}");
        let spec = refined(&project);
        assert!(spec.contains(chosen) && !spec.contains(rejected), "{spec}");
    }
}

#[test]
fn a_question_on_what_was_passed_over_waits_for_the_user() {
    let critical = review(GAP, "Critical Issues", &[faded("ISSUE-R1-001")]);
    let compared = format!("{COLOURS} {REVIEWERS} A faded lamp is told by that.");
    let response =
        format!("## Response to ISSUE-R1-001\n\nThe solution has it now: {REVIEWERS}\n\n");
    let rounds = [
        (proposals(), critical.clone() + &no_issues("GAP-COL-002")),
        (resolution(GAP, COLOURS), critical),
        (resolution(GAP, &compared) + &response, no_issues(GAP)),
    ];
    let project = record(SPEC, &rounds);
    let said = run_by_answers(&project, "");
    has_not_ended(&project, &said);
    assert_eq!(waiting(&project), ["implicit_disagreement"]);
    assert_eq!(issue_state(&project), "CLOSED");

    answer(&project, "implicit_disagreement", "settled");
    project.gapless(&["resume"]).exits(0);
    let status = project.json(&["status"]);
    assert_eq!(status["termination"]["type"], "COMPLETE", "{status}");
}
