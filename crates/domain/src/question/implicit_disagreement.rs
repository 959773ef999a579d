//! An issue that the Engineer may have passed over.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::ids::IssueId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub issue: IssueId,
}

names! {
    Options {
        Settled = "settled",
        Again = "again",
        Convert = "convert",
        Waive = "waive",
        Clarify = "clarify",
        FalsePositive = "false_positive",
    }
}

names! {
    Fields {
        Text = "text",
    }
}

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
