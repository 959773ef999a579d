//! Who can be asked: the `Agent` trait and its backends. An agent gets a request and gives a document
//! or the reason why it could not run; it knows nothing of rounds, gaps' states or retries.
//! Whatever ends a run early, its processes and its working folder are gone when it has ended; what a person wrote stays.

mod agent;
mod command;
mod document;
mod estimate;
mod http;
mod human;
mod offline;
mod open;
mod open_context;
mod patience;
mod preset;
mod replay;
mod scheme;
mod shared_terminal;
mod subprocess;
mod supervisor;

pub use agent::{
    Agent, BoxFuture, Endpoint, Finished, NoticeSink, Output, Progress, ProgressSink, Reports,
    Request, Sink, Watch,
};
pub(crate) use document::LimitedBytes;
pub use gapless_domain::OFFLINE;
pub use http::{HttpSettings, NotOpened, Price, ProviderSettings, Providers, RoleSettings, Style};
pub use human::Person;
pub use open::{Reach, is_free_for_provider, open, reach};
pub use open_context::{OpenContext, OpenError};
pub(crate) use patience::Patience;
pub use preset::{
    BadDefinition, Candidate, Credentials, Definition, Needs, Presets, Sighting, Surroundings,
    candidates, choose, vendor_of, version,
};
pub use replay::Replay;
pub use shared_terminal::{Lending, SharedTerminal, Turn};
pub(crate) use subprocess::Environment;
#[cfg(target_os = "linux")]
pub use supervisor::supervise;
pub use supervisor::{
    Leftovers, SUPERVISE, Supervisor, could_see, end_leftovers, started_by_agent,
};
