//! A concern that is passed over again and again.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::{IssueId, comma_list};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issues: Vec<IssueId>,
}

names!(Options: Approach, Specify, Close, Disagree, FalsePositive);
names!(Fields: Text);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        comma_list(&self.issues)
    }

    fn flagged(&self) -> &[IssueId] {
        &self.issues
    }

    fn is_awaited_before_end(&self) -> bool {
        true
    }
}
