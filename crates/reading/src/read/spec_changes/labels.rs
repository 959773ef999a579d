//! The labels and fields of a change: what stands before its texts, and what is said of it.

use std::sync::LazyLock;

use super::super::lexicon::{Lexicon, first_words, words_in};
use super::heads::without_marks;
use gapless_domain::ChangeKind;

/// What a label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Old,
    New,
    /// The text before the change, or the passage before which something goes.
    Before,
    /// The text after the change, the passage or the section behind which something goes.
    After,
    Section,
    Title,
    Kind,
}

static LABELS: LazyLock<Lexicon<Label>> = LazyLock::new(|| {
    Lexicon::of_groups(
        include_str!("../words/change_labels.txt"),
        |name| match name {
            "old" => Some(Label::Old),
            "new" => Some(Label::New),
            "before" => Some(Label::Before),
            "after" => Some(Label::After),
            "section" => Some(Label::Section),
            "title" => Some(Label::Title),
            "kind" => Some(Label::Kind),
            _ => None,
        },
    )
});

/// How many words of a label's line are looked at.
const MOST_WORDS: usize = 6;

/// A line that is a label, and what stands behind it.
pub(super) fn label_of(line: &str) -> Option<(Label, &str)> {
    let trimmed = line.trim();
    let bare = without_marks(trimmed);
    let words = first_words(bare, MOST_WORDS);
    words.first().filter(|word| word.span.start == 0)?;
    let found = LABELS.at(&words)?;
    let rest = &bare[words[found.length - 1].span.end..];
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    let rest = match rest
        .strip_prefix('(')
        .and_then(|inner| inner.split_once(')'))
    {
        Some((_, behind)) => behind.trim_start_matches(['*', '_', ' ']),
        None => rest,
    };
    if let Some(value) = rest.strip_prefix(':') {
        return Some((
            found.means,
            value.trim_start_matches(['*', '_', ' ']).trim(),
        ));
    }
    let is_marked = trimmed.starts_with('#') || trimmed.contains("**") || trimmed.contains("__");
    (rest.is_empty() && is_marked).then_some((found.means, ""))
}

/// Which of a change's texts a label or the words behind a fence name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

impl Label {
    /// The text that stands behind it in a change of a kind.
    pub fn side(self, kind: Option<ChangeKind>) -> Option<Side> {
        match self {
            Label::Old | Label::Before => Some(Side::Old),
            Label::New => Some(Side::New),
            Label::After => Some(match kind {
                Some(ChangeKind::AddAfter | ChangeKind::AddToSection) => Side::Old,
                _ => Side::New,
            }),
            Label::Section | Label::Title | Label::Kind => None,
        }
    }
}

/// The text that a fence has by the words behind it.
pub(super) fn side_of_info(info: &str) -> Option<Side> {
    let words = first_words(info, 3);
    let side = |word: &str| match word {
        "old" | "before" | "search" | "find" | "original" | "current" | "remove" | "delete"
        | "passage" => Some(Side::Old),
        "new" | "after" | "replace" | "replacement" | "add" | "insert" | "updated" => {
            Some(Side::New)
        }
        _ => None,
    };
    words.iter().find_map(|word| side(&word.text))
}

static NO_CHANGES: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of_groups(include_str!("../words/no_changes.txt"), |_| Some(())));

/// True for a line that says that nothing is changed.
pub fn says_none(line: &str) -> bool {
    NO_CHANGES.at(&words_in(without_marks(line))).is_some()
}
