//! The changes that a proposal makes to the spec: what each does, in which section, to which passage, and with which text.

use serde::{Deserialize, Serialize};

use crate::{GapId, TextHash, named};

/// What a change does to the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ChangeKind {
    /// A passage gives way to another text.
    Replace,
    /// A text is put behind a passage, which stays.
    AddAfter,
    /// A text is put at the end of a section, before the sections below it.
    AddToSection,
    /// A section of its own, with its heading.
    NewSection,
    /// A passage goes, and nothing takes its place.
    Remove,
}

named!(ChangeKind);

impl ChangeKind {
    /// How the heading of a change begins; the section's title follows behind a colon.
    pub fn heading(self) -> &'static str {
        match self {
            ChangeKind::Replace => "Replace in",
            ChangeKind::AddAfter => "Add after passage in",
            ChangeKind::AddToSection => "Add to section",
            ChangeKind::NewSection => "New section",
            ChangeKind::Remove => "Remove from",
        }
    }

    /// True where the change quotes a passage of the spec.
    pub fn quotes(self) -> bool {
        matches!(
            self,
            ChangeKind::Replace | ChangeKind::AddAfter | ChangeKind::Remove
        )
    }

    /// True where the passage that the change quotes is gone afterwards.
    pub fn takes_away(self) -> bool {
        matches!(self, ChangeKind::Replace | ChangeKind::Remove)
    }

    /// True where the change brings a text.
    pub fn brings_text(self) -> bool {
        self != ChangeKind::Remove
    }
}

/// A change as it is recorded with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecChange {
    pub kind: ChangeKind,
    /// The section that it names; of a new section its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The section behind which a new section goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The passage, as it reads in the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<TextHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<TextHash>,
}

/// A change with its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeText {
    pub kind: ChangeKind,
    pub section: Option<String>,
    pub after: Option<String>,
    pub old: Option<String>,
    pub new: Option<String>,
    /// Where the document says it; 0 where no document is at hand.
    pub line: u32,
}

/// Why a change can't be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeFault {
    pub gap: GapId,
    /// Where the document says it.
    #[serde(default)]
    pub line: u32,
    /// What is wrong, as a sentence for who wrote it.
    pub what: String,
    /// The passage of the spec that comes nearest to the one that was quoted, or that still stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
}
