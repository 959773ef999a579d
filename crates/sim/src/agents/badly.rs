//! Documents of simulated agents that can't be used: nothing, the wrong thing, or the right thing beside a wrong one.

use gapless_domain::{GapId, Role};

use super::behaviour::{Behaviour, Seen};
use super::writing::write as write_well;
use super::{editor, engineer, final_review, reviewer};
use crate::{Rng, words};

/// The id of a gap that doesn't exist.
const NOWHERE: &str = "GAP-NOWHERE-007";

/// `None` is a document that isn't there.
pub fn write(rng: &mut Rng, seen: &Seen) -> Option<String> {
    if rng.percent(60) {
        return Some(match seen.task.id.slot.role {
            Role::Engineer => as_engineer(rng, seen),
            Role::Reviewer => as_reviewer(rng, seen),
            Role::Analyst => "## Gap: GAP-FLOW-001\n\n**Severity:** HIGH\n".to_owned(),
            Role::Editor => as_editor(rng, seen),
            Role::FinalReviewer => as_final_reviewer(rng, seen),
        });
    }
    let good = || Behaviour {
        trouble: 10,
        ..Behaviour::good()
    };
    Some(match rng.below(8) {
        0 => return None,
        1 => String::new(),
        2 => "  \n\t\n".to_owned(),
        3 => words::line(rng, 5, 50),
        4 => format!("```markdown\n{}\n```\n", write_well(rng, good(), seen)),
        5 => format!("<!--\n{}\n-->\n", write_well(rng, good(), seen).replace("-->", "")),
        6 => "\u{0}\u{fffd}\u{1b}[2J## \u{202e}Gap Resolution: GAP\u{ad}-FLOW-001\r\r\n**\u{0}**\n- \n".repeat(3),
        _ => {
            let text = write_well(rng, good(), seen);
            let cut = rng.below(text.len() + 1);
            text[..text.floor_char_boundary(cut)].to_owned()
        }
    })
}

fn as_engineer(rng: &mut Rng, seen: &Seen) -> String {
    let beside =
        |rng: &mut Rng, wrong: String| engineer::write(rng, Behaviour::good(), seen) + &wrong;
    if rng.percent(35)
        && let Some((issue, summary)) = rng.pick(&seen.remembered.settled).cloned()
    {
        let wrong = engineer::disagreement(rng, &issue, &summary);
        return beside(rng, wrong);
    }
    match rng.below(8) {
        0 => engineer::section(rng, Behaviour::good(), seen, NOWHERE),
        // Good sections and a wrong one: the best attempt that can be taken.
        1 => {
            let wrong = engineer::section(rng, Behaviour::good(), seen, NOWHERE);
            beside(rng, wrong)
        }
        2 => {
            let other = another_gap(rng, seen);
            engineer::section(rng, Behaviour::good(), seen, &other)
        }
        3 => uncertainty(rng),
        4 | 5 if !seen.remembered.standing.is_empty() => {
            let wrong = malformed_disagreement(rng, seen);
            beside(rng, wrong)
        }
        4..=6 => {
            let guessed = format!("ISSUE-R{}-9{:02}", seen.task.id.round, rng.between(0, 99));
            let wrong = engineer::disagreement(rng, &guessed, "it");
            beside(rng, wrong)
        }
        _ => reviewer::write(rng, Behaviour::good(), seen),
    }
}

fn as_reviewer(rng: &mut Rng, seen: &Seen) -> String {
    let nothing = |gap: &str| format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\n");
    match rng.below(6) {
        0 => nothing(NOWHERE),
        1 | 2 => reviewer::write(rng, Behaviour::good(), seen) + &nothing(NOWHERE),
        3 => nothing(&another_gap(rng, seen)),
        4 => {
            let gap = rng.pick(&seen.task.gaps).map(ToString::to_string);
            format!("## Review: {}\n\nIt was read.\n\n", gap.unwrap_or_default())
        }
        _ => engineer::write(rng, Behaviour::good(), seen),
    }
}

fn as_editor(rng: &mut Rng, seen: &Seen) -> String {
    let strange = "<!-- section: Nowhere -->\n## Nowhere\n\nAll is said.\n<!-- end section -->\n";
    let good = editor::write(rng, Behaviour::good(), seen);
    match rng.below(5) {
        0 => strange.to_owned(),
        1 | 2 => format!("{good}{strange}"),
        3 => good.replace("<!-- end section -->", ""),
        _ => good.replace("\n#", "\n"),
    }
}

fn as_final_reviewer(rng: &mut Rng, seen: &Seen) -> String {
    match rng.below(3) {
        0 => "## Final Review\n\n**Verdict:** MAYBE\n".to_owned(),
        1 => "**NO_GAPS_FOUND**\n".to_owned(),
        _ => final_review::write(rng, Behaviour::good(), seen).replace("Final Review", "Last Look"),
    }
}

/// The Engineer can't tell, and proposes nothing.
fn uncertainty(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.between(1, 3) {
        text += &format!("UNCERTAINTY: which {} holds\n\n", words::line(rng, 1, 4));
    }
    text
}

/// A gap that is not the task's.
fn another_gap(rng: &mut Rng, seen: &Seen) -> String {
    let known = seen.remembered.known.iter();
    let others: Vec<&GapId> = known.filter(|gap| !seen.task.gaps.contains(gap)).collect();
    let other = rng.pick(&others).map(ToString::to_string);
    other.unwrap_or_else(|| NOWHERE.to_owned())
}

/// A DISAGREE with parts missing, on an open issue.
fn malformed_disagreement(rng: &mut Rng, seen: &Seen) -> String {
    let issue = rng.pick(&seen.remembered.standing).cloned();
    let issue = issue.unwrap_or_else(|| "ISSUE-R1-001".to_owned());
    let mut text = format!("## DISAGREE: {issue}\n\n**Engineer Position:** no\n");
    if rng.percent(50) {
        text += "**Rationale:** because\n";
    }
    text
}
