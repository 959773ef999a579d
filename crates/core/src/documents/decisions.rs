//! Owns decisions.md: every decision in force, in one form for all kinds.

use crate::decision::Decision;
use crate::state::State;

/// Writes decisions.md.
pub fn decisions(state: &State) -> String {
    let mut text = "# Decisions\n".to_owned();
    if state.now.decisions.is_empty() {
        text += "\nNone yet.\n";
    }
    for decision in &state.now.decisions {
        text += &entry(decision);
    }
    for rollback in &state.kept.rollbacks {
        text += &format!(
            "\n## Rollback notice\n\nRounds {} to {} were rolled back at {}: {}\n",
            rollback.to_round + 1,
            rollback.from_round,
            rollback.at,
            rollback.reason
        );
    }
    text
}

fn entry(decision: &Decision) -> String {
    let mut lines = vec![
        format!("\n### {}: {}\n", decision.id, decision.title),
        format!("- **Kind:** {}", decision.kind.name()),
        format!("- **Subject:** {}", decision.subject()),
    ];
    if let Some(positions) = &decision.positions {
        lines.push(format!(
            "- **Reviewer position (A):** {}",
            one_line(&positions.reviewer)
        ));
        lines.push(format!(
            "- **Engineer position (B):** {}",
            one_line(&positions.engineer)
        ));
        lines.push(format!("- **Chosen:** {}", positions.chosen));
        if positions.implicit {
            lines.push("- **Conflict type:** implicit, noticed and converted".to_owned());
        }
    }
    let mut optional = |name: &str, value: &str| {
        if !value.is_empty() {
            lines.push(format!("- **{name}:** {}", one_line(value)));
        }
    };
    optional("Decision", &decision.decision);
    optional("Rationale", &decision.rationale);
    optional("Constraints", &decision.constraints);
    optional("Action Required (Engineer)", &decision.action);
    optional("Action Required (gap)", &decision.for_gap);
    if let Some(why) = &decision.lifted {
        lines.push(format!("- **No longer in force:** {}", one_line(why)));
    }
    lines.push(format!("- **Decided By:** {}", decision.by));
    lines.push(format!("- **Timestamp:** {}", decision.at));
    lines.join("\n") + "\n"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
