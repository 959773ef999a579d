//! Checks a session's folder: after everything was written its files match the log, no edit of a person is lost, and every
//! undone round has its archive.

use std::collections::BTreeMap;
use std::sync::Arc;

use gapless_domain::{Delivery, Time};
use gapless_runner::{Session, decode_rows};
use gapless_session::{Event, Happening, RollbackEvent, SessionEvent, State, apply};
use gapless_spec::assemble;
use gapless_store::archive::Opened;
use gapless_store::{Row, Store};
use gapless_views::documents;
use serde_json::Value;

use super::disk::{Tree, read_tree};
use super::{NAME, World};
use crate::check::{Cause, ensure, failed, number, strings, violated};
use crate::{FaultyStore, Verdict, Violation};

const CHECKER: &str = "files";

/// Errors of the real disk are no findings.
pub(super) fn unexpected(error: impl std::fmt::Display) -> Violation {
    failed(CHECKER, "the disk of the simulation")(error)
}

/// The path that a delivery writes to.
pub(super) fn place_of(delivery: &Delivery) -> &str {
    match delivery {
        Delivery::File { path } => path,
        Delivery::InPlace {} => "spec.md",
        Delivery::Beside {} => "spec.refined.md",
        Delivery::Nowhere {} => "",
    }
}

impl World {
    /// The files as they are; nothing where there is no folder.
    pub(super) fn tree(&self) -> Result<Tree, Violation> {
        match &self.disk {
            Some(disk) => disk.tree().map_err(unexpected),
            None => Ok(Tree::new()),
        }
    }

    /// Lets everything be written that was handed over, and takes up what was found there.
    pub(super) fn project(&mut self) -> Verdict {
        let Some(disk) = &self.disk else {
            return Ok(());
        };
        let before = self.session.state().kept.events;
        let news = self.session.look_at_folder(Time(self.now), true);
        let news = news.map_err(failed(CHECKER, ""))?;
        if let Some(error) = news.errors.first() {
            return violated(CHECKER, format!("not written: {error}"));
        }
        for edit in &news.edits {
            let kept = std::fs::read(disk.folder.root().join(&edit.kept_as));
            let kept = kept.map_err(unexpected)?;
            let known = disk.strange.iter().any(|(_, content)| *content == kept)
                || disk.stale.contains(&kept);
            ensure(known, CHECKER, || {
                let (path, kept_as) = (&edit.path, &edit.kept_as);
                format!("{path}, which nobody edited, was kept as {kept_as}")
            })?;
            self.coverage.reach("disk", "edit kept");
        }
        self.end_turn(before, Cause::Folder);
        Ok(())
    }

    /// Writes the refined spec where it is wanted, over whatever somebody may have put there.
    pub(super) fn write_out(&mut self, delivery: &Delivery) -> Verdict {
        // What is not on disk may yet not have been, so that nothing is delivered before.
        self.commit_safely()?;
        let (Some(disk), Ok(spec)) = (&self.disk, assemble(self.session.state(), &self.store))
        else {
            return Ok(());
        };
        let file = disk.workspace().join(place_of(delivery));
        let folder = disk.workspace().to_owned();
        if self.rng.percent(30) {
            std::fs::write(&file, "Something of somebody's.\n").map_err(unexpected)?;
        }
        let before = std::fs::read(&file).ok();
        let events = self.session.state().kept.events;
        let delivered = self.session.deliver(Time(self.now));
        delivered.map_err(failed("delivery", ""))?;
        self.end_turn(events, Cause::Delivery);
        let now = std::fs::read(&file).ok();
        let written = self.session.state().delivery_due().is_none();
        let wanted = match written {
            true => Some(spec.as_bytes()),
            false => before.as_deref(),
        };
        ensure(now.as_deref() == wanted, "delivery", || {
            format!("written {written}, and {} is otherwise", file.display())
        })?;
        if let Some(before) = before {
            let files = read_tree(&folder).map_err(unexpected)?;
            let kept = files.values().any(|kept| *kept == before);
            ensure(kept, "delivery", || {
                format!("what stood in {} is gone", file.display())
            })?;
        }
        self.commit_safely()
    }

    /// Opens the session on its folder, where it has one.
    pub(super) fn opened(&mut self) -> Result<Session<FaultyStore>, Violation> {
        let what = "the session does not open";
        let session = Session::open(self.store.clone(), NAME);
        let mut session = session.map_err(failed("replay", what))?;
        if let Some(disk) = &mut self.disk {
            let locked = disk.take_lock(Time(self.now));
            locked.map_err(failed("replay", what))?;
            let attached = session.attach(disk.folder.clone());
            attached.map_err(failed("replay", what))?;
            session.deliver_from(disk.workspace());
            session.dispose_from(gapless_runner::ArchivePlaces {
                folder: disk.folder.clone(),
                cold: gapless_store::archive::ColdStore::below(&disk.data_home()),
                workspace: disk.workspace().to_owned(),
            });
        }
        Ok(session)
    }

    /// Everything was written: the folder is what the log gives.
    pub(super) fn check_files(&mut self) -> Verdict {
        if self.disk.is_none() {
            return Ok(());
        }
        let rows = self.store.read(NAME).unwrap_or_default();
        let expected = self.expected_files(&rows)?;
        let tree = self.tree()?;
        for (path, text) in &expected {
            let found = tree.get(path).map(Vec::as_slice);
            ensure(found == Some(text.as_bytes()), CHECKER, || {
                let found = found.map(String::from_utf8_lossy);
                format!("{path} is {found:?}, and should be {text:?}")
            })?;
        }
        let ours = |path: &str| {
            // The last spec that could be assembled stays.
            path.starts_with("archives/")
                || path.contains(".edited")
                || path.ends_with(".new")
                || path == "spec.md"
                || path == "trace.json"
        };
        let mut paths = tree.keys();
        let stranger = paths.find(|path| !expected.contains_key(*path) && !ours(path));
        ensure(stranger.is_none(), CHECKER, || {
            format!("nobody wrote {stranger:?}")
        })?;
        let archives = self.check_archives(&rows, &tree)?;
        self.check_edits(&tree, &archives)
    }

    /// The files that the log gives, folded from its beginning.
    fn expected_files(&self, rows: &[Row]) -> Result<BTreeMap<String, Arc<str>>, Violation> {
        let logged = decode_rows(rows).map_err(unexpected)?;
        let events: Vec<Event> = logged.into_iter().map(|logged| logged.event).collect();
        let mut state = State::default();
        let mut files: BTreeMap<String, Arc<str>> = BTreeMap::new();
        let mut said = BTreeMap::new();
        for event in &events {
            let backed_up = documents::backed_up(&state);
            apply(&mut state, event);
            if let Happening::Session(SessionEvent::Said { .. }) = &event.what {
                said.insert(state.kept.events, files.clone());
            }
            if let Happening::Rollback(RollbackEvent::TakenBack { said: row, .. }) = &event.what {
                files = said.remove(row).unwrap_or_default();
                continue;
            }
            if let Happening::Rollback(RollbackEvent::RolledBack {
                from_round,
                to_round,
                ..
            }) = &event.what
            {
                let undone = |path: &str| {
                    let round = path.strip_prefix("round_").and_then(|rest| rest.get(..3));
                    let round: Option<u32> = round.and_then(|round| round.parse().ok());
                    round.is_some_and(|round| (to_round + 1..=*from_round).contains(&round))
                };
                files.retain(|path, _| !undone(path));
            }
            let mut written =
                documents::attempt_files(&state, event, &self.store).map_err(unexpected)?;
            written.extend(documents::of_moment(&state, event, &self.store).map_err(unexpected)?);
            let backups = documents::backups(&backed_up, &state, event);
            written.extend(backups.written);
            files.extend(written.into_iter().map(|it| (it.path, it.text)));
            files.retain(|path, _| !backups.gone.contains(path));
        }
        let standing = documents::standing(&state, &events, &self.store).map_err(unexpected)?;
        files.extend(standing.into_iter().map(|it| (it.path, it.text)));
        for path in documents::absent(&state) {
            files.remove(*path);
        }
        Ok(files)
    }

    /// Every undone round has an archive that opens, unless the user had it deleted; gives back what is in them.
    fn check_archives(&self, rows: &[Row], tree: &Tree) -> Result<Vec<Tree>, Violation> {
        let Some(disk) = &self.disk else {
            return Ok(Vec::new());
        };
        let mut undone: BTreeMap<i64, u32> = BTreeMap::new();
        let mut names = Vec::new();
        let mut taken_away: Vec<String> = Vec::new();
        for row in rows {
            let body: Value = serde_json::from_str(&row.body).unwrap_or_default();
            match row.type_name.as_str() {
                "rollback.rolled_back" | "rollback.taken_back" => {
                    for round in number(&body, "to_round") + 1..=number(&body, "from_round") {
                        let times = undone.entry(round).or_default();
                        *times += 1;
                        names.push(format!("round_{round:03}_rolled_back_{times}.tar.gz"));
                    }
                }
                "session.archives_disposed" => {
                    taken_away.extend(strings(&body["disposed"]["deleted"]));
                    taken_away.extend(strings(&body["disposed"]["moved"]));
                }
                _ => {}
            }
        }
        let mut opened = Vec::new();
        let mut open = |name: &String, bytes: &[u8]| match Opened::of_bytes(bytes) {
            Ok(archive) => {
                opened.push(archive.contents);
                Ok(())
            }
            Err(fault) => violated("archives", format!("{name}: {fault}")),
        };
        let cold = read_tree(&disk.data_home()).map_err(unexpected)?;
        let mut moved = cold.iter().filter(|(path, _)| path.ends_with(".tar.gz"));
        moved.try_for_each(|(path, bytes)| open(path, bytes))?;
        for name in names.iter().filter(|name| !taken_away.contains(name)) {
            match tree.get(&format!("archives/{name}")) {
                Some(bytes) => open(name, bytes)?,
                None => return violated("archives", format!("{name} is not there")),
            }
        }
        let left = tree.keys().find(|path| {
            let inside = path.strip_prefix("archives/");
            inside.is_some_and(|name| name.contains('/') || name.ends_with(".new"))
        });
        ensure(left.is_none(), "archives", || {
            format!("{left:?} is left over")
        })?;
        Ok(opened)
    }

    /// Every text that a person wrote or a crash left is still in some file.
    fn check_edits(&self, tree: &Tree, archives: &[Tree]) -> Verdict {
        let Some(disk) = &self.disk else {
            return Ok(());
        };
        // What the user had deleted is gone, and stays so in the next chapter.
        let rows = self.store.read(NAME).unwrap_or_default();
        let mut chosen = rows.iter();
        if chosen.any(|row| row.type_name == "session.archives_chosen") {
            return Ok(());
        }
        for (path, content) in &disk.strange {
            let mut kept = archives.iter().chain([tree]).flat_map(BTreeMap::values);
            ensure(kept.any(|other| other == content), CHECKER, || {
                let content = String::from_utf8_lossy(content);
                format!("an edit of {path} is gone: {content:?}")
            })?;
        }
        Ok(())
    }
}
