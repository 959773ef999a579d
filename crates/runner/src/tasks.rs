//! The agents at work: starts the tasks that should be under way, ends those that should not.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gapless_agents::{Finished, NoticeSink, OpenError, Progress, ProgressSink, Request, Watch};
use gapless_domain::assignment::ASSIGNMENT_FILE;
use gapless_domain::{ExecutionError, ExecutionErrorKind, Task, TaskId, TextHash, Texts, Usage};
use gapless_mediator::Incoming;
use gapless_mediator::assignment::assignment;
use gapless_session::State;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::agents::AgentSource;
use crate::error::RunError;

/// How long ended agents may take to be gone before they are dropped, which kills what is left of them.
const ENDING_GRACE: Duration = Duration::from_secs(3);

pub(crate) struct Tasks {
    running: JoinSet<(TaskId, Finished)>,
    cancels: BTreeMap<TaskId, CancellationToken>,
    signs: mpsc::UnboundedSender<(TaskId, Sign)>,
}

/// What is seen of an agent while it runs.
pub(crate) enum Sign {
    Progress(Progress),
    Notice(String),
}

impl Tasks {
    pub fn new() -> (Self, mpsc::UnboundedReceiver<(TaskId, Sign)>) {
        let (signs, receiver) = mpsc::unbounded_channel();
        let tasks = Self {
            running: JoinSet::new(),
            cancels: BTreeMap::new(),
            signs,
        };
        (tasks, receiver)
    }

    /// Ends what is not wanted and starts what is missing; gives back the tasks that were started.
    pub fn sync(
        &mut self,
        wanted: &[Task],
        agents: &mut dyn AgentSource,
        state: &State,
        texts: &dyn Texts,
    ) -> Result<Vec<Task>, RunError> {
        self.cancels.retain(|id, cancel| {
            let keep = wanted.iter().any(|task| task.id == *id);
            if !keep {
                cancel.cancel();
            }
            keep
        });
        let mut started = Vec::new();
        for task in wanted {
            if !self.cancels.contains_key(&task.id) {
                self.start(task, agents, state, texts)?;
                started.push(task.clone());
            }
        }
        Ok(started)
    }

    fn start(
        &mut self,
        task: &Task,
        agents: &mut dyn AgentSource,
        state: &State,
        texts: &dyn Texts,
    ) -> Result<(), RunError> {
        let text = |hash: &TextHash| texts.text(hash).ok_or(RunError::MissingText(*hash));
        let mut inputs = task
            .inputs
            .iter()
            .map(|input| Ok((input.name.clone(), text(&input.text)?)))
            .collect::<Result<Vec<(String, Arc<str>)>, RunError>>()?;
        let agent = agents.agent(&task.agent);
        if agent.as_ref().is_ok_and(|agent| agent.wants_assignment()) {
            let assignment = assignment(state, task, texts)?;
            let json = serde_json::to_string_pretty(&assignment)?;
            inputs.push((ASSIGNMENT_FILE.to_owned(), json.into()));
        }
        let request = Request {
            task: task.id,
            gaps: task.gaps.clone(),
            prompt: text(&task.prompt)?,
            inputs,
            output_path: task.output_path.clone(),
            repo: task.repo.as_ref().map(Into::into),
            limits: task.limits,
        };
        let cancel = CancellationToken::new();
        self.cancels.insert(task.id, cancel.clone());
        let id = task.id;
        match agent {
            Ok(agent) => {
                // Nobody listens any more once the session stops; that is no error.
                let (made, said) = (self.signs.clone(), self.signs.clone());
                let watch = Watch {
                    cancel,
                    progress: ProgressSink::new(move |progress| {
                        let _ = made.send((id, Sign::Progress(progress)));
                    }),
                    notices: NoticeSink::new(move |notice| {
                        let _ = said.send((id, Sign::Notice(notice)));
                    }),
                };
                self.running
                    .spawn(async move { (id, agent.run(request, watch).await) });
            }
            Err(error) => {
                let (kind, message) = match &error {
                    // What is missing stays missing for as long as this process runs.
                    OpenError::Http(missing) => {
                        let message = format!("{missing}; {}", missing.hint());
                        (ExecutionErrorKind::Refused, message)
                    }
                    _ => (ExecutionErrorKind::NotFound, error.to_string()),
                };
                let finished = Finished {
                    result: Err(ExecutionError::new(kind, message)),
                    unfinished: None,
                    usage: Usage::default(),
                };
                self.running.spawn(async move { (id, finished) });
            }
        }
        Ok(())
    }

    /// The next result of a task, or what a call used that is no longer wanted; waits for ever where none runs.
    pub async fn next(&mut self) -> Incoming {
        loop {
            match self.running.join_next().await {
                Some(Ok((task, finished))) => {
                    let (usage, unfinished) = (finished.usage, finished.unfinished);
                    if self.cancels.remove(&task).is_none() {
                        return Incoming::Spent { task, usage };
                    }
                    return match finished.result {
                        Ok(output) => Incoming::Output {
                            task,
                            text: output.text,
                            earlier: output.earlier,
                            notes: output.notes,
                            usage,
                        },
                        Err(error) => Incoming::Failed {
                            task,
                            error,
                            unfinished,
                            usage,
                        },
                    };
                }
                Some(Err(error)) => {
                    if let Some(incoming) = self.lost_task(&error) {
                        return incoming;
                    }
                }
                None => std::future::pending().await,
            }
        }
    }

    /// An agent whose code panicked: with nothing else running it can only be the task that is left.
    fn lost_task(&mut self, error: &tokio::task::JoinError) -> Option<Incoming> {
        if !self.running.is_empty() {
            return None;
        }
        let (task, _) = self.cancels.pop_first()?;
        Some(Incoming::Failed {
            task,
            error: ExecutionError::new(
                ExecutionErrorKind::Provider,
                format!("the agent's backend failed: {error}"),
            ),
            unfinished: None,
            usage: Usage::default(),
        })
    }

    /// Ends everything and waits until it is gone; gives back what the calls used that were under way.
    pub async fn end_all(&mut self) -> Vec<Incoming> {
        for cancel in self.cancels.values() {
            cancel.cancel();
        }
        self.cancels.clear();
        let mut spent = Vec::new();
        let gone = async {
            while let Some(ended) = self.running.join_next().await {
                spent.extend(
                    ended
                        .ok()
                        .map(|(task, Finished { usage, .. })| Incoming::Spent { task, usage }),
                );
            }
        };
        if tokio::time::timeout(ENDING_GRACE, gone).await.is_err() {
            self.running.shutdown().await;
        }
        spent
    }
}
