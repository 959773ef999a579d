//! The agent that needs no model: hands the assignment to the catalogue of defaults and the rules of the scan, and gives
//! back their document. It reads no file, opens no connection and uses no tokens.

use gapless_domain::assignment::{ASSIGNMENT_FILE, ASSIGNMENT_VERSION};
use gapless_domain::{Assignment, ExecutionError, ExecutionErrorKind, OFFLINE, Role};

use crate::agent::timed;
use crate::{Agent, BoxFuture, Finished, Output, Request, Watch};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offline;

impl Agent for Offline {
    fn name(&self) -> &str {
        OFFLINE
    }

    /// The scan itself feeds discovery: there is nothing an Analyst could add by rules. And what rules could do for the text,
    /// the assembling of the spec has done.
    fn plays(&self, role: Role) -> bool {
        !matches!(role, Role::Analyst | Role::Editor)
    }

    fn wants_assignment(&self) -> bool {
        true
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        timed(async move {
            watch.go_on()?;
            // A scan of a long spec takes a while, and nothing else should wait for it.
            let written = tokio::task::spawn_blocking(move || document(&request)).await;
            let text = written.unwrap_or_else(|error| {
                let message = format!("the offline agent failed: {error}");
                Err(ExecutionError::new(ExecutionErrorKind::Provider, message))
            })?;
            watch.progress.tell_bytes(text.len() as u64);
            Ok(Output {
                text: Some(text),
                ..Output::default()
            })
        })
    }
}

fn document(request: &Request) -> Result<String, ExecutionError> {
    // Asking again with the same request changes nothing.
    let refused = |message: String| ExecutionError::new(ExecutionErrorKind::Refused, message);
    let mut inputs = request.inputs.iter();
    let file = inputs.find(|(name, _)| name == ASSIGNMENT_FILE);
    let (_, text) = file.ok_or_else(|| {
        refused(format!(
            "the offline agent works from `{ASSIGNMENT_FILE}`, and it was not given one"
        ))
    })?;
    let assignment: Assignment = serde_json::from_str(text)
        .map_err(|error| refused(format!("`{ASSIGNMENT_FILE}` can't be read: {error}")))?;
    if assignment.version != ASSIGNMENT_VERSION {
        return Err(refused(format!(
            "`{ASSIGNMENT_FILE}` has the form {}, and the offline agent knows {ASSIGNMENT_VERSION}",
            assignment.version
        )));
    }
    match assignment.role {
        Role::Engineer => Ok(gapless_offline::engineer(&assignment)),
        Role::Reviewer => Ok(gapless_offline::reviewer(&assignment)),
        Role::FinalReviewer => Ok(gapless_offline::final_review(&assignment)),
        Role::Editor => Err(refused(
            "the offline agent is no Editor: the spec is assembled without one (--editor none)"
                .to_owned(),
        )),
        Role::Analyst => Err(refused(
            "the offline agent is no Analyst: the scan finds gaps without it (--analyst none)"
                .to_owned(),
        )),
    }
}
