//! Whatever stands in the documents: no panic, and the same account every time.

use gapless_detection::disagreement::{Parameters, examine, examine_pair};
use proptest::prelude::*;

use crate::support::{PROPOSAL, REVIEW, texts};

/// Cuts, doubles and mixes the lines of a document.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let lines: Vec<&'static str> = text.lines().collect();
    let extra = prop::sample::select(vec![
        "```",
        "~~~markdown",
        "<!--",
        "-->",
        "| | |",
        "> ISSUE-R1-001",
        "\u{feff}",
        "- - - ISSUE-R1-002:",
        "#",
        "\u{202e}x",
        "**Suggestion:**",
        "ISSUE-R1-001 ISSUE-R1-001 e\u{301}\u{2019}\u{1f600}`",
        "\0",
    ]);
    let line = prop_oneof![3 => prop::sample::select(lines), 1 => extra];
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn mutated_documents_give_one_account(review in mutated(REVIEW), engineer in mutated(PROPOSAL), status in mutated(REVIEW)) {
        let mut session = texts(&[(PROPOSAL, &review), (&engineer, &review), (&engineer, "")], Some(&status));
        session.decisions = Some(review.clone());
        session.rounds[1].summary.push(status.clone());
        let parameters = Parameters::default();
        prop_assert_eq!(examine(&session, &parameters), examine(&session, &parameters));
        let pair = examine_pair(&review, &engineer, Some(PROPOSAL), None, &parameters);
        prop_assert_eq!(pair, examine_pair(&review, &engineer, Some(PROPOSAL), None, &parameters));
    }

    #[test]
    fn any_text_is_taken(review in "\\PC{0,200}", engineer in "\\PC{0,200}") {
        let _ = examine_pair(&review, &engineer, Some(&review), None, &Parameters::default());
    }
}

#[test]
fn large_documents_are_done_in_time_that_grows_with_their_length() {
    let review: String = (1..=200)
        .map(|n| format!("- **ISSUE-R1-{n:03}**: concern number {n} about couriers and doors\n"))
        .collect();
    let review = format!("## Review: GAP-SHIP-001\n\n### High Priority\n\n{review}");
    let ids = "ISSUE-R1-001 and ".repeat(20_000);
    let documents = [
        "A line about vans, letters and ISSUE-R1-001 again.\n\n".repeat(3000),
        "Couriers have a concern about every number of doors.\n\n".repeat(500),
        format!(
            "## Response to {ids}\n\n{}",
            "Couriers have doors.\n\n".repeat(500)
        ),
        format!(
            "### New Gaps Introduced\n\n{}",
            "- A concern about doors\n".repeat(500)
        ),
    ];
    for document in documents {
        let engineer = format!("{PROPOSAL}\n{document}");
        let account = examine_pair(
            &review,
            &engineer,
            Some(PROPOSAL),
            None,
            &Parameters::default(),
        );
        assert_eq!(account.issues.len(), 200);
    }
}

#[test]
fn huge_sections_that_differ_everywhere_are_compared() {
    let section = |word: &str| {
        let lines: String = (0..20_000).map(|n| format!("{word} {n}\n\n")).collect();
        format!(
            "{PROPOSAL}\n{lines}\n## Response to ISSUE-R1-002\n\nA cap of five mornings and a letter.\n"
        )
    };
    let (old, new) = (section("van"), section("boat"));
    let account = examine_pair(REVIEW, &new, Some(&old), None, &Parameters::default());
    assert!(account.issues[1].flags.is_empty());
    let account = examine_pair(REVIEW, &old, Some(&old), None, &Parameters::default());
    assert_eq!(account.issues[1].flags[0].evidence.rewritten, Some(0));
}
