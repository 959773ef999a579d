//! What people and scripts see of sessions. Every view reads the same events and the same state; none of them decides.

pub mod delivery;
pub mod events;
pub mod live_progress;
pub mod questions;
pub mod session_end;
pub mod session_json;
pub mod session_state;
pub mod stats;
pub mod usage;
