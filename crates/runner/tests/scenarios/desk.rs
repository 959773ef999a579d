//! A desk: a session on stage with a real folder, and what is found in that.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::archives::ArchiveName;
use gapless_domain::task::Role;
use gapless_domain::time::Time;
use gapless_store::SessionFolder;
use gapless_store::archive::{Archives, ColdStore, Opened, Owner};
use tempfile::TempDir;

use crate::stage::{Stage, well, with_config};

/// Files by path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A session of five gaps, one for each round, with a folder. In round 3 the Engineer needs a second attempt, and what it
/// writes in round 2 says how often the session was rolled back before.
pub struct Desk {
    pub dir: TempDir,
    pub stage: Stage,
}

impl Desk {
    pub fn new() -> Self {
        Self::with_stage(Self::stage())
    }

    pub fn stage() -> Stage {
        let ids: Vec<String> = (1..=5).map(|n| format!("GAP-API-00{n}")).collect();
        let gaps: Vec<_> = ids.iter().map(|id| (id.as_str(), "LOW", "")).collect();
        with_config(&gaps, |met| met.config.gaps_per_round = 1)
            .writes(Role::Engineer, 3, 1, "I would rather not.")
            .when(Role::Engineer, 2, 0, |request| {
                let run = format!("Bursts are cut, as run {} says.", request.task.epoch);
                Ok(Some(well(request).replace("Bursts are cut.", &run)))
            })
    }

    pub fn with_stage(stage: Stage) -> Self {
        let mut desk = Self {
            dir: tempfile::tempdir().unwrap(),
            stage,
        };
        desk.stage.session.commit().unwrap();
        desk
    }

    pub fn folder(&self) -> SessionFolder {
        SessionFolder::new(self.dir.path(), &"stage".parse().unwrap())
    }

    pub fn archives(&self) -> Archives {
        Archives::of(&self.folder())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().root().join(name)
    }

    /// The folder is the session's from now on, and everything is written.
    pub fn attach(&mut self) {
        self.stage.session.attach(self.folder()).unwrap();
        self.write_all();
    }

    pub fn write_all(&mut self) {
        self.stage.session.commit().unwrap();
        let now = self.stage.state().kept.clock;
        let news = self.stage.session.look_at_folder(now, true).unwrap();
        assert!(news.errors.is_empty(), "{:?}", news.errors);
    }

    /// Runs until round 4 waits for its Reviewer, and is killed there.
    pub async fn reach_round_four(&mut self) {
        // Three rounds of two calls, one call more in the third, and an Engineer.
        self.stage.killed_after(85).await;
        let round = &self.stage.state().now.round;
        assert_eq!((round.number, round.engineer.is_some()), (4, true));
    }

    pub fn roll_back(&mut self, to: u32, reason: &str) {
        self.stage.roll_back(to, reason).unwrap();
    }

    pub fn cold(&self) -> ColdStore {
        ColdStore::below(&self.dir.path().join("data"))
    }

    pub fn owner(&self) -> Owner {
        Owner {
            session: "stage".to_owned(),
            workspace: self.dir.path().to_owned(),
            started_at: Time(0),
        }
    }

    pub fn kill(&mut self) {
        self.stage.kill();
    }

    /// The files below a folder of the session.
    pub fn files(&self, below: &str) -> Files {
        let mut files = Files::new();
        collect(&self.path(below), below, &mut files);
        files
    }

    pub fn names(&self, below: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(below)) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    pub fn rounds(&self) -> Vec<String> {
        let mut names = self.names("");
        names.retain(|name| name.starts_with("round_"));
        names
    }

    /// What an archive holds of its round's folder, and what stands beside that.
    pub fn archive(&self, round: u32, attempt: u32) -> (Files, BTreeMap<String, String>) {
        let file = self.archives().file(ArchiveName { round, attempt });
        let contents = Opened::read(&file).unwrap().contents;
        let (held, beside): (Files, Files) = contents
            .into_iter()
            .partition(|(name, _)| name.starts_with(&format!("round_{round:03}/")));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let beside = beside.into_iter().map(|(name, bytes)| (name, text(bytes)));
        (held, beside.collect())
    }
}

fn collect(folder: &Path, name: &str, files: &mut Files) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &name, files),
            false => drop(files.insert(name, fs::read(entry.path()).unwrap())),
        }
    }
}
