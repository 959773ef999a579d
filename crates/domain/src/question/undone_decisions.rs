//! Decisions of undone rounds, which can be kept.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::{DecisionId, comma_list};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub decisions: Vec<DecisionId>,
}

names!(Options: Leave, All, Some, Edit, Pause);
names!(Fields: Decisions, Text);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        comma_list(&self.decisions)
    }
}
