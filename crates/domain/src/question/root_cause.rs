//! A round that was undone again: what may be behind it, and what to do.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Split, Context, Reassign, Force, Retry, Pause);
names!(Fields: Gap, Parts, Context, Gaps);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }
}
