//! What stands in a generated review beside verdicts and findings.

use super::review_layout::{Block, Writer, counted, ended, table};
use super::{Finding, Severity};
use crate::words;

/// A part that is neither a verdict nor a finding; `found` are the findings that it may count.
pub fn noise(writer: &mut Writer, found: &[Finding], approves: bool) -> Vec<Block> {
    match writer.below(100) {
        0..=14 => praise(writer),
        15..=24 => plan(writer),
        25..=31 => testing(writer),
        32..=41 => checklist(writer),
        42..=52 => summary(writer, found, approves),
        53..=65 => verification(writer),
        66..=75 => quote(writer),
        76..=83 => fence(writer),
        84..=91 => facts(writer),
        _ => assessment(writer),
    }
}

fn sentences(items: Vec<String>, writer: &mut Writer) -> Vec<String> {
    match writer.percent(50) {
        true => items.iter().map(|item| ended(item)).collect(),
        false => items,
    }
}

fn praise(writer: &mut Writer) -> Vec<Block> {
    let heading = writer.pick(words!("review_praise_headings"));
    let items = writer.several(words!("review_praise"), 2, 4);
    let body = match writer.below(10) {
        0..=5 => {
            writer.note("noise: praise");
            let items = sentences(items, writer);
            writer.list(&items)
        }
        6..=7 => {
            writer.note("noise: praise with ticks");
            let ticked: Vec<String> = items.iter().map(|item| format!("✅ {item}")).collect();
            writer.bullets(&ticked)
        }
        _ => {
            writer.note("noise: praise in prose");
            let ended: Vec<String> = items.iter().map(|item| ended(item)).collect();
            Block::Text(ended.join(" "))
        }
    };
    vec![writer.section(1, heading, "✅"), body]
}

fn plan(writer: &mut Writer) -> Vec<Block> {
    let heading = writer.pick(words!("review_plan_headings"));
    let items = writer.several(words!("review_plans"), 2, 5);
    let body = match writer.below(10) {
        0..=3 => {
            writer.note("noise: plan with numbers");
            writer.numbers(&items)
        }
        4..=5 => {
            writer.note("noise: plan");
            writer.bullets(&items)
        }
        6..=7 => {
            writer.note("noise: plan with boxes");
            let boxes: Vec<String> = items.iter().map(|item| format!("[ ] {item}")).collect();
            writer.bullets(&boxes)
        }
        _ => {
            writer.note("noise: plan in a table");
            let mut rows = vec![vec![
                "Step".to_owned(),
                "Task".to_owned(),
                "Effort".to_owned(),
            ]];
            for (at, item) in items.into_iter().enumerate() {
                let days = format!("{} d", 1 + writer.below(5));
                rows.push(vec![(at + 1).to_string(), item, days]);
            }
            table(&rows)
        }
    };
    vec![writer.section(1, heading, "🚀"), body]
}

fn testing(writer: &mut Writer) -> Vec<Block> {
    writer.note("noise: testing");
    let heading = writer.pick(words!("review_testing_headings"));
    let items = writer.several(words!("review_tests"), 2, 4);
    let items = sentences(items, writer);
    vec![writer.section(1, heading, "🧪"), writer.list(&items)]
}

fn checklist(writer: &mut Writer) -> Vec<Block> {
    let heading = writer.pick(words!("review_checklist_headings"));
    let facts = writer.several(words!("review_facts"), 2, 5);
    let body = match writer.below(10) {
        0..=5 => {
            writer.note("noise: checklist");
            let mut items: Vec<String> = facts.iter().map(|fact| format!("[x] {fact}")).collect();
            if writer.percent(35) {
                writer.note("noise: unticked boxes");
                let later = writer.several(words!("review_tests"), 1, 2);
                items.extend(later.iter().map(|item| format!("[ ] {item}")));
            }
            writer.bullets(&items)
        }
        6..=7 => {
            writer.note("noise: verified facts");
            let items: Vec<String> = facts.iter().map(|fact| format!("✓ {fact}")).collect();
            writer.bullets(&items)
        }
        _ => {
            writer.note("noise: examined places");
            let places = writer.several(words!("review_locations"), 2, 4);
            writer.list(&places)
        }
    };
    vec![writer.section(1, heading, "📋"), body]
}

fn summary(writer: &mut Writer, found: &[Finding], approves: bool) -> Vec<Block> {
    let heading = writer.pick(words!("review_summary_headings"));
    let mut blocks = vec![writer.section(1, heading, "📝")];
    let of = |severity: Severity| {
        let same = found.iter().filter(|finding| finding.severity == severity);
        same.count()
    };
    let counts = [
        ("Critical", of(Severity::Critical)),
        ("High", of(Severity::High)),
        ("Medium", of(Severity::Medium)),
        ("Low", of(Severity::Low)),
    ];
    match writer.below(4) {
        0 if !found.is_empty() || approves => {
            writer.note("noise: table of counts");
            let mut rows = vec![vec!["Severity".to_owned(), "Count".to_owned()]];
            for (name, count) in counts {
                rows.push(vec![name.to_owned(), count.to_string()]);
            }
            blocks.push(table(&rows));
        }
        1 if !found.is_empty() => {
            writer.note("noise: line of counts");
            let counts: Vec<String> = counts
                .iter()
                .map(|(name, count)| format!("{count} {}", name.to_lowercase()))
                .collect();
            let line = writer.field("Issues found", &counts.join(", "));
            blocks.push(Block::Text(line));
        }
        _ => {
            writer.note("noise: summary");
            let mut text = writer.pick(words!("review_assessments")).to_owned();
            if !found.is_empty() {
                let entry = writer.pick(words!("review_summaries"));
                let in_words = writer.percent(60);
                text = format!("{text} {}", counted(entry, found.len(), in_words));
            } else if approves {
                text = format!("{text} {}", writer.pick(words!("review_summaries_clean")));
            }
            blocks.push(Block::Text(text));
        }
    }
    blocks
}

fn verification(writer: &mut Writer) -> Vec<Block> {
    let heading = writer.pick(words!("review_verification_headings"));
    let mut blocks = vec![writer.section(1, heading, "🔁")];
    let titles = writer.several(words!("review_issue_titles"), 1, 3);
    let status = writer.pick(words!("review_resolved"));
    let form = writer.below(3);
    writer.note(match form {
        0 => "noise: resolved issues, entries",
        1 => "noise: resolved issues, table",
        _ => "noise: resolved issues, list",
    });
    let column = writer.pick(words!("review_column_status"));
    let head = ["ID", "Title", column].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    let mut items = Vec::new();
    for title in titles {
        let id = writer.next_earlier_issue();
        let note = writer.pick(words!("review_resolution_notes"));
        if form == 0 {
            let text = format!("{id}: {title} - {status}");
            blocks.push(Block::Entry { depth: 2, text });
            blocks.push(Block::Text(note.to_owned()));
        }
        items.push(match writer.below(3) {
            0 => format!("**{id}** ({title}): {status}. {note}"),
            1 => format!("{id}: {title} - **{status}**"),
            _ => format!("{status}: {id} ({title}). {note}"),
        });
        rows.push(vec![id, title, status.to_owned()]);
    }
    match form {
        0 => {}
        1 => blocks.push(table(&rows)),
        _ => blocks.push(writer.bullets(&items)),
    }
    blocks
}

fn quote(writer: &mut Writer) -> Vec<Block> {
    writer.note("noise: quote");
    let heading = writer.pick(words!("review_quote_headings"));
    let intro = writer.pick(words!("review_quote_intros"));
    let lines = writer.several(words!("review_quotes"), 1, 3);
    let quoted: Vec<String> = lines.iter().map(|line| format!("> {line}")).collect();
    vec![
        writer.section(1, heading, "📎"),
        Block::Text(intro.to_owned()),
        Block::Raw(quoted.join("\n>\n")),
    ]
}

fn fence(writer: &mut Writer) -> Vec<Block> {
    writer.note("noise: fence");
    let heading = writer.pick(words!("review_fence_headings"));
    let intro = writer.pick(words!("review_fence_intros"));
    let title = writer.pick(words!("review_issue_titles"));
    let value = writer.pick(words!("review_revise"));
    let fixed = writer.pick(words!("review_approve"));
    let body = match writer.below(5) {
        0 => format!(
            "```markdown\n### HIGH\n- **ISSUE-R3-099**: {title}\n  - **Severity:** High\n\n**Verdict:** {value}\n```"
        ),
        1 => format!(
            "```json\n{{\n  \"verdict\": \"{fixed}\",\n  \"issues\": [{{\"id\": \"ISSUE-R3-098\", \"severity\": \"critical\"}}]\n}}\n```"
        ),
        2 => format!("```\n## Verdict: {fixed}\n\n## Critical Issues\n- {title}\n```"),
        3 => format!("~~~markdown\n#### ISSUE-RX-NNN: {title}\nStatus: {value}\n~~~"),
        _ => format!("```yaml\nid: GAP-FLOW-001\nstatus: {fixed}\nnotes: {title}\n```"),
    };
    vec![
        writer.section(1, heading, "📎"),
        Block::Text(intro.to_owned()),
        Block::Raw(body),
    ]
}

fn facts(writer: &mut Writer) -> Vec<Block> {
    writer.note("noise: table of facts");
    let heading = writer.pick(words!("review_checklist_headings"));
    let aspects = writer.several(words!("review_aspects"), 3, 6);
    let notes = writer.percent(50);
    let mut head = vec!["Aspect".to_owned(), "Result".to_owned()];
    if notes {
        head.push("Notes".to_owned());
    }
    let mut rows = vec![head];
    for aspect in aspects {
        let value = writer.pick(words!("review_aspect_values")).to_owned();
        let mut row = vec![aspect, value];
        if notes {
            row.push(writer.pick(words!("review_facts")).to_owned());
        }
        rows.push(row);
    }
    vec![writer.section(1, heading, "📋"), table(&rows)]
}

/// A paragraph that says what the proposal does.
pub fn paragraph(writer: &mut Writer) -> Block {
    writer.note("noise: assessment");
    let mut said = writer.several(words!("review_assessments"), 1, 2);
    if writer.percent(30) {
        said.push(ended(writer.pick(words!("review_praise"))));
    }
    Block::Text(said.join(" "))
}

fn assessment(writer: &mut Writer) -> Vec<Block> {
    let heading = writer.pick(words!("review_summary_headings"));
    vec![writer.section(1, heading, "📝"), paragraph(writer)]
}

/// A line that names what was examined.
pub fn examined(writer: &mut Writer) -> Block {
    writer.note("noise: examined line");
    let places = writer.several(words!("review_locations"), 2, 4);
    let line = writer.field("Examined", &places.join(", "));
    Block::Text(line)
}

/// Who wrote the review and when.
pub fn sign_off(writer: &mut Writer) -> Vec<Block> {
    writer.note("noise: sign-off");
    let heading = writer.pick(words!("review_signoff_headings"));
    let mut lines = head_fields(writer);
    if writer.percent(40) {
        lines.push(writer.field("Round", "3"));
    }
    let body = match writer.percent(50) {
        true => Block::Text(lines.join("\n")),
        false => writer.bullets(&lines),
    };
    match writer.percent(60) {
        true => vec![writer.section(1, heading, ""), body],
        false => vec![Block::Rule, body],
    }
}

/// Fields that name the reviewer and the day.
pub fn head_fields(writer: &mut Writer) -> Vec<String> {
    let reviewer = writer.pick(words!("review_reviewers"));
    let mut lines = vec![writer.field("Reviewer", reviewer)];
    let date = format!("2025-0{}-1{}", 1 + writer.below(9), writer.below(10));
    lines.push(writer.field("Date", &date));
    lines
}
