//! A proposal that says what a decision turned down.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::{DecisionId, GapId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub gap: GapId,
    pub decision: DecisionId,
}

names!(Options: Revise, Fits, Change);
names!(Fields: Reason);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.gap.to_string()
    }
}
