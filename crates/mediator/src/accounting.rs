//! The end of a round's work: what the review means for each gap, new gaps, and the verdict on progress.

use super::{Result, Turn};
use gapless_domain::convergence::step;
use gapless_domain::matter::Matter;
use gapless_domain::{
    Decision, DecisionId, GapId, GapMove, GapState, Origin, Role, RoundPhase, SlotState, Tally,
};
use gapless_reading::read::ReviewerReading;
use gapless_session::state::document_path;
use gapless_session::{GapEvent, Happening, RoundEvent};

impl Turn<'_> {
    pub(super) fn account(&mut self) -> Result<()> {
        let round = self.state.now.round.number;
        if let Some((_, reading)) = self.review_of_round() {
            // A session of an older version may wait between the review and this.
            let origin = Origin::Reviewer { round };
            let mut gaps = self.state.now.gaps.values();
            if !gaps.any(|gap| gap.origins.contains(&origin)) {
                self.take_new_gaps(&reading)?;
            }
        }
        for gap in
            self.ids_where(|gap| gap.state == GapState::Proposed && gap.reviewed_in == Some(round))
        {
            self.judge_reviewed(&gap)?;
        }
        self.flag_closures()?;
        self.renew_flag_questions()?;
        self.reopen_held()?;
        let to_incorporate = self.ids_where(|gap| {
            gap.state == GapState::Accepted
                && gap.accepted_in.is_some_and(|accepted| accepted < round)
        });
        for gap in to_incorporate {
            self.move_gap(&gap, GapMove::Incorporate, None)?;
        }
        self.judge_round();
        self.enter_in_round(RoundPhase::Concluding)
    }

    /// Takes the new gaps of a review as soon as it is read, so that a user who ends the session sees them.
    pub(super) fn take_new_gaps(&mut self, reading: &ReviewerReading) -> Result<()> {
        let round = self.state.now.round.number;
        let document = document_path(Role::Reviewer, round);
        for gap in &reading.new_gaps {
            self.create_declared(gap, Origin::Reviewer { round }, &document)?;
        }
        Ok(())
    }

    fn judge_reviewed(&mut self, id: &GapId) -> Result<()> {
        self.meet_obligations(id)?;
        let held = self.state.now.is_held(self.gap(id)?);
        let verdict = if held {
            GapMove::Revise
        } else {
            GapMove::Accept
        };
        self.move_gap(id, verdict, None)
    }

    /// A reviewed proposal carries out the decisions that were made before it was asked for, unless the Reviewer says that
    /// it doesn't, by raising again what was decided, or it is flagged and the user did not call that a false alarm.
    pub(super) fn meet_obligations(&mut self, id: &GapId) -> Result<()> {
        let gap = self.gap(id)?;
        let met: Vec<DecisionId> = self
            .told_of(gap)
            .filter(|decision| !self.is_raised_again(decision))
            .filter(|decision| {
                let issue = decision.issue.as_ref();
                !issue.is_some_and(|issue| self.is_in_doubt(issue))
            })
            .map(|decision| decision.id)
            .collect();
        if !met.is_empty() {
            self.emit(Happening::Gap(GapEvent::ObligationsMet {
                id: id.clone(),
                decisions: met,
            }));
            self.withdraw_settled();
        }
        Ok(())
    }

    /// True where this round's review raises the issue of a decision again.
    fn is_raised_again(&self, decision: &Decision) -> bool {
        let Some((issue, (_, review))) = decision.issue.zip(self.review_of_round()) else {
            return false;
        };
        let mut raised = review.issues.iter().filter(|raised| !raised.withdrawn);
        raised.any(|raised| {
            let gap = raised.gap.as_ref().and_then(|gap| self.part_of(gap));
            let words = Matter::of(&raised.concern.summary);
            self.settled_issue_of(raised, &words, gap.as_ref()) == Some(issue)
        })
    }

    /// A CRITICAL or HIGH issue on an accepted gap reopens it.
    pub(super) fn reopen_held(&mut self) -> Result<()> {
        let now = &self.state.now;
        let held = self.ids_where(|gap| gap.state.is_settled_by_text() && now.is_held(gap));
        for gap in held {
            self.move_gap(&gap, GapMove::Reopen, None)?;
        }
        Ok(())
    }

    /// True where a role was to work in this round, was skipped, and has nothing valid.
    fn role_was_skipped(&self, role: Role) -> bool {
        let has = |state: SlotState| self.slots_of(role).any(|slot| slot.state == state);
        has(SlotState::Skipped) && !has(SlotState::Valid)
    }

    fn judge_round(&mut self) {
        let limits = self.state.limits();
        let tally = Tally {
            role_skipped: self.role_was_skipped(Role::Engineer)
                || self.role_was_skipped(Role::Reviewer),
            nothing_reviewed: !self.state.now.reviewed_in(self.state.now.round.number),
            ..self.state.now.round.tally.clone()
        };
        let critical_override = self.state.kept.setup.config.critical_override;
        let signal = tally.signal(limits.divergence_threshold, critical_override);
        let convergence = step(self.state.now.convergence, signal, limits.stall_threshold);
        self.round(RoundEvent::Accounted {
            weighted_net: tally.weighted_net(),
            unweighted_net: tally.unweighted_net(),
            tally,
            signal,
            convergence,
            open_quarters: self.state.now.open_quarters(),
        });
    }
}
