//! Where a session may write its refined spec: in its workspace, or where its user asked for it on this machine.

use std::fs;
use std::path::PathBuf;

use crate::support::{AS_BEFORE_HASHES, Project};

/// An ended session that is still to write its refined spec outside of its workspace, as somebody else prepared it.
struct Prepared {
    project: Project,
    outside: tempfile::TempDir,
}

impl Prepared {
    fn new() -> Self {
        let prepared = Self {
            project: Project::with_demo(),
            outside: tempfile::tempdir().unwrap(),
        };
        let target = prepared.target();
        let words = ["run", "spec.md", "--agents", "replay:recorded", "--answers"];
        let words = [
            &words[..],
            &["answers.toml", "--output", target.to_str().unwrap()],
        ]
        .concat();
        prepared.project.gapless(&words).exits(0);
        assert!(target.exists());
        // The log of another machine: that it was written is not in it, and the grant is not here.
        let file = prepared.project.path(".gapless/gapless.db");
        let database = rusqlite::Connection::open(file).unwrap();
        let sql = "SELECT min(seq) FROM events WHERE type = 'session.spec_written'";
        let seq: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
        database
            .execute("DELETE FROM events WHERE seq >= ?1", [seq])
            .unwrap();
        // Whoever prepares a session can do without the hashes of its log.
        database.execute_batch(AS_BEFORE_HASHES).unwrap();
        let head = prepared.project.path(".gapless/gapless.db-head-spec");
        fs::remove_file(head).unwrap();
        fs::remove_dir_all(prepared.project.path("state")).unwrap();
        fs::write(&target, "precious").unwrap();
        prepared
    }

    fn target(&self) -> PathBuf {
        let outside = self.outside.path().canonicalize().unwrap();
        outside.join("refined.md")
    }

    fn is_untouched(&self) -> bool {
        let files = fs::read_dir(self.outside.path()).unwrap().count();
        files == 1 && fs::read_to_string(self.target()).unwrap() == "precious"
    }
}

#[test]
fn a_prepared_session_writes_nothing_outside_before_its_user_asks() {
    let prepared = Prepared::new();
    let (project, target) = (&prepared.project, prepared.target());
    for words in [
        &["pause", "spec"][..],
        &["answer", "spec", "Q-001", "--option", "begin"],
        &["stop", "spec"],
        &["rollback", "spec", "--to", "1", "--reason", "anew"],
    ] {
        let said = project.gapless(words);
        assert_ne!(said.code, Some(0), "{words:?}: {}", said.out);
        assert!(prepared.is_untouched(), "{words:?}: {}", said.out);
    }
    let said = project.gapless(&["resume", "spec"]).exits(1);
    let why = "it is outside of the workspace, and you did not ask for that on this machine";
    assert!(said.out.contains(why), "{}", said.out);
    assert!(prepared.is_untouched());

    // The command that it names delivers it.
    let command = format!("gapless resume spec --output {}", target.display());
    assert!(said.out.contains(&command), "{}", said.out);
    project.shell(&command).exits(0);
    let written = fs::read_to_string(&target).unwrap();
    assert!(written.len() > 100, "{written}");
}

#[cfg(unix)]
#[test]
fn a_grant_is_readable_by_its_user_only_and_is_for_one_file() {
    use std::os::unix::fs::PermissionsExt;
    let prepared = Prepared::new();
    let other = prepared.outside.path().join("other.md");
    let words = ["resume", "spec", "--output", other.to_str().unwrap()];
    prepared.project.gapless(&words).exits(0);
    assert!(other.exists());
    assert_eq!(fs::read_to_string(prepared.target()).unwrap(), "precious");
    let folder = prepared.project.path("state/gapless/deliveries");
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let grants: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(grants.len(), 1);
    assert_eq!(mode(grants[0].clone()), 0o600);
    assert_eq!(mode(folder), 0o700);
}

#[cfg(unix)]
#[test]
fn a_link_or_a_hidden_folder_in_the_workspace_counts_as_outside() {
    for hidden in [false, true] {
        let project = Project::with_demo();
        let outside = tempfile::tempdir().unwrap();
        let folder = project.path(if hidden { ".git" } else { "docs" });
        fs::create_dir(&folder).unwrap();
        let target = folder.join("config").display().to_string();
        let words = [
            "run",
            "spec.md",
            "--agents",
            "replay:recorded",
            "--output",
            &target,
        ];
        project.gapless(&words).exits(3);
        if let Ok(grants) = fs::read_dir(project.path("state/gapless/deliveries")) {
            assert_eq!((hidden, grants.count()), (true, 1));
        }
        let _ = fs::remove_dir_all(project.path("state"));
        if !hidden {
            fs::remove_dir(&folder).unwrap();
            std::os::unix::fs::symlink(outside.path(), &folder).unwrap();
        }
        let said = project
            .gapless(&["resume", "--answers", "answers.toml"])
            .exits(1);
        assert!(
            said.out.contains("you did not ask for that"),
            "{}",
            said.out
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}
