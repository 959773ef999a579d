//! Taking back what the user said last: an answer or a command, with all that followed on it.

use super::{Refusal, Result, Turn};
use crate::{GapCommand, IssueCommand, UserInput};
use gapless_domain::{DecidedBy, GapId};
use gapless_session::rollback_record::UndoneRound;
use gapless_session::state::{Round, UndoPoint};
use gapless_session::{Happening, RollbackEvent, SessionEvent};

impl UserInput {
    /// What is said, in words, where it can be taken back. Pausing and resuming are undone by each other, and where the refined
    /// spec is wanted can be said again at any time.
    fn words(&self) -> Option<String> {
        let on = |command: &str, gap: &GapId| format!("gap {command} {gap}");
        Some(match self {
            UserInput::Answer { question, answer } => {
                let by_user = answer.by == DecidedBy::User;
                return by_user.then(|| format!("{question} answered with {}", answer.option));
            }
            UserInput::Stop => "stop".to_owned(),
            UserInput::Abandon => "stop --abandon".to_owned(),
            UserInput::Reopen => "reopen".to_owned(),
            UserInput::Rollback { to: Some(to), .. } => format!("rollback --to {to}"),
            UserInput::Rollback { to: None, .. } => "rollback".to_owned(),
            UserInput::RollbackMode { mode } => format!("rollback --mode {mode}"),
            UserInput::Reapply { decision, .. } => format!("reapply {decision}"),
            UserInput::ChangeDecision { decision, .. } => format!("decisions change {decision}"),
            UserInput::Issue { command } => match command {
                IssueCommand::Waive { issue, .. } => format!("issue waive {issue}"),
                IssueCommand::Severity { issue, .. } => format!("issue severity {issue}"),
            },
            UserInput::Gap { command } => match command {
                GapCommand::Add { category, .. } => format!("gap add {category}"),
                GapCommand::Defer { gap, .. } => on("defer", gap),
                GapCommand::Resume { gap } => on("resume", gap),
                GapCommand::Close { gap, .. } => on("close", gap),
                GapCommand::Reopen { gap, .. } => on("reopen", gap),
                GapCommand::Confirm { gap } => on("confirm", gap),
                GapCommand::Split { gap, .. } => on("split", gap),
                GapCommand::Severity { gap, .. } => on("severity", gap),
                GapCommand::Block { gap, .. } => on("block", gap),
                GapCommand::Unblock { gap, .. } => on("unblock", gap),
                GapCommand::Input { gap, .. } => on("input", gap),
                GapCommand::Assign { gap, .. } | GapCommand::Unassign { gap } => on("assign", gap),
            },
            UserInput::Pause | UserInput::Resume | UserInput::Deliver { .. } | UserInput::Undo => {
                return None;
            }
        })
    }
}

impl Turn<'_> {
    /// Notes what the user says, where it can be taken back.
    pub(super) fn note_said(&mut self, input: &UserInput) {
        // One that was asked in the place of another takes its answers as well.
        let asked = match input {
            UserInput::Answer { question, answer } => self.asked(*question, answer),
            _ => None,
        };
        let words = match (input, asked) {
            (UserInput::Answer { answer, .. }, Some(question)) => UserInput::Answer {
                question,
                answer: answer.clone(),
            }
            .words(),
            _ => input.words(),
        };
        if let Some(words) = words {
            self.session(SessionEvent::Said {
                words,
                answers: asked,
            });
        }
    }

    /// Puts the session back to where it was before the user's last answer or command. Rounds that something followed in are
    /// archived, as those of a rollback are.
    pub(super) fn take_back(&mut self) -> Result<()> {
        let point = self.state.undo.back().cloned();
        let point = point.ok_or(Refusal::NothingSaid)?;
        let config = point.config().clone();
        let from_round = self.state.now.round.number;
        let to_round = self.last_untouched(&point);
        let mut rounds = match from_round > to_round {
            true => self.undone_rounds(to_round)?,
            false => Vec::new(),
        };
        rounds.retain(|undone: &UndoneRound| undone.round > to_round);
        self.withdraw_questions(
            |question| !point.now.questions.contains_key(&question.id),
            &format!("`{}` was taken back", point.words),
        );
        self.emit(Happening::Rollback(RollbackEvent::TakenBack {
            said: point.event,
            words: point.words,
            from_round,
            to_round,
            rounds,
        }));
        // Limits that the session was run with since were said in no answer.
        if self.state.kept.ended.is_none() {
            self.renew_limits(&config);
        }
        Ok(())
    }

    /// The last round in which nothing followed on what was said.
    fn last_untouched(&self, point: &UndoPoint) -> u32 {
        let rollbacks = self
            .state
            .kept
            .rollbacks
            .iter()
            .skip(point.rollbacks_before());
        let gone_back_to = rollbacks.map(|rollback| rollback.to_round).min();
        let then = point.now.round.number;
        let last = gone_back_to.map_or(then, |to| to.min(then));
        let (before, now) = (&point.now.round, &self.state.now.round);
        // Of a round whose state is no longer kept, nobody knows: it is archived too.
        let is_same = last == then
            && match now.number > last {
                true => self.left(last).is_some_and(|left| !has_more(before, left)),
                false => !has_more(before, now),
            };
        match is_same {
            true => last,
            false if last == then => last.saturating_sub(1),
            false => last,
        }
    }

    /// A round as it was when the next one began, where that is kept.
    fn left(&self, round: u32) -> Option<&Round> {
        let mut points = self.state.checkpoints.iter();
        let point = points.find(|point| point.after_round == round)?;
        Some(&point.now.round)
    }
}

/// Whether a round has documents or attempts that it did not have before.
fn has_more(before: &Round, now: &Round) -> bool {
    let documents = |round: &Round| {
        (
            round.engineer,
            round.reviewer,
            round.editor,
            round.final_review,
        )
    };
    documents(before) != documents(now) || before.attempts.len() != now.attempts.len()
}
