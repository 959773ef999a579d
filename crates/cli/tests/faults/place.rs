//! A place where the same session is run again and again: always at the same path, by a clock that stands still, so that
//! two runs leave the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gapless_store::fault::{FAULTS, SEEN};
use rusqlite::Connection;
use tempfile::TempDir;

/// 2026-01-12T14:30:00Z.
pub const NOW: i64 = 1_768_228_200_000;

pub struct Place {
    folder: TempDir,
}

/// What a call came to.
#[derive(Debug)]
pub struct Came {
    /// `None` where it was killed.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Everything that is left: files by their paths, and the rows of databases.
pub type Remains = BTreeMap<String, Vec<u8>>;

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("faults-").tempdir();
        let folder = folder.unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// The user's state folder, which is no part of the work.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gapless"));
        command
            .args(words)
            .current_dir(self.path(""))
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.state())
            .env("GAPLESS_CLOCK", NOW.to_string())
            .stdin(Stdio::null());
        command
    }

    pub fn call(&self, mut command: Command) -> Came {
        let output = command.output().unwrap();
        Came {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Calls the program with faults, and gives the points that it reached too; `!` stands before those that had one.
    pub fn call_with(&self, mut command: Command, faults: &str) -> (Came, Vec<String>) {
        let seen = self.folder.path().join("seen");
        let _ = fs::remove_file(&seen);
        command.env(FAULTS, faults).env(SEEN, &seen);
        let came = self.call(command);
        let seen = fs::read_to_string(&seen).unwrap_or_default();
        (came, seen.lines().map(str::to_owned).collect())
    }

    /// Keeps everything as it is now under a name.
    pub fn keep(&self, name: &str) {
        let kept = self.folder.path().join("kept").join(name);
        copy(&self.path(""), &kept);
    }

    pub fn bring_back(&self, name: &str) {
        fs::remove_dir_all(self.path("")).unwrap();
        let kept = self.folder.path().join("kept").join(name);
        copy(&kept, &self.path(""));
    }

    /// How many events the databases have.
    pub fn events(&self) -> usize {
        let count = |database: PathBuf| {
            let database = Connection::open(database).unwrap();
            let sql = "SELECT count(*) FROM events";
            let count: rusqlite::Result<u32> = database.query_row(sql, [], |row| row.get(0));
            // Killed before its tables were made.
            count.unwrap_or(0) as usize
        };
        self.databases().into_iter().map(count).sum()
    }

    fn databases(&self) -> Vec<PathBuf> {
        let all = ["", "there/"].map(|root| self.path(&format!("{root}.gapless/gapless.db")));
        all.into_iter().filter(|file| file.exists()).collect()
    }

    pub fn remains(&self) -> Remains {
        let mut all = Remains::new();
        collect(&self.path(""), "", &mut all);
        for file in self.databases() {
            let database = Connection::open(&file).unwrap();
            let verdict: String = database
                .query_row("PRAGMA integrity_check", [], |row| row.get(0))
                .unwrap();
            assert_eq!(verdict, "ok");
            let name = file.strip_prefix(self.path("")).unwrap();
            for (table, sql) in TABLES {
                let name = format!("{}:{table}", name.display());
                all.insert(name, rows(&database, sql).into_bytes());
            }
        }
        all
    }
}

/// What is compared of a database. That something could not be written is an event too, which only a disturbed run has. Who
/// was killed after the spec was put over another file leaves the backup, and nobody who can say that it is one.
const TABLES: [(&str, &str); 4] = [
    (
        "events",
        "SELECT session || ' ' || at || ' ' || type || ' ' || version || ' ' ||
         CASE WHEN type = 'session.spec_written' AND body LIKE '%refined.md%' THEN json_remove(body, '$.backup') ELSE body END
         FROM events
         WHERE type != 'session.spec_not_written'
         AND NOT (type = 'session.archives_disposed' AND json_array_length(body, '$.disposed.problems') > 0)
         ORDER BY session, seq",
    ),
    ("texts", "SELECT hex(hash) || ' ' || body FROM texts ORDER BY hash"),
    ("sessions", "SELECT name || ' ' || body FROM sessions ORDER BY name"),
    ("inbox", "SELECT session || ' ' || body || ' ' || outcome FROM inbox ORDER BY id"),
];

fn rows(database: &Connection, sql: &str) -> String {
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    let lines: Vec<String> = rows.map(Result::unwrap).collect();
    lines.join("\n")
}

/// The locks say who came last, and databases are compared by their rows.
fn is_compared(name: &str) -> bool {
    !["driver.json", "driver.lock", ".lock"].contains(&name) && !name.starts_with("gapless.db")
}

fn collect(folder: &Path, prefix: &str, all: &mut Remains) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), all);
        } else if is_compared(&name) {
            let mut bytes = fs::read(&path).unwrap();
            if name == "cleanup.log" {
                bytes = in_order(&bytes);
            }
            all.insert(format!("{prefix}{name}"), bytes);
        }
    }
}

/// What could not be removed at first is logged later.
fn in_order(lines: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = lines.split_inclusive(|byte| *byte == b'\n').collect();
    lines.sort();
    lines.concat()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}
