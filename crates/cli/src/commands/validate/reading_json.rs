//! What was read from a document, as JSON.

use gapless_reading::read::{DeclaredGap, Reading};
use serde_json::{Value, json as value};

/// The new gaps, the issues and the verdict of a document.
pub(crate) fn facts(reading: Option<&Reading>) -> (Vec<Value>, Vec<Value>, Option<&'static str>) {
    match reading {
        Some(Reading::Engineer(reading)) => {
            let own = reading.gaps.iter().flat_map(|bound| &bound.new_gaps);
            (
                own.chain(&reading.new_gaps).map(new_gap).collect(),
                Vec::new(),
                None,
            )
        }
        Some(Reading::Reviewer(reading)) => {
            let issues = reading.issues.iter().map(|issue| {
                value!({
                    "id": issue.written_id,
                    "severity": issue.concern.severity,
                    "gap": issue.gap,
                    "summary": issue.concern.summary,
                    "withdrawn": issue.withdrawn,
                    "line": issue.line,
                })
            });
            let verdict = reading.verdict.or_else(|| {
                let mut verdicts = reading.reviews.iter().map(|review| review.verdict);
                let first = verdicts.next().flatten()?;
                verdicts.all(|other| other == Some(first)).then_some(first)
            });
            (
                reading.new_gaps.iter().map(new_gap).collect(),
                issues.collect(),
                verdict.map(|v| v.name()),
            )
        }
        Some(Reading::Analyst(reading)) => {
            (reading.gaps.iter().map(new_gap).collect(), Vec::new(), None)
        }
        Some(Reading::FinalReviewer(reading)) => {
            let issues = reading.blockers.iter().map(|blocker| {
                value!({
                    "id": null,
                    "severity": blocker.concern.severity,
                    "gap": blocker.gap,
                    "summary": blocker.concern.summary,
                    "line": blocker.line,
                })
            });
            (
                Vec::new(),
                issues.collect(),
                reading.verdict.map(|verdict| verdict.name()),
            )
        }
        Some(Reading::Editor(_)) | None => (Vec::new(), Vec::new(), None),
    }
}

fn new_gap(gap: &DeclaredGap) -> Value {
    value!({
        "id": gap.id,
        "severity": gap.severity,
        "description": gap.description,
        "line": gap.line,
    })
}
