//! Whether an event may follow on a state: what a log from elsewhere is held to before it is believed. The tables that
//! judge inputs judge here too; nothing is repaired.

use crate::{
    DecisionEvent, Event, GapEvent, Happening, IssueEvent, QuestionEvent, RollbackEvent,
    RoundEvent, SessionEvent, State, TaskEvent, apply,
};
use gapless_domain::{phase, slot};

/// Why an event can't have happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unlawful(String);

fn unlawful<T>(why: impl Into<String>) -> Result<T, Unlawful> {
    Err(Unlawful(why.into()))
}

/// Folds an event into the state, if it can have happened there.
pub fn follow(state: &mut State, event: &Event) -> Result<(), Unlawful> {
    if event.at < state.kept.clock {
        return unlawful("its time is before that of the event before it");
    }
    let starts = matches!(event.what, Happening::Session(SessionEvent::Started { .. }));
    match (state.is_started(), starts) {
        (false, false) => return unlawful("the session has not been started"),
        (true, true) => return unlawful("the session has been started already"),
        _ => {}
    }
    match &event.what {
        Happening::Gap(event) => gap(state, event)?,
        Happening::Issue(event) => issue(state, event)?,
        Happening::Question(event) => question(state, event)?,
        Happening::Task(event) => task(state, event)?,
        Happening::Decision(event) => decision(state, event)?,
        Happening::Round(RoundEvent::Began { round }) => {
            let next = state.now.round.number.saturating_add(1);
            if *round != next {
                return unlawful(format!("round {round} begins where round {next} would"));
            }
        }
        Happening::Rollback(RollbackEvent::RolledBack {
            from_round,
            to_round,
            ..
        }) => {
            let mut points = state.checkpoints.iter();
            if *from_round != state.now.round.number
                || !points.any(|point| point.after_round == *to_round)
            {
                return unlawful(format!(
                    "there is no way back from round {from_round} to {to_round}"
                ));
            }
        }
        Happening::Rollback(RollbackEvent::TakenBack {
            said, from_round, ..
        }) => {
            let last = state.undo.last().map(|point| point.event);
            if last != Some(*said) || *from_round != state.now.round.number {
                return unlawful(format!("what event {said} says is not what was said last"));
            }
        }
        Happening::Session(SessionEvent::Ended { .. }) if state.kept.ended.is_some() => {
            return unlawful("the session has ended already");
        }
        _ => {}
    }
    if let Some(by) = event.what.phase_move()
        && let Err(illegal) = phase::step(state.now.place(), by)
    {
        return unlawful(illegal.to_string());
    }
    apply(state, event);
    Ok(())
}

fn gap(state: &State, event: &GapEvent) -> Result<(), Unlawful> {
    let id = match event {
        GapEvent::Created { gap } => {
            return match state.kept.used_gap_ids.contains(&gap.id) {
                true => unlawful(format!("{} was given before", gap.id)),
                false => Ok(()),
            };
        }
        GapEvent::Moved { id, .. }
        | GapEvent::Proposed { id, .. }
        | GapEvent::Reviewed { id, .. }
        | GapEvent::SeverityChanged { id, .. }
        | GapEvent::DependencyChanged { id, .. }
        | GapEvent::OriginAdded { id, .. }
        | GapEvent::Reconciled { id, .. }
        | GapEvent::ObligationsMet { id, .. }
        | GapEvent::Recorded { id, .. }
        | GapEvent::Assigned { id, .. } => id,
    };
    let Some(gap) = state.now.gaps.get(id) else {
        return unlawful(format!("there is no gap {id}"));
    };
    match event {
        GapEvent::Moved { by, from, to, .. } => match gap.can(*by) {
            Ok(next) if gap.state == *from && next == *to => Ok(()),
            Ok(_) => unlawful(format!("{id} does not go from {from} to {to}")),
            Err(illegal) => unlawful(format!("{id}: {illegal}")),
        },
        GapEvent::Recorded { from, .. } if gap.state != *from => {
            unlawful(format!("{id} is {} and not {from}", gap.state))
        }
        _ => Ok(()),
    }
}

fn issue(state: &State, event: &IssueEvent) -> Result<(), Unlawful> {
    let id = match event {
        IssueEvent::Raised { id, gap, .. } => {
            if state.kept.used_issue_ids.contains(id) {
                return unlawful(format!("{id} was given before"));
            }
            return match state.now.gaps.contains_key(gap) {
                true => Ok(()),
                false => unlawful(format!("there is no gap {gap}")),
            };
        }
        IssueEvent::Flagged { id, .. }
        | IssueEvent::FlagsJudged { id, .. }
        | IssueEvent::SeverityChanged { id, .. }
        | IssueEvent::Moved { id, .. }
        | IssueEvent::Answered { id, .. }
        | IssueEvent::Restated { id, .. }
        | IssueEvent::Copied { id, .. } => id,
    };
    let Some(issue) = state.now.issues.get(id) else {
        return unlawful(format!("there is no issue {id}"));
    };
    match event {
        IssueEvent::Moved { by, from, to, .. } => match issue.can(*by) {
            Ok(next) if issue.state == *from && next == *to => Ok(()),
            Ok(_) => unlawful(format!("{id} does not go from {from} to {to}")),
            Err(illegal) => unlawful(format!("{id}: {illegal}")),
        },
        _ => Ok(()),
    }
}

fn question(state: &State, event: &QuestionEvent) -> Result<(), Unlawful> {
    match event {
        QuestionEvent::Asked { question } if question.id.0 <= state.kept.questions_asked => {
            unlawful(format!("{} was asked before", question.id))
        }
        QuestionEvent::Renewed { question } => match state.now.round.to_renew.get(&question.id) {
            Some(before) if before.is_answered_alike(question) => Ok(()),
            _ => unlawful(format!("{} is not to be asked again", question.id)),
        },
        QuestionEvent::Answered { id, .. } if state.now.round.to_renew.contains_key(id) => Ok(()),
        QuestionEvent::Answered { id, .. } | QuestionEvent::Withdrawn { id, .. }
            if !state.now.questions.contains_key(id) =>
        {
            unlawful(format!("{id} does not wait for an answer"))
        }
        _ => Ok(()),
    }
}

fn task(state: &State, event: &TaskEvent) -> Result<(), Unlawful> {
    if let TaskEvent::Opened { slot, .. } = event
        && state.now.round.slots.contains_key(slot)
    {
        return unlawful(format!("slot {} of the {} is there", slot.index, slot.role));
    }
    if let TaskEvent::UsageNoted { task, .. } = event
        && task.epoch > state.kept.epoch
    {
        return unlawful(format!("{task} is of a rollback that has not happened"));
    }
    let Some((slot, by)) = event.slot_move() else {
        return Ok(());
    };
    let Some(known) = state.now.round.slots.get(&slot) else {
        return unlawful(format!("the {} has no slot {}", slot.role, slot.index));
    };
    match slot::step(known.state, by) {
        Ok(_) => Ok(()),
        Err(illegal) => unlawful(illegal.to_string()),
    }
}

fn decision(state: &State, event: &DecisionEvent) -> Result<(), Unlawful> {
    match event {
        DecisionEvent::Recorded { decision } => {
            let numbers = &state.kept.decision_numbers;
            let last = numbers.get(&decision.id.round).copied().unwrap_or(0);
            match decision.id.number > last {
                true => Ok(()),
                false => unlawful(format!("{} was given before", decision.id)),
            }
        }
        DecisionEvent::Lifted { id, .. } => match state.now.decision(id) {
            Some(_) => Ok(()),
            None => unlawful(format!("there is no decision {id}")),
        },
    }
}
