//! A round in which the Engineer disagrees with too much.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Accept, Revise, Review, Scope, Pause);
names!(Fields: Justification, Severities, Reason, Scope);

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
