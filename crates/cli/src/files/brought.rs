//! Reads a file that a folder brings along and gapless obeys: configuration, prompt templates, examples, grants of trust.
//! As git does, it refuses files that another user owns or may write. It never waits for a pipe and never reads without end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::path::Path;

use crate::{Failure, Kind, Result};

/// No such file is larger.
const LARGEST: u64 = 1024 * 1024;

/// Reads a file as text; a link may not lead out of the folder `inside`.
pub(crate) fn read(path: &Path, inside: &Path, kind: Kind) -> Result<String> {
    let unreadable = |error: std::io::Error| {
        Failure::unreadable(kind, path, &error)
            .hint("check the path, who may read it, and that it is UTF-8")
    };
    // Looked at before it is opened, since opening a device can do something.
    check_type(path, &path.metadata().map_err(unreadable)?, kind)?;
    check_place(path, inside, kind)?;
    let file = open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    check_type(path, &metadata, kind)?;
    check_owner(path, &metadata, kind)?;
    let mut text = String::new();
    let read = file.take(LARGEST + 1).read_to_string(&mut text);
    read.map_err(unreadable)?;
    match text.len() as u64 > LARGEST {
        true => Err(too_large(path, kind)),
        false => Ok(text),
    }
}

fn too_large(path: &Path, kind: Kind) -> Failure {
    let message = format!("{} is larger than 1 MiB", path.display());
    Failure::new(kind, message).hint("no such file needs to be: make it smaller")
}

fn check_type(path: &Path, metadata: &Metadata, kind: Kind) -> Result<()> {
    if metadata.len() > LARGEST && metadata.is_file() {
        return Err(too_large(path, kind));
    }
    if metadata.is_file() {
        return Ok(());
    }
    let message = format!(
        "{} can't be read: it is a folder, a pipe or a device, and must be a file",
        path.display()
    );
    Err(Failure::new(kind, message).hint("move it away, or put a file in its place"))
}

/// Refuses a link to elsewhere: what stands there would be sent to an agent.
fn check_place(path: &Path, inside: &Path, kind: Kind) -> Result<()> {
    let (Ok(real), Ok(inside)) = (path.canonicalize(), inside.canonicalize()) else {
        return Ok(());
    };
    if real.starts_with(&inside) {
        return Ok(());
    }
    let message = format!(
        "{} is a link that leads out of {}",
        path.display(),
        inside.display()
    );
    Err(Failure::new(kind, message).hint(format!(
        "put the file itself there; the link leads to {}",
        real.display()
    )))
}

#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.cast_signed());
    options.open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(unix)]
fn check_owner(path: &Path, metadata: &Metadata, kind: Kind) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    const GROUP_WRITES: u32 = 0o020;
    const OTHERS_WRITE: u32 = 0o002;
    let own = rustix::process::geteuid().as_raw();
    // Under sudo, the files of whoever called it are theirs, as for git.
    let caller = match own {
        0 => std::env::var("SUDO_UID")
            .ok()
            .and_then(|uid| uid.parse().ok()),
        _ => None,
    };
    let owner = metadata.uid();
    if owner != own && owner != 0 && Some(owner) != caller {
        let message = format!("{} belongs to another user", path.display());
        return Err(Failure::new(kind, message).hint(format!(
            "it is user {owner}'s, and you are user {own}: read it, then make it yours with chown or copy it"
        )));
    }
    let shown = path.display();
    let writers = match metadata.mode() {
        mode if mode & OTHERS_WRITE != 0 => Some(("every user", "o-w")),
        mode if mode & GROUP_WRITES != 0
            && metadata.gid() != rustix::process::getegid().as_raw() =>
        {
            Some(("another group", "g-w"))
        }
        _ => None,
    };
    match writers {
        None => Ok(()),
        Some((who, change)) => {
            let message = format!("{shown} can be written by {who}");
            let hint = format!("read it, then take that away: chmod {change} {shown}");
            Err(Failure::new(kind, message).hint(hint))
        }
    }
}

#[cfg(not(unix))]
fn check_owner(_path: &Path, _metadata: &Metadata, _kind: Kind) -> Result<()> {
    Ok(())
}
