//! Owns the divergence question: what the round did, why that is a warning, and what can be done about it.

use std::collections::BTreeMap;

use super::{choice, field, gap_line, ids, suggesting};
use crate::convergence::{Counted, DivergenceCause};
use crate::figures::Figures;
use crate::gap::{Gap, Origin};
use crate::ids::GapId;
use crate::mediator::turn::Turn;
use crate::plan::blockers;
use crate::question::{About, Choice, Question};
use crate::severity::Severity;
use crate::state::{Now, RoundRecord};
use crate::termination::DEFERRED_WEIGHT_OF_COMPLETE;

impl Turn<'_> {
    pub(in crate::mediator) fn divergence_question(&self) -> Question {
        let now = &self.state.now;
        let open = self.by_severity(|gap| gap.state.is_open());
        let suggestion = to_defer(now, &open);
        let mut lines = vec![format!("**Cause:** {}", cause(now))];
        lines.extend(spawner(now).map(|spawner| format!("**Spawned most:** {spawner}")));
        if let Some(record) = now.history.last() {
            lines.push(String::new());
            lines.extend(round_lines(record));
        }
        lines.push(String::new());
        lines.extend(self.inventory_lines());
        lines.push(String::new());
        lines.push("**Open gaps:**\n".to_owned());
        lines.extend(
            open.iter()
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state)),
        );
        lines.push(String::new());
        lines.push(suggestion_line(now, &suggestion));
        Question {
            options: self.divergence_choices(&open),
            fields: vec![
                suggesting(
                    field(
                        "gaps",
                        "the gaps to defer, separated by commas",
                        &["narrow"],
                    ),
                    ids(&suggestion),
                ),
                suggesting(
                    field("to", "the round to go back to", &["roll_back"]),
                    self.last_checkpoint(),
                ),
                field("reason", "why", &["narrow", "roll_back"]),
            ],
            ..self.question(
                About::Divergence {
                    round: now.round.number,
                },
                "The session is not converging".to_owned(),
                lines.join("\n"),
            )
        }
    }

    fn divergence_choices(&self, open: &[&Gap]) -> Vec<Choice> {
        let now = &self.state.now;
        let mut options = vec![
            choice(
                "narrow",
                "Narrow scope",
                "the gaps you name are deferred with your reason",
            ),
            choice(
                "accept",
                "Accept the complexity",
                "the round limit is computed anew from what is open now",
            ),
        ];
        if open.iter().any(|gap| gap.severity == Severity::Critical) {
            options.push(choice(
                "prioritise",
                "Prioritise the CRITICAL",
                "the next round takes only CRITICAL gaps",
            ));
        }
        let new_critical = now.convergence.cause == Some(DivergenceCause::NewCritical);
        let preferred = if new_critical { options.len() - 1 } else { 1 };
        options[preferred].recommended = true;
        options.extend(self.roll_back_choice());
        options.extend([
            choice(
                "pause",
                "Pause",
                "nothing runs until `gapless resume`; then this is asked again",
            ),
            choice(
                "force_complete",
                "Force complete",
                "you are asked to accept what is left, and the session ends as STALL_EXIT",
            ),
            choice(
                "abandon",
                "Abandon",
                "the session ends here, without a refined spec",
            ),
        ]);
        options
    }

    /// The inventory by state and severity, as a table.
    fn inventory_lines(&self) -> Vec<String> {
        let figures = Figures::of(&self.state);
        let head = [
            "| State | CRITICAL | HIGH | MEDIUM | LOW |",
            "|---|---|---|---|---|",
        ];
        let rows = figures.states.iter().map(|count| {
            let cells = count.by_severity.map(|count| count.to_string());
            format!("| {} | {} |", count.state, cells.join(" | "))
        });
        head.into_iter().map(str::to_owned).chain(rows).collect()
    }
}

/// Why there is a warning, with what made it.
fn cause(now: &Now) -> String {
    let record = now.history.last();
    match now.convergence.cause {
        Some(DivergenceCause::NewCritical) => {
            let new: Vec<String> = record
                .iter()
                .flat_map(|record| &record.tally.created)
                .filter(|counted| counted.severity == Severity::Critical)
                .filter_map(|counted| now.gaps.get(&counted.gap))
                .map(|gap| format!("{} ({})", gap.id, gap.description))
                .collect();
            format!("a new CRITICAL gap: {}", new.join("; "))
        }
        Some(DivergenceCause::NetLoss) => format!(
            "the round opened more than it resolved, by a weight of {}",
            record.map_or(0, |record| -record.weighted_net)
        ),
        _ => {
            let flat = flat_rounds(now);
            let nets: Vec<String> = flat
                .iter()
                .map(|record| format!("round {} ({:+})", record.round, record.weighted_net))
                .collect();
            format!(
                "STALLED: {} rounds in a row without gain: {}",
                now.convergence.flat_count,
                nets.join(", ")
            )
        }
    }
}

/// The rounds that made the flat count.
fn flat_rounds(now: &Now) -> Vec<&RoundRecord> {
    let flat = now.convergence.flat_count as usize;
    let judged = now
        .history
        .iter()
        .rev()
        .filter(|record| record.signal != crate::convergence::Signal::NotJudged);
    let mut rounds: Vec<&RoundRecord> = judged.take(flat).collect();
    rounds.reverse();
    rounds
}

/// The gap whose proposals opened most, by weight, in the rounds that made the warning.
fn spawner(now: &Now) -> Option<String> {
    let records: Vec<&RoundRecord> = match now.convergence.cause {
        Some(DivergenceCause::Stalled) => flat_rounds(now),
        _ => now.history.last().into_iter().collect(),
    };
    let mut spawned: BTreeMap<&GapId, (i64, Vec<&GapId>)> = BTreeMap::new();
    for counted in records.iter().flat_map(|record| &record.tally.created) {
        let Some(gap) = now.gaps.get(&counted.gap) else {
            continue;
        };
        let source = gap.origins.iter().find_map(|origin| match origin {
            Origin::Engineer { gap, .. } => gap.as_ref(),
            _ => None,
        });
        if let Some(source) = source {
            let entry = spawned.entry(source).or_default();
            entry.0 += counted.severity.weight();
            entry.1.push(&gap.id);
        }
    }
    let (source, (weight, children)) = spawned
        .into_iter()
        .max_by_key(|(id, (weight, _))| (*weight, std::cmp::Reverse(*id)))?;
    let children: Vec<GapId> = children.into_iter().cloned().collect();
    Some(format!("{source}: {} (weight {weight})", ids(&children)))
}

fn round_lines(record: &RoundRecord) -> Vec<String> {
    let list = |title: &str, counted: &[Counted]| {
        let items: Vec<String> = counted
            .iter()
            .map(|c| format!("{} [{}, weight {}]", c.gap, c.severity, c.severity.weight()))
            .collect();
        let items = match items.is_empty() {
            true => "none".to_owned(),
            false => items.join(", "),
        };
        format!("- {title}: {items}")
    };
    let mut lines = vec![
        format!("**Round {}:**\n", record.round),
        list("Resolved", &record.tally.resolved),
        list("New", &record.tally.created),
        list("Reopened", &record.tally.reopened),
        format!(
            "- Net: {:+} by weight, {:+} by heads",
            record.weighted_net, record.unweighted_net
        ),
    ];
    lines.extend(record.disagreement().map(|text| format!("- {text}")));
    lines
}

/// What could be put off: gaps below HIGH that nothing open waits on, lightest and youngest first, and after a net loss
/// only as many as make up for it.
fn to_defer(now: &Now, open: &[&Gap]) -> Vec<GapId> {
    let is_waited_on = |id: &GapId| {
        open.iter()
            .any(|gap| blockers(now, gap).any(|blocker| blocker.id == *id))
    };
    let mut lesser: Vec<&&Gap> = open
        .iter()
        .filter(|gap| !gap.severity.holds() && !is_waited_on(&gap.id))
        .collect();
    lesser.sort_by_key(|gap| (gap.severity, std::cmp::Reverse(gap.age)));
    let mut missing = match (now.convergence.cause, now.history.last()) {
        (Some(DivergenceCause::NetLoss), Some(record)) => -record.weighted_net,
        _ => i64::MAX,
    };
    let mut suggested = Vec::new();
    for gap in lesser {
        if missing <= 0 {
            break;
        }
        missing = missing.saturating_sub(gap.severity.weight());
        suggested.push(gap.id.clone());
    }
    suggested
}

fn suggestion_line(now: &Now, suggestion: &[GapId]) -> String {
    if suggestion.is_empty() {
        return "**Suggested to defer:** nothing; all that is open is grave or waited on"
            .to_owned();
    }
    let weights = |gaps: &mut dyn Iterator<Item = &Gap>| -> i64 {
        gaps.map(|gap| gap.severity.weight()).sum()
    };
    let deferred = weights(&mut now.gaps_in(crate::gap::GapState::UserDeferred));
    let more = weights(&mut suggestion.iter().filter_map(|id| now.gaps.get(id)));
    let note = match deferred + more > DEFERRED_WEIGHT_OF_COMPLETE {
        true => format!(
            "\n\nThat would defer a weight of {}; a session can end as COMPLETE with at most {} deferred.",
            deferred + more,
            DEFERRED_WEIGHT_OF_COMPLETE
        ),
        false => String::new(),
    };
    format!("**Suggested to defer:** {}{note}", ids(suggestion))
}
