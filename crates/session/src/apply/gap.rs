//! The folding of what happened to gaps; what of it counts is for `convergence` to say.

use crate::{GapEvent, Now, State};
use gapless_domain::{Gap, GapId, GapMove, GapState, NewGap, Origin};

pub(super) fn apply_gap(state: &mut State, event: &GapEvent) {
    let round = state.now.round.number;
    match event {
        GapEvent::Created { gap } => create(state, gap),
        GapEvent::Moved {
            id,
            by,
            from,
            to,
            reason,
        } => move_gap(&mut state.now, id, *by, (*from, *to), reason.as_deref()),
        GapEvent::Proposed { id, proposal } => with_gap(state, id, |gap| {
            gap.proposal = Some(proposal.clone());
        }),
        GapEvent::Reviewed { id, .. } => with_gap(state, id, |gap| gap.reviewed_in = Some(round)),
        GapEvent::SeverityChanged {
            id, to, by_user, ..
        } => with_gap(state, id, |gap| {
            gap.severity = *to;
            gap.gravest = gap.gravest.max(*to);
            gap.severity_set_by_user |= by_user;
        }),
        GapEvent::DependencyChanged { id, blocked_by } => with_gap(state, id, |gap| {
            gap.blocked_by = blocked_by.iter().cloned().collect();
        }),
        GapEvent::OriginAdded { id, origin, said } => with_gap(state, id, |gap| {
            if !gap.origins.contains(origin) {
                gap.origins.push(origin.clone());
            }
            gap.also.extend(said.iter().cloned());
        }),
        GapEvent::Reconciled {
            id,
            decision,
            solution,
        } => with_gap(state, id, |gap| {
            gap.reconciled.retain(|(known, _)| known != decision);
            gap.reconciled.push((*decision, *solution));
        }),
        GapEvent::ObligationsMet { id, decisions } => with_gap(state, id, |gap| {
            gap.obligations
                .retain(|decision| !decisions.contains(decision));
        }),
        GapEvent::Assigned { id, ownership } => {
            match ownership.is_empty() {
                true => state.kept.ownership.remove(id),
                false => state.kept.ownership.insert(id.clone(), ownership.clone()),
            };
        }
        GapEvent::Recorded {
            id, to, because, ..
        } => {
            let order = state.now.next_acceptance();
            with_gap(state, id, |gap| {
                set_recorded(gap, *to, because, round);
                gap.accepted_as = order;
            });
        }
    }
}

fn create(state: &mut State, new: &NewGap) {
    state.kept.used_gap_ids.insert(new.id.clone());
    state.kept.gaps_created += 1;
    let mut gap = Gap::new(new, state.now.round.number, state.kept.gaps_created);
    if let Origin::Split { parent } = &new.origin
        && let Some(parent) = state.now.gaps.get_mut(parent)
    {
        parent.children.push(new.id.clone());
        gap.decisions.clone_from(&parent.decisions);
        gap.obligations.clone_from(&parent.obligations);
        gap.severity_set_by_user = parent.severity_set_by_user;
        gap.gravest = gap.gravest.max(parent.gravest);
        // The parts of a child are further parts of the same parent.
        if let Some(root) = parent.parent.clone() {
            gap.parent = Some(root.clone());
            with_gap(state, &root, |root| root.children.push(new.id.clone()));
        }
    }
    if let Origin::Split { parent } = &new.origin
        && let Some(ownership) = state.kept.ownership.get(parent).cloned()
    {
        state.kept.ownership.insert(new.id.clone(), ownership);
    }
    let in_discovery = state.kept.limits.is_none();
    state.now.round.tally.count_new(&gap, in_discovery);
    state.now.gaps.insert(new.id.clone(), gap);
}

/// What a record says counts in no round.
fn set_recorded(gap: &mut Gap, to: GapState, because: &str, round: u32) {
    gap.state = to;
    gap.counted = to.is_closed();
    gap.accepted_in = matches!(to, GapState::Accepted | GapState::Resolved).then_some(round);
    gap.reason = match to {
        GapState::UserDeferred | GapState::WontFix | GapState::BlockedExternal => {
            Some(because.to_owned())
        }
        _ => None,
    };
}

pub(super) fn with_gap(state: &mut State, id: &GapId, change: impl FnOnce(&mut Gap)) {
    if let Some(gap) = state.now.gaps.get_mut(id) {
        change(gap);
    }
}

fn move_gap(
    now: &mut Now,
    id: &GapId,
    by: GapMove,
    (from, to): (GapState, GapState),
    reason: Option<&str>,
) {
    let round = now.round.number;
    let order = match to {
        GapState::Accepted => now.next_acceptance(),
        _ => now.acceptances,
    };
    let Some(gap) = now.gaps.get_mut(id) else {
        return;
    };
    gap.state = to;
    if by == GapMove::Assign {
        gap.before = from;
        gap.decisions_known = gap.decisions.len();
    }
    match to {
        GapState::Accepted => {
            gap.accepted_in = Some(round);
            gap.accepted_as = order;
        }
        GapState::UserDeferred | GapState::WontFix | GapState::BlockedExternal => {
            gap.reason = reason.map(str::to_owned);
        }
        GapState::Open | GapState::NeedsRevision => gap.reason = None,
        _ => {}
    }
    let counts = now.round.tally.count_move(gap, from);
    if let (Some(child), Some(parent)) = (counts, gap.parent.clone()) {
        let all_closed = children_are_closed(now, &parent);
        if let Some(parent) = now.gaps.get_mut(&parent) {
            now.round.tally.count_child(parent, child, all_closed);
        }
    }
}

fn children_are_closed(now: &Now, parent: &GapId) -> bool {
    let is_closed = |child: &GapId| now.gaps.get(child).is_none_or(|it| it.state.is_closed());
    let parent = now.gaps.get(parent);
    parent.is_some_and(|gap| gap.children.iter().all(is_closed))
}
