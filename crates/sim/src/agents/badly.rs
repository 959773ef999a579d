//! Owns what simulated agents write that can't be used: nothing, the wrong thing, or the right thing in the wrong place.

use gapless_core::task::Role;

use super::{Seen, Temper, engineer, final_review, prompt, reviewer};
use crate::rng::Rng;
use crate::words;

/// `None` is a document that isn't there.
pub fn write(rng: &mut Rng, seen: &Seen) -> Option<String> {
    let good = || Temper {
        trouble: 10,
        ..Temper::GOOD
    };
    Some(match rng.below(12) {
        0 => return None,
        1 => String::new(),
        2 => "  \n\t\n".to_owned(),
        3 => words::line(rng, 5, 50),
        4 => format!("```markdown\n{}\n```\n", super::write(rng, good(), seen)),
        5 => format!("<!--\n{}\n-->\n", super::write(rng, good(), seen).replace("-->", "")),
        6 => unknown_gap(rng, seen.task.id.slot.role),
        7 => unassigned_gap(rng, seen),
        8 => disagreement(rng, seen),
        9 => other_role(rng, seen),
        10 => "\u{0}\u{fffd}\u{1b}[2J## \u{202e}Gap Resolution: GAP\u{ad}-FLOW-001\r\r\n**\u{0}**\n- \n".repeat(3),
        _ => {
            let text = super::write(rng, good(), seen);
            let mut cut = rng.below(text.len() + 1);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            text[..cut].to_owned()
        }
    })
}

fn unknown_gap(rng: &mut Rng, role: Role) -> String {
    match role {
        Role::Reviewer => "## Review: GAP-NOWHERE-007\n\n**NO_ISSUES_FOUND**\n".to_owned(),
        Role::Analyst => "## Gap: GAP-FLOW-001\n\n**Severity:** HIGH\n".to_owned(),
        Role::FinalReviewer => "## Final Review\n\n**Verdict:** MAYBE\n".to_owned(),
        Role::Engineer => engineer::section(rng, Temper::GOOD, "GAP-NOWHERE-007"),
    }
}

/// Sections only on gaps that are not the task's.
fn unassigned_gap(rng: &mut Rng, seen: &Seen) -> String {
    let others: Vec<String> = seen
        .known
        .iter()
        .filter(|gap| !seen.task.gaps.contains(gap))
        .map(ToString::to_string)
        .collect();
    let gap = rng.pick(&others).cloned().unwrap_or_default();
    match seen.task.id.slot.role {
        Role::Reviewer => format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n"),
        _ => engineer::section(rng, Temper::GOOD, &gap),
    }
}

/// A DISAGREE with a part missing, or on an issue that isn't there or is settled.
fn disagreement(rng: &mut Rng, seen: &Seen) -> String {
    let shown = prompt::mentioned(seen.prompt);
    let guessed = format!(
        "ISSUE-R{}-{:03}",
        rng.between(1, seen.task.id.round.max(1)),
        rng.between(1, 6)
    );
    let issue = match rng.percent(75) {
        true => rng.pick(&shown).cloned().unwrap_or(guessed),
        false => guessed,
    };
    let mut text = engineer::write(rng, Temper::GOOD, seen);
    text +=
        &format!("## DISAGREE: {issue}\n\n**Reviewer Concern:** it\n**Engineer Position:** no\n");
    if rng.percent(50) {
        text += "**Rationale:** because\n";
    }
    text
}

fn other_role(rng: &mut Rng, seen: &Seen) -> String {
    match seen.task.id.slot.role {
        Role::Engineer => reviewer::write(rng, Temper::GOOD, seen),
        Role::Reviewer | Role::Analyst => engineer::write(rng, Temper::GOOD, seen),
        Role::FinalReviewer => match rng.percent(50) {
            true => "**NO_GAPS_FOUND**\n".to_owned(),
            false => final_review::write(rng, Temper::GOOD, seen)
                .replace("## Final Review", "# Final Review"),
        },
    }
}
