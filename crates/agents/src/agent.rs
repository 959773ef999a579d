//! What every backend has in common: what it is asked, what it gives back, and how a run is watched.
//! A backend runs from one `Request` to one `Finished`; what it needs beyond that it is given when it is opened.

use std::fmt;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use gapless_domain::{
    AgentTraits, ExecutionError, ExecutionErrorKind, GapId, OutputNote, Role, TaskId, TaskLimits,
    Unfinished, Usage,
};
use tokio_util::sync::CancellationToken;

use crate::LimitedBytes;

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Someone who can be asked to write a document.
pub trait Agent: Send + Sync {
    /// Names the agent as the user did.
    fn name(&self) -> &str;

    /// Says whether it can take this role at all.
    fn plays(&self, role: Role) -> bool {
        let _ = role;
        true
    }

    /// Says what it tells of what a run used. Most tell nothing but their time.
    fn reports(&self) -> Reports {
        Reports::default()
    }

    /// Says whether it can look at a code base by itself.
    fn reads_files(&self) -> bool {
        false
    }

    /// Says what a prompt for it must know, where that is known.
    fn traits(&self) -> Option<AgentTraits> {
        None
    }

    /// Says whether it works from the assignment as data, and so finds `assignment.json` among its inputs.
    fn wants_assignment(&self) -> bool {
        false
    }

    /// Says where it sends prompts, if it does so itself.
    fn endpoint(&self) -> Option<Endpoint> {
        None
    }

    /// Carries one request out. A cancelled or dropped run leaves nothing running behind it.
    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished>;
}

/// Where an agent sends prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub url: String,
    /// The environment variable whose value goes along as the key.
    pub key_variable: Option<String>,
}

/// What an agent tells of what a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reports {
    pub tokens: bool,
    pub cost: bool,
}

/// Everything an agent needs for one attempt.
#[derive(Debug, Clone)]
pub struct Request {
    pub task: TaskId,
    pub gaps: Vec<GapId>,
    pub prompt: Arc<str>,
    /// Files by name that the agent finds beside the prompt.
    pub inputs: Vec<(String, Arc<str>)>,
    /// Where the agent may write its document, relative to its working folder.
    pub output_path: String,
    /// A code base that the agent may look at and not change.
    pub repo: Option<PathBuf>,
    pub limits: TaskLimits,
}

impl Output {
    pub(crate) fn of(bytes: LimitedBytes) -> Self {
        let (text, notes) = bytes.into_text();
        Self {
            text: Some(text),
            notes,
            ..Self::default()
        }
    }
}

/// What an agent that ran left behind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// `None` where the agent ran and left no document.
    pub text: Option<String>,
    /// What the agent said before, oldest first. Whether any of it is the document is not for agents to judge.
    pub earlier: Vec<String>,
    pub notes: Vec<OutputNote>,
}

/// How an attempt ended, and what it used whether or not it succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    pub result: Result<Output, ExecutionError>,
    /// What an agent that failed had written by then. Whether any of it can be read is not for agents to judge.
    pub unfinished: Option<Unfinished>,
    pub usage: Usage,
}

impl Finished {
    /// Closes an attempt of which only the time is known.
    pub fn since(started: Instant, result: Result<Output, ExecutionError>) -> Self {
        let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Self {
            result,
            unfinished: None,
            usage: Usage {
                millis,
                ..Usage::default()
            },
        }
    }
}

/// Carries out a run of which only the time is known.
pub(crate) fn timed<'a>(
    work: impl Future<Output = Result<Output, ExecutionError>> + Send + 'a,
) -> BoxFuture<'a, Finished> {
    Box::pin(async move {
        let started = Instant::now();
        Finished::since(started, work.await)
    })
}

/// The error of a cancelled run, which its caller ignores.
pub(crate) fn cancelled() -> ExecutionError {
    ExecutionError::new(ExecutionErrorKind::Provider, "the run was cancelled")
}

/// How a run is stopped and how it is seen.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    pub cancel: CancellationToken,
    pub progress: ProgressSink,
    pub notices: NoticeSink,
}

impl Watch {
    /// Fails where the run was cancelled.
    pub(crate) fn go_on(&self) -> Result<(), ExecutionError> {
        match self.cancel.is_cancelled() {
            true => Err(cancelled()),
            false => Ok(()),
        }
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes received from the agent so far, on whatever channel.
    pub bytes: u64,
    /// Tokens written so far, where the backend can tell.
    pub tokens: Option<u64>,
}

/// Takes progress reports.
pub type ProgressSink = Sink<Progress>;

/// Takes what an agent has to tell the person who runs gapless.
pub type NoticeSink = Sink<String>;

/// Takes what a run tells; cheap to clone. The default one takes no notice.
#[derive(Clone, Default)]
pub struct Sink<T>(Option<Arc<dyn Fn(T) + Send + Sync>>);

impl<T> Sink<T> {
    /// Hands everything to `take`, which is called on the run's own task and must not block.
    pub fn new(take: impl Fn(T) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(take)))
    }

    pub(crate) fn tell(&self, what: T) {
        if let Some(take) = &self.0 {
            take(what);
        }
    }
}

impl ProgressSink {
    /// Reports how much has come of an agent that doesn't tell its tokens.
    pub(crate) fn tell_bytes(&self, bytes: u64) {
        self.tell(Progress {
            bytes,
            tokens: None,
        });
    }
}

impl<T> fmt::Debug for Sink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "told" } else { "silent" })
    }
}
