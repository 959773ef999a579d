//! The runs of a session: each time that a round was run, as the log has it, those that a rollback undid among them.

use std::collections::BTreeMap;

use crate::state::{Round, UndoPoint};
use crate::{
    Attempt, Event, Happening, RollbackEvent, RoundEvent, RoundRecord, SessionEvent, State,
    TaskEvent, apply,
};
use gapless_domain::{Flag, IssueId, Severity, Time};

/// A round as it was run once; round 0 is discovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub round: u32,
    pub began_at: Time,
    /// When its last event happened.
    pub until: Time,
    /// The round as it was left.
    pub work: Round,
    /// What it came to; none where it was not accounted for.
    pub record: Option<RoundRecord>,
    /// What was open when it was left: quarters by severity, gravest first.
    pub left_open: [u64; 4],
    pub raised: Vec<IssueId>,
    pub flagged: Vec<Flagged>,
    /// The place of the rollback that undid it, in the session's list of them.
    pub undone_by: Option<usize>,
}

/// A flag of a run, with the issue that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    pub issue: IssueId,
    pub severity: Severity,
    pub flag: Flag,
    /// The user's word on it, where it was given.
    pub confirmed: Option<bool>,
}

impl Run {
    fn new(round: u32, at: Time) -> Self {
        Self {
            round,
            began_at: at,
            until: at,
            work: Round::default(),
            record: None,
            left_open: [0; 4],
            raised: Vec::new(),
            flagged: Vec::new(),
            undone_by: None,
        }
    }

    /// What was open after it: as it was accounted for, else as it was left.
    pub fn open_by_severity(&self) -> [u64; 4] {
        let record = self.record.as_ref();
        record.map_or(self.left_open, |record| record.open_by_severity)
    }

    /// What followed in it on something that was said: undone, while the run goes on without it.
    fn since(mut self, point: &UndoPoint, undone_by: Option<usize>) -> Self {
        let stays = &point.now.round.attempts;
        let attempts = &mut self.work.attempts;
        attempts.retain(|it| !stays.iter().any(|stays| stays.task == it.task));
        self.undone_by = undone_by;
        self
    }

    fn take(&mut self, state: &State) {
        let now = &state.now;
        self.until = state.kept.clock;
        self.work.clone_from(&now.round);
        let mut history = now.history.iter().rev();
        let record = history.find(|record| record.round == self.round);
        self.record = record.map(|record| RoundRecord::clone(record));
        self.left_open = now.open_by_severity();
        let raised = now
            .issues
            .values()
            .filter(|issue| issue.raised_in == self.round);
        self.raised = raised.map(|issue| issue.id).collect();
        let flags = now.issues.values().flat_map(|issue| {
            let of_round = issue.flags.iter().filter(|flag| flag.round == self.round);
            of_round.map(|flag| Flagged {
                issue: issue.id,
                severity: issue.concern.severity,
                flag: Flag::clone(flag),
                confirmed: issue.judgement(flag),
            })
        });
        self.flagged = flags.collect();
    }
}

/// The session as its events made it, and its runs in the order in which they began.
pub fn runs<'e>(events: impl IntoIterator<Item = &'e Event>) -> (State, Vec<Run>) {
    let mut state = State::default();
    let mut runs: Vec<Run> = Vec::new();
    // The run that events belong to: after a rollback again the one that was gone back to.
    let mut current: Option<usize> = None;
    // Which runs stood at each point that can be taken back to, by the number of its event.
    let mut said = BTreeMap::new();
    let keep = |runs: &mut Vec<Run>, current: Option<usize>, state: &State| {
        let run = current.and_then(|current| runs.get_mut(current));
        if let Some(run) = run.filter(|run| run.round == state.now.round.number) {
            run.take(state);
        }
    };
    for event in events {
        match &event.what {
            Happening::Session(SessionEvent::Started { .. }) => {
                runs.push(Run::new(0, event.at));
                current = Some(runs.len() - 1);
            }
            Happening::Round(RoundEvent::Began { round }) => {
                keep(&mut runs, current, &state);
                runs.push(Run::new(*round, event.at));
                current = Some(runs.len() - 1);
            }
            Happening::Rollback(RollbackEvent::RolledBack { to_round, .. }) => {
                keep(&mut runs, current, &state);
                let rollback = state.kept.rollbacks.len();
                for run in runs.iter_mut().filter(|run| run.round > *to_round) {
                    run.undone_by.get_or_insert(rollback);
                }
                current = runs.iter().rposition(|run| run.undone_by.is_none());
            }
            Happening::Session(SessionEvent::Said { .. }) => {
                let undone: Vec<Option<usize>> = runs.iter().map(|run| run.undone_by).collect();
                said.insert(state.kept.events + 1, (undone, current));
            }
            Happening::Rollback(RollbackEvent::TakenBack {
                said: number,
                from_round,
                to_round,
                ..
            }) => {
                keep(&mut runs, current, &state);
                if let Some((undone, then)) = said.remove(number) {
                    let by = (from_round > to_round).then_some(state.kept.rollbacks.len());
                    let mut points = state.undo.iter();
                    let point = points.find(|point| point.event == *number);
                    let partly = then.and_then(|then| runs.get(then)).cloned();
                    let partly = partly.filter(|run| run.round > *to_round);
                    let partly = partly.zip(point).map(|(run, point)| run.since(point, by));
                    for run in runs.iter_mut().skip(undone.len()) {
                        run.undone_by = run.undone_by.or(by);
                    }
                    for (run, before) in runs.iter_mut().zip(undone) {
                        run.undone_by = before;
                    }
                    runs.extend(partly);
                    current = then;
                }
            }
            Happening::Task(TaskEvent::UsageNoted { task, usage }) => {
                let is_it = |attempt: &&mut Attempt| attempt.task == *task;
                let mut runs = runs.iter_mut().rev();
                let attempt = runs.find_map(|run| run.work.attempts.iter_mut().find(is_it));
                if let Some(attempt) = attempt {
                    attempt.note_interrupted(usage);
                }
            }
            _ => {}
        }
        apply(&mut state, event);
    }
    keep(&mut runs, current, &state);
    (state, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_log::{back, began, started};

    #[test]
    fn each_run_of_a_round_is_there_with_the_rollback_that_undid_it() {
        let log = [
            started(),
            began(1, 1),
            began(2, 2),
            began(3, 3),
            back(5, 3, 1),
            began(7, 2),
            back(8, 2, 0),
            began(9, 1),
        ];
        let (state, runs) = runs(&log);
        assert_eq!(state.kept.events, 8);
        let told: Vec<(u32, i64, i64, Option<usize>)> = runs
            .iter()
            .map(|run| (run.round, run.began_at.0, run.until.0, run.undone_by))
            .collect();
        assert_eq!(
            told,
            [
                (0, 0, 8, None),
                (1, 1, 5, Some(1)),
                (2, 2, 2, Some(0)),
                (3, 3, 3, Some(0)),
                (2, 7, 7, Some(1)),
                (1, 9, 9, None),
            ],
            "a round that is gone back to goes on until the next begins"
        );
    }
}
