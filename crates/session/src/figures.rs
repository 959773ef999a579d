//! The figures of a session: every count, net, time and cost that a document, a screen or a script shows of it is
//! taken from here, so that no two of them differ.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::runs::Run;
use crate::spending::total_usage;
use crate::state::Progress;
use crate::{Attempt, AttemptOutcome, Now, RoundRecord, State};
use gapless_domain::config::RoundLimit;
use gapless_domain::{GapState, Role, Severity, Usage};

/// What a session comes to in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// All gaps there ever were in the session as it stands.
    pub gaps: usize,
    pub open_quarters: u64,
    /// The states that occur, in the order of a gap's life.
    pub states: Vec<StateCount>,
    pub round: u32,
    pub max_rounds: RoundLimit,
    pub progress: Progress,
    pub weighted_net: i64,
    pub unweighted_net: i64,
    pub time: Timing,
    pub usage: Usage,
    pub usage_by_role: BTreeMap<Role, Usage>,
}

/// How many gaps are in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateCount {
    pub state: GapState,
    /// Gravest first.
    pub by_severity: [usize; 4],
}

impl StateCount {
    pub fn all(&self) -> usize {
        self.by_severity.iter().sum()
    }

    /// The counts of two inventories together, in the order of a gap's life.
    pub fn sum(one: &[StateCount], other: &[StateCount]) -> Vec<StateCount> {
        let both = || one.iter().chain(other);
        let states = GapState::ALL.into_iter();
        let sums = states.map(|state| {
            let mut by_severity = [0; 4];
            for count in both().filter(|count| count.state == state) {
                for (sum, more) in by_severity.iter_mut().zip(count.by_severity) {
                    *sum += more;
                }
            }
            StateCount { state, by_severity }
        });
        sums.filter(|count| count.all() > 0).collect()
    }
}

/// Where the time went, in milliseconds. Active is when an agent was at work; the rest was waiting: for an answer, for a
/// provider, or with nobody driving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Timing {
    pub total: u64,
    pub active: u64,
    pub waiting: u64,
}

impl Figures {
    pub fn of(state: &State) -> Self {
        let now = &state.now;
        let last = now.history.last();
        Self {
            gaps: now.gaps.len(),
            open_quarters: now.open_quarters(),
            states: states(now),
            round: now.round.number,
            max_rounds: state.round_limit(),
            progress: now.progress(),
            weighted_net: last.map_or(0, |record| record.weighted_net),
            unweighted_net: last.map_or(0, |record| record.unweighted_net),
            time: Timing::of(state),
            usage: total_usage(state),
            usage_by_role: state.kept.usage.clone(),
        }
    }

    /// How many gaps are in a state.
    pub fn in_state(&self, wanted: GapState) -> usize {
        let found = self.states.iter().find(|count| count.state == wanted);
        found.map_or(0, StateCount::all)
    }

    /// Why what is open may be no whole number: the parked gaps and how they count, in brackets behind a blank; empty
    /// where there are none.
    pub fn parked_note(&self) -> String {
        let parts = [
            (GapState::UserDeferred, "deferred, counted half"),
            (GapState::BlockedExternal, "blocked, counted a quarter"),
        ];
        let said: Vec<String> = parts
            .into_iter()
            .map(|(state, words)| (self.in_state(state), words))
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        match said.is_empty() {
            true => String::new(),
            false => format!(" ({})", said.join("; ")),
        }
    }

    /// How many gaps have a severity, whatever their state.
    pub fn of_severity(&self, wanted: Severity) -> usize {
        let counts = self.states.iter().map(|count| count.by_severity);
        counts.map(|counts| counts[place_of(wanted)]).sum()
    }
}

/// What the roles used in these attempts.
pub fn usage_of<'a>(attempts: impl IntoIterator<Item = &'a Attempt>) -> BTreeMap<Role, Usage> {
    let mut by_role: BTreeMap<Role, Usage> = BTreeMap::new();
    for attempt in attempts {
        if let Some(usage) = attempt.usage() {
            let role = by_role.entry(attempt.task.slot.role).or_default();
            role.add(&usage);
        }
    }
    by_role
}

impl Timing {
    pub fn of(state: &State) -> Self {
        let Some(origin) = &state.kept.origin else {
            return Self::default();
        };
        let until = state.kept.ended_at.unwrap_or(state.kept.clock);
        // Between two chapters there was no session.
        let chapters = state.kept.chapters.iter();
        let between: u64 = chapters
            .map(|chapter| chapter.reopened_at.millis_since(chapter.ended_at))
            .sum();
        let total = until.millis_since(origin.at).saturating_sub(between);
        let active = state.kept.active.millis.min(total);
        Self {
            total,
            active,
            waiting: total - active,
        }
    }

    pub fn add(&mut self, other: &Timing) {
        self.total = self.total.saturating_add(other.total);
        self.active = self.active.saturating_add(other.active);
        self.waiting = self.waiting.saturating_add(other.waiting);
    }
}

/// What went wrong on the way, and how often it was tried again, undone rounds included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Trouble {
    pub attempts: usize,
    /// Attempts beyond the first of their task.
    pub retries: usize,
    pub invalid: usize,
    pub could_not_run: usize,
    pub flags: usize,
    pub rounds_undone: usize,
}

impl Trouble {
    pub fn of<'r>(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut trouble = Self::default();
        for run in runs {
            trouble.flags += run.flagged.len();
            trouble.rounds_undone += usize::from(run.undone_by.is_some());
            for attempt in &run.work.attempts {
                trouble.attempts += 1;
                trouble.retries += usize::from(attempt.task.attempt > 1);
                match attempt.finished.as_ref().map(|end| end.outcome) {
                    Some(AttemptOutcome::Invalid(_)) => trouble.invalid += 1,
                    Some(AttemptOutcome::CouldNotRun) => trouble.could_not_run += 1,
                    Some(AttemptOutcome::Valid | AttemptOutcome::Pressed) | None => {}
                }
            }
        }
        trouble
    }
}

/// The place of a severity where they are listed gravest first.
fn place_of(severity: Severity) -> usize {
    Severity::Critical as usize - severity as usize
}

fn states(now: &Now) -> Vec<StateCount> {
    let mut counts: Vec<StateCount> = GapState::ALL
        .into_iter()
        .map(|state| StateCount {
            state,
            by_severity: [0; 4],
        })
        .collect();
    for gap in now.gaps.values() {
        let count = counts.iter_mut().find(|count| count.state == gap.state);
        if let Some(count) = count {
            count.by_severity[place_of(gap.severity)] += 1;
        }
    }
    counts.retain(|count| count.all() > 0);
    counts
}

/// The open weight in quarters: what is open, each gap by the weight of its severity.
pub fn open_weight(by_severity: [u64; 4]) -> u64 {
    Severity::GRAVEST_FIRST
        .into_iter()
        .zip(by_severity)
        .map(|(severity, quarters)| severity.weight().unsigned_abs() * quarters)
        .sum()
}

/// The open weight, in quarters, at the start and after each round: what a chart of the session shows.
pub fn open_weights(now: &Now) -> Vec<(u32, u64)> {
    let start = (0, open_weight(now.initial_open));
    let rounds = now
        .history
        .iter()
        .map(|record| (record.round, open_weight(record.open_by_severity)));
    std::iter::once(start).chain(rounds).collect()
}

impl RoundRecord {
    /// What is said where the weights and the heads point in different directions.
    pub fn disagreement(&self) -> Option<&'static str> {
        (self.weighted_net.signum() != self.unweighted_net.signum())
            .then_some("Weight and heads disagree; the weight decides.")
    }
}
