//! Owns the reading of the Reviewer's document: reviewed gaps, issues with severity and fields, verdicts, new gaps.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading, Item};
use super::engineer::read_new_gaps;
use super::gap_line::DeclaredGap;
use super::{field, find_field, is_none_word};
use crate::ids::{GapId, gap_ids_in};
use crate::issue::Concern;
use crate::severity::Severity;

/// What a Reviewer's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerReading {
    pub reviews: Vec<Review>,
    pub issues: Vec<RaisedIssue>,
    pub new_gaps: Vec<DeclaredGap>,
}

/// A section that reviews a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub gap: GapId,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// How many things it says it examined.
    pub examined: u32,
    /// True where it has severity sections.
    pub has_severity_sections: bool,
    /// The severity that the Reviewer gives the gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

/// What a review comes to, where it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    NoIssuesFound,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::NoIssuesFound => "NO_ISSUES_FOUND",
        }
    }
}

/// An issue as it stands in the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedIssue {
    /// The id as the Reviewer wrote it, canonical or not.
    pub written_id: String,
    pub gap: Option<GapId>,
    pub concern: Concern,
    pub withdrawn: bool,
    pub line: u32,
}

/// Severity sections by the first word of their heading.
const SEVERITY_SECTIONS: [(&str, Severity); 4] = [
    ("critical", Severity::Critical),
    ("high", Severity::High),
    ("medium", Severity::Medium),
    ("low", Severity::Low),
];

fn reviewed_gap(heading: &Heading) -> Option<GapId> {
    if heading.level != 2 {
        return None;
    }
    let rest = heading.title.strip_prefix("Review:")?;
    gap_ids_in(rest).into_iter().next().map(|found| found.id)
}

fn severity_section(heading: &Heading) -> Option<Severity> {
    let word = heading
        .title
        .split_whitespace()
        .next()?
        .to_ascii_lowercase();
    SEVERITY_SECTIONS
        .iter()
        .find(|(name, _)| heading.level == 3 && *name == word)
        .map(|(_, severity)| *severity)
}

/// Reads a Reviewer's document.
pub fn read_reviewer(document: &Document) -> ReviewerReading {
    let mut reading = ReviewerReading::default();
    for (index, heading) in document.headings.iter().enumerate() {
        let Some(gap) = reviewed_gap(heading) else {
            continue;
        };
        let body = document.section(index, |next| next.level <= 2);
        let mut review = read_review(document, gap, heading.line, &body);
        for (part_index, part) in parts_in(document, &body) {
            let mut range = document.section(part_index, |next| next.level <= 3);
            range.end = range.end.min(body.end);
            if let Some(severity) = severity_section(part) {
                review.has_severity_sections = true;
                reading
                    .issues
                    .extend(issues_in(document, &range, severity, &review.gap));
            } else if part.title.eq_ignore_ascii_case("New Gaps Identified") {
                reading.new_gaps.extend(read_new_gaps(document, &range));
            }
        }
        reading.reviews.push(review);
    }
    reading
}

fn parts_in<'d>(
    document: &'d Document,
    body: &'d Range<usize>,
) -> impl Iterator<Item = (usize, &'d Heading)> {
    document
        .headings
        .iter()
        .enumerate()
        .filter(move |(_, heading)| heading.level == 3 && body.contains(&heading.span.start))
}

fn read_review(document: &Document, gap: GapId, line: u32, body: &Range<usize>) -> Review {
    let prose = document.prose_of(body.clone());
    let no_issues = prose
        .lines()
        .any(|line| line.trim().trim_matches('*') == Verdict::NoIssuesFound.name());
    let severity = find_field(prose, "Severity").and_then(|value| {
        let word = value.split(|c: char| !c.is_ascii_alphabetic()).next()?;
        word.parse().ok()
    });
    Review {
        gap,
        line,
        verdict: no_issues.then_some(Verdict::NoIssuesFound),
        examined: count_examined(document, body),
        has_severity_sections: false,
        severity,
    }
}

/// Counts the items of the list that follows a line `Examined:`.
fn count_examined(document: &Document, body: &Range<usize>) -> u32 {
    let prose = document.prose_of(body.clone());
    let Some(at) = prose
        .lines()
        .scan(0, |offset, line| {
            let start = *offset;
            *offset += line.len() + 1;
            Some((start, line))
        })
        .find_map(|(start, line)| {
            let word = line
                .trim()
                .trim_matches(['*', '#', ' '])
                .trim_end_matches([':', '*']);
            word.eq_ignore_ascii_case("examined").then_some(start)
        })
    else {
        return 0;
    };
    let end = document
        .headings
        .iter()
        .map(|heading| heading.span.start)
        .find(|start| *start > body.start + at)
        .unwrap_or(body.end)
        .min(body.end);
    let count = document.items_in(&(body.start + at..end)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn issues_in(
    document: &Document,
    range: &Range<usize>,
    severity: Severity,
    heading_gap: &GapId,
) -> Vec<RaisedIssue> {
    document
        .items_in(range)
        .filter(|item| item.depth == 0 && !is_none_word(&item.text))
        .filter_map(|item| read_issue(document, item, severity, Some(heading_gap)))
        .collect()
}

/// Reads an item `**ISSUE-R3-001**: …` with its fields; `None` where it has no id in bold.
pub(super) fn read_issue(
    document: &Document,
    item: &Item,
    severity: Severity,
    heading_gap: Option<&GapId>,
) -> Option<RaisedIssue> {
    let (written_id, behind) = item.text.strip_prefix("**")?.split_once("**")?;
    let written_id = written_id.trim_end_matches(':').trim();
    if written_id.is_empty() || written_id.contains(char::is_whitespace) {
        return None;
    }
    let mut summary = behind.trim_start_matches([':', ' ']).trim();
    let withdrawn = ["(withdrawn)", "withdrawn"].iter().any(|word| {
        summary
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    });
    if withdrawn {
        summary = summary.trim_start_matches(|c: char| c != ' ').trim();
    }
    let mut concern = Concern {
        severity,
        summary: summary.to_owned(),
        location: None,
        impact: None,
        suggestion: None,
    };
    for nested in document.nested_in(item) {
        let Some((name, value)) = field(&nested.text) else {
            continue;
        };
        let value = Some(value.to_owned());
        match name.to_ascii_lowercase().as_str() {
            "location" => concern.location = value,
            "impact" => concern.impact = value,
            "suggestion" => concern.suggestion = value,
            _ => {}
        }
    }
    // An issue that names its review's gap binds there, whatever else it names beside it.
    let named: Vec<GapId> = gap_ids_in(&concern.summary)
        .into_iter()
        .map(|f| f.id)
        .collect();
    let gap = match heading_gap {
        Some(gap) if named.is_empty() || named.contains(gap) => Some(gap.clone()),
        _ => named.into_iter().next(),
    };
    Some(RaisedIssue {
        written_id: written_id.to_owned(),
        gap,
        concern,
        withdrawn,
        line: item.line,
    })
}
