//! A round in which neither role produced anything, although there is something to do.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Retry, Human, Defer, Close, GoOn, Pause, Abandon);
names!(Fields: Gaps, Reason);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }
}
