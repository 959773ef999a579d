//! `gapless validate`: checks a document as the Mediator would, and shows what is read from it.

mod reading_json;
mod reading_lines;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gapless_domain::{FailureType, GapId, IssueId, Role, Strictness, Warning};
use gapless_reading::read::{ExplainedSection, Reading, StatusReading};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, explain, fix, validate,
};
use serde_json::{Value, json as value};

use crate::files::document;
use crate::output::wording::at_line;
use crate::{Context, Exit, Result, Screen, Tone, json, plain};

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Whose document it is
    role: DocumentRole,
    /// The document
    file: PathBuf,
    /// The session's status.md: gaps that are not in it don't exist
    #[arg(long, value_name = "STATUS.md")]
    status: Option<PathBuf>,
    /// The round of the document; issues of later rounds don't exist yet
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Take only the canonical forms
    #[arg(long)]
    strict: bool,
    /// Show each section with the role it was given and why
    #[arg(long)]
    explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DocumentRole {
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

impl ValidationContext for Inventory {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match &self.status {
            Some(status) if status.gap(gap).is_none() => GapAssignment::Unknown,
            _ => GapAssignment::Assigned,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        match self.round {
            Some(round) if issue.round > round => IssueAssignment::Unknown,
            _ => IssueAssignment::Due,
        }
    }
}

impl Inventory {
    /// The checks that need a session.
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

pub(crate) fn run(context: &Context, args: &ValidateArgs) -> Result<Exit> {
    let status = match &args.status {
        Some(path) => Some(document::read_inventory(&context.resolve(path))?),
        None => None,
    };
    let inventory = Inventory {
        status,
        round: args.round,
    };
    let mode = match args.strict {
        true => Strictness::Strict,
        false => Strictness::Tolerant,
    };
    let (text, note) = document::read(&context.resolve(&args.file), "document")?;
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
    Ok(Exit::of_check(checked.result.success))
}

/// The document of `--json`.
fn document(role: DocumentRole, checked: &Checked, inventory: &Inventory) -> Value {
    let result = &checked.result;
    let (new_gaps, issues, verdict) = reading_json::facts(checked.reading.as_ref());
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

/// Shows how each section was read: its line, its title, its role and the reason.
fn show_sections(screen: &Screen, sections: &[ExplainedSection]) {
    if sections.is_empty() {
        screen.line("no sections: the document has no headings");
    }
    for section in sections {
        let depth = usize::try_from(section.depth).unwrap_or(0);
        let indent = "  ".repeat(depth.min(DEEPEST_SHOWN));
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
        let lines = reading_lines::lines(reading).into_iter();
        screen.lines(lines.map(|line| plain::clean(&line)));
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
        let line = at_line(warning.line);
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
