//! The gate before an end with gaps left.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::phase::{End, Trigger};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub end: End,
    pub trigger: Trigger,
}

names! {
    Options {
        Accept = "accept",
        Continue = "continue",
        Pause = "pause",
        Abandon = "abandon",
    }
}

names! {
    Fields {
        Critical = "critical",
        High = "high",
    }
}

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
