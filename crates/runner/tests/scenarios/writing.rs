//! What agents on stage write: whole outputs of a role that behaves, and the parts to make others of.

use gapless_agents::Request;
use gapless_domain::ids::GapId;
use gapless_domain::task::{ExecutionError, ExecutionErrorKind, Role};

/// Roles that the user is asked about where they bring nothing; the Editor holds nothing up.
pub const ASKED_ABOUT: [Role; 4] = [
    Role::Analyst,
    Role::Engineer,
    Role::Reviewer,
    Role::FinalReviewer,
];

/// A spec with this text in the section that all gaps belong to, and a list of them.
pub fn service(limits: &str, gaps: &[(&str, &str, &str)]) -> String {
    let mut source = format!("# A service\n\n## Limits\n\n{limits}\n\n## Known gaps\n\n");
    for (id, severity, waits_on) in gaps {
        let waits_on = match *waits_on {
            "" => String::new(),
            id => format!("; blocked by: {id}"),
        };
        source += &format!(
            "- {id} [{severity}] (section: Limits{waits_on}): the limit of {id} is not said\n"
        );
    }
    source
}

/// What a role writes when it behaves.
pub fn well(request: &Request) -> String {
    match request.task.slot.role {
        Role::Engineer => engineer(request),
        Role::Reviewer => request.gaps.iter().map(no_issues).collect(),
        Role::Analyst => "**NO_GAPS_FOUND**\n".to_owned(),
        Role::Editor => sections_of(&request.prompt)
            .iter()
            .map(|(name, text)| section(name, text))
            .collect(),
        Role::FinalReviewer => final_review("READY_FOR_TERMINATION", "None"),
    }
}

/// An edited section, as the Editor gives it back.
pub fn section(name: &str, text: &str) -> String {
    format!("<!-- section: {name} -->\n{text}\n<!-- end section -->\n")
}

/// The sections that an Editor's prompt gives: name and text. Those of an example are not among them.
pub fn sections_of(prompt: &str) -> Vec<(String, String)> {
    let mut sections = Vec::new();
    for piece in prompt.split(" section\n<!-- section: ").skip(1) {
        let (name, rest) = piece.split_once(" -->\n").unwrap();
        if let Some((text, _)) = rest.split_once("\n<!-- end section -->") {
            sections.push((name.to_owned(), text.to_owned()));
        }
    }
    sections
}

/// A resolution of every assigned gap, and an answer in substance to every issue that the prompt lists: the solution says what
/// was asked for, and a response says that it does.
pub fn engineer(request: &Request) -> String {
    let listed = issues_of(&request.prompt);
    let mut text: String = request
        .gaps
        .iter()
        .map(|gap| {
            let own = listed.iter().filter(|issue| issue.gap == gap.to_string());
            let met =
                own.map(|issue| met_in(&issue.summary, &issue.suggestion, request.task.round));
            let carried_out = decided_on(&request.prompt, gap, request.task.round);
            let parts: Vec<String> = met.chain(carried_out).collect();
            meeting(gap, &parts)
        })
        .collect();
    for issue in &listed {
        text += &response(issue, request.task.round);
    }
    text
}

/// A resolution of every assigned gap with its changes to the spec, and an answer in substance to every issue.
pub fn changing(request: &Request, changes: &dyn Fn(&str) -> String) -> String {
    let listed = issues_of(&request.prompt);
    let mut text = String::new();
    for gap in &request.gaps {
        let own = listed.iter().filter(|issue| issue.gap == gap.to_string());
        let met = own.map(|it| met_in(&it.summary, &it.suggestion, request.task.round) + "\n\n");
        let met: String = met.collect();
        text += &format!(
            "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{met}What shall hold for {gap} is said in \
             the texts of its changes, with numbers, units and what follows from each.\n\n### Spec Changes\n\n{}\n\
             ### Examples\n\nOne case of {gap} with its values.\n\n### Trade-offs\n\nIt costs little.\n\n\
             ### New Gaps Introduced\n\nNone\n\n",
            changes(&gap.to_string())
        );
    }
    for issue in &listed {
        text += &response(issue, request.task.round);
    }
    text
}

/// An issue as a prompt lists it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub id: String,
    pub gap: String,
    pub summary: String,
    pub suggestion: String,
}

/// The issues that an Engineer's prompt lists, each with the gap that it stands under.
pub fn issues_of(prompt: &str) -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    let mut gap = String::new();
    for line in prompt.lines() {
        if let Some(heading) = line.strip_prefix("### GAP-") {
            let (number, _) = heading.split_once(' ').unwrap_or((heading, ""));
            gap = format!("GAP-{number}");
        } else if line.starts_with("- ISSUE-")
            && let Some((id, said)) = line.trim_start_matches("- ").split_once(" [")
        {
            let (_, summary) = said.split_once("] ").unwrap_or(("", said));
            // What is asked again names its gap in the line.
            let (on, summary) = match summary.strip_prefix("on GAP-") {
                Some(rest) => match rest.split_once(": ") {
                    Some((number, summary)) => (format!("GAP-{number}"), summary),
                    None => (gap.clone(), summary),
                },
                None => (gap.clone(), summary),
            };
            listed.retain(|known| known.id != id);
            listed.push(Listed {
                id: id.to_owned(),
                gap: on,
                summary: summary.to_owned(),
                suggestion: String::new(),
            });
        } else if let Some(suggestion) = line.strip_prefix("  - Suggestion: ")
            && let Some(last) = listed.last_mut()
        {
            last.suggestion = suggestion.to_owned();
        }
    }
    listed
}

/// A resolution whose solution begins with these paragraphs.
pub fn meeting(gap: &GapId, parts: &[String]) -> String {
    let mut solution = "### Proposed Solution\n\n".to_owned();
    for part in parts {
        solution += &format!("{part}\n\n");
    }
    resolution(gap, "None").replace("### Proposed Solution\n\n", &solution)
}

/// What a solution says once it meets an issue.
pub fn met_in(summary: &str, suggestion: &str, round: u32) -> String {
    format!(
        "Revision {round} of this part settles what was raised ({}) with a table of its own: {suggestion}.",
        summary.trim_end_matches('.'),
    )
}

/// What a solution says once it carries out the decisions that the prompt has on a gap.
fn decided_on(prompt: &str, gap: &GapId, round: u32) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut on_gap = false;
    for line in prompt.lines() {
        if line.starts_with("- DECISION-R") {
            on_gap = line.contains(&gap.to_string());
            let (_, text) = line.split_once("): ").unwrap_or(("", line));
            if on_gap {
                parts.push(format!("In revision {round} this holds: {text}"));
            }
        } else if let Some(title) = line.strip_prefix("  Title: ")
            && on_gap
            && let Some(last) = parts.last_mut()
        {
            *last += &format!(" ({title})");
        }
    }
    parts
}

/// An answer in substance.
pub fn response(issue: &Listed, round: u32) -> String {
    format!(
        "## Response to {}\n\nRevision {round} has a table for it: {} {}\n\n",
        issue.id, issue.summary, issue.suggestion
    )
}

pub fn resolution(gap: &GapId, new_gaps: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nThe limit is 100 per second; above \
         it the answer is 429 with a Retry-After of whole seconds, and the request has no effect.\n\n### Examples\n\nOne \
         request too many gives 429.\n\n### Trade-offs\n\nBursts are cut.\n\n### New Gaps Introduced\n\n{new_gaps}\n\n"
    )
}

pub fn no_issues(gap: &GapId) -> String {
    format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- the limit\n- the answer\n\n")
}

pub fn issue(gap: &GapId, severity: &str, id: &str) -> String {
    format!(
        "## Review: {gap}\n\n### {severity}\n\n- **{id}**: the limit is not justified.\n  - **Location:** Proposed \
         Solution\n  - **Impact:** it may be wrong\n  - **Suggestion:** say where it comes from\n\n"
    )
}

pub fn final_review(verdict: &str, blockers: &str) -> String {
    format!(
        "## Final Review\n\n**Verdict:** {verdict}\n\n### Completeness\n- [x] read\n\n### Blocking Issues\n\n{blockers}\n"
    )
}

pub fn failed(kind: ExecutionErrorKind, message: &str) -> Result<Option<String>, ExecutionError> {
    Err(ExecutionError::new(kind, message))
}

pub fn could_not_run(retry_after_millis: Option<u64>) -> Result<Option<String>, ExecutionError> {
    let error = ExecutionError::new(ExecutionErrorKind::Provider, "the provider is overloaded");
    Err(ExecutionError {
        retry_after_millis,
        ..error
    })
}
