//! Owns status.md: the inventory, the configuration, convergence, the current round and a line per earlier one.

use super::summary::{cell, quarters};
use crate::gap::GapState;
use crate::phase::Phase;
use crate::severity::Severity;
use crate::state::State;

/// Writes status.md.
pub fn status(state: &State) -> String {
    let name = state
        .kept
        .origin
        .as_ref()
        .map_or("", |origin| origin.name.as_str());
    let mut text = format!("# Status: {name}\n\n{}\n", place(state));
    text += &inventory(state);
    text += &questions(state);
    text += &convergence(state);
    text += &configuration(state);
    text
}

fn place(state: &State) -> String {
    let now = &state.now;
    let place = match (now.phase, state.kept.ended) {
        (_, Some((end, trigger))) => format!("**Ended:** {end}: {}", trigger.sentence()),
        (Phase::Round, None) => format!("**Round {}:** {}", now.round.number, now.round.phase),
        (phase, None) => format!("**Phase:** {phase}"),
    };
    let paused = if state.kept.paused { " (paused)" } else { "" };
    format!(
        "{place}{paused}\n\n**Open:** {} of {} gaps",
        quarters(now.open_quarters()),
        now.gaps.len()
    )
}

fn inventory(state: &State) -> String {
    let now = &state.now;
    let mut text = "\n## Inventory\n".to_owned();
    for severity in Severity::GRAVEST_FIRST {
        let mut gaps: Vec<_> = now
            .gaps
            .values()
            .filter(|gap| gap.severity == severity)
            .collect();
        if gaps.is_empty() {
            continue;
        }
        gaps.sort_by_key(|gap| gap.age);
        text += &format!(
            "\n### {severity}\n\n| Gap | State | Description | Waits on | Note |\n|---|---|---|---|---|\n"
        );
        for gap in gaps {
            let waits: Vec<String> = gap.blocked_by.iter().map(ToString::to_string).collect();
            text += &format!(
                "| {} | {} | {} | {} | {} |\n",
                gap.id,
                gap.state,
                cell(&gap.description),
                if waits.is_empty() {
                    "-".to_owned()
                } else {
                    waits.join(", ")
                },
                cell(gap.reason.as_deref().unwrap_or("-"))
            );
        }
    }
    if now.gaps.is_empty() {
        return text + "\nNo gaps.\n";
    }
    text += "\n| State | CRITICAL | HIGH | MEDIUM | LOW |\n|---|---|---|---|---|\n";
    for gap_state in GapState::ALL {
        let count = |severity: Severity| {
            now.gaps_in(gap_state)
                .filter(|gap| gap.severity == severity)
                .count()
        };
        let counts = Severity::GRAVEST_FIRST.map(count);
        if counts.iter().sum::<usize>() > 0 {
            let cells = counts.map(|count| count.to_string()).join(" | ");
            text += &format!("| {gap_state} | {cells} |\n");
        }
    }
    text
}

fn questions(state: &State) -> String {
    if state.now.questions.is_empty() {
        return String::new();
    }
    let mut text = "\n## Waiting for you\n\n".to_owned();
    for question in state.now.questions.values() {
        text += &format!(
            "- {} ({}): {}\n",
            question.id,
            question.about.kind(),
            question.title
        );
    }
    text
}

fn convergence(state: &State) -> String {
    let now = &state.now;
    let mut text = format!(
        "\n## Convergence\n\n**State:** {}, flat rounds: {}\n",
        now.convergence.state, now.convergence.flat_count
    );
    if now.history.is_empty() {
        return text;
    }
    text += "\n| Round | Resolved | New | Reopened | Net (weight) | Net (heads) | Open | State |\n|---|---|---|---|---|---|---|---|\n";
    for record in &now.history {
        text += &format!(
            "| {} | {} | {} | {} | {:+} | {:+} | {} | {} |\n",
            record.round,
            record.tally.resolved.len(),
            record.tally.created.len(),
            record.tally.reopened.len(),
            record.weighted_net,
            record.unweighted_net,
            quarters(record.open_quarters),
            record.verdict()
        );
    }
    for rollback in &state.kept.rollbacks {
        text += &format!(
            "\nRolled back at {}: rounds {} to {}: {}\n",
            rollback.at,
            rollback.to_round + 1,
            rollback.from_round,
            rollback.reason
        );
    }
    text
}

fn configuration(state: &State) -> String {
    let limits = state.limits();
    let setup = &state.kept.setup;
    let mut text = format!(
        "\n## Configuration\n\n| Key | Value |\n|---|---|\n| max_rounds | {} |\n| stall_threshold | {} |\n| divergence_threshold | {} |\n| gaps_per_round | {} |\n| max_retries | {} |\n",
        limits.max_rounds,
        limits.stall_threshold,
        limits.divergence_threshold,
        setup.config.gaps_per_round,
        setup.config.max_retries
    );
    for (role, agent) in &setup.agents {
        text += &format!("| {} agent | `{}` |\n", role.stem(), cell(agent));
    }
    text
}
