//! How much an Engineer may disagree before the user is asked: per round by number and by share, and over rounds.

use std::fmt;

use gapless_domain::Config;

/// How many rounds a pattern is looked for in.
pub const PATTERN_ROUNDS: usize = 3;
/// One disagreement alone is no pattern, whatever its share.
const LEAST_FOR_SHARE: u32 = 2;

/// What one round's Engineers did with the CRITICAL and HIGH issues that were due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Disagreed {
    pub due: u32,
    pub disagreed: u32,
}

/// A limit that is passed, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passed {
    /// Too many in one round: it goes no further without a justification or a revision.
    Blocked { count: u32, limit: u32 },
    /// A pattern over the last rounds.
    Systematic { disagreed: u32, due: u32 },
    /// More than a share of one round's due issues.
    Warned { disagreed: u32, due: u32 },
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u32, whole: u32| match whole {
            0 => 0,
            whole => part.saturating_mul(100) / whole,
        };
        match self {
            Passed::Blocked { count, limit } => write!(
                f,
                "the Engineer disagrees with {count} issues in this round, and {limit} are the limit"
            ),
            Passed::Systematic { disagreed, due } => write!(
                f,
                "over the last {PATTERN_ROUNDS} rounds the Engineer disagreed with {disagreed} of {due} CRITICAL and HIGH issues \
                 ({}%)",
                percent(*disagreed, *due)
            ),
            Passed::Warned { disagreed, due } => write!(
                f,
                "the Engineer disagrees with {disagreed} of {due} CRITICAL and HIGH issues in this round ({}%)",
                percent(*disagreed, *due)
            ),
        }
    }
}

/// The limits that a round passes, strongest first. `all` counts DISAGREEs of any severity; `earlier` are the rounds before,
/// oldest first.
pub fn passed(
    config: &Config,
    all: u32,
    this_round: Disagreed,
    earlier: &[Disagreed],
) -> Vec<Passed> {
    let above = |of: Disagreed, share: u32| {
        u64::from(of.disagreed) * 100 > u64::from(of.due) * u64::from(share)
    };
    let mut passed = Vec::new();
    if all > config.disagree_round_limit {
        passed.push(Passed::Blocked {
            count: all,
            limit: config.disagree_round_limit,
        });
    }
    let recent = &earlier[earlier.len().saturating_sub(PATTERN_ROUNDS - 1)..];
    if recent.len() == PATTERN_ROUNDS - 1 {
        let sum = recent.iter().fold(this_round, |sum, round| Disagreed {
            due: sum.due + round.due,
            disagreed: sum.disagreed + round.disagreed,
        });
        let is_pattern = sum.disagreed >= LEAST_FOR_SHARE && this_round.disagreed > 0;
        if is_pattern && above(sum, config.disagree_session_share) {
            passed.push(Passed::Systematic {
                disagreed: sum.disagreed,
                due: sum.due,
            });
        }
    }
    if this_round.disagreed >= LEAST_FOR_SHARE && above(this_round, config.disagree_round_share) {
        passed.push(Passed::Warned {
            disagreed: this_round.disagreed,
            due: this_round.due,
        });
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_and_its_edge() {
        let of = |disagreed, due| Disagreed { due, disagreed };
        let names = |all, this: Disagreed, earlier: &[Disagreed]| -> Vec<&str> {
            let passed = passed(&Config::default(), all, this, earlier);
            let name = |passed: &Passed| match passed {
                Passed::Blocked { .. } => "blocked",
                Passed::Systematic { .. } => "systematic",
                Passed::Warned { .. } => "warned",
            };
            passed.iter().map(name).collect()
        };
        assert_eq!(names(5, of(0, 0), &[]), [""; 0], "five are allowed");
        assert_eq!(names(6, of(0, 0), &[]), ["blocked"]);
        assert_eq!(names(1, of(1, 1), &[]), [""; 0], "one alone is no share");
        assert_eq!(
            names(2, of(2, 4), &[]),
            [""; 0],
            "half is not more than half"
        );
        assert_eq!(names(2, of(2, 3), &[]), ["warned"]);
        assert_eq!(
            names(1, of(1, 2), &[of(1, 2), of(0, 1)]),
            [""; 0],
            "40% are allowed"
        );
        assert_eq!(names(1, of(1, 2), &[of(1, 2), of(1, 2)]), ["systematic"]);
        assert_eq!(
            names(1, of(1, 1), &[of(1, 1)]),
            [""; 0],
            "two rounds are no pattern"
        );
        assert_eq!(
            names(1, of(1, 1), &[of(0, 0), of(0, 0)]),
            [""; 0],
            "nor is one in three rounds"
        );
        assert_eq!(
            names(0, of(0, 1), &[of(1, 1), of(1, 1)]),
            [""; 0],
            "nothing new"
        );
        assert_eq!(
            names(1, of(1, 1), &[of(0, 0), of(0, 0)]),
            [""; 0],
            "one disagreement is no pattern"
        );
        assert_eq!(
            names(6, of(4, 4), &[of(2, 2), of(2, 2)]),
            ["blocked", "systematic", "warned"]
        );
    }
}
