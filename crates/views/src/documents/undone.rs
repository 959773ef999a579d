//! What goes into the archive of an undone round beside what its folder held: its decisions, what is known of the
//! rollback, and the analysis of what it wrote.

use super::Document;
use super::decisions::entry;
use gapless_detection::analysis::{Analysis, Occasion, RootCause, report};
use gapless_domain::archives::{ArchiveName, RollbackMetadata};
use gapless_domain::{Decision, Time};
use gapless_session::rollback_record::{UndoneRound, times_undone};
use gapless_session::{Event, Happening, RollbackEvent, State};

/// A round that a rollback has just undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedRound {
    pub archive: ArchiveName,
    pub at: Time,
    /// By their names in the archive.
    pub beside: Vec<Document>,
}

/// What an event undid.
struct Gone<'e> {
    from_round: u32,
    to_round: u32,
    reason: &'e str,
    adjustments: &'e [String],
    rounds: &'e [UndoneRound],
    root_cause: Option<&'e RootCause>,
}

impl<'e> Gone<'e> {
    fn by(event: &'e Event) -> Option<Self> {
        let Happening::Rollback(event) = &event.what else {
            return None;
        };
        Some(match event {
            RollbackEvent::RolledBack {
                from_round,
                to_round,
                reason,
                adjustments,
                rounds,
                root_cause,
                ..
            } => Self {
                from_round: *from_round,
                to_round: *to_round,
                reason,
                adjustments,
                rounds,
                root_cause: root_cause.as_ref(),
            },
            RollbackEvent::TakenBack {
                from_round,
                to_round,
                words,
                rounds,
                ..
            } => Self {
                from_round: *from_round,
                to_round: *to_round,
                reason: words,
                adjustments: &[],
                rounds,
                root_cause: None,
            },
            RollbackEvent::Chosen { .. }
            | RollbackEvent::Adjusted { .. }
            | RollbackEvent::ModeSet { .. } => return None,
        })
    }
}

/// The rounds that an event undid, the latest first, `before` and `after` being the states around it.
pub fn archived_rounds(before: &State, after: &State, event: &Event) -> Vec<ArchivedRound> {
    let Some(Gone {
        from_round,
        to_round,
        reason,
        adjustments,
        rounds,
        root_cause,
    }) = Gone::by(event)
    else {
        return Vec::new();
    };
    let first = to_round.saturating_add(1);
    let lost: Vec<&Decision> = before
        .now
        .decisions
        .iter()
        .filter(|decision| after.now.decision(&decision.id).is_none())
        .collect();
    (first..=from_round)
        .rev()
        .map(|round| {
            let attempt = times_undone(&after.kept.rollbacks, round);
            let metadata = RollbackMetadata {
                original_round: round,
                rollback_timestamp: event.at.to_string(),
                reason: reason.to_owned(),
                attempt_number: attempt,
                to_round,
                user_adjustments: adjustments.to_vec(),
                // The log has no holes, and its first event is number 1.
                seq: after.kept.events,
            };
            // A round that has used up its numbers borrows those of rounds to come.
            let of_round = lost
                .iter()
                .filter(|decision| decision.id.round.clamp(first, from_round) == round);
            let metadata = serde_json::to_string_pretty(&metadata).unwrap_or_default();
            let mut beside = vec![
                Document::new(
                    format!("decisions_from_round_{round}.md"),
                    decisions_from(round, of_round),
                ),
                Document::new(RollbackMetadata::FILE, metadata + "\n"),
            ];
            if let Some(undone) = rounds.iter().find(|undone| undone.round == round) {
                let earlier = earlier_analyses(before, round);
                let occasion = Occasion {
                    round,
                    attempt,
                    reason,
                    at: event.at,
                    earlier: &earlier,
                    root_cause: root_cause.filter(|_| round == first),
                };
                let report = report(&undone.analysis, Some(&occasion));
                beside.push(Document::new("analysis.md", report));
            }
            ArchivedRound {
                archive: ArchiveName { round, attempt },
                at: event.at,
                beside,
            }
        })
        .collect()
}

/// What was found in a round each time that it was undone before, oldest first.
fn earlier_analyses(state: &State, round: u32) -> Vec<Analysis> {
    let rollbacks = state.kept.rollbacks.iter();
    rollbacks
        .flat_map(|rollback| &rollback.rounds)
        .filter(|undone| undone.round == round)
        .map(|undone| undone.analysis.clone())
        .collect()
}

fn decisions_from<'d>(round: u32, lost: impl Iterator<Item = &'d &'d Decision>) -> String {
    let entries: String = lost.map(|decision| entry(decision)).collect();
    let entries = match entries.is_empty() {
        true => "\nNone.\n".to_owned(),
        false => entries,
    };
    format!(
        "# Decisions Made During Round {round} (Rolled Back)\n\n\
         **Note:** These decisions were made during Round {round}, which was rolled back later. They are kept for \
         reference and are NOT active in the session.\n{entries}"
    )
}
