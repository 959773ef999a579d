//! Owns what becomes of issues on which Engineer and Reviewer stand apart: when the user is asked, and what a decision, a
//! waiver or another severity does to issue and gap.

use super::Refusal;
use super::turn::{NewDecision, Turn};
use gapless_detection::conflict::Conflict;
use gapless_domain::decision::{DecisionKind, Positions};
use gapless_domain::gap::{GapMove, GapState};
use gapless_domain::ids::{DecisionId, GapId, IssueId, QuestionId};
use gapless_domain::issue::{AnswerKind, IssueMove};
use gapless_domain::phase::RoundPhase;
use gapless_domain::question::{
    About, Answer, DecidedBy, Question, conflict, contradiction, decided_matter,
    implicit_disagreement, lesser_conflicts, severity, systematic_concern,
};
use gapless_domain::severity::Severity;
use gapless_session::event::{Happening, IssueEvent};

impl Turn<'_> {
    /// An issue that the Engineer disagrees with and the Reviewer did not let go is the user's to decide.
    pub(super) fn ask_about_conflicts(&mut self) -> Result<(), Refusal> {
        let round = self.state.now.round.number;
        let mut conflicts: Vec<IssueId> = self
            .state
            .now
            .gaps
            .values()
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
        let holds = |id: &&IssueId| {
            let issue = now.issues.get(*id);
            issue.is_some_and(|issue| issue.concern.severity.holds())
        };
        for question in now.questions.values() {
            match &question.about {
                About::Conflict(conflict::Subject { issue })
                    if now.severity_of_conflict(question) > question.severity =>
                {
                    conflicts.push(*issue);
                }
                About::LesserConflicts(lesser_conflicts::Subject { issues }) => {
                    conflicts.extend(issues.iter().filter(holds))
                }
                _ => {}
            }
        }
        self.ask_conflicts(conflicts)
    }

    /// Asks about conflicts in their order: severity, round, number; several below HIGH in one go.
    pub(super) fn ask_conflicts(&mut self, mut conflicts: Vec<IssueId>) -> Result<(), Refusal> {
        let severity = |turn: &Self, id: &IssueId| {
            let issue = turn.state.now.issues.get(id);
            issue.map_or(Severity::Low, |issue| issue.concern.severity)
        };
        // What is asked in one go with one of these is asked anew with it.
        let batches: Vec<IssueId> = self
            .state
            .now
            .questions
            .values()
            .filter_map(|question| match &question.about {
                About::LesserConflicts(lesser_conflicts::Subject { issues }) => Some(issues),
                _ => None,
            })
            .filter(|issues| issues.iter().any(|issue| conflicts.contains(issue)))
            .flatten()
            .copied()
            .collect();
        conflicts.extend(batches);
        conflicts.retain(|id| {
            let issue = self.state.now.issues.get(id);
            issue.is_some_and(|issue| issue.state.stands())
        });
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
            let question = self.conflict_question(issue)?;
            self.ask(question);
        }
        if several {
            let question = self.lesser_conflicts_question(&lesser)?;
            self.ask(question);
        }
        Ok(())
    }

    /// Withdraws the questions whose subject is gone for good, or that the user has settled otherwise. A flag on an issue that
    /// agents have settled since stays the user's to judge, and is put as it stands now.
    pub(super) fn withdraw_settled(&mut self) {
        let now = self.state.now.clone();
        let stands = |id: &IssueId| {
            let issue = now.issues.get(id);
            issue.is_some_and(|issue| issue.state.stands())
        };
        let over = |id: &IssueId| !now.is_to_be_met(id) && !now.is_settled_by_agents(id);
        let is_closed = |id: &GapId| {
            let gap = now.gaps.get(id);
            gap.is_none_or(|gap| gap.state.is_closed() || gap.state.is_parked())
        };
        let is_on_closed = |id: &IssueId| {
            let gap = now
                .issues
                .get(id)
                .and_then(|issue| now.gaps.get(&issue.gap));
            gap.is_some_and(|gap| gap.state == GapState::WontFix)
        };
        let is_lifted = |id: &DecisionId| {
            let decision = now.decision(id);
            decision.is_none_or(|decision| decision.lifted.is_some())
        };
        self.withdraw_questions(
            |question| match &question.about {
                About::Conflict(conflict::Subject { issue })
                | About::Severity(severity::Subject {
                    issue: Some(issue), ..
                }) => !stands(issue),
                About::LesserConflicts(lesser_conflicts::Subject { issues }) => {
                    !issues.iter().any(stands)
                }
                About::ImplicitDisagreement(implicit_disagreement::Subject { issue }) => {
                    over(issue) || is_on_closed(issue)
                }
                About::SystematicConcern(systematic_concern::Subject { issues }) => issues
                    .iter()
                    .all(|issue| over(issue) || is_on_closed(issue)),
                About::DecidedMatter(decided_matter::Subject { issue, .. }) => {
                    stands(issue) || is_on_closed(issue)
                }
                About::Contradiction(contradiction::Subject { gap, decision }) => {
                    is_closed(gap) || is_lifted(decision)
                }
                _ => false,
            },
            "what it asks about is settled",
            true,
        );
        self.withdraw_settled_defaults();
    }

    /// Puts the questions on flags whose issues agents have settled since as they stand now.
    pub(super) fn renew_flag_questions(&mut self) -> Result<(), Refusal> {
        let now = &self.state.now;
        let stale = |question: &Question| match &question.about {
            About::ImplicitDisagreement(implicit_disagreement::Subject { issue }) => {
                let said = question
                    .options
                    .iter()
                    .any(|choice| choice.label == "settled");
                (!now.is_to_be_met(issue) && now.is_settled_by_agents(issue) && !said)
                    .then_some((question.id, *issue))
            }
            _ => None,
        };
        let stale: Vec<(QuestionId, IssueId)> = now.questions.values().filter_map(stale).collect();
        for (id, issue) in stale {
            self.withdraw_questions(
                |question| question.id == id,
                "it is asked anew as it stands now",
                true,
            );
            let question = self.settled_flag_question(&issue)?;
            self.ask(question);
        }
        Ok(())
    }

    pub(super) fn answer_conflict(&mut self, id: &IssueId, answer: &Answer) -> Result<(), Refusal> {
        let issue = self.issue(id)?.clone();
        let conflict = self.conflict(id)?;
        let for_engineer = answer.option == "B";
        let decision = decided(&conflict, &issue.concern.summary, answer);
        // Where its gap was split meanwhile, the issue stands on the parts, and they are bound.
        let gaps = self.gaps_with_issue(id);
        let names: Vec<String> = gaps.iter().map(ToString::to_string).collect();
        let names = names.join(", ");
        self.move_issue(id, IssueMove::Decide, Some(&decision))?;
        self.decide(NewDecision {
            gaps: gaps.clone(),
            issue: Some(*id),
            positions: Some(Positions {
                reviewer: conflict.reviewer,
                engineer: conflict.engineer,
                chosen: answer.option.clone(),
                severity: Some(conflict.severity),
                implicit: conflict.implicit,
            }),
            rationale: answer.field("rationale").to_owned(),
            constraints: answer.field("constraints").to_owned(),
            action: match for_engineer {
                true => "none: keep to the proposal".to_owned(),
                false => format!("the next proposal for {names} carries this out"),
            },
            for_gap: match for_engineer {
                true => format!("{names} is accepted if nothing else is open on it"),
                false => {
                    format!("{names} is not accepted before a reviewed proposal carries this out")
                }
            },
            obliges: !for_engineer,
            ..NewDecision::on_session(
                DecisionKind::Conflict,
                issue.concern.summary.clone(),
                decision,
                answer.by,
            )
        });
        for gap in &gaps {
            // An Engineer may object in words and adopt the suggestion in the proposal.
            if for_engineer && !conflict.implicit {
                self.ask_about_contradictions_of(gap)?;
            }
            self.carry_decision(gap, for_engineer)?;
        }
        Ok(())
    }

    pub(super) fn answer_lesser_conflicts(
        &mut self,
        issues: &[IssueId],
        answer: &Answer,
    ) -> Result<(), Refusal> {
        let standing: Vec<IssueId> = issues
            .iter()
            .copied()
            .filter(|id| {
                let issue = self.state.now.issues.get(id);
                issue.is_some_and(|issue| issue.state.stands())
            })
            .collect();
        for issue in &standing {
            if answer.option == "each" {
                let question = self.conflict_question(issue)?;
                self.ask(question);
            } else {
                self.answer_conflict(issue, answer)?;
            }
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
    pub(super) fn carry_decision(&mut self, id: &GapId, for_engineer: bool) -> Result<(), Refusal> {
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
    pub(super) fn waive(
        &mut self,
        id: &IssueId,
        reason: &str,
        by: DecidedBy,
    ) -> Result<(), Refusal> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(Refusal::NoReason);
        }
        let issue = self.issue(id)?.clone();
        let gaps = self.gaps_with_issue(id);
        self.move_issue(id, IssueMove::Waive, Some(reason))?;
        self.decide(NewDecision {
            issue: Some(*id),
            gaps: gaps.clone(),
            rationale: reason.to_owned(),
            ..NewDecision::on_gap(
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
    ) -> Result<(), Refusal> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(Refusal::NoReason);
        }
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
        self.decide(NewDecision {
            issue: Some(*id),
            gaps: gaps.clone(),
            rationale: reason.to_owned(),
            severity: Some(to),
            ..NewDecision::on_gap(
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
    ) -> Result<(), Refusal> {
        self.withdraw_questions(
            |question| asks_severity_of(question, id),
            "the severity was set",
            true,
        );
        let mut questions = self.state.now.questions.values();
        if questions.any(|question| asks_about(question, id)) {
            self.ask_conflicts(vec![*id])?;
        }
        for gap in gaps {
            let state = self.gap(gap)?.state;
            match to.holds() {
                false => self.carry_decision(gap, true)?,
                true if matches!(state, GapState::Accepted | GapState::Resolved) => {
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
    match &question.about {
        About::Conflict(conflict::Subject { issue: asked }) => asked == issue,
        About::LesserConflicts(lesser_conflicts::Subject { issues }) => issues.contains(issue),
        _ => false,
    }
}

/// What an option of a conflict decides.
fn decided(conflict: &Conflict, summary: &str, answer: &Answer) -> String {
    match (answer.option.as_str(), &conflict.synthesis) {
        ("A", _) => format!("The Reviewer's position holds: {}", conflict.reviewer),
        ("B", _) if conflict.implicit => {
            format!("The proposal stays as it is; it need not meet this: {summary}")
        }
        ("B", _) => format!("The Engineer's position holds: {}", conflict.engineer),
        ("C", Some(synthesis)) => synthesis.text.clone(),
        _ => answer.field("text").to_owned(),
    }
}
