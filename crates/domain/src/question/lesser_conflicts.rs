//! Several MEDIUM and LOW conflicts, answered in one go.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::{IssueId, comma_list};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issues: Vec<IssueId>,
}

names!(Options: A = "A", B = "B", Each);
names!(Fields: Rationale);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        comma_list(&self.issues)
    }

    fn conflicts(&self) -> &[IssueId] {
        &self.issues
    }
}
