//! One run of a program as an agent: a folder of its own, a process group of its own, an environment of its own.
//! It leaves to its callers which program that is and what of its words is the document. Nothing of the run outlives it: not a process, not a file.

mod environment;
mod group;
mod home;
mod listener;
mod supervision;
mod tail;
mod working_folder;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::SystemTime;

use gapless_domain::{ExecutionError, ExecutionErrorKind, OutputNote, Unfinished};

use crate::patience::millis;
#[cfg(target_os = "linux")]
use crate::supervisor::SUPERVISE;
use crate::supervisor::{RUN_VARIABLE, Supervisor, can_protect};
use crate::{LimitedBytes, Output, Request, Watch};
pub(crate) use environment::{Environment, matches};
use group::Group;
pub(crate) use home::{Home, SignInFile};
pub(crate) use listener::Listener;
use supervision::{CutShort, Exited, supervise};
use tail::Tail;
pub(crate) use tail::without_controls;
use working_folder::WorkingFolder;
pub(crate) use working_folder::plain_path;

const NO_SANDBOX: &str = "`sandbox = true` needs Landlock, which Linux has since 6.2 unless it is switched off; \
                          leave `sandbox` out of `[agents]`, or use another machine";

/// How much of a file beside the document is read.
const LONGEST_LOG: u64 = 64 * 1024 * 1024;

/// A program that can be started any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// An absolute path, or a bare name that is looked up on PATH.
    pub(crate) executable: OsString,
    pub(crate) environment: Environment,
    /// What starts it and keeps its descendants within reach.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(crate) supervisor: Option<Supervisor>,
    /// Folders that it must not be able to write to; it is not started where that can't be done.
    pub(crate) protected: Vec<PathBuf>,
}

/// Where things are in one run.
pub(crate) struct Places<'a> {
    pub(crate) folder: &'a Path,
    /// Where the document may be written.
    pub(crate) output: PathBuf,
    /// Where a home of the run's own is, if the call asks for one.
    pub(crate) home: PathBuf,
    /// The code base that may be looked at.
    pub(crate) repo: Option<&'a Path>,
}

/// What one run is started with.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) arguments: Vec<OsString>,
    /// Variables beside those that are passed on.
    pub(crate) set: Vec<(String, String)>,
    /// Files that the program wants in its folder beside the inputs.
    pub(crate) files: Vec<(String, String)>,
    /// What the program finds in a home of the run's own.
    pub(crate) home: Option<Home>,
    /// A file in its folder that is wanted beside the document.
    pub(crate) log: Option<String>,
    pub(crate) stdin: Arc<str>,
}

/// A run that came to its own end.
pub(crate) struct Ended {
    status: ExitStatus,
    stderr: Tail,
    /// The file at the output path, where there is one.
    pub(crate) written: Option<LimitedBytes>,
    /// The file that the call asked for beside it.
    pub(crate) log: Option<LimitedBytes>,
}

impl Ended {
    /// The last words on stderr.
    pub(crate) fn stderr(&self) -> String {
        self.stderr.text()
    }
}

/// A run that did not come to its own end.
pub(crate) struct NotEnded {
    pub(crate) error: ExecutionError,
    /// The file at the output path, where there is one, and how long it had not changed.
    written: Option<(LimitedBytes, u64)>,
    /// How long nothing had come on stdout.
    stdout_quiet_millis: u64,
}

impl From<ExecutionError> for NotEnded {
    /// For a run that was over before it had written anything.
    fn from(error: ExecutionError) -> Self {
        Self {
            error,
            written: None,
            stdout_quiet_millis: 0,
        }
    }
}

impl Program {
    /// Runs the program once for `request`; what it says goes to `listener`.
    pub(crate) async fn run(
        &self,
        request: Request,
        watch: &Watch,
        call: impl FnOnce(&Places<'_>) -> Call + Send,
        listener: &mut dyn Listener,
    ) -> Result<Ended, NotEnded> {
        watch.go_on()?;
        let (request, folder) = blocking(move || {
            let folder = WorkingFolder::prepare(&request.output_path, &request.inputs);
            (request, folder)
        })
        .await?;
        let folder = folder?;
        let mut call = call(&Places {
            folder: folder.path(),
            output: folder.path().join(&request.output_path),
            home: folder.run().home(),
            repo: request.repo.as_deref(),
        });
        for (name, text) in &call.files {
            folder.add(name, text)?;
        }
        let at = folder.run().home();
        let home = call.home.take().map(|home| home.furnish(at)).transpose()?;

        // The folder is declared first so that a dropped run ends its processes before it removes their folder.
        let mut group = self
            .spawn(&request, &folder, &call)
            .map_err(|error| self.not_started(&error))?;
        let outcome = supervise(&mut group, call.stdin, &request.limits, watch, listener).await;
        let over = SystemTime::now();
        group.end().await;

        let limit = request.limits.output_bytes;
        let log = call.log.take();
        let (not_started, written, log, changed, _removed) = blocking(move || {
            let not_started = folder.run().not_started();
            let written = folder.document(&request.output_path, limit);
            let log = log.and_then(|name| folder.document(&name, LONGEST_LOG).ok()?);
            let changed = folder.changed(&request.output_path);
            if let Some(home) = home {
                home.keep_sign_in();
            }
            (not_started, written, log, changed, folder.remove())
        })
        .await?;
        if let Some(error) = not_started {
            return Err(self.not_started(&error).into());
        }
        match outcome {
            Ok(Exited { status, stderr }) => Ok(Ended {
                status,
                stderr,
                written: written.map_err(unreadable_document)?,
                log,
            }),
            Err(CutShort {
                error,
                stdout_quiet_millis,
            }) => {
                // What was written while it was being ended changed just now.
                let unchanged = changed.and_then(|changed| over.duration_since(changed).ok());
                let unchanged = unchanged.map_or(0, millis);
                let written = written.ok().flatten();
                Err(NotEnded {
                    error: self.redacted(error),
                    written: written.map(|written| (written, unchanged)),
                    stdout_quiet_millis,
                })
            }
        }
    }

    /// What a run that did not come to its own end had written: a file goes before what was said.
    pub(crate) fn unfinished(
        &self,
        stopped: NotEnded,
        said: Option<LimitedBytes>,
    ) -> Option<Unfinished> {
        let written = stopped.written.filter(|(file, _)| !file.is_blank());
        let said = said.map(|said| (said, stopped.stdout_quiet_millis));
        let (bytes, unchanged_millis) = written.or(said)?;
        self.unread(bytes, unchanged_millis)
    }

    /// Bytes that are handed over as what was written, unless there is nothing to see in them.
    pub(crate) fn unread(&self, bytes: LimitedBytes, unchanged_millis: u64) -> Option<Unfinished> {
        if bytes.is_blank() {
            return None;
        }
        let (text, notes) = bytes.into_text();
        Some(Unfinished {
            text: self.environment.redacted(text),
            notes,
            unchanged_millis,
        })
    }

    fn spawn(&self, request: &Request, folder: &WorkingFolder, call: &Call) -> io::Result<Group> {
        if !self.protected.is_empty() && (self.supervisor.is_none() || !can_protect()) {
            return Err(io::Error::other(NO_SANDBOX));
        }
        #[cfg(target_os = "linux")]
        if let Some(supervisor) = &self.supervisor {
            let mut command = tokio::process::Command::new(&supervisor.program);
            command
                .arg0("gapless")
                .arg(SUPERVISE)
                .arg(std::process::id().to_string())
                .arg(folder.run().path())
                .arg(self.protected.len().to_string())
                .args(&self.protected)
                .arg(&self.executable);
            self.complete(&mut command, request, folder, call);
            return Group::spawn_supervised(command, supervisor);
        }
        let mut command = tokio::process::Command::new(&self.executable);
        self.complete(&mut command, request, folder, call);
        Group::spawn(command)
    }

    fn complete(
        &self,
        command: &mut tokio::process::Command,
        request: &Request,
        folder: &WorkingFolder,
        call: &Call,
    ) {
        command
            .args(&call.arguments)
            .current_dir(folder.path())
            .env_clear()
            .envs(self.environment.variables().iter().cloned())
            .envs(call.set.iter().map(|(name, value)| (name, value)))
            .env("PWD", folder.path())
            .env("GAPLESS_ROLE", request.task.slot.role.stem())
            .env("GAPLESS_ROUND", request.task.round.to_string())
            .env("GAPLESS_OUTPUT", &request.output_path)
            .env(RUN_VARIABLE, folder.run().path());
        if let Some(repo) = &request.repo {
            command.env("GAPLESS_REPO", repo);
        }
    }

    /// Tells a document from none: a file that was written goes before what was said, and a blank file is an empty
    /// document only where the program says that it succeeded.
    pub(crate) fn judge(
        &self,
        mut ended: Ended,
        said: Option<LimitedBytes>,
    ) -> Result<Output, ExecutionError> {
        let in_file = ended.written.is_some();
        let success = ended.status.success();
        let written = ended.written.take().or(said);
        let (text, mut notes) = written.map(LimitedBytes::into_text).unwrap_or_default();
        let blank = text.trim().is_empty();

        if blank && !success {
            return Err(self.said_nothing_usable(&ended, ""));
        }
        if !success {
            notes.push(OutputNote::NonzeroExit);
        }
        let text = match (blank, in_file) {
            (false, _) => Some(self.environment.redacted(text)),
            (true, true) => Some(String::new()),
            (true, false) => None,
        };
        Ok(Output {
            text,
            notes,
            ..Output::default()
        })
    }

    /// The error of a program whose output is none: `said` is the last that it said on stdout.
    pub(crate) fn said_nothing_usable(&self, ended: &Ended, said: &str) -> ExecutionError {
        let (kind, what) = match ended.status.success() {
            true => (
                ExecutionErrorKind::Provider,
                "did not write what it is expected to, though it exited with success".to_owned(),
            ),
            false => (
                ExecutionErrorKind::ExitedWithoutOutput,
                format!("{} and left no document", ending(ended.status)),
            ),
        };
        let said = match said {
            "" => String::new(),
            said => format!("; it said: {said}"),
        };
        let (program, stderr) = (self.executable.display(), ended.stderr.as_suffix());
        let message = format!("`{program}` {what}{said}{stderr}");
        self.redacted(ExecutionError::new(kind, message))
    }

    /// A text without the secrets of the environment.
    pub(crate) fn without_secrets(&self, text: String) -> String {
        self.environment.redacted(text)
    }

    pub(crate) fn redacted(&self, error: ExecutionError) -> ExecutionError {
        ExecutionError {
            message: self.environment.redacted(error.message),
            ..error
        }
    }

    fn not_started(&self, error: &io::Error) -> ExecutionError {
        let program = self.executable.display();
        let on_path = Path::new(&self.executable).components().count() == 1;
        let (kind, what) = match error.kind() {
            io::ErrorKind::NotFound if on_path => (
                ExecutionErrorKind::NotFound,
                "was not found on PATH: install it, add its folder to PATH, or give its path"
                    .into(),
            ),
            io::ErrorKind::NotFound => (
                ExecutionErrorKind::NotFound,
                "was not found: it, or the interpreter that its first line names, is missing"
                    .into(),
            ),
            io::ErrorKind::PermissionDenied => (
                ExecutionErrorKind::NotFound,
                "was found but may not be executed".into(),
            ),
            _ => (
                ExecutionErrorKind::Provider,
                format!("could not be started: {error}"),
            ),
        };
        ExecutionError::new(kind, format!("the program `{program}` {what}"))
    }
}

/// How a process ended, in words.
pub(crate) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("was ended by signal {signal}");
        }
    }
    match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => format!("ended with {status}"),
    }
}

fn unreadable_document(error: io::Error) -> ExecutionError {
    let message = format!("the document that the agent wrote can't be read: {error}");
    ExecutionError::new(ExecutionErrorKind::Provider, message)
}

/// Keeps file work off the async threads; it fails only where the runtime is shutting down.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ExecutionError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| ExecutionError::new(ExecutionErrorKind::Provider, error.to_string()))
}
