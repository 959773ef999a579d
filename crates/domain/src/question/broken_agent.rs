//! An agent that failed the same way in every attempt of two rounds in a row.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::SlotId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub slot: SlotId,
}

names!(Options: Again, Another, GoOn, Stop, Pause);
names!(Fields: Agent);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.slot.role.stem().to_owned()
    }

    fn slot(&self) -> Option<SlotId> {
        Some(self.slot)
    }
}
