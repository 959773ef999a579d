//! Models over HTTP that don't answer as they should: every way ends in an error that says what to do, and soon.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::time::Duration;

use gapless_agents::{Request, Watch};
use gapless_domain::task::{ExecutionErrorKind as Kind, OutputNote, Role};
use gapless_loopback::{Loopback, Reply};
use support::models::{BACKENDS, KEYS, model, open_with, providers_at, settings};
use support::{error, noticing_watch, output, request, run};

fn hurried(idle: u64, hard: u64) -> Request {
    let mut request = request(Role::Engineer);
    request.limits.idle_timeout_millis = idle;
    request.limits.hard_timeout_millis = hard;
    request
}

#[tokio::test(start_paused = true)]
async fn one_that_never_answers_is_given_up_after_the_idle_limit() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::silence()]).unwrap();
        let failed = error(&model(&server, spec), request(Role::Engineer)).await;
        assert_eq!(failed.kind, Kind::IdleTimeout, "{spec}");
        assert_eq!(
            failed.message,
            "the agent was ended: nothing was heard of it for 30 s (idle limit)"
        );
    }
}

#[tokio::test]
async fn one_that_answers_too_late_or_stops_in_the_middle_is_given_up() {
    let late = Reply::text("late").after(Duration::from_secs(5));
    let stuck = Reply::text("word ".repeat(50)).stall_after(3);
    for reply in [late, stuck] {
        for spec in BACKENDS {
            let server = Loopback::scripted([reply.clone()]).unwrap();
            let finished = run(&model(&server, spec), hurried(40, 10_000)).await;
            assert_eq!(
                finished.result.unwrap_err().kind,
                Kind::IdleTimeout,
                "{spec}"
            );
        }
    }
}

#[tokio::test]
async fn what_came_of_a_stream_that_stopped_is_handed_over() {
    let stuck = Reply::text("word ".repeat(50)).stall_after(3);
    for spec in BACKENDS {
        let server = Loopback::scripted([stuck.clone()]).unwrap();
        let finished = run(&model(&server, spec), hurried(60, 10_000)).await;
        let unfinished = finished.unfinished.unwrap();
        assert!(
            unfinished.text.starts_with("word"),
            "{spec}: {unfinished:?}"
        );
        assert!(unfinished.unchanged_millis >= 60, "{spec}: {unfinished:?}");
    }
}

#[tokio::test]
async fn a_connection_that_stays_open_behind_the_answer_is_not_waited_for() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::text("whole").linger()]).unwrap();
        let output = output(&model(&server, spec), hurried(20_000, 20_000)).await;
        assert_eq!(output.text.as_deref(), Some("whole"), "{spec}");
    }
    // A chat that doesn't say that it is closed is whole all the same.
    let chat =
        "data: {\"choices\":[{\"delta\":{\"content\":\"ha\"},\"finish_reason\":\"stop\"}]}\n\n";
    let server = Loopback::scripted([Reply::raw(200, "text/event-stream", chat)]).unwrap();
    let output = output(&model(&server, "openai:test"), request(Role::Engineer)).await;
    assert_eq!(output.text.as_deref(), Some("ha"));
}

#[tokio::test]
async fn one_that_dribbles_is_heard_until_the_hard_limit() {
    let dribble = |text: &str| Reply::text(text).dribble(1, Duration::from_millis(4));
    let server = Loopback::scripted([dribble("slowly"), dribble(&"x".repeat(10_000))]).unwrap();
    let agent = model(&server, "anthropic:test");
    let text = output(&agent, hurried(1_000, 10_000)).await.text;
    assert_eq!(text.as_deref(), Some("slowly"));
    let failed = error(&agent, hurried(1_000, 60)).await;
    assert_eq!(failed.kind, Kind::HardTimeout);
    assert!(failed.message.contains("60 ms (hard limit)"));
}

#[tokio::test]
async fn a_flood_is_cut_at_the_limit_and_let_go() {
    for spec in BACKENDS {
        let server = Loopback::scripted([
            Reply::flood("0123456789".repeat(1_000)).dribble(10_000, Duration::ZERO)
        ])
        .unwrap();
        let mut request = request(Role::Engineer);
        request.limits.output_bytes = 100_000;
        let output = output(&model(&server, spec), request).await;
        assert_eq!(output.text.unwrap().len(), 100_000, "{spec}");
        assert_eq!(output.notes, [OutputNote::OutputTruncated], "{spec}");
    }
}

#[tokio::test]
async fn a_line_without_an_end_is_not_held() {
    let endless = Reply::raw(
        200,
        "text/event-stream",
        format!("data: {}", "x".repeat(1_000_000)),
    );
    let server = Loopback::scripted([endless]).unwrap();
    let mut request = request(Role::Engineer);
    request.limits.output_bytes = 1_024;
    let failed = error(&model(&server, "openai:test"), request).await;
    assert_eq!(failed.kind, Kind::Provider);
    assert!(failed.message.contains("longer than"), "{}", failed.message);
}

#[tokio::test]
async fn what_a_provider_asks_to_wait_is_passed_on() {
    let date = |seconds: i64| {
        let at = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(seconds);
        at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    };
    let cases = [
        (
            Reply::error(429, "slow down").header("retry-after", "7"),
            7_000..=7_000,
        ),
        (
            Reply::error(529, "busy").header("retry-after-ms", "250"),
            250..=250,
        ),
        (
            Reply::error(503, "later").header("retry-after", &date(90)),
            80_000..=91_000,
        ),
    ];
    for (reply, expected) in cases {
        let server = Loopback::scripted([reply]).unwrap();
        let failed = error(&model(&server, "anthropic:test"), request(Role::Engineer)).await;
        let asked = failed.retry_after_millis.unwrap();
        assert!(expected.contains(&asked), "{asked}");
    }
    let body = r#"{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED",
        "details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#;
    let server = Loopback::scripted([Reply::raw(429, "application/json", body)]).unwrap();
    let failed = error(&model(&server, "gemini:test"), request(Role::Engineer)).await;
    assert_eq!(
        (failed.kind, failed.retry_after_millis),
        (Kind::RateLimit, Some(34_500))
    );
}

#[tokio::test]
async fn failures_are_told_apart_by_what_helps() {
    let cases: [(u16, Option<&str>, &str, Kind, &str); 12] = [
        (
            401,
            None,
            "bad key",
            Kind::Refused,
            "refuses the key (401): bad key; ",
        ),
        (
            403,
            None,
            "not yours",
            Kind::Refused,
            "does not allow this (403)",
        ),
        (
            404,
            None,
            "no such model",
            Kind::Refused,
            "check the name of the model, `test`",
        ),
        (
            400,
            None,
            "temperature is deprecated",
            Kind::Refused,
            "refuses the request (400)",
        ),
        (
            429,
            None,
            "rate limit: 30000 tokens per minute, context window",
            Kind::RateLimit,
            "asks to slow down (429)",
        ),
        (
            429,
            Some("insufficient_quota"),
            "no credit",
            Kind::Refused,
            "look at the credit",
        ),
        (500, None, "oops", Kind::Provider, "failed (500): oops"),
        (
            529,
            None,
            "overloaded",
            Kind::Provider,
            "is overloaded (529)",
        ),
        (
            400,
            Some("context_length_exceeded"),
            "too much",
            Kind::PromptTooLong,
            "too long for the model",
        ),
        (
            400,
            None,
            "prompt is too long: 210000 tokens > 200000 maximum",
            Kind::PromptTooLong,
            "210000 tokens",
        ),
        (
            400,
            None,
            "The input token count (1) exceeds the maximum number of tokens allowed (0).",
            Kind::PromptTooLong,
            "too long",
        ),
        (
            413,
            None,
            "Request Entity Too Large",
            Kind::PromptTooLong,
            "too long",
        ),
    ];
    for spec in BACKENDS {
        for (status, code, message, kind, expected) in cases {
            if spec.starts_with("ollama") && code.is_some() {
                continue;
            }
            let reply = Reply::error(status, message);
            let reply = code.map_or(reply.clone(), |code| reply.code(code));
            let server = Loopback::scripted([reply]).unwrap();
            let finished = run(&model(&server, spec), request(Role::Engineer)).await;
            let failed = finished.result.unwrap_err();
            assert_eq!(failed.kind, kind, "{spec} {status} {message}");
            assert!(
                failed.message.contains(expected),
                "{spec}: {}",
                failed.message
            );
            assert_eq!(
                finished.usage.input_tokens, None,
                "nothing was used: {spec}"
            );
        }
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_an_answer_is_no_document() {
    for spec in BACKENDS {
        let overloaded = Reply::error(529, "Overloaded")
            .code("overloaded_error")
            .in_stream();
        let server = Loopback::scripted([overloaded]).unwrap();
        let failed = error(&model(&server, spec), request(Role::Engineer)).await;
        assert_eq!(failed.kind, Kind::Provider, "{spec}");
        assert!(
            failed.message.contains("Overloaded"),
            "{spec}: {}",
            failed.message
        );
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_is_no_document_but_is_counted() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::text("word ".repeat(100)).cut_after(4)]).unwrap();
        let finished = run(&model(&server, spec), request(Role::Engineer)).await;
        let failed = finished.result.unwrap_err();
        assert_eq!(failed.kind, Kind::Provider, "{spec}");
        assert!(
            failed.message.contains("was cut off in the middle"),
            "{spec}: {}",
            failed.message
        );
        assert!(finished.usage.estimated, "{spec}");
        assert!(
            finished
                .usage
                .output_tokens
                .is_some_and(|tokens| tokens > 10),
            "{spec}"
        );
    }
    // One that ends politely, but too early, is the same.
    let polite = Reply::raw(
        200,
        "text/event-stream",
        "data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n",
    );
    let server = Loopback::scripted([polite]).unwrap();
    let failed = error(&model(&server, "openai:test"), request(Role::Engineer)).await;
    assert_eq!(
        failed.message,
        "openai was cut off in the middle of its answer; what came of it is not taken"
    );
}

#[tokio::test]
async fn an_answer_that_is_none_says_so() {
    let cases = [
        (
            Reply::raw(200, "text/html", "<html>Log in</html>"),
            "answered with no stream (text/html); check the base URL",
        ),
        (
            Reply::raw(200, "text/event-stream", "data: nonsense\n\n"),
            "sent what is no JSON",
        ),
        (
            Reply::raw(302, "text/plain", "").header("location", "http://127.0.0.1:1/"),
            "points elsewhere (302); check the base URL",
        ),
        (
            Reply::text("I can't").stopped_by("content_filter"),
            "would not finish its answer (content_filter)",
        ),
    ];
    for (reply, expected) in cases {
        let server = Loopback::scripted([reply]).unwrap();
        let failed = error(&model(&server, "openai:test"), request(Role::Engineer)).await;
        assert!(failed.message.contains(expected), "{}", failed.message);
    }
}

#[tokio::test]
async fn connections_that_fail_say_where_and_why() {
    let server = Loopback::scripted([]).unwrap();
    let plain = server.address();
    let gone = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let cases = [
        (
            format!("https://{plain}"),
            "no safe connection (TLS) to openai (https://127.0.0.1:",
        ),
        (
            "http://models.invalid".to_owned(),
            "the name in openai (http://models.invalid) is not known here",
        ),
        (format!("http://{gone}"), "can't be reached"),
    ];
    for (base, expected) in cases {
        let agent = open_with(providers_at(&base, settings(&base)), "openai:test").unwrap();
        let failed = error(&agent, request(Role::Engineer)).await;
        assert_eq!(failed.kind, Kind::Provider);
        assert!(failed.message.contains(expected), "{}", failed.message);
    }
}

#[tokio::test]
async fn a_cancelled_run_lets_go_of_the_connection() {
    let server = Loopback::scripted([Reply::text("word ".repeat(50)).stall_after(2)]).unwrap();
    let agent = model(&server, "anthropic:test");
    let (watch, noticed) = noticing_watch();
    let cancel = watch.cancel.clone();
    let running = tokio::spawn(async move { agent.run(request(Role::Engineer), watch).await });
    noticed.notified().await;
    cancel.cancel();
    let failed = running.await.unwrap().result.unwrap_err();
    assert_eq!(failed.message, "the run was cancelled");
    for _ in 0..500 {
        if server.abandoned() == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("the connection is still open");
}

#[tokio::test]
async fn a_run_that_is_ended_counts_what_was_asked_and_what_came() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::text("word ".repeat(50)).stall_after(5)]).unwrap();
        let agent = model(&server, spec);
        let (watch, _) = noticing_watch();
        let (cancel, heard) = (watch.cancel.clone(), watch.clone());
        let watch = Watch {
            progress: gapless_agents::ProgressSink::new(move |progress| {
                if progress.tokens.is_some_and(|tokens| tokens > 10) {
                    heard.cancel.cancel();
                }
            }),
            ..watch
        };
        let finished = agent.run(request(Role::Engineer), watch).await;
        assert!(cancel.is_cancelled() && finished.result.is_err(), "{spec}");
        let usage = finished.usage;
        assert!(usage.estimated, "{spec}");
        assert!(usage.input_tokens.is_some_and(|read| read > 0), "{spec}");
        assert!(
            usage.output_tokens.is_some_and(|written| written > 10),
            "{spec}: {usage:?}"
        );
    }
}

#[tokio::test]
async fn a_prompt_that_was_sent_counts_and_one_that_was_not_does_not() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::silence()]).unwrap();
        let finished = run(&model(&server, spec), hurried(40, 10_000)).await;
        let usage = finished.usage;
        assert_eq!(usage.output_tokens, Some(0), "{spec}");
        assert!(usage.estimated && usage.input_tokens > Some(0), "{spec}");

        let gone = Loopback::scripted([]).unwrap();
        let agent = model(&gone, spec);
        drop(gone);
        let usage = run(&agent, hurried(4_000, 10_000)).await.usage;
        assert_eq!(
            (usage.input_tokens, usage.output_tokens),
            (None, None),
            "{spec}"
        );
    }
}

#[tokio::test]
async fn keys_are_shown_nowhere_also_where_a_provider_repeats_them() {
    let all: Vec<&str> = KEYS.iter().map(|(_, key)| *key).collect();
    let echo = all.join(" and ");
    for spec in BACKENDS {
        let replies = [
            Reply::error(401, format!("Incorrect API key: {echo}")),
            Reply::raw(500, "text/plain", echo.clone()),
            Reply::error(529, echo.clone()).in_stream(),
            Reply::text(format!("a document with {echo} in it")),
            Reply::raw(200, format!("x/{echo}").as_str(), ""),
        ];
        let server = Loopback::scripted(replies).unwrap();
        let url = server.url();
        let providers = providers_at(&url, settings(&url));
        let agent = open_with(providers.clone(), spec).unwrap();
        let mut shown = format!("{providers:?} {:#?}", agent.name());
        for _ in 0..5 {
            shown += &format!(
                "{:?}",
                agent.run(request(Role::Engineer), Watch::default()).await
            );
        }
        for key in &all {
            assert!(!shown.contains(key), "{spec}: {shown}");
        }
        assert!(
            shown.contains("a document with [key] and [key]"),
            "{spec}: {shown}"
        );
    }
}
