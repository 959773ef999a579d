//! Whole small specs, as a person would read them.

use super::*;
use gapless_domain::{Severity, TextHash};

/// An accepted text that names no change.
fn resolution(gap: &str, place: (Option<u32>, Option<&str>), what: &str, text: &str) -> Accepted {
    Accepted {
        resolution: Resolution {
            gap: gap.parse().unwrap(),
            description: what.to_owned(),
            place: Place {
                line: place.0,
                section: place.1.map(str::to_owned),
            },
            heading: None,
            hash: TextHash::of(text),
            text: text.to_owned(),
        },
        changes: Vec::new(),
        round: 1,
    }
}

/// The text of a refined spec.
fn refined(source: &str, accepted: &[Accepted], limitations: &[Limitation]) -> String {
    refine(source, accepted, limitations, &[]).unwrap().text
}

fn left(id: &str, what: LimitationKind, rationale: Option<&str>) -> Limitation {
    Limitation {
        id: id.to_owned(),
        severity: Severity::Medium,
        gap: Some("GAP-AA-009".parse().unwrap()),
        what,
        text: "It is open\nhow long.".to_owned(),
        rationale: rationale.map(str::to_owned),
    }
}

const SHOP: &str = "\
# Shop

Sells things. The currency is TBD (GAP-CUR-001).

## Orders

An order has lines [GAP-ORD-002].

### States

Open and done.

## Payment

Card only.

## Known gaps

- [ ] GAP-CUR-001 [LOW] (section: Payment): No currency is named
  - neither in orders
- GAP-ORD-001 [HIGH]: The limits of an order are missing.

  They matter.
- GAP-ORD-003: stays open
";

fn shop() -> Vec<Accepted> {
    vec![
        resolution(
            "GAP-ORD-001",
            (Some(22), Some("orders")),
            "The limits of an order are missing.",
            "At most 99 lines.\n\n### Examples\n\nNone\n",
        ),
        resolution(
            "GAP-CUR-001",
            (Some(20), Some("Payment")),
            "No currency is named",
            "#### Currency\n\nEuro.\n\n##### Rounding\n\nHalf up.\n\n### Examples\n\n`1.005` is `1.01`.",
        ),
        resolution(
            "GAP-ORD-002",
            (None, Some("2. Order lines, in Orders")),
            "What is a line?",
            "Limits of an order\n===\n\nA line is a product and a count:\n\n```json\n{ \"n\": 1 ",
        ),
        resolution(
            "GAP-ZZ-001",
            (None, None),
            "zz",
            "Elsewhere.\n\n# Deep\n## Deeper",
        ),
    ]
}

#[test]
fn a_shop_with_gaps_in_a_list() {
    let limitations = [
        left("GAP-AA-009", LimitationKind::Deferred, Some("later")),
        left("ISSUE-R1-001", LimitationKind::Objection, None),
    ];
    insta::assert_snapshot!(refined(SHOP, &shop(), &limitations));
}

#[test]
fn gaps_in_tables_below_their_sections() {
    let source = "\
# Grammar

## 4. Nodes

Words.

### 4.3 GAPS

| Gap | Description | Impact |
|---|---|---|
| **GAP-GR-001** | Depth limits unspecified. Max depth? | recursion |
| **GAP-GR-002** | Negative patterns missing | noise |

## 5. Types

See GAP-GR-001.
";
    let resolutions = [resolution(
        "GAP-GR-001",
        (Some(11), None),
        "Depth limits unspecified. Max depth?",
        "At most 64 levels | deep.",
    )];
    insta::assert_snapshot!(refined(source, &resolutions, &[]));
}

#[test]
fn one_text_for_two_gaps_is_one_part_and_equal_titles_are_told_apart() {
    let source = "# A\n\nintro\n\n## One\n\ntext\n\n## Two\n\ntext\n";
    let of = |gap, section, text| resolution(gap, (None, Some(section)), "the limits", text);
    let mut resolutions = [
        of("GAP-AA-001", "One", "Both."),
        of("GAP-AA-002", "Two", "Both."),
        of("GAP-AA-003", "One", "#### The limits\n\nOther."),
        of("GAP-AA-004", "Two", "#### Two\n\nThird."),
        of("GAP-AA-005", "Two", "#### The limits\n\nFourth."),
        of("GAP-AA-006", "Two", "#### The limits\n\nFourth."),
    ];
    for both in &mut resolutions[..2] {
        both.resolution.heading = Some("Revision: GAP-AA-001 + GAP-AA-002".to_owned());
    }
    insta::assert_snapshot!(refined(source, &resolutions, &[]));
}

#[test]
fn sources_of_every_form_are_taken() {
    let here = |section| {
        [resolution(
            "GAP-AA-001",
            (None, section),
            "No limits",
            "Ten.\n\n<!-- gapless: end GAP-AA-001 -->\n\n<!-- open",
        )]
    };
    let part = "### Details\n\nTen.\n\n<!-- gapless; end GAP-AA-001 -->\n\n<!-- open\n-->\n";
    let further = format!("## Further definitions\n\n{part}");
    for (source, section, expected) in [
        ("", None, further.clone()),
        ("no heading", None, format!("no heading\n\n{further}")),
        (
            "\u{feff}# T\n\n## A",
            Some("A"),
            format!("\u{feff}# T\n\n## A\n\n{part}"),
        ),
        (
            "# T\r\n\r\nx",
            None,
            format!("# T\r\n\r\nx\r\n\r\n{}", further.replace('\n', "\r\n")),
        ),
        (
            "A\n---\ntext\n\nB\n---\n",
            Some("A"),
            format!("A\n---\ntext\n\n{part}\nB\n---\n"),
        ),
        (
            "## A\n  ## B\n",
            Some("A"),
            format!("## A\n\n{part}\n  ## B\n"),
        ),
        (
            "## A\n\n```\nopen",
            Some("A"),
            format!("## A\n\n```\nopen\n```\n\n{part}"),
        ),
        (
            "## A\n\n<!-- x",
            None,
            format!("## A\n\n<!-- x\n-->\n\n{further}"),
        ),
        (
            "- # L\n\n> ## Q\n",
            Some("Q"),
            format!("- # L\n\n> ## Q\n\n{further}"),
        ),
    ] {
        assert_eq!(refined(source, &here(section), &[]), expected, "{source:?}");
    }
    for untouched in ["", "# T", "```\nopen", "a\r\n"] {
        assert_eq!(refined(untouched, &[], &[]), untouched);
    }
}

#[test]
fn definitions_of_links_stay_in_their_part() {
    let source = "## A\n\nSee [x] and [y].\n\n[y]: source\n";
    let texts = "#### T\n\n[x] [own]\n\n[x]: theirs\n[own]: mine\n";
    let resolutions = [resolution("GAP-AA-001", (None, Some("A")), "t", texts)];
    let spec = refined(source, &resolutions, &[]);
    assert!(spec.contains("\n\\[x]: theirs\n[own]: mine\n"), "{spec}");
}

#[test]
fn four_mebibytes_and_five_hundred_gaps_are_no_trouble() {
    let mut source = "# Big\n\n".to_owned();
    for number in 1..=500 {
        source += &format!(
            "## Section {number}\n\n- GAP-BIG-{number:03}: no limits of widget{number}\n\n"
        );
        source += &"Some filling words that say little, [GAP-BIG-001] aside.\n\n".repeat(145);
    }
    assert!(source.len() > 4 << 20);
    let resolutions: Vec<Accepted> = (1..=500)
        .map(|number| {
            let gap = format!("GAP-BIG-{number:03}");
            resolution(
                &gap,
                (Some(3 + (number - 1) * 294), None),
                "no limits",
                &format!("#### Limits of widget{number}\n\nTen.\n"),
            )
        })
        .collect();
    let spec = refined(&source, &resolutions, &[]);
    assert_eq!(spec.matches("\n### Limits of widget").count(), 500);
}

#[test]
fn four_mebibytes_and_five_hundred_gaps_with_changes_are_no_trouble() {
    use gapless_domain::{ChangeKind, ChangeText};
    let mut source = "# Big\n\n".to_owned();
    for number in 1..=500 {
        source += &format!(
            "## Section {number}\n\nWidget{number} waits a while.\n\n- GAP-BIG-{number:03}: no limits of widget{number}\n- other{number}\n\n"
        );
        source += &"Some filling words that say little about anything at all.\n\n".repeat(142);
    }
    assert!(source.len() > 4 << 20);
    let of = |number: u32, kind: ChangeKind, old: Option<String>, new: String| Accepted {
        changes: vec![ChangeText {
            kind,
            section: Some(format!("Section {number}")),
            after: None,
            old,
            new: Some(new),
            line: 0,
        }],
        ..resolution(
            &format!("GAP-BIG-{number:03}"),
            (None, None),
            "no limits",
            "Ten.",
        )
    };
    let accepted: Vec<Accepted> = (1..=500)
        .map(|number| {
            let old = Some(format!("Widget{number} waits a while."));
            let new = format!("Widget{number} waits 5 s.");
            match number % 3 {
                0 => of(number, ChangeKind::Replace, old, new),
                1 => of(number, ChangeKind::AddAfter, old, new),
                _ => of(number, ChangeKind::AddToSection, None, new),
            }
        })
        .collect();
    let refined = refine(&source, &accepted, &[], &[]).unwrap();
    assert_eq!(refined.displaced, []);
    assert_eq!(refined.text.matches(" waits 5 s.\n").count(), 500);
    assert_eq!(refined.text.matches("no limits").count(), 0);
}

#[test]
fn limitations_of_an_earlier_session_are_gone_on_with() {
    let left_before = [
        left("GAP-AA-009", LimitationKind::Deferred, Some("later")),
        left("ISSUE-R1-001", LimitationKind::Objection, None),
    ];
    let source = refined("# A lamp\r\n\r\nWords.\r\n", &[], &left_before);
    let settled = [resolution(
        "GAP-AA-009",
        (Some(9), None),
        "what it is",
        "#### Height\n\nAt most 2 m.",
    )];
    let left_now = [left(
        "GAP-AA-010",
        LimitationKind::Deferred,
        Some("next year"),
    )];
    let spec = refined(&source, &settled, &left_now);
    assert!(!spec.replace("\r\n", "").contains('\n'));
    let spec = spec.replace("\r\n", "\n");
    let (_, section) = spec.split_once("## Known limitations\n").unwrap();
    insta::assert_snapshot!(section);
    // Once more, nothing is said twice.
    let again = refined(&spec, &[], &left_now);
    assert_eq!(again, spec);
}

#[test]
fn what_an_earlier_session_left_open_goes_once_it_is_settled() {
    let left_before = [left("GAP-AA-009", LimitationKind::Deferred, Some("later"))];
    let source = refined("# A lamp\n\nWords.\n", &[], &left_before);
    assert!(
        source.contains("- It is open how long. Deferred: later.\n"),
        "{source}"
    );
    let text = "#### Height\n\nAt most 2 m.";
    let settled = [resolution(
        "GAP-AA-009",
        (Some(3), None),
        "it is open how long",
        text,
    )];
    let spec = refined(&source, &settled, &[]);
    assert!(!spec.contains("Known limitations"), "{spec}");
}
