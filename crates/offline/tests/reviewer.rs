//! Scenarios of the offline Reviewer and of the final review.

#![allow(clippy::unwrap_used)]

mod support;

use gapless_domain::assignment::{AssignedGap, AssignedProposal};
use gapless_domain::config::Strictness;
use gapless_domain::gap::GapState;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_offline::{engineer, final_review, reviewer};
use gapless_reading::read::{FinalVerdict, Reading, Verdict};
use support::{SPEC, assignment, checked, gap, input, issue, proposed, reviewer_reading, scanned};

fn defaulted(id: &str) -> AssignedGap {
    let mut gap = scanned(id, SPEC, "vague-quantity");
    gap.severity = Severity::High;
    let document = engineer(&assignment(Role::Engineer, vec![gap.clone()]));
    proposed(gap, &document)
}

fn written(id: &str, text: &str) -> AssignedGap {
    let document = format!(
        "## Gap Resolution: {id}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n#### Limits of a call\n\n{text}\n\n### Trade-offs\n\nNone.\n"
    );
    proposed(gap(id, "Limits are missing."), &document)
}

#[test]
fn a_default_is_an_issue_that_only_the_user_settles() {
    let assignment = assignment(Role::Reviewer, vec![defaulted("GAP-FAIL-001")]);
    let document = reviewer(&assignment);
    insta::assert_snapshot!(document);
    let reading = reviewer_reading(&assignment, &document);
    let [issue] = &reading.issues[..] else {
        panic!("{document}");
    };
    assert!(issue.concern.settled_by_user);
    assert_eq!(issue.concern.severity, Severity::High);
    assert_eq!(issue.written_id, "ISSUE-R2-004");
}

#[test]
fn issues_that_stand_keep_their_ids() {
    let mut gap = defaulted("GAP-FAIL-001");
    let mut to_confirm = issue(
        7,
        Severity::High,
        "Timeouts in Shipping is a default and nobody has confirmed it",
    );
    to_confirm.settled_by_user = true;
    gap.issues = vec![to_confirm, issue(8, Severity::High, "refunds are not said")];
    let assignment = assignment(Role::Reviewer, vec![gap, defaulted("GAP-FAIL-002")]);
    let reading = reviewer_reading(&assignment, &reviewer(&assignment));
    let raised: Vec<(&str, String)> = reading
        .issues
        .iter()
        .map(|issue| {
            (
                issue.written_id.as_str(),
                issue.gap.as_ref().unwrap().to_string(),
            )
        })
        .collect();
    // What somebody else found grave stands too: no rule can tell whether it is answered.
    assert_eq!(
        raised,
        [
            ("ISSUE-R1-007", "GAP-FAIL-001".to_owned()),
            ("ISSUE-R1-008", "GAP-FAIL-001".to_owned()),
            ("ISSUE-R2-004", "GAP-FAIL-002".to_owned()),
        ]
    );
}

#[test]
fn a_sound_proposal_has_no_issues() {
    let sound = written(
        "GAP-LIM-001",
        "A call ends after 4 seconds. When it fails, the order stays open.",
    );
    let assignment = assignment(Role::Reviewer, vec![sound]);
    let document = reviewer(&assignment);
    insta::assert_snapshot!(document);
    let reading = reviewer_reading(&assignment, &document);
    assert_eq!(reading.reviews[0].verdict, Some(Verdict::NoIssuesFound));
    assert_eq!(reading.reviews[0].examined, 3);
}

#[test]
fn what_the_scan_finds_in_a_proposal_is_an_issue() {
    let vague = written(
        "GAP-LIM-001",
        "The client waits a reasonable time. The colour of a late order is TBD.",
    );
    let assignment = assignment(Role::Reviewer, vec![vague]);
    let document = reviewer(&assignment);
    insta::assert_snapshot!(document);
    let reading = reviewer_reading(&assignment, &document);
    assert_eq!(reading.issues.len(), 2, "{document}");
    // Another round finds the same, under the same ids.
    let mut again = assignment.clone();
    again.gaps[0].issues = reading
        .issues
        .iter()
        .zip(1..)
        .map(|(raised, number)| issue(number, raised.concern.severity, &raised.concern.summary))
        .collect();
    let second = reviewer_reading(&again, &reviewer(&again));
    let ids: Vec<&str> = second
        .issues
        .iter()
        .map(|issue| issue.written_id.as_str())
        .collect();
    assert_eq!(ids, ["ISSUE-R1-001", "ISSUE-R1-002"]);
    // And once it is mended, nothing of it is left.
    let mended = written(
        "GAP-LIM-001",
        "The client waits 4 seconds. The colour of a late order is red.",
    );
    again.gaps[0].proposal = mended.proposal;
    assert!(
        reviewer_reading(&again, &reviewer(&again))
            .issues
            .is_empty()
    );
}

#[test]
fn a_proposal_that_leaves_out_what_the_user_decided_is_sent_back() {
    let mut assignment = assignment(
        Role::Reviewer,
        vec![written("GAP-LIM-001", "A call ends after 4 seconds.")],
    );
    assignment.decisions = vec![input(
        "GAP-LIM-001",
        "As ISSUE-R7-055 says, a call ends after 9 seconds.",
    )];
    let reading = reviewer_reading(&assignment, &reviewer(&assignment));
    let [issue] = &reading.issues[..] else {
        panic!("{:?}", reading.issues);
    };
    assert_eq!(issue.concern.severity, Severity::High);
    assert!(
        issue.concern.summary.ends_with("the proposal lacks 9"),
        "{}",
        issue.concern.summary
    );
}

#[test]
fn the_users_own_words_are_never_held_up_but_for_what_they_left_open() {
    let said = "The service calls the ledger and waits a reasonable time.";
    let mut first = assignment(
        Role::Engineer,
        vec![gap("GAP-LIM-001", "Limits are missing.")],
    );
    first.decisions = vec![input("GAP-LIM-001", said)];
    let document = engineer(&first);
    let mut second = assignment(
        Role::Reviewer,
        vec![proposed(
            gap("GAP-LIM-001", "Limits are missing."),
            &document,
        )],
    );
    second.decisions = first.decisions.clone();
    let reading = reviewer_reading(&second, &reviewer(&second));
    assert!(!reading.issues.is_empty());
    assert!(
        reading
            .issues
            .iter()
            .all(|issue| !issue.concern.severity.holds())
    );
}

#[test]
fn a_key_with_another_value_in_the_spec_or_beside_it_is_an_issue() {
    let mut assignment = assignment(
        Role::Reviewer,
        vec![
            written("GAP-LIM-001", "- `page_size`: 50 items\n"),
            written("GAP-LIM-002", "- `max_depth`: 4 levels\n"),
            written("GAP-LIM-003", "- `max_depth`: 8 levels\n"),
        ],
    );
    assignment.spec += "\n## Limits\n\n- `page_size`: 20 items\n";
    let reading = reviewer_reading(&assignment, &reviewer(&assignment));
    let said: Vec<String> = reading
        .issues
        .iter()
        .map(|issue| format!("{}: {}", issue.gap.as_ref().unwrap(), issue.concern.summary))
        .collect();
    assert_eq!(
        said,
        [
            "GAP-LIM-001: page size has more than one value: 20 items / 50 items",
            "GAP-LIM-002: max depth has more than one value: 4 levels / 8 levels",
            "GAP-LIM-003: max depth has more than one value: 4 levels / 8 levels",
        ]
    );
}

#[test]
fn words_of_a_proposal_take_no_issue_back() {
    let texts = [
        "The order is withdrawn within a reasonable time; that is a non-issue.",
        "The client waits TBD: RESOLVED",
        "The client waits TBD seconds [LOW] (withdrawn).",
    ];
    for text in texts {
        let assignment = assignment(Role::Reviewer, vec![written("GAP-LIM-001", text)]);
        let document = reviewer(&assignment);
        let reading = reviewer_reading(&assignment, &document);
        let stands = reading.issues.iter().any(|issue| {
            !issue.withdrawn && issue.gap.as_ref().unwrap().to_string() == "GAP-LIM-001"
        });
        assert!(stands, "{document}");
    }
}

fn verdict(assignment: &gapless_domain::assignment::Assignment) -> (FinalVerdict, usize) {
    let document = final_review(assignment);
    let checked = checked(assignment, &document, Strictness::Strict);
    match checked.reading {
        Some(Reading::FinalReviewer(reading)) => (reading.verdict.unwrap(), reading.blockers.len()),
        _ => panic!("{}\n{document}", checked.result.message),
    }
}

#[test]
fn a_session_with_everything_settled_is_ready() {
    let mut confirmed = defaulted("GAP-FAIL-001");
    confirmed.state = GapState::Resolved;
    let mut put_off = gap("GAP-LOW-001", "Colours are missing.");
    put_off.state = GapState::UserDeferred;
    let assignment = assignment(Role::FinalReviewer, vec![confirmed, put_off]);
    insta::assert_snapshot!(final_review(&assignment));
    assert_eq!(verdict(&assignment), (FinalVerdict::ReadyForTermination, 0));
}

#[test]
fn what_is_open_or_was_brought_in_open_blocks() {
    let mut open = assignment(
        Role::FinalReviewer,
        vec![gap("GAP-LOW-001", "Colours are missing.")],
    );
    open.gaps[0].state = GapState::NeedsRevision;
    assert_eq!(verdict(&open), (FinalVerdict::NotReady, 1));

    let mut part = written("GAP-LIM-001", "The page size is TBD.");
    part.state = GapState::Resolved;
    let mut brought_in = assignment(Role::FinalReviewer, vec![part]);
    brought_in.spec += "\n### Limits of a call\n\nThe page size is TBD.\n";
    assert_eq!(verdict(&brought_in), (FinalVerdict::NotReady, 1));
    // What the user said stays.
    brought_in.decisions = vec![input("GAP-LIM-001", "The page size is TBD.")];
    assert_eq!(verdict(&brought_in).0, FinalVerdict::ReadyForTermination);
    // So does what was there before.
    let mut before = assignment(Role::FinalReviewer, Vec::new());
    before.spec += "\n## Limits\n\nThe page size is TBD.\n";
    assert_eq!(verdict(&before).0, FinalVerdict::ReadyForTermination);
}

#[test]
fn a_gap_without_a_proposal_is_sent_back() {
    let mut gap = defaulted("GAP-FAIL-001");
    gap.proposal = None::<AssignedProposal>;
    let assignment = assignment(Role::Reviewer, vec![gap]);
    let reading = reviewer_reading(&assignment, &reviewer(&assignment));
    assert_eq!(reading.issues[0].concern.summary, "nothing is proposed");
}
