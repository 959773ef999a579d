//! A gap for which the Engineer needs input that only the user has.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, names};
use crate::GapId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub gap: GapId,
}

names!(Options: Input, Defer, Another, GoOn);
names!(Fields: Input, Reason);

impl Kind for Subject {
    type Options = Options;
    type Fields = Fields;

    fn subject(&self) -> String {
        self.gap.to_string()
    }
}
