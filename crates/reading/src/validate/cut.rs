//! Reads a document that was cut at a limit. Its last section may go on, so that it never binds; the sections before it are
//! whole where they have the canonical form. In doubt nothing of the document is taken.

use std::collections::BTreeSet;

use super::checked::{Checked, judged};
use super::echo::{Echo, Known};
use super::editor::Extent;
use super::editor::check_editor_in;
use super::failing::{Outcome, wrong_form};
use super::limits::listed;
use super::validation_context::{GapAssignment, ValidationContext};
use super::{check_rest, copied_texts};
use crate::read::{
    ReadDocument, Reading, analyst_sections, engineer_sections, is_section_mark, plainly,
    reasoning_is_open,
};
use gapless_domain::{
    FormFault, GapId, Role, Strictness, Warning, gap_ids_in, issue_ids_in, one_line, shortened,
};
use gapless_markdown::{Document, fences_left_open};

pub const LAST_SECTION_LEFT_OUT: &str = "LAST_SECTION_LEFT_OUT";
/// How long a title may be that a warning repeats.
const LONGEST_TITLE: usize = 80;

/// Reads and checks a document that was cut at a limit, without its last section.
pub fn validate_cut(
    role: Role,
    text: &str,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Checked {
    whole_sections(role, text, mode, context).unwrap_or_else(|| cut_off(text))
}

/// Refuses a document of which no section is surely whole.
fn cut_off(text: &str) -> Checked {
    let bytes = text.len() as u64;
    let message = match bytes {
        0 => "the answer was cut before any of the document came".to_owned(),
        _ => format!("the document was cut after {bytes} bytes, and its end is missing"),
    };
    let outcome = wrong_form(FormFault::Cut { bytes }, message);
    judged(ReadDocument::plain(text), outcome, Vec::new())
}

/// The sections of a document, by where they begin.
struct Sections {
    starts: Vec<usize>,
    /// True where other sections don't depend on those before them, so that each may be left out.
    apart: bool,
}

fn whole_sections(
    role: Role,
    text: &str,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Option<Checked> {
    // What comes behind reasoning that never ends may be a draft in it.
    if reasoning_is_open(text) {
        return None;
    }
    let candidate = plainly(text);
    let mut warnings = candidate.warnings.clone();
    let read = ReadDocument::of(candidate);
    let document = &read.structure;
    let sections = sections_of(role, &read, mode)?;
    let last = *sections.starts.last()?;
    let lost = document.source.get(last..)?;
    let lost_gaps = gaps_named_in(lost, context);
    let kept = match sections.apart {
        true => without_gaps(document, &sections.starts, &lost_gaps),
        false => document.source.get(..last)?.to_owned(),
    };
    // A fence that nobody meant to open may hide where a section ends.
    if fences_left_open(&kept) || hides_a_section(&kept, context) {
        return None;
    }
    let known = copied_texts(role, context);
    let (kept, echoes) = known.without(ReadDocument::plain(&kept));
    warnings.push(Warning::new(
        LAST_SECTION_LEFT_OUT,
        Some(document.line_of(last)),
        String::new(),
    ));
    let place = warnings.len() - 1;
    let checked = check_whole(role, &kept, mode, (&known, &echoes), context, &mut warnings);
    let (reading, addressed) = checked.ok()?;
    let (reading, addressed) = only_whole(reading, addressed, &kept, &titled(lost), context)?;
    warnings[place].message = what_is_missing(lost, &addressed, context);
    Some(judged(kept, Ok((reading, addressed)), warnings))
}

/// True where code has a heading of a gap of the task.
fn hides_a_section(kept: &str, context: &dyn ValidationContext) -> bool {
    let document = Document::parse(kept);
    let mut lines = document.prose_lines(0..kept.len());
    lines.any(|(at, prose)| {
        let line = kept[at..].lines().next().unwrap_or("");
        let heading = line.starts_with("## Gap Resolution:") || line.starts_with("## Review:");
        let mut ids = gap_ids_in(line).into_iter();
        prose.trim().is_empty()
            && heading
            && ids.any(|found| context.gap(&found.id) == GapAssignment::Assigned)
    })
}

fn check_whole(
    role: Role,
    kept: &ReadDocument,
    mode: Strictness,
    copied: (&Known, &[Echo]),
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<Reading> {
    match role {
        Role::Editor => {
            let checked = check_editor_in(&kept.structure, context, Extent::WholeSections);
            checked.map(|(reading, gaps)| (Reading::Editor(reading), gaps))
        }
        _ => check_rest(role, kept, mode, copied, context, warnings),
    }
}

/// Where the sections of a role's document begin; none where it is read as a whole.
fn sections_of(role: Role, read: &ReadDocument, mode: Strictness) -> Option<Sections> {
    let document = &read.structure;
    let starts = match role {
        Role::Engineer => engineer_sections(document, mode),
        Role::Reviewer => review_headings(document),
        Role::Analyst => analyst_sections(document, mode),
        Role::Editor => section_marks(document),
        // Its verdict is on the whole.
        Role::FinalReviewer => return None,
    };
    Some(Sections {
        starts,
        apart: role == Role::Reviewer,
    })
}

/// The canonical headings of reviews: what stands below another form may be part of the review before it.
fn review_headings(document: &Document) -> Vec<usize> {
    let headings = document.headings.iter();
    let own = headings.filter(|it| it.level == 2 && is_review(&it.title));
    own.map(|heading| heading.span.start).collect()
}

fn is_review(title: &str) -> bool {
    let gap = title.strip_prefix("Review:").map(str::trim);
    gap.is_some_and(|gap| gap.parse::<GapId>().is_ok())
}

fn section_marks(document: &Document) -> Vec<usize> {
    let mut at = 0;
    let mut starts = Vec::new();
    for line in document.source.split_inclusive('\n') {
        let mark = line.trim();
        if is_section_mark(mark) && mark.starts_with("<!-- section:") {
            starts.push(at);
        }
        at += line.len();
    }
    starts
}

/// The gaps that a text names, also by an issue on them.
fn gaps_named_in(text: &str, context: &dyn ValidationContext) -> BTreeSet<GapId> {
    let issues = issue_ids_in(text).into_iter();
    let by_issue = issues.flat_map(|it| context.gaps_of(&it.id));
    let by_name = gap_ids_in(text).into_iter().map(|it| it.id);
    by_name.chain(by_issue).collect()
}

/// A review without its last section, and without those on gaps that the last one speaks of: it may have raised something on
/// them.
fn without_gaps(document: &Document, starts: &[usize], lost: &BTreeSet<GapId>) -> String {
    let source = document.source.as_ref();
    let mut kept = source[..starts[0]].to_owned();
    for pair in starts.windows(2) {
        let section = &source[pair[0]..pair[1]];
        let title = section.lines().next().unwrap_or("");
        let known = gap_ids_in(title)
            .into_iter()
            .any(|it| lost.contains(&it.id));
        if !known {
            kept += section;
        }
    }
    kept
}

/// The gaps that the title of the lost section names.
fn titled(lost: &str) -> BTreeSet<GapId> {
    let title = lost.lines().next().unwrap_or("");
    gap_ids_in(title).into_iter().map(|it| it.id).collect()
}

/// Leaves what is surely whole, and says nothing where that is no gap of the task, or where a part may belong to what is lost.
fn only_whole(
    reading: Reading,
    addressed: Vec<GapId>,
    kept: &ReadDocument,
    lost: &BTreeSet<GapId>,
    context: &dyn ValidationContext,
) -> Option<(Reading, Vec<GapId>)> {
    match reading {
        Reading::Engineer(reading) => {
            let assigned = |gap: &GapId| context.gap(gap) == GapAssignment::Assigned;
            let whole = reading
                .gaps
                .iter()
                .all(|bound| bound.canonical && !lost.contains(&bound.gap));
            let any = reading.gaps.iter().any(|bound| assigned(&bound.gap));
            (whole && any).then_some((Reading::Engineer(reading), addressed))
        }
        Reading::Reviewer(mut reading) => {
            let headings = kept.structure.headings.iter();
            let own: Vec<u32> = headings
                .filter(|it| it.level == 2 && is_review(&it.title))
                .map(|it| it.line)
                .collect();
            // A gap that the head, a verdict or an issue names is not reviewed by that: its own review may be lost.
            reading.reviews.retain(|review| {
                review.by_heading && review.canonical && own.contains(&review.line)
            });
            let reviews = reading.reviews.iter();
            let addressed: Vec<GapId> = reviews.map(|review| review.gap.clone()).collect();
            (!addressed.is_empty()).then_some((Reading::Reviewer(reading), addressed))
        }
        Reading::Analyst(reading) => {
            (!reading.gaps.is_empty()).then_some((Reading::Analyst(reading), addressed))
        }
        Reading::Editor(reading) => Some((Reading::Editor(reading), addressed)),
        Reading::FinalReviewer(_) => None,
    }
}

fn what_is_missing(lost: &str, addressed: &[GapId], context: &dyn ValidationContext) -> String {
    let title = shortened(&one_line(lost.lines().next().unwrap_or("")), LONGEST_TITLE);
    let mut message = format!(
        "the document was cut: what begins with `{title}` may not be whole and was left out"
    );
    let assigned = context.assigned().iter();
    let missing: Vec<&GapId> = assigned.filter(|gap| !addressed.contains(gap)).collect();
    if !missing.is_empty() {
        message += &format!("; without a whole section: {}", listed(missing));
    }
    message
}
