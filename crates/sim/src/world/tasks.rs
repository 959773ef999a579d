//! Starts and ends agents as the runner does, and feeds their results in the order in which they finish.

use gapless_domain::{Task, TaskId, Texts, Time};
use gapless_mediator::Incoming;

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
        let unwanted = running.into_iter().filter(|id| !is_wanted(id));
        unwanted.for_each(|id| self.lose(id));
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
