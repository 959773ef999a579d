//! Where to go back to, and how to go on from there.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::RollbackTrigger;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
    pub trigger: RollbackTrigger,
}

names!(Options: Retry, Narrow, Context, Skip, Cancel);
names!(Fields: To, Reason, Gaps, Adjust);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }
}
