//! Writing the files of session folders in the background, so that nobody waits for them.
//!
//! Invariant: documents are handed over only after the commit that intends them. A document that waits is replaced by a
//! newer one of the same path; what is waiting when the projector is dropped is still written. The folder of an undone round
//! is out of the way before anything of the same round as it is run again is written.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gapless_domain::TextHash;

use crate::archive::{Undone, is_in_the_way, settle};
use crate::document::Document;
use crate::file_writer::{FileWriter, Job};
use crate::folder::SessionFolder;
use crate::replace::{Edited, Found, ProjectionError, Target};
use crate::store::{Intended, Projection};

/// What came of documents since the last report.
#[derive(Debug, Default)]
pub struct Report {
    /// Files that now have their content, to be confirmed in the next commit.
    pub written: Vec<Projection>,
    pub edits: Vec<Edited>,
    pub errors: Vec<ProjectionError>,
}

/// Writes the documents of one session in the background.
#[derive(Debug)]
pub struct Projector {
    files: Arc<Files>,
    writer: FileWriter,
}

/// The files of a session, shared with the thread that writes them.
struct Files {
    orders: Mutex<Orders>,
    report: Mutex<Report>,
    /// Held by whoever writes.
    folder: Mutex<Folder>,
}

#[derive(Default)]
struct Orders {
    coming: Vec<Order>,
    /// A writer has been asked to carry them out, and has not ended.
    under_way: bool,
    when_written: Vec<Sender<()>>,
}

enum Order {
    Write(Vec<Document>),
    Archive(Vec<Undone>),
}

impl Projector {
    /// Writes to this folder on a thread of its own. `intended` is the store's: files with one of these contents were not edited.
    pub fn start(folder: SessionFolder, intended: Vec<Intended>) -> Self {
        Self::with(&FileWriter::default(), folder, intended)
    }

    /// Writes to this folder on the thread of a writer that several sessions share.
    pub fn with(writer: &FileWriter, folder: SessionFolder, intended: Vec<Intended>) -> Self {
        Self {
            files: Arc::new(Files {
                orders: Mutex::default(),
                report: Mutex::default(),
                folder: Mutex::new(Folder::new(folder, intended)),
            }),
            writer: writer.clone(),
        }
    }

    /// Hands documents over and returns at once.
    pub fn write(&self, documents: Vec<Document>) {
        if !documents.is_empty() {
            self.order(Order::Write(documents));
        }
    }

    /// Lets the folders of undone rounds become archives, in this order and before whatever is handed over later, and
    /// returns at once.
    pub fn archive(&self, undone: Vec<Undone>) {
        if !undone.is_empty() {
            self.order(Order::Archive(undone));
        }
    }

    /// What has come of documents so far, without waiting.
    pub fn poll(&self) -> Report {
        std::mem::take(&mut *lock(&self.files.report))
    }

    /// Waits until everything handed over was written or failed.
    pub fn flush(&self) -> Report {
        let written = self.under_way().is_none_or(|wait| wait.recv().is_ok());
        let mut report = self.poll();
        if !written {
            report.errors.push(ProjectionError::Stopped);
        }
        report
    }

    /// Tells when everything that is handed over by now was written or failed; `None` where nothing waits.
    pub fn under_way(&self) -> Option<Receiver<()>> {
        let mut orders = lock(&self.files.orders);
        orders.under_way.then(|| {
            let (done, wait) = mpsc::channel();
            orders.when_written.push(done);
            wait
        })
    }

    fn order(&self, order: Order) {
        let mut orders = lock(&self.files.orders);
        orders.coming.push(order);
        if !std::mem::replace(&mut orders.under_way, true) {
            drop(orders);
            self.writer.run(Arc::clone(&self.files) as Arc<dyn Job>);
        }
    }
}

impl Drop for Projector {
    fn drop(&mut self) {
        // What could not be written can be rebuilt from the log.
        drop(self.flush());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job for Files {
    /// Carries out everything that was ordered, and what comes meanwhile.
    fn run(&self) {
        let mut folder = lock(&self.folder);
        loop {
            // All that has come is taken before the next write, so that of two contents only the newer is written.
            let mut orders = lock(&self.orders);
            let coming = std::mem::take(&mut orders.coming);
            if coming.is_empty() && folder.waiting.is_empty() {
                orders.under_way = false;
                let told = std::mem::take(&mut orders.when_written);
                drop(orders);
                // Whoever doesn't listen any more need not be told.
                return told
                    .iter()
                    .for_each(|done| done.send(()).unwrap_or_default());
            }
            drop(orders);
            for order in coming {
                folder.carry_out(order);
            }
            if let Some((_, document)) = folder.waiting.pop_first() {
                folder.write(document);
            }
            folder.report_to(&mut lock(&self.report));
        }
    }

    /// Whoever waits learns by what is dropped here that it waits in vain.
    fn give_up(&self) {
        let mut orders = lock(&self.orders);
        *orders = Orders::default();
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

/// The folder of a session as its writer knows it.
struct Folder {
    folder: SessionFolder,
    legitimate: BTreeMap<String, Vec<TextHash>>,
    waiting: BTreeMap<String, Document>,
    /// Undone rounds whose folders could not be moved, so that nothing may be written there.
    in_the_way: Vec<Undone>,
    report: Report,
}

impl Folder {
    fn new(folder: SessionFolder, intended: Vec<Intended>) -> Self {
        let legitimate = intended
            .into_iter()
            .map(|intended| (intended.path, intended.hashes));
        Self {
            folder,
            legitimate: legitimate.collect(),
            waiting: BTreeMap::new(),
            in_the_way: Vec::new(),
            report: Report::default(),
        }
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Write(documents) => documents.into_iter().for_each(|it| self.take(it)),
            Order::Archive(undone) => undone.into_iter().for_each(|it| self.archive(it)),
        }
    }

    fn report_to(&mut self, report: &mut Report) {
        report.written.append(&mut self.report.written);
        report.edits.append(&mut self.report.edits);
        report.errors.append(&mut self.report.errors);
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
            self.report.errors.push(ProjectionError::Archive {
                path: format!("archives/{}", undone.archive),
                source,
            });
            if is_in_the_way(&self.folder, &undone) {
                self.in_the_way.push(undone);
            }
        }
    }

    fn write(&mut self, document: Document) {
        self.clear_the_way(|undone| undone.owns(&document.path));
        if self.in_the_way.iter().any(|it| it.owns(&document.path)) {
            let path = document.path;
            return self.report.errors.push(ProjectionError::InTheWay { path });
        }
        match self.replace(&document) {
            Ok(()) => {
                self.report.written.push(document.projection());
                self.legitimate.insert(document.path, vec![document.hash]);
            }
            Err(error) => self.report.errors.push(error),
        }
    }

    fn replace(&mut self, document: &Document) -> Result<(), ProjectionError> {
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
                self.report.edits.push(target.keep_aside(&edit)?);
            }
        }
        match document.absent {
            true => target.remove(),
            false => target.put(&document.content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_document_replaces_a_waiting_one() {
        let dir = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(dir.path(), &"s".parse().unwrap());
        let (old, new, other) = (
            Document::new("status.md", "old"),
            Document::new("status.md", "new"),
            Document::new("spec.md", "spec"),
        );
        let projector = Projector::start(folder.clone(), Vec::new());
        // Handed over before the writer is asked to begin.
        lock(&projector.files.orders)
            .coming
            .push(Order::Write(vec![old, other.clone()]));
        projector.write(vec![new.clone()]);

        let written = projector.flush().written;
        assert_eq!(written, [other.projection(), new.projection()]);
        assert_eq!(
            std::fs::read_to_string(folder.root().join("status.md")).unwrap(),
            "new"
        );
    }
}
