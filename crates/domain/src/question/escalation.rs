//! A role that has no valid output after its retries.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::task::SlotId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub slot: SlotId,
}

names! {
    Options {
        Skip = "skip",
        Reassign = "reassign",
        Context = "context",
        Narrow = "narrow",
        Best = "best",
        RollBack = "roll_back",
        Pause = "pause",
    }
}

names! {
    Fields {
        Context = "context",
        Gaps = "gaps",
    }
}

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
