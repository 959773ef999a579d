//! Owns the folding of what happened to gaps and issues, and the round's tally that follows from it.

use crate::event::{GapEvent, IssueEvent};
use crate::state::{Now, State};
use gapless_domain::convergence::Counted;
use gapless_domain::flag::{Flag, Heuristic};
use gapless_domain::gap::{Gap, GapMove, GapState, Origin, SETTLED_ISSUES_KEPT};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::issue::{EARLIER_WORDS_KEPT, Issue};

pub(super) fn apply_gap(state: &mut State, event: &GapEvent) {
    let round = state.now.round.number;
    match event {
        GapEvent::Created { gap: new } => {
            state.kept.used_gap_ids.insert(new.id.clone());
            state.kept.gaps_created += 1;
            let mut gap = Gap::new(new, round, state.kept.gaps_created);
            if let Origin::Split { parent } = &new.origin
                && let Some(parent) = state.now.gaps.get_mut(parent)
            {
                parent.children.push(new.id.clone());
                gap.decisions.clone_from(&parent.decisions);
                gap.obligations.clone_from(&parent.obligations);
                gap.severity_set_by_user = parent.severity_set_by_user;
                // The parts of a child are further parts of the same parent.
                if let Some(root) = parent.parent.clone() {
                    gap.parent = Some(root.clone());
                    with_gap(state, &root, |root| root.children.push(new.id.clone()));
                }
            } else if state.kept.limits.is_some() {
                state.now.round.tally.created.push(Counted {
                    gap: new.id.clone(),
                    severity: new.severity,
                });
            }
            state.now.gaps.insert(new.id.clone(), gap);
        }
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
        GapEvent::Recorded {
            id, to, because, ..
        } => with_gap(state, id, |gap| set_recorded(gap, *to, because, round)),
    }
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

fn with_gap(state: &mut State, id: &GapId, change: impl FnOnce(&mut Gap)) {
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
    let Some(gap) = now.gaps.get_mut(id) else {
        return;
    };
    gap.state = to;
    if by == GapMove::Assign {
        gap.before = from;
        gap.decisions_known = gap.decisions.len();
    }
    match to {
        GapState::Accepted => gap.accepted_in = Some(round),
        GapState::UserDeferred | GapState::WontFix | GapState::BlockedExternal => {
            gap.reason = reason.map(str::to_owned);
        }
        GapState::Open | GapState::NeedsRevision => gap.reason = None,
        _ => {}
    }
    let closes = matches!(
        to,
        GapState::Accepted | GapState::Resolved | GapState::WontFix
    );
    let reopens = from.is_closed() && to.is_open();
    let parent = gap.parent.clone();
    // A parked child that closes may be the last of its parent.
    let was_to_do = from.is_open() || (parent.is_some() && from.is_parked());
    if closes && was_to_do && !gap.counted {
        gap.counted = true;
        let counted = Counted {
            gap: id.clone(),
            severity: gap.severity,
        };
        match parent {
            None => now.round.tally.resolved.push(counted),
            Some(parent) => count_child(now, &parent),
        }
    } else if reopens && gap.counted {
        gap.counted = false;
        let counted = Counted {
            gap: id.clone(),
            severity: gap.severity,
        };
        match parent {
            None => now.round.tally.reopened.push(counted),
            Some(parent) => uncount_parent(now, &parent),
        }
    }
}

/// A split gap counts as resolved once, when its last child closes.
fn count_child(now: &mut Now, parent: &GapId) {
    let all_closed = now.gaps.get(parent).is_some_and(|gap| {
        gap.children.iter().all(|child| {
            now.gaps
                .get(child)
                .is_none_or(|child| child.state.is_closed())
        })
    });
    match now.gaps.get_mut(parent) {
        Some(gap) if all_closed && !gap.counted => {
            gap.counted = true;
            now.round.tally.resolved.push(Counted {
                gap: parent.clone(),
                severity: gap.severity,
            });
        }
        _ => now.round.tally.part_of_split = true,
    }
}

fn uncount_parent(now: &mut Now, parent: &GapId) {
    if let Some(gap) = now.gaps.get_mut(parent)
        && gap.counted
    {
        gap.counted = false;
        now.round.tally.reopened.push(Counted {
            gap: parent.clone(),
            severity: gap.severity,
        });
    }
}

/// Puts an issue that was settled back on the gaps that it stood on; on its own, where none of them remembers it.
fn stand_again(state: &mut State, id: &IssueId, own: &GapId) {
    let gaps = state.now.gaps.values();
    let stood =
        gaps.filter(|gap| gap.settled_issues.contains(id) && gap.state != GapState::Superseded);
    let mut stood: Vec<GapId> = stood.map(|gap| gap.id.clone()).collect();
    if stood.is_empty() {
        stood.push(own.clone());
    }
    for gap in stood {
        with_gap(state, &gap, |gap| {
            gap.settled_issues.retain(|settled| settled != id);
            gap.standing_issues.insert(*id);
        });
    }
}

pub(super) fn apply_issue(state: &mut State, event: &IssueEvent) {
    match event {
        IssueEvent::Raised {
            id,
            gap,
            concern,
            alias,
            review,
        } => {
            state.kept.used_issue_ids.insert(*id);
            let round = state.now.round.number;
            let issue = Issue::new(*id, gap.clone(), concern.clone(), alias.clone(), round);
            let review = *review;
            state.now.issues.insert(*id, Issue { review, ..issue });
            with_gap(state, gap, |gap| {
                gap.standing_issues.insert(*id);
            });
        }
        IssueEvent::Moved { id, to, reason, .. } => {
            let Some(issue) = state.now.issues.get_mut(id) else {
                return;
            };
            let reopened = !issue.state.stands() && to.stands();
            let own_gap = issue.gap.clone();
            issue.state = *to;
            if reason.is_some() {
                issue.reason.clone_from(reason);
            }
            if reopened {
                stand_again(state, id, &own_gap);
            } else if !to.stands() {
                // A split gap's issues stand on its parts as well, however often those were split again.
                let gaps = state.now.gaps.values();
                let holders: Vec<GapId> = gaps
                    .filter(|gap| gap.standing_issues.contains(id))
                    .map(|gap| gap.id.clone())
                    .collect();
                for gap in holders {
                    with_gap(state, &gap, |gap| {
                        if gap.standing_issues.remove(id) {
                            gap.settled_issues.push(*id);
                            let surplus =
                                gap.settled_issues.len().saturating_sub(SETTLED_ISSUES_KEPT);
                            gap.settled_issues.drain(..surplus);
                        }
                    });
                }
            }
        }
        IssueEvent::Answered { id, answer } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                issue.answer = Some(answer.clone());
            }
        }
        IssueEvent::Restated {
            id,
            concern,
            review,
        } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                let before = std::mem::replace(&mut issue.concern, concern.clone());
                if before.summary != concern.summary {
                    issue.earlier.push(before);
                    let surplus = issue.earlier.len().saturating_sub(EARLIER_WORDS_KEPT);
                    issue.earlier.drain(..surplus);
                }
                issue.review = review.or(issue.review);
            }
        }
        IssueEvent::Flagged { id, flag } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                let same = |known: &&mut Flag| {
                    known.round == flag.round && known.heuristic == flag.heuristic
                };
                match issue.flags.iter_mut().find(same) {
                    Some(known) => *known = flag.clone(),
                    None => issue.flags.push(flag.clone()),
                }
                let on_gap = state.now.flagged.entry(issue.gap.clone());
                on_gap.or_default().insert(*id);
                state.now.round.flagged.insert(*id);
                // A gap that is closed over an issue says nothing of the issue's answer.
                if flag.heuristic != Heuristic::H6 {
                    state.now.round.doubted.insert(*id);
                }
            }
        }
        IssueEvent::FlagsJudged {
            id,
            heuristics,
            confirmed,
            round,
        } => {
            let round = round.unwrap_or(state.now.round.number);
            for heuristic in heuristics {
                if let Some(issue) = state.now.issues.get_mut(id) {
                    issue.judged.insert((round, *heuristic), *confirmed);
                }
                let judged = state.kept.judged.entry(*heuristic).or_default();
                match confirmed {
                    true => judged.confirmed += 1,
                    false => judged.false_positive += 1,
                }
            }
        }
        IssueEvent::SeverityChanged { id, to, .. } => {
            if let Some(issue) = state.now.issues.get_mut(id) {
                issue.concern.severity = *to;
                issue.severity_set_by_user = true;
            }
        }
        IssueEvent::Copied { id, to } => with_gap(state, to, |gap| {
            gap.standing_issues.insert(*id);
        }),
    }
}
