//! What holds of archives and exports that anyone may have made: refused, or the same content whoever packs it again; names
//! never lead out, nothing unpacks to more than it may, and no altered byte is believed.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use gapless_domain::{ArchiveName, Role, TextHash, Texts, Time, Usage};
use gapless_mediator::next;
use gapless_mediator::{Incoming, Step};
use gapless_runner::{judge, names};
use gapless_store::Row;
use gapless_store::archive::{LIMITS, Opened, pack_archive};
use gapless_store::port::{Brought, PortError, Portable, named_hashes, pack, unpack_bytes};

use crate::input::Input;
use crate::sessions::{Session, proposal, review, start};

type Files = BTreeMap<String, Vec<u8>>;

const FILE: &str = "lamp.gapless.tar.gz";
const MANIFEST: &str = "gapless.json";
/// The head of an export, and what its comment says before the hash.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff];
const COMMENT: &str = "gapless session; blake3 ";

/// Bytes as an archive, as what is packed in one, as an export, as files of one, or as changes to one that was made well.
pub fn archives(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 6 {
        0 => archive(input.rest()),
        1 => archive(&gzip(input.rest())),
        2 => export(input.rest()),
        3 => export(&sealed(&gzip(input.rest()))),
        4 => files(&mut input),
        _ => altered(&mut input),
    }
}

fn archive(bytes: &[u8]) {
    let Ok(opened) = Opened::of_bytes(bytes) else {
        return;
    };
    assert_contents(&opened.contents);
    let packed = match pack_archive(&opened.contents, opened.at) {
        Ok(packed) => packed,
        // Nobody packs what is read from elsewhere but an export's folder, which says so.
        Err(_) => return,
    };
    match Opened::of_bytes(&packed) {
        Ok(again) => {
            let (before, after) = (opened.contents, again.contents);
            assert_eq!(after, before, "packed again, and not the same");
            assert_eq!(again.at, opened.at, "packed again, at another time");
        }
        Err(fault) => panic!("packed again, and refused: {fault}"),
    }
}

fn assert_contents(contents: &Files) {
    let mut unpacked = 0;
    for (name, bytes) in contents {
        unpacked += bytes.len() as u64;
        let leads_out = name.starts_with('/') || name.contains('\\') || name.contains('\0');
        let parts_fit = name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        assert!(!leads_out && parts_fit, "{name:?} leads out");
        assert!(!name.chars().any(char::is_control), "{name:?} steers");
        for (at, _) in name.match_indices('/') {
            let below = contents.contains_key(&name[..at]);
            assert!(!below, "{name:?} is below a file");
        }
    }
    assert!(contents.len() <= LIMITS.entries && unpacked <= LIMITS.unpacked);
}

/// What is taken of an export is whole: packed again it gives the same, and so does what that is read as.
fn export(bytes: &[u8]) {
    if let Ok(brought) = unpack_bytes(Path::new(FILE), bytes) {
        assert_brought(&brought);
    }
}

fn assert_brought(brought: &Brought) {
    let portable = &brought.portable;
    let edited = &brought.edited;
    assert!(edited.is_none() && brought.ignored.is_empty(), "{edited:?}");
    assert_eq!(brought.places.len(), portable.rows.len());
    for (hash, text) in &portable.texts {
        assert_eq!(*hash, TextHash::of(text), "a text has another hash");
    }
    let packed = match pack(portable) {
        Ok(packed) => packed,
        Err(error) => panic!("taken, and can't be given: {error}"),
    };
    match unpack_bytes(Path::new(FILE), &packed) {
        Ok(again) => {
            let again = again.portable;
            assert_eq!(again, *portable, "given and taken, and not the same");
            let twice = pack(&again).ok();
            assert_eq!(twice, Some(packed), "given twice, and not the same bytes");
        }
        Err(error) => panic!("given, and refused: {error}"),
    }
    // Whether its events mean anything is judged; that never panics, and gives the same each time.
    let judged = judge(brought);
    let again = judge(brought);
    assert_eq!(judged.is_ok(), again.is_ok());
    if let (Ok(state), Ok(again)) = (judged, again) {
        assert_eq!(state, again);
        let named = names(portable).is_ok();
        assert!(named, "judged, and its folder has no names");
    }
}

/// An export with files put in, changed or taken out, whose manifest agrees: as one who means harm would make it.
fn files(input: &mut Input) {
    let mut files = exported().clone();
    while !input.is_empty() {
        let (name, content) = (input.text(), input.bytes());
        let known: Vec<String> = files.keys().cloned().collect();
        let named = match name.parse::<usize>() {
            Ok(nth) => known.get(nth).cloned().unwrap_or(name),
            Err(_) => name,
        };
        match content {
            b"" => drop(files.remove(&named)),
            _ => drop(files.insert(named, content.to_vec())),
        }
    }
    reseal(&mut files);
    if let Ok(packed) = pack_archive(&files, Time(0)) {
        export(&sealed(&packed));
    }
}

/// A good export with bytes changed: no change is believed.
fn altered(input: &mut Input) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| pack(portable()).unwrap_or_default());
    let mut bytes = good.clone();
    while !input.is_empty() && !bytes.is_empty() {
        let at = (usize::from(input.byte()) << 16 | usize::from(input.number())) % bytes.len();
        match input.byte() {
            0 => bytes.truncate(at),
            by => bytes[at] ^= by,
        }
    }
    match unpack_bytes(Path::new(FILE), &bytes) {
        Ok(brought) => assert_eq!(brought.portable, *portable(), "altered, and believed"),
        Err(PortError::Io { .. }) => panic!("nothing was read from a disk"),
        Err(_) => assert_ne!(bytes, *good, "what we packed was refused"),
    }
}

/// Lets gapless.json say what the files are, as far as it can be read.
fn reseal(files: &mut Files) {
    let Some(manifest) = files.get(MANIFEST) else {
        return;
    };
    let text = String::from_utf8_lossy(manifest).into_owned();
    let lines = text.lines().map(|line| {
        let path = line.split(r#""path":""#).nth(1);
        let path = path.and_then(|rest| rest.split('"').next());
        let bytes = path.and_then(|path| files.get(path));
        match (bytes, line.split_once(r#""blake3":""#)) {
            (Some(bytes), Some((head, _))) => {
                let comma = if line.ends_with(',') { "," } else { "" };
                let hash = TextHash::of_bytes(bytes);
                format!("{head}\"blake3\":\"{hash}\"}}{comma}")
            }
            _ => line.to_owned(),
        }
    });
    let text: String = lines.map(|line| line + "\n").collect();
    if let Some((sealed, _)) = text.split_once("  \"seal\"") {
        let seal = TextHash::of(sealed);
        let text = format!("{sealed}  \"seal\": \"{seal}\"\n}}\n");
        files.insert(MANIFEST.to_owned(), text.into_bytes());
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut stream = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::fast());
    let written = stream.write_all(bytes);
    written.and_then(|()| stream.finish()).unwrap_or_default()
}

/// What is packed in a stream.
pub fn unzipped(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// A packed stream with the head of an export, whose hash is right.
fn sealed(packed: &[u8]) -> Vec<u8> {
    let packed = packed.get(HEAD.len()..).unwrap_or_default();
    let mut bytes = HEAD.to_vec();
    bytes.extend(format!("{COMMENT}{}\0", TextHash::of_bytes(packed)).bytes());
    bytes.extend(packed);
    bytes
}

/// The files of a good export.
pub fn exported() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let packed = pack(portable()).ok();
        let opened = packed.and_then(|bytes| Opened::of_bytes(&bytes).ok());
        opened.map(|opened| opened.contents).unwrap_or_default()
    })
}

/// A session of two rounds that can be carried, with an archive and an example.
pub fn portable() -> &'static Portable {
    static PORTABLE: OnceLock<Portable> = OnceLock::new();
    PORTABLE.get_or_init(|| {
        let session = two_rounds();
        let rows: Vec<Row> = (1..)
            .zip(&session.events)
            .map(|(seq, event)| {
                let stored = event.what.encode();
                Row {
                    seq,
                    at: event.at,
                    type_name: stored.type_name,
                    version: stored.version,
                    body: stored.body,
                }
            })
            .collect();
        let (mut texts, mut without_text) = (BTreeMap::new(), Vec::new());
        for hash in named_hashes(&rows) {
            match session.texts.text(&hash) {
                Some(text) => drop(texts.insert(hash, text)),
                None => without_text.push(hash),
            }
        }
        let undone: Files = [("round_001/engineer.md".to_owned(), b"undone\n".to_vec())].into();
        let archive = ArchiveName {
            round: 1,
            attempt: 1,
        };
        let packed = pack_archive(&undone, Time(1_768_228_200_000)).unwrap_or_default();
        Portable {
            session: match "lamp".parse() {
                Ok(name) => name,
                Err(error) => panic!("{error}"),
            },
            rows,
            texts,
            without_text,
            archives: [(archive, packed)].into(),
            marks: Vec::new(),
            examples: [("engineer.md".to_owned(), "An example.\n".to_owned())].into(),
        }
    })
}

/// A session whose first round is reviewed with an objection, as far as it goes alone.
pub fn two_rounds() -> Session {
    let mut session = Session::default();
    let source = "# A lamp\n\n- GAP-COL-001 [HIGH]: the colour\n- GAP-HGT-001 [LOW]: the height\n";
    let mut fed = session.feed(Incoming::Start(Box::new(start(source))));
    for _ in 0..40 {
        assert!(fed.is_ok(), "{fed:?}");
        fed = match next(&session.state) {
            Step::Advance => session.feed(Incoming::Advance),
            Step::Run { tasks, .. } => {
                let Some(task) = tasks.first() else { break };
                let text = match task.id.slot.role {
                    Role::Engineer => proposal(&task.gaps, 0),
                    _ if task.id.round == 1 => review(&task.gaps, 1, 3 << 2),
                    _ => review(&task.gaps, task.id.round, 0),
                };
                session.feed(Incoming::Output {
                    task: task.id,
                    text: Some(text),
                    earlier: Vec::new(),
                    notes: Vec::new(),
                    usage: Usage::default(),
                })
            }
            Step::Await { .. } | Step::Rest(_) => break,
        };
    }
    session
}
