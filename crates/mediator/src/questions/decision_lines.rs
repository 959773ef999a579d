//! A decision, as the questions on it show it.

use gapless_domain::Decision;

/// A decision with both positions and what follows from it.
pub(super) fn decision_lines(decision: &Decision) -> String {
    let mut text = format!(
        "**{}**, {}: {}",
        decision.id,
        decision.by.in_words(),
        decision.decision.trim()
    );
    if let Some(positions) = &decision.positions {
        text += &format!(
            "\n- Reviewer: {}\n- Engineer: {}\n- Chosen: {}",
            positions.reviewer,
            positions.engineer,
            positions.chosen_words()
        );
    }
    if !decision.rationale.is_empty() {
        text += &format!("\n- Rationale: {}", decision.rationale);
    }
    text
}
