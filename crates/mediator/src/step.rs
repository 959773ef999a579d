//! Says what should be under way in a session, or why nothing is.

use gapless_domain::{End, Holds, QuestionId, SlotState, Task, Time};
use gapless_session::state::Slot;
use gapless_session::{State, spending};

use crate::termination::awaited_before_end;

/// What should happen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The core can go on alone.
    Advance,
    /// These tasks should be under way, and no others; go on at `until` at the latest.
    Run {
        tasks: Vec<Task>,
        until: Option<Time>,
    },
    /// Nothing can go on before these are answered, or before `until`.
    Await {
        questions: Vec<QuestionId>,
        until: Option<Time>,
    },
    /// Nothing is to be done.
    Rest(Rest),
}

/// Why nothing is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    NotStarted,
    Paused,
    /// The user's budget is used up; what is under way was let finish.
    OutOfBudget,
    Ended(End),
}

/// Says what should happen next.
pub fn next(state: &State) -> Step {
    if !state.is_started() {
        return Step::Rest(Rest::NotStarted);
    }
    if let Some((end, _)) = state.kept.ended {
        return Step::Rest(Rest::Ended(end));
    }
    if state.kept.paused {
        return Step::Rest(Rest::Paused);
    }
    let slots = || state.now.round.slots.values();
    let out_of_budget = spending::spent(state).is_some();
    if !out_of_budget && slots().any(|slot| slot.state == SlotState::Ready) {
        return Step::Advance;
    }
    // A call that was interrupted is not made again once the budget is used up.
    let may_run = |task: &&Task| !out_of_budget || !state.was_interrupted(task);
    let tasks: Vec<Task> = state.running().filter(may_run).cloned().collect();
    let until = slots().filter_map(|slot| slot.wake_at).min();
    if !tasks.is_empty() {
        return Step::Run { tasks, until };
    }
    let queue = state.now.queue().into_iter();
    let holding = queue.filter(|question| question.holds == Holds::Phase);
    let questions: Vec<QuestionId> = holding.map(|question| question.id).collect();
    let wants_to_run = |slot: &Slot| {
        matches!(
            slot.state,
            SlotState::Ready | SlotState::Running | SlotState::Backoff
        )
    };
    if out_of_budget && questions.is_empty() && slots().any(wants_to_run) {
        return Step::Rest(Rest::OutOfBudget);
    }
    if !questions.is_empty() || until.is_some() {
        return Step::Await { questions, until };
    }
    let questions = awaited_before_end(state);
    if !questions.is_empty() {
        return Step::Await { questions, until };
    }
    Step::Advance
}
