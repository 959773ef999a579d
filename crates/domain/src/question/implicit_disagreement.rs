//! An issue that the Engineer may have passed over.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::IssueId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issue: IssueId,
}

names!(Options: Settled, Again, Convert, Waive, Clarify, FalsePositive);
names!(Fields: Text);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.issue.to_string()
    }

    fn flagged(&self) -> &[IssueId] {
        std::slice::from_ref(&self.issue)
    }

    fn is_awaited_before_end(&self) -> bool {
        true
    }
}
