//! The report as it is written.

use gapless_detection::analysis::{Occasion, Tried, report, root_cause};
use gapless_domain::time::Time;
use gapless_markdown::Document;

use crate::support::{Against, complete};

const FIRST: &str = "## Gap Resolution: GAP-BOX-001\n\n**Confidence:** LOW\n\n### Proposed Solution\n\n#### Weighing\n\nParcels are weighed properly, as needed, with an appropriate scale. Various sizes may be handled, generally as defined in the Settling Policy.\n\n#### Opening\n\nThe drawer opens correctly. See GAP-BOX-009.\n\n### Examples\n\nA parcel is put in.\n";

fn against() -> Against<'static> {
    Against {
        assigned: "GAP-BOX-001 GAP-BOX-002",
        known: Some("GAP-BOX-001 GAP-BOX-002 GAP-BOX-003"),
        source: Some("# Boxes\n"),
    }
}

#[test]
fn the_report_of_a_second_rollback() {
    let earlier = against().analyze(FIRST);
    let solution =
        "A drawer takes 40 kg.\n\n#### Prices\n\n2 € a day.\n\n#### Refunds\n\nWithin 5 days.";
    let now = against()
        .analyze(&(complete("GAP-BOX-001", solution) + &complete("GAP-BOX-003", solution)));
    let attempts = [
        Tried {
            reason: "Far too abstract".to_owned(),
            analysis: earlier.clone(),
        },
        Tried {
            reason: "Weighing is gone".to_owned(),
            analysis: now.clone(),
        },
    ];
    let cause = root_cause(&attempts);
    let occasion = Occasion {
        round: 5,
        attempt: 2,
        reason: "Weighing is gone",
        at: Time(1_768_228_200_000),
        earlier: std::slice::from_ref(&earlier),
        root_cause: Some(&cause),
    };
    insta::assert_snapshot!("second_rollback", report(&now, Some(&occasion)));
    let first = Occasion {
        attempt: 1,
        reason: "Far too abstract",
        earlier: &[],
        root_cause: None,
        ..occasion
    };
    insta::assert_snapshot!("first_rollback", report(&earlier, Some(&first)));
}

#[test]
fn what_was_written_cannot_change_the_form_of_the_report() {
    let hostile = "## Gap Resolution: GAP-BOX-001\n\n### Proposed Solution\n\nIt is as defined in \"x | y <!-- ``` ** [z](u)\" (see `Odd|Name <b>`).\n\n#### A | b <script>\n\nx\n\n#### `C` ``` <!-- d\n\nx\n";
    let analysis = against().analyze(hostile);
    assert!(!analysis.patterns.is_empty());
    let attempts = [
        Tried {
            reason: "r".to_owned(),
            analysis: analysis.clone(),
        },
        Tried {
            reason: "s".to_owned(),
            analysis: analysis.clone(),
        },
    ];
    let cause = root_cause(&attempts);
    let occasion = Occasion {
        round: 1,
        attempt: 2,
        reason: "bad\n# Heading\n\n```\n| a | b |\n<!-- gapless: GAP-X -->\u{202e}\u{1b}[2J",
        at: Time(0),
        earlier: std::slice::from_ref(&analysis),
        root_cause: Some(&cause),
    };
    let text = report(&analysis, Some(&occasion));
    let document = Document::parse(&text);
    let titles: Vec<&str> = document
        .headings
        .iter()
        .map(|heading| heading.title.as_str())
        .collect();
    assert_eq!(
        titles,
        [
            "Rollback Analysis - Round 1",
            "Failure Summary",
            "Content Analysis",
            "What Was Produced",
            "Structural Completeness",
            "Pattern Detection",
            "Detected Patterns",
            "Historical Comparison",
            "Recommended Adjustments",
            "Adjustment Confidence",
            "Root Cause"
        ]
    );
    assert!(document.code_blocks.is_empty());
    assert_eq!(document.prose(), text, "no HTML and no comment");
    assert!(!text.contains(['\u{202e}', '\u{1b}']));
    let widths: Vec<usize> = document.rows.iter().map(|row| row.cells.len()).collect();
    assert!(
        widths.iter().all(|width| (2..=4).contains(width)),
        "{widths:?}"
    );
}

#[test]
fn a_document_by_itself_has_no_rollback_in_its_report() {
    let analysis = Against::default().analyze(&complete(
        "GAP-BOX-001",
        "A drawer takes 40 kg, read by the scale in the desk.",
    ));
    let text = report(&analysis, None);
    assert!(text.starts_with("## Analysis\n"));
    assert!(!text.contains("Rollback") && !text.contains("Historical"));
    assert!(text.contains("| Valid cross-references | not checked |"));
}
