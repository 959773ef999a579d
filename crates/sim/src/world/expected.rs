//! Owns what is expected to come of an input.

/// What must become of something that a user says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Taken,
    Refused,
    Either,
}
