//! Opening an archive. It may have been made by anyone: what it unpacks to is bounded, and its names are plain paths of
//! files, each once.
//!
//! Invariant: no more is held in memory than the limits allow, and nothing is taken of an archive with any fault.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;
use gapless_domain::Time;
use tar::{Archive, EntryType};

use super::contents::Contents;
use super::error::{ArchiveError, Fault};
use super::limits::{LIMITS, Limits, check_name};

/// An archive that was read to its end and has no fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    pub contents: Contents,
    /// When the newest of its files was made: the time of the rollback.
    pub at: Time,
}

impl Opened {
    pub fn read(file: &Path) -> Result<Self, ArchiveError> {
        Self::read_within(file, &LIMITS)
    }

    /// Reads an archive that is in memory.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        read_stream(bytes, bytes.len() as u64, &LIMITS)
    }

    pub fn read_within(file: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => ArchiveError::Missing {
                file: file.to_owned(),
            },
            _ => ArchiveError::io(file, "reading it", error),
        };
        // Neither through a link: what it leads to is no archive of the session.
        let metadata = std::fs::symlink_metadata(file).map_err(failed)?;
        // Reading a device or a pipe may never end.
        if !metadata.is_file() {
            let fault = Fault::Damaged(io::ErrorKind::InvalidInput.into());
            return Err(unreadable(file, fault));
        }
        let stream = File::open(file).map_err(failed)?;
        read_stream(stream, metadata.len(), limits).map_err(|fault| unreadable(file, fault))
    }
}

fn unreadable(file: &Path, fault: Fault) -> ArchiveError {
    ArchiveError::Unreadable {
        file: file.to_owned(),
        fault,
    }
}

pub(crate) fn read_stream(packed: impl Read, size: u64, limits: &Limits) -> Result<Opened, Fault> {
    let dense = size.saturating_mul(limits.ratio).max(limits.dense_from);
    let bound = dense.min(limits.unpacked);
    let mut stream = Bounded {
        inner: GzDecoder::new(io::BufReader::new(packed)),
        left: bound,
        passed: false,
    };
    let opened = read_to_end(&mut stream, limits);
    match stream.passed {
        true if bound == limits.unpacked => Err(Fault::TooLarge { most: bound }),
        true => Err(Fault::TooDense {
            ratio: limits.ratio,
        }),
        false => opened,
    }
}

fn read_to_end<R: BufRead>(
    stream: &mut Bounded<GzDecoder<R>>,
    limits: &Limits,
) -> Result<Opened, Fault> {
    let opened = read_entries(&mut *stream, limits)?;
    // Only who has read to the end has seen the checksum.
    let mut block = [0; 8192];
    loop {
        match stream.read(&mut block).map_err(Fault::Damaged)? {
            0 => break,
            read if block[..read].iter().all(|byte| *byte == 0) => {}
            _ => return Err(Fault::Trailing),
        }
    }
    match stream.inner.get_mut().read(&mut block) {
        Ok(0) => Ok(opened),
        Ok(_) => Err(Fault::Trailing),
        Err(error) => Err(Fault::Damaged(error)),
    }
}

fn read_entries(stream: impl Read, limits: &Limits) -> Result<Opened, Fault> {
    let mut archive = Archive::new(stream);
    let mut contents = Contents::new();
    let mut folders = BTreeSet::new();
    let mut newest = 0;
    for (nth, entry) in archive.entries().map_err(Fault::Damaged)?.enumerate() {
        let mut entry = entry.map_err(Fault::Damaged)?;
        if nth >= limits.entries {
            return Err(Fault::TooMany {
                most: limits.entries,
            });
        }
        let raw = entry.path_bytes();
        let lossy = || String::from_utf8_lossy(&raw).into_owned();
        let name = match std::str::from_utf8(&raw) {
            Ok(name) => name.to_owned(),
            Err(_) => return Err(Fault::BadName { name: lossy() }),
        };
        drop(raw);
        match entry.header().entry_type() {
            EntryType::Regular => {}
            // Others write folders too; what is in them says the same.
            EntryType::Directory => {
                check_name(name.strip_suffix('/').unwrap_or(&name))?;
                continue;
            }
            _ => return Err(Fault::NotAFile { name }),
        }
        check_name(&name)?;
        for (at, _) in name.match_indices('/') {
            folders.insert(name[..at].to_owned());
        }
        newest = newest.max(entry.header().mtime().map_err(Fault::Damaged)?);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(Fault::Damaged)?;
        if bytes.len() as u64 != entry.size() {
            return Err(Fault::Damaged(io::ErrorKind::UnexpectedEof.into()));
        }
        if contents.insert(name.clone(), bytes).is_some() {
            return Err(Fault::Twice { name });
        }
    }
    if let Some(name) = folders.into_iter().find(|name| contents.contains_key(name)) {
        return Err(Fault::Twice { name });
    }
    let millis = newest.saturating_mul(1000);
    Ok(Opened {
        contents,
        at: Time(i64::try_from(millis).unwrap_or(i64::MAX)),
    })
}

/// A stream that ends with an error where more comes than may.
struct Bounded<R> {
    inner: R,
    left: u64,
    passed: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => {
                self.left = left;
                Ok(read)
            }
            None => {
                self.passed = true;
                Err(io::ErrorKind::FileTooLarge.into())
            }
        }
    }
}
