//! What the checks need to know of a session, as the caller says it.

use super::echo::Shown;
use super::rejected::Rejected;
use crate::read::DeclaredGap;
use gapless_domain::{ChangeFault, ChangeText, FailureType, GapId, IssueId, Warning};

/// What a gap is to the task whose output is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapAssignment {
    /// This task's.
    Assigned,
    /// Open, and nobody has it in this round.
    Free,
    /// Another task's, parked or closed: a section on it binds nothing.
    Elsewhere,
    Unknown,
}

/// What an issue is to an Engineer that disagrees with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueAssignment {
    /// Open, on a gap of this task.
    Due,
    /// Open, on another gap.
    Open,
    Decided,
    Closed,
    Unknown,
}

/// What the checks need to know of the session.
pub trait ValidationContext {
    fn gap(&self, gap: &GapId) -> GapAssignment;
    fn issue(&self, issue: &IssueId) -> IssueAssignment;
    /// The gaps that an open issue is on.
    fn gaps_of(&self, _issue: &IssueId) -> Vec<GapId> {
        Vec::new()
    }
    /// The gaps of this task, as far as they are known.
    fn assigned(&self) -> &[GapId] {
        &[]
    }
    /// True where the quote stands in the review that raised the issue, or where that review is not known.
    fn is_quoted(&self, _issue: &IssueId, _quote: &str) -> bool {
        true
    }
    /// What the user decided against on a gap.
    fn rejected(&self, _gap: &GapId) -> Vec<Rejected> {
        Vec::new()
    }
    /// The issue of the task's gaps that the user settled and that a text raises again.
    fn settled_matter(&self, _text: &str) -> Option<IssueId> {
        None
    }
    /// True where the document is one of a finished record: then it may bring up gaps of its own, and a review that names
    /// no gap is taken.
    fn is_record(&self) -> bool {
        false
    }
    /// The sections that an Editor was given.
    fn sections(&self) -> Vec<&dyn GivenSection> {
        Vec::new()
    }
    /// The forms and examples that this session's prompts show: what is copied from them is no content.
    fn shown(&self) -> Vec<Shown> {
        Vec::new()
    }
    /// What a declared gap repeats word for word, so that it is none of its own.
    /// `answered` are the issues that the same document answers: they may be closed on the strength of the new gap.
    fn repeats(&self, _gap: &DeclaredGap, _answered: &[IssueId]) -> Option<String> {
        None
    }
    /// The other gap whose proposal an example of this session has with exactly this solution.
    fn is_proposal_of_another(&self, _gap: &GapId, _solution: &str) -> Option<GapId> {
        None
    }
    /// Holds the changes of a document's sections, in their order, against the spec that its prompt showed.
    fn spec_changes(&self, _proposed: &[ProposedChanges]) -> ChangeVerdict {
        ChangeVerdict::default()
    }
    /// True where a code base was there to be looked at.
    fn has_repo(&self) -> bool {
        false
    }
}

/// The changes of one gap's section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedChanges {
    pub gap: GapId,
    pub changes: Vec<ChangeText>,
    /// The gap whose changes settle it too, where it brings none.
    pub settled_with: Option<GapId>,
}

/// What became of changes that were held against the spec.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeVerdict {
    /// Those that can't be made.
    pub faults: Vec<ChangeFault>,
    /// Passages that opened a gap and would stay as they are, where the Engineer was not told of that yet.
    pub standing: Vec<ChangeFault>,
    pub warnings: Vec<Warning>,
}

/// A section that an Editor was given, as its checks need it.
pub trait GivenSection {
    /// Names it among the sections of the source.
    fn name(&self) -> &str;
    /// The gaps that its text settles.
    fn gaps(&self) -> Vec<GapId>;
    /// Says what an edited text lost or added.
    fn check(&self, edited: &str) -> Result<(), SectionFault>;
}

/// What is wrong with an edited section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionFault {
    pub kind: FailureType,
    pub message: String,
    /// Gaps that the text names and that are none of the section's.
    pub wrong_gaps: Vec<GapId>,
    /// What the text lost.
    pub missing: Vec<String>,
}
