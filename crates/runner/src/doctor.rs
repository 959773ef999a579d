//! Examining a damaged database: how much of each session is as it was written and can have happened, and saving that into
//! another one. The log is replayed through the same rules that an import is held to.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use gapless_domain::text::{TextHash, TextMap, Texts};
use gapless_domain::time::Time;
use gapless_session::State;
use gapless_session::event::{Event, EventReader};
use gapless_store::archive::{Archives, Opened};
use gapless_store::port::named_hashes;
use gapless_store::{
    Commit, NewRow, Projection, Row, SessionFolder, SoundLog, SqliteStore, Store, StoreError,
};
use gapless_views::documents;

use crate::audit::Audit;
use crate::chronicle::{Chronicle, to_store};
use crate::error::RunError;
use crate::log::Logged;
use crate::summary::SessionSummary;

/// What is found in a database and the folders of its sessions.
#[derive(Debug)]
pub struct Diagnosis {
    /// What SQLite complains of.
    pub database: Vec<String>,
    /// How many texts there are, or what is wrong with them.
    pub texts: Result<usize, String>,
    /// Why no command could use it, where each log is sound.
    pub unusable: Option<StoreError>,
    pub sessions: Vec<SessionFinding>,
}

impl Diagnosis {
    /// Whether the database is to be made anew.
    pub fn needs_repair(&self) -> bool {
        let damaged = |session: &SessionFinding| session.damage.is_some();
        !self.database.is_empty()
            || self.texts.is_err()
            || self.unusable.is_some()
            || self.sessions.iter().any(damaged)
    }

    pub fn is_sound(&self) -> bool {
        let archives = |session: &SessionFinding| !session.archives.is_empty();
        !self.needs_repair() && !self.sessions.iter().any(archives)
    }
}

/// A session as far as it can be saved.
#[derive(Debug)]
pub struct SessionFinding {
    pub name: String,
    pub damage: Option<Found>,
    /// The round that the sound part ends in.
    pub round: u32,
    /// Archives that can't be opened.
    pub archives: Vec<String>,
    /// Files that are missing or not what the log makes of them.
    pub files: Vec<String>,
    rows: Vec<Row>,
    closed: Vec<u64>,
    texts: BTreeMap<TextHash, Arc<str>>,
    state: State,
}

impl SessionFinding {
    /// How many events can be saved.
    pub fn events(&self) -> usize {
        self.rows.len()
    }
}

/// Since when a log is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub since: u64,
    /// When the last event before it happened.
    pub at: Option<Time>,
    pub what: String,
    /// How many events were written, where that is known.
    pub written: Option<u64>,
}

struct Kept<'t>(&'t BTreeMap<TextHash, Arc<str>>);

impl Texts for Kept<'_> {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.0.get(hash).cloned()
    }
}

/// Examines a database and the folders of its sessions. Changes nothing.
pub fn diagnose(
    store: &SqliteStore,
    folder_of: impl Fn(&str) -> Option<SessionFolder>,
) -> Diagnosis {
    let texts = store.count_texts();
    let sessions = store
        .sound_logs()
        .into_iter()
        .map(|log| {
            let folder = folder_of(&log.session);
            examine(store, log, folder.as_ref(), texts.is_ok())
        })
        .collect();
    Diagnosis {
        database: store.complaints(),
        texts,
        unusable: store.is_usable().err(),
        sessions,
    }
}

/// The event that a round begins with.
const ROUND_BEGAN: &str = "round.began";
/// The event that names a text which nobody keeps.
const SOURCE_CHANGED: &str = "session.source_change_seen";

/// A log that was read and followed.
#[derive(Default)]
struct Followed {
    log: Vec<Logged>,
    state: State,
    /// The first event that can't be read or can't have happened, and why.
    stopped: Option<String>,
}

fn follow_all(rows: &[Row]) -> Followed {
    let mut followed = Followed::default();
    let mut audit = Audit::default();
    let mut reader = EventReader::default();
    for row in rows {
        let read = reader.read(&row.type_name, row.version, &row.body);
        let event = match read {
            Ok(what) => Event { at: row.at, what },
            Err(error) => {
                followed.stopped = Some(error.to_string());
                break;
            }
        };
        if let Err(unlawful) = audit.follow(&event) {
            followed.stopped = Some(unlawful);
            break;
        }
        let seq = row.seq;
        followed.log.push(Logged { seq, event });
    }
    followed.state = audit.state;
    followed
}

fn examine(
    store: &SqliteStore,
    log: SoundLog,
    folder: Option<&SessionFolder>,
    has_all_texts: bool,
) -> SessionFinding {
    let SoundLog {
        session,
        mut rows,
        closed,
        flaw,
    } = log;
    let mut damage = flaw.map(|flaw| Found {
        since: flaw.since,
        at: flaw.at,
        what: flaw.what,
        written: flaw.written,
    });
    let whole = rows.len();
    let followed = follow_all(&rows);
    if let Some(why) = followed.stopped {
        rows.truncate(followed.log.len());
        damage = Some(found(&rows, why, whole));
    }
    if damage.is_some() {
        rows.truncate(last_commit(&rows, &closed));
    }
    let mut texts = texts_of(store, &rows);
    let lacks = |row: &Row| row.type_name != SOURCE_CHANGED && !has_texts(row, &texts);
    let lacking = rows.iter().position(lacks).filter(|_| !has_all_texts);
    let good = lacking.unwrap_or(rows.len());
    let makes_files = |rows: &[Row]| files_of(rows, &texts).is_ok();
    let good = match makes_files(&rows[..good]) {
        true => good,
        false => longest(good, |count| makes_files(&rows[..count])),
    };
    if good < rows.len() {
        rows.truncate(good);
        let why = "a text that it names is lost".to_owned();
        damage = Some(found(&rows, why, whole));
        rows.truncate(last_commit(&rows, &closed));
        texts = texts_of(store, &rows);
    }
    let state = follow_all(&rows).state;
    SessionFinding {
        name: session,
        round: state.now.round.number,
        archives: folder.map_or(Vec::new(), unreadable_archives),
        files: match (&damage, folder) {
            (None, Some(folder)) => differing_files(&rows, &texts, folder),
            _ => Vec::new(),
        },
        damage,
        rows,
        closed,
        texts,
        state,
    }
}

fn found(rows: &[Row], what: String, written: usize) -> Found {
    let last = rows.last();
    Found {
        since: last.map_or(0, |row| row.seq) + 1,
        at: last.map(|row| row.at),
        what,
        written: u64::try_from(written).ok(),
    }
}

/// How many of the rows end with a commit: a log that is cut within one is none that ever was. Where commits aren't known, as in
/// what was imported or is of an older version, it is cut where a rollback would go back to, before the last round.
fn last_commit(rows: &[Row], closed: &[u64]) -> usize {
    let last = rows.last().map_or(0, |row| row.seq);
    let earlier = closed.iter().rfind(|seq| **seq <= last);
    let begins = |row: &Row| row.type_name == ROUND_BEGAN;
    match earlier {
        Some(seq) => rows.partition_point(|row| row.seq <= *seq),
        None => rows.iter().rposition(begins).unwrap_or(0),
    }
}

/// The largest number below this one that something holds for; it holds for all that are smaller.
fn longest(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut bad) = (0, count);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match holds(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    good
}

fn has_texts(row: &Row, texts: &BTreeMap<TextHash, Arc<str>>) -> bool {
    let named = named_hashes(std::slice::from_ref(row));
    named.iter().all(|hash| texts.contains_key(hash))
}

fn texts_of(store: &SqliteStore, rows: &[Row]) -> BTreeMap<TextHash, Arc<str>> {
    let named = named_hashes(rows).into_iter();
    let text = |hash| Some((hash, store.sound_text(&hash)?));
    named.filter_map(text).collect()
}

/// The files that a log makes.
fn files_of(
    rows: &[Row],
    texts: &BTreeMap<TextHash, Arc<str>>,
) -> Result<Vec<gapless_store::Document>, RunError> {
    let Followed { log, state, .. } = follow_all(rows);
    let texts = Kept(texts);
    let chronicle = Chronicle::read(&log, &texts)?;
    let events: Vec<Event> = log.into_iter().map(|logged| logged.event).collect();
    let standing = documents::standing(&state, &events, &texts)?;
    let mut files: BTreeMap<String, gapless_store::Document> = chronicle.moments;
    for document in standing.into_iter().map(to_store) {
        files.insert(document.path().to_owned(), document);
    }
    Ok(files.into_values().collect())
}

fn differing_files(
    rows: &[Row],
    texts: &BTreeMap<TextHash, Arc<str>>,
    folder: &SessionFolder,
) -> Vec<String> {
    let Ok(files) = files_of(rows, texts) else {
        return Vec::new();
    };
    let differs = |document: &gapless_store::Document| {
        let Projection { path, hash } = document.projection();
        let there = fs::read(folder.root().join(path)).ok();
        let there = there.map(|bytes| TextHash::of_bytes(&bytes));
        // One that is to be gone has no content.
        there != Some(hash) && (there.is_some() || !document.content().is_empty())
    };
    let differing = files.iter().filter(|document| differs(document));
    differing
        .map(|document| document.path().to_owned())
        .collect()
}

fn unreadable_archives(folder: &SessionFolder) -> Vec<String> {
    match Archives::of(folder).list() {
        Ok(archives) => archives
            .into_iter()
            .filter(|archive| Opened::read(&archive.file).is_err())
            .map(|archive| archive.entry.archive.to_string())
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Writes what can be saved of a session into another store; nothing where that is nothing.
pub fn save(
    from: &SqliteStore,
    session: &SessionFinding,
    to: &mut impl Store,
) -> Result<(), RunError> {
    if session.rows.is_empty() {
        return Ok(());
    }
    let mut texts = TextMap::default();
    for text in session.texts.values() {
        texts.keep(text);
    }
    // Without these, what stands in the folder of lost rounds is kept as a person's, and not written over.
    let intended = match session.damage {
        None => from.intended(&session.name).unwrap_or_default(),
        Some(_) => Vec::new(),
    };
    let projections = intended.into_iter().flat_map(|intended| {
        let path = intended.path;
        let each = intended.hashes.into_iter();
        each.map(move |hash| Projection {
            path: path.clone(),
            hash,
        })
    });
    let mut commit = Commit {
        texts,
        updated_at: session.state.kept.clock,
        summary: serde_json::to_string(&SessionSummary::of(&session.state)).unwrap_or_default(),
        projections: projections.collect(),
        ..Commit::default()
    };
    // Commit by commit as before, so that another repair knows where to cut.
    let mut rows = session.rows.as_slice();
    let ends = session.closed.iter().copied().chain([u64::MAX]);
    for end in ends {
        let (now, later) = rows.split_at(rows.partition_point(|row| row.seq <= end));
        if now.is_empty() {
            continue;
        }
        commit.rows = now.iter().map(new_row).collect();
        commit.after_seq = to.commit(&session.name, &commit)?;
        commit.projections.clear();
        rows = later;
    }
    Ok(())
}

fn new_row(row: &Row) -> NewRow {
    NewRow {
        at: row.at,
        type_name: row.type_name.clone(),
        version: row.version,
        body: row.body.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_session::event::{Happening, RoundEvent, SessionEvent};

    #[test]
    fn the_events_are_called_so() {
        let began = Happening::Round(RoundEvent::Began { round: 1 });
        assert_eq!(began.encode().type_name, ROUND_BEGAN);
        let found = TextHash::of("");
        let changed = Happening::Session(SessionEvent::SourceChangeSeen { found });
        assert_eq!(changed.encode().type_name, SOURCE_CHANGED);
    }

    #[test]
    fn a_log_is_cut_behind_a_commit_or_before_a_round() {
        let row = |seq, type_name: &str| Row {
            seq,
            at: Time(0),
            type_name: type_name.to_owned(),
            version: 1,
            body: "{}".to_owned(),
        };
        let rows: Vec<Row> = (1..=9)
            .map(|seq| {
                row(
                    seq,
                    if seq % 4 == 0 {
                        ROUND_BEGAN
                    } else {
                        "gap.moved"
                    },
                )
            })
            .collect();
        assert_eq!(last_commit(&rows, &[3, 6, 9, 12]), 9);
        assert_eq!(last_commit(&rows[..8], &[3, 6, 9, 12]), 6);
        assert_eq!(last_commit(&rows, &[]), 7);
        assert_eq!(last_commit(&rows[..7], &[20]), 3);
        assert_eq!(last_commit(&rows[..2], &[3]), 0);
        assert_eq!(longest(9, |count| count < 5), 4);
    }
}
