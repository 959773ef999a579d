//! The sentences of findings with their topics, ids, gaps and fields, as they stand in lists and entries.

use super::review_layout::{Writer, ended};
use super::review_severity::{default_severity, severity_for};
use super::{Finding, Severity, Verdict};
use crate::words;

/// A finding that is to be written: for which gap, under which verdict.
#[derive(Debug, Clone)]
pub struct Target {
    pub gap: Option<String>,
    /// True where the text of the finding has to name its gap.
    pub named: bool,
    pub verdict: Option<Verdict>,
    /// True for the first finding of a gap, which carries the verdict.
    pub first: bool,
}

/// A finding with its topic, before it is written.
pub struct Planned {
    pub topic: &'static str,
    pub finding: Finding,
    pub named: bool,
}

fn planned(writer: &mut Writer, target: &Target, severity: Severity) -> Planned {
    let mut entry = writer.pick(words!("review_findings"));
    while writer.used.contains(&entry) {
        entry = writer.pick(words!("review_findings"));
    }
    writer.used.push(entry);
    let (topic, sentence) = entry.split_once(" | ").unwrap_or(("Note", entry));
    Planned {
        topic,
        finding: Finding {
            sentence,
            severity,
            gap: target.gap.clone(),
            id: None,
        },
        named: target.named,
    }
}

/// The findings with severities that the document will tell.
pub fn told(writer: &mut Writer, targets: &[Target]) -> Vec<Planned> {
    let mut all = Vec::new();
    for target in targets {
        let severity = severity_for(writer, target.verdict, target.first);
        all.push(planned(writer, target, severity));
    }
    all
}

/// The findings with the severities that hold where nothing tells them.
pub fn untold(writer: &mut Writer, targets: &[Target]) -> Vec<Planned> {
    let plan = |target| planned(writer, target, default_severity(target.verdict));
    targets.iter().map(plan).collect()
}

pub fn stated(all: Vec<Planned>) -> Vec<Finding> {
    all.into_iter().map(|planned| planned.finding).collect()
}

/// The gap where the finding has to name it.
pub fn gap_to_name(planned: &Planned) -> Option<&str> {
    planned.finding.gap.as_deref().filter(|_| planned.named)
}

/// The sentence, with the gap where it has to be named.
pub fn said(writer: &mut Writer, planned: &Planned) -> String {
    let sentence = planned.finding.sentence;
    let Some(gap) = gap_to_name(planned) else {
        return ended(sentence);
    };
    match writer.below(5) {
        0 if sentence.ends_with('?') => format!("{sentence} ({gap})"),
        0 => format!("{sentence} ({gap})."),
        1 => format!("{gap}: {}", ended(sentence)),
        2 => format!("**{gap}**: {}", ended(sentence)),
        3 => format!("[{gap}] {}", ended(sentence)),
        _ => format!("In {gap}: {}", ended(sentence)),
    }
}

/// Fields that go with a finding; at least one where `some` asks for it.
pub fn fields(writer: &mut Writer, some: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if writer.percent(35) {
        let label = writer.pick(words!("review_field_location"));
        let place = writer.pick(words!("review_locations"));
        lines.push(writer.field(label, place));
    }
    if writer.percent(45) {
        let label = writer.pick(words!("review_field_impact"));
        let impact = ended(writer.pick(words!("review_impacts")));
        lines.push(writer.field(label, &impact));
    }
    if writer.percent(60) || (some && lines.is_empty()) {
        let label = writer.pick(words!("review_field_suggestion"));
        let suggestion = ended(writer.pick(words!("review_suggestions")));
        lines.push(writer.field(label, &suggestion));
    }
    lines
}

/// How the items of one list are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    Id,
    Plain,
    Labelled,
}

pub fn item(writer: &mut Writer, planned: &mut Planned, kind: Item, nested: bool) -> String {
    let mut text = match kind {
        Item::Id => with_id(writer, planned),
        Item::Plain => said(writer, planned),
        Item::Labelled => {
            let said = said(writer, planned);
            match writer.below(3) {
                0 => format!("**{}** – {said}", planned.topic),
                _ => writer.field(planned.topic, &said),
            }
        }
    };
    if nested {
        for line in fields(writer, false) {
            text.push_str(&format!("\n- {line}"));
        }
    } else if writer.percent(15) {
        let suggestion = ended(writer.pick(words!("review_suggestions")));
        text.push_str(&format!(" {suggestion}"));
    }
    text
}

fn with_id(writer: &mut Writer, planned: &mut Planned) -> String {
    let id = writer.next_issue();
    planned.finding.id = Some(id.clone());
    let sentence = ended(planned.finding.sentence);
    if let Some(gap) = gap_to_name(planned).filter(|_| writer.percent(60)) {
        return match writer.below(3) {
            0 => format!("**{id}** ({gap}): {sentence}"),
            1 => format!("**{id}** [{gap}]: {sentence}"),
            _ => {
                let label = writer.pick(words!("review_field_gap"));
                let field = writer.field(label, gap);
                format!("**{id}**: {sentence}\n- {field}")
            }
        };
    }
    let said = said(writer, planned);
    match writer.below(5) {
        0 => format!("**[{id}]** {said}"),
        1 => format!("{id}: {said}"),
        2 => format!("**{id}** – {said}"),
        _ => writer.field(&id, &said),
    }
}
