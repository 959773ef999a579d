//! Taking over a record of another program's as data: the documents that it has, and what was made of them. What could
//! not be taken is said, with its place; so is what had to be assumed.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedText {
    /// Its path in the record's folder.
    pub file: String,
    pub text: String,
}

/// The documents of a round, each list in the order in which its documents were written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedRound {
    pub round: u32,
    pub engineer: Vec<RecordedText>,
    pub reviewer: Vec<RecordedText>,
    pub summary: Vec<RecordedText>,
}

/// The documents of a session that another program, or nobody's program, wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedSession {
    pub status: Option<String>,
    pub decisions: Option<String>,
    pub rounds: Vec<RecordedRound>,
    /// Files that are none of these.
    pub others: Vec<String>,
}

/// Something to be said about a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub why: String,
}

/// What came of taking a record over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Takeover {
    /// The folder of the record.
    pub from: String,
    pub rounds: u32,
    /// What could not be taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_taken: Vec<Remark>,
    /// What the record leaves open, and how it was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<Remark>,
}

impl Takeover {
    pub fn leave(&mut self, file: &str, line: impl Into<Option<u32>>, why: impl Into<String>) {
        self.not_taken.push(remark(file, line.into(), why.into()));
    }

    pub fn assume(&mut self, file: &str, line: impl Into<Option<u32>>, why: impl Into<String>) {
        self.assumed.push(remark(file, line.into(), why.into()));
    }
}

fn remark(file: &str, line: Option<u32>, why: String) -> Remark {
    Remark {
        file: file.to_owned(),
        line,
        why,
    }
}
