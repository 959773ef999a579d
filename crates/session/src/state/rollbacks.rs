//! What a state says of its rollbacks and of what is still to be done when the session has ended.

use super::State;
use crate::rollback_record::{Outcome, RollbackRecord, Target, UndoneDecision, times_undone};
use gapless_domain::{
    ArchiveChoice, ArchiveName, DecisionId, Delivered, Delivery, End, GapId, RollbackMode,
};

impl State {
    /// The newest rollback that counts: what is asked and said about one is about it.
    pub fn last_rollback(&self) -> Option<&RollbackRecord> {
        let mut rollbacks = self.kept.rollbacks.iter().rev();
        rollbacks.find(|rollback| rollback.counts())
    }

    pub(crate) fn last_rollback_mut(&mut self) -> Option<&mut RollbackRecord> {
        let mut rollbacks = self.kept.rollbacks.iter_mut().rev();
        rollbacks.find(|rollback| rollback.counts())
    }

    /// The rounds that can be gone back to, newest first.
    pub fn rollback_targets(&self) -> Vec<Target> {
        let points = self.checkpoints.iter().rev();
        points
            .map(|point| Target {
                round: point.after_round,
                open_quarters: point.now.open_quarters(),
                decisions_since: self
                    .now
                    .decisions
                    .len()
                    .saturating_sub(point.now.decisions.len()),
                rounds_to_undo: self.now.round.number.saturating_sub(point.after_round),
            })
            .collect()
    }

    /// How many rollbacks have undone a round: the number of its newest archive.
    pub fn times_undone(&self, round: u32) -> u32 {
        times_undone(&self.kept.rollbacks, round)
    }

    /// How many rollbacks have undone a round because of what it had.
    pub fn times_rolled_back(&self, round: u32) -> u32 {
        let rollbacks = self.kept.rollbacks.iter();
        times_undone(rollbacks.filter(|rollback| rollback.counts()), round)
    }

    /// The archive that a round became in the rollback at this place of the history.
    pub fn archive_of(&self, index: usize, round: u32) -> ArchiveName {
        let until = self.kept.rollbacks.iter().take(index + 1);
        let attempt = times_undone(until, round);
        ArchiveName { round, attempt }
    }

    pub fn rollbacks_left(&self) -> u32 {
        let most = self.kept.setup.config.max_rollbacks_session;
        most.saturating_sub(self.rollbacks_in_chapter())
    }

    pub fn rollback_mode(&self) -> RollbackMode {
        let config = &self.kept.setup.config;
        self.kept.rollback_mode.unwrap_or(config.rollback_mode)
    }

    /// From this many rollbacks of a round on, the cause is looked for.
    pub fn analysis_threshold(&self) -> u32 {
        match self.rollback_mode() {
            RollbackMode::Strict => 1,
            _ => self.kept.setup.config.rollback_analysis_threshold,
        }
    }

    /// What the prompts of a round say besides its task, since it was undone before.
    pub fn adjustments(&self, round: u32) -> Vec<String> {
        let mut adjustments: Vec<String> = Vec::new();
        let retries = self.kept.rollbacks.iter();
        for text in retries
            .filter(|rollback| rollback.retried() == round && !rollback.taken_back)
            .flat_map(|rollback| &rollback.adjustments)
        {
            if !adjustments.contains(text) {
                adjustments.push(text.clone());
            }
        }
        adjustments
    }

    /// What was wrong with a gap each time that a round which had it was undone, oldest first; nothing where nothing was found.
    pub fn patterns_undone(&self, round: u32, gap: &GapId) -> Vec<Vec<String>> {
        let rollbacks = self.kept.rollbacks.iter().filter(|past| past.counts());
        let undone = rollbacks.flat_map(|past| &past.rounds);
        undone
            .filter(|undone| undone.round == round && undone.gaps.contains(gap))
            .map(|undone| {
                let patterns = undone.analysis.pattern_set();
                patterns.iter().map(ToString::to_string).collect()
            })
            .filter(|patterns: &Vec<String>| !patterns.is_empty())
            .collect()
    }

    /// What came of the rollback at this place of the history.
    pub fn rollback_outcome(&self, index: usize) -> Outcome {
        let Some(rollback) = self.kept.rollbacks.get(index) else {
            return Outcome::UnderWay;
        };
        let retried = rollback.retried();
        let mut later = self.kept.rollbacks.iter().skip(index + 1);
        if later.any(|later| later.undid(retried)) {
            return Outcome::UndoneAgain;
        }
        let mut history = self.now.history.iter();
        match history.any(|record| record.round == retried) {
            true => Outcome::Successful,
            false => Outcome::UnderWay,
        }
    }

    /// A decision of an undone round, the newest under that id.
    pub fn undone_decision(&self, id: &DecisionId) -> Option<&UndoneDecision> {
        let mut undone = self.kept.undone_decisions.iter().rev();
        undone.find(|undone| undone.decision.id == *id)
    }

    /// What is still to be done with the archives of the ended session.
    pub fn archives_due(&self) -> Option<ArchiveChoice> {
        let settled = self.kept.disposed.as_ref();
        let settled = settled.is_some_and(|disposed| disposed.problems.is_empty());
        self.kept.archive_choice.filter(|_| !settled)
    }

    /// Where the refined spec of a session that waits can be written as far as it goes. The user's spec itself, and what an earlier
    /// chapter delivered, are replaced at the end only.
    pub fn delivery_so_far(&self) -> Option<&Delivery> {
        let wanted = self.kept.setup.delivery.as_ref();
        let wanted = wanted.filter(|_| {
            self.is_started() && self.kept.ended.is_none() && self.kept.chapters.is_empty()
        });
        wanted.filter(|delivery| matches!(delivery, Delivery::Beside {} | Delivery::File { .. }))
    }

    /// Where the refined spec is still to be written: the session has ended with one, and it isn't there yet.
    pub fn delivery_due(&self) -> Option<&Delivery> {
        let (end, _) = self.kept.ended?;
        let is_written = matches!(self.kept.delivered, Some(Delivered::Written { .. }));
        match end == End::Abandoned || is_written {
            true => None,
            false => {
                let wanted = self.kept.setup.delivery.as_ref();
                wanted.filter(|delivery| **delivery != Delivery::Nowhere {})
            }
        }
    }
}
