//! Changes as they are made in small specs, to be read as a person would read them.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use gapless_domain::ChangeText;
use gapless_spec::Accepted;

const SPEC: &str = "\
# Payouts

Sellers are paid once a day.

## Limits

Max per seller per day: 10,000 EUR. It can be raised.

- A payout is at least 1 EUR.
- A payout is at most 5,000 EUR.
  - Except for partners.
- Refunds come first.

### Fees

There is a fee.

## Retries

| Case | Wait | Count |
|------|------|-------|
| down | 30 s | 3     |
| slow | 60 s | 1     |

```toml
wait = 30
count = 3
```

> Failed payouts are kept.

Support is told.

## Log

Every payout is logged.
";

/// Each change of the spec by its name, and what it makes different.
#[track_caller]
fn all(source: &str, changes: Vec<(&str, Vec<ChangeText>)>) -> String {
    let shown = changes.into_iter().map(|(name, changes)| {
        let after = with(source, changes);
        format!("== {name}\n{}\n", shown(source, &after))
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_added_goes_on_with_what_is_there() {
    insta::assert_snapshot!(all(
        SPEC,
        vec![
            (
                "item",
                vec![add_after(
                    "A payout is at most 5,000 EUR.",
                    "- It is a multiple of 1 cent.",
                )]
            ),
            (
                "item nested",
                vec![add_after("- Except for partners.", "- And for charities.")]
            ),
            (
                "para after item",
                vec![add_after(
                    "Refunds come first.",
                    "They are taken from the payout.",
                )]
            ),
            (
                "two paras after item",
                vec![add_after(
                    "Refunds come first.",
                    "They are taken.\n\nFrom the payout.",
                )]
            ),
            (
                "row",
                vec![add_after("| down | 30 s | 3 |", "| busy | 10 s | 5 |")]
            ),
            (
                "row by cell",
                vec![add_after("60 s", "| busy | 10 s | 5 |")]
            ),
            (
                "row without pipes",
                vec![add_after("down | 30 s | 3", "| busy | 10 s | 5 |")]
            ),
            (
                "sentence",
                vec![add_after(
                    "Max per seller per day: 10,000 EUR.",
                    "The day is that of Berlin.",
                )]
            ),
            (
                "sentence without dot",
                vec![add_after(
                    "Max per seller per day: 10,000 EUR",
                    "The day is that of Berlin.",
                )]
            ),
            (
                "whole paragraph",
                vec![add_after(
                    "Sellers are paid once a day.",
                    "The run starts at 02:00.",
                )]
            ),
            ("heading", vec![add_after("### Fees", "The fee is 1 %.")]),
            ("heading list", vec![add_after("## Log", "- one\n- two")]),
            ("code line", vec![add_after("wait = 30", "jitter = 5")]),
            (
                "code block",
                vec![add_after(
                    "```toml\nwait = 30\ncount = 3\n```",
                    "The wait doubles.",
                )]
            ),
            (
                "quote",
                vec![add_after("Failed payouts are kept.", "For 90 days.")]
            ),
        ]
    ));
}

#[test]
fn sections_are_added_to_and_added() {
    insta::assert_snapshot!(all(
        SPEC,
        vec![
            (
                "section with subs",
                vec![add_to("Limits", "At night nothing is paid.")]
            ),
            (
                "section item",
                vec![add_to("Limits", "* At night nothing is paid.")]
            ),
            ("last section", vec![add_to("Log", "So is every refund.")]),
            (
                "new after",
                vec![new_section(
                    "Refunds",
                    Some("Limits"),
                    "They are free.\n\n### When\n\nAt once.",
                )]
            ),
            (
                "new below",
                vec![new_section("Rounding", Some("Fees"), "Half up.")]
            ),
        ]
    ));
}

#[test]
fn what_is_removed_takes_its_marker_and_its_blank_lines_along() {
    insta::assert_snapshot!(all(
        SPEC,
        vec![
            ("remove sentence", vec![remove("It can be raised.")]),
            (
                "remove first sentence",
                vec![remove("Max per seller per day: 10,000 EUR.")]
            ),
            ("remove item", vec![remove("- Refunds come first.")]),
            (
                "remove item words",
                vec![remove("A payout is at least 1 EUR.")]
            ),
            (
                "remove item with nested",
                vec![remove(
                    "- A payout is at most 5,000 EUR.\n  - Except for partners.",
                )]
            ),
            ("remove paragraph", vec![remove("Support is told.")]),
            (
                "remove section",
                vec![remove("### Fees\n\nThere is a fee.")]
            ),
            (
                "remove last section",
                vec![remove("## Log\n\nEvery payout is logged.")]
            ),
            ("remove all of section", vec![remove("There is a fee.")]),
            ("remove row", vec![remove("| down | 30 s | 3 |")]),
            (
                "remove rows",
                vec![remove("| down | 30 s | 3 |"), remove("| slow | 60 s | 1 |")]
            ),
        ]
    ));
}

#[test]
fn what_is_replaced_keeps_the_form_around_it() {
    insta::assert_snapshot!(all(
        SPEC,
        vec![
            (
                "replace heading",
                vec![replace("### Fees", "### Fees and taxes")]
            ),
            (
                "replace heading words",
                vec![replace("Fees", "Fees and taxes")]
            ),
            (
                "replace heading words with marks",
                vec![replace("Fees", "### Fees and taxes")]
            ),
            ("replace in code", vec![replace("wait = 30", "wait = 60")]),
            (
                "replace code block",
                vec![replace("wait = 30\ncount = 3", "```toml\nwait = 60\n```")]
            ),
            ("replace cell", vec![replace("30 s", "45 s")]),
            (
                "replace row",
                vec![replace("| slow | 60 s | 1 |", "| slow | 90 s | 2 |")]
            ),
            (
                "replace item by two",
                vec![replace(
                    "- Refunds come first.",
                    "- Refunds come first.\n- Fees come second.",
                )]
            ),
            (
                "replace item words by items",
                vec![replace(
                    "Refunds come first.",
                    "- Refunds come first.\n- Fees come second.",
                )]
            ),
            (
                "replace nested",
                vec![replace(
                    "- Except for partners.",
                    "- Except for partners.\n- Except for charities.",
                )]
            ),
            (
                "replace quote",
                vec![replace(
                    "Failed payouts are kept.",
                    "Failed payouts are kept\nfor 90 days.",
                )]
            ),
            (
                "replace para by paras",
                vec![replace(
                    "Support is told.",
                    "Support is told.\n\n- by mail\n- by phone",
                )]
            ),
        ]
    ));
}

#[test]
fn line_ends_and_tabs_stay() {
    let crlf = SPEC.replace('\n', "\r\n");
    let tabs = "## A\n\n-\tone\n\t-\tnested\n\n\tmore of one\n-\ttwo\n\n\tanother line\n\n1.\tfirst\n2.\tsecond\n";
    let code = "## A\n\n\tlet a = 1;\n\tlet b = 2;\n\nEnd.\n";
    let of = [
        all(
            &crlf,
            vec![
                ("added", vec![add_to("Limits", "One.\n\nTwo.")]),
                (
                    "replaced",
                    vec![replace("- Refunds come first.", "- Refunds\n- Fees")],
                ),
                ("removed", vec![remove("Support is told.")]),
            ],
        ),
        all(
            tabs,
            vec![
                ("below an item", vec![add_after("nested", "- another")]),
                (
                    "in an item",
                    vec![replace("more of one", "more of one\n\nand still more")],
                ),
                ("behind an item", vec![add_after("second", "3. third")]),
            ],
        ),
        all(
            code,
            vec![
                (
                    "in code",
                    vec![replace("let a = 1;", "let a = 1;\nlet c = 3;")],
                ),
                (
                    "behind a line of code",
                    vec![add_after("let b = 2;", "let d = 4;")],
                ),
            ],
        ),
    ];
    insta::assert_snapshot!(of.join("\n"));
}

#[test]
fn a_new_section_without_a_place_goes_behind_the_section_of_its_gap() {
    let changes = vec![new_section("Backoff", None, "It doubles.")];
    let refined = folded(SPEC, &[accepted(1, Some(20), changes)]);
    assert!(
        refined
            .text
            .contains("Support is told.\n\n## Backoff\n\nIt doubles.\n\n## Log\n")
    );
    assert_eq!(
        refused(SPEC, vec![new_section("fees", None, "None.")]),
        "there is a section `fees` already; use `#### Add to section: fees` if that is the one, else another title"
    );
    assert_eq!(
        refused(SPEC, vec![new_section("Taxes", Some("Nowhere"), "None.")]),
        "there is no section `Nowhere`. The sections are `Payouts`, `Limits`, `Fees`, `Retries`, `Log`"
    );
}

#[test]
fn a_passage_that_occurs_twice_is_told_apart_by_its_section() {
    let source = "## A\n\nIt waits.\n\n## B\n\nIt waits.\n";
    assert_eq!(
        refused(source, vec![replace("It waits.", "It stops.")]),
        "the passage that it quotes is there 2 times. Quote more of what is around it, so that only one place fits"
    );
    assert_eq!(
        with(source, vec![within("B", replace("It waits.", "It stops."))]),
        "## A\n\nIt waits.\n\n## B\n\nIt stops.\n"
    );
}

#[test]
fn a_change_that_breaks_a_table_or_a_code_block_is_refused() {
    assert_eq!(
        refused(
            SPEC,
            vec![replace("| slow | 60 s | 1 |", "| slow | 90 s |")]
        ),
        "it brings a row with 2 cells into a table with 3 columns"
    );
    let spec = with(
        SPEC,
        vec![replace("slow | 60 s | 1", "| slow | 90 s | 2 |")],
    );
    assert!(spec.contains("| slow | 90 s | 2     |"), "{spec}");
    assert_eq!(
        refused(
            SPEC,
            vec![replace("| down | 30 s | 3     |", "Down: 30 s.\n\n# Then")]
        ),
        "it replaces a row of a table by text that is no row. Give rows, or remove the row and add the text behind the table"
    );
    let broken = "it would change what comes behind it";
    for change in [
        replace("|------|------|-------|", "| x |"),
        replace("count = 3\n```", "count = 4"),
    ] {
        assert_eq!(refused(SPEC, vec![change.clone()]), broken, "{change:?}");
    }
}

#[test]
fn of_two_gaps_that_change_the_same_passage_the_later_one_is_displaced() {
    let one = accepted(1, None, vec![replace("10,000 EUR", "50,000 EUR")]);
    let other = accepted(
        2,
        None,
        vec![
            replace("Max per seller per day: 10,000 EUR.", "No limit."),
            replace("There is a fee.", "There is no fee."),
        ],
    );
    let both = folded(SPEC, &[one.clone(), other.clone()]);
    let displaced: Vec<_> = both.displaced.iter().map(|fault| &fault.gap).collect();
    assert_eq!(displaced, [&gap(2)]);
    assert!(both.text.contains("Max per seller per day: 50,000 EUR."));
    assert!(
        both.text.contains("There is a fee."),
        "all changes of a gap or none"
    );

    let turned = folded(SPEC, &[other.clone(), one.clone()]);
    let displaced: Vec<_> = turned.displaced.iter().map(|fault| &fault.gap).collect();
    assert_eq!(displaced, [&gap(1)]);

    // Once the earlier one is reopened, the later one fits.
    let alone = folded(SPEC, &[other]);
    assert_eq!(alone.displaced, []);
    assert!(alone.text.contains("No limit. It can be raised."));
}

#[test]
fn a_later_gap_may_change_what_an_earlier_one_wrote() {
    let one = accepted(
        1,
        None,
        vec![replace("There is a fee.", "The fee is 1 %. It is rounded.")],
    );
    let other = accepted(
        2,
        None,
        vec![replace("It is rounded.", "It is rounded half up.")],
    );
    let refined = folded(SPEC, &[one, other.clone()]);
    assert_eq!(refined.displaced, []);
    assert!(
        refined
            .text
            .contains("The fee is 1 %. It is rounded half up.\n")
    );
    let trace: Vec<String> = refined.trace.iter().map(ToString::to_string).collect();
    assert_eq!(
        trace,
        [
            "GAP-PROP-001 replace (line 16)",
            "GAP-PROP-002 replace (line 16)"
        ]
    );
    assert_eq!(folded(SPEC, &[other]).displaced.len(), 1);
}

#[test]
fn a_passage_that_something_was_added_to_may_be_changed_later() {
    let row = "| slow | 60 s | 1     |";
    let one = accepted(1, None, vec![add_after(row, "| late | 90 s | 2 |")]);
    let other = accepted(2, None, vec![replace(row, "| slow | 45 s | 1     |")]);
    let refined = folded(SPEC, &[one, other]);
    assert_eq!(refined.displaced, []);
    let rows = "| slow | 45 s | 1     |\n| late | 90 s | 2 |\n";
    assert!(refined.text.contains(rows), "{}", refined.text);
}

#[test]
fn cells_of_a_row_are_replaced_with_their_bars() {
    let changed =
        |old: &str, new: &str| folded(SPEC, &[accepted(1, None, vec![replace(old, new)])]);
    let refined = changed("| 60 s | 1     |", "| 45 s | 1     |");
    assert_eq!(refined.displaced, []);
    assert!(
        refined.text.contains("| slow | 45 s | 1     |\n"),
        "{}",
        refined.text
    );
    for (old, new) in [
        ("| 60 s | 1     |", "| 45 s |"),
        ("60 s", "45 s | 2"),
        ("60 s", "45 s\n\nand more"),
    ] {
        let refused = changed(old, new);
        assert_eq!(refused.displaced.len(), 1, "{new}");
        assert!(refused.displaced[0].what.contains("Quote the whole row"));
    }
    assert!(
        changed("60 s", "45 s,\nthen 60 s")
            .text
            .contains("| slow | 45 s, then 60 s | 1     |\n")
    );
}

#[test]
fn a_block_in_place_of_a_sentence_is_set_apart_from_the_rest_of_its_paragraph() {
    let source = "## Limits\n\nAt most 10. It can be raised. More is told\nby mail.\n\n- One waits. It can be lowered. Then it stops.\n- Two\n\n> Quoted. It can be kept. So it is.\n";
    insta::assert_snapshot!(all(
        source,
        vec![
            ("list", vec![replace("It can be raised.", "- one\n- two")]),
            ("list first", vec![replace("At most 10.", "- one\n- two")]),
            (
                "list last",
                vec![replace("More is told by mail.", "- one\n- two")]
            ),
            (
                "table behind a sentence",
                vec![replace(
                    "It can be raised.",
                    "It is raised so:\n\n| a | b |\n|---|---|\n| 1 | 2 |",
                )]
            ),
            (
                "code",
                vec![replace("It can be raised.", "```\nraise()\n```")]
            ),
            (
                "heading",
                vec![replace("It can be raised.", "### Raising\n\nBy mail.")]
            ),
            (
                "list in an item",
                vec![replace("It can be lowered.", "- one\n- two")]
            ),
            (
                "paragraphs in an item",
                vec![replace("It can be lowered.", "One.\n\nTwo.")]
            ),
            (
                "list in a quote",
                vec![replace("It can be kept.", "- one\n- two")]
            ),
        ]
    ));
}

#[test]
fn a_gap_that_another_settles_has_no_text_unless_that_one_is_not_made() {
    let source = "# A\n\nIt waits a while.\n";
    let change = || accepted(1, None, vec![replace("It waits a while.", "It waits 5 s.")]);
    let with_it = || Accepted {
        settled_with: Some(gap(1)),
        ..accepted(2, None, Vec::new())
    };
    let text = |mut one: Accepted| {
        one.resolution.text = "The pause is 5 s.".to_owned();
        one
    };
    for order in [[change(), text(with_it())], [text(with_it()), change()]] {
        let refined = folded(source, &order);
        assert_eq!(refined.text, "# A\n\nIt waits 5 s.\n");
        let traced: Vec<_> = refined.trace.iter().map(|it| it.gap.clone()).collect();
        assert_eq!(traced, [gap(1), gap(2)]);
    }
    let alone = folded(source, &[text(with_it())]);
    assert!(alone.text.contains("The pause is 5 s."), "{}", alone.text);
    let misfit = accepted(1, None, vec![replace("Zebras graze on plains.", "x")]);
    let displaced = folded(source, &[misfit, text(with_it())]);
    assert!(
        displaced.text.contains("The pause is 5 s."),
        "{}",
        displaced.text
    );
}

#[test]
fn a_comment_gives_way_with_what_is_in_it() {
    let source = "# A\n\n<!-- TODO: the limit -->\n\nIt waits. <!-- how long? -->\n\n```html\n<!-- kept -->\n```\n";
    assert!(
        with(source, vec![replace("TODO: the limit", "The limit is 5.")])
            .starts_with("# A\n\nThe limit is 5.\n\nIt waits.")
    );
    assert!(with(source, vec![remove("TODO: the limit")]).starts_with("# A\n\nIt waits."));
    assert!(
        with(source, vec![replace("how long?", "For 5 s.")]).contains("\nIt waits. For 5 s.\n")
    );
    assert!(with(source, vec![replace("kept", "gone")]).contains("<!-- gone -->"));
    assert_eq!(
        refused(source, vec![replace("the limit", "5")]),
        "the passage that it quotes is within a comment, where nobody would read the text. Quote the whole comment"
    );
}

#[test]
fn front_matter_is_added_to_within_its_lines() {
    let source = "---\ntitle: A\nlimit: TBD\n---\n\n# A\n\nText.\n";
    assert_eq!(
        with(source, vec![add_after("title: A", "owner: B")]),
        source.replace("title: A\n", "title: A\nowner: B\n")
    );
    assert_eq!(
        with(source, vec![replace("limit: TBD", "limit: 5")]),
        source.replace("TBD", "5")
    );
}

#[test]
fn a_text_for_a_section_has_its_headings_below_it() {
    let added = |new: &str| {
        with(
            "# A\n\n## Limits\n\nText.\n\n## Log\n",
            vec![add_to("Limits", new)],
        )
    };
    for new in [
        "## Limits\n\n### Night\n\nNone.",
        "### Night\n\nNone.",
        "# Night\n\nNone.",
        "Night\n=====\n\nNone.",
    ] {
        assert_eq!(
            added(new),
            "# A\n\n## Limits\n\nText.\n\n### Night\n\nNone.\n\n## Log\n",
            "{new}"
        );
    }
    assert_eq!(
        refused("# A\n\nText.\n", vec![add_to("A", "# A")]),
        "it brings no text but the title of the section"
    );
}

#[test]
fn a_change_that_changes_nothing_is_refused() {
    assert_eq!(
        refused(
            SPEC,
            vec![replace("Support is told.", "Support  is\ntold.")]
        ),
        "its text is the passage that it quotes, so that nothing would change"
    );
}

#[test]
fn the_beginning_of_a_sentence_is_no_sentence() {
    let source = "# A\n\nPayouts are sent for some time.\n\n- Refunds are **sent**\n  at night\n";
    for old in ["Payouts are sent.", "Refunds are sent."] {
        let said = refused(source, vec![replace(old, "It is sent daily.")]);
        assert!(said.contains("is not in the specification"), "{said}");
    }
}

const OPEN: &str = "\
# Payouts

## Limits

The limit is not named.

## Open questions

These are open:

- GAP-PROP-001: what the limit is
- GAP-PROP-002: who raises it

## Known gaps

| Gap | What |
|-----|------|
| GAP-PROP-003 | when it is raised |

## Log

Every payout is logged. The format is TBD (GAP-PROP-004).
";

#[test]
fn the_entry_of_a_gap_goes_once_its_changes_are_made() {
    let all = [
        accepted(
            1,
            Some(11),
            vec![replace("The limit is not named.", "The limit is 5 EUR.")],
        ),
        accepted(
            2,
            Some(12),
            vec![add_after("The limit is 5 EUR.", "Support raises it.")],
        ),
        accepted(
            3,
            Some(18),
            vec![add_to("Limits", "It is raised at night.")],
        ),
        accepted(4, Some(22), vec![add_to("Log", "It is kept.")]),
    ];
    let first = folded(OPEN, &all[..1]);
    assert!(
        first
            .text
            .contains("These are open:\n\n- GAP-PROP-002: who raises it\n"),
        "{}",
        first.text
    );
    let refined = folded(OPEN, &all);
    assert_eq!(
        refined.text,
        "# Payouts\n\n## Limits\n\nThe limit is 5 EUR.\n\nSupport raises it.\n\nIt is raised at night.\n\n\
         ## Log\n\nEvery payout is logged. The format is TBD (GAP-PROP-004).\n\nIt is kept.\n"
    );
    let trace: Vec<String> = refined.trace.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(trace.join("\n"));
}

#[test]
fn an_entry_that_a_change_touches_is_left_to_it() {
    let changes = vec![replace(
        "- GAP-PROP-001: what the limit is",
        "- The limit is 5 EUR.",
    )];
    let spec = folded(OPEN, &[accepted(1, Some(11), changes)]).text;
    assert!(
        spec.contains("- The limit is 5 EUR.\n- GAP-PROP-002"),
        "{spec}"
    );
}

#[test]
fn an_entry_with_another_one_in_it_waits_for_that() {
    let source = "## A\n\nNo.\n\n## Open questions\n\n- GAP-PROP-001: one\n  - GAP-PROP-002: two\n- GAP-PROP-003: three\n";
    let one = accepted(1, Some(7), vec![replace("No.", "Yes.")]);
    let two = accepted(2, Some(8), vec![add_to("A", "Sure.")]);
    let first = folded(source, std::slice::from_ref(&one)).text;
    assert!(
        first.contains("- GAP-PROP-001: one\n  - GAP-PROP-002: two\n"),
        "{first}"
    );
    let both = folded(source, &[one, two]).text;
    assert_eq!(
        both,
        "## A\n\nYes.\n\nSure.\n\n## Open questions\n\n- GAP-PROP-003: three\n"
    );
}
