//! Where to go back to, and how to go on from there.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::rollback::RollbackTrigger;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
    pub trigger: RollbackTrigger,
}

names! {
    Options {
        Retry = "retry",
        Narrow = "narrow",
        Context = "context",
        Skip = "skip",
        Cancel = "cancel",
    }
}

names! {
    Fields {
        To = "to",
        Reason = "reason",
        Gaps = "gaps",
        Adjust = "adjust",
    }
}

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }
}
