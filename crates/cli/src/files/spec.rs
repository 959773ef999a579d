//! Reads a spec. Whatever makes a file unusable is reported before anything else happens.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use gapless_domain::TextHash;
use gapless_domain::config::LARGEST_SOURCE_BYTES;
use gapless_scan::Surroundings;

use crate::workspace::quoted;
use crate::{Failure, Kind, Result};

/// Reads a spec for a session, its size checked first.
pub(crate) fn read(path: &Path) -> Result<String> {
    read_at_most(path, LARGEST_SOURCE_BYTES as u64)
}

/// What the top folder of a project has.
const TOPS: [&str; 3] = [".gapless", "gapless.toml", ".git"];

/// Refuses a spec that is reached through a link out of its project: whoever made the project chose what an agent would be sent.
pub(crate) fn check_place(spec: &Path) -> Result<()> {
    let Some(folder) = spec.parent() else {
        return Ok(());
    };
    let is_top = |folder: &&Path| {
        let mut tops = TOPS.iter();
        tops.any(|top| folder.join(top).symlink_metadata().is_ok())
    };
    let top = folder.ancestors().find(is_top).unwrap_or(folder);
    let (Ok(real), Ok(inside)) = (spec.canonicalize(), top.canonicalize()) else {
        return Ok(());
    };
    if real.starts_with(&inside) {
        return Ok(());
    }
    let message = format!(
        "{} is a link that leads out of {}",
        spec.display(),
        inside.display()
    );
    let itself = quoted(&real.to_string_lossy());
    Err(Failure::new(Kind::Spec, message).hint(format!(
        "if you mean the file that it leads to, name that one:\n  gapless run {itself}"
    )))
}

/// Reads a spec of at most so many bytes.
pub(crate) fn read_at_most(path: &Path, largest: u64) -> Result<String> {
    let shown = path.display();
    let wrong = |message: String| Failure::new(Kind::Spec, message);
    let unreadable = |error| Failure::unreadable(Kind::Spec, path, &error);
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            wrong(format!("there is no spec at {shown}"))
                .hint("check the path; a spec is a markdown file")
        }
        _ => unreadable(error),
    })?;
    if metadata.is_dir() {
        return Err(
            wrong(format!("{shown} is a folder, not a spec")).hint("name the markdown file in it")
        );
    }
    if !metadata.is_file() {
        return Err(wrong(format!("{shown} is not a regular file"))
            .hint("copy its text into a markdown file"));
    }
    let megabyte = 1024 * 1024;
    if metadata.len() > largest {
        let size = metadata.len().div_ceil(megabyte);
        let message = format!(
            "{shown} is {size} MB; gapless takes specs of at most {} MB",
            largest / megabyte
        );
        return Err(wrong(message).hint("split it, and refine one part at a time"));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        wrong(format!(
            "{shown} is not UTF-8: byte {at} (line {line}) is no part of a character"
        ))
        .hint("save it as UTF-8, for example with `iconv -f latin1 -t utf-8`")
    })
}

/// The hash of the file as it is now, if it can be read.
pub(crate) fn hash_now(path: &Path) -> Option<TextHash> {
    let small = fs::metadata(path).is_ok_and(|metadata| {
        metadata.is_file() && metadata.len() <= 16 * LARGEST_SOURCE_BYTES as u64
    });
    let bytes = small.then(|| fs::read(path).ok()).flatten()?;
    Some(TextHash::of_bytes(&bytes))
}

/// The folder of a spec, in which the scan looks for files that the spec links to.
pub(crate) struct SpecFolder<'p>(Option<&'p Path>);

impl<'p> SpecFolder<'p> {
    pub(crate) fn of(spec: &'p Path) -> Self {
        Self(spec.parent())
    }
}

impl Surroundings for SpecFolder<'_> {
    fn exists(&self, path: &str) -> Option<bool> {
        Some(self.0?.join(path).exists())
    }
}
