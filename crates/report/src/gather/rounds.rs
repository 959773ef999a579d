//! What is said of each run of a round, of the rollbacks between them, and of what their agents used.

use gapless_domain::{ConvergenceState, Counted, Phase, Severity, Signal, Usage};
use gapless_session::attempt_record::attempt_records;
use gapless_session::figures::usage_of;
use gapless_session::runs::{Flagged, Run};
use gapless_session::state::RoundRecord;
use gapless_session::{AttemptRecord, State};

use super::lengths::brief;
use crate::model::{RollbackEntry, RoundEntry, RoundUsage, Tone};

/// An entry for each run; discovery is one where something was done in it.
pub fn entries(state: &State, runs: &[Run]) -> Vec<RoundEntry> {
    let done = |run: &&Run| run.round > 0 || !run.work.attempts.is_empty();
    let last = runs.len().saturating_sub(1);
    runs.iter()
        .enumerate()
        .filter(|(_, run)| done(run))
        .map(|(index, run)| entry(state, run, index == last))
        .collect()
}

fn entry(state: &State, run: &Run, is_last: bool) -> RoundEntry {
    let record = run.record.as_ref();
    let counted = |list: fn(&RoundRecord) -> &[Counted]| -> Vec<(String, Severity)> {
        let counted = record.map_or(&[] as &[Counted], list).iter();
        counted
            .map(|counted| (counted.gap.to_string(), counted.severity))
            .collect()
    };
    let (verdict, tone) = verdict(state, run, is_last);
    let records = attempt_records(&run.work.attempts);
    RoundEntry {
        round: run.round,
        undone_by: run.undone_by.map(|index| index + 1),
        planned: run.work.assigned.iter().map(ToString::to_string).collect(),
        resolved: counted(|record| &record.tally.resolved),
        created: counted(|record| &record.tally.created),
        reopened: counted(|record| &record.tally.reopened),
        net: record.map(|record| (record.weighted_net, record.unweighted_net)),
        open_quarters: run.open_by_severity().iter().sum(),
        state: verdict,
        tone,
        began: run.began_at,
        elapsed_millis: elapsed(run),
        attempts: records.len(),
        troubled: records.into_iter().filter(is_troubled).map(cut).collect(),
        flags: run.flagged.iter().map(cut_flag).collect(),
        issues_raised: run.raised.iter().map(ToString::to_string).collect(),
        notes: notes(run),
    }
}

/// To its verdict, else to its last event.
fn elapsed(run: &Run) -> u64 {
    let until = run.record.as_ref().map_or(run.until, |record| record.at);
    until.millis_since(run.began_at)
}

fn is_troubled(record: &AttemptRecord) -> bool {
    !matches!(record.verdict, "VALID" | "UNDER_WAY") || record.taken_as_best
}

fn cut(mut record: AttemptRecord) -> AttemptRecord {
    record.message = brief(&record.message);
    record.agent = brief(&record.agent);
    record
}

fn cut_flag(flagged: &Flagged) -> Flagged {
    let mut flagged = flagged.clone();
    flagged.flag.evidence.text = brief(&flagged.flag.evidence.text);
    flagged
}

fn verdict(state: &State, run: &Run, is_last: bool) -> (String, Tone) {
    match &run.record {
        Some(record) if record.signal == Signal::NotJudged => {
            (record.verdict().to_owned(), Tone::Calm)
        }
        Some(record) => {
            let tone = match record.convergence.state {
                ConvergenceState::Converging => Tone::Good,
                ConvergenceState::Flat => Tone::Calm,
                ConvergenceState::DivergenceWarning => Tone::Warn,
            };
            (record.convergence.to_string(), tone)
        }
        None if run.work.final_reviewed.is_some() => ("final review".to_owned(), Tone::Calm),
        None if run.round == 0 => ("discovery".to_owned(), Tone::Calm),
        None if run.undone_by.is_none()
            && is_last
            && state.kept.ended.is_none()
            && state.now.phase == Phase::Round =>
        {
            let phase = run.work.phase.name().to_lowercase();
            (format!("under way: {phase}"), Tone::Calm)
        }
        None => ("not finished".to_owned(), Tone::Calm),
    }
}

fn notes(run: &Run) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(said) = run.record.as_ref().and_then(RoundRecord::disagreement) {
        notes.push(said.to_owned());
    }
    if let Some(tally) = run.record.as_ref().map(|record| &record.tally) {
        if tally.role_skipped {
            notes.push("A role was skipped.".to_owned());
        } else if tally.nothing_reviewed {
            notes.push("Nothing was reviewed.".to_owned());
        }
    }
    for clash in &run.work.clashes {
        let values = clash.values.join(" / ");
        let key = &clash.key;
        notes.push(brief(&format!(
            "Two proposals define {key} differently: {values}"
        )));
    }
    match run.work.final_reviewed {
        Some(true) => notes.push("The final review says READY.".to_owned()),
        Some(false) => notes.push("The final review says NOT_READY.".to_owned()),
        None => {}
    }
    notes
}

pub fn rollbacks(state: &State) -> Vec<RollbackEntry> {
    let all = state.kept.rollbacks.iter().enumerate();
    all.map(|(index, rollback)| RollbackEntry {
        number: index + 1,
        rounds: rollback.rounds_in_words(),
        to_round: rollback.to_round,
        at: rollback.at,
        trigger: rollback.trigger.words(),
        unasked: rollback.unasked,
        reason: brief(&rollback.reason),
        adjustments: rollback.adjustments.iter().map(|it| brief(it)).collect(),
        outcome: state.rollback_outcome(index).words(),
    })
    .collect()
}

pub fn usage(runs: &[Run]) -> Vec<RoundUsage> {
    let used = runs.iter().filter(|run| !run.work.attempts.is_empty());
    used.map(|run| {
        let roles = usage_of(&run.work.attempts);
        let mut all = Usage::default();
        for usage in roles.values() {
            all.add(usage);
        }
        RoundUsage {
            round: run.round,
            undone: run.undone_by.is_some(),
            roles,
            all,
        }
    })
    .collect()
}
