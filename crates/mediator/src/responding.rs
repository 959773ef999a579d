//! Responding: what the Engineers wrote is held against the ledger before it binds anything, so that they can be
//! asked again in the same round.

use super::due_issues::Looked;
use super::engineering::Valid;
use super::{Result, Turn};
use gapless_detection::disagree_rate::{Disagreed, Passed, passed};
use gapless_domain::{AskAgain, AskAgainKind, GapId, IssueId, Role, RoundPhase};
use gapless_session::RoundEvent;

impl Turn<'_> {
    pub(super) fn respond(&mut self) -> Result<()> {
        let outputs = self.valid_engineers()?;
        self.note_responses(&outputs);
        if self.ask_about_rate()? {
            return Ok(());
        }
        if self.ask_passed_over_again()? {
            return Ok(());
        }
        let Looked { flags, answered } = self.look_at_due(&outputs)?;
        if self.flag(&flags)? {
            return Ok(());
        }
        self.join(&outputs)?;
        self.take_answers(&outputs, answered)?;
        self.open_review()
    }

    /// Records which grave issues were due in this round and which the Engineers disagree with, where that is new.
    pub(super) fn note_responses(&mut self, outputs: &[Valid]) {
        let now = &self.state.now;
        let gaps = self.slots_of(Role::Engineer).flat_map(|slot| &slot.gaps);
        let mut due: Vec<IssueId> = gaps
            .filter_map(|id| now.gaps.get(id))
            .flat_map(|gap| now.issues_to_answer(gap))
            .map(|issue| issue.id)
            .collect();
        due.sort_unstable();
        due.dedup();
        let mut disagreed: Vec<IssueId> = outputs
            .iter()
            .flat_map(|output| &output.reading.disagreements)
            .map(|block| block.issue)
            .filter(|id| now.stands(id))
            .collect();
        disagreed.sort_unstable();
        disagreed.dedup();
        let round = &now.round;
        if due != round.due || disagreed != round.disagreed {
            self.round(RoundEvent::Responded { due, disagreed });
        }
    }

    /// The limits that the disagreements of this round pass, strongest first.
    fn rates_passed(&self) -> Vec<Passed> {
        let now = &self.state.now;
        let is_grave = |id: &&IssueId| now.issues.has(*id, |issue| issue.concern.severity.holds());
        let count = |ids: &[IssueId]| u32::try_from(ids.iter().filter(is_grave).count());
        let this_round = Disagreed {
            due: count(&now.round.due).unwrap_or(u32::MAX),
            disagreed: count(&now.round.disagreed).unwrap_or(u32::MAX),
        };
        let earlier: Vec<Disagreed> = now
            .history
            .iter()
            .map(|record| Disagreed {
                due: record.due,
                disagreed: record.disagreed,
            })
            .collect();
        let all = u32::try_from(now.round.disagreed.len()).unwrap_or(u32::MAX);
        passed(&self.state.kept.setup.config, all, this_round, &earlier)
    }

    fn ask_about_rate(&mut self) -> Result<bool> {
        let passed = self.rates_passed();
        if self.state.now.round.rate_settled || passed.is_empty() {
            return Ok(false);
        }
        self.ask(self.rate_limit_question(&passed)?);
        Ok(true)
    }

    /// Asks the Engineers of these issues' gaps once more in this round; what they write then counts. False where none of
    /// them has written on these gaps.
    pub(super) fn ask_engineers_again(
        &mut self,
        kind: AskAgainKind,
        issues: Vec<IssueId>,
    ) -> Result<bool> {
        // What an issue stands on, and what owes the decision on it.
        let concerns = |id: &IssueId, gap: &GapId| {
            self.gap_is(gap, |gap| gap.standing_issues.contains(id))
                || self.state.now.gaps_owing(id).contains(gap)
        };
        let mut slots = Vec::new();
        for output in self.valid_engineer_slots() {
            let own = issues.iter().copied();
            let own: Vec<IssueId> = own
                .filter(|id| output.gaps.iter().any(|gap| concerns(id, gap)))
                .collect();
            if !own.is_empty() {
                slots.push((output, own));
            }
        }
        if slots.is_empty() {
            return Ok(false);
        }
        self.enter_in_round(RoundPhase::Engineering)?;
        for (output, own) in slots {
            let again = AskAgain {
                kind,
                issues: own,
                document: output.text,
            };
            self.open_slot_for(Role::Engineer, output.gaps, None, Some(again), None);
        }
        Ok(true)
    }
}
