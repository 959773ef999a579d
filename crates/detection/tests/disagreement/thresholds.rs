//! What flags come to.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_detection::disagreement::{Counted, Escalation, Judged, Parameters, Weighed, weigh};
use gapless_domain::flag::Heuristic;
use gapless_domain::ids::GapId;
use gapless_domain::severity::Severity;

static GAP: LazyLock<GapId> = LazyLock::new(|| "GAP-SHIP-001".parse().unwrap());

type Named = Counted<'static, &'static str>;

fn flag(issue: &'static str, severity: Severity, round: u32, heuristic: Heuristic) -> Named {
    Counted {
        issue,
        gap: Some(&GAP),
        summary: match issue {
            "alpha" => "what alpha is about",
            "beta" => "what beta is about",
            other => other,
        },
        severity,
        round,
        heuristic,
    }
}

fn weighed(flags: &[Named], round: u32) -> Weighed<&'static str> {
    weigh(round, flags, &BTreeSet::new(), &Parameters::default())
}

#[test]
fn flags_are_counted_by_issue_and_round() {
    use Heuristic::{H1, H4};
    use Severity::{Critical, High};
    let cases = [
        (vec![], None),
        (vec![flag("alpha", High, 2, H1)], Some(Escalation::Logged)),
        // Two flags on one issue are one pair.
        (
            vec![flag("alpha", High, 2, H1), flag("alpha", High, 2, H4)],
            Some(Escalation::Logged),
        ),
        (
            vec![flag("alpha", High, 2, H1), flag("beta", High, 2, H4)],
            Some(Escalation::UserWarned),
        ),
        (
            vec![flag("alpha", Critical, 2, H1)],
            Some(Escalation::UserWarned),
        ),
        (
            vec![
                flag("alpha", Critical, 2, H1),
                flag("beta", Critical, 2, H1),
            ],
            Some(Escalation::RoundBlocked),
        ),
        // Those of another round are not this one's.
        (
            vec![
                flag("alpha", Critical, 1, H1),
                flag("beta", Critical, 2, H1),
            ],
            Some(Escalation::UserWarned),
        ),
        (
            vec![flag("alpha", High, 1, H1), flag("alpha", High, 2, H1)],
            Some(Escalation::Logged),
        ),
    ];
    for (flags, expected) in cases {
        assert_eq!(weighed(&flags, 2).escalation, expected, "{flags:?}");
    }
}

#[test]
fn three_times_the_same_is_systematic() {
    let mut flags: Vec<Named> = (1..=3)
        .map(|round| flag("alpha", Severity::High, round, Heuristic::H1))
        .collect();
    assert_eq!(weighed(&flags, 3).escalation, Some(Escalation::Systematic));
    assert_eq!(weighed(&flags, 2).escalation, Some(Escalation::Logged));
    flags[1].issue = "beta";
    assert_eq!(weighed(&flags, 3).escalation, Some(Escalation::Systematic));
    flags[1].gap = None;
    assert_eq!(weighed(&flags, 3).escalation, Some(Escalation::Logged));
}

#[test]
fn alike_in_one_round_is_no_pattern() {
    let mut flags: Vec<Named> = ["alpha", "beta", "gamma"]
        .map(|issue| flag(issue, Severity::High, 2, Heuristic::H1))
        .to_vec();
    for flag in &mut flags {
        flag.summary = "the mast has no light";
    }
    assert_eq!(weighed(&flags, 2).escalation, Some(Escalation::UserWarned));
    flags[0].round = 1;
    assert_eq!(weighed(&flags, 2).escalation, Some(Escalation::Systematic));
}

#[test]
fn deflection_is_always_shown_and_advice_counts_for_nothing() {
    let flags = [flag("alpha", Severity::Critical, 2, Heuristic::H5)];
    assert_eq!(weighed(&flags, 2).deflected, ["alpha"]);
    let advisory = BTreeSet::from([Heuristic::H5]);
    let weighed = weigh(2, &flags, &advisory, &Parameters::default());
    assert_eq!(weighed.escalation, Some(Escalation::Logged));
    assert_eq!(weighed.deflected, ["alpha"]);
}

#[test]
fn a_heuristic_that_is_mostly_wrong_advises() {
    for (confirmed, false_positive, advisory) in [
        (0, 4, false),
        (0, 5, true),
        (2, 3, true),
        (3, 2, false),
        (3, 3, false),
    ] {
        let judged = Judged {
            confirmed,
            false_positive,
        };
        assert_eq!(judged.is_advisory(), advisory, "{judged:?}");
    }
}
