//! An issue that an Engineer answered in substance.

use gapless_domain::{AnswerKind, IssueId};

/// An issue that is answered in substance, and how.
pub(super) struct Answered {
    pub issue: IssueId,
    pub how: AnswerKind,
    pub words: String,
}

/// The recorded text of an answer that the user confirmed.
pub(super) const BY_THE_USER: &str =
    "The user calls it answered: the flag on it was a false alarm.";
