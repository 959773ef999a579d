//! The archives of a session, wherever they are.

use std::path::PathBuf;

use gapless_domain::{ArchiveName, Time};
use gapless_store::archive::{Archives, ColdFolder, ColdStore, Entry, Found};
use serde_json::{Value, json as value};

use crate::output::wording::there_are;
use crate::{Context, Failure, Kind, OpenSession, Result, cold_storage, open_session};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Session,
    Cold,
}

impl Place {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Place::Session => "session",
            Place::Cold => "cold",
        }
    }
}

/// An archive and where it is.
pub(crate) struct Item {
    pub(crate) place: Place,
    pub(crate) file: PathBuf,
    pub(crate) entry: Entry,
}

impl Item {
    /// An archive in cold storage.
    pub(crate) fn cold(folder: &ColdFolder, entry: &Entry) -> Self {
        Self {
            place: Place::Cold,
            file: folder.file(entry.archive),
            entry: entry.clone(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        let entry = &self.entry;
        let at = |time: Option<Time>| time.map(|time| time.to_string());
        value!({
            "archive": entry.archive,
            "round": entry.round,
            "attempt": entry.attempt,
            "place": self.place.name(),
            "path": self.file,
            "bytes": entry.bytes,
            "blake3": entry.blake3,
            "reason": entry.reason,
            "rolled_back_at": at(entry.rolled_back_at),
            "moved_at": at(entry.moved_at),
            "keep": entry.keep,
        })
    }
}

/// All archives of a session, in its folder and in cold storage.
pub(crate) struct SessionArchives {
    pub(crate) opened: OpenSession,
    pub(crate) hot: Archives,
    pub(crate) cold: ColdStore,
    /// The archives of both places, by name.
    pub(crate) items: Vec<Item>,
}

impl SessionArchives {
    pub(crate) fn open(context: &Context, name: Option<&str>) -> Result<Self> {
        let opened = open_session(context, name)?;
        let hot = Archives::of(&opened.workspace.folder(&opened.name));
        let cold = cold_storage::store()?;
        let owner = cold_storage::owner(&opened.workspace, &opened.name, opened.state());
        let here = hot.list()?.into_iter();
        let mut items: Vec<Item> = here
            .map(|Found { file, entry }| Item {
                place: Place::Session,
                file,
                entry,
            })
            .collect();
        if let Some(folder) = cold.of(&owner)? {
            let listed = folder.manifest.archives.iter();
            items.extend(listed.map(|entry| Item::cold(&folder, entry)));
        }
        // In both places where a process was killed while it moved one: the session's own counts until it is gone.
        items.sort_by_key(|item| (item.entry.archive, item.place == Place::Cold));
        items.dedup_by_key(|item| item.entry.archive);
        Ok(Self {
            opened,
            hot,
            cold,
            items,
        })
    }

    pub(crate) fn session(&self) -> &str {
        self.opened.name.as_str()
    }

    pub(crate) fn find(&self, archive: ArchiveName) -> Result<&Item> {
        let found = self.items.iter().find(|item| item.entry.archive == archive);
        found.ok_or_else(|| {
            let message = format!("session {} has no archive {archive}", self.opened.name);
            let known = self.items.iter().map(|item| item.entry.archive);
            let none = "none of its rounds was rolled back, or its archives were deleted";
            Failure::new(Kind::Archive, message).hint(there_are(known, none))
        })
    }
}

/// A size as people read it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes.div_ceil(1_048_576)),
    }
}
