//! The verdicts of a generated review, in the forms in which reviewers state them.

use super::Verdict;
use super::review_layout::{Block, Sections, Writer, capitalised, counted, table};
use crate::words;

/// A verdict's words, with the number of findings where they tell it.
pub fn value(writer: &mut Writer, verdict: Verdict, count: usize) -> String {
    let entry = writer.pick(match verdict {
        Verdict::Approve => words!("review_approve"),
        Verdict::ApproveWithNotes => words!("review_approve_notes"),
        Verdict::Revise => words!("review_revise"),
    });
    counted(entry, count.max(1), true)
}

fn reason(writer: &mut Writer, verdict: Verdict) -> &'static str {
    writer.pick(match verdict {
        Verdict::Approve => words!("review_reasons_approve"),
        Verdict::ApproveWithNotes => words!("review_reasons_notes"),
        Verdict::Revise => words!("review_reasons_revise"),
    })
}

/// A verdict's words, sometimes with a reason behind them.
fn value_and_reason(writer: &mut Writer, verdict: Verdict, count: usize) -> String {
    let value = value(writer, verdict, count);
    let value = match writer.percent(20) {
        true => format!("**{value}**"),
        false => value,
    };
    if !writer.percent(25) {
        return value;
    }
    writer.note("verdict: reason on the line");
    let reason = reason(writer, verdict);
    match writer.below(3) {
        0 => format!("{value} - {reason}."),
        1 => format!("{value} — {reason}."),
        _ => format!("{value}. {}.", capitalised(reason)),
    }
}

fn prose(writer: &mut Writer, verdict: Verdict) -> String {
    let sentence = writer.pick(match verdict {
        Verdict::Approve => words!("review_prose_approve"),
        Verdict::ApproveWithNotes => words!("review_prose_notes"),
        Verdict::Revise => words!("review_prose_revise"),
    });
    sentence.to_owned()
}

fn label(writer: &mut Writer, overall: bool) -> &'static str {
    match overall {
        true => writer.pick(words!("review_overall_labels")),
        false => writer.pick(words!("review_verdict_labels")),
    }
}

/// What a verdict is about.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub verdict: Verdict,
    /// How many findings it goes with.
    pub count: usize,
    /// True where it is said of all gaps behind sections of their own.
    pub overall: bool,
}

/// A verdict in one or two lines, as it stands above the rest.
pub fn at_the_top(writer: &mut Writer, about: About) -> Vec<Block> {
    let value = value_and_reason(writer, about.verdict, about.count);
    let label = label(writer, about.overall);
    match writer.below(10) {
        0..=5 => {
            writer.note("verdict: field");
            vec![Block::Text(writer.field(label, &value))]
        }
        6..=7 => {
            writer.note("verdict: plain line");
            vec![Block::Text(format!("{label}: {value}"))]
        }
        _ => vec![bold_line(writer, about, label)],
    }
}

fn bold_line(writer: &mut Writer, about: About, label: &str) -> Block {
    writer.note("verdict: bold line");
    let value = value(writer, about.verdict, about.count);
    let label = match writer.percent(50) {
        true => label.to_uppercase(),
        false => label.to_owned(),
    };
    Block::Text(format!("**{label}: {value}**"))
}

/// A verdict at the end of what it judges.
pub fn at_the_end(writer: &mut Writer, about: About, after_entries: bool) -> Vec<Block> {
    let label = label(writer, about.overall);
    let form = writer.below(100);
    let as_headings = writer.layout.sections == Sections::Headings;
    match form {
        // Behind sections without headings only a heading can speak for all gaps.
        _ if about.overall => match form {
            0..=54 => as_heading(writer, about, label),
            55..=79 => below_heading(writer, about, label),
            _ => prose_below(writer, about, label),
        },
        0..=24 if as_headings => as_heading(writer, about, label),
        25..=44 => below_heading(writer, about, label),
        45..=59 => {
            let heading = writer.pick(words!("review_conclusion_headings"));
            prose_below(writer, about, heading)
        }
        _ => {
            let mut blocks = Vec::new();
            if after_entries || writer.percent(40) {
                blocks.push(Block::Rule);
            }
            blocks.push(match form {
                60..=71 => bold_line(writer, about, label),
                72..=85 => {
                    let value = value(writer, about.verdict, about.count);
                    alone(writer, about.verdict, &value)
                }
                86..=91 => {
                    writer.note("verdict: plain line");
                    let value = value_and_reason(writer, about.verdict, about.count);
                    Block::Text(format!("{label}: {value}"))
                }
                _ => {
                    writer.note("verdict: field");
                    let value = value_and_reason(writer, about.verdict, about.count);
                    Block::Text(writer.field(label, &value))
                }
            });
            blocks
        }
    }
}

/// A heading of its own rank where the verdict is about all gaps.
fn heading(writer: &Writer, about: About, text: &str) -> Block {
    match about.overall {
        true => Block::Top {
            level: writer.layout.level,
            text: text.to_owned(),
        },
        false => writer.section(1, text, "⚖️"),
    }
}

fn alone(writer: &mut Writer, verdict: Verdict, value: &str) -> Block {
    if verdict == Verdict::Approve && writer.percent(75) {
        writer.note("verdict: no issues, alone");
        let line = writer.pick(words!("review_approve_alone"));
        return Block::Text(format!("**{line}**"));
    }
    writer.note("verdict: bold value alone");
    Block::Text(format!("**{value}**"))
}

fn as_heading(writer: &mut Writer, about: About, label: &str) -> Vec<Block> {
    writer.note("verdict: in the heading");
    let value = value(writer, about.verdict, about.count);
    let mut blocks = vec![heading(writer, about, &format!("{label}: {value}"))];
    if writer.percent(40) {
        let reason = capitalised(reason(writer, about.verdict));
        blocks.push(Block::Text(format!("{reason}.")));
    }
    blocks
}

fn below_heading(writer: &mut Writer, about: About, label: &str) -> Vec<Block> {
    let heading = heading(writer, about, label);
    if writer.percent(40) {
        writer.note("verdict: bold value below a heading");
        let value = value(writer, about.verdict, about.count);
        let line = alone(writer, about.verdict, &value);
        return vec![heading, line];
    }
    writer.note("verdict: line below a heading");
    let line = value_and_reason(writer, about.verdict, about.count);
    vec![heading, Block::Text(line)]
}

fn prose_below(writer: &mut Writer, about: About, title: &str) -> Vec<Block> {
    writer.note("verdict: prose below a heading");
    let mut text = prose(writer, about.verdict);
    if writer.percent(30) {
        text = format!("{text} {}", writer.pick(words!("review_assessments")));
    }
    vec![heading(writer, about, title), Block::Text(text)]
}

/// A row or a line for each gap, with the number of its findings.
pub fn for_each_gap(
    writer: &mut Writer,
    gaps: &[(String, Verdict, usize)],
    overall: bool,
) -> Vec<Block> {
    let title = writer.pick(words!("review_conclusion_headings"));
    let level = writer.layout.level;
    let mut blocks = vec![match overall {
        true => Block::Top {
            level,
            text: title.to_owned(),
        },
        false => writer.section(1, title, "⚖️"),
    }];
    let form = writer.below(10);
    let mut rows = Vec::new();
    let with_titles = writer.percent(50);
    for (gap, verdict, count) in gaps {
        let value = value(writer, *verdict, *count);
        let title = writer.title(gap);
        rows.push(match form {
            0..=3 => {
                let value = match writer.percent(30) {
                    true => format!("**{value}**"),
                    false => value,
                };
                match with_titles {
                    true => vec![gap.clone(), title.to_owned(), value],
                    false => vec![gap.clone(), value],
                }
            }
            4..=6 => vec![format!("{gap}: {title} - **{value}**")],
            _ => vec![format!("**{gap}**: {value}")],
        });
    }
    match form {
        0..=3 => {
            writer.note("verdict: table row per gap");
            let mut head = vec![writer.pick(words!("review_column_gap")).to_owned()];
            if with_titles {
                head.push("Title".to_owned());
            }
            head.push(writer.pick(words!("review_column_verdict")).to_owned());
            rows.insert(0, head);
            blocks.push(table(&rows));
        }
        4..=6 => {
            writer.note("verdict: numbered line per gap");
            blocks.push(writer.numbers(&rows.concat()));
        }
        _ => {
            writer.note("verdict: bullet per gap");
            blocks.push(writer.bullets(&rows.concat()));
        }
    }
    blocks
}
