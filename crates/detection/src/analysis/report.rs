//! The analysis report as markdown. What agents and people wrote is made safe to stand in it.

use std::collections::BTreeSet;

use super::patterns::quoted;
use super::{Analysis, Pattern, RootCause};
use gapless_domain::Time;
use gapless_domain::text::cell;

/// The rollback that a report is about.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    pub round: u32,
    /// Which attempt at the round it was that was rolled back, from 1.
    pub attempt: u32,
    pub reason: &'a str,
    pub at: Time,
    /// The analyses of the earlier attempts at the round, the oldest first.
    pub earlier: &'a [Analysis],
    pub root_cause: Option<&'a RootCause>,
}

const LONGEST_REASON: usize = 500;

/// Writes the report: of a rollback, or of a document by itself.
pub fn report(analysis: &Analysis, occasion: Option<&Occasion>) -> String {
    let mut text = match occasion {
        Some(occasion) => head(occasion),
        None => "## Analysis\n".to_owned(),
    };
    text += &produced(analysis);
    text += &detected(analysis);
    if let Some(occasion) = occasion {
        text += &history(analysis, occasion);
    }
    text += &adjustments(analysis);
    if let Some(root_cause) = occasion.and_then(|occasion| occasion.root_cause) {
        text += &cause(root_cause);
    }
    text
}

fn head(occasion: &Occasion) -> String {
    format!(
        "## Rollback Analysis - Round {}\n\n### Failure Summary\n\n- **Rollback Reason:** {}\n- **Attempt Number:** {} of this round\n- **Timestamp:** {}\n",
        occasion.round,
        harmless(&quoted(occasion.reason, LONGEST_REASON)),
        occasion.attempt,
        occasion.at
    )
}

fn produced(analysis: &Analysis) -> String {
    let mut text = "\n### Content Analysis\n\n#### What Was Produced\n\n| Gap | Addressed | Sections Present | Example Count |\n|---|---|---|---|\n".to_owned();
    for gap in &analysis.produced {
        let parts: Vec<&str> = gap.sections.iter().map(|part| part.name()).collect();
        text += &format!(
            "| {} | {} | {} | {} |\n",
            gap.gap,
            gap.addressed.name(),
            if parts.is_empty() {
                "None".to_owned()
            } else {
                parts.join(", ")
            },
            gap.examples
        );
    }
    if analysis.produced.is_empty() {
        text += "| None | No | None | 0 |\n";
    }
    text += "\n#### Structural Completeness\n\n| Check | Status |\n|---|---|\n";
    for check in &analysis.checks {
        let gaps: Vec<String> = check.gaps.iter().map(ToString::to_string).collect();
        let gaps = match gaps.is_empty() {
            true => String::new(),
            false => format!(" ({})", gaps.join(", ")),
        };
        text += &format!(
            "| {} | {}{gaps} |\n",
            cell(&check.check),
            check.status.name()
        );
    }
    text
}

fn detected(analysis: &Analysis) -> String {
    let mut text = "\n### Pattern Detection\n\n#### Detected Patterns\n\n".to_owned();
    for finding in &analysis.patterns {
        text += &format!(
            "- **{}:** {} ({})\n",
            finding.pattern,
            finding.pattern.phrase(),
            finding.confidence.name()
        );
        for evidence in &finding.evidence {
            text += &format!("  - {}\n", harmless(&evidence.to_string()));
        }
    }
    if analysis.patterns.is_empty() {
        text += "None.\n";
    }
    for found in &analysis.contradictions {
        text += &format!(
            "- {} contradicts itself: {} is {}\n",
            found.gap,
            harmless(&found.key),
            harmless(&found.values.join(" and "))
        );
    }
    text
}

fn history(analysis: &Analysis, occasion: &Occasion) -> String {
    let now = analysis.pattern_set();
    let earlier: Vec<BTreeSet<Pattern>> =
        occasion.earlier.iter().map(Analysis::pattern_set).collect();
    let mut all = now.clone();
    all.extend(earlier.iter().flatten());
    let mut text = "\n#### Historical Comparison\n\n".to_owned();
    if all.is_empty() {
        return text + "No attempt at this round shows a pattern.\n";
    }
    text += "| Pattern | This Attempt | Previous Attempts |\n|---|---|---|\n";
    for pattern in all {
        let shown = earlier
            .iter()
            .filter(|patterns| patterns.contains(&pattern))
            .count();
        let before = match (earlier.len(), shown) {
            (0, _) => "N/A (first attempt)".to_owned(),
            (_, 0) => "No".to_owned(),
            (all, shown) => format!("Yes ({shown} of {all})"),
        };
        let now = if now.contains(&pattern) { "Yes" } else { "No" };
        text += &format!("| {pattern} | {now} | {before} |\n");
    }
    text
}

fn adjustments(analysis: &Analysis) -> String {
    let mut text = "\n### Recommended Adjustments\n\n".to_owned();
    if analysis.adjustments.is_empty() {
        return text + "None.\n";
    }
    for (index, adjustment) in analysis.adjustments.iter().enumerate() {
        text += &format!(
            "{}. **For {}:** add to the prompt:\n\n",
            index + 1,
            adjustment.pattern
        );
        for line in adjustment.text.lines() {
            text += &format!("   > {}\n", in_quote(line));
        }
        text.push('\n');
    }
    text += "### Adjustment Confidence\n\n";
    for (index, adjustment) in analysis.adjustments.iter().enumerate() {
        text += &format!(
            "- Adjustment {}: {} ({})\n",
            index + 1,
            adjustment.confidence.name(),
            adjustment.reason()
        );
    }
    text
}

fn cause(root_cause: &RootCause) -> String {
    let mut text = "\n### Root Cause\n\n".to_owned();
    for likely in &root_cause.causes {
        text += &format!(
            "- **{}:** {} ({})\n",
            likely.cause.name(),
            likely.cause.phrase(),
            likely.confidence.name()
        );
        for evidence in &likely.evidence {
            text += &format!("  - {}\n", harmless(evidence));
        }
    }
    text += &format!("\nRecommended: {}.\n", root_cause.action.phrase());
    if let Some(split) = &root_cause.split {
        text += &format!("\n{} could be split into:\n\n", split.gap);
        for part in &split.parts {
            text += &format!("- {}\n", harmless(part));
        }
    }
    text
}

/// Text that opens no code, emphasis, link, cell or HTML where it stands.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '<' | '[' | ']' | '|' | '&') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// A line of an adjustment: its own marks stand, HTML doesn't.
fn in_quote(line: &str) -> String {
    line.replace('<', "\\<")
}
