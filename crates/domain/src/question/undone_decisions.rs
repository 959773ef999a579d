//! Decisions of undone rounds, which can be kept.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, joined, names};
use crate::ids::DecisionId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub decisions: Vec<DecisionId>,
}

names! {
    Options {
        Leave = "leave",
        All = "all",
        Some = "some",
        Edit = "edit",
        Pause = "pause",
    }
}

names! {
    Fields {
        Decisions = "decisions",
        Text = "text",
    }
}

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        joined(&self.decisions)
    }
}
