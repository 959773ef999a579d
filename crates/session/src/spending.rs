//! How much of its budgets a session has used.

use crate::State;
use crate::state::Chapter;
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
    // Each chapter has the budgets anew.
    let before = state.kept.chapters.back();
    let before = |of: fn(&Chapter) -> u64| before.map_or(0, of);
    let tokens = || {
        let allowed = config.budget_tokens?;
        let used = usage.tokens();
        let used = used.saturating_sub(before(|chapter| chapter.usage.tokens()));
        (used >= allowed).then_some(Spent::Tokens { used, allowed })
    };
    let cost = || {
        let allowed = config.budget_cost?;
        let used = usage.cost_micros.unwrap_or(0);
        let used = used.saturating_sub(before(|chapter| chapter.usage.cost_micros.unwrap_or(0)));
        let used = Money(used);
        (used >= allowed).then_some(Spent::Cost { used, allowed })
    };
    let time = || {
        let allowed = config.budget_time?;
        let used = state.kept.active.millis;
        let used = used.saturating_sub(before(|chapter| chapter.active_millis));
        let used = Span(used / 1000);
        (used >= allowed).then_some(Spent::Time { used, allowed })
    };
    tokens().or_else(cost).or_else(time)
}
