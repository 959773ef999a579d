//! Whole rounds with models over HTTP, on a loopback server: what is shown of them, and that no key is kept anywhere.

use std::process::Command;

use gapless_loopback::{Api, Loopback, Recorded, Reply};

use crate::lamp::well;
use crate::support::{Project, Said};

const OPENAI_KEY: &str = "canary-openai-4b7e21";
const ANTHROPIC_KEY: &str = "canary-anthropic-09fd33";

fn with_keys(mut command: Command, server: &Loopback) -> Said {
    command
        .env("OPENAI_BASE_URL", server.openai_url())
        .env("ANTHROPIC_BASE_URL", server.url())
        .env("OPENAI_API_KEY", OPENAI_KEY)
        .env("ANTHROPIC_API_KEY", ANTHROPIC_KEY);
    Said::of(command.output().unwrap())
}

const RUN: [&str; 10] = [
    "run",
    "tiny.md",
    "--engineer",
    "openai:test",
    "--reviewer",
    "anthropic:test",
    "--analyst",
    "none",
    "--policy",
    "recommended",
];

#[track_caller]
fn assert_no_key(project: &Project, said: &[&Said]) {
    let mut bytes = project.all_bytes();
    for said in said {
        bytes.extend(said.out.bytes().chain(said.err.bytes()));
    }
    for key in [OPENAI_KEY, ANTHROPIC_KEY] {
        let found = bytes.windows(key.len()).any(|part| part == key.as_bytes());
        assert!(!found, "{key} was kept or shown");
    }
}

#[test]
fn a_whole_session_with_two_vendors_and_what_it_used() {
    let project = Project::with_two_gaps();
    project.write(
        "gapless.toml",
        "[prices.\"openai:test\"]\ninput = 2\noutput = 10\ncached = 1\n",
    );
    let server = Loopback::start(|request| {
        let reply = Reply::text(well(request)).tokens(1_000, 400, 50);
        match request.api {
            Some(Api::AnthropicMessages) => reply.untold(),
            _ => reply,
        }
    })
    .unwrap();
    let said = with_keys(project.command(&RUN), &server).exits(0);
    let status = project.json(&["status"]);
    let engineer = &status["usage"]["engineer"];
    assert_eq!(engineer["input_tokens"], 1_000);
    assert_eq!(engineer["cached_tokens"], 400);
    assert_eq!(engineer["output_tokens"], 50);
    assert_eq!(engineer["cost_micros"], 600 * 2 + 400 + 50 * 10);
    assert_eq!(engineer.get("estimated"), None);
    let reviewer = &status["usage"]["reviewer"];
    assert_eq!(reviewer["estimated"], true);
    assert!(
        reviewer["input_tokens"].as_u64().unwrap() > 200,
        "{reviewer}"
    );
    assert_eq!(reviewer.get("cost_micros"), None);
    assert_eq!(status["usage_in_all"]["estimated"], true);

    let record = project.read(".gapless/sessions/tiny/status.md");
    assert!(
        record.contains("| Engineer | 1000 (400 cached) | 50 | 0.0021 |"),
        "{record}"
    );
    assert!(record.contains("| Reviewer | ~"), "{record}");
    let summary = project.read(".gapless/sessions/tiny/round_001/summary.md");
    assert!(
        summary.contains(": Engineer 1000 (400 cached) tokens in, 50 out, cost 0.0021; Reviewer ~"),
        "{summary}"
    );
    let notice = "what anthropic:test costs is not known; add it to [prices] of gapless.toml to have it counted";
    assert_eq!(
        said.err.matches(notice).count() + said.out.matches(notice).count(),
        1,
        "{said:?}"
    );
    assert_no_key(&project, &[&said]);
}

#[test]
fn an_invalid_document_and_failures_of_the_provider_are_got_over() {
    let project = Project::with_two_gaps();
    let mut asked = 0;
    let server = Loopback::start(move |request| {
        asked += 1;
        let now = |status: u16| Reply::error(status, "not now").header("retry-after-ms", "1");
        match asked {
            1 => Reply::text("Sure! Here is what I think about lamps."),
            2 => now(500),
            3 => now(529),
            _ => Reply::text(well(request)),
        }
    })
    .unwrap();
    let said = with_keys(project.command(&RUN), &server).exits(0);
    let shown = project.json(&["show", "1"]);
    let verdicts: Vec<&str> = shown["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| attempt["verdict"].as_str().unwrap())
        .collect();
    let error = "EXECUTION_ERROR";
    assert_eq!(
        verdicts,
        ["WRONG_FORMAT", error, error, "VALID", "VALID", "VALID"]
    );
    let requests = server.requests();
    assert!(
        requests[1]
            .prompt()
            .contains("What was wrong (WRONG_FORMAT)")
    );
    assert_no_key(&project, &[&said]);
}

#[test]
fn a_key_that_is_missing_or_refused_is_said_once_and_shown_nowhere() {
    let project = Project::with_two_gaps();
    let server = Loopback::start(|_| {
        Reply::error(
            401,
            format!("Incorrect API key provided: {OPENAI_KEY} {ANTHROPIC_KEY}"),
        )
    })
    .unwrap();
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let words = [&RUN[..8], &["--answers", "answers.toml", "--json"]].concat();
    let refused = with_keys(project.command(&words), &server).exits(3);
    assert_eq!(
        server.requests().len(),
        1,
        "a refused key is not tried again"
    );
    let questions = project.gapless(&["questions"]);
    assert!(
        questions.out.contains("openai refuses the key (401): Incorrect API key provided: [key] [key]; check OPENAI_API_KEY"),
        "{questions:?}"
    );
    let log = project.gapless(&["log", "--json"]);
    assert_no_key(&project, &[&refused, &questions, &log]);

    // Gone from the environment, it is asked about like any other agent that cannot run.
    project.write(
        "again.toml",
        "[[answer]]\nkind = \"agent_cannot_run\"\noption = \"again\"\n",
    );
    let mut resume = project.command(&["resume", "--answers", "again.toml"]);
    resume.env_remove("OPENAI_API_KEY");
    resume.env("ANTHROPIC_API_KEY", ANTHROPIC_KEY);
    let resumed = Said::of(resume.output().unwrap()).exits(3);
    let questions = project.gapless(&["questions"]);
    let missing = "there is no key for openai: the environment variable OPENAI_API_KEY is not set";
    assert!(questions.out.contains(missing), "{questions:?}");
    assert_no_key(&project, &[&resumed]);

    let fresh = Project::with_two_gaps();
    let mut command = fresh.command(&RUN);
    command.env_remove("OPENAI_API_KEY");
    let said = Said::of(command.output().unwrap()).exits(2);
    assert!(
        said.err.contains(
            "there is no key for openai: the environment variable OPENAI_API_KEY is not set"
        ),
        "{said:?}"
    );
    assert!(said.err.contains("export OPENAI_API_KEY="), "{said:?}");
}

#[test]
fn a_prompt_that_is_too_long_is_sent_again_shorter() {
    let project = Project::new();
    let long =
        "The lamp stands in a room, and the room is described at length here.\n\n".repeat(400);
    project.write(
        "tiny.md",
        &format!(
            "# A lamp\n\n## Form\n\n{long}\n\n## Known gaps\n\n- GAP-COL-001 [HIGH] (section: Form): the colour is missing\n\
             - GAP-HGT-001 [LOW] (section: Form): the height is missing\n"
        ),
    );
    let server = Loopback::start(|request| match request.prompt().len() > 16_000 {
        true => Reply::error(400, "prompt is too long: 9 tokens > 8 maximum"),
        false => Reply::text(well(request)),
    })
    .unwrap();
    let mut words = RUN;
    words[3] = "anthropic:test";
    with_keys(project.command(&words), &server);
    let prompts: Vec<String> = server.requests().iter().map(Recorded::prompt).collect();
    let engineer: Vec<usize> = prompts
        .iter()
        .filter(|prompt| prompt.contains("# Your task: Engineer"))
        .map(String::len)
        .collect();
    assert!(
        engineer.len() > 1 && engineer.is_sorted_by(|a, b| a > b),
        "{engineer:?}"
    );
    assert!(
        engineer.last().is_some_and(|last| *last <= 16_000),
        "{engineer:?}"
    );
    let shown = project.json(&["show", "1"]);
    let message = shown["attempts"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("too long for the model (400)"),
        "{message}"
    );
    assert!(message.contains("; the next prompt has "), "{message}");
}

#[test]
fn a_budget_that_a_model_counts_towards_is_no_idle_one() {
    let project = Project::with_two_gaps();
    let server = Loopback::start(|request| Reply::text(well(request))).unwrap();
    let words = [
        &RUN[..],
        &["--budget", "tokens=100000", "--budget", "cost=5"],
    ]
    .concat();
    let said = with_keys(project.command(&words), &server).exits(0);
    let note = "no agent of this session reports cost, so that budget holds nothing";
    assert!(
        said.err.contains(note) || said.out.contains(note),
        "{said:?}"
    );
}

#[test]
fn a_key_of_one_letter_takes_no_letters_out_of_what_is_said() {
    let project = Project::with_two_gaps();
    let server = Loopback::start(|_| Reply::error(401, "every letter stays here")).unwrap();
    let mut command = project.command(&RUN);
    command
        .env("OPENAI_BASE_URL", server.openai_url())
        .env("ANTHROPIC_BASE_URL", server.url())
        .env("OPENAI_API_KEY", "e")
        .env("ANTHROPIC_API_KEY", "r");
    let said = Said::of(command.output().unwrap()).exits(3);
    let questions = project.gapless(&["questions"]).exits(0);
    assert!(
        questions.out.contains("openai refuses the key (401)"),
        "{}",
        questions.out
    );
    assert!(!format!("{}{}{}", said.out, said.err, questions.out).contains("[key]"));
}
