//! Owns how an agent is minded, and what it sees of its task.

use gapless_domain::ids::GapId;
use gapless_domain::task::Task;

use crate::rng::Rng;

/// How the agents of a session are.
#[derive(Debug, Clone, Copy)]
pub struct Temper {
    /// How often, in percent, an agent writes something that can't be used.
    pub bad: u32,
    /// How often it can't run at all.
    pub broken: u32,
    /// How often a good document makes trouble: issues, new gaps, disagreement, markers.
    pub trouble: u32,
    /// How often the Engineer stands by what is criticised, and the Reviewer by the criticism.
    pub quarrel: u32,
    /// How often a review that finds nothing says nothing of what it examined.
    pub silent: u32,
    /// How often a proposal brings up more than it settles.
    pub spawning: u32,
    /// How often the Engineer passes over what it is to answer: it writes what it wrote before, or turns against the Reviewer.
    pub deaf: u32,
    /// How often it writes the same nonsense as ever.
    pub stuck: u32,
}

impl Temper {
    /// Agents that do what is asked of them.
    pub const GOOD: Self = Self {
        bad: 0,
        broken: 0,
        trouble: 0,
        quarrel: 0,
        silent: 0,
        spawning: 0,
        deaf: 0,
        stuck: 0,
    };

    /// Agents that do one thing all the time: they quarrel, pass over everything, or bring up ever more.
    pub fn of_one_kind(rng: &mut Rng) -> Self {
        let calm = Self {
            trouble: 35,
            ..Self::GOOD
        };
        match rng.below(4) {
            0 => Self {
                quarrel: 90,
                ..calm
            },
            1 => Self {
                quarrel: 80,
                deaf: 90,
                ..calm
            },
            2 => Self {
                spawning: 60,
                ..calm
            },
            _ => Self { stuck: 85, ..calm },
        }
    }

    pub fn drawn(rng: &mut Rng) -> Self {
        let mut share = |choices: [u32; 4]| choices[rng.below(4)];
        Self {
            bad: share([0, 8, 20, 45]),
            broken: share([0, 3, 10, 25]),
            trouble: share([5, 20, 35, 60]),
            quarrel: share([0, 0, 40, 80]),
            silent: share([0, 0, 10, 60]),
            spawning: share([0, 0, 0, 30]),
            deaf: share([0, 0, 30, 90]),
            stuck: 0,
        }
    }
}

/// What an agent sees of the world.
pub struct Seen<'a> {
    pub task: &'a Task,
    pub prompt: &'a str,
    /// Gaps that exist, as if the agent remembered them from elsewhere.
    pub known: &'a [GapId],
    /// Gaps that the user closed, deferred or is waited for on.
    pub put_aside: &'a [GapId],
    /// Issues that the user settled, with what they say.
    pub settled: &'a [(String, String)],
    /// Issues that stand.
    pub standing: &'a [String],
}
