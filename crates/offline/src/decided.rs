//! The user's own words as text of a specification: what they decided on a gap.

use gapless_domain::{AssignedDecision, Assignment, DecisionKind, GapId};

/// The decisions that say what holds for a gap, in their order.
pub(crate) fn on<'a>(assignment: &'a Assignment, gap: &GapId) -> Vec<&'a AssignedDecision> {
    let binds = |decision: &&AssignedDecision| {
        let says_what_holds = decision.to_carry_out || decision.kind == DecisionKind::Input;
        says_what_holds
            && decision.gaps.contains(gap)
            && decision.decision.contains(char::is_alphanumeric)
    };
    assignment.decisions.iter().filter(binds).collect()
}

/// What they say, one paragraph after the other.
pub(crate) fn text(decisions: &[&AssignedDecision]) -> String {
    let mut paragraphs: Vec<&str> = Vec::new();
    for decision in decisions {
        for said in [decision.decision.trim(), decision.constraints.trim()] {
            if !said.is_empty() && !paragraphs.contains(&said) {
                paragraphs.push(said);
            }
        }
    }
    paragraphs.join("\n\n")
}
