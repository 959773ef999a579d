//! A session's folder with an undone round, and archives made by hand.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use gapless_domain::archives::ArchiveName;
use gapless_domain::time::Time;
use gapless_store::archive::{
    ArchiveError, Archives, ColdStore, Opened, Owner, Step, Undone, settle,
};
use gapless_store::{Document, SessionFolder};
use tempfile::TempDir;

pub const ROLLED_BACK: Time = Time(1_768_228_200_000);

pub struct Session {
    pub dir: TempDir,
    pub folder: SessionFolder,
}

impl Session {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(dir.path(), &"s".parse().unwrap());
        fs::create_dir_all(folder.root()).unwrap();
        Self { dir, folder }
    }

    /// With the folder of round 2, in which a person has been.
    pub fn with_round() -> Self {
        let session = Self::new();
        session.write("round_002/engineer.md", b"proposal");
        session.write("round_002/engineer.edited.md", b"better");
        session.write("round_002/attempts/engineer-1.md", b"tried");
        session.write("round_002/scan ö.bin", &[0, 255, 10]);
        session
    }

    /// With archives of rounds 2 and 3, the latter rolled back so many milliseconds after the former.
    pub fn with_archives(later: i64) -> Self {
        let session = Self::with_round();
        session.write("round_003/engineer.md", b"another");
        let mut third = undone(3, 1);
        third.at.0 += later;
        for undone in [undone(2, 1), third] {
            session.settle(&undone).unwrap();
        }
        session
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.root().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let file = self.folder.root().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    pub fn archives(&self) -> Archives {
        Archives::of(&self.folder)
    }

    pub fn settle(&self, undone: &Undone) -> Result<(), ArchiveError> {
        settle(&self.folder, undone, &mut |_| ControlFlow::Continue(()))
    }

    /// Settles and is killed after a step.
    pub fn settle_until(&self, undone: &Undone, last: Step) {
        let stopped = settle(&self.folder, undone, &mut |step| match step == last {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
    }

    pub fn contents(&self, round: u32) -> BTreeMap<String, Vec<u8>> {
        let file = self.archives().file(name(round, 1));
        Opened::read(&file).unwrap().contents
    }

    pub fn cold(&self) -> ColdStore {
        ColdStore::below(&self.dir.path().join("data"))
    }

    pub fn owner(&self) -> Owner {
        Owner {
            session: "s".to_owned(),
            workspace: self.dir.path().to_owned(),
            started_at: Time(7),
        }
    }
}

/// The files below a folder, by path.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                    files.insert(name.into_owned(), fs::read(&path).unwrap());
                }
            }
        }
    }
    files
}

pub fn name(round: u32, attempt: u32) -> ArchiveName {
    ArchiveName { round, attempt }
}

/// A round whose engineer.md and summary.md the log has.
pub fn undone(round: u32, attempt: u32) -> Undone {
    let metadata = format!(
        r#"{{"original_round":{round},"rollback_timestamp":"{ROLLED_BACK}","reason":"too broad","attempt_number":{attempt},"to_round":1,"user_adjustments":[],"seq":40}}"#
    );
    Undone {
        archive: name(round, attempt),
        at: ROLLED_BACK,
        documents: vec![
            Document::new(format!("round_{round:03}/engineer.md"), "proposal"),
            Document::new(format!("round_{round:03}/summary.md"), "summary"),
        ],
        later: Vec::new(),
        beside: vec![("rollback_metadata.json".to_owned(), Arc::from(metadata))],
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// One entry of a tar file: a head with any name and type, and content behind it.
pub fn entry(name: &[u8], kind: u8, link: &[u8], content: &[u8]) -> Vec<u8> {
    let mut head = [0_u8; 512];
    head[..name.len()].copy_from_slice(name);
    let mut put =
        |at: usize, text: &str| head[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{:011o}\0", content.len()));
    put(136, "00000000000\0");
    put(148, "        ");
    put(257, "ustar\x0000");
    head[156] = kind;
    head[157..157 + link.len()].copy_from_slice(link);
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut bytes = head.to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// A tar file of these entries, with its end.
pub fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}
