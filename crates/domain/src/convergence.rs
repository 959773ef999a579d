//! The measure of progress: which moves of gaps count as resolved, new or reopened, and the verdict on what a round
//! counted as one exhaustive table.
//! Weights are whole numbers and open gaps are counted in quarters, so that no verdict hangs on a float.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Gap, GapId, GapState, Severity, listed, named};

/// Whether the session gets nearer to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ConvergenceState {
    #[default]
    Converging,
    Flat,
    DivergenceWarning,
}

named!(ConvergenceState);

/// Why there is a divergence warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum DivergenceCause {
    NewCritical,
    NetLoss,
    Stalled,
}

named!(DivergenceCause);

/// What a round says about progress, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum Signal {
    /// A CRITICAL gap was created.
    NewCritical,
    /// More was opened than the threshold allows.
    NetLoss,
    /// More was resolved than opened.
    Gain,
    /// Neither; but children of a split gap were closed, so the round is not flat.
    PartOfSplit,
    /// Neither.
    NoGain,
    /// A role was skipped, or nothing was reviewed: nothing can be said.
    NotJudged,
    /// The user answered a divergence warning and goes on.
    Cleared,
}

listed!(Signal);

/// The verdict after the last judged round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Convergence {
    pub state: ConvergenceState,
    pub cause: Option<DivergenceCause>,
    /// Consecutive rounds without gain.
    pub flat_count: u32,
}

impl fmt::Display for Convergence {
    /// The state, and the cause where there is one: `DIVERGENCE_WARNING (STALLED)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Some(cause) => write!(f, "{} ({})", self.state, cause.name()),
            None => write!(f, "{}", self.state),
        }
    }
}

/// The table. Every pair is legal: a verdict can follow on any other.
pub fn step(before: Convergence, signal: Signal, stall_threshold: u32) -> Convergence {
    use ConvergenceState as S;
    let warning = |cause, flat_count| Convergence {
        state: S::DivergenceWarning,
        cause: Some(cause),
        flat_count,
    };
    let calm = |state, flat_count| Convergence {
        state,
        cause: None,
        flat_count,
    };
    match signal {
        Signal::NewCritical => warning(DivergenceCause::NewCritical, before.flat_count),
        Signal::NetLoss => warning(DivergenceCause::NetLoss, before.flat_count),
        Signal::Gain | Signal::PartOfSplit | Signal::Cleared => calm(S::Converging, 0),
        Signal::NoGain if before.flat_count + 1 >= stall_threshold => {
            warning(DivergenceCause::Stalled, before.flat_count + 1)
        }
        Signal::NoGain => calm(S::Flat, before.flat_count + 1),
        Signal::NotJudged => before,
    }
}

/// A gap that was resolved or opened in a round, with the severity it had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    pub gap: GapId,
    pub severity: Severity,
}

impl Counted {
    fn of(gap: &Gap) -> Self {
        Self {
            gap: gap.id.clone(),
            severity: gap.severity,
        }
    }
}

/// What a round did to the inventory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    pub resolved: Vec<Counted>,
    pub created: Vec<Counted>,
    pub reopened: Vec<Counted>,
    /// A child of a split gap was closed, and it was not the last.
    pub part_of_split: bool,
    pub role_skipped: bool,
    /// No review of the round named a gap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nothing_reviewed: bool,
}

/// How a move of a gap counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Resolved,
    Reopened,
}

impl Change {
    /// How a gap counts that left a state for the one it is in now: as resolved once, until it is reopened.
    fn of(gap: &Gap, from: GapState) -> Option<Change> {
        let closes = matches!(
            gap.state,
            GapState::Accepted | GapState::Resolved | GapState::WontFix
        );
        // A parked child that closes may be the last of its parent.
        let was_to_do = from.is_open() || (gap.parent.is_some() && from.is_parked());
        let reopens = from.is_closed() && gap.state.is_open();
        match gap.counted {
            false if closes && was_to_do => Some(Change::Resolved),
            true if reopens => Some(Change::Reopened),
            _ => None,
        }
    }
}

impl Tally {
    /// Counts a gap that was found. What discovery finds, and the children of a split gap, are nothing new.
    pub fn count_new(&mut self, gap: &Gap, in_discovery: bool) {
        if !in_discovery && gap.parent.is_none() {
            self.created.push(Counted::of(gap));
        }
    }

    /// Counts a gap that left a state for the one it is in now. What comes back is still to be counted for its parent,
    /// where it has one.
    pub fn count_move(&mut self, gap: &mut Gap, from: GapState) -> Option<Change> {
        let change = Change::of(gap, from)?;
        match gap.parent.is_some() {
            true => gap.counted = change == Change::Resolved,
            false => self.count(gap, change),
        }
        Some(change)
    }

    /// Counts for a split gap how one of its children counts: the parent is resolved once, when its last child closes.
    pub fn count_child(&mut self, parent: &mut Gap, child: Change, all_closed: bool) {
        match child {
            Change::Resolved if !all_closed || parent.counted => self.part_of_split = true,
            Change::Reopened if !parent.counted => {}
            change => self.count(parent, change),
        }
    }

    fn count(&mut self, gap: &mut Gap, change: Change) {
        gap.counted = change == Change::Resolved;
        let list = match change {
            Change::Resolved => &mut self.resolved,
            Change::Reopened => &mut self.reopened,
        };
        list.push(Counted::of(gap));
    }

    /// What the next round begins with: what was decided after this one was accounted for counts in that.
    pub fn carried(self) -> Self {
        Self {
            role_skipped: false,
            ..self
        }
    }

    pub fn weighted_net(&self) -> i64 {
        let weights = |list: &[Counted]| list.iter().map(|c| c.severity.weight()).sum::<i64>();
        weights(&self.resolved) - weights(&self.created) - weights(&self.reopened)
    }

    pub fn unweighted_net(&self) -> i64 {
        let count = |list: &[Counted]| i64::try_from(list.len()).unwrap_or(i64::MAX);
        count(&self.resolved) - count(&self.created) - count(&self.reopened)
    }

    /// Why the round was not judged, where it was not.
    pub fn why_not_judged(&self) -> &'static str {
        match self.role_skipped {
            true => "a role was skipped",
            false => "nothing was reviewed",
        }
    }

    /// Judges the round, in the order in which the rules apply.
    pub fn signal(&self, divergence_threshold: u32, critical_override: bool) -> Signal {
        let net = self.weighted_net();
        let new_critical = self
            .created
            .iter()
            .any(|c| c.severity == Severity::Critical);
        if self.role_skipped {
            Signal::NotJudged
        } else if critical_override && new_critical {
            Signal::NewCritical
        } else if net < -i64::from(divergence_threshold) {
            Signal::NetLoss
        } else if self.nothing_reviewed {
            // A warning stands without a review; that the session gets nearer to its end, or doesn't, does not.
            Signal::NotJudged
        } else if net > 0 {
            Signal::Gain
        } else if self.part_of_split {
            Signal::PartOfSplit
        } else {
            Signal::NoGain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewGap, Origin};

    #[test]
    fn every_pair_of_state_and_signal() {
        let mut matrix = String::new();
        for state in ConvergenceState::ALL {
            for flat_count in [0, 1, 2] {
                for signal in Signal::ALL {
                    let before = Convergence {
                        state,
                        cause: None,
                        flat_count,
                    };
                    let after = step(before, signal, 3);
                    let cause = after.cause.map_or("", DivergenceCause::name);
                    let line = format!(
                        "{state:<18} {flat_count}  {:<12} {:<18} {} {cause}",
                        format!("{signal:?}"),
                        after.state,
                        after.flat_count
                    );
                    matrix += line.trim_end();
                    matrix += "\n";
                }
            }
        }
        insta::assert_snapshot!(matrix);
    }

    fn counted(number: u16, severity: Severity) -> Counted {
        Counted {
            gap: GapId::new("FLOW", number).unwrap(),
            severity,
        }
    }

    fn gap(number: u16, parent: Option<&Gap>) -> Gap {
        let id = GapId::new("FLOW", number).unwrap();
        let new = NewGap::new(id, Severity::High, String::new(), Origin::User);
        let parent = parent.map(|parent| parent.id.clone());
        Gap {
            parent,
            ..Gap::new(&new, 1, 1)
        }
    }

    fn moved(tally: &mut Tally, gap: &mut Gap, to: GapState) -> Option<Change> {
        let from = std::mem::replace(&mut gap.state, to);
        tally.count_move(gap, from)
    }

    #[test]
    fn a_gap_counts_once_until_it_is_reopened() {
        let (mut tally, mut gap) = (Tally::default(), gap(1, None));
        for to in [GapState::Accepted, GapState::Resolved] {
            moved(&mut tally, &mut gap, to);
        }
        assert_eq!((tally.resolved.len(), tally.reopened.len()), (1, 0));
        for to in [GapState::NeedsRevision, GapState::WontFix] {
            moved(&mut tally, &mut gap, to);
        }
        assert_eq!((tally.resolved.len(), tally.reopened.len()), (2, 1));
    }

    #[test]
    fn a_parked_gap_that_is_closed_was_nothing_to_do() {
        let (mut tally, mut gap) = (Tally::default(), gap(1, None));
        for to in [GapState::UserDeferred, GapState::WontFix] {
            assert_eq!(moved(&mut tally, &mut gap, to), None);
        }
        assert_eq!(tally, Tally::default());
    }

    #[test]
    fn a_split_gap_is_resolved_with_its_last_child() {
        let (mut tally, mut parent) = (Tally::default(), gap(1, None));
        let (mut one, mut other) = (gap(2, Some(&parent)), gap(3, Some(&parent)));
        let child = moved(&mut tally, &mut one, GapState::Accepted).unwrap();
        tally.count_child(&mut parent, child, false);
        assert!(tally.part_of_split && tally.resolved.is_empty());
        let child = moved(&mut tally, &mut other, GapState::Accepted).unwrap();
        tally.count_child(&mut parent, child, true);
        assert_eq!(tally.resolved, [counted(1, Severity::High)]);
        let child = moved(&mut tally, &mut one, GapState::NeedsRevision).unwrap();
        tally.count_child(&mut parent, child, false);
        assert_eq!(tally.reopened, [counted(1, Severity::High)]);
    }

    /// What a round did, by the severities of the gaps.
    fn tally(resolved: &[Severity], created: &[Severity], reopened: &[Severity]) -> Tally {
        let list = |list: &[Severity]| list.iter().map(|severity| counted(1, *severity)).collect();
        Tally {
            resolved: list(resolved),
            created: list(created),
            reopened: list(reopened),
            ..Tally::default()
        }
    }

    #[test]
    fn the_weighted_net_decides_where_heads_disagree() {
        let tally = tally(&[Severity::Low; 3], &[Severity::High], &[]);
        assert_eq!((tally.weighted_net(), tally.unweighted_net()), (-1, 2));
        assert_eq!(tally.signal(8, true), Signal::NoGain);
    }

    #[test]
    fn a_reopened_critical_weighs_but_does_not_override() {
        let tally = tally(&[], &[], &[Severity::Critical]);
        assert_eq!(tally.signal(16, true), Signal::NoGain);
        assert_eq!(tally.signal(15, true), Signal::NetLoss);
    }

    #[test]
    fn a_new_critical_overrides_any_gain() {
        let tally = tally(&[Severity::Critical; 2], &[Severity::Critical], &[]);
        assert_eq!(tally.signal(8, true), Signal::NewCritical);
        assert_eq!(tally.signal(8, false), Signal::Gain);
    }

    #[test]
    fn without_a_review_a_round_can_warn_and_nothing_else() {
        use Severity::{Critical, High, Low};
        for (resolved, created, part_of_split, signal) in [
            (&[High][..], &[][..], false, Signal::NotJudged),
            (&[], &[], false, Signal::NotJudged),
            (&[], &[Low], false, Signal::NotJudged),
            (&[], &[High; 3], false, Signal::NetLoss),
            (&[], &[Critical], false, Signal::NewCritical),
            (&[], &[], true, Signal::NotJudged),
        ] {
            let tally = Tally {
                nothing_reviewed: true,
                part_of_split,
                ..tally(resolved, created, &[])
            };
            assert_eq!(tally.signal(8, true), signal, "{tally:?}");
        }
    }

    #[test]
    fn a_skipped_role_is_not_judged() {
        let tally = Tally {
            role_skipped: true,
            ..tally(&[], &[Severity::Critical], &[])
        };
        assert_eq!(tally.signal(8, true), Signal::NotJudged);
    }
}
