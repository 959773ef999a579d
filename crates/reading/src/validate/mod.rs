//! The checks on what agents wrote, and their one result. The caller says what each gap's standing is in this
//! task; nothing here knows the session.

mod checked;
mod completeness;
mod cut;
mod echo;
mod editor;
mod engineer;
mod failing;
mod fix;
mod limits;
mod quote;
mod rejected;
mod reviewer;
mod salvage;
mod spec_changes;
mod validation_context;

use crate::read;
use crate::read::{
    AnalystReading, Candidate, EngineerReading, ExplainedSection, FinalReading, ReadDocument,
    Reading, candidates, plainly, read_analyst, read_final_review, read_reviewer,
};
use gapless_domain::{FailureType, FormFault, Role, Strictness, Warning};

pub use checked::{Checked, ValidationResult};
use checked::{failed, judged};
pub use completeness::{NotWhole, why_not_whole};
pub use cut::{LAST_SECTION_LEFT_OUT, validate_cut};
pub use echo::Shown;
use echo::{Echo, Known, described, judge_the_rest, warn_of_echoes, writes_own_words};
use editor::check_editor;
pub use editor::{nothing_wanted, versions_of};
pub use engineer::THIN_SECTION_CHARS;
use engineer::check_engineer;
use failing::{Outcome, failure, wrong_form};
pub use fix::fix;
use limits::{MOST_ISSUES, MOST_NEW_GAPS, cut};
pub use quote::stands_in;
pub use rejected::Rejected;
use reviewer::{check_form_of_issues, check_reviewer};
use salvage::without_what_is_wrong;
use spec_changes::{StandingPassages, without_changes};
pub use validation_context::{
    ChangeVerdict, GapAssignment, GivenSection, IssueAssignment, ProposedChanges, SectionFault,
    ValidationContext,
};

/// Reads and checks an output. `None` stands for a document that isn't there.
pub fn validate(
    role: Role,
    text: Option<&str>,
    mode: Strictness,
    context: &dyn ValidationContext,
) -> Checked {
    let Some(text) = text else {
        return failed(FailureType::FileMissing, "the agent left no document", "");
    };
    if text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        return failed(FailureType::EmptyOutput, "the document is empty", text);
    }
    let candidates = match mode {
        Strictness::Strict => vec![plainly(text)],
        Strictness::Tolerant => candidates(text),
    };
    // Of readings that are as good, the text as it stands is taken: it comes first, and the last of equals wins.
    let candidates = candidates.into_iter().rev();
    let known = copied_texts(role, context);
    let readings =
        candidates.map(|candidate| read_candidate(role, candidate, mode, &known, context));
    let unread = || {
        failed(
            FailureType::WrongFormat,
            "the document cannot be read",
            text,
        )
    };
    readings.max_by_key(rank).unwrap_or_else(unread)
}

/// Explains how an output that was checked is read, section by section.
pub fn explain(role: Role, checked: &Checked, mode: Strictness) -> Vec<ExplainedSection> {
    read::explain(role, &checked.document, mode)
}

/// Reads an output that was not valid and leaves out what is wrong in it: sections for gaps that don't exist and bad DISAGREE
/// blocks, which are cut out of the document too, and reviews that judge nothing. Nothing where no gap of the task is left
/// then.
pub fn salvage(role: Role, text: &str, context: &dyn ValidationContext) -> Option<Checked> {
    let known = copied_texts(role, context);
    let best = candidates(text)
        .into_iter()
        .map(|candidate| salvage_candidate(role, candidate, &known, context))
        .max_by_key(rank)?;
    (best.result.success && !best.result.gaps_addressed.is_empty()).then_some(best)
}

fn salvage_candidate(
    role: Role,
    mut candidate: Candidate,
    known: &Known,
    context: &dyn ValidationContext,
) -> Checked {
    let mut warnings = std::mem::take(&mut candidate.warnings);
    let read = match role {
        Role::Engineer => without_what_is_wrong(candidate, context, &mut warnings),
        _ => ReadDocument::of(candidate),
    };
    let (mut read, echoes) = known.without(read);
    warn_of_echoes(&echoes, &mut warnings);
    let mode = Strictness::Tolerant;
    let checked = match role {
        Role::Engineer => {
            let checked = salvage_engineer(&mut read, known, context, &mut warnings);
            checked.map(|(reading, gaps)| (Reading::Engineer(reading), gaps))
        }
        Role::Reviewer => {
            let mut reading = read.as_reviewer().clone();
            reviewer::leave_out_what_is_wrong(&mut reading, context);
            let checked = check_reviewer(reading, mode, context, &mut warnings);
            checked.map(|(reading, gaps)| (Reading::Reviewer(reading), gaps))
        }
        Role::Analyst | Role::Editor | Role::FinalReviewer => {
            failure(FailureType::WrongFormat, String::new())
        }
    };
    let checked = judge_the_rest(checked, &echoes, &read, &mut warnings);
    judged(read, checked, warnings)
}

/// How often a document is looked at again because of its changes: without some, others can't be made either.
const MOST_PASSES: usize = 5;

/// Checks an Engineer's document, and takes the changes out that can't be made.
fn salvage_engineer(
    read: &mut ReadDocument,
    known: &Known,
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<EngineerReading> {
    let (mode, taken) = (Strictness::Tolerant, StandingPassages::Taken);
    for _ in 0..MOST_PASSES {
        let mut of_pass = Vec::new();
        let checked = check_engineer(read, mode, known, taken, context, &mut of_pass);
        let left = match &checked {
            Err(failure) if failure.kind == FailureType::SpecChangeMismatch => {
                without_changes(read, failure, warnings)
            }
            _ => None,
        };
        let Some(left) = left else {
            warnings.append(&mut of_pass);
            return checked;
        };
        *read = left;
    }
    check_engineer(read, mode, known, taken, context, warnings)
}

/// A valid reading is better than none, and one that binds more is better than one that binds less.
fn rank(checked: &Checked) -> (bool, usize, usize) {
    let parts = match &checked.reading {
        Some(Reading::Reviewer(reading)) => reading.issues.len(),
        Some(Reading::Engineer(reading)) => reading.behind_changes(),
        _ => 0,
    };
    let result = &checked.result;
    (result.success, result.gaps_addressed.len(), parts)
}

fn read_candidate(
    role: Role,
    mut candidate: Candidate,
    mode: Strictness,
    known: &Known,
    context: &dyn ValidationContext,
) -> Checked {
    let mut warnings = std::mem::take(&mut candidate.warnings);
    let read = ReadDocument::of(candidate);
    if read.text.trim().is_empty() {
        let message = "nothing is left of the document once the reasoning is taken off";
        let empty = failure(FailureType::EmptyOutput, message.to_owned());
        return judged(read, empty, warnings);
    }
    let (read, echoes) = known.without(read);
    let checked = check_rest(role, &read, mode, (known, &echoes), context, &mut warnings);
    judged(read, checked, warnings)
}

/// What of a prompt is no content for a role.
fn copied_texts(role: Role, context: &dyn ValidationContext) -> Known {
    match writes_own_words(role) {
        true => Known::of(&context.shown()),
        false => Known::default(),
    }
}

/// Checks a document from which copies were taken out.
fn check_rest(
    role: Role,
    read: &ReadDocument,
    mode: Strictness,
    (known, echoes): (&Known, &[Echo]),
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<Reading> {
    warn_of_echoes(echoes, warnings);
    let checked = check(role, read, mode, (known, echoes), context, warnings);
    judge_the_rest(checked, echoes, read, warnings)
}

fn check(
    role: Role,
    read: &ReadDocument,
    mode: Strictness,
    (known, echoes): (&Known, &[Echo]),
    context: &dyn ValidationContext,
    warnings: &mut Vec<Warning>,
) -> Outcome<Reading> {
    let document = &read.structure;
    Ok(match role {
        Role::Engineer => {
            let refused = StandingPassages::Refused;
            let (reading, gaps) = check_engineer(read, mode, known, refused, context, warnings)?;
            (Reading::Engineer(reading), gaps)
        }
        Role::Reviewer => {
            let reading = match mode {
                Strictness::Strict => read_reviewer(document, mode),
                Strictness::Tolerant => read.as_reviewer().clone(),
            };
            check_form_of_issues(&reading, mode)?;
            let (reading, gaps) = check_reviewer(reading, mode, context, warnings)?;
            (Reading::Reviewer(reading), gaps)
        }
        Role::Analyst => {
            let mut reading = read_analyst(document, mode);
            described(&mut reading, echoes, warnings);
            let (reading, gaps) = check_analyst(reading, warnings)?;
            (Reading::Analyst(reading), gaps)
        }
        Role::Editor => {
            let (reading, gaps) = check_editor(document, context)?;
            (Reading::Editor(reading), gaps)
        }
        Role::FinalReviewer => {
            let (reading, gaps) = check_final_review(read_final_review(document, mode), warnings)?;
            (Reading::FinalReviewer(reading), gaps)
        }
    })
}

fn check_analyst(
    mut reading: AnalystReading,
    warnings: &mut Vec<Warning>,
) -> Outcome<AnalystReading> {
    cut(&mut reading.gaps, MOST_NEW_GAPS * 2, "gaps", warnings);
    if reading.gaps.is_empty() && !reading.no_gaps_found {
        return wrong_form(
            FormFault::NothingBinds,
            "neither a heading `## Gap: GAP-…` nor **NO_GAPS_FOUND** was found outside code"
                .to_owned(),
        );
    }
    let undescribed = reading.gaps.iter().find(|gap| gap.description.is_empty());
    if let Some(gap) = undescribed {
        return wrong_form(
            FormFault::NotDescribed {
                gap: gap.id.clone(),
                line: gap.line,
            },
            format!(
                "{} (line {}) does not say what is missing",
                gap.id, gap.line
            ),
        );
    }
    let addressed = reading.gaps.iter().map(|gap| gap.id.clone()).collect();
    Ok((reading, addressed))
}

fn check_final_review(
    mut reading: FinalReading,
    warnings: &mut Vec<Warning>,
) -> Outcome<FinalReading> {
    cut(&mut reading.blockers, MOST_ISSUES, "blockers", warnings);
    let fault = match (reading.has_heading, reading.verdict) {
        (true, Some(_)) => return Ok((reading, Vec::new())),
        (true, None) => FormFault::NoFinalVerdict,
        (false, _) => FormFault::NothingBinds,
    };
    wrong_form(
        fault,
        "a final review needs `## Final Review` and `**Verdict:** READY_FOR_TERMINATION` or `NOT_READY`"
            .to_owned(),
    )
}
