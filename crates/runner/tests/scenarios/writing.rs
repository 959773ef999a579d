//! What agents on stage write: whole outputs of a role that behaves, and the parts to make others of.

use gapless_agents::Request;
use gapless_core::ids::GapId;
use gapless_core::task::{ExecutionError, ExecutionErrorKind, Role};

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
            .map(|(name, text, parts)| section(name, &format!("{text}\n\n{}", parts.join("\n\n"))))
            .collect(),
        Role::FinalReviewer => final_review("READY_FOR_TERMINATION", "None"),
    }
}

/// An edited section, as the Editor gives it back.
pub fn section(name: &str, text: &str) -> String {
    format!("<!-- section: {name} -->\n{text}\n<!-- end section -->\n")
}

/// The sections that an Editor's prompt gives: name, text, and the parts without their titles.
pub fn sections_of(prompt: &str) -> Vec<(String, String, Vec<String>)> {
    let mut sections = Vec::new();
    for piece in prompt.split("\n<!-- section: ").skip(1) {
        let (name, rest) = piece.split_once(" -->\n").unwrap();
        let Some((text, behind)) = rest.split_once("\n<!-- end section -->") else {
            continue;
        };
        let parts = behind.split("<part settles=").skip(1).map(|part| {
            let (_, part) = part.split_once(">\n").unwrap();
            let (part, _) = part.split_once("\n</part>").unwrap();
            let (title, body) = part.split_once('\n').unwrap();
            assert!(title.starts_with('#'), "{title}");
            body.trim().to_owned()
        });
        let parts: Vec<String> = parts.collect();
        // The example stands before the task in a retry, and has no parts.
        if !parts.is_empty() {
            sections.push((name.to_owned(), text.to_owned(), parts));
        }
    }
    sections
}

/// A resolution of every assigned gap, and an answer to every issue that the prompt lists.
pub fn engineer(request: &Request) -> String {
    let mut text: String = request
        .gaps
        .iter()
        .map(|gap| resolution(gap, "None"))
        .collect();
    for line in request
        .prompt
        .lines()
        .filter(|line| line.starts_with("- ISSUE-"))
    {
        let issue = line.trim_start_matches("- ").split(' ').next().unwrap();
        text += &format!("## Response to {issue}\n\nThe solution says it now.\n\n");
    }
    text
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
