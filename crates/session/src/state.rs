//! The state of a session: `now` is what a rollback undoes, `kept` is what it keeps, `checkpoints` are the bounded
//! clones of `now` that it restores. Maps share structure, so that a clone costs little however long the session is.

mod attempt;
mod chapters;
mod owners;
mod reviewing;
mod rollbacks;
mod slot;
mod undo;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};

use crate::event::{NotEdited, SetAside, Setup, Taken};
use crate::rollback_record::{RollbackRecord, UndoneDecision};
use crate::shared::{Decisions, SharedMap, Written};
use gapless_detection::disagreement::Judged;
use gapless_domain::archives::{ArchiveChoice, Disposed};
use gapless_domain::config::Limits;
use gapless_domain::convergence::{Convergence, ConvergenceState, Signal, Tally};
use gapless_domain::decision::{Decision, DecisionState};
use gapless_domain::delivery::Delivered;
use gapless_domain::edit::{Edit, MadeFrom};
use gapless_domain::example_use::Tier;
use gapless_domain::failing;
use gapless_domain::flag::Heuristic;
use gapless_domain::gap::{Gap, GapState};
use gapless_domain::ids::{DecisionId, GapId, IssueId, QuestionId};
use gapless_domain::issue::{Issue, IssueState};
use gapless_domain::ownership::Ownership;
use gapless_domain::phase::{End, Phase, Place, RoundPhase, Trigger};
use gapless_domain::question::{Holds, Question, conflict, contradiction, defaults};
use gapless_domain::rollback::RollbackMode;
use gapless_domain::severity::Severity;
use gapless_domain::slot::SlotState;
use gapless_domain::task::{Role, SlotId, Usage};
use gapless_domain::text::TextHash;
use gapless_domain::time::Time;
use gapless_reading::definitions::Clash;

pub use attempt::{Attempt, AttemptEnd, AttemptOutcome, RetryRecord};
pub use chapters::Chapter;
pub use reviewing::BY_RULES;
pub use slot::{LastFailure, Slot, ValidOutput};
pub use undo::{UNDO_STEPS, UndoPoint};

/// A session, as its events made it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    pub now: Now,
    pub kept: Kept,
    pub checkpoints: Vec<Checkpoint>,
    /// What can be taken back, the newest last.
    pub undo: Vector<UndoPoint>,
}

/// The state after a round, as a rollback restores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub after_round: u32,
    pub now: Arc<Now>,
}

/// What a rollback undoes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Now {
    pub phase: Phase,
    pub round: Round,
    pub gaps: SharedMap<GapId, Gap>,
    pub issues: SharedMap<IssueId, Issue>,
    /// The issues on each gap that were ever flagged.
    pub flagged: OrdMap<GapId, OrdSet<IssueId>>,
    /// Questions that wait for an answer.
    pub questions: SharedMap<QuestionId, Question>,
    pub decisions: Decisions,
    /// Issues whose settling the user upheld against the Reviewer, and at which severity.
    pub upheld: OrdMap<IssueId, Severity>,
    pub convergence: Convergence,
    /// One record per round that was accounted for.
    pub history: Vector<Arc<RoundRecord>>,
    /// The next plan takes only these.
    pub narrowed_to: Vec<GapId>,
    /// The next plan takes others than these.
    pub left_out: Vec<GapId>,
    /// What the next round takes as its Engineer's document, as far as it goes.
    pub forced: Option<TextHash>,
    /// Sections of the refined spec as the Editor made them, by their lines in the source.
    pub edits: OrdMap<u32, Edit>,
    /// Sections that the Editor was found wanting in, with what it was given then: it is not asked the same again.
    pub unedited: OrdMap<u32, MadeFrom>,
    /// What became of the attempts of each role in its last two rounds.
    pub failing: BTreeMap<Role, failing::Record>,
    /// The user confirmed the inventory.
    pub inventory_confirmed: bool,
    /// What was open when the first round began: quarters by severity, gravest first.
    pub initial_open: [u64; 4],
    /// How often a gap was accepted.
    pub acceptances: u32,
    /// The agents whose reviews were taken.
    pub reviewers: OrdSet<String>,
}

/// The round that is under way; number 0 is discovery.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Round {
    pub number: u32,
    pub phase: RoundPhase,
    pub assigned: Vec<GapId>,
    pub to_review: Vec<GapId>,
    pub slots: SharedMap<SlotId, Slot>,
    pub engineer: Option<TextHash>,
    /// CRITICAL and HIGH issues that were due, and issues that the Engineers disagree with.
    pub due: Vec<IssueId>,
    pub disagreed: Vec<IssueId>,
    /// Issues that were flagged in this round.
    pub flagged: BTreeSet<IssueId>,
    /// Issues whose answer in what the Engineers wrote last is flagged.
    pub doubted: BTreeSet<IssueId>,
    /// Issues on whose flags the user was asked in this round.
    pub asked_about: BTreeSet<IssueId>,
    /// Issues that the Engineers are to be asked about again, and those that they were.
    pub to_ask_again: BTreeSet<IssueId>,
    pub asked_again: BTreeSet<IssueId>,
    /// What is asked again may be answered with an open DISAGREE.
    pub wants_disagreement: bool,
    /// The user said how to go on with so many disagreements.
    pub rate_settled: bool,
    /// Keys that parallel proposals define differently.
    pub clashes: Vec<Clash>,
    pub reviewer: Option<TextHash>,
    pub settled: bool,
    pub tally: Tally,
    pub accounted: bool,
    /// The newest of the Editor's slots whose outcome was taken.
    pub edited: Option<u32>,
    /// What the Editor wrote, where any of it was taken, and what was not.
    pub editor: Option<TextHash>,
    pub not_edited: Vec<NotEdited>,
    pub final_reviewed: Option<bool>,
    pub final_review: Option<TextHash>,
    /// What the final review called blocking although the user had settled it.
    pub set_aside: Vec<SetAside>,
    /// What the user chose in this round on the work of each role.
    pub taken: BTreeSet<(Role, Taken)>,
    pub attempts: Vec<Attempt>,
    /// The user said what becomes of a round in which neither role produced anything.
    pub emptiness_settled: bool,
    /// Gaps whose question on a missing input was asked in this round.
    pub blocked: Vec<GapId>,
    /// Questions that were withdrawn because what they list has changed, until the phase asks them again or goes on.
    pub to_renew: BTreeMap<QuestionId, Question>,
}

/// What is left of a round once it is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRecord {
    pub round: u32,
    pub tally: Tally,
    pub weighted_net: i64,
    pub unweighted_net: i64,
    pub convergence: Convergence,
    pub open_quarters: u64,
    /// The same by severity, gravest first.
    pub open_by_severity: [u64; 4],
    pub engineer: Option<TextHash>,
    pub reviewer: Option<TextHash>,
    /// How many grave issues were due in it, and with how many of them the Engineers disagreed.
    pub due: u32,
    pub disagreed: u32,
    pub signal: Signal,
    pub at: Time,
    /// Its line in status.md.
    pub line: Written,
}

impl RoundRecord {
    /// The verdict on the round in a word, for scripts; a round that was not judged has none of its own.
    pub fn state_name(&self) -> &'static str {
        match self.signal {
            Signal::NotJudged => NOT_JUDGED,
            _ => self.convergence.state.name(),
        }
    }

    /// The verdict on the round, as every view words it.
    pub fn verdict(&self) -> &'static str {
        verdict_words(self.signal, &self.convergence)
    }
}

/// A round's verdict in a word; one that was not judged says so and not what was before it.
pub fn verdict_words(signal: Signal, convergence: &Convergence) -> &'static str {
    match signal {
        Signal::NotJudged => "not judged",
        _ => convergence.state.name(),
    }
}

/// Whether the session gets nearer to its end, as every view says it. Where no round was judged, nothing says that it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rounds that were judged on a review.
    pub judged_rounds: u32,
    convergence: Convergence,
    /// What is said behind "not judged".
    why_not_judged: &'static str,
}

/// The state of a round or a session that was not judged, for scripts.
pub const NOT_JUDGED: &str = "NOT_JUDGED";

impl Progress {
    /// The verdict of the last judged round; none where there is no such round, unless a warning waits.
    pub fn verdict(&self) -> Option<Convergence> {
        let warned = self.convergence.state == ConvergenceState::DivergenceWarning;
        (self.judged_rounds > 0 || warned).then_some(self.convergence)
    }

    /// Consecutive rounds without gain, of those that were judged.
    pub fn flat_count(&self) -> u32 {
        self.convergence.flat_count
    }

    /// The state in a word, for scripts: that of the verdict, or `NOT_JUDGED`.
    pub fn name(&self) -> &'static str {
        self.verdict()
            .map_or(NOT_JUDGED, |verdict| verdict.state.name())
    }
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.verdict() {
            Some(verdict) => verdict.fmt(f),
            None => write!(f, "not judged{}", self.why_not_judged),
        }
    }
}

/// What a rollback keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    pub origin: Option<SessionOrigin>,
    pub setup: Setup,
    pub limits: Option<Limits>,
    /// The round limit before it was extended or changed.
    pub first_max_rounds: Option<u32>,
    pub initial_gaps: u32,
    pub paused: bool,
    /// The newest content of the source file that was reported as changed.
    pub source_seen: Option<TextHash>,
    pub ended: Option<(End, Trigger)>,
    pub ended_at: Option<Time>,
    /// The chapters before the one under way, in which the session ended.
    pub chapters: Vector<Chapter>,
    pub active: ActiveTime,
    /// What came of writing the refined spec where the user wants it.
    pub delivered: Option<Delivered>,
    /// The refined spec that was written last: where the file still has it, it needs no copy.
    pub last_written: Option<TextHash>,
    /// Counts rollbacks; part of every task id.
    pub epoch: u32,
    /// Whose a gap is and when it is due, where the user said so. It organises the work of people: a rollback leaves it.
    pub ownership: OrdMap<GapId, Ownership>,
    pub used_gap_ids: OrdSet<GapId>,
    pub used_issue_ids: OrdSet<IssueId>,
    pub decision_numbers: OrdMap<u32, u16>,
    /// Rounds in a row that brought no gain, since the user last answered anything.
    pub rounds_without_gain: u32,
    pub questions_asked: u32,
    /// What became of questions that are no longer pending.
    pub question_fates: OrdMap<QuestionId, QuestionFate>,
    pub gaps_created: u32,
    pub rollbacks: Vector<RollbackRecord>,
    /// The mode that the user set while the session was under way.
    pub rollback_mode: Option<RollbackMode>,
    /// What becomes of the archives of the ended session, and what became of them.
    pub archive_choice: Option<ArchiveChoice>,
    pub disposed: Option<Disposed>,
    /// Decisions of undone rounds, in the order in which they were undone.
    pub undone_decisions: Vector<UndoneDecision>,
    pub usage: BTreeMap<Role, Usage>,
    /// How the user judged flags, by heuristic.
    pub judged: BTreeMap<Heuristic, Judged>,
    /// What became of retries with an example, by its tier.
    pub examples: BTreeMap<Tier, RetryRecord>,
    /// The time of the newest event: time never goes backwards in a session.
    pub clock: Time,
    /// How many events made this state.
    pub events: u64,
}

/// How long agents were at work: what ran side by side counts once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActiveTime {
    pub millis: u64,
    /// No task that is under way began before this.
    pub counted_until: Time,
    /// What was counted since, as stretches apart from each other.
    pub stretches: Vec<(Time, Time)>,
}

/// What a session was started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOrigin {
    pub name: String,
    pub source_path: String,
    pub source: TextHash,
    pub seed: u64,
    pub at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionFate {
    Answered,
    Withdrawn(String),
}

impl State {
    pub fn is_started(&self) -> bool {
        self.kept.origin.is_some()
    }

    /// True where a call for a task was interrupted before.
    pub fn was_interrupted(&self, task: &gapless_domain::task::Task) -> bool {
        let mut attempts = self.now.round.attempts.iter().rev();
        let attempt = attempts.find(|attempt| attempt.task == task.id);
        attempt.is_some_and(|attempt| attempt.interrupted.is_some())
    }

    /// The tasks that should be under way.
    pub fn running(&self) -> impl Iterator<Item = &gapless_domain::task::Task> {
        self.now
            .round
            .slots
            .values()
            .filter(|slot| slot.state == SlotState::Running)
            .filter_map(|slot| slot.task.as_ref())
    }
}

/// Where a role's document stands in the session folder.
pub fn document_path(role: Role, round: u32) -> String {
    match role {
        Role::FinalReviewer => format!("round_{round:03}/final_review.md"),
        _ => format!("round_{round:03}/{}.md", role.stem()),
    }
}

impl Now {
    /// The place of the next gap that is accepted, among all that were.
    pub(crate) fn next_acceptance(&mut self) -> u32 {
        self.acceptances = self.acceptances.saturating_add(1);
        self.acceptances
    }

    /// The phases of the session and of its round.
    pub fn place(&self) -> Place {
        Place {
            session: self.phase,
            round: self.round.phase,
        }
    }

    /// True where a review of this round named a gap.
    pub fn reviewed_in(&self, round: u32) -> bool {
        let mut gaps = self.gaps.values();
        gaps.any(|gap| gap.reviewed_in == Some(round))
    }

    /// The verdict on the session: that of the last round that was judged.
    pub fn progress(&self) -> Progress {
        // A warning needs no review; that the session gets nearer to its end does.
        let judged = |record: &&Arc<RoundRecord>| {
            record.signal != Signal::NotJudged && !record.tally.nothing_reviewed
        };
        let judged_rounds = self.history.iter().filter(judged).count();
        Progress {
            judged_rounds: u32::try_from(judged_rounds).unwrap_or(u32::MAX),
            convergence: self.convergence,
            why_not_judged: match self.history.iter().any(|record| record.reviewer.is_some()) {
                _ if self.history.is_empty() => " yet",
                true => ": a role was skipped in every round",
                false => ": nothing was reviewed",
            },
        }
    }

    /// The open count in quarters, as section 4 of the rules counts it.
    pub fn open_quarters(&self) -> u64 {
        self.gaps
            .values()
            .map(|gap| gap.state.open_quarters())
            .sum()
    }

    /// The open count by severity, gravest first.
    pub fn open_by_severity(&self) -> [u64; 4] {
        Severity::GRAVEST_FIRST.map(|severity| {
            let gaps = self.gaps.values().filter(|gap| gap.severity == severity);
            gaps.map(|gap| gap.state.open_quarters()).sum()
        })
    }

    /// How many gaps are open or parked.
    pub fn gaps_left(&self) -> u32 {
        let left = self
            .gaps
            .values()
            .filter(|gap| !gap.state.is_closed())
            .count();
        u32::try_from(left).unwrap_or(u32::MAX)
    }

    pub fn gaps_in(&self, state: GapState) -> impl Iterator<Item = &Gap> {
        self.gaps.values().filter(move |gap| gap.state == state)
    }

    /// True where a CRITICAL or HIGH issue on the gap stands, a decision on it is not carried out, or its proposal may
    /// contradict one.
    pub fn is_held(&self, gap: &Gap) -> bool {
        !gap.obligations.is_empty()
            || self.holding_issues(gap).next().is_some()
            || self.is_contradicting(&gap.id, None)
    }

    /// True where the user was asked whether the proposal of a gap contradicts a decision: this one, or any.
    pub fn is_contradicting(&self, id: &GapId, which: Option<&DecisionId>) -> bool {
        let asks = |question: &Question| {
            let subject = contradiction::Subject::of(&question.about);
            subject.is_some_and(|subject| {
                subject.gap == *id && which.is_none_or(|which| *which == subject.decision)
            })
        };
        self.questions.values().any(asks)
    }

    pub fn holding_issues<'s>(&'s self, gap: &'s Gap) -> impl Iterator<Item = &'s Issue> {
        gap.standing_issues
            .iter()
            .filter_map(|id| self.issues.get(id))
            .filter(|issue| issue.holds_gap())
    }

    /// The holding issues that a proposal can answer.
    pub fn issues_to_answer<'s>(&'s self, gap: &'s Gap) -> impl Iterator<Item = &'s Issue> {
        self.holding_issues(gap)
            .filter(|issue| !issue.concern.settled_by_user)
    }

    pub fn standing_issues<'s>(&'s self, gap: &'s Gap) -> impl Iterator<Item = &'s Issue> {
        gap.standing_issues
            .iter()
            .filter_map(|id| self.issues.get(id))
    }

    /// True where the issue was decided, and no reviewed proposal for the gap has carried that out yet.
    pub fn is_to_carry_out(&self, gap: &Gap, issue: &Issue) -> bool {
        let mut owed = gap.obligations.iter().filter_map(|id| self.decision(id));
        owed.any(|decision| decision.issue == Some(issue.id))
    }

    /// The gaps on which a decision on this issue is still to be carried out.
    pub fn gaps_owing(&self, issue: &IssueId) -> Vec<GapId> {
        let owes = |gap: &&Gap| {
            let mut owed = gap.obligations.iter().filter_map(|id| self.decision(id));
            !gap.state.is_closed() && owed.any(|decision| decision.issue == Some(*issue))
        };
        let owing = self.gaps.values().filter(owes);
        owing.map(|gap| gap.id.clone()).collect()
    }

    /// The round of the newest decision on this issue that is still to be carried out.
    pub fn owed_since(&self, issue: &IssueId) -> Option<u32> {
        let on_issue = self.decisions.on_issue(issue);
        let on_issue = on_issue.filter(|decision| self.is_owed(decision));
        on_issue.map(|decision| decision.id.round).max()
    }

    /// True where an Engineer has to meet it: it stands, or was decided and is to be carried out.
    pub fn is_to_be_met(&self, issue: &IssueId) -> bool {
        let stands = |issue: &Issue| issue.state.stands();
        self.issues.get(issue).is_some_and(stands) || !self.gaps_owing(issue).is_empty()
    }

    /// True where agents settled it: its answer was let pass by a review, or a reviewed proposal carried the decision out.
    pub fn is_settled_by_agents(&self, issue: &IssueId) -> bool {
        let issue = self.issues.get(issue);
        issue.is_some_and(|issue| match issue.state {
            IssueState::Closed => true,
            IssueState::Decided => self.decisions.on_issue(&issue.id).any(|d| d.obliges),
            _ => false,
        })
    }

    pub fn decision_state(&self, decision: &Decision) -> DecisionState {
        match decision.lifted {
            Some(_) => DecisionState::Lifted,
            None if self.is_owed(decision) => DecisionState::ToCarryOut,
            None => DecisionState::InForce,
        }
    }

    /// True where a proposal must still carry it out; what a split gap owes, its parts do.
    pub fn is_owed(&self, decision: &Decision) -> bool {
        let owes =
            |gap: &Gap| gap.state != GapState::Superseded && gap.obligations.contains(&decision.id);
        decision.obliges && self.gaps.values().any(owes)
    }

    pub fn decision(&self, id: &DecisionId) -> Option<&Decision> {
        self.decisions.get(id)
    }

    /// True for an issue that is open or answered.
    pub fn stands(&self, id: &IssueId) -> bool {
        let issue = self.issues.get(id);
        issue.is_some_and(|issue| issue.state.stands())
    }

    /// True for an issue on a gap that the user closed.
    pub fn is_on_closed_gap(&self, id: &IssueId) -> bool {
        let gap = self
            .issues
            .get(id)
            .and_then(|issue| self.gaps.get(&issue.gap));
        gap.is_some_and(|gap| gap.state == GapState::WontFix)
    }

    /// The questions that wait, in the order in which they are put: severity, and conflicts by round and number.
    pub fn queue(&self) -> Vec<&Question> {
        let mut queue: Vec<&Question> = self.questions.values().collect();
        queue.sort_by_key(|question| {
            let conflict = question.about.conflicts().first();
            let place = (conflict.is_none(), conflict);
            (std::cmp::Reverse(question.severity), place, question.id)
        });
        queue
    }

    /// Unanswered conflicts of at least this severity.
    pub fn conflicts(&self, least: Severity) -> impl Iterator<Item = (&Question, IssueId)> {
        self.questions
            .values()
            .filter(move |question| self.severity_of_conflict(question) >= Some(least))
            .filter_map(|question| {
                let subject = conflict::Subject::of(&question.about)?;
                Some((question, subject.issue))
            })
    }

    /// The severity of a conflict: that of its issue, which may have been raised since it was asked.
    pub fn severity_of_conflict(&self, question: &Question) -> Option<Severity> {
        let subject = conflict::Subject::of(&question.about)?;
        let issue = self.issues.get(&subject.issue);
        question
            .severity
            .max(issue.map(|issue| issue.concern.severity))
    }

    /// Gaps that an unanswered question keeps out of the plan.
    pub fn gap_is_in_question(&self, gap: &GapId) -> bool {
        let conflict = |question: &Question| {
            let subject = conflict::Subject::of(&question.about);
            let subject = subject.filter(|_| question.holds != Holds::Nothing);
            let gap = self.gaps.get(gap);
            subject
                .zip(gap)
                .is_some_and(|(subject, gap)| gap.standing_issues.contains(&subject.issue))
        };
        self.questions.values().any(conflict)
            || self.is_contradicting(gap, None)
            || self.gap_awaits_word(gap)
    }

    /// Gaps with a proposal that only the user's word accepts, which was asked for.
    pub fn gap_awaits_word(&self, gap: &GapId) -> bool {
        let Some(gap) = self.gaps.get(gap) else {
            return false;
        };
        let asks = |question: &Question| {
            let subject = defaults::Subject::of(&question.about);
            let mut issues = subject.into_iter().flat_map(|subject| &subject.issues);
            issues.any(|issue| gap.standing_issues.contains(issue))
        };
        self.questions.values().any(asks)
    }
}
