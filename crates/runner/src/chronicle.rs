//! The files that a log leaves in the session's folder, read from its beginning: those that stand, and for each undone
//! round what its archive is made of.

use std::collections::BTreeMap;

use gapless_domain::{Texts, round_folder};
use gapless_session::{Event, Happening, RollbackEvent, State, apply};
use gapless_spec::AssemblyError;
use gapless_store::Document;
use gapless_store::archive::Undone;
use gapless_views::documents;
use gapless_views::documents::{ArchivedRound, Backups};

use crate::log::Logged;

/// What a log comes to in files.
#[derive(Debug, Default)]
pub(crate) struct Chronicle {
    /// In the order in which they were undone, each with the place of its rollback in the log.
    pub undone: Vec<(u64, Undone)>,
    /// Files of moments that stand, or are to be gone, by path.
    pub moments: BTreeMap<String, Document>,
    pub state: State,
}

impl Chronicle {
    pub fn read<'l>(
        log: impl IntoIterator<Item = &'l Logged>,
        texts: &dyn Texts,
    ) -> Result<Self, AssemblyError> {
        let log: Vec<&Logged> = log.into_iter().collect();
        let mut chronicle = Self::default();
        // The files that stood before each thing that was said and is taken back later.
        let said = log.iter().filter_map(|logged| taken_back(&logged.event));
        let mut before_said: BTreeMap<u64, Option<BTreeMap<String, Document>>> =
            said.map(|said| (said, None)).collect();
        for Logged { seq, event } in log {
            if let Some(then) = before_said.get_mut(seq) {
                *then = Some(chronicle.moments.clone());
            }
            let backed_up = documents::backed_up(&chronicle.state);
            let before =
                matches!(event.what, Happening::Rollback(_)).then(|| chronicle.state.clone());
            apply(&mut chronicle.state, event);
            for document in moment(&backed_up, &chronicle.state, event, texts)? {
                let path = document.path().to_owned();
                chronicle.moments.insert(path, document);
            }
            let Some(before) = before else { continue };
            for round in documents::archived_rounds(&before, &chronicle.state, event) {
                let undone = chronicle.take_out(round);
                chronicle.undone.push((*seq, undone));
            }
            let then = taken_back(event).and_then(|said| before_said.remove(&said));
            if let Some(then) = then.flatten() {
                chronicle.go_back_to(then);
            }
        }
        chronicle.find_later_runs();
        Ok(chronicle)
    }

    /// Takes the files of an undone round out of those that stand.
    fn take_out(&mut self, round: ArchivedRound) -> Undone {
        let mut undone = Undone {
            archive: round.archive,
            at: round.at,
            documents: Vec::new(),
            later: Vec::new(),
            beside: round
                .beside
                .into_iter()
                .map(|file| (file.path, file.text))
                .collect(),
        };
        let (owned, others) = std::mem::take(&mut self.moments)
            .into_iter()
            .partition(|(path, _)| undone.owns(path));
        self.moments = others;
        let owned: BTreeMap<String, Document> = owned;
        undone.documents = owned.into_values().collect();
        undone
    }

    /// The files stand as they did then; those that came since are gone.
    fn go_back_to(&mut self, then: BTreeMap<String, Document>) {
        let since = std::mem::replace(&mut self.moments, then);
        for path in since.into_keys() {
            let gone = Document::absent(path.clone());
            self.moments.entry(path).or_insert(gone);
        }
    }

    fn find_later_runs(&mut self) {
        // From the last to the first: what each run wrote is later than those before it.
        let mut seen: BTreeMap<u32, Vec<Document>> = BTreeMap::new();
        for (_, undone) in self.undone.iter_mut().rev() {
            let round = undone.archive.round;
            let later = seen.entry(round).or_insert_with(|| {
                let folder = round_folder(round) + "/";
                let standing = self.moments.values();
                standing
                    .filter(|document| document.path().starts_with(&folder))
                    .cloned()
                    .collect()
            });
            undone.later.clone_from(later);
            later.extend_from_slice(&undone.documents);
        }
    }
}

/// The event that was taken back, where one was.
fn taken_back(event: &Event) -> Option<u64> {
    match &event.what {
        Happening::Rollback(RollbackEvent::TakenBack { said, .. }) => Some(*said),
        _ => None,
    }
}

/// The files that belong to the moment of an event, and those that go with it; `backed_up` is from right before it.
pub(crate) fn moment(
    backed_up: &[u32],
    state: &State,
    event: &Event,
    texts: &dyn Texts,
) -> Result<Vec<Document>, AssemblyError> {
    let mut files = documents::attempt_files(state, event, texts)?;
    files.extend(documents::of_moment(state, event, texts)?);
    let Backups { written, gone } = documents::backups(backed_up, state, event);
    files.extend(written);
    let written = files.into_iter().map(to_store);
    Ok(written
        .chain(gone.into_iter().map(Document::absent))
        .collect())
}

pub(crate) fn to_store(document: documents::Document) -> Document {
    Document::new(document.path, document.text)
}
