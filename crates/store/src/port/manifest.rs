//! Gapless.json of an export: its version, what is in it with the hash of each file, and a seal over all that.

use gapless_domain::{ArchiveName, TextHash};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::{Flaw, PortError};
use crate::archive::Contents;

pub(super) const FILE: &str = "gapless.json";
const FORMAT: &str = "gapless session";
/// The version of the export format that this program writes.
pub const VERSION: u32 = 1;

/// What a file of the export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Is {
    Events,
    Text,
    /// The bytes of an archive.
    Archive,
    /// The same as hexadecimal digits, where it can't be given as its files.
    ArchiveHex,
    /// A file of an archive that is given as its files.
    ArchiveFile,
    ArchiveMarks,
    Example,
    /// For people; never read back.
    View,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    pub path: String,
    pub is: Is,
    pub blake3: TextHash,
}

/// An archive that is given as its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unpacked {
    pub archive: ArchiveName,
    pub at: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u32,
    pub session: String,
    pub events: u64,
    pub without_text: Vec<TextHash>,
    pub unpacked: Vec<Unpacked>,
    pub files: Vec<Listed>,
    seal: TextHash,
}

impl Manifest {
    pub fn new(
        session: &str,
        events: u64,
        without_text: Vec<TextHash>,
        unpacked: Vec<Unpacked>,
        files: Vec<Listed>,
    ) -> Self {
        let mut manifest = Self {
            _format: FORMAT.to_owned(),
            _version: VERSION,
            session: session.to_owned(),
            events,
            without_text,
            unpacked,
            files,
            seal: TextHash::of(""),
        };
        manifest.seal = TextHash::of(&manifest.sealed());
        manifest
    }

    /// Everything before the seal, a line for each file.
    fn sealed(&self) -> String {
        let list = |lines: Vec<String>| match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n    {}\n  ]", lines.join(",\n    ")),
        };
        let without: Vec<String> = self
            .without_text
            .iter()
            .map(|hash| json!(hash).to_string())
            .collect();
        let unpacked = self.unpacked.iter();
        let unpacked = unpacked.map(|one| json!({ "archive": one.archive, "at": one.at }));
        let files = self.files.iter();
        let files = files.map(|file| {
            let (path, is) = (json!(file.path), json!(file.is));
            format!(
                r#"{{"path":{path},"is":{is},"blake3":{}}}"#,
                json!(file.blake3)
            )
        });
        format!(
            "{{\n  \"format\": {},\n  \"version\": {VERSION},\n  \"session\": {},\n  \"events\": {},\n  \
             \"without_text\": {},\n  \"unpacked\": {},\n  \"files\": {},\n",
            json!(FORMAT),
            json!(self.session),
            self.events,
            list(without),
            list(unpacked.map(|one| one.to_string()).collect()),
            list(files.collect()),
        )
    }

    pub fn write(&self) -> String {
        format!("{}  \"seal\": {}\n}}\n", self.sealed(), json!(self.seal))
    }

    /// Reads it, the version first: what a newer program wrote is not called damaged.
    pub fn read(text: &[u8]) -> Result<Self, PortError> {
        let damaged = |error: serde_json::Error| {
            let line = u32::try_from(error.line()).ok();
            Flaw::new(FILE, line, format!("it cannot be read: {error}"))
        };
        let loosely: Value = serde_json::from_slice(text).map_err(damaged)?;
        if loosely["format"] != FORMAT {
            let why = format!("it does not say \"format\": \"{FORMAT}\"");
            return Err(Flaw::new(FILE, None, why).into());
        }
        match loosely["version"].as_u64() {
            Some(version) if version > u64::from(VERSION) => {
                return Err(PortError::Newer {
                    version,
                    known: VERSION,
                });
            }
            Some(1) => {}
            _ => return Err(Flaw::new(FILE, None, "it has no version that is known").into()),
        }
        let manifest: Self = serde_json::from_slice(text).map_err(damaged)?;
        let written = manifest.write();
        if manifest.seal != TextHash::of(&manifest.sealed()) || written.as_bytes() != text {
            let written = written.lines();
            let found = String::from_utf8_lossy(text);
            let differs = (1..).zip(written.zip(found.lines()));
            let mut differs = differs.filter(|(_, (ours, theirs))| ours != theirs);
            let line = differs.next().map(|(line, _)| line);
            return Err(Flaw::new(FILE, line, "it was edited").into());
        }
        Ok(manifest)
    }

    /// Checks that each listed file is there as it was written, and gives those that nobody listed. Events that were edited
    /// are given too: who reads them can say more.
    pub fn check(&self, contents: &Contents) -> Result<Found, Flaw> {
        let mut edited = None;
        let mut last: Option<&str> = None;
        for file in &self.files {
            if last.is_some_and(|last| last >= file.path.as_str()) || file.path == FILE {
                let why = format!("{} stands in it in the wrong place, or twice", file.path);
                return Err(Flaw::new(FILE, None, why));
            }
            last = Some(&file.path);
            match contents.get(&file.path) {
                None => return Err(Flaw::new(&file.path, None, "it is missing")),
                Some(bytes) if TextHash::of_bytes(bytes) == file.blake3 => {}
                Some(_) => {
                    let why = "it was edited: it does not have the hash that gapless.json gives";
                    let flaw = Flaw::new(&file.path, None, why);
                    match file.is {
                        Is::Events => drop(edited.get_or_insert(flaw)),
                        _ => return Err(flaw),
                    }
                }
            }
        }
        let listed = |path: &&String| {
            let found = self.files.binary_search_by(|file| file.path.cmp(path));
            found.is_ok() || *path == FILE
        };
        let others = contents.keys().filter(|path| !listed(path));
        Ok(Found {
            others: others.cloned().collect(),
            edited,
        })
    }
}

/// What a look at the files comes to.
pub(super) struct Found {
    pub others: Vec<String>,
    pub edited: Option<Flaw>,
}
