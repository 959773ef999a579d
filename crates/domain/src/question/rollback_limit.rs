//! A session that has no rollback left.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, NoFields, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub round: u32,
}

names!(Options: Pause, Accept, Abandon, GoOn);

impl Kind for Subject {
    type Options = Options;
    type Fields = NoFields;

    fn subject(&self) -> String {
        format!("round {}", self.round)
    }
}
