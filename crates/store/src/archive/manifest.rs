//! Manifest.json beside archives: what each is, and what was done with it on purpose. It is the store's own record and
//! no projection: what was deleted is not made anew because of it.

use std::fs;
use std::io;
use std::path::Path;

use gapless_domain::archives::RollbackMetadata;
use gapless_domain::{ArchiveName, TextHash, Time};
use serde::{Deserialize, Serialize};

use super::error::ArchiveError;
use super::read::Opened;
use crate::beneath::is_regular_or_absent;
use crate::durable::{self, Steps};
use crate::fault::{self, Point};

const FILE: &str = "manifest.json";

const STEPS: Steps = Steps {
    write: Point::ManifestWritten,
    sync: Some(Point::ManifestSynced),
    rename: Point::ManifestNamed,
    sync_folder: Some(Point::ManifestFolderSynced),
};

/// What is known of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub archive: ArchiveName,
    pub round: u32,
    pub attempt: u32,
    pub reason: String,
    pub bytes: u64,
    pub blake3: TextHash,
    /// When the round was rolled back; unknown where the archive can't be read.
    #[serde(with = "iso", default, skip_serializing_if = "Option::is_none")]
    pub rolled_back_at: Option<Time>,
    /// When it went to the store for cold archives.
    #[serde(with = "iso", default, skip_serializing_if = "Option::is_none")]
    pub moved_at: Option<Time>,
    #[serde(with = "iso", default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Time>,
    /// Nobody but the user removes it.
    #[serde(default)]
    pub keep: bool,
}

impl Entry {
    /// Looks at an archive. One that can't be read is still one.
    pub(super) fn of(archive: ArchiveName, file: &Path) -> Result<Self, ArchiveError> {
        let read = is_regular_or_absent(file).and_then(|()| fs::read(file));
        let bytes = read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ArchiveError::Missing {
                file: file.to_owned(),
            },
            _ => ArchiveError::io(file, "reading it", error),
        })?;
        let opened = Opened::read(file).ok();
        let metadata = opened.as_ref().and_then(Opened::metadata);
        Ok(Self {
            archive,
            round: archive.round,
            attempt: archive.attempt,
            reason: metadata.map_or(String::new(), |metadata| metadata.reason),
            bytes: bytes.len() as u64,
            blake3: TextHash::of_bytes(&bytes),
            rolled_back_at: opened.map(|opened| opened.at),
            moved_at: None,
            deleted_at: None,
            keep: false,
        })
    }

    /// True where it was taken away on purpose.
    pub fn is_gone(&self) -> bool {
        self.moved_at.is_some() || self.deleted_at.is_some()
    }
}

impl Opened {
    /// What it says of the rollback, where that can be read.
    pub fn metadata(&self) -> Option<RollbackMetadata> {
        serde_json::from_slice(self.contents.get(RollbackMetadata::FILE)?).ok()
    }
}

/// What stands in a manifest.json.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub version: u32,
    pub session: String,
    /// Where the session is, in the store for cold archives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    pub archives: Vec<Entry>,
}

impl Manifest {
    pub const VERSION: u32 = 1;

    pub(super) fn new(session: &str) -> Self {
        Self {
            version: Self::VERSION,
            session: session.to_owned(),
            workspace: None,
            archives: Vec::new(),
        }
    }

    /// The manifest of a folder, `None` where it has none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, ArchiveError> {
        let file = folder.join(FILE);
        let text = is_regular_or_absent(&file)
            .and_then(|()| durable::found(fs::read(&file)))
            .map_err(|error| ArchiveError::io(&file, "reading it", error))?;
        let Some(text) = text else { return Ok(None) };
        let damaged = |why: String| ArchiveError::Manifest {
            file: file.clone(),
            why,
        };
        let manifest: Self =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        match manifest.version {
            Self::VERSION => Ok(Some(manifest)),
            newer => Err(damaged(format!(
                "its version is {newer}, and this gapless knows {}",
                Self::VERSION
            ))),
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), ArchiveError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        let file = folder.join(FILE);
        durable::put(&file, text.as_bytes(), &STEPS)
            .map_err(|error| ArchiveError::io(&file, "writing it", error))
    }

    pub(super) fn remove(folder: &Path) -> Result<(), ArchiveError> {
        let file = folder.join(FILE);
        fault::doing(Point::ManifestRemoved, || durable::remove(&file))
            .map_err(|error| ArchiveError::io(&file, "removing it", error))
    }

    pub fn entry(&self, archive: ArchiveName) -> Option<&Entry> {
        self.archives.iter().find(|entry| entry.archive == archive)
    }

    pub(super) fn put(&mut self, entry: Entry) {
        self.archives.retain(|known| known.archive != entry.archive);
        self.archives.push(entry);
        self.archives.sort_by_key(|entry| entry.archive);
    }
}

/// Times as people read them.
mod iso {
    use gapless_domain::time::Time;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Option<Time>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.collect_str(time),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Time>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom))
            .transpose()
    }
}
