//! Changing a decision that is in force: another one takes its place, and what it bound is worked on again.

use super::outcome::given_reason;
use super::rewording::reworded;
use super::{Refusal, Result, Turn};
use gapless_domain::question::conflict;
use gapless_domain::{DecidedBy, Decision, DecisionId, DecisionKind, GapId, GapMove, GapState};
use gapless_session::{DecisionEvent, Happening, IssueEvent};

impl Turn<'_> {
    /// Puts a decision in other words in the place of one that is in force.
    pub(super) fn change_decision(
        &mut self,
        id: &DecisionId,
        text: &str,
        reason: &str,
        by: DecidedBy,
    ) -> Result<()> {
        let text = given_reason(text)?;
        let old = self.state.now.decision(id);
        let old = old.ok_or(Refusal::UnknownDecision(*id))?.clone();
        if let Some(why) = &old.lifted {
            return Err(Refusal::CannotChange {
                decision: *id,
                why: format!("it is no longer in force ({why})"),
            });
        }
        if let Some(instead) = instead_of_changing(&old) {
            return Err(Refusal::CannotChange {
                decision: *id,
                why: instead,
            });
        }
        let new = reworded(as_changeable(old.clone()), text)
            .map_err(|why| Refusal::CannotChange { decision: *id, why })?;
        if new.decision == old.decision && new.severity == old.severity {
            return Err(Refusal::SameDecision(*id));
        }
        // Unlike in a round that is run again, the text of the gap may have left the position.
        let new = match engineers_words(&new) {
            Some(decision) => Decision {
                decision,
                action: String::new(),
                ..new
            },
            None => new,
        };
        let gaps = self.bound_again(&old);
        let next = self.state.next_decision();
        self.emit(Happening::Decision(DecisionEvent::Lifted {
            id: *id,
            why: format!("replaced by {next}"),
        }));
        let is_severity = new.kind == DecisionKind::Severity;
        if is_severity {
            self.set_changed_severity(&new, &gaps)?;
        }
        self.withdraw_unblocked("a decision on the gap was changed");
        self.withdraw_settled_defaults();
        let obliges = !is_severity && !gaps.is_empty();
        self.decide(Decision {
            id: next,
            gaps: gaps.clone(),
            rationale: reason.trim().to_owned(),
            by,
            at: self.at,
            obliges,
            reapplied_from: None,
            replaces: Some(*id),
            ..new
        });
        for gap in gaps.iter().filter(|_| obliges) {
            self.revise_changed(gap)?;
        }
        Ok(())
    }

    fn set_changed_severity(&mut self, new: &Decision, gaps: &[GapId]) -> Result<()> {
        let Some(to) = new.severity else {
            return Ok(());
        };
        match new.issue {
            Some(issue) => {
                let from = self.issue(&issue)?.concern.severity;
                self.emit(Happening::Issue(IssueEvent::SeverityChanged {
                    id: issue,
                    from,
                    to,
                }));
                self.follow_issue_severity(&issue, to, gaps)
            }
            None => gaps.iter().try_for_each(|gap| {
                self.change_severity(gap, to, true)?;
                self.withdraw_severity_questions(gap, "the severity was set");
                Ok(())
            }),
        }
    }

    /// What a gap has carries the old decision out: it needs revision.
    fn revise_changed(&mut self, id: &GapId) -> Result<()> {
        match self.gap(id)?.state {
            GapState::Proposed | GapState::Accepted => self.move_gap(id, GapMove::Overrule, None),
            GapState::Resolved => self.move_gap(id, GapMove::Reopen, None),
            GapState::BlockedExternal => self.move_gap(id, GapMove::GiveInput, None),
            _ => Ok(()),
        }
    }
}

/// What is done where a decision is one that other words can't change.
fn instead_of_changing(decision: &Decision) -> Option<String> {
    let gap = match decision.gaps.first() {
        Some(gap) => gap.to_string(),
        None => "GAP".to_owned(),
    };
    Some(match decision.kind {
        DecisionKind::Conflict
        | DecisionKind::Severity
        | DecisionKind::Input
        | DecisionKind::Confirmation => return None,
        DecisionKind::Scope if decision.gaps.is_empty() => return None,
        DecisionKind::Scope => format!("it reopened {gap}; `gapless gap close {gap}` closes it"),
        DecisionKind::Deferral => {
            format!("it put {gap} off; `gapless gap resume {gap}` takes it up")
        }
        DecisionKind::Closing => {
            format!("it closed {gap}; `gapless gap reopen {gap}` opens it again")
        }
        DecisionKind::Waiver => format!(
            "it let an issue go; `gapless gap reopen {gap}` with what the issue asks for has it carried out"
        ),
        DecisionKind::Acceptance => {
            "it accepted what an end left open; `gapless reopen` takes the session up again"
                .to_owned()
        }
        DecisionKind::Rollback => "it was about a rollback, and of its moment".to_owned(),
    })
}

/// The decision as one whose words bind the next proposal: a default that no longer holds becomes an input, and what was to
/// be kept to is to be carried out.
fn as_changeable(mut decision: Decision) -> Decision {
    if decision.kind == DecisionKind::Confirmation {
        decision.kind = DecisionKind::Input;
        decision.title = format!("Input for {}", decision.subject());
    }
    decision.action.clear();
    decision.for_gap.clear();
    decision
}

/// The Engineer's position in its own words, which the proposal has to be brought back to.
fn engineers_words(decision: &Decision) -> Option<String> {
    let positions = decision.positions.as_ref()?;
    (positions.chosen == conflict::Options::B && !positions.implicit)
        .then(|| format!("The Engineer's position holds: {}", positions.engineer))
}
