//! Generates the specs that simulated sessions refine: a few sections, and a list of gaps with severities and dependencies.

use std::collections::BTreeSet;

use gapless_domain::ScanFinding;

use crate::Rng;
use crate::words::{self, CATEGORIES};

const SECTIONS: [&str; 5] = ["Delivery", "Retries", "Storage", "Security", "Operations"];

/// A spec with 1 to 15 declared gaps, now and then with none, or one that waits on itself or on others in a circle.
pub fn generate(rng: &mut Rng) -> String {
    let mut text = String::from("# A service\n\n");
    for section in SECTIONS {
        let body = words::line(rng, 8, 40);
        text += &format!(
            "## {section}\n\nThe {} is {body}.\n\n",
            section.to_lowercase()
        );
    }
    text += "## Gaps\n\n";
    let count = if rng.percent(4) {
        0
    } else {
        rng.between(1, 15)
    };
    let mut ids: Vec<String> = Vec::new();
    let mut used = BTreeSet::new();
    while ids.len() < count as usize {
        let category = rng.pick(&CATEGORIES).copied().unwrap_or("FLOW");
        let id = format!("GAP-{category}-{:03}", rng.between(1, 40));
        if used.insert(id.clone()) {
            ids.push(id);
        }
    }
    for id in &ids {
        text += &declaration(rng, id, &ids);
    }
    if rng.percent(20) {
        text += "\n```markdown\n- GAP-FLOW-900 [CRITICAL]: an example in a fence declares nothing\n```\n";
    }
    text
}

/// What a scan may have found in such a spec: nothing in most, else a few things on any line of it.
pub fn findings(rng: &mut Rng, source: &str) -> Vec<ScanFinding> {
    if rng.percent(70) {
        return Vec::new();
    }
    let lines = u32::try_from(source.lines().count()).unwrap_or(1);
    let count = rng.between(1, 6);
    let finding = |rng: &mut Rng| ScanFinding {
        rule: "vague-quantity".to_owned(),
        topics: vec!["timeout".to_owned()],
        category: rng.pick(&CATEGORIES).copied().unwrap_or("FLOW").to_owned(),
        severity: words::severity(rng),
        description: words::line(rng, 3, 8),
        section: rng.pick(&SECTIONS).map(|section| (*section).to_owned()),
        line: rng.between(1, lines),
        is_mark: rng.percent(30),
    };
    (0..count).map(|_| finding(rng)).collect()
}

fn declaration(rng: &mut Rng, id: &str, ids: &[String]) -> String {
    let severity = match rng.percent(90) {
        true => format!(" [{}]", words::severity(rng)),
        false => String::new(),
    };
    let mut notes = Vec::new();
    if rng.percent(50) {
        let section = rng.pick(&SECTIONS).copied().unwrap_or_default();
        notes.push(format!("section: {section}"));
    }
    if rng.percent(22) {
        let mut blockers: Vec<String> = (0..rng.between(1, 2))
            .filter_map(|_| rng.pick(ids).cloned())
            .collect();
        if rng.percent(5) {
            blockers.push("GAP-NONE-001".to_owned());
        }
        notes.push(format!("blocked by: {}", blockers.join(", ")));
    }
    let notes = match notes.is_empty() {
        true => String::new(),
        false => format!(" ({})", notes.join("; ")),
    };
    format!("- {id}{severity}{notes}: {}\n", words::line(rng, 3, 9))
}
