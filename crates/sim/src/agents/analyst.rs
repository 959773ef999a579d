//! The documents of a simulated Analyst.

use super::behaviour::Behaviour;
use crate::{Rng, words};

pub fn write(rng: &mut Rng, behaviour: Behaviour) -> String {
    if behaviour.trouble == 0 || rng.percent(20) {
        return "Read in full.\n\n**NO_GAPS_FOUND**\n".to_owned();
    }
    let mut text = String::new();
    for _ in 0..rng.between(1, 5) {
        let category = words::category(rng);
        let blocked_by = match rng.percent(25) {
            true => format!("GAP-{category}-{:03}", rng.between(1, 40)),
            false => "None".to_owned(),
        };
        text += &format!(
            "## Gap: GAP-{category}-{:03}\n\n**Severity:** {}\n**Section:** Delivery\n**Blocked by:** {blocked_by}\n\n{}\n\n",
            rng.between(1, 40),
            words::severity(rng),
            words::line(rng, 4, 10),
        );
    }
    text
}
