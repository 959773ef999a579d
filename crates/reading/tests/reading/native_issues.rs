//! Issues under other names than the canonical ones, and under none.

use gapless_domain::config::Strictness;
use gapless_domain::severity::Severity;
use gapless_markdown::Document;
use gapless_reading::read::{RaisedIssue, read_reviewer};

fn issues(text: &str) -> Vec<RaisedIssue> {
    read_reviewer(&Document::parse(text), Strictness::Tolerant).issues
}

fn names(text: &str) -> Vec<(String, Severity, String)> {
    let issues = issues(text).into_iter();
    issues
        .map(|issue| {
            (
                issue.written_id,
                issue.concern.severity,
                issue.concern.summary.clone(),
            )
        })
        .collect()
}

fn named(id: &str, severity: Severity, summary: &str) -> (String, Severity, String) {
    (id.to_owned(), severity, summary.to_owned())
}

#[test]
fn letters_and_numbers_are_ids() {
    let text = "## Critical\n\n- **C1**: Parcels vanish\n\n## High Priority\n\n### H2: Labels fade\n\nThey do.\n\n### H-3: Vans rust\n\nThey do.\n";
    assert_eq!(
        names(text),
        [
            named("C1", Severity::Critical, "Parcels vanish"),
            named("H2", Severity::High, "Labels fade"),
            named("H-3", Severity::High, "Vans rust"),
        ]
    );
}

#[test]
fn headings_right_below_a_severity_need_no_id() {
    let text = "## Critical Issues\n\n### 1. Parcels vanish\n\nAt night.\n\n### Issue 2: Labels fade\n\nIn sunlight.\n\n#### Details\n\nMuch ink.\n\n## High Priority\n\n### None\n\nNothing here.\n\n## Notes\n\n### 3. Vans\n\nAre nice.\n";
    assert_eq!(
        names(text),
        [
            named("", Severity::Critical, "Parcels vanish"),
            named("", Severity::Critical, "Labels fade"),
        ]
    );
}

#[test]
fn an_issue_without_a_title_has_what_stands_under_its_id() {
    let text = "## High Priority\n\n- **ISSUE-R1-001**\n  - **Location:** Labels\n  - **Impact:** Parcels vanish\n\
                - **ISSUE-R1-002**:\n\n  Vans rust\n  in winter.\n\n  And in spring.\n- **ISSUE-R1-003**[CRITICAL]\n\
                \n### ISSUE-R1-004\n\nLabels fade.\n\nThey do.\n";
    assert_eq!(
        names(text),
        [
            named("ISSUE-R1-001", Severity::High, "Parcels vanish"),
            named("ISSUE-R1-002", Severity::High, "Vans rust in winter."),
            named("ISSUE-R1-003", Severity::Critical, "nothing is said of it"),
            named("ISSUE-R1-004", Severity::High, "Labels fade."),
        ]
    );
}

#[test]
fn a_heading_that_groups_issues_is_none_itself() {
    let text = "## High Priority\n\n### Packaging\n\n- **ISSUE-R1-001**: Labels fade\n\n### GAP-SHIP-001\n\nSee above.\n";
    assert_eq!(
        names(text),
        [named("ISSUE-R1-001", Severity::High, "Labels fade")]
    );
}

#[test]
fn a_field_of_a_headed_issue_has_its_list() {
    let text = "## High Priority\n\n### HIGH-001: Labels fade\n\n**Location:** Label section\n\n**Impact:** Parcels are lost\nand found late.\n\n**Suggestion:** Either:\n1. Varnish them\n2. Print them twice\n\n---\n\n## Other\n";
    let concern = &issues(text)[0].concern;
    assert_eq!(concern.location.as_deref(), Some("Label section"));
    assert_eq!(
        concern.impact.as_deref(),
        Some("Parcels are lost and found late.")
    );
    assert_eq!(
        concern.suggestion.as_deref(),
        Some("Either: 1. Varnish them 2. Print them twice")
    );
}
