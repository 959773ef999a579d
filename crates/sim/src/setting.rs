//! Owns the setting of a simulated session: configuration, agents, and how everybody is.

use std::collections::BTreeMap;

use gapless_core::budget::Span;
use gapless_core::config::Config;
use gapless_core::mediator::Met;
use gapless_core::task::Role;

use crate::agents::Temper;
use crate::rng::Rng;

/// What a session is set up with.
pub struct Setting {
    pub met: Met,
    pub temper: Temper,
    /// How often, in percent of the steps, a user does something unasked.
    pub meddling: u32,
    /// How often, in percent of the steps, the process is killed.
    pub killing: u32,
    /// After so many steps everybody works towards an end.
    pub patience: u32,
}

/// Some users set a budget, now and then one that is used up in the first round.
fn with_budgets(config: Config, rng: &mut Rng) -> Config {
    let tokens = rng.percent(12).then(|| rng.between(1, 60_000));
    let seconds = rng.percent(12).then(|| rng.between(1, 900));
    Config {
        budget_tokens: tokens.map(u64::from),
        budget_time: seconds.map(|seconds| Span(seconds.into())),
        ..config
    }
}

impl Setting {
    pub fn drawn(rng: &mut Rng) -> Self {
        let hard_limit = rng.between(2, 14);
        let mut maybe = |least, most| rng.percent(40).then(|| rng.between(least, most));
        let (stall_threshold, divergence_threshold, max_rounds) =
            (maybe(1, 3), maybe(1, 12), maybe(1, 8));
        let config = Config {
            gaps_per_round: rng.between(1, 5),
            parallel_engineers: rng.between(1, 3),
            max_retries: rng.between(0, 3),
            stall_threshold,
            divergence_threshold,
            critical_override: rng.percent(75),
            max_rounds,
            hard_limit,
            auto_extend: rng.percent(20),
            max_rollbacks_session: rng.between(0, 4),
            backup_retention_rounds: rng.between(1, 4),
            ..Config::default()
        };
        let config = with_budgets(config, &mut rng.clone());
        let mut agents = BTreeMap::from([
            (Role::Engineer, "replay:one".to_owned()),
            (Role::Reviewer, "replay:two".to_owned()),
        ]);
        if rng.percent(35) {
            agents.insert(Role::Analyst, "replay:one".to_owned());
        }
        Self {
            met: Met {
                config,
                agents,
                ..Met::default()
            },
            temper: Temper::drawn(rng),
            meddling: [0, 4, 12, 30][rng.below(4)],
            killing: [0, 1, 3, 8][rng.below(4)],
            patience: rng.between(60, 400),
        }
    }
}
