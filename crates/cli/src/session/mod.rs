//! Working on a session: starting it, running it, sending it what the user says, and asking what follows.

mod follow_up;
mod locked;
mod send;
mod start;

pub(crate) use follow_up::{FollowUp, ask};
pub(crate) use locked::{LockedSession, this_process};
pub(crate) use send::{Sent, report_end, send, send_and_report};
pub(crate) use start::{default_name, refuse_early, refuse_existing, start};
