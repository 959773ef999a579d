//! What must hold for any bytes. Each target is a function that takes them, makes of them what it needs, and panics where
//! something doesn't hold; `fuzz/` runs them under libFuzzer, the tests of this crate over fixtures and found inputs.

mod answers;
mod archives;
mod assembling;
mod config;
mod disagreement;
mod forms;
mod growth;
mod input;
mod markdown;
mod reading;
mod seeds;
mod sessions;
mod status;
mod truncation;

pub use answers::answers;
pub use archives::archives;
pub use assembling::assembling;
pub use config::config;
pub use disagreement::disagreement;
pub use forms::forms;
pub use growth::growth;
pub use reading::reading;
pub use seeds::seeds;
pub use status::status;
pub use truncation::truncation;

/// A target: its name, and what must hold.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 10] = [
    ("reading", reading),
    ("status", status),
    ("disagreement", disagreement),
    ("truncation", truncation),
    ("assembling", assembling),
    ("archives", archives),
    ("answers", answers),
    ("config", config),
    ("growth", growth),
    ("forms", forms),
];
