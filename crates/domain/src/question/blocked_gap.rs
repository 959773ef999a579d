//! A gap for which the Engineer needs input that only the user has.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::ids::GapId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub gap: GapId,
}

names! {
    Options {
        Input = "input",
        Defer = "defer",
        Another = "another",
        GoOn = "go_on",
    }
}

names! {
    Fields {
        Input = "input",
        Reason = "reason",
    }
}

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.gap.to_string()
    }
}
