//! Owns commands: whatever a user may do of their own accord, sensible at that moment or not.

use gapless_domain::gap::GapState;
use gapless_domain::ids::{DecisionId, GapId, IssueId};
use gapless_domain::issue::Issue;
use gapless_domain::rollback::RollbackMode;
use gapless_domain::severity::Severity;
use gapless_mediator::termination::CRITICAL_SENTENCE;
use gapless_mediator::{GapCommand, IssueCommand, UserInput};
use gapless_session::State;

use crate::rng::Rng;
use crate::setting::drawn_delivery;
use crate::words::{self, CATEGORIES};

/// A command; many of them will be refused.
pub fn any(rng: &mut Rng, state: &State) -> UserInput {
    match rng.below(100) {
        0..8 if state.kept.paused => UserInput::Resume,
        0..8 => UserInput::Pause,
        8..10 => UserInput::Resume,
        10..15 => UserInput::Stop,
        15 => UserInput::Abandon,
        16..23 => UserInput::Rollback {
            to: rng.percent(80).then(|| rollback_target(rng, state)),
            reason: if rng.percent(90) {
                words::line(rng, 2, 4)
            } else {
                " ".to_owned()
            },
            adjust: match rng.percent(30) {
                true => vec![words::distinct(rng)],
                false => Vec::new(),
            },
        },
        23 => UserInput::RollbackMode {
            mode: *rng
                .pick(&RollbackMode::ALL)
                .unwrap_or(&RollbackMode::Interactive),
        },
        24 => match undone_decision(rng, state) {
            Some(decision) => UserInput::Reapply {
                decision,
                text: rng.percent(30).then(|| super::answers::edited(rng)),
            },
            None => UserInput::Stop,
        },
        25..28 => UserInput::Deliver {
            delivery: drawn_delivery(rng),
        },
        28..38 if !state.now.issues.is_empty() => UserInput::Issue {
            command: on_issue(rng, state),
        },
        _ => UserInput::Gap {
            command: on_gap(rng, state),
        },
    }
}

fn undone_decision(rng: &mut Rng, state: &State) -> Option<DecisionId> {
    let undone: Vec<DecisionId> = state
        .kept
        .undone_decisions
        .iter()
        .map(|undone| undone.decision.id)
        .collect();
    rng.pick(&undone).copied()
}

/// An issue, mostly one that stands, seldom none that exists.
fn on_issue(rng: &mut Rng, state: &State) -> IssueCommand {
    let ids = |wanted: &dyn Fn(&Issue) -> bool| -> Vec<IssueId> {
        let issues = state.now.issues.values().filter(|issue| wanted(issue));
        issues.map(|issue| issue.id).collect()
    };
    let candidates = match rng.percent(80) {
        true => ids(&|issue| issue.state.stands()),
        false => ids(&|_| true),
    };
    let nowhere = IssueId::new(9999, 999);
    let issue = rng.pick(&candidates).copied().unwrap_or(nowhere);
    match rng.percent(40) {
        true => IssueCommand::Waive {
            issue,
            reason: reason(rng),
        },
        false => IssueCommand::Severity {
            issue,
            severity: words::severity(rng),
            reason: reason(rng),
        },
    }
}

fn rollback_target(rng: &mut Rng, state: &State) -> u32 {
    match rng.pick(&state.checkpoints) {
        Some(point) if rng.percent(85) => point.after_round,
        _ => rng.between(0, state.now.round.number + 1),
    }
}

fn reason(rng: &mut Rng) -> String {
    match rng.percent(92) {
        true => words::line(rng, 2, 5),
        false => "  ".to_owned(),
    }
}

/// A gap: mostly any, sometimes one in a given state so that the command can take effect, seldom none.
fn gap(rng: &mut Rng, state: &State, likely: &[GapState]) -> Option<GapId> {
    let ids = |wanted: &dyn Fn(GapState) -> bool| -> Vec<GapId> {
        let gaps = state.now.gaps.values().filter(|gap| wanted(gap.state));
        gaps.map(|gap| gap.id.clone()).collect()
    };
    if rng.percent(3) {
        return GapId::new("NOWHERE", 9);
    }
    let fitting = ids(&|state| likely.contains(&state));
    if rng.percent(70)
        && let Some(gap) = rng.pick(&fitting)
    {
        return Some(gap.clone());
    }
    rng.pick(&ids(&|_| true)).cloned()
}

fn on_gap(rng: &mut Rng, state: &State) -> GapCommand {
    use GapState as S;
    let kind = rng.below(14);
    let likely: &[S] = match kind {
        1 => &[
            S::Open,
            S::InProgress,
            S::Proposed,
            S::NeedsRevision,
            S::BlockedExternal,
        ],
        2 => &[S::UserDeferred],
        3 => &[
            S::Accepted,
            S::InProgress,
            S::Proposed,
            S::UserDeferred,
            S::BlockedExternal,
        ],
        4 => &[S::Accepted, S::Resolved, S::WontFix],
        5 => &[S::Accepted],
        6 | 7 => &[S::Open, S::NeedsRevision, S::Proposed, S::InProgress],
        8 | 12 | 13 => &[S::InProgress, S::Proposed],
        10 => &[S::BlockedExternal],
        _ => &[],
    };
    let target = gap(rng, state, likely);
    let (kind, gap_id) = match target {
        Some(gap) => (kind, gap),
        None => return add(rng),
    };
    match kind {
        1 => GapCommand::Defer {
            gap: gap_id,
            reason: reason(rng),
        },
        2 => GapCommand::Resume { gap: gap_id },
        3 => GapCommand::Close {
            gap: gap_id,
            reason: reason(rng),
            sentence: rng.percent(50).then(|| CRITICAL_SENTENCE.to_owned()),
        },
        4 => GapCommand::Reopen {
            gap: gap_id,
            reason: reason(rng),
        },
        5 => GapCommand::Confirm { gap: gap_id },
        6 | 7 => split(rng, state, gap_id),
        8 | 12 | 13 => GapCommand::Severity {
            gap: gap_id,
            severity: match rng.percent(50) {
                true => Severity::Low,
                false => words::severity(rng),
            },
            reason: reason(rng),
        },
        9 => match gap(rng, state, &[]) {
            Some(by) => GapCommand::Block { gap: gap_id, by },
            None => add(rng),
        },
        10 => GapCommand::Input {
            gap: gap_id,
            text: reason(rng),
        },
        11 => {
            let blocked = state
                .now
                .gaps
                .values()
                .find(|gap| !gap.blocked_by.is_empty());
            match blocked.and_then(|gap| Some((gap.id.clone(), gap.blocked_by.first()?.clone()))) {
                Some((gap, by)) => GapCommand::Unblock { gap, by },
                None => GapCommand::Unblock {
                    gap: gap_id.clone(),
                    by: gap_id,
                },
            }
        }
        _ => add(rng),
    }
}

/// Splits a gap, or where there is one and chance has it, a child of an earlier split.
fn split(rng: &mut Rng, state: &State, gap: GapId) -> GapCommand {
    let child = state
        .now
        .gaps
        .values()
        .find(|gap| gap.id.child().is_some() && gap.state.is_open())
        .map(|gap| gap.id.clone());
    let parts = if rng.percent(90) {
        rng.between(2, 3)
    } else {
        1
    };
    GapCommand::Split {
        gap: child.filter(|_| rng.percent(50)).unwrap_or(gap),
        into: (0..parts).map(|_| words::line(rng, 2, 5)).collect(),
    }
}

fn add(rng: &mut Rng) -> GapCommand {
    let category = match rng.percent(92) {
        true => rng.pick(&CATEGORIES).copied().unwrap_or("FLOW"),
        false => "lower",
    };
    GapCommand::Add {
        category: category.to_owned(),
        severity: words::severity(rng),
        description: reason(rng),
        section: rng.percent(30).then(|| "Delivery".to_owned()),
    }
}
