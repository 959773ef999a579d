//! A store in memory that outlives its handles, for tests and the simulator: dropping a runner and handing a
//! clone to the next is what killing a process and opening the database again is on disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gapless_domain::{TextHash, Texts, Time};

use crate::error::StoreError;
use crate::store::{Commit, Intended, Letter, NewRow, Projection, Row, Store, Summary};

/// A handle on a store in memory; clones share it.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    sessions: BTreeMap<String, Session>,
    texts: BTreeMap<TextHash, Arc<str>>,
    inbox: Vec<(String, Letter)>,
    commits: u64,
    commits_until_failure: Option<u64>,
}

#[derive(Debug, Default)]
struct Session {
    rows: Vec<Row>,
    updated_at: Time,
    summary: String,
    intents: BTreeMap<String, Vec<Intent>>,
}

#[derive(Debug)]
struct Intent {
    hash: TextHash,
    first: u64,
    last: u64,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets `count` more commits through, then fails each as a full disk does.
    pub fn fail_commits_after(&self, count: u64) {
        self.kept().commits_until_failure = Some(count);
    }

    /// Lets commits through again.
    pub fn heal(&self) {
        self.kept().commits_until_failure = None;
    }

    /// How many texts are kept.
    pub fn text_count(&self) -> usize {
        self.kept().texts.len()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A commit checks before it changes anything, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn check(&self, session: &str, commit: &Commit) -> Result<(), StoreError> {
        let found = self.sessions.get(session).map_or(0, Session::last_seq);
        if found != commit.after_seq {
            return Err(StoreError::Fenced {
                session: session.to_owned(),
                expected: commit.after_seq,
                found,
            });
        }
        for (nth, (id, _)) in commit.answered.iter().enumerate() {
            let waits = self
                .inbox
                .iter()
                .any(|(of, letter)| of == session && letter.id == *id && letter.outcome.is_none());
            let twice = commit.answered[..nth].iter().any(|(other, _)| other == id);
            if !waits || twice {
                return Err(StoreError::NotWaiting {
                    session: session.to_owned(),
                    id: *id,
                });
            }
        }
        if self.commits_until_failure == Some(0) {
            let file = PathBuf::from("memory");
            return Err(StoreError::DiskFull { file });
        }
        Ok(())
    }

    fn apply(&mut self, name: &str, commit: &Commit) -> u64 {
        for (hash, text) in commit.texts.iter() {
            self.texts.entry(*hash).or_insert_with(|| Arc::clone(text));
        }
        for (_, letter) in &mut self.inbox {
            if let Some((_, outcome)) = commit.answered.iter().find(|(id, _)| *id == letter.id) {
                letter.outcome = Some(outcome.clone());
            }
        }
        self.commits += 1;
        let left = self.commits_until_failure;
        self.commits_until_failure = left.map(|left| left.saturating_sub(1));

        let session = self.sessions.entry(name.to_owned()).or_default();
        session.updated_at = commit.updated_at;
        session.summary.clone_from(&commit.summary);
        commit.rows.iter().for_each(|row| session.append(row));
        commit.projections.iter().for_each(|it| session.intend(it));
        commit.confirmed.iter().for_each(|it| session.confirm(it));
        session.last_seq()
    }
}

impl Session {
    fn last_seq(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.seq)
    }

    fn append(&mut self, row: &NewRow) {
        let NewRow {
            at,
            type_name,
            version,
            body,
        } = row.clone();
        self.rows.push(Row {
            seq: self.last_seq() + 1,
            at,
            type_name,
            version,
            body,
        });
    }

    fn intend(&mut self, projection: &Projection) {
        let intents = self.intents.entry(projection.path.clone()).or_default();
        let next = intents.iter().map(|intent| intent.last).max().unwrap_or(0) + 1;
        match intents
            .iter_mut()
            .find(|intent| intent.hash == projection.hash)
        {
            Some(intent) => intent.last = next,
            None => intents.push(Intent {
                hash: projection.hash,
                first: next,
                last: next,
            }),
        }
        intents.sort_by_key(|intent| intent.last);
    }

    fn confirm(&mut self, projection: &Projection) {
        let Some(intents) = self.intents.get_mut(&projection.path) else {
            return;
        };
        let confirmed = intents.iter().find(|intent| intent.hash == projection.hash);
        if let Some(first) = confirmed.map(|intent| intent.first) {
            intents.retain(|intent| intent.last >= first);
        }
    }
}

impl Texts for MemoryStore {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.kept().texts.get(hash).cloned()
    }
}

impl Store for MemoryStore {
    fn sessions(&self) -> Result<Vec<Summary>, StoreError> {
        let kept = self.kept();
        let summaries = kept.sessions.iter().map(|(name, session)| Summary {
            name: name.clone(),
            updated_at: session.updated_at,
            body: session.summary.clone(),
        });
        Ok(summaries.collect())
    }

    fn rows_after(&self, session: &str, seq: u64) -> Result<Vec<Row>, StoreError> {
        let kept = self.kept();
        let known = kept.sessions.get(session);
        let rows = &known.ok_or_else(|| StoreError::no_session(session))?.rows;
        Ok(rows[rows.partition_point(|row| row.seq <= seq)..].to_vec())
    }

    fn commit(&mut self, session: &str, commit: &Commit) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        kept.check(session, commit)?;
        Ok(kept.apply(session, commit))
    }

    fn session_id(&self, session: &str) -> Result<Option<String>, StoreError> {
        let is_there = self.kept().sessions.contains_key(session);
        // Nobody else has the memory, so that the name is as good as any id.
        Ok(is_there.then(|| session.to_owned()))
    }

    fn post(&mut self, session: &str, at: Time, body: &str) -> Result<i64, StoreError> {
        let mut kept = self.kept();
        if !kept.sessions.contains_key(session) {
            return Err(StoreError::no_session(session));
        }
        let id = kept.inbox.last().map_or(0, |(_, letter)| letter.id) + 1;
        let letter = Letter {
            id,
            posted_at: at,
            body: body.to_owned(),
            bound_to: Some(session.to_owned()),
            outcome: None,
        };
        kept.inbox.push((session.to_owned(), letter));
        Ok(id)
    }

    fn letters(&self, session: &str) -> Result<Vec<Letter>, StoreError> {
        let kept = self.kept();
        let waits = |of: &str, letter: &Letter| of == session && letter.outcome.is_none();
        let waiting = kept.inbox.iter().filter(|(of, letter)| waits(of, letter));
        Ok(waiting.map(|(_, letter)| letter.clone()).collect())
    }

    fn letter(&self, id: i64) -> Result<Option<Letter>, StoreError> {
        let kept = self.kept();
        let letter = kept.inbox.iter().find(|(_, letter)| letter.id == id);
        Ok(letter.map(|(_, letter)| letter.clone()))
    }

    fn intended(&self, session: &str) -> Result<Vec<Intended>, StoreError> {
        let kept = self.kept();
        let session = kept.sessions.get(session).into_iter();
        let intents = session.flat_map(|session| &session.intents);
        let all = intents.map(|(path, intents)| Intended {
            path: path.clone(),
            hashes: intents.iter().map(|intent| intent.hash).collect(),
        });
        Ok(all.collect())
    }

    fn text_checked(&self, hash: &TextHash) -> Result<Option<Arc<str>>, StoreError> {
        Ok(self.text(hash))
    }

    fn take_text_error(&self) -> Option<StoreError> {
        None
    }

    fn commits(&self) -> u64 {
        self.kept().commits
    }
}
