//! Assignments for tests, and the ground that documents are validated on.
#![allow(clippy::unwrap_used, dead_code)]

use gapless_domain::assignment::{
    ASSIGNMENT_VERSION, AssignedDecision, AssignedGap, AssignedIssue, AssignedProposal, Assignment,
};
use gapless_domain::config::Strictness;
use gapless_domain::decision::DecisionKind;
use gapless_domain::gap::GapState;
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::severity::Severity;
use gapless_domain::spec_change::ChangeKind;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, Reading, ReviewerReading, read_engineer};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, validate,
};
use gapless_scan::{Finding, Rules, scan, topics};

pub const SPEC: &str = "# Orders\n\n## Shipping\n\nThe service asks the carrier for a label. The call has a reasonable timeout.\n\n## Export\n\nRows are exported.\n";

pub fn assignment(role: Role, gaps: Vec<AssignedGap>) -> Assignment {
    Assignment {
        version: ASSIGNMENT_VERSION,
        role,
        round: 2,
        gaps,
        decisions: Vec::new(),
        next_issue: matches!(role, Role::Reviewer | Role::FinalReviewer)
            .then(|| IssueId::new(2, 4)),
        spec: SPEC.to_owned(),
    }
}

pub fn gap(id: &str, description: &str) -> AssignedGap {
    AssignedGap {
        id: id.parse().unwrap(),
        severity: Severity::High,
        state: GapState::InProgress,
        description: description.to_owned(),
        section: Some("Shipping".to_owned()),
        rule: None,
        topics: Vec::new(),
        line: None,
        passage: None,
        declared: false,
        issues: Vec::new(),
        proposal: None,
    }
}

pub fn found(id: &str, rule: &str, topics: &[&str], description: &str) -> AssignedGap {
    AssignedGap {
        rule: Some(rule.to_owned()),
        topics: topics.iter().map(|topic| (*topic).to_owned()).collect(),
        ..gap(id, description)
    }
}

/// The gap that the first finding of a rule becomes.
pub fn scanned(id: &str, spec: &str, rule: &str) -> AssignedGap {
    let findings = scan(spec, &Rules::default());
    let finding = findings.iter().find(|finding| finding.rule == rule);
    let finding =
        finding.unwrap_or_else(|| panic!("{rule} finds nothing in {spec}: {findings:#?}"));
    of_finding(id, finding)
}

/// The gap that a finding becomes.
pub fn of_finding(id: &str, finding: &Finding) -> AssignedGap {
    let (rule, topics) = topics(finding);
    let topics: Vec<&str> = topics.iter().map(|topic| topic.name()).collect();
    AssignedGap {
        severity: finding.severity,
        section: finding.section.last().cloned(),
        line: Some(finding.line),
        ..found(id, rule, &topics, &finding.message)
    }
}

/// How a specification reads with the changes that a document makes for a gap.
pub fn with_changes(assignment: &Assignment, document: &str, gap: &str) -> String {
    let mut text = assignment.spec.clone();
    let reading = engineer_reading(assignment, document);
    let bound = reading
        .gaps
        .iter()
        .find(|bound| bound.gap.to_string() == gap);
    for change in &bound.unwrap().changes {
        let new = change.new.as_deref().unwrap_or_default();
        match (&change.old, change.kind) {
            (Some(old), ChangeKind::AddAfter) => {
                assert_eq!(text.matches(old.as_str()).count(), 1, "{old}\n{document}");
                text = text.replace(old, &format!("{old} {new}"));
            }
            (Some(old), _) => {
                assert_eq!(text.matches(old.as_str()).count(), 1, "{old}\n{document}");
                text = text.replace(old, new);
            }
            (None, _) => text += &format!("\n[{}] {new}\n", change.section.as_deref().unwrap()),
        }
    }
    text
}

pub fn issue(number: u16, severity: Severity, summary: &str) -> AssignedIssue {
    AssignedIssue {
        id: IssueId::new(1, number),
        severity,
        summary: summary.to_owned(),
        suggestion: None,
        settled_by_user: false,
    }
}

pub fn input(gap: &str, said: &str) -> AssignedDecision {
    AssignedDecision {
        id: DecisionId::new(1, 1),
        kind: DecisionKind::Input,
        gaps: vec![gap.parse().unwrap()],
        decision: said.to_owned(),
        constraints: String::new(),
        to_carry_out: false,
    }
}

/// The gap with the proposal that a document has for it.
pub fn proposed(gap: AssignedGap, document: &str) -> AssignedGap {
    let reading = read_engineer(&Document::parse(document), Strictness::Strict);
    let bound = reading
        .gaps
        .iter()
        .find(|bound| bound.gap == gap.id)
        .unwrap();
    AssignedGap {
        state: GapState::Proposed,
        proposal: Some(AssignedProposal {
            round: 1,
            text: document[bound.section.clone()].to_owned(),
            default: bound.default.clone(),
        }),
        ..gap
    }
}

/// The gaps of an assignment are the task's, and their issues are due.
pub struct Of<'a>(pub &'a Assignment);

impl ValidationContext for Of<'_> {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match self.0.gaps.iter().any(|known| known.id == *gap) {
            true => GapAssignment::Assigned,
            false => GapAssignment::Unknown,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        let mut known = self.0.gaps.iter().flat_map(|gap| &gap.issues);
        match known.any(|known| known.id == *issue) {
            true => IssueAssignment::Due,
            false => IssueAssignment::Unknown,
        }
    }
}

pub fn checked(assignment: &Assignment, document: &str, mode: Strictness) -> Checked {
    validate(assignment.role, Some(document), mode, &Of(assignment))
}

pub fn engineer_reading(assignment: &Assignment, document: &str) -> EngineerReading {
    let checked = checked(assignment, document, Strictness::Strict);
    match checked.reading {
        Some(Reading::Engineer(reading)) => reading,
        _ => panic!("{}\n{document}", checked.result.message),
    }
}

pub fn reviewer_reading(assignment: &Assignment, document: &str) -> ReviewerReading {
    let checked = checked(assignment, document, Strictness::Strict);
    match checked.reading {
        Some(Reading::Reviewer(reading)) => reading,
        _ => panic!("{}\n{document}", checked.result.message),
    }
}
