//! What becomes of issues on which Engineer and Reviewer stand apart: when the user is asked, and what a decision, a
//! waiver or another severity does to issue and gap.

use super::flags::ASKED_ANEW;
use super::outcome::given_reason;
use super::questions::is_settled;
use super::{Refusal, Result, Turn};
use gapless_domain::question::{conflict, implicit_disagreement, lesser_conflicts, severity};
use gapless_domain::{
    About, AnswerKind, DecidedBy, Decision, DecisionKind, GapId, GapMove, GapState, IssueId,
    IssueMove, Question, QuestionId, RoundPhase, Severity,
};
use gapless_session::{Happening, IssueEvent};

impl Turn<'_> {
    /// An issue that the Engineer disagrees with and the Reviewer did not let go is the user's to decide.
    pub(super) fn ask_about_conflicts(&mut self) -> Result<()> {
        let round = self.state.now.round.number;
        let gaps = self.state.now.gaps.values();
        let mut conflicts: Vec<IssueId> = gaps
            .flat_map(|gap| gap.standing_issues.iter())
            .filter_map(|id| self.state.now.issues.get(id))
            .filter(|issue| {
                issue.answer.as_ref().is_some_and(|answer| {
                    answer.how == AnswerKind::Disagree && answer.round == round
                })
            })
            .map(|issue| issue.id)
            .collect();
        // Asked when it was less grave, it may not have held what it holds now.
        let now = &self.state.now;
        let holds = |id: &&IssueId| now.issues.has(*id, |issue| issue.concern.severity.holds());
        for question in now.questions.values() {
            if let Some(subject) = conflict::Subject::of(&question.about)
                && now.severity_of_conflict(question) > question.severity
            {
                conflicts.push(subject.issue);
            }
            if let Some(subject) = lesser_conflicts::Subject::of(&question.about) {
                conflicts.extend(subject.issues.iter().filter(holds));
            }
        }
        self.ask_conflicts(conflicts)
    }

    /// Asks about conflicts in their order: severity, round, number; several below HIGH in one go.
    pub(super) fn ask_conflicts(&mut self, mut conflicts: Vec<IssueId>) -> Result<()> {
        let severity = |turn: &Self, id: &IssueId| {
            let issue = turn.state.now.issues.get(id);
            issue.map_or(Severity::Low, |issue| issue.concern.severity)
        };
        // What is asked in one go with one of these is asked anew with it.
        let questions = self.state.now.questions.values();
        let batches: Vec<IssueId> = questions
            .filter(|question| matches!(question.about, About::LesserConflicts(_)))
            .map(|question| question.about.conflicts())
            .filter(|issues| issues.iter().any(|issue| conflicts.contains(issue)))
            .flatten()
            .copied()
            .collect();
        conflicts.extend(batches);
        conflicts.retain(|id| self.state.now.stands(id));
        conflicts.sort_by_key(|id| (std::cmp::Reverse(severity(self, id)), *id));
        conflicts.dedup();
        for issue in &conflicts {
            self.withdraw_to_renew(
                |question| asks_about(question, issue),
                "it is asked as it stands now",
            );
        }
        let (grave, lesser): (Vec<IssueId>, Vec<IssueId>) = conflicts
            .into_iter()
            .partition(|id| severity(self, id).holds());
        let several = lesser.len() > 1;
        for issue in grave.iter().chain(lesser.iter().filter(|_| !several)) {
            self.ask(self.conflict_question(issue)?);
        }
        if several {
            self.ask(self.lesser_conflicts_question(&lesser)?);
        }
        Ok(())
    }

    /// Withdraws the questions whose subject is gone for good, or that the user has settled otherwise. A flag on an issue that
    /// agents have settled since stays the user's to judge, and is put as it stands now.
    pub(super) fn withdraw_settled(&mut self) {
        let now = self.state.now.clone();
        self.withdraw_questions(
            |question| is_settled(&question.about, &now),
            "what it asks about is settled",
        );
        self.withdraw_settled_defaults();
    }

    /// Puts the questions on flags whose issues agents have settled since as they stand now.
    pub(super) fn renew_flag_questions(&mut self) -> Result<()> {
        let now = &self.state.now;
        let stale = |question: &Question| {
            let issue = implicit_disagreement::Subject::of(&question.about)?.issue;
            let said = question.offers(implicit_disagreement::Options::Settled);
            (!now.is_to_be_met(&issue) && now.is_settled_by_agents(&issue) && !said)
                .then_some((question.id, issue))
        };
        let stale: Vec<(QuestionId, IssueId)> = now.questions.values().filter_map(stale).collect();
        for (id, issue) in stale {
            self.withdraw_questions(|question| question.id == id, ASKED_ANEW);
            self.ask(self.settled_flag_question(&issue)?);
        }
        Ok(())
    }

    pub(super) fn gaps_with_issue(&self, id: &IssueId) -> Vec<GapId> {
        let gaps = self.state.now.gaps.values();
        gaps.filter(|gap| gap.state != GapState::Superseded && gap.standing_issues.contains(id))
            .map(|gap| gap.id.clone())
            .collect()
    }

    /// What a settled issue means for a gap that it stood on.
    pub(super) fn carry_decision(&mut self, id: &GapId, for_engineer: bool) -> Result<()> {
        let gap = self.gap(id)?;
        let held = self.state.now.is_held(gap);
        let reviewed_now = gap.reviewed_in == Some(self.state.now.round.number);
        let accounted = self.state.now.round.phase > RoundPhase::Settling;
        match gap.state {
            GapState::Proposed | GapState::Accepted if !for_engineer => {
                self.move_gap(id, GapMove::Overrule, None)
            }
            GapState::Resolved if !for_engineer => self.move_gap(id, GapMove::Reopen, None),
            GapState::NeedsRevision if for_engineer && !held && gap.proposal.is_some() => {
                self.move_gap(id, GapMove::Settle, None)
            }
            GapState::Proposed if for_engineer && !held && reviewed_now && accounted => {
                self.move_gap(id, GapMove::Settle, None)
            }
            _ => Ok(()),
        }
    }

    /// The user lets an issue go, with a reason.
    pub(super) fn waive(&mut self, id: &IssueId, reason: &str, by: DecidedBy) -> Result<()> {
        let reason = given_reason(reason)?;
        let issue = self.issue(id)?.clone();
        let gaps = self.gaps_with_issue(id);
        self.move_issue(id, IssueMove::Waive, Some(reason))?;
        self.decide(Decision {
            issue: Some(*id),
            gaps: gaps.clone(),
            rationale: reason.to_owned(),
            ..self.decision_on_gap(
                DecisionKind::Waiver,
                &issue.gap,
                format!("{id} is waived"),
                format!("It need not be answered: {}", issue.concern.summary),
                by,
            )
        });
        for gap in &gaps {
            self.carry_decision(gap, true)?;
        }
        Ok(())
    }

    /// The user calls an issue more or less grave. Below HIGH it no longer holds its gap.
    pub(super) fn set_issue_severity(
        &mut self,
        id: &IssueId,
        to: Severity,
        reason: &str,
        by: DecidedBy,
    ) -> Result<()> {
        let reason = given_reason(reason)?;
        let issue = self.issue(id)?.clone();
        if !issue.state.stands() {
            return Err(Refusal::IssueSettled {
                issue: *id,
                state: issue.state,
            });
        }
        let (from, gaps) = (issue.concern.severity, self.gaps_with_issue(id));
        self.emit(Happening::Issue(IssueEvent::SeverityChanged {
            id: *id,
            from,
            to,
        }));
        self.decide(Decision {
            issue: Some(*id),
            gaps: gaps.clone(),
            rationale: reason.to_owned(),
            severity: Some(to),
            ..self.decision_on_gap(
                DecisionKind::Severity,
                &issue.gap,
                format!("{id} is {to}"),
                format!("{id} has severity {to} (was {from})."),
                by,
            )
        });
        self.follow_issue_severity(id, to, &gaps)
    }

    /// What another severity of an issue means for the questions on it and for its gaps.
    pub(super) fn follow_issue_severity(
        &mut self,
        id: &IssueId,
        to: Severity,
        gaps: &[GapId],
    ) -> Result<()> {
        self.withdraw_questions(
            |question| asks_severity_of(question, id),
            "the severity was set",
        );
        let mut questions = self.state.now.questions.values();
        if questions.any(|question| asks_about(question, id)) {
            self.ask_conflicts(vec![*id])?;
        }
        for gap in gaps {
            let state = self.gap(gap)?.state;
            match to.holds() {
                false => self.carry_decision(gap, true)?,
                true if state.is_settled_by_text() => {
                    self.move_gap(gap, GapMove::Reopen, None)?;
                }
                true => {}
            }
        }
        Ok(())
    }
}

/// True for a question on the severity of an issue.
pub(super) fn asks_severity_of(question: &Question, id: &IssueId) -> bool {
    matches!(&question.about, About::Severity(severity::Subject { issue: Some(issue), .. }) if issue == id)
}

fn asks_about(question: &Question, issue: &IssueId) -> bool {
    question.about.conflicts().contains(issue)
}
