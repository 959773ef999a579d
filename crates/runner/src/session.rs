//! A session that is open: its state, what happened since the last commit, and its documents. Synchronous, and
//! without a clock: the simulator drives it in virtual time.

use std::path::{Path, PathBuf};

use gapless_domain::archives::round_folder;
use gapless_domain::text::{Layered, TextMap};
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Input, Outcome, Refusal, Step};
use gapless_mediator::{ReadDocuments, handle_with, next};
use gapless_session::event::{Event, Happening, RollbackEvent, SessionEvent};
use gapless_session::{State, apply};
use gapless_spec::AssemblyError;
use gapless_store::archive::{ArchiveError, ColdStore, Undone};
use gapless_store::{
    Commit, Document, Edited, FileWriter, NewRow, Projection, ProjectionError, Projector, Report,
    SessionFolder, Store,
};
use gapless_views::documents;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::chronicle::{Chronicle, moment, to_store};
use crate::error::RunError;
use crate::log::{Logged, log_of};
use crate::summary::SessionSummary;

/// Where the archives of a session are, and where they may move.
#[derive(Debug, Clone)]
pub struct ArchivePlaces {
    pub folder: SessionFolder,
    pub cold: ColdStore,
    /// The workspace, by its whole path.
    pub workspace: PathBuf,
}

/// Says whether the session of this id may write a file.
pub type MayWrite = Box<dyn Fn(Option<&str>, &Path) -> bool + Send + Sync>;

/// An open session.
pub struct Session<S: Store> {
    store: S,
    name: String,
    state: State,
    last_seq: u64,
    events: Vec<Event>,
    texts: TextMap,
    /// What was read since the last commit.
    read: ReadDocuments,
    answered: Vec<(i64, String)>,
    /// What is to be said of letters that were dropped.
    dropped: Vec<String>,
    folder: Option<Folder>,
    /// Documents of moments since the last commit. After opening: of all moments, since a crash may have come before
    /// they were written.
    moments: Vec<Document>,
    /// A document that could not be written; what led to it must not stand.
    unwritten: Option<AssemblyError>,
    /// The folder that the path of the spec is relative to; nothing is written outside of the session's folder without.
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) may_write: Option<MayWrite>,
    pub(crate) archives: Option<ArchivePlaces>,
}

/// The session's folder, and what was written there since the last commit.
struct Folder {
    projector: Projector,
    confirmed: Vec<Projection>,
    /// Edits that a killed process kept, and could not say so.
    unsaid: Vec<Edited>,
    /// The archive of an undone round could not be made; the next process tries again.
    unarchived: bool,
}

/// Everything that a commit needs, and what follows on it.
struct Ready {
    commit: Commit,
    documents: Vec<Document>,
    undone: Vec<Undone>,
}

/// What writing the session's folder brought up.
#[derive(Debug, Default)]
pub struct FolderNews {
    pub edits: Vec<Edited>,
    pub errors: Vec<ProjectionError>,
    /// Letters of the inbox that were not for this session, and why.
    pub dropped: Vec<String>,
}

impl<S: Store> Session<S> {
    /// Opens a session that may not have begun: an unknown name is an empty log.
    pub fn open(store: S, name: &str) -> Result<Self, RunError> {
        let mut state = State::default();
        let logged = log_of(&store, name)?;
        for Logged { event, .. } in &logged {
            apply(&mut state, event);
        }
        Ok(Self {
            store,
            name: name.to_owned(),
            state,
            last_seq: logged.last().map_or(0, |logged| logged.seq),
            events: Vec::new(),
            texts: TextMap::default(),
            read: ReadDocuments::default(),
            answered: Vec::new(),
            dropped: Vec::new(),
            folder: None,
            moments: Vec::new(),
            unwritten: None,
            workspace: None,
            may_write: None,
            archives: None,
        })
    }

    /// Writes documents into this folder from now on, those of the past included.
    pub fn attach(&mut self, folder: SessionFolder) -> Result<(), RunError> {
        self.attach_shared(folder, &FileWriter::default())
    }

    /// Like [`Self::attach`], on the thread of a writer that sessions share.
    pub fn attach_shared(
        &mut self,
        folder: SessionFolder,
        writer: &FileWriter,
    ) -> Result<(), RunError> {
        let log = log_of(&self.store, &self.name)?;
        let unsaid = unsaid_edits(&folder, &log).map_err(RunError::Folder)?;
        let folder = Folder {
            projector: Projector::with(writer, folder, self.store.intended(&self.name)?),
            confirmed: Vec::new(),
            unsaid,
            unarchived: false,
        };
        let Chronicle {
            undone,
            moments,
            state,
        } = Chronicle::read(&log, &self.texts())?;
        // Whoever was to make these may have been killed before; the log has them, so that no commit is waited for.
        folder
            .projector
            .archive(undone.into_iter().map(|(_, undone)| undone).collect());
        self.folder = Some(folder);
        let past: Vec<Event> = log.into_iter().map(|logged| logged.event).collect();
        let standing = documents::standing(&state, &past, &self.texts())?;
        self.moments.extend(moments.into_values());
        self.moments.extend(standing.into_iter().map(to_store));
        self.moments.extend(absent(&state));
        Ok(())
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn store(&self) -> &S {
        &self.store
    }

    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    pub fn step(&self) -> Step {
        next(&self.state)
    }

    /// The texts of this session, those not yet committed included.
    pub fn texts(&self) -> Layered<'_> {
        Layered {
            fresh: &self.texts,
            kept: &self.store,
        }
    }

    /// Lets the core judge an input; what happens is in the state at once, and on disk with the next commit.
    pub fn feed(&mut self, at: Time, what: Incoming) -> Result<(), Refusal> {
        let kept = Layered {
            fresh: &self.texts,
            kept: &self.store,
        };
        let Outcome { events, texts } =
            handle_with(&self.state, Input { at, what }, &kept, &mut self.read)?;
        self.texts.extend(texts);
        for event in &events {
            let backed_up = documents::backed_up(&self.state);
            apply(&mut self.state, event);
            if self.folder.is_some() {
                match moment(&backed_up, &self.state, event, &self.texts()) {
                    Ok(documents) => self.moments.extend(documents),
                    Err(error) => self.unwritten = Some(error),
                }
                self.drop_undone(event);
            }
        }
        self.events.extend(events);
        Ok(())
    }

    /// What waits of undone rounds goes into their archives, from the log.
    fn drop_undone(&mut self, event: &Event) {
        if let Happening::Rollback(RollbackEvent::RolledBack {
            from_round,
            to_round,
            ..
        }) = event.what
        {
            for round in to_round.saturating_add(1)..=from_round {
                let folder = round_folder(round) + "/";
                self.moments
                    .retain(|document| !document.path().starts_with(&folder));
            }
        }
    }

    /// Marks a letter of the inbox as taken, with the next commit.
    pub(crate) fn take_letter(&mut self, id: i64, outcome: String) {
        self.answered.push((id, outcome));
    }

    pub(crate) fn drop_letter(&mut self, why: &str) {
        let name = &self.name;
        self.dropped.push(format!(
            "a message in the inbox of {name} was dropped: {why}"
        ));
    }

    /// The session's id; `None` before its log begins, whatever the database brought along.
    pub fn id(&self) -> Result<Option<String>, RunError> {
        match self.last_seq {
            0 => Ok(None),
            _ => Ok(self.store.session_id(&self.name)?),
        }
    }

    pub(crate) fn has_taken(&self, id: i64) -> bool {
        self.answered.iter().any(|(taken, _)| *taken == id)
    }

    pub fn has_uncommitted(&self) -> bool {
        !self.events.is_empty() || !self.answered.is_empty() || !self.moments.is_empty()
    }

    /// Puts everything since the last commit on disk, in one transaction, and gives back what happened.
    pub fn commit(&mut self) -> Result<Vec<Event>, RunError> {
        let Some(ready) = self.ready()? else {
            return Ok(Vec::new());
        };
        let last_seq = self.store.commit(&self.name, &ready.commit)?;
        Ok(self.committed(last_seq, ready.documents, ready.undone))
    }

    /// Like [`Self::commit`], on a runtime: it can do other work while the disk does this, and sessions that commit at the same
    /// time share a sync.
    pub(crate) async fn commit_beside_others(&mut self) -> Result<Vec<Event>, RunError> {
        let Some(ready) = self.ready()? else {
            return Ok(Vec::new());
        };
        let (done, told) = oneshot::channel();
        let done = Box::new(move |result| drop(done.send(result)));
        if let Some(turn) = self.store.submit(&self.name, ready.commit, done) {
            spawn_blocking(move || turn.take());
        }
        let last_seq = match told.await {
            Ok(result) => result?,
            // Every commit is told what came of it, unless the runtime ends: then nobody is left who would go on.
            Err(_) => std::future::pending().await,
        };
        Ok(self.committed(last_seq, ready.documents, ready.undone))
    }

    /// What the next commit is to write; `None` where there is nothing.
    fn ready(&mut self) -> Result<Option<Ready>, RunError> {
        // A session that waits keeps no parsed documents.
        self.read = ReadDocuments::default();
        // A text that could not be read looked like one that isn't there; what was decided on that must not stand.
        if let Some(error) = self.store.take_text_error() {
            return Err(error.into());
        }
        if !self.has_uncommitted() {
            return Ok(None);
        }
        if let Some(error) = self.unwritten.take() {
            return Err(error.into());
        }
        let mut undone = Vec::new();
        if let Some(chronicle) = self.chronicle_of_undone()? {
            if self.events.iter().any(takes_back) {
                // What had given way to what is taken back stands again.
                self.moments = chronicle.moments.into_values().collect();
            }
            let fresh = chronicle.undone.into_iter();
            let fresh = fresh.filter(|(seq, _)| *seq > self.last_seq);
            undone = fresh.map(|(_, undone)| undone).collect();
        }
        let mut documents = std::mem::take(&mut self.moments);
        documents.extend(self.standing_documents()?);
        let commit = Commit {
            after_seq: self.last_seq,
            rows: self.events.iter().map(to_row).collect(),
            texts: self.texts.clone(),
            updated_at: self.state.kept.clock,
            summary: serde_json::to_string(&SessionSummary::of(&self.state)).unwrap_or_default(),
            projections: documents.iter().map(Document::projection).collect(),
            confirmed: self
                .folder
                .as_mut()
                .map_or(Vec::new(), |folder| std::mem::take(&mut folder.confirmed)),
            answered: self.answered.clone(),
        };
        Ok(Some(Ready {
            commit,
            documents,
            undone,
        }))
    }

    /// What follows on a commit: files are written only now, since the log has them.
    fn committed(
        &mut self,
        last_seq: u64,
        documents: Vec<Document>,
        undone: Vec<Undone>,
    ) -> Vec<Event> {
        self.last_seq = last_seq;
        self.answered.clear();
        self.texts = TextMap::default();
        if let Some(folder) = &self.folder {
            folder.projector.archive(undone);
            folder.projector.write(documents);
        }
        std::mem::take(&mut self.events)
    }

    /// Waits until the session's files are written, without holding up the runtime.
    pub(crate) async fn files_written(&mut self) {
        let folder = self.folder.as_ref();
        if let Some(written) = folder.and_then(|folder| folder.projector.under_way()) {
            // Where that fails, the next look at the folder says so.
            let _ = spawn_blocking(move || written.recv()).await;
        }
    }

    /// The files of the whole log, where something was undone since the last commit and there is a folder.
    fn chronicle_of_undone(&self) -> Result<Option<Chronicle>, RunError> {
        let undone = |event: &Event| matches!(event.what, Happening::Rollback(_));
        if self.folder.is_none() || !self.events.iter().any(undone) {
            return Ok(None);
        }
        let mut log = log_of(&self.store, &self.name)?;
        let fresh = (self.last_seq + 1..).zip(&self.events);
        log.extend(fresh.map(|(seq, event)| Logged {
            seq,
            event: event.clone(),
        }));
        Ok(Some(Chronicle::read(&log, &self.texts())?))
    }

    /// The documents that show the session as it stands, where there is a folder for them.
    fn standing_documents(&self) -> Result<Vec<Document>, RunError> {
        if self.folder.is_none() {
            return Ok(Vec::new());
        }
        let standing = documents::standing(&self.state, &self.events, &self.texts())?;
        let standing = standing.into_iter().map(to_store);
        Ok(standing.chain(absent(&self.state)).collect())
    }

    /// What was written since the last look. Edits of people become events with the next commit.
    pub fn look_at_folder(&mut self, at: Time, wait: bool) -> Result<FolderNews, RunError> {
        let dropped = std::mem::take(&mut self.dropped);
        let Some(folder) = &mut self.folder else {
            return Ok(FolderNews {
                dropped,
                ..FolderNews::default()
            });
        };
        let Report {
            written,
            mut edits,
            errors,
        } = match wait {
            true => folder.projector.flush(),
            false => folder.projector.poll(),
        };
        // The same edit is met again where the process was killed before the file was written.
        folder.unsaid.retain(|unsaid| !edits.contains(unsaid));
        if wait {
            edits.append(&mut folder.unsaid);
        }
        folder.confirmed.extend(written);
        folder.unarchived |= errors.iter().any(is_unarchived);
        for edit in &edits {
            self.feed(
                at,
                Incoming::EditKept {
                    path: edit.path.clone(),
                    kept_as: edit.kept_as.clone(),
                },
            )?;
        }
        Ok(FolderNews {
            edits,
            errors,
            dropped,
        })
    }

    /// Does what is left to do before the session is left alone: the refined spec of an ended one is written where it is
    /// wanted, then every document, and then what was chosen is done with the archives. Gives back what happened.
    pub fn come_to_rest(&mut self, at: Time) -> Result<(Vec<Event>, FolderNews), RunError> {
        self.deliver(at)?;
        let mut news = self.look_at_folder(at, true)?;
        let mut events = self.commit()?;
        // After the folder was written: what is disposed of must be there, all of it.
        if !self.folder.as_ref().is_some_and(|folder| folder.unarchived) {
            self.dispose(at)?;
        }
        let disposed = self.commit()?;
        if !disposed.is_empty() {
            events.extend(disposed);
            let later = self.look_at_folder(at, true)?;
            news.edits.extend(later.edits);
            news.errors.extend(later.errors);
        }
        self.store.is_in_place()?;
        Ok((events, news))
    }
}

fn takes_back(event: &Event) -> bool {
    let Happening::Rollback(event) = &event.what else {
        return false;
    };
    matches!(event, RollbackEvent::TakenBack { .. })
}

/// The edits in a session's folder that its log doesn't know of. One that has not begun has none.
fn unsaid_edits(folder: &SessionFolder, log: &[Logged]) -> std::io::Result<Vec<Edited>> {
    if log.is_empty() || !folder.root().exists() {
        return Ok(Vec::new());
    }
    let said = |edit: &Edited| {
        log.iter().any(|logged| {
            matches!(&logged.event.what, Happening::Session(SessionEvent::EditKept { kept_as, .. }) if *kept_as == edit.kept_as)
        })
    };
    let mut edits = Edited::all_in(folder)?;
    edits.retain(|edit| !said(edit));
    Ok(edits)
}

fn to_row(event: &Event) -> NewRow {
    let encoded = event.what.encode();
    NewRow {
        at: event.at,
        type_name: encoded.type_name,
        version: encoded.version,
        body: encoded.body,
    }
}

/// True where an archive is not made; one of which something was left over is.
fn is_unarchived(error: &ProjectionError) -> bool {
    let ProjectionError::Archive { source, .. } = error else {
        return false;
    };
    !matches!(source, ArchiveError::LeftOver { .. })
}

fn absent(state: &State) -> impl Iterator<Item = Document> {
    documents::absent(state)
        .iter()
        .map(|path| Document::absent(*path))
}
