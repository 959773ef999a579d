//! What users do of their own accord: pausing, stopping, and the commands on gaps and issues.

use std::collections::BTreeSet;

use super::outcome::given_reason;
use super::{GapCommand, IssueCommand, Refusal, Result, Turn, UserInput};
use crate::plan::cycle;
use crate::termination::{CRITICAL_SENTENCE, Left};
use gapless_domain::{
    About, Date, DecidedBy, DecisionKind, End, GapId, GapMove, GapState, IssueId, NewGap, Origin,
    Ownership, Person, Phase, Role, RoundPhase, Severity, SlotId, SlotState, Trigger,
};
use gapless_session::{GapEvent, Happening, IssueEvent, SessionEvent};

impl Turn<'_> {
    /// Skips the slots of the phase under way whose gaps the user took away.
    pub(super) fn skip_slots_without_gaps(&mut self) -> Result<()> {
        let now = &self.state.now;
        let (role, wanted): (Role, &[GapState]) = match (now.phase, now.round.phase) {
            (Phase::FinalReview, _) => (Role::Editor, &[GapState::Accepted, GapState::Resolved]),
            (_, RoundPhase::Engineering) => (Role::Engineer, &[GapState::InProgress]),
            (_, RoundPhase::Reviewing) => (Role::Reviewer, &[GapState::Proposed]),
            _ => return Ok(()),
        };
        let is_wanted = |id: &GapId| now.gaps.has(id, |gap| wanted.contains(&gap.state));
        let idle: Vec<SlotId> = self
            .slots_of(role)
            .filter(|slot| !matches!(slot.state, SlotState::Valid | SlotState::Skipped))
            .filter(|slot| !slot.gaps.iter().any(is_wanted))
            .map(|slot| slot.id)
            .collect();
        for slot in idle {
            self.skip_slot(slot)?;
            self.withdraw_questions(
                |question| question.about.slot() == Some(slot),
                "the gaps it was about are no longer in this round",
            );
        }
        Ok(())
    }

    pub(super) fn take_user_input(&mut self, input: UserInput) -> Result<()> {
        match input {
            UserInput::Answer { question, answer } => self.take_answer(question, answer),
            UserInput::Pause => self.pause(),
            UserInput::Resume if !self.state.kept.paused => Err(Refusal::NotPaused),
            UserInput::Resume => {
                self.session(SessionEvent::Resumed {});
                Ok(())
            }
            UserInput::Stop => self.ask_to_stop(),
            UserInput::Reopen => Err(Refusal::NotEnded),
            UserInput::Undo => self.take_back(),
            UserInput::Abandon => self.end(End::Abandoned, Trigger::Abandoned),
            UserInput::Deliver { delivery } => self.want_delivery(delivery),
            UserInput::Rollback { to, reason, adjust } => {
                self.take_rollback_command(to, reason, adjust)
            }
            UserInput::RollbackMode { mode } => {
                self.set_rollback_mode(mode);
                Ok(())
            }
            UserInput::Reapply { decision, text } => {
                self.reapply(&decision, text.as_deref(), DecidedBy::User)?;
                self.renew_undone_decisions();
                self.renew_inventory_questions()
            }
            UserInput::ChangeDecision {
                decision,
                text,
                reason,
            } => {
                self.change_decision(&decision, &text, &reason, DecidedBy::User)?;
                self.renew_inventory_questions()
            }
            UserInput::Issue { command } => {
                match command {
                    IssueCommand::Waive { issue, reason } => {
                        self.waive(&issue, &reason, DecidedBy::User)?;
                    }
                    IssueCommand::Severity {
                        issue,
                        severity,
                        reason,
                    } => self.set_issue_severity(&issue, severity, &reason, DecidedBy::User)?,
                }
                self.renew_inventory_questions()
            }
            UserInput::Gap {
                command: command @ (GapCommand::Assign { .. } | GapCommand::Unassign { .. }),
            } => self.take_gap_command(command),
            UserInput::Gap { command } => {
                self.take_gap_command(command)?;
                self.renew_inventory_questions()
            }
        }
    }

    fn ask_to_stop(&mut self) -> Result<()> {
        let asked = |question: &gapless_domain::question::Question| {
            matches!(question.about, About::Stop { .. })
        };
        if self.state.now.questions.values().any(asked) {
            return Ok(());
        }
        self.ask_stop(Left::of(&self.state.now).end(), Trigger::UserStop)
    }

    /// Asks whether to end; a stop that waits for an answer gives way to it.
    pub(super) fn ask_stop(&mut self, end: End, trigger: Trigger) -> Result<()> {
        let question = self.stop_question(end, trigger)?;
        self.withdraw_questions(
            |question| matches!(question.about, About::Stop { .. }),
            "another stop is asked",
        );
        self.ask(question);
        Ok(())
    }

    fn take_gap_command(&mut self, command: GapCommand) -> Result<()> {
        let by = DecidedBy::User;
        match command {
            GapCommand::Add {
                category,
                severity,
                description,
                section,
            } => self.add(&category, severity, &description, section),
            GapCommand::Defer { gap, reason } => self.defer(&gap, &reason, by),
            GapCommand::Resume { gap } => self.move_gap(&gap, GapMove::Resume, None),
            GapCommand::Close {
                gap,
                reason,
                sentence,
            } => self.close(&gap, &reason, sentence.as_deref(), by),
            GapCommand::Reopen { gap, reason } => self.reopen(&gap, &reason),
            GapCommand::Confirm { gap } => self.move_gap(&gap, GapMove::Incorporate, None),
            GapCommand::Split { gap, into } => self.split(&gap, &into),
            GapCommand::Severity {
                gap,
                severity,
                reason,
            } => self.set_severity(&gap, severity, given_reason(&reason)?, by),
            GapCommand::Block { gap, by } => self.block(&gap, &by),
            GapCommand::Unblock { gap, by } => self.unblock(&gap, &by),
            GapCommand::Input {
                gap,
                text,
                filled_in_by,
            } => {
                self.filled_in_by = filled_in_by;
                self.give_input(&gap, &text, by)
            }
            GapCommand::Assign { gap, owner, due } => self.assign(&gap, owner, due),
            GapCommand::Unassign { gap } => self.set_ownership(&gap, Ownership::default()),
        }
    }

    pub(super) fn add(
        &mut self,
        category: &str,
        severity: Severity,
        description: &str,
        section: Option<String>,
    ) -> Result<()> {
        if description.trim().is_empty() {
            return Err(Refusal::NoDescription);
        }
        if GapId::new(category, 1).is_none() {
            return Err(Refusal::Category(category.to_owned()));
        }
        let id = self.free_gap_id(category)?;
        self.create(NewGap {
            section,
            ..NewGap::new(id, severity, description.trim().to_owned(), Origin::User)
        });
        Ok(())
    }

    /// Closes a gap for good. One that is CRITICAL, or was, only with the sentence that accepts it.
    pub(super) fn close(
        &mut self,
        gap: &GapId,
        reason: &str,
        sentence: Option<&str>,
        by: DecidedBy,
    ) -> Result<()> {
        let reason = given_reason(reason)?;
        let critical = self.gap(gap)?.gravest == Severity::Critical;
        if critical && sentence.map(str::trim) != Some(CRITICAL_SENTENCE) {
            return Err(Refusal::CriticalGate {
                gap: gap.clone(),
                sentence: CRITICAL_SENTENCE,
            });
        }
        self.move_gap(gap, GapMove::Close, Some(reason))?;
        let mut decision = self.decision_on_gap(
            DecisionKind::Closing,
            gap,
            format!("{gap} is closed"),
            format!("{gap} is not going to be resolved."),
            by,
        );
        decision.rationale = reason.to_owned();
        self.decide(decision);
        self.withdraw_unblocked("the gap was closed");
        self.skip_slots_without_gaps()
    }

    pub(super) fn close_all(&mut self, gaps: &[GapId], reason: &str, by: DecidedBy) -> Result<()> {
        let mut gaps = gaps.iter();
        gaps.try_for_each(|gap| self.close(gap, reason, None, by))
    }

    /// Opens a closed gap again; on an accepted one the reason is what the next proposal must carry out, else it says only that the
    /// gap counts again.
    fn reopen(&mut self, gap: &GapId, reason: &str) -> Result<()> {
        let reason = given_reason(reason)?;
        let had_resolution = self.gap(gap)?.state != GapState::WontFix;
        self.move_gap(gap, GapMove::Reopen, None)?;
        let kind = match had_resolution {
            true => DecisionKind::Input,
            false => DecisionKind::Scope,
        };
        let mut decision = self.decision_on_gap(
            kind,
            gap,
            format!("{gap} is reopened"),
            reason.to_owned(),
            DecidedBy::User,
        );
        decision.obliges = had_resolution;
        self.decide(decision);
        Ok(())
    }

    pub(super) fn split(&mut self, gap: &GapId, into: &[String]) -> Result<()> {
        let parts: Vec<&str> = into
            .iter()
            .map(|part| part.trim())
            .filter(|part| !part.is_empty())
            .collect();
        let parent = self.gap(gap)?.clone();
        // Splitting a child gives further letters of the same parent.
        let root = gap.root();
        let children = self.state.free_child_letters(&root);
        let children: Vec<GapId> = children.take(parts.len()).collect();
        if parts.len() < 2 || children.len() < parts.len() {
            return Err(Refusal::SplitParts);
        }
        self.move_gap(gap, GapMove::Split, None)?;
        let standing: Vec<IssueId> = parent.standing_issues.iter().copied().collect();
        for (id, part) in children.iter().zip(parts) {
            let origin = Origin::Split {
                parent: gap.clone(),
            };
            self.create(NewGap {
                section: parent.section.clone(),
                blocked_by: parent.blocked_by.clone(),
                ..NewGap::new(id.clone(), parent.severity, part.to_owned(), origin)
            });
            for issue in &standing {
                self.emit(Happening::Issue(IssueEvent::Copied {
                    id: *issue,
                    to: id.clone(),
                }));
            }
        }
        self.skip_slots_without_gaps()
    }

    fn block(&mut self, gap: &GapId, by: &GapId) -> Result<()> {
        self.gap(by)?;
        let mut blocked_by = self.gap(gap)?.blocked_by.clone();
        blocked_by.insert(by.clone());
        let mut tried = self.state.now.clone();
        if let Some(gap) = tried.gaps.get_mut(gap) {
            gap.blocked_by.clone_from(&blocked_by);
        }
        if gap == by || cycle(&tried).is_some_and(|cycle| cycle.contains(gap)) {
            return Err(Refusal::Cycle {
                gap: gap.clone(),
                by: by.clone(),
            });
        }
        self.set_blockers(gap.clone(), blocked_by);
        Ok(())
    }

    fn unblock(&mut self, gap: &GapId, by: &GapId) -> Result<()> {
        let mut blocked_by = self.gap(gap)?.blocked_by.clone();
        if !blocked_by.remove(by) {
            return Err(Refusal::NotBlocked {
                gap: gap.clone(),
                by: by.clone(),
            });
        }
        self.set_blockers(gap.clone(), blocked_by);
        Ok(())
    }

    /// Says whose a gap is and when it is due; what is not said stays as it is.
    fn assign(&mut self, gap: &GapId, owner: Option<Person>, due: Option<Date>) -> Result<()> {
        if owner.is_none() && due.is_none() {
            return Err(Refusal::NothingToAssign);
        }
        let known = self.state.ownership(gap).clone();
        let ownership = Ownership {
            owner: owner.or(known.owner),
            due: due.or(known.due),
        };
        self.set_ownership(gap, ownership)
    }

    /// Nobody has anything to do about a closed gap, so it can't be given to anyone.
    fn set_ownership(&mut self, id: &GapId, ownership: Ownership) -> Result<()> {
        let gap = self.gap(id)?;
        if gap.state.is_closed() {
            return Err(Refusal::ClosedGap {
                gap: id.clone(),
                state: gap.state,
            });
        }
        if *self.state.ownership(id) != ownership {
            self.emit(Happening::Gap(GapEvent::Assigned {
                id: id.clone(),
                ownership,
            }));
        }
        Ok(())
    }

    pub(super) fn set_blockers(&mut self, id: GapId, blocked_by: BTreeSet<GapId>) {
        self.emit(Happening::Gap(GapEvent::DependencyChanged {
            id,
            blocked_by: blocked_by.into_iter().collect(),
        }));
    }
}
