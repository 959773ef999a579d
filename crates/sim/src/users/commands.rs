//! Commands that users give unprompted, sensible at that moment or not.

use gapless_domain::{DecisionId, Gap, GapId, GapState, IssueId, RollbackMode, Severity};
use gapless_mediator::termination::CRITICAL_SENTENCE;
use gapless_mediator::{GapCommand, IssueCommand, UserInput};
use gapless_session::State;

use crate::setting::drawn_delivery;
use crate::{Rng, words};

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
            reason: match rng.percent(90) {
                true => words::line(rng, 2, 4),
                false => " ".to_owned(),
            },
            adjust: rng.sometimes(30, |rng| vec![words::distinct(rng)]),
        },
        23 => UserInput::RollbackMode {
            mode: rng.one_of(&RollbackMode::ALL),
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
        97 | 98 => UserInput::Undo,
        99 => change_decision(rng, state),
        _ => UserInput::Gap {
            command: on_gap(rng, state),
        },
    }
}

/// What takes an ended session up again, or takes its end back.
pub fn after_the_end(rng: &mut Rng, state: &State) -> UserInput {
    match rng.below(8) {
        0..3 => UserInput::Reopen,
        3 => UserInput::Undo,
        4 => change_decision(rng, state),
        5 => UserInput::Rollback {
            to: Some(rollback_target(rng, state)),
            reason: words::line(rng, 2, 4),
            adjust: Vec::new(),
        },
        _ => UserInput::Gap {
            command: on_gap(rng, state),
        },
    }
}

/// Decides otherwise: with the other side, a severity, or other words.
fn change_decision(rng: &mut Rng, state: &State) -> UserInput {
    let decisions: Vec<DecisionId> = state.now.decisions.iter().map(|it| it.id).collect();
    let Some(decision) = rng.pick(&decisions).copied() else {
        return UserInput::Undo;
    };
    let text = match rng.below(5) {
        0 => "A".to_owned(),
        1 => "B".to_owned(),
        2 => words::severity(rng).to_string(),
        3 => super::answers::edited(rng),
        _ => words::line(rng, 2, 5),
    };
    UserInput::ChangeDecision {
        decision,
        text,
        reason: words::line(rng, 1, 3),
    }
}

fn undone_decision(rng: &mut Rng, state: &State) -> Option<DecisionId> {
    let undone = state.kept.undone_decisions.iter();
    let undone: Vec<DecisionId> = undone.map(|undone| undone.decision.id).collect();
    rng.pick(&undone).copied()
}

/// A command on an issue: mostly an open one, seldom one that doesn't exist.
fn on_issue(rng: &mut Rng, state: &State) -> IssueCommand {
    let open_only = rng.percent(80);
    let issues = state.now.issues.values();
    let candidates = issues.filter(|issue| !open_only || issue.state.stands());
    let candidates: Vec<IssueId> = candidates.map(|issue| issue.id).collect();
    let nowhere = IssueId::new(9999, 999);
    let issue = rng.pick(&candidates).copied().unwrap_or(nowhere);
    if rng.percent(40) {
        let reason = reason(rng);
        return IssueCommand::Waive { issue, reason };
    }
    IssueCommand::Severity {
        issue,
        severity: words::severity(rng),
        reason: reason(rng),
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
    if rng.percent(3) {
        return GapId::new("NOWHERE", 9);
    }
    let all: Vec<&Gap> = state.now.gaps.values().collect();
    let mut fitting = all.clone();
    fitting.retain(|gap| likely.contains(&gap.state));
    if rng.percent(70)
        && let Some(gap) = rng.pick(&fitting)
    {
        return Some(gap.id.clone());
    }
    rng.pick(&all).map(|gap| gap.id.clone())
}

/// A kind of command on gaps: the states in which such a command takes effect, none where any will do, and the command.
type GapCommandKind = (
    &'static [GapState],
    fn(&mut Rng, &State, GapId) -> GapCommand,
);

/// A kind of command that is listed more often is given more often.
const GAP_COMMANDS: [GapCommandKind; 14] = [
    (&[], |rng, _, _| add(rng)),
    (
        &[
            GapState::Open,
            GapState::InProgress,
            GapState::Proposed,
            GapState::NeedsRevision,
            GapState::BlockedExternal,
        ],
        |rng, _, gap| GapCommand::Defer {
            gap,
            reason: reason(rng),
        },
    ),
    (&[GapState::UserDeferred], |_, _, gap| GapCommand::Resume {
        gap,
    }),
    (
        &[
            GapState::Accepted,
            GapState::InProgress,
            GapState::Proposed,
            GapState::UserDeferred,
            GapState::BlockedExternal,
        ],
        |rng, _, gap| GapCommand::Close {
            gap,
            reason: reason(rng),
            sentence: rng.percent(50).then(|| CRITICAL_SENTENCE.to_owned()),
        },
    ),
    (
        &[GapState::Accepted, GapState::Resolved, GapState::WontFix],
        |rng, _, gap| GapCommand::Reopen {
            gap,
            reason: reason(rng),
        },
    ),
    (&[GapState::Accepted], |_, _, gap| GapCommand::Confirm {
        gap,
    }),
    SPLIT,
    SPLIT,
    SEVERITY,
    (&[], |rng, state, gap| match self::gap(rng, state, &[]) {
        Some(by) => GapCommand::Block { gap, by },
        None => add(rng),
    }),
    (&[GapState::BlockedExternal], |rng, _, gap| {
        let text = reason(rng);
        GapCommand::Input {
            gap,
            text,
            filled_in_by: None,
        }
    }),
    (&[], |_, state, gap| unblock(state, gap)),
    SEVERITY,
    SEVERITY,
];

const SPLIT: GapCommandKind = (
    &[
        GapState::Open,
        GapState::NeedsRevision,
        GapState::Proposed,
        GapState::InProgress,
    ],
    split,
);

const SEVERITY: GapCommandKind = (
    &[GapState::InProgress, GapState::Proposed],
    |rng, _, gap| GapCommand::Severity {
        gap,
        severity: match rng.percent(50) {
            true => Severity::Low,
            false => words::severity(rng),
        },
        reason: reason(rng),
    },
);

fn on_gap(rng: &mut Rng, state: &State) -> GapCommand {
    let (likely, command) = rng.one_of(&GAP_COMMANDS);
    match gap(rng, state, likely) {
        Some(gap) => command(rng, state, gap),
        None => add(rng),
    }
}

/// Unblocks the first gap that is blocked; where none is, any gap from itself.
fn unblock(state: &State, any: GapId) -> GapCommand {
    let mut gaps = state.now.gaps.values();
    let blocked = gaps.find(|gap| !gap.blocked_by.is_empty());
    let blocked = blocked.and_then(|gap| Some((gap.id.clone(), gap.blocked_by.first()?.clone())));
    let (gap, by) = blocked.unwrap_or_else(|| (any.clone(), any));
    GapCommand::Unblock { gap, by }
}

/// Splits a gap, or where there is one and chance has it, a child of an earlier split.
fn split(rng: &mut Rng, state: &State, gap: GapId) -> GapCommand {
    let mut gaps = state.now.gaps.values();
    let child = gaps.find(|gap| gap.id.child().is_some() && gap.state.is_open());
    let child = child.map(|gap| gap.id.clone());
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
        true => words::category(rng),
        false => "lower",
    };
    GapCommand::Add {
        category: category.to_owned(),
        severity: words::severity(rng),
        description: reason(rng),
        section: rng.percent(30).then(|| "Delivery".to_owned()),
    }
}
