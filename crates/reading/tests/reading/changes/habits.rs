//! What models write instead of the canonical form of spec changes.

use super::{all_shown, bound, document, read};
use crate::support::{GAPS, engineer, tolerant, warned};
use gapless_domain::task::Role;

/// Reads changes in another form, and says what came of them.
#[track_caller]
fn reads(changes: &str, expected: &[&str]) {
    let checked = read(changes);
    assert_eq!(all_shown(&checked), expected, "{changes}");
    assert!(bound(&checked).unclear_changes.is_empty(), "{changes}");
    assert!(
        warned(&checked, "NONCANONICAL_FORM").is_some(),
        "no warning: {changes}"
    );
    assert!(bound(&checked).has_trade_offs, "{changes}");
    assert_eq!(bound(&checked).new_gaps.len(), 1, "{changes}");
}

#[test]
fn fences_with_any_words() {
    for (one, other) in [
        ("text", "text"),
        ("", ""),
        ("markdown", "md"),
        ("Old", "New"),
        ("old-text", "new-text"),
        ("before", "after"),
        ("", "new"),
        ("old", ""),
    ] {
        let changes = format!("#### Replace in: Payouts\n\n```{one}\na\n```\n\n```{other}\nb\n```");
        reads(&changes, &["replace [Payouts] a => b"]);
    }
    let order = "#### Replace in: Payouts\n\n```new\nb\n```\n\n```\na\n```";
    reads(order, &["replace [Payouts] a => b"]);
    reads(
        "#### Add to section: Errors\n```md\n- c\n```",
        &["add_to_section [Errors] - => - c"],
    );
    reads(
        "#### New section: Limits\nAfter: Errors\n```\nc\n```",
        &["new_section [Limits after Errors] - => c"],
    );
    reads(
        "#### Remove from: Open questions\n```text\n- TBD: the cap\n```",
        &["remove [Open questions] - TBD: the cap => -"],
    );
    reads(
        "#### Remove from: Open questions\n```new\n- TBD: the cap\n```",
        &["replace [Open questions] - => - TBD: the cap"],
    );
}

#[test]
fn labels_before_fences_decide() {
    for (old, new) in [
        ("Old:", "New:"),
        ("**Old passage:**", "**New passage:**"),
        ("Current text:", "With:"),
        ("Before:", "After:"),
        ("**Before**", "**After**"),
        ("Find:", "Replacement:"),
        ("- **Old:**", "- **New:**"),
        ("Replace:", "By:"),
        ("**Old text** (from Payouts):", "**Replace with:**"),
        ("##### Old", "##### New"),
    ] {
        let changes = format!("#### Replace in: Payouts\n\n{old}\n```\na\n```\n{new}\n```\nb\n```");
        reads(&changes, &["replace [Payouts] a => b"]);
        let turned = format!("#### Replace in: Payouts\n\n{new}\n```\nb\n```\n{old}\n```\na\n```");
        reads(&turned, &["replace [Payouts] a => b"]);
    }
    reads(
        "#### Add after passage in: Retries\n\nAfter:\n```\na\n```\n\nAdd:\n```\nb\n```",
        &["add_after [Retries] a => b"],
    );
    reads(
        "#### Replace in: Payouts\n\n**Old:** \"a while\"\n**New:** 30 s",
        &["replace [Payouts] a while => 30 s"],
    );
    reads(
        "#### Replace in: Payouts\n\n**Old:**\n\nafter a while\nor so\n\n**New:**\n\nafter 30 s",
        &["replace [Payouts] after a while\nor so => after 30 s"],
    );
}

#[test]
fn headings_of_other_forms() {
    for heading in [
        "### Replace in: Payouts",
        "##### Replace in: Payouts",
        "**Replace in: Payouts**",
        "**Replace in:** Payouts",
        "**Replace in**: Payouts",
        "- **REPLACE** in \"Payouts\":",
        "1. Replace (section: Payouts)",
        "1. **Replace** in `Payouts`:",
        "#### Change 1: Replace in Payouts",
        "#### 1. Replace in: Payouts",
        "#### Change 1 — Replace passage in: Payouts",
        "#### Edit 3: Replace in section \"Payouts\"",
        "#### REPLACE\n\n**Section:** Payouts",
        "#### Replace\n- Section: `Payouts`",
        "#### Replace in the Payouts section",
        "#### Replace — Payouts",
        "#### Replace: Payouts",
        "#### Replace the passage in: Payouts",
        "#### Modify Payouts",
        "#### Update: Payouts",
        "#### Rewrite in Payouts",
        "#### Change in: Payouts",
        "#### ✏️ Replace in: Payouts",
        "#### Change 1\n\n**Type:** Replace\n**Section:** Payouts",
        "#### Payouts\n\n##### Replace",
        "Replace in: Payouts",
    ] {
        let changes = format!("{heading}\n```old\na\n```\n```new\nb\n```");
        reads(&changes, &["replace [Payouts] a => b"]);
    }
}

#[test]
fn words_of_the_other_kinds() {
    for heading in [
        "#### Insert after passage in: Retries",
        "#### Insert after in: Retries",
        "#### Add after: Retries",
        "#### INSERT AFTER (Retries)",
        "#### Add in: Retries",
    ] {
        let changes = format!("{heading}\n```old\na\n```\n```new\nb\n```");
        reads(&changes, &["add_after [Retries] a => b"]);
    }
    reads(
        "#### Add after \"a\" in Retries\n```\nb\n```",
        &["add_after [Retries] a => b"],
    );
    for heading in [
        "#### Add to: Errors",
        "#### Append to: Errors",
        "#### Append to section \"Errors\"",
        "#### Extend: Errors",
        "#### Add to the Errors section",
        "#### Add to end of: Errors",
        "#### Insert in: Errors",
    ] {
        let changes = format!("{heading}\n```new\nb\n```");
        reads(&changes, &["add_to_section [Errors] - => b"]);
    }
    for heading in [
        "#### Add section: Limits\nAfter: Errors",
        "#### Create section: Limits\n**After:** Errors",
        "#### New Section \"Limits\" after \"Errors\"",
        "#### Add a new section: Limits\n- **Place after:** Errors",
        "#### New section after Errors: Limits",
        "#### New section\n**Title:** Limits\n**After:** `## Errors`",
    ] {
        let changes = format!("{heading}\n```new\nb\n```");
        reads(&changes, &["new_section [Limits after Errors] - => b"]);
    }
    for heading in [
        "#### Delete from: Open questions",
        "#### Drop from: Open questions",
        "#### Strike in: Open questions",
        "#### Remove: Open questions",
        "- **DELETE** from \"Open questions\":",
    ] {
        let changes = format!("{heading}\n```old\na\n```");
        reads(&changes, &["remove [Open questions] a => -"]);
    }
}

#[test]
fn differences() {
    reads(
        "#### Replace in: Payouts\n```diff\n-Max: 10\n+Max: 50\n```",
        &["replace [Payouts] Max: 10 => Max: 50"],
    );
    reads(
        "#### Replace in: Payouts\n```diff\n@@ -1,3 +1,3 @@\n The cap:\n- Max: 10\n+ Max: 50\n```",
        &["replace [Payouts] The cap:\nMax: 10 => The cap:\nMax: 50"],
    );
    reads(
        "#### Replace in: Payouts\n```\n- Max: 10\n+ Max: 50\n```",
        &["replace [Payouts] Max: 10 => Max: 50"],
    );
    reads(
        "#### Replace in: Payouts\n```old\n- Max: 10\n- Min: 1\n```\n```new\n+ Max: 50\n+ Min: 2\n```",
        &["replace [Payouts] Max: 10\nMin: 1 => Max: 50\nMin: 2"],
    );
    reads(
        "#### Replace in: Payouts\n```diff\n-- Max: 10\n+- Max: 50\n```",
        &["replace [Payouts] - Max: 10 => - Max: 50"],
    );
    reads(
        "#### Add after passage in: Retries\n```diff\n A failed payout is retried.\n+Three times.\n```",
        &["add_after [Retries] A failed payout is retried. => Three times."],
    );
    reads(
        "#### Remove from: Open questions\n```diff\n-- TBD: the cap\n```",
        &["remove [Open questions] - TBD: the cap => -"],
    );
    let lists = "#### Replace in: Payouts\n```old\n- Max: 10\n```\n```new\n- Max: 50\n```";
    let checked = read(lists);
    assert_eq!(
        all_shown(&checked),
        ["replace [Payouts] - Max: 10 => - Max: 50"]
    );
    assert_eq!(warned(&checked, "NONCANONICAL_FORM"), None);
}

#[test]
fn blocks_with_search_and_replace() {
    let block = "<<<<<<< SEARCH\nMax: 10\n=======\nMax: 50\n>>>>>>> REPLACE";
    let expected = ["replace [Payouts] Max: 10 => Max: 50"];
    reads(
        &format!("#### Replace in: Payouts\n```\n{block}\n```"),
        &expected,
    );
    reads(&format!("#### Replace in: Payouts\n\n{block}"), &expected);
    reads(
        &format!("#### Payouts\n\n```text\n{block}\n```"),
        &["replace [-] Max: 10 => Max: 50"],
    );
    reads(
        &format!("```\n{block}\n\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n```"),
        &["replace [-] Max: 10 => Max: 50", "replace [-] a => -"],
    );
    let gone = "#### Replace in: Payouts\n<<<<<<< SEARCH\nMax: 10\n=======\n>>>>>>> REPLACE";
    reads(gone, &["remove [Payouts] Max: 10 => -"]);
}

#[test]
fn quotes_and_quoted_words() {
    reads(
        "#### Replace in: Payouts\n\n**Old:**\n> Max: 10\n>\n> EUR\n\n**New:**\n> Max: 50",
        &["replace [Payouts] Max: 10\n\nEUR => Max: 50"],
    );
    reads(
        "#### Replace in: Payouts\n\n> Max: 10\n\n> Max: 50",
        &["replace [Payouts] Max: 10 => Max: 50"],
    );
    reads(
        "Replace \"a while\" with \"30 s\" in Payouts.",
        &["replace [Payouts] a while => 30 s"],
    );
    reads(
        "- In Payouts, change “a while” to “30 s”.\n- Remove \"TBD: the cap\" from Open questions.\n- Add \"Three times.\" \
         after \"It is retried.\" in Retries.\n- Add \"409: cap exceeded\" to Errors.",
        &[
            "replace [Payouts] a while => 30 s",
            "remove [Open questions] TBD: the cap => -",
            "add_after [Retries] It is retried. => Three times.",
            "add_to_section [Errors] - => 409: cap exceeded",
        ],
    );
}

#[test]
fn all_of_it_in_one_fence() {
    for (open, close) in [
        ("```markdown", "```"),
        ("````markdown", "````"),
        ("```", "```"),
    ] {
        let changes = format!("{open}\n{}\n{close}", super::canonical::CANONICAL);
        reads(&changes, &super::canonical::READ);
    }
    let text = document("").replace(
        "### Spec Changes\n",
        &format!(
            "```markdown\n### Spec Changes\n\n{}\n```",
            super::canonical::CANONICAL
        ),
    );
    let checked = tolerant(Role::Engineer, &text);
    assert_eq!(all_shown(&checked), super::canonical::READ);
}

#[test]
fn a_fence_that_is_not_closed() {
    reads(
        "#### Replace in: Payouts\n```old\na\n```\n```new\nb\n\n#### Remove from: Errors\n```old\nc\n```",
        &["replace [Payouts] a => b", "remove [Errors] c => -"],
    );
    reads(
        "#### Replace in: Payouts\n```old\na\n```new\nb\n```",
        &["replace [Payouts] a => b"],
    );
    let checked = read("#### Add to section: Errors\n```new\nb");
    assert_eq!(all_shown(&checked), ["add_to_section [Errors] - => b"]);
}

#[test]
fn code_in_a_text_with_a_fence_of_the_same_length() {
    reads(
        "#### Add to section: Format\n```new\nAs JSON:\n\n```json\n{\"a\": 1}\n```\n\nand more.\n```\n\n#### Remove from: \
         Errors\n```old\nc\n```",
        &[
            "add_to_section [Format] - => As JSON:\n\n```json\n{\"a\": 1}\n```\n\nand more.",
            "remove [Errors] c => -",
        ],
    );
}

#[test]
fn other_titles_of_the_part() {
    for title in [
        "### Spec changes",
        "#### Spec Changes",
        "## Spec Changes",
        "### Specification Changes",
        "### Changes to the Spec",
        "### Changes to the Specification",
        "### Proposed Spec Changes",
        "### Edits",
        "### 4. Spec Changes",
        "### Spec Changes (GAP-FLOW-001)",
        "**Spec Changes**",
        "**Spec Changes:**",
    ] {
        let text = document(super::canonical::CANONICAL).replace("### Spec Changes", title);
        let checked = tolerant(Role::Engineer, &text);
        assert_eq!(all_shown(&checked), super::canonical::READ, "{title}");
        assert!(warned(&checked, "NONCANONICAL_FORM").is_some(), "{title}");
        assert!(bound(&checked).has_trade_offs, "{title}");
    }
    // Another part is none on changes to the spec.
    let text =
        document(super::canonical::CANONICAL).replace("### Spec Changes", "### Schema Changes");
    assert!(bound(&tolerant(Role::Engineer, &text)).changes.is_empty());
}

#[test]
fn several_texts_under_one_heading() {
    reads(
        "#### Replace in: Payouts\n```old\na\n```\n```new\nb\n```\n```old\nc\n```\n```new\nd\n```",
        &["replace [Payouts] a => b", "replace [Payouts] c => d"],
    );
    let checked = read("#### Add to section: Payouts\n```\na\n```\ntext\n```\nb\n```");
    assert!(!checked.result.success, "what its text is can't be told");
}

#[test]
fn a_list_item_with_its_fences() {
    reads(
        "- **Replace** in \"Payouts\":\n  ```old\n  a\n    b\n  ```\n  ```new\n  c\n  ```\n- **Remove** from \"Errors\":\n  \
         ```old\n  d\n  ```",
        &["replace [Payouts] a\n  b => c", "remove [Errors] d => -"],
    );
}

#[test]
fn changes_of_a_section_for_two_gaps_belong_to_the_first() {
    let text = document(super::canonical::CANONICAL).replace(
        "Resolution: GAP-FLOW-001",
        &format!("Resolution: {} and {}", GAPS[0], GAPS[1]),
    );
    let checked = tolerant(Role::Engineer, &text);
    let counts: Vec<usize> = engineer(&checked)
        .gaps
        .iter()
        .map(|it| it.changes.len())
        .collect();
    assert_eq!(counts, [5, 0]);
}

#[test]
fn dots_and_other_words_are_left_as_they_are() {
    reads(
        "#### Replace in: Payouts\n```\nMax … EUR\n...\nand so on\n```\n```\nb\n```",
        &["replace [Payouts] Max … EUR\n...\nand so on => b"],
    );
}
