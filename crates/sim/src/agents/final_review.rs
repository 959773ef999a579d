//! The documents of a simulated final review.

use gapless_domain::GapId;

use super::behaviour::{Behaviour, Seen};
use crate::{Rng, words};

pub fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    let trouble = rng.percent(behaviour.trouble);
    let verdict = match trouble && rng.percent(85) {
        true => "NOT_READY",
        false => "READY_FOR_TERMINATION",
    };
    let mut text = format!(
        "## Final Review\n\n**Verdict:** {verdict}\n\n### Completeness\n- [x] all\n\n### Consistency\n- [x] all\n\n\
         ### Readiness\n- [x] all\n\n### Blocking Issues\n\n"
    );
    let blockers = if trouble { rng.between(0, 2) } else { 0 };
    for number in 0..blockers {
        text += &format!("- **ISSUE-R1-90{number}**: {}\n", blocker(rng, seen));
    }
    if blockers == 0 {
        text += "- None\n";
    }
    text
}

/// What blocks: anything, or what the user had settled.
fn blocker(rng: &mut Rng, seen: &Seen) -> String {
    let named = |gaps: &[GapId], rng: &mut Rng| {
        rng.pick(gaps)
            .map(|gap| format!("{gap} "))
            .unwrap_or_default()
    };
    let gap = match rng.below(9) {
        0 => String::new(),
        1 => "GAP-NOWHERE-001 ".to_owned(),
        2..=4 => named(seen.put_aside, rng),
        5 | 6 => match rng.pick(seen.settled) {
            Some((_, summary)) => return summary.clone(),
            None => String::new(),
        },
        _ => named(seen.known, rng),
    };
    format!("{gap}{}", words::line(rng, 3, 7))
}
