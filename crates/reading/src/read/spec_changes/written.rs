//! The changes of a document as it writes them, and what is wrong with those that can't be told.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use gapless_domain::{ChangeKind, ChangeText};

/// A change as a document writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenChange {
    pub kind: ChangeKind,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The passage that it quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

impl WrittenChange {
    pub fn texts(&self) -> ChangeText {
        ChangeText {
            kind: self.kind,
            section: self.section.clone(),
            after: self.after.clone(),
            old: self.old.clone(),
            new: self.new.clone(),
            line: self.line,
        }
    }
}

/// Something in the part that can't be told to be a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnclearChange {
    pub line: u32,
    /// How it begins.
    pub heading: String,
    pub fault: UnclearFault,
}

/// Why a change can't be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnclearFault {
    NoKind,
    /// The document ends in one of its fences.
    OpenFence,
    /// More texts than an old and a new one.
    ManyTexts,
}

impl UnclearChange {
    /// What is wrong, as a sentence for who wrote it.
    pub fn what(&self) -> String {
        let heading = &self.heading;
        match self.fault {
            UnclearFault::NoKind => {
                let forms = ChangeKind::ALL.iter();
                let forms: Vec<String> = forms
                    .map(|kind| format!("`#### {}: …`", kind.heading()))
                    .collect();
                format!(
                    "`{heading}` names no kind of change; write one of {}",
                    forms.join(", ")
                )
            }
            UnclearFault::OpenFence => format!("a fence of `{heading}` never closes"),
            UnclearFault::ManyTexts => format!(
                "`{heading}` has more than an old and a new text; put text with a code block in it into a longer fence"
            ),
        }
    }
}

/// A change, and the bytes of the text that it brings.
pub(super) type Made = (WrittenChange, Vec<Range<usize>>);
