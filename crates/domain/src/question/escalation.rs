//! A role that has no valid output after its retries.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::SlotId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub slot: SlotId,
}

names!(Options: Skip, Reassign, Context, Narrow, Best, RollBack, Pause);
names!(Fields: Context, Gaps);

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
