//! Which files outside of its workspace a session may write: those that the user named on this machine. A grant is a file in
//! the user's state folder, named after the session's id and the file, so that a prepared session has none.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use gapless_domain::{Delivery, TextHash};

use crate::state_folder::state_folder;
use crate::{Failure, Kind, Result, Workspace};

/// True if the session may write its refined spec there.
pub(crate) fn is_allowed(root: &Path, id: Option<&str>, file: &Path) -> bool {
    let target = target(file);
    if is_inside(root, &target) {
        return true;
    }
    let grant = id.and_then(|id| place(id, &target));
    grant.is_some_and(|grant| {
        let is_file = fs::symlink_metadata(&grant).is_ok_and(|found| found.is_file());
        is_file && fs::read_to_string(grant).is_ok_and(|text| text == content(&target))
    })
}

/// True if writing the delivery needs a grant.
pub(crate) fn is_needed(workspace: &Workspace, source_path: &str, delivery: &Delivery) -> bool {
    let file = file_of(workspace, source_path, delivery);
    file.is_some_and(|file| !is_inside(workspace.root(), &target(&file)))
}

/// Remembers that the user named this file for the session.
pub(crate) fn remember(
    workspace: &Workspace,
    id: Option<&str>,
    source_path: &str,
    delivery: &Delivery,
) -> Result<()> {
    let Some(file) = file_of(workspace, source_path, delivery) else {
        return Ok(());
    };
    let target = target(&file);
    if is_inside(workspace.root(), &target) {
        return Ok(());
    }
    let Some(grant) = id.and_then(|id| place(id, &target)) else {
        let message = "there is no home folder to remember in that this file may be written";
        return Err(Failure::new(Kind::Usage, message)
            .hint("set XDG_STATE_HOME to a folder, by its whole path"));
    };
    write(&grant, &content(&target)).map_err(|error| {
        let message = format!("{} can't be written: {error}", grant.display());
        Failure::new(Kind::Folder, message)
            .hint("gapless remembers there which files outside of the workspace you named")
    })
}

fn file_of(workspace: &Workspace, source_path: &str, delivery: &Delivery) -> Option<PathBuf> {
    let file = delivery.file(source_path)?;
    Some(workspace.root().join(file))
}

/// The file behind all links.
fn target(file: &Path) -> PathBuf {
    if let Ok(target) = file.canonicalize() {
        return target;
    }
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}

/// True for a file of the workspace. Hidden folders are not the spec's: what programs like git keep there can act.
fn is_inside(root: &Path, target: &Path) -> bool {
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    };
    let inside = target.strip_prefix(root);
    inside.is_ok_and(|inside| inside.components().all(is_plain))
}

fn place(id: &str, target: &Path) -> Option<PathBuf> {
    let key = TextHash::of(&format!("{id}\0{}", target.display())).to_string();
    Some(state_folder()?.join("deliveries").join(key))
}

fn content(target: &Path) -> String {
    format!("{}\n", target.display())
}

fn write(grant: &Path, text: &str) -> io::Result<()> {
    let folder = grant.parent().unwrap_or(grant);
    let mut folders = fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.create(folder)?;
    // Only its owner can read or write it.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(grant)?;
    Ok(())
}
