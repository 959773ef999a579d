//! Owns the thread that writes the files of a session folder, so that nobody waits for them.
//!
//! Invariant: documents are handed over only after the commit that intends them. A document that waits is replaced by a
//! newer one of the same path; what is waiting when the projector is dropped is still written. The folder of an undone round
//! is out of the way before anything of the same round as it is run again is written.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use gapless_domain::text::TextHash;

use crate::archive::{Undone, is_in_the_way, settle};
use crate::replace::{Found, Target};
use crate::{Edited, Intended, Projection, ProjectionError, SessionFolder};

/// The content that a file of the session folder is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    path: String,
    content: Arc<str>,
    hash: TextHash,
    /// The file is not to be there at all.
    absent: bool,
}

impl Document {
    pub fn new(path: impl Into<String>, content: impl Into<Arc<str>>) -> Self {
        let content = content.into();
        Self {
            path: path.into(),
            hash: TextHash::of(&content),
            content,
            absent: false,
        }
    }

    /// A file that is not to be there; what a person made of it is kept aside.
    pub fn absent(path: impl Into<String>) -> Self {
        Self {
            absent: true,
            ..Self::new(path, "")
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn content(&self) -> &Arc<str> {
        &self.content
    }

    /// What the commit before the writing says of it.
    pub fn projection(&self) -> Projection {
        Projection {
            path: self.path.clone(),
            hash: self.hash,
        }
    }
}

/// What came of documents since the last report.
#[derive(Debug, Default)]
pub struct Report {
    /// Files that now have their content, to be confirmed in the next commit.
    pub written: Vec<Projection>,
    pub edits: Vec<Edited>,
    pub errors: Vec<ProjectionError>,
}

/// Writes documents in the background.
#[derive(Debug)]
pub struct Projector {
    // Taken when dropped: the thread ends when nothing more can come.
    orders: Option<Sender<Order>>,
    notes: Receiver<Note>,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Write(Vec<Document>),
    Archive(Vec<Undone>),
    Flush(Sender<()>),
}

enum Note {
    Written(Projection),
    Edited(Edited),
    Failed(ProjectionError),
}

impl Projector {
    /// Starts the thread. `intended` is the store's: files with one of these contents were not edited.
    pub fn start(folder: SessionFolder, intended: Vec<Intended>) -> io::Result<Self> {
        let (orders, incoming) = mpsc::channel();
        let (outgoing, notes) = mpsc::channel();
        let writer = Writer::new(folder, intended, outgoing);
        let thread = thread::Builder::new()
            .name("projector".to_owned())
            .spawn(move || writer.run(&incoming))?;
        Ok(Self {
            orders: Some(orders),
            notes,
            thread: Some(thread),
        })
    }

    /// Hands documents over and returns at once.
    pub fn write(&self, documents: Vec<Document>) {
        // Where the thread is gone, the next flush says so.
        let _ = self.send(Order::Write(documents));
    }

    /// Lets the folders of undone rounds become archives, in this order and before whatever is handed over later, and
    /// returns at once.
    pub fn archive(&self, undone: Vec<Undone>) {
        // Where the thread is gone, the next flush says so.
        let _ = self.send(Order::Archive(undone));
    }

    /// What has come of documents so far, without waiting.
    pub fn poll(&self) -> Report {
        let mut report = Report::default();
        for note in self.notes.try_iter() {
            match note {
                Note::Written(projection) => report.written.push(projection),
                Note::Edited(edited) => report.edits.push(edited),
                Note::Failed(error) => report.errors.push(error),
            }
        }
        report
    }

    /// Waits until everything handed over was written or failed.
    pub fn flush(&self) -> Report {
        let (done, wait) = mpsc::channel();
        let flushed = self.send(Order::Flush(done)) && wait.recv().is_ok();
        let mut report = self.poll();
        if !flushed {
            report.errors.push(ProjectionError::Stopped);
        }
        report
    }

    fn send(&self, order: Order) -> bool {
        self.orders
            .as_ref()
            .is_some_and(|orders| orders.send(order).is_ok())
    }
}

impl Drop for Projector {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported on stderr, and files can be rebuilt.
            let _ = thread.join();
        }
    }
}

struct Writer {
    folder: SessionFolder,
    legitimate: BTreeMap<String, Vec<TextHash>>,
    waiting: BTreeMap<String, Document>,
    /// Undone rounds whose folders could not be moved, so that nothing may be written there.
    in_the_way: Vec<Undone>,
    notes: Sender<Note>,
}

impl Writer {
    fn new(folder: SessionFolder, intended: Vec<Intended>, notes: Sender<Note>) -> Self {
        let legitimate = intended
            .into_iter()
            .map(|intended| (intended.path, intended.hashes));
        Self {
            folder,
            legitimate: legitimate.collect(),
            waiting: BTreeMap::new(),
            in_the_way: Vec::new(),
            notes,
        }
    }

    fn run(mut self, orders: &Receiver<Order>) {
        let mut flushes: Vec<Sender<()>> = Vec::new();
        loop {
            // All that has come is taken before the next write, so that of two contents only the newer is written.
            let order = if self.waiting.is_empty() {
                for flush in flushes.drain(..) {
                    let _ = flush.send(());
                }
                match orders.recv() {
                    Ok(order) => Some(order),
                    Err(_) => return,
                }
            } else {
                orders.try_recv().ok()
            };
            match order {
                Some(Order::Write(documents)) => documents
                    .into_iter()
                    .for_each(|document| self.take(document)),
                Some(Order::Archive(undone)) => {
                    undone.into_iter().for_each(|undone| self.archive(undone));
                }
                Some(Order::Flush(done)) => flushes.push(done),
                None => {
                    if let Some((_, document)) = self.waiting.pop_first() {
                        self.write(document);
                    }
                }
            }
        }
    }

    fn take(&mut self, document: Document) {
        let legitimate = self.legitimate.entry(document.path.clone()).or_default();
        legitimate.push(document.hash);
        self.waiting.insert(document.path.clone(), document);
    }

    fn archive(&mut self, undone: Undone) {
        // What waits of the round is what the log has of it, and goes into the archive from there.
        self.waiting.retain(|path, _| !undone.owns(path));
        self.clear_the_way(|other| other.archive.round == undone.archive.round);
        self.settle(undone);
    }

    /// Tries once more to move folders that could not be moved before.
    fn clear_the_way(&mut self, which: impl Fn(&Undone) -> bool) {
        let (again, others) = std::mem::take(&mut self.in_the_way)
            .into_iter()
            .partition(which);
        self.in_the_way = others;
        let again: Vec<Undone> = again;
        again.into_iter().for_each(|undone| self.settle(undone));
    }

    fn settle(&mut self, undone: Undone) {
        if let Err(source) = settle(&self.folder, &undone, &mut |_| ControlFlow::Continue(())) {
            self.note(Note::Failed(ProjectionError::Archive {
                path: format!("archives/{}", undone.archive),
                source,
            }));
            if is_in_the_way(&self.folder, &undone) {
                self.in_the_way.push(undone);
            }
        }
    }

    fn write(&mut self, document: Document) {
        self.clear_the_way(|undone| undone.owns(&document.path));
        if self.in_the_way.iter().any(|it| it.owns(&document.path)) {
            return self.note(Note::Failed(ProjectionError::InTheWay {
                path: document.path,
            }));
        }
        let note = match self.replace(&document) {
            Ok(()) => {
                self.legitimate
                    .insert(document.path.clone(), vec![document.hash]);
                Note::Written(document.projection())
            }
            Err(error) => Note::Failed(error),
        };
        self.note(note);
    }

    fn replace(&self, document: &Document) -> Result<(), ProjectionError> {
        let target = Target::new(&self.folder, &document.path)?;
        let legitimate = self
            .legitimate
            .get(&document.path)
            .map_or(&[][..], Vec::as_slice);
        match target.inspect(&document.content, legitimate)? {
            Found::Same if !document.absent => return Ok(()),
            Found::Same | Found::Ours => {}
            Found::Edit(edit) => {
                // Said at once: the edit is kept aside even where the writing fails.
                let edited = target.keep_aside(&edit)?;
                self.note(Note::Edited(edited));
            }
        }
        match document.absent {
            true => target.remove(),
            false => target.put(&document.content),
        }
    }

    fn note(&self, note: Note) {
        // Nobody listens any more when the projector is being dropped.
        let _ = self.notes.send(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_document_replaces_a_waiting_one() {
        let dir = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(dir.path(), &"s".parse().unwrap());
        let (orders, incoming) = mpsc::channel();
        let (outgoing, notes) = mpsc::channel();
        let (old, new, other) = (
            Document::new("status.md", "old"),
            Document::new("status.md", "new"),
            Document::new("spec.md", "spec"),
        );
        orders.send(Order::Write(vec![old, other.clone()])).unwrap();
        orders.send(Order::Write(vec![new.clone()])).unwrap();
        drop(orders);
        Writer::new(folder.clone(), Vec::new(), outgoing).run(&incoming);

        let written: Vec<Projection> = notes
            .iter()
            .filter_map(|note| match note {
                Note::Written(projection) => Some(projection),
                _ => None,
            })
            .collect();
        assert_eq!(written, [other.projection(), new.projection()]);
        assert_eq!(
            std::fs::read_to_string(folder.root().join("status.md")).unwrap(),
            "new"
        );
    }
}
