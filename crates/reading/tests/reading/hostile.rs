//! Hostile documents: none panics, hangs or slips through. There is no clock here: what isn't linear shows as a test run
//! that takes minutes and not seconds.

use crate::support::{ENGINEER, GAPS, Known, REVIEWER, addressed, reviewer, tolerant, warned};
use gapless_domain::config::Strictness;
use gapless_domain::failure::FailureType;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_reading::read::{declared_gaps, read_editor, read_status, sections};
use gapless_reading::validate::{Checked, validate};

/// Reads a text as everything that it could be taken for.
fn read_in_every_way(text: &str) -> Vec<(Role, Strictness, Checked)> {
    let document = Document::parse(text);
    read_status(&document);
    let _ = read_editor(&document);
    sections(&document);
    declared_gaps(&document);
    let mut all = Vec::new();
    // Large documents are read in one mode: strict does nothing that tolerant doesn't.
    let modes: &[Strictness] = match text.len() {
        0..100_000 => &[Strictness::Tolerant, Strictness::Strict],
        _ => &[Strictness::Tolerant],
    };
    for role in Role::ALL {
        for mode in modes {
            if text.len() < 100_000 {
                validate(role, Some(text), *mode, &Known::record(&GAPS));
            }
            let checked = validate(role, Some(text), *mode, &Known::assigned(&GAPS));
            all.push((role, *mode, checked));
        }
    }
    all
}

#[track_caller]
fn never_valid(text: &str) {
    for (role, mode, checked) in read_in_every_way(text) {
        assert!(!checked.result.success, "{role:?} {mode:?}");
        assert!(checked.reading.is_none());
        assert!(
            checked.result.message.len() < 2000,
            "a message that nobody reads"
        );
    }
}

#[test]
fn empty_documents() {
    for text in [
        "",
        " ",
        "\n\n\t \r\n",
        "\u{feff}",
        "\u{feff} \n",
        "\u{a0}\u{2003}\n",
    ] {
        never_valid(text);
        let result = tolerant(Role::Engineer, text).result;
        assert_eq!(result.failure_type, Some(FailureType::EmptyOutput));
    }
    let missing = validate(
        Role::Engineer,
        None,
        Strictness::Tolerant,
        &Known::assigned(&GAPS),
    );
    assert_eq!(missing.result.failure_type, Some(FailureType::FileMissing));
}

#[test]
fn ten_megabytes_of_text() {
    never_valid(
        &"A parcel that nobody takes in, see GAP-FLOW-001.\n".repeat(10 * 1024 * 1024 / 49),
    );
}

#[test]
fn one_line_of_five_megabytes() {
    never_valid(&"x".repeat(5 * 1024 * 1024));
    never_valid(&"GAP-FLOW-001 ".repeat(5 * 1024 * 1024 / 13));
}

#[test]
fn a_heading_that_names_a_hundred_thousand_gaps() {
    let ids: String = (0..100_000)
        .map(|n| format!(" GAP-{}{}-{:03}", letters(n / 999), "XY", n % 999 + 1))
        .collect();
    let body = "text with ISSUE-R1-001\n".repeat(1000);
    never_valid(&format!("## Gap Resolution:{ids}\n\n{body}"));
    let review = format!("## Review:{ids}\n\n### High Priority\n\n- **ISSUE-R1-001**: x\n\n{body}");
    assert!(!tolerant(Role::Reviewer, &review).result.success);
}

fn letters(n: usize) -> String {
    let letter = |n: usize| char::from(b'A' + u8::try_from(n % 26).unwrap());
    [letter(n / 676), letter(n / 26), letter(n)]
        .iter()
        .collect()
}

#[test]
fn binary() {
    let bytes: Vec<u8> = (0..1_000_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    never_valid(&String::from_utf8_lossy(&bytes));
    never_valid(&"\0".repeat(100_000));
}

#[test]
fn deep_nesting() {
    let levels = 10_000;
    never_valid(&format!(
        "{}## Gap Resolution: GAP-FLOW-001",
        "> ".repeat(levels)
    ));
    never_valid(&format!("{}text", ">".repeat(levels)));
    never_valid(&format!("{}GAP-FLOW-001", "- ".repeat(levels)));
    never_valid(&format!("{}text", "1. ".repeat(levels)));
    never_valid(&format!("{}text", "> - ".repeat(levels)));
    let stairs: String = (0..500)
        .map(|n| format!("{}- x\n", "  ".repeat(n)))
        .collect();
    never_valid(&stairs);
    for open in [
        "[", "![", "*", "**a ", "`", "<", "<!-- ", "<a ", "(", "_a", "&", "\\", "|", "{", "[a](",
        "~~~ ",
    ] {
        never_valid(&open.repeat(20_000));
        never_valid(&format!("{open}\n").repeat(10_000));
    }
}

#[test]
fn a_hundred_thousand_headings() {
    let lines = |line: &str| format!("{line}\n\n").repeat(100_000);
    let few = |line: &str| format!("{line}\n\n").repeat(10_000);
    never_valid(&lines("## A heading"));
    never_valid(&"### High Priority\n\n".repeat(10_000));
    never_valid(&"## New Gaps\n\n".repeat(10_000));
    never_valid(&"## Verdict\n\n".repeat(10_000));
    never_valid(&"Setext\n---\n\n".repeat(10_000));
    // The same known gap, with no text: there is nothing in it.
    let bound = lines("## Gap Resolution: GAP-FLOW-001");
    let result = tolerant(Role::Engineer, &bound).result;
    assert_eq!(result.failure_type, Some(FailureType::NoGapsAddressed));
    // And with text: one of them binds.
    let bound = lines("## Gap Resolution: GAP-FLOW-001\n\nThe text.");
    assert_eq!(
        addressed(&tolerant(Role::Engineer, &bound)),
        ["GAP-FLOW-001"]
    );
    let reviews = lines("## Review: GAP-FLOW-001");
    let result = tolerant(Role::Reviewer, &reviews).result;
    assert_eq!(result.failure_type, Some(FailureType::WrongFormat));
    let judged = few("## Review: GAP-FLOW-001\n\n### High Priority\n\n- **ISSUE-R1-001**: x");
    assert_eq!(
        addressed(&tolerant(Role::Reviewer, &judged)),
        ["GAP-FLOW-001"]
    );
}

#[test]
fn thousands_of_gaps_that_do_not_exist() {
    let id = |n: usize| format!("GAP-{}XY-{:03}", letters(n / 999), n % 999 + 1);
    let proposals: String = (0..10_000)
        .map(|n| format!("## Gap Resolution: {}\n\nText.\n\n", id(n)))
        .collect();
    never_valid(&proposals);
    let known = format!("{ENGINEER}\n{proposals}");
    validate(
        Role::Engineer,
        Some(&known),
        Strictness::Tolerant,
        &Known::record(&GAPS),
    );
    let reviews: String = (0..10_000)
        .map(|n| {
            format!(
                "## Review: {}\n\n### High Priority\n\n- **ISSUE-R1-001**: x\n\n",
                id(n)
            )
        })
        .collect();
    never_valid(&reviews);
    let rows: String = (0..10_000)
        .map(|n| format!("| {} | OPEN | HIGH |\n", id(n)))
        .collect();
    let status = format!("| Gap | State | Severity |\n|---|---|---|\n{rows}");
    assert_eq!(read_status(&Document::parse(&status)).gaps.len(), 10_000);
}

#[test]
fn thousands_of_sections_in_other_forms() {
    let id = |n: usize| format!("GAP-{}XY-{:03}", letters(n / 999), n % 999 + 1);
    let reviews = |body: &str| -> String {
        let all = (0..10_000).map(|n| format!("## {}: a title\n\n{body}\n\n", id(n)));
        all.collect()
    };
    for body in [
        "**Verdict:** NEEDS_REVISION",
        "**Something:** Needs another round\n\n- why is it not said?",
        "**Concerns**\n\n- nobody says",
        "**1. A title**\n\n**Issue:** x\n**Fix:** y",
    ] {
        let result = tolerant(Role::Reviewer, &reviews(body)).result;
        assert!(!result.success && result.message.len() < 2000, "{body}");
    }
    for line in [
        "**Concerns**",
        "**A title**",
        "Concerns:",
        "---",
        "**Verdict:** APPROVED",
        "- GAP-FLOW-001: APPROVED",
        "**[HIGH] x**",
        "| a | Severity |\n|---|---|\n| some words | HIGH |",
        "**Issue:** x",
    ] {
        let text = format!("{line}\n\n").repeat(10_000);
        for role in [Role::Reviewer, Role::Engineer] {
            tolerant(role, &text);
            tolerant(role, &format!("## Review: GAP-FLOW-001\n\n{text}"));
        }
    }
    let range = "GAP-FLOW-001 through ".repeat(10_000);
    tolerant(
        Role::Reviewer,
        &format!("## Review: {range}GAP-FLOW-900\n\n**Verdict:** APPROVED\n"),
    );
    tolerant(
        Role::Reviewer,
        &format!(
            "## Review: GAP-FLOW-001{}\n\n**Verdict:** APPROVED\n",
            "/002".repeat(100_000)
        ),
    );
}

#[test]
fn a_hundred_thousand_items() {
    let items = "- **ISSUE-R1-001**: x\n".repeat(100_000);
    never_valid(&items);
    let text = format!("## Review: GAP-FLOW-001\n\n### High Priority\n\n{items}");
    let checked = tolerant(Role::Reviewer, &text);
    assert_eq!(reviewer(&checked).issues.len(), 100);
    assert!(warned(&checked, "TOO_MANY").is_some());
}

#[test]
fn a_hundred_thousand_fences() {
    for fence in ["```\n", "~~~\n", "```rust\n", "````\n```\n"] {
        never_valid(&fence.repeat(100_000));
        tolerant(
            Role::Engineer,
            &format!("{ENGINEER}\n{}", fence.repeat(100_000)),
        );
    }
}

#[test]
fn the_other_roles_document() {
    for text in [ENGINEER, REVIEWER] {
        let valid: Vec<Role> = read_in_every_way(text)
            .into_iter()
            .filter(|(_, _, checked)| checked.result.success)
            .map(|(role, _, _)| role)
            .collect();
        let own = if text == ENGINEER {
            Role::Engineer
        } else {
            Role::Reviewer
        };
        assert_eq!(valid, [own, own]);
    }
}

#[test]
fn gaps_that_do_not_exist() {
    let nothing = Known::assigned(&[]);
    for (role, text) in [(Role::Engineer, ENGINEER), (Role::Reviewer, REVIEWER)] {
        for mode in [Strictness::Tolerant, Strictness::Strict] {
            let checked = validate(role, Some(text), mode, &nothing);
            assert_eq!(
                checked.result.failure_type,
                Some(FailureType::InconsistentRefs)
            );
        }
    }
    // In a record neither, where nothing announces them.
    let checked = validate(
        Role::Engineer,
        Some(ENGINEER),
        Strictness::Tolerant,
        &Known::record(&[]),
    );
    assert!(!checked.result.success);
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    for (role, text) in [(Role::Engineer, ENGINEER), (Role::Reviewer, REVIEWER)] {
        let other = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let checked = tolerant(role, &other);
        assert!(checked.result.success);
        assert_eq!(addressed(&checked), addressed(&tolerant(role, text)));
    }
    let marker = "\u{feff}BLOCKED_NEEDS_INPUT: GAP-FLOW-001: which depot?\n";
    assert_eq!(
        addressed(&tolerant(Role::Engineer, marker)),
        ["GAP-FLOW-001"]
    );
}

#[test]
fn ids_that_only_look_like_one() {
    let all = |id: &str| {
        for text in [ENGINEER, REVIEWER] {
            never_valid(&text.replace("GAP-FLOW-001", id).replace("GAP-FLOW-002", id));
        }
    };
    // Direction marks, joiners and the like, in it and at its ends.
    for mark in [
        '\u{202e}', '\u{202a}', '\u{2066}', '\u{200e}', '\u{200f}', '\u{200b}', '\u{200d}',
        '\u{feff}', '\u{ad}',
    ] {
        all(&format!("GAP-{mark}FLOW-001"));
        all(&format!("GAP-FLOW-0{mark}01"));
        all(&format!("GAP-FLOW-001{mark}"));
        all(&format!("GAP-FLOW-001{mark}a"));
        all(&format!("{mark}GAP-FLOW-001"));
    }
    // Cyrillic and full-width letters, digits of other scripts, other dashes.
    for id in [
        "GАP-FLOW-001",
        "GAP-FLОW-001",
        "GAP-FLOW-001а",
        "GAP-FLOW-٠٠١",
        "ＧＡＰ-FLOW-001",
        "GAP–FLOW–001",
        "GAP−FLOW−001",
    ] {
        all(id);
    }
}

#[test]
fn ansi_escapes() {
    let coloured = |text: &str| {
        text.replace("## ", "\u{1b}[1m## ")
            .replace(" GAP-", " \u{1b}[31mGAP-")
    };
    for text in [ENGINEER, REVIEWER] {
        never_valid(&coloured(text));
    }
    // What is said of a document that is read doesn't repeat them.
    let text = REVIEWER.replace("- **ISSUE", "- \u{1b}]0;title\u{7}**ISSUE");
    let result = tolerant(Role::Reviewer, &text).result;
    let said: String = result.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(!said.contains('\u{1b}') && !result.message.contains('\u{1b}'));
    // Nor does what is said of one that isn't, however long its own words are.
    let title = format!("\u{7f}\u{9b}{}", "long ".repeat(2000));
    let result = tolerant(Role::Editor, &format!("<!-- section: {title} -->\ntext\n")).result;
    assert!(result.message.starts_with("the section") && result.message.len() < 2000);
    assert!(!result.message.contains(char::is_control));
}
