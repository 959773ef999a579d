//! Which files an export has, and what is read from them again. The one file has the fewest; the folder has them by
//! their names, archives as what is in them, and files for people beside.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gapless_domain::{ArchiveName, TextHash, Time};

use super::error::{Flaw, PortError};
use super::events;
use super::manifest::{self, Found, Is, Listed, Manifest, Unpacked};
use super::portable::{Brought, Names, Portable};
use crate::archive::{Contents, Entry, Opened, pack_archive};

const EVENTS: &str = "events.jsonl";
const MARKS: &str = "archives/marks.json";
const ARCHIVES: &str = "archives/";
const EXAMPLES: &str = "examples/";
const ATTRIBUTES: &str = ".gitattributes";
/// Hexadecimal digits of so many bytes stand on a line.
const HEX_LINE: usize = 64;

/// A tree that is being made.
#[derive(Default)]
struct Tree {
    contents: Contents,
    listed: Vec<Listed>,
}

impl Tree {
    fn put(&mut self, path: String, is: Is, bytes: Vec<u8>) -> Result<(), Flaw> {
        let blake3 = TextHash::of_bytes(&bytes);
        if self.contents.insert(path.clone(), bytes).is_some() || path == manifest::FILE {
            return Err(Flaw::new(&path, None, "two files would have this name"));
        }
        self.listed.push(Listed { path, is, blake3 });
        Ok(())
    }
}

/// The files of an export; without names, those of the one file.
pub(super) fn grow(portable: &Portable, names: Option<&Names>) -> Result<Contents, PortError> {
    let mut tree = Tree::default();
    let files = names.map(|names| &names.events);
    for (path, rows) in by_file(portable, files) {
        let text = events::write(&path, rows)?;
        tree.put(path, Is::Events, text.into_bytes())?;
    }
    for (hash, text) in &portable.texts {
        let named = names.and_then(|names| names.texts.get(hash)).cloned();
        let path = named.unwrap_or_else(|| format!("texts/{hash}.md"));
        tree.put(path, Is::Text, text.as_bytes().to_vec())?;
    }
    let mut unpacked = Vec::new();
    for (archive, bytes) in &portable.archives {
        match names {
            None => tree.put(format!("{ARCHIVES}{archive}"), Is::Archive, bytes.clone())?,
            Some(_) => unpacked.extend(spread(&mut tree, *archive, bytes)?),
        }
    }
    if !portable.marks.is_empty() {
        let marks = serde_json::to_string_pretty(&portable.marks).unwrap_or_default() + "\n";
        tree.put(MARKS.to_owned(), Is::ArchiveMarks, marks.into_bytes())?;
    }
    for (name, text) in &portable.examples {
        let path = format!("{EXAMPLES}{name}");
        tree.put(path, Is::Example, text.as_bytes().to_vec())?;
    }
    if let Some(names) = names {
        // Line ends are part of what the hashes hold.
        tree.put(ATTRIBUTES.to_owned(), Is::View, b"* -text\n".to_vec())?;
        for (path, text) in &names.views {
            tree.put(path.clone(), Is::View, text.as_bytes().to_vec())?;
        }
    }
    let Tree {
        mut contents,
        mut listed,
    } = tree;
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let manifest = Manifest::new(
        portable.session.as_str(),
        portable.rows.len() as u64,
        portable.without_text.clone(),
        unpacked,
        listed,
    );
    contents.insert(manifest::FILE.to_owned(), manifest.write().into_bytes());
    Ok(contents)
}

fn by_file<'p>(
    portable: &'p Portable,
    files: Option<&Vec<String>>,
) -> BTreeMap<String, Vec<&'p crate::Row>> {
    let mut by_file: BTreeMap<String, Vec<&crate::Row>> = BTreeMap::new();
    for (index, row) in portable.rows.iter().enumerate() {
        let file = files.and_then(|files| files.get(index));
        let file = file.map_or(EVENTS, String::as_str);
        by_file.entry(file.to_owned()).or_default().push(row);
    }
    by_file
}

/// Gives an archive as its files, where they are texts and make the same archive again; else as digits.
fn spread(
    tree: &mut Tree,
    archive: ArchiveName,
    bytes: &[u8],
) -> Result<Option<Unpacked>, PortError> {
    let opened = Opened::of_bytes(bytes).ok().filter(|opened| {
        let texts = opened.contents.values();
        let mut texts = texts.map(|bytes| std::str::from_utf8(bytes));
        let again = pack_archive(&opened.contents, opened.at);
        texts.all(|text| text.is_ok_and(|text| !text.contains('\0')))
            && again.is_ok_and(|again| again == bytes)
    });
    let Some(opened) = opened else {
        let digits = |line: &[u8]| line.iter().map(|byte| format!("{byte:02x}")).collect();
        let lines: Vec<String> = bytes.chunks(HEX_LINE).map(digits).collect();
        let text = lines.join("\n") + "\n";
        let path = format!("{ARCHIVES}{archive}.hex");
        tree.put(path, Is::ArchiveHex, text.into_bytes())?;
        return Ok(None);
    };
    for (name, bytes) in opened.contents {
        let path = format!("{ARCHIVES}{}/{name}", archive.stem());
        tree.put(path, Is::ArchiveFile, bytes)?;
    }
    let at = opened.at.0;
    Ok(Some(Unpacked { archive, at }))
}

/// Reads the files of an export; `whole` where nothing else may be among them.
pub(super) fn gather(contents: &Contents, whole: bool) -> Result<Brought, PortError> {
    let Some(text) = contents.get(manifest::FILE) else {
        return Err(Flaw::new(manifest::FILE, None, "it is missing").into());
    };
    let manifest = Manifest::read(text)?;
    let Found {
        others: ignored,
        edited,
    } = manifest.check(contents)?;
    if let Some(other) = ignored.first().filter(|_| whole) {
        return Err(Flaw::new(other, None, "it is no part of the export").into());
    }
    if let Some(flaw) = edited.clone().filter(|_| whole) {
        return Err(flaw.into());
    }
    let mut portable = Portable {
        session: manifest
            .session
            .parse()
            .map_err(|error| Flaw::new(manifest::FILE, None, error))?,
        rows: Vec::new(),
        texts: BTreeMap::new(),
        without_text: manifest.without_text.clone(),
        archives: BTreeMap::new(),
        marks: Vec::new(),
        examples: BTreeMap::new(),
    };
    let mut placed = Vec::new();
    let mut spread: BTreeMap<String, Contents> = BTreeMap::new();
    for listed in &manifest.files {
        let bytes = contents.get(&listed.path).map_or(&[][..], Vec::as_slice);
        take_file(&mut portable, listed, bytes, &mut placed, &mut spread)?;
    }
    pack_spread(&mut portable, &manifest, spread)?;
    let places = in_order(&mut portable, placed, manifest.events)?;
    if edited.is_none() {
        check_texts(&portable)?;
    }
    Ok(Brought {
        portable,
        places,
        ignored,
        edited,
    })
}

/// Takes one file of an export to where it belongs; the files of an unpacked archive are gathered in `spread`.
fn take_file<'m>(
    portable: &mut Portable,
    listed: &'m Listed,
    bytes: &[u8],
    placed: &mut Vec<(crate::Row, &'m str, u32)>,
    spread: &mut BTreeMap<String, Contents>,
) -> Result<(), PortError> {
    let path = listed.path.as_str();
    let text = || utf8(path, bytes);
    match listed.is {
        Is::Events => {
            let rows = events::read(path, text()?)?;
            placed.extend(rows.into_iter().map(|(row, line)| (row, path, line)));
        }
        Is::Text => {
            if portable
                .texts
                .insert(listed.blake3, Arc::from(text()?))
                .is_some()
            {
                return Err(Flaw::new(path, None, "its text stands elsewhere too").into());
            }
        }
        Is::Archive => put_archive(portable, path, archive_at(path, "")?, bytes.to_vec())?,
        Is::ArchiveHex => {
            let archive = archive_at(path, ".hex")?;
            put_archive(portable, path, archive, from_hex(path, text()?)?)?;
        }
        Is::ArchiveFile => {
            let inner = path
                .strip_prefix(ARCHIVES)
                .and_then(|path| path.split_once('/'));
            let Some((stem, name)) = inner else {
                return Err(Flaw::new(path, None, "it is no file of an archive").into());
            };
            let files = spread.entry(stem.to_owned()).or_default();
            files.insert(name.to_owned(), bytes.to_vec());
        }
        Is::ArchiveMarks => {
            portable.marks = serde_json::from_str(text()?)
                .map_err(|error| Flaw::new(path, u32::try_from(error.line()).ok(), error))?;
            check_marks(path, &portable.marks)?;
        }
        Is::Example => {
            let name = path.strip_prefix(EXAMPLES).filter(|name| is_plain(name));
            let Some(name) = name else {
                return Err(Flaw::new(path, None, "it is no example").into());
            };
            portable
                .examples
                .insert(name.to_owned(), text()?.to_owned());
        }
        Is::View => {}
    }
    Ok(())
}

/// Packs the archives whose files are listed one by one.
fn pack_spread(
    portable: &mut Portable,
    manifest: &Manifest,
    mut spread: BTreeMap<String, Contents>,
) -> Result<(), PortError> {
    for unpacked in &manifest.unpacked {
        let stem = unpacked.archive.stem();
        let path = format!("{ARCHIVES}{stem}");
        let Some(files) = spread.remove(&stem) else {
            return Err(Flaw::new(&path, None, "its files are missing").into());
        };
        let bytes = pack_archive(&files, Time(unpacked.at))
            .map_err(|error| Flaw::new(&path, None, error))?;
        put_archive(portable, &path, unpacked.archive, bytes)?;
    }
    if let Some(stem) = spread.keys().next() {
        let path = format!("{ARCHIVES}{stem}");
        return Err(Flaw::new(&path, None, "it is no archive of the export").into());
    }
    Ok(())
}

fn utf8<'b>(path: &str, bytes: &'b [u8]) -> Result<&'b str, Flaw> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Flaw::new(path, u32::try_from(line).ok(), "it is not UTF-8")
    })
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains('/')
}

fn archive_at(path: &str, ending: &str) -> Result<ArchiveName, Flaw> {
    let name = path
        .strip_prefix(ARCHIVES)
        .and_then(|name| name.strip_suffix(ending));
    let archive = name.and_then(|name| {
        let archive: ArchiveName = name.parse().ok()?;
        (archive.to_string() == name).then_some(archive)
    });
    archive.ok_or_else(|| Flaw::new(path, None, "it is not named like an archive"))
}

/// Puts an archive among the others, once it can be opened: it may have been made by anyone.
fn put_archive(
    portable: &mut Portable,
    path: &str,
    archive: ArchiveName,
    bytes: Vec<u8>,
) -> Result<(), Flaw> {
    if let Err(fault) = Opened::of_bytes(&bytes) {
        return Err(Flaw::new(path, None, fault));
    }
    match portable.archives.insert(archive, bytes) {
        Some(_) => Err(Flaw::new(path, None, "the archive stands elsewhere too")),
        None => Ok(()),
    }
}

fn from_hex(path: &str, text: &str) -> Result<Vec<u8>, Flaw> {
    let mut bytes = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = || Flaw::new(path, number, "it is no line of hexadecimal digits");
        if line.len() % 2 != 0 || !line.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        for at in (0..line.len()).step_by(2) {
            let byte = line
                .get(at..at + 2)
                .and_then(|two| u8::from_str_radix(two, 16).ok());
            bytes.push(byte.ok_or_else(wrong)?);
        }
    }
    Ok(bytes)
}

fn check_marks(path: &str, marks: &[Entry]) -> Result<(), Flaw> {
    let mut seen = BTreeSet::new();
    match marks.iter().find(|entry| !seen.insert(entry.archive)) {
        Some(twice) => {
            let why = format!("{} stands in it twice", twice.archive);
            Err(Flaw::new(path, None, why))
        }
        None => Ok(()),
    }
}

/// Puts the rows in their order, which must have neither holes nor doubles.
fn in_order(
    portable: &mut Portable,
    mut placed: Vec<(crate::Row, &str, u32)>,
    events: u64,
) -> Result<Vec<(String, u32)>, Flaw> {
    placed.sort_by_key(|(row, _, _)| row.seq);
    let mut places = Vec::with_capacity(placed.len());
    for (expected, (row, path, line)) in (1..).zip(placed) {
        if row.seq != expected {
            let why = format!("event {} stands where event {expected} should", row.seq);
            return Err(Flaw::new(path, line, why));
        }
        places.push((path.to_owned(), line));
        portable.rows.push(row);
    }
    match portable.rows.len() as u64 {
        found if found != events => {
            let why = format!("it says {events} events, and there are {found}");
            Err(Flaw::new(manifest::FILE, None, why))
        }
        0 => Err(Flaw::new(
            manifest::FILE,
            None,
            "a session without events is none",
        )),
        _ => Ok(places),
    }
}

/// Checks that every text that the log names is there, and no other.
fn check_texts(portable: &Portable) -> Result<(), Flaw> {
    let named = super::named_hashes(&portable.rows);
    let without: BTreeSet<&TextHash> = portable.without_text.iter().collect();
    for hash in &named {
        if portable.texts.contains_key(hash) == without.contains(hash) {
            let why = format!("the text {hash}, which an event names, is missing");
            return Err(Flaw::new(manifest::FILE, None, why));
        }
    }
    let mut extra = portable.texts.keys().chain(without);
    match extra.find(|hash| !named.contains(hash)) {
        Some(hash) => {
            let why = format!("no event names the text {hash}");
            Err(Flaw::new(manifest::FILE, None, why))
        }
        None => Ok(()),
    }
}
