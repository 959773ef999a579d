//! What the user said last, each with the session as it was before: what `undo` restores.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdMap, Vector};

use super::{Chapter, Checkpoint, Kept, Now, QuestionFate, State};
use crate::rollback_record::{RollbackRecord, UndoneDecision};
use gapless_detection::disagreement::Judged;
use gapless_domain::archives::{ArchiveChoice, Disposed};
use gapless_domain::config::{Config, Limits};
use gapless_domain::delivery::Delivered;
use gapless_domain::flag::Heuristic;
use gapless_domain::ids::{GapId, QuestionId};
use gapless_domain::ownership::Ownership;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::rollback::{RollbackMode, RollbackTrigger};
use gapless_domain::task::Role;
use gapless_domain::time::Time;

/// How many answers and commands can be taken back.
pub const UNDO_STEPS: usize = 20;

/// What the user said, and the session before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoPoint {
    pub words: String,
    /// The question that it answered.
    pub answers: Option<QuestionId>,
    pub at: Time,
    /// The number of the event that says it.
    pub event: u64,
    pub now: Arc<Now>,
    pub checkpoints: Vec<Checkpoint>,
    /// The rollbacks that there had been.
    rollbacks: Vector<RollbackRecord>,
    /// What a rollback keeps, and what was said may have changed.
    changed: Arc<Changed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Changed {
    config: Config,
    agents: BTreeMap<Role, String>,
    limits: Option<Limits>,
    first_max_rounds: Option<u32>,
    initial_gaps: u32,
    paused: bool,
    ended: Option<(End, Trigger)>,
    ended_at: Option<Time>,
    chapters: Vector<Chapter>,
    delivered: Option<Delivered>,
    rounds_without_gain: u32,
    question_fates: OrdMap<QuestionId, QuestionFate>,
    rollback_mode: Option<RollbackMode>,
    archive_choice: Option<ArchiveChoice>,
    disposed: Option<Disposed>,
    undone_decisions: Vector<UndoneDecision>,
    judged: BTreeMap<Heuristic, Judged>,
    ownership: OrdMap<GapId, Ownership>,
}

impl Changed {
    fn of(kept: &Kept) -> Self {
        Self {
            config: kept.setup.config.clone(),
            agents: kept.setup.agents.clone(),
            limits: kept.limits,
            first_max_rounds: kept.first_max_rounds,
            initial_gaps: kept.initial_gaps,
            paused: kept.paused,
            ended: kept.ended,
            ended_at: kept.ended_at,
            chapters: kept.chapters.clone(),
            delivered: kept.delivered.clone(),
            rounds_without_gain: kept.rounds_without_gain,
            question_fates: kept.question_fates.clone(),
            rollback_mode: kept.rollback_mode,
            archive_choice: kept.archive_choice,
            disposed: kept.disposed.clone(),
            undone_decisions: kept.undone_decisions.clone(),
            judged: kept.judged.clone(),
            ownership: kept.ownership.clone(),
        }
    }

    fn restore(&self, kept: &mut Kept) {
        kept.setup.agents.clone_from(&self.agents);
        kept.limits = self.limits;
        kept.first_max_rounds = self.first_max_rounds;
        kept.initial_gaps = self.initial_gaps;
        kept.paused = self.paused;
        kept.ended = self.ended;
        kept.ended_at = self.ended_at;
        kept.chapters.clone_from(&self.chapters);
        kept.delivered.clone_from(&self.delivered);
        kept.rounds_without_gain = self.rounds_without_gain;
        kept.question_fates.clone_from(&self.question_fates);
        kept.rollback_mode = self.rollback_mode;
        kept.archive_choice = self.archive_choice;
        kept.disposed.clone_from(&self.disposed);
        kept.undone_decisions.clone_from(&self.undone_decisions);
        kept.judged.clone_from(&self.judged);
        kept.ownership.clone_from(&self.ownership);
    }
}

impl UndoPoint {
    /// How many rollbacks there had been.
    pub fn rollbacks_before(&self) -> usize {
        self.rollbacks.len()
    }

    /// The configuration of that time; it is not taken back.
    pub fn config(&self) -> &Config {
        &self.changed.config
    }
}

impl State {
    /// Notes at every point the agents that the session is run with from now on: nobody said that in an answer.
    pub(crate) fn keep_agents(&mut self, before: &BTreeMap<Role, String>) {
        let now = &self.kept.setup.agents;
        if now == before {
            return;
        }
        for point in &mut self.undo {
            let agents = &mut Arc::make_mut(&mut point.changed).agents;
            for role in Role::ALL {
                match (now.get(&role), before.get(&role)) {
                    (now, before) if now == before => {}
                    (Some(now), _) => {
                        agents.insert(role, now.clone());
                    }
                    (None, _) => {
                        agents.remove(&role);
                    }
                }
            }
        }
    }

    /// The question that the user answered last, where that is what the user said last and the session has not ended since.
    pub fn answer_before(&self) -> Option<QuestionId> {
        let last = self.undo.back().filter(|_| self.kept.ended.is_none());
        last.and_then(|point| point.answers)
    }

    /// Keeps the session as it is before what the user says now; the event that says so has been counted.
    pub(crate) fn keep_undo_point(&mut self, words: &str, answers: Option<QuestionId>, at: Time) {
        self.undo.push_back(UndoPoint {
            words: words.to_owned(),
            answers,
            at,
            event: self.kept.events,
            now: Arc::new(self.now.clone()),
            checkpoints: self.checkpoints.clone(),
            rollbacks: self.kept.rollbacks.clone(),
            changed: Arc::new(Changed::of(&self.kept)),
        });
        while self.undo.len() > UNDO_STEPS {
            self.undo.pop_front();
        }
    }

    /// Puts the session back to where it was before something was said. What agents used, ids and the history stay.
    pub(crate) fn take_back(&mut self, said: u64) {
        let Some(place) = self.undo.iter().position(|point| point.event == said) else {
            return;
        };
        let point = self.undo[place].clone();
        self.undo.truncate(place);
        self.now = Now::clone(&point.now);
        self.checkpoints.clone_from(&point.checkpoints);
        point.changed.restore(&mut self.kept);
        for (index, rollback) in self.kept.rollbacks.iter_mut().enumerate() {
            match point.rollbacks.get(index) {
                // What was said about it since is taken back.
                Some(then) => rollback.clone_from(then),
                None => rollback.taken_back |= rollback.trigger != RollbackTrigger::Undo,
            }
        }
        // What is under way belongs to what was taken back.
        self.kept.epoch += 1;
    }
}
