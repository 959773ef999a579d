//! Reads the Reviewer's document: which gaps it reviews, its verdicts, its findings, severities that it raises and new gaps. The
//! outline says what each section is for; everything else is read by these roles, and nothing is read twice.

mod fields;
mod findings;
mod found;
mod gap_titles;
mod item_text;
mod names;
mod openings;
mod outline;
mod ratings;
mod scopes;
mod section;
mod statuses;
mod tables;
mod titles;
mod unlisted;
mod verdict_words;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use self::findings::Findings;
use self::gap_titles::{NamedGap, gaps_named};
use self::item_text::{is_template, without_box};
use self::outline::Outline;
use self::scopes::{Scope, scopes};
use self::section::{Opening, Section, Why};
use self::verdicts::{Judged, Judgement};
use super::explained::ExplainedSection;
use super::fields::{field, yes};
use super::gap_line::{DeclaredGap, read_new_gaps};
use super::vocabulary::{SCOPE_FIELDS, has_word, severity_at_start, severity_of_title};
use gapless_domain::{GapId, Severity, Strictness};
use gapless_markdown::Document;

pub(super) use self::findings::read_blocker_item;
pub use self::found::{RaisedIssue, SeveritySource};
pub use self::statuses::{IssueStatus, status_at_start};
pub use self::titles::SectionRole;
pub use self::verdict_words::Verdict;
pub use self::verdicts::Contradiction;

/// What a Reviewer's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerReading {
    pub reviews: Vec<Review>,
    pub issues: Vec<RaisedIssue>,
    pub new_gaps: Vec<DeclaredGap>,
    /// What the document as a whole comes to, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Verdicts on the same gap, or on the whole, that contradict each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
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

impl Review {
    /// A review of a gap that is only named.
    pub(crate) fn named(gap: GapId, line: u32) -> Self {
        Self {
            gap,
            line,
            by_heading: false,
            canonical: false,
            verdict: None,
            examined: 0,
            has_severity_sections: false,
            severity: None,
        }
    }
}

pub fn read_reviewer(document: &Document, mode: Strictness) -> ReviewerReading {
    let outline = Outline::of(document);
    let scopes = scopes(&outline, mode);
    let judged = Judged::of(document, &outline, &scopes, mode);
    let mut reading = ReviewerReading {
        proposal: proposal_line(document),
        new_gaps: new_gaps(document, &outline),
        ..ReviewerReading::default()
    };
    let mut reviewed = Reviewed::default();
    for scope in &scopes {
        for review in reviews_in(document, &outline, scope, mode) {
            reviewed.push(&mut reading.reviews, review);
        }
    }
    if mode == Strictness::Tolerant {
        reading.verdict = judged.whole.verdict();
        reading.has_severity_sections = outline.sections.iter().any(is_findings_section);
        read_head(document, &mut reading, &mut reviewed);
        for (gap, judgement) in &judged.gaps {
            let review = Review::named(gap.clone(), judgement.line());
            reviewed.push(&mut reading.reviews, review);
        }
    }
    for review in &mut reading.reviews {
        review.verdict = judged.gaps.get(&review.gap).and_then(Judgement::verdict);
    }
    reading.contradictions = judged.contradictions();
    let verdicts = judged.verdicts();
    let verdict = judged.whole.verdict();
    let review = found::Reviewed {
        document,
        scopes: &scopes,
        verdicts: &verdicts,
        verdict,
    };
    let mut findings = Findings::new(review, &outline);
    findings.read();
    findings.read_where_none_was_found();
    reading.issues = findings.issues;
    drop_headings_that_judge_nothing(&scopes, &mut reading);
    bind_to_the_only_gap(&mut reading);
    reading
}

/// Explains how a Reviewer's document is read, section by section.
pub(super) fn explain_reviewer(document: &Document) -> Vec<ExplainedSection> {
    let outline = Outline::of(document);
    let depth = |section: &Section| {
        let above = std::iter::successors(section.parent, |index| outline.sections[*index].parent);
        let titled = above.filter(|index| outline.sections[*index].opening != Opening::Rule);
        u32::try_from(titled.count()).unwrap_or(u32::MAX)
    };
    let titled = outline
        .sections
        .iter()
        .filter(|section| section.opening != Opening::Rule);
    let explained = titled.map(|section| ExplainedSection {
        line: section.line,
        depth: depth(section),
        title: section.title.clone(),
        role: section.role.name().to_owned(),
        why: section.why.words(),
        severity: section.rating.severity(),
        verdict: section.verdict,
    });
    explained.collect()
}

fn proposal_line(document: &Document) -> Option<u32> {
    let mut headings = document.headings.iter();
    let proposal = headings
        .find(|heading| heading.level == 2 && heading.title.starts_with("Gap Resolution: GAP-"));
    proposal.map(|heading| heading.line)
}

fn new_gaps(document: &Document, outline: &Outline) -> Vec<DeclaredGap> {
    let own = |section: &&Section| section.role == SectionRole::NewGaps;
    let sections = outline.sections.iter().filter(own);
    sections
        .flat_map(|section| read_new_gaps(document, &section.own))
        .collect()
}

/// The reviews of the gaps that a heading is about.
fn reviews_in(
    document: &Document,
    outline: &Outline,
    scope: &Scope,
    mode: Strictness,
) -> Vec<Review> {
    let sections = outline.within(&scope.body);
    let severities = sections.iter().any(|section| match mode {
        Strictness::Tolerant => is_findings_section(section),
        Strictness::Strict => {
            section.opening == Opening::Heading
                && section.level == 3
                && severity_of_title(&section.title).is_some()
        }
    });
    let review = |gap: &NamedGap| Review {
        by_heading: !gap.implied,
        canonical: scope.canonical,
        examined: count_examined(document, sections),
        has_severity_sections: severities,
        severity: raised_severity(document, scope, sections),
        ..Review::named(gap.id.clone(), scope.line)
    };
    scope.gaps.iter().map(review).collect()
}

/// True for a section that judges by its title alone, also where it lists nothing.
fn is_findings_section(section: &Section) -> bool {
    section.role == SectionRole::Findings && !matches!(section.why, Why::SomeWords(_))
}

/// The gaps that fields of the document's head name.
fn read_head(document: &Document, reading: &mut ReviewerReading, reviewed: &mut Reviewed) {
    for (at, line) in document.prose_lines(document.head()) {
        let line = line.trim_start_matches(['-', ' ']);
        let Some((name, value)) = field(line).or_else(|| line.split_once(':')) else {
            continue;
        };
        let only_gaps = || {
            let words = value.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&'));
            words.filter(|word| !word.is_empty()).all(|word| {
                word.contains("GAP-") || ["and", "to", "through", "-", "–", "—"].contains(&word)
            })
        };
        if has_word(&SCOPE_FIELDS, name.trim()) || only_gaps() {
            for gap in gaps_named(value) {
                let review = Review::named(gap.id, document.line_of(at));
                reviewed.push(&mut reading.reviews, review);
            }
        }
    }
}

/// A heading that only names a gap reviews it where something in the document judges it.
fn drop_headings_that_judge_nothing(scopes: &[Scope], reading: &mut ReviewerReading) {
    let naming = scopes.iter().filter(|scope| !scope.says_review);
    let naming: BTreeSet<u32> = naming.map(|scope| scope.line).collect();
    let only_named = |review: &Review| naming.contains(&review.line);
    let raised: BTreeSet<&GapId> = reading
        .issues
        .iter()
        .filter_map(|issue| issue.gap.as_ref())
        .collect();
    // A verdict on the whole is on these gaps only where nothing else says which it is on.
    let named_otherwise = reading.reviews.iter().any(|review| !only_named(review));
    let whole = reading.verdict.is_some() && !named_otherwise;
    reading.reviews.retain(|review| {
        let judged = review.verdict.is_some()
            || review.has_severity_sections
            || raised.contains(&review.gap);
        judged || whole || !only_named(review)
    });
}

/// Findings of a document on one gap are on that gap.
fn bind_to_the_only_gap(reading: &mut ReviewerReading) {
    let [only] = reading.reviews.as_slice() else {
        return;
    };
    for issue in &mut reading.issues {
        issue.gap.get_or_insert_with(|| only.gap.clone());
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
                known.by_heading |= review.by_heading;
                known.canonical |= review.canonical;
                known.examined = known.examined.max(review.examined);
                known.has_severity_sections |= review.has_severity_sections;
                known.severity = known.severity.max(review.severity);
            }
            None => reviews.push(review),
        }
    }
}

fn raised_severity(document: &Document, scope: &Scope, sections: &[Section]) -> Option<Severity> {
    // Only above the first part: further down a severity is an issue's.
    let first = sections.first();
    let end = first.map_or(scope.body.end, |section| section.head.start);
    let lines = document.prose_lines(scope.body.start..end);
    let mut fields = lines.filter_map(|(_, line)| field(line));
    let (_, value) = fields.find(|(name, _)| name.eq_ignore_ascii_case("severity"))?;
    severity_at_start(value)
}

/// Counts what a review says it looked at. A box that is not ticked says that nobody looked, and a template that nobody wrote.
fn count_examined(document: &Document, sections: &[Section]) -> u32 {
    let examined = sections
        .iter()
        .filter(|section| section.role == SectionRole::Examined);
    let (mut count, mut unticked_until) = (0, 0);
    for section in examined {
        for item in document.items_in(&section.own) {
            if is_unticked(&item.text) {
                unticked_until = item.span.end;
            }
            // What is nested in a box belongs to it.
            if item.span.start >= unticked_until && !is_template(without_box(&item.text)) {
                count += 1;
            }
        }
    }
    count
}

/// True for `[ ] an item` and `☐ an item`.
fn is_unticked(item: &str) -> bool {
    let inner = item.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inner.is_some_and(|(inner, _)| inner.trim().is_empty()) || item.starts_with('☐')
}
