//! The loop around the core: ask for the step, perform it, feed back what came, commit, project, report.
//!
//! Invariant: nothing here decides. Which gaps, which retries, which end: all of that is the core's, and comes as data.

mod agents;
mod audit;
mod chronicle;
mod clock;
mod delivering;
mod disposing;
mod doctor;
mod drive;
mod error;
mod inbox;
mod log;
mod porting;
mod session;
mod summary;
mod tasks;

pub use agents::{AgentSource, Opener};
pub use audit::Audit;
pub use clock::Clock;
pub use delivering::NOT_ASKED_FOR;
pub use disposing::owner_of;
pub use doctor::{Diagnosis, Found, SessionFinding, diagnose, save};
pub use drive::{Asker, Outside, Reply, Reporter, Silent, Stopped, ask_only, drive};
pub use error::RunError;
pub use inbox::LetterOutcome;
pub use log::{Logged, decode_rows};
pub use porting::{Export, export, import, judge, names};
pub use session::{ArchivePlaces, MayWrite, Session};
pub use summary::SessionSummary;
