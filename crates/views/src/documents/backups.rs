//! The backups: status.md and decisions.md as they were after a round, for as many rounds as a rollback can reach.

use super::{Document, decisions, status};
use gapless_session::state::Checkpoint;
use gapless_session::{Event, Happening, RollbackEvent, RoundEvent, State};

/// What an event does to the backups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backups {
    pub written: Vec<Document>,
    /// The paths of those that go.
    pub gone: Vec<String>,
}

/// The rounds that there are backups of.
pub fn backed_up(state: &State) -> Vec<u32> {
    let checkpoints = state.checkpoints.iter();
    checkpoints.map(|point| point.after_round).collect()
}

/// What becomes of the backups at an event, `before` being [`backed_up`] right before it and the state the one after it.
pub fn backups(before: &[u32], state: &State, event: &Event) -> Backups {
    match &event.what {
        Happening::Round(RoundEvent::Began { .. }) => {
            let after = backed_up(state);
            let rotated = before.iter().filter(|round| !after.contains(round));
            Backups {
                written: newest(state),
                gone: rotated.flat_map(|round| paths(*round)).collect(),
            }
        }
        Happening::Rollback(RollbackEvent::RolledBack {
            from_round,
            to_round,
            ..
        }) => Backups {
            written: Vec::new(),
            gone: (to_round.saturating_add(1)..=*from_round)
                .flat_map(paths)
                .collect(),
        },
        // Those that had given way to later ones are there again.
        Happening::Rollback(RollbackEvent::TakenBack { .. }) => {
            let after = backed_up(state);
            let points = state.checkpoints.iter();
            let back = points.filter(|point| !before.contains(&point.after_round));
            let over = before.iter().filter(|round| !after.contains(round));
            Backups {
                written: back.flat_map(|point| backup(state, point)).collect(),
                gone: over.flat_map(|round| paths(*round)).collect(),
            }
        }
        _ => Backups::default(),
    }
}

fn newest(state: &State) -> Vec<Document> {
    let newest = state.checkpoints.last();
    newest.map_or(Vec::new(), |point| backup(state, point))
}

fn backup(state: &State, point: &Checkpoint) -> Vec<Document> {
    let then = State {
        now: (*point.now).clone(),
        kept: state.kept.clone(),
        ..State::default()
    };
    let texts = [status(&then), decisions(&then)];
    let files = paths(point.after_round).into_iter().zip(texts);
    files
        .map(|(path, text)| Document::new(path, text))
        .collect()
}

fn paths(round: u32) -> [String; 2] {
    ["status", "decisions"].map(|name| format!("backups/{name}_backup_round_{round}.md"))
}
