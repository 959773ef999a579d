//! What each gap and issue is to the task whose output is checked.

use super::decided::{is_matter_of, rejected_on};
use crate::examples::{bare, canonicals};
use crate::spec_changes::{left_out, verdict};
use crate::turn::is_same_place;
use gapless_domain::example_use::Tier;
use gapless_domain::matter::{Link, Matter};
use gapless_domain::{Gap, GapId, GapState, IssueId, IssueState, Role, TextHash, Texts};
use gapless_reading::read::DeclaredGap;
use gapless_reading::validate::{
    ChangeVerdict, GapAssignment, GivenSection, IssueAssignment, ProposedChanges, Rejected, Shown,
    ValidationContext, stands_in,
};
use gapless_session::State;
use gapless_session::state::Slot;
use gapless_spec::Editable;

/// A proposal with fewer words may be that for another gap without being a copy of it.
const FEWEST_WORDS: usize = 60;

pub(super) struct SlotContext<'a> {
    pub state: &'a State,
    pub slot: &'a Slot,
    pub texts: &'a dyn Texts,
    /// The session's own example for the role.
    pub example: Option<TextHash>,
    /// What an Editor was given.
    pub sections: Vec<Editable>,
    pub change_faults: ChangeFaults,
}

/// What becomes of a document of which a change can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeFaults {
    Fail,
    /// It is taken as it is: the text goes into the spec as a part of its own.
    Warn,
}

impl ValidationContext for SlotContext<'_> {
    fn gap(&self, id: &GapId) -> GapAssignment {
        let Some(gap) = self.state.now.gaps.get(id) else {
            return GapAssignment::Unknown;
        };
        let ours = self.slot.gaps.contains(id);
        match (self.slot.id.role, gap.state) {
            (Role::Engineer, GapState::InProgress) if ours => GapAssignment::Assigned,
            (Role::Engineer, GapState::Open | GapState::NeedsRevision) => GapAssignment::Free,
            (Role::Reviewer, GapState::Proposed) if ours => GapAssignment::Assigned,
            _ => GapAssignment::Elsewhere,
        }
    }

    fn assigned(&self) -> &[GapId] {
        &self.slot.gaps
    }

    fn sections(&self) -> Vec<&dyn GivenSection> {
        let sections = self.sections.iter();
        sections
            .map(|section| section as &dyn GivenSection)
            .collect()
    }

    fn gaps_of(&self, issue: &IssueId) -> Vec<GapId> {
        let gaps = self.state.now.gaps.values();
        let named = gaps.filter(|gap| {
            self.state
                .now
                .standing_issues(gap)
                .any(|it| it.id == *issue)
        });
        named.map(|gap| gap.id.clone()).collect()
    }

    fn shown(&self) -> Vec<Shown> {
        let role = self.slot.id.role;
        let own = self.example.and_then(|hash| self.texts.text(&hash));
        let own = own.map(|text| Shown::Example(text.to_string()));
        let examples = canonicals(role).map(|text| Shown::Example(text.to_owned()));
        let form = Shown::Form(bare(role).to_owned());
        std::iter::once(form).chain(examples).chain(own).collect()
    }

    /// An Engineer that lists as new what it is working on, or what an issue on it says, finds nothing new. A Reviewer may
    /// mean that it is still open.
    fn repeats(&self, declared: &DeclaredGap, answered: &[IssueId]) -> Option<String> {
        if self.slot.id.role != Role::Engineer {
            return None;
        }
        let matter = Matter::of(&declared.description);
        if matter.is_empty() {
            return None;
        }
        let graver = |gap: &Gap| declared.severity.is_some_and(|it| it > gap.severity);
        let mut gaps = self.state.now.gaps.values();
        let known = gaps.find(|gap| {
            matches!(gap.state, GapState::InProgress | GapState::Proposed)
                && !graver(gap)
                && is_same_place(&gap.section, &declared.section)
                && gap.is_about(&declared.description, Link::None)
        });
        if let Some(gap) = known {
            return Some(gap.id.to_string());
        }
        let issues = self.state.now.issues.values();
        let mut standing =
            issues.filter(|issue| issue.state.stands() && !answered.contains(&issue.id));
        let known = standing.find(|issue| {
            let concern = &issue.concern;
            let graver = declared.severity.is_some_and(|it| it > concern.severity);
            !graver && Matter::of(&concern.summary).is(&matter, Link::None)
        });
        known.map(|issue| issue.id.to_string())
    }

    fn is_proposal_of_another(&self, gap: &GapId, solution: &str) -> Option<GapId> {
        let task = self.slot.task.as_ref()?;
        let example = task.example.as_ref()?;
        // Short answers may be the same for two gaps.
        if example.tier != Tier::Session || solution.split_whitespace().count() < FEWEST_WORDS {
            return None;
        }
        let hash = TextHash::of(solution);
        let others = self.state.now.gaps.values();
        let mut others = others.filter(|it| it.id != *gap && !self.slot.gaps.contains(&it.id));
        let same = others.find(|it| {
            let proposal = it.proposal.as_ref();
            proposal.is_some_and(|proposal| proposal.solution == hash)
        });
        same.map(|it| it.id.clone())
    }

    fn spec_changes(&self, proposed: &[ProposedChanges]) -> ChangeVerdict {
        if self.slot.id.role != Role::Engineer {
            return ChangeVerdict::default();
        }
        let verdict = verdict(self.state, self.texts, self.slot, proposed);
        let mut verdict = verdict.unwrap_or_default();
        if self.change_faults == ChangeFaults::Warn {
            let faults = std::mem::take(&mut verdict.faults);
            verdict.warnings.extend(faults.iter().map(left_out));
            verdict.standing.clear();
        }
        verdict
    }

    fn has_repo(&self) -> bool {
        let task = self.slot.task.as_ref();
        task.is_some_and(|task| task.repo.is_some())
    }

    fn is_quoted(&self, id: &IssueId, quote: &str) -> bool {
        let Some(issue) = self.state.now.issues.get(id) else {
            return true;
        };
        // A later review may have said it in other words, which are the ones that the Engineer was shown.
        let concern = &issue.concern;
        let parts = [&concern.impact, &concern.suggestion, &concern.location];
        let parts = parts.into_iter().flatten().map(String::as_str);
        let words: Vec<&str> = std::iter::once(concern.summary.as_str())
            .chain(parts)
            .collect();
        let review = issue.review.and_then(|review| self.texts.text(&review));
        match review {
            Some(review) => stands_in(quote, &review) || stands_in(quote, &words.join("\n")),
            None => true,
        }
    }

    fn rejected(&self, gap: &GapId) -> Vec<Rejected> {
        let gap = self.state.now.gaps.get(gap);
        gap.map_or_else(Vec::new, |gap| rejected_on(&self.state.now, gap))
    }

    fn settled_matter(&self, text: &str) -> Option<IssueId> {
        let matter = Matter::of(text);
        let ours = self.slot.gaps.iter().map(GapId::root);
        let ours: Vec<GapId> = ours.collect();
        let mut issues = self.state.now.issues.values();
        let settled = issues.find(|issue| {
            matches!(issue.state, IssueState::Decided | IssueState::Waived)
                && ours.contains(&issue.gap.root())
                && is_matter_of(issue, &matter)
        });
        settled.map(|issue| issue.id)
    }

    fn issue(&self, id: &IssueId) -> IssueAssignment {
        let due = |id: &IssueId| {
            let gaps = self.slot.gaps.iter();
            let ours = gaps.filter_map(|gap| self.state.now.gaps.get(gap));
            ours.into_iter().any(|gap| gap.standing_issues.contains(id))
        };
        match self.state.now.issues.get(id).map(|issue| issue.state) {
            None => IssueAssignment::Unknown,
            Some(IssueState::Open | IssueState::Answered) if due(id) => IssueAssignment::Due,
            Some(IssueState::Open | IssueState::Answered) => IssueAssignment::Open,
            Some(IssueState::Decided | IssueState::Waived) => IssueAssignment::Decided,
            Some(IssueState::Closed | IssueState::Withdrawn | IssueState::Moot) => {
                IssueAssignment::Closed
            }
        }
    }
}
