//! A round for which no gap can be planned, although the spec is not complete.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Resume, Input, Unblock, Close, Stop, Pause, Abandon);
names!(Fields: Gaps, Text);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }

    fn lists_inventory(&self) -> bool {
        true
    }
}
