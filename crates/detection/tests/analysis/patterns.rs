//! Each pattern, where it holds and where it doesn't.

use gapless_detection::analysis::{Addressed, CheckStatus, Part, Pattern};
use gapless_domain::gap::Confidence;

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
fn the_example_that_prompts_show_has_no_pattern() {
    let against = Against {
        assigned: "GAP-LOCKER-001",
        known: Some("GAP-LOCKER-001"),
        source: Some("# Lockers\n"),
    };
    let analysis = against.analyze(include_str!(
        "../../../mediator/examples/lockers/engineer.md"
    ));
    assert_eq!(analysis.patterns, []);
    assert_eq!(analysis.produced[0].examples, 3);
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

#[test]
fn each_gap_is_counted_for_itself() {
    let vague = "It is handled properly, as needed, in an appropriate way, with adequate care for various cases.";
    let document = complete("GAP-BOX-001", SOLUTION) + &complete("GAP-BOX-002", vague);
    let analysis = analyzed(&document);
    let finding = analysis.finding(Pattern::AbstractOutput).unwrap();
    let gaps: Vec<String> = finding
        .evidence
        .iter()
        .filter_map(|evidence| Some(evidence.gap.as_ref()?.to_string()))
        .collect();
    assert_eq!(gaps, ["GAP-BOX-002"]);
    assert_eq!(finding.confidence, Confidence::High);
    let evidence = finding.evidence[0].to_string();
    assert!(evidence.starts_with("GAP-BOX-002, line "), "{evidence}");
    assert!(evidence.contains("\"appropriate\""), "{evidence}");
    assert!(analysis.adjustments[0].text.contains("- \"appropriate\""));
}

#[test]
fn missing_parts_are_named_for_each_gap() {
    let full = complete("GAP-BOX-001", SOLUTION);
    let cases = [
        (full.clone(), None),
        (
            full.replace("### Trade-offs", "### Remarks"),
            Some("no Trade-offs"),
        ),
        (
            full.replace("### Trade-offs", "#### Tradeoffs and risks"),
            None,
        ),
        (
            full.replace("### Trade-offs", "```\n### Trade-offs\n```\n\n### Remarks"),
            Some("no Trade-offs"),
        ),
        (
            full.replace("### Trade-offs", "<!--\n### Trade-offs\n-->\n\n### Remarks"),
            Some("no Trade-offs"),
        ),
        (
            full.replace("### Proposed Solution", "### How it works"),
            None,
        ),
        (
            full.replace("### Examples", "### Cases")
                .replace("**Example", "**Number"),
            Some("no Examples"),
        ),
        // Labelled examples need no heading above them.
        (full.replace("### Examples", "### Cases"), None),
        (
            "## Gap Resolution: GAP-BOX-001\n".to_owned(),
            Some("a heading and no text"),
        ),
        (
            "# A plan\n\nIt goes on.\n".to_owned(),
            Some("no section of its own"),
        ),
        (
            "BLOCKED_NEEDS_INPUT: GAP-BOX-001: which scale?\n".to_owned(),
            None,
        ),
    ];
    for (document, expected) in cases {
        let against = Against {
            assigned: "GAP-BOX-001",
            ..Against::default()
        };
        let analysis = against.analyze(&document);
        let found = analysis
            .finding(Pattern::MissingSections)
            .and_then(|finding| finding.evidence.last())
            .map(|evidence| evidence.text.clone());
        assert_eq!(found.as_deref(), expected, "{document}");
    }
}

#[test]
fn examples_are_labels_entries_and_code_blocks() {
    let with = |examples: &str| {
        let solution =
            format!("## Gap Resolution: GAP-BOX-001\n\n### Proposed Solution\n\n{SOLUTION}\n\n");
        let document = format!(
            "{solution}{examples}\n\n### Trade-offs\n\n- For: x\n\n```\nnot an example\n```\n"
        );
        analyzed(&document).produced[0].examples
    };
    let cases = [
        ("", 0),
        ("For example, a parcel of 3 kg.", 0),
        ("### Examples\n", 0),
        ("### Examples\n\nA parcel of 3 kg is put in.", 1),
        ("### Examples\n\n- 3 kg: drawer 1\n- 41 kg: the desk", 2),
        ("### Examples\n\n- 3 kg\n  - drawer 1\n  - drawer 2", 1),
        (
            "### Examples\n\n1. The guest rings.\n2. The door opens.\n3. The light goes on.",
            1,
        ),
        (
            "### Examples\n\n| weight | where |\n|---|---|\n| 3 kg | drawer |\n| 41 kg | desk |",
            2,
        ),
        (
            "### Examples\n\n**Success**\n\nfits\n\n**Failure:**\n\ndoes not fit",
            2,
        ),
        (
            "### Examples\n\n#### It fits\n\nyes\n\n#### It does not\n\nno",
            2,
        ),
        (
            "**Example 1: fits**\n\n3 kg.\n\n**Example 2: does not**\n\n41 kg.",
            2,
        ),
        (
            "Example: 3 kg.\n\nScenario B - 41 kg.\n\n- **Edge case:** 40 kg.",
            3,
        ),
        ("### Example: it fits\n\n```\n3 kg\n```", 1),
        ("Example 1:\n\n```\n3 kg\n```\n\n```\n4 kg\n```", 2),
        ("```\n3 kg\n```\n\nand\n\n    41 kg\n", 2),
        (
            "Examples of parcels are many. Scenario planning is not done.",
            0,
        ),
    ];
    for (examples, expected) in cases {
        assert_eq!(with(examples), expected, "{examples}");
    }
}

#[test]
fn one_example_is_narrow_and_none_is_surely_so() {
    let full = complete("GAP-BOX-001", SOLUTION);
    let one = full.replace("**Example 2: it does not**", "And then:");
    let none = one.replace("**Example 1: it fits**\n\nA parcel of 4 kg goes into drawer 2.\n\nAnd then:\n\nA parcel of 41 kg stays at the desk.\n", "");
    let confidence = |document: &str| {
        let analysis = analyzed(document);
        let finding = analysis.finding(Pattern::NarrowExamples);
        finding.map(|finding| finding.confidence)
    };
    assert_eq!(confidence(&full), None);
    assert_eq!(confidence(&one), Some(Confidence::Medium));
    assert_eq!(confidence(&none), Some(Confidence::High));
}

#[test]
fn references_are_held_against_the_inventory() {
    let cases = [
        ("See GAP-BOX-002.", Some("GAP-BOX-001 GAP-BOX-002"), vec![]),
        (
            "See GAP-BOX-009, and GAP-BOX-009 again.",
            Some("GAP-BOX-001"),
            vec!["GAP-BOX-009"],
        ),
        ("See GAP-BOX-009.", None, vec![]),
        (
            "```\nGAP-BOX-009\n```\n<!-- GAP-BOX-008 -->",
            Some("GAP-BOX-001"),
            vec![],
        ),
        (
            "GAP-BOX-001a is another one, GAP-BOX-001.2 is none.",
            Some("GAP-BOX-001"),
            vec!["GAP-BOX-001a"],
        ),
        (
            "It waits for GAP-BOX-003, which is new.",
            Some("GAP-BOX-001"),
            vec![],
        ),
    ];
    for (solution, known, expected) in cases {
        let against = Against {
            known,
            ..Against::default()
        };
        let document = complete("GAP-BOX-001", &format!("{SOLUTION}\n\n{solution}"))
            .replace("None\n", "- GAP-BOX-003 [LOW]: who empties the drawer\n");
        let analysis = against.analyze(&document);
        let finding = analysis.finding(Pattern::InconsistentRefs);
        let found: Vec<String> = finding
            .iter()
            .flat_map(|finding| &finding.evidence)
            .filter_map(|evidence| Some(evidence.gap.as_ref()?.to_string()))
            .collect();
        assert_eq!(found, expected, "{solution}");
        let check = analysis.checks.last().unwrap().status;
        let wanted = match (known.is_some(), expected.is_empty()) {
            (false, _) => CheckStatus::NotChecked,
            (true, true) => CheckStatus::Pass,
            (true, false) => CheckStatus::Fail,
        };
        assert_eq!(check, wanted, "{solution}");
    }
}

#[test]
fn terms_that_nothing_defines_are_found_where_they_are_used_as_defined() {
    let source =
        "# Boxes\n\nThe Weighing Rule holds everywhere. A `drawer_limit` is set by the desk.\n";
    let cases = [
        (
            "Parcels are weighed as defined in the Settling Policy.",
            Some("Settling Policy"),
        ),
        (
            "Parcels are weighed as defined in `settle_rule`.",
            Some("settle_rule"),
        ),
        ("It is weighed (see \"Calm Window\").", Some("Calm Window")),
        (
            "The Drawer Ledger defined above is read.",
            Some("Drawer Ledger"),
        ),
        (
            "The `drawer_ledger` described earlier is read.",
            Some("drawer_ledger"),
        ),
        ("They are weighed as defined in the Weighing Rule.", None),
        (
            "They are limited by `drawer_limit` as defined in `drawer_limit`.",
            None,
        ),
        (
            "As defined in the Settling Policy.\n\n#### Settling Policy\n\nThree readings.",
            None,
        ),
        (
            "As defined in the Settling Policy. The Settling Policy is three readings.",
            None,
        ),
        (
            "As defined in the Settling Policy.\n\n- **Settling Policy**: three readings",
            None,
        ),
        (
            "As defined in `settle_rule`.\n\n```\nsettle_rule = 3\n```",
            None,
        ),
        (
            "As defined in Section 4, in Round 2 (see Appendix B), in RFC 9110 and in GAP-BOX-002.",
            None,
        ),
        (
            "As described in `docs/boxes.md` (see `boxes::Drawer`).",
            None,
        ),
        (
            "As defined above, and as defined in the rule of the house.",
            None,
        ),
        ("The Settling Policy weighs parcels.", None),
        ("```\nas defined in the Settling Policy\n```", None),
    ];
    for (solution, expected) in cases {
        let against = Against {
            source: Some(source),
            ..Against::default()
        };
        let analysis = against.analyze(&complete("GAP-BOX-001", solution));
        let finding = analysis.finding(Pattern::DomainConfusion);
        let found = finding.map(|finding| finding.evidence[0].words[0].as_str());
        assert_eq!(found, expected, "{solution}");
        if let Some(finding) = finding {
            assert_eq!(finding.confidence, Confidence::Medium);
        }
    }
}

#[test]
fn other_gaps_than_the_assigned_ones_are_drift() {
    let own = complete("GAP-BOX-001", SOLUTION);
    let other = complete("GAP-BOX-007", SOLUTION);
    let both = format!("{own}\n{other}");
    let cases = [
        ("GAP-BOX-001", own.as_str(), None),
        ("GAP-BOX-001 GAP-BOX-007", both.as_str(), None),
        ("GAP-BOX-001", both.as_str(), Some(Confidence::Medium)),
        ("GAP-BOX-001", other.as_str(), Some(Confidence::High)),
        ("", other.as_str(), None),
    ];
    for (assigned, document, expected) in cases {
        let against = Against {
            assigned,
            ..Against::default()
        };
        let analysis = against.analyze(document);
        let finding = analysis.finding(Pattern::ScopeDrift);
        assert_eq!(
            finding.map(|finding| finding.confidence),
            expected,
            "{assigned}"
        );
        if finding.is_some() {
            let text = &analysis.adjustments.last().unwrap().text;
            assert!(text.contains("`## Gap Resolution: GAP-BOX-001`"));
            assert!(text.contains("not assigned: GAP-BOX-007"));
        }
    }
}

#[test]
fn what_is_wrapped_or_badly_fenced_is_read_as_validation_reads_it() {
    let full = complete("GAP-BOX-001", SOLUTION);
    let wrapped = format!("```markdown\n{full}```\n");
    let analysis = analyzed(&wrapped);
    assert_eq!(analysis.produced.len(), 1);
    assert_eq!(analysis.produced[0].addressed, Addressed::Full);
    let unclosed = full.replace(SOLUTION, &format!("{SOLUTION}\n\n```toml\nlimit = 40\n"));
    let analysis = analyzed(&format!(
        "{unclosed}\n{}",
        complete("GAP-BOX-002", SOLUTION)
    ));
    let gaps: Vec<String> = analysis
        .produced
        .iter()
        .map(|gap| gap.gap.to_string())
        .collect();
    assert_eq!(gaps, ["GAP-BOX-001", "GAP-BOX-002"]);
}

#[test]
fn a_key_with_two_values_is_a_contradiction_unless_an_example_sets_it() {
    let twice =
        format!("{SOLUTION}\n\n- `max_weight`: 40 kg\n\nLater on:\n\n- `max_weight`: 45 kg\n");
    let analysis = analyzed(&complete("GAP-BOX-001", &twice));
    let found: Vec<_> = analysis
        .contradictions
        .iter()
        .map(|c| (c.key.as_str(), c.values.join("/")))
        .collect();
    assert_eq!(found, [("max_weight", "40 kg/45 kg".to_owned())]);
    let once = format!("{SOLUTION}\n\n- `max_weight`: 40 kg\n");
    let document = complete("GAP-BOX-001", &once).replace(
        "A parcel of 41 kg",
        "- `max_weight`: 50 kg\n\nA parcel of 41 kg",
    );
    assert_eq!(analyzed(&document).contradictions, []);
}
