//! A round up to its review: planning, the join of the Engineers' outputs, answers to issues, opening the review.

use std::ops::Range;
use std::sync::Arc;

use super::{Result, Turn};
use crate::plan::plan;
use crate::termination::is_otherwise_complete;
use gapless_domain::issue::DisagreementParts;
use gapless_domain::{
    AnswerKind, GapId, GapMove, GapState, IssueAnswer, IssueId, IssueMove, IssueState, Origin,
    Proposal, Role, RoundPhase, SlotState, SpecChange, TextHash,
};
use gapless_reading::definitions::clashes;
use gapless_reading::read::{BoundGap, EngineerReading, Excerpt, ReadDocument, Reading};
use gapless_session::state::document_path;
use gapless_session::{GapEvent, Happening, IssueEvent, RoundEvent};
use gapless_spec::Proposing;

/// An issue that is answered in substance, and how.
pub(super) struct Answered {
    pub issue: IssueId,
    pub how: AnswerKind,
    pub words: String,
}

/// The recorded text of an answer that the user confirmed.
pub(super) const BY_THE_USER: &str =
    "The user calls it answered: the flag on it was a false alarm.";

/// A valid Engineer output of the round.
pub(super) struct Valid {
    text: TextHash,
    document: Arc<ReadDocument>,
    /// What of it counts.
    pub(super) reading: EngineerReading,
    /// The document that it was written in the place of.
    replaces: Option<TextHash>,
    /// The sections that a later output has anew, or leaves out.
    superseded: Vec<Range<usize>>,
}

impl Valid {
    /// The document without what doesn't count.
    fn excerpt(&self) -> Excerpt<'_> {
        Excerpt {
            document: &self.document,
            without: &self.superseded,
        }
    }
}

/// What the Engineers of a round wrote, as far as it counts, as one document.
pub(super) fn joined(outputs: &[Valid]) -> Arc<ReadDocument> {
    match outputs {
        [only] if only.superseded.is_empty() => Arc::clone(&only.document),
        several => {
            let texts: Vec<String> = several.iter().map(|it| it.excerpt().text()).collect();
            Arc::new(ReadDocument::of_engineer(&texts.join("\n\n")))
        }
    }
}

/// What one Engineer wrote, and for which gaps.
pub(super) struct Written {
    pub gaps: Vec<GapId>,
    pub text: TextHash,
}

impl Turn<'_> {
    pub(super) fn plan_round(&mut self) -> Result<()> {
        self.look_before_end()?;
        let plan = plan(&self.state);
        let not_ready = self.state.now.round.final_reviewed == Some(false);
        if plan.is_empty() && !not_ready && is_otherwise_complete(&self.state.now) {
            self.begin_final_review()?;
            return Ok(());
        }
        if plan.is_empty() {
            self.ask(self.nothing_to_plan_question()?);
            return Ok(());
        }
        let assigned = plan.assigned();
        let forced = self.state.now.forced;
        self.round(RoundEvent::Planned {
            assigned: assigned.clone(),
            to_review: plan.to_review,
        });
        for gap in &assigned {
            self.move_gap(gap, GapMove::Assign, None)?;
        }
        if assigned.is_empty() {
            return self.open_review();
        }
        self.enter_in_round(RoundPhase::Engineering)?;
        let taken = match &forced {
            Some(engineer) => self.take_forced(engineer, &assigned)?,
            None => Vec::new(),
        };
        for mut group in plan.groups {
            group.retain(|gap| !taken.contains(gap));
            if !group.is_empty() {
                self.open_slot(Role::Engineer, group);
            }
        }
        Ok(())
    }

    pub(super) fn conclude_engineering(&mut self) -> Result<()> {
        let any_valid = self
            .slots_of(Role::Engineer)
            .any(|slot| slot.state == SlotState::Valid);
        if !any_valid && self.ask_about_exhausted(Role::Engineer)? {
            return Ok(());
        }
        self.enter_in_round(RoundPhase::Responding)
    }

    /// The valid outputs of the round, each with what of it counts: where a later one has the same gap or answers the same
    /// issue, the later counts; and an Engineer that was asked again answers anew, so that what it no longer disagrees with
    /// is gone. A proposal that it leaves out stays.
    pub(super) fn valid_engineers(&mut self) -> Result<Vec<Valid>> {
        let mut outputs = self.all_valid_engineers()?;
        for index in 0..outputs.len() {
            let (earlier, later) = outputs.split_at_mut(index + 1);
            let text = earlier[index].text;
            let replaced = later.iter().any(|later| later.replaces == Some(text));
            let reading = &mut earlier[index].reading;
            let later = || later.iter().map(|output| &output.reading);
            let bound = |gap: &GapId| later().any(|l| l.gaps.iter().any(|b| b.gap == *gap));
            let answered = |issue: &IssueId| {
                later().any(|l| {
                    l.responses.iter().any(|r| r.issue == *issue)
                        || l.disagreements.iter().any(|d| d.issue == *issue)
                })
            };
            let mut gone: Vec<_> = reading.gaps.iter().map(|b| b.section.clone()).collect();
            reading.gaps.retain(|b| !bound(&b.gap));
            gone.retain(|section| reading.gaps.iter().all(|b| b.section != *section));
            let mut keep = |issue: &IssueId, section: &Range<usize>| {
                let kept = !replaced && !answered(issue);
                if !kept {
                    gone.push(section.clone());
                }
                kept
            };
            reading.responses.retain(|r| keep(&r.issue, &r.section));
            reading.disagreements.retain(|d| keep(&d.issue, &d.section));
            if replaced {
                reading.new_gaps.clear();
            }
            gone.sort_by_key(|section| section.start);
            earlier[index].superseded = gone;
        }
        Ok(outputs)
    }

    /// What is under way in this round: who has which gaps, and what they wrote.
    pub(super) fn valid_engineer_slots(&self) -> Vec<Written> {
        let slots = self.slots_of(Role::Engineer);
        slots
            .filter(|slot| slot.state == SlotState::Valid)
            .filter_map(|slot| {
                Some(Written {
                    gaps: slot.gaps.clone(),
                    text: slot.output.as_ref()?.text,
                })
            })
            .collect()
    }

    fn all_valid_engineers(&mut self) -> Result<Vec<Valid>> {
        let slots = self.slots_of(Role::Engineer);
        let written: Vec<(TextHash, EngineerReading, Option<TextHash>)> = slots
            .filter(|slot| slot.state == SlotState::Valid)
            .filter_map(|slot| {
                let output = slot.output.as_ref()?;
                let Reading::Engineer(reading) = &output.reading else {
                    return None;
                };
                let replaces = slot.again.as_ref().map(|again| again.document);
                Some((output.text, reading.clone(), replaces))
            })
            .collect();
        written
            .into_iter()
            .map(|(text, reading, replaces)| {
                Ok(Valid {
                    text,
                    document: self.engineer_document(&text)?,
                    reading,
                    replaces,
                    superseded: Vec::new(),
                })
            })
            .collect()
    }

    /// Joins the outputs into one engineer.md, and binds proposals and new gaps.
    pub(super) fn join(&mut self, outputs: &[Valid]) -> Result<()> {
        let round = self.state.now.round.number;
        if !outputs.is_empty() {
            let excerpts: Vec<Excerpt> = outputs.iter().map(Valid::excerpt).collect();
            let texts: Vec<String> = excerpts.iter().map(Excerpt::text).collect();
            let parts = texts.iter().map(String::as_str);
            let parts: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
            let clashes = clashes(&excerpts);
            let engineer = match parts.as_slice() {
                [one] => self.keep_text(one),
                several => {
                    let several: Vec<&str> = several.iter().map(|text| text.trim()).collect();
                    self.keep_text(&format!("{}\n", several.join("\n\n")))
                }
            };
            self.round(RoundEvent::Joined { engineer, clashes });
        }
        let document = document_path(Role::Engineer, round);
        self.bind_all(outputs)?;
        for output in outputs {
            for bound in &output.reading.gaps {
                for new in &bound.new_gaps {
                    let origin = Origin::Engineer {
                        round,
                        gap: Some(bound.gap.clone()),
                    };
                    self.create_declared(new, origin, &document)?;
                }
            }
        }
        for output in outputs {
            for new in &output.reading.new_gaps {
                self.create_declared(new, Origin::Engineer { round, gap: None }, &document)?;
            }
        }
        self.return_unfinished()
    }

    fn bind_all(&mut self, outputs: &[Valid]) -> Result<()> {
        let mut bound = outputs.iter().flat_map(|output| &output.reading.gaps);
        let any_changes = bound.any(|bound| !bound.changes.is_empty());
        let state = self.state.clone();
        let mut proposing = match any_changes {
            true => Some(Proposing::of(&state, &self.layered())?),
            false => None,
        };
        for output in outputs {
            let text = &output.document.text;
            for bound in &output.reading.gaps {
                let changes = match &mut proposing {
                    Some(proposing) => self.recorded_changes(bound, proposing),
                    None => Vec::new(),
                };
                self.bind(bound, text, changes)?;
            }
        }
        Ok(())
    }

    fn bind(&mut self, bound: &BoundGap, text: &str, changes: Vec<SpecChange>) -> Result<()> {
        let state = self.gap(&bound.gap)?.state;
        match state {
            GapState::InProgress => {}
            GapState::Open | GapState::NeedsRevision => {
                self.move_gap(&bound.gap, GapMove::Assign, None)?
            }
            // Parked or closed by the user while the agent was writing.
            _ => return Ok(()),
        }
        let section = text.get(bound.section.clone()).unwrap_or(text);
        let solution = bound.solution_in(text);
        let proposal = Proposal {
            round: self.state.now.round.number,
            confidence: bound.confidence,
            section: self.keep_text(section),
            solution: self.keep_text(&solution),
            settled_with: bound.settled_with.clone().filter(|_| changes.is_empty()),
            changes,
            default: bound.default.clone(),
        };
        self.emit(Happening::Gap(GapEvent::Proposed {
            id: bound.gap.clone(),
            proposal,
        }));
        self.move_gap(&bound.gap, GapMove::Propose, None)
    }

    /// Records which issues the Engineer disagrees with, and which it answers in substance.
    pub(super) fn take_answers(
        &mut self,
        outputs: &[Valid],
        answered: Vec<Answered>,
    ) -> Result<()> {
        for output in outputs {
            let text = &output.document.text;
            for block in &output.reading.disagreements {
                let words = behind_heading(text.get(block.section.clone()).unwrap_or(""));
                let parts = DisagreementParts {
                    position: block.position.clone().unwrap_or_default(),
                    rationale: block.rationale.clone().unwrap_or_default(),
                    alternative: block.alternative.clone(),
                };
                self.answer_issue(block.issue, AnswerKind::Disagree, words, Some(parts))?;
            }
        }
        for Answered { issue, how, words } in answered {
            let mut response = None;
            for output in outputs {
                let mut responses = output.reading.responses.iter();
                if let Some(found) = responses.find(|response| response.issue == issue) {
                    let text = &output.document.text;
                    let section = text.get(found.section.clone()).unwrap_or("");
                    response = Some(behind_heading(section).to_owned());
                }
            }
            match (how, response) {
                (AnswerKind::Mention, Some(response)) => {
                    self.answer_issue(issue, AnswerKind::Response, &response, None)?;
                }
                _ => self.answer_issue(issue, how, &words, None)?,
            }
        }
        Ok(())
    }

    /// An issue is answered by the user's word.
    pub(super) fn answer_by_word(&mut self, issue: &IssueId) -> Result<()> {
        self.answer_issue(*issue, AnswerKind::Substance, BY_THE_USER, None)
    }

    fn answer_issue(
        &mut self,
        issue: IssueId,
        how: AnswerKind,
        words: &str,
        disagreement: Option<DisagreementParts>,
    ) -> Result<()> {
        let open =
            self.state.now.issues.get(&issue).is_some_and(|issue| {
                issue.state == IssueState::Open && !issue.concern.settled_by_user
            });
        if !open {
            return Ok(());
        }
        let answer = IssueAnswer {
            round: self.state.now.round.number,
            how,
            text: self.keep_text(words),
            disagreement: disagreement.map(Box::new),
        };
        self.emit(Happening::Issue(IssueEvent::Answered { id: issue, answer }));
        self.move_issue(&issue, IssueMove::Answer, None)
    }

    /// Opens the review of every proposal that no review has named yet.
    pub(super) fn open_review(&mut self) -> Result<()> {
        self.enter_in_round(RoundPhase::Reviewing)?;
        let proposed = self.state.now.gaps_in(GapState::Proposed);
        let mut proposed: Vec<(u32, GapId)> =
            proposed.map(|gap| (gap.age, gap.id.clone())).collect();
        proposed.sort();
        if !proposed.is_empty() {
            let gaps = proposed.into_iter().map(|(_, gap)| gap).collect();
            self.open_slot(Role::Reviewer, gaps);
        }
        Ok(())
    }

    pub(super) fn conclude_reviewing(&mut self) -> Result<()> {
        if self.ask_about_exhausted(Role::Reviewer)? {
            return Ok(());
        }
        self.enter_in_round(RoundPhase::Settling)
    }
}

/// A section's text without its heading.
fn behind_heading(section: &str) -> &str {
    section.split_once('\n').map_or("", |(_, body)| body.trim())
}
