//! The folder that a program runs in: empty but for its inputs, fresh for every run, removed after it.
//! Names come from the caller and what lies in the folder from the agent: neither can reach outside of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use gapless_domain::{ExecutionError, ExecutionErrorKind};

use crate::LimitedBytes;
use crate::supervisor::RunFolder;

#[derive(Debug)]
pub(super) struct WorkingFolder {
    run: RunFolder,
    path: PathBuf,
}

impl WorkingFolder {
    pub(super) fn prepare(
        output_path: &str,
        inputs: &[(String, Arc<str>)],
    ) -> Result<Self, ExecutionError> {
        let output = plain_path(output_path)
            .ok_or_else(|| refused(format!("`{output_path}` can't be an output path")))?;
        let run = RunFolder::make()
            .map_err(|error| refused(format!("no working folder could be made: {error}")))?;
        let folder = run.work();
        let parents = output.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder.join(parents))
            .map_err(|error| refused(format!("`{output_path}` can't be made room for: {error}")))?;
        for (name, text) in inputs {
            let path = plain_path(name)
                .filter(|path| path.parent().is_some_and(|dir| parents.starts_with(dir)))
                .ok_or_else(|| refused(format!("`{name}` can't be the name of an input")))?;
            // An input there would be taken for the document of an agent that wrote none.
            if path == output {
                return Err(refused(format!("the input `{name}` is at the output path")));
            }
            write_new(&folder.join(path), text).map_err(|error| {
                refused(format!("the input `{name}` can't be written: {error}"))
            })?;
        }
        Ok(Self { run, path: folder })
    }

    /// Adds a file that the program itself wants beside the inputs, such as its settings.
    pub(super) fn add(&self, name: &str, text: &str) -> Result<(), ExecutionError> {
        let path =
            plain_path(name).ok_or_else(|| refused(format!("`{name}` can't be a file's name")))?;
        let path = self.path().join(path);
        let parents = path.parent().map_or(Ok(()), fs::create_dir_all);
        parents
            .and_then(|()| write_new(&path, text))
            .map_err(|error| refused(format!("the file `{name}` can't be written: {error}")))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the run around it.
    pub(super) fn run(&self) -> &RunFolder {
        &self.run
    }

    /// Reads the document where the agent wrote one: a regular file with no link on the way to it.
    pub(super) fn document(
        &self,
        output_path: &str,
        limit: u64,
    ) -> io::Result<Option<LimitedBytes>> {
        let mut path = self.path().to_owned();
        let mut is_file = false;
        for part in Path::new(output_path).components() {
            path.push(part);
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                return Ok(None);
            };
            if metadata.is_symlink() {
                return Ok(None);
            }
            is_file = metadata.is_file();
        }
        if !is_file {
            return Ok(None);
        }
        LimitedBytes::read(limit, File::open(&path)?).map(Some)
    }

    /// When the file at the output path was last changed, as far as the file system tells.
    pub(super) fn changed(&self, output_path: &str) -> Option<SystemTime> {
        let metadata = fs::symlink_metadata(self.path().join(output_path)).ok()?;
        metadata.modified().ok()
    }

    pub(super) fn remove(self) -> io::Result<()> {
        self.run.remove()
    }
}

/// Takes only a relative path of ordinary parts: no `..`, no root, no drive, and the same on every platform.
pub(crate) fn plain_path(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let ends_in_file = !name.ends_with('/') && path.file_name().is_some();
    let sound = !name.contains(['\\', '\0', ':']);
    (plain && ends_in_file && sound).then(|| path.to_owned())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

fn refused(message: String) -> ExecutionError {
    ExecutionError::new(ExecutionErrorKind::Provider, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ordinary_relative_paths_are_plain() {
        for name in ["a.md", "round_001/engineer.md", "a b/é.md"] {
            assert!(plain_path(name).is_some(), "{name}");
        }
        for name in [
            "", ".", "..", "../a", "/a", "a/../b", "./a", "a/", "a\\b", "c:a", "a\0",
        ] {
            assert!(plain_path(name).is_none(), "{name}");
        }
    }
}
