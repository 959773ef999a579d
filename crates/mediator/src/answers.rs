//! Finds the question of an answer and has its kind carry the answer out. What several kinds do is here too: giving input,
//! deferring a gap, setting a severity, pausing. A refused answer changes nothing.

use super::outcome::given_reason;
use super::{Refusal, Result, Step, Turn, next};
use gapless_domain::question::{blocked_gap, severity};
use gapless_domain::{
    About, Answer, DecidedBy, DecisionKind, End, GapId, GapMove, GapState, Phase, Question,
    QuestionId, Role, RoundPhase, Severity, Trigger,
};
use gapless_session::state::QuestionFate;
use gapless_session::{Event, GapEvent, Happening, SessionEvent};

impl Turn<'_> {
    pub(super) fn take_answer(&mut self, id: QuestionId, answer: Answer) -> Result<()> {
        let question = self.pending(id, &answer)?;
        question.check(&answer)?;
        self.filled_in_by.clone_from(&answer.filled_in_by);
        self.carry_out(&question, &answer)?;
        // What is asked beside it and lists the inventory must not be answered for another one.
        let changed = |event: &Event| {
            matches!(
                event.what,
                Happening::Gap(_) | Happening::Issue(_) | Happening::Decision(_)
            )
        };
        if !matches!(question.about, About::Stop { .. }) && self.events.iter().any(changed) {
            self.renew_inventory_questions()?;
        }
        Ok(())
    }

    /// The id of the question that an answer is to, where one waits for it.
    pub(super) fn asked(&self, id: QuestionId, answer: &Answer) -> Option<QuestionId> {
        let pending = self.pending(id, answer).ok();
        pending.map(|question| question.id)
    }

    /// The question that an answer is to. One that was asked in the place of another takes its answers as well, but for
    /// those that accept what only the old one listed.
    fn pending(&self, id: QuestionId, answer: &Answer) -> Result<Question> {
        let questions = &self.state.now.questions;
        if let Some(question) = questions.get(&id) {
            return Ok(question.clone());
        }
        // The phase that is to ask it again waits for another answer, or is paused: it means what it meant.
        let to_renew = self.state.now.round.to_renew.get(&id);
        if let Some(question) = to_renew.filter(|_| next(&self.state) != Step::Advance) {
            return Ok(question.clone());
        }
        let by = questions.values().find(|by| by.replaces.contains(&id));
        match by {
            Some(by) if by.about.accepts_what_it_lists(&answer.option) => {
                return Err(Refusal::Replaced {
                    question: id,
                    by: by.id,
                });
            }
            Some(by) => return Ok(by.clone()),
            None => {}
        }
        Err(match self.state.kept.question_fates.get(&id) {
            Some(QuestionFate::Answered) => Refusal::AlreadyAnswered(id),
            Some(QuestionFate::Withdrawn(why)) => Refusal::Withdrawn {
                question: id,
                why: why.clone(),
            },
            None => Refusal::UnknownQuestion(id),
        })
    }

    /// Rests; the phase that asked asks again.
    pub(super) fn pause(&mut self) -> Result<()> {
        if self.state.kept.paused {
            return Err(Refusal::AlreadyPaused);
        }
        self.session(SessionEvent::Paused {});
        Ok(())
    }

    /// Rests over a question that no phase asks by itself: it stays.
    pub(super) fn pause_over(&mut self, question: &Question) -> Result<()> {
        self.pause()?;
        self.ask(Question {
            id: self.state.next_question(),
            ..question.clone()
        });
        Ok(())
    }

    pub(super) fn abandon(&mut self) -> Result<()> {
        self.end(End::Abandoned, Trigger::Abandoned)
    }

    /// The user gives a role to another agent, from now on.
    pub(super) fn give_role_to(&mut self, role: Role, agent: String) {
        self.session(SessionEvent::AgentChanged {
            role,
            agent,
            instead_of: None,
        });
    }

    /// Takes a gap into the Engineering that is under way, in a slot of its own.
    pub(super) fn assign_in_round(&mut self, gap: &GapId) -> Result<()> {
        self.move_gap(gap, GapMove::Assign, None)?;
        self.open_slot(Role::Engineer, vec![gap.clone()]);
        Ok(())
    }

    /// The input becomes a decision, and the gap is open again; in its own round it is run once more.
    pub(super) fn give_input(&mut self, gap: &GapId, input: &str, by: DecidedBy) -> Result<()> {
        let input = given_reason(input)?;
        self.move_gap(gap, GapMove::GiveInput, None)?;
        self.decide(self.decision_on_gap(
            DecisionKind::Input,
            gap,
            format!("Input for {gap}"),
            input.to_owned(),
            by,
        ));
        self.withdraw_unblocked("the input was given");
        let round = &self.state.now.round;
        let asked = round
            .blocked
            .iter()
            .filter(|blocked| *blocked == gap)
            .count();
        if self.state.now.phase == Phase::Round
            && round.phase == RoundPhase::Engineering
            && asked == 1
        {
            self.assign_in_round(gap)?;
        }
        Ok(())
    }

    /// Withdraws the questions on blocked gaps that are not blocked any more.
    pub(super) fn withdraw_unblocked(&mut self, why: &str) {
        let gaps = self.state.now.gaps.clone();
        let is_blocked = |id: &GapId| gaps.has(id, |gap| gap.state == GapState::BlockedExternal);
        let is_over = |question: &Question| {
            let subject = blocked_gap::Subject::of(&question.about);
            subject.is_some_and(|subject| !is_blocked(&subject.gap))
        };
        self.withdraw_questions(is_over, why);
    }

    pub(super) fn defer(&mut self, gap: &GapId, reason: &str, by: DecidedBy) -> Result<()> {
        let reason = given_reason(reason)?;
        self.move_gap(gap, GapMove::Defer, Some(reason))?;
        let mut decision = self.decision_on_gap(
            DecisionKind::Deferral,
            gap,
            format!("{gap} is deferred"),
            format!("{gap} is put off; nothing is to be proposed for it."),
            by,
        );
        decision.rationale = reason.to_owned();
        self.decide(decision);
        self.withdraw_unblocked("the gap was deferred");
        self.withdraw_settled_defaults();
        self.skip_slots_without_gaps()
    }

    pub(super) fn defer_all(&mut self, gaps: &[GapId], reason: &str, by: DecidedBy) -> Result<()> {
        gaps.iter().try_for_each(|gap| self.defer(gap, reason, by))
    }

    pub(super) fn set_severity(
        &mut self,
        gap: &GapId,
        to: Severity,
        reason: &str,
        by: DecidedBy,
    ) -> Result<()> {
        let from = self.gap(gap)?.severity;
        self.change_severity(gap, to, true)?;
        let mut decision = self.decision_on_gap(
            DecisionKind::Severity,
            gap,
            format!("{gap} is {to}"),
            format!("{gap} has severity {to} (was {from})."),
            by,
        );
        decision.rationale = reason.trim().to_owned();
        decision.severity = Some(to);
        self.decide(decision);
        self.withdraw_severity_questions(gap, "the severity was set");
        Ok(())
    }

    /// Withdraws the questions on a gap's own severity.
    pub(super) fn withdraw_severity_questions(&mut self, gap: &GapId, why: &str) {
        let asks = |question: &Question| {
            let subject = severity::Subject::of(&question.about);
            subject.is_some_and(|subject| subject.gap == *gap && subject.issue.is_none())
        };
        self.withdraw_questions(asks, why);
    }

    /// Takes a severity that somebody other than the user gives a gap: a graver one counts, but for one that the user set.
    pub(super) fn find_graver(
        &mut self,
        id: &GapId,
        found: Option<Severity>,
        asked_anew: &str,
    ) -> Result<()> {
        let gap = self.gap(id)?;
        let (from, by_user) = (gap.severity, gap.severity_set_by_user);
        match found {
            Some(to) if to > from && by_user => {
                self.withdraw_severity_questions(id, asked_anew);
                self.ask(self.severity_question(id, from, to)?);
            }
            Some(to) if to > from => self.change_severity(id, to, false)?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn change_severity(
        &mut self,
        id: &GapId,
        to: Severity,
        by_user: bool,
    ) -> Result<()> {
        let from = self.gap(id)?.severity;
        self.emit(Happening::Gap(GapEvent::SeverityChanged {
            id: id.clone(),
            from,
            to,
            by_user,
        }));
        Ok(())
    }
}
