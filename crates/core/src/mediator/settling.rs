//! Owns what a review does to the ledger, and the questions that follow from it.

use super::Refusal;
use super::conflicts::asks_severity_of;
use super::turn::{Turn, means_the_same};
use crate::event::{GapEvent, Happening, IssueEvent, RoundEvent};
use crate::gap::{Alias, GapState, NewGap, Origin};
use crate::ids::{GapId, IssueId};
use crate::issue::{Concern, IssueMove, IssueState};
use crate::phase::RoundPhase;
use crate::question::About;
use crate::read::{RaisedIssue, Reading, Review, ReviewerReading};
use crate::slot::SlotState;
use crate::state::document_path;
use crate::task::Role;
use crate::text::TextHash;

/// The category of gaps that are made for issues on nothing known.
const REVIEW_CATEGORY: &str = "REVIEW";

impl Turn<'_> {
    pub(super) fn settle(&mut self) -> Result<(), Refusal> {
        if self.state.now.round.settled {
            self.enter(RoundPhase::Accounting);
            return Ok(());
        }
        if self.ask_about_emptiness()? {
            return Ok(());
        }
        if let Some((text, reading)) = self.review_of_round() {
            self.round(RoundEvent::Reviewed { reviewer: text });
            self.take_review(&reading)?;
        }
        self.ask_about_conflicts()?;
        self.ask_about_defaults()?;
        self.round(RoundEvent::Settled {});
        Ok(())
    }

    pub(super) fn review_of_round(&self) -> Option<(TextHash, ReviewerReading)> {
        let slot = self
            .slots_of(Role::Reviewer)
            .find(|slot| slot.state == SlotState::Valid)?;
        let output = slot.output.as_ref()?;
        match &output.reading {
            Reading::Reviewer(reading) => Some((output.text, reading.clone())),
            _ => None,
        }
    }

    pub(super) fn take_review(&mut self, reading: &ReviewerReading) -> Result<(), Refusal> {
        let mut raised_again: Vec<IssueId> = Vec::new();
        for issue in &reading.issues {
            if let Some(id) = self.take_issue(issue)? {
                raised_again.push(id);
            }
        }
        for review in &reading.reviews {
            self.take_review_of_gap(review, &raised_again)?;
        }
        Ok(())
    }

    /// Takes one issue of the review; gives its id where it is one that stood before and stands again.
    fn take_issue(&mut self, raised: &RaisedIssue) -> Result<Option<IssueId>, Refusal> {
        let written: Option<IssueId> = raised.written_id.parse().ok();
        let known = written
            .and_then(|id| self.state.now.issues.get(&id))
            .map(|issue| (issue.id, issue.state));
        match known {
            Some((id, IssueState::Open | IssueState::Answered)) if raised.withdrawn => {
                self.move_issue(&id, IssueMove::Withdraw, None)?;
                Ok(None)
            }
            _ if raised.withdrawn => Ok(None),
            Some((id, state @ (IssueState::Open | IssueState::Answered))) => {
                if state == IssueState::Answered {
                    self.move_issue(&id, IssueMove::RaiseAgain, None)?;
                }
                let issue = self.issue(&id)?;
                let graver = raised.concern.severity > issue.concern.severity;
                if graver && issue.severity_set_by_user {
                    self.withdraw_questions(
                        |question| asks_severity_of(question, &id),
                        "a newer review asks it anew",
                        true,
                    );
                    let question = self.issue_severity_question(&id, raised.concern.severity)?;
                    self.ask(question);
                } else if graver {
                    let concern = Concern {
                        // What only the user settles stays theirs, in whatever words it comes back.
                        settled_by_user: raised.concern.settled_by_user
                            || issue.concern.settled_by_user,
                        ..raised.concern.clone()
                    };
                    self.emit(Happening::Issue(IssueEvent::Restated { id, concern }));
                }
                Ok(Some(id))
            }
            // What the user settled is not opened again by anyone else; the same id for something else is.
            Some((id, IssueState::Decided | IssueState::Waived | IssueState::Moot))
                if means_the_same(&self.issue(&id)?.concern.summary, &raised.concern.summary) =>
            {
                Ok(None)
            }
            Some(_) | None => {
                let gap = raised.gap.as_ref().and_then(|gap| self.part_of(gap));
                let document = document_path(Role::Reviewer, self.state.now.round.number);
                let name = (!raised.written_id.is_empty())
                    .then_some((document, raised.written_id.as_str()));
                let review = self.state.now.round.reviewer;
                self.raise(gap, raised.concern.clone(), written, name, review)?;
                Ok(None)
            }
        }
    }

    /// Puts an issue on the ledger.
    pub(super) fn raise(
        &mut self,
        gap: Option<GapId>,
        concern: Concern,
        written: Option<IssueId>,
        name: Option<(String, &str)>,
        review: Option<TextHash>,
    ) -> Result<IssueId, Refusal> {
        let id = self
            .state
            .allot_issue(written)
            .ok_or_else(|| Refusal::OutOfIds("ISSUE".to_owned()))?;
        let gap = match gap {
            Some(gap) => gap,
            None => self.create_gap_for_issue(id, &concern)?,
        };
        let alias = name
            .filter(|(_, name)| *name != id.to_string())
            .map(|(document, name)| Alias {
                document,
                name: name.to_owned(),
            });
        let closed_by_user = self.gap(&gap)?.state == GapState::WontFix;
        self.emit(Happening::Issue(IssueEvent::Raised {
            id,
            gap,
            concern,
            alias,
            review,
        }));
        if closed_by_user {
            self.move_issue(&id, IssueMove::Moot, None)?;
        }
        Ok(id)
    }

    /// The known gap that goes by this id; a split gap stands for its first part that is not closed, else for its first.
    pub(super) fn part_of(&self, id: &GapId) -> Option<GapId> {
        let gap = self.state.now.gaps.get(id)?;
        if gap.state != GapState::Superseded {
            return Some(gap.id.clone());
        }
        let parts = || {
            gap.children
                .iter()
                .filter_map(|id| self.state.now.gaps.get(id))
        };
        parts()
            .find(|part| !part.state.is_closed())
            .or_else(|| parts().find(|part| part.state != GapState::Superseded))
            .map(|part| part.id.clone())
    }

    fn create_gap_for_issue(
        &mut self,
        issue: IssueId,
        concern: &Concern,
    ) -> Result<GapId, Refusal> {
        let id = self
            .state
            .next_gap(REVIEW_CATEGORY)
            .ok_or_else(|| Refusal::OutOfIds(REVIEW_CATEGORY.to_owned()))?;
        self.emit(Happening::Gap(GapEvent::Created {
            gap: NewGap {
                id: id.clone(),
                severity: concern.severity,
                description: concern.summary.clone(),
                section: None,
                blocked_by: Default::default(),
                origin: Origin::Issue { issue },
                alias: None,
            },
        }));
        Ok(id)
    }

    fn take_review_of_gap(
        &mut self,
        review: &Review,
        raised_again: &[IssueId],
    ) -> Result<(), Refusal> {
        let gap = self.gap(&review.gap)?;
        let (severity, by_user) = (gap.severity, gap.severity_set_by_user);
        let answered: Vec<IssueId> = self
            .state
            .now
            .standing_issues(gap)
            .filter(|issue| {
                issue.state == IssueState::Answered && !raised_again.contains(&issue.id)
            })
            .map(|issue| issue.id)
            .collect();
        self.emit(Happening::Gap(GapEvent::Reviewed {
            id: review.gap.clone(),
            verdict: review.verdict,
        }));
        for issue in answered {
            self.move_issue(&issue, IssueMove::Close, None)?;
        }
        match review.severity {
            Some(raise_to) if raise_to > severity && by_user => {
                self.withdraw_questions(
                    |question| matches!(&question.about, About::Severity { gap, issue: None, .. } if *gap == review.gap),
                    "a newer review asks it anew",
                    true,
                );
                let question = self.severity_question(&review.gap, severity, raise_to)?;
                self.ask(question);
            }
            Some(to) if to > severity => self.emit(Happening::Gap(GapEvent::SeverityChanged {
                id: review.gap.clone(),
                from: severity,
                to,
                by_user: false,
            })),
            _ => {}
        }
        Ok(())
    }
}
