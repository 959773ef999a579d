//! The failure patterns: their names, and what a finding of one consists of.

use gapless_domain::{Confidence, GapId, named, one_line};
use std::fmt;

use serde::{Deserialize, Serialize};

/// A way in which a document fails, as the analysis names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Pattern {
    AbstractOutput,
    MissingSections,
    NarrowExamples,
    InconsistentRefs,
    DomainConfusion,
    ScopeDrift,
}

named!(Pattern);

impl Pattern {
    /// What it means, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Pattern::AbstractOutput => "vague words where values belong",
            Pattern::MissingSections => "required parts are absent",
            Pattern::NarrowExamples => "fewer than 2 examples for a gap",
            Pattern::InconsistentRefs => "names gaps that do not exist",
            Pattern::DomainConfusion => "uses terms as defined that nothing defines",
            Pattern::ScopeDrift => "works on other gaps than the assigned ones",
        }
    }
}

/// A pattern that a document shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub pattern: Pattern,
    pub confidence: Confidence,
    pub evidence: Vec<Evidence>,
}

/// What a finding rests on: words, a line, an id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub text: String,
    /// The words themselves, where the adjustment repeats them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

impl fmt::Display for Evidence {
    /// Writes `GAP-X, line 7: what was found`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.gap, self.line) {
            (Some(gap), Some(line)) => write!(f, "{gap}, line {line}: {}", self.text),
            (Some(gap), None) => write!(f, "{gap}: {}", self.text),
            (None, Some(line)) => write!(f, "line {line}: {}", self.text),
            (None, None) => f.write_str(&self.text),
        }
    }
}

/// How much evidence a finding keeps.
pub(super) const MOST_EVIDENCE: usize = 8;
/// How long a quoted piece may be, in characters.
pub(super) const LONGEST_QUOTE: usize = 80;

impl Finding {
    /// A finding, where there is evidence for it.
    pub(super) fn on(
        pattern: Pattern,
        confidence: Confidence,
        mut evidence: Vec<Evidence>,
    ) -> Option<Self> {
        evidence.truncate(MOST_EVIDENCE);
        (!evidence.is_empty()).then_some(Self {
            pattern,
            confidence,
            evidence,
        })
    }
}

impl Finding {
    /// The pattern with what it means and the first piece of its evidence.
    pub fn in_words(&self) -> String {
        let evidence = self.evidence.first().map(|first| format!(" ({first})"));
        let (pattern, phrase) = (self.pattern, self.pattern.phrase());
        format!("{pattern}, {phrase}{}", evidence.unwrap_or_default())
    }
}

/// A piece of a document that can be kept and shown: on one line, short, without what hides or reorders words.
pub(super) fn quoted(text: &str, most: usize) -> String {
    let visible: String = text
        .chars()
        .filter(|c| c.is_whitespace() || !c.is_control())
        .filter(|c| {
            !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        })
        .collect();
    let line = one_line(&visible);
    match line.char_indices().nth(most) {
        None => line,
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}
