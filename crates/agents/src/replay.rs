//! The agent that feeds the documents of a session folder back, from disk or from memory.
//! Which file answers a task follows from the task and from the records of attempts that lie beside the documents; no file
//! outside the folder is ever read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_domain::{ExecutionError, ExecutionErrorKind, OutputNote, Role};
use serde::Deserialize;

use crate::agent::timed;
use crate::{
    Agent, BoxFuture, Finished, LimitedBytes, OpenContext, OpenError, Output, Request, Watch,
};

const ANALYST_FILE: &str = "round_000/analyst.md";
const EDITOR_FILE: &str = "editor.md";
const ROUND_PREFIX: &str = "round_";
const FINAL_REVIEW_FILE: &str = "final_review.md";
const RECORD_ENDING: &str = ".result.json";
/// How many records of a round are looked at, and how much of each is read.
const MOST_RECORDS: usize = 1000;
const LONGEST_RECORD: u64 = 1024 * 1024;

/// Answers every task with what a session has on file for it.
#[derive(Debug)]
pub struct Replay {
    name: String,
    source: Arc<Source>,
}

#[derive(Debug)]
enum Source {
    /// Holds the canonical path, so that what a link leads to can be compared with it.
    Folder(PathBuf),
    Files(BTreeMap<String, String>),
}

impl Replay {
    /// Serves from memory; the keys are paths as in a session folder, `round_001/engineer.md`.
    pub fn from_files(name: &str, files: BTreeMap<String, String>) -> Self {
        Self {
            name: name.to_owned(),
            source: Arc::new(Source::Files(files)),
        }
    }

    pub(crate) fn from_folder(
        name: &str,
        folder: &str,
        context: &OpenContext,
    ) -> Result<Self, OpenError> {
        let folder = folder.trim();
        if folder.is_empty() {
            return Err(OpenError::NoFolderNamed);
        }
        let path = context.base.join(folder);
        let canonical = match path.canonicalize() {
            Ok(canonical) if canonical.is_dir() => canonical,
            Ok(_) => return Err(OpenError::NotAFolder { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenError::FolderMissing { path });
            }
            Err(error) => {
                let reason = error.to_string();
                return Err(OpenError::FolderUnreadable { path, reason });
            }
        };
        Ok(Self {
            name: name.to_owned(),
            source: Arc::new(Source::Folder(canonical)),
        })
    }
}

impl Agent for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    fn plays(&self, role: Role) -> bool {
        match role {
            Role::Analyst => self.source.has(ANALYST_FILE),
            Role::Editor => self.source.has_editor(),
            Role::Engineer | Role::Reviewer | Role::FinalReviewer => true,
        }
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        timed(async move {
            watch.go_on()?;
            let source = Arc::clone(&self.source);
            let read = tokio::task::spawn_blocking(move || source.answer(&request)).await;
            let output = read.unwrap_or_else(|error| Err(unreadable("the replay", error)))?;
            if let Some(text) = &output.text {
                watch.progress.tell_bytes(text.len() as u64);
            }
            Ok(output)
        })
    }
}

/// What the record of an attempt says of it: which document it is of, and what came of it.
#[derive(Debug, Deserialize)]
struct Recorded {
    /// The name of its files, without their endings.
    #[serde(default)]
    name: String,
    role: Role,
    slot: u32,
    attempt: u32,
    verdict: String,
    #[serde(default)]
    warnings: Vec<RecordedWarning>,
}

#[derive(Debug, Deserialize)]
struct RecordedWarning {
    #[serde(default)]
    code: String,
}

impl Recorded {
    /// The document as it was handed over: one that was cut then is cut now.
    fn output(&self, bytes: LimitedBytes) -> Output {
        let mut output = Output::of(bytes);
        let note = OutputNote::OutputTruncated;
        let was_cut = self.warnings.iter().any(|it| it.code == note.code());
        if was_cut && !output.notes.contains(&note) {
            output.notes.push(note);
        }
        output
    }

    /// False for an attempt that could not run or was not finished: it is not replayed, and the next one takes its place.
    fn is_replayed(&self) -> bool {
        !matches!(self.verdict.as_str(), "EXECUTION_ERROR" | "UNDER_WAY")
    }
}

impl Source {
    fn answer(&self, request: &Request) -> Result<Output, ExecutionError> {
        let folder = format!("{}/attempts", round_folder(request));
        let recorded = self.recorded(&folder);
        let limit = request.limits.output_bytes;
        let (slot, nth) = (request.task.slot, request.task.attempt.saturating_sub(1));
        let mut own: Vec<&Recorded> = recorded
            .iter()
            .filter(|it| (it.role, it.slot) == (slot.role, slot.index) && it.is_replayed())
            .collect();
        own.sort_by_key(|it| it.attempt);
        if let Some(it) = usize::try_from(nth).ok().and_then(|nth| own.get(nth)) {
            match self.read(&format!("{folder}/{}.md", it.name), limit)? {
                Some(bytes) => return Ok(it.output(bytes)),
                None if it.verdict == "FILE_MISSING" => return Ok(Output::default()),
                None => {}
            }
        }
        // A document with a record is that attempt's and no other's.
        let is_anothers = |path: &String| {
            let mut recorded = recorded.iter();
            recorded.any(|it| *path == format!("{folder}/{}.md", it.name))
        };
        for path in files_for(request).iter().filter(|path| !is_anothers(path)) {
            if let Some(bytes) = self.read(path, limit)? {
                return Ok(Output::of(bytes));
            }
        }
        Ok(Output::default())
    }

    /// The records of a round's attempts; what can't be read as one is none.
    fn recorded(&self, folder: &str) -> Vec<Recorded> {
        let names: Vec<String> = match self {
            Source::Folder(root) => match fs::read_dir(root.join(folder)) {
                Ok(entries) => entries
                    .flatten()
                    .map(|entry| entry.file_name().to_string_lossy().into_owned())
                    .collect(),
                Err(_) => Vec::new(),
            },
            Source::Files(files) => files
                .keys()
                .filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'))
                .map(str::to_owned)
                .collect(),
        };
        let names = names
            .iter()
            .filter_map(|name| name.strip_suffix(RECORD_ENDING));
        names
            .take(MOST_RECORDS)
            .filter_map(|name| {
                let path = format!("{folder}/{name}{RECORD_ENDING}");
                let (text, _) = self.read(&path, LONGEST_RECORD).ok()??.into_text();
                let recorded: Recorded = serde_json::from_str(&text).ok()?;
                Some(Recorded {
                    name: name.to_owned(),
                    ..recorded
                })
            })
            .collect()
    }

    fn has(&self, path: &str) -> bool {
        match self {
            Source::Folder(root) => matches!(locate(root, path), Ok(Some(_))),
            Source::Files(files) => files.contains_key(path),
        }
    }

    /// True where an Editor wrote in any round.
    fn has_editor(&self) -> bool {
        match self {
            Source::Folder(root) => fs::read_dir(root).is_ok_and(|entries| {
                entries.flatten().any(|entry| {
                    let name = entry.file_name();
                    let name = name.to_string_lossy();
                    name.starts_with(ROUND_PREFIX) && self.has(&format!("{name}/{EDITOR_FILE}"))
                })
            }),
            Source::Files(files) => files.keys().any(|path| {
                let in_round = path.strip_prefix(ROUND_PREFIX);
                in_round.is_some_and(|path| path.ends_with(&format!("/{EDITOR_FILE}")))
            }),
        }
    }

    fn read(&self, path: &str, limit: u64) -> Result<Option<LimitedBytes>, ExecutionError> {
        let read = match self {
            Source::Folder(root) => locate(root, path)?
                .map(|file| File::open(file).and_then(|file| LimitedBytes::read(limit, file))),
            Source::Files(files) => files
                .get(path)
                .map(|text| LimitedBytes::read(limit, text.as_bytes())),
        };
        read.transpose().map_err(|error| unreadable(path, error))
    }
}

/// Finds a regular file inside `root`; a link that leads outside is an error rather than a missing file,
/// so that nobody looks for a document that seems to be there.
fn locate(root: &Path, path: &str) -> Result<Option<PathBuf>, ExecutionError> {
    let file = match root.join(path).canonicalize() {
        Ok(file) => file,
        Err(error) if is_absence(&error) => return Ok(None),
        Err(error) => return Err(unreadable(path, error)),
    };
    if !file.starts_with(root) {
        return Err(unreadable(path, "it leads outside of the replayed folder"));
    }
    let is_file = fs::metadata(&file).is_ok_and(|metadata| metadata.is_file());
    Ok(is_file.then_some(file))
}

fn is_absence(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

fn unreadable(path: &str, why: impl std::fmt::Display) -> ExecutionError {
    let message = format!("{path} can't be replayed: {why}");
    ExecutionError::new(ExecutionErrorKind::Provider, message)
}

fn round_folder(request: &Request) -> String {
    match request.task.slot.role {
        Role::Analyst => "round_000".to_owned(),
        Role::Engineer | Role::Reviewer | Role::Editor | Role::FinalReviewer => {
            format!("round_{:03}", request.task.round)
        }
    }
}

/// Names the files that may answer a request, best first: this attempt's own, then the round's.
fn files_for(request: &Request) -> Vec<String> {
    let task = &request.task;
    let role = task.slot.role;
    let (stem, attempt) = (role.stem(), task.attempt);
    let gap = request.gaps.first();
    let round = round_folder(request);

    let mut files = Vec::new();
    if let Some(gap) = gap {
        files.push(format!("{round}/attempts/{stem}-{gap}-{attempt}.md"));
    }
    files.push(format!("{round}/attempts/{stem}-{attempt}.md"));
    match role {
        Role::Analyst => files.push(ANALYST_FILE.to_owned()),
        Role::FinalReviewer => {
            files.push(format!("{round}/{FINAL_REVIEW_FILE}"));
            files.push(FINAL_REVIEW_FILE.to_owned());
        }
        Role::Engineer | Role::Reviewer | Role::Editor => {
            // Only an Engineer has parallel slots, and the first of them owns the round's common file.
            if let (Role::Engineer, 1.., Some(gap)) = (role, task.slot.index, gap) {
                files.push(format!("{round}/{stem}-{gap}.md"));
            }
            files.push(format!("{round}/{stem}.md"));
        }
    }
    files
}
