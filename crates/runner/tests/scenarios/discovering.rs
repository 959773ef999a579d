//! Discovery: what the source declares, what the scan found and what the Analyst found become one inventory, which the user
//! may change before it begins.

use gapless_domain::gap::{GapState, Origin};
use gapless_domain::phase::End;
use gapless_domain::scan_finding::ScanFinding;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, on_source, shown};

const SOURCE: &str = "# Exports\n\n## Delivery\n\nThe service sends the file to the customer with a reasonable timeout.\n\n\
                      ## Retention\n\nFiles are kept for a number of days.\n\n## Known gaps\n\n\
                      - GAP-RET-001 [HIGH] (section: Retention): how many days files are kept\n";

fn found(rule: &str, topic: &str, severity: Severity, line: u32, description: &str) -> ScanFinding {
    ScanFinding {
        rule: rule.to_owned(),
        topics: vec![topic.to_owned()],
        category: "VAGUE".to_owned(),
        severity,
        description: description.to_owned(),
        section: Some("Delivery".to_owned()),
        line,
        is_mark: rule == "placeholder",
    }
}

fn timeout() -> ScanFinding {
    found(
        "vague-quantity",
        "timeout",
        Severity::Medium,
        5,
        "no number is given for the reasonable timeout of sending the file",
    )
}

const ANALYSIS: &str = "\
## Gap: GAP-DEL-001

**Severity:** HIGH
**Section:** 1. Delivery
**Blocked by:** GAP-DEL-002

Which number the reasonable timeout of sending the file has is not given.

## Gap: GAP-DEL-002

**Severity:** CRITICAL
**Section:** Delivery
**Blocked by:** GAP-DEL-001

Who may receive an export, and how a customer proves it, is left open.
";

fn with_analyst(found: Vec<ScanFinding>) -> Stage {
    on_source(SOURCE.to_owned(), found, |met| {
        met.agents.insert(Role::Analyst, "actor".to_owned());
    })
    .writes(Role::Analyst, 0, 0, ANALYSIS)
}

#[tokio::test(start_paused = true)]
async fn what_two_found_is_one_gap_with_both_origins() {
    let mut stage = with_analyst(vec![timeout()]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let gaps = &stage.state().now.gaps;
    let ids: Vec<String> = gaps.keys().map(ToString::to_string).collect();
    assert_eq!(ids, ["GAP-DEL-002", "GAP-RET-001", "GAP-VAGUE-001"]);
    let timeout = &gaps[&gap_id("GAP-VAGUE-001")];
    assert_eq!(
        timeout.severity,
        Severity::High,
        "of two findings the graver one counts"
    );
    let also: Vec<String> = timeout.also_said().collect();
    assert_eq!(
        also,
        [
            "Which number the reasonable timeout of sending the file has is not given. (section: 1. Delivery)"
        ]
    );
    assert!(matches!(
        &timeout.origins[..],
        [Origin::Scan { rule, line: 5, .. }, Origin::Analyst] if rule == "vague-quantity"
    ));
    let receiver = &gaps[&gap_id("GAP-DEL-002")];
    assert_eq!(
        receiver.blocked_by,
        [gap_id("GAP-VAGUE-001")].into(),
        "what the Analyst calls GAP-DEL-001 goes by another name here"
    );
    insta::assert_snapshot!(shown(&stage.pending("inventory")));
}

#[tokio::test(start_paused = true)]
async fn other_words_or_another_place_are_another_gap() {
    let elsewhere = ANALYSIS
        .replace("1. Delivery", "Retention")
        .replace("\n**Blocked by:** GAP-DEL-001", "");
    let mut stage = with_analyst(vec![timeout()]).writes(Role::Analyst, 0, 0, &elsewhere);
    stage.run_strictly().await;
    assert_eq!(stage.state().now.gaps.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_mark_that_the_scan_finds_where_a_gap_is_declared_is_that_gap() {
    let here = found(
        "placeholder",
        "retention",
        Severity::High,
        13,
        "`TBD` stands there",
    );
    let elsewhere = found(
        "placeholder",
        "retention",
        Severity::High,
        5,
        "`TBD` stands there",
    );
    let mut stage = on_source(SOURCE.to_owned(), vec![elsewhere, here], |_| {});
    stage.run_strictly().await;
    let gaps = &stage.state().now.gaps;
    assert_eq!(gaps.len(), 2);
    assert_eq!(gaps[&gap_id("GAP-RET-001")].origins.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_user_changes_the_inventory_before_it_begins() {
    let mut stage = with_analyst(vec![timeout()]).answer(
        "inventory",
        "change",
        &[
            ("drop", "GAP-VAGUE-001"),
            ("severities", "GAP-DEL-002=LOW, GAP-RET-001=CRITICAL"),
            (
                "add",
                "[HIGH] who is told when an export fails; how large a file may be",
            ),
            ("reason", "the gateway has its own timeout"),
        ],
    );
    stage.run_strictly().await;
    let now = &stage.state().now;
    assert_eq!(now.gaps[&gap_id("GAP-VAGUE-001")].state, GapState::WontFix);
    assert_eq!(now.gaps[&gap_id("GAP-DEL-002")].severity, Severity::Low);
    assert_eq!(now.gaps[&gap_id("GAP-USER-001")].severity, Severity::High);
    assert_eq!(now.gaps[&gap_id("GAP-USER-002")].severity, Severity::Medium);
    insta::assert_snapshot!(shown(&stage.pending("inventory")));
    let mut stage = stage.answer("inventory", "begin", &[]);
    let stopped = stage.run().await;
    assert_eq!(stopped, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.state().kept.initial_gaps,
        4,
        "what was dropped is no gap"
    );
}

#[tokio::test(start_paused = true)]
async fn a_change_that_does_not_fit_is_refused_and_changes_nothing() {
    let mut stage = with_analyst(vec![timeout()]);
    stage.run_strictly().await;
    let refused: [(&[(&str, &str)], &str); 6] = [
        (&[], "nothing is to be dropped"),
        (&[("drop", "GAP-NONE-001")], "GAP-NONE-001"),
        (&[("severities", "GAP-DEL-002")], "is not ID=SEVERITY"),
        (&[("severities", "GAP-DEL-002=LOUD")], "LOUD"),
        (&[("drop", "GAP-DEL-002")], "I accept CRITICAL gaps"),
        (
            &[("severities", "GAP-RET-001=LOW"), ("drop", "GAP-NONE-001")],
            "GAP-NONE-001",
        ),
    ];
    for (fields, words) in refused {
        stage.refuses("inventory", "change", fields, words);
    }
}
