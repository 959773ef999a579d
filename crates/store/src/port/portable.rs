//! What makes a session that is carried elsewhere, and what is put beside its log.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use gapless_domain::{ArchiveName, TextHash};
use serde_json::Value;

use super::error::{Flaw, PortError};
use crate::archive::{Entry, Limits};
use crate::durable;
use crate::folder::{SessionFolder, SessionName};
use crate::store::Row;

/// How much an export may hold.
pub const PORT_LIMITS: Limits = Limits {
    entries: 200_000,
    unpacked: 1024 * 1024 * 1024,
    ratio: 200,
    dense_from: 64 * 1024 * 1024,
};

/// Puts an example that comes with a session into its folder, and says whether that was needed; never over another one.
pub fn place_text(folder: &SessionFolder, name: &str, text: &str) -> Result<bool, PortError> {
    let file = folder.root().join("examples").join(name);
    let place = || {
        let held = folder.make("examples")?;
        match durable::found(held.read_to_string(name))? {
            Some(there) if there == text => return Ok(false),
            Some(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            None => {}
        }
        let at = held.at(Path::new(name));
        durable::put(&at, text.as_bytes(), &durable::PLACED).map(|()| true)
    };
    place().map_err(|error| PortError::io(&file, "writing it", error))
}

/// Everything that makes a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portable {
    pub session: SessionName,
    pub rows: Vec<Row>,
    pub texts: BTreeMap<TextHash, Arc<str>>,
    /// What looks like the hash of a text in the log, and is none that was ever kept.
    pub without_text: Vec<TextHash>,
    pub archives: BTreeMap<ArchiveName, Vec<u8>>,
    /// What was done with archives on purpose.
    pub marks: Vec<Entry>,
    /// Examples that stand in for the built-in ones, by the names of their files.
    pub examples: BTreeMap<String, String>,
}

/// How the files of a folder are called; the bytes of a file need none of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// For each row the file that it stands in.
    pub events: Vec<String>,
    /// Where texts with a name stand; the others go by their hash.
    pub texts: BTreeMap<TextHash, String>,
    /// Files that are written for people and never read back.
    pub views: Vec<(String, String)>,
}

/// A session as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    pub portable: Portable,
    /// For each row where it stands: the file, and the line in it.
    pub places: Vec<(String, u32)>,
    /// Files in the folder that are no part of the export.
    pub ignored: Vec<String>,
    /// A file of events that was edited, and can be read all the same: none of it is to be believed.
    pub edited: Option<Flaw>,
}

/// Everything in a log that looks like the hash of a text.
pub fn named_hashes(rows: &[Row]) -> BTreeSet<TextHash> {
    let mut named = BTreeSet::new();
    for row in rows {
        if let Ok(body) = serde_json::from_str(&row.body) {
            collect(&body, &mut named);
        }
    }
    named
}

fn collect(value: &Value, named: &mut BTreeSet<TextHash>) {
    match value {
        Value::String(text) if text.len() == 64 => {
            let hash: Option<TextHash> = text.parse().ok();
            named.extend(hash.filter(|hash| hash.to_string() == *text));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, named)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, named)),
        _ => {}
    }
}
