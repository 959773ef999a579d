//! The folder of texts.

use std::fs;
use std::path::Path;

use gapless_store::archive::Opened;
use gapless_store::port::{PortError, pack, read_folder, write_folder};
use tempfile::TempDir;

use crate::archives::{self, name};
use crate::support::{names, portable};

fn written() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_folder(&dir.path().join("lamp"), &portable(), &names()).unwrap();
    dir
}

#[track_caller]
fn refused(change: impl FnOnce(&Path)) -> String {
    let dir = written();
    let folder = dir.path().join("lamp");
    change(&folder);
    read_folder(&folder).unwrap_err().to_string()
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from));
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_session_comes_back_and_makes_the_same_file() {
    let dir = written();
    let files = archives::files(&dir.path().join("lamp"));
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            ".gitattributes",
            "archives/round_001_rolled_back_1.tar.gz.hex",
            "events/round_000.jsonl",
            "events/round_001.jsonl",
            "examples/engineer.md",
            "gapless.json",
            "round_001/engineer.md",
            "source.md",
            "status.md",
        ]
    );
    assert!(
        files
            .values()
            .all(|bytes| std::str::from_utf8(bytes).is_ok())
    );
    let brought = read_folder(&dir.path().join("lamp")).unwrap();
    assert_eq!(brought.portable, portable());
    assert_eq!(brought.places[1], ("events/round_001.jsonl".to_owned(), 1));
    assert_eq!(pack(&brought.portable).unwrap(), pack(&portable()).unwrap());
}

#[test]
fn an_archive_of_gapless_is_given_as_its_files() {
    let session = archives::Session::new();
    session.write("round_002/engineer.md", b"proposal");
    session.settle(&archives::undone(2, 1)).unwrap();
    let file = session.archives().file(name(2, 1));
    let mut portable = portable();
    portable.archives = [(name(2, 1), fs::read(&file).unwrap())].into();
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("lamp");
    write_folder(&folder, &portable, &names()).unwrap();
    let engineer = folder.join("archives/round_002_rolled_back_1/round_002/engineer.md");
    assert_eq!(fs::read(engineer).unwrap(), b"proposal");
    let brought = read_folder(&folder).unwrap();
    assert_eq!(brought.portable, portable);
    let again = &brought.portable.archives[&name(2, 1)];
    assert_eq!(
        Opened::of_bytes(again).unwrap(),
        Opened::read(&file).unwrap()
    );
}

#[test]
fn what_was_edited_is_refused_with_its_place() {
    let events = "events/round_000.jsonl";
    assert!(
        refused(|folder| edit(&folder.join(events), "\"seq\":3", "\"seq\": 3"))
            .starts_with("events/round_000.jsonl, line 2: it is not written as gapless writes it")
    );
    assert!(
        refused(|folder| edit(&folder.join(events), "{\"seq\":3", "\"seq\":3"))
            .starts_with("events/round_000.jsonl, line 2: it is no event")
    );
    for file in ["source.md", "status.md", "round_001/engineer.md"] {
        assert_eq!(
            refused(|folder| fs::write(folder.join(file), "# Mine\n").unwrap()),
            format!("{file}: it was edited: it does not have the hash that gapless.json gives")
        );
    }
    let session = ("\"session\": \"lamp\"", "\"session\":  \"lamp\"");
    assert_eq!(
        refused(|folder| edit(&folder.join("gapless.json"), session.0, session.1)),
        "gapless.json, line 4: it was edited"
    );
    assert_eq!(
        refused(|folder| fs::remove_file(folder.join("source.md")).unwrap()),
        "source.md: it is missing"
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let error = refused(|folder| {
        fs::remove_file(folder.join("source.md")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.join("source.md")).unwrap();
    });
    assert!(
        error.starts_with("source.md: ") && error.contains("link"),
        "{error}"
    );
}

#[test]
fn files_of_yours_are_left_aside_and_told() {
    let dir = written();
    let folder = dir.path().join("lamp");
    fs::write(folder.join("notes.md"), "mine").unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    fs::write(folder.join(".git/config"), "git's").unwrap();
    assert_eq!(read_folder(&folder).unwrap().ignored, ["notes.md"]);
}

#[test]
fn a_later_export_takes_the_place_of_an_earlier_one_and_of_nothing_else() {
    let dir = written();
    let folder = dir.path().join("lamp");
    fs::write(folder.join("notes.md"), "mine").unwrap();
    let mut later = portable();
    later.rows.pop();
    later.without_text.clear();
    later.examples.clear();
    write_folder(&folder, &later, &names()).unwrap();
    assert_eq!(read_folder(&folder).unwrap().portable, later);
    assert!(!folder.join("examples").exists());
    assert_eq!(fs::read_to_string(folder.join("notes.md")).unwrap(), "mine");

    fs::write(folder.join("status.md"), "mine").unwrap();
    let edited = write_folder(&folder, &later, &names()).unwrap_err();
    assert!(matches!(edited, PortError::Edited { .. }), "{edited}");
    let mut other = portable();
    other.session = "other".parse().unwrap();
    for (place, portable) in [(dir.path(), &later), (folder.as_path(), &other)] {
        let error = write_folder(place, portable, &names()).unwrap_err();
        assert!(matches!(error, PortError::OtherFolder { .. }), "{error}");
    }
}
