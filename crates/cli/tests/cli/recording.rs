//! Sessions about a lamp whose agents give recorded documents back: the documents, the project that holds them, and what became
//! of a run.

use serde_json::Value;

use crate::support::{Project, Said};

pub const SPEC: &str = "# A lamp\n\n## Colour\n\nThe lamp has a colour.\n\n## Known gaps\n\n\
    - GAP-COL-001 [HIGH] (section: Colour): which colours a lamp may have is not said\n\
    - GAP-COL-002 [HIGH] (section: Colour): who measures a lamp is not said\n";

pub const COLOURS: &str = "A lamp is red, green or blue, as the norm for signal lamps in buildings defines these three colours.";
pub const MEASURED: &str = "The works measures every lamp before it leaves the hall, with the instrument that the norm asks for.";

/// What the Engineer and the Reviewer write in a round.
pub type Round = (String, String);

pub fn resolution(gap: &str, solution: &str) -> String {
    resolution_with_new_gaps(gap, solution, "None")
}

pub fn resolution_with_new_gaps(gap: &str, solution: &str, new_gaps: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{solution}\n\n### Examples\n\nA red lamp \
         passes.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\n{new_gaps}\n\n"
    )
}

pub fn proposals() -> String {
    resolution("GAP-COL-001", COLOURS) + &resolution("GAP-COL-002", MEASURED)
}

/// One issue of a review; the section that it stands in gives its severity.
pub fn issue(id: &str, summary: &str, suggestion: &str) -> String {
    format!(
        "- **{id}**: {summary}\n  - **Location:** Proposed Solution\n  - **Impact:** lamps are sold twice\n  - **Suggestion:** \
         {suggestion}\n"
    )
}

pub fn review(gap: &str, section: &str, issues: &[String]) -> String {
    format!("## Review: {gap}\n\n### {section}\n\n{}\n", issues.concat())
}

pub fn no_issues(gap: &str) -> String {
    format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- the solution\n\n")
}

pub fn disagree(id: &str, concern: &str, position: &str, rationale: &str) -> String {
    format!(
        "## DISAGREE: {id}\n\n**Reviewer Concern:** {concern}\n**Engineer Position:** {position}\n**Rationale:** {rationale}\n\n"
    )
}

pub fn final_review(verdict: &str, blockers: &str) -> String {
    format!(
        "## Final Review\n\n**Verdict:** {verdict}\n\n### Completeness\n- [x] all\n\n### Blocking Issues\n\n{blockers}\n"
    )
}

/// A project with a spec and the documents of these rounds, each with a final review that finds nothing.
pub fn record(spec: &str, rounds: &[Round]) -> Project {
    let project = Project::new();
    project.write("spec.md", spec);
    for (number, (engineer, reviewer)) in rounds.iter().enumerate() {
        let folder = format!("recorded/round_{:03}", number + 1);
        project.write(&format!("{folder}/engineer.md"), engineer);
        project.write(&format!("{folder}/reviewer.md"), reviewer);
        let ready = final_review("READY_FOR_TERMINATION", "None");
        project.write(&format!("{folder}/final_review.md"), &ready);
    }
    project
}

/// Runs without anybody to ask, by the recommended options.
pub fn run_by_policy(project: &Project) -> Said {
    run(project, &["--analyst", "none", "--policy", "recommended"])
}

/// Runs with a user who begins, gives these answers, and then can't be asked.
pub fn run_by_answers(project: &Project, answers: &str) -> Said {
    let begin = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n\n";
    project.write("answers.toml", &format!("{begin}{answers}"));
    run(project, &["--analyst", "none", "--answers", "answers.toml"])
}

pub fn run(project: &Project, options: &[&str]) -> Said {
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    project.gapless(&[&words[..], options].concat())
}

/// Answers the question of a kind that waits.
#[track_caller]
pub fn answer(project: &Project, kind: &str, option: &str) {
    let questions = project.json(&["questions"]);
    let mut items = items(&questions);
    let found = items.find(|item| item["kind"] == kind);
    let id = found.and_then(|item| item["id"].as_str());
    let id = id.unwrap_or_else(|| panic!("no {kind} question waits: {questions}"));
    let words = ["answer", "spec", id, "--option", option];
    project.gapless(&words).exits(0);
}

pub fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list["items"].as_array().into_iter().flatten()
}

/// The kinds of the questions that wait.
pub fn waiting(project: &Project) -> Vec<String> {
    let questions = project.json(&["questions"]);
    let kinds = items(&questions).filter_map(|item| item["kind"].as_str());
    kinds.map(str::to_owned).collect()
}

/// What is shown of an issue or of a gap under a key, `none` where there is no such entry.
pub fn shown(project: &Project, list: &str, id: &str, key: &str) -> String {
    let list = project.json(&[list]);
    let found = items(&list).find(|item| item["id"] == id);
    let value = found.and_then(|item| item[key].as_str());
    value.unwrap_or("none").to_owned()
}

pub fn is_settled(project: &Project, gap: &str) -> bool {
    let state = shown(project, "gaps", gap, "state");
    ["ACCEPTED", "RESOLVED"].contains(&state.as_str())
}

/// The session has not ended, and its run said so with exit code 3.
#[track_caller]
pub fn has_not_ended(project: &Project, said: &Said) {
    let status = project.json(&["status"]);
    assert!(status["termination"].is_null(), "{status}");
    assert_eq!(said.code, Some(3), "{}\n{}", said.out, said.err);
}

pub fn refined(project: &Project) -> String {
    project.read(".gapless/sessions/spec/spec.md")
}
