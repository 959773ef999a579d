//! What always holds of a refined spec, over random sources and resolutions with hostile endings. The oracle knows what
//! it built the source of, and shares nothing with the assembling or its own check.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use gapless_domain::{GapId, Severity, TextHash};
use gapless_spec::{Accepted, Limitation, LimitationKind, Place, Resolution, refine};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A block of a source: its lines, and the gaps whose entries or placeholders are on each of them.
#[derive(Debug, Clone)]
struct Block {
    lines: Vec<(String, Option<GapId>)>,
}

fn gap(number: usize) -> GapId {
    GapId::new("PROP", u16::try_from(number).unwrap()).unwrap()
}

fn plain(text: &str) -> Block {
    Block {
        lines: text.lines().map(|line| (line.to_owned(), None)).collect(),
    }
}

/// Blocks that stand on their own whatever is around them, with numbers so that each is unlike the others.
fn block(kind: u8, number: usize) -> Block {
    match kind {
        0 => plain(&format!("# Title {number}")),
        1 => plain(&format!("## Section {number}")),
        2 => plain(&format!("### Part {number}")),
        3 => plain(&format!("Setext {number}\n---")),
        4 => plain(&format!(
            "Words of paragraph {number}\nover two lines, and `code {number}`."
        )),
        5 => plain(&format!(
            "- item {number}\n  - nested {number}\n- last of {number}"
        )),
        6 => plain(&format!(
            "```text\n## fenced {number}\n- GAP-PROP-001: {number}\n```"
        )),
        7 => plain(&format!("<div>\nhtml {number}\n</div>")),
        8 => plain(&format!("> ## quoted {number}\n> words")),
        9 => plain(&format!("| a{number} | b |\n|---|---|\n| c{number} | d |")),
        10 => plain(&format!(
            "<!-- comment {number}: GAP-PROP-001\n\n## not a heading -->"
        )),
        11 => Block {
            lines: vec![
                (format!("- before {number}"), None),
                (
                    format!("- {} [HIGH]: what {number} lacks", gap(number)),
                    Some(gap(number)),
                ),
                (format!("- after {number}"), None),
            ],
        },
        12 => Block {
            lines: vec![
                ("| Gap | What |".to_owned(), None),
                ("|---|---|".to_owned(), None),
                (
                    format!("| {} | limits of {number} missing |", gap(number)),
                    Some(gap(number)),
                ),
                (format!("| row {number} | x |"), None),
            ],
        },
        _ => Block {
            lines: vec![(
                format!("The limit {number} is TBD ({}).", gap(number)),
                Some(gap(number)),
            )],
        },
    }
}

const ENDINGS: [&str; 22] = [
    "",
    "```json\n{",
    "~~~~",
    "````\n```\n",
    "<!-- never closed",
    "<!-- gapless: GAP-PROP-001 -->",
    "<!-- gapless: end GAP-PROP-002 -->\n<!-- gapless: settled GAP-PROP-003 -->",
    "<pre>\n\nopen",
    "<script>",
    "<style>\n\n# x",
    "<?php",
    "<![CDATA[",
    "<!DOCTYPE",
    "<div>\n<table>",
    "- list\n\n  ```\n  open in it",
    "> quote\n> ```",
    "    indented",
    "Setext\n===",
    "# Title\n## Section 2\n### Examples\n\nNone",
    "\u{1b}[2J\u{0}\u{202e}\rcarriage",
    "| a | b |\n|---|---|",
    "[label]: somewhere\n[x]",
];

#[derive(Debug, Clone)]
struct Case {
    blocks: Vec<Block>,
    source: String,
    accepted: Vec<Accepted>,
}

/// A text that names no change.
fn accepted(gap: GapId, place: Place, text: String) -> Accepted {
    Accepted {
        resolution: Resolution {
            description: format!("No limits of {gap}"),
            gap,
            place,
            heading: None,
            hash: TextHash::of(&text),
            text,
        },
        changes: Vec::new(),
        settled_with: None,
        round: 1,
    }
}

/// A sentence that only the text for this gap has.
fn sentence(gap: &GapId) -> String {
    format!("It is so for widget{}.", gap.number())
}

fn cases() -> impl Strategy<Value = Case> {
    let text = (
        select(&[
            "",
            "#### A title\n\n",
            "### One\n\na\n\n### Two\n\n",
            "Words.\n\n",
        ]),
        select(&ENDINGS),
    )
        .prop_map(|(start, end)| (start, end));
    let resolution = (
        any::<Index>(),
        text,
        select(&[None, Some("Section 3"), Some("part"), Some("1")]),
    );
    (
        prop::collection::vec(0u8..14, 0..14),
        prop::collection::vec(resolution, 0..6),
        any::<bool>(),
        any::<bool>(),
        select(&[
            "",
            "\n",
            "\n\n\n",
            "\n\n```\nopen",
            "\n\n<!-- open",
            "\n\n<pre>\nopen",
        ]),
    )
        .prop_map(|(kinds, chosen, crlf, mark, end)| {
            let blocks: Vec<Block> = kinds
                .iter()
                .enumerate()
                .map(|(index, kind)| block(*kind, index + 1))
                .collect();
            let texts: Vec<String> = blocks
                .iter()
                .map(|block| {
                    let lines: Vec<&str> =
                        block.lines.iter().map(|(line, _)| line.as_str()).collect();
                    lines.join("\n")
                })
                .collect();
            let mut source = texts.join("\n\n") + end;
            if crlf {
                source = source.replace('\n', "\r\n");
            }
            if mark {
                source.insert(0, '\u{feff}');
            }
            let mut seen = BTreeSet::new();
            let mut all = Vec::new();
            for (index, (start, end), section) in chosen {
                let gap = gap(index.index(18) + 1);
                let text = format!("{start}{}\n\n{end}", sentence(&gap));
                let entry = format!("- {gap} [");
                let line = source
                    .lines()
                    .position(|line| line.starts_with(&entry))
                    .map(|at| u32::try_from(at + 1).unwrap());
                if seen.insert(gap.clone()) {
                    let place = Place {
                        line,
                        section: section.map(str::to_owned),
                    };
                    all.push(accepted(gap, place, text));
                }
            }
            Case {
                blocks,
                source,
                accepted: all,
            }
        })
}

/// A line that says where something is settled.
fn is_pointer(line: &str) -> bool {
    [
        "Settled: see [",
        "settled in [",
        "Defined in [",
        "defined in [",
    ]
    .iter()
    .any(|words| line.contains(words))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_refined_spec_keeps_the_source_and_has_every_resolution_once(case in cases()) {
        let limitations = [Limitation {
            id: "GAP-LEFT-001".to_owned(),
            severity: Severity::Low,
            gap: Some("GAP-LEFT-001".parse().unwrap()),
            what: LimitationKind::NotResolved,
            text: "left\n```\n<!-- gapless: GAP-PROP-004 -->".to_owned(),
            rationale: None,
        }];
        let refined = refine(&case.source, &case.accepted, &limitations, &[]).unwrap();
        let spec = &refined.text;
        let accepted: BTreeSet<&GapId> = case.accepted.iter().map(|one| &one.resolution.gap).collect();

        // Each accepted text exactly once, nothing of any other, and both said in the trace.
        for number in 1..=20 {
            let gap = gap(number);
            let times = spec.lines().filter(|line| line.trim() == sentence(&gap)).count();
            prop_assert_eq!(times, usize::from(accepted.contains(&gap)), "{}", spec);
        }
        let traced: BTreeSet<&GapId> = refined.trace.iter().map(|one| &one.gap).collect();
        prop_assert_eq!(&traced, &accepted);
        prop_assert!(!spec.chars().any(|c| c.is_control() && !"\r\n\t".contains(c)), "{}", spec);
        prop_assert!(!spec.contains("<!-- gapless:"), "{}", spec);

        // Every line of the source is there, in order; where an accepted gap is declared, a pointer is.
        let ends = if case.source.contains("\r\n") { "\r\n" } else { "\n" };
        let mut left = spec.trim_start_matches('\u{feff}').split(ends);
        for (line, on) in case.blocks.iter().flat_map(|block| &block.lines) {
            let touched = on.as_ref().is_some_and(|gap| accepted.contains(gap));
            let is = |other: &str| match touched {
                true => is_pointer(other),
                false => other == line,
            };
            prop_assert!(left.any(is), "{line} is gone:\n{}", spec);
        }

        // What is behind the parts is read as what it is: the last section is a section of the document.
        let titles = headings(spec);
        prop_assert_eq!(titles.last().map(String::as_str), Some("Known limitations"), "{}", spec);
        prop_assert!(!titles.iter().any(|title| title.contains("GAP-")), "{}", spec);
        let own = headings(&case.source);
        let mut found = titles.iter();
        for title in &own {
            prop_assert!(found.any(|other| other == title), "{title} is no heading:\n{}", spec);
        }

        // Where no text names a change, the order in which gaps were accepted does not show.
        let mut backwards = case.accepted.clone();
        backwards.reverse();
        prop_assert_eq!(&refine(&case.source, &backwards, &limitations, &[]).unwrap().text, spec);
    }
}

/// Pieces of which anything may be put together, sensible or not.
const PIECES: [&str; 40] = [
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "# A",
    "## B",
    "- ",
    "> ",
    "    ",
    "  ",
    "\t",
    "1. ",
    "+ ",
    "```",
    "~~~",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<div>",
    "<?",
    "<a\n",
    "===\n",
    "---\n",
    "| a | b |\n|---|---|\n",
    "| GAP-PROP-001 | x |",
    "GAP-PROP-001: x",
    "GAP-PROP-002: y",
    "GAP-PROP-003: z",
    "TBD (GAP-PROP-001)",
    "[GAP-PROP-001]",
    "[ ] ",
    "word",
    "[x]: y",
    "\u{feff}",
    "é",
    "\u{0}",
    "*",
    "`",
    "\\",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_source_and_any_text_give_a_spec_that_holds(
        source in prop::collection::vec(select(&PIECES), 0..24),
        texts in prop::collection::vec(prop::collection::vec(select(&PIECES), 0..12), 2),
        section in select(&[None, Some("B")]),
        line in prop::option::of(1u32..8),
    ) {
        let of = |number: usize, line| {
            let place = Place { line, section: section.map(str::to_owned) };
            accepted(gap(number * 2 + 1), place, texts[number].concat())
        };
        let refined = refine(&source.concat(), &[of(0, line), of(1, None)], &[], &[]).unwrap();
        let traced: BTreeSet<GapId> = refined.trace.iter().map(|one| one.gap.clone()).collect();
        prop_assert_eq!(traced, BTreeSet::from([gap(1), gap(3)]), "{}", refined.text);
        prop_assert!(!refined.text.contains("gapless"), "{}", refined.text);
    }
}

/// The headings of the document itself.
fn headings(text: &str) -> Vec<String> {
    let document = gapless_markdown::Document::parse(text);
    document.headings.into_iter().map(|h| h.title).collect()
}
