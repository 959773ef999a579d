//! The ids of gaps, issues, decisions and questions: their shapes, and how they are found in prose.
//! An id is read only with a boundary on both sides, so `GAP-FLOW-007a` is never read as `GAP-FLOW-007`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Why a string is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    #[error("`{0}` is not a gap id (GAP-CATEGORY-NNN, e.g. GAP-FLOW-001)")]
    Gap(String),
    #[error("`{0}` is not an issue id (ISSUE-R<round>-NNN, e.g. ISSUE-R3-002)")]
    Issue(String),
    #[error("`{0}` is not a decision id (DECISION-R<round>-NNN, e.g. DECISION-R5-001)")]
    Decision(String),
    #[error("`{0}` is not a question id (Q-NNN, e.g. Q-004)")]
    Question(String),
}

/// Names a gap: `GAP-{CATEGORY}-{NNN}` with a letter behind it for a child made by a split.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GapId {
    category: Arc<str>,
    number: u16,
    child: Option<char>,
}

pub const HIGHEST_NUMBER: u16 = 999;
pub const HIGHEST_ROUND: u32 = 9999;

impl GapId {
    /// Builds an id; `None` where category or number are outside the shape.
    pub fn new(category: &str, number: u16) -> Option<Self> {
        let letters = category.bytes().all(|b| b.is_ascii_uppercase());
        let fits = (2..=10).contains(&category.len()) && (1..=HIGHEST_NUMBER).contains(&number);
        (letters && fits).then(|| Self {
            category: category.into(),
            number,
            child: None,
        })
    }

    pub fn category(&self) -> &str {
        &self.category
    }

    pub fn number(&self) -> u16 {
        self.number
    }

    pub fn child(&self) -> Option<char> {
        self.child
    }

    /// Names the child of this gap, or of its parent where this gap is a child itself.
    pub fn with_child(&self, letter: char) -> Option<Self> {
        letter.is_ascii_lowercase().then(|| Self {
            child: Some(letter),
            ..self.clone()
        })
    }

    /// Names the gap that this one was split from, or the gap itself.
    pub fn root(&self) -> Self {
        Self {
            child: None,
            ..self.clone()
        }
    }
}

impl fmt::Display for GapId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GAP-{}-{:03}", self.category, self.number)?;
        match self.child {
            Some(letter) => write!(f, "{letter}"),
            None => Ok(()),
        }
    }
}

impl FromStr for GapId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let parse = || {
            let (category, number) = text.strip_prefix("GAP-")?.split_once('-')?;
            let (digits, child) = match number.len() {
                3 => (number, None),
                4 => (number.get(..3)?, number.chars().nth(3)),
                _ => return None,
            };
            if !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let id = GapId::new(category, digits.parse().ok()?)?;
            match child {
                None => Some(id),
                Some(letter) => id.with_child(letter),
            }
        };
        parse().ok_or_else(|| IdError::Gap(text.to_owned()))
    }
}

/// Round and number, as issues and decisions share them.
fn parse_round_and_number(text: &str, prefix: &str) -> Option<(u32, u16)> {
    let (round, number) = text.strip_prefix(prefix)?.split_once('-')?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(round) || round.len() > 4 || round.starts_with('0') {
        return None;
    }
    if number.len() != 3 || !digits(number) {
        return None;
    }
    let number: u16 = number.parse().ok()?;
    (number > 0).then_some((round.parse().ok()?, number))
}

macro_rules! round_scoped_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $error:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub round: u32,
            pub number: u16,
        }

        impl $name {
            pub fn new(round: u32, number: u16) -> Self {
                Self { round, number }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}-{:03}"), self.round, self.number)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                parse_round_and_number(text, $prefix)
                    .map(|(round, number)| Self { round, number })
                    .ok_or_else(|| IdError::$error(text.to_owned()))
            }
        }
    };
}

round_scoped_id!(
    /// Names an issue that the Reviewer raised: `ISSUE-R3-002`.
    IssueId, "ISSUE-R", Issue
);
round_scoped_id!(
    /// Names a decision that binds later rounds: `DECISION-R5-001`. Round 0 is never used: what is
    /// decided before round 1 counts as decided for it.
    DecisionId, "DECISION-R", Decision
);

/// Names a question of the session: `Q-004`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionId(pub u32);

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Q-{:03}", self.0)
    }
}

impl FromStr for QuestionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let digits = text
            .strip_prefix("Q-")
            .or_else(|| text.strip_prefix("q-"))
            .unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        plain
            .then(|| digits.parse().ok())
            .flatten()
            .map(QuestionId)
            .ok_or_else(|| IdError::Question(text.to_owned()))
    }
}

crate::names::serde_as_string!(GapId, IssueId, DecisionId, QuestionId);

/// An id found in prose, with the byte at which it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<T> {
    pub id: T,
    pub at: usize,
}

/// Finds the gap ids of a text, in order of appearance.
pub fn gap_ids_in(text: &str) -> Vec<Found<GapId>> {
    ids_in(text, "GAP-")
}

/// Finds the issue ids of a text, in order of appearance.
pub fn issue_ids_in(text: &str) -> Vec<Found<IssueId>> {
    ids_in(text, "ISSUE-R")
}

fn ids_in<T: FromStr>(text: &str, prefix: &str) -> Vec<Found<T>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find(prefix) {
        let at = from + offset;
        let rest = &text[at..];
        let length = rest.find(|c: char| !is_id_char(c)).unwrap_or(rest.len());
        let bounded_before = text[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !is_id_char(c));
        if bounded_before
            && bounded_behind(&rest[length..])
            && let Ok(id) = rest[..length].parse()
        {
            found.push(Found { id, at });
        }
        from = at + length.max(prefix.len());
    }
    found
}

/// What is invisible doesn't end an id: with a direction mark or a joiner in it, it is another than the one it looks like.
fn is_id_char(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_' || is_invisible(c)
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A dot ends an id only where no digit follows: `GAP-PIE-003.1` is another id, `GAP-PIE-003.` ends a sentence.
fn bounded_behind(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => !chars.next().is_some_and(char::is_alphanumeric),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_ids_keep_their_shape() {
        for good in [
            "GAP-FLOW-001",
            "GAP-UX-999",
            "GAP-FLOW-007a",
            "GAP-ABCDEFGHIJ-010",
        ] {
            assert_eq!(good.parse::<GapId>().unwrap().to_string(), good);
        }
        for bad in [
            "GAP-flow-001",
            "GAP-FLOW-1",
            "GAP-A-001",
            "GAP-FLOW-000",
            "GAP-FLOW-0001",
            "GAP-FLOW-001A",
            "GAP-FLOW-007ab",
            "GAP-ABCDEFGHIJK-001",
            "FLOW-001",
            "",
            "GAP-FLOW-٠٠١",
        ] {
            assert!(bad.parse::<GapId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn issue_and_decision_ids_keep_their_shape() {
        for good in ["ISSUE-R3-002", "ISSUE-R9999-999"] {
            assert_eq!(good.parse::<IssueId>().unwrap().to_string(), good);
        }
        for bad in [
            "ISSUE-R0-001",
            "ISSUE-R3-2",
            "ISSUE-R3-000",
            "ISSUE-R10000-001",
            "ISSUE-3-001",
        ] {
            assert!(bad.parse::<IssueId>().is_err(), "{bad}");
        }
        assert_eq!(
            "DECISION-R5-001".parse::<DecisionId>().unwrap(),
            DecisionId::new(5, 1)
        );
    }

    #[test]
    fn question_ids_are_read_leniently_and_written_one_way() {
        for text in ["Q-004", "q-4", "4"] {
            assert_eq!(text.parse::<QuestionId>().unwrap().to_string(), "Q-004");
        }
        assert!("Q-".parse::<QuestionId>().is_err());
        assert!("Q-four".parse::<QuestionId>().is_err());
    }

    #[test]
    fn ids_in_prose_need_boundaries() {
        let text = "See GAP-FLOW-001, (GAP-FLOW-002) and GAP-FLOW-003. Not GAP-PIE-003.1, XGAP-FLOW-004, \
                    GAP-FLOW-005x9, GAP-FLOW-006_b, pre-GAP-FLOW-009; but GAP-FLOW-007a and `GAP-FLOW-008`";
        let ids: Vec<String> = gap_ids_in(text)
            .into_iter()
            .map(|f| f.id.to_string())
            .collect();
        assert_eq!(
            ids,
            [
                "GAP-FLOW-001",
                "GAP-FLOW-002",
                "GAP-FLOW-003",
                "GAP-FLOW-007a",
                "GAP-FLOW-008"
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn scanning_any_text_finds_only_what_stands_there(text in "\\PC{0,80}") {
            for found in gap_ids_in(&text) {
                proptest::prop_assert!(text[found.at..].starts_with(&found.id.to_string()));
            }
        }
    }
}
