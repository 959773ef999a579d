//! What a review does to the ledger, and the questions that follow from it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Refusal;
use super::conflicts::asks_severity_of;
use super::decided::is_matter_of;
use super::turn::Turn;
use gapless_domain::gap::{Alias, GapState, NewGap, Origin};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::issue::{Concern, Issue, IssueMove, IssueState};
use gapless_domain::matter::{Link, Matter, same_matter};
use gapless_domain::phase::RoundPhase;
use gapless_domain::severity::Severity;
use gapless_domain::slot::SlotState;
use gapless_domain::task::Role;
use gapless_domain::text::TextHash;
use gapless_reading::read::{RaisedIssue, Reading, Review, ReviewerReading};
use gapless_session::event::{GapEvent, Happening, IssueEvent, RoundEvent};
use gapless_session::state::document_path;

/// The category of gaps that are made for issues on nothing known.
const REVIEW_CATEGORY: &str = "REVIEW";

/// The issues that the entries of one review were taken for.
#[derive(Default)]
struct Taken {
    raised_again: Vec<IssueId>,
    new: Vec<IssueId>,
}

impl Taken {
    fn has(&self, id: &IssueId) -> bool {
        self.raised_again.contains(id) || self.new.contains(id)
    }
}

impl Turn<'_> {
    pub(super) fn settle(&mut self) -> Result<(), Refusal> {
        if self.state.now.round.settled {
            return self.enter_in_round(RoundPhase::Accounting);
        }
        if self.ask_about_emptiness()? {
            return Ok(());
        }
        if let Some((text, reading)) = self.review_of_round() {
            self.round(RoundEvent::Reviewed { reviewer: text });
            self.take_review(&reading)?;
            self.take_new_gaps(&reading)?;
            self.raise_misfits()?;
        }
        self.ask_about_conflicts()?;
        self.ask_about_contradictions()?;
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
        let mut taken = Taken::default();
        // What is raised counts before what is withdrawn, and an id counts for the first entry that has it.
        let mut entries: Vec<&RaisedIssue> = reading.issues.iter().collect();
        let mut ids = BTreeSet::new();
        entries.sort_by_cached_key(|issue| {
            let repeated = !issue.written_id.is_empty() && !ids.insert(&issue.written_id);
            (issue.withdrawn, repeated)
        });
        for issue in entries {
            self.take_issue(issue, &mut taken)?;
        }
        for review in &reading.reviews {
            self.take_review_of_gap(review, &taken)?;
        }
        Ok(())
    }

    /// Takes one entry of the review. The entry raises an open issue again, withdraws one, returns to a settled matter, or raises a
    /// new issue.
    fn take_issue(&mut self, raised: &RaisedIssue, taken: &mut Taken) -> Result<(), Refusal> {
        let gap = raised.gap.as_ref().and_then(|gap| self.part_of(gap));
        let words = Matter::of(&raised.concern.summary);
        let known = self.meant_by_id(raised, &words, gap.as_ref());
        if raised.withdrawn {
            let open = known.filter(|id| self.state.now.stands(id) && !taken.has(id));
            if let Some(id) = open {
                self.move_issue(&id, IssueMove::Withdraw, None)?;
            }
            return Ok(());
        }
        // An id counts once in a review; a second entry under it is judged by its words.
        let by_id = known.filter(|id| {
            self.state.now.stands(id) && (!taken.has(id) || self.is_same_text(id, &raised.concern))
        });
        if let Some(id) = by_id.or_else(|| self.standing_issue_of(&words, gap.as_ref())) {
            if taken.has(&id) {
                return self.make_graver(&id, raised.concern.severity);
            }
            taken.raised_again.push(id);
            return self.raise_again(&id, &raised.concern, &words);
        }
        if let Some(settled) = self.settled_issue_of(raised, &words, gap.as_ref()) {
            return self.take_settled_matter(&settled, &raised.concern);
        }
        let gap = gap.filter(|gap| self.may_stand_on(gap, &raised.concern));
        let written = raised.written_id.parse().ok();
        let document = document_path(Role::Reviewer, self.state.now.round.number);
        let name =
            (!raised.written_id.is_empty()).then_some((document, raised.written_id.as_str()));
        let review = self.state.now.round.reviewer;
        let id = self.raise(gap, raised.concern.clone(), written, name, review)?;
        taken.new.push(id);
        Ok(())
    }

    /// The issue that an entry of a review with these words means by its id: that of its gap whose words, now or before, fit. A new matter under a
    /// known id is another issue.
    pub(super) fn meant_by_id(
        &self,
        raised: &RaisedIssue,
        words: &Matter,
        gap: Option<&GapId>,
    ) -> Option<IssueId> {
        let id: IssueId = raised.written_id.parse().ok()?;
        let issue = self.state.now.issues.get(&id)?;
        // An issue may be taken back in the review of another gap, where the words say which it is.
        let withdrawn = raised.withdrawn && !words.is_empty();
        // The words of an earlier round under its id are that issue, whichever review they stand in.
        let repeated = issue.raised_in < self.state.now.round.number && is_matter_of(issue, words);
        let elsewhere = withdrawn || repeated;
        let on_gap = elsewhere || gap.is_none_or(|gap| self.is_on(issue, gap));
        let fits = |known: &Arc<Concern>| {
            let known = Matter::of(&known.summary);
            // A withdrawal may give its reason instead of the matter, but not the words of another issue.
            let withdrawn = raised.withdrawn && words.touches(&known);
            words.is(&known, Link::Id) || (withdrawn && !self.is_another_matter(words, &id))
        };
        let mut known = std::iter::once(&issue.concern).chain(&issue.earlier);
        (on_gap && known.any(fits)).then_some(id)
    }

    /// True where words are the matter of another open issue.
    fn is_another_matter(&self, words: &Matter, id: &IssueId) -> bool {
        let mut issues = self.state.now.issues.values();
        issues.any(|issue| issue.id != *id && issue.state.stands() && is_matter_of(issue, words))
    }

    /// The open issue on a gap that an entry raises again under another id.
    pub(super) fn standing_issue_of(&self, words: &Matter, gap: Option<&GapId>) -> Option<IssueId> {
        let gap = self.state.now.gaps.get(gap?)?;
        let mut standing = self.state.now.standing_issues(gap);
        let same = standing.find(|issue| is_matter_of(issue, words));
        same.map(|issue| issue.id)
    }

    /// True where an issue is or was on a gap or on a part of it.
    pub(super) fn is_on(&self, issue: &Issue, gap: &GapId) -> bool {
        let stands = self.state.now.gaps.get(gap);
        issue.gap.root() == gap.root()
            || stands.is_some_and(|gap| gap.standing_issues.contains(&issue.id))
    }

    fn is_same_text(&self, id: &IssueId, concern: &Concern) -> bool {
        let known = self.issue(id);
        known.is_ok_and(|issue| same_matter(&issue.concern.summary, &concern.summary))
    }

    /// Opens an issue again. Both roles see its new words from now on.
    pub(super) fn raise_again(
        &mut self,
        id: &IssueId,
        concern: &Concern,
        words: &Matter,
    ) -> Result<(), Refusal> {
        if self.issue(id)?.state == IssueState::Answered {
            self.move_issue(id, IssueMove::RaiseAgain, None)?;
        }
        let known = self.issue(id)?.concern.clone();
        // "Still not resolved" says nothing new.
        if !words.is_empty() {
            let restated = Concern {
                severity: known.severity,
                summary: concern.summary.clone(),
                location: concern.location.clone().or(known.location.clone()),
                impact: concern.impact.clone().or(known.impact.clone()),
                suggestion: concern.suggestion.clone().or(known.suggestion.clone()),
                // What only the user settles stays theirs, in whatever words it comes back.
                settled_by_user: concern.settled_by_user || known.settled_by_user,
            };
            self.restate(id, restated);
        }
        self.make_graver(id, concern.severity)
    }

    fn restate(&mut self, id: &IssueId, concern: Concern) {
        let issues = &self.state.now.issues;
        if issues.has(id, |issue| *issue.concern != concern) {
            let review = self.state.now.round.reviewer;
            self.emit(Happening::Issue(IssueEvent::Restated {
                id: *id,
                concern: Arc::new(concern),
                review,
            }));
        }
    }

    /// The Reviewer calls an issue graver: where the user set its severity, the user is asked.
    fn make_graver(&mut self, id: &IssueId, severity: Severity) -> Result<(), Refusal> {
        let issue = self.issue(id)?;
        if severity <= issue.concern.severity {
            return Ok(());
        }
        if issue.severity_set_by_user {
            self.withdraw_questions(
                |question| asks_severity_of(question, id),
                "a newer review asks it anew",
            );
            self.ask(self.issue_severity_question(id, severity)?);
            return Ok(());
        }
        let concern = Concern {
            severity,
            ..Concern::clone(&issue.concern)
        };
        self.restate(id, concern);
        Ok(())
    }

    /// False for a gap that the user closed or put off, unless the concern is about just that: what the user settled there is no
    /// grave for other concerns that name it.
    pub(super) fn may_stand_on(&self, gap: &GapId, concern: &Concern) -> bool {
        let Some(gap) = self.state.now.gaps.get(gap) else {
            return false;
        };
        let put_aside = matches!(gap.state, GapState::WontFix | GapState::UserDeferred);
        !put_aside || gap.is_about(&concern.summary, Link::Id)
    }

    /// Puts an issue on the ledger.
    pub(super) fn raise(
        &mut self,
        gap: Option<GapId>,
        concern: Arc<Concern>,
        written: Option<IssueId>,
        name: Option<(String, &str)>,
        review: Option<TextHash>,
    ) -> Result<IssueId, Refusal> {
        let id = self.state.allot_issue(written);
        let id = id.ok_or_else(|| Refusal::OutOfIds("ISSUE".to_owned()))?;
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
        let id = self.free_gap_id(REVIEW_CATEGORY)?;
        let (severity, description) = (concern.severity, concern.summary.clone());
        let origin = Origin::Issue { issue };
        self.create(NewGap::new(id.clone(), severity, description, origin));
        Ok(id)
    }

    fn take_review_of_gap(&mut self, review: &Review, taken: &Taken) -> Result<(), Refusal> {
        let standing = self.state.now.standing_issues(self.gap(&review.gap)?);
        let answered: Vec<IssueId> = standing
            .filter(|issue| issue.state == IssueState::Answered && !taken.has(&issue.id))
            // Silence settles no open disagreement on what is grave.
            .filter(|issue| !(issue.is_disagreed_with() && issue.concern.severity.holds()))
            .map(|issue| issue.id)
            .collect();
        self.emit(Happening::Gap(GapEvent::Reviewed {
            id: review.gap.clone(),
            verdict: review.verdict,
        }));
        for issue in answered {
            self.move_issue(&issue, IssueMove::Close, None)?;
        }
        self.find_graver(&review.gap, review.severity, "a newer review asks it anew")
    }
}
