//! Owns the folder of an export: files that are texts, for a repository to keep. Written anew over an earlier export of the same
//! session, and never over anything else.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::manifest::{self, Manifest};
use super::{Brought, Flaw, Names, PORT_LIMITS, PortError, Portable, tree};
use crate::archive::{Contents, Fault, check_name, durable};

/// Folders of version control that are nobody's business here.
const SKIPPED: [&str; 3] = [".git", ".hg", ".jj"];

/// True where a folder is an export, or was one.
pub fn is_export(folder: &Path) -> bool {
    folder.join(manifest::FILE).exists() || folder.join("events/round_000.jsonl").exists()
}

/// Writes the folder, its manifest last. Gives the files that it has.
pub fn write_folder(
    folder: &Path,
    portable: &Portable,
    names: &Names,
) -> Result<Vec<String>, PortError> {
    let contents = tree::grow(portable, Some(names))?;
    let earlier = earlier(folder, portable)?;
    for (path, bytes) in &contents {
        if path != manifest::FILE {
            write(folder, path, bytes)?;
        }
    }
    for path in earlier.iter().filter(|path| !contents.contains_key(*path)) {
        let file = folder.join(path);
        durable::remove(&file).map_err(|error| PortError::io(&file, "removing it", error))?;
        // One that is not empty stays.
        let _ = file.parent().map(fs::remove_dir);
    }
    if let Some(text) = contents.get(manifest::FILE) {
        write(folder, manifest::FILE, text)?;
    }
    Ok(contents.into_keys().collect())
}

/// The files of an earlier export in the folder, which may go: nobody changed them since.
fn earlier(folder: &Path, portable: &Portable) -> Result<Vec<String>, PortError> {
    let failed = |error| PortError::io(folder, "looking into it", error);
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            let first = entries.find(|entry| {
                let name = entry.as_ref().map(|entry| entry.file_name());
                !name.is_ok_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
            });
            if first.is_none() {
                return Ok(Vec::new());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    }
    let other = || PortError::OtherFolder {
        folder: folder.to_owned(),
        session: portable.session.to_string(),
    };
    let text = fs::read(folder.join(manifest::FILE)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => other(),
        _ => failed(error),
    })?;
    let manifest = Manifest::read(&text)?;
    if manifest.session != portable.session.as_str() {
        return Err(other());
    }
    let contents = read_all(folder)?;
    let found = manifest.check(&contents);
    match found.and_then(|found| found.edited.map_or(Ok(()), Err)) {
        Ok(()) => Ok(manifest.files.into_iter().map(|file| file.path).collect()),
        Err(flaw) => Err(PortError::Edited {
            file: folder.join(flaw.path),
        }),
    }
}

fn write(folder: &Path, path: &str, bytes: &[u8]) -> Result<(), PortError> {
    let file = folder.join(path);
    let temporary = durable::temporary(&file);
    let write = || {
        if fs::read(&file).is_ok_and(|found| found == bytes) {
            return Ok(());
        }
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        durable::remove(&temporary)?;
        File::create_new(&temporary)?.write_all(bytes)?;
        fs::rename(&temporary, &file)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        PortError::io(&file, "writing it", error)
    })
}

/// Reads the folder of an export.
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
