//! What people and scripts see of sessions. Every view reads the same events and the same state; none of them decides.

pub(crate) mod delivery;
pub(crate) mod events;
pub(crate) mod live_progress;
pub(crate) mod questions;
pub(crate) mod session_end;
pub(crate) mod session_json;
pub(crate) mod session_state;
pub(crate) mod stats;
pub(crate) mod usage;
