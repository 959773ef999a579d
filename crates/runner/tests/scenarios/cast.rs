//! The cast of a stage: agents that follow a script, a user who has made up their mind, and a reporter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gapless_agents::{Agent, BoxFuture, Finished, OpenError, Output, Replay, Request, Watch};
use gapless_domain::question::{Answer, Question};
use gapless_domain::task::{ExecutionError, OutputNote, Role, Unfinished, Usage};
use gapless_mediator::Refusal;
use gapless_runner::{AgentSource, Asker, Reply, Reporter};
use gapless_session::State;
use gapless_session::event::Event;
use tokio_util::sync::CancellationToken;

use crate::writing::{could_not_run, well};

/// What an agent does with a request.
pub type Act = Box<dyn Fn(&Request) -> Result<Option<String>, ExecutionError> + Send + Sync>;

/// When a script applies: role, round and attempt; 0 stands for any.
pub type Cue = (Role, u32, u32);

#[derive(Default)]
pub struct Script {
    pub acts: BTreeMap<Cue, Act>,
    pub prompts: Vec<(Role, u32, String)>,
    /// How long a role's slot takes in an attempt, where it isn't 10 ms; attempt 0 stands for any.
    pub takes: BTreeMap<(Role, u32, u32), u64>,
    /// What every call uses.
    pub uses: Usage,
    /// What an agent that fails has written by then.
    pub unfinished: BTreeMap<Cue, Unfinished>,
    /// What an agent said before its document.
    pub earlier: BTreeMap<Cue, Vec<String>>,
    /// Whose document was cut at a limit.
    pub cut: BTreeSet<Cue>,
    running: usize,
    pub most_running: usize,
    /// Agents that can't run, by name.
    pub broken: Vec<&'static str>,
    /// Plays every role, where the session is a replay.
    pub replay: Option<Arc<Replay>>,
}

pub struct Actor {
    name: String,
    script: Arc<Mutex<Script>>,
}

impl Agent for Actor {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        let script = Arc::clone(&self.script);
        Box::pin(async move {
            let role = request.task.slot.role;
            let (usage, millis) = {
                let script = script.lock().unwrap();
                let slot = request.task.slot.index;
                let takes = |attempt| script.takes.get(&(role, slot, attempt)).copied();
                let millis = takes(request.task.attempt).or_else(|| takes(0));
                (script.uses, millis.unwrap_or(10))
            };
            {
                let mut script = script.lock().unwrap();
                script
                    .prompts
                    .push((role, request.task.round, request.prompt.to_string()));
                script.running += 1;
                script.most_running = script.most_running.max(script.running);
            }
            let begun = tokio::time::Instant::now();
            let ended = tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(millis)) => false,
                () = watch.cancel.cancelled() => true,
            };
            if ended {
                script.lock().unwrap().running -= 1;
                let millis = u64::try_from(begun.elapsed().as_millis()).unwrap();
                return Finished {
                    result: could_not_run(None).map(|_| Output::default()),
                    unfinished: None,
                    usage: Usage { millis, ..usage },
                };
            }
            let replay = script.lock().unwrap().replay.clone();
            if let Some(replay) = replay {
                return replay.run(request, watch).await;
            }
            let mut script = script.lock().unwrap();
            script.running -= 1;
            let (round, attempt) = (request.task.round, request.task.attempt);
            let cues = [
                (role, round, attempt),
                (role, round, 0),
                (role, 0, attempt),
                (role, 0, 0),
            ];
            let result = match cues.iter().find_map(|cue| script.acts.get(cue)) {
                _ if script.broken.contains(&self.name.as_str()) => could_not_run(None),
                Some(act) => act(&request),
                None => Ok(Some(well(&request))),
            };
            let earlier = cues.iter().find_map(|cue| script.earlier.get(cue));
            let cut = cues.iter().any(|cue| script.cut.contains(cue));
            let result = result.map(|text| Output {
                text,
                earlier: earlier.cloned().unwrap_or_default(),
                notes: cut
                    .then_some(OutputNote::OutputTruncated)
                    .into_iter()
                    .collect(),
            });
            let left = cues.iter().find_map(|cue| script.unfinished.get(cue));
            Finished {
                unfinished: left.filter(|_| result.is_err()).cloned(),
                result,
                usage: Usage { millis, ..usage },
            }
        })
    }
}

pub struct Company(pub Arc<Mutex<Script>>);

impl AgentSource for Company {
    fn agent(&mut self, name: &str) -> Result<Arc<dyn Agent>, OpenError> {
        Ok(Arc::new(Actor {
            name: name.to_owned(),
            script: Arc::clone(&self.0),
        }))
    }
}

/// A user who has made up their mind: answers by kind, each once and in order; else the recommended option.
pub struct Mind {
    pub answers: Vec<(&'static str, Answer)>,
    pub asked: Vec<Question>,
    pub recommended: bool,
    /// Kinds of questions that are put off.
    pub later: Vec<&'static str>,
}

impl Asker for Mind {
    fn ask<'a>(&'a mut self, _state: &'a State, question: &'a Question) -> BoxFuture<'a, Reply> {
        let again = self.asked.iter().any(|asked| asked.id == question.id);
        self.asked.push(question.clone());
        let kind = question.about.kind();
        let ready = self.answers.iter().position(|(wanted, _)| *wanted == kind);
        let reply = match ready {
            _ if self.later.contains(&kind) => Reply::Later,
            Some(index) => Reply::Answer(self.answers.remove(index).1),
            None if self.recommended && !again => match question.policy_answer() {
                Some(answer) => Reply::Answer(answer),
                None => Reply::Nobody,
            },
            None => Reply::Nobody,
        };
        Box::pin(async move { reply })
    }
}

#[derive(Default)]
pub struct Notes {
    pub refusals: Vec<String>,
    pub until: Option<Until>,
    pub interrupt: CancellationToken,
}

/// When a run is interrupted: as soon as a commit brings such a state about.
pub type Until = Box<dyn Fn(&State) -> bool + Send>;

impl Reporter for Notes {
    fn happened(&mut self, state: &State, _events: &[Event]) {
        if self.until.as_ref().is_some_and(|until| until(state)) {
            self.interrupt.cancel();
        }
    }

    fn refused(&mut self, _question: gapless_domain::ids::QuestionId, refusal: &Refusal) {
        self.refusals.push(refusal.to_string());
    }
}
