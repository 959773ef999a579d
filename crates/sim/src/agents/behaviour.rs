//! How often agents misbehave, and what they see of their task.

use gapless_domain::{GapId, Task};

use crate::Rng;

/// How often, in percent, the agents of a session misbehave in each way.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// An agent writes something that can't be used.
    pub bad: u32,
    /// It can't run at all.
    pub broken: u32,
    /// A good document makes trouble: issues, new gaps, disagreement, markers.
    pub trouble: u32,
    /// The Engineer insists on its proposal, and the Reviewer on its criticism.
    pub quarrel: u32,
    /// A review that finds nothing doesn't say what it examined.
    pub silent: u32,
    /// A proposal raises more than it settles.
    pub spawning: u32,
    /// The Engineer ignores what it should answer: it repeats itself or attacks the Reviewer.
    pub deaf: u32,
    /// It writes the same nonsense every time.
    pub stuck: u32,
}

impl Behaviour {
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

    /// Agents that do one thing all the time: quarrel, ignore every issue, raise ever more gaps, or repeat nonsense.
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

/// What an agent sees: its task, its prompt, and a few ids of the session.
pub struct Seen<'a> {
    pub task: &'a Task,
    pub prompt: &'a str,
    /// Gaps that exist, as if the agent remembered them from elsewhere.
    pub known: &'a [GapId],
    /// Gaps that the user closed, deferred or is waited for on.
    pub put_aside: &'a [GapId],
    /// Issues that the user settled, with what they say.
    pub settled: &'a [(String, String)],
    /// Open issues.
    pub standing: &'a [String],
}
