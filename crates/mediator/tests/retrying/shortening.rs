//! Examples cut to their budgets.

use gapless_markdown::Document;
use gapless_mediator::examples::{TRUNCATED, shorten};
use gapless_tokens::{count, estimate};
use proptest::prelude::*;

fn headings(text: &str) -> Vec<String> {
    let document = Document::parse(text);
    let headings = document.headings.iter();
    headings.map(|heading| heading.title.clone()).collect()
}

/// A review of 8,500 characters: twenty issues of some detail and three further sections.
fn long_review() -> String {
    let mut text = "## Review: GAP-FLOW-001\n\n### Critical Issues\n\n".to_owned();
    for number in 1..=20 {
        text += &format!(
            "- **ISSUE-R4-{number:03}**: The proposal doesn't say what becomes of attempt {number} when the clock goes back.\n  \
             - **Location:** Proposed Solution, paragraph {number}\n  - **Impact:** A delivery may be sent twice or never, \
             and the log doesn't show which of the two it was.\n  - **Suggestion:** Count by a clock that only goes forward.\n"
        );
    }
    text += "\n### High Priority\n\n";
    text += &"The order of two deliveries to one endpoint is not kept when the first of them is retried. ".repeat(23);
    text += "\n\n### Medium Priority\n\nNone found.\n\n### Consistency Checks\n\n- [x] times\n- [x] names\n";
    text
}

#[test]
fn what_fits_is_left_as_it_is() {
    let text = "## Review: GAP-FLOW-001\n\n**NO_ISSUES_FOUND**";
    assert_eq!(
        shorten(&format!("\n{text}\n\n"), 1_000).as_deref(),
        Some(text)
    );
    assert_eq!(shorten(" \n", 1_000), None);
    assert_eq!(shorten(text, 5), None, "no room");
    assert_eq!(shorten(text, 0), None);
}

#[test]
fn what_fits_and_looks_long_is_left_as_it_is() {
    let text = format!("## Layout\n\n{}", "════════════════════════\n".repeat(20));
    let budget = count(text.trim());
    assert!(estimate(&text) > budget * 3 / 2, "{budget}");
    assert_eq!(shorten(&text, budget).as_deref(), Some(text.trim()));
}

#[test]
fn what_was_cut_is_not_cut_again() {
    let line = format!("- what is examined {}\n", "\u{fffd}".repeat(40));
    let text = format!("## Review: GAP-FLOW-001\n\n{}", line.repeat(60));
    let cut = shorten(&text, 300).unwrap();
    assert!(cut.ends_with(TRUNCATED) && estimate(&cut) > 400);
    assert_eq!(shorten(&cut, 300).as_deref(), Some(cut.as_str()));
}

#[test]
fn a_long_review_keeps_its_headings_and_how_each_section_begins() {
    let review = long_review();
    assert!(
        (8_000..9_000).contains(&review.chars().count()),
        "{}",
        review.len()
    );
    for budget in [60, 200, 500, 1_000, 1_500] {
        let cut = shorten(&review, budget).unwrap();
        assert!(count(&cut) <= budget, "{} of {budget}", count(&cut));
        assert_eq!(headings(&cut), headings(&review), "{budget}");
        assert!(cut.ends_with(TRUNCATED), "{cut}");
    }
    let cut = shorten(&review, 500).unwrap();
    assert!(
        cut.contains("- **ISSUE-R4-001**: The proposal doesn't say what becomes of attempt 1 when")
    );
    assert!(
        cut.contains("### Medium Priority\n\nNone found.\n\n### Consistency Checks\n\n- [x] times")
    );
    insta::assert_snapshot!(shorten(&review, 160).unwrap());
}

#[test]
fn code_goes_before_prose() {
    let code = format!("```yaml\n{}```", "key: value\n".repeat(300));
    let text = format!(
        "## Gap Resolution: GAP-A-001\n\n### Examples\n\n{code}\n\nIn words: it is a key.\n\n### Trade-offs\n\nNone."
    );
    let cut = shorten(&text, 100).unwrap();
    assert!(
        !cut.contains("```") && cut.contains("In words: it is a key."),
        "{cut}"
    );
}

#[test]
fn without_headings_it_is_cut_hard_and_no_fence_is_left_open() {
    let text = format!(
        "It goes like this:\n\n```\n{}```\n",
        "one line of code;\n".repeat(500)
    );
    let cut = shorten(&text, 100).unwrap();
    assert!(
        count(&cut) <= 100 && cut.starts_with("It goes like this:"),
        "{cut}"
    );
    assert!(cut.ends_with(&format!("```\n\n{TRUNCATED}")), "{cut}");
    assert_eq!(cut.matches("```").count(), 2, "{cut}");
}

#[test]
fn hostile_texts_are_cut_in_time() {
    for text in [
        "x".repeat(1_000_000),
        "# a\n".repeat(100_000),
        "- item\n".repeat(100_000),
        " \u{feff}漢".repeat(100_000),
        format!("# one\n\n{}", "word ".repeat(200_000)),
    ] {
        let cut = shorten(&text, 200).unwrap();
        assert!(
            count(&cut) <= 200 && cut.ends_with(TRUNCATED),
            "{}",
            cut.len()
        );
    }
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}( [a-z]{1,9}){0,60}",
        "- [a-z ]{1,80}\n- [a-z ]{1,80}",
        "```\n[a-z0-9 =]{1,200}\n```",
        "\\| a \\| b \\|\n\\|---\\|---\\|\n\\| [a-z]{1,20} \\| c \\|",
        "[ -~]{0,120}",
        "\\PC{0,60}",
    ]
}

proptest! {
    #[test]
    fn a_cut_example_keeps_its_budget_and_its_headings(
        sections in prop::collection::vec(("[A-Z][a-z]{2,9} [a-z]{2,9}", prop::collection::vec(block(), 0..6)), 1..9),
        budget in 0usize..600,
    ) {
        let mut text = String::new();
        for (title, blocks) in &sections {
            text += &format!("## {title}\n\n{}\n\n", blocks.join("\n\n"));
        }
        match shorten(&text, budget) {
            None => prop_assert!(budget < 40),
            Some(cut) if cut == text.trim() => {}
            Some(cut) => {
                prop_assert!(count(&cut) <= budget, "{} of {budget}", count(&cut));
                prop_assert!(cut.ends_with(TRUNCATED));
                // What a stray fence or comment swallows is no heading, and a stray heading is none of ours.
                let read = headings(&text);
                let all: String = read.iter().map(|title| format!("###### {title}\n\n")).collect();
                let ours = sections.iter().map(|(title, _)| title);
                let titles: Vec<&String> = ours.filter(|title| read.contains(title)).collect();
                if count(&format!("{all}{TRUNCATED}")) + 10 <= budget {
                    let mut lines = cut.lines();
                    for title in &titles {
                        let heading = format!("## {title}");
                        prop_assert!(lines.any(|line| line.trim() == heading), "{title} in {cut}");
                    }
                }
            }
        }
    }
}
