//! The folding of what happened to a round, and the checkpoints between rounds.

use std::sync::Arc;

use crate::event::NotEdited;
use crate::shared::Written;
use crate::state::{Checkpoint, Round};
use crate::{Now, RoundEvent, RoundRecord, State};
use gapless_domain::{Edit, GapId, IssueId, Tally, Time};

pub(super) fn apply_round(now: &mut Now, event: &RoundEvent, at: Time) {
    match event {
        RoundEvent::Began { round } => begin_round(now, *round),
        RoundEvent::Planned {
            assigned,
            to_review,
        } => plan(now, assigned, to_review),
        // The phase that asked them went on without an answer.
        RoundEvent::Entered { .. } => now.round.to_renew.clear(),
        RoundEvent::Joined { engineer, clashes } => {
            now.round.engineer = Some(*engineer);
            now.round.clashes.clone_from(clashes);
        }
        RoundEvent::Responded { due, disagreed } => {
            now.round.due.clone_from(due);
            now.round.disagreed.clone_from(disagreed);
        }
        RoundEvent::Reviewed { reviewer } => now.round.reviewer = Some(*reviewer),
        RoundEvent::Settled {} => now.round.settled = true,
        RoundEvent::Accounted {
            tally,
            weighted_net,
            unweighted_net,
            convergence,
            signal,
            open_quarters,
        } => {
            now.round.accounted = true;
            now.round.tally = Tally::default();
            now.convergence = *convergence;
            now.history.push_back(Arc::new(RoundRecord {
                round: now.round.number,
                tally: tally.clone(),
                weighted_net: *weighted_net,
                unweighted_net: *unweighted_net,
                convergence: *convergence,
                open_quarters: *open_quarters,
                open_by_severity: now.open_by_severity(),
                engineer: now.round.engineer,
                reviewer: now.round.reviewer,
                due: count(&now.round.due, |id| is_grave(now, id)),
                disagreed: count(&now.round.disagreed, |id| is_grave(now, id)),
                signal: *signal,
                at,
                line: Written::default(),
            }));
        }
        RoundEvent::DivergenceCleared { convergence } => now.convergence = *convergence,
        RoundEvent::Narrowed { to } => now.narrowed_to.clone_from(to),
        RoundEvent::LeftOut { gaps } => now.left_out.clone_from(gaps),
        RoundEvent::Forced { engineer } => now.forced = Some(*engineer),
        RoundEvent::Edited {
            slot,
            editor,
            taken,
            not_taken,
        } => {
            now.round.edited = Some(slot.index);
            now.round.editor = editor.or(now.round.editor);
            note_edits(now, taken, not_taken);
        }
        RoundEvent::FinalReviewed {
            ready,
            text,
            set_aside,
        } => {
            now.round.set_aside.clone_from(set_aside);
            now.round.final_reviewed = Some(*ready);
            now.round.final_review = Some(*text);
        }
    }
}

fn plan(now: &mut Now, assigned: &[GapId], to_review: &[GapId]) {
    now.round.assigned = assigned.to_vec();
    now.round.to_review = to_review.to_vec();
    now.narrowed_to.clear();
    now.left_out.clear();
    now.forced = None;
    // Work follows: a final review before it says nothing about what comes after.
    now.round.final_reviewed = None;
}

fn note_edits(now: &mut Now, taken: &[Edit], not_taken: &[NotEdited]) {
    for edit in taken {
        now.unedited.remove(&edit.section);
        now.edits.insert(edit.section, edit.clone());
    }
    for section in not_taken {
        if let Some(made_from) = &section.made_from {
            now.unedited.insert(section.section, made_from.clone());
        }
    }
    now.round.not_edited = not_taken.to_vec();
}

fn is_grave(now: &Now, id: &IssueId) -> bool {
    let issue = now.issues.get(id);
    issue.is_some_and(|issue| issue.concern.severity.holds())
}

fn count(ids: &[IssueId], which: impl Fn(&IssueId) -> bool) -> u32 {
    u32::try_from(ids.iter().filter(|id| which(id)).count()).unwrap_or(u32::MAX)
}

/// Keeps the state before a round, for a rollback to restore.
pub(super) fn keep_checkpoint(state: &mut State, round: u32) {
    let retention = state.kept.setup.config.backup_retention_rounds as usize;
    state.checkpoints.push(Checkpoint {
        after_round: round.saturating_sub(1),
        now: Arc::new(state.now.clone()),
    });
    let surplus = state.checkpoints.len().saturating_sub(retention);
    state.checkpoints.drain(..surplus);
}

fn begin_round(now: &mut Now, number: u32) {
    now.round = Round {
        number,
        phase: now.round.phase,
        tally: std::mem::take(&mut now.round.tally).carried(),
        ..Round::default()
    };
}
