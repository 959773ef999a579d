//! Each heuristic on documents that earn its flag and on documents that don't.

use gapless_detection::disagreement::{Parameters, examine_pair, rolled_back};
use gapless_domain::flag::Heuristic;
use gapless_domain::gap::Confidence;

use crate::support::{PROPOSAL, REVIEW, flags, issue, pair, proposal, revised, session};

#[test]
fn h1_a_due_issue_that_nobody_answers() {
    let account = pair(&proposal("The van is green."));
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H1 r2"]);
    let flag = &issue(&account, "ISSUE-R1-001").flags[0];
    assert_eq!(
        (flag.confidence, flag.evidence.overlap),
        (Confidence::High, Some(0))
    );
    let round = &account.rounds[0];
    assert_eq!(round.due, ["ISSUE-R1-001", "ISSUE-R1-002"]);
}

#[test]
fn h1_not_where_the_gap_is_out_of_scope() {
    let other = "## Gap Resolution: GAP-SHIP-002\n\n**Confidence:** HIGH\n\nThe van is green.\n";
    let account = pair(other);
    assert!(!account.has_flags());
    assert_eq!(account.rounds[0].deferred, ["ISSUE-R1-001", "ISSUE-R1-002"]);
    let scope = ["GAP-SHIP-001".parse().unwrap()];
    let assigned = examine_pair(REVIEW, other, None, Some(&scope), &Parameters::default());
    assert_eq!(flags(&assigned, "ISSUE-R1-001"), ["H1 r2"]);
    // An output that binds nothing is looked at for all of them.
    assert!(pair("Thoughts about vans.\n").has_flags());
}

#[test]
fn h2_two_rollbacks_for_different_reasons() {
    let gap = "GAP-SHIP-001".parse().unwrap();
    let reasons = |texts: &[&str]| -> Vec<Vec<String>> {
        texts.iter().map(|text| vec![(*text).to_owned()]).collect()
    };
    let flag = rolled_back(&gap, &reasons(&["SCOPE_DRIFT", "MISSING_SECTIONS"]), 4).unwrap();
    assert_eq!(
        (flag.heuristic, flag.confidence),
        (Heuristic::H2, Confidence::Medium)
    );
    assert!(rolled_back(&gap, &reasons(&["SCOPE_DRIFT", "SCOPE_DRIFT"]), 4).is_none());
    assert!(rolled_back(&gap, &reasons(&["SCOPE_DRIFT"]), 4).is_none());
}

#[test]
fn h3_done_by_claim_only() {
    let account = revised(&proposal("ISSUE-R1-001 is resolved, the user approved."));
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H3 r2"]);
    let flag = &issue(&account, "ISSUE-R1-001").flags[0];
    assert_eq!(flag.confidence, Confidence::Medium);
    assert!(
        flag.evidence
            .quote
            .as_ref()
            .unwrap()
            .contains("the user approved")
    );
}

#[test]
fn h4_referenced_and_nothing_changed() {
    let said = "\n## Response to ISSUE-R1-001\n\nA cap of five mornings is in place, then a letter goes out.\n";
    let account = revised(&format!("{PROPOSAL}{said}"));
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H4 r2"]);
    let evidence = &issue(&account, "ISSUE-R1-001").flags[0].evidence;
    assert_eq!(evidence.rewritten, Some(0));
}

#[test]
fn h4_changed_in_something_else() {
    let said = "\n## Response to ISSUE-R1-001\n\nA cap of five mornings is in place, then a letter goes out.\n";
    let elsewhere = PROPOSAL.replace("| Tuesday | van |", "| Tuesday | van |\n| Sunday | boat |");
    let engineer = format!("{elsewhere}{said}");
    assert_eq!(flags(&revised(&engineer), "ISSUE-R1-001"), ["H4 r2"]);
    let unchecked = Parameters {
        enable_semantic_check: false,
        ..Parameters::default()
    };
    let account = examine_pair(REVIEW, &engineer, Some(PROPOSAL), None, &unchecked);
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
    let to_the_point = PROPOSAL.replace(
        "| Tuesday | van |",
        "| Tuesday | van, the upper bound of courier retries |",
    );
    let account = revised(&format!("{to_the_point}{said}"));
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
}

#[test]
fn h4_not_where_half_of_it_is_rewritten() {
    let said = "\n## Response to ISSUE-R1-001\n\nA cap of five mornings is in place, then a letter goes out.\n";
    let rewritten = proposal(
        "Everything is done by drones from now on, which need neither doors nor mornings.",
    );
    let account = revised(&format!("{rewritten}{said}"));
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
}

#[test]
fn h5_the_answer_attacks_and_offers_nothing() {
    let deflections = [
        "ISSUE-R1-001: the reviewer misunderstood how mornings and doors work.",
        "#### ISSUE-R1-001\n\nThis is not a real issue. Couriers know their doors.",
        "ISSUE-R1-001: the suggestion would break mornings and doors for everybody.",
    ];
    for text in deflections {
        let account = pair(&proposal(text));
        let found = flags(&account, "ISSUE-R1-001");
        assert!(found.contains(&"H5 r2".to_owned()), "{text}: {found:?}");
        assert_eq!(
            account.rounds[0].weighed.deflected,
            ["ISSUE-R1-001"],
            "{text}"
        );
    }
    let fair = [
        "ISSUE-R1-001: the suggestion would break Sundays; instead the cap is three mornings with a letter.",
        "ISSUE-R1-001 is capped at five mornings. ISSUE-R1-002 got its letter.\n\n#### Doors\n\nThat the reviewer misunderstood doors is history.",
    ];
    for text in fair {
        let found = flags(&pair(&proposal(text)), "ISSUE-R1-001");
        assert!(!found.contains(&"H5 r2".to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn h6_a_review_approves_over_its_own_high_issue() {
    let review = REVIEW.replace("NEEDS_REVISION", "APPROVED");
    let account = session(&[(PROPOSAL, &review)], None);
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H6 r1"]);
    assert_eq!(
        issue(&account, "ISSUE-R1-001").flags[0].confidence,
        Confidence::High
    );
    let account = session(&[(PROPOSAL, REVIEW)], None);
    assert!(!account.has_flags());
}

#[test]
fn h6_a_status_document_closes_the_gap() {
    let status = "# Status\n\n| ID | Description | State |\n|---|---|---|\n| GAP-SHIP-001 | shipping | RESOLVED |\n";
    let account = session(&[(PROPOSAL, REVIEW)], Some(status));
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H6 r1"]);
    for state in ["OPEN", "NEEDS_REVISION", "DEFERRED", "WONT_FIX"] {
        let status = status.replace("RESOLVED", state);
        let account = session(&[(PROPOSAL, REVIEW)], Some(&status));
        assert!(!account.has_flags(), "{state}");
    }
}
