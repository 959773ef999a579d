//! The reading of a recorded decisions.md: headings with `**Decision:**` or `**Choice:**`, and tables with such a column.

use std::ops::Range;

use super::fields::field;
use super::vocabulary::words_of;
use gapless_domain::DecisionId;
use gapless_markdown::{Document, TableRow};

/// A decision as a record has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedDecision {
    /// The round that it stands under; 0 where there is none.
    pub round: u32,
    pub title: String,
    /// What it says it is about, beside its title.
    pub subject: String,
    pub decision: String,
    pub rationale: String,
    /// What else is said of it.
    pub constraints: String,
    pub line: u32,
}

/// What a decisions.md says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecisionsReading {
    pub decisions: Vec<RecordedDecision>,
    /// Headings under which something stands that is no decision, with their lines.
    pub unread: Vec<(u32, String)>,
}

const DECIDING: [&str; 2] = ["decision", "choice"];
/// Fields that say nothing of what was decided.
const ASIDE: [&str; 6] = [
    "decided by",
    "date",
    "timestamp",
    "session",
    "started",
    "kind",
];
/// What gapless writes where there is nothing to say.
const NOTHING: [&str; 2] = ["none", "not stated"];

pub fn read_decisions(document: &Document) -> DecisionsReading {
    let mut reading = DecisionsReading::default();
    // The rounds of the headings above, with their levels.
    let mut above: Vec<(u8, u32)> = Vec::new();
    for (index, heading) in document.headings.iter().enumerate() {
        above.retain(|(level, _)| *level < heading.level);
        if let Some(round) = round_in(&heading.title) {
            above.push((heading.level, round));
        }
        let round = above.last().map_or(0, |(_, round)| *round);
        let part = Part {
            document,
            range: document.section(index, |_| true),
            title: subject(&heading.title),
            round,
        };
        let before = reading.decisions.len();
        part.fields(&mut reading.decisions);
        let rows_left = part.rows(&mut reading.decisions);
        let took = reading.decisions.len() > before || rows_left;
        if !took && heading.level > 1 && part.says_something() {
            let unread = (heading.line, heading.title.clone());
            reading.unread.push(unread);
        }
    }
    reading
}

/// `Round 1: ISSUE-R1-002` is about what stands behind the colon; so is `DECISION-R1-001: where it goes`.
fn subject(title: &str) -> String {
    let behind = title.split_once(':').filter(|(head, rest)| {
        let round = round_in(head).is_some() && words_of(head).count() <= 2;
        (round || head.parse::<DecisionId>().is_ok()) && !rest.trim().is_empty()
    });
    behind.map_or(title, |(_, rest)| rest).trim().to_owned()
}

/// The round that a heading names.
fn round_in(title: &str) -> Option<u32> {
    let head = title.split(':').next().unwrap_or(title);
    if let Ok(id) = head.trim().parse::<DecisionId>() {
        return Some(id.round);
    }
    let mut words = words_of(title).skip_while(|word| {
        let last = word.rsplit('-').next().unwrap_or(word);
        !last.eq_ignore_ascii_case("round")
    });
    words.next()?;
    words.next()?.parse().ok()
}

/// What stands under one heading, up to the next.
struct Part<'d> {
    document: &'d Document<'d>,
    range: Range<usize>,
    title: String,
    round: u32,
}

impl Part<'_> {
    fn fields(&self, decisions: &mut Vec<RecordedDecision>) {
        let (mut title, mut before) = (self.title.clone(), String::new());
        let mut subject = String::new();
        let mut under_way: Option<RecordedDecision> = None;
        for (at, line) in self.document.prose_lines(self.range.clone()) {
            // gapless itself writes fields as a list.
            let Some((name, value)) = field(line.strip_prefix("- ").unwrap_or(line)) else {
                continue;
            };
            let lower = name.to_lowercase();
            if NOTHING.contains(&value) && !DECIDING.contains(&lower.as_str()) {
                continue;
            }
            if lower == "subject" {
                subject = value.to_owned();
                continue;
            }
            if value.is_empty() {
                decisions.extend(under_way.take());
                title = name.to_owned();
                before.clear();
            } else if DECIDING.contains(&lower.as_str()) {
                decisions.extend(under_way.take());
                under_way = Some(RecordedDecision {
                    round: self.round,
                    title: title.clone(),
                    subject: std::mem::take(&mut subject),
                    decision: value.to_owned(),
                    rationale: String::new(),
                    constraints: std::mem::take(&mut before),
                    line: self.document.line_of(at),
                });
            } else if !ASIDE.contains(&lower.as_str()) {
                let said = format!("{name}: {value}");
                match &mut under_way {
                    Some(decision) if lower == "rationale" => decision.rationale = value.to_owned(),
                    Some(decision) => add(&mut decision.constraints, &said),
                    None => add(&mut before, &said),
                }
            }
        }
        decisions.extend(under_way);
    }

    /// Takes the rows of tables that have a column for what was decided; true where there is such a table.
    fn rows(&self, decisions: &mut Vec<RecordedDecision>) -> bool {
        let mut head: Option<Columns> = None;
        let mut found = false;
        for row in self.document.rows_in(&self.range) {
            if row.is_head {
                head = Columns::of(row);
                found |= head.is_some();
                continue;
            }
            let Some(columns) = &head else { continue };
            let cell = |index: Option<usize>| {
                let cell = index.and_then(|index| row.cells.get(index));
                cell.map_or("", |cell| cell.trim()).to_owned()
            };
            let decision = RecordedDecision {
                round: cell(columns.round).parse().unwrap_or(self.round),
                title: cell(columns.title),
                subject: String::new(),
                decision: cell(Some(columns.decision)),
                rationale: cell(columns.rationale),
                constraints: String::new(),
                line: row.line,
            };
            // A log at the end repeats what stands above it.
            let repeats = decisions.iter().any(|known| same(known, &decision));
            if !decision.decision.is_empty() && !repeats {
                decisions.push(decision);
            }
        }
        found
    }

    fn says_something(&self) -> bool {
        let lines = self.document.prose_lines(self.range.clone());
        let has_prose = lines.map(|(_, line)| line.trim()).any(|line| {
            let placeholder = line.starts_with('*') && !line.starts_with("**");
            !line.is_empty() && line != "---" && !placeholder
        });
        let mut code = self.document.code_blocks.iter();
        has_prose || code.any(|code| self.range.contains(&code.start))
    }
}

fn same(known: &RecordedDecision, row: &RecordedDecision) -> bool {
    let plain = |text: &str| text.to_lowercase();
    let (known_title, title) = (plain(&known.title), plain(&row.title));
    known.round == row.round
        && !title.is_empty()
        && (known_title.starts_with(&title) || title.starts_with(&known_title))
}

fn add(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push_str("; ");
    }
    text.push_str(more);
}

/// Where a table of decisions has what.
struct Columns {
    title: Option<usize>,
    decision: usize,
    rationale: Option<usize>,
    round: Option<usize>,
}

impl Columns {
    fn of(head: &TableRow) -> Option<Self> {
        let names: Vec<String> = head.cells.iter().map(|cell| cell.to_lowercase()).collect();
        let find = |word: &str| names.iter().position(|name| name.trim() == word);
        let about = |word: &str| names.iter().position(|name| name.contains(word));
        let (title, decision) = match find("choice") {
            Some(choice) => (about("decision"), choice),
            None => (about("issue").or(about("gap")), find("decision")?),
        };
        Some(Self {
            title,
            decision,
            rationale: about("rationale").or(about("impact")),
            round: find("round"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let reading = read_decisions(&Document::parse(text));
        let decisions = reading.decisions.iter();
        let decisions = decisions.map(|one| {
            format!(
                "{} R{} {} = {} ({}) [{}]",
                one.line, one.round, one.title, one.decision, one.rationale, one.constraints
            )
        });
        let unread = reading.unread.iter();
        let unread = unread.map(|(line, title)| format!("{line} ? {title}"));
        decisions.chain(unread).collect()
    }

    #[test]
    fn decisions_under_headings_of_rounds() {
        let text = "# Log\n\n**Session:** s\n\n## Decisions\n\n### Round 2: ISSUE-R2-001 (where it goes)\n\
                    **Conflict:** left or right\n**Decision:** left\n**Rationale:** it is shorter\n**Date:** today\n";
        assert_eq!(
            read(text),
            ["9 R2 ISSUE-R2-001 (where it goes) = left (it is shorter) [Conflict: left or right]"]
        );
    }

    #[test]
    fn choices_under_titles_and_a_log_that_repeats_them() {
        let text = "## Round 0\n\n### OQ-001: Model\n**Choice:** two\n**Rationale:** safer\n\n### Said Later (Post-Round 1)\n\n\
                    **First matter:**\n**Choice:** yes\n\n**Second matter:**\n**Choice:** no\n**Scope:** all\n\n\
                    ## Log\n\n| Round | Decision ID | Choice |\n|--|--|--|\n| 0 | OQ-001 | two |\n| 3 | OQ-009 | late |\n| | | |\n";
        assert_eq!(
            read(text),
            [
                "4 R0 OQ-001: Model = two (safer) []",
                "10 R1 First matter = yes () []",
                "13 R1 Second matter = no () [Scope: all]",
                "21 R3 OQ-009 = late () []"
            ]
        );
    }

    #[test]
    fn decisions_as_gapless_writes_them() {
        let text = "# Decisions\n\n### DECISION-R3-001: where it goes\n\n- **Kind:** input\n- **Subject:** GAP-COL-001\n\
                    - **Decision:** left\n- **Rationale:** not stated\n- **Constraints:** by noon\n- **Action Required:**\n  - For the gap: none\n\
                    - **Decided By:** user\n";
        assert_eq!(
            read(text),
            ["7 R3 where it goes = left () [Constraints: by noon]"]
        );
        let reading = read_decisions(&Document::parse(text));
        assert_eq!(reading.decisions[0].subject, "GAP-COL-001");
    }

    #[test]
    fn what_is_no_decision_is_told() {
        let text = "## Round 1\n\n### Key Finding\nThey lean on each other.\n\n### Scope\n```\n[ ] all\n```\n\n## Round 2\n\n*Pending*\n\n---\n";
        assert_eq!(read(text), ["3 ? Key Finding", "6 ? Scope"]);
    }
}
