//! Hostile parts on changes: none panics or takes more than its length.

use super::{bound, document, read};
use crate::support::tolerant;
use gapless_domain::task::Role;

const MANY: usize = 10_000;

#[test]
fn ten_thousand_changes() {
    let change = "#### Replace in: Payouts\n```old\na\n```\n```new\nb\n```\n\n";
    let checked = read(&change.repeat(MANY));
    assert_eq!(bound(&checked).changes.len(), 40);
    let under_one = "```old\na\n```\n```new\nb\n```\n\n".repeat(MANY);
    read(&format!("#### Replace in: Payouts\n{under_one}"));
}

#[test]
fn very_many_of_anything() {
    for piece in [
        "#### Foo\n",
        "#### Replace in: A\n",
        "### Spec Changes\n\n",
        "### Spec Changes\n\n```old\na\n",
        "#### Spec Changes\n",
        "**Spec Changes**\n\n",
        "```old\n",
        "```json\n",
        "```x\n```y\n```\n",
        "````old\n```\n",
        "~~~\n```\n",
        "<<<<<<< SEARCH\n",
        "<<<<<<< SEARCH\na\n=======\n",
        "#### Replace in: A\n\n\n\n\n\n",
        "> a\n",
        "> ```\n",
        "**Old:**\n",
        "Old: a\n\n",
        "- Replace in A:\n",
        "1. ",
        "<!-- ",
        "Replace \"a\" with \"b\" in C.\n",
        "In ",
        "\"\"",
        "\"a\" ",
        "```diff\n-a\n+b\n```\n",
        "## Replace in: Gap Resolution: GAP-FLOW-002\n",
    ] {
        let pieces = piece.repeat(MANY);
        read(&pieces);
        read(&format!("#### Replace in: A\n```old\n{pieces}"));
        read(&format!("#### Replace in: A\n{pieces}\n```\n"));
        tolerant(
            Role::Engineer,
            &document("").replace("### Spec Changes", &pieces),
        );
    }
}

#[test]
fn long_lines() {
    for piece in [
        "#",
        "*",
        "`",
        "-",
        "Replace ",
        "in ",
        "(",
        "\"",
        "§ ",
        "Change 1 ",
        "é",
        "🔴 ",
    ] {
        let long = piece.repeat(300_000 / piece.len());
        for line in [
            long.clone(),
            format!("#### {long}"),
            format!("#### Replace in: {long}"),
            format!("#### Replace {long}"),
            format!("**{long}**"),
            format!("Old: {long}"),
            format!("> {long}"),
            format!("```{long}"),
        ] {
            read(&format!("{line}\n```old\na\n```\n```new\nb\n```"));
        }
    }
}

#[test]
fn odd_characters() {
    for piece in [
        "\u{feff}",
        "\u{200b}",
        "\0",
        "\r",
        "\u{2028}",
        "é",
        "🏳️‍🌈",
        "\t",
    ] {
        for text in [
            format!("#### Replace in: {piece}\n```old\n{piece}\n```\n```new\n{piece}\n```"),
            format!("{piece}#### Replace{piece}in{piece}: A\n```old{piece}\na\n```{piece}"),
            format!("- {piece}**Replace**{piece} in \"{piece}\":\n> {piece}\n\n>{piece}"),
            format!("#### Replace in: A\n```diff\n-{piece}\n+{piece}a\n{piece}\n```"),
            format!("#### Replace in: A\n```old\n-{piece}\n```\n```new\n+{piece}\n```"),
        ] {
            read(&text);
            read(&text.replace('\n', "\r\n"));
            read(&text.replace('\n', "\r"));
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_part_is_read(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "#### Replace in: A\n", "#### Add to section: B\n", "```old\n", "```new\n", "```\n", "````\n", "~~~\n",
                "a\n", "- b\n", "+ c\n", "-d\n", "\n", "> e\n", "**Old:**\n", "New: f\n", "<<<<<<< SEARCH\n", "=======\n",
                ">>>>>>> REPLACE\n", "### Trade-offs\n", "## Gap Resolution: GAP-FLOW-002\n", "<!--\n", "-->\n",
                "**Remove from: C**\n", "### Spec Changes\n", "Replace \"g\" with \"h\" in I.\n", "  ", "é\n", "```diff\n",
                "## Replace in: GAP-FLOW-002 resolution\n", "After: J\n", "\r\n", "@@\n", "```markdown\n",
            ]),
            0..40,
        )
    ) {
        let text = document(&pieces.concat());
        let checked = tolerant(Role::Engineer, &text);
        if let Some(gapless_reading::read::Reading::Engineer(reading)) = &checked.reading {
            for gap in &reading.gaps {
                let mut end = gap.section.start;
                for part in &gap.solution {
                    proptest::prop_assert!(part.start >= end && part.end <= gap.section.end, "{:?}", gap);
                    proptest::prop_assert!(checked.document.text.get(part.clone()).is_some());
                    end = part.end;
                }
            }
        }
    }
}
