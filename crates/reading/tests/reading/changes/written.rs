//! Changes that are written in the canonical form read back as they were, whatever lines their texts have.

use super::{all_shown, document, read, shown};
use crate::support::{strict, warned};
use gapless_domain::ChangeKind;
use gapless_domain::task::Role;
use gapless_reading::read::WrittenChange;
use proptest::prelude::*;

/// A fence that is longer than any run of its mark in a text.
fn fenced(info: &str, text: &str, mark: char) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = mark.to_string().repeat((longest + 1).max(3));
    format!("{fence}{info}\n{text}\n{fence}\n")
}

fn written(change: &WrittenChange, mark: char) -> String {
    let section = change.section.as_deref().unwrap_or("");
    let mut text = format!("#### {}: {section}\n", change.kind.heading());
    if let Some(after) = &change.after {
        text += &format!("After: {after}\n");
    }
    if let Some(old) = &change.old {
        text += &fenced("old", old, mark);
    }
    if let Some(new) = &change.new {
        text += &fenced("new", new, mark);
    }
    text
}

fn text() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "",
        "```",
        "````json",
        "~~~",
        "# Title",
        "#### Replace in: Payouts",
        "### Trade-offs",
        "## Gap Resolution: GAP-FLOW-002",
        "## Spec Changes",
        "- item",
        "> quote",
        "| a | b |",
        "<!-- comment",
        "-->",
        "    code",
        "After: Errors",
        "**Old:**",
        "None",
        "<<<<<<< SEARCH",
        "=======",
        "…",
        "a <b> `c`",
    ])
    .prop_map(str::to_owned);
    let any = "[ -~é🔴\\t]{0,30}";
    let line = prop_oneof![
        known,
        any.prop_map(|line: String| line.trim_end().to_owned())
    ];
    prop::collection::vec(line, 1..8)
        .prop_map(|lines| lines.join("\n"))
        .prop_filter("says something", |text| !text.trim().is_empty())
}

fn change() -> impl Strategy<Value = WrittenChange> {
    let kinds = prop::sample::select(ChangeKind::ALL.to_vec());
    let title = "[A-Z][a-z]{1,8}( [a-z0-9]{1,8}){0,3}";
    (kinds, title, prop::option::of(title), text(), text()).prop_map(
        |(kind, section, after, old, new)| WrittenChange {
            kind,
            line: 0,
            section: Some(section),
            after: after.filter(|_| kind == ChangeKind::NewSection),
            old: kind.quotes().then_some(old),
            new: kind.brings_text().then_some(new),
        },
    )
}

/// True where each line of both texts begins with the mark of a difference: that is read as one.
fn is_difference(change: &WrittenChange) -> bool {
    let all = |text: &Option<String>, mark: char| {
        text.as_ref().is_some_and(|text| {
            let mut lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.all(|line| line.starts_with(mark))
        })
    };
    all(&change.old, '-') && all(&change.new, '+')
}

proptest! {
    #[test]
    fn canonical_changes_read_back(
        changes in prop::collection::vec(change(), 1..5),
        mark in prop::sample::select(vec!['`', '~']),
        returns in any::<bool>(),
    ) {
        prop_assume!(!changes.iter().any(is_difference));
        let parts: Vec<String> = changes.iter().map(|it| written(it, mark)).collect();
        let expected: Vec<String> = changes.iter().map(shown).collect();
        let checked = read(&parts.join("\n"));
        prop_assert_eq!(&all_shown(&checked), &expected);
        prop_assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
        let mut text = document(&parts.join("\n"));
        if returns {
            text = text.replace('\n', "\r\n");
        }
        prop_assert_eq!(&all_shown(&strict(Role::Engineer, &text)), &expected);
    }
}
