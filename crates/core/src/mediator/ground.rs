//! Owns what each gap and issue is to the task whose output is checked.

use crate::gap::GapState;
use crate::ids::{GapId, IssueId};
use crate::issue::IssueState;
use crate::slot::Slot;
use crate::state::Now;
use crate::task::Role;
use crate::text::Texts;
use crate::validate::{Ground, IssueStanding, Standing, stands_in};

pub(super) struct SlotGround<'a> {
    pub now: &'a Now,
    pub slot: &'a Slot,
    pub texts: &'a dyn Texts,
}

impl Ground for SlotGround<'_> {
    fn gap(&self, id: &GapId) -> Standing {
        let Some(gap) = self.now.gaps.get(id) else {
            return Standing::Unknown;
        };
        let ours = self.slot.gaps.contains(id);
        match (self.slot.id.role, gap.state) {
            (Role::Engineer, GapState::InProgress) if ours => Standing::Assigned,
            (Role::Engineer, GapState::Open | GapState::NeedsRevision) => Standing::Free,
            (Role::Reviewer, GapState::Proposed) if ours => Standing::Assigned,
            _ => Standing::Elsewhere,
        }
    }

    fn is_quoted(&self, id: &IssueId, quote: &str) -> bool {
        let issue = self.now.issues.get(id);
        let review = issue.and_then(|issue| issue.review);
        match review.and_then(|review| self.texts.text(&review)) {
            Some(review) => stands_in(quote, &review),
            None => true,
        }
    }

    fn issue(&self, id: &IssueId) -> IssueStanding {
        let due = |id: &IssueId| {
            let ours = self
                .slot
                .gaps
                .iter()
                .filter_map(|gap| self.now.gaps.get(gap));
            ours.into_iter().any(|gap| gap.standing_issues.contains(id))
        };
        match self.now.issues.get(id).map(|issue| issue.state) {
            None => IssueStanding::Unknown,
            Some(IssueState::Open | IssueState::Answered) if due(id) => IssueStanding::Due,
            Some(IssueState::Open | IssueState::Answered) => IssueStanding::Standing,
            Some(IssueState::Decided | IssueState::Waived) => IssueStanding::Decided,
            Some(IssueState::Closed | IssueState::Withdrawn | IssueState::Moot) => {
                IssueStanding::Over
            }
        }
    }
}
