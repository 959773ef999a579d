//! The archives of an ended session.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, NoFields};
use crate::ArchiveChoice;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {}

impl Kind for Subject {
    type Options = ArchiveChoice;
    type Fields = NoFields;

    fn subject(&self) -> String {
        "archives".to_owned()
    }
}
