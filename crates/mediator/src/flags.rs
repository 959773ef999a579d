//! Records flags on what the Engineers pass over, weighs them, and asks the user when there are enough. A flag changes no state by
//! itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Refusal;
use super::due_issues::raised;
use super::turn::Turn;
use gapless_detection::disagreement::{
    Counted, Escalation, Weighed, closed_over, of_review, weigh,
};
use gapless_domain::flag::{Flag, Heuristic};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::issue::Issue;
use gapless_domain::question::{Holds, Question, implicit_disagreement};
use gapless_domain::task::{AskAgainKind, Role};
use gapless_session::event::{Happening, IssueEvent};
use gapless_session::state::document_path;

/// Why a question on a flag is withdrawn before it is asked with what came since.
pub(super) const ASKED_ANEW: &str = "it is asked anew as it stands now";

impl Turn<'_> {
    /// Asks the Engineers again for what the user wants of them. True where that was done.
    pub(super) fn ask_passed_over_again(&mut self) -> Result<bool, Refusal> {
        // What was settled meanwhile is asked of nobody.
        let to_ask_again = self.state.now.round.to_ask_again.iter();
        let again: Vec<IssueId> = to_ask_again
            .copied()
            .filter(|id| self.state.now.is_to_be_met(id))
            .collect();
        if again.is_empty() {
            return Ok(false);
        }
        let stands = |id: &IssueId| self.issue(id).is_ok_and(|issue| issue.state.stands());
        let kind = match self.state.now.round.wants_disagreement && again.iter().all(stands) {
            true => AskAgainKind::Disagree,
            false => AskAgainKind::Unanswered,
        };
        self.ask_engineers_again(kind, again)
    }

    /// Flags what this round's Engineers pass over, and asks the user where the flags come to that. True where something was
    /// asked.
    pub(super) fn flag(&mut self, found: &[(IssueId, Flag)]) -> Result<bool, Refusal> {
        for (id, flag) in found {
            let issue = self.issue(id)?;
            let doubted = self.state.now.round.doubted.contains(id);
            let known = issue.flags.iter().any(|known| **known == *flag);
            if !doubted || !known {
                self.emit(Happening::Issue(IssueEvent::Flagged {
                    id: *id,
                    flag: Arc::new(flag.clone()),
                }));
            }
        }
        self.ask_about_flags(found)
    }

    /// Weighs what was found in this round with the flags of the rounds before it. What the user called a false alarm, and what
    /// an Engineer that was asked again made good, does not count.
    fn weighed(&self, found: &[(IssueId, Flag)]) -> Weighed<IssueId> {
        let now = &self.state.now;
        // A concern is the same only on the same gap: what was flagged on others says nothing here.
        let concerned: BTreeSet<&GapId> = found
            .iter()
            .filter_map(|(id, _)| Some(&now.issues.get(id)?.gap))
            .collect();
        let flagged: BTreeSet<&IssueId> = concerned
            .into_iter()
            .filter_map(|gap| now.flagged.get(gap))
            .flatten()
            .collect();
        let flagged = flagged.into_iter().filter_map(|id| now.issues.get(id));
        let earlier = flagged.flat_map(|issue| {
            let flags = issue.flags_that_count();
            // Once it is decided, what was passed over before is dealt with.
            let decided = now.owed_since(&issue.id).unwrap_or(0);
            flags
                .filter(move |flag| flag.round < now.round.number && flag.round > decided)
                .map(move |flag| counted(issue, flag))
        });
        let here = found.iter().filter_map(|(id, flag)| {
            let issue = now.issues.get(id)?;
            (issue.judgement(flag) != Some(false)).then(|| counted(issue, flag))
        });
        let flags: Vec<Counted<IssueId>> = earlier.chain(here).collect();
        let advisory = self.state.kept.setup.advisory.iter().copied().collect();
        weigh(now.round.number, &flags, &advisory, &self.parameters())
    }

    fn ask_about_flags(&mut self, found: &[(IssueId, Flag)]) -> Result<bool, Refusal> {
        if found.is_empty() {
            return Ok(false);
        }
        let advisory = self.state.kept.setup.advisory.clone();
        let mut flagged: Vec<IssueId> = found
            .iter()
            .filter(|(_, flag)| !advisory.contains(&flag.heuristic))
            .map(|(id, _)| *id)
            .collect();
        flagged.dedup();
        let weighed = self.weighed(found);
        let holds = match weighed.of_round {
            Some(Escalation::RoundBlocked) => Holds::Phase,
            _ => Holds::Nothing,
        };
        let ask_each = matches!(
            weighed.of_round,
            Some(Escalation::UserWarned | Escalation::RoundBlocked)
        );
        let mut asked = false;
        for pattern in &weighed.patterns {
            let issues: Vec<IssueId> = pattern
                .issues
                .iter()
                .copied()
                .filter(|id| flagged.contains(id))
                .collect();
            if let Some(first) = issues.first().copied()
                && !self.was_asked_about(&first)
            {
                self.withdraw_flag_questions(&issues, ASKED_ANEW);
                self.ask(self.systematic_question(&issues, &pattern.rounds)?);
                asked = true;
            }
            flagged.retain(|id| !issues.contains(id));
        }
        for id in flagged {
            // What still waits from an earlier round is put as it stands now.
            let pending = self.state.now.questions.values();
            let mut pending =
                pending.filter_map(|asked| implicit_disagreement::Subject::of(&asked.about));
            let shown = ask_each
                || weighed.deflected.contains(&id)
                || pending.any(|subject| subject.issue == id);
            if shown && !self.was_asked_about(&id) {
                self.withdraw_flag_questions(&[id], ASKED_ANEW);
                self.ask(self.flag_question(&id, holds)?);
                asked = true;
            }
        }
        Ok(asked)
    }

    pub(super) fn withdraw_flag_questions(&mut self, issues: &[IssueId], why: &str) {
        let asks = |question: &Question| {
            let subject = implicit_disagreement::Subject::of(&question.about);
            subject.is_some_and(|subject| issues.contains(&subject.issue))
        };
        self.withdraw_questions(asks, why);
    }

    fn was_asked_about(&self, id: &IssueId) -> bool {
        self.state.now.round.asked_about.contains(id)
    }

    /// True where a flag of this round says that this was passed over, and counts.
    pub(super) fn is_in_doubt(&self, id: &IssueId) -> bool {
        let round = self.state.now.round.number;
        let flagged = |issue: &Issue| {
            let mut flags = issue.flags.iter().filter(|flag| flag.round == round);
            flags.any(|flag| flag.heuristic != Heuristic::H6 && self.counts(issue, flag))
        };
        self.state.now.round.doubted.contains(id) && self.issue(id).is_ok_and(flagged)
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
            for issue in self.state.now.issues_to_answer(gap) {
                found.push((
                    issue.id,
                    closed_over(&raised(&self.state.now, issue), &closure),
                ));
            }
        }
        for (id, flag) in found {
            let flag = Arc::new(flag);
            self.emit(Happening::Issue(IssueEvent::Flagged { id, flag }));
        }
        Ok(())
    }
}

fn counted<'i>(issue: &'i Issue, flag: &Flag) -> Counted<'i, IssueId> {
    Counted {
        issue: issue.id,
        gap: Some(&issue.gap),
        summary: &issue.concern.summary,
        severity: issue.concern.severity,
        round: flag.round,
        heuristic: flag.heuristic,
    }
}
