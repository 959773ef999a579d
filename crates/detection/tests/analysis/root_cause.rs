//! The table from what attempts show to the likely root cause.

use gapless_detection::analysis::{
    Action, Adjustment, Analysis, Cause, Evidence, Finding, Pattern, Produced, Tried, root_cause,
};
use gapless_domain::gap::Confidence;

use crate::support::{Against, complete};

/// An attempt at GAP-BOX-001 with these patterns, this length and these topics.
fn tried(reason: &str, patterns: &[Pattern], length: u32, topics: &[&str]) -> Tried {
    let against = Against {
        assigned: "GAP-BOX-001",
        ..Against::default()
    };
    let mut analysis = against.analyze(&complete("GAP-BOX-001", "A drawer takes 40 kg."));
    let produced: &mut Produced = &mut analysis.produced[0];
    produced.length = length;
    produced.topics = topics.iter().map(|topic| (*topic).to_owned()).collect();
    analysis.patterns = patterns
        .iter()
        .map(|pattern| Finding {
            pattern: *pattern,
            confidence: Confidence::High,
            evidence: vec![Evidence {
                gap: None,
                line: Some(3),
                text: "found".to_owned(),
                words: vec!["Settling Policy".to_owned()],
            }],
        })
        .collect();
    analysis.adjustments = Vec::<Adjustment>::new();
    Tried {
        reason: reason.to_owned(),
        analysis,
    }
}

const VAGUE: &[Pattern] = &[Pattern::AbstractOutput];
const NARROW: &[Pattern] = &[Pattern::NarrowExamples];
const PARTS: &[&str] = &["Weighing", "Opening the drawer"];
const OTHER_PARTS: &[&str] = &["Prices and refunds", "Languages"];

#[test]
fn what_is_seen_points_to_a_cause_and_an_action() {
    use Cause::{DomainGap, GapAmbiguity, MissingContext, PromptIssue, ScopeTooLarge, Unclear};
    use Confidence::{High, Low, Medium};
    let unknown: &[Pattern] = &[Pattern::DomainConfusion];
    let cases = [
        (
            "the same patterns over the same content",
            vec![tried("a", VAGUE, 900, PARTS), tried("b", VAGUE, 900, PARTS)],
            (PromptIssue, Medium, Action::Context),
        ),
        (
            "the same patterns over different content",
            vec![
                tried("a", VAGUE, 900, PARTS),
                tried("b", VAGUE, 900, OTHER_PARTS),
            ],
            (GapAmbiguity, Medium, Action::Context),
        ),
        (
            "different patterns",
            vec![
                tried("a", VAGUE, 900, PARTS),
                tried("b", NARROW, 900, OTHER_PARTS),
            ],
            (ScopeTooLarge, High, Action::Split),
        ),
        (
            "different patterns, and nothing to split by",
            vec![tried("a", VAGUE, 900, &[]), tried("b", NARROW, 900, &[])],
            (ScopeTooLarge, High, Action::OtherGaps),
        ),
        (
            "half of the patterns in common",
            vec![
                tried(
                    "a",
                    &[Pattern::AbstractOutput, Pattern::NarrowExamples],
                    900,
                    PARTS,
                ),
                tried("b", VAGUE, 900, PARTS),
            ],
            (PromptIssue, Low, Action::Context),
        ),
        (
            "undefined terms in both",
            vec![
                tried("a", unknown, 900, PARTS),
                tried("b", unknown, 900, PARTS),
            ],
            (MissingContext, High, Action::Context),
        ),
        (
            "undefined terms in one, before what is less sure",
            vec![
                tried(
                    "a",
                    &[Pattern::DomainConfusion, Pattern::AbstractOutput],
                    900,
                    PARTS,
                ),
                tried("b", VAGUE, 900, PARTS),
            ],
            (MissingContext, Medium, Action::Context),
        ),
        (
            "next to nothing in both",
            vec![tried("a", VAGUE, 120, &[]), tried("b", NARROW, 0, &[])],
            (DomainGap, High, Action::OtherGaps),
        ),
        (
            "next to nothing once",
            vec![tried("a", VAGUE, 120, &[]), tried("b", VAGUE, 900, &[])],
            (PromptIssue, Medium, Action::Context),
        ),
        (
            "no patterns, reasons alike",
            vec![
                tried("the refund rules are unclear", &[], 900, PARTS),
                tried("refund rules still unclear", &[], 900, PARTS),
            ],
            (PromptIssue, Low, Action::Context),
        ),
        (
            "no patterns, reasons apart",
            vec![
                tried("the refund rules are wrong", &[], 900, PARTS),
                tried("drawers never close", &[], 900, PARTS),
            ],
            (ScopeTooLarge, Low, Action::Split),
        ),
        (
            "nothing to go by",
            vec![tried("", &[], 900, &[]), tried("", &[], 900, &[])],
            (Unclear, Low, Action::Pause),
        ),
        (
            "one attempt with vague words",
            vec![tried("a", VAGUE, 900, PARTS)],
            (GapAmbiguity, Low, Action::Context),
        ),
        (
            "one attempt with parts missing",
            vec![tried("a", &[Pattern::MissingSections], 900, PARTS)],
            (PromptIssue, Low, Action::Context),
        ),
        (
            "one attempt that names gaps which don't exist",
            vec![tried("a", &[Pattern::InconsistentRefs], 900, PARTS)],
            (MissingContext, Low, Action::Context),
        ),
        (
            "one attempt with undefined terms",
            vec![tried("a", unknown, 900, PARTS)],
            (MissingContext, Medium, Action::Context),
        ),
        (
            "one attempt without a pattern",
            vec![tried("a", &[], 900, PARTS)],
            (Unclear, Low, Action::Pause),
        ),
        ("none", vec![], (Unclear, Low, Action::Pause)),
    ];
    for (name, attempts, expected) in cases {
        let found = root_cause(&attempts);
        let first = found.likeliest().unwrap();
        assert_eq!(
            (first.cause, first.confidence, found.action),
            expected,
            "{name}"
        );
        assert!(first.evidence.len() <= 4, "{name}");
        assert!(attempts.len() < 2 || !first.evidence.is_empty(), "{name}");
    }
}

#[test]
fn every_pattern_of_a_single_attempt_speaks_for_a_cause() {
    let found = root_cause(&[tried("a", &Pattern::ALL, 900, PARTS)]);
    let evidence: Vec<&String> = found
        .causes
        .iter()
        .flat_map(|likely| &likely.evidence)
        .collect();
    let named = |pattern: Pattern| evidence.iter().any(|line| line.contains(pattern.name()));
    for pattern in Pattern::ALL {
        let by_its_terms = pattern == Pattern::DomainConfusion;
        assert_eq!(named(pattern), !by_its_terms, "{pattern}: {evidence:?}");
    }
    assert_eq!(evidence[0], "attempt 1: \"Settling Policy\"");
    let unclear = |likely: &gapless_detection::analysis::Likely| likely.cause == Cause::Unclear;
    assert!(!found.causes.iter().any(unclear));
    // Also where the other attempt was undone before anything was written.
    let unwritten = Tried {
        reason: String::new(),
        analysis: Analysis::default(),
    };
    for attempts in [
        [unwritten.clone(), tried("", NARROW, 900, PARTS)],
        [tried("", NARROW, 900, PARTS), unwritten],
    ] {
        let found = root_cause(&attempts);
        assert_eq!(found.likeliest().unwrap().cause, Cause::PromptIssue);
    }
}

#[test]
fn contradictions_point_to_an_ambiguous_gap() {
    let solution = "- `max_weight`: 40 kg\n\nHeavy parcels are told apart by the scale, which reads every 200 ms.\n\n- `max_weight`: 45 kg\n";
    let attempt = |reason: &str| Tried {
        reason: reason.to_owned(),
        analysis: Against::default().analyze(&complete("GAP-BOX-001", solution)),
    };
    let found = root_cause(&[attempt("a"), attempt("b")]);
    let first = found.likeliest().unwrap();
    assert_eq!(
        (first.cause, first.confidence),
        (Cause::GapAmbiguity, Confidence::High)
    );
    assert_eq!(
        first.evidence[0],
        "attempt 1: `max_weight` is 40 kg and 45 kg in GAP-BOX-001"
    );
}

#[test]
fn parts_come_from_the_headings_of_the_failed_proposals() {
    let suggested = |first: &[&str], second: &[&str]| {
        let found = root_cause(&[
            tried("a", VAGUE, 900, first),
            tried("b", NARROW, 900, second),
        ]);
        found
            .split
            .map(|split| (split.gap.to_string(), split.parts))
    };
    type Titles = &'static [&'static str];
    let cases: [(Titles, Titles, Option<Titles>); 5] = [
        (
            &["Weighing parcels", "Opening"],
            &["Weighing of parcels", "Refunds"],
            Some(&["Weighing parcels", "Opening", "Refunds"]),
        ),
        (
            &[],
            &["Weighing", "Opening"],
            Some(&["Weighing", "Opening"]),
        ),
        (&["Weighing"], &["Weighing"], None),
        (&[], &[], None),
        (
            &[
                "Weighing",
                "Opening",
                "Prices",
                "Refunds",
                "Languages",
                "Alarms",
            ],
            &[],
            Some(&[
                "Weighing",
                "Opening; Prices",
                "Refunds",
                "Languages; Alarms",
            ]),
        ),
    ];
    for (first, second, expected) in cases {
        let found = suggested(first, second);
        let expected = expected.map(|parts| {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            ("GAP-BOX-001".to_owned(), parts)
        });
        assert_eq!(found, expected, "{first:?} {second:?}");
    }
}

#[test]
fn topics_are_what_headings_are_about() {
    let solution = "#### 1. Weighing (Addressing ISSUE-R1-002)\n\nx\n\n#### `Opening` the drawer:\n\nx\n\n##### Deeper\n\nx\n\n#### Summary\n\nx\n\n#### GAP-BOX-002\n\nx\n\n```\n#### Not one\n```\n";
    let analysis = Against::default().analyze(&complete("GAP-BOX-001", solution));
    assert_eq!(
        analysis.produced[0].topics,
        ["Weighing", "Opening the drawer"]
    );
}

#[test]
fn facts_survive_their_encoding_and_stay_small() {
    let vague = "It may be appropriate, as needed, in various ways, generally adequate (see \"Calm Window\"). ".repeat(200);
    let document: String = (1..=60)
        .map(|n| complete(&format!("GAP-BOX-{n:03}"), &vague))
        .collect();
    let against = Against {
        assigned: "GAP-BOX-001 GAP-BOX-999",
        known: Some("GAP-BOX-001"),
        source: Some("# Nothing"),
    };
    let analysis = against.analyze(&document);
    assert!(analysis.patterns.len() >= 5, "{:?}", analysis.pattern_set());
    let encoded = serde_json::to_string(&analysis).unwrap();
    assert!(encoded.len() < 16 * 1024, "{}", encoded.len());
    assert_eq!(
        serde_json::from_str::<Analysis>(&encoded).unwrap(),
        analysis
    );
    let attempts = [
        Tried {
            reason: "a".repeat(5000),
            analysis: analysis.clone(),
        },
        Tried {
            reason: "b".to_owned(),
            analysis,
        },
    ];
    let found = root_cause(&attempts);
    let encoded = serde_json::to_string(&found).unwrap();
    assert!(encoded.len() < 4 * 1024, "{}", encoded.len());
    assert_eq!(
        serde_json::from_str::<gapless_detection::analysis::RootCause>(&encoded).unwrap(),
        found
    );
}

#[test]
fn an_attempt_that_nobody_wrote_says_nothing_about_the_gap() {
    let unwritten = |reason: &str| Tried {
        reason: reason.to_owned(),
        analysis: Analysis::default(),
    };
    for attempts in [
        vec![
            tried("no colour", NARROW, 0, &[]),
            unwritten("the wrong lamp"),
        ],
        vec![unwritten("no colour"), unwritten("the wrong lamp")],
        vec![unwritten("the wrong lamp")],
    ] {
        let found = root_cause(&attempts);
        let causes: Vec<Cause> = found.causes.iter().map(|likely| likely.cause).collect();
        let blamed = [Cause::DomainGap, Cause::ScopeTooLarge];
        let reasons_differ = attempts.len() == 2;
        assert!(!causes.contains(&Cause::DomainGap), "{causes:?}");
        let says_content = found.causes.iter().flat_map(|likely| &likely.evidence);
        assert!(
            says_content
                .clone()
                .all(|line| !line.contains("no pattern"))
        );
        assert!(reasons_differ || !causes.iter().any(|cause| blamed.contains(cause)));
    }
}
