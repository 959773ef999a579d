//! The expected outcome of an input.

/// What the session must do with a user's input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Taken,
    Refused,
    Either,
}
