//! Time, tokens and cost, in lines.

use gapless_core::figures::Timing;
use gapless_core::task::Usage;
use gapless_core::time::human_millis;

/// Says where the time went and what it cost, as far as agents report it.
pub fn time_and_cost(time: Timing, usage: &Usage) -> Vec<String> {
    let mut lines = vec![format!(
        "Time: {} in all, agents at work {}, waiting {}",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    )];
    let mut used = Vec::new();
    if let Some(tokens) = usage.tokens_in() {
        used.push(format!("{tokens} tokens in"));
    }
    if let Some(tokens) = usage.tokens_out() {
        used.push(format!("{tokens} tokens out"));
    }
    if let Some(cost) = usage.cost() {
        used.push(format!("cost {cost}"));
    }
    if !used.is_empty() {
        lines.push(format!("Used: {}", used.join(", ")));
    }
    lines
}
