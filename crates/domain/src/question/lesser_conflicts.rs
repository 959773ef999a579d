//! Several MEDIUM and LOW conflicts, answered in one go.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, joined, names};
use crate::ids::IssueId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issues: Vec<IssueId>,
}

names! {
    Options {
        A = "A",
        B = "B",
        Each = "each",
    }
}

names! {
    Fields {
        Rationale = "rationale",
    }
}

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        joined(&self.issues)
    }

    fn conflicts(&self) -> &[IssueId] {
        &self.issues
    }
}
