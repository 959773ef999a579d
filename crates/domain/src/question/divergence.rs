//! A round that ended with a divergence warning.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Narrow, Accept, Prioritise, RollBack, Pause, ForceComplete, Abandon);
names!(Fields: Gaps, Reason);

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
