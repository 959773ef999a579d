//! Documents that the command line names. A missing file is an error, never an empty document.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use gapless_domain::OutputNote;
use gapless_markdown::Document;
use gapless_reading::read::{StatusReading, read_status};

use crate::spelling::did_you_mean;
use crate::{Failure, Kind, Result};

/// The largest document that is read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Reads a file. Bytes that are not UTF-8 are replaced, with a note. `what` names the file in errors: "document".
pub(crate) fn read(path: &Path, what: &str) -> Result<(String, Option<OutputNote>)> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => missing(path, what),
        _ => unreadable(path, &error),
    })?;
    // Reading a device or a pipe may never end.
    if !metadata.is_file() || metadata.len() > LARGEST {
        let message = format!("{} is no file of at most 16 MB", path.display());
        return Err(Failure::new(Kind::Usage, message).hint("name a markdown file"));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => (
            String::from_utf8_lossy(error.as_bytes()).into_owned(),
            Some(OutputNote::InvalidUtf8Replaced),
        ),
    })
}

/// Reads the inventory of gaps in a status.md.
pub(crate) fn read_inventory(path: &Path) -> Result<StatusReading> {
    let (text, _) = read(path, "status document")?;
    let reading = read_status(&Document::parse(&text));
    if reading.gaps.is_empty() {
        let message = format!("no gap was found in {}", path.display());
        return Err(Failure::new(Kind::Usage, message)
            .hint("gaps are table rows or list items that begin with their id: GAP-FLOW-001"));
    }
    Ok(reading)
}

pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} cannot be read: {error}", path.display());
    Failure::new(Kind::Usage, message).hint("check the path and who may read it")
}

fn missing(path: &Path, what: &str) -> Failure {
    let message = format!("there is no {what} at {}", path.display());
    let hint = match similar_file(path) {
        Some(suggestion) => format!("check the path; {suggestion}"),
        None => "check the path, and name a markdown file that can be read".to_owned(),
    };
    Failure::new(Kind::Usage, message).hint(hint)
}

/// Suggests the file of the same folder whose name is most like the missing one.
fn similar_file(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let entries = fs::read_dir(path.parent()?).ok()?;
    let names: Vec<String> = entries
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    did_you_mean(name, names.iter().map(String::as_str))
}
