//! Protects the user's decisions. A review that raises a decided matter again leads to a question, and a proposal that contradicts
//! a CRITICAL or HIGH decision holds its gap until the user chooses between the two.

use super::Refusal;
use super::turn::Turn;
use gapless_domain::decision::{Decision, DecisionKind};
use gapless_domain::gap::{Gap, GapMove, GapState};
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::issue::{Concern, Issue, IssueMove, IssueState};
use gapless_domain::matter::{Link, Matter};
use gapless_domain::question::conflict::Options;
use gapless_domain::question::{DecidedBy, decided_matter};
use gapless_reading::read::RaisedIssue;
use gapless_reading::validate::Rejected;
use gapless_session::event::{DecisionEvent, Happening, IssueEvent};
use gapless_session::state::Now;

impl Turn<'_> {
    /// The issue that the user settled and that an entry of a review brings up again, under its own id or under another.
    pub(super) fn settled_issue_of(
        &self,
        raised: &RaisedIssue,
        words: &Matter,
        gap: Option<&GapId>,
    ) -> Option<IssueId> {
        let by_id = self.meant_by_id(raised, words, gap);
        let by_id = by_id.and_then(|id| self.state.now.issues.get(&id));
        if let Some(issue) = by_id.filter(|issue| self.is_users(issue)) {
            return Some(issue.id);
        }
        let mut issues = self.state.now.issues.values();
        let same = issues.find(|issue| {
            self.is_users(issue)
                && gap.is_none_or(|gap| self.is_on(issue, gap))
                && is_matter_of(issue, words)
        });
        same.map(|issue| issue.id)
    }

    /// True where the user settled an issue: decided or waived it, or closed the gap that it is on.
    fn is_users(&self, issue: &Issue) -> bool {
        let closed = || self.gap_is(&issue.gap, |gap| gap.state == GapState::WontFix);
        match issue.state {
            IssueState::Decided | IssueState::Waived => true,
            IssueState::Moot => closed(),
            IssueState::Open
            | IssueState::Answered
            | IssueState::Closed
            | IssueState::Withdrawn => false,
        }
    }

    /// Handles a review that returns to a settled matter. Nothing reopens: an unmet decision stays due, otherwise the user is
    /// asked whether to keep the decision.
    pub(super) fn take_settled_matter(
        &mut self,
        id: &IssueId,
        raised: &Concern,
    ) -> Result<(), Refusal> {
        let now = &self.state.now;
        let mut asked = now
            .questions
            .values()
            .filter_map(|asked| decided_matter::Subject::of(&asked.about));
        let upheld = now.upheld.get(id).is_some_and(|at| raised.severity <= *at);
        let issue = self.issue(id)?;
        let closed = self.gap(&issue.gap)?.state == GapState::WontFix;
        if closed
            || issue.state == IssueState::Moot
            || upheld
            || !raised.severity.holds()
            || !now.gaps_owing(id).is_empty()
            || asked.any(|subject| subject.issue == *id)
        {
            return Ok(());
        }
        self.ask(self.decided_matter_question(id, raised)?);
        Ok(())
    }

    /// Keeps a decision. The Engineer must carry it out again if it obliges the Engineer.
    pub(super) fn uphold(&mut self, id: &IssueId, by: DecidedBy) -> Result<(), Refusal> {
        let obliging = self.in_force_on(id).filter(|decision| decision.obliges);
        let Some(decision) = obliging.last().cloned() else {
            return Ok(());
        };
        self.oblige_again(&decision, decision.gaps.clone(), by)
    }

    fn in_force_on(&self, id: &IssueId) -> impl Iterator<Item = &Decision> {
        let decisions = self.state.now.decisions.on_issue(id);
        decisions.filter(|decision| decision.lifted.is_none())
    }

    /// Has a decision carried out on these gaps once more.
    pub(super) fn oblige_again(
        &mut self,
        decision: &Decision,
        mut gaps: Vec<GapId>,
        by: DecidedBy,
    ) -> Result<(), Refusal> {
        gaps.retain(|id| {
            self.gap_is(id, |gap| {
                !matches!(gap.state, GapState::Superseded | GapState::WontFix)
            })
        });
        if gaps.is_empty() {
            return Ok(());
        }
        self.decide(Decision {
            gaps: gaps.clone(),
            issue: decision.issue,
            obliges: true,
            ..self.decision(
                DecisionKind::Input,
                format!("{} stands", decision.id),
                format!("Carry out {}: {}", decision.id, decision.decision),
                by,
            )
        });
        for gap in &gaps {
            self.carry_decision(gap, false)?;
        }
        Ok(())
    }

    /// The user takes back what settled an issue: it is open again, in the words that it is raised with now, and what was
    /// decided on it no longer binds.
    pub(super) fn open_settled(
        &mut self,
        id: &IssueId,
        raised: Option<&Concern>,
    ) -> Result<(), Refusal> {
        let settling = |decision: &&Decision| {
            let kind = decision.kind;
            matches!(kind, DecisionKind::Conflict | DecisionKind::Waiver) || decision.obliges
        };
        let lifted = self.in_force_on(id).filter(settling);
        let lifted: Vec<DecisionId> = lifted.map(|decision| decision.id).collect();
        for decision in lifted {
            self.lift_decision(&decision, &format!("{id} was opened again"));
        }
        self.move_issue(id, IssueMove::Reopen, None)?;
        // A gap that was split meanwhile is worked on in its parts.
        let own = self.issue(id)?.gap.clone();
        if self.gap(&own)?.state == GapState::Superseded
            && self.gaps_with_issue(id).is_empty()
            && let Some(part) = self.part_of(&own)
        {
            self.emit(Happening::Issue(IssueEvent::Copied { id: *id, to: part }));
        }
        if let Some(raised) = raised {
            self.raise_again(id, raised, &Matter::of(&raised.summary))?;
        }
        for gap in self.gaps_with_issue(id) {
            let gap_now = self.gap(&gap)?;
            let held = self.state.now.is_held(gap_now);
            let is_settled = matches!(
                gap_now.state,
                GapState::Accepted | GapState::Resolved | GapState::WontFix
            );
            if held && is_settled {
                self.move_gap(&gap, GapMove::Reopen, None)?;
            }
        }
        Ok(())
    }

    pub(super) fn lift_decision(&mut self, id: &DecisionId, why: &str) {
        self.emit(Happening::Decision(DecisionEvent::Lifted {
            id: *id,
            why: why.to_owned(),
        }));
    }

    /// Asks about the proposals of this round that say again what a CRITICAL or HIGH decision turned down.
    pub(super) fn ask_about_contradictions(&mut self) -> Result<(), Refusal> {
        let round = self.state.now.round.number;
        let proposed = self.state.now.gaps_in(GapState::Proposed);
        let written_now = proposed.filter(|gap| {
            let proposal = gap.proposal.as_ref();
            proposal.is_some_and(|proposal| proposal.round == round)
        });
        let written_now: Vec<GapId> = written_now.map(|gap| gap.id.clone()).collect();
        for gap in written_now {
            self.ask_about_contradictions_of(&gap)?;
        }
        Ok(())
    }

    /// Asks about a proposal that says what a CRITICAL or HIGH decision on its gap turned down.
    pub(super) fn ask_about_contradictions_of(&mut self, id: &GapId) -> Result<(), Refusal> {
        let gap = self.gap(id)?;
        let Some(proposal) = &gap.proposal else {
            return Ok(());
        };
        let text = self.text(&proposal.solution)?;
        let rejected = rejected_on(&self.state.now, gap);
        let repeated = rejected.iter().filter(|rejected| {
            let agreed = (rejected.decision, proposal.solution);
            rejected.severity.is_some_and(|severity| severity.holds())
                && !gap.reconciled.contains(&agreed)
                && rejected.is_repeated_in(&text)
        });
        let repeated: Vec<DecisionId> = repeated.map(|rejected| rejected.decision).collect();
        for decision in repeated {
            if !self.state.now.is_contradicting(id, Some(&decision)) {
                self.ask(self.contradiction_question(id, &decision)?);
            }
        }
        Ok(())
    }
}

/// True where an issue was raised with this matter, now or before.
pub(super) fn is_matter_of(issue: &Issue, matter: &Matter) -> bool {
    let mut words = std::iter::once(&issue.concern).chain(&issue.earlier);
    words.any(|concern| Matter::of(&concern.summary).is(matter, Link::None))
}

/// The positions that decisions on a gap turned down: the Engineer's, or the Reviewer's where the Engineer's was chosen.
pub(super) fn rejected_on(now: &Now, gap: &Gap) -> Vec<Rejected> {
    let decisions = gap.decisions.iter().filter_map(|id| now.decision(id));
    decisions
        .filter(|decision| decision.lifted.is_none())
        .filter_map(|decision| {
            let positions = decision.positions.as_ref()?;
            let (position, chosen) = match positions.chosen {
                Options::B => (&positions.reviewer, &positions.engineer),
                _ if positions.implicit => return None,
                Options::A => (&positions.engineer, &positions.reviewer),
                Options::C | Options::D => (&positions.engineer, &decision.decision),
            };
            Some(Rejected {
                decision: decision.id,
                issue: decision.issue,
                severity: positions.severity,
                position: position.clone(),
                chosen: chosen.clone(),
                subject: decision.title.clone(),
            })
        })
        .collect()
}
