//! Owns the reading of the Engineer's document: bound gaps and their parts, new gaps, responses, disagreements, markers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading};
use super::gap_line::DeclaredGap;
use super::{find_field, is_none_word};
use crate::gap::Confidence;
use crate::ids::{GapId, IssueId, gap_ids_in, issue_ids_in};

/// What an Engineer's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EngineerReading {
    pub gaps: Vec<BoundGap>,
    pub responses: Vec<Response>,
    pub disagreements: Vec<Disagreement>,
    pub blocked: Vec<BlockedMarker>,
    /// Issue ids that stand in gap sections.
    pub mentions: Vec<Mention>,
}

/// A section that is bound to a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundGap {
    pub gap: GapId,
    pub line: u32,
    pub confidence: Option<Confidence>,
    /// The bytes of the gap's whole section, heading included.
    pub section: Range<usize>,
    /// The bytes of solution and examples, or of the section's text where it has no such parts.
    pub solution: Vec<Range<usize>>,
    pub has_trade_offs: bool,
    pub new_gaps: Vec<DeclaredGap>,
}

/// `## Response to ISSUE-…`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    pub issue: IssueId,
    pub line: u32,
    pub section: Range<usize>,
}

/// An issue id in the prose of a gap's section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    pub issue: IssueId,
    pub gap: GapId,
    pub line: u32,
}

/// `## DISAGREE: ISSUE-…`, with its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    pub issue: IssueId,
    pub line: u32,
    pub section: Range<usize>,
    pub concern: Option<String>,
    pub position: Option<String>,
    pub rationale: Option<String>,
    pub alternative: Option<String>,
}

/// `BLOCKED_NEEDS_INPUT: GAP-…` with a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedMarker {
    pub gap: GapId,
    pub line: u32,
    pub reason: String,
}

const BLOCKED_MARKER: &str = "BLOCKED_NEEDS_INPUT:";

/// Words that open a part of the document that belongs to no gap.
const ROUND_LEVEL_PARTS: [&str; 4] = ["Summary", "Appendix", "Response", "DISAGREE"];

enum Part {
    Gap(GapId),
    Response(IssueId),
    Disagree(IssueId),
    RoundLevel,
}

fn part_of(heading: &Heading) -> Option<Part> {
    if heading.level > 2 {
        return None;
    }
    let title = heading.title.as_str();
    if let Some(rest) = title.strip_prefix("Gap Resolution:")
        && let Some(found) = gap_ids_in(rest).into_iter().next()
    {
        return Some(Part::Gap(found.id));
    }
    let issue = || issue_ids_in(title).into_iter().next().map(|found| found.id);
    if title.starts_with("DISAGREE:")
        && let Some(issue) = issue()
    {
        return Some(Part::Disagree(issue));
    }
    if title.starts_with("Response to ")
        && let Some(issue) = issue()
    {
        return Some(Part::Response(issue));
    }
    ROUND_LEVEL_PARTS
        .iter()
        .any(|word| title.starts_with(word))
        .then_some(Part::RoundLevel)
}

/// Reads an Engineer's document.
pub fn read_engineer(document: &Document) -> EngineerReading {
    let mut reading = EngineerReading::default();
    for (index, heading) in document.headings.iter().enumerate() {
        let Some(part) = part_of(heading) else {
            continue;
        };
        let body = document.section(index, |next| part_of(next).is_some());
        let section = heading.span.start..body.end;
        match part {
            Part::Gap(gap) => {
                for found in issue_ids_in(document.prose_of(body.clone())) {
                    reading.mentions.push(Mention {
                        issue: found.id,
                        gap: gap.clone(),
                        line: document.line_of(body.start + found.at),
                    });
                }
                reading
                    .gaps
                    .push(read_gap(document, gap, heading.line, section, &body));
            }
            Part::Response(issue) => reading.responses.push(Response {
                issue,
                line: heading.line,
                section,
            }),
            Part::Disagree(issue) => {
                reading.disagreements.push(read_disagreement(
                    document,
                    issue,
                    heading.line,
                    section,
                ));
            }
            Part::RoundLevel => {}
        }
    }
    reading.blocked = read_blocked(document);
    reading
}

fn read_gap(
    document: &Document,
    gap: GapId,
    line: u32,
    section: Range<usize>,
    body: &Range<usize>,
) -> BoundGap {
    let confidence =
        find_field(document.prose_of(body.clone()), "Confidence").and_then(read_confidence);
    let mut bound = BoundGap {
        gap,
        line,
        confidence,
        section,
        solution: Vec::new(),
        has_trade_offs: false,
        new_gaps: Vec::new(),
    };
    for (index, heading) in document.headings.iter().enumerate() {
        if heading.level != 3 || !body.contains(&heading.span.start) {
            continue;
        }
        let mut part = document.section(index, |next| next.level <= 3);
        part.end = part.end.min(body.end);
        match heading.title.to_ascii_lowercase().as_str() {
            "proposed solution" | "examples" | "example" => bound.solution.push(part),
            "trade-offs" => bound.has_trade_offs = true,
            "new gaps introduced" => bound.new_gaps = read_new_gaps(document, &part),
            _ => {}
        }
    }
    if bound.solution.is_empty() {
        bound.solution.push(body.clone());
    }
    bound
}

/// Reads the list items of a New Gaps part.
pub(super) fn read_new_gaps(document: &Document, part: &Range<usize>) -> Vec<DeclaredGap> {
    document
        .items_in(part)
        .filter(|item| !is_none_word(&item.text))
        .filter_map(|item| DeclaredGap::from_item(&item.text, item.line))
        .collect()
}

fn read_confidence(value: &str) -> Option<Confidence> {
    let word = value.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    [Confidence::High, Confidence::Medium, Confidence::Low]
        .into_iter()
        .find(|confidence| confidence.name().eq_ignore_ascii_case(word))
}

fn read_disagreement(
    document: &Document,
    issue: IssueId,
    line: u32,
    section: Range<usize>,
) -> Disagreement {
    let prose = document.prose_of(section.clone());
    let part = |name: &str| block_field(prose, name);
    Disagreement {
        issue,
        line,
        concern: part("Reviewer Concern"),
        position: part("Engineer Position"),
        rationale: part("Rationale"),
        alternative: part("Alternative Approach"),
        section,
    }
}

/// Reads a field whose value may stand on the lines below it, up to the next field.
fn block_field(prose: &str, name: &str) -> Option<String> {
    let mut value: Option<Vec<&str>> = None;
    for line in prose.lines() {
        match (super::field(line), &mut value) {
            (Some((found, rest)), None) if starts_with_ignoring_case(found, name) => {
                value = Some(vec![rest]);
            }
            (Some(_), Some(_)) => break,
            (None, Some(lines)) => lines.push(line.trim().trim_start_matches('>').trim()),
            _ => {}
        }
    }
    let joined = value?.join("\n").trim().to_owned();
    (!joined.is_empty()).then_some(joined)
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn read_blocked(document: &Document) -> Vec<BlockedMarker> {
    let mut markers = Vec::new();
    let mut at = 0;
    for line in document.prose().split_inclusive('\n') {
        if let Some(rest) = line.trim().trim_matches('*').strip_prefix(BLOCKED_MARKER)
            && let Some(found) = gap_ids_in(rest).into_iter().next()
        {
            let behind = &rest[found.at + found.id.to_string().len()..];
            let reason = behind
                .trim_start_matches([':', '-', '–', '—', '*', ' '])
                .trim();
            markers.push(BlockedMarker {
                gap: found.id,
                line: document.line_of(at),
                reason: reason.to_owned(),
            });
        }
        at += line.len();
    }
    markers
}
