//! What the attempts of a slot came to, as the questions about its agent show it.

use super::wording::gap_line;
use crate::Turn;
use gapless_domain::{Role, SlotId};
use gapless_session::attempt_record::attempt_records;
use gapless_session::state::{Attempt, AttemptEnd, LastFailure};

/// What the field takes that names the agent which takes a role over.
pub(super) const AGENT_TEXT: &str =
    "the agent, as in --engineer: `codex`, `cmd:…`, `openai:…`, `human`";

impl Turn<'_> {
    pub(super) fn attempts_context(&self, id: SlotId) -> String {
        let attempts = self.state.now.round.attempts.iter();
        let ended: Vec<(&Attempt, &AttemptEnd)> = attempts
            .filter(|attempt| attempt.task.slot == id)
            .filter_map(|attempt| attempt.finished.as_ref().map(|end| (attempt, end)))
            .collect();
        let mut lines: Vec<String> = ended
            .iter()
            .map(|(attempt, end)| {
                format!(
                    "- attempt {}: {}: {}",
                    attempt.task.attempt,
                    end.outcome.name(),
                    end.message
                )
            })
            .collect();
        let slot = self.slot(id);
        if let Some(LastFailure { failure, .. }) = slot.and_then(|slot| slot.last_failure.as_ref())
        {
            lines.push(format!("\nLast failure: {}", failure.name()));
        }
        if let Some(cause) = ended.iter().rev().find_map(|(_, end)| end.cause) {
            lines.push(format!("Cause: {}, {}", cause.name(), cause.words()));
        }
        let gaps = slot.map_or(&[][..], |slot| &slot.gaps);
        if !gaps.is_empty() {
            lines.push(match id.role {
                Role::Reviewer => "\nIt was to review:\n".to_owned(),
                _ => "\nIt was to work on:\n".to_owned(),
            });
            let known = gaps.iter().filter_map(|gap| self.state.now.gaps.get(gap));
            lines.extend(known.map(gap_line));
        }
        lines.extend(self.where_to_look(id));
        lines.join("\n")
    }

    /// The command that shows the last attempt of a slot whole.
    fn where_to_look(&self, id: SlotId) -> Option<String> {
        let round = &self.state.now.round;
        let index = round
            .attempts
            .iter()
            .rposition(|attempt| attempt.task.slot == id)?;
        let records = attempt_records(&round.attempts);
        let name = &records.get(index)?.name;
        let session = &self.state.kept.origin.as_ref()?.name;
        Some(format!(
            "\nThe last attempt whole, with its prompt:\n\n    gapless show {} --attempt {name} --session {session}",
            round.number
        ))
    }
}
