//! Models over HTTP that answer as they should: what they are sent, what is read, and what it used.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gapless_agents::{
    HttpSettings, NotOpened, NoticeSink, OpenError, Price, Progress, ProgressSink,
    ProviderSettings, Providers, Reports, RoleSettings, Watch,
};
use gapless_domain::budget::Money;
use gapless_domain::task::{OutputNote, Role};
use gapless_loopback::{Api, Loopback, Reply};
use support::models::{BACKENDS, model, open_with, providers_at, settings};
use support::{output, request, run};

const DOCUMENT: &str = "## Gap Resolution: GAP-FLOW-001\n\n### Proposed Solution\n\nAfter 30 s – naïvely, 漢字 and 😀 included.\n";

#[tokio::test]
async fn every_backend_gives_the_document_and_what_it_used() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::text(DOCUMENT).tokens(1_200, 300, 45)]).unwrap();
        let finished = run(&model(&server, spec), request(Role::Engineer)).await;
        let output = finished.result.unwrap();
        assert_eq!(output.text.as_deref(), Some(DOCUMENT), "{spec}");
        assert!(output.notes.is_empty(), "{spec}");
        let usage = finished.usage;
        let told = (usage.input_tokens, usage.output_tokens, usage.estimated);
        assert_eq!(told, (Some(1_200), Some(45), false), "{spec}");
        // Ollama says nothing of what it had cached.
        let cached = (spec != "ollama:test").then_some(300);
        assert_eq!(usage.cached_tokens, cached, "{spec}");
        assert!(
            server.requests()[0].prompt().contains("the prompt"),
            "{spec}"
        );
        assert!(server.requests()[0].streams(), "{spec}");
    }
}

#[tokio::test]
async fn each_vendor_is_asked_in_its_own_way() {
    let cases = [
        (
            "anthropic:test",
            Api::AnthropicMessages,
            "/v1/messages",
            "x-api-key",
            "canary-anthropic-5d1f",
        ),
        (
            "openai:test",
            Api::OpenAiChat,
            "/v1/chat/completions",
            "authorization",
            "Bearer canary-openai-77ab",
        ),
        (
            "gemini:test",
            Api::Gemini,
            "/v1beta/models/test:streamGenerateContent",
            "x-goog-api-key",
            "canary-gemini-90c2",
        ),
        (
            "mine:test",
            Api::OpenAiChat,
            "/v1/chat/completions",
            "authorization",
            "Bearer canary-mine-31e8",
        ),
    ];
    for (spec, api, path, header, key) in cases {
        let server = Loopback::scripted([Reply::text("x")]).unwrap();
        output(&model(&server, spec), request(Role::Engineer)).await;
        let asked = &server.requests()[0];
        assert_eq!(
            (asked.api, asked.path.as_str()),
            (Some(api), path),
            "{spec}"
        );
        assert_eq!(asked.header(header), Some(key), "{spec}");
        assert_eq!(asked.model(), "test", "{spec}");
        assert!(!asked.query.contains("canary"), "{spec}");
        if spec == "anthropic:test" {
            assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
            assert_eq!(asked.body["max_tokens"], 32_000);
        }
    }
    // Without a key there is no header for one, and a long prompt gets room.
    let server = Loopback::scripted([Reply::text("x")]).unwrap();
    let mut long = request(Role::Engineer);
    long.prompt = "many words ".repeat(10_000).into();
    output(&model(&server, "ollama:test"), long).await;
    let asked = &server.requests()[0];
    assert_eq!(
        (asked.path.as_str(), asked.header("authorization")),
        ("/api/chat", None)
    );
    assert!(asked.body["options"]["num_ctx"].as_u64().unwrap() > 25_000);
}

#[tokio::test]
async fn a_role_has_parameters_of_its_own() {
    let server = Loopback::start(|_| Reply::text("x")).unwrap();
    let url = server.url();
    let mut settings = settings(&url);
    let role = RoleSettings {
        temperature: serde_json::Number::from_f64(0.25),
        max_output_tokens: Some(900),
    };
    settings.roles = BTreeMap::from([(Role::Reviewer, role)]);
    let providers = providers_at(&url, settings);
    for spec in BACKENDS {
        let agent = open_with(providers.clone(), spec).unwrap();
        output(&agent, request(Role::Reviewer)).await;
        output(&agent, request(Role::Engineer)).await;
    }
    let places = [
        ("/temperature", "/max_tokens"),
        ("/temperature", "/max_completion_tokens"),
        (
            "/generationConfig/temperature",
            "/generationConfig/maxOutputTokens",
        ),
        ("/options/temperature", "/options/num_predict"),
        ("/temperature", "/max_tokens"),
        ("/temperature", "/max_output_tokens"),
    ];
    for (pair, (temperature, most)) in server.requests().chunks(2).zip(places) {
        assert_eq!(
            pair[0].body.pointer(temperature),
            Some(&0.25.into()),
            "{pair:?}"
        );
        assert_eq!(pair[0].body.pointer(most), Some(&900.into()), "{pair:?}");
        assert_eq!(pair[1].body.pointer(temperature), None, "{pair:?}");
    }
}

#[tokio::test]
async fn progress_is_told_while_the_answer_comes() {
    let server = Loopback::scripted([Reply::text("word ".repeat(400))]).unwrap();
    let seen: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let watch = Watch {
        progress: ProgressSink::new(move |progress| kept.lock().unwrap().push(progress)),
        ..Watch::default()
    };
    let agent = model(&server, "anthropic:test");
    agent
        .run(request(Role::Engineer), watch)
        .await
        .result
        .unwrap();
    let seen = seen.lock().unwrap();
    let last = seen.last().unwrap();
    assert!(seen.is_sorted_by_key(|progress| (progress.bytes, progress.tokens)));
    assert!(
        last.bytes > 2_000 && last.tokens.unwrap() >= 200,
        "{last:?}"
    );
}

#[tokio::test]
async fn what_is_not_told_is_counted_and_marked() {
    for spec in BACKENDS {
        let server = Loopback::scripted([Reply::text("word ".repeat(50)).untold()]).unwrap();
        let usage = run(&model(&server, spec), request(Role::Engineer))
            .await
            .usage;
        assert!(usage.estimated, "{spec}");
        assert_eq!(usage.input_tokens, Some(2), "{spec}");
        assert!((50..=52).contains(&usage.output_tokens.unwrap()), "{spec}");
    }
}

#[tokio::test]
async fn costs_follow_the_table_and_ones_own_prices_go_before_it() {
    let server = Loopback::start(|_| Reply::text("x").tokens(1_000, 400, 100)).unwrap();
    let url = server.url();
    let mut settings = settings(&url);
    let price = Price {
        input: Money(1_000_000),
        output: Money(2_000_000),
        cached: None,
    };
    settings.prices = BTreeMap::from([("mine:test".to_owned(), price)]);
    let providers = providers_at(&url, settings);
    let cases = [
        ("mine:test", Some(1_000 + 200)),
        // 600 at 1.25, 400 at 0.125 and 100 at 10 per million.
        ("openai:gpt-5-2025-08-07", Some(750 + 50 + 1_000)),
        ("ollama:llama3", Some(0)),
        ("openai:unheard-of", None),
    ];
    for (spec, cost) in cases {
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&notices);
        let watch = Watch {
            notices: NoticeSink::new(move |notice| kept.lock().unwrap().push(notice)),
            ..Watch::default()
        };
        let agent = open_with(providers.clone(), spec).unwrap();
        let reports = Reports {
            tokens: true,
            cost: cost.is_some(),
        };
        assert_eq!(agent.reports(), reports, "{spec}");
        for _ in 0..2 {
            let finished = agent.run(request(Role::Engineer), watch.clone()).await;
            assert_eq!(finished.usage.cost_micros, cost, "{spec}");
        }
        let said = notices.lock().unwrap().len();
        assert_eq!(said, usize::from(cost.is_none()), "said once: {spec}");
    }
}

#[tokio::test]
async fn an_answer_that_ran_into_its_limit_is_a_document_that_was_cut() {
    for (spec, reason) in [
        ("anthropic:test", "max_tokens"),
        ("openai:test", "length"),
        ("gemini:test", "MAX_TOKENS"),
        ("ollama:test", "length"),
        ("responses:test", "max_output_tokens"),
    ] {
        let server = Loopback::scripted([Reply::text("half a docu").stopped_by(reason)]).unwrap();
        let output = output(&model(&server, spec), request(Role::Engineer)).await;
        assert_eq!(output.text.as_deref(), Some("half a docu"), "{spec}");
        assert_eq!(output.notes, [OutputNote::OutputTruncated], "{spec}");
    }
}

#[tokio::test]
async fn an_empty_answer_is_no_document() {
    let server = Loopback::scripted([Reply::text("")]).unwrap();
    let output = output(&model(&server, "openai:test"), request(Role::Engineer)).await;
    assert_eq!(output.text, None);
}

#[tokio::test]
async fn all_tasks_share_the_limits_of_a_provider_and_waiting_is_no_silence() {
    const BUSY: Duration = Duration::from_millis(150);
    let mut asked = 0;
    let server = Loopback::start(move |_| {
        asked += 1;
        match asked {
            1 => Reply::text("first").after(BUSY),
            _ => Reply::text("second"),
        }
    })
    .unwrap();
    let url = server.url();
    let mut settings = settings(&url);
    let alone = ProviderSettings {
        concurrency: Some(1),
        ..ProviderSettings::default()
    };
    settings.providers.insert("openai".to_owned(), alone);
    let providers = providers_at(&url, settings);
    let first = open_with(providers.clone(), "openai:a").unwrap();
    let second = open_with(providers, "openai:b").unwrap();
    let mut hurried = request(Role::Engineer);
    hurried.limits.idle_timeout_millis = 140;
    hurried.limits.hard_timeout_millis = 140;
    let started = std::time::Instant::now();
    let (first, second) = tokio::join!(run(&first, request(Role::Engineer)), run(&second, hurried));
    assert!(started.elapsed() >= BUSY);
    assert!(first.usage.millis >= 150, "{first:?}");
    assert_eq!(second.result.unwrap().text.as_deref(), Some("second"));
    assert!(second.usage.millis < 140, "the wait is not counted");
}

fn refusal(providers: Providers, spec: &str) -> OpenError {
    match open_with(providers, spec) {
        Ok(agent) => panic!("{} was opened", agent.name()),
        Err(error) => error,
    }
}

#[test]
fn what_is_missing_is_said_before_anything_is_sent() {
    let bare = |settings| Providers::with_environment(settings, |_| None);
    let cases = [
        (
            "anthropic:x",
            "there is no key for anthropic: the environment variable ANTHROPIC_API_KEY is not set",
        ),
        (
            "openai:x",
            "there is no key for openai: the environment variable OPENAI_API_KEY is not set",
        ),
        (
            "gemini:x",
            "there is no key for gemini: the environment variable GEMINI_API_KEY or GOOGLE_API_KEY is not set",
        ),
        ("ollama: ", "`ollama:` names no model (ollama:<model>)"),
        ("mine:x", "[providers.mine] has no base_url"),
    ];
    let mut settings = HttpSettings::default();
    settings
        .providers
        .insert("mine".to_owned(), ProviderSettings::default());
    for (spec, expected) in cases {
        assert_eq!(refusal(bare(settings.clone()), spec).to_string(), expected);
    }
    let OpenError::Http(missing) = refusal(bare(settings), "openai:x") else {
        panic!("of another kind");
    };
    assert!(matches!(missing, NotOpened::NoKey { .. }));
    assert!(missing.hint().starts_with("export OPENAI_API_KEY="));
    let other = Providers::with_environment(HttpSettings::default(), |name| {
        (name == "GOOGLE_API_KEY").then(|| "canary".to_owned())
    });
    assert!(open_with(other, "gemini:x").is_ok());
}
