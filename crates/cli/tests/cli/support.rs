//! Builds project folders, agents and calls of the real binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recorded");
pub const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo");

/// Takes from a database what was added to it since 0.1.0.
pub const AS_BEFORE_HASHES: &str =
    "DROP TABLE session_ids; ALTER TABLE inbox DROP COLUMN session_id;
    ALTER TABLE events DROP COLUMN chain; ALTER TABLE events DROP COLUMN closes;
    ALTER TABLE sessions DROP COLUMN events; ALTER TABLE sessions DROP COLUMN head;
    ALTER TABLE sessions DROP COLUMN seal; PRAGMA user_version = 1";

/// A project folder of its own.
pub struct Project {
    folder: TempDir,
}

/// What a call of the program came to.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err));
        assert_eq!(document["version"], 1);
        document
    }
}

impl Project {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("cli-").tempdir().unwrap();
        Self { folder }
    }

    /// The demo's session, at its end; in its third round the Engineer needs a second attempt.
    pub fn with_ended_demo() -> Self {
        let project = Self::with_demo();
        let words = [
            "run",
            "spec.md",
            "--agents",
            "replay:recorded",
            "--answers",
            "answers.toml",
        ];
        project.gapless(&words).exits(0);
        project
    }

    /// A project with the demo's spec, its answers, and its recording beside it.
    pub fn with_demo() -> Self {
        let project = Self::new();
        for file in ["spec.md", "answers.toml"] {
            fs::copy(Path::new(DEMO).join(file), project.path(file)).unwrap();
        }
        copy_folder(Path::new(RECORDED), &project.path("recorded"));
        project
    }

    /// A project with a spec of two gaps.
    pub fn with_two_gaps() -> Self {
        let project = Self::new();
        project.write(
            "tiny.md",
            "# A lamp\n\nIt has a colour and a height.\n\n## Known gaps\n\n\
             - GAP-COL-001 [HIGH]: the colour is missing\n- GAP-HGT-001 [LOW]: the height is missing\n",
        );
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes an agent as a shell script and gives its name.
    pub fn agent(&self, script: &str) -> String {
        let path = self.write("agent.sh", script);
        format!("cmd:sh {}", path.display())
    }

    /// Every byte that is left in the folder: the log with its journal, texts, drafts, archives.
    pub fn all_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        add_bytes(self.folder.path(), &mut bytes);
        bytes
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gapless"));
        command
            .args(words)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.path("state"))
            .stdin(Stdio::null());
        command
    }

    /// Allows everything that the folder wants, as its user would.
    pub fn trust(&self) {
        self.gapless(&["trust", "--yes"]).exits(0);
    }

    pub fn gapless(&self, words: &[&str]) -> Said {
        Said::of(self.command(words).output().unwrap())
    }

    pub fn json(&self, words: &[&str]) -> Value {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        self.gapless(&words).exits(0).json()
    }

    pub fn start(&self, words: &[&str]) -> Running {
        Running::of(&mut self.command(words))
    }

    /// Runs a line that the program printed, through a shell.
    pub fn shell(&self, line: &str) -> Said {
        let binary = Path::new(env!("CARGO_BIN_EXE_gapless"));
        let path = format!(
            "{}:{}",
            binary.parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let output = Command::new("sh")
            .args(["-c", line])
            .env("PATH", path)
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.path("state"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Said::of(output)
    }

    /// Runs a line in a terminal of 24 lines, with this typed; nothing where there is no program that makes terminals.
    #[cfg(target_os = "linux")]
    pub fn at_terminal(&self, line: &str, typed: &str) -> Option<Said> {
        use std::io::Write;
        let binary = Path::new(env!("CARGO_BIN_EXE_gapless"));
        let path = format!(
            "{}:{}",
            binary.parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let line = format!("stty rows 24 cols 100; {line}");
        let child = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .env("PATH", path)
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env_remove("PAGER")
            .env_remove("LESS")
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.ok()?;
        child.stdin.take()?.write_all(typed.as_bytes()).ok()?;
        Some(Said::of(child.wait_with_output().unwrap()))
    }

    /// The output with everything that differs between calls taken out.
    pub fn filtered(&self, text: &str) -> String {
        text.replace(&self.folder.path().display().to_string(), "[folder]")
    }
}

fn add_bytes(folder: &Path, bytes: &mut Vec<u8>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => add_bytes(&path, bytes),
            false => bytes.extend(fs::read(&path).unwrap()),
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// A call that is still running; gone when dropped.
pub struct Running(Option<Child>);

impl Running {
    pub fn of(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(Some(command.spawn().unwrap()))
    }

    pub fn id(&self) -> u32 {
        self.0.as_ref().unwrap().id()
    }

    pub fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .args([format!("-{name}"), self.id().to_string()])
            .status();
        assert!(done.unwrap().success());
    }

    /// True where it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.0.as_mut().unwrap().try_wait().unwrap().is_some()
    }

    pub fn kill(&mut self) {
        let child = self.0.as_mut().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    pub fn wait(mut self) -> Said {
        Said::of(self.0.take().unwrap().wait_with_output().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until something can be seen, and no longer than it may take on a slow machine.
#[track_caller]
pub fn until(what: &str, mut seen: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !seen() {
        assert!(Instant::now() < deadline, "never seen: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An agent that gives the demo's recording back; `before` runs first, with the prompt in `$prompt`.
pub fn recorded_agent(before: &str) -> String {
    format!(
        r####"
prompt=$(cat)
{before}
round={RECORDED}/$(printf 'round_%03d' "$GAPLESS_ROUND")
case "$GAPLESS_ROLE $GAPLESS_ROUND $prompt" in
  final_review*) cat $round/final_review.md ;;
  "engineer 3 # Attempt"*) cat $round/engineer.md ;;
  "engineer 3 "*) cat $round/attempts/engineer-1.md ;;
  "engineer 2 "*"### GAP-SIG-001 ["*) cat $round/engineer.md ;;
  "engineer 2 "*) cat $round/engineer-GAP-RET-001.md ;;
  *) cat $round/$GAPLESS_ROLE.md ;;
esac
"####
    )
}

/// An agent for the spec of two gaps: the colour needs input, the height waits until `gate` exists.
pub fn lamp_agent(gate: &Path, started: &Path) -> String {
    let (gate, started) = (gate.display(), started.display());
    format!(
        r####"
prompt=$(cat)
propose() {{
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. '
  printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
  printf '### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}}
review() {{
  printf '## Review: %s\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n- the tolerance\n\n' "$1"
}}
case "$GAPLESS_ROLE $prompt" in
  engineer*"### GAP-HGT-001 ["*)
    touch {started}
    while [ ! -e {gate} ]; do sleep 0.02; done
    propose GAP-HGT-001 ;;
  engineer*blue*) propose GAP-COL-001 ;;
  engineer*) echo 'BLOCKED_NEEDS_INPUT: GAP-COL-001 which colour shall it have?' ;;
  reviewer*) review GAP-COL-001; review GAP-HGT-001 ;;
  final_review*) cat {RECORDED}/round_007/final_review.md ;;
esac
"####
    )
}

/// Takes out of a document what differs between two runs of the same session: times and how long things took, places in
/// the log, and agents, whose names have the folder in them.
pub fn without_times(mut document: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                for key in [
                    "at",
                    "seq",
                    "millis",
                    "time_millis",
                    "folder",
                    "driver",
                    "wake_at",
                    "agent",
                    "agents",
                    "started_at",
                    "finished_at",
                ] {
                    object.remove(key);
                }
                object.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut document);
    document
}
