//! The editor that a person writes in: which one, its run at the terminal, and its end.
//! It stays in gapless' own process group, as the terminal's job control wants it: a suspended editor suspends both. So a
//! program that an editor's wrapper started is out of reach when the wrapper is ended early.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use gapless_domain::{ExecutionError, ExecutionErrorKind};
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::Command;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::agent::cancelled;
use crate::subprocess::ending;
use crate::supervisor::EDITOR_VARIABLE;

/// How long an editor may take to put the terminal back in order after it was asked to end.
const GRACE: Duration = Duration::from_secs(1);

/// Opens a file in the first of these editors that is there, and waits until it is closed.
pub(super) async fn edit(
    editors: &[String],
    file: &Path,
    cancel: &CancellationToken,
) -> Result<(), ExecutionError> {
    let (name, mut child) = start(editors, file)?;
    let status = tokio::select! {
        biased;
        () = cancel.cancelled() => {
            end(child).await;
            return Err(cancelled());
        }
        status = child.wait() => status,
    };
    let why = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => ending(status),
        Err(error) => format!("was lost: {error}"),
    };
    let message = format!(
        "the editor `{name}` {why}, so nothing was taken; what was saved is kept in {}",
        file.display()
    );
    Err(ExecutionError::new(
        ExecutionErrorKind::ExitedWithoutOutput,
        message,
    ))
}

fn start(
    editors: &[String],
    file: &Path,
) -> Result<(String, Box<dyn ChildWrapper>), ExecutionError> {
    let not_found = |what: String| {
        let message = format!(
            "{what}: set VISUAL or EDITOR to the one you use, one that stays until the file is closed"
        );
        ExecutionError::new(ExecutionErrorKind::NotFound, message)
    };
    for line in editors {
        let words = shlex::split(line).unwrap_or_default();
        let Some((program, arguments)) = words.split_first() else {
            return Err(not_found(format!("`{line}` is no editor's command line")));
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .arg(file)
            .env(EDITOR_VARIABLE, "1")
            .stdout(terminal_out());
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop);
        match wrapped.spawn() {
            Ok(child) => return Ok((line.clone(), child)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(not_found(format!(
                    "the editor `{line}` can't be started: {error}"
                )));
            }
        }
    }
    let tried: Vec<String> = editors.iter().map(|line| format!("`{line}`")).collect();
    Err(not_found(match tried.as_slice() {
        [] => "no editor is named".to_owned(),
        [one] => format!("the editor {one} was not found"),
        several => format!("no editor was found (looked for {})", several.join(", ")),
    }))
}

/// Where an editor draws, also where gapless' own output is a document in a pipe.
fn terminal_out() -> Stdio {
    if io::stdout().is_terminal() {
        return Stdio::inherit();
    }
    #[cfg(unix)]
    if let Ok(terminal) = std::fs::OpenOptions::new().write(true).open("/dev/tty") {
        return terminal.into();
    }
    // Never into the document.
    io::stderr().into()
}

async fn end(mut child: Box<dyn ChildWrapper>) {
    #[cfg(unix)]
    {
        const SIGTERM: i32 = 15;
        if child.signal(SIGTERM).is_ok() && timeout(GRACE, child.wait()).await.is_ok() {
            return;
        }
    }
    let _ = child.start_kill();
    let _ = timeout(GRACE, child.wait()).await;
}
