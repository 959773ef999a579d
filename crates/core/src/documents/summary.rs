//! Owns summary.md of a round: what was assigned and proposed, how each attempt went, what the review did, and progress.

use crate::convergence::{Counted, Signal};
use crate::gap::Gap;
use crate::slot::SlotState;
use crate::state::{Attempt, AttemptOutcome, RoundRecord, State};
use crate::task::Role;
use crate::time::human_millis;

/// Writes the summary of the round that was just accounted for.
pub fn round_summary(state: &State) -> String {
    let round = &state.now.round;
    let mut text = format!("# Round {} summary\n\n", round.number);
    text += "## Roles\n\n| Role | Outcome | Attempts |\n|---|---|---|\n";
    for role in [Role::Engineer, Role::Reviewer] {
        let attempts = round
            .attempts
            .iter()
            .filter(|attempt| attempt.task.slot.role == role)
            .count();
        text += &format!("| {role} | {} | {attempts} |\n", role_outcome(state, role));
    }
    text += "\n## Gaps of this round\n\n| Gap | Severity | State | Confidence | Issues that stand |\n|---|---|---|---|---|\n";
    for gap in gaps_of_round(state) {
        let confidence = gap
            .proposal
            .as_ref()
            .and_then(|proposal| proposal.confidence);
        let issues: Vec<String> = state
            .now
            .standing_issues(gap)
            .map(|issue| format!("{} [{}]", issue.id, issue.concern.severity))
            .collect();
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            gap.id,
            gap.severity,
            gap.state,
            confidence.map_or("-", |confidence| confidence.name()),
            if issues.is_empty() {
                "-".to_owned()
            } else {
                issues.join(", ")
            }
        );
    }
    for clash in &round.clashes {
        text += &format!(
            "\nTwo proposals define `{}` differently: {}\n",
            clash.key,
            clash.values.join(" / ")
        );
    }
    if let Some(record) = state.now.history.last() {
        text += &progress(record);
    }
    text += &validation_log(&round.attempts);
    text += &examples_log(state);
    text
}

fn gaps_of_round(state: &State) -> Vec<&Gap> {
    let round = &state.now.round;
    let mut gaps: Vec<&Gap> = state
        .now
        .gaps
        .values()
        .filter(|gap| {
            round.assigned.contains(&gap.id)
                || gap.reviewed_in == Some(round.number)
                || gap
                    .proposal
                    .as_ref()
                    .is_some_and(|proposal| proposal.round == round.number)
        })
        .collect();
    gaps.sort_by_key(|gap| gap.age);
    gaps
}

fn role_outcome(state: &State, role: Role) -> String {
    let slots: Vec<SlotState> = state
        .now
        .round
        .slots
        .values()
        .filter(|slot| slot.id.role == role)
        .map(|slot| slot.state)
        .collect();
    let count = |wanted: SlotState| slots.iter().filter(|state| **state == wanted).count();
    match (slots.len(), count(SlotState::Valid)) {
        (0, _) => "not needed".to_owned(),
        (all, valid) if all == valid => "SUCCESS".to_owned(),
        (_, 0) => "SKIP".to_owned(),
        (all, valid) => format!("PARTIAL ({valid} of {all} tasks)"),
    }
}

fn progress(record: &RoundRecord) -> String {
    let list = |counted: &[Counted]| match counted {
        [] => "none".to_owned(),
        counted => counted
            .iter()
            .map(|c| format!("{} [{}]", c.gap, c.severity))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let (weighted, unweighted) = (record.weighted_net, record.unweighted_net);
    let mut text = format!(
        "\n## Progress\n\n- Resolved: {}\n- New: {}\n- Reopened: {}\n- Net: {weighted:+} by weight, {unweighted:+} by heads\n",
        list(&record.tally.resolved),
        list(&record.tally.created),
        list(&record.tally.reopened),
    );
    if let Some(disagreement) = record.disagreement() {
        text += &format!("- {disagreement}\n");
    }
    let verdict = match (record.signal, record.convergence.cause) {
        (Signal::NotJudged, _) => "not judged: a role was skipped".to_owned(),
        (_, Some(cause)) => format!("{} ({})", record.convergence.state, cause.name()),
        (_, None) => record.convergence.state.to_string(),
    };
    text += &format!(
        "- Convergence: {verdict}\n- Open: {}\n",
        quarters(record.open_quarters)
    );
    text
}

fn validation_log(attempts: &[Attempt]) -> String {
    let mut text =
        "\n## Validation log\n\n| Time | Role | Attempt | Gaps | Result | Message |\n|---|---|---|---|---|---|\n".to_owned();
    let mut warnings = String::new();
    for attempt in attempts {
        let Some(end) = &attempt.finished else {
            continue;
        };
        let gaps: Vec<String> = attempt.gaps.iter().map(ToString::to_string).collect();
        let result = match end.outcome {
            AttemptOutcome::Valid => "PASS",
            outcome => outcome.name(),
        };
        text += &format!(
            "| {} | {} | {} | {} | {result} | {} |\n",
            end.at,
            attempt.task.slot.role,
            attempt.task.attempt,
            gaps.join(", "),
            cell(if end.message.is_empty() {
                "-"
            } else {
                &end.message
            })
        );
        for warning in &end.warnings {
            let line = warning
                .line
                .map_or(String::new(), |line| format!(", line {line}"));
            warnings += &format!(
                "- {} ({}{line}): {}\n",
                warning.code, attempt.task.slot.role, warning.message
            );
        }
    }
    let spent: u64 = attempts
        .iter()
        .filter_map(|a| a.finished.as_ref())
        .map(|end| end.usage.millis)
        .sum();
    text += &format!("\nAgents ran for {}.\n", human_millis(spent));
    if !warnings.is_empty() {
        text += &format!("\n## Warnings\n\n{warnings}");
    }
    text
}

/// The examples that went with this round's retries, and how retries fared over the session by the example's tier.
fn examples_log(state: &State) -> String {
    let retries = state.now.round.attempts.iter().filter_map(|attempt| {
        let example = attempt.example.as_ref()?;
        Some((attempt, example, example.retry?))
    });
    let mut rows = String::new();
    for (attempt, example, reason) in retries {
        let truncated = match example.truncated_from {
            Some(whole) => format!("yes, from {whole} characters"),
            None => "no".to_owned(),
        };
        let outcome = match attempt.finished.as_ref().map(|end| end.outcome) {
            Some(AttemptOutcome::Valid) => "success",
            Some(outcome) => outcome.name(),
            None => "not finished",
        };
        rows += &format!(
            "| {} | {} | {} | {} | {} | {} characters | {} | {truncated} | {outcome} |\n",
            attempt.task.slot.role,
            attempt.task.attempt,
            reason.name(),
            example.tier.name(),
            cell(&example.source),
            example.characters,
            example.tokens,
        );
    }
    if rows.is_empty() {
        return rows;
    }
    let mut text = format!(
        "\n## Examples\n\n| Role | Attempt | Failure | Tier | Source | Size | Tokens | Truncated | Outcome |\n|---|---|---|---|---|---|---|---|---|\n{rows}"
    );
    text += "\nRetries of this session by the example they had:\n\n| Tier | Uses | Success rate |\n|---|---|---|\n";
    for (tier, record) in &state.kept.examples {
        text += &format!(
            "| {} | {} | {}% |\n",
            tier.name(),
            record.uses,
            record.percent()
        );
    }
    text
}

/// A count of quarters as people write it: `3`, `2.5`, `0.25`.
pub fn quarters(count: u64) -> String {
    match (count / 4, count % 4) {
        (whole, 0) => whole.to_string(),
        (whole, 1) => format!("{whole}.25"),
        (whole, 2) => format!("{whole}.5"),
        (whole, _) => format!("{whole}.75"),
    }
}

/// Text for a table cell: on one line, with its bars escaped.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}
