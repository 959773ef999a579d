//! How much of its budgets a session has used.

use crate::State;
use gapless_domain::{Money, Span, Spent, Usage};

/// What all roles used together.
pub fn total_usage(state: &State) -> Usage {
    let mut total = Usage::default();
    for usage in state.kept.usage.values() {
        total.add(usage);
    }
    total
}

/// The first budget that is used up, if there is one: no agent is started while it is.
pub fn spent(state: &State) -> Option<Spent> {
    let config = &state.kept.setup.config;
    let usage = total_usage(state);
    let tokens = || {
        let allowed = config.budget_tokens?;
        let used = usage.tokens();
        (used >= allowed).then_some(Spent::Tokens { used, allowed })
    };
    let cost = || {
        let allowed = config.budget_cost?;
        let used = Money(usage.cost_micros.unwrap_or(0));
        (used >= allowed).then_some(Spent::Cost { used, allowed })
    };
    let time = || {
        let allowed = config.budget_time?;
        let used = Span(state.kept.active.millis / 1000);
        (used >= allowed).then_some(Spent::Time { used, allowed })
    };
    tokens().or_else(cost).or_else(time)
}
