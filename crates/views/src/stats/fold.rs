//! The counting of one session: its log is folded as ever, and what passes by is counted on the way.

use std::collections::BTreeMap;

use gapless_domain::{DecidedBy, GapId, GapState, QuestionId, RetryReason, Role, TaskId};
use gapless_session::state::{Attempt, AttemptEnd, AttemptOutcome};
use gapless_session::{
    Event, Figures, GapEvent, Happening, IssueEvent, QuestionEvent, State, TaskEvent, apply,
};

use super::{QuestionRecord, Rounds, Stats};

impl Stats {
    /// What the session of this log comes to.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Event>) -> Self {
        let mut count = Count::default();
        for event in events {
            apply(&mut count.state, event);
            count.note(event);
        }
        count.finished()
    }
}

/// A session that is being counted.
#[derive(Default)]
struct Count {
    state: State,
    stats: Stats,
    begun: BTreeMap<TaskId, Begun>,
    /// Whose each task was, in undone rounds too.
    agents: BTreeMap<TaskId, String>,
    kinds: BTreeMap<QuestionId, &'static str>,
    /// Who wrote the proposal for a gap in a round, as the round was last run.
    authors: BTreeMap<(u32, GapId), String>,
}

/// What an attempt under way was begun for.
#[derive(Clone, Copy)]
struct Begun {
    retry: Option<RetryReason>,
    is_first: bool,
}

impl Count {
    fn note(&mut self, event: &Event) {
        match &event.what {
            Happening::Task(event) => self.note_task(event),
            Happening::Question(event) => self.note_question(event),
            Happening::Issue(IssueEvent::Flagged { flag, .. }) => {
                let record = self.stats.heuristics.entry(flag.heuristic).or_default();
                record.flags += 1;
            }
            Happening::Issue(IssueEvent::Raised { .. }) => self.note_raised(),
            Happening::Gap(GapEvent::Proposed { id, .. }) => self.note_proposal(id),
            _ => {}
        }
    }

    fn note_task(&mut self, event: &TaskEvent) {
        let ended = match event {
            TaskEvent::Started { task } => {
                self.agents.insert(task.id, task.agent.clone());
                self.note_start(task.id);
                return;
            }
            TaskEvent::UsageNoted { task, usage } => {
                if let Some(agent) = self.agents.get(task) {
                    let key = (task.slot.role, agent.clone());
                    self.stats.work.entry(key).or_default().usage.add(usage);
                }
                return;
            }
            TaskEvent::Validated { task, .. }
            | TaskEvent::Pressed { task, .. }
            | TaskEvent::Rejected { task, .. }
            | TaskEvent::Failed { task, .. }
            | TaskEvent::Exhausted { task, .. } => task,
            TaskEvent::Opened { .. }
            | TaskEvent::Woken { .. }
            | TaskEvent::BestTaken { .. }
            | TaskEvent::Granted { .. }
            | TaskEvent::Skipped { .. } => return,
        };
        let begun = self.begun.remove(ended);
        let mut attempts = self.state.now.round.attempts.iter().rev();
        let Some(attempt) = attempts.find(|attempt| attempt.task == *ended) else {
            return;
        };
        if let Some(end) = &attempt.finished {
            count_attempt(&mut self.stats, attempt, end, begun);
        }
    }

    fn note_start(&mut self, task: TaskId) {
        if let Some(slot) = self.state.now.round.slots.get(&task.slot) {
            let retry = slot.last_failure.as_ref().map(|failure| failure.reason());
            let is_first = retry.is_none() && slot.pressed.is_none();
            self.begun.insert(task, Begun { retry, is_first });
        }
    }

    fn note_question(&mut self, event: &QuestionEvent) {
        match event {
            QuestionEvent::Asked { question } => {
                let kind = question.about.kind();
                self.kinds.insert(question.id, kind);
                self.stats.questions.entry(kind).or_default().asked += 1;
            }
            QuestionEvent::Answered { id, answer, .. } => {
                if let Some(record) = self.question(id) {
                    match answer.by {
                        DecidedBy::User => record.by_user += 1,
                        DecidedBy::Policy => record.by_policy += 1,
                    }
                }
            }
            QuestionEvent::Withdrawn { id, .. } => {
                if let Some(record) = self.question(id) {
                    record.withdrawn += 1;
                }
            }
            QuestionEvent::Renewed { question } => {
                if let Some(record) = self.question(&question.id) {
                    record.withdrawn = record.withdrawn.saturating_sub(1);
                }
            }
        }
    }

    fn question(&mut self, id: &QuestionId) -> Option<&mut QuestionRecord> {
        let kind = *self.kinds.get(id)?;
        Some(self.stats.questions.entry(kind).or_default())
    }

    fn note_raised(&mut self) {
        let reviews = [Role::Reviewer, Role::FinalReviewer];
        if let Some(review) = self.taken(|attempt| reviews.contains(&attempt.task.slot.role)) {
            let key = (review.task.slot.role, review.agent.clone());
            self.stats.work.entry(key).or_default().issues += 1;
        }
    }

    fn note_proposal(&mut self, gap: &GapId) {
        let engineers = |attempt: &Attempt| attempt.task.slot.role == Role::Engineer;
        let author = self
            .taken(|attempt| engineers(attempt) && attempt.gaps.contains(gap))
            // A gap that was assigned late is in nobody's task.
            .or_else(|| self.taken(engineers));
        if let Some(agent) = author.map(|attempt| attempt.agent.clone()) {
            let round = self.state.now.round.number;
            self.authors.insert((round, gap.clone()), agent.clone());
            let key = (Role::Engineer, agent);
            self.stats.work.entry(key).or_default().proposals += 1;
        }
    }

    /// The last such attempt of the round whose document was taken.
    fn taken(&self, which: impl Fn(&Attempt) -> bool) -> Option<&Attempt> {
        let is_taken = |attempt: &&Attempt| {
            let end = attempt.finished.as_ref();
            attempt.taken_as_best || end.is_some_and(|end| end.outcome.is_valid())
        };
        let mut attempts = self.state.now.round.attempts.iter().rev();
        attempts.find(|attempt| is_taken(attempt) && which(attempt))
    }

    fn finished(self) -> Stats {
        let Self {
            state,
            mut stats,
            authors,
            ..
        } = self;
        if !state.is_started() {
            return stats;
        }
        let figures = Figures::of(&state);
        stats.sessions = 1;
        stats.gaps = figures.states;
        stats.time = figures.time;
        stats.usage = figures.usage;
        let end = state.kept.ended.map(|(end, _)| (end, 1));
        stats.ends.extend(end);
        stats
            .by_rules
            .extend(end.filter(|_| state.is_ended_by_rules()));
        stats.examples.clone_from(&state.kept.examples);
        stats.rounds = rounds(&state);
        for (heuristic, judged) in &state.kept.judged {
            stats.heuristics.entry(*heuristic).or_default().judged = *judged;
        }
        for question in state.now.questions.values() {
            let record = stats.questions.entry(question.about.kind()).or_default();
            record.waiting += 1;
        }
        for rollback in &state.kept.rollbacks {
            let count = stats.rollbacks.entry(rollback.trigger).or_default();
            count.rollbacks += 1;
            count.unasked += u32::from(rollback.unasked);
            count.rounds += rollback.rounds_undone();
        }
        let accepted = [GapState::Accepted, GapState::Resolved].into_iter();
        for gap in accepted.flat_map(|accepted| state.now.gaps_in(accepted)) {
            let round = gap.proposal.as_ref().map(|proposal| proposal.round);
            let author = round.and_then(|round| authors.get(&(round, gap.id.clone())));
            if let Some(agent) = author {
                let key = (Role::Engineer, agent.clone());
                stats.work.entry(key).or_default().accepted += 1;
            }
        }
        stats
    }
}

fn count_attempt(stats: &mut Stats, attempt: &Attempt, end: &AttemptEnd, begun: Option<Begun>) {
    let key = (attempt.task.slot.role, attempt.agent.clone());
    let work = stats.work.entry(key).or_default();
    work.attempts += 1;
    work.usage.add(&end.usage);
    match end.outcome {
        AttemptOutcome::Valid | AttemptOutcome::Pressed => work.valid += 1,
        AttemptOutcome::Invalid(_) => work.invalid += 1,
        AttemptOutcome::CouldNotRun => work.could_not_run += 1,
    }
    if begun.is_some_and(|begun| begun.is_first) && end.outcome != AttemptOutcome::CouldNotRun {
        work.first_tries += 1;
        work.first_valid += u32::from(end.outcome.is_valid());
    }
    if let AttemptOutcome::Invalid(failure) = end.outcome {
        let reason = RetryReason::of(failure, end.cause);
        stats.failures.entry(reason).or_default().outputs += 1;
    }
    if let Some(reason) = begun.and_then(|begun| begun.retry) {
        let record = stats.failures.entry(reason).or_default();
        record.retries.count(end.outcome);
    }
}

fn rounds(state: &State) -> Rounds {
    let length = |list: &[_]| u32::try_from(list.len()).unwrap_or(u32::MAX);
    let rollbacks = state.kept.rollbacks.iter();
    let undone = rollbacks.filter(|rollback| !rollback.taken_back);
    let mut rounds = Rounds {
        undone: undone.map(|rollback| rollback.rounds_undone()).sum(),
        ..Rounds::default()
    };
    for record in &state.now.history {
        rounds.standing += 1;
        *rounds.verdicts.entry(record.verdict()).or_default() += 1;
        rounds.resolved += length(&record.tally.resolved);
        rounds.created += length(&record.tally.created);
        rounds.reopened += length(&record.tally.reopened);
    }
    rounds
}
