//! Owns what becomes of issues that the Engineers pass over: flags with evidence, when the user is asked, and what the user's
//! word on a flag does. A flag changes no state by itself.

use std::sync::Arc;

use super::Refusal;
use super::turn::{NewDecision, Turn};
use crate::decision::DecisionKind;
use crate::disagreement::{
    By, Counted, Demand, Earlier, Escalation, Flag, Heuristic, Lexicon, Output, Parameters, Raised,
    Weighed, closed_over, deflected, look, of_review, readable, unanswered, unchanged, weigh,
};
use crate::event::{Happening, IssueEvent};
use crate::ids::{GapId, IssueId};
use crate::issue::{Issue, IssueMove, IssueState};
use crate::phase::RoundPhase;
use crate::question::{Answer, DecidedBy, Holds};
use crate::state::document_path;
use crate::task::{AskAgainKind, Role};

impl Turn<'_> {
    /// Flags what this round's Engineers pass over, and asks the user where the flags come to that. True where something was
    /// asked, or the Engineers are asked again.
    pub(super) fn look_for_flags(&mut self) -> Result<bool, Refusal> {
        let again = self.state.now.round.to_ask_again.clone();
        if !again.is_empty() {
            let kind = match self.state.now.round.wants_disagreement {
                true => AskAgainKind::Disagree,
                false => AskAgainKind::Unanswered,
            };
            self.ask_engineers_again(kind, again.into_iter().collect())?;
            return Ok(true);
        }
        if self.state.now.round.due.is_empty() {
            return Ok(false);
        }
        let lexicon = Lexicon::default();
        let found = self.flags_of_round(&lexicon)?;
        for (id, flag) in &found {
            let issue = self.issue(id)?;
            let known =
                |known: &Flag| known.round == flag.round && known.heuristic == flag.heuristic;
            if !issue.flags.iter().any(known) {
                self.emit(Happening::Issue(IssueEvent::Flagged {
                    id: *id,
                    flag: flag.clone(),
                }));
            }
        }
        self.ask_about_flags(&found, &lexicon)
    }

    /// What the heuristics say of the issues that are due, on what the Engineers wrote in this round.
    fn flags_of_round(&self, lexicon: &Lexicon) -> Result<Vec<(IssueId, Flag)>, Refusal> {
        let now = &self.state.now;
        let round = now.round.number;
        let written = self.valid_engineer_texts()?;
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let parameters = self.parameters();
        let text = readable(&written.join("\n\n"));
        let output = Output::read(&text, lexicon);
        let mut flags = Vec::new();
        for id in &now.round.due {
            let Some(issue) = now.issues.get(id) else {
                continue;
            };
            if now.round.disagreed.contains(id) || issue.raised_in >= round {
                continue;
            }
            let previous = self.previous_proposal(&issue.gap)?;
            let previous = previous.as_deref().map(|text| Output::read(text, lexicon));
            let mut earlier = Earlier::default();
            if let Some(previous) = &previous {
                earlier.add(&previous.passages);
            }
            let raised = raised(issue);
            let wanted = raised.wanted(lexicon);
            let found = look(&raised, &wanted, &output, &earlier, Demand::Due, lexicon);
            let mut own: Vec<Flag> = Vec::new();
            own.extend(unanswered(&raised, &wanted, &found, &output, round));
            own.extend(deflected(&raised, &output, found.answer.as_ref(), round));
            let by_words = found
                .answer
                .as_ref()
                .is_some_and(|answer| answer.by != By::Disagree);
            if let (true, true, Some(previous)) =
                (parameters.enable_semantic_check, by_words, &previous)
            {
                own.extend(unchanged(
                    &raised,
                    &wanted,
                    &output,
                    previous,
                    round,
                    &parameters,
                ));
            }
            flags.extend(own.into_iter().map(|flag| (*id, flag)));
        }
        Ok(flags)
    }

    fn parameters(&self) -> Parameters {
        let config = &self.state.kept.setup.config;
        Parameters {
            unaddressed_high_threshold: config.unaddressed_high_threshold,
            unaddressed_critical_threshold: config.unaddressed_critical_threshold,
            pattern_threshold: config.pattern_threshold,
            semantic_overlap_minimum: config.semantic_overlap_minimum,
            enable_semantic_check: config.enable_semantic_check,
        }
    }

    /// The section on a gap that the issue was raised on: the one before what is under way.
    fn previous_proposal(&self, gap: &GapId) -> Result<Option<Arc<str>>, Refusal> {
        let proposal = self
            .state
            .now
            .gaps
            .get(gap)
            .and_then(|gap| gap.proposal.as_ref());
        proposal
            .map(|proposal| self.text(&proposal.section))
            .transpose()
    }

    /// Weighs the flags of the session up to now.
    fn weighed(&self, lexicon: &Lexicon) -> Weighed {
        let now = &self.state.now;
        let counted: Vec<Counted> = now
            .issues
            .values()
            .flat_map(|issue| {
                issue.flags.iter().map(|flag| Counted {
                    issue: issue.id.to_string(),
                    gap: Some(issue.gap.clone()),
                    summary: issue.concern.summary.clone(),
                    severity: issue.concern.severity,
                    round: flag.round,
                    heuristic: flag.heuristic,
                })
            })
            .collect();
        let advisory = self.state.kept.setup.advisory.iter().copied().collect();
        weigh(
            now.round.number,
            &counted,
            &advisory,
            &self.parameters(),
            lexicon,
        )
    }

    fn ask_about_flags(
        &mut self,
        found: &[(IssueId, Flag)],
        lexicon: &Lexicon,
    ) -> Result<bool, Refusal> {
        let advisory = self.state.kept.setup.advisory.clone();
        let mut flagged: Vec<IssueId> = found
            .iter()
            .filter(|(_, flag)| !advisory.contains(&flag.heuristic))
            .map(|(id, _)| *id)
            .collect();
        flagged.dedup();
        let weighed = self.weighed(lexicon);
        let holds = match weighed.escalation {
            Some(Escalation::RoundBlocked) => Holds::Phase,
            _ => Holds::Nothing,
        };
        let ask_each = matches!(
            weighed.escalation,
            Some(Escalation::UserWarned | Escalation::RoundBlocked | Escalation::Systematic)
        );
        let mut asked = false;
        for pattern in &weighed.patterns {
            let issues: Vec<IssueId> = pattern
                .issues
                .iter()
                .filter_map(|id| id.parse().ok())
                .filter(|id| flagged.contains(id))
                .collect();
            if let Some(first) = issues.first().copied()
                && !self.was_asked_about(&first)
            {
                let question = self.systematic_question(&issues, &pattern.rounds)?;
                self.ask(question);
                flagged.retain(|id| !issues.contains(id));
                asked = true;
            }
        }
        for id in flagged {
            let shown = ask_each || weighed.deflected.contains(&id.to_string());
            if shown && !self.was_asked_about(&id) {
                let question = self.flag_question(&id, holds)?;
                self.ask(question);
                asked = true;
            }
        }
        Ok(asked)
    }

    fn was_asked_about(&self, id: &IssueId) -> bool {
        self.state.now.round.asked_about.contains(id)
    }

    pub(super) fn answer_flag(&mut self, id: &IssueId, answer: &Answer) -> Result<(), Refusal> {
        self.judge_flags(id, answer.option != "false_positive")?;
        match answer.option.as_str() {
            "again" => self.answer_anew(id, answer.by),
            "convert" => self.ask_conflicts(vec![*id]),
            "waive" => self.waive(id, answer.field("text"), answer.by),
            "clarify" => self.clarify(id, answer.field("text"), answer.by),
            _ => Ok(()),
        }
    }

    pub(super) fn answer_systematic(
        &mut self,
        issues: &[IssueId],
        answer: &Answer,
    ) -> Result<(), Refusal> {
        let Some(first) = issues.first().copied() else {
            return Ok(());
        };
        for id in issues {
            self.judge_flags(id, answer.option != "false_positive")?;
        }
        let text = answer.field("text");
        match answer.option.as_str() {
            "approach" => self.clarify(&first, text, answer.by),
            "specify" => {
                let own = Answer::of("D", answer.by).with("text", text);
                for id in issues {
                    if self.issue(id)?.state.stands() {
                        self.answer_conflict(id, &own)?;
                    }
                }
                Ok(())
            }
            "close" => {
                let gap = self.issue(&first)?.gap.clone();
                self.close(&gap, text, None, answer.by)
            }
            _ => Ok(()),
        }
    }

    /// The user's word on an issue's flags of this round: precision per heuristic is counted from it.
    fn judge_flags(&mut self, id: &IssueId, confirmed: bool) -> Result<(), Refusal> {
        let round = self.state.now.round.number;
        let issue = self.issue(id)?;
        let heuristics: Vec<Heuristic> = issue
            .flags
            .iter()
            .filter(|flag| flag.round == round)
            .map(|flag| flag.heuristic)
            .collect();
        let answered = issue.state == IssueState::Answered;
        self.emit(Happening::Issue(IssueEvent::FlagsJudged {
            id: *id,
            heuristics,
            confirmed,
        }));
        if confirmed && answered {
            self.move_issue(id, IssueMove::RaiseAgain, None)?;
        }
        Ok(())
    }

    /// In time the Engineer is asked in this round, which Responding does; later the next prompt says it.
    fn answer_anew(&mut self, id: &IssueId, by: DecidedBy) -> Result<(), Refusal> {
        let in_time = matches!(
            self.state.now.round.phase,
            RoundPhase::Engineering | RoundPhase::Responding
        );
        if in_time {
            return Ok(());
        }
        self.clarify(id, &format!("Answer {id} by its id."), by)
    }

    fn clarify(&mut self, id: &IssueId, text: &str, by: DecidedBy) -> Result<(), Refusal> {
        if text.trim().is_empty() {
            return Err(Refusal::NoReason);
        }
        let issue = self.issue(id)?.clone();
        self.decide(NewDecision {
            issue: Some(*id),
            ..NewDecision::on_gap(
                DecisionKind::Input,
                &issue.gap,
                format!("{id} is made clear"),
                text.trim().to_owned(),
                by,
            )
        });
        Ok(())
    }

    /// A review that lets a gap pass over a grave issue that stands: noticed, and it changes nothing.
    pub(super) fn flag_closures(&mut self) -> Result<(), Refusal> {
        let Some((text, reading)) = self.review_of_round() else {
            return Ok(());
        };
        let round = self.state.now.round.number;
        let document = self.text(&text)?;
        let name = document_path(Role::Reviewer, round);
        let mut found: Vec<(IssueId, Flag)> = Vec::new();
        for closure in of_review(&reading, &document, round, &name) {
            let gap = closure
                .gap
                .as_ref()
                .and_then(|gap| self.state.now.gaps.get(gap));
            let Some(gap) = gap else { continue };
            for issue in self.state.now.holding_issues(gap) {
                found.push((issue.id, closed_over(&raised(issue), &closure)));
            }
        }
        for (id, flag) in found {
            self.emit(Happening::Issue(IssueEvent::Flagged { id, flag }));
        }
        Ok(())
    }
}

/// An issue as detection sees it.
fn raised(issue: &Issue) -> Raised {
    Raised {
        id: issue.id.to_string(),
        aliases: issue
            .aliases
            .iter()
            .map(|alias| alias.name.clone())
            .collect(),
        round: issue.raised_in,
        gap: Some(issue.gap.clone()),
        concern: issue.concern.clone(),
        given_away: Vec::new(),
    }
}
