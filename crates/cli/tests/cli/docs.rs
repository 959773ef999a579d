//! What the pages of docs/ promise, held to what the program has: every kind of error and every message, every kind of question
//! and every option, and the documents and the agent that are shown to those who write their own.

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::config::Strictness;
use gapless_domain::failure::FailureType;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_reading::read::Reading;
use gapless_reading::validate::{GapAssignment, IssueAssignment, ValidationContext, validate};

use crate::support::Project;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A text in one line, without the signs of code.
pub fn plain(text: &str) -> String {
    let text = text.replace('`', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in quotes behind each `start`, with escapes and broken lines undone.
fn quoted_after<'t>(text: &'t str, start: &'t str) -> impl Iterator<Item = String> + 't {
    text.split(start).skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix('"')?;
        let mut said = String::new();
        let mut chars = rest.chars();
        loop {
            match chars.next()? {
                '"' => return Some(said),
                '\\' => match chars.next()? {
                    '\n' => said.push(' '),
                    other => said.push(other),
                },
                other => said.push(other),
            }
        }
    })
}

/// The longest part of a message that is the same each time.
fn fixed_part(message: &str) -> String {
    let message = message.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = vec![String::new()];
    let mut inside = 0_u32;
    for c in message.chars() {
        match c {
            '{' => {
                inside += 1;
                parts.push(String::new());
            }
            '}' => inside -= 1,
            _ if inside == 0 => parts.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    let longest = parts.into_iter().max_by_key(String::len).unwrap();
    let longest = longest.replace('\u{1}', "{").replace('\u{2}', "}");
    plain(&longest)
        .trim_matches([':', ';', ',', ' '])
        .to_owned()
}

#[test]
fn every_kind_of_error_has_a_heading() {
    let source = read("crates/cli/src/failure.rs");
    let page = read("docs/troubleshooting.md");
    let (_, rest) = source.split_once("enum Kind {").unwrap();
    let (names, _) = rest.split_once("\n}\n").unwrap();
    let kinds = names.lines().map(|line| line.trim().trim_end_matches(','));
    let kinds = kinds.filter(|kind| !kind.is_empty());
    let kinds: Vec<String> = kinds.map(str::to_lowercase).collect();
    assert!(kinds.len() >= 16, "{kinds:?}");
    for kind in kinds {
        let heading = format!("\n## `{kind}`\n");
        assert!(page.contains(&heading), "docs/troubleshooting.md: {kind}");
        let link = format!("[{kind}](#{kind})");
        assert!(page.contains(&link), "docs/troubleshooting.md: {link}");
    }
}

/// The files whose errors reach users as they are.
const ERRORS: [&str; 11] = [
    "crates/mediator/src/outcome.rs",
    "crates/domain/src/question.rs",
    "crates/mediator/src/prompts/rendering.rs",
    "crates/spec/src/accepted.rs",
    "crates/store/src/error.rs",
    "crates/store/src/lock.rs",
    "crates/store/src/folder.rs",
    "crates/store/src/port/error.rs",
    "crates/agents/src/open_context.rs",
    "crates/agents/src/http/provider.rs",
    "crates/agents/src/preset/definition.rs",
];

#[test]
fn every_message_is_explained() {
    let page = plain(&read("docs/troubleshooting.md"));
    let archive = read("crates/store/src/archive/error.rs");
    // What is wrong inside of an archive only says why.
    let (archive, _) = archive.split_once("pub enum Fault").unwrap();
    let sources = ERRORS.map(read).into_iter().chain([archive.to_owned()]);
    let mut missing = Vec::new();
    for source in sources {
        let mut found = 0;
        for message in quoted_after(&source, "#[error(") {
            found += 1;
            let fixed = fixed_part(&message);
            if !page.contains(&fixed) {
                missing.push(message);
            }
        }
        assert!(found > 0);
    }
    let missing = missing.join("\n");
    assert!(
        missing.is_empty(),
        "not in docs/troubleshooting.md:\n{missing}"
    );
}

#[test]
fn every_kind_of_rejection_is_explained() {
    let page = read("docs/troubleshooting.md");
    for name in FailureType::ALL.map(FailureType::name) {
        assert!(page.contains(&format!("\n| `{name}` |")), "{name}");
    }
}

/// The blocks of a language below a heading, up to the next one of its level or above.
pub fn blocks(page: &str, heading: &str, language: &str) -> Vec<String> {
    let start = format!("\n{heading}\n");
    let (_, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("{heading}"));
    let level = heading.chars().take_while(|c| *c == '#').count();
    let mut found = Vec::new();
    let mut block: Option<(&str, bool, String)> = None;
    for line in rest.lines() {
        let depth = line.chars().take_while(|c| *c == '#').count();
        let (fence, behind) = line.split_at(line.chars().take_while(|c| *c == '`').count());
        match &mut block {
            Some((opener, is_wanted, text)) if line == *opener => {
                if *is_wanted {
                    found.push(std::mem::take(text));
                }
                block = None;
            }
            Some((_, _, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if fence.len() > 2 => {
                block = Some((fence, behind == language, String::new()));
            }
            None if (1..=level).contains(&depth) => break,
            None => {}
        }
    }
    found
}

/// A session with one gap and one issue on it.
struct OneGap;

impl ValidationContext for OneGap {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match gap.to_string().as_str() {
            "GAP-AUTH-001" => GapAssignment::Assigned,
            _ => GapAssignment::Unknown,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        match issue.to_string().as_str() {
            "ISSUE-R1-001" => IssueAssignment::Due,
            _ => IssueAssignment::Unknown,
        }
    }
}

#[test]
fn the_documents_that_are_shown_are_valid_to_the_letter() {
    let page = read("docs/writing-agents.md");
    for (heading, role, examples) in [
        ("### Engineer", Role::Engineer, 2),
        ("### Reviewer", Role::Reviewer, 2),
        ("### Analyst", Role::Analyst, 1),
        ("### Final review", Role::FinalReviewer, 1),
    ] {
        let shown = blocks(&page, heading, "markdown");
        assert_eq!(shown.len(), examples, "{heading}");
        for document in shown {
            let checked = validate(role, Some(&document), Strictness::Strict, &OneGap);
            let result = checked.result;
            assert!(result.success, "{}: {document}", result.message);
            assert_eq!(result.warnings, [], "{document}");
        }
    }
}

#[test]
fn the_markers_that_are_shown_are_read() {
    let page = read("docs/writing-agents.md");
    let engineer = blocks(&page, "### Engineer", "markdown");
    let read = |document: &str| {
        let checked = validate(Role::Engineer, Some(document), Strictness::Strict, &OneGap);
        match checked.reading {
            Some(Reading::Engineer(reading)) => reading,
            other => panic!("{other:?}"),
        }
    };
    let marked = read(&engineer[1]);
    assert_eq!(marked.blocked.len(), 1);
    assert_eq!(marked.disagreements.len(), 1);

    assert!(page.contains("| `**Default to confirm:** timeouts` |"));
    let confidence = "**Confidence:** HIGH\n";
    let default = format!("{confidence}**Default to confirm:** timeouts\n");
    let document = engineer[0].replace(confidence, &default);
    assert_eq!(read(&document).gaps[0].default.as_deref(), Some("timeouts"));

    assert!(page.contains("`- **Settled by:** the user`"));
    let review = &blocks(&page, "### Reviewer", "markdown")[0];
    let location = "  - **Location:**";
    let document = review.replace(
        location,
        &format!("  - **Settled by:** the user\n{location}"),
    );
    let checked = validate(Role::Reviewer, Some(&document), Strictness::Strict, &OneGap);
    match checked.reading {
        Some(Reading::Reviewer(reading)) => assert!(reading.issues[0].concern.settled_by_user),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_agent_that_is_shown_refines_a_spec() {
    let page = read("docs/writing-agents.md");
    let scripts = blocks(&page, "## A whole agent", "sh");
    let project = Project::with_two_gaps();
    project.write("notes-agent.sh", &scripts[0]);
    let colour = "#### Colour\n\nThe lamp is red: RAL 3020, TBD for the foot.\n";
    project.write("notes/GAP-COL-001.md", colour);
    let run = "gapless run tiny.md --agents \"cmd:sh $PWD/notes-agent.sh $PWD/notes\" --policy recommended";
    let shown = "gapless run spec.md --agents \"cmd:sh $PWD/notes-agent.sh $PWD/notes\"";
    assert_eq!(
        blocks(&page, "## A whole agent", "console"),
        [format!("$ {shown}\n")]
    );

    // The note that is not whole is sent back, and the missing one asked for until both are there.
    let said = project.shell(&format!("{run} --set max_rounds=3"));
    assert!(
        said.out.contains("The proposal leaves something open"),
        "{said:?}"
    );
    assert!(said.out.contains("GAP-HGT-001"), "{said:?}");
    assert!(said.out.contains("There is no note on it yet"), "{said:?}");

    let project = Project::with_two_gaps();
    project.write("notes-agent.sh", &scripts[0]);
    project.write(
        "notes/GAP-COL-001.md",
        "#### Colour\n\nThe lamp is red: RAL 3020, foot and shade.\n",
    );
    project.write(
        "notes/GAP-HGT-001.md",
        "#### Height\n\nThe lamp is 42 cm high, without the bulb.\n",
    );
    let said = project.shell(run).exits(0);
    assert!(said.out.contains("COMPLETE"), "{said:?}");
    let refined = project.read(".gapless/sessions/tiny/spec.md");
    assert!(
        refined.contains("RAL 3020") && refined.contains("42 cm"),
        "{refined}"
    );
}

/// The anchor that a heading has on a page.
fn anchor(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The lines of a page outside of code blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

#[test]
fn every_link_leads_somewhere() {
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let docs = docs.filter(|name| name.ends_with(".md"));
    let mut pages: Vec<String> = docs.map(|name| format!("docs/{name}")).collect();
    pages.extend(["README.md".to_owned(), "ARCHITECTURE.md".to_owned()]);
    let mut wrong = Vec::new();
    for page in &pages {
        let text = read(page);
        let folder = root().join(page).parent().unwrap().to_owned();
        for line in prose(&text) {
            // What stands in code is no link: every second part.
            let outside: String = line.split('`').step_by(2).collect();
            for rest in outside.split("](").skip(1) {
                let target = rest.split([')', ' ']).next().unwrap();
                if target.contains("://") {
                    continue;
                }
                let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
                let path = match file {
                    "" => root().join(page),
                    file => folder.join(file),
                };
                let has_anchor = || {
                    let there = fs::read_to_string(&path).unwrap_or_default();
                    prose(&there).any(|line| line.starts_with('#') && anchor(line) == wanted)
                };
                if !path.exists() || (!wanted.is_empty() && !has_anchor()) {
                    wrong.push(format!("{page}: {target}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_attack_names_tests_that_are_there() {
    let page = read("docs/security.md");
    let named: Vec<(&str, &str)> = page
        .split('`')
        .filter(|words| !words.contains(char::is_whitespace))
        .filter_map(|words| words.split_once("::"))
        .collect();
    assert!(named.len() > 40, "{}", named.len());
    for (module, test) in named {
        let places =
            ["cli", "e2e", "faults"].map(|target| format!("crates/cli/tests/{target}/{module}.rs"));
        let here = places.iter().filter(|place| root().join(place).exists());
        let mut texts = here.map(|place| read(place));
        let found = texts.any(|text| text.contains(&format!("fn {test}(")));
        assert!(found, "{module}::{test}");
    }
}

#[test]
fn the_readme_lists_every_page() {
    let readme = read("README.md");
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            assert!(readme.contains(&format!("(docs/{name})")), "{name}");
        }
    }
}
