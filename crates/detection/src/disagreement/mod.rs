//! Owns implicit disagreement: whether an issue that is due was answered, which flags its handling earns, and what the flags
//! come to. Pure functions over texts; nothing here changes a state. A flag is a suspicion with evidence, for the user to judge.

mod answering;
mod closures;
mod heuristics;
mod ledger;
mod passages;
mod raised;
mod scope;
mod session;
mod thresholds;
mod verification;
mod walk;
mod words;

pub use answering::{
    Answer, Beside, By, Demand, Found, Output, has_what_was_asked, look, readable,
};
pub use closures::{Closure, of_account, of_review};
pub use heuristics::{closed_over, deflected, rolled_back, unanswered, unchanged};
pub use ledger::{Answered, IssueAccount, Settled, SettledBy};
pub use passages::{Earlier, Kind, Passage, Passages};
pub use raised::{Raised, Wanted};
pub use session::{Account, RoundAccount, RoundTexts, SessionTexts, examine, examine_pair};
pub use thresholds::{Counted, Escalation, Judged, Parameters, Pattern, Weighed, weigh};
pub(crate) use words::stands_in;
