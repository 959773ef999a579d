//! Models over HTTP that don't do what they are asked: how often each is asked, what the user reads, and what is counted.

use gapless_loopback::{Loopback, Reply};
use serde_json::Value;

use crate::lamp::well;
use crate::rounds::cut_at_first;
use crate::styles::STYLES;
use crate::support::{Project, Running, until};

#[test]
fn a_refusal_is_asked_for_once_and_told_in_the_models_words() {
    for style in STYLES {
        let Some(body) = style.refusal else {
            continue;
        };
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
        let long = format!("no entry: {}", "a long story of keys ".repeat(40));
        let body = style.bad_key;
        let of_body =
            body.map(|body| style.session(move |_| Reply::raw(400, "application/json", body)));
        let of_status = style.session(move |_| Reply::error(401, long.clone()));
        for ran in of_body.into_iter().chain([of_status]) {
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
        let lengths: Vec<usize> = ran.requests.iter().map(|it| it.prompt().len()).collect();
        assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    }
}

#[test]
fn of_an_answer_that_is_cut_at_the_limit_only_whole_sections_are_taken() {
    for style in STYLES {
        let cut = style.cut;
        let ran = style.session(move |request| cut_at_first(request, cut));
        ran.took_whole_sections();
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
