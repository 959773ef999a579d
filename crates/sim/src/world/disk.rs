//! The disk under a simulated session: its folder with real files, people who edit them, and what a kill or a power cut
//! leaves of what was being written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gapless_domain::Time;
use gapless_store::{Driver, LockError, SessionFolder, SessionLock};
use tempfile::TempDir;

use crate::Rng;

/// Files by their paths below the session's folder.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// How far the making of an archive had come.
pub const ARCHIVING: [&str; 6] = [
    "not begun",
    "moved aside",
    "half written",
    "written",
    "named",
    "half swept",
];

/// What a power cut leaves of a file.
pub const TORN: [&str; 4] = ["cut short", "emptied", "gone", "as it was"];

pub(super) struct Disk {
    root: TempDir,
    pub folder: SessionFolder,
    lock: Option<SessionLock>,
    /// Contents that files had and that gapless didn't give them: what people wrote, and what a crash left.
    pub strange: Vec<(String, Vec<u8>)>,
    /// Contents of gapless that a crash brought back: nobody needs them, and they may be taken for edits.
    pub stale: Vec<Vec<u8>>,
}

impl Disk {
    /// A disk in memory where there is one: nothing here outlives the session.
    pub fn new(name: &str) -> io::Result<Self> {
        let memory = Path::new("/dev/shm");
        let place = match memory.is_dir() {
            true => memory.to_owned(),
            false => std::env::temp_dir(),
        };
        let root = tempfile::Builder::new()
            .prefix("gapless-sim-")
            .tempdir_in(place)?;
        let name = name
            .parse()
            .map_err(|error| io::Error::other(format!("{error}")))?;
        Ok(Self {
            folder: SessionFolder::new(&root.path().join(".gapless"), &name),
            root,
            lock: None,
            strange: Vec::new(),
            stale: Vec::new(),
        })
    }

    /// What the spec's path is relative to.
    pub fn workspace(&self) -> &Path {
        self.root.path()
    }

    pub fn data_home(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// Takes the place of this disk, which is another each time, out of a trace.
    pub fn hide_place(&self, trace: &mut [String]) {
        let place = self.root.path().to_string_lossy();
        for line in trace.iter_mut().filter(|line| line.contains(&*place)) {
            *line = line.replace(&*place, "disk");
        }
    }

    /// Becomes the driver of the session.
    pub fn take_lock(&mut self, at: Time) -> Result<(), LockError> {
        self.lock = None;
        self.lock = Some(self.try_lock(at)?);
        Ok(())
    }

    /// Another process tries to become the driver.
    pub fn try_lock(&self, since: Time) -> Result<SessionLock, LockError> {
        let driver = Driver {
            pid: 1,
            since,
            command: "gapless resume".to_owned(),
        };
        SessionLock::acquire(&self.folder, &driver)
    }

    /// Every file of the session's folder.
    pub fn tree(&self) -> io::Result<Tree> {
        let mut tree = read_tree(self.folder.root())?;
        tree.retain(|path, _| !path.starts_with("driver."));
        Ok(tree)
    }

    pub fn put(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let file = self.folder.root().join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, content)
    }

    pub fn remove(&self, path: &str) -> io::Result<()> {
        let file = self.folder.root().join(path);
        fs::remove_file(&file)?;
        // A folder is there for its files only.
        let mut folder = file.parent();
        while let Some(empty) = folder.filter(|folder| *folder != self.folder.root()) {
            if fs::remove_dir(empty).is_err() {
                break;
            }
            folder = empty.parent();
        }
        Ok(())
    }

    fn become_tree(&self, wanted: &Tree) -> io::Result<()> {
        for (path, content) in self.tree()? {
            match wanted.get(&path) {
                Some(same) if *same == content => {}
                Some(other) => self.put(&path, other)?,
                None => self.remove(&path)?,
            }
        }
        for (path, content) in wanted {
            if !self.folder.root().join(path).exists() {
                self.put(path, content)?;
            }
        }
        Ok(())
    }

    /// Takes back some of what was written between `before` and now, as if the process had been killed meanwhile. Says what
    /// it left.
    pub fn be_killed_at(&self, before: &Tree, rng: &mut Rng) -> io::Result<Vec<String>> {
        let after = self.tree()?;
        let mut tree = after.clone();
        let made = after.keys().filter(|path| path.ends_with(".tar.gz"));
        let made: Vec<&String> = made.filter(|path| !before.contains_key(*path)).collect();
        // Archives come before files, one after the other.
        if !made.is_empty() && rng.percent(70) {
            let at = rng.below(made.len());
            let stage = rng.below(ARCHIVING.len());
            tree.clone_from(before);
            for archive in &made[..at] {
                archived(&mut tree, &after, archive, ARCHIVING.len(), rng);
            }
            archived(&mut tree, &after, made[at], stage, rng);
            self.become_tree(&tree)?;
            return Ok(vec![format!("archive {}", ARCHIVING[stage])]);
        }
        let mut left = Vec::new();
        // The files of an undone round went into its archive, and not one by one.
        let archived =
            |path: &str| is_archive(path) || (!made.is_empty() && path.starts_with("round_"));
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let changed = paths
            .into_iter()
            .filter(|path| before.get(*path) != after.get(*path));
        let changed: Vec<&String> = changed.filter(|path| !archived(path)).collect();
        let written = rng.below(changed.len() + 1);
        for (nth, path) in changed.iter().enumerate().skip(written) {
            if let Some(whole) = after.get(*path)
                && nth == written
                && rng.percent(50)
            {
                let half = whole[..rng.below(whole.len() + 1)].to_vec();
                tree.insert(temporary(path), half);
                left.push("temporary file".to_owned());
            }
            // The folder of an undone round goes as a whole.
            let moved = path.starts_with("round_") && !after.contains_key(*path);
            match before.get(*path) {
                Some(_) if moved => continue,
                Some(old) => tree.insert((*path).clone(), old.clone()),
                None => tree.remove(*path),
            };
            left.push("file not written".to_owned());
        }
        self.become_tree(&tree)?;
        Ok(left)
    }

    /// Cuts the power: of what was not synced, anything may be left. Archives are synced before they get their names, and
    /// what people wrote is theirs to sync.
    pub fn lose_power(&mut self, before: &Tree, rng: &mut Rng) -> io::Result<Vec<String>> {
        let mut left = Vec::new();
        for (path, content) in self.tree()? {
            let edited = self.strange.iter().any(|(_, it)| *it == content);
            if edited || is_spared(&path) || !rng.percent(12) {
                continue;
            }
            let how = rng.below(TORN.len());
            match (TORN[how], before.get(&path)) {
                ("cut short", _) => {
                    let half = content[..rng.below(content.len())].to_vec();
                    self.put(&path, &half)?;
                    self.strange.push((path, half));
                }
                ("emptied", _) => {
                    self.put(&path, b"")?;
                    self.stale.push(Vec::new());
                }
                ("as it was", Some(old)) => {
                    self.put(&path, old)?;
                    self.stale.push(old.clone());
                }
                _ => self.remove(&path)?,
            }
            left.push(format!("file {}", TORN[how]));
        }
        Ok(left)
    }

    /// Somebody edits, replaces or removes a file. Says what was done.
    pub fn be_edited(&mut self, rng: &mut Rng) -> io::Result<Option<&'static str>> {
        let tree = self.tree()?;
        let files: Vec<&String> = tree.keys().filter(|path| !is_spared(path)).collect();
        let Some(path) = rng.pick(&files) else {
            return Ok(None);
        };
        // Who writes over an edit of their own knows it.
        self.strange
            .retain(|(of, content)| of != *path || *content != tree[*path]);
        let added = format!("By hand, for the {}. time.\n", self.strange.len() + 1);
        let content = match rng.below(4) {
            0 => [&tree[*path], added.as_bytes()].concat(),
            1 => added.into_bytes(),
            2 => [added.as_bytes(), b"\xff\xfe\n"].concat(),
            _ => {
                self.remove(path)?;
                return Ok(Some("file removed by hand"));
            }
        };
        self.put(path, &content)?;
        self.strange.push(((*path).clone(), content));
        Ok(Some("file edited by hand"))
    }
}

fn is_archive(path: &str) -> bool {
    path.starts_with("archives/")
}

/// Archives, kept edits, and what is still being written, which is nobody's.
fn is_spared(path: &str) -> bool {
    is_archive(path) || path.contains(".edited") || path.ends_with(".new")
}

fn temporary(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}/.{name}.new"),
        None => format!(".{path}.new"),
    }
}

/// Makes an archive of the tree's round up to some stage.
fn archived(tree: &mut Tree, after: &Tree, archive: &str, stage: usize, rng: &mut Rng) {
    let stem = archive.trim_end_matches(".tar.gz");
    let name = stem.trim_start_matches("archives/");
    let Some((round, _)) = name.split_once("_rolled_back_") else {
        return;
    };
    if stage == 0 {
        return;
    }
    let folder = format!("{round}/");
    let files = tree.keys().filter(|path| path.starts_with(&folder));
    let files: Vec<String> = files.cloned().collect();
    let whole = &after[archive];
    match stage {
        2 => {
            let half = whole[..rng.below(whole.len())].to_vec();
            tree.insert(temporary(archive), half);
        }
        3 => _ = tree.insert(temporary(archive), whole.clone()),
        4.. => _ = tree.insert(archive.to_owned(), whole.clone()),
        _ => {}
    }
    let kept = match stage {
        5 => rng.below(files.len() + 1),
        stage if stage > 5 => 0,
        _ => files.len(),
    };
    for (nth, path) in files.iter().enumerate() {
        let content = tree.remove(path).unwrap_or_default();
        if nth < kept {
            let inside = path.trim_start_matches(round);
            tree.insert(format!("{stem}{inside}"), content);
        }
    }
}

pub(super) fn read_tree(root: &Path) -> io::Result<Tree> {
    let mut tree = Tree::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) {
                tree.insert(name.to_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(tree)
}
