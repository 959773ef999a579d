//! Draws the setting of a simulated session: its configuration, its agents, and how often things go wrong.

use std::collections::BTreeMap;

use gapless_domain::{Config, Delivery, Money, Role, RollbackMode, Span, Strictness};
use gapless_mediator::RunSettings;

use crate::{Behaviour, Rng};

/// What a session is set up with.
pub struct Setting {
    pub met: RunSettings,
    pub behaviour: Behaviour,
    /// In how many percent of the steps a user does something unprompted.
    pub unprompted_percent: u32,
    /// In how many percent of the steps the process is killed.
    pub kill_percent: u32,
    /// How many percent of the commits take long.
    pub slow_commit_percent: u32,
    /// In how many percent of the steps another process opens the session.
    pub other_process_percent: u32,
    /// The session has its folder, with real files.
    pub on_disk: bool,
    /// After so many steps everybody works towards an end.
    pub patience: u32,
}

/// Some users set budgets, now and then one that is used up in the first round or from the start.
pub fn draw_budgets(config: &mut Config, rng: &mut Rng, chance: u32) {
    let budget = |most| {
        let least = u32::from(!rng.percent(5));
        rng.percent(chance)
            .then(|| u64::from(if least == 0 { 0 } else { rng.between(1, most) }))
    };
    let drawn = [60_000, 500_000, 900].map(budget);
    set_budgets(config, drawn);
}

/// The budgets of a configuration: tokens, cost and time.
pub fn budgets(config: &Config) -> [Option<u64>; 3] {
    let (cost, time) = (config.budget_cost, config.budget_time);
    [
        config.budget_tokens,
        cost.map(|cost| cost.0),
        time.map(|time| time.0),
    ]
}

pub fn set_budgets(config: &mut Config, [tokens, cost, time]: [Option<u64>; 3]) {
    config.budget_tokens = tokens;
    config.budget_cost = cost.map(Money);
    config.budget_time = time.map(Span);
}

/// How long examples in prompts may be: mostly as usual, else little or nothing.
fn example_tokens(rng: &mut Rng, usual: u32) -> u32 {
    match rng.below(10) {
        0 => 0,
        1 => rng.between(1, 60),
        2 => rng.between(60, 600),
        _ => usual,
    }
}

/// A budget of tokens: small, so many times in a hundred, else as usual.
fn tokens(rng: &mut Rng, chance: u32, most: u32, usual: u32) -> u32 {
    match rng.percent(chance) {
        true => rng.between(100, most),
        false => usual,
    }
}

pub fn drawn_rollback_mode(rng: &mut Rng) -> RollbackMode {
    match rng.below(4) {
        0 => RollbackMode::AutoRetry,
        1 => RollbackMode::Strict,
        _ => RollbackMode::Interactive,
    }
}

/// Where a user wants the refined spec.
pub fn drawn_delivery(rng: &mut Rng) -> Delivery {
    match rng.percent(50) {
        true => Delivery::InPlace {},
        false => match rng.between(1, 3) {
            3 => Delivery::Beside {},
            number => Delivery::File {
                path: format!("refined-{number}.md"),
            },
        },
    }
}

fn drawn_config(rng: &mut Rng, hard_limit: u32) -> Config {
    let mut maybe = |least, most| rng.percent(40).then(|| rng.between(least, most));
    let (stall_threshold, divergence_threshold, max_rounds) =
        (maybe(1, 3), maybe(1, 12), maybe(1, 8));
    let mut config = Config {
        gaps_per_round: rng.between(1, 5),
        parallel_engineers: rng.between(1, 4),
        validation: match rng.percent(10) {
            true => Strictness::Strict,
            false => Strictness::Tolerant,
        },
        max_retries: rng.between(0, 3),
        stall_threshold,
        divergence_threshold,
        critical_override: rng.percent(75),
        max_rounds,
        hard_limit,
        auto_extend: rng.percent(20),
        rollback_mode: drawn_rollback_mode(rng),
        max_rollbacks_session: rng.between(0, 4),
        rollback_analysis_threshold: rng.between(1, 3),
        backup_retention_rounds: rng.between(1, 4),
        retry_example_tokens: example_tokens(rng, 2000),
        initial_example_tokens: example_tokens(rng, 1000),
        decision_tokens: tokens(rng, 30, 400, 1500),
        spec_tokens: Some(tokens(rng, 20, 600, 6000)),
        ..Config::default()
    };
    draw_budgets(&mut config, rng, 12);
    config
}

/// An Engineer, a Reviewer and, so many times in a hundred, an Analyst.
pub fn drawn_agents(rng: &mut Rng, analyst_percent: u32) -> BTreeMap<Role, String> {
    let mut agents = BTreeMap::from([
        (Role::Engineer, "replay:one".to_owned()),
        (Role::Reviewer, "replay:two".to_owned()),
    ]);
    if rng.percent(analyst_percent) {
        agents.insert(Role::Analyst, "replay:one".to_owned());
    }
    agents
}

/// Follows from the hard limit too.
fn fallback_agents(hard_limit: u32) -> Vec<String> {
    match hard_limit % 4 {
        0 => vec!["replay:three".to_owned(), "replay:one".to_owned()],
        1 => vec!["replay:three".to_owned()],
        _ => Vec::new(),
    }
}

impl Setting {
    pub fn drawn(rng: &mut Rng) -> Self {
        let hard_limit = rng.between(2, 14);
        let config = drawn_config(rng, hard_limit);
        let mut agents = drawn_agents(rng, 35);
        // Which sessions have an Editor follows from the hard limit, so that no other choice shifts.
        if hard_limit.is_multiple_of(2) {
            agents.insert(Role::Editor, "replay:two".to_owned());
        }
        let behaviour = Behaviour::drawn(rng);
        let steady = matches!(rng.below(10), 8 | 9);
        let wild = |rng: &mut Rng, choices: &[u32; 4]| match steady {
            true => 0,
            false => rng.one_of(choices),
        };
        Self {
            met: RunSettings {
                config,
                agents,
                fallback: fallback_agents(hard_limit),
                delivery: rng.percent(25).then(|| drawn_delivery(rng)),
                ..RunSettings::default()
            },
            // Some sessions are left alone with one kind of agent, because the effects show late.
            behaviour: match steady {
                true => Behaviour::of_one_kind(rng),
                false => behaviour,
            },
            unprompted_percent: wild(rng, &[0, 4, 12, 30]),
            kill_percent: wild(rng, &[0, 1, 3, 8]),
            slow_commit_percent: rng.one_of(&[0, 0, 2, 10]),
            other_process_percent: rng.one_of(&[0, 0, 1, 4]),
            on_disk: rng.percent(15),
            patience: rng.between(60, 400),
        }
    }
}
