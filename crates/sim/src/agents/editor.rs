//! The documents of a simulated Editor: the sections of its prompt with their parts behind them, and now and then something lost,
//! left or added.

use gapless_domain::gap_ids_in;

use super::behaviour::{Behaviour, Seen};
use crate::Rng;

pub fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    let mut text = String::new();
    for (name, section, parts) in sections_of(seen.prompt) {
        let mut body: Vec<&str> = section.lines().collect();
        // The entries of what is settled go, unless it is forgotten.
        if !rng.percent(behaviour.trouble / 3) {
            let settled = &seen.task.gaps;
            body.retain(|line| {
                !gap_ids_in(line)
                    .iter()
                    .any(|found| settled.contains(&found.id))
            });
        }
        let mut whole = body.join("\n");
        for part in parts {
            let part = part.split_once('\n').map_or("", |(_, text)| text);
            whole += &format!("\n\n{}", part.trim());
        }
        if rng.percent(behaviour.trouble / 4) {
            whole = whole.replace(['1', '3', '`'], "");
        }
        if rng.percent(behaviour.trouble / 6) {
            whole += "\n\nSee GAP-FLOW-001 for what is still open.";
        }
        if rng.percent(95) {
            text += &format!("<!-- section: {name} -->\n{whole}\n<!-- end section -->\n\n");
        }
    }
    text
}

/// The sections that a prompt gives: name, text and parts.
fn sections_of(prompt: &str) -> Vec<(&str, &str, Vec<&str>)> {
    let mut sections = Vec::new();
    for piece in prompt.split("\n<!-- section: ").skip(1) {
        let Some((name, rest)) = piece.split_once(" -->\n") else {
            continue;
        };
        let Some((text, behind)) = rest.split_once("\n<!-- end section -->") else {
            continue;
        };
        let parts: Vec<&str> = behind
            .split(" part for GAP-")
            .skip(1)
            .filter_map(|part| Some(part.split_once('\n')?.1.split_once("\n-----")?.0))
            .collect();
        // The example in a prompt has none.
        if !parts.is_empty() {
            sections.push((name, text, parts));
        }
    }
    sections
}
