//! A small session to carry, and exports made by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use gapless_domain::text::TextHash;
use gapless_domain::time::Time;
use gapless_store::Row;
use gapless_store::archive::Opened;
use gapless_store::port::{Brought, Names, PortError, Portable, pack, unpack};
use tempfile::TempDir;

use crate::archives::{entry, gzip, name, tar};

pub type Files = BTreeMap<String, Vec<u8>>;

pub const SOURCE: &str = "# A lamp\n\nIt has a colour.\n";
pub const PROPOSAL: &str = "## Gap Resolution: GAP-COL-001\n\nBlue.\n";

fn row(seq: u64, type_name: &str, body: String) -> Row {
    Row {
        seq,
        at: Time(1_768_228_200_000 + i64::try_from(seq).unwrap()),
        type_name: type_name.to_owned(),
        version: 1,
        body,
    }
}

/// A session of three events with two texts, an archive and an example.
pub fn portable() -> Portable {
    let texts = [SOURCE, PROPOSAL].map(|text| (TextHash::of(text), Arc::from(text)));
    let nowhere = TextHash::of("never kept");
    let file = entry(b"round_001/engineer.md", b'0', b"", b"undone\n");
    Portable {
        session: "lamp".parse().unwrap(),
        rows: vec![
            row(1, "a.began", format!(r#"{{"source":"{}"}}"#, texts[0].0)),
            row(2, "a.wrote", format!(r#"{{"texts":["{}"]}}"#, texts[1].0)),
            row(3, "a.saw", format!(r#"{{"found":"{nowhere}"}}"#)),
        ],
        texts: texts.into_iter().collect(),
        without_text: vec![nowhere],
        archives: [(name(1, 1), gzip(&tar(&[file])))].into(),
        marks: Vec::new(),
        examples: [("engineer.md".to_owned(), "An example.\n".to_owned())].into(),
    }
}

pub fn names() -> Names {
    let file = |round: u32| format!("events/round_{round:03}.jsonl");
    Names {
        events: vec![file(0), file(1), file(0)],
        texts: [
            (TextHash::of(SOURCE), "source.md".to_owned()),
            (TextHash::of(PROPOSAL), "round_001/engineer.md".to_owned()),
        ]
        .into(),
        views: vec![("status.md".to_owned(), "# Status\n".to_owned())],
    }
}

/// A file with these bytes, and its folder.
pub fn on_disk(bytes: &[u8]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lamp.gapless.tar.gz");
    fs::write(&file, bytes).unwrap();
    (dir, file)
}

pub fn read(bytes: &[u8]) -> Result<Brought, PortError> {
    let (_dir, file) = on_disk(bytes);
    unpack(&file)
}

/// The files in an export.
pub fn files(portable: &Portable) -> Files {
    Opened::of_bytes(&pack(portable).unwrap()).unwrap().contents
}

/// Lets gapless.json say what the files are, as one who means harm would.
pub fn reseal(files: &mut Files) {
    let text = String::from_utf8(files["gapless.json"].clone()).unwrap();
    let lines = text.lines().map(|line| {
        let path = line
            .split(r#""path":""#)
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        match path.and_then(|path| files.get(path)) {
            Some(bytes) => {
                let (head, _) = line.split_once(r#""blake3":""#).unwrap();
                let comma = if line.ends_with(',') { "," } else { "" };
                format!(
                    "{head}\"blake3\":\"{}\"}}{comma}",
                    TextHash::of_bytes(bytes)
                )
            }
            None => line.to_owned(),
        }
    });
    let text: String = lines.map(|line| line + "\n").collect();
    let (sealed, _) = text.split_once("  \"seal\"").unwrap();
    let seal = TextHash::of(sealed);
    let text = format!("{sealed}  \"seal\": \"{seal}\"\n}}\n");
    files.insert("gapless.json".to_owned(), text.into_bytes());
}

/// A file of any entries that begins as an export does.
pub fn sealed(entries: &[Vec<u8>]) -> Vec<u8> {
    let packed = gzip(&tar(entries));
    let packed = &packed[10..];
    let mut bytes = vec![0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff];
    let comment = format!("gapless session; blake3 {}\0", TextHash::of_bytes(packed));
    bytes.extend(comment.bytes());
    bytes.extend(packed);
    bytes
}

pub fn plain(name: &str, content: &[u8]) -> Vec<u8> {
    entry(name.as_bytes(), b'0', b"", content)
}

pub fn packed(files: &Files) -> Vec<u8> {
    let entries = files.iter().map(|(name, bytes)| plain(name, bytes));
    sealed(&entries.collect::<Vec<_>>())
}

/// What is wrong with the session after a change that gapless.json knows of.
#[track_caller]
pub fn refused(change: impl FnOnce(&mut Files)) -> String {
    let mut files = files(&portable());
    change(&mut files);
    reseal(&mut files);
    read(&packed(&files)).unwrap_err().to_string()
}

/// Changes a file of an export as text.
pub fn edit(files: &mut Files, name: &str, from: &str, to: &str) {
    let text = String::from_utf8(files[name].clone()).unwrap();
    assert!(text.contains(from), "{text}");
    files.insert(name.to_owned(), text.replacen(from, to, 1).into_bytes());
}
