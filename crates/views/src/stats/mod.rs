//! What sessions come to, so that it can be judged whether the work is worth its price: counts that can be summed
//! over sessions. What a state already counts is taken from there (`figures.rs`, `kept`); what is lost in it, since
//! rounds pass and are undone, is counted from the log in `fold.rs`. Work of undone rounds counts: it was paid for.

mod fold;

use std::collections::BTreeMap;

use gapless_detection::disagreement::Judged;
use gapless_domain::numbers::percent;
use gapless_domain::{End, Heuristic, RetryReason, Role, RollbackTrigger, Tier, Usage};
use gapless_session::figures::{StateCount, Timing};
use gapless_session::state::RetryRecord;

/// What one session comes to, or several together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    pub sessions: u32,
    /// How those ended that did.
    pub ends: BTreeMap<End, u32>,
    /// How many of them nothing but rules reviewed.
    pub by_rules: BTreeMap<End, u32>,
    pub rounds: Rounds,
    /// All gaps, in the states they are in.
    pub gaps: Vec<StateCount>,
    pub failures: BTreeMap<RetryReason, FailureRecord>,
    /// What became of retries with an example, by its tier.
    pub examples: BTreeMap<Tier, RetryRecord>,
    pub heuristics: BTreeMap<Heuristic, HeuristicRecord>,
    pub questions: BTreeMap<&'static str, QuestionRecord>,
    pub rollbacks: BTreeMap<RollbackTrigger, RollbackCount>,
    /// What each agent did in each role.
    pub work: BTreeMap<(Role, String), Work>,
    pub time: Timing,
    pub usage: Usage,
}

/// The rounds that were accounted for and stand, and those that were undone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rounds {
    pub standing: u32,
    pub undone: u32,
    /// Those that stand, by the verdict on them.
    pub verdicts: BTreeMap<&'static str, u32>,
    pub resolved: u32,
    pub created: u32,
    pub reopened: u32,
}

/// Outputs that were invalid for one reason, and what became of the retries after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FailureRecord {
    pub outputs: u32,
    pub retries: RetryRecord,
}

/// The flags of a heuristic, and how the user judged them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeuristicRecord {
    pub flags: u32,
    pub judged: Judged,
}

impl HeuristicRecord {
    /// The share of judged flags that were confirmed, in whole percent.
    pub fn precision(&self) -> Option<u32> {
        percent(self.judged.confirmed, self.judged.all())
    }
}

/// What became of the questions of one kind. One that a rollback brought back may be answered twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuestionRecord {
    pub asked: u32,
    pub by_user: u32,
    pub by_policy: u32,
    pub withdrawn: u32,
    pub waiting: u32,
}

/// Rollbacks for one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RollbackCount {
    pub rollbacks: u32,
    /// Those about which nobody was asked.
    pub unasked: u32,
    pub rounds: u32,
}

/// What an agent did in a role: attempts that came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    pub attempts: u32,
    pub valid: u32,
    pub invalid: u32,
    pub could_not_run: u32,
    /// Outputs at the first asking, and those of them that were valid.
    pub first_tries: u32,
    pub first_valid: u32,
    /// Proposals that an Engineer brought, and gaps that are closed by one of them.
    pub proposals: u32,
    pub accepted: u32,
    /// Issues that a review raised.
    pub issues: u32,
    pub usage: Usage,
}

impl Work {
    /// The share of outputs that were valid at the first try, in whole percent.
    pub fn valid_at_first(&self) -> Option<u32> {
        percent(self.first_valid, self.first_tries)
    }

    /// What an accepted gap cost, in millionths of the currency unit.
    pub fn cost_of_accepted(&self) -> Option<u64> {
        self.usage
            .cost_micros?
            .checked_div(u64::from(self.accepted))
    }

    fn add(&mut self, other: &Self) {
        self.attempts += other.attempts;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.could_not_run += other.could_not_run;
        self.first_tries += other.first_tries;
        self.first_valid += other.first_valid;
        self.proposals += other.proposals;
        self.accepted += other.accepted;
        self.issues += other.issues;
        self.usage.add(&other.usage);
    }
}

impl Stats {
    /// What several sessions come to together.
    pub fn sum<'s>(all: impl IntoIterator<Item = &'s Stats>) -> Self {
        let mut sum = Self::default();
        for stats in all {
            sum.add(stats);
        }
        sum
    }

    fn add(&mut self, other: &Stats) {
        self.sessions += other.sessions;
        merge(&mut self.ends, &other.ends, |sum, more| *sum += more);
        merge(&mut self.by_rules, &other.by_rules, |sum, more| {
            *sum += more
        });
        self.rounds.add(&other.rounds);
        self.gaps = StateCount::sum(&self.gaps, &other.gaps);
        merge(&mut self.failures, &other.failures, |sum, more| {
            sum.outputs += more.outputs;
            sum.retries.add(&more.retries);
        });
        merge(&mut self.examples, &other.examples, RetryRecord::add);
        merge(&mut self.heuristics, &other.heuristics, |sum, more| {
            sum.flags += more.flags;
            sum.judged.add(&more.judged);
        });
        merge(&mut self.questions, &other.questions, |sum, more| {
            sum.asked += more.asked;
            sum.by_user += more.by_user;
            sum.by_policy += more.by_policy;
            sum.withdrawn += more.withdrawn;
            sum.waiting += more.waiting;
        });
        merge(&mut self.rollbacks, &other.rollbacks, |sum, more| {
            sum.rollbacks += more.rollbacks;
            sum.unasked += more.unasked;
            sum.rounds += more.rounds;
        });
        merge(&mut self.work, &other.work, Work::add);
        self.time.add(&other.time);
        self.usage.add(&other.usage);
    }

    /// How many sessions have ended.
    pub fn ended(&self) -> u32 {
        self.ends.values().sum()
    }

    /// The heuristics that were wrong too often, and only advise.
    pub fn advisory(&self) -> Vec<Heuristic> {
        let advise = self.heuristics.iter();
        advise
            .filter(|(_, record)| record.judged.is_advisory())
            .map(|(heuristic, _)| *heuristic)
            .collect()
    }
}

impl Rounds {
    fn add(&mut self, other: &Self) {
        self.standing += other.standing;
        self.undone += other.undone;
        merge(&mut self.verdicts, &other.verdicts, |sum, more| {
            *sum += more
        });
        self.resolved += other.resolved;
        self.created += other.created;
        self.reopened += other.reopened;
    }
}

fn merge<K: Ord + Clone, V: Default>(
    into: &mut BTreeMap<K, V>,
    other: &BTreeMap<K, V>,
    add: impl Fn(&mut V, &V),
) {
    for (key, more) in other {
        add(into.entry(key.clone()).or_default(), more);
    }
}
