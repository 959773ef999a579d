//! What holds of reading any role's document: it is the same each time, names only what stands there, and agrees with validation.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_domain::{GapId, IssueId, Role, Strictness, gap_ids_in, issue_ids_in};
use gapless_markdown::Document;
use gapless_reading::read::{
    DeclaredGap, EngineerReading, Reading, ReviewerReading, candidates, inventory, near_misses,
    read_editor, sections,
};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, explain, salvage, validate,
};

use crate::input::{Input, same_twice};
use crate::markdown::{assert_no_steering, lines_of};

/// What a task knows: gaps and issues, each with what it is to it.
pub struct Known {
    gaps: BTreeSet<GapId>,
    elsewhere: BTreeSet<GapId>,
    issues: BTreeSet<IssueId>,
    record: bool,
}

impl Known {
    /// Of the ids that stand in the text some are known, by the bits of a choice.
    pub fn of(text: &str, choice: u8) -> Self {
        let (mut gaps, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
        for (nth, found) in gap_ids_in(text).into_iter().enumerate() {
            match (nth & 1, choice & 3) {
                (_, 0) | (0, 1 | 2) => gaps.insert(found.id),
                (_, 1) => elsewhere.insert(found.id),
                _ => false,
            };
        }
        elsewhere.retain(|gap| !gaps.contains(gap));
        let issues = issue_ids_in(text).into_iter().map(|found| found.id);
        Self {
            gaps,
            elsewhere,
            issues: issues
                .filter(|id| choice & 4 == 0 || id.number % 2 == 1)
                .collect(),
            record: choice & 8 != 0,
        }
    }
}

impl ValidationContext for Known {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match () {
            () if self.gaps.contains(gap) => GapAssignment::Assigned,
            () if self.elsewhere.contains(gap) => GapAssignment::Elsewhere,
            () => GapAssignment::Unknown,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        match self.issues.contains(issue) {
            true if issue.number % 3 == 2 => IssueAssignment::Decided,
            true => IssueAssignment::Due,
            false => IssueAssignment::Unknown,
        }
    }

    fn is_record(&self) -> bool {
        self.record
    }
}

/// Any document, read as any role's.
pub fn reading(data: &[u8]) {
    let mut input = Input::new(data);
    let role = *input.one_of(&Role::ALL);
    let choice = input.byte();
    let mode = match choice & 0x80 {
        0 => Strictness::Tolerant,
        _ => Strictness::Strict,
    };
    let text = input.rest_as_text();
    let ground = Known::of(&text, choice);

    let checked = same_twice("read twice, and not the same", || {
        validate(role, Some(&text), mode, &ground)
    });
    assert_checked(role, &checked, &ground);
    for section in explain(role, &checked, mode) {
        let said = !section.role.is_empty() && !section.why.is_empty();
        assert!(section.line >= 1 && said, "{section:?}");
    }
    if mode == Strictness::Tolerant {
        assert_salvaged(role, &text, &checked, &ground);
    } else if !text.starts_with('\u{feff}') {
        let read = &checked.document.text;
        assert_eq!(*read, text, "strict reading changes nothing");
    }
    assert_document(&text);
}

fn assert_checked(role: Role, checked: &Checked, ground: &Known) {
    let Checked {
        result,
        reading,
        document,
    } = checked;
    assert_eq!(result.success, reading.is_some(), "{result:?}");
    assert_eq!(result.success, result.failure_type.is_none(), "{result:?}");
    assert_eq!(result.success, !result.retriable, "{result:?}");
    let message = &result.message;
    assert!((1..2000).contains(&message.len()), "{message}");
    assert_no_steering("the message", message);
    let lines = lines_of(&document.text);
    for warning in &result.warnings {
        assert_no_steering("a warning", &warning.message);
        let line = warning.line.unwrap_or(1);
        assert!((1..=lines).contains(&line), "{warning:?} of {lines} lines");
    }
    if role != Role::Analyst && !ground.record {
        for gap in &result.gaps_addressed {
            let known = ground.gap(gap) != GapAssignment::Unknown;
            assert!(known, "{gap} is addressed, and unknown");
        }
    }
    if let Some(reading) = reading {
        assert_reading(reading, &document.text);
        let json = serde_json::to_string(reading).unwrap_or_default();
        let again: Result<Reading, _> = serde_json::from_str(&json);
        assert_eq!(again.ok().as_ref(), Some(reading), "{json}");
    }
}

/// What a reading names stands in its document.
fn assert_reading(reading: &Reading, document: &str) {
    let place = Places::of(document);
    match reading {
        Reading::Analyst(reading) => place.declared(&reading.gaps),
        Reading::Engineer(reading) => place.engineer(reading),
        Reading::Reviewer(reading) => place.reviewer(reading),
        Reading::Editor(reading) => {
            let mut end = 0;
            for section in &reading.sections {
                place.part(section.line, &section.text);
                assert!(section.text.start >= end, "sections overlap: {section:?}");
                end = section.text.end;
            }
        }
        Reading::FinalReviewer(reading) => {
            for blocker in &reading.blockers {
                place.line(blocker.line);
                blocker.gap.iter().for_each(|gap| place.gap(gap));
                assert!(!blocker.concern.summary.trim().is_empty(), "{blocker:?}");
            }
        }
    }
}

struct Places<'d> {
    document: &'d str,
    lines: u32,
}

impl<'d> Places<'d> {
    fn of(document: &'d str) -> Self {
        let lines = lines_of(document);
        Self { document, lines }
    }

    fn line(&self, line: u32) {
        let lines = self.lines;
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
    }

    fn span(&self, span: &Range<usize>) {
        let found = self.document.get(span.clone());
        assert!(found.is_some(), "{span:?} of {}", self.document.len());
    }

    /// A line and the section that begins there.
    fn part(&self, line: u32, span: &Range<usize>) {
        self.line(line);
        self.span(span);
    }

    fn gap(&self, gap: &GapId) {
        let written = self.document.contains(&gap.to_string());
        assert!(written, "{gap} stands nowhere");
    }

    /// A gap that is written, or lies within a range of its category: `GAP-X-001 through GAP-X-003`, `GAP-X-001/002`.
    fn reviewed_gap(&self, gap: &GapId) {
        let category = format!("GAP-{}-", gap.category());
        assert!(self.document.contains(&category), "{gap} stands nowhere");
    }

    /// An issue that is written, be it without the zeros of its number.
    fn issue(&self, issue: &IssueId) {
        let short = format!("ISSUE-R{}-", issue.round);
        let number = issue.number.to_string();
        let written = self.document.match_indices(&short).any(|(at, _)| {
            let behind = &self.document[at + short.len()..];
            behind.trim_start_matches('0').starts_with(&number)
        });
        assert!(written, "{issue} stands nowhere");
    }

    fn declared(&self, gaps: &[DeclaredGap]) {
        for gap in gaps {
            self.line(gap.line);
            self.gap(&gap.id);
            gap.blocked_by.iter().for_each(|by| self.gap(by));
            let waits = gap.blocked_by.contains(&gap.id);
            assert!(!waits, "{} waits on itself", gap.id);
        }
    }

    fn engineer(&self, reading: &EngineerReading) {
        let mut bound = BTreeSet::new();
        for gap in &reading.gaps {
            self.gap(&gap.gap);
            self.part(gap.line, &gap.section);
            let mut end = gap.section.start;
            for part in &gap.solution {
                self.span(part);
                assert!(part.start >= end && part.end <= gap.section.end, "{gap:?}");
                end = part.end;
            }
            self.declared(&gap.new_gaps);
            assert!(bound.insert(&gap.gap), "{} is bound twice", gap.gap);
        }
        for response in &reading.responses {
            self.issue(&response.issue);
            self.part(response.line, &response.section);
        }
        for disagreement in &reading.disagreements {
            self.issue(&disagreement.issue);
            self.part(disagreement.line, &disagreement.section);
        }
        for blocked in &reading.blocked {
            self.gap(&blocked.gap);
            self.line(blocked.line);
        }
        self.declared(&reading.new_gaps);
    }

    fn reviewer(&self, reading: &ReviewerReading) {
        let mut reviewed = BTreeSet::new();
        for review in &reading.reviews {
            self.reviewed_gap(&review.gap);
            self.line(review.line);
            let once = reviewed.insert(&review.gap);
            assert!(once, "{} is reviewed twice", review.gap);
        }
        for issue in &reading.issues {
            self.line(issue.line);
            issue.gap.iter().for_each(|gap| self.reviewed_gap(gap));
            assert!(!issue.concern.summary.trim().is_empty(), "{issue:?}");
        }
        self.declared(&reading.new_gaps);
    }
}

/// What is left of an output when what is wrong in it is left out is valid, and a valid output loses nothing by that.
fn assert_salvaged(role: Role, text: &str, checked: &Checked, ground: &Known) {
    let salvaged = salvage(role, text, ground);
    if let Some(salvaged) = &salvaged {
        assert_checked(role, salvaged, ground);
        assert!(salvaged.result.success && !salvaged.result.gaps_addressed.is_empty());
    }
    let has_salvage = matches!(role, Role::Engineer | Role::Reviewer);
    if has_salvage && checked.result.success && !checked.result.gaps_addressed.is_empty() {
        let gaps = salvaged.map(|salvaged| salvaged.result.gaps_addressed.len());
        let all = gaps >= Some(checked.result.gaps_addressed.len());
        assert!(all, "salvaging loses what is valid");
    }
}

/// The shape of any document: its places lie in it, and its prose is as long as it is.
fn assert_document(text: &str) {
    let document = Document::parse(text);
    let place = Places::of(text);
    let length = document.prose().len();
    assert_eq!(length, text.len(), "prose has other places than the text");
    for heading in &document.headings {
        place.part(heading.line, &heading.span);
    }
    for item in &document.items {
        place.part(item.line, &item.span);
    }
    for row in &document.rows {
        place.part(row.line, &row.span);
    }
    for section in sections(&document) {
        place.span(&section.own);
        place.span(&section.whole);
    }
    for declaration in inventory(&document).declared {
        place.line(declaration.gap.line);
        if declaration.has_own_id {
            place.gap(&declaration.gap.id);
        }
        let forms = declaration.forms.iter();
        forms.for_each(|(line, _)| place.line(*line));
    }
    let missed = near_misses(&document);
    missed.iter().for_each(|(line, _)| place.line(*line));
    let _ = read_editor(&document);
    for candidate in candidates(text) {
        let (document, structure) = (candidate.document.len(), candidate.structure.len());
        assert_eq!(document, structure, "places of the structure are others");
    }
}
