//! The decisions at the head of a prompt: those on its gaps in full, the others a line each, within one budget. What is
//! still to be carried out comes first, then the newest; what is shortened or left out is said.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::rendering::{Prompts, estimated_tokens};
use gapless_domain::{
    DecidedBy, Decision, DecisionId, DecisionKind, Gap, GapId, IssueId, Positions, one_line,
    shortened,
};

/// The longest line of a decision that is not given in full.
const LONGEST_LINE: usize = 300;
/// What stands behind a line that was cut.
const CUT: &str = " …";
/// The least of a decision that is to be carried out, where it is too long for the budget.
const LEAST_PART: usize = 50;

/// The decisions of a prompt, as far as the budget goes.
#[derive(Debug, Default)]
pub(super) struct DecisionsInForce {
    pub entries: Vec<String>,
    /// What was shortened or left out.
    pub note: Option<String>,
    shown: BTreeSet<DecisionId>,
}

impl DecisionsInForce {
    /// The decisions on a gap that the prompt has.
    pub fn on(&self, gap: &Gap) -> Vec<DecisionId> {
        let decisions = gap.decisions.iter().copied();
        decisions.filter(|id| self.shown.contains(id)).collect()
    }
}

/// How much of a decision a prompt has.
enum Shown {
    Full(String),
    Line(String),
}

impl Prompts<'_> {
    /// What was decided on an issue and is still to be carried out, and by whom.
    pub(super) fn owed_on(&self, issue: &IssueId) -> Vec<String> {
        let now = &self.state.now;
        let on_issue = now.decisions.on_issue(issue);
        let decisions = on_issue.filter(|decision| now.is_owed(decision));
        decisions
            .map(|decision| {
                let text = decision.decision.trim();
                let who = match decision.by {
                    DecidedBy::User => "Decided by the user",
                    DecidedBy::Policy => "Decided by policy",
                };
                format!("{who}, to be carried out and not to be disagreed with: {text}")
            })
            .collect()
    }

    /// The decisions in force for a task on these gaps.
    pub(super) fn decisions_in_force(&self, gaps: &[GapId]) -> DecisionsInForce {
        // A part of a split gap has the decisions on the whole.
        let bound = self.gaps(gaps);
        let bound = bound.iter().flat_map(|gap| gap.decisions.iter());
        let bound: BTreeSet<&DecisionId> = bound.collect();
        let decisions = self.state.now.decisions.iter();
        // How a round is run again is for its Engineers alone, and stands in their task.
        let in_force = decisions.filter(|decision| {
            decision.lifted.is_none() && decision.kind != DecisionKind::Rollback
        });
        let (mut own, mut others): (Vec<&Decision>, Vec<&Decision>) =
            in_force.partition(|decision| bound.contains(&decision.id));
        others.reverse();
        own.reverse();
        own.sort_by_key(|decision| Reverse(self.state.now.is_owed(decision)));
        let mut left = self.within(self.state.kept.setup.config.decision_tokens as usize);
        let mut shown: Vec<(&Decision, Shown)> = Vec::new();
        // A line for each as far as that goes, and then the first of them in full.
        for decision in &own {
            let line = in_a_line(decision);
            if let Some(rest) = left.checked_sub(estimated_tokens(&line)) {
                left = rest;
                shown.push((decision, Shown::Line(line)));
            }
        }
        for (decision, entry) in &mut shown {
            let Shown::Line(line) = entry else { continue };
            let full = in_full(decision);
            let free = left + estimated_tokens(line);
            let cost = estimated_tokens(&full);
            if cost <= free {
                left = free - cost;
                *entry = Shown::Full(full);
            } else if line.ends_with(CUT) && free >= LEAST_PART && self.state.now.is_owed(decision)
            {
                // What must be carried out is given as far as it fits.
                let part = shortened(&full, free * 4 - 4 * LEAST_PART / 2);
                left = free.saturating_sub(estimated_tokens(&part));
                *entry = Shown::Full(part);
            }
        }
        let in_lines = shown.iter().filter(|(_, e)| matches!(e, Shown::Line(_)));
        let in_lines = in_lines.count();
        for decision in &others {
            let line = in_a_line(decision);
            if let Some(rest) = left.checked_sub(estimated_tokens(&line)) {
                left = rest;
                shown.push((decision, Shown::Line(line)));
            }
        }
        let left_out = own.len() + others.len() - shown.len();
        shown.sort_by_key(|(decision, _)| decision.id);
        DecisionsInForce {
            note: note(in_lines, left_out),
            shown: shown.iter().map(|(decision, _)| decision.id).collect(),
            entries: shown
                .into_iter()
                .map(|(_, entry)| match entry {
                    Shown::Full(text) | Shown::Line(text) => text,
                })
                .collect(),
        }
    }
}

fn note(in_lines: usize, left_out: usize) -> Option<String> {
    let lines = match in_lines {
        0 => None,
        1 => Some("1 on these gaps is given in one line only".to_owned()),
        many => Some(format!(
            "{many} on these gaps are given in one line each only"
        )),
    };
    let out = match left_out {
        0 => None,
        1 => Some("1 further decision is left out".to_owned()),
        many => Some(format!("{many} further decisions are left out")),
    };
    let said: Vec<String> = lines.into_iter().chain(out).collect();
    (!said.is_empty()).then(|| format!("For length, {}.", said.join(", and ")))
}

fn in_a_line(decision: &Decision) -> String {
    let line = format!(
        "- {} ({}, {}): {}",
        decision.id,
        decision.subject(),
        decision.by.in_words(),
        one_line(&decision.decision)
    );
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}{CUT}", &line[..end]),
        None => line,
    }
}

/// A decision with everything that the agent must know of it: both positions, what was chosen, and what follows.
pub(super) fn in_full(decision: &Decision) -> String {
    let mut text = format!(
        "- {} ({}, {}, {}): {}",
        decision.id,
        decision.kind.name(),
        decision.subject(),
        decision.by.in_words(),
        decision.decision.trim()
    );
    let chosen = |positions: &Positions| positions.chosen_words().to_owned();
    let positions = decision.positions.as_ref();
    let parts = [
        ("Title", positions.map(|_| decision.title.clone())),
        ("Reviewer's position", positions.map(|p| p.reviewer.clone())),
        ("Engineer's position", positions.map(|p| p.engineer.clone())),
        ("Chosen", positions.map(chosen)),
        ("Rationale", Some(decision.rationale.clone())),
        ("Constraints", Some(decision.constraints.clone())),
        ("To do", Some(decision.for_engineer().to_owned())),
    ];
    let parts = parts.into_iter();
    for (name, part) in parts.filter_map(|(name, part)| Some((name, part?))) {
        if !part.trim().is_empty() {
            text += &format!("\n  {name}: {}", one_line(&part));
        }
    }
    text
}
