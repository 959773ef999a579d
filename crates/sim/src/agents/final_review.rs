//! Owns what a simulated final review says.

use super::{Seen, Temper};
use crate::rng::Rng;
use crate::words;

pub fn write(rng: &mut Rng, temper: Temper, seen: &Seen) -> String {
    let trouble = rng.percent(temper.trouble);
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
        let gap = match rng.below(4) {
            0 => String::new(),
            1 => "GAP-NOWHERE-001 ".to_owned(),
            _ => rng
                .pick(seen.known)
                .map(|gap| format!("{gap} "))
                .unwrap_or_default(),
        };
        text += &format!(
            "- **ISSUE-R1-90{number}**: {gap}{}\n",
            words::line(rng, 3, 7)
        );
    }
    if blockers == 0 {
        text += "- None\n";
    }
    text
}
