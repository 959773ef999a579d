//! What an archive may hold: how much, and which names.

use super::error::Fault;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub entries: usize,
    /// Bytes of the unpacked stream, heads of entries included.
    pub unpacked: u64,
    /// How many times its own size it may unpack to, once it is past `dense_from`.
    pub ratio: u64,
    pub dense_from: u64,
}

pub const LIMITS: Limits = Limits {
    entries: 20_000,
    unpacked: 512 * 1024 * 1024,
    ratio: 200,
    dense_from: 32 * 1024 * 1024,
};

/// The longest name of an entry, in bytes.
const LONGEST_NAME: usize = 1024;

/// Refuses a name that is no plain path below where it will be unpacked, on any system.
pub(crate) fn check_name(name: &str) -> Result<(), Fault> {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\\' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if name.len() > LONGEST_NAME || name.contains(steers) {
        return Err(Fault::BadName {
            name: name.chars().take(200).collect(),
        });
    }
    match name.split('/').all(|part| !matches!(part, "" | "." | "..")) {
        true => Ok(()),
        false => Err(Fault::Outside {
            name: name.to_owned(),
        }),
    }
}
