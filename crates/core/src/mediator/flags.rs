//! Owns the look at what the Engineers pass over, issues and decisions to be carried out alike: flags with evidence, when the
//! user is asked, and what counts as answered. A flag changes no state by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Refusal;
use super::turn::Turn;
use crate::decision::Decision;
use crate::disagreement::{
    By, Counted, Demand, Earlier, Escalation, Flag, Found, Heuristic, Output, Parameters, Raised,
    Wanted, Weighed, closed_over, deflected, look, of_review, readable, rolled_back, unanswered,
    unchanged, weigh,
};
use crate::event::{Happening, IssueEvent};
use crate::gap::{Gap, GapState};
use crate::ids::{GapId, IssueId};
use crate::issue::{AnswerKind, Issue};
use crate::question::{About, Holds, Question};
use crate::state::document_path;
use crate::task::{AskAgainKind, Role};
use crate::text::TextHash;

/// An issue that is answered in substance, and how.
pub(super) struct Answered {
    pub issue: IssueId,
    pub how: AnswerKind,
    pub words: String,
}

/// What the record has of an answer that only the user saw.
pub(super) const BY_THE_USER: &str =
    "The user calls it answered: the flag on it was a false alarm.";

/// What a look at everything that is due brought.
#[derive(Default)]
pub(super) struct Looked {
    pub flags: Vec<(IssueId, Flag)>,
    pub answered: Vec<Answered>,
}

impl Turn<'_> {
    /// Asks the Engineers again for what the user wants of them. True where that was done.
    pub(super) fn ask_passed_over_again(&mut self) -> Result<bool, Refusal> {
        // What was settled meanwhile is asked of nobody.
        let again: Vec<IssueId> = self
            .state
            .now
            .round
            .to_ask_again
            .iter()
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
            if !doubted || !issue.flags.contains(flag) {
                self.emit(Happening::Issue(IssueEvent::Flagged {
                    id: *id,
                    flag: flag.clone(),
                }));
            }
        }
        self.ask_about_flags(found)
    }

    /// H2, in a round that is run again: its gap went wrong in another way each time.
    fn undone_again(&self, look: &Look) -> Option<Flag> {
        let gap = look.raised.gap.as_ref()?;
        let reasons = self.state.patterns_undone(look.round, gap);
        rolled_back(gap, &reasons, look.round)
    }

    /// Looks at everything that is due, in what the Engineers wrote in this round: what is flagged, and what answers an issue
    /// though no section and no mention on its gap does.
    pub(super) fn look_at_due(&self) -> Result<Looked, Refusal> {
        let due = self.due_in_round();
        let written = self.valid_engineer_texts()?;
        if written.is_empty() || due.is_empty() {
            return Ok(Looked::default());
        }
        let text = readable(&written.join("\n\n"));
        let output = Output::read(&text);
        let mut sections: BTreeMap<TextHash, Arc<str>> = BTreeMap::new();
        for Due {
            raised, owed_since, ..
        } in due.values()
        {
            if let Some(section) = self.previous_proposal(raised, *owed_since)
                && !sections.contains_key(&section)
            {
                sections.insert(section, self.text(&section)?);
            }
        }
        let sections: BTreeMap<&TextHash, Output> = sections
            .iter()
            .map(|(hash, text)| (hash, Output::read(text)))
            .collect();
        let mut looked = Looked::default();
        for (id, due) in &due {
            let raised = &due.raised;
            let previous = self
                .previous_proposal(raised, due.owed_since)
                .and_then(|section| sections.get(&section));
            let mut earlier = Earlier::default();
            if let Some(previous) = previous {
                earlier.add(&previous.passages);
            }
            let wanted = raised.wanted();
            let look = Look {
                raised,
                wanted: &wanted,
                found: look(raised, &wanted, &output, &earlier, Demand::Due),
                output: &output,
                previous,
                round: self.state.now.round.number,
                parameters: self.parameters(),
            };
            let flags: Vec<Flag> = match due.grave {
                true => look
                    .flags()
                    .into_iter()
                    .chain(self.undone_again(&look))
                    .collect(),
                false => Vec::new(),
            };
            looked.answered.extend(self.answered(id, &look, &flags));
            looked
                .flags
                .extend(flags.into_iter().map(|flag| (*id, flag)));
        }
        Ok(looked)
    }

    /// How an issue is answered: in substance, and with no flag on it that counts. Where the user called every flag a false alarm,
    /// it is answered as well.
    fn answered(&self, id: &IssueId, look: &Look, flags: &[Flag]) -> Option<Answered> {
        let issue = self.state.now.issues.get(id)?;
        if flags.iter().any(|flag| self.counts(issue, flag)) {
            return None;
        }
        let judged = |flag: &Flag| issue.judgement(flag) == Some(false);
        match &look.found.answer {
            Some(answer) => {
                let how = match answer.by {
                    By::Disagree => return None,
                    By::Id => AnswerKind::Mention,
                    By::Quote | By::Location | By::Suggestion | By::Keywords => {
                        AnswerKind::Substance
                    }
                };
                Some(Answered {
                    issue: *id,
                    how,
                    words: answer.quote.clone(),
                })
            }
            None if !flags.is_empty() && flags.iter().all(judged) => Some(Answered {
                issue: *id,
                how: AnswerKind::Substance,
                words: BY_THE_USER.to_owned(),
            }),
            None => None,
        }
    }

    /// True for a flag that the user did not call a false alarm, of a heuristic that does more than advise.
    fn counts(&self, issue: &Issue, flag: &Flag) -> bool {
        let advisory = &self.state.kept.setup.advisory;
        !advisory.contains(&flag.heuristic) && issue.judgement(flag) != Some(false)
    }

    /// What Engineers that wrote in this round had to answer: issues of earlier rounds that they don't openly disagree with, and
    /// grave decisions that they were told of.
    fn due_in_round(&self) -> BTreeMap<IssueId, Due> {
        let now = &self.state.now;
        let mut due: BTreeMap<IssueId, Due> = BTreeMap::new();
        let written = self.valid_engineer_slots();
        let assigned: BTreeSet<&GapId> = written.iter().flat_map(|output| &output.gaps).collect();
        let outputs = self.valid_engineers();
        let bound = outputs.iter().flat_map(|output| &output.reading.gaps);
        let mut gaps: BTreeSet<&GapId> = bound.map(|bound| &bound.gap).collect();
        gaps.extend(&assigned);
        for gap in gaps
            .into_iter()
            .filter_map(|id| now.gaps.get(id))
            // Nothing is owed on a gap whose Engineer openly waits for the user.
            .filter(|gap| gap.state != GapState::BlockedExternal)
        {
            let issues = now.standing_issues(gap);
            for issue in issues.filter(|issue| !issue.concern.settled_by_user) {
                if !now.round.disagreed.contains(&issue.id) {
                    // What a final review raised in this round can be answered in it.
                    let earlier = issue.raised_in < now.round.number;
                    let grave =
                        earlier && assigned.contains(&gap.id) && issue.concern.severity.holds();
                    due.insert(
                        issue.id,
                        Due {
                            raised: raised(issue),
                            owed_since: None,
                            grave,
                        },
                    );
                }
            }
            for decision in self.told_of(gap) {
                let issue = decision.issue.and_then(|id| now.issues.get(&id));
                let Some(issue) = issue.filter(|issue| issue.concern.severity.holds()) else {
                    continue;
                };
                let owed = due.entry(issue.id).or_insert_with(|| Due {
                    raised: Raised {
                        gap: Some(gap.id.clone()),
                        ..raised(issue)
                    },
                    owed_since: None,
                    grave: true,
                });
                owed.owed_since = owed.owed_since.max(Some(decision.id.round));
                let name = decision.id.to_string();
                if !owed.raised.aliases.contains(&name) {
                    owed.raised.aliases.push(name);
                    let concern = &mut owed.raised.concern;
                    concern.suggestion = Some(match concern.suggestion.take() {
                        Some(text) => format!("{text}. {}", decision.decision),
                        None => decision.decision.clone(),
                    });
                }
            }
        }
        due
    }

    /// The decisions that a gap's Engineer was asked to carry out in this round.
    pub(super) fn told_of<'s>(&'s self, gap: &'s Gap) -> impl Iterator<Item = &'s Decision> {
        let known = &gap.decisions[..gap.decisions_known.min(gap.decisions.len())];
        known
            .iter()
            .filter(|id| gap.obligations.contains(id))
            .filter_map(|id| self.state.now.decision(id))
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

    /// The section on a gap before what is under way, where that is what an issue was raised on or a decision was made
    /// against: what a later one has of it may stand there already.
    fn previous_proposal(&self, raised: &Raised, owed_since: Option<u32>) -> Option<TextHash> {
        let gap = self.state.now.gaps.get(raised.gap.as_ref()?)?;
        let proposal = gap.proposal.as_ref()?;
        owed_since
            .is_none_or(|round| proposal.round <= round)
            .then_some(proposal.section)
    }

    /// Weighs what was found in this round with the flags of the rounds before it. What the user called a false alarm, and what
    /// an Engineer that was asked again made good, does not count.
    fn weighed(&self, found: &[(IssueId, Flag)]) -> Weighed {
        let now = &self.state.now;
        let counted = |issue: &Issue, flag: &Flag| Counted {
            issue: issue.id.to_string(),
            gap: Some(issue.gap.clone()),
            summary: issue.concern.summary.clone(),
            severity: issue.concern.severity,
            round: flag.round,
            heuristic: flag.heuristic,
        };
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
        let flags: Vec<Counted> = earlier.chain(here).collect();
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
                .filter_map(|id| id.parse().ok())
                .filter(|id| flagged.contains(id))
                .collect();
            if let Some(first) = issues.first().copied()
                && !self.was_asked_about(&first)
            {
                self.withdraw_flag_questions(&issues);
                let question = self.systematic_question(&issues, &pattern.rounds)?;
                self.ask(question);
                asked = true;
            }
            flagged.retain(|id| !issues.contains(id));
        }
        for id in flagged {
            // What still waits from an earlier round is put as it stands now.
            let waits = |question: &Question| matches!(question.about, About::ImplicitDisagreement { issue } if issue == id);
            let shown = ask_each
                || weighed.deflected.contains(&id.to_string())
                || self.state.now.questions.values().any(waits);
            if shown && !self.was_asked_about(&id) {
                self.withdraw_flag_questions(&[id]);
                let question = self.flag_question(&id, holds)?;
                self.ask(question);
                asked = true;
            }
        }
        Ok(asked)
    }

    fn withdraw_flag_questions(&mut self, issues: &[IssueId]) {
        self.withdraw_questions(
            |question| matches!(&question.about, About::ImplicitDisagreement { issue } if issues.contains(issue)),
            "it is asked anew as it stands now",
            true,
        );
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
                found.push((issue.id, closed_over(&raised(issue), &closure)));
            }
        }
        for (id, flag) in found {
            self.emit(Happening::Issue(IssueEvent::Flagged { id, flag }));
        }
        Ok(())
    }
}

/// An issue or a decision that this round's Engineers had to meet.
struct Due {
    raised: Raised,
    /// The round of the newest decision that is to be carried out.
    owed_since: Option<u32>,
    /// It is flagged where it is passed over.
    grave: bool,
}

/// Something that is due, held against what was written.
struct Look<'l> {
    raised: &'l Raised,
    wanted: &'l Wanted,
    found: Found,
    output: &'l Output<'l>,
    /// The section before it.
    previous: Option<&'l Output<'l>>,
    round: u32,
    parameters: Parameters,
}

impl Look<'_> {
    /// What the heuristics say.
    fn flags(&self) -> Vec<Flag> {
        let Self {
            raised,
            wanted,
            output,
            ..
        } = self;
        let answer = self.found.answer.as_ref();
        let mut flags: Vec<Flag> = Vec::new();
        flags.extend(unanswered(raised, &self.found, self.round));
        flags.extend(deflected(raised, output, answer, self.round));
        let refers = answer.is_some_and(|answer| answer.by.refers());
        if let (true, true, Some(previous)) =
            (self.parameters.enable_semantic_check, refers, self.previous)
        {
            let flag = unchanged(
                raised,
                wanted,
                output,
                previous,
                self.round,
                &self.parameters,
            );
            flags.extend(flag);
        }
        flags
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
