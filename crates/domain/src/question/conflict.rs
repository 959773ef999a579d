//! An issue on which Engineer and Reviewer disagree.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::IssueId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issue: IssueId,
}

names!(Options: A = "A", B = "B", C = "C", D = "D");
names!(Fields: Text, Rationale, Constraints);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.issue.to_string()
    }

    fn conflicts(&self) -> &[IssueId] {
        std::slice::from_ref(&self.issue)
    }
}
