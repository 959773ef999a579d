//! The agent that is a person: at a terminal they write in their editor, elsewhere in a file that is waited for.
//! A person is slow and may go to lunch: the idle and the hard limit of agents are not theirs, and only a cancellation
//! ends the wait. The limit on the size of a document holds for them too.

mod draft;
mod editor;
mod waiting;

use std::path::PathBuf;

use gapless_domain::{ExecutionError, ExecutionErrorKind, Role};

use crate::agent::{cancelled, timed};
use crate::{Agent, BoxFuture, Finished, Output, Request, SharedTerminal, Watch};
use draft::Draft;
use editor::edit;

/// How the person who runs gapless is reached.
#[derive(Debug, Clone)]
pub struct Person {
    /// Where what they write is kept; drafts stay there.
    pub drafts: PathBuf,
    /// Command lines of editors, of which the first that is there is opened.
    pub editors: Vec<String>,
    /// `None` where nobody sits at one: then a file is waited for.
    pub terminal: Option<SharedTerminal>,
}

#[derive(Debug)]
pub(crate) struct Human {
    name: String,
    person: Person,
}

impl Human {
    pub(crate) fn new(name: &str, person: &Person) -> Self {
        Self {
            name: name.to_owned(),
            person: person.clone(),
        }
    }

    async fn write(&self, request: Request, watch: &Watch) -> Result<Output, ExecutionError> {
        watch.go_on()?;
        let folder = &self.person.drafts;
        let draft = Draft::prepare(folder, &request).map_err(|error| {
            let message = format!("no draft can be written in {}: {error}", folder.display());
            ExecutionError::new(ExecutionErrorKind::Provider, message)
        })?;
        // One that was finished while nobody waited for it needs no editor.
        let path = match &self.person.terminal {
            Some(terminal) if !draft.finished.exists() => {
                self.in_editor(terminal, &draft, &request, watch).await?;
                draft.path
            }
            _ => {
                self.in_file(&draft, &request, watch).await?;
                draft.finished
            }
        };
        let output = Draft::document(&path, &request).map_err(|error| {
            let message = format!("{} can't be read: {error}", path.display());
            ExecutionError::new(ExecutionErrorKind::Provider, message)
        })?;
        if let Some(text) = &output.text {
            watch.progress.tell_bytes(text.len() as u64);
        }
        Ok(output)
    }

    async fn in_editor(
        &self,
        terminal: &SharedTerminal,
        draft: &Draft,
        request: &Request,
        watch: &Watch,
    ) -> Result<(), ExecutionError> {
        let announcement = format!(
            "{}\n  Open in your editor: {}",
            turn_of(request),
            draft.path.display()
        );
        let _turn = tokio::select! {
            biased;
            () = watch.cancel.cancelled() => return Err(cancelled()),
            turn = terminal.lent(&announcement) => turn,
        };
        edit(&self.person.editors, &draft.path, &watch.cancel).await
    }

    /// Waits until the draft has its final name.
    async fn in_file(
        &self,
        draft: &Draft,
        request: &Request,
        watch: &Watch,
    ) -> Result<(), ExecutionError> {
        if !draft.finished.exists() {
            watch.notices.tell(invitation(draft, request));
        }
        tokio::select! {
            biased;
            () = watch.cancel.cancelled() => Err(cancelled()),
            () = waiting::finished(&draft.finished) => Ok(()),
        }
    }
}

impl Agent for Human {
    fn name(&self) -> &str {
        &self.name
    }

    fn reads_files(&self) -> bool {
        true
    }

    /// Nobody wants to write whole sections once more by hand unless they say so.
    fn plays(&self, role: Role) -> bool {
        role != Role::Editor
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        timed(async move { self.write(request, &watch).await })
    }
}

fn turn_of(request: &Request) -> String {
    let task = &request.task;
    let attempt = match task.attempt {
        1 => String::new(),
        attempt => format!(", attempt {attempt}"),
    };
    format!(
        "Your turn as the {} of round {}{attempt}",
        task.slot.role, task.round
    )
}

/// Says where to write, and how to say that it is done.
fn invitation(draft: &Draft, request: &Request) -> String {
    let path = draft.path.to_string_lossy();
    let finished = draft.finished.to_string_lossy();
    let done = shlex::try_join(["mv", &path, &finished])
        .unwrap_or_else(|_| format!("rename it to {finished}"));
    format!(
        "{}\n  Write in {path}, which says what is asked.\n  When it is finished: {done}",
        turn_of(request)
    )
}
