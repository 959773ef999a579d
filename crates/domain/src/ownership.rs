//! Who is to settle a gap, and by when. It organises the work and decides nothing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Date, Time, names};

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 80;

/// A person or a team, as the user names it: one line, without space around it and nothing in it that steers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Person(String);

impl Person {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True where both names are the same but for capitals.
    pub fn is(&self, other: &Person) -> bool {
        self.0.to_lowercase() == other.0.to_lowercase()
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a text is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    #[error("a name is needed")]
    Empty,
    #[error("a name has at most {LONGEST_NAME} characters")]
    TooLong,
    #[error("a name is one line of visible characters")]
    Unreadable,
}

impl FromStr for Person {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let name = text.trim();
        let steers = |character: char| {
            character.is_control()
                || matches!(character,
                    '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        };
        match name.chars().count() {
            _ if name.contains(steers) => Err(NotAName::Unreadable),
            0 => Err(NotAName::Empty),
            1..=LONGEST_NAME => Ok(Self(name.to_owned())),
            _ => Err(NotAName::TooLong),
        }
    }
}

names::serde_as_string!(Person);

/// Whose a gap is, and when it is due.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ownership {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Person>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
}

impl Ownership {
    pub fn is_empty(&self) -> bool {
        self.owner.is_none() && self.due.is_none()
    }

    /// True where its day is over.
    pub fn is_overdue(&self, at: Time) -> bool {
        self.due.is_some_and(|due| due.is_over(at))
    }

    /// Both in words: `Risk, due 2026-12-01`.
    pub fn in_words(&self) -> String {
        match (&self.owner, self.due) {
            (None, None) => String::new(),
            (Some(owner), None) => owner.to_string(),
            (None, Some(due)) => format!("due {due}"),
            (Some(owner), Some(due)) => format!("{owner}, due {due}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_short_line_that_can_be_shown() {
        for (text, name) in [
            ("Risk", "Risk"),
            ("  @jonas ", "@jonas"),
            ("Zoë Müller (legal)", "Zoë Müller (legal)"),
        ] {
            assert_eq!(text.parse::<Person>().unwrap().as_str(), name);
        }
        for (text, why) in [
            ("", NotAName::Empty),
            (" \t ", NotAName::Empty),
            ("a\nb", NotAName::Unreadable),
            ("\u{1b}[31mred", NotAName::Unreadable),
            ("\u{202e}ksiR", NotAName::Unreadable),
            (&"x".repeat(81), NotAName::TooLong),
        ] {
            assert_eq!(text.parse::<Person>(), Err(why), "{text:?}");
        }
        let named = |text: &str| text.parse::<Person>().unwrap();
        assert!(named("risk").is(&named("Risk")));
    }
}
