//! Owns one run of a program as an agent: a folder of its own, a process group of its own, the prompt on stdin.
//! It leaves to its callers which program that is. Nothing of the run outlives it: not a process, not a file.

mod group;
mod supervision;
mod tail;
mod working_folder;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;

use gapless_core::task::{ExecutionError, ExecutionErrorKind, OutputNote};

use crate::agent::{Output, Request, Watch, cancelled};
use crate::document::LimitedBytes;
use group::Group;
use supervision::{Exited, supervise};
use working_folder::WorkingFolder;

/// A program with its arguments, ready to be started any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// An absolute path, or a bare name that is looked up on PATH.
    pub(crate) executable: OsString,
    pub(crate) arguments: Vec<OsString>,
}

impl Program {
    /// Runs the program once for `request` and reads its document.
    pub(crate) async fn run(
        &self,
        request: Request,
        watch: &Watch,
    ) -> Result<Output, ExecutionError> {
        if watch.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let (request, folder) = blocking(move || {
            let folder = WorkingFolder::prepare(&request.output_path, &request.inputs);
            (request, folder)
        })
        .await?;
        let folder = folder?;

        // The folder is declared first so that a dropped run ends its processes before it removes their folder.
        let mut group = Group::spawn(self.command(&request, &folder))
            .map_err(|error| self.not_started(&error))?;
        let outcome = supervise(&mut group, &request, watch).await;
        group.end().await;

        let limit = request.limits.output_bytes;
        let (written, _removed) = blocking(move || {
            let written = folder.document(&request.output_path, limit);
            (written, folder.remove())
        })
        .await?;
        self.judge(outcome?, written.map_err(unreadable_document)?)
    }

    fn command(&self, request: &Request, folder: &WorkingFolder) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(&self.executable);
        command
            .args(&self.arguments)
            .current_dir(folder.path())
            .env("PWD", folder.path())
            .env("GAPLESS_ROLE", request.task.slot.role.stem())
            .env("GAPLESS_ROUND", request.task.round.to_string())
            .env("GAPLESS_OUTPUT", &request.output_path);
        command
    }

    /// Tells a document from none: a file that was written goes before stdout, and a blank file is an empty
    /// document only where the program says that it succeeded.
    fn judge(
        &self,
        exited: Exited,
        written: Option<LimitedBytes>,
    ) -> Result<Output, ExecutionError> {
        let in_file = written.is_some();
        let (text, mut notes) = written.unwrap_or(exited.stdout).into_text();
        let blank = text.trim().is_empty();
        let success = exited.status.success();

        if blank && !success {
            let mut message = format!(
                "`{}` {} and left no document",
                self.executable.display(),
                ending(exited.status)
            );
            message.push_str(&exited.stderr.as_suffix());
            let kind = ExecutionErrorKind::ExitedWithoutOutput;
            return Err(ExecutionError::new(kind, message));
        }
        if !success {
            notes.push(OutputNote::NonzeroExit);
        }
        let text = match (blank, in_file) {
            (false, _) => Some(text),
            (true, true) => Some(String::new()),
            (true, false) => None,
        };
        Ok(Output { text, notes })
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

fn ending(status: ExitStatus) -> String {
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
