//! The folding of what happened to the session as a whole.

use crate::state::SessionOrigin;
use crate::{SessionEvent, State};
use gapless_domain::{Delivered, Role, SlotId, SlotState, Tally, Time};

pub(super) fn apply_session(state: &mut State, event: &SessionEvent, at: Time) {
    match event {
        SessionEvent::Started {
            name,
            source_path,
            source,
            seed,
            taken,
        } => {
            state.kept.used_gap_ids.extend(taken.iter().cloned());
            state.kept.origin = Some(SessionOrigin {
                name: name.clone(),
                source_path: source_path.clone(),
                source: *source,
                seed: *seed,
                at,
            });
        }
        SessionEvent::Configured { setup } => {
            state.kept.setup = (**setup).clone();
            state.kept.delivered = None;
        }
        SessionEvent::Entered { .. } => state.now.round.to_renew.clear(),
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => {
            if state.kept.limits.is_none() {
                // Discovery is not judged: what happened in it counts in no round.
                state.now.round.tally = Tally::default();
                state.now.initial_open = state.now.open_by_severity();
            }
            state.kept.limits = Some(*limits);
            state.kept.first_max_rounds.get_or_insert(limits.max_rounds);
            state.kept.initial_gaps = *initial_gaps;
        }
        SessionEvent::AgentChanged { role, agent, .. } => change_agent(state, *role, agent),
        SessionEvent::Paused {} => state.kept.paused = true,
        SessionEvent::Resumed {} => state.kept.paused = false,
        SessionEvent::SourceChangeSeen { found } => state.kept.source_seen = Some(*found),
        SessionEvent::EditKept { .. }
        | SessionEvent::BudgetReached { .. }
        | SessionEvent::Imported { .. } => {}
        SessionEvent::Ended { end, trigger } => {
            state.kept.ended = Some((*end, *trigger));
            // What was written before is the spec as far as it went.
            state.kept.delivered = None;
            state.kept.ended_at = Some(at);
        }
        SessionEvent::SpecWritten { path, backup, text } => {
            state.kept.delivered = Some(Delivered::Written {
                path: path.clone(),
                backup: backup.clone(),
                text: *text,
            });
            state.kept.last_written = *text;
        }
        SessionEvent::ArchivesChosen { choice } => state.kept.archive_choice = Some(*choice),
        SessionEvent::ArchivesDisposed { disposed } => {
            state.kept.disposed = Some(disposed.clone());
        }
        SessionEvent::SpecNotWritten { path, why } => {
            state.kept.delivered = Some(Delivered::Failed {
                path: path.clone(),
                why: why.clone(),
            });
        }
    }
}

fn change_agent(state: &mut State, role: Role, agent: &str) {
    state.kept.setup.agents.insert(role, agent.to_owned());
    // Whoever was to do it in the role's place could not.
    let slots = state.now.round.slots.values();
    let exhausted: Vec<SlotId> = slots
        .filter(|slot| slot.id.role == role && slot.state == SlotState::Exhausted)
        .map(|slot| slot.id)
        .collect();
    for id in exhausted {
        if let Some(slot) = state.now.round.slots.get_mut(&id) {
            slot.agent = None;
        }
    }
}
