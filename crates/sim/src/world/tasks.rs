//! Starts and ends agents as the runner does, and feeds their results in the order in which they finish.

use gapless_domain::{Task, TaskId, Texts, Time, Usage};
use gapless_mediator::{Incoming, Refusal};

use super::World;
use crate::agents::{self, Remembered};
use crate::check::{Cause, violated};
use crate::{Behaviour, Seen, Verdict, Work};

impl World {
    pub(super) fn run_tasks(&mut self, tasks: &[Task], until: Option<Time>) -> Verdict {
        if !self.commit()? {
            return Ok(());
        }
        self.sync(tasks)?;
        let first = self.flights.iter().map(|(id, (due, _))| (*due, *id)).min();
        let Some((due, task)) = first else {
            return violated("steps", "nothing runs in Run");
        };
        if let Some(until) = until.filter(|until| until.0 <= due) {
            self.now = self.now.max(until.0);
            return self.advance();
        }
        self.now = self.now.max(due);
        let Some((_, work)) = self.flights.remove(&task) else {
            return Ok(());
        };
        if self.rng.percent(10) {
            self.late.push((task, work.clone()));
        }
        let taken = self.feed(Cause::Task, result(task, work))?;
        taken.or_else(|refusal| {
            violated(
                "steps",
                format!("the result of {task} was refused: {refusal}"),
            )
        })
    }

    /// Ends the agents whose tasks are not wanted any more and starts those that are missing.
    pub(super) fn sync(&mut self, tasks: &[Task]) -> Verdict {
        let is_wanted = |id: &TaskId| tasks.iter().any(|task| task.id == *id);
        let running: Vec<TaskId> = self.flights.keys().copied().collect();
        for id in running.into_iter().filter(|id| !is_wanted(id)) {
            self.end_agent(id)?;
        }
        let remembered = Remembered::of(&self.session.state().now);
        for task in tasks {
            if !self.flights.contains_key(&task.id) {
                self.start_agent(task, &remembered)?;
            }
        }
        Ok(())
    }

    fn start_agent(&mut self, task: &Task, remembered: &Remembered) -> Verdict {
        let Some(prompt) = self.store.text(&task.prompt) else {
            return violated("texts", format!("the prompt of {} is not on disk", task.id));
        };
        let seen = Seen {
            task,
            prompt: &prompt,
            remembered,
        };
        let wild = self.is_wild();
        let behaviour = match wild {
            true => self.setting.behaviour,
            false => Behaviour::good(),
        };
        let work = match &self.planting {
            Some(planting) => planting.work(&mut self.rng, wild, &seen),
            None => agents::work(&mut self.rng, behaviour, &seen),
        };
        let millis = i64::try_from(work.usage.millis).unwrap_or(i64::MAX);
        let due = self.now.saturating_add(millis);
        self.note(|| format!("start {} on {:?}", task.id, task.gaps));
        self.flights.insert(task.id, (due, work));
        Ok(())
    }

    /// An agent whose task is not wanted any more is ended; what it used by then is told at once, or late.
    fn end_agent(&mut self, id: TaskId) -> Verdict {
        if self.rng.percent(50) {
            self.lose(id);
            return Ok(());
        }
        match self.flights.remove(&id) {
            Some((due, work)) => self.tell_spent(id, work.usage, due),
            None => Ok(()),
        }
    }

    /// Tells what a call used that was to end at `due`, and whose result is not taken. Time that the core has counted is not
    /// told again.
    pub(super) fn tell_spent(&mut self, task: TaskId, mut usage: Usage, due: i64) -> Verdict {
        let millis = i64::try_from(usage.millis).unwrap_or(i64::MAX);
        let counted = self.session.state().kept.active.counted_until;
        let since = due.saturating_sub(millis).max(counted.0);
        let worked = self.now.saturating_sub(since).clamp(0, millis);
        usage.millis = u64::try_from(worked).unwrap_or(0);
        let told = self.feed(Cause::Task, Incoming::Spent { task, usage })?;
        self.coverage.reach("late result", "counted");
        match told {
            Ok(()) => Ok(()),
            // The rollback before it was lost with the process.
            Err(Refusal::StaleTask(_)) if task.epoch > self.session.state().kept.epoch => Ok(()),
            Err(Refusal::NotStarted) if !self.session.state().is_started() => Ok(()),
            Err(refusal) => violated("stale", format!("what {task} used: {refusal}")),
        }
    }

    /// An agent that was ended; its result may still come.
    pub(super) fn lose(&mut self, id: TaskId) {
        if let Some((_, work)) = self.flights.remove(&id)
            && self.rng.percent(50)
        {
            self.late.push((id, work));
        }
    }
}

/// A result as the runner feeds it.
pub(super) fn result(task: TaskId, work: Work) -> Incoming {
    let usage = work.usage;
    match work.result {
        Ok(written) => Incoming::Output {
            task,
            text: written.text,
            earlier: Vec::new(),
            notes: written.notes,
            usage,
        },
        Err(error) => Incoming::Failed {
            task,
            error,
            unfinished: work.unfinished,
            usage,
        },
    }
}
