//! What the projector does with the files it finds, and what it says of them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use gapless_domain::text::TextHash;
use gapless_store::{Document, Edited, Intended, ProjectionError, Projector, SessionFolder};
use tempfile::TempDir;

struct Session {
    _dir: TempDir,
    folder: SessionFolder,
}

impl Session {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = SessionFolder::new(dir.path(), &"s".parse().unwrap());
        fs::create_dir_all(folder.root()).unwrap();
        Self { _dir: dir, folder }
    }

    fn file(&self, path: &str) -> PathBuf {
        self.folder.root().join(path)
    }

    fn write(&self, path: &str, content: &str) {
        fs::write(self.file(path), content).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.root()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A projector that knows `contents` as legitimate for status.md.
    fn projector(&self, contents: &[&str]) -> Projector {
        let intended = Intended {
            path: "status.md".to_owned(),
            hashes: contents
                .iter()
                .map(|content| TextHash::of(content))
                .collect(),
        };
        Projector::start(self.folder.clone(), vec![intended])
    }
}

fn status(content: &str) -> Document {
    Document::new("status.md", content)
}

fn edited(kept_as: &str) -> Edited {
    Edited {
        path: "status.md".to_owned(),
        kept_as: kept_as.to_owned(),
    }
}

#[test]
fn documents_are_written_where_nothing_stood() {
    let session = Session::new();
    let projector = session.projector(&[]);
    let summary = Document::new("round_001/attempts/engineer-1.md", "tried");
    projector.write(vec![status("one"), summary.clone()]);
    let report = projector.flush();
    assert_eq!(report.written.len(), 2);
    assert!(report.written.contains(&status("one").projection()));
    assert!(report.written.contains(&summary.projection()));
    assert!(report.edits.is_empty() && report.errors.is_empty());
    assert_eq!(session.read("status.md"), "one");
    assert_eq!(session.read("round_001/attempts/engineer-1.md"), "tried");
    assert_eq!(session.names(), ["round_001", "status.md"]);
    assert!(projector.flush().written.is_empty());
}

#[test]
fn its_own_writing_is_replaced_silently() {
    let session = Session::new();
    let projector = session.projector(&[]);
    for content in ["one", "two", "one"] {
        projector.write(vec![status(content)]);
        let report = projector.flush();
        assert_eq!(report.written, [status(content).projection()]);
        assert!(report.edits.is_empty() && report.errors.is_empty());
        assert_eq!(session.read("status.md"), content);
    }
}

#[test]
fn a_crash_between_commit_and_projection_is_no_edit() {
    let session = Session::new();
    session.write("status.md", "old");
    let projector = session.projector(&["old", "new"]);
    projector.write(vec![status("newer")]);
    let report = projector.flush();
    assert_eq!(report.written, [status("newer").projection()]);
    assert!(report.edits.is_empty());
    assert_eq!(session.names(), ["status.md"]);
}

#[test]
fn the_same_content_is_confirmed_without_writing() {
    let session = Session::new();
    session.write("status.md", "new");
    let before = fs::metadata(session.file("status.md"))
        .unwrap()
        .modified()
        .unwrap();
    let projector = session.projector(&[]);
    projector.write(vec![status("new")]);
    let report = projector.flush();
    assert_eq!(report.written, [status("new").projection()]);
    assert!(report.edits.is_empty());
    let after = fs::metadata(session.file("status.md"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after);
}

#[test]
fn an_edit_is_kept_beside_and_said() {
    let session = Session::new();
    let projector = session.projector(&[]);
    projector.write(vec![status("one")]);
    projector.flush();
    for (edit, kept_as) in [
        ("first edit", "status.edited.md"),
        ("second edit", "status.edited-2.md"),
        ("third edit", "status.edited-3.md"),
        // Met before: it is kept already.
        ("first edit", "status.edited.md"),
    ] {
        session.write("status.md", edit);
        projector.write(vec![status("two")]);
        let report = projector.flush();
        assert_eq!(report.edits, [edited(kept_as)]);
        assert_eq!(report.written, [status("two").projection()]);
        assert_eq!(session.read(kept_as), edit);
        assert_eq!(session.read("status.md"), "two");
    }
    assert_eq!(session.read("status.edited.md"), "first edit");
    assert_eq!(session.names().len(), 4);
}

#[test]
fn going_back_to_what_was_confirmed_away_is_an_edit() {
    let session = Session::new();
    let projector = session.projector(&["old"]);
    projector.write(vec![status("new")]);
    projector.flush();
    session.write("status.md", "old");
    projector.write(vec![status("newer")]);
    assert_eq!(projector.flush().edits, [edited("status.edited.md")]);
}

#[test]
fn edits_of_any_name_and_kind_are_kept() {
    let session = Session::new();
    fs::create_dir(session.file("round_001")).unwrap();
    fs::write(session.file("round_001/LICENSE"), [0xFF, 0xFE, 0]).unwrap();
    let projector = session.projector(&[]);
    projector.write(vec![Document::new("round_001/LICENSE", "text")]);
    let report = projector.flush();
    assert_eq!(report.edits[0].kept_as, "round_001/LICENSE.edited");
    assert_eq!(
        fs::read(session.file("round_001/LICENSE.edited")).unwrap(),
        [0xFF, 0xFE, 0]
    );
    assert_eq!(session.read("round_001/LICENSE"), "text");
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_not_followed() {
    use std::os::unix::fs::symlink;
    let session = Session::new();
    session.write("precious.md", "precious");
    symlink(session.file("precious.md"), session.file("status.md")).unwrap();
    symlink(session.file("precious.md"), session.file(".status.md.new")).unwrap();
    let projector = session.projector(&[]);
    projector.write(vec![status("one")]);
    let report = projector.flush();
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    assert_eq!(session.read("precious.md"), "precious");
    assert!(
        fs::symlink_metadata(session.file("status.md"))
            .unwrap()
            .is_file()
    );
    assert_eq!(session.names(), ["precious.md", "status.md"]);
}

#[test]
fn a_failure_names_its_path_and_hinders_no_other() {
    let session = Session::new();
    session.write("round_001", "a file where a folder is needed");
    fs::create_dir(session.file("spec.md")).unwrap();
    let projector = session.projector(&[]);
    projector.write(vec![
        Document::new("round_001/summary.md", "s"),
        Document::new("../outside.md", "o"),
        Document::new("spec.md", "spec"),
        status("one"),
    ]);
    let report = projector.flush();
    assert_eq!(report.written, [status("one").projection()]);
    let failed: Vec<_> = report
        .errors
        .iter()
        .map(|error| error.path().unwrap())
        .collect();
    assert_eq!(failed, ["../outside.md", "round_001/summary.md", "spec.md"]);
    assert!(matches!(
        report.errors[0],
        ProjectionError::OutsideFolder { .. }
    ));
    assert!(
        report.errors[1]
            .to_string()
            .contains("round_001/summary.md"),
        "{}",
        report.errors[1]
    );
    assert!(matches!(report.errors[2], ProjectionError::NotAFile { .. }));

    // Once the way is free, the same document is written.
    fs::remove_file(session.file("round_001")).unwrap();
    projector.write(vec![Document::new("round_001/summary.md", "s")]);
    assert_eq!(projector.flush().written.len(), 1);
}

#[test]
fn an_edit_stays_where_it_can_not_be_replaced() {
    let session = Session::new();
    session.write("status.md", "edit");
    // A folder under the temporary name makes the writing fail after the edit was found.
    fs::create_dir(session.file(".status.md.new")).unwrap();
    let projector = session.projector(&[]);
    projector.write(vec![status("one")]);
    let report = projector.flush();
    assert_eq!(report.edits, [edited("status.edited.md")]);
    assert_eq!(report.errors.len(), 1);
    assert_eq!(session.read("status.md"), "edit");
    assert_eq!(session.read("status.edited.md"), "edit");
}

#[test]
fn what_waits_is_written_before_the_projector_goes() {
    let session = Session::new();
    let projector = session.projector(&[]);
    for nth in 0..50 {
        projector.write(vec![
            Document::new(format!("{nth}.md"), "x"),
            status(&nth.to_string()),
        ]);
    }
    drop(projector);
    assert_eq!(session.names().len(), 51);
    assert_eq!(session.read("status.md"), "49");
}

#[test]
fn polling_and_flushing_say_everything_once() {
    let session = Session::new();
    let projector = session.projector(&[]);
    let mut said = Vec::new();
    for nth in 0..20 {
        projector.write(vec![Document::new(format!("{nth}.md"), "x")]);
        said.extend(projector.poll().written);
    }
    said.extend(projector.flush().written);
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 20);
    assert!(projector.poll().written.is_empty());
}

#[test]
fn a_file_that_is_not_to_be_there_is_taken_away_and_an_edit_of_it_is_kept() {
    let session = Session::new();
    session.write("status.md", "ours");
    let projector = session.projector(&["ours"]);
    projector.write(vec![Document::absent("status.md")]);
    let report = projector.flush();
    assert!(report.edits.is_empty() && report.errors.is_empty());
    assert_eq!(session.names(), Vec::<String>::new());
    // Gone already: nothing to do.
    projector.write(vec![Document::absent("status.md")]);
    assert!(projector.flush().errors.is_empty());

    session.write("status.md", "a person's");
    projector.write(vec![Document::absent("status.md")]);
    let report = projector.flush();
    assert_eq!(report.edits[0].kept_as, "status.edited.md");
    assert_eq!(session.names(), ["status.edited.md"]);
    // It can come back.
    projector.write(vec![status("ours")]);
    projector.flush();
    assert_eq!(session.read("status.md"), "ours");
}
