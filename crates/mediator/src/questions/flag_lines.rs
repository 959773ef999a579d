//! An issue that was passed over, as the questions on it show it.

use crate::Turn;
use gapless_domain::{Confidence, Flag, Heuristic, Issue};

impl Turn<'_> {
    /// An issue with what was decided on it and why it is flagged.
    pub(super) fn flagged(&self, issue: &Issue) -> String {
        let mut parts = vec![concern(issue)];
        let now = &self.state.now;
        let decisions = now.decisions.on_issue(&issue.id);
        let decisions = decisions.filter(|decision| now.is_owed(decision));
        parts.extend(decisions.map(|decision| {
            format!(
                "**Decided ({}):** {}",
                decision.id,
                decision.decision.trim()
            )
        }));
        parts.push(evidence(issue, self.state.now.round.number));
        parts.join("\n\n")
    }
}

pub(super) fn concern(issue: &Issue) -> String {
    let mut text = format!(
        "**{}** [{}] on {}, raised in round {}: {}",
        issue.id, issue.concern.severity, issue.gap, issue.raised_in, issue.concern.summary
    );
    if let Some(suggestion) = &issue.concern.suggestion {
        text += &format!("\n\n**Suggestion:** {suggestion}");
    }
    text
}

pub(super) fn evidence(issue: &Issue, round: u32) -> String {
    let lines: Vec<String> = issue
        .flags
        .iter()
        .filter(|flag| flag.round == round)
        .map(|flag| flag_line(flag))
        .collect();
    format!("**Evidence:**\n\n{}", lines.join("\n"))
}

/// One flag on one line.
fn flag_line(flag: &Flag) -> String {
    let confidence = match flag.confidence {
        Confidence::High => "HIGH",
        Confidence::Medium => "MEDIUM",
        Confidence::Low => "LOW",
    };
    let evidence = &flag.evidence;
    let mut text = format!(
        "- {} ({}, confidence {confidence}): {}",
        flag.heuristic.name(),
        words(flag.heuristic),
        evidence.text
    );
    if let Some(overlap) = evidence.overlap {
        text += &format!("; {overlap}% of its keywords");
    }
    if let Some(rewritten) = evidence.rewritten {
        text += &format!("; {rewritten}% of the section rewritten");
    }
    if let Some(quote) = &evidence.quote {
        text += &format!("; \"{quote}\"");
    }
    text
}

fn words(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::H1 => "not answered",
        Heuristic::H2 => "rolled back for different reasons",
        Heuristic::H3 => "proposed as done without it",
        Heuristic::H4 => "referenced, but unchanged",
        Heuristic::H5 => "deflected",
        Heuristic::H6 => "closed over",
    }
}
