//! A review that raises again what the user settled.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, NoFields, names};
use crate::{Concern, IssueId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issue: IssueId,
    /// The words in which it is raised now.
    pub raised: Box<Concern>,
}

names!(Options: Keep, Change);

impl Kind for Subject {
    type Options = Options;
    type Fields = NoFields;

    fn subject(&self) -> String {
        self.issue.to_string()
    }

    fn is_awaited_before_end(&self) -> bool {
        true
    }
}
