//! Owns the reading of issues in a review: as list items or as headings, with severity from the nearest of field, suffix
//! and section, and fields under their synonyms. An issue that its own text takes back is withdrawn.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading, Item};
use super::field;
use super::issue_names::{body_fields, is_part_of_issue, leading_id, loose_field, unnumbered};
use super::reviewer::ReviewSection;
use super::severity_outline::{Place, SeverityOutline};
use super::vocabulary::{
    IMPACT_FIELDS, LOCATION_FIELDS, SETTLED_BY_FIELD, SETTLED_WORDS, SUGGESTION_FIELDS,
    WITHDRAWING_PHRASES, WITHDRAWN_WORDS, has_word, severity_at_start, severity_of_title,
    severity_tag, words_of,
};
use super::{Mode, is_none_word};
use crate::ids::{GapId, gap_ids_in};
use crate::issue::Concern;
use crate::severity::Severity;
use crate::text::one_line;

/// An issue as it stands in the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedIssue {
    /// The id as the Reviewer wrote it, canonical or not.
    pub written_id: String,
    pub gap: Option<GapId>,
    pub concern: Concern,
    pub withdrawn: bool,
    pub line: u32,
    /// False where it stands in an accepted variant.
    #[serde(default = "yes")]
    pub canonical: bool,
}

fn yes() -> bool {
    true
}

/// Reads the issues of a review.
pub(super) fn read_issues(
    document: &Document,
    reviews: &[ReviewSection],
    mode: Mode,
) -> Vec<RaisedIssue> {
    let outline = SeverityOutline::of(document, mode);
    let mut issues = Vec::new();
    for item in document
        .items
        .iter()
        .filter(|item| item.depth == 0 && !is_none_word(&item.text))
    {
        let Some(place) = outline.place(item.span.start) else {
            continue;
        };
        issues.extend(read_item(document, item, place, reviews, mode));
    }
    issues.extend(read_prose(document, &outline, reviews, &issues, mode));
    if mode == Mode::Tolerant {
        let headed: Vec<RaisedIssue> = document
            .headings
            .iter()
            .enumerate()
            .filter_map(|(index, heading)| {
                let place = outline.place(heading.span.start)?;
                read_heading(document, index, heading, place, reviews, &issues)
            })
            .collect();
        issues.extend(headed);
        issues.sort_by_key(|issue: &RaisedIssue| issue.line);
    }
    issues
}

/// Reads a list item; `None` where it raises no issue.
fn read_item(
    document: &Document,
    item: &Item,
    place: Place,
    reviews: &[ReviewSection],
    mode: Mode,
) -> Option<RaisedIssue> {
    let (checked, text) = match item.text.get(..4) {
        Some("[x] " | "[X] ") => (true, &item.text[4..]),
        Some("[ ] ") => (false, &item.text[4..]),
        _ => (false, item.text.as_str()),
    };
    let bold = text.starts_with("**");
    // What stands under a severity section is an issue, with an id or without: nothing a Reviewer objects to is dropped.
    let (written_id, behind) = match leading_id(text) {
        Some(found) => found,
        None if place.direct && !names_nothing(text) && !is_part_of_issue(text) => ("", text),
        None => return None,
    };
    let bold = bold || written_id.is_empty();
    if checked || (mode == Mode::Strict && !bold) {
        return None;
    }
    let mut summary = match field(behind) {
        // A label in bold: `**Retry budget:** nobody says how long`.
        Some((label, said)) if written_id.is_empty() => format!("{label}: {said}"),
        _ => behind
            .trim_start_matches(['*', ':', ']', '`', ' '])
            .to_owned(),
    };
    let suffix = leading_tag(&mut summary);
    let fields: Vec<(String, String)> = document
        .nested_in(item)
        .filter_map(|nested| loose_field(&nested.text))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let canonical = bold && place.canonical && suffix.is_none() && written_id.starts_with("ISSUE-");
    let own = document.prose_of(item.span.clone());
    let found = Found {
        written_id,
        summary,
        suffix,
        fields,
        own,
        canonical,
        at: item.span.start,
        line: item.line,
    };
    found.issue(place, reviews, mode)
}

/// Reads a heading `### ISSUE-R1-001: title`; `None` where it raises no issue. Right below a severity section's title a heading
/// needs no id, unless issues stand under it.
fn read_heading(
    document: &Document,
    index: usize,
    heading: &Heading,
    place: Place,
    reviews: &[ReviewSection],
    known: &[RaisedIssue],
) -> Option<RaisedIssue> {
    let body = document.section(index, |next| next.level <= heading.level);
    let (written_id, behind) = match leading_id(&heading.title) {
        Some(found) => found,
        None if place.severity.is_some() && is_untitled_issue(document, index, &body, known) => {
            ("", unnumbered(&heading.title))
        }
        None => return None,
    };
    let mut summary = behind
        .trim_start_matches(['*', ':', ']', '`', ' '])
        .to_owned();
    let suffix = leading_tag(&mut summary);
    let fields = body_fields(document, &body);
    let own = document.prose_of(body);
    let (at, line) = (heading.span.start, heading.line);
    let found = Found {
        written_id,
        summary,
        suffix,
        fields,
        own,
        canonical: false,
        at,
        line,
    };
    found.issue(place, reviews, Mode::Tolerant)
}

/// A heading right below a severity section's title that says something and has text, and no issue of its own, under it.
fn is_untitled_issue(
    document: &Document,
    index: usize,
    body: &Range<usize>,
    known: &[RaisedIssue],
) -> bool {
    let heading = &document.headings[index];
    let above = document.headings[..index]
        .iter()
        .rfind(|above| above.level < heading.level);
    let title = unnumbered(&heading.title);
    let says =
        !names_nothing(title) && gap_ids_in(title).is_empty() && loose_field(title).is_none();
    let text = document
        .prose_of(body.clone())
        .chars()
        .any(char::is_alphanumeric);
    let lines = heading.line..=document.line_of(body.end.saturating_sub(1).max(body.start));
    let first = known.partition_point(|issue| issue.line < heading.line);
    let holds_issues = known
        .get(first)
        .is_some_and(|issue| lines.contains(&issue.line));
    above.is_some_and(|above| severity_of_title(&above.title).is_some())
        && severity_of_title(&heading.title).is_none()
        && says
        && text
        && !holds_issues
}

/// Text that says that there is nothing: `None`, `No issues identified.`
fn names_nothing(text: &str) -> bool {
    let words: Vec<String> = words_of(text).take(3).map(str::to_lowercase).collect();
    match words
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [] => true,
        ["none" | "nothing" | "nil", ..] | ["n", "a", ..] => true,
        ["no", second, ..] => {
            let about = [
                "issue", "issues", "critical", "high", "medium", "low", "new", "further",
                "blocking", "problems",
            ];
            about.contains(second)
        }
        _ => false,
    }
}

/// Issues written as prose: a severity section that has text and no item. Those that are known come in order.
fn read_prose(
    document: &Document,
    outline: &SeverityOutline,
    reviews: &[ReviewSection],
    known: &[RaisedIssue],
    mode: Mode,
) -> Vec<RaisedIssue> {
    let mut issues = Vec::new();
    for (index, heading) in document.headings.iter().enumerate() {
        let place = outline.place(heading.span.start);
        let Some(place) = place.filter(|place| place.severity.is_some()) else {
            continue;
        };
        if severity_of_title(&heading.title).is_none() {
            continue;
        }
        let body = document.section(index, |_| true);
        let lines = document.line_of(body.start)
            ..=document.line_of(body.end.saturating_sub(1).max(body.start));
        let has_items =
            document.items_in(&body).next().is_some() || document.rows_in(&body).next().is_some();
        let before = known.partition_point(|issue| issue.line < *lines.start());
        let has_issue = known
            .get(before)
            .is_some_and(|issue| lines.contains(&issue.line));
        let deeper = document
            .headings
            .get(index + 1)
            .is_some_and(|next| next.level > heading.level);
        let prose = document.prose_of(body.clone());
        let paragraph = prose
            .split("\n\n")
            .map(str::trim)
            .find(|text| text.chars().any(char::is_alphanumeric));
        let Some(paragraph) = paragraph.filter(|text| !names_nothing(text)) else {
            continue;
        };
        if has_items || has_issue || deeper {
            continue;
        }
        let summary = one_line(paragraph);
        let found = Found {
            written_id: "",
            summary,
            suffix: None,
            fields: Vec::new(),
            own: prose,
            canonical: false,
            at: body.start,
            line: heading.line,
        };
        issues.extend(found.issue(place, reviews, mode));
    }
    issues
}

/// Takes a severity tag off the beginning of a summary: `(LOW): …`.
fn leading_tag(summary: &mut String) -> Option<Severity> {
    let trimmed = summary.trim_start();
    if !trimmed.starts_with(['(', '[']) {
        return severity_tag(summary).filter(|_| summary.trim_end().ends_with([')', ']']));
    }
    let end = trimmed.find([')', ']'])? + 1;
    let severity = severity_tag(&trimmed[..end])?;
    *summary = trimmed[end..]
        .trim_start_matches(['*', ':', ' ', '-', '–'])
        .to_owned();
    Some(severity)
}

/// An issue as it was found, before its severity and gap are settled.
struct Found<'d> {
    written_id: &'d str,
    summary: String,
    /// A severity beside the id or at the end of the title.
    suffix: Option<Severity>,
    fields: Vec<(String, String)>,
    /// Its whole text.
    own: &'d str,
    canonical: bool,
    at: usize,
    line: u32,
}

impl Found<'_> {
    fn issue(self, place: Place, reviews: &[ReviewSection], mode: Mode) -> Option<RaisedIssue> {
        let Self {
            written_id,
            summary,
            suffix,
            fields,
            own,
            canonical,
            at,
            line,
        } = self;
        let value = |names: &[&str]| {
            fields
                .iter()
                .find(|(name, _)| has_word(names, name))
                .map(|(_, value)| value.clone())
                .filter(|v| !v.is_empty())
        };
        if mode == Mode::Tolerant && is_settled(&summary, &fields) {
            return None;
        }
        let severity = value(&["severity", "priority"])
            .and_then(|value| severity_at_start(&value))
            .or(suffix)
            .or(place.severity)?;
        let named: Vec<GapId> = gap_ids_in(&summary)
            .into_iter()
            .map(|found| found.id)
            .collect();
        let review = ReviewSection::around(reviews, at);
        let heading_gap = review.and_then(|section| section.gaps.first());
        let from_fields = || {
            let fields = fields.iter().filter(|(name, _)| {
                has_word(&LOCATION_FIELDS, name) || name.eq_ignore_ascii_case("gap")
            });
            fields
                .flat_map(|(_, value)| gap_ids_in(value))
                .map(|found| found.id)
                .next()
        };
        // An issue that names its review's gap binds there, whatever else it names beside it.
        let gap = match heading_gap {
            Some(gap) if named.is_empty() || named.contains(gap) => Some(gap.clone()),
            _ => named
                .into_iter()
                .next()
                .or_else(from_fields)
                .or_else(|| first_gap(own)),
        };
        let withdrawn = is_withdrawn(own, &fields);
        let (location, impact, suggestion) = (
            value(&LOCATION_FIELDS),
            value(&IMPACT_FIELDS),
            value(&SUGGESTION_FIELDS),
        );
        let summary = summary.trim_start_matches("(withdrawn)").trim();
        let summary = match summary.trim_matches('*').trim() {
            "" => {
                let mut said = [&impact, &suggestion, &location].into_iter().flatten();
                let said = said.next().cloned();
                said.unwrap_or_else(|| said_beside(written_id, own))
            }
            summary => summary.to_owned(),
        };
        Some(RaisedIssue {
            written_id: written_id.to_owned(),
            gap,
            concern: Concern {
                severity,
                summary,
                location,
                impact,
                suggestion,
                settled_by_user: fields.iter().any(|(name, by)| {
                    name.eq_ignore_ascii_case(SETTLED_BY_FIELD)
                        && words_of(by).any(|word| word.eq_ignore_ascii_case("user"))
                }),
            },
            withdrawn,
            line,
            canonical,
        })
    }
}

/// What an issue without a title says under its id: its first paragraph, in a line.
fn said_beside(written_id: &str, own: &str) -> String {
    let behind = own.split_once(written_id).map_or(own, |(_, behind)| behind);
    let mut paragraphs = behind.split("\n\n").map(|paragraph| {
        let mut said = one_line(paragraph)
            .trim_start_matches(['*', ':', ']', '`', ' ', '-'])
            .to_owned();
        leading_tag(&mut said);
        said
    });
    let said = paragraphs.find(|said| said.chars().any(char::is_alphanumeric));
    said.unwrap_or_else(|| "nothing is said of it".to_owned())
}

fn first_gap(text: &str) -> Option<GapId> {
    gap_ids_in(text).into_iter().next().map(|found| found.id)
}

/// True where an issue's own text takes it back. A domain may have withdrawals of its own: a word counts only where it stands
/// alone, in brackets, in bold or as the value of a field.
fn is_withdrawn(own: &str, fields: &[(String, String)]) -> bool {
    let lower = own.to_lowercase();
    let word = |text: &str| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        WITHDRAWN_WORDS.contains(&bare)
    };
    let parts = || lower.split(['(', ')', '[', ']', ':', '\n', '–', '—', '~']);
    let bold = lower.split("**").skip(1).step_by(2);
    let dashed = lower.split(" - ");
    parts().any(word)
        || bold.into_iter().any(word)
        || dashed.into_iter().any(word)
        || fields.iter().any(|(_, value)| word(&value.to_lowercase()))
        || WITHDRAWING_PHRASES
            .iter()
            .any(|phrase| lower.contains(phrase))
}

/// True where the review says that this earlier issue is done with.
fn is_settled(summary: &str, fields: &[(String, String)]) -> bool {
    let ends_settled = summary
        .rsplit([' ', '-', '–', '*'])
        .find(|word| !word.is_empty())
        .is_some_and(|word| {
            has_word(&SETTLED_WORDS, word.trim_matches('.'))
                && word.chars().all(|c| !c.is_lowercase())
        });
    let field_settled = fields.iter().any(|(name, value)| {
        has_word(&["verdict", "status"], name)
            && words_of(value)
                .next()
                .is_some_and(|word| has_word(&SETTLED_WORDS, word))
    });
    ends_settled || field_settled
}

/// Reads one issue of a list that stands under no severity section: the final review's blockers, HIGH where they say nothing.
pub(super) fn read_blocker_item(document: &Document, item: &Item) -> Option<RaisedIssue> {
    let place = Place {
        severity: Some(Severity::High),
        canonical: true,
        direct: false,
    };
    read_item(document, item, place, &[], Mode::Tolerant)
}
