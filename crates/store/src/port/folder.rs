//! The folder of an export: files that are texts, for a repository to keep. Written anew over an earlier export of the same
//! session, and never over anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use gapless_domain::TextHash;

use super::error::{Flaw, PortError};
use super::manifest::{self, Manifest};
use super::portable::{Brought, Names, PORT_LIMITS, Portable};
use super::tree;
use crate::archive::{Contents, Fault, check_name};
use crate::durable::{self, Steps};
use crate::fault::{self, Point};

/// Unsynced: the log has it all.
const STEPS: Steps = Steps {
    write: Point::PartWritten,
    sync: None,
    rename: Point::PartNamed,
    sync_folder: None,
};

/// Folders of version control that are nobody's business here.
const SKIPPED: [&str; 3] = [".git", ".hg", ".jj"];

/// True where a folder is an export, or was one.
pub fn is_export(folder: &Path) -> bool {
    folder.join(manifest::FILE).exists() || folder.join("events/round_000.jsonl").exists()
}

/// Writes the folder. Its manifest gets its name last; until then it stands beside it as what is under way, so that a process
/// that is killed is made up for by the next one. Gives the files that the folder has.
pub fn write_folder(
    folder: &Path,
    portable: &Portable,
    names: &Names,
) -> Result<Vec<String>, PortError> {
    let contents = tree::grow(portable, Some(names))?;
    let earlier = earlier(folder, portable)?;
    let manifest = contents.get(manifest::FILE).map_or(&[][..], Vec::as_slice);
    announce(folder, manifest)?;
    for (path, bytes) in &contents {
        if path != manifest::FILE {
            write(folder, path, bytes)?;
        }
    }
    for path in earlier.iter().filter(|path| !contents.contains_key(*path)) {
        let file = folder.join(path);
        fault::doing(Point::PartRemoved, || durable::remove(&file))
            .map_err(|error| PortError::io(&file, "removing it", error))?;
        // One that is not empty stays.
        let _ = file.parent().map(fs::remove_dir);
    }
    let file = folder.join(manifest::FILE);
    fault::doing(Point::PartNamed, || fs::rename(under_way(folder), &file))
        .map_err(|error| PortError::io(&file, "writing it", error))?;
    Ok(contents.into_keys().collect())
}

/// The manifest of an export that is being written.
fn under_way(folder: &Path) -> PathBuf {
    durable::temporary(&folder.join(manifest::FILE))
}

/// Puts down what the folder will have.
fn announce(folder: &Path, manifest: &[u8]) -> Result<(), PortError> {
    let file = under_way(folder);
    let write = || {
        fs::create_dir_all(folder)?;
        durable::remove(&file)?;
        fault::writing(Point::PartWritten, &mut File::create_new(&file)?, manifest)
    };
    write().map_err(|error| {
        // Nothing else was written yet.
        let _ = fs::remove_file(&file);
        PortError::io(&file, "writing it", error)
    })
}

/// The files of an earlier export in the folder, which may go: nobody changed them since.
fn earlier(folder: &Path, portable: &Portable) -> Result<Vec<String>, PortError> {
    let failed = |error| PortError::io(folder, "looking into it", error);
    let pending = under_way(folder);
    let entries = durable::found(fs::read_dir(folder)).map_err(failed)?;
    let is_skipped = |name: OsString| {
        SKIPPED.iter().any(|skipped| name == *skipped)
            || Some(name.as_os_str()) == pending.file_name()
    };
    let mut others = entries
        .into_iter()
        .flatten()
        .filter(|entry| !entry.as_ref().is_ok_and(|it| is_skipped(it.file_name())));
    if others.next().is_none() {
        return Ok(Vec::new());
    }
    let read = |file: &Path| durable::found(fs::read(file)).map_err(failed);
    let whole = read(&folder.join(manifest::FILE))?;
    let whole = whole.map(|text| Manifest::read(&text)).transpose()?;
    // Half of one says nothing, and nothing else was written after it.
    let pending = read(&pending)?.and_then(|text| Manifest::read(&text).ok());
    let manifests: Vec<Manifest> = [whole, pending.clone()].into_iter().flatten().collect();
    let ours = |manifest: &Manifest| manifest.session == portable.session.as_str();
    if manifests.is_empty() || !manifests.iter().all(ours) {
        return Err(PortError::OtherFolder {
            folder: folder.to_owned(),
            session: portable.session.to_string(),
        });
    }
    let contents = read_all(folder)?;
    let files = match (&pending, manifests.as_slice()) {
        (None, [whole, ..]) => {
            let found = whole.check(&contents);
            let found = found.and_then(|found| found.edited.map_or(Ok(()), Err));
            found
                .map(|()| whole.files.iter().map(|file| file.path.clone()).collect())
                .map_err(|flaw| flaw.path)
        }
        _ => between(&manifests, &contents),
    };
    files.map_err(|path| PortError::Edited {
        file: folder.join(path),
    })
}

/// The files of a folder that was left between two exports: each as the one or the other has it, or not there, or written
/// under its other name. Else the one that is neither.
fn between(manifests: &[Manifest], contents: &Contents) -> Result<Vec<String>, String> {
    let mut files = BTreeSet::new();
    let mut listed: BTreeMap<&str, Vec<TextHash>> = BTreeMap::new();
    for file in manifests.iter().flat_map(|manifest| &manifest.files) {
        listed.entry(&file.path).or_default().push(file.blake3);
    }
    for (path, hashes) in listed {
        match contents.get(path) {
            Some(bytes) if !hashes.contains(&TextHash::of_bytes(bytes)) => {
                return Err(path.to_owned());
            }
            Some(_) => drop(files.insert(path.to_owned())),
            None => {}
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let beside = match folder {
            "" => durable::temporary_name(name),
            folder => format!("{folder}/{}", durable::temporary_name(name)),
        };
        if contents.contains_key(&beside) {
            files.insert(beside);
        }
    }
    Ok(files.into_iter().collect())
}

fn write(folder: &Path, path: &str, bytes: &[u8]) -> Result<(), PortError> {
    let file = folder.join(path);
    let write = || {
        if fs::read(&file).is_ok_and(|found| found == bytes) {
            return Ok(());
        }
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        durable::put(&file, bytes, &STEPS)
    };
    write().map_err(|error| PortError::io(&file, "writing it", error))
}

pub fn read_folder(folder: &Path) -> Result<Brought, PortError> {
    tree::gather(&read_all(folder)?, false)
}

/// Every file of the folder, within bounds. Links are refused: what they lead to is not in the folder.
fn read_all(folder: &Path) -> Result<Contents, PortError> {
    let mut contents = Contents::new();
    let mut room = PORT_LIMITS.unpacked;
    let mut waiting: Vec<(PathBuf, String)> = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        let failed = |error| PortError::io(&folder, "looking into it", error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (file, kind) = (entry.path(), entry.file_type().map_err(failed)?);
            let name = entry.file_name();
            let path = format!("{prefix}{}", name.to_string_lossy());
            if prefix.is_empty() && kind.is_dir() && SKIPPED.iter().any(|skipped| name == *skipped)
            {
                continue;
            }
            let refused = |fault: Fault| Flaw::new(&path, None, fault);
            if name.to_str().is_none() {
                return Err(refused(Fault::BadName { name: path.clone() }).into());
            }
            check_name(&path).map_err(refused)?;
            if kind.is_dir() {
                waiting.push((file, format!("{path}/")));
                continue;
            }
            if !kind.is_file() {
                return Err(refused(Fault::NotAFile { name: path.clone() }).into());
            }
            if contents.len() >= PORT_LIMITS.entries {
                let most = PORT_LIMITS.entries;
                return Err(refused(Fault::TooMany { most }).into());
            }
            let unread = |error| PortError::io(&file, "reading it", error);
            let size = entry.metadata().map_err(unread)?.len();
            room = room.checked_sub(size).ok_or_else(|| {
                let most = PORT_LIMITS.unpacked;
                refused(Fault::TooLarge { most })
            })?;
            contents.insert(path, fs::read(&file).map_err(unread)?);
        }
    }
    Ok(contents)
}
