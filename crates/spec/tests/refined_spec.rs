//! What always holds of a refined spec, over random sources and resolutions with hostile endings. The oracle knows what
//! it built the source of, and shares nothing with the assembling or its own check.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use gapless_domain::ids::GapId;
use gapless_domain::severity::Severity;
use gapless_spec::{Limitation, LimitationKind, Place, Resolution, refine};
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
    resolutions: Vec<Resolution>,
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
        .prop_map(|(start, end)| format!("{start}Text.\n\n{end}"));
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
            let mut resolutions = Vec::new();
            for (index, text, section) in chosen {
                let gap = gap(index.index(18) + 1);
                let entry = format!("- {gap} [");
                let line = source
                    .lines()
                    .position(|line| line.starts_with(&entry))
                    .map(|at| u32::try_from(at + 1).unwrap());
                if seen.insert(gap.clone()) {
                    resolutions.push(Resolution {
                        description: format!("No limits of {gap}"),
                        gap,
                        place: Place {
                            line,
                            section: section.map(str::to_owned),
                        },
                        heading: None,
                        text,
                    });
                }
            }
            Case {
                blocks,
                source,
                resolutions,
            }
        })
}

/// The lines of a spec that belong to no part.
fn outside(spec: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = 0;
    for line in spec.lines() {
        let line = line.trim_end_matches('\r').trim_start_matches('\u{feff}');
        let begins =
            line.starts_with("<!-- gapless: GAP-") || line.starts_with("<!-- gapless: known");
        let ends = line.starts_with("<!-- gapless: end ");
        inside += usize::from(begins);
        if inside == 0 {
            lines.push(line.to_owned());
        }
        inside -= usize::from(ends);
    }
    assert_eq!(inside, 0, "{spec}");
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_refined_spec_keeps_the_source_and_has_every_resolution_once(case in cases()) {
        let limitation = Limitation {
            id: "GAP-LEFT-001".to_owned(),
            severity: Severity::Low,
            gap: Some("GAP-LEFT-001".parse().unwrap()),
            what: LimitationKind::NotResolved,
            text: "left\n```\n<!-- gapless: GAP-PROP-004 -->".to_owned(),
            rationale: None,
        };
        let spec = refine(&case.source, &case.resolutions, std::slice::from_ref(&limitation)).unwrap();
        let accepted: BTreeSet<&GapId> = case.resolutions.iter().map(|r| &r.gap).collect();

        // Each accepted gap exactly once, and nothing of any other.
        for number in 1..=20 {
            let gap = gap(number);
            let times = |what: String| spec.matches(&format!("<!-- gapless: {what} -->")).count();
            let expected = usize::from(accepted.contains(&gap));
            prop_assert_eq!(times(gap.to_string()), expected, "{}", spec);
            prop_assert_eq!(times(format!("end {gap}")), expected, "{}", spec);
            prop_assert!(expected == 1 || times(format!("settled {gap}")) == 0, "{}", spec);
        }
        prop_assert!(!spec.chars().any(|c| c.is_control() && !"\r\n\t".contains(c)), "{}", spec);

        // Every line of the source stands outside the parts, in order; where an accepted gap is declared, a pointer does.
        let lines = outside(&spec);
        let mut left = lines.iter();
        for (line, on) in case.blocks.iter().flat_map(|block| &block.lines) {
            let touched = on.as_ref().is_some_and(|gap| accepted.contains(gap));
            let is = |other: &&String| match touched {
true => other.contains("<!-- gapless: settled "),
                false => *other == line,
            };
            prop_assert!(left.any(|other| is(&other)), "{line} is gone:\n{}", spec);
        }

        // What stands behind the parts is read as what it is: the last section is a section of the document.
        let titles = headings(&spec);
        prop_assert_eq!(titles.last().map(String::as_str), Some("Known limitations"), "{}", spec);
        let own = headings(&case.source);
        let mut found = titles.iter();
        for title in &own {
            prop_assert!(found.any(|other| other == title), "{title} is no heading:\n{}", spec);
        }

        // The order in which gaps were accepted does not show.
        let mut backwards = case.resolutions.clone();
        backwards.reverse();
        prop_assert_eq!(refine(&case.source, &backwards, &[limitation]).unwrap(), spec);
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
        let resolution = |number: usize, line| Resolution {
            gap: gap(number * 2 + 1),
            description: texts[number].concat(),
            place: Place { line, section: section.map(str::to_owned) },
            heading: None,
            text: texts[number].concat(),
        };
        let resolutions = [resolution(0, line), resolution(1, None)];
        let spec = refine(&source.concat(), &resolutions, &[]).unwrap();
        for gap in [gap(1), gap(3)] {
            prop_assert_eq!(spec.matches(&format!("<!-- gapless: {gap} -->")).count(), 1, "{}", spec);
        }
        prop_assert!(!spec.contains(&format!("<!-- gapless: settled {} -->", gap(2))), "{}", spec);
    }
}

/// The headings of the document itself.
fn headings(text: &str) -> Vec<String> {
    let document = gapless_markdown::Document::parse(text);
    document.headings.into_iter().map(|h| h.title).collect()
}
