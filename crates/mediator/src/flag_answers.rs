//! Judges flags as the user answers the questions on them: confirmed, a false alarm, or made clear.

use super::{Refusal, Result, Turn};
use gapless_domain::matter::Matter;
use gapless_domain::{
    DecidedBy, Decision, DecisionKind, GapId, Heuristic, IssueId, IssueMove, IssueState, RoundPhase,
};
use gapless_session::{Happening, IssueEvent};

impl Turn<'_> {
    /// The user's word on an issue's newest flags: precision per heuristic is counted from it, each flag once.
    pub(super) fn judge_flags(&mut self, id: &IssueId, confirmed: bool) -> Result<()> {
        let issue = self.issue(id)?;
        let Some(round) = issue.flags.iter().map(|flag| flag.round).max() else {
            return Ok(());
        };
        let heuristics: Vec<Heuristic> = issue
            .flags
            .iter()
            .filter(|flag| flag.round == round && issue.judgement(flag) != Some(confirmed))
            .map(|flag| flag.heuristic)
            .collect();
        let answered = issue.state == IssueState::Answered;
        if !heuristics.is_empty() {
            self.emit(Happening::Issue(IssueEvent::FlagsJudged {
                id: *id,
                heuristics,
                confirmed,
                round: (round != self.state.now.round.number).then_some(round),
            }));
        }
        if confirmed && answered {
            self.move_issue(id, IssueMove::RaiseAgain, None)?;
        }
        Ok(())
    }

    /// A false alarm: the issue was answered, or the decision carried out, in this round's document. Where a review has had
    /// that already, it settles them now.
    pub(super) fn let_pass(&mut self, id: &IssueId) -> Result<()> {
        self.count_as_answered(id)?;
        let now = &self.state.now;
        let accounted = now.round.phase > RoundPhase::Settling;
        let waiting: Vec<GapId> = now
            .gaps
            .values()
            .filter(|gap| accounted && gap.reviewed_in == Some(now.round.number))
            .filter(|gap| {
                self.told_of(gap)
                    .any(|decision| decision.issue == Some(*id))
            })
            .map(|gap| gap.id.clone())
            .collect();
        for gap in waiting {
            self.meet_obligations(&gap)?;
            self.carry_decision(&gap, true)?;
        }
        Ok(())
    }

    /// An issue whose flags of this round were false alarms is answered; where this round's review named its gap and let it be,
    /// it is closed.
    fn count_as_answered(&mut self, id: &IssueId) -> Result<()> {
        let round = &self.state.now.round;
        let issue = self.issue(id)?;
        let looked_at = issue.flags.iter().any(|flag| flag.round == round.number);
        let still_open = issue.state == IssueState::Open && !issue.concern.settled_by_user;
        // Before that, Responding looks at it again.
        if !looked_at || !still_open || round.phase <= RoundPhase::Responding {
            return Ok(());
        }
        let reviewed = round.phase > RoundPhase::Settling && !self.is_in_review(id);
        self.answer_by_word(id)?;
        let gaps = self.gaps_with_issue(id);
        let was_reviewed = |gap: &GapId| {
            self.gap_is(gap, |gap| {
                gap.reviewed_in == Some(self.state.now.round.number)
            })
        };
        if reviewed && gaps.iter().any(was_reviewed) {
            self.move_issue(id, IssueMove::Close, None)?;
            for gap in &gaps {
                self.carry_decision(gap, true)?;
            }
        }
        Ok(())
    }

    /// True where this round's review raises an issue once more.
    fn is_in_review(&self, id: &IssueId) -> bool {
        let Some((_, review)) = self.review_of_round() else {
            return false;
        };
        let mut raised = review.issues.iter().filter(|raised| !raised.withdrawn);
        raised.any(|raised| {
            let gap = raised.gap.as_ref().and_then(|gap| self.part_of(gap));
            let words = Matter::of(&raised.concern.summary);
            self.meant_by_id(raised, &words, gap.as_ref()) == Some(*id)
                || self.standing_issue_of(&words, gap.as_ref()) == Some(*id)
        })
    }

    /// The gaps that an issue stands on or is to be carried out on; its own where it does neither.
    pub(super) fn gaps_concerned(&self, id: &IssueId) -> Result<Vec<GapId>> {
        let mut gaps = self.gaps_with_issue(id);
        gaps.extend(self.state.now.gaps_owing(id));
        gaps.sort();
        gaps.dedup();
        if gaps.is_empty() {
            gaps.push(self.issue(id)?.gap.clone());
        }
        Ok(gaps)
    }

    /// What the user makes clear about an issue; on one that is decided it is to be carried out with the decision.
    pub(super) fn clarify(&mut self, id: &IssueId, text: &str, by: DecidedBy) -> Result<()> {
        if text.trim().is_empty() {
            return Err(Refusal::NoReason);
        }
        let issue = self.issue(id)?.clone();
        let stands = issue.state.stands();
        self.decide(Decision {
            issue: Some(*id),
            gaps: self.gaps_concerned(id)?,
            for_gap: match stands {
                true => "held by the issue until that is answered and reviewed".to_owned(),
                false => String::new(),
            },
            obliges: !stands,
            ..self.decision_on_gap(
                DecisionKind::Input,
                &issue.gap,
                format!("{id} is made clear"),
                text.trim().to_owned(),
                by,
            )
        });
        Ok(())
    }
}
