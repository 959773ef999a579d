//! The files of a folder as an archive is to have them: regular files with plain names, within the limits that hold for
//! reading them back.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::ArchiveError;
use super::limits::{Limits, check_name};
use crate::durable;
use crate::fault::{self, Point};

/// Files by their paths, `/` between the parts.
pub type Contents = BTreeMap<String, Vec<u8>>;

/// A file that was met below a folder.
pub(super) struct Met {
    pub file: PathBuf,
    /// Relative to the folder; `None` where it can't go into an archive.
    pub name: Option<String>,
}

/// Everything below a folder that is no folder, and the folders themselves, the deepest first. Nothing where there is none.
pub(super) fn walk(root: &Path) -> Result<(Vec<Met>, Vec<PathBuf>), ArchiveError> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let failed = |path: &Path, error| ArchiveError::io(path, "looking into it", error);
    match fs::symlink_metadata(root) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            let file = root.to_owned();
            return Ok((vec![Met { file, name: None }], folders));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((files, folders)),
        Err(error) => return Err(failed(root, error)),
    }
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
            let entry = entry.map_err(|error| failed(&folder, error))?;
            let kind = entry
                .file_type()
                .map_err(|error| failed(&entry.path(), error))?;
            if kind.is_dir() {
                waiting.push(entry.path());
                continue;
            }
            let file = entry.path();
            let name = kind.is_file().then(|| name_below(root, &file)).flatten();
            files.push(Met { file, name });
        }
        folders.push(folder);
    }
    files.sort_by(|a, b| a.file.cmp(&b.file));
    folders.reverse();
    Ok((files, folders))
}

fn name_below(root: &Path, file: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = file
        .strip_prefix(root)
        .ok()?
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect();
    let name = parts?.join("/");
    check_name(&name).is_ok().then_some(name)
}

/// Reads what is below a folder and can go into an archive, under `prefix`.
pub(super) fn read_folder(
    root: &Path,
    prefix: &str,
    limits: &Limits,
) -> Result<Contents, ArchiveError> {
    let mut contents = Contents::new();
    // Leaves room for what goes in beside, and for the headers of entries.
    let mut room = limits.unpacked / 2;
    for Met { file, name } in walk(root)?.0 {
        let Some(name) = name else { continue };
        let failed = |error| ArchiveError::io(&file, "reading it", error);
        let size = fs::symlink_metadata(&file).map_err(failed)?.len();
        if size > room || contents.len() >= limits.entries / 2 {
            continue;
        }
        let bytes = fs::read(&file).map_err(failed)?;
        room = room.saturating_sub(bytes.len() as u64);
        contents.insert(format!("{prefix}/{name}"), bytes);
    }
    Ok(contents)
}

/// Removes what is below a folder and equal to what `kept` has of it, then the folder. What differs stays.
pub(super) fn sweep(root: &Path, prefix: &str, kept: &Contents) -> Result<(), ArchiveError> {
    let (files, folders) = walk(root)?;
    for Met { file, name } in files {
        let failed = |error| ArchiveError::io(&file, "removing it", error);
        let same = match name {
            Some(name) => match kept.get(&format!("{prefix}/{name}")) {
                Some(bytes) => fs::read(&file).map_err(failed)? == *bytes,
                None => false,
            },
            None => false,
        };
        if same {
            fault::doing(Point::RoundFileSwept, || durable::remove(&file)).map_err(failed)?;
        }
    }
    for folder in folders {
        // One that is not empty says so itself.
        let _ = fault::doing(Point::RoundFolderSwept, || fs::remove_dir(&folder));
    }
    Ok(())
}
