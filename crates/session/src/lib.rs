//! A session as its events make it: the events, the state that folding them gives, and the figures that are read off it.

pub mod apply;
pub mod attempt_record;
pub mod audit;
pub mod event;
pub mod figures;
pub mod next_ids;
pub mod replay;
pub mod rollback_record;
pub mod runs;
pub mod shared;
pub mod spending;
pub mod state;
#[cfg(test)]
mod test_log;

pub use apply::apply;
pub use attempt_record::AttemptRecord;
pub use event::{
    DecisionEvent, Event, GapEvent, Happening, IssueEvent, Noted, QuestionEvent, RollbackEvent,
    RoundEvent, SessionEvent, Taken, TaskEvent,
};
pub use figures::Figures;
pub use rollback_record::RollbackRecord;
pub(crate) use state::{Attempt, AttemptOutcome, RoundRecord};
pub use state::{BY_RULES, Now, State};
