//! Time, tokens and cost, in lines.

use gapless_domain::{Usage, human_millis};
use gapless_session::figures::Timing;

use crate::output::wording::list;

/// Says where the time went and what it cost, as far as agents report it.
pub(crate) fn time_and_cost(time: Timing, usage: &Usage) -> Vec<String> {
    let mut lines = vec![format!(
        "Time: {} in all, agents at work {}, waiting {}",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    )];
    let used = [
        usage
            .tokens_in()
            .map(|tokens| format!("{tokens} tokens in")),
        usage
            .tokens_out()
            .map(|tokens| format!("{tokens} tokens out")),
        usage.cost().map(|cost| format!("cost {cost}")),
    ];
    let used = list(used.into_iter().flatten());
    if !used.is_empty() {
        lines.push(format!("Used: {used}"));
    }
    lines
}
