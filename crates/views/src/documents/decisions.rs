//! Decisions.md: every decision in force, in one form for all kinds.

use gapless_domain::{Decision, one_line};
use gapless_markdown::inert;
use gapless_session::rollback_record::UndoneDecision;
use gapless_session::state::State;

/// Writes decisions.md.
pub fn decisions(state: &State) -> String {
    let mut text = "# Decisions\n".to_owned();
    if state.now.decisions.is_empty() {
        text += "\nNone yet.\n";
    }
    for decision in state.now.decisions.iter() {
        text += &entry(decision);
    }
    inert(&(text + &notices(state)))
}

/// What a document that was put back to an earlier round says of the rounds after it.
fn notices(state: &State) -> String {
    let mut text = String::new();
    for (index, rollback) in state.kept.rollbacks.iter().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let undone = state.kept.undone_decisions.iter();
        let undone: Vec<&UndoneDecision> = undone.filter(|it| it.rollback == number).collect();
        text += &format!(
            "\n## Rollback notice: {}\n\nRolled back at {}.\n\n- **Reason:** {}\n",
            rollback.rounds_in_words(),
            rollback.at,
            words(&rollback.reason, "not stated")
        );
        if undone.is_empty() {
            text += "- **Decisions archived:** none\n";
            continue;
        }
        text += "- **Decisions archived:**\n";
        let ended = state.kept.ended.is_some();
        let offered = undone.iter().copied();
        let mut offered = offered.filter(|undone| !ended && undone.can_be_reapplied());
        let offered = offered.next_back();
        for undone in undone {
            let again = undone.reapplied_as;
            let again = again.map_or(String::new(), |id| format!(", re-applied as {id}"));
            let decision = &undone.decision;
            let round = decision
                .id
                .round
                .clamp(rollback.retried(), rollback.from_round);
            text += &format!(
                "  - {}: {} ({}{again})\n",
                decision.id,
                one_line(&decision.title),
                state.archive_of(index, round),
            );
        }
        if let Some(undone) = offered {
            text += &format!(
                "- **In force again with:** `gapless reapply {}`\n",
                undone.decision.id
            );
        }
    }
    text
}

pub(super) fn entry(decision: &Decision) -> String {
    let mut text = format!("\n### {}: {}\n\n", decision.id, one_line(&decision.title));
    let mut line = |name: &str, value: &str| {
        let gap = if value.starts_with('\n') { "" } else { " " };
        text += &format!("- **{name}:**{gap}{value}\n");
    };
    line("Kind", decision.kind.name());
    line("Subject", &decision.subject());
    if let Some(positions) = &decision.positions {
        let kind = match positions.implicit {
            true => "implicit: noticed, and put to the user",
            false => "explicit: the Engineer disagreed",
        };
        line("Conflict Type", kind);
        if let Some(severity) = positions.severity {
            line("Severity", severity.name());
        }
        line("Reviewer Position (A)", &one_line(&positions.reviewer));
        line("Engineer Position (B)", &one_line(&positions.engineer));
        line("Chosen Option", positions.chosen_words());
    }
    line("Decision", &words(&decision.decision, "none"));
    line(
        "Rationale",
        &words(&decision.rationale_and_name(), "not stated"),
    );
    line("Constraints", &words(&decision.constraints, "none"));
    line(
        "Action Required",
        &format!(
            "\n  - For the Engineer: {}\n  - For the gap: {}",
            one_line(decision.for_engineer()),
            one_line(decision.for_gaps())
        ),
    );
    if let Some(from) = &decision.reapplied_from {
        line(
            "Re-applied",
            &format!("{from}, from round {}, which was rolled back", from.round),
        );
    }
    if let Some(before) = &decision.replaces {
        line("Replaces", &before.to_string());
    }
    if let Some(why) = &decision.lifted {
        line("No longer in force", &one_line(why));
    }
    line("Decided By", &decision.by.to_string());
    line("Timestamp", &decision.at.to_string());
    text
}

/// What a person said: on the line where it is one, else quoted below it, so that nothing of it is taken for structure.
fn words(text: &str, none: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    match lines.as_slice() {
        [] => none.to_owned(),
        [one] => one.trim().to_owned(),
        several => several
            .iter()
            .map(|line| format!("\n  > {line}").trim_end().to_owned())
            .collect(),
    }
}
