//! The documents of a simulated Reviewer that keeps to the form.

use gapless_domain::GapId;

use super::behaviour::{Behaviour, Seen};
use super::engineer;
use super::prompt::{self, Listed};
use crate::{Rng, words};

const SECTIONS: [(&str, &str); 4] = [
    ("Critical Issues", "CRITICAL"),
    ("High Priority", "HIGH"),
    ("Medium Priority", "MEDIUM"),
    ("Low Priority / Nits", "LOW"),
];

/// A review that finds nothing and says what it examined.
pub const NOTHING_FOUND: &str =
    "**NO_ISSUES_FOUND**\n\nExamined:\n- the solution\n- the examples\n\n";

pub fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    let earlier = prompt::issues(seen.prompt);
    let (round, mut number) = prompt::next_issue(seen.prompt).unwrap_or((seen.task.id.round, 1));
    let mut text = String::new();
    let mut reviewed = 0;
    for gap in &seen.task.gaps {
        let last = reviewed == 0 && seen.task.gaps.last() == Some(gap);
        if rng.percent(behaviour.trouble / 4) && !last {
            continue;
        }
        reviewed += 1;
        text += &format!("## Review: {gap}\n\n");
        if rng.percent(behaviour.trouble / 2) {
            text += &format!("**Severity:** {} (was MEDIUM)\n\n", words::severity(rng));
        }
        let insists = !earlier.is_empty() && rng.percent(behaviour.quarrel);
        if !insists && !rng.percent(behaviour.trouble) {
            text += match rng.percent(behaviour.silent) {
                true => "**NO_ISSUES_FOUND**\n\n",
                false => NOTHING_FOUND,
            };
            continue;
        }
        for (section, severity) in SECTIONS {
            text += &format!("### {section}\n\n");
            let mut insisted: Vec<&Listed> = earlier.iter().collect();
            insisted.retain(|issue| issue.severity == severity && rng.percent(behaviour.quarrel));
            for issue in insisted {
                text += &format!("- **{}**: {}\n", issue.id, issue.summary);
            }
            // What was decided is not carried out, as it sees it.
            if severity == "HIGH"
                && rng.percent(behaviour.quarrel / 2)
                && let Some((id, summary)) = rng.pick(&seen.remembered.settled)
            {
                text += &format!("- **{id}**: {summary}\n");
            }
            if rng.percent(30) {
                text += &issue(rng, seen, &earlier, (round, &mut number));
            }
        }
        text += "\n### Consistency Checks\n\nNone.\n\n### New Gaps Identified\n\n";
        match rng.percent(behaviour.trouble / 4) {
            true => text += &engineer::new_gap(rng),
            false => text += "- None\n",
        }
        text += "\n";
    }
    text
}

/// One of the gaps, in front of something that is said of it.
pub fn named(rng: &mut Rng, gaps: &[GapId]) -> String {
    let gap = rng.pick(gaps).map(|gap| format!("{gap} "));
    gap.unwrap_or_default()
}

/// The id of an issue that may be taken.
pub fn any_id(rng: &mut Rng, round: u32, most: u32) -> String {
    let round = rng.between(1, round.max(1));
    format!("ISSUE-R{round}-{:03}", rng.between(1, most))
}

/// The next id of a review.
pub fn next_id(round: u32, number: &mut u32) -> String {
    *number += 1;
    format!("ISSUE-R{round}-{:03}", *number - 1)
}

/// An issue: a new one, an earlier one raised again or withdrawn, under a native id, or on a gap of no account.
fn issue(
    rng: &mut Rng,
    seen: &Seen,
    earlier: &[Listed],
    (round, number): (u32, &mut u32),
) -> String {
    let id = match (rng.below(10), rng.pick(earlier)) {
        (0..=3, Some(issue)) => issue.id.clone(),
        (4, Some(issue)) => return format!("- **{}** (withdrawn)\n", issue.id),
        (5, _) => format!("H{}", rng.between(1, 9)),
        (6, _) => any_id(rng, round, 12),
        _ => next_id(round, number),
    };
    let about = match rng.below(12) {
        0 => named(rng, &seen.remembered.known),
        1 => "GAP-NOWHERE-001 ".to_owned(),
        _ => String::new(),
    };
    let settled_by = rng.sometimes(8, |_| "  - **Settled by:** the user\n");
    format!(
        "- **{id}**: {about}{}\n  - **Location:** the solution\n  - **Impact:** {}\n  - **Suggestion:** {}\n{settled_by}",
        words::line(rng, 3, 8),
        words::line(rng, 2, 5),
        words::line(rng, 2, 5),
    )
}
