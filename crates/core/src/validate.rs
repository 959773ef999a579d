//! Owns the checks on what agents wrote, and their one result. The caller says what each gap's standing is in this
//! task; nothing here knows the session.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::ids::{GapId, IssueId, gap_ids_in};
use crate::read::{
    AnalystReading, BoundGap, Candidate, Disagreement, Document, EngineerReading, FinalReading,
    Mode, Reading, Review, ReviewerReading, Verdict, candidates, read_analyst, read_engineer,
    read_final_review, read_reviewer,
};
use crate::task::Role;

/// What is wrong with an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureType {
    FileMissing,
    EmptyOutput,
    WrongFormat,
    NoGapsAddressed,
    InconsistentRefs,
    InvalidDisagreeRef,
    MalformedDisagree,
    ReArguedConflict,
}

impl FailureType {
    pub fn name(self) -> &'static str {
        match self {
            FailureType::FileMissing => "FILE_MISSING",
            FailureType::EmptyOutput => "EMPTY_OUTPUT",
            FailureType::WrongFormat => "WRONG_FORMAT",
            FailureType::NoGapsAddressed => "NO_GAPS_ADDRESSED",
            FailureType::InconsistentRefs => "INCONSISTENT_REFS",
            FailureType::InvalidDisagreeRef => "INVALID_DISAGREE_REF",
            FailureType::MalformedDisagree => "MALFORMED_DISAGREE",
            FailureType::ReArguedConflict => "RE_ARGUED_CONFLICT",
        }
    }
}

/// Something worth saying that fails nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Warning {
    pub fn new(code: &str, line: Option<u32>, message: String) -> Self {
        Self {
            code: code.to_owned(),
            message,
            line,
        }
    }
}

/// The one result of every check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationResult {
    pub success: bool,
    pub failure_type: Option<FailureType>,
    pub retriable: bool,
    pub message: String,
    pub warnings: Vec<Warning>,
    pub gaps_addressed: Vec<GapId>,
}

/// A failed check, before warnings are put beside it.
struct Failure {
    kind: FailureType,
    message: String,
}

fn failure<T>(kind: FailureType, message: String) -> Result<T, Failure> {
    Err(Failure { kind, message })
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
    /// False where only an inventory is known and not who was to do what: then every known gap counts as assigned, and a
    /// section for a gap that the document itself brings up is taken as that.
    fn knows_assignment(&self) -> bool {
        true
    }
}

const THIN_SECTION_CHARS: usize = 200;

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
pub fn validate(role: Role, text: Option<&str>, mode: Mode, ground: &dyn Ground) -> Checked {
    let Some(text) = text else {
        return failed(FailureType::FileMissing, "the agent left no document", "");
    };
    if text
        .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .is_empty()
    {
        return failed(FailureType::EmptyOutput, "the document is empty", text);
    }
    let mut readings = match mode {
        Mode::Strict => vec![Candidate::plain(text)],
        Mode::Tolerant => candidates(text),
    }
    .into_iter()
    .map(|candidate| read_candidate(role, candidate, mode, ground));
    // The text as it stands comes first, and another reading must be better, not only as good.
    let Some(mut best) = readings.next() else {
        return failed(
            FailureType::WrongFormat,
            "the document cannot be read",
            text,
        );
    };
    for other in readings {
        if rank(&other) > rank(&best) {
            best = other;
        }
    }
    best
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
        },
        reading: None,
        document: document.to_owned(),
    }
}

fn read_candidate(role: Role, candidate: Candidate, mode: Mode, ground: &dyn Ground) -> Checked {
    let Candidate {
        document: text,
        structure,
        mut warnings,
    } = candidate;
    let document = Document::parse(&structure);
    let checked = check(role, &document, mode, ground, &mut warnings);
    let (result, reading) = match checked {
        Ok((reading, gaps_addressed)) => {
            let result = ValidationResult {
                success: true,
                failure_type: None,
                retriable: false,
                message: "valid".to_owned(),
                warnings,
                gaps_addressed,
            };
            (result, Some(reading))
        }
        Err(failure) => {
            let result = ValidationResult {
                success: false,
                failure_type: Some(failure.kind),
                retriable: true,
                message: failure.message,
                warnings,
                gaps_addressed: Vec::new(),
            };
            (result, None)
        }
    };
    Checked {
        result,
        reading,
        document: text,
    }
}

type Outcome<T> = Result<(T, Vec<GapId>), Failure>;

fn check(
    role: Role,
    document: &Document,
    mode: Mode,
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
            check_none_dropped(document, &reading, mode)?;
            let (reading, gaps) = check_reviewer(reading, mode, ground, warnings)?;
            (Reading::Reviewer(reading), gaps)
        }
        Role::Analyst => {
            let (reading, gaps) = check_analyst(read_analyst(document, mode), warnings)?;
            (Reading::Analyst(reading), gaps)
        }
        Role::FinalReviewer => {
            let (reading, gaps) = check_final_review(read_final_review(document, mode), warnings)?;
            (Reading::FinalReviewer(reading), gaps)
        }
    })
}

fn noncanonical(warnings: &mut Vec<Warning>, line: u32, what: String) {
    warnings.push(Warning::new("NONCANONICAL_FORM", Some(line), what));
}

/// Checks an Engineer's reading, and leaves in it only what binds.
fn check_engineer(
    document: &Document,
    mut reading: EngineerReading,
    mode: Mode,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Outcome<EngineerReading> {
    check_disagreements(&reading, ground)?;
    reading.blocked.retain(|marker| {
        let assigned = ground.gap(&marker.gap) == Standing::Assigned;
        if !assigned {
            let message = format!(
                "the marker on {} is not this task's and was not taken",
                marker.gap
            );
            warnings.push(Warning::new("FOREIGN_MARKER", Some(marker.line), message));
        }
        assigned
    });
    // A gap is addressed by a disagreement on an issue of its own, and by no other.
    let disagrees = |block: &Disagreement| ground.issue(&block.issue) == IssueStanding::Due;
    let nothing_else = reading.blocked.is_empty() && !reading.disagreements.iter().any(disagrees);
    if reading.gaps.is_empty() && nothing_else {
        return failure(
            FailureType::WrongFormat,
            "no heading `## Gap Resolution: GAP-…` was found outside code".to_owned(),
        );
    }
    bound_new_gaps(&mut reading, warnings);
    let invented = check_references(document, &reading, mode, ground, warnings)?;
    keep_bound(document, &mut reading, &invented, ground, warnings);
    let addressed_one = reading
        .gaps
        .iter()
        .any(|bound| ground.gap(&bound.gap) == Standing::Assigned || invented.contains(&bound.gap));
    if !addressed_one && nothing_else {
        return failure(
            FailureType::NoGapsAddressed,
            "none of the assigned gaps has a section of its own".to_owned(),
        );
    }
    if mode == Mode::Strict
        && let Some(bound) = reading.gaps.iter().find(|bound| bound.confidence.is_none())
    {
        return failure(
            FailureType::WrongFormat,
            format!(
                "{} (line {}) states no **Confidence:**",
                bound.gap, bound.line
            ),
        );
    }
    for bound in &reading.gaps {
        warn_of_bound_gap(bound, ground, warnings);
    }
    warn_of_unknown_references(document, &reading, ground, warnings);
    let mut addressed: Vec<GapId> = reading.gaps.iter().map(|bound| bound.gap.clone()).collect();
    addressed.extend(reading.blocked.iter().map(|marker| marker.gap.clone()));
    Ok((reading, addressed))
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

fn bound_new_gaps(reading: &mut EngineerReading, warnings: &mut Vec<Warning>) {
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    for bound in &mut reading.gaps {
        cut(&mut bound.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    }
}

/// Every bound id must exist. Against an inventory alone, a document may bring up gaps of its own: beside known ones, or
/// where its head says that it is about them.
fn check_references(
    document: &Document,
    reading: &EngineerReading,
    mode: Mode,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Result<BTreeSet<GapId>, Failure> {
    let is_unknown = |gap: &GapId| ground.gap(gap) == Standing::Unknown;
    let mut unknown: Vec<&BoundGap> = reading
        .gaps
        .iter()
        .filter(|bound| is_unknown(&bound.gap))
        .collect();
    unknown.dedup_by(|one, other| one.gap == other.gap);
    if unknown.is_empty() {
        return Ok(BTreeSet::new());
    }
    let any_known = reading.gaps.iter().any(|bound| !is_unknown(&bound.gap));
    let announced = announced_gaps(document);
    let own = |bound: &&BoundGap| any_known || announced.contains(&bound.gap);
    if mode == Mode::Strict || ground.knows_assignment() || !unknown.iter().all(own) {
        let ids: Vec<String> = unknown.iter().map(|bound| bound.gap.to_string()).collect();
        return failure(
            FailureType::InconsistentRefs,
            format!("sections for gaps that do not exist: {}", listed(&ids)),
        );
    }
    for bound in &unknown {
        let message = format!(
            "{} is not in the inventory; the document brings it up itself",
            bound.gap
        );
        warnings.push(Warning::new("INVENTED_GAP", Some(bound.line), message));
    }
    Ok(unknown.into_iter().map(|bound| bound.gap.clone()).collect())
}

/// The gaps that a document's head says it is about.
fn announced_gaps(document: &Document) -> BTreeSet<GapId> {
    let end = document
        .headings
        .iter()
        .find(|heading| heading.level >= 2)
        .map_or(document.source.len(), |heading| heading.span.start);
    let ids = gap_ids_in(document.prose_of(0..end));
    ids.into_iter().map(|found| found.id).collect()
}

/// Leaves only the sections that bind: each gap once, no gap that is marked as blocked or is somebody else's.
fn keep_bound(
    document: &Document,
    reading: &mut EngineerReading,
    invented: &BTreeSet<GapId>,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) {
    let blocked: BTreeSet<GapId> = reading
        .blocked
        .iter()
        .map(|marker| marker.gap.clone())
        .collect();
    // Of several sections for a gap the canonical one binds, else the longest.
    let mut best: BTreeMap<GapId, (bool, usize, u32)> = BTreeMap::new();
    for bound in &reading.gaps {
        let rank = (bound.canonical, bound.section.len(), u32::MAX - bound.line);
        let known = best.entry(bound.gap.clone()).or_insert(rank);
        *known = (*known).max(rank);
    }
    reading.gaps.retain(|bound| {
        let rank = (bound.canonical, bound.section.len(), u32::MAX - bound.line);
        let why_not = match ground.gap(&bound.gap) {
            _ if blocked.contains(&bound.gap) => {
                Some("is marked as blocked, which wins over a section")
            }
            _ if best.get(&bound.gap) != Some(&rank) => {
                Some("has another section in this document")
            }
            Standing::Elsewhere => Some("is not this task's, or is parked or closed"),
            _ if !has_text(document, bound) => Some("has a heading and no text"),
            Standing::Unknown if !invented.contains(&bound.gap) => Some("does not exist"),
            Standing::Assigned | Standing::Free | Standing::Unknown => None,
        };
        if let Some(why) = why_not {
            let message = format!("the section binds nothing: {} {why}", bound.gap);
            warnings.push(Warning::new("SECTION_NOT_BOUND", Some(bound.line), message));
        }
        why_not.is_none()
    });
}

/// True where the section says something, in prose or in code.
fn has_text(document: &Document, bound: &BoundGap) -> bool {
    let text = bound
        .solution
        .iter()
        .filter_map(|range| document.source.get(range.clone()));
    text.flat_map(str::lines).any(|line| {
        let line = line.trim();
        !line.starts_with('#') && line.chars().any(char::is_alphanumeric)
    })
}

/// The first ids of a list, and how many there are beside them.
fn listed(ids: &[String]) -> String {
    let (first, more) = ids.split_at(ids.len().min(MOST_REFERENCE_WARNINGS));
    match more.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// How many references to unknown gaps are said one by one.
const MOST_REFERENCE_WARNINGS: usize = 10;

/// Ids in prose that nobody knows only warn; those that the document declares as new gaps are no references.
fn warn_of_unknown_references(
    document: &Document,
    reading: &EngineerReading,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) {
    let mut fine: BTreeSet<&GapId> = reading.new_gaps.iter().map(|gap| &gap.id).collect();
    for bound in &reading.gaps {
        fine.insert(&bound.gap);
        fine.extend(bound.new_gaps.iter().map(|gap| &gap.id));
    }
    let mut said: BTreeSet<GapId> = BTreeSet::new();
    for found in gap_ids_in(document.prose()) {
        if said.len() >= MOST_REFERENCE_WARNINGS {
            return;
        }
        if !fine.contains(&found.id)
            && ground.gap(&found.id) == Standing::Unknown
            && said.insert(found.id.clone())
        {
            let message = format!("{} is named and does not exist", found.id);
            warnings.push(Warning::new(
                "UNKNOWN_REFERENCE",
                Some(document.line_of(found.at)),
                message,
            ));
        }
    }
}

fn warn_of_bound_gap(bound: &BoundGap, ground: &dyn Ground, warnings: &mut Vec<Warning>) {
    let mut warn = |code: &str, what: &str| {
        let message = format!("{} {what}", bound.gap);
        warnings.push(Warning::new(code, Some(bound.line), message));
    };
    if !bound.canonical {
        warn(
            "NONCANONICAL_FORM",
            "is bound by a heading of another form than `## Gap Resolution: GAP-…`",
        );
    }
    if ground.gap(&bound.gap) == Standing::Free {
        warn(
            "ASSIGNED_LATE",
            "was not assigned; its section is taken as if it had been",
        );
    }
    if bound.confidence.is_none() {
        warn("NO_CONFIDENCE", "states no confidence");
    }
    if bound.section.len() < THIN_SECTION_CHARS {
        warn("THIN_CONTENT", "has a section of under 200 characters");
    }
    if !bound.has_trade_offs {
        warn("INCOMPLETE_STRUCTURE", "has no Trade-offs part");
    }
}

fn check_disagreements(reading: &EngineerReading, ground: &dyn Ground) -> Result<(), Failure> {
    for block in &reading.disagreements {
        let issue = &block.issue;
        match ground.issue(issue) {
            IssueStanding::Unknown => {
                return failure(
                    FailureType::InvalidDisagreeRef,
                    format!("DISAGREE names {issue}, which does not exist"),
                );
            }
            IssueStanding::Decided => {
                return failure(
                    FailureType::ReArguedConflict,
                    format!("DISAGREE argues {issue} again, which the user has decided"),
                );
            }
            IssueStanding::Due | IssueStanding::Standing | IssueStanding::Over => {}
        }
        let parts = [
            ("Reviewer Concern", &block.concern),
            ("Engineer Position", &block.position),
            ("Rationale", &block.rationale),
        ];
        if let Some((name, _)) = parts.iter().find(|(_, value)| value.is_none()) {
            return failure(
                FailureType::MalformedDisagree,
                format!("DISAGREE on {issue} has no **{name}:**"),
            );
        }
    }
    Ok(())
}

/// Strict takes the canonical form only, but an issue in another one must not pass for none.
fn check_none_dropped(
    document: &Document,
    reading: &ReviewerReading,
    mode: Mode,
) -> Result<(), Failure> {
    if mode == Mode::Tolerant {
        return Ok(());
    }
    let taken: BTreeSet<u32> = reading.issues.iter().map(|issue| issue.line).collect();
    let all = read_reviewer(document, Mode::Tolerant).issues;
    let mut dropped = all.iter().filter(|issue| !taken.contains(&issue.line));
    let mut other_form = reading.issues.iter().filter(|issue| !issue.canonical);
    match dropped.next().or(other_form.next()) {
        Some(issue) => failure(
            FailureType::WrongFormat,
            format!(
                "the issue on line {} stands in another form than `- **ISSUE-R<round>-NNN**: …` under its severity",
                issue.line
            ),
        ),
        None => Ok(()),
    }
}

/// Checks a Reviewer's reading, and leaves in it only what binds.
fn check_reviewer(
    mut reading: ReviewerReading,
    mode: Mode,
    ground: &dyn Ground,
    warnings: &mut Vec<Warning>,
) -> Outcome<ReviewerReading> {
    let says_something =
        !reading.reviews.is_empty() || !reading.issues.is_empty() || reading.verdict.is_some();
    if !says_something || (mode == Mode::Strict && reading.reviews.is_empty()) {
        return failure(
            FailureType::WrongFormat,
            "no heading `## Review: GAP-…`, no issue and no verdict was found outside code"
                .to_owned(),
        );
    }
    if let Some(line) = reading.proposal
        && !reading.reviews.iter().any(|review| review.by_heading)
    {
        return failure(
            FailureType::WrongFormat,
            format!("this is a proposal (`## Gap Resolution:`, line {line}) and no review"),
        );
    }
    let raised: BTreeSet<&GapId> = reading
        .issues
        .iter()
        .filter_map(|issue| issue.gap.as_ref())
        .collect();
    let judged = |review: &Review| {
        review.has_severity_sections
            || review.verdict.is_some()
            || (mode == Mode::Tolerant && raised.contains(&review.gap))
    };
    let whole_judged =
        mode == Mode::Tolerant && (reading.verdict.is_some() || reading.has_severity_sections);
    if let Some(review) = reading
        .reviews
        .iter()
        .find(|review| !judged(review) && !whole_judged)
    {
        return failure(
            FailureType::WrongFormat,
            format!(
                "the review of {} (line {}) has neither severity sections nor **NO_ISSUES_FOUND**",
                review.gap, review.line
            ),
        );
    }
    let bound = reading
        .reviews
        .iter()
        .filter(|review| review.by_heading)
        .map(|review| &review.gap);
    let unknown = ids_with(bound, ground, Standing::Unknown);
    if !unknown.is_empty() && (ground.knows_assignment() || mode == Mode::Strict) {
        return failure(
            FailureType::InconsistentRefs,
            format!("reviews of gaps that do not exist: {}", listed(&unknown)),
        );
    }
    cut(&mut reading.issues, MOST_ISSUES, "issues", warnings);
    cut(&mut reading.new_gaps, MOST_NEW_GAPS, "new gaps", warnings);
    add_gaps_named_by_issues(&mut reading);
    keep_reviews(&mut reading, ground, warnings);
    if reading.reviews.is_empty() && ground.knows_assignment() {
        return failure(
            FailureType::NoGapsAddressed,
            "none of the proposals of this round is reviewed by name".to_owned(),
        );
    }
    warn_of_reviews(&reading, warnings);
    let addressed: Vec<GapId> = reading
        .reviews
        .iter()
        .map(|review| review.gap.clone())
        .collect();
    Ok((reading, addressed))
}

/// A gap that an issue names is reviewed.
fn add_gaps_named_by_issues(reading: &mut ReviewerReading) {
    for issue in &reading.issues {
        let Some(gap) = &issue.gap else {
            continue;
        };
        if !reading.reviews.iter().any(|review| review.gap == *gap) {
            reading
                .reviews
                .push(Review::named(gap.clone(), issue.line, None));
        }
    }
}

fn keep_reviews(reading: &mut ReviewerReading, ground: &dyn Ground, warnings: &mut Vec<Warning>) {
    reading.reviews.retain(|review| {
        let standing = ground.gap(&review.gap);
        let ours = standing == Standing::Assigned;
        if !ours && review.by_heading {
            let why = match standing {
                Standing::Unknown => "is not in the inventory",
                _ => "has no proposal in this round",
            };
            let message = format!("the review of {} is not counted: it {why}", review.gap);
            warnings.push(Warning::new("REVIEW_NOT_BOUND", Some(review.line), message));
        }
        ours
    });
}

fn warn_of_reviews(reading: &ReviewerReading, warnings: &mut Vec<Warning>) {
    if reading.reviews.is_empty() {
        let message = "no gap is named; the review counts for none".to_owned();
        warnings.push(Warning::new("NO_GAP_NAMED", None, message));
    }
    for review in &reading.reviews {
        if !review.canonical {
            noncanonical(
                warnings,
                review.line,
                format!(
                    "{} is reviewed by another form than `## Review: GAP-…`",
                    review.gap
                ),
            );
        }
        let standing = reading
            .issues
            .iter()
            .filter(|issue| !issue.withdrawn && issue.gap.as_ref() == Some(&review.gap));
        let grave = standing.clone().any(|issue| issue.concern.severity.holds());
        let verdict = review.verdict.or(reading.verdict);
        if verdict.is_some_and(Verdict::approves) && grave {
            let message = format!(
                "{} is approved over a CRITICAL or HIGH issue; that is no sign-off",
                review.gap
            );
            warnings.push(Warning::new(
                "APPROVED_OVER_ISSUES",
                Some(review.line),
                message,
            ));
        } else if verdict == Some(Verdict::NoIssuesFound) && standing.count() > 0 {
            let message = format!(
                "the review of {} says NO_ISSUES_FOUND and raises issues",
                review.gap
            );
            warnings.push(Warning::new(
                "VERDICT_AGAINST_ISSUES",
                Some(review.line),
                message,
            ));
        }
    }
    for issue in reading.issues.iter().filter(|issue| !issue.canonical) {
        let name = match issue.written_id.as_str() {
            "" => "an issue without an id",
            id => id,
        };
        let message = format!("{name} stands in another form than `- **ISSUE-R<round>-NNN**: …`");
        noncanonical(warnings, issue.line, message);
    }
}

fn check_analyst(
    mut reading: AnalystReading,
    warnings: &mut Vec<Warning>,
) -> Outcome<AnalystReading> {
    cut(&mut reading.gaps, MOST_NEW_GAPS * 2, "gaps", warnings);
    if reading.gaps.is_empty() && !reading.no_gaps_found {
        return failure(
            FailureType::WrongFormat,
            "neither a heading `## Gap: GAP-…` nor **NO_GAPS_FOUND** was found outside code"
                .to_owned(),
        );
    }
    let undescribed = reading.gaps.iter().find(|gap| gap.description.is_empty());
    if let Some(gap) = undescribed {
        return failure(
            FailureType::WrongFormat,
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
    if !reading.has_heading || reading.verdict.is_none() {
        return failure(
            FailureType::WrongFormat,
            "a final review needs `## Final Review` and `**Verdict:** READY_FOR_TERMINATION` or `NOT_READY`"
                .to_owned(),
        );
    }
    Ok((reading, Vec::new()))
}

fn ids_with<'a>(
    gaps: impl Iterator<Item = &'a GapId>,
    ground: &dyn Ground,
    standing: Standing,
) -> Vec<String> {
    let mut ids: Vec<String> = gaps
        .filter(|gap| ground.gap(gap) == standing)
        .map(ToString::to_string)
        .collect();
    ids.dedup();
    ids
}
