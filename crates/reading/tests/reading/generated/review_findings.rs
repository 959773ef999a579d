//! The findings of a generated review, in the forms in which reviewers write them.

use super::review_entries::{as_entries, still_open};
use super::review_items::{Item, Target, item, said, stated, told, untold};
use super::review_layout::{Block, Writer, ended, table};
use super::review_severity::{heading_of, tag_of, value_of};
use super::{Finding, Severity, Verdict};
use crate::words;

/// The parts that state these findings, and the findings as they hold.
pub fn findings(writer: &mut Writer, targets: &[Target]) -> (Vec<Vec<Block>>, Vec<Finding>) {
    let mut parts = Vec::new();
    let mut found = Vec::new();
    let main = match targets.len() > 1 && writer.percent(25) {
        true => targets.len() - 1,
        false => targets.len(),
    };
    let (first, second) = targets.split_at(main);
    for (chunk, form) in [(first, writer.below(100)), (second, 200)] {
        if chunk.is_empty() {
            continue;
        }
        let (part, mut stated) = match form {
            0..=16 => in_sections(writer, chunk, true),
            17..=34 => in_sections(writer, chunk, false),
            35..=51 => as_entries(writer, chunk),
            52..=66 => under_heading(writer, chunk, true),
            67..=75 => in_table(writer, chunk),
            76..=89 => with_tags(writer, chunk),
            90..=94 => as_paragraphs(writer, chunk),
            95..=99 => still_open(writer, chunk),
            _ if writer.percent(50) => still_open(writer, chunk),
            _ => under_heading(writer, chunk, false),
        };
        parts.push(part);
        found.append(&mut stated);
    }
    (parts, found)
}

const ORDER: [Severity; 4] = [
    Severity::Critical,
    Severity::High,
    Severity::Medium,
    Severity::Low,
];

/// Sections by severity, some of which are empty.
fn in_sections(writer: &mut Writer, targets: &[Target], ids: bool) -> (Vec<Block>, Vec<Finding>) {
    let mut all = told(writer, targets);
    all.sort_by_key(|planned| planned.finding.severity as usize);
    let kind = match (ids, writer.below(3)) {
        (true, _) => Item::Id,
        (_, 0) => Item::Labelled,
        _ => Item::Plain,
    };
    let numbered = !ids && writer.percent(35);
    let nested = ids && writer.percent(75);
    writer.note(match (kind, numbered) {
        (Item::Id, _) => "findings: severity sections with ids",
        (Item::Labelled, _) => "findings: severity sections with labels",
        (_, true) => "findings: severity sections with numbers",
        _ => "findings: severity sections with bullets",
    });
    let mut blocks = Vec::new();
    let depth = match writer.percent(35) {
        true => {
            let heading = writer.pick(words!("review_findings_headings"));
            blocks.push(writer.section(1, heading, "🔍"));
            2
        }
        false => 1,
    };
    let show_empty = writer.percent(50);
    for severity in ORDER {
        let mut items = Vec::new();
        for planned in &mut all {
            if planned.finding.severity == severity {
                items.push(item(writer, planned, kind, nested));
            }
        }
        if items.is_empty() && !(show_empty && writer.percent(80)) {
            continue;
        }
        let mut heading = heading_of(writer, severity).to_owned();
        if !items.is_empty() && writer.percent(10) {
            heading = format!("{heading} ({})", items.len());
        }
        blocks.push(writer.section(depth, &heading, ""));
        blocks.push(match (items.is_empty(), numbered) {
            (true, _) => Block::Text(writer.pick(words!("review_none")).to_owned()),
            (_, true) => writer.numbers(&items),
            _ => writer.bullets(&items),
        });
    }
    (blocks, stated(all))
}

/// Sections by severity that say there is nothing in them.
pub fn empty_sections(writer: &mut Writer) -> Vec<Block> {
    writer.note("findings: empty severity sections");
    let mut blocks = Vec::new();
    for severity in ORDER {
        if severity == Severity::Critical || writer.percent(75) {
            let heading = heading_of(writer, severity);
            blocks.push(writer.section(1, heading, ""));
            blocks.push(Block::Text(writer.pick(words!("review_none")).to_owned()));
        }
    }
    blocks
}

/// One heading without a severity of its own, and a list below it.
fn under_heading(writer: &mut Writer, chunk: &[Target], main: bool) -> (Vec<Block>, Vec<Finding>) {
    let carries = chunk
        .iter()
        .any(|target| target.first && target.verdict != Some(Verdict::ApproveWithNotes));
    let approves = chunk
        .iter()
        .any(|target| target.verdict == Some(Verdict::ApproveWithNotes));
    let (heading, severity, form) = match writer.below(if main { 11 } else { 8 }) {
        0..=2 if !carries => (
            writer.pick(words!("review_findings_headings_nonblocking")),
            Some(Severity::Medium),
            "findings: list under a non-blocking heading",
        ),
        3..=4 if !carries => (
            writer.pick(words!("review_findings_headings_minor")),
            Some(Severity::Low),
            "findings: list under a minor heading",
        ),
        5..=7 if !approves => (
            writer.pick(words!("review_findings_headings_blocking")),
            Some(Severity::High),
            "findings: list under a blocking heading",
        ),
        _ => (
            writer.pick(words!("review_findings_headings")),
            None,
            "findings: list under a plain heading",
        ),
    };
    writer.note(form);
    let mut all = untold(writer, chunk);
    for planned in &mut all {
        planned.finding.severity = severity.unwrap_or(planned.finding.severity);
    }
    let kind = *writer
        .choices
        .one(&[Item::Plain, Item::Plain, Item::Labelled, Item::Id]);
    let nested = writer.percent(20);
    let mut items = Vec::new();
    for planned in &mut all {
        items.push(item(writer, planned, kind, nested));
    }
    let blocks = vec![writer.section(1, heading, "🔍"), writer.list(&items)];
    (blocks, stated(all))
}

/// A table with a column for the severity.
fn in_table(writer: &mut Writer, targets: &[Target]) -> (Vec<Block>, Vec<Finding>) {
    writer.note("findings: table");
    let mut all = told(writer, targets);
    let heading = writer.pick(words!("review_findings_headings"));
    let with_first = writer.percent(75);
    let id_column = writer.pick(words!("review_column_id"));
    let ids = with_first && !matches!(id_column, "#" | "No.");
    let gaps = all.iter().any(|planned| planned.named);
    let suggestions = writer.percent(45);
    let severity_last = writer.percent(25);
    let mut head = Vec::new();
    if with_first {
        head.push(id_column.to_owned());
    }
    if gaps {
        head.push(writer.pick(words!("review_column_gap")).to_owned());
    }
    let severity_column = writer.pick(words!("review_column_severity")).to_owned();
    if !severity_last {
        head.push(severity_column.clone());
    }
    head.push(writer.pick(words!("review_column_finding")).to_owned());
    if suggestions {
        head.push(writer.pick(words!("review_column_suggestion")).to_owned());
    }
    if severity_last {
        head.push(severity_column);
    }
    let mut rows = vec![head];
    for (at, planned) in all.iter_mut().enumerate() {
        let mut row = Vec::new();
        if ids {
            let id = writer.next_issue();
            planned.finding.id = Some(id.clone());
            row.push(id);
        } else if with_first {
            row.push((at + 1).to_string());
        }
        if gaps {
            row.push(planned.finding.gap.clone().unwrap_or_default());
        }
        let value = value_of(writer, planned.finding.severity).to_owned();
        if !severity_last {
            row.push(value.clone());
        }
        row.push(match writer.percent(50) {
            true => ended(planned.finding.sentence),
            false => planned.finding.sentence.to_owned(),
        });
        if suggestions {
            row.push(writer.pick(words!("review_suggestions")).to_owned());
        }
        if severity_last {
            row.push(value);
        }
        rows.push(row);
    }
    let blocks = vec![writer.section(1, heading, "🔍"), table(&rows)];
    (blocks, stated(all))
}

/// One list whose items tell their own severities.
fn with_tags(writer: &mut Writer, targets: &[Target]) -> (Vec<Block>, Vec<Finding>) {
    let form = writer.below(20);
    writer.note(match form {
        0..=9 => "findings: inline tags",
        10..=14 => "findings: severity behind the id",
        _ => "findings: nested severity field",
    });
    let mut all = told(writer, targets);
    let heading = writer.pick(words!("review_findings_headings"));
    let label = writer.pick(words!("review_field_severity"));
    let mut items = Vec::new();
    for planned in &mut all {
        let severity = planned.finding.severity;
        let said = said(writer, planned);
        let value = value_of(writer, severity);
        if form < 7 {
            let tag = tag_of(writer, severity);
            items.push(format!("{tag} {said}"));
            continue;
        }
        let id = writer.next_issue();
        planned.finding.id = Some(id.clone());
        items.push(match form {
            0..=9 => {
                let tag = tag_of(writer, severity);
                format!("{tag} {id}: {said}")
            }
            10..=12 => format!("**{id}** ({value}): {said}"),
            13..=14 => format!("**{id} [{value}]**: {said}"),
            _ => {
                let own = writer.field(label, value);
                format!("{}\n- {own}", writer.field(&id, &said))
            }
        });
    }
    let blocks = vec![writer.section(1, heading, "🔍"), writer.list(&items)];
    (blocks, stated(all))
}

/// A paragraph alone below the heading of each severity.
fn as_paragraphs(writer: &mut Writer, targets: &[Target]) -> (Vec<Block>, Vec<Finding>) {
    let mut all = told(writer, targets);
    all.sort_by_key(|planned| planned.finding.severity as usize);
    let one_each = all
        .windows(2)
        .all(|pair| pair[0].finding.severity != pair[1].finding.severity);
    if !one_each {
        all.clear();
        return with_tags(writer, targets);
    }
    writer.note("findings: paragraphs under severity headings");
    let mut blocks = Vec::new();
    for planned in &all {
        let heading = heading_of(writer, planned.finding.severity);
        blocks.push(writer.section(1, heading, ""));
        let mut text = said(writer, planned);
        if writer.percent(50) {
            text = format!("{text} {}", ended(writer.pick(words!("review_impacts"))));
        }
        blocks.push(Block::Text(text));
    }
    (blocks, stated(all))
}
