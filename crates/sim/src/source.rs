//! Generates the specs that simulated sessions refine: a few sections, and a list of gaps with severities and dependencies.

use gapless_domain::ScanFinding;

use crate::{Rng, words};

const SECTIONS: [&str; 5] = ["Delivery", "Retries", "Storage", "Security", "Operations"];

/// A spec with 1 to 15 declared gaps, now and then with none, or one that waits on itself or on others in a circle.
pub fn generate(rng: &mut Rng) -> String {
    let mut text = begin(rng, &SECTIONS, 40);
    let count = if rng.percent(4) {
        0
    } else {
        rng.between(1, 15)
    };
    let mut ids: Vec<String> = Vec::new();
    while ids.len() < count as usize {
        let id = format!("GAP-{}-{:03}", words::category(rng), rng.between(1, 40));
        if !ids.contains(&id) {
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

/// The names of the sections whose sentence of the source is in a line.
pub fn sentences_in(line: &str) -> Vec<String> {
    let names = SECTIONS.iter().map(|section| section.to_lowercase());
    names
        .filter(|name| line.contains(&format!("The {name} is ")))
        .collect()
}

/// The beginning of a spec, up to its list of gaps: sections of up to so many words.
pub fn begin(rng: &mut Rng, sections: &[&str], most: u32) -> String {
    let mut text = String::from("# A service\n\n");
    for section in sections {
        let body = words::line(rng, 8, most);
        let name = section.to_lowercase();
        text += &format!("## {section}\n\nThe {name} is {body}.\n\n");
    }
    text + "## Gaps\n\n"
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
        category: words::category(rng).to_owned(),
        severity: words::severity(rng),
        description: words::line(rng, 3, 8),
        section: Some(rng.one_of(&SECTIONS).to_owned()),
        line: rng.between(1, lines),
        is_mark: rng.percent(30),
    };
    (0..count).map(|_| finding(rng)).collect()
}

fn declaration(rng: &mut Rng, id: &str, ids: &[String]) -> String {
    let severity = rng.sometimes(90, |rng| format!(" [{}]", words::severity(rng)));
    let mut notes = Vec::new();
    if rng.percent(50) {
        notes.push(format!("section: {}", rng.one_of(&SECTIONS)));
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
