//! What is written to files of the user's, and what becomes of what stood there.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::text::TextHash;
use gapless_store::{Expected, WriteOutError, WrittenOut, write_out};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn with(self, name: &str, content: &str) -> Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// Every file with its content, by name.
    fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(path).unwrap_or_default())
            })
            .collect();
        files.sort();
        files
    }

    #[track_caller]
    fn holds(&self, files: &[(&str, &str)]) {
        let files: Vec<_> = files
            .iter()
            .map(|(name, content)| ((*name).to_owned(), (*content).to_owned()))
            .collect();
        assert_eq!(self.files(), files);
    }
}

fn write(file: &Path, text: &str) -> WrittenOut {
    write_out(file, text, Expected::Anything).unwrap()
}

#[test]
fn what_stood_there_is_kept_and_no_backup_is_overwritten() {
    let folder = Folder::new();
    let file = folder.path("out.md");
    assert_eq!(write(&file, "one").backup, None);
    assert_eq!(write(&file, "one").backup, None, "it is there already");
    assert_eq!(write(&file, "two").backup, Some(folder.path("out.md.bak")));
    assert_eq!(
        write(&file, "three").backup,
        Some(folder.path("out.md.bak.1"))
    );
    folder.holds(&[
        ("out.md", "three"),
        ("out.md.bak", "one"),
        ("out.md.bak.1", "two"),
    ]);
}

#[test]
fn a_crash_between_keeping_and_replacing_leaves_one_backup() {
    let folder = Folder::new()
        .with("out.md", "mine")
        .with("out.md.bak", "mine")
        .with(".out.md.gapless-new", "half of");
    let written = write(&folder.path("out.md"), "new");
    assert_eq!(written.backup, Some(folder.path("out.md.bak")));
    folder.holds(&[("out.md", "new"), ("out.md.bak", "mine")]);
}

#[test]
fn a_file_that_is_not_what_it_must_be_is_left_alone() {
    let folder = Folder::new().with("spec.md", "edited since");
    let (file, expected) = (folder.path("spec.md"), TextHash::of("as it was"));
    let result = write_out(&file, "new", Expected::OneOf(&[expected]));
    assert!(matches!(result, Err(WriteOutError::Changed)));
    let result = write_out(&folder.path("gone.md"), "new", Expected::OneOf(&[expected]));
    assert!(matches!(result, Err(WriteOutError::Gone)));
    folder.holds(&[("spec.md", "edited since")]);
    fs::write(&file, "as it was").unwrap();
    write_out(&file, "new", Expected::OneOf(&[expected])).unwrap();
    let again = write_out(&file, "new", Expected::OneOf(&[expected])).unwrap();
    let backup = Some(folder.path("spec.md.bak"));
    assert_eq!(again.backup, backup, "it was written before a crash");
    folder.holds(&[("spec.md", "new"), ("spec.md.bak", "as it was")]);
}

#[test]
fn what_is_no_file_or_has_no_folder_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder")).unwrap();
    let result = write_out(&folder.path("folder"), "new", Expected::Anything);
    assert!(matches!(result, Err(WriteOutError::NotAFile)));
    let result = write_out(&folder.path("no/out.md"), "new", Expected::Anything);
    assert!(matches!(result, Err(WriteOutError::NoFolder)));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new().with("real.md", "old");
    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    fs::set_permissions(folder.path("real.md"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.md", folder.path("link.md")).unwrap();
    let written = write(&folder.path("link.md"), "new");
    assert_eq!(written.file, folder.path("real.md"));
    assert_eq!(
        fs::read_link(folder.path("link.md")).unwrap(),
        Path::new("real.md")
    );
    assert_eq!((mode("real.md"), mode("real.md.bak")), (0o640, 0o640));
    folder.holds(&[
        ("link.md", "new"),
        ("real.md", "new"),
        ("real.md.bak", "old"),
    ]);

    symlink("nowhere.md", folder.path("dead.md")).unwrap();
    let result = write_out(&folder.path("dead.md"), "new", Expected::Anything);
    assert!(matches!(result, Err(WriteOutError::DeadLink)));
}

#[test]
fn what_bears_the_mark_is_renewed_and_everything_else_is_kept() {
    let folder = Folder::new().with("out.md", "a text of the user's");
    let file = folder.path("out.md");
    let renew = |text: &str| write_out(&file, text, Expected::Marked("made by us")).unwrap();
    assert_eq!(
        renew("made by us: one").backup,
        Some(folder.path("out.md.bak"))
    );
    assert_eq!(renew("made by us: two").backup, None);
    folder.holds(&[
        ("out.md", "made by us: two"),
        ("out.md.bak", "a text of the user's"),
    ]);
    let far = format!("{}made by us", "x".repeat(1_000));
    fs::write(&file, far).unwrap();
    assert_eq!(
        renew("made by us: three").backup,
        Some(folder.path("out.md.bak.1")),
        "a mark that is not at the beginning says nothing"
    );
}

#[test]
fn written_in_place_by_a_process_that_could_not_say_so_its_backup_is_found() {
    let folder = Folder::new()
        .with("spec.md", "refined")
        .with("spec.md.bak", "of another day")
        .with("spec.md.bak.1", "the source");
    let expected = Expected::OneOf(&[TextHash::of("the source")]);
    let written = write_out(&folder.path("spec.md"), "refined", expected).unwrap();
    assert_eq!(written.backup, Some(folder.path("spec.md.bak.1")));
    let expected = Expected::OneOf(&[TextHash::of("another source")]);
    let written = write_out(&folder.path("spec.md"), "refined", expected).unwrap();
    assert_eq!(written.backup, None);
}
