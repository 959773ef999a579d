//! The gate before an end with gaps left.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::{End, Trigger};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub end: End,
    pub trigger: Trigger,
}

names!(Options: Accept, Continue, Pause, Abandon);
names!(Fields: Critical, High);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.end.to_string()
    }

    fn lists_inventory(&self) -> bool {
        true
    }

    fn accepts_what_it_lists(option: Options) -> bool {
        option == Options::Accept
    }
}
