//! Each pattern, where it holds and where it doesn't.

use gapless_core::analysis::{Addressed, CheckStatus, Part, Pattern};
use gapless_core::gap::Confidence;

use crate::support::{Against, analyzed, complete, shows};

const SOLUTION: &str = "A drawer takes parcels of up to 40 kg. The scale reads every 200 ms; three readings within 50 g of each other are the weight. A heavier parcel stays at the desk, and the drawer stays shut.";

#[test]
fn a_complete_document_shows_nothing() {
    let against = Against {
        assigned: "GAP-BOX-001",
        known: Some("GAP-BOX-001 GAP-BOX-002"),
        source: Some("# Parcel boxes\n"),
    };
    let analysis = against.analyze(&complete("GAP-BOX-001", SOLUTION));
    assert_eq!(analysis.patterns, []);
    assert_eq!(analysis.adjustments, []);
    assert!(
        analysis
            .checks
            .iter()
            .all(|check| check.status == CheckStatus::Pass)
    );
    let produced = &analysis.produced[0];
    assert_eq!(
        (produced.addressed, produced.examples),
        (Addressed::Full, 2)
    );
    assert_eq!(
        produced.sections,
        [
            Part::Solution,
            Part::Examples,
            Part::TradeOffs,
            Part::NewGaps,
            Part::Confidence
        ]
    );
}

#[test]
fn nothing_at_all_is_missing_sections() {
    for document in [None, Some(""), Some(" \n\u{feff}")] {
        let against = Against {
            assigned: "GAP-BOX-001",
            ..Against::default()
        };
        let analysis = against.judge(document);
        let finding = analysis.finding(Pattern::MissingSections).unwrap();
        assert_eq!(finding.confidence, Confidence::High);
        assert_eq!(analysis.produced[0].addressed, Addressed::No);
        assert!(
            analysis.adjustments[0]
                .text
                .contains("`## Gap Resolution: GAP-BOX-001`")
        );
    }
}

#[test]
fn vague_words_count_in_prose_only() {
    let vague = "The system should use an appropriate timeout and handle various errors properly. Retries happen as needed, typically with a reasonable delay.";
    let cases = [
        (vague.to_owned(), true),
        (format!("```\n{vague}\n```\n\n{SOLUTION}"), false),
        (format!("`{}`\n\n{SOLUTION}", vague.replace('\n', " ")), false),
        (format!("<!-- {vague} -->\n\n{SOLUTION}"), false),
        (format!("> {vague}\n\n{SOLUTION}"), false),
        (format!("The screen says \"{vague}\".\n\n{SOLUTION}"), false),
        ("The inappropriate, unreasonable, insufficiently certainly adequately variously placed box.".to_owned(), false),
        ("A client MAY retry, MAY wait, MAY stop, MAY ask, MAY log and MAY exit. On May 5 and May 6 `Some(x)` and Some(y).".to_owned(), false),
    ];
    for (solution, expected) in cases {
        let analysis = analyzed(&complete("GAP-BOX-001", &solution));
        assert_eq!(
            shows(&analysis, Pattern::AbstractOutput),
            expected,
            "{solution}"
        );
    }
}
