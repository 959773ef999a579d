//! What the tests of reading share: a ground over known gaps, and documents in the canonical forms.

use std::collections::BTreeSet;

use gapless_domain::config::Strictness;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_reading::read::{EngineerReading, Reading, ReviewerReading};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, validate,
};

/// Knows these gaps, all assigned, and the issues that it is given.
pub struct Known {
    gaps: BTreeSet<GapId>,
    due: BTreeSet<IssueId>,
    decided: BTreeSet<IssueId>,
    record: bool,
}

impl Known {
    pub fn assigned(gaps: &[&str]) -> Self {
        Self {
            gaps: gaps.iter().map(|id| gap(id)).collect(),
            due: BTreeSet::from([IssueId::new(1, 1)]),
            decided: BTreeSet::from([IssueId::new(1, 9)]),
            record: false,
        }
    }

    /// The inventory of a finished record.
    pub fn record(gaps: &[&str]) -> Self {
        Self {
            record: true,
            ..Self::assigned(gaps)
        }
    }
}

impl ValidationContext for Known {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        if self.gaps.contains(gap) {
            GapAssignment::Assigned
        } else {
            GapAssignment::Unknown
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        if self.due.contains(issue) {
            IssueAssignment::Due
        } else if self.decided.contains(issue) {
            IssueAssignment::Decided
        } else {
            IssueAssignment::Unknown
        }
    }

    fn is_record(&self) -> bool {
        self.record
    }
}

pub const GAPS: [&str; 2] = ["GAP-FLOW-001", "GAP-FLOW-002"];

pub fn gap(id: &str) -> GapId {
    id.parse().unwrap()
}

/// Reads a text tolerantly against the two gaps of [`GAPS`].
pub fn tolerant(role: Role, text: &str) -> Checked {
    validate(
        role,
        Some(text),
        Strictness::Tolerant,
        &Known::assigned(&GAPS),
    )
}

pub fn strict(role: Role, text: &str) -> Checked {
    validate(
        role,
        Some(text),
        Strictness::Strict,
        &Known::assigned(&GAPS),
    )
}

pub fn engineer(checked: &Checked) -> &EngineerReading {
    match &checked.reading {
        Some(Reading::Engineer(reading)) => reading,
        other => panic!("no Engineer's reading: {other:?}: {:?}", checked.result),
    }
}

pub fn reviewer(checked: &Checked) -> &ReviewerReading {
    match &checked.reading {
        Some(Reading::Reviewer(reading)) => reading,
        other => panic!("no Reviewer's reading: {other:?}: {:?}", checked.result),
    }
}

/// The line of the first warning with this code.
pub fn warned(checked: &Checked, code: &str) -> Option<Option<u32>> {
    let mut warnings = checked.result.warnings.iter();
    warnings.find(|w| w.code == code).map(|w| w.line)
}

pub fn addressed(checked: &Checked) -> Vec<String> {
    let gaps = checked.result.gaps_addressed.iter();
    gaps.map(ToString::to_string).collect()
}

/// What an Engineer's document comes to: gap, confidence, trade-offs, new gaps.
pub fn engineer_facts(checked: &Checked) -> Vec<String> {
    let reading = engineer(checked);
    let facts = reading.gaps.iter().map(|bound| {
        let new: Vec<String> = bound
            .new_gaps
            .iter()
            .map(|gap| format!("{} {:?} {}", gap.id, gap.severity, gap.description))
            .collect();
        format!(
            "{} {:?} {} {new:?}",
            bound.gap, bound.confidence, bound.has_trade_offs
        )
    });
    facts.collect()
}

/// What a Reviewer's document comes to: verdicts, and each issue with gap, severity and fields.
pub fn reviewer_facts(checked: &Checked) -> Vec<String> {
    let reading = reviewer(checked);
    let verdicts = reading.reviews.iter().map(|review| {
        let verdict = review.verdict.or(reading.verdict);
        format!("{} {verdict:?}", review.gap)
    });
    let issues = reading.issues.iter().map(|issue| {
        let gap = issue.gap.as_ref().map(ToString::to_string);
        let concern = &issue.concern;
        format!(
            "{} {gap:?} {} withdrawn={} {} | {:?} | {:?} | {:?}",
            issue.written_id,
            concern.severity,
            issue.withdrawn,
            concern.summary,
            concern.location,
            concern.impact,
            concern.suggestion
        )
    });
    verdicts.chain(issues).collect()
}

pub const ENGINEER: &str = "\
## Gap Resolution: GAP-FLOW-001

**Confidence:** HIGH

### Proposed Solution

A parcel that nobody takes in is brought to the depot on the same evening. The courier leaves a card with the depot's
opening hours and a number; the number is good for ten days, and on the eleventh the parcel goes back to its sender.

### Examples

A parcel for an empty house on Monday can be fetched from Tuesday 08:00.

### Trade-offs

A second attempt at the door would cost more than it brings.

### New Gaps Introduced

- GAP-FLOW-019 [LOW]: who pays for the way back

## Gap Resolution: GAP-FLOW-002

**Confidence:** MEDIUM

### Proposed Solution

A label that cannot be read is typed by hand at the belt, and the parcel is weighed again. When the address is still in
doubt after that, the parcel waits in the cage, and the sender is asked by letter within two working days.

### Trade-offs

Typing takes a minute for each parcel.

### New Gaps Introduced

None
";

pub const REVIEWER: &str = "\
## Review: GAP-FLOW-001

### Critical Issues

None

### High Priority

- **ISSUE-R1-001**: the card does not name the depot
  - **Location:** Proposed Solution, second sentence
  - **Impact:** people drive to the wrong depot
  - **Suggestion:** print its address on the card

### Medium Priority

- **ISSUE-R1-002**: ten days is not counted from a stated day
  - **Location:** Proposed Solution
  - **Impact:** the depot and the customer count differently
  - **Suggestion:** count from the day on the card

### Low Priority / Nits

None

## Review: GAP-FLOW-002

**NO_ISSUES_FOUND**

Examined:

- the wait in the cage
- the letter to the sender
";
