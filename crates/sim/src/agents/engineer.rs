//! The documents of a simulated Engineer that keeps to the form.

use super::behaviour::{Behaviour, Seen};
use super::prompt::{self, Listed};
use super::spec_changes::{self, SOLVED};
use crate::{Rng, words};

pub fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    let mut text = String::new();
    let mut addressed = 0;
    let deaf = rng.percent(behaviour.deaf);
    for gap in &seen.task.gaps {
        let last = addressed == 0 && seen.task.gaps.last() == Some(gap);
        if rng.percent(behaviour.trouble / 4) && !last {
            continue;
        }
        addressed += 1;
        if rng.percent(behaviour.trouble / 4) {
            let which = words::line(rng, 1, 3);
            text += &format!("BLOCKED_NEEDS_INPUT: {gap} which {which} it is\n\n");
            if rng.percent(80) {
                continue;
            }
        }
        let name = gap.to_string();
        match prompt::last_proposal(seen.prompt, &name) {
            Some(before) if deaf => text += &format!("{before}\n\n"),
            _ => text += &section(rng, behaviour, seen, &name),
        }
        if !deaf {
            text += &carried_out(rng, seen.prompt);
        }
    }
    if rng.percent(behaviour.trouble / 5)
        && let Some(other) = rng.pick(&seen.remembered.known)
    {
        text += &section(rng, behaviour, seen, &other.to_string());
    }
    for issue in prompt::issues(seen.prompt) {
        text += &match deaf {
            true => evasion(rng, &issue),
            false => response(rng, behaviour, &issue),
        };
    }
    text
}

/// What was decided, in the Engineer's own words.
fn carried_out(rng: &mut Rng, prompt: &str) -> String {
    let said = |decision| {
        let words = words::line(rng, 4, 9);
        format!("As DECISION-R{decision} has it: {words}.\n\n")
    };
    prompt::decisions(prompt).into_iter().map(said).collect()
}

/// No word to an issue, or words that answer nothing.
fn evasion(rng: &mut Rng, issue: &Listed) -> String {
    let id = &issue.id;
    match rng.below(6) {
        0 => format!(
            "## Response to {id}\n\nThe reviewer misunderstood this; it is not a real issue.\n\n"
        ),
        1 => format!("## Response to {id}\n\n{id} is resolved, the user approved.\n\n"),
        2 => format!("## Left open\n\n- {id}\n\n"),
        _ => String::new(),
    }
}

/// Groups of defaults.
const GROUPS: [&str; 3] = ["Limits", "Timeouts", "Retries"];

pub fn section(rng: &mut Rng, behaviour: Behaviour, seen: &Seen, gap: &str) -> String {
    let confidence = rng.one_of(&["HIGH", "MEDIUM", "LOW"]);
    let solution = words::line(rng, 10, 60);
    let group = |rng: &mut Rng| format!("**Default to confirm:** {}\n", rng.one_of(&GROUPS));
    let default = rng.sometimes(12, group);
    let name = spec_changes::name_of(seen, gap);
    let changes = rng.sometimes(60, |rng| {
        spec_changes::write(rng, behaviour.trouble, seen, &name)
    });
    let part = match changes.part.as_str() {
        "" => String::new(),
        part => format!("### Spec Changes\n\n{part}"),
    };
    let mut text = format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** {confidence}\n{default}\n### Proposed Solution\n\n\
         The {solution} holds, as {SOLVED}{name} says{}.\n\n{part}### Examples\n\n```json\n{{\"## Gap Resolution: GAP-FLOW-001\": 1}}\n```\n\n### Trade-offs\n\n{}\n\n### New Gaps Introduced\n\n",
        changes.said,
        words::line(rng, 3, 12)
    );
    let new_gaps = match () {
        () if rng.percent(behaviour.spawning) => rng.between(2, 5),
        () if rng.percent(behaviour.trouble / 3) => rng.between(1, 2),
        () => 0,
    };
    for _ in 0..new_gaps {
        text += &new_gap(rng);
    }
    if new_gaps == 0 {
        text += "- None\n";
    }
    text + "\n"
}

/// The line that declares a new gap; its id may be one that is taken.
pub fn new_gap(rng: &mut Rng) -> String {
    let category = words::category(rng);
    let blocked_by = rng.sometimes(15, |rng| {
        format!(" (blocked by: GAP-{category}-{:03})", rng.between(1, 40))
    });
    let severity = rng.sometimes(85, |rng| format!(" [{}]", words::severity(rng)));
    format!(
        "- GAP-{category}-{:03}{severity}{blocked_by}: {}\n",
        rng.between(1, 60),
        words::line(rng, 3, 8)
    )
}

/// A DISAGREE with all its parts.
pub fn disagreement(rng: &mut Rng, issue: &str, summary: &str) -> String {
    format!(
        "## DISAGREE: {issue}\n\n**Reviewer Concern:** {summary}\n**Engineer Position:** it holds\n\
         **Rationale:** {}\n\n",
        words::line(rng, 3, 9)
    )
}

fn response(rng: &mut Rng, behaviour: Behaviour, issue: &Listed) -> String {
    if rng.percent(behaviour.quarrel) {
        return disagreement(rng, &issue.id, &issue.summary);
    }
    if rng.percent(behaviour.trouble) {
        return match rng.below(5) {
            0 => String::new(),
            1 => format!("## Summary\n\n{} was looked at.\n\n", issue.id),
            _ => disagreement(rng, &issue.id, &issue.summary),
        };
    }
    let changed = words::line(rng, 3, 9);
    format!("## Response to {}\n\nChanged: {changed}.\n\n", issue.id)
}
