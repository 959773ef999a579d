//! The checkers' model of a session, kept from the rows of its log alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::rows::{is_grave, weight};
use super::spending::Spending;

/// The part of the model that a rollback undoes.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub phase: String,
    pub round: u32,
    pub round_phase: String,
    pub gaps: BTreeMap<String, Gap>,
    pub issues: BTreeMap<String, Issue>,
    pub slots: BTreeMap<(String, i64), Slot>,
    pub questions: BTreeMap<String, Value>,
    /// Withdrawn to be asked again under their ids.
    pub to_renew: BTreeMap<String, Value>,
    pub tally: Tally,
    pub convergence: (String, u32),
    pub accounted: bool,
    pub planned: bool,
    /// The user chose the gaps of the next round, so their order doesn't decide.
    pub chosen_plan: bool,
    /// The user took what an undone round had; for the round after that.
    pub forced: bool,
    /// The newest of the Editor's slots of this round whose sections were taken.
    pub edited: Option<i64>,
    /// A final review was read since the round was planned.
    pub final_reviewed: bool,
    pub escalated: BTreeSet<(String, String)>,
    /// In this round the user decided how to go on with its Engineer, or against a rollback.
    pub asked_about_engineer: bool,
    /// Issues that Engineers were asked about again in this round, with the turn in which they were.
    pub asked_again: BTreeMap<String, u64>,
    /// The user decided how to go on after a round in which neither role had anything.
    pub emptiness_settled: bool,
    pub decisions: BTreeMap<String, Decided>,
    /// The last rounds of each role, newest first, by what became of its agent's attempts.
    pub tried: BTreeMap<String, Vec<Tried>>,
    /// Roles whose agent is broken, and with which the user goes on in this round.
    pub goes_on: BTreeSet<String>,
}

/// The results of an agent's attempts in a round.
#[derive(Debug, Clone, Default)]
pub struct Tried {
    pub agent: String,
    pub round: u32,
    /// The ways in which attempts failed.
    pub failures: BTreeSet<String>,
    pub any_good: bool,
}

/// A decision of a round that was not undone.
#[derive(Debug, Clone)]
pub struct Decided {
    pub kind: String,
    pub issue: Option<String>,
    pub lifted: bool,
}

/// A decision of an undone round.
#[derive(Debug, Clone)]
pub struct Undone {
    pub kind: String,
    pub reapplied_as: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Gap {
    /// What it says, in small letters and without a point at its end.
    pub description: String,
    pub state: String,
    pub before: String,
    pub severity: String,
    pub severity_by_user: bool,
    /// It is CRITICAL or was: a lower severity doesn't take it past the gate.
    pub was_critical: bool,
    pub blocked_by: BTreeSet<String>,
    /// The gap that it was split off from.
    pub parent: Option<String>,
    pub counted: bool,
    pub reviewed_in: Option<u32>,
    pub accepted_in: Option<u32>,
    pub assigned_at: u64,
    pub has_proposal: bool,
    /// The hash of the section that proposes something for it.
    pub proposal: String,
    /// The proposal is a default, and whether the user gave a word on it.
    pub is_default: bool,
    pub has_word: bool,
    /// Open issues, and the newest settled ones.
    pub issues: BTreeSet<String>,
    pub settled: Vec<String>,
    /// The user was asked whether its proposal contradicts a decision.
    pub contradicts: bool,
    /// Decisions to be carried out, with the row that recorded each.
    pub obligations: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Default)]
pub struct Issue {
    pub state: String,
    /// The gap that it was raised on.
    pub gap: String,
    pub summary: String,
    pub severity: String,
    pub severity_by_user: bool,
    pub answered_in: Option<u32>,
    /// Only the user settles it.
    pub users: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Slot {
    pub state: String,
    pub task: Value,
    pub attempts: i64,
    pub rejections: i64,
    pub execution_errors: i64,
    pub halvings: i64,
    /// The call that is under way was interrupted before.
    pub interrupted: bool,
    /// Tries granted after invalid outputs.
    pub granted: i64,
    /// Series of tries granted to an agent that could not run.
    pub restarted: i64,
    pub could_not_run: bool,
    /// The agent that is at work, or was last.
    pub agent: String,
    /// Agents that it had.
    pub had: BTreeSet<String>,
    /// It was given to another agent, which it has not had.
    pub handed_on: bool,
    /// Causes that had the retry of their own.
    pub causes: BTreeSet<String>,
    /// How often a valid review was asked for once more.
    pub pressed: i64,
    pub wake_at: i64,
    pub gaps: Vec<String>,
    /// Attempts that left a document behind.
    pub outputs: Vec<Value>,
    /// What the valid output was read as.
    pub reading: Value,
}

impl Slot {
    /// `-` for a slot that was never opened.
    pub fn state_name(&self) -> &str {
        match self.state.as_str() {
            "" => "-",
            state => state,
        }
    }
}

/// What a round resolved, created and reopened, counted from its moves.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub resolved: Vec<(String, String)>,
    pub created: Vec<(String, String)>,
    pub reopened: Vec<(String, String)>,
    pub part_of_split: bool,
    pub role_skipped: bool,
}

/// From which round to which a rollback went.
#[derive(Debug, Clone)]
pub struct Rollback {
    pub from: i64,
    pub to: i64,
    /// It is what followed on something that the user took back.
    pub is_undo: bool,
    /// The user took it back.
    pub taken_back: bool,
}

impl Rollback {
    pub fn counts(&self) -> bool {
        !self.is_undo && !self.taken_back
    }

    pub fn undid(&self, round: i64) -> bool {
        self.to < round && round <= self.from
    }
}

/// The part of the model that a rollback keeps.
#[derive(Debug, Default)]
pub struct Kept {
    pub last_seq: u64,
    pub clock: i64,
    pub started: bool,
    pub paused: bool,
    pub ended: Option<String>,
    pub config: Value,
    pub limits: Option<Value>,
    pub epoch: u32,
    /// Who decides on rollbacks, where the user said so since the start.
    pub rollback_mode: Option<String>,
    pub rollbacks: Vec<Rollback>,
    /// The chapters but the first.
    pub chapters: Vec<Begun>,
    /// What can be taken back, the newest last.
    pub said: Vec<Said>,
    /// How many decisions went with what was taken back.
    pub decisions_taken_back: usize,
    /// The rows that brought documents, with their rounds.
    pub documents: Vec<(u64, i64)>,
    /// What rounds are told for having been undone.
    pub adjustments: Vec<(i64, String)>,
    pub undone: BTreeMap<String, Undone>,
    /// What the user chose to do with the archives, and whether it was done.
    pub archive_choice: Option<String>,
    pub disposed: bool,
    pub gap_ids: BTreeSet<String>,
    pub issue_ids: BTreeSet<String>,
    pub decision_ids: BTreeSet<String>,
    pub last_question: u32,
    /// Rounds in a row without gain since the user last answered.
    pub rounds_without_gain: i64,
    pub longest_prompt: usize,
    pub spending: Spending,
    /// Where the refined spec is wanted, and what came of it since that was said.
    pub delivery: Value,
    /// Agents that take over from one that cannot run.
    pub fallback: Vec<String>,
    pub spec_written: bool,
    pub spec_not_written: Option<String>,
    /// Prompts of the Engineers, by epoch and round.
    pub engineer_prompts: Vec<(u32, u32, String)>,
}

impl Kept {
    pub fn setting(&self, key: &str) -> i64 {
        self.config[key].as_i64().unwrap_or(0)
    }
}

/// The states in which somebody still has to do something.
pub fn is_open(state: &str) -> bool {
    matches!(
        state,
        "OPEN" | "IN_PROGRESS" | "PROPOSED" | "NEEDS_REVISION"
    )
}

pub fn is_parked(state: &str) -> bool {
    matches!(state, "USER_DEFERRED" | "BLOCKED_EXTERNAL")
}

pub fn is_closed(state: &str) -> bool {
    !is_open(state) && !is_parked(state)
}

/// The gap that a child was split from: its id without the letter. `None` for one that is no child.
pub fn root_of(id: &str) -> Option<&str> {
    let last = id.chars().next_back()?;
    last.is_ascii_lowercase().then(|| &id[..id.len() - 1])
}

impl Model {
    /// The slots of a role.
    pub fn slots_of(&self, role: &str) -> impl DoubleEndedIterator<Item = &Slot> {
        let own = self.slots.iter().filter(move |((name, _), _)| name == role);
        own.map(|(_, slot)| slot)
    }

    /// The valid slots of a role.
    pub fn valid(&self, role: &str) -> impl DoubleEndedIterator<Item = &Slot> {
        self.slots_of(role).filter(|slot| slot.state == "valid")
    }

    /// The state of a gap; empty where it is not known.
    pub fn gap_state(&self, id: &str) -> &str {
        self.gaps.get(id).map_or("", |gap| &gap.state)
    }

    /// The state of an issue; empty where it is not known.
    pub fn issue_state(&self, id: &str) -> &str {
        self.issues.get(id).map_or("", |issue| &issue.state)
    }

    /// The parts of a split gap that were not split themselves.
    pub fn family(&self, root: &str) -> impl Iterator<Item = &Gap> {
        let parts = self.gaps.iter().filter(|(id, _)| root_of(id) == Some(root));
        parts
            .map(|(_, gap)| gap)
            .filter(|gap| gap.state != "SUPERSEDED")
    }

    /// The gaps that keep this one from being planned; a split gap blocks through its parts, and those through theirs.
    pub fn blockers(&self, gap: &Gap) -> Vec<String> {
        let mut waiting: Vec<&String> = gap.blocked_by.iter().collect();
        let mut blockers = Vec::new();
        while let Some(id) = waiting.pop() {
            let Some(blocker) = self.gaps.get(id) else {
                continue;
            };
            if !is_closed(&blocker.state) {
                blockers.push(id.clone());
            }
            let parts = self.gaps.iter();
            let parts = parts.filter(|(_, part)| part.parent.as_ref() == Some(id));
            waiting.extend(parts.map(|(part, _)| part));
        }
        blockers
    }

    /// The open issues of a gap that are CRITICAL or HIGH, or that only the user settles.
    fn holding<'b>(&'b self, gap: &'b Gap) -> impl Iterator<Item = &'b Issue> {
        let issues = gap.issues.iter().filter_map(|id| self.issues.get(id));
        issues.filter(|issue| is_grave(&issue.severity) || issue.users)
    }

    /// True where a CRITICAL or HIGH issue on the gap is open, or one that only the user settles, or a decision on it is not carried out.
    pub fn is_held(&self, gap: &Gap) -> bool {
        !gap.obligations.is_empty() || self.holding(gap).next().is_some() || gap.contradicts
    }

    /// The severity of a gap, or of the gravest that is open on it: an issue, a decision that is not carried out, or one that
    /// its proposal may contradict. One that was CRITICAL stays CRITICAL here.
    pub fn gravity<'b>(&'b self, id: &str, gap: &'b Gap) -> &'b str {
        if gap.was_critical {
            return "CRITICAL";
        }
        let issues = self.holding(gap).map(|issue| issue.severity.as_str());
        let owed = gap.obligations.keys();
        let owed = owed.filter_map(|id| self.decisions.get(id));
        let owed = owed.filter_map(|decision| self.issues.get(decision.issue.as_ref()?));
        let owed = owed.map(|issue| issue.severity.as_str());
        let asked = self.questions.values().filter(|question| {
            question["about"]["kind"] == "contradiction" && question["about"]["gap"] == id
        });
        let asked = asked.filter_map(|question| question["severity"].as_str());
        let own = std::iter::once(gap.severity.as_str());
        let all = own.chain(issues).chain(owed).chain(asked);
        all.max_by_key(|severity| weight(severity))
            .unwrap_or(&gap.severity)
    }

    /// The open count in quarters.
    pub fn open_quarters(&self) -> i64 {
        let quarters = |gap: &Gap| match gap.state.as_str() {
            "USER_DEFERRED" => 2,
            "BLOCKED_EXTERNAL" => 1,
            state if is_open(state) => 4,
            _ => 0,
        };
        self.gaps.values().map(quarters).sum()
    }
}

/// What had been counted when a chapter began.
#[derive(Debug, Clone)]
pub struct Begun {
    pub last_round: i64,
    pub tokens: u64,
    pub micros: u64,
    pub active_millis: i64,
    pub rollbacks: usize,
    /// How long the session had been ended before.
    pub rested: i64,
}

/// Something that the user said, and the model before it.
#[derive(Debug, Clone)]
pub struct Said {
    pub row: u64,
    pub words: String,
    pub model: Model,
    pub snapshots: BTreeMap<u32, Model>,
    pub rollbacks: usize,
    pub adjustments: usize,
    pub decisions: Vec<String>,
    pub undone: BTreeMap<String, Undone>,
    pub chapters: Vec<Begun>,
    pub limits: Option<Value>,
    pub paused: bool,
    pub ended: Option<String>,
    pub ended_at: Option<i64>,
    pub rollback_mode: Option<String>,
    pub archive_choice: Option<String>,
    pub disposed: bool,
    pub rounds_without_gain: i64,
    pub spec_written: bool,
    pub spec_not_written: Option<String>,
}
