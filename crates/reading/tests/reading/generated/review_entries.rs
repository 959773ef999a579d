//! Findings of a generated review that have entries of their own, and earlier issues that are still open.

use super::Finding;
use super::review_items::{Target, fields, gap_to_name, said, stated, told, untold};
use super::review_layout::{Block, Writer, ended, table};
use super::review_severity::{heading_of, value_of};
use crate::words;

/// Where the severity of an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Field,
    Title,
    Section,
    Nowhere,
}

/// Entries with headings of their own and fields below them.
pub fn as_entries(writer: &mut Writer, targets: &[Target]) -> (Vec<Block>, Vec<Finding>) {
    let told_by = match writer.below(20) {
        0..=7 => Told::Field,
        8..=11 => Told::Title,
        12..=15 => Told::Section,
        _ => Told::Nowhere,
    };
    writer.note(match told_by {
        Told::Field => "findings: entries with severity fields",
        Told::Title => "findings: entries with severities in titles",
        Told::Section => "findings: entries in severity sections",
        Told::Nowhere => "findings: entries without severity",
    });
    let mut all = match told_by {
        Told::Nowhere => untold(writer, targets),
        _ => told(writer, targets),
    };
    if told_by == Told::Section {
        all.sort_by_key(|planned| planned.finding.severity as usize);
    }
    let title = writer.below(4);
    let severity_label = writer.pick(words!("review_field_severity"));
    let issue_label = writer.pick(words!("review_field_issue"));
    let gap_label = writer.pick(words!("review_field_gap"));
    let join = writer.below(3);
    let heading = writer.pick(words!("review_findings_headings"));
    let mut blocks = vec![writer.section(1, heading, "🔍")];
    let mut section = None;
    for (at, planned) in all.iter_mut().enumerate() {
        let severity = planned.finding.severity;
        if told_by == Told::Section && section != Some(severity) {
            section = Some(severity);
            let heading = heading_of(writer, severity);
            blocks.push(writer.section(2, heading, ""));
        }
        let sentence = planned.finding.sentence;
        let mut text = match title {
            0 => format!("{}. {}", at + 1, planned.topic),
            3 => format!("Issue {}: {}", at + 1, planned.topic),
            _ => {
                let id = writer.next_issue();
                planned.finding.id = Some(id.clone());
                let behind = if title == 1 { planned.topic } else { sentence };
                format!("{id}: {behind}")
            }
        };
        let mut lines = Vec::new();
        if let Some(gap) = gap_to_name(planned) {
            match writer.percent(50) {
                true => text.push_str(&format!(" ({gap})")),
                false => lines.push(writer.field(gap_label, gap)),
            }
        }
        match told_by {
            Told::Title => {
                let value = value_of(writer, severity);
                text.push_str(&match writer.percent(50) {
                    true => format!(" [{value}]"),
                    false => format!(" - {value}"),
                });
            }
            Told::Field => {
                let value = value_of(writer, severity);
                lines.push(writer.field(severity_label, value));
            }
            _ => {}
        }
        if title != 2 {
            lines.push(writer.field(issue_label, &ended(sentence)));
        }
        lines.extend(fields(writer, title == 2));
        let depth = if told_by == Told::Section { 3 } else { 2 };
        blocks.push(Block::Entry { depth, text });
        blocks.push(match join {
            0 => writer.bullets(&lines),
            1 => Block::Text(lines.join("\n")),
            _ => Block::Text(lines.join("\n\n")),
        });
    }
    (blocks, stated(all))
}

/// Issues of the round before that are still open, some among resolved ones.
pub fn still_open(writer: &mut Writer, targets: &[Target]) -> (Vec<Block>, Vec<Finding>) {
    let form = writer.below(4);
    let tells = form < 2 && writer.percent(35);
    let mut all = match tells {
        true => told(writer, targets),
        false => untold(writer, targets),
    };
    let resolved = writer.below(3);
    let open = writer.pick(words!("review_still_open"));
    let done = writer.pick(words!("review_resolved"));
    let mut blocks = Vec::new();
    let mut issues: Vec<(String, String, Option<&str>)> = Vec::new();
    for _ in 0..resolved {
        let id = writer.next_earlier_issue();
        let title = writer.pick(words!("review_issue_titles"));
        issues.push((id, title.to_owned(), None));
    }
    for planned in &mut all {
        let id = writer.next_earlier_issue();
        planned.finding.id = Some(id.clone());
        let sentence = planned.finding.sentence;
        let text = match (gap_to_name(planned), form) {
            (Some(gap), 0) => format!("{sentence} ({gap})"),
            (Some(_), _) => said(writer, planned),
            (None, 0 | 1) => sentence.to_owned(),
            (None, _) => ended(sentence),
        };
        let value = value_of(writer, planned.finding.severity);
        issues.push((id, text, Some(value)));
    }
    let heading = match form {
        2 => writer.pick(words!("review_open_headings")),
        _ => writer.pick(words!("review_verification_headings")),
    };
    blocks.push(writer.section(1, heading, "🔁"));
    match form {
        0 => {
            writer.note("findings: still open, entries");
            for (id, text, value) in issues {
                let status = if value.is_some() { open } else { done };
                let text = format!("{id}: {text} - {status}");
                blocks.push(Block::Entry { depth: 2, text });
                blocks.push(Block::Text(match value {
                    None => writer.pick(words!("review_resolution_notes")).to_owned(),
                    Some(value) => {
                        let mut lines = fields(writer, true);
                        if tells {
                            lines.insert(0, writer.field("Severity", value));
                        }
                        lines.join("\n")
                    }
                }));
            }
        }
        1 => {
            writer.note("findings: still open, table");
            let finding = writer.pick(words!("review_column_finding"));
            let column = writer.pick(words!("review_column_status"));
            let mut rows = vec![vec!["ID".to_owned(), finding.to_owned(), column.to_owned()]];
            if tells {
                rows[0].insert(1, "Severity".to_owned());
            }
            for (id, text, value) in issues {
                let status = if value.is_some() { open } else { done };
                let mut row = vec![id, text, status.to_owned()];
                if tells {
                    row.insert(1, value.unwrap_or("-").to_owned());
                }
                rows.push(row);
            }
            blocks.push(table(&rows));
        }
        _ => {
            writer.note("findings: still open, list");
            let open_ones = issues.iter().filter(|issue| issue.2.is_some());
            let items: Vec<String> = open_ones
                .map(|(id, text, _)| writer.field(id, text))
                .collect();
            if form == 3 {
                let intro = writer.pick(words!("review_open_intros"));
                blocks.push(Block::Text(intro.to_owned()));
            }
            blocks.push(writer.list(&items));
        }
    }
    (blocks, stated(all))
}
