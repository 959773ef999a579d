//! The inventory of gaps, before round 1.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {}

names!(Options: Begin, Change, Pause, Abandon);
names!(Fields: Drop, Severities, Add, Reason);

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
