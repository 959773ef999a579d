//! The folder of a recorded session: `round_001/engineer.md`, `round_001/reviewer.md` and so on, with status.md and
//! decisions.md.

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::{RecordedRound, RecordedSession, RecordedText};

use crate::files::document::{self, unreadable};
use crate::{Failure, Kind, Result};

/// How many files a record may have.
const MOST_FILES: usize = 20_000;

const STATUS: &str = "status.md";
const DECISIONS: &str = "decisions.md";
pub(crate) const SOURCE: &str = "source.md";

/// Reads a document if it exists; bytes that are not UTF-8 are replaced.
fn read_if_there(path: &Path) -> Result<Option<String>> {
    match path.try_exists() {
        Ok(false) => Ok(None),
        _ => Ok(Some(document::read(path, "document")?.0)),
    }
}

/// Reads the documents of a recorded session.
pub(crate) fn read(folder: &Path) -> Result<RecordedSession> {
    if !folder.is_dir() {
        let message = format!("there is no folder {}", folder.display());
        return Err(Failure::new(Kind::Usage, message)
            .hint("check the path; the folder of a session has status.md and round_001 in it"));
    }
    let mut session = RecordedSession {
        status: read_if_there(&folder.join(STATUS))?,
        decisions: read_if_there(&folder.join(DECISIONS))?,
        ..RecordedSession::default()
    };
    let mut files = 0;
    for path in entries(folder, &mut files)? {
        let name = name_of(&path);
        match round_of(&path).filter(|_| path.is_dir()) {
            Some(round) => {
                let round = read_round(round, &path, &name, &mut files, &mut session.others)?;
                session.rounds.push(round);
            }
            None if path.is_file() && [STATUS, DECISIONS, SOURCE].contains(&name.as_str()) => {}
            None if name.starts_with('.') => {}
            None => session.others.push(name),
        }
    }
    Ok(session)
}

fn read_round(
    number: u32,
    folder: &Path,
    prefix: &str,
    files: &mut usize,
    others: &mut Vec<String>,
) -> Result<RecordedRound> {
    let mut round = RecordedRound {
        round: number,
        ..RecordedRound::default()
    };
    let mut ordered: Vec<(Place, PathBuf)> = Vec::new();
    for path in entries(folder, files)? {
        match place_of(&path).filter(|_| path.is_file()) {
            Some(place) => ordered.push((place, path)),
            None => others.push(format!("{prefix}/{}", name_of(&path))),
        }
    }
    ordered.sort();
    for (place, path) in ordered {
        let text = read_if_there(&path)?.unwrap_or_default();
        let file = format!("{prefix}/{}", name_of(&path));
        let text = RecordedText { file, text };
        match ROLES[place.role] {
            "engineer" => round.engineer.push(text),
            "reviewer" => round.reviewer.push(text),
            _ => round.summary.push(text),
        }
    }
    Ok(round)
}

fn entries(folder: &Path, files: &mut usize) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| unreadable(folder, &error))?.path());
        *files += 1;
        if *files > MOST_FILES {
            let message = format!("{} has more than {MOST_FILES} files", folder.display());
            return Err(Failure::new(Kind::Usage, message).hint("name the folder of one session"));
        }
    }
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// `round_003`, also `round-3` and `round3`. Archives and rolled-back rounds are none.
fn round_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let number = name.strip_prefix("round")?.trim_start_matches(['_', '-']);
    number.parse().ok()
}

const ROLES: [&str; 4] = ["engineer", "reviewer", "summary", "synthesis"];

/// Where a document stands among those of its round: `engineer.md`, `engineer_v2.md`, `engineer_v10.md`, and whatever else begins
/// with the role behind them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    role: usize,
    revision: (u8, u32, String),
}

fn place_of(path: &Path) -> Option<Place> {
    let name = path.file_name()?.to_str()?.strip_suffix(".md")?;
    ROLES.iter().enumerate().find_map(|(role, stem)| {
        let revision = revision(name.strip_prefix(stem)?)?;
        Some(Place { role, revision })
    })
}

fn revision(rest: &str) -> Option<(u8, u32, String)> {
    if rest.is_empty() {
        return Some((0, 0, String::new()));
    }
    let tag = rest.strip_prefix(['_', '-', '.'])?;
    let digits = tag.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    Some(match digits.parse() {
        Ok(number) => (1, number, tag.to_owned()),
        Err(_) => (2, 0, tag.to_owned()),
    })
}
