//! Input that the session didn't ask for: commands and answers at any moment, directly or by letter, and late results.

use gapless_domain::{Question, TaskId, Time};
use gapless_mediator::{Incoming, Refusal, UserInput};
use gapless_store::Store;

use super::expected::Expected;
use super::files::unexpected;
use super::tasks::result;
use super::{NAME, World};
use crate::check::{Cause, ensure, failed, violated};
use crate::users::{answers, commands, illegal};
use crate::{Verdict, closing};

impl World {
    /// Now and then a late result arrives, a file is edited, or a user does something.
    pub(super) fn act_unprompted(&mut self) -> Verdict {
        if self.rng.percent(6) && !self.late.is_empty() {
            self.deliver_late()?;
        }
        // What looks like the task that is under way, and is of a round that was undone, comes sooner.
        if let Some(at) = self.undone_double()
            && self.rng.percent(40)
        {
            self.deliver_late_one(at)?;
        }
        if self.disk.is_some() && self.rng.percent(4) {
            self.edit()?;
        }
        match self.rng.percent(self.setting.unprompted_percent) && self.session.state().is_started()
        {
            true => self.user_acts_unprompted(),
            false => Ok(()),
        }
    }

    /// Somebody says something in another process.
    pub(super) fn write_letter(&mut self) -> Verdict {
        let state = self.session.state().clone();
        let said = commands::any(&mut self.rng, &state);
        self.post(&said)
    }

    /// Somebody edits a file of the session's folder, or removes one.
    fn edit(&mut self) -> Verdict {
        let Some(disk) = &mut self.disk else {
            return Ok(());
        };
        if let Some(what) = disk.be_edited(&mut self.rng).map_err(unexpected)? {
            self.coverage.reach("disk", what);
            self.note(|| what.to_owned());
        }
        Ok(())
    }

    pub(super) fn user_acts_unprompted(&mut self) -> Verdict {
        let state = self.session.state().clone();
        if self.planting.is_some() {
            let said = closing::command(&mut self.rng, &state);
            return self.say(said, Expected::Either);
        }
        match self.rng.below(10) {
            0 | 1 => {
                let said = illegal::answer(&mut self.rng, &state);
                self.say(said, Expected::Refused)
            }
            2 => {
                let pending: Vec<&Question> = state.now.questions.values().collect();
                let Some(question) = self.rng.pick(&pending) else {
                    return Ok(());
                };
                let Some(answer) = answers::legal(&mut self.rng, &state, question) else {
                    return Ok(());
                };
                let question = question.id;
                self.say(UserInput::Answer { question, answer }, Expected::Taken)
            }
            _ => {
                let said = commands::any(&mut self.rng, &state);
                self.say(said, Expected::Either)
            }
        }
    }

    /// A user says something, here or in another process.
    pub(super) fn say(&mut self, said: UserInput, expected: Expected) -> Verdict {
        let committed = self.committed.is_started();
        if committed && self.is_wild() && self.rng.percent(25) {
            return self.post(&said);
        }
        let answer = match &said {
            UserInput::Answer { question, answer } => Some((*question, answer.clone())),
            _ => None,
        };
        let looks_back = answer.as_ref().is_some_and(|(id, _)| {
            let question = self.session.state().now.questions.get(id);
            question.is_some_and(answers::looks_back)
        });
        match self.feed(Cause::User, Incoming::User(said.clone()))? {
            Ok(()) => {
                self.accepted.extend(answer);
                ensure(expected != Expected::Refused, "refusals", || {
                    format!("taken: {said:?}")
                })
            }
            // A CRITICAL conflict blocks every end but one, so a stop may be refused whatever the question offered.
            Err(Refusal::CriticalConflict(_) | Refusal::Ended(_)) => Ok(()),
            // What the answer names may be gone or different once rounds are undone.
            Err(_) if looks_back => Ok(()),
            Err(refusal) => ensure(expected != Expected::Taken, "refusals", || {
                format!("refused: {said:?}: {refusal}")
            }),
        }
    }

    fn post(&mut self, said: &UserInput) -> Verdict {
        let body = match self.rng.percent(96) {
            true => serde_json::to_string(said).unwrap_or_default(),
            false => "{\"say\": \"nonsense\"}".to_owned(),
        };
        let posted = self.store.post(NAME, Time(self.now), &body);
        let id = posted.map_err(failed("letters", ""))?;
        self.note(|| format!("posted {id}: {}", super::process::shortened(&body)));
        self.letters.push((id, None));
        Ok(())
    }

    /// A letter that comes too late gets its outcome too.
    pub(super) fn post_after_end(&mut self) {
        if self.rng.percent(20) {
            let posted = self.store.post(NAME, Time(self.now), r#"{"say": "pause"}"#);
            self.letters.extend(posted.ok().map(|id| (id, None)));
        }
    }

    /// A late result of a task that is under way but for its epoch.
    fn undone_double(&self) -> Option<usize> {
        let same = |late: &TaskId, running: &TaskId| {
            let epoch = running.epoch;
            late.epoch != epoch && TaskId { epoch, ..*late } == *running
        };
        let mut late = self.late.iter();
        late.position(|(task, _)| self.flights.keys().any(|running| same(task, running)))
    }

    pub(super) fn deliver_late(&mut self) -> Verdict {
        let at = self.rng.below(self.late.len());
        self.deliver_late_one(at)
    }

    /// Feeds a late result. The session must take it only if its task is still under way.
    fn deliver_late_one(&mut self, at: usize) -> Verdict {
        let (task, mut work) = self.late.swap_remove(at);
        // An agent that was ended and writes all the same has worked no longer than since it was started.
        let attempts = &self.session.state().now.round.attempts;
        if let Some(attempt) = attempts.iter().find(|attempt| attempt.task == task) {
            let most = Time(self.now).millis_since(attempt.started_at);
            work.usage.millis = work.usage.millis.min(most);
        }
        let state = self.session.state();
        let under_way = state.running().any(|running| running.id == task);
        let ended = state.kept.ended.is_some();
        let usage = work.usage;
        match self.feed(Cause::Task, result(task, work))? {
            Ok(()) => ensure(under_way, "stale", || {
                format!("the stale result of {task} was taken")
            })?,
            Err(Refusal::StaleTask(refused)) => {
                ensure(!under_way && refused == task, "stale", || {
                    format!("{task} is under way and was refused")
                })?;
                self.tell_spent(task, usage, self.now)?;
            }
            Err(Refusal::Ended(_)) if ended => {}
            Err(Refusal::NotStarted) if !self.session.state().is_started() => {}
            Err(refusal) => return violated("stale", format!("{task}: {refusal}")),
        }
        let what = if under_way { "taken" } else { "refused" };
        self.coverage.reach("late result", what);
        Ok(())
    }
}
