//! `gapless validate`: what is read from a document, and whether it would be taken, as the Mediator judges it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gapless_core::ids::{GapId, IssueId};
use gapless_core::read::{Document, Mode, Reading, StatusReading, read_status};
use gapless_core::task::{OutputNote, Role};
use gapless_core::validate::{
    Checked, FailureType, Ground, IssueStanding, Standing, Warning, validate,
};
use serde_json::{Value, json as value};

use crate::context::Context;
use crate::failure::{Exit, Failure, Kind};
use crate::show::{Screen, Tone, json, plain};

#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Whose document it is
    pub role: DocumentRole,
    /// The document
    pub file: PathBuf,
    /// The session's status.md: gaps that are not in it don't exist
    #[arg(long, value_name = "STATUS.md")]
    pub status: Option<PathBuf>,
    /// The round of the document; issues of later rounds don't exist yet
    #[arg(long, value_name = "N")]
    pub round: Option<u32>,
    /// Take only the canonical forms
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DocumentRole {
    Engineer,
    Reviewer,
    Analyst,
    Final,
}

impl DocumentRole {
    fn role(self) -> Role {
        match self {
            DocumentRole::Engineer => Role::Engineer,
            DocumentRole::Reviewer => Role::Reviewer,
            DocumentRole::Analyst => Role::Analyst,
            DocumentRole::Final => Role::FinalReviewer,
        }
    }

    fn name(self) -> &'static str {
        match self {
            DocumentRole::Final => "final",
            other => other.role().stem(),
        }
    }
}

/// What a status.md says exists. Who was assigned what is not in it.
struct Inventory {
    status: Option<StatusReading>,
    round: Option<u32>,
}

impl Ground for Inventory {
    fn gap(&self, gap: &GapId) -> Standing {
        match &self.status {
            Some(status) if status.gap(gap).is_none() => Standing::Unknown,
            _ => Standing::Assigned,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueStanding {
        match self.round {
            Some(round) if issue.round > round => IssueStanding::Unknown,
            _ => IssueStanding::Due,
        }
    }

    fn knows_assignment(&self) -> bool {
        false
    }
}

pub fn run(context: &Context, args: &ValidateArgs) -> Result<Exit, Failure> {
    let status = match &args.status {
        Some(path) => Some(read_inventory(&context.resolve(path))?),
        None => None,
    };
    let inventory = Inventory {
        status,
        round: args.round,
    };
    let mode = if args.strict {
        Mode::Strict
    } else {
        Mode::Tolerant
    };
    let (text, note) = read_document(&context.resolve(&args.file))?;
    let mut checked = validate(args.role.role(), text.as_deref(), mode, &inventory);
    if let Some(note) = note {
        let warning = Warning::new(note.code(), None, note.message().to_owned());
        checked.result.warnings.insert(0, warning);
    }
    match context.screen.is_json() {
        true => json::print(&document(args.role, &checked)),
        false => show(&context.screen, args.role, &checked),
    }
    Ok(if checked.result.success {
        Exit::Done
    } else {
        Exit::Unmet
    })
}

pub(super) fn read_inventory(path: &Path) -> Result<StatusReading, Failure> {
    let (text, _) = read_document(path)?;
    let Some(text) = text else {
        let message = format!("there is no status document at {}", path.display());
        return Err(
            Failure::new(Kind::Usage, message).hint("name the session's status.md with --status")
        );
    };
    let reading = read_status(&Document::parse(&text));
    if reading.gaps.is_empty() {
        let message = format!("no gap was found in {}", path.display());
        return Err(Failure::new(Kind::Usage, message)
            .hint("gaps are table rows or list items that begin with their id: GAP-FLOW-001"));
    }
    Ok(reading)
}

/// A file's text with what is not UTF-8 replaced; `None` where there is no file.
pub(super) fn read_document(path: &Path) -> Result<(Option<String>, Option<OutputNote>), Failure> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((None, None)),
        Err(error) => {
            let message = format!("{} cannot be read: {error}", path.display());
            return Err(Failure::new(Kind::Usage, message).hint("name a file that can be read"));
        }
    };
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (Some(text), None),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            (Some(text), Some(OutputNote::InvalidUtf8Replaced))
        }
    })
}

/// The document of `--json`.
fn document(role: DocumentRole, checked: &Checked) -> Value {
    let result = &checked.result;
    let (new_gaps, issues, verdict) = facts(checked.reading.as_ref());
    value!({
        "role": role.name(),
        "success": result.success,
        "failure_type": result.failure_type.map(FailureType::name),
        "retriable": result.retriable,
        "message": result.message,
        "fix": result.failure_type.map(fix),
        "warnings": result.warnings.iter()
            .map(|w| value!({ "code": w.code, "message": w.message, "line": w.line }))
            .collect::<Vec<_>>(),
        "gaps_addressed": result.gaps_addressed,
        "new_gaps": new_gaps,
        "issues": issues,
        "verdict": verdict,
        "reading": checked.reading,
    })
}

fn facts(reading: Option<&Reading>) -> (Vec<Value>, Vec<Value>, Option<&'static str>) {
    let gap = |gap: &gapless_core::read::DeclaredGap| value!({ "id": gap.id, "severity": gap.severity, "description": gap.description, "line": gap.line });
    match reading {
        Some(Reading::Engineer(reading)) => {
            let own = reading.gaps.iter().flat_map(|bound| &bound.new_gaps);
            (
                own.chain(&reading.new_gaps).map(gap).collect(),
                Vec::new(),
                None,
            )
        }
        Some(Reading::Reviewer(reading)) => {
            let issues = reading.issues.iter().map(|issue| {
                value!({
                    "id": issue.written_id,
                    "severity": issue.concern.severity,
                    "gap": issue.gap,
                    "summary": issue.concern.summary,
                    "withdrawn": issue.withdrawn,
                    "line": issue.line,
                })
            });
            let verdict = reading.verdict.or_else(|| {
                let mut verdicts = reading.reviews.iter().map(|review| review.verdict);
                let first = verdicts.next().flatten()?;
                verdicts.all(|other| other == Some(first)).then_some(first)
            });
            (
                reading.new_gaps.iter().map(gap).collect(),
                issues.collect(),
                verdict.map(|v| v.name()),
            )
        }
        Some(Reading::Analyst(reading)) => {
            (reading.gaps.iter().map(gap).collect(), Vec::new(), None)
        }
        Some(Reading::FinalReviewer(reading)) => {
            let issues = reading.blockers.iter().map(|blocker| {
                value!({
                    "id": null,
                    "severity": blocker.concern.severity,
                    "gap": blocker.gap,
                    "summary": blocker.concern.summary,
                    "line": blocker.line,
                })
            });
            (
                Vec::new(),
                issues.collect(),
                reading.verdict.map(|verdict| verdict.name()),
            )
        }
        Some(Reading::Editor(_)) | None => (Vec::new(), Vec::new(), None),
    }
}

/// What to do about each failure.
fn fix(failure: FailureType) -> &'static str {
    match failure {
        FailureType::FileMissing => "write the document to the path that was named",
        FailureType::EmptyOutput => "write something, at confidence LOW where nothing is sure",
        FailureType::WrongFormat => {
            "use the headings of the role's form, outside of code fences: `## Gap Resolution: GAP-…`, `## Review: GAP-…`"
        }
        FailureType::NoGapsAddressed => {
            "give each assigned gap a section or a review of its own, by its id"
        }
        FailureType::InconsistentRefs => {
            "use ids that are in the inventory, and list what is new as a new gap"
        }
        FailureType::InvalidDisagreeRef => "disagree only with issues that exist",
        FailureType::MalformedDisagree => {
            "give the block its Reviewer Concern, Engineer Position and Rationale"
        }
        FailureType::ReArguedConflict => "leave alone what the user has decided",
    }
}

fn show(screen: &Screen, role: DocumentRole, checked: &Checked) {
    let result = &checked.result;
    if let Some(reading) = &checked.reading {
        for line in tree(reading) {
            screen.line(&plain::clean(&line));
        }
        screen.line("");
    }
    for (passed, what) in checks(role, checked) {
        let mark = match passed {
            true => screen.paint(Tone::Good, "✓"),
            false => screen.paint(Tone::Bad, "✗"),
        };
        screen.line(&format!("{mark} {what}"));
    }
    for warning in &result.warnings {
        let line = warning
            .line
            .map_or(String::new(), |line| format!(" (line {line})"));
        let text = plain::clean(&format!("{}{line}: {}", warning.code, warning.message));
        screen.line(&format!("{} {text}", screen.paint(Tone::Warn, "!")));
    }
    match result.failure_type {
        None => screen.line(&screen.paint(Tone::Good, "valid")),
        Some(failure) => {
            let text = format!("{}: {}", failure.name(), plain::clean(&result.message));
            screen.line(&screen.paint(Tone::Bad, text));
            screen.line(&format!("Fix: {}", fix(failure)));
        }
    }
}

/// The checks in the order in which they are made: those before the failed one passed.
fn checks(role: DocumentRole, checked: &Checked) -> Vec<(bool, &'static str)> {
    let names: [(FailureType, &str); 5] = match role {
        DocumentRole::Engineer => [
            (FailureType::FileMissing, "the file is there"),
            (FailureType::EmptyOutput, "it is not empty"),
            (
                FailureType::WrongFormat,
                "it has a heading that binds a gap",
            ),
            (FailureType::InconsistentRefs, "every bound gap exists"),
            (FailureType::NoGapsAddressed, "a gap is addressed"),
        ],
        DocumentRole::Reviewer => [
            (FailureType::FileMissing, "the file is there"),
            (FailureType::EmptyOutput, "it is not empty"),
            (
                FailureType::WrongFormat,
                "it has severity sections, issues or a verdict",
            ),
            (FailureType::InconsistentRefs, "every reviewed gap exists"),
            (FailureType::NoGapsAddressed, "a gap is reviewed"),
        ],
        DocumentRole::Analyst | DocumentRole::Final => [
            (FailureType::FileMissing, "the file is there"),
            (FailureType::EmptyOutput, "it is not empty"),
            (FailureType::WrongFormat, "it has the form of its role"),
            (FailureType::InconsistentRefs, ""),
            (FailureType::NoGapsAddressed, ""),
        ],
    };
    let mut lines = Vec::new();
    for (failure, name) in names {
        let failed = checked.result.failure_type == Some(failure);
        if !name.is_empty() {
            lines.push((!failed, name));
        }
        if failed {
            return lines;
        }
    }
    if checked.result.failure_type.is_some() {
        lines.push((false, "its DISAGREE blocks are well formed"));
    }
    lines
}

/// What was read, with the line of every fact.
fn tree(reading: &Reading) -> Vec<String> {
    let mut lines = Vec::new();
    let new_gaps =
        |gaps: &[gapless_core::read::DeclaredGap], indent: &str, lines: &mut Vec<String>| {
            for gap in gaps {
                let severity = gap.severity.map_or("MEDIUM", |severity| severity.name());
                lines.push(format!(
                    "{indent}new {} [{severity}] {} (line {})",
                    gap.id, gap.description, gap.line
                ));
            }
        };
    match reading {
        Reading::Engineer(reading) => {
            for bound in &reading.gaps {
                let confidence = bound
                    .confidence
                    .map_or("no confidence", |confidence| confidence.name());
                lines.push(format!(
                    "{} proposed, {confidence} (line {})",
                    bound.gap, bound.line
                ));
                new_gaps(&bound.new_gaps, "  ", &mut lines);
            }
            new_gaps(&reading.new_gaps, "", &mut lines);
            for response in &reading.responses {
                lines.push(format!(
                    "{} answered (line {})",
                    response.issue, response.line
                ));
            }
            for block in &reading.disagreements {
                lines.push(format!(
                    "{} disagreed with (line {})",
                    block.issue, block.line
                ));
            }
            for marker in &reading.blocked {
                lines.push(format!(
                    "{} blocked: {} (line {})",
                    marker.gap, marker.reason, marker.line
                ));
            }
        }
        Reading::Editor(reading) => {
            for section in &reading.sections {
                lines.push(format!("section {} (line {})", section.title, section.line));
            }
        }
        Reading::Reviewer(reading) => {
            for review in &reading.reviews {
                let verdict = review.verdict.map_or("", |verdict| verdict.name());
                lines.push(format!(
                    "{} reviewed {verdict} (line {})",
                    review.gap, review.line
                ));
                for issue in reading
                    .issues
                    .iter()
                    .filter(|issue| issue.gap.as_ref() == Some(&review.gap))
                {
                    lines.push(format!("  {}", issue_line(issue)));
                }
            }
            let reviewed = |gap: &Option<GapId>| {
                gap.as_ref()
                    .is_some_and(|gap| reading.reviews.iter().any(|review| review.gap == *gap))
            };
            for issue in reading.issues.iter().filter(|issue| !reviewed(&issue.gap)) {
                lines.push(issue_line(issue));
            }
            new_gaps(&reading.new_gaps, "", &mut lines);
            if let Some(verdict) = reading.verdict {
                lines.push(format!("verdict: {}", verdict.name()));
            }
        }
        Reading::Analyst(reading) => new_gaps(&reading.gaps, "", &mut lines),
        Reading::FinalReviewer(reading) => {
            lines.push(format!(
                "verdict: {}",
                reading.verdict.map_or("none", |verdict| verdict.name())
            ));
            for blocker in &reading.blockers {
                lines.push(format!(
                    "blocker: {} (line {})",
                    blocker.concern.summary, blocker.line
                ));
            }
        }
    }
    lines
}

fn issue_line(issue: &gapless_core::read::RaisedIssue) -> String {
    let withdrawn = if issue.withdrawn { " withdrawn" } else { "" };
    format!(
        "{} [{}]{withdrawn} {} (line {})",
        issue.written_id, issue.concern.severity, issue.concern.summary, issue.line
    )
}
