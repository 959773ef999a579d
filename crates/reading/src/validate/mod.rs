//! Owns the checks on what agents wrote, and their one result. The caller says what each gap's standing is in this
//! task; nothing here knows the session.

mod editor;
mod engineer;
mod fix;
mod left_out;
mod quote;
mod rejected;
mod reviewer;
mod whole;

use serde::{Deserialize, Serialize};

use crate::read;
use crate::read::{
    AnalystReading, Candidate, ExplainedSection, FinalReading, Reading, candidates, read_analyst,
    read_engineer, read_final_review, read_reviewer,
};
use gapless_domain::config::Strictness;
use gapless_domain::failure::{FailureFacts, FailureType, FormFault, Warning};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_markdown::visible;

use editor::check_editor;
pub use editor::{GivenSection, SectionFault, nothing_wanted, versions_of};
pub use engineer::THIN_SECTION_CHARS;
use engineer::check_engineer;
pub use fix::fix;
use left_out::without_what_is_wrong;
pub use quote::stands_in;
pub use rejected::Rejected;
use reviewer::{check_form_of_issues, check_reviewer};
pub use whole::{NotWhole, why_not_whole};

/// The one result of every check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationResult {
    pub success: bool,
    pub failure_type: Option<FailureType>,
    pub retriable: bool,
    pub message: String,
    pub warnings: Vec<Warning>,
    pub gaps_addressed: Vec<GapId>,
    /// What was found wrong, as data.
    #[serde(default, skip_serializing_if = "FailureFacts::is_empty")]
    pub facts: FailureFacts,
}

/// A failed check, before warnings are put beside it.
struct Failure {
    kind: FailureType,
    message: String,
    facts: Box<FailureFacts>,
}

fn failure<T>(kind: FailureType, message: String) -> Result<T, Failure> {
    failure_with(kind, message, FailureFacts::default())
}

/// A document of the wrong form, with what exactly is wrong with it.
fn wrong_form<T>(fault: FormFault, message: String) -> Result<T, Failure> {
    let facts = FailureFacts {
        form: Some(fault),
        ..FailureFacts::default()
    };
    failure_with(FailureType::WrongFormat, message, facts)
}

fn failure_with<T>(kind: FailureType, message: String, facts: FailureFacts) -> Result<T, Failure> {
    Err(Failure {
        kind,
        message,
        facts: Box::new(facts),
    })
}

/// What a gap is to the task whose output is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// This task's.
    Assigned,
    /// Open, and nobody has it in this round.
    Free,
    /// Another task's, parked or closed: a section on it binds nothing.
    Elsewhere,
    Unknown,
}

/// What an issue is to an Engineer that disagrees with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueStanding {
    /// It stands, and on a gap of this task.
    Due,
    /// It stands, on another gap.
    Standing,
    Decided,
    Over,
    Unknown,
}

/// What the checks need to know of the session.
pub trait Ground {
    fn gap(&self, gap: &GapId) -> Standing;
    fn issue(&self, issue: &IssueId) -> IssueStanding;
    /// The gaps of this task, as far as they are known.
    fn assigned(&self) -> &[GapId] {
        &[]
    }
    /// True where the quote stands in the review that raised the issue, or where that review is not known.
    fn is_quoted(&self, _issue: &IssueId, _quote: &str) -> bool {
        true
    }
    /// What the user decided against on a gap.
    fn rejected(&self, _gap: &GapId) -> Vec<Rejected> {
        Vec::new()
    }
    /// The issue of the task's gaps that the user settled and that a text raises again.
    fn settled_matter(&self, _text: &str) -> Option<IssueId> {
        None
    }
    /// True where the document is one of a finished record: then it may bring up gaps of its own, and a review that names
    /// no gap is taken.
    fn is_record(&self) -> bool {
        false
    }
    /// The sections that an Editor was given.
    fn sections(&self) -> Vec<&dyn GivenSection> {
        Vec::new()
    }
    /// True where a code base was there to be looked at.
    fn has_repo(&self) -> bool {
        false
    }
}

/// What came of reading and checking an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub result: ValidationResult,
    /// What was read, where the output is valid.
    pub reading: Option<Reading>,
    /// The document as it was read: the output without what was taken off around it. Places in the reading are its own.
    pub document: String,
}

/// Reads and checks an output. `None` stands for a document that isn't there.
pub fn validate(role: Role, text: Option<&str>, mode: Strictness, ground: &dyn Ground) -> Checked {
    let Some(text) = text else {
        return failed(FailureType::FileMissing, "the agent left no document", "");
    };
    if text
        .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .is_empty()
    {
        return failed(FailureType::EmptyOutput, "the document is empty", text);
    }
    let best = readings(role, text, mode, ground).max_by_key(|(checked, _)| rank(checked));
    match best {
        Some((checked, _)) => checked,
        None => failed(
            FailureType::WrongFormat,
            "the document cannot be read",
            text,
        ),
    }
}

/// Explains how an output is read, section by section, in the reading that [`validate`] takes.
pub fn explain(
    role: Role,
    text: &str,
    mode: Strictness,
    ground: &dyn Ground,
) -> Vec<ExplainedSection> {
    let structure = readings(role, text, mode, ground)
        .max_by_key(|(checked, _)| rank(checked))
        .map_or_else(|| text.to_owned(), |(_, structure)| structure);
    read::explain(role, &Document::parse(&structure), mode)
}

/// Every way in which an output may be read, with what its structure is read from; the one to prefer comes last.
fn readings(
    role: Role,
    text: &str,
    mode: Strictness,
    ground: &dyn Ground,
) -> impl Iterator<Item = (Checked, String)> {
    let candidates = match mode {
        Strictness::Strict => vec![Candidate::plain(text)],
        Strictness::Tolerant => candidates(text),
    };
    // Of readings that are as good, the text as it stands is taken: it comes first, and the last of equals wins.
    let candidates = candidates.into_iter().rev();
    candidates.map(move |candidate| read_candidate(role, candidate, mode, ground))
}

/// Reads an output that was not valid and leaves out what is wrong in it: sections for gaps that don't exist and bad DISAGREE
/// blocks, which are cut out of the document too, and reviews that judge nothing. Nothing where no gap of the task is left
/// then.
pub fn salvage(role: Role, text: &str, ground: &dyn Ground) -> Option<Checked> {
    let best = candidates(text)
        .into_iter()
        .map(|candidate| {
            let Candidate {
                document: text,
                structure,
                mut warnings,
            } = match role {
                Role::Engineer => without_what_is_wrong(candidate, ground),
                _ => candidate,
            };
            let document = Document::parse(&structure);
            let checked = match role {
                Role::Engineer => {
                    let reading = read_engineer(&document, Strictness::Tolerant);
                    check_engineer(
                        &document,
                        reading,
                        Strictness::Tolerant,
                        ground,
                        &mut warnings,
                    )
                    .map(|(reading, gaps)| (Reading::Engineer(reading), gaps))
                }
                Role::Reviewer => {
                    let mut reading = read_reviewer(&document, Strictness::Tolerant);
                    reviewer::leave_out_what_is_wrong(&mut reading, ground);
                    check_reviewer(reading, Strictness::Tolerant, ground, &mut warnings)
                        .map(|(reading, gaps)| (Reading::Reviewer(reading), gaps))
                }
                Role::Analyst | Role::Editor | Role::FinalReviewer => {
                    failure(FailureType::WrongFormat, String::new())
                }
            };
            judged(text, checked, warnings)
        })
        .max_by_key(rank)?;
    (best.result.success && !best.result.gaps_addressed.is_empty()).then_some(best)
}

/// A valid reading is better than none, and one that binds more is better than one that binds less.
fn rank(checked: &Checked) -> (bool, usize, usize) {
    let issues = match &checked.reading {
        Some(Reading::Reviewer(reading)) => reading.issues.len(),
        _ => 0,
    };
    (
        checked.result.success,
        checked.result.gaps_addressed.len(),
        issues,
    )
}

fn failed(kind: FailureType, message: &str, document: &str) -> Checked {
    Checked {
        result: ValidationResult {
            success: false,
            failure_type: Some(kind),
            retriable: true,
            message: message.to_owned(),
            warnings: Vec::new(),
            gaps_addressed: Vec::new(),
            facts: FailureFacts::default(),
        },
        reading: None,
        document: document.to_owned(),
    }
}

fn read_candidate(
    role: Role,
    candidate: Candidate,
    mode: Strictness,
    ground: &dyn Ground,
) -> (Checked, String) {
    let Candidate {
        document: text,
        structure,
        mut warnings,
    } = candidate;
    let document = Document::parse(&structure);
    let checked = check(role, &document, mode, ground, &mut warnings);
    (judged(text, checked, warnings), structure)
}

fn judged(document: String, checked: Outcome<Reading>, mut warnings: Vec<Warning>) -> Checked {
    for warning in &mut warnings {
        warning.message = said(&warning.message);
    }
    let (result, reading) = match checked {
        Ok((reading, gaps_addressed)) => {
            let result = ValidationResult {
                success: true,
                failure_type: None,
                retriable: false,
                message: "valid".to_owned(),
                warnings,
                gaps_addressed,
                facts: FailureFacts::default(),
            };
            (result, Some(reading))
        }
        Err(failure) => {
            let result = ValidationResult {
                success: false,
                failure_type: Some(failure.kind),
                retriable: true,
                message: said(&failure.message),
                warnings,
                gaps_addressed: Vec::new(),
                facts: *failure.facts,
            };
            (result, None)
        }
    };
    Checked {
        result,
        reading,
        document,
    }
}

/// How long what is said of a document may be.
const LONGEST_MESSAGE: usize = 1000;

/// A message as it may be shown: what it repeats of the document neither steers a terminal nor goes on for pages.
fn said(message: &str) -> String {
    let shown = visible(message);
    match shown.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

type Outcome<T> = Result<(T, Vec<GapId>), Failure>;

fn check(
    role: Role,
    document: &Document,
    mode: Strictness,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Outcome<Reading> {
    Ok(match role {
        Role::Engineer => {
            let reading = read_engineer(document, mode);
            let (reading, gaps) = check_engineer(document, reading, mode, ground, warnings)?;
            (Reading::Engineer(reading), gaps)
        }
        Role::Reviewer => {
            let reading = read_reviewer(document, mode);
            check_form_of_issues(&reading, mode)?;
            let (reading, gaps) = check_reviewer(reading, mode, ground, warnings)?;
            (Reading::Reviewer(reading), gaps)
        }
        Role::Analyst => {
            let (reading, gaps) = check_analyst(read_analyst(document, mode), warnings)?;
            (Reading::Analyst(reading), gaps)
        }
        Role::Editor => {
            let (reading, gaps) = check_editor(document, ground)?;
            (Reading::Editor(reading), gaps)
        }
        Role::FinalReviewer => {
            let (reading, gaps) = check_final_review(read_final_review(document, mode), warnings)?;
            (Reading::FinalReviewer(reading), gaps)
        }
    })
}

/// How many issues one review may raise: with every rollback of a session, ids of a round suffice.
const MOST_ISSUES: usize = 100;
/// How many new gaps one document may declare.
const MOST_NEW_GAPS: usize = 100;

/// Cuts a list that no honest document has, and says so.
fn cut<T>(list: &mut Vec<T>, most: usize, what: &str, warnings: &mut Vec<Warning>) {
    if list.len() > most {
        let message = format!(
            "{} {what} are more than one document may bring; {most} were taken",
            list.len()
        );
        warnings.push(Warning::new("TOO_MANY", None, message));
        list.truncate(most);
    }
}

/// How many references to unknown gaps are said one by one.
const MOST_REFERENCE_WARNINGS: usize = 10;

/// The first gaps of a list, each once: what a hostile document names must not make events grow.
fn first_of(mut gaps: Vec<GapId>) -> Vec<GapId> {
    gaps.dedup();
    gaps.truncate(MOST_REFERENCE_WARNINGS);
    gaps
}

/// The first ids of a list, and how many there are beside them.
fn listed(ids: &[String]) -> String {
    let (first, more) = ids.split_at(ids.len().min(MOST_REFERENCE_WARNINGS));
    match more.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
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
