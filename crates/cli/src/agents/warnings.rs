//! Warnings about the agents of a session, given before it runs.

use gapless_agents::Reports;
use gapless_domain::Role;
use gapless_runner::AgentSource;
use gapless_session::State;

/// Warns of budgets that can't be enforced, since no agent of the session reports what they count.
pub(crate) fn unenforced_budgets(state: &State, agents: &mut dyn AgentSource) -> Option<String> {
    let setup = &state.kept.setup;
    let (tokens, cost) = (setup.config.budget_tokens, setup.config.budget_cost);
    if state.kept.ended.is_some() || (tokens.is_none() && cost.is_none()) {
        return None;
    }
    let mut reported = Reports::default();
    for name in setup.agents.values() {
        // One that can't be opened is another matter, and asked about.
        let reports = agents.agent(name).ok()?.reports();
        reported.tokens |= reports.tokens;
        reported.cost |= reports.cost;
    }
    let idle = (
        tokens.is_some() && !reported.tokens,
        cost.is_some() && !reported.cost,
    );
    let what = match idle {
        (true, true) => "tokens and cost",
        (true, false) => "tokens",
        (false, true) => "cost",
        (false, false) => return None,
    };
    Some(format!(
        "! no agent of this session reports {what}, so that budget holds nothing; `--budget time=…` does"
    ))
}

/// Warns when one model is both Engineer and Reviewer.
pub(crate) fn same_model(state: &State, agents: &mut dyn AgentSource) -> Option<String> {
    let own = &state.kept.setup.agents;
    let (engineer, reviewer) = (own.get(&Role::Engineer)?, own.get(&Role::Reviewer)?);
    if state.kept.ended.is_some() || engineer != reviewer {
        return None;
    }
    // A person, a script and a recording tell nothing of tokens: they are no model.
    let is_model = agents.agent(engineer).ok()?.reports().tokens;
    is_model.then(|| {
        format!(
            "! `{engineer}` is both Engineer and Reviewer: another model finds more in a proposal than the one that wrote it"
        )
    })
}
