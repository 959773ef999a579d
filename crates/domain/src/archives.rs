//! What is known of the archives of rolled-back rounds without opening one: how they are called, which time of a round
//! each holds, what is said of it inside, and what may become of them when the session ends.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named;

/// How the name of every archive ends.
const ENDING: &str = ".tar.gz";

/// For so many days an archive counts as recent.
pub const RECENT_DAYS: u32 = 7;

/// What becomes of a session's archives when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ArchiveChoice {
    /// They stay in the session's folder.
    Keep,
    /// They go; their texts stay in the event log.
    Delete,
    /// Those of the last days stay, the others go.
    Recent,
    /// They move to the store for cold archives.
    Cold,
}

named!(ArchiveChoice);

impl ArchiveChoice {
    /// What happens when nobody answers.
    pub const UNANSWERED: ArchiveChoice = ArchiveChoice::Cold;

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// What became of a session's archives.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Disposed {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deleted: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<String>,
    /// The folder that they moved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What could not be done; it stays where it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// Names an archive: `round_005_rolled_back_2.tar.gz` is round 5 as it was when it was undone for the second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArchiveName {
    pub round: u32,
    pub attempt: u32,
}

impl ArchiveName {
    /// The name without its ending: the folder that a restored archive goes into.
    pub fn stem(self) -> String {
        format!("{}_rolled_back_{}", round_folder(self.round), self.attempt)
    }
}

pub fn round_folder(round: u32) -> String {
    format!("round_{round:03}")
}

impl fmt::Display for ArchiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&(self.stem() + ENDING))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no archive (like round_005_rolled_back_1.tar.gz)")]
pub struct NotAnArchiveName(pub String);

impl FromStr for ArchiveName {
    type Err = NotAnArchiveName;

    /// Reads a name, its ending being optional.
    fn from_str(text: &str) -> Result<Self, NotAnArchiveName> {
        let stem = text.strip_suffix(ENDING).unwrap_or(text);
        let parse = || {
            let (round, attempt) = stem.strip_prefix("round_")?.split_once("_rolled_back_")?;
            let name = Self {
                round: round.parse().ok()?,
                attempt: attempt.parse().ok()?,
            };
            // One archive has one name: no signs, and no zeros but those it is written with.
            (name.stem() == stem).then_some(name)
        };
        parse().ok_or_else(|| NotAnArchiveName(text.to_owned()))
    }
}

crate::names::serde_as_string!(ArchiveName);

/// What stands in an archive's `rollback_metadata.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollbackMetadata {
    pub original_round: u32,
    pub rollback_timestamp: String,
    pub reason: String,
    pub attempt_number: u32,
    pub to_round: u32,
    pub user_adjustments: Vec<String>,
    /// The place of the rollback in the session's log.
    pub seq: u64,
}

impl RollbackMetadata {
    pub const FILE: &'static str = "rollback_metadata.json";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_one_name() {
        for (text, round, attempt) in [
            ("round_005_rolled_back_1.tar.gz", 5, 1),
            ("round_012_rolled_back_10", 12, 10),
            ("round_1234_rolled_back_2.tar.gz", 1234, 2),
        ] {
            let name: ArchiveName = text.parse().unwrap();
            assert_eq!(name, ArchiveName { round, attempt });
            assert_eq!(name.to_string().strip_suffix(ENDING), Some(&*name.stem()));
        }
        for text in [
            "",
            "round_5_rolled_back_1.tar.gz",
            "round_0005_rolled_back_1",
            "round_005_rolled_back_01",
            "round_+05_rolled_back_1",
            "round_005_rolled_back_1.tar",
            "../round_005_rolled_back_1",
            "round_005_rolled_back_1.tar.gz.tar.gz",
            "round_99999999999_rolled_back_1",
        ] {
            let refused = text.parse::<ArchiveName>();
            assert_eq!(refused, Err(NotAnArchiveName(text.to_owned())));
        }
    }

    #[test]
    fn choices_are_written_by_their_names() {
        for choice in ArchiveChoice::ALL {
            let json = serde_json::to_string(&choice).unwrap();
            assert_eq!(json, format!("\"{}\"", choice.name()));
        }
    }
}
