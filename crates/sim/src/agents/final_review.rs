//! The documents of a simulated final review.

use super::behaviour::{Behaviour, Seen};
use super::reviewer::named;
use crate::{Rng, words};

pub fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    let trouble = rng.percent(behaviour.trouble);
    let verdict = match trouble && rng.percent(85) {
        true => "NOT_READY",
        false => "READY_FOR_TERMINATION",
    };
    let blockers = if trouble { rng.between(0, 2) } else { 0 };
    let line = |number| format!("- **ISSUE-R1-90{number}**: {}\n", blocker(rng, seen));
    form(verdict, &(0..blockers).map(line).collect::<String>())
}

/// A final review with these blockers, a line for each.
pub fn form(verdict: &str, blockers: &str) -> String {
    let none = if blockers.is_empty() { "- None\n" } else { "" };
    format!(
        "## Final Review\n\n**Verdict:** {verdict}\n\n### Completeness\n- [x] all\n\n### Consistency\n- [x] all\n\n\
         ### Readiness\n- [x] all\n\n### Blocking Issues\n\n{blockers}{none}"
    )
}

/// What blocks: anything, or what the user had settled.
fn blocker(rng: &mut Rng, seen: &Seen) -> String {
    let gap = match rng.below(9) {
        0 => String::new(),
        1 => "GAP-NOWHERE-001 ".to_owned(),
        2..=4 => named(rng, &seen.remembered.put_aside),
        5 | 6 => match rng.pick(&seen.remembered.settled) {
            Some((_, summary)) => return summary.clone(),
            None => String::new(),
        },
        _ => named(rng, &seen.remembered.known),
    };
    format!("{gap}{}", words::line(rng, 3, 7))
}
