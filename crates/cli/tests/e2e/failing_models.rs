//! Models over HTTP that don't do what they are asked: how often each is asked, what the user reads, and what is counted.

use std::process::Command;

use gapless_loopback::{Loopback, Recorded, Reply};
use serde_json::Value;

use crate::lamp::well;
use crate::rounds::{KEY, run};
use crate::support::{Project, Running, Said, until};

/// A style of HTTP API, with its own words.
pub struct Style {
    agent: &'static str,
    config: &'static str,
    variables: fn(&Loopback) -> Vec<(&'static str, String)>,
    /// The variable that an error about the key names.
    key_variable: &'static str,
    /// The body that says with status 400 that the key is bad.
    bad_key: &'static str,
    /// A stream in which the model refuses.
    refusal: &'static str,
    /// Its words for an answer that is cut at the limit.
    cut: &'static str,
}

pub const STYLES: [Style; 5] = [
    Style {
        agent: "anthropic:test",
        config: "",
        variables: |server| {
            vec![
                ("ANTHROPIC_BASE_URL", server.url()),
                ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ]
        },
        key_variable: "ANTHROPIC_API_KEY",
        bad_key: r#"{"type":"error","error":{"type":"authentication_error","message":"Invalid API key"}}"#,
        refusal: "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"I can't do that.\"}}\n\n\
            data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{\"output_tokens\":8}}\n\n\
            data: {\"type\":\"message_stop\"}\n\n",
        cut: "max_tokens",
    },
    Style {
        agent: "openai:test",
        config: "",
        variables: openai,
        key_variable: "OPENAI_API_KEY",
        bad_key: r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        refusal: "data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't do that.\"},\"finish_reason\":null}]}\n\n\
            data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        cut: "length",
    },
    Style {
        agent: "openai:test",
        config: "[providers.openai]\nstyle = \"openai-responses\"\n",
        variables: openai,
        key_variable: "OPENAI_API_KEY",
        bad_key: r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        refusal: "data: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"message\",\"content\":\
            [{\"type\":\"refusal\",\"refusal\":\"I can't do that.\"}]}],\"usage\":{\"input_tokens\":9,\"output_tokens\":8}}}\n\n",
        cut: "max_output_tokens",
    },
    Style {
        agent: "gemini:test",
        config: "",
        variables: |server| {
            vec![
                ("GEMINI_BASE_URL", server.url()),
                ("GEMINI_API_KEY", KEY.to_owned()),
            ]
        },
        key_variable: "GEMINI_API_KEY",
        bad_key: r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#,
        refusal: "data: {\"candidates\":[{\"finishReason\":\"SAFETY\",\"finishMessage\":\"I can't do that.\"}]}\n\n",
        cut: "MAX_TOKENS",
    },
    Style {
        agent: "mine:test",
        config: "[providers.mine]\nbase_url = \"SERVER/v1\"\nkey_env = \"MINE_KEY\"\n",
        variables: |_| vec![("MINE_KEY", KEY.to_owned())],
        key_variable: "MINE_KEY",
        bad_key: r#"{"message":"Invalid API key"}"#,
        refusal: "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":null}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't do that.\"},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
        cut: "length",
    },
];

fn openai(server: &Loopback) -> Vec<(&'static str, String)> {
    vec![
        ("OPENAI_BASE_URL", server.openai_url()),
        ("OPENAI_API_KEY", KEY.to_owned()),
    ]
}

impl Style {
    fn command(&self, project: &Project, server: &Loopback) -> Command {
        let config = self.config.replace("SERVER", &server.url());
        project.write("gapless.toml", &config);
        project.trust();
        let mut command = project.command(&run(self.agent));
        command.env_clear().envs((self.variables)(server));
        command.env("XDG_STATE_HOME", project.path("state"));
        command
    }

    /// Runs a session whose model always answers like this.
    pub fn session(&self, reply: impl Fn(&Recorded) -> Reply + Send + 'static) -> Ran {
        let project = Project::with_two_gaps();
        let server = Loopback::start(reply).unwrap();
        let said = Said::of(self.command(&project, &server).output().unwrap());
        let requests = server.requests().iter().map(Recorded::prompt).collect();
        Ran {
            project,
            requests,
            said,
        }
    }
}

/// What came of a session.
pub struct Ran {
    pub project: Project,
    requests: Vec<String>,
    pub said: Said,
}

impl Ran {
    /// The question that the session waits with, in one line.
    #[track_caller]
    fn waits_with(&self) -> String {
        assert_eq!(
            self.said.code,
            Some(3),
            "{}\n{}",
            self.said.out,
            self.said.err
        );
        let questions = self.project.gapless(&["questions"]).exits(0).out;
        questions.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_refusal_is_asked_for_once_and_told_in_the_models_words() {
    for style in STYLES {
        let body = style.refusal;
        let ran = style.session(move |_| Reply::raw(200, "text/event-stream", body));
        let question = ran.waits_with();
        assert_eq!(ran.requests.len(), 1, "{}", style.agent);
        let why = "would not finish its answer";
        assert!(question.contains(why), "{question}");
        assert!(question.contains("I can't do that"), "{question}");
        assert!(question.contains("or use another model"), "{question}");
        assert!(!question.contains("FILE_MISSING"), "{question}");
    }
}

#[test]
fn a_provider_that_is_overloaded_for_ever_is_asked_three_times() {
    for style in STYLES {
        let ran = style.session(|_| Reply::error(529, "busy").header("retry-after-ms", "1"));
        let question = ran.waits_with();
        assert_eq!(ran.requests.len(), 3, "{}", style.agent);
        assert!(question.contains("is overloaded (529): busy"), "{question}");
        let out = ran
            .said
            .out
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for tried in [
            " UTC (in 1 ms), try 2 of 3: ",
            " UTC (in 1 ms), try 3 of 3: ",
        ] {
            assert!(out.contains(tried), "{out}");
        }
        assert!(!out.contains("soon"), "{out}");
    }
}

#[test]
fn a_bad_key_is_tried_once_and_the_advice_is_never_cut() {
    for style in STYLES {
        let body = style.bad_key;
        let long = format!("no entry: {}", "a long story of keys ".repeat(40));
        let ran = [
            style.session(move |_| Reply::raw(400, "application/json", body)),
            style.session(move |_| Reply::error(401, long.clone())),
        ];
        for ran in ran {
            let question = ran.waits_with();
            assert_eq!(ran.requests.len(), 1, "{}", style.agent);
            let advice = format!(
                "check {} in the environment, and that it is a key for http://127.0.0.1:",
                style.key_variable
            );
            assert!(question.contains(&advice), "{question}");
            let out = ran
                .said
                .out
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            assert!(out.contains(&advice), "{out}");
            assert!(!out.contains("parameters"), "{out}");
        }
    }
}

#[test]
fn a_prompt_that_is_too_long_is_never_sent_again_as_it_is() {
    for style in STYLES {
        let ran = style.session(|_| Reply::error(400, "prompt is too long: 9 tokens > 8 maximum"));
        ran.waits_with();
        assert!(ran.requests.len() <= 5, "{}", style.agent);
        assert!(ran.requests.is_sorted_by(|a, b| a.len() > b.len()));
    }
}

#[test]
fn of_an_answer_that_is_cut_at_the_limit_only_whole_sections_are_taken() {
    for style in STYLES {
        let cut = style.cut;
        let ran = style.session(move |request| match request.prompt() {
            first
                if first.contains("# Your task: Engineer") && !first.contains("What was wrong") =>
            {
                Reply::text(well(request)).stopped_by(cut)
            }
            _ => Reply::text(well(request)),
        });
        assert_eq!(ran.said.code, Some(0), "{}\n{}", ran.said.out, ran.said.err);
        let shown = ran.project.json(&["show", "1"]);
        let first = &shown["attempts"][0];
        let warnings = first["warnings"].as_array().unwrap();
        let codes: Vec<&str> = warnings
            .iter()
            .filter_map(|it| it["code"].as_str())
            .collect();
        assert!(codes.contains(&"OUTPUT_TRUNCATED"), "{first}");
        assert!(codes.contains(&"LAST_SECTION_LEFT_OUT"), "{first}");
    }
}

#[test]
fn a_run_that_is_interrupted_counts_what_came() {
    for style in STYLES {
        let project = Project::with_two_gaps();
        let server = Loopback::start(|request| Reply::text(well(request)).stall_after(20)).unwrap();
        let mut command = style.command(&project, &server);
        command.args(["--json"]);
        let running = Running::of(&mut command);
        until("the model is asked", || !server.requests().is_empty());
        running.signal("INT");
        let said = running.wait();
        assert_eq!(said.code, Some(130), "{}\n{}", said.out, said.err);
        let usage = project.json(&["status"])["usage"]["engineer"].clone();
        let counted = |key: &str| usage.get(key).and_then(Value::as_u64);
        assert!(
            counted("input_tokens") >= Some(100),
            "{}: {usage}",
            style.agent
        );
        assert_eq!(usage["estimated"], true, "{usage}");
        let status = project.gapless(&["status"]).exits(0).out;
        assert!(status.contains("Used: ~"), "{status}");
        let log = project.gapless(&["log"]).exits(0).out;
        assert!(log.contains("task.usage_noted"), "{log}");
        assert!(log.contains("not taken, but counted: "), "{log}");
    }
}
