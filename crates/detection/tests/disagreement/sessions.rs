//! Whole sessions: what is due when, what later documents take back, and who is meant by a name.

use gapless_detection::disagreement::{
    Escalation, Parameters, RoundTexts, SessionTexts, SettledBy, examine,
};
use gapless_domain::issue::IssueState;

use crate::support::{PROPOSAL, REVIEW, flags, issue, proposal, session, texts};

const OTHER: &str =
    "## Gap Resolution: GAP-SHIP-002\n\n**Confidence:** HIGH\n\nThe van is green.\n";
const FINE: &str = "## Review: GAP-SHIP-002\n\n**NO_ISSUES_FOUND**\n\nExamined: colours\n";
const ANSWERS: &str = "ISSUE-R1-001 is capped at five mornings with a letter.\n\nISSUE-R1-002 got its own column and a lookup.";

#[test]
fn an_issue_waits_while_its_gap_is_out_of_scope() {
    let answers = proposal(ANSWERS);
    let account = session(&[(PROPOSAL, REVIEW), (OTHER, FINE), (&answers, "")], None);
    assert!(!account.has_flags());
    let first = issue(&account, "ISSUE-R1-001");
    assert_eq!(
        (first.deferred.as_slice(), first.due.as_slice()),
        (&[2][..], &[3][..])
    );
    assert_eq!(first.state, IssueState::Answered);
}

#[test]
fn a_later_answer_takes_a_flag_back() {
    let (silent, answers) = (proposal("The van is green."), proposal(ANSWERS));
    let account = session(&[(PROPOSAL, REVIEW), (&silent, ""), (&answers, "")], None);
    assert!(!account.has_flags());
    let settled = &issue(&account, "ISSUE-R1-001").settled_flags[0];
    assert_eq!(
        (settled.flag.round, settled.settled_in, settled.by),
        (2, 3, SettledBy::Answer)
    );
    let account = session(&[(PROPOSAL, REVIEW), (&silent, "")], None);
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H1 r2"]);
}

#[test]
fn a_review_that_checks_an_issue_off_settles_it() {
    let silent = proposal("The van is green.");
    let checks = [
        "| Issue | Status |\n|---|---|\n| ISSUE-R1-001 (Partial bound) | RESOLVED |\n",
        "- [x] ISSUE-R1-001 is in\n",
        "- R1-001: bound is there - RESOLVED\n",
        "### ISSUE-R1-001: retries\n\n**Verdict:** RESOLVED. The cap is there.\n",
    ];
    for check in checks {
        let review = format!(
            "## Review: GAP-SHIP-001\n\n### Issue Verification\n\n{check}\n**Verdict:** APPROVED\n"
        );
        let account = session(&[(PROPOSAL, REVIEW), (&silent, &review)], None);
        assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0], "{check}");
        assert_eq!(
            issue(&account, "ISSUE-R1-001").state,
            IssueState::Closed,
            "{check}"
        );
        assert_eq!(
            flags(&account, "ISSUE-R1-002"),
            ["H1 r2", "H6 r2"],
            "{check}"
        );
    }
}

#[test]
fn a_review_that_says_it_stands_overrules_the_answer() {
    let answers = proposal(ANSWERS);
    let review = "## Review: GAP-SHIP-001\n\n### Issue Verification\n\n| Issue | Status |\n|---|---|\n| ISSUE-R1-001 | PARTIAL: no letter yet |\n| ISSUE-R1-002 | RESOLVED |\n\n**Verdict:** NEEDS_REVISION\n";
    let account = session(&[(PROPOSAL, REVIEW), (&answers, review)], None);
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H4 r2"]);
    assert_eq!(flags(&account, "ISSUE-R1-002"), [""; 0]);
    let again = session(&[(PROPOSAL, REVIEW), (&answers, REVIEW)], None);
    assert_eq!(issue(&again, "ISSUE-R1-001").state, IssueState::Open);
    assert_eq!(flags(&again, "ISSUE-R1-001"), ["H4 r2"]);
    assert_eq!(again.issues.len(), 2);
}

#[test]
fn an_issue_that_names_no_gap_is_about_the_whole_proposal() {
    let two = format!("{PROPOSAL}\n{OTHER}");
    let review =
        "# Review\n\n## Critical Issues\n\n### CRIT-001: Parcels vanish at night\n\nThey do.\n";
    let third = "## Gap Resolution: GAP-SHIP-003\n\n**Confidence:** LOW\n\nBoats.\n";
    let account = session(&[(&two, review), (third, ""), (OTHER, "")], None);
    assert_eq!(flags(&account, "CRIT-001"), ["H1 r3"]);
    assert_eq!(issue(&account, "CRIT-001").raised.id, "ISSUE-R1-001");
}

#[test]
fn a_name_means_the_newest_issue_that_has_it() {
    let review = |what: &str| {
        format!("# Review\n\n## Critical Issues\n\n### CRIT-001: {what}\n\nIt does.\n")
    };
    let (first, second) = (
        review("Parcels vanish at night"),
        review("Labels fade in sunlight"),
    );
    let silent = proposal("The van is green.");
    let answer = proposal("CRIT-001 is met with varnish and better ink.");
    let account = session(
        &[(PROPOSAL, &first), (&silent, &second), (&answer, "")],
        None,
    );
    let by_round = |round: u32| {
        account
            .issues
            .iter()
            .find(|issue| issue.raised.round == round)
            .unwrap()
    };
    assert_eq!(by_round(1).raised.aliases, ["CRIT-001"]);
    assert_eq!(by_round(1).state, IssueState::Open);
    assert_eq!(by_round(2).state, IssueState::Answered);
}

#[test]
fn the_same_concern_under_new_ids_is_systematic() {
    let review = |round: u32, summary: &str| {
        format!(
            "## Review: GAP-SHIP-001\n\n### High Priority\n\n- **ISSUE-R{round}-001**: {summary}\n\n**Verdict:** NEEDS_REVISION\n"
        )
    };
    let reviews = [
        review(1, "Courier retries have no upper bound"),
        review(2, "Still no upper bound of the courier's retries"),
        review(3, "Upper bound for courier retries"),
    ];
    let silent = proposal("The van is green.");
    let rounds = [
        (PROPOSAL, reviews[0].as_str()),
        (&silent, reviews[1].as_str()),
        (&silent, reviews[2].as_str()),
        (&silent, ""),
    ];
    let account = session(&rounds, None);
    assert_eq!(
        issue(&account, "ISSUE-R2-001").repeats.as_deref(),
        Some("ISSUE-R1-001")
    );
    let weighed = &account.rounds[2].weighed;
    assert_eq!(weighed.escalation, Some(Escalation::Systematic));
    assert_eq!(weighed.patterns[0].issues, ["ISSUE-R1-001", "ISSUE-R2-001"]);
    assert_eq!(
        account.rounds[1].weighed.escalation,
        Some(Escalation::Logged)
    );
}

#[test]
fn a_revision_in_the_same_round_answers_its_review() {
    let mut texts = texts(&[(PROPOSAL, REVIEW)], None);
    texts.rounds[0].engineer.push(proposal(ANSWERS));
    assert!(!examine(&texts, &Parameters::default()).has_flags());
    texts.rounds[0].engineer[1] = proposal("The van is green.");
    let account = examine(&texts, &Parameters::default());
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H1 r1"]);
}

#[test]
fn decisions_of_the_user_are_not_closed_over() {
    let status = "| ID | State |\n|---|---|\n| GAP-SHIP-001 | RESOLVED |\n";
    let mut texts = texts(&[(PROPOSAL, REVIEW)], Some(status));
    texts.decisions = Some("# Decisions\n\n### Round 1: ISSUE-R1-001\n\n**Decision:** five mornings\n\n### ISSUE-R1-002\n\n**Kind:** waiver\n\nWaived: no customs here.\n".to_owned());
    let account = examine(&texts, &Parameters::default());
    assert!(!account.has_flags());
    assert_eq!(issue(&account, "ISSUE-R1-001").state, IssueState::Decided);
    assert_eq!(issue(&account, "ISSUE-R1-002").state, IssueState::Waived);
}

#[test]
fn withdrawn_issues_and_skipped_roles_raise_no_flags() {
    let withdrawn = REVIEW.replace(
        "a parcel is collected forever",
        "on reflection this is a non-issue, withdrawn",
    );
    let silent = proposal("The van is green.");
    let account = session(&[(PROPOSAL, &withdrawn), (&silent, "")], None);
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
    assert_eq!(issue(&account, "ISSUE-R1-001").state, IssueState::Withdrawn);
    let skipped = session(&[(PROPOSAL, REVIEW), ("", "")], None);
    assert!(!skipped.has_flags());
}

#[test]
fn summaries_close_gaps_too() {
    let close = |summary: &str| {
        let texts = SessionTexts {
            rounds: vec![RoundTexts {
                round: 1,
                engineer: vec![PROPOSAL.to_owned()],
                reviewer: vec![REVIEW.to_owned()],
                summary: vec![summary.to_owned()],
            }],
            ..SessionTexts::default()
        };
        flags(&examine(&texts, &Parameters::default()), "ISSUE-R1-001")
    };
    for closing in [
        "### GAP-SHIP-001: Shipping\n\n- **Status:** APPROVED\n",
        "### GAP-SHIP-001: Shipping \u{2713}\n\nDone with it.\n",
        "**Gaps Resolved:**\n\n- GAP-SHIP-001: five vans\n",
    ] {
        assert_eq!(close(closing), ["H6 r1"], "{closing}");
    }
    for open in [
        "### GAP-SHIP-001: Shipping\n\n- **Status:** not approved\n",
        "**Remaining:**\n\n- GAP-SHIP-001: five vans\n",
        "```\nGAP-SHIP-001 RESOLVED\n```\n",
        "GAP-SHIP-002 is done, see GAP-SHIP-001.\n",
    ] {
        assert_eq!(close(open), [""; 0], "{open}");
    }
}
