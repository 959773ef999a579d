//! The inventory of gaps, before round 1.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {}

names! {
    Options {
        Begin = "begin",
        Change = "change",
        Pause = "pause",
        Abandon = "abandon",
    }
}

names! {
    Fields {
        Drop = "drop",
        Severities = "severities",
        Add = "add",
        Reason = "reason",
    }
}

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        "inventory".to_owned()
    }

    fn lists_inventory(&self) -> bool {
        true
    }
}
