//! What only the user settles: defaults of one group, or an issue that asks for the user.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::IssueId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub group: String,
    pub issues: Vec<IssueId>,
}

names!(Options: Confirm, Own, Defer, Close);
names!(Fields: Gaps, Text, Reason);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.group.clone()
    }
}
