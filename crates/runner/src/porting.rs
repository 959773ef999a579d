//! Carrying a session elsewhere: gathering what makes it, judging whether what comes in is a log that gapless could have
//! written, and how the files of a folder are called.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_domain::{ArchiveName, Role, TextHash, TextMap, Texts};
use gapless_session::attempt_record::attempt_records;
use gapless_session::event::{Event, EventReader, Happening, TaskEvent};
use gapless_session::{State, apply};
use gapless_store::archive::{ArchiveError, Archives, Opened};
use gapless_store::port::{Brought, Flaw, Names, PortError, Portable, named_hashes, place_text};
use gapless_store::{Commit, NewRow, SessionFolder, SessionName, Store, StoreError};
use gapless_views::documents;

use crate::audit::Audit;
use crate::chronicle::Chronicle;
use crate::error::RunError;
use crate::log::{Logged, decode_rows};
use crate::summary::SessionSummary;

/// A session ready to be carried, and what of it can't be.
#[derive(Debug)]
pub struct Export {
    pub portable: Portable,
    /// Archives that can't be opened, and stay behind.
    pub left: Vec<String>,
}

/// Gathers a session from its store and its folder; `cold` are the archives of it that were moved elsewhere.
pub fn export(
    store: &impl Store,
    name: &SessionName,
    folder: &SessionFolder,
    cold: Vec<(ArchiveName, PathBuf)>,
) -> Result<Export, RunError> {
    let rows = store.read(name.as_str())?;
    let (mut texts, mut without_text) = (BTreeMap::new(), Vec::new());
    for hash in named_hashes(&rows) {
        match store.text_checked(&hash)? {
            Some(text) => drop(texts.insert(hash, text)),
            None => without_text.push(hash),
        }
    }
    let shelf = Archives::of(folder);
    // The session's own count where one is in both places.
    let own = shelf.list()?.into_iter();
    let own = own.map(|found| (found.entry.archive, found.file));
    let files: BTreeMap<ArchiveName, PathBuf> = cold.into_iter().chain(own).collect();
    let (mut archives, mut left) = (BTreeMap::new(), Vec::new());
    for (archive, file) in files {
        match Opened::read(&file) {
            Ok(_) => {
                let bytes = fs::read(&file).map_err(|source| reading(&file, source))?;
                archives.insert(archive, bytes);
            }
            Err(ArchiveError::Unreadable { .. } | ArchiveError::Missing { .. }) => {
                left.push(archive.to_string());
            }
            Err(error) => return Err(error.into()),
        }
    }
    let portable = Portable {
        session: name.clone(),
        rows,
        texts,
        without_text,
        archives,
        marks: shelf.marks()?,
        examples: examples(folder)?,
    };
    Ok(Export { portable, left })
}

fn reading(file: &Path, source: io::Error) -> PortError {
    PortError::Io {
        place: file.to_owned(),
        doing: "reading it",
        source,
    }
}

/// The session's own examples, as far as they are ones.
fn examples(folder: &SessionFolder) -> Result<BTreeMap<String, String>, RunError> {
    let mut examples = BTreeMap::new();
    let held = match folder.open("examples") {
        Ok(held) => held,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(examples),
        Err(source) => return Err(reading(&folder.root().join("examples"), source).into()),
    };
    for role in Role::ALL {
        let name = format!("{}.md", role.stem());
        match held.read_to_string(&name) {
            Ok(text) => drop(examples.insert(name, text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(reading(&held.path().join(name), source).into()),
        }
    }
    Ok(examples)
}

struct Carried<'p>(&'p BTreeMap<TextHash, Arc<str>>);

impl Texts for Carried<'_> {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.0.get(hash).cloned()
    }
}

/// Judges what was brought: each event can be read, can follow on those before it, and every file can be made of them. Gives the
/// state that it comes to.
pub fn judge(brought: &Brought) -> Result<State, RunError> {
    let Brought {
        portable,
        places,
        edited,
        ..
    } = brought;
    let mut audit = Audit::default();
    let mut log = Vec::with_capacity(portable.rows.len());
    let mut reader = EventReader::default();
    for (row, (path, line)) in portable.rows.iter().zip(places) {
        let flaw = |why: String| PortError::Flaw(Flaw::new(path, *line, why));
        let what = reader
            .read(&row.type_name, row.version, &row.body)
            .map_err(|error| flaw(error.to_string()))?;
        let event = Event { at: row.at, what };
        audit.follow(&event).map_err(flaw)?;
        let seq = row.seq;
        log.push(Logged { seq, event });
    }
    let state = audit.state;
    // Only now: what can be said of an event says more than that its file was edited.
    if let Some(flaw) = edited {
        return Err(PortError::Flaw(flaw.clone()).into());
    }
    let texts = Carried(&portable.texts);
    let whole = |error: gapless_spec::AssemblyError| {
        let why = format!("its files cannot be made: {error}");
        PortError::Flaw(Flaw::new("gapless.json", None, why))
    };
    Chronicle::read(&log, &texts).map_err(whole)?;
    let events: Vec<Event> = log.into_iter().map(|logged| logged.event).collect();
    documents::standing(&state, &events, &texts).map_err(whole)?;
    let roles = Role::ALL.map(|role| format!("{}.md", role.stem()));
    let mut others = portable.examples.keys();
    if let Some(other) = others.find(|name| !roles.contains(name)) {
        let path = format!("examples/{other}");
        return Err(PortError::Flaw(Flaw::new(&path, None, "it is an example of no role")).into());
    }
    Ok(state)
}

/// Puts a session that was judged into a store, all of it in one commit, and what lies beside the log into its folder before
/// that. Where it fails, nothing of it stays.
pub fn import(
    store: &mut impl Store,
    folder: &SessionFolder,
    name: &SessionName,
    portable: &Portable,
    state: &State,
) -> Result<(), RunError> {
    let shelf = Archives::of(folder);
    let placed = shelf.place(&portable.archives, &portable.marks)?;
    let examples = folder.root().join("examples");
    let mut written = Vec::new();
    let mut put = || -> Result<(), RunError> {
        for (file, text) in &portable.examples {
            if place_text(folder, file, text)? {
                written.push(examples.join(file));
            }
        }
        let mut texts = TextMap::default();
        for text in portable.texts.values() {
            texts.keep(text);
        }
        let commit = Commit {
            after_seq: 0,
            rows: portable.rows.iter().map(new_row).collect(),
            texts,
            updated_at: state.kept.clock,
            summary: serde_json::to_string(&SessionSummary::of(state)).unwrap_or_default(),
            ..Commit::default()
        };
        store.commit(name.as_str(), &commit)?;
        Ok(())
    };
    let result = put();
    // A commit that failed may be in the log all the same, as one whose sync failed may.
    if result.is_err() && is_unknown(store, name) {
        placed.take_back();
        for file in &written {
            let _ = fs::remove_file(file);
        }
        // One that is not empty stays.
        let _ = fs::remove_dir(&examples);
    }
    result
}

fn is_unknown(store: &impl Store, name: &SessionName) -> bool {
    matches!(
        store.read(name.as_str()),
        Err(StoreError::NoSuchSession { .. })
    )
}

fn new_row(row: &gapless_store::Row) -> NewRow {
    NewRow {
        at: row.at,
        type_name: row.type_name.clone(),
        version: row.version,
        body: row.body.clone(),
    }
}

/// How the files of a session's folder are called: events by round, texts by what they are, and what is written for people.
pub fn names(portable: &Portable) -> Result<Names, RunError> {
    let log = decode_rows(&portable.rows)?;
    let texts = Carried(&portable.texts);
    let mut names = Names::default();
    let mut taken = Taken::default();
    let mut state = State::default();
    let mut views: BTreeMap<String, String> = BTreeMap::new();
    for Logged { event, .. } in &log {
        apply(&mut state, event);
        let round = state.now.round.number;
        names.events.push(format!("events/round_{round:03}.jsonl"));
        taken.attempt(&state, event, &mut names);
        if let Some(document) = documents::of_moment(&state, event, &texts)? {
            let hash = TextHash::of(&document.text);
            match portable.texts.contains_key(&hash) {
                true => taken.name(&mut names, hash, &document.path),
                false => drop(views.insert(document.path, document.text.to_string())),
            }
        }
    }
    for (hash, path) in std::mem::take(&mut taken.outputs) {
        taken.name(&mut names, hash, &path);
    }
    let events: Vec<Event> = log.into_iter().map(|logged| logged.event).collect();
    for document in documents::standing(&state, &events, &texts)? {
        views.insert(document.path, document.text.to_string());
    }
    views.retain(|path, _| !taken.names.contains(path));
    names.views = views.into_iter().collect();
    Ok(names)
}

/// Names that were given.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// What valid attempts wrote, in case that nothing else names it.
    outputs: Vec<(TextHash, String)>,
}

impl Taken {
    /// Names a text; a round that was run again has the same names with a number behind them.
    fn name(&mut self, names: &mut Names, hash: TextHash, path: &str) {
        if names.texts.contains_key(&hash) {
            return;
        }
        let stem = path.strip_suffix(".md").unwrap_or(path);
        let mut name = path.to_owned();
        let mut nth = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{stem}.{nth}.md");
            nth += 1;
        }
        names.texts.insert(hash, name);
    }

    /// Names the prompt of an attempt, and what came of it.
    fn attempt(&mut self, state: &State, event: &Event, names: &mut Names) {
        let task = match &event.what {
            Happening::Task(TaskEvent::Started { task }) => task.id,
            Happening::Task(
                TaskEvent::Validated { task, .. }
                | TaskEvent::Rejected { task, .. }
                | TaskEvent::Pressed { task, .. }
                | TaskEvent::Failed { task, .. }
                | TaskEvent::Exhausted { task, .. },
            ) => *task,
            _ => return,
        };
        let attempts = &state.now.round.attempts;
        let Some(index) = attempts.iter().position(|attempt| attempt.task == task) else {
            return;
        };
        let name = &attempt_records(attempts)[index].name;
        let attempt = &attempts[index];
        let path = |ending: &str| format!("round_{:03}/attempts/{name}{ending}", task.round);
        match attempt.finished.as_ref() {
            None => self.name(names, attempt.prompt, &path(".prompt.md")),
            Some(end) if end.outcome.is_valid() => {
                self.outputs
                    .extend(end.output.map(|output| (output, path(".md"))));
                self.outputs
                    .extend(end.raw.map(|raw| (raw, path(".raw.md"))));
            }
            Some(end) => {
                if let Some(output) = end.output {
                    self.name(names, output, &path(".md"));
                }
            }
        }
    }
}
