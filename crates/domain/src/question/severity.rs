//! A gap or an issue on it that the Reviewer calls graver than the user set it to.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, NoFields, names};
use crate::{GapId, IssueId, Severity};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub gap: GapId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
    pub raise_to: Severity,
}

names!(Options: Keep, Raise);

impl Kind for Subject {
    type Options = Options;
    type Fields = NoFields;

    fn subject(&self) -> String {
        match &self.issue {
            Some(issue) => issue.to_string(),
            None => self.gap.to_string(),
        }
    }
}
