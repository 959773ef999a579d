//! Putting decisions of undone rounds in force again: as they were or in other words, on what is still there.

use super::rewording::reworded;
use super::{Refusal, Result, Turn};
use gapless_domain::question::undone_decisions;
use gapless_domain::{
    DecidedBy, Decision, DecisionId, DecisionKind, GapId, GapMove, GapState, Holds, IssueId,
    IssueMove, Question,
};
use gapless_session::{Happening, IssueEvent};

impl Turn<'_> {
    /// Puts a decision of an undone round in force again under a new id. Where its issue is gone it binds the gap, and
    /// where that is gone too, the session.
    pub(super) fn reapply(
        &mut self,
        id: &DecisionId,
        text: Option<&str>,
        by: DecidedBy,
    ) -> Result<DecisionId> {
        let undone = self.state.undone_decision(id);
        let undone = undone.ok_or(Refusal::NotUndone(*id))?;
        if let Some(reapplied) = undone.reapplied_as {
            return Err(Refusal::AlreadyReapplied {
                decision: *id,
                reapplied,
            });
        }
        if !undone.can_be_reapplied() {
            let why = match (&undone.decision.lifted, undone.decision.kind) {
                (Some(why), _) => format!("it was no longer in force ({why})"),
                (None, kind) => format!("a decision of kind {} is of its moment", kind.name()),
            };
            return Err(Refusal::CannotReapply { decision: *id, why });
        }
        let said = text.map(str::trim).filter(|text| !text.is_empty());
        let old = match said {
            Some(text) => reworded(undone.decision.clone(), text)
                .map_err(|why| Refusal::DoesNotFit { decision: *id, why })?,
            None => undone.decision.clone(),
        };
        let gaps = self.bound_again(&old);
        let stands = |id: &IssueId| self.state.now.stands(id);
        let issue = old.issue.filter(stands);
        self.take_effect(&old, issue, &gaps)?;
        self.withdraw_unblocked("a decision on the gap was re-applied");
        self.withdraw_settled_defaults();
        let obliges = old.obliges && !gaps.is_empty();
        let settles = matches!(old.kind, DecisionKind::Conflict | DecisionKind::Waiver);
        let decision = self.decide(Decision {
            id: self.state.next_decision(),
            gaps: gaps.clone(),
            issue,
            by,
            at: self.at,
            obliges,
            reapplied_from: Some(*id),
            replaces: None,
            ..old
        });
        for gap in gaps.iter().filter(|_| obliges || settles) {
            self.carry_decision(gap, !obliges)?;
        }
        Ok(decision)
    }

    /// The gaps of a decision that are still there; what was split since is bound in its parts.
    pub(super) fn bound_again(&self, decision: &Decision) -> Vec<GapId> {
        let mut bound: Vec<GapId> = Vec::new();
        let mut left: Vec<&GapId> = decision.gaps.iter().rev().collect();
        while let Some(id) = left.pop() {
            match self.state.now.gaps.get(id) {
                Some(gap) if gap.state == GapState::Superseded => left.extend(gap.children.iter()),
                Some(gap) if !bound.contains(&gap.id) => bound.push(gap.id.clone()),
                _ => {}
            }
        }
        bound
    }

    /// What the decision did when it was made, as far as there is still something to do it to.
    fn take_effect(
        &mut self,
        old: &Decision,
        issue: Option<IssueId>,
        gaps: &[GapId],
    ) -> Result<()> {
        let why = match old.rationale.as_str() {
            "" => Some(old.decision.as_str()),
            rationale => Some(rationale),
        };
        match (old.kind, issue) {
            (DecisionKind::Conflict, Some(issue)) => {
                self.move_issue(&issue, IssueMove::Decide, Some(&old.decision))?;
            }
            (DecisionKind::Waiver, Some(issue)) => {
                self.move_issue(&issue, IssueMove::Waive, why)?;
            }
            (DecisionKind::Severity, Some(issue)) => {
                let from = self.issue(&issue)?.concern.severity;
                if let Some(to) = old.severity {
                    self.emit(Happening::Issue(IssueEvent::SeverityChanged {
                        id: issue,
                        from,
                        to,
                    }));
                    self.follow_issue_severity(&issue, to, gaps)?;
                }
            }
            (DecisionKind::Severity, None) if old.issue.is_none() => {
                for gap in gaps {
                    if let Some(to) = old.severity {
                        self.change_severity(gap, to, true)?;
                        self.withdraw_severity_questions(gap, "the severity was set");
                    }
                }
            }
            (DecisionKind::Scope, _) => {
                self.move_those(
                    gaps,
                    |state| state == GapState::WontFix,
                    GapMove::Reopen,
                    None,
                )?;
            }
            (DecisionKind::Deferral, _) => {
                self.move_those(
                    gaps,
                    |state| state != GapState::UserDeferred,
                    GapMove::Defer,
                    why,
                )?;
                self.skip_slots_without_gaps()?;
            }
            // A CRITICAL one went through its gate when it was decided.
            (DecisionKind::Closing, _) => {
                self.move_those(
                    gaps,
                    |state| state != GapState::WontFix,
                    GapMove::Close,
                    why,
                )?;
                self.skip_slots_without_gaps()?;
            }
            (DecisionKind::Input, _) => {
                let is_blocked = |state| state == GapState::BlockedExternal;
                self.move_those(gaps, is_blocked, GapMove::GiveInput, None)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves those of some gaps that are in a certain state.
    fn move_those(
        &mut self,
        gaps: &[GapId],
        which: impl Fn(GapState) -> bool,
        by: GapMove,
        reason: Option<&str>,
    ) -> Result<()> {
        for gap in gaps {
            if which(self.gap(gap)?.state) {
                self.move_gap(gap, by, reason)?;
            }
        }
        Ok(())
    }

    /// What was put in force again is no longer offered: the question is asked anew about the rest.
    pub(super) fn renew_undone_decisions(&mut self) {
        let offered = |question: &Question| {
            let subject = undone_decisions::Subject::of(&question.about);
            subject.map(|subject| subject.decisions.clone())
        };
        let questions = self.state.now.questions.values();
        let pending: Vec<(Question, Vec<DecisionId>)> = questions
            .filter_map(|question| Some((question.clone(), offered(question)?)))
            .collect();
        for (question, offered) in pending {
            let left = self.still_undone(&offered);
            if left.len() == offered.len() {
                continue;
            }
            let why = "what it offers was re-applied";
            self.withdraw_questions(|other| other.id == question.id, why);
            if !left.is_empty() {
                let asked = self.undone_decisions_question(left, question.holds == Holds::Nothing);
                self.ask(asked);
            }
        }
    }

    pub(super) fn still_undone(&self, offered: &[DecisionId]) -> Vec<DecisionId> {
        let undone = |id: &DecisionId| {
            let undone = self.state.undone_decision(id);
            undone.is_some_and(|undone| undone.can_be_reapplied())
        };
        offered.iter().copied().filter(undone).collect()
    }
}
