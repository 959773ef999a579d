//! What follows on a round: a divergence warning, the final review, the round limit, the next round.

use super::decided::is_matter_of;
use super::{Result, Turn};
use crate::termination::{Left, is_otherwise_complete};
use gapless_domain::config::EXTENSION_ROUNDS;
use gapless_domain::matter::{Link, Matter};
use gapless_domain::{
    ConvergenceState, End, GapId, GapMove, GapState, IssueState, Limits, Phase, Role, SlotState,
    TextHash, Trigger,
};
use gapless_reading::read::{Blocker, FinalVerdict, Reading};
use gapless_session::event::SetAside;
use gapless_session::{RoundEvent, SessionEvent};

impl Turn<'_> {
    pub(super) fn conclude(&mut self) -> Result<()> {
        if self.state.now.convergence.state == ConvergenceState::DivergenceWarning {
            self.ask(self.divergence_question());
            return Ok(());
        }
        self.look_before_end()?;
        let now = &self.state.now;
        let complete = is_otherwise_complete(now);
        if complete && now.round.final_reviewed == Some(false) {
            // Nothing is left to work on, and the final review would say the same again.
            self.ask(self.nothing_to_plan_question()?);
        } else if complete {
            self.begin_final_review()?;
        } else if self.state.kept.limits.is_none() {
            self.set_first_limits();
            self.begin_round(self.state.now.round.number + 1)?;
        } else if now.round.number >= self.state.limits().max_rounds {
            self.meet_round_limit();
        } else {
            self.begin_round(now.round.number + 1)?;
        }
        Ok(())
    }

    /// Where nothing but the final review is left, looks whether the refined spec is what the gaps say of it.
    pub(super) fn look_before_end(&mut self) -> Result<()> {
        let now = &self.state.now;
        match is_otherwise_complete(now) && now.round.final_reviewed != Some(false) {
            true => self.look_at_refined(),
            false => Ok(()),
        }
    }

    fn meet_round_limit(&mut self) {
        if self.state.kept.setup.config.auto_extend && self.can_extend() {
            self.extend_rounds();
        } else {
            self.ask(self.round_limit_question());
        }
    }

    pub(super) fn can_extend(&self) -> bool {
        self.state.limits().max_rounds < self.state.hard_limit()
    }

    pub(super) fn extend_rounds(&mut self) {
        let limits = self.state.limits();
        let hard_limit = self.state.hard_limit();
        self.set_max_rounds((limits.max_rounds + EXTENSION_ROUNDS).min(hard_limit));
    }

    pub(super) fn set_max_rounds(&mut self, max_rounds: u32) {
        self.session(SessionEvent::LimitsSet {
            limits: Limits {
                max_rounds,
                ..self.state.limits()
            },
            initial_gaps: self.state.kept.initial_gaps,
        });
    }

    /// Enters the final review. An Editor goes first, so that what is reviewed is what it made.
    pub(super) fn begin_final_review(&mut self) -> Result<()> {
        self.enter(Phase::FinalReview)?;
        if !self.begin_editing()? {
            self.open_slot(Role::FinalReviewer, Vec::new());
        }
        Ok(())
    }

    pub(super) fn conclude_final_review(&mut self) -> Result<()> {
        if let Some(slot) = self.untaken_edits() {
            return self.take_edits(slot);
        }
        if self.ask_about_exhausted(Role::FinalReviewer)? {
            return Ok(());
        }
        let slot = self.slots_of(Role::FinalReviewer).last();
        let output = slot
            .filter(|slot| slot.state == SlotState::Valid)
            .and_then(|slot| slot.output.clone());
        // What the user opened meanwhile is worked on before anything can be complete.
        let complete = is_otherwise_complete(&self.state.now);
        let Some(output) = output else {
            if !complete {
                return self.enter(Phase::Round);
            }
            // Skipped: without a final review the spec is not COMPLETE, and only the user can end here.
            self.ask(self.stop_question(Left::of(&self.state.now).end(), Trigger::NoFinalReview)?);
            return Ok(());
        };
        let Reading::FinalReviewer(reading) = output.reading else {
            return Ok(());
        };
        let mut set_aside = Vec::new();
        for blocker in &reading.blockers {
            set_aside.extend(self.take_blocker(blocker, output.text)?);
        }
        let counted = reading.blockers.len() - set_aside.len();
        // What it calls not ready only for what the user settled is ready: the user is the final authority.
        let only_settled = !reading.blockers.is_empty() && counted == 0;
        let ready = counted == 0
            && (reading.verdict == Some(FinalVerdict::ReadyForTermination) || only_settled);
        self.round(RoundEvent::FinalReviewed {
            ready,
            text: output.text,
            set_aside,
        });
        if ready && complete {
            self.end(End::Complete, Trigger::FinalReviewReady)?;
        } else {
            self.reopen_held()?;
            self.enter(Phase::Round)?;
        }
        Ok(())
    }

    /// A blocker reopens its gap or creates one; one on what the user closed, deferred, waived or decided doesn't count,
    /// and is given back.
    fn take_blocker(&mut self, blocker: &Blocker, review: TextHash) -> Result<Option<SetAside>> {
        let gap = blocker.gap.as_ref().and_then(|id| self.part_of(id));
        if let Some(because) = self.settled_by_user(gap.as_ref(), &blocker.concern.summary) {
            return Ok(Some(SetAside {
                severity: blocker.concern.severity,
                summary: blocker.concern.summary.clone(),
                gap,
                because,
            }));
        }
        let gap = gap.filter(|gap| self.may_stand_on(gap, &blocker.concern));
        let id = self.raise(
            gap,
            blocker.concern.clone().into(),
            None,
            None,
            Some(review),
        )?;
        let gap = self.issue(&id)?.gap.clone();
        if self.gap(&gap)?.can(GapMove::Reopen).is_ok() {
            self.move_gap(&gap, GapMove::Reopen, None)?;
        }
        Ok(None)
    }

    /// What the user settled that a blocker is about: the matter of its gap, or an issue that says the same.
    fn settled_by_user(&self, gap: Option<&GapId>, summary: &str) -> Option<String> {
        let named = gap.and_then(|id| self.state.now.gaps.get(id));
        if let Some(gap) = named.filter(|gap| gap.is_about(summary, Link::Id)) {
            match gap.state {
                GapState::WontFix => return Some(format!("you closed {}", gap.id)),
                GapState::UserDeferred => return Some(format!("you deferred {}", gap.id)),
                GapState::BlockedExternal => return Some(format!("{} waits for you", gap.id)),
                _ => {}
            }
        }
        let matter = Matter::of(summary);
        let mut issues = self.state.now.issues.values();
        issues.find_map(|issue| {
            let what = match issue.state {
                IssueState::Decided => "decided",
                IssueState::Waived => "waived",
                _ => return None,
            };
            // The same words about another gap are another matter.
            let same_gap = gap.is_none_or(|gap| gap.root() == issue.gap.root());
            (same_gap && is_matter_of(issue, &matter)).then(|| format!("you {what} {}", issue.id))
        })
    }
}
