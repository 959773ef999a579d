//! How often agents misbehave, and what they see of their task.

use gapless_domain::{Gap, GapId, GapState, Issue, IssueState, Task};
use gapless_session::Now;

use crate::Rng;

/// How often, in percent, the agents of a session misbehave in each way.
#[derive(Debug, Clone, Copy, Default)]
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
    pub fn good() -> Self {
        Self::default()
    }

    /// Agents that do one thing all the time: quarrel, ignore every issue, raise ever more gaps, or repeat nonsense.
    pub fn of_one_kind(rng: &mut Rng) -> Self {
        let mut kind = Self {
            trouble: 35,
            ..Self::good()
        };
        match rng.below(4) {
            0 => kind.quarrel = 90,
            1 => (kind.quarrel, kind.deaf) = (80, 90),
            2 => kind.spawning = 60,
            _ => kind.stuck = 85,
        }
        kind
    }

    pub fn drawn(rng: &mut Rng) -> Self {
        let mut share = |choices| rng.one_of::<u32, 4>(&choices);
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
    pub remembered: &'a Remembered,
}

/// What agents know of a session beside their prompts, as if they remembered it from elsewhere.
pub struct Remembered {
    /// Gaps that exist.
    pub known: Vec<GapId>,
    /// Gaps that the user closed, deferred or is waited for on.
    pub put_aside: Vec<GapId>,
    /// Issues that the user settled, with what they say.
    pub settled: Vec<(String, String)>,
    /// Open issues.
    pub standing: Vec<String>,
}

impl Remembered {
    pub fn of(now: &Now) -> Self {
        let is_aside = |gap: &&Gap| gap.state.is_parked() || gap.state == GapState::WontFix;
        let is_settled =
            |issue: &&Issue| matches!(issue.state, IssueState::Decided | IssueState::Waived);
        let aside = now.gaps.values().filter(is_aside);
        let settled = now.issues.values().filter(is_settled);
        let standing = now.issues.values().filter(|issue| issue.state.stands());
        Self {
            known: now.gaps.keys().cloned().collect(),
            put_aside: aside.map(|gap| gap.id.clone()).collect(),
            settled: settled
                .map(|issue| (issue.id.to_string(), issue.concern.summary.clone()))
                .collect(),
            standing: standing.map(|issue| issue.id.to_string()).collect(),
        }
    }
}
