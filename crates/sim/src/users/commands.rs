//! Commands that users give unprompted, sensible at that moment or not.

use gapless_domain::{DecisionId, GapId, GapState, Issue, IssueId, RollbackMode, Severity};
use gapless_mediator::termination::CRITICAL_SENTENCE;
use gapless_mediator::{GapCommand, IssueCommand, UserInput};
use gapless_session::State;

use crate::Rng;
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

/// A command on an issue: mostly an open one, seldom one that doesn't exist.
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

#[derive(Clone, Copy)]
enum GapCommandKind {
    Add,
    Defer,
    Resume,
    Close,
    Reopen,
    Confirm,
    Split,
    Severity,
    Block,
    Unblock,
    Input,
}

/// A kind of command that is listed more often is given more often.
const GAP_COMMANDS: [GapCommandKind; 14] = [
    GapCommandKind::Add,
    GapCommandKind::Defer,
    GapCommandKind::Resume,
    GapCommandKind::Close,
    GapCommandKind::Reopen,
    GapCommandKind::Confirm,
    GapCommandKind::Split,
    GapCommandKind::Split,
    GapCommandKind::Severity,
    GapCommandKind::Block,
    GapCommandKind::Input,
    GapCommandKind::Unblock,
    GapCommandKind::Severity,
    GapCommandKind::Severity,
];

impl GapCommandKind {
    /// The states in which such a command takes effect; empty where any will do.
    fn likely_states(self) -> &'static [GapState] {
        use GapState as S;
        match self {
            Self::Defer => &[
                S::Open,
                S::InProgress,
                S::Proposed,
                S::NeedsRevision,
                S::BlockedExternal,
            ],
            Self::Resume => &[S::UserDeferred],
            Self::Close => &[
                S::Accepted,
                S::InProgress,
                S::Proposed,
                S::UserDeferred,
                S::BlockedExternal,
            ],
            Self::Reopen => &[S::Accepted, S::Resolved, S::WontFix],
            Self::Confirm => &[S::Accepted],
            Self::Split => &[S::Open, S::NeedsRevision, S::Proposed, S::InProgress],
            Self::Severity => &[S::InProgress, S::Proposed],
            Self::Input => &[S::BlockedExternal],
            Self::Add | Self::Block | Self::Unblock => &[],
        }
    }
}

fn on_gap(rng: &mut Rng, state: &State) -> GapCommand {
    let kind = GAP_COMMANDS[rng.below(GAP_COMMANDS.len())];
    let Some(target) = gap(rng, state, kind.likely_states()) else {
        return add(rng);
    };
    match kind {
        GapCommandKind::Add => add(rng),
        GapCommandKind::Defer => GapCommand::Defer {
            gap: target,
            reason: reason(rng),
        },
        GapCommandKind::Resume => GapCommand::Resume { gap: target },
        GapCommandKind::Close => GapCommand::Close {
            gap: target,
            reason: reason(rng),
            sentence: rng.percent(50).then(|| CRITICAL_SENTENCE.to_owned()),
        },
        GapCommandKind::Reopen => GapCommand::Reopen {
            gap: target,
            reason: reason(rng),
        },
        GapCommandKind::Confirm => GapCommand::Confirm { gap: target },
        GapCommandKind::Split => split(rng, state, target),
        GapCommandKind::Severity => GapCommand::Severity {
            gap: target,
            severity: match rng.percent(50) {
                true => Severity::Low,
                false => words::severity(rng),
            },
            reason: reason(rng),
        },
        GapCommandKind::Block => match gap(rng, state, &[]) {
            Some(by) => GapCommand::Block { gap: target, by },
            None => add(rng),
        },
        GapCommandKind::Unblock => unblock(state, target),
        GapCommandKind::Input => GapCommand::Input {
            gap: target,
            text: reason(rng),
        },
    }
}

/// Unblocks the first gap that is blocked; where none is, any gap from itself.
fn unblock(state: &State, any: GapId) -> GapCommand {
    let mut gaps = state.now.gaps.values();
    let blocked = gaps.find(|gap| !gap.blocked_by.is_empty());
    match blocked.and_then(|gap| Some((gap.id.clone(), gap.blocked_by.first()?.clone()))) {
        Some((gap, by)) => GapCommand::Unblock { gap, by },
        None => GapCommand::Unblock {
            gap: any.clone(),
            by: any,
        },
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
