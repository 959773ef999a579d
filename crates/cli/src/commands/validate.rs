//! `gapless validate`: what is read from a document, and whether it would be taken, as the Mediator judges it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gapless_domain::config::Strictness;
use gapless_domain::failure::{FailureType, Warning};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_reading::read::{ExplainedSection, Reading, StatusReading, read_status};
use gapless_reading::validate::{Checked, Ground, IssueStanding, Standing, explain, fix, validate};
use serde_json::{Value, json as value};

use crate::context::Context;
use crate::document_file;
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
    /// Show each section with the role it was given and why
    #[arg(long)]
    pub explain: bool,
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

/// What a status.md says exists; without one, every gap that is named is taken to exist. Which gaps the task was given is
/// in neither, so every gap that exists counts as given.
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
}

impl Inventory {
    /// What a session would check of a document that is valid here, and that can't be checked without the session.
    fn not_checked(&self, checked: &Checked) -> Vec<&'static str> {
        let mut unknown = Vec::new();
        let (gaps, disagrees) = match &checked.reading {
            Some(Reading::Engineer(reading)) => (true, !reading.disagreements.is_empty()),
            Some(Reading::Reviewer(_)) => (true, false),
            _ => (false, false),
        };
        if gaps && self.status.is_none() {
            unknown.push("whether the gaps exist: no inventory was given (--status)");
        }
        if gaps {
            unknown.push("whether the gaps are those that the task was given");
        }
        if disagrees {
            unknown.push(
                "whether the issues it disagrees with stand, and are quoted as the review has them",
            );
        }
        unknown
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
        Strictness::Strict
    } else {
        Strictness::Tolerant
    };
    let (text, note) = document_file::read(&context.resolve(&args.file), "document")?;
    let mut checked = validate(args.role.role(), Some(&text), mode, &inventory);
    if let Some(note) = note {
        let warning = Warning::new(note.code(), None, note.message().to_owned());
        checked.result.warnings.insert(0, warning);
    }
    let sections = match args.explain {
        true => explain(args.role.role(), &checked, mode),
        false => Vec::new(),
    };
    if context.screen.is_json() {
        let mut said = document(args.role, &checked, &inventory);
        if args.explain {
            said["sections"] = value!(sections);
        }
        json::print(&said);
    } else {
        if args.explain {
            show_sections(&context.screen, &sections);
        }
        show(&context.screen, args.role, &checked, &inventory);
    }
    Ok(if checked.result.success {
        Exit::Done
    } else {
        Exit::Unmet
    })
}

pub(super) fn read_inventory(path: &Path) -> Result<StatusReading, Failure> {
    let (text, _) = document_file::read(path, "status document")?;
    let reading = read_status(&Document::parse(&text));
    if reading.gaps.is_empty() {
        let message = format!("no gap was found in {}", path.display());
        return Err(Failure::new(Kind::Usage, message)
            .hint("gaps are table rows or list items that begin with their id: GAP-FLOW-001"));
    }
    Ok(reading)
}

/// The document of `--json`.
fn document(role: DocumentRole, checked: &Checked, inventory: &Inventory) -> Value {
    let result = &checked.result;
    let (new_gaps, issues, verdict) = facts(checked.reading.as_ref());
    value!({
        "role": role.name(),
        "success": result.success,
        "failure_type": result.failure_type.map(FailureType::name),
        "retriable": result.retriable,
        "message": result.message,
        "fix": fix(role.role(), result),
        "not_checked": inventory.not_checked(checked),
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
    let gap = |gap: &gapless_reading::read::DeclaredGap| value!({ "id": gap.id, "severity": gap.severity, "description": gap.description, "line": gap.line });
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

/// Shows how each section was read: its line, its title, its role and the reason.
fn show_sections(screen: &Screen, sections: &[ExplainedSection]) {
    if sections.is_empty() {
        screen.line("no sections: the document has no headings");
    }
    for section in sections {
        let indent = "  ".repeat(
            usize::try_from(section.depth)
                .unwrap_or(0)
                .min(DEEPEST_SHOWN),
        );
        let mut role = section.role.clone();
        if let Some(severity) = section.severity {
            role.push_str(&format!(", {severity}"));
        }
        if let Some(verdict) = section.verdict {
            role.push_str(&format!(", {}", verdict.name()));
        }
        let title = plain::clean(&section.title);
        screen.line(&format!(
            "{:>4} {indent}{title} → {} ({})",
            section.line,
            screen.paint(Tone::Good, role),
            section.why
        ));
    }
    screen.line("");
}

/// How many levels of sections are indented.
const DEEPEST_SHOWN: usize = 6;

fn show(screen: &Screen, role: DocumentRole, checked: &Checked, inventory: &Inventory) {
    let result = &checked.result;
    if let Some(reading) = &checked.reading {
        for line in tree(reading) {
            screen.line(&plain::clean(&line));
        }
        screen.line("");
    }
    for (passed, what) in checks(role, checked, inventory) {
        let mark = match passed {
            true => screen.paint(Tone::Good, "✓"),
            false => screen.paint(Tone::Bad, "✗"),
        };
        screen.line(&format!("{mark} {what}"));
    }
    let not_checked = inventory.not_checked(checked);
    for what in &not_checked {
        let mark = screen.paint(Tone::Warn, "?");
        screen.line(&format!("{mark} not checked: {what}"));
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
            let fix = fix(role.role(), result).unwrap_or_default();
            screen.line(&format!("Fix: {}", plain::clean(&fix)));
        }
    }
}

/// The checks in the order in which they are made: those before the failed one passed. What only an inventory can tell is
/// left out where there is none.
fn checks(
    role: DocumentRole,
    checked: &Checked,
    inventory: &Inventory,
) -> Vec<(bool, &'static str)> {
    let (form, exists, addressed) = match role {
        DocumentRole::Engineer => (
            "it has a heading that binds a gap",
            "every bound gap exists",
            "a gap is addressed",
        ),
        DocumentRole::Reviewer => (
            "it has severity sections, issues or a verdict",
            "every reviewed gap exists",
            "a gap is reviewed",
        ),
        DocumentRole::Analyst | DocumentRole::Final => ("it has the form of its role", "", ""),
    };
    let exists = match inventory.status {
        Some(_) => exists,
        None => "",
    };
    let names = [
        (FailureType::EmptyOutput, "it is not empty"),
        (FailureType::WrongFormat, form),
        (FailureType::InconsistentRefs, exists),
        (FailureType::NoGapsAddressed, addressed),
    ];
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
        |gaps: &[gapless_reading::read::DeclaredGap], indent: &str, lines: &mut Vec<String>| {
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

fn issue_line(issue: &gapless_reading::read::RaisedIssue) -> String {
    let withdrawn = if issue.withdrawn { " withdrawn" } else { "" };
    format!(
        "{} [{}]{withdrawn} {} (line {})",
        issue.written_id, issue.concern.severity, issue.concern.summary, issue.line
    )
}
