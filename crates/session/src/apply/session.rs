//! The folding of what happened to the session as a whole.

use crate::shared::SharedMap;
use crate::spending::total_usage;
use crate::state::{Chapter, SessionOrigin};
use crate::{SessionEvent, State};
use gapless_domain::convergence::Convergence;
use gapless_domain::{Delivered, Role, SlotId, SlotState, Tally, TextHash, Time};

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
            let before = std::mem::replace(&mut state.kept.setup, (**setup).clone());
            state.keep_agents(&before.agents);
            state.kept.delivered = None;
        }
        SessionEvent::Entered { .. } => state.now.round.to_renew.clear(),
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => {
            if state.kept.limits.is_none() {
                // Discovery is not judged, nor is what the user does between two chapters: it counts in no round.
                state.now.round.tally = Tally::default();
                if state.kept.chapters.is_empty() {
                    state.now.initial_open = state.now.open_by_severity();
                }
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
        SessionEvent::Said { words, answers } => state.keep_undo_point(words, *answers, at),
        SessionEvent::Reopened { refined, .. } => reopen(state, *refined, at),
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

/// Begins the next chapter: the end is kept, and what counted towards it counts anew. It rests until the user resumes it.
fn reopen(state: &mut State, refined: Option<TextHash>, at: Time) {
    let (usage, rollbacks) = (total_usage(state), state.kept.rollbacks.len());
    let by_rules = state.is_ended_by_rules();
    let kept = &mut state.kept;
    if let Some((end, trigger)) = kept.ended.take() {
        kept.chapters.push_back(Chapter {
            end,
            by_rules,
            trigger,
            last_round: state.now.round.number,
            ended_at: kept.ended_at.take().unwrap_or(at),
            reopened_at: at,
            refined,
            usage,
            active_millis: kept.active.millis,
            rollbacks: u32::try_from(rollbacks).unwrap_or(u32::MAX),
        });
    }
    kept.delivered = None;
    kept.paused = true;
    kept.limits = None;
    kept.first_max_rounds = None;
    kept.initial_gaps = state.now.gaps_left();
    kept.rounds_without_gain = 0;
    kept.archive_choice = None;
    kept.disposed = None;
    // What was under way at the end must not be taken for a task of this chapter.
    kept.epoch += 1;
    let now = &mut state.now;
    now.convergence = Convergence::default();
    now.failing.clear();
    now.narrowed_to.clear();
    now.left_out.clear();
    now.forced = None;
    now.round.slots = SharedMap::default();
    now.round.edited = None;
    now.round.final_reviewed = None;
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
