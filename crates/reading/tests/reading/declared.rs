//! Any source has an inventory, and whatever it declares can be settled and is not declared again.

use gapless_domain::TextHash;
use gapless_markdown::Document;
use gapless_reading::read::{DeclaredGap, declared_gaps, near_misses};
use gapless_spec::{Accepted, Place, Resolution, refine};
use proptest::strategy::Strategy as _;

use crate::inventory::inventory;

#[test]
fn hostile_sources_are_read_in_one_pass() {
    let many = 60_000;
    for text in [
        "TODO ".repeat(many),
        "TBD. ".repeat(many),
        "TBD\n\n".repeat(many),
        "[NEEDS CLARIFICATION ".repeat(many / 4),
        "[NEEDS CLARIFICATION\n".repeat(many / 4),
        format!("## Open questions\n\n{}", "- how?\n".repeat(many)),
        format!("## Open questions\n\n{}", "### Q1: how?\n".repeat(many)),
        format!(
            "| a | what |\n|---|---|\n{}",
            "| TBD | TODO |\n".repeat(many)
        ),
        format!(
            "{}\n{}\n{}",
            "|a".repeat(2000),
            "|-".repeat(2000),
            "|TBD".repeat(2000)
        ),
        format!("# {}", "TBD. ".repeat(many)),
        "## TBD\n".repeat(many),
        format!(
            "## Gaps\n\n{}",
            "- Q1 (blocked by: Q1, Q2): x\n".repeat(many)
        ),
        "???".repeat(many),
        "\u{feff}## Öffen (TBD)\u{202e}\n".to_owned(),
    ] {
        let declared = declared_gaps(&Document::parse(&text));
        assert!(declared.len() <= 999 * 3, "{}", declared.len());
    }
}

/// Markdown of the pieces that matter here, put together in any order.
fn markdown() -> impl proptest::strategy::Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "# S\n\n",
        "## Open questions\n\n",
        "## Issues\n\n",
        "### Q1: how?\n\n",
        "### Thing\n\n",
        "## Limits (TBD)\n\n",
        "**Open questions:**\n\n",
        "- ",
        "  - ",
        "1. ",
        "[ ] ",
        "[x] ",
        "~~",
        "OQ-1: ",
        "FR-012: ",
        "GAP-AA-001",
        "GAP-AA-002: x\n",
        "TODO",
        "TODO: ",
        "TBD.",
        "???",
        "XXX ",
        "[NEEDS CLARIFICATION: ",
        "]",
        "\n\n",
        "\n",
        "| ID | Question | Status |\n|---|---|---|\n",
        "| a | b |\n|---|---|\n",
        "| OQ-2 | how? | open |\n",
        "| ",
        " |\n",
        "> ",
        "`",
        "```\n",
        "<!-- ",
        "-->",
        "<!-- gapless: settled GAP-AA-002 -->",
        "words ",
        "How? ",
        "DONE ",
        "\"",
        "“",
        "ö",
        "\u{202e}",
        "(blocked by: OQ-1) ",
        "[HIGH] ",
        "**",
        "\\",
        "[a](b)",
        "<<[UNRESOLVED who]>>",
        "<<[/UNRESOLVED]>>",
        "<TBD date>",
        "`<TBD date>`",
        "[TBD: x",
        "tbd",
        "待定",
        "(à définir)",
        "**Limits**\n\n",
        "**Answer:** yes.\n",
        "It may be so. ",
        "None. ",
        "✅ ",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Whole blocks, as specs have them, in any order. A heading that declares something stays where no change takes it out.
fn blocks() -> impl proptest::strategy::Strategy<Value = String> {
    let block = proptest::sample::select(vec![
        "# S",
        "## Open questions",
        "## Issues",
        "## Critical",
        "**Open questions:**",
        "TODO:",
        "Words. More of them.",
        "Who pays?",
        "The size is TBD.",
        "TODO: say it. More is said.",
        "**TODO**: a thing, and TBD.",
        "A [NEEDS CLARIFICATION: b? Or d?] c, and a [NEEDS CLARIFICATION: e].",
        "It is ??? long\nand TBD wide.",
        "TODO decide on [NEEDS CLARIFICATION: what] soon.",
        "It is TBD (GAP-AA-002), and so on.",
        "> FIXME: quoted\n> on two lines",
        "A `TBD` and \"TODO\".",
        "```\nTODO\n```",
        "- how many?\n- [ ] who pays\n- [x] TODO: done",
        "- OQ-1 [HIGH]: a (blocked by: OQ-2)\n- OQ-2: b",
        "- **Types**\n  - What is null?\n  - TBD",
        "1. GAP-AA-001: x\n   - and TODO",
        "- TODO: item\n  - TBD nested\n\n  A paragraph that is TBD.",
        "- # A heading (TBD)",
        "| ID | Question | Status |\n|---|---|---|\n| OQ-2 | how? | open |\n| OQ-3 | TBD | done |",
        "| Field | Size |\n|---|---|\n| name | TBD |\n| mail | ??? bytes |",
        "<<[UNRESOLVED who]>>\nWho pays?\n<<[/UNRESOLVED]>>",
        "<<[UNRESOLVED]>>\n\nIt is TBD.\n\n- by whom?\n- when\n\n<<[/UNRESOLVED]>>",
        "- <<[UNRESOLVED]>> one\n- two <<[/UNRESOLVED]>>",
        "It starts on `<TBD date>` and ends on <tbd>.",
        "<TBD owner>",
        "Kept for [TBD: how long] days (tbc).",
        "La durée est à définir. 超时时间待定。",
        "| Feld | Wert |\n|---|---|\n| Frist | offen |\n| Ort | noch offen |",
        "We may need a queue for that.",
        "These are the limits.",
        "**Limits**\n\nIt could be ten.\n\nOr it is two.",
        "**How many?**\n\nWe said ten once.",
        "Which one?\n\n- this\n- that",
        "Which one?\n\n**Answer:** this.",
        "1. Which one?\n  - this\n2. Who?\n   - **Decision:** we",
        "## Offene Fragen",
        "### Options",
        "It could be either:\n\n- a month\n- a year",
        "None at this time.",
    ]);
    proptest::collection::vec(block, 0..12).prop_map(|blocks| blocks.join("\n\n") + "\n")
}

proptest::proptest! {
    #[test]
    fn any_source_has_one_inventory_and_names_no_gap_twice(text in proptest::prop_oneof![markdown(), "\\PC{0,200}"]) {
        let document = Document::parse(&text);
        let declared = declared_gaps(&document);
        let mut seen = std::collections::BTreeSet::new();
        for gap in &declared {
            // An id that two items of a section have is the author's own.
            let is_own = ["GAP-AA-001", "GAP-AA-002"].contains(&gap.id.to_string().as_str());
            proptest::prop_assert!(seen.insert(&gap.id) || is_own, "{} twice", gap.id);
            proptest::prop_assert!(gap.line >= 1 && gap.line as usize <= text.lines().count().max(1));
        }
        proptest::prop_assert_eq!(&declared, &declared_gaps(&Document::parse(&text)));
        near_misses(&document);
    }

    #[test]
    fn whatever_is_declared_can_be_settled(text in markdown()) {
        let declared = declared_gaps(&Document::parse(&text));
        let ids: std::collections::BTreeSet<_> = declared.iter().map(|gap| &gap.id).collect();
        proptest::prop_assume!(ids.len() == declared.len());
        let refined = refine(&text, &accepted(&declared), &[], &[]);
        proptest::prop_assert!(refined.is_ok(), "{:?}", refined);
    }

    #[test]
    fn whatever_is_settled_is_not_declared_again(text in blocks()) {
        let declared = declared_gaps(&Document::parse(&text));
        let ids: std::collections::BTreeSet<_> = declared.iter().map(|gap| &gap.id).collect();
        proptest::prop_assume!(ids.len() == declared.len());
        let refined = refine(&text, &accepted(&declared), &[], &[]).unwrap();
        let spec = refined.text;
        proptest::prop_assert_eq!(still_declared(&spec), [""; 0], "{}", spec);
        for gap in &declared {
            let text = format!("The answer to line {}.", gap.line);
            proptest::prop_assert!(spec.contains(&text), "{} is set aside\n{}", gap.id, spec);
        }
    }
}

/// An answer to each gap that names no change.
fn accepted(declared: &[DeclaredGap]) -> Vec<Accepted> {
    let accepted = declared.iter().map(|gap| {
        let text = format!("The answer to line {}.", gap.line);
        let resolution = Resolution {
            gap: gap.id.clone(),
            description: gap.description.clone(),
            place: Place {
                line: Some(gap.line),
                section: gap.section.clone(),
            },
            heading: None,
            hash: TextHash::of(&text),
            text,
        };
        Accepted {
            resolution,
            changes: Vec::new(),
            settled_with: None,
            round: 1,
        }
    });
    accepted.collect()
}

fn settled(source: &str, declared: &[DeclaredGap]) -> String {
    refine(source, &accepted(declared), &[], &[]).unwrap().text
}

#[test]
fn settled_marks_become_pointers_and_are_not_declared_again() {
    let source = "# S\n\n## Limits\n\nThe timeout is TBD. It waits.\n\nTODO: the size of a page.\n\n\
                  Kept for [NEEDS CLARIFICATION: how long?].\n\n## Open questions\n\n- [ ] Who pays?\n- OQ-1: where\n";
    let declared = declared_gaps(&Document::parse(source));
    assert_eq!(declared.len(), 5);
    let spec = settled(source, &declared);
    for gone in [
        "TBD",
        "TODO",
        "NEEDS CLARIFICATION",
        "Who pays?\n",
        "OQ-1: where",
    ] {
        let stands = spec
            .lines()
            .any(|line| !line.starts_with('#') && line.contains(gone.trim_end()));
        assert!(!stands, "{gone}\n{spec}");
    }
    assert!(spec.contains("The timeout is defined in ["), "{spec}");
    assert_eq!(inventory(&spec), [""; 0], "{spec}");
}

/// What a spec declares in which everything was settled. A mark in a heading stays until a change takes it out, and a row of a table
/// keeps its id beside the pointer.
fn still_declared(spec: &str) -> Vec<String> {
    let mut left = inventory(spec);
    left.retain(|gap| !gap.contains("B (TBD)") && !gap.contains(" Settled: see ["));
    left
}

/// Settles everything, and gives what of the source no longer stands there.
#[track_caller]
fn replaced(source: &str) -> Vec<String> {
    let declared = declared_gaps(&Document::parse(source));
    let spec = settled(source, &declared);
    assert_eq!(still_declared(&spec), [""; 0], "{spec}");
    let stands = |line: &&str| !spec.lines().any(|other| other == *line);
    source.lines().filter(stands).map(str::to_owned).collect()
}

#[test]
fn every_place_that_declares_a_settled_gap_points_to_its_part() {
    assert_eq!(
        replaced(
            "# S\n\nText.\n\n## Open questions\n\n- OQ-1: how many\n\n## Open issues\n\n\
             | ID | Question |\n|---|---|\n| OQ-1 | how many, again |\n\nMore text.\n"
        ),
        ["- OQ-1: how many", "| OQ-1 | how many, again |"]
    );
    assert_eq!(
        replaced(
            "# S\n\n## A\n\nIt is [NEEDS CLARIFICATION: how long\n\nMore.\n\n## B (TBD)\n\nText.\n"
        ),
        ["It is [NEEDS CLARIFICATION: how long"]
    );
}

#[test]
fn a_settled_block_is_one_pointer() {
    assert_eq!(
        replaced(
            "# S\n\n## A\n\nText.\n\n<<[UNRESOLVED who]>>\nWho pays?\n<<[/UNRESOLVED]>>\n\nMore.\n"
        ),
        ["<<[UNRESOLVED who]>>", "Who pays?", "<<[/UNRESOLVED]>>"]
    );
    assert_eq!(
        replaced(
            "# S\n\n## A\n\n<<[UNRESOLVED]>>\n\nIt is TBD.\n\n- by whom?\n- when\n\n<<[/UNRESOLVED]>>\n\nMore.\n"
        ),
        [
            "<<[UNRESOLVED]>>",
            "It is TBD.",
            "- by whom?",
            "- when",
            "<<[/UNRESOLVED]>>"
        ]
    );
}
