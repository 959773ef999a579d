//! What was read from a document, as lines for people, each with its line in the document.

use gapless_domain::GapId;
use gapless_reading::read::{DeclaredGap, EngineerReading, RaisedIssue, Reading, ReviewerReading};

pub(crate) fn lines(reading: &Reading) -> Vec<String> {
    match reading {
        Reading::Engineer(reading) => engineer(reading),
        Reading::Reviewer(reading) => reviewer(reading),
        Reading::Analyst(reading) => new_gaps(&reading.gaps).collect(),
        Reading::Editor(reading) => {
            let sections = reading.sections.iter();
            sections
                .map(|section| format!("section {} (line {})", section.title, section.line))
                .collect()
        }
        Reading::FinalReviewer(reading) => {
            let verdict = reading.verdict.map_or("none", |verdict| verdict.name());
            let blockers = reading.blockers.iter().map(|blocker| {
                let summary = &blocker.concern.summary;
                format!("blocker: {summary} (line {})", blocker.line)
            });
            let verdict = format!("verdict: {verdict}");
            std::iter::once(verdict).chain(blockers).collect()
        }
    }
}

fn engineer(reading: &EngineerReading) -> Vec<String> {
    let mut lines = Vec::new();
    for bound in &reading.gaps {
        let confidence = bound.confidence;
        let confidence = confidence.map_or("no confidence", |confidence| confidence.name());
        lines.push(format!(
            "{} proposed, {confidence} (line {})",
            bound.gap, bound.line
        ));
        lines.extend(new_gaps(&bound.new_gaps).map(|line| format!("  {line}")));
    }
    lines.extend(new_gaps(&reading.new_gaps));
    for response in &reading.responses {
        let (issue, line) = (response.issue, response.line);
        lines.push(format!("{issue} answered (line {line})"));
    }
    for block in &reading.disagreements {
        let (issue, line) = (block.issue, block.line);
        lines.push(format!("{issue} disagreed with (line {line})"));
    }
    for marker in &reading.blocked {
        let (gap, reason) = (&marker.gap, &marker.reason);
        lines.push(format!("{gap} blocked: {reason} (line {})", marker.line));
    }
    lines
}

fn reviewer(reading: &ReviewerReading) -> Vec<String> {
    let mut lines = Vec::new();
    for review in &reading.reviews {
        let verdict = review.verdict.map_or("", |verdict| verdict.name());
        lines.push(format!(
            "{} reviewed {verdict} (line {})",
            review.gap, review.line
        ));
        let issues = reading.issues.iter();
        let of_gap = issues.filter(|issue| issue.gap.as_ref() == Some(&review.gap));
        lines.extend(of_gap.map(|issue| format!("  {}", issue_line(issue))));
    }
    let is_reviewed = |gap: &GapId| reading.reviews.iter().any(|review| review.gap == *gap);
    let issues = reading.issues.iter();
    let others = issues.filter(|issue| !issue.gap.as_ref().is_some_and(is_reviewed));
    lines.extend(others.map(issue_line));
    lines.extend(new_gaps(&reading.new_gaps));
    if let Some(verdict) = reading.verdict {
        lines.push(format!("verdict: {}", verdict.name()));
    }
    lines
}

fn new_gaps(gaps: &[DeclaredGap]) -> impl Iterator<Item = String> {
    gaps.iter().map(|gap| {
        let severity = gap.severity.map_or("MEDIUM", |severity| severity.name());
        format!(
            "new {} [{severity}] {} (line {})",
            gap.id, gap.description, gap.line
        )
    })
}

fn issue_line(issue: &RaisedIssue) -> String {
    let withdrawn = if issue.withdrawn { " withdrawn" } else { "" };
    format!(
        "{} [{}]{withdrawn} {} (line {})",
        issue.written_id, issue.concern.severity, issue.concern.summary, issue.line
    )
}
