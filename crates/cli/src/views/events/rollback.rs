//! Rollbacks: what they undid, what was found in it and what the retry is told, as lines and as JSON.

use gapless_domain::{Decision, Time};
use gapless_session::{RollbackEvent, RollbackRecord, State};
use serde_json::{Value, json};

use super::style::LineStyle;
use crate::output::wording::in_parentheses;

/// The lines of a rollback itself, or the line about what was decided of it.
pub(crate) fn line(
    style: &LineStyle,
    state: &State,
    event: &RollbackEvent,
    at: Time,
) -> Option<String> {
    let text = match event {
        RollbackEvent::RolledBack {
            from_round,
            to_round,
            ..
        } => {
            let is_it = |record: &RollbackRecord| {
                (record.from_round, record.to_round, record.at) == (*from_round, *to_round, at)
            };
            let index = state.kept.rollbacks.iter().position(is_it)?;
            return Some(lines(style, state, index).join("\n"));
        }
        RollbackEvent::TakenBack {
            words,
            from_round,
            to_round,
            ..
        } => {
            let head = format!("Taken back: {words}");
            let newest = state.kept.rollbacks.len().checked_sub(1);
            let newest = newest.filter(|_| from_round > to_round);
            let rounds = newest.map_or(Vec::new(), |index| undone_rounds(state, index));
            let mut lines = vec![style.warning(head)];
            if !rounds.is_empty() {
                lines.extend(style.section("Undone", rounds));
            }
            return Some(lines.join("\n"));
        }
        RollbackEvent::Chosen { choice, .. } => choice.clone(),
        RollbackEvent::Adjusted { .. } => return None,
        RollbackEvent::ModeSet { mode } => format!("Rollbacks are {mode} from now on"),
    };
    Some(style.warning(text))
}

/// The rollback at this place of the history: what it undid, what was found in it, and what the retry is told.
pub(crate) fn lines(style: &LineStyle, state: &State, index: usize) -> Vec<String> {
    let Some(record) = state.kept.rollbacks.get(index) else {
        return Vec::new();
    };
    let head = style.warning(format!(
        "Rolled back from round {} to {}{}: {}",
        record.from_round,
        record.to_round,
        if record.unasked { ", unasked" } else { "" },
        record.reason
    ));
    let mut undone = undone_rounds(state, index);
    let decisions = decisions_of(state, index);
    undone.extend(decisions.map(|decision| format!("{}: {}", decision.id, decision.title)));
    let found = record.rounds.iter().flat_map(|undone| {
        let patterns = undone.analysis.patterns.iter();
        patterns.map(|found| format!("round {}: {}", undone.round, found.in_words()))
    });
    let told = format!(
        "Round {} is run again. Its Engineer is told",
        record.retried()
    );
    [
        vec![head],
        style.section("Undone", undone),
        style.section("Found in what was undone", found.collect()),
        style.section(&told, state.adjustments(record.retried())),
    ]
    .concat()
}

/// The rounds that the rollback at this place of the history undid.
fn undone_rounds(state: &State, index: usize) -> Vec<String> {
    let record = state.kept.rollbacks.get(index);
    let rounds = record.into_iter().flat_map(|record| &record.rounds);
    rounds
        .map(|undone| {
            let gaps = in_parentheses(&undone.gaps);
            let archive = state.archive_of(index, undone.round);
            format!("round {}{gaps}, archived as {archive}", undone.round)
        })
        .collect()
}

/// The decisions that the rollback at this place of the history undid.
fn decisions_of(state: &State, index: usize) -> impl Iterator<Item = &Decision> {
    let undone = state.kept.undone_decisions.iter();
    let of_it = undone.filter(move |undone| undone.rollback as usize == index + 1);
    of_it.map(|undone| &undone.decision)
}

/// The newest rollback, if there was one since an earlier state of the session.
pub(crate) fn since(before: &State, state: &State) -> Option<Value> {
    let count = state.kept.rollbacks.len();
    (count > before.kept.rollbacks.len()).then(|| document(state, count - 1))
}

/// The rollback at this place of the history.
pub(crate) fn document(state: &State, index: usize) -> Value {
    let Some(record) = state.kept.rollbacks.get(index) else {
        return Value::Null;
    };
    let rounds: Vec<Value> = record
        .rounds
        .iter()
        .map(|undone| {
            json!({
                "round": undone.round,
                "gaps": undone.gaps,
                "archive": state.archive_of(index, undone.round),
                "patterns": undone.analysis.patterns,
            })
        })
        .collect();
    let decisions: Vec<_> = decisions_of(state, index).map(|lost| lost.id).collect();
    json!({
        "from_round": record.from_round,
        "to_round": record.to_round,
        "reason": record.reason,
        "mode": record.mode,
        "trigger": record.trigger,
        "unasked": record.unasked,
        "rounds": rounds,
        "decisions": decisions,
        "root_cause": record.root_cause,
        "retried": record.retried(),
        "told": state.adjustments(record.retried()),
    })
}
