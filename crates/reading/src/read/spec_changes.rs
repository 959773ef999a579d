//! The `### Spec Changes` part of a resolution: what it replaces in the spec, adds to it and removes from it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use gapless_domain::{ChangeKind, ChangeText};

/// A change as a document writes it: its texts by their bytes in the document.
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
    pub old: Option<Range<usize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Range<usize>>,
}

impl WrittenChange {
    /// The change with its texts, of the document that it is from.
    pub fn texts(&self, document: &str) -> ChangeText {
        let text = |range: &Option<Range<usize>>| {
            let text = range.clone().and_then(|range| document.get(range));
            text.map(str::to_owned)
        };
        ChangeText {
            kind: self.kind,
            section: self.section.clone(),
            after: self.after.clone(),
            old: text(&self.old),
            new: text(&self.new),
            line: self.line,
        }
    }
}
