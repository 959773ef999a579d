//! Owns the reading of the Reviewer's document: reviewed gaps, verdicts, severity raises, new gaps. Its issues are read
//! in `issues.rs`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading};
use super::gap_line::{DeclaredGap, read_new_gaps};
use super::issues::{RaisedIssue, read_issues};
use super::vocabulary::{
    EXAMINED_WORDS, NEW_GAPS_HEADING, REVIEWING_WORDS, SCOPE_FIELDS, VERDICT_HEADINGS, has_word,
    severity_at_start, severity_of_title, verdict_at_start, words_of,
};
use super::{MOST_GAPS_IN_HEADING, Mode, field};
use crate::ids::{GapId, gap_ids_in};
use crate::severity::Severity;

/// What a Reviewer's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerReading {
    pub reviews: Vec<Review>,
    pub issues: Vec<RaisedIssue>,
    pub new_gaps: Vec<DeclaredGap>,
    /// What the document as a whole comes to, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Severity sections that stand under no review of a gap.
    #[serde(default)]
    pub has_severity_sections: bool,
    /// The line of a heading that is the Engineer's: `## Gap Resolution: GAP-…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<u32>,
}

/// A gap that is reviewed, by a heading, a verdict or the head of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub gap: GapId,
    pub line: u32,
    /// True where a heading of its own reviews it, and not only a verdict, an issue or the document's head.
    #[serde(default = "yes")]
    pub by_heading: bool,
    /// False where the review is an accepted variant.
    #[serde(default = "yes")]
    pub canonical: bool,
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

fn yes() -> bool {
    true
}

/// What a review comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    NoIssuesFound,
    Approve,
    ApproveWithNotes,
    Revise,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::NoIssuesFound => "NO_ISSUES_FOUND",
            Verdict::Approve => "APPROVE",
            Verdict::ApproveWithNotes => "APPROVE_WITH_NOTES",
            Verdict::Revise => "REVISE",
        }
    }

    /// True where it lets the proposal pass.
    pub fn approves(self) -> bool {
        self != Verdict::Revise
    }
}

/// Reads a Reviewer's document.
pub fn read_reviewer(document: &Document, mode: Mode) -> ReviewerReading {
    let mut reading = ReviewerReading::default();
    let mut reviewed = Reviewed::default();
    let reviews = review_sections(document, mode);
    for section in &reviews {
        let verdict = verdict_in(document, &section.body, mode).or(section.verdict);
        let severities = section_severities(document, &section.body, mode);
        for gap in &section.gaps {
            reviewed.push(
                &mut reading.reviews,
                Review {
                    gap: gap.clone(),
                    line: section.line,
                    by_heading: true,
                    canonical: section.canonical,
                    verdict,
                    examined: count_examined(document, &section.body),
                    has_severity_sections: severities > 0,
                    severity: raised_severity(document, &section.body),
                },
            );
        }
    }
    reading.proposal = document
        .headings
        .iter()
        .find(|heading| heading.level == 2 && heading.title.starts_with("Gap Resolution: GAP-"))
        .map(|heading| heading.line);
    reading.issues = read_issues(document, &reviews, mode);
    for (index, heading) in document.headings.iter().enumerate() {
        if heading
            .title
            .to_ascii_lowercase()
            .starts_with(NEW_GAPS_HEADING)
        {
            let part = document.section(index, |next| next.level <= heading.level);
            reading.new_gaps.extend(read_new_gaps(document, &part));
        }
    }
    if mode == Mode::Tolerant {
        read_whole(document, &reviews, &mut reading, &mut reviewed);
    }
    reading
}

/// A part of the document that reviews gaps. The parts of a document stand one behind the other.
pub(super) struct ReviewSection {
    pub gaps: Vec<GapId>,
    pub line: u32,
    pub canonical: bool,
    /// A verdict in the heading itself.
    verdict: Option<Verdict>,
    pub body: Range<usize>,
}

impl ReviewSection {
    /// The part that a place stands in.
    pub fn around(sections: &[Self], at: usize) -> Option<&Self> {
        let behind = sections.partition_point(|section| section.body.start <= at);
        let section = sections.get(behind.checked_sub(1)?)?;
        section.body.contains(&at).then_some(section)
    }
}

fn review_sections(document: &Document, mode: Mode) -> Vec<ReviewSection> {
    let gaps: Vec<(Vec<GapId>, bool)> = document
        .headings
        .iter()
        .map(|heading| reviewed_gaps(heading, mode))
        .collect();
    let mut sections = Vec::new();
    for (index, heading) in document.headings.iter().enumerate() {
        let (ids, canonical) = &gaps[index];
        if ids.is_empty() {
            continue;
        }
        // It ends at the next heading of its level, or at the next review whatever its level.
        let next = document.headings[index + 1..]
            .iter()
            .zip(&gaps[index + 1..])
            .find(|(next, (ids, _))| next.level <= heading.level || !ids.is_empty());
        let end = next.map_or(document.source.len(), |(next, _)| next.span.start);
        sections.push(ReviewSection {
            gaps: ids.clone(),
            line: heading.line,
            canonical: *canonical,
            verdict: (mode == Mode::Tolerant)
                .then(|| verdict_of_title(&heading.title))
                .flatten(),
            body: heading.span.end..end,
        });
    }
    sections
}

fn reviewed_gaps(heading: &Heading, mode: Mode) -> (Vec<GapId>, bool) {
    let title = heading.title.as_str();
    let ids = |text: &str| -> Vec<GapId> {
        let mut ids: Vec<GapId> = gap_ids_in(text).into_iter().map(|found| found.id).collect();
        ids.dedup();
        ids.truncate(MOST_GAPS_IN_HEADING);
        ids
    };
    if heading.level == 2
        && let Some(rest) = title.strip_prefix("Review:")
    {
        let found = ids(rest);
        let canonical = found.len() == 1 && rest.trim() == found[0].to_string();
        if !found.is_empty() && (canonical || mode == Mode::Tolerant) {
            return (found, canonical);
        }
    }
    let variant = mode == Mode::Tolerant
        && heading.level <= 3
        && words_of(title).any(|word| has_word(&REVIEWING_WORDS, word))
        && crate::ids::issue_ids_in(title).is_empty();
    (if variant { ids(title) } else { Vec::new() }, false)
}

/// What stands in the whole document and under no heading of a gap: scope, verdict, tables of verdicts.
fn read_whole(
    document: &Document,
    reviews: &[ReviewSection],
    reading: &mut ReviewerReading,
    reviewed: &mut Reviewed,
) {
    let whole = 0..document.source.len();
    let under_review = |at: usize| ReviewSection::around(reviews, at).is_some();
    reading.has_severity_sections = section_severities(document, &whole, Mode::Tolerant) > 0;
    let titled = document
        .headings
        .iter()
        .filter_map(|heading| verdict_of_title(&heading.title))
        .next();
    reading.verdict = overall_verdict(document, &under_review).or(titled);
    let head_end = document
        .headings
        .iter()
        .find(|h| h.level >= 2)
        .map_or(whole.end, |h| h.span.start);
    for (at, line) in document.prose_lines(0..head_end) {
        let Some((name, value)) = field(line) else {
            continue;
        };
        if has_word(&SCOPE_FIELDS, name) {
            for found in gap_ids_in(value) {
                let review = Review::named(found.id, document.line_of(at), reading.verdict);
                reviewed.push(&mut reading.reviews, review);
            }
        }
    }
    for row in &document.rows {
        let gap = row
            .cells
            .first()
            .and_then(|cell| gap_ids_in(cell).into_iter().next());
        let verdict = row
            .cells
            .iter()
            .skip(1)
            .find_map(|cell| verdict_at_start(cell));
        if let (Some(gap), Some(verdict)) = (gap, verdict) {
            let review = Review::named(gap.id, row.line, Some(verdict));
            reviewed.push(&mut reading.reviews, review);
        }
    }
    if let Some(verdict) = reading.verdict {
        for (at, line) in verdict_lines(document, &under_review) {
            // `GAP-X is ready …`: a gap that is only mentioned on the way is not what the verdict is for.
            let bare = line.trim_start().trim_start_matches('*');
            if let Some(found) = gap_ids_in(bare)
                .into_iter()
                .next()
                .filter(|found| found.at == 0)
            {
                let review = Review::named(found.id, document.line_of(at), Some(verdict));
                reviewed.push(&mut reading.reviews, review);
            }
        }
    }
}

impl Review {
    /// A review of a gap that is only named.
    pub fn named(gap: GapId, line: u32, verdict: Option<Verdict>) -> Self {
        Self {
            gap,
            line,
            by_heading: false,
            canonical: false,
            verdict,
            examined: 0,
            has_severity_sections: false,
            severity: None,
        }
    }
}

/// Where the review of each gap stands in the list.
#[derive(Default)]
struct Reviewed(BTreeMap<GapId, usize>);

impl Reviewed {
    /// Adds a review of a gap, or what it adds to one that is there.
    fn push(&mut self, reviews: &mut Vec<Review>, review: Review) {
        let index = *self.0.entry(review.gap.clone()).or_insert(reviews.len());
        match reviews.get_mut(index) {
            Some(known) => {
                known.verdict = known.verdict.or(review.verdict);
                known.examined = known.examined.max(review.examined);
                known.has_severity_sections |= review.has_severity_sections;
                known.severity = known.severity.max(review.severity);
            }
            None => reviews.push(review),
        }
    }
}

/// `Verdict: APPROVED`, `Overall Assessment: ACCEPT`, `Review: Round 2 - APPROVED`.
fn verdict_of_title(title: &str) -> Option<Verdict> {
    let lower = title.to_ascii_lowercase();
    let heads = VERDICT_HEADINGS
        .iter()
        .any(|known| lower.starts_with(known))
        || lower.starts_with("review");
    if !heads {
        return None;
    }
    title
        .rsplit([':', '-', '–', '—'])
        .find_map(verdict_at_start)
}

/// A verdict stated in a range: as a field, as `Verdict: …`, as a line of its own, or under a verdict heading.
fn verdict_in(document: &Document, range: &Range<usize>, mode: Mode) -> Option<Verdict> {
    let own_line =
        |line: &str| line.trim().trim_matches(['*', '`', ' ']) == Verdict::NoIssuesFound.name();
    let lines = || document.prose_lines(range.clone()).map(|(_, line)| line);
    if lines().any(own_line) {
        return Some(Verdict::NoIssuesFound);
    }
    if mode == Mode::Strict {
        return None;
    }
    let stated = lines().filter_map(stated_verdict).next();
    stated.or_else(|| {
        document
            .headings_in(range)
            .filter(|(_, heading)| is_verdict_heading(&heading.title))
            .filter_map(|(index, heading)| {
                verdict_of_title(&heading.title).or_else(|| first_line_verdict(document, index))
            })
            .next()
    })
}

fn stated_verdict(line: &str) -> Option<Verdict> {
    let plain = line.trim().trim_start_matches(['-', ' ']);
    let (name, value) = field(plain).or_else(|| plain.trim_matches('*').split_once(':'))?;
    let names_it = VERDICT_HEADINGS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name.trim()));
    if names_it {
        verdict_at_start(value)
    } else {
        None
    }
}

fn is_verdict_heading(title: &str) -> bool {
    let lower = title.to_ascii_lowercase();
    VERDICT_HEADINGS
        .iter()
        .any(|known| lower.starts_with(known))
}

/// The verdict that the first line under a heading begins with.
fn first_line_verdict(document: &Document, index: usize) -> Option<Verdict> {
    let body = document.section(index, |_| true);
    let mut lines = document
        .prose_lines(body)
        .map(|(_, line)| line.trim())
        .filter(|line| !line.is_empty());
    lines.next().and_then(verdict_at_start)
}

/// The verdict of the whole document: the last that is stated outside the reviews of single gaps.
fn overall_verdict(document: &Document, under_review: &dyn Fn(usize) -> bool) -> Option<Verdict> {
    let headings = document
        .headings
        .iter()
        .enumerate()
        .filter(|(_, heading)| {
            is_verdict_heading(&heading.title) && !under_review(heading.span.start)
        })
        .filter_map(|(index, heading)| {
            verdict_of_title(&heading.title).or_else(|| first_line_verdict(document, index))
        });
    let lines = document
        .prose_lines(0..document.source.len())
        .filter(|(at, _)| !under_review(*at))
        .filter_map(|(_, line)| {
            let alone = line.trim().trim_matches(['*', '`', ' ']) == Verdict::NoIssuesFound.name();
            if alone {
                Some(Verdict::NoIssuesFound)
            } else {
                stated_verdict(line)
            }
        });
    headings.last().or(lines.last())
}

/// The lines under verdict headings, where a document says which gaps its verdict is for.
fn verdict_lines<'d>(
    document: &'d Document,
    under_review: &dyn Fn(usize) -> bool,
) -> Vec<(usize, &'d str)> {
    document
        .headings
        .iter()
        .enumerate()
        .filter(|(_, heading)| {
            is_verdict_heading(&heading.title) && !under_review(heading.span.start)
        })
        .flat_map(|(index, _)| document.prose_lines(document.section(index, |_| true)))
        .collect()
}

/// How many severity sections a range has, as headings or as bare lines.
fn section_severities(document: &Document, range: &Range<usize>, mode: Mode) -> usize {
    let canonical = |heading: &Heading| heading.level == 3;
    let headings = document
        .headings_in(range)
        .filter(|(_, heading)| mode == Mode::Tolerant || canonical(heading))
        .filter(|(_, heading)| severity_of_title(&heading.title).is_some())
        .count();
    if headings > 0 || mode == Mode::Strict {
        return headings;
    }
    document
        .prose_lines(range.clone())
        .filter(|(_, line)| bare_severity(line).is_some())
        .count()
}

/// A line that is nothing but a severity section's title: `**Critical Issues**`, `HIGH:`.
pub(super) fn bare_severity(line: &str) -> Option<Severity> {
    let line = line.trim();
    let marked = line.starts_with("**") || line.ends_with(':');
    let title = line.trim_matches(['*', ':', ' ']);
    if marked && words_of(title).count() <= 4 {
        severity_of_title(title)
    } else {
        None
    }
}

fn raised_severity(document: &Document, body: &Range<usize>) -> Option<Severity> {
    // Only above the first part: further down a severity is an issue's.
    let end = document
        .headings_in(body)
        .next()
        .map_or(body.end, |(_, heading)| heading.span.start);
    document
        .prose_lines(body.start..end)
        .filter_map(|(_, line)| field(line))
        .find(|(name, _)| name.eq_ignore_ascii_case("severity"))
        .and_then(|(_, value)| severity_at_start(value))
}

/// Counts the items of the list that follows a line `Examined:`, or another word for it. A box that is not ticked says that
/// nobody looked.
fn count_examined(document: &Document, body: &Range<usize>) -> u32 {
    let starts_list = |line: &str| {
        let word = line
            .trim()
            .trim_matches(['*', '#', ' '])
            .trim_end_matches([':', '*']);
        has_word(&EXAMINED_WORDS, word)
    };
    let Some((at, _)) = document
        .prose_lines(body.clone())
        .find(|(_, line)| starts_list(line))
    else {
        return 0;
    };
    let next = document.headings_in(&(at + 1..body.end)).next();
    let end = next.map_or(body.end, |(_, heading)| heading.span.start);
    let (mut examined, mut unticked_until) = (0, 0);
    for item in document.items_in(&(at..end)) {
        if is_unticked(&item.text) {
            unticked_until = item.span.end;
        }
        // What is nested in a box belongs to it.
        if item.span.start >= unticked_until {
            examined += 1;
        }
    }
    examined
}

/// True for `[ ] an item` and `☐ an item`.
fn is_unticked(item: &str) -> bool {
    let inner = item.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inner.is_some_and(|(inner, _)| inner.trim().is_empty()) || item.starts_with('☐')
}
