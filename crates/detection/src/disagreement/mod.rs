//! Implicit disagreement: whether an issue that is due was answered, which flags its handling earns, and what the flags
//! come to. Pure functions over texts; nothing here changes a state. A flag is a suspicion with evidence, for the user to judge.

mod account;
mod answer;
mod answering;
mod closures;
mod detect;
mod heuristics;
mod ledger;
mod output;
mod passages;
mod raised;
mod scope;
mod session;
mod substance;
mod thresholds;
mod verification;
mod walk;
mod words;

pub use account::{Account, RoundAccount};
pub use answer::{Answer, Beside, By, Demand, Found};
pub use closures::{Closure, of_account, of_review};
pub use detect::{Detected, Doubt, Sought, detect};
pub use heuristics::{closed_over, rolled_back};
pub use ledger::{Answered, IssueAccount, Settled, SettledBy};
pub use output::Output;
pub use passages::{Earlier, Kind, Passage, Passages};
pub use raised::{Raised, Wanted};
pub use session::{RoundTexts, SessionTexts, examine, examine_pair};
pub use thresholds::{Counted, Escalation, Judged, Parameters, Pattern, Weighed, weigh};
pub(crate) use words::stands_in;
