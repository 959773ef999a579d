//! Owns what answers do. The answer was checked against its question; here it takes effect, or is refused with the reason
//! and nothing has changed.

use std::str::FromStr;

use super::turn::{NewDecision, Turn};
use super::{Refusal, Step, next};
use crate::plan::plan;
use crate::termination::Left;
use gapless_domain::convergence::{Signal, step};
use gapless_domain::decision::DecisionKind;
use gapless_domain::gap::{GapMove, GapState};
use gapless_domain::ids::{GapId, IdError, QuestionId};
use gapless_domain::phase::{End, Phase, RoundPhase, Trigger};
use gapless_domain::question::{
    About, Answer, AnswerError, DecidedBy, Question, agent_cannot_run, blocked_gap, broken_agent,
    conflict, contradiction, decided_matter, defaults, escalation, implicit_disagreement,
    lesser_conflicts, rollback, severity, stop, systematic_concern, undone_decisions,
};
use gapless_domain::rollback::RollbackTrigger;
use gapless_domain::severity::{NotASeverity, Severity};
use gapless_domain::slot::{Exhaustion, SlotState};
use gapless_domain::task::{Role, SlotId};
use gapless_session::event::{Event, GapEvent, Happening, QuestionEvent, RoundEvent, SessionEvent};
use gapless_session::state::QuestionFate;

impl Turn<'_> {
    pub(super) fn take_answer(&mut self, id: QuestionId, answer: Answer) -> Result<(), Refusal> {
        let question = self.pending(id, &answer)?;
        let id = question.id;
        question.check(&answer)?;
        self.emit(Happening::Question(QuestionEvent::Answered {
            id,
            answer: answer.clone(),
        }));
        match (&question.about, answer.option.as_str()) {
            (_, "pause") => self.pause_over(&question)?,
            (_, "abandon") => self.end(End::Abandoned, Trigger::Abandoned)?,
            (About::Inventory(_), "change") => self.change_inventory(&answer)?,
            (About::Inventory(_), _) => {}
            (About::BlockedGap(blocked_gap::Subject { gap }), _) => {
                self.answer_blocked_gap(gap, &answer)?
            }
            (About::Escalation(escalation::Subject { slot }), _) => {
                self.answer_escalation(*slot, &answer)?
            }
            (About::AgentCannotRun(agent_cannot_run::Subject { slot }), _) => {
                self.answer_agent_cannot_run(*slot, &answer)?
            }
            (About::BrokenAgent(broken_agent::Subject { slot }), _) => {
                self.answer_broken_agent(slot.role, &answer)?
            }
            (About::BothEmpty { .. }, _) => self.answer_both_empty(&answer)?,
            (About::Conflict(conflict::Subject { issue }), _) => {
                self.answer_conflict(issue, &answer)?
            }
            (About::ImplicitDisagreement(implicit_disagreement::Subject { issue }), _) => {
                self.answer_flag(issue, &answer)?
            }
            (About::SystematicConcern(systematic_concern::Subject { issues }), _) => {
                self.answer_systematic(issues, &answer)?
            }
            (About::DecidedMatter(decided_matter::Subject { issue, raised }), _) => {
                self.answer_decided_matter(issue, raised, &answer)?;
            }
            (About::Contradiction(contradiction::Subject { gap, decision }), _) => {
                self.answer_contradiction(gap, decision, &answer)?;
            }
            (About::RateLimit { .. }, _) => self.answer_rate_limit(&answer)?,
            (About::LesserConflicts(lesser_conflicts::Subject { issues }), _) => {
                self.answer_lesser_conflicts(issues, &answer)?;
            }
            (
                About::Severity(severity::Subject {
                    gap,
                    issue,
                    raise_to,
                }),
                "raise",
            ) => {
                let (to, why, by) = (*raise_to, "the Reviewer's raise was taken", answer.by);
                match issue {
                    Some(issue) => self.set_issue_severity(issue, to, why, by)?,
                    None => self.set_severity(gap, to, why, by)?,
                }
            }
            (About::Severity { .. }, _) => {}
            (About::Defaults(defaults::Subject { group, issues }), _) => {
                self.answer_defaults(group, issues, &answer)?;
            }
            (About::Divergence { .. }, _) => self.answer_divergence(&answer)?,
            (About::NothingToPlan { .. }, _) => self.answer_nothing_to_plan(&answer)?,
            (About::RoundLimit { .. }, _) => self.answer_round_limit(&answer)?,
            (About::Stop(stop::Subject { end, trigger }), _) => {
                self.answer_stop(*end, *trigger, &answer)?
            }
            (About::Rollback(rollback::Subject { trigger, .. }), _) => {
                self.answer_rollback(*trigger, &answer)?
            }
            (About::RootCause { .. }, _) => self.answer_root_cause(&answer)?,
            (About::Archives(_), option) => self.choose_archives(option),
            (About::RollbackLimit { .. }, _) => self.answer_rollback_limit(&answer)?,
            (About::UndoneDecisions(undone_decisions::Subject { decisions }), _) => {
                self.answer_undone_decisions(decisions, &answer)?;
            }
        }
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

    /// The question that an answer is to. One that was asked in the place of another takes its answers as well, but for
    /// those that accept what only the old one listed.
    fn pending(&self, id: QuestionId, answer: &Answer) -> Result<Question, Refusal> {
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

    /// Reads gap ids out of a field; every one must be known.
    pub(super) fn gaps_of(&self, answer: &Answer, name: &str) -> Result<Vec<GapId>, Refusal> {
        let bad = |why: String| {
            Refusal::Answer(AnswerError::BadField {
                field: name.to_owned(),
                why,
            })
        };
        let mut gaps = Vec::new();
        for word in answer
            .field(name)
            .split([',', ' '])
            .filter(|word| !word.is_empty())
        {
            let id: GapId = word
                .parse()
                .map_err(|error: IdError| bad(error.to_string()))?;
            self.gap(&id)?;
            if !gaps.contains(&id) {
                gaps.push(id);
            }
        }
        if gaps.is_empty() {
            return Err(bad("names no gap".to_owned()));
        }
        Ok(gaps)
    }

    fn answer_blocked_gap(&mut self, gap: &GapId, answer: &Answer) -> Result<(), Refusal> {
        match answer.option.as_str() {
            "input" => self.give_input(gap, answer.field("input"), answer.by),
            "defer" => self.defer(gap, answer.field("reason"), answer.by),
            "another" => {
                // The plan of this moment, as if the round were only now planned, gives the next in line.
                if self.state.now.round.phase == RoundPhase::Engineering
                    && let Some(next) = plan(&self.state).assigned().into_iter().next()
                {
                    self.assign_in_round(&next)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes a gap into the Engineering that is under way, in a slot of its own.
    fn assign_in_round(&mut self, gap: &GapId) -> Result<(), Refusal> {
        self.move_gap(gap, GapMove::Assign, None)?;
        self.open_slot(Role::Engineer, vec![gap.clone()]);
        Ok(())
    }

    /// The input becomes a decision, and the gap is open again; in its own round it is run once more.
    pub(super) fn give_input(
        &mut self,
        gap: &GapId,
        input: &str,
        by: DecidedBy,
    ) -> Result<(), Refusal> {
        if input.trim().is_empty() {
            return Err(Refusal::NoReason);
        }
        self.move_gap(gap, GapMove::GiveInput, None)?;
        self.decide(NewDecision::on_gap(
            DecisionKind::Input,
            gap,
            format!("Input for {gap}"),
            input.trim().to_owned(),
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
        let now = self.state.now.clone();
        let is_blocked = |id: &GapId| {
            let gap = now.gaps.get(id);
            gap.is_some_and(|gap| gap.state == GapState::BlockedExternal)
        };
        self.withdraw_questions(
            |question| matches!(&question.about, About::BlockedGap(blocked_gap::Subject { gap }) if !is_blocked(gap)),
            why,
            true,
        );
    }

    pub(super) fn defer(
        &mut self,
        gap: &GapId,
        reason: &str,
        by: DecidedBy,
    ) -> Result<(), Refusal> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(Refusal::NoReason);
        }
        self.move_gap(gap, GapMove::Defer, Some(reason))?;
        let mut decision = NewDecision::on_gap(
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

    fn answer_agent_cannot_run(&mut self, slot: SlotId, answer: &Answer) -> Result<(), Refusal> {
        // What keeps an agent from one of its tasks keeps it from those beside it.
        let stopped: Vec<(SlotId, Vec<GapId>)> = self
            .slots_of(slot.role)
            .filter(|slot| slot.state == SlotState::Exhausted)
            .filter(|slot| matches!(slot.exhaustion, Some(Exhaustion::CannotRun { .. })))
            .map(|slot| (slot.id, slot.gaps.clone()))
            .collect();
        if answer.option == "another" {
            self.session(SessionEvent::AgentChanged {
                role: slot.role,
                agent: answer.field("agent").to_owned(),
                instead_of: None,
            });
        }
        for (slot, gaps) in stopped {
            self.grant(slot, None, gaps)?;
        }
        Ok(())
    }

    pub(super) fn set_severity(
        &mut self,
        gap: &GapId,
        to: Severity,
        reason: &str,
        by: DecidedBy,
    ) -> Result<(), Refusal> {
        let from = self.gap(gap)?.severity;
        self.emit(Happening::Gap(GapEvent::SeverityChanged {
            id: gap.clone(),
            from,
            to,
            by_user: true,
        }));
        let mut decision = NewDecision::on_gap(
            DecisionKind::Severity,
            gap,
            format!("{gap} is {to}"),
            format!("{gap} has severity {to} (was {from})."),
            by,
        );
        decision.rationale = reason.trim().to_owned();
        decision.severity = Some(to);
        self.decide(decision);
        self.withdraw_severity_questions(gap);
        Ok(())
    }

    /// Withdraws the questions on a gap's severity, which the user has set.
    pub(super) fn withdraw_severity_questions(&mut self, gap: &GapId) {
        self.withdraw_questions(
            |question| matches!(&question.about, About::Severity(severity::Subject { gap: asked, issue: None, .. }) if asked == gap),
            "the severity was set",
            true,
        );
    }

    fn answer_divergence(&mut self, answer: &Answer) -> Result<(), Refusal> {
        match answer.option.as_str() {
            "narrow" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.defer(&gap, answer.field("reason"), answer.by)?;
                }
            }
            "accept" => {
                self.set_max_rounds(self.limit_for_what_is_open());
                self.decide_scope("the present complexity is accepted", answer);
            }
            "prioritise" => {
                let critical = |gap: &&gapless_domain::gap::Gap| {
                    gap.state.is_open() && gap.severity == Severity::Critical
                };
                let to: Vec<GapId> = self
                    .state
                    .now
                    .gaps
                    .values()
                    .filter(critical)
                    .map(|gap| gap.id.clone())
                    .collect();
                self.round(RoundEvent::Narrowed { to });
                self.decide_scope("the next round takes only CRITICAL gaps", answer);
            }
            "roll_back" => return self.ask_rollback(RollbackTrigger::Divergence),
            _ => {
                self.ask_stop(End::StallExit, Trigger::Divergence)?;
                return Ok(());
            }
        }
        let stall_threshold = self.state.limits().stall_threshold;
        let convergence = step(self.state.now.convergence, Signal::Cleared, stall_threshold);
        self.round(RoundEvent::DivergenceCleared { convergence });
        Ok(())
    }

    fn decide_scope(&mut self, what: &str, answer: &Answer) {
        let decision = format!("After the divergence warning: {what}.");
        self.decide(NewDecision {
            rationale: answer.field("reason").to_owned(),
            ..NewDecision::on_session(DecisionKind::Scope, what.to_owned(), decision, answer.by)
        });
    }

    fn answer_nothing_to_plan(&mut self, answer: &Answer) -> Result<(), Refusal> {
        match answer.option.as_str() {
            "resume" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.move_gap(&gap, GapMove::Resume, None)?;
                }
            }
            "input" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.give_input(&gap, answer.field("text"), answer.by)?;
                }
            }
            "unblock" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.emit(Happening::Gap(GapEvent::DependencyChanged {
                        id: gap,
                        blocked_by: Vec::new(),
                    }));
                }
            }
            "close" => {
                for gap in self.gaps_of(answer, "gaps")? {
                    self.close(&gap, answer.field("text"), None, answer.by)?;
                }
            }
            _ => {
                self.ask_stop(Left::of(&self.state.now).end(), Trigger::NothingToPlan)?;
            }
        }
        Ok(())
    }

    fn answer_round_limit(&mut self, answer: &Answer) -> Result<(), Refusal> {
        match answer.option.as_str() {
            "extend" => self.extend_rounds(),
            "forced_stop" => self.end(End::MaxRounds, Trigger::RoundLimit)?,
            _ => {
                self.ask_stop(End::MaxRounds, Trigger::RoundLimit)?;
            }
        }
        Ok(())
    }

    fn answer_stop(&mut self, end: End, trigger: Trigger, answer: &Answer) -> Result<(), Refusal> {
        if answer.option != "accept" {
            if trigger == Trigger::NoFinalReview {
                // Going on without a final review means asking for one again.
                self.open_slot(Role::FinalReviewer, Vec::new());
            }
            return Ok(());
        }
        if let Some((conflict, _)) = self.state.now.conflicts(Severity::Critical).next() {
            return Err(Refusal::CriticalConflict(conflict.id));
        }
        let left = Left::of(&self.state.now);
        for gap in left.critical.iter().chain(&left.high).chain(&left.lesser) {
            let mut decision = NewDecision::on_gap(
                DecisionKind::Acceptance,
                gap,
                format!("{gap} is accepted as a known limitation"),
                format!("The session ends as {end} with {gap} left."),
                answer.by,
            );
            decision.rationale = answer.field(&gap.to_string()).to_owned();
            self.decide(decision);
        }
        self.end(end, trigger)
    }
}

/// Reads `GAP-API-001=HIGH, GAP-API-002=LOW`, or the same of issues.
pub(super) fn severities_of<Id>(
    answer: &Answer,
    field: &str,
) -> Result<Vec<(Id, Severity)>, Refusal>
where
    Id: FromStr<Err = IdError>,
{
    let bad = |why: String| {
        Refusal::Answer(AnswerError::BadField {
            field: field.to_owned(),
            why,
        })
    };
    let entries = answer.field(field).split([',', ';', '\n']);
    let mut severities = Vec::new();
    for entry in entries.map(str::trim).filter(|entry| !entry.is_empty()) {
        let (id, severity) = entry
            .split_once('=')
            .ok_or_else(|| bad(format!("`{entry}` is not ID=SEVERITY")))?;
        let id = id
            .trim()
            .parse()
            .map_err(|error: IdError| bad(error.to_string()))?;
        let severity = severity
            .trim()
            .parse()
            .map_err(|error: NotASeverity| bad(error.to_string()))?;
        severities.push((id, severity));
    }
    Ok(severities)
}
