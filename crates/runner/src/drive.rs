//! The loop. It asks the core for the step, performs it, feeds what came back, commits where an effect begins, and
//! tells the reporter what happened.

use std::collections::BTreeMap;
use std::time::Duration;

use gapless_agents::{BoxFuture, Progress};
use gapless_domain::ids::QuestionId;
use gapless_domain::phase::End;
use gapless_domain::question::{Answer, Holds, Question};
use gapless_domain::task::{Task, TaskId};
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Refusal, Rest, Step, UserInput};
use gapless_session::State;
use gapless_session::event::Event;
use gapless_store::{Edited, ProjectionError, Store};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agents::AgentSource;
use crate::clock::Clock;
use crate::error::RunError;
use crate::session::{FolderNews, Session};
use crate::tasks::{Sign, Tasks};

/// Sees what happens. Every view of a running session is one of these.
pub trait Reporter: Send {
    /// Events that are on disk now, with the state after them.
    fn happened(&mut self, state: &State, events: &[Event]);
    fn started(&mut self, _task: &Task) {}
    fn progress(&mut self, _task: TaskId, _progress: Progress) {}
    /// An agent has something to tell the person who runs the session.
    fn notice(&mut self, _task: TaskId, _notice: &str) {}
    /// A person's edit of a document was kept beside it.
    fn edit_kept(&mut self, _edit: &Edited) {}
    fn projection_failed(&mut self, _error: &ProjectionError) {}
    /// A letter of the inbox was not for this session.
    fn letter_dropped(&mut self, _why: &str) {}
    /// An answer did not fit; the question stays.
    fn refused(&mut self, _question: QuestionId, _refusal: &Refusal) {}
}

/// A reporter that says nothing.
pub struct Silent;

impl Reporter for Silent {
    fn happened(&mut self, _state: &State, _events: &[Event]) {}
}

/// What an asker brings back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Answer(Answer),
    /// Not now: the session goes on if it can.
    Later,
    /// Back to the question before: its answer is taken back.
    Back,
    /// There is nobody who could answer.
    Nobody,
    /// The user wants the session to stop here.
    Interrupt,
}

/// Puts questions to whoever answers them. Dropping the future takes the question back.
pub trait Asker: Send {
    fn ask<'a>(&'a mut self, state: &'a State, question: &'a Question) -> BoxFuture<'a, Reply>;
}

/// Everything outside a session that a run needs.
pub struct Outside<'a> {
    pub clock: Clock,
    pub agents: &'a mut dyn AgentSource,
    pub asker: &'a mut dyn Asker,
    pub reporter: &'a mut dyn Reporter,
    /// Ends the run cleanly.
    pub interrupt: CancellationToken,
    /// How often the inbox is looked into while waiting.
    pub inbox_every: Duration,
}

/// Why a run stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    Ended(End),
    Paused,
    /// The user's budget is used up.
    OutOfBudget,
    /// These hold the session, and nobody is here to answer.
    Waiting(Vec<QuestionId>),
    Interrupted,
}

/// Drives a session until it rests, waits for somebody who isn't here, or is interrupted. Many may be driven on one runtime.
pub async fn drive<S: Store>(
    session: &mut Session<S>,
    outside: Outside<'_>,
) -> Result<Stopped, RunError> {
    let (mut tasks, mut driver) = Driver::take(session, outside);
    let stopped = driver.run(&mut tasks).await;
    let spent = tasks.end_all().await;
    let noted = driver.commit_spent(spent).await;
    let rest = driver.come_to_rest().await;
    let stopped = stopped?;
    noted?;
    rest?;
    Ok(stopped)
}

/// Puts the one question that `which` means, and nothing else of the session goes on meanwhile: no agent is started.
/// `None` where it was answered or withdrawn and the session has not ended.
pub async fn ask_only<S: Store>(
    session: &mut Session<S>,
    outside: Outside<'_>,
    which: fn(&Question) -> bool,
) -> Result<Option<Stopped>, RunError> {
    let (mut tasks, mut driver) = Driver::take(session, outside);
    let stopped = driver.ask(&mut tasks, which).await;
    let rest = driver.come_to_rest().await;
    let stopped = stopped?;
    rest?;
    Ok(stopped)
}

/// The same result as nothing but what it used.
fn spent_by(incoming: &Incoming) -> Option<Incoming> {
    match incoming {
        Incoming::Output { task, usage, .. } | Incoming::Failed { task, usage, .. } => {
            Some(Incoming::Spent {
                task: *task,
                usage: *usage,
            })
        }
        _ => None,
    }
}

struct Driver<'a, 'o, S: Store> {
    session: &'a mut Session<S>,
    outside: Outside<'o>,
    signs: mpsc::UnboundedReceiver<(TaskId, Sign)>,
    /// Questions that hold nothing, as they were shown once.
    offered: BTreeMap<QuestionId, Question>,
}

/// What ended a wait.
enum Woken {
    Came(Incoming),
    Time,
    Inbox,
    Reply(QuestionId, Reply),
    Interrupt,
}

impl<'a, 'o, S: Store> Driver<'a, 'o, S> {
    fn take(session: &'a mut Session<S>, mut outside: Outside<'o>) -> (Tasks, Self) {
        outside.clock = outside.clock.never_back(session.state().kept.clock);
        let (tasks, signs) = Tasks::new();
        let driver = Self {
            session,
            outside,
            signs,
            offered: BTreeMap::new(),
        };
        (tasks, driver)
    }

    async fn run(&mut self, tasks: &mut Tasks) -> Result<Stopped, RunError> {
        loop {
            let now = self.outside.clock.now();
            // Looked for where an effect begins: what only follows from what is known takes no time.
            if self.session.step() != Step::Advance {
                self.session.take_letters(now)?;
            }
            if self.outside.interrupt.is_cancelled() {
                self.commit().await?;
                return Ok(Stopped::Interrupted);
            }
            // Shown as soon as they come up, so that an answer can still count in the round that asks.
            let work_left = match self.session.step() {
                Step::Advance | Step::Run { .. } => Some(true),
                Step::Await { .. } => Some(false),
                Step::Rest(_) => None,
            };
            if let Some(work_left) = work_left
                && let Some(stopped) = self.offer(tasks, work_left).await?
            {
                return Ok(stopped);
            }
            match self.session.step() {
                Step::Advance => self.session.feed(now, Incoming::Advance)?,
                Step::Run {
                    tasks: wanted,
                    until,
                } => {
                    self.commit().await?;
                    self.put_to_work(tasks, &wanted)?;
                    if let Some(stopped) = self.wait(tasks, until, None).await? {
                        return Ok(stopped);
                    }
                }
                Step::Await { questions, until } => {
                    self.put_to_work(tasks, &[])?;
                    self.commit().await?;
                    self.come_to_rest().await?;
                    if let Some(stopped) =
                        self.wait(tasks, until, questions.first().copied()).await?
                    {
                        return Ok(stopped);
                    }
                }
                Step::Rest(rest) => {
                    self.commit().await?;
                    if matches!(rest, Rest::Ended(_)) {
                        self.ask_after_the_end(tasks).await?;
                    }
                    return Ok(match rest {
                        Rest::Ended(end) => Stopped::Ended(end),
                        Rest::OutOfBudget => Stopped::OutOfBudget,
                        Rest::Paused | Rest::NotStarted => Stopped::Paused,
                    });
                }
            }
        }
    }

    async fn ask(
        &mut self,
        tasks: &mut Tasks,
        which: fn(&Question) -> bool,
    ) -> Result<Option<Stopped>, RunError> {
        loop {
            let now = self.outside.clock.now();
            self.session.take_letters(now)?;
            self.commit().await?;
            let state = self.session.state();
            if let Some((end, _)) = state.kept.ended {
                self.ask_after_the_end(tasks).await?;
                return Ok(Some(Stopped::Ended(end)));
            }
            // Looked for each time: one that lists the inventory is asked anew where that changed.
            let Some(question) = state.now.questions.values().find(|asked| which(asked)) else {
                return Ok(None);
            };
            let id = question.id;
            if let Some(stopped) = self.wait(tasks, None, Some(id)).await? {
                return Ok(Some(stopped));
            }
        }
    }

    /// What is still to be decided of an ended session; what nobody answers goes as the question recommends.
    async fn ask_after_the_end(&mut self, tasks: &mut Tasks) -> Result<(), RunError> {
        let pending = |session: &Session<S>| session.state().now.questions.values().next().cloned();
        while let Some(question) = pending(self.session) {
            let shown = self.offered.insert(question.id, question.clone());
            if shown.is_none() {
                // Whoever interrupts here or puts it off is asked again when the session is resumed.
                match self.wait(tasks, None, Some(question.id)).await? {
                    None => continue,
                    Some(_) => return Ok(()),
                }
            }
            let Some(answer) = question.policy_answer() else {
                return Ok(());
            };
            let said = UserInput::Answer {
                question: question.id,
                answer,
            };
            self.session
                .feed(self.outside.clock.now(), Incoming::User(said))?;
        }
        self.commit().await
    }

    /// Shows each question that need not be answered yet once, while whatever runs goes on: those that hold nothing, and
    /// while there is other work those that will hold later.
    async fn offer(
        &mut self,
        tasks: &mut Tasks,
        work_left: bool,
    ) -> Result<Option<Stopped>, RunError> {
        loop {
            let questions = self.session.state().now.queue().into_iter();
            // Once nothing else is left, what holds is waited for in its place, before what is less grave.
            let fresh = questions
                .take_while(|question| work_left || question.holds != Holds::Phase)
                .find(|question| self.offered.get(&question.id) != Some(question));
            let Some(question) = fresh.cloned() else {
                return Ok(None);
            };
            let id = question.id;
            self.offered.insert(id, question);
            self.commit().await?;
            match self.wait(tasks, None, Some(id)).await? {
                None | Some(Stopped::Waiting(_)) => {}
                stopped => return Ok(stopped),
            }
        }
    }

    /// Waits for the first of: a result, a reply, a letter, a point in time, an interrupt; and takes it.
    async fn wait(
        &mut self,
        tasks: &mut Tasks,
        until: Option<Time>,
        ask: Option<QuestionId>,
    ) -> Result<Option<Stopped>, RunError> {
        let woken = self.next_wake(tasks, until, ask).await?;
        let now = self.outside.clock.now();
        match woken {
            Woken::Came(incoming) => {
                let incoming = self.measured(incoming);
                let spent = spent_by(&incoming);
                match self.session.feed(now, incoming) {
                    Ok(()) => {}
                    // A late result of a task that is no longer wanted: the rule that makes resume and cancel one.
                    Err(Refusal::StaleTask(_)) => self.note_spent(spent)?,
                    Err(refusal) => return Err(refusal.into()),
                }
            }
            Woken::Time => match self.session.feed(now, Incoming::Advance) {
                // It was woken a little early: the wait goes on.
                Ok(()) | Err(Refusal::NothingToDo(_)) => {}
                Err(refusal) => return Err(refusal.into()),
            },
            Woken::Inbox => {}
            Woken::Reply(question, Reply::Answer(answer)) => {
                let said = UserInput::Answer { question, answer };
                match self.session.feed(now, Incoming::User(said)) {
                    Ok(()) => {}
                    Err(refusal) => self.outside.reporter.refused(question, &refusal),
                }
            }
            Woken::Reply(question, Reply::Back) => {
                // Both are shown again, each in its place.
                self.offered.remove(&question);
                if let Some(before) = self.session.state().answer_before() {
                    self.offered.remove(&before);
                    self.session.feed(now, Incoming::User(UserInput::Undo))?;
                }
            }
            Woken::Reply(question, Reply::Later) if self.session.state().kept.ended.is_some() => {
                return Ok(Some(Stopped::Waiting(vec![question])));
            }
            Woken::Reply(question, Reply::Later | Reply::Nobody) => {
                let holding = match self.session.step() {
                    Step::Await { questions, .. } => questions,
                    _ => Vec::new(),
                };
                if until.is_some() {
                    return Box::pin(self.wait(tasks, until, None)).await;
                }
                if holding.contains(&question) {
                    return Ok(Some(Stopped::Waiting(holding)));
                }
            }
            Woken::Reply(_, Reply::Interrupt) | Woken::Interrupt => {
                self.commit().await?;
                return Ok(Some(Stopped::Interrupted));
            }
        }
        Ok(None)
    }

    /// Notes what calls used whose results are not taken.
    fn note_spent(&mut self, spent: impl IntoIterator<Item = Incoming>) -> Result<(), RunError> {
        for incoming in spent {
            let now = self.outside.clock.now();
            self.session.feed(now, self.measured(incoming))?;
        }
        Ok(())
    }

    /// Notes what the calls used that the end of a run ended. It is on disk before anything is written for good.
    async fn commit_spent(&mut self, spent: Vec<Incoming>) -> Result<(), RunError> {
        if spent.is_empty() {
            return Ok(());
        }
        self.note_spent(spent)?;
        self.commit().await
    }

    /// By a clock that a test has stopped nothing takes any time, so that two runs leave the same bytes.
    fn measured(&self, mut incoming: Incoming) -> Incoming {
        if let Incoming::Output { usage, .. }
        | Incoming::Failed { usage, .. }
        | Incoming::Spent { usage, .. } = &mut incoming
            && self.outside.clock.is_stopped()
        {
            usage.millis = 0;
        }
        incoming
    }

    async fn next_wake(
        &mut self,
        tasks: &mut Tasks,
        until: Option<Time>,
        ask: Option<QuestionId>,
    ) -> Result<Woken, RunError> {
        // Letters are taken meanwhile, so that who is asked has a state of their own; who only waits for agents needs none.
        let asked = ask.map(|id| (id, self.session.state().clone()));
        let question = asked.as_ref().and_then(|(id, state)| {
            let question = state.now.questions.get(id)?;
            Some((state, question))
        });
        let Self {
            session,
            outside,
            signs,
            ..
        } = self;
        let asker = &mut *outside.asker;
        let reply = async {
            match question {
                Some((state, question)) => (question.id, asker.ask(state, question).await),
                None => std::future::pending().await,
            }
        };
        tokio::pin!(reply);
        // One timer for the whole wait: an agent that streams must not put the inbox off.
        let mut look = tokio::time::interval(outside.inbox_every);
        look.reset();
        loop {
            tokio::select! {
                biased;
                () = outside.interrupt.cancelled() => return Ok(Woken::Interrupt),
                incoming = tasks.next() => return Ok(Woken::Came(incoming)),
                (id, reply) = &mut reply => return Ok(Woken::Reply(id, reply)),
                () = outside.clock.sleep_until(until) => return Ok(Woken::Time),
                _ = look.tick() => {
                    if session.take_letters(outside.clock.now())? {
                        return Ok(Woken::Inbox);
                    }
                }
                Some((task, sign)) = signs.recv() => match sign {
                    Sign::Progress(progress) => outside.reporter.progress(task, progress),
                    Sign::Notice(notice) => outside.reporter.notice(task, &notice),
                },
            }
        }
    }

    /// Sees to it that exactly these tasks are under way.
    fn put_to_work(&mut self, tasks: &mut Tasks, wanted: &[Task]) -> Result<(), RunError> {
        let (state, texts) = (self.session.state(), self.session.texts());
        for task in tasks.sync(wanted, self.outside.agents, state, &texts)? {
            self.outside.reporter.started(&task);
        }
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), RunError> {
        let events = self.session.commit_beside_others().await?;
        if !events.is_empty() {
            self.outside
                .reporter
                .happened(self.session.state(), &events);
        }
        let news = self
            .session
            .look_at_folder(self.outside.clock.now(), false)?;
        self.report(&news);
        Ok(())
    }

    async fn come_to_rest(&mut self) -> Result<(), RunError> {
        self.session.files_written().await;
        let (events, news) = self.session.come_to_rest(self.outside.clock.now())?;
        if !events.is_empty() {
            self.outside
                .reporter
                .happened(self.session.state(), &events);
        }
        self.report(&news);
        Ok(())
    }

    fn report(&mut self, news: &FolderNews) {
        for edit in &news.edits {
            self.outside.reporter.edit_kept(edit);
        }
        for error in &news.errors {
            self.outside.reporter.projection_failed(error);
        }
        for why in &news.dropped {
            self.outside.reporter.letter_dropped(why);
        }
    }
}
