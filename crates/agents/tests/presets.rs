//! What the agents that are programs say, in their own formats, and what is made of it. Each is played by a script that
//! says what the real one does.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::Arc;

use gapless_agents::{Definition, Finished, OpenContext, Presets, open};
use gapless_domain::task::{ExecutionErrorKind, OutputNote, Role, Usage};
use support::player::Player;
use support::{request, run};

const FORMATS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats");
const DOCUMENT: &str =
    "## Gap Resolution: GAP-FLOW-001\n\n### Proposed Solution\n\n\"Thirty\" days – no more.\n";

/// A program that says what is on file under this name, and leaves the log that is there beside it.
async fn says(like: &str, format: &str, exit: i32) -> Finished {
    let log = match Path::new(&format!("{FORMATS}/{format}.log")).exists() {
        true => format!("cp '{FORMATS}/{format}.log' .gemini/telemetry.log;"),
        false => String::new(),
    };
    let player = Player::new(&format!(
        "cat > /dev/null; {log} cat '{FORMATS}/{format}.jsonl'; exit {exit}"
    ));
    let mut finished = run(&player.plays(like, "", ""), request(Role::Engineer)).await;
    finished.usage.millis = 0;
    finished
}

fn usage(input: u64, cached: u64, output: u64, cost_micros: Option<u64>) -> Usage {
    Usage {
        input_tokens: Some(input),
        cached_tokens: Some(cached),
        output_tokens: Some(output),
        cost_micros,
        ..Usage::default()
    }
}

#[tokio::test]
async fn the_answer_is_the_document_and_what_it_used_is_counted() {
    for (preset, used) in [
        ("claude", usage(4312, 4000, 250, Some(31_235))),
        ("codex", usage(24763, 24448, 122, None)),
        ("gemini", usage(800, 50, 300, None)),
        ("opencode", usage(320, 200, 60, Some(3_000))),
    ] {
        for exit in [0, 1] {
            let finished = says(preset, &format!("{preset}_answer"), exit).await;
            let output = finished.result.unwrap();
            assert_eq!(output.text.as_deref(), Some(DOCUMENT), "{preset}");
            let notes: &[OutputNote] = match exit {
                0 => &[],
                _ => &[OutputNote::NonzeroExit],
            };
            assert_eq!(output.notes, notes, "{preset}");
            assert_eq!(finished.usage, used, "{preset}");
        }
    }
}

#[tokio::test]
async fn an_error_is_one_whatever_the_exit_code_and_whatever_was_said_before() {
    use ExecutionErrorKind::{Provider, RateLimit, Refused};
    for (preset, format, kind, message) in [
        (
            "claude",
            "error",
            Refused,
            "Invalid API key · Fix external API key; start `claude` once and sign in, or set a valid ANTHROPIC_API_KEY",
        ),
        (
            "claude",
            "rate_limit",
            RateLimit,
            "API Error: 429 slow down",
        ),
        (
            "codex",
            "error",
            Refused,
            "unexpected status 401 Unauthorized; run `codex login`, or set a valid CODEX_API_KEY",
        ),
        (
            "codex",
            "rate_limit",
            RateLimit,
            "exceeded retry limit, last status: 429 Too Many Requests",
        ),
        ("codex", "gave_up", Provider, "the stream was closed"),
        (
            "gemini",
            "error",
            Refused,
            "API key not valid; set a valid GEMINI_API_KEY",
        ),
        (
            "gemini",
            "rate_limit",
            RateLimit,
            "{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}",
        ),
        (
            "opencode",
            "error",
            Refused,
            "invalid x-api-key; run `opencode auth login`, or set a valid key of the provider",
        ),
        ("opencode", "rate_limit", RateLimit, "slow down"),
    ] {
        for exit in [0, 1] {
            let finished = says(preset, &format!("{preset}_{format}"), exit).await;
            let error = finished.result.unwrap_err();
            assert_eq!(
                (error.kind, error.message.as_str()),
                (kind, message),
                "{format}"
            );
        }
    }
    let odd = says("opencode", "opencode_unknown_error", 0)
        .await
        .result
        .unwrap_err();
    assert_eq!(
        odd.message,
        "opencode doesn't have that model; name another one: opencode:<provider>/<model>"
    );
    // What an attempt used is known also where it failed.
    let capped = says("claude", "claude_output_cap", 1).await;
    assert_eq!(capped.usage, usage(4312, 4000, 250, Some(500_000)));
}

const ALL: [&str; 4] = ["claude", "codex", "gemini", "opencode"];

#[tokio::test]
async fn blocks_of_one_message_are_joined() {
    for preset in ALL {
        let finished = says(preset, &format!("{preset}_two_blocks"), 0).await;
        let output = finished.result.unwrap();
        assert_eq!(output.text.as_deref(), Some(DOCUMENT), "{preset}");
        assert!(output.earlier.is_empty(), "{preset}: {:?}", output.earlier);
    }
}

#[tokio::test]
async fn messages_before_the_last_one_are_handed_over_beside_it() {
    for preset in ALL {
        let finished = says(preset, &format!("{preset}_done"), 0).await;
        let output = finished.result.unwrap();
        assert_eq!(output.text.as_deref(), Some("Done."), "{preset}");
        assert_eq!(output.earlier, [DOCUMENT], "{preset}");
    }
    let talk = says("codex", "codex_answer", 0).await.result.unwrap();
    assert_eq!(talk.earlier, ["I'll look at the files first."]);
}

#[tokio::test]
async fn a_model_that_stopped_at_its_limit_left_a_document_that_is_cut() {
    for preset in ALL {
        for exit in [0, 1] {
            let finished = says(preset, &format!("{preset}_cut"), exit).await;
            let output = finished.result.unwrap();
            assert_eq!(output.text.as_deref(), Some(DOCUMENT), "{preset}");
            assert!(
                output.notes.contains(&OutputNote::OutputTruncated),
                "{preset}"
            );
        }
    }
    // Nothing of it came.
    for preset in ["claude", "gemini"] {
        let finished = says(preset, &format!("{preset}_output_cap"), 1).await;
        let output = finished.result.unwrap();
        assert_eq!(
            (output.text.as_deref(), output.notes.as_slice()),
            (Some(""), &[OutputNote::OutputTruncated][..]),
            "{preset}"
        );
    }
}

#[tokio::test]
async fn the_last_word_of_a_log_counts_as_far_as_it_can_be_read() {
    let answer = |reasons: &str| format!(r#"{{"attributes":{{"finish_reasons":{reasons}}}}}"#);
    let (cut, stopped) = (answer(r#"["stop","length"]"#), answer(r#"["stop"]"#));
    let said = std::fs::read_to_string(format!("{FORMATS}/gemini_answer.jsonl")).unwrap();
    for (log, is_cut) in [
        (format!("{stopped}\n{cut}"), true),
        (format!("{cut}\n{stopped}"), false),
        (format!("{cut}\n{{\"attributes\":{{\"fini"), true),
        (format!("no JSON\n{cut}"), false),
        (format!("{cut}{}", answer("[]")), true),
        (String::new(), false),
    ] {
        let player =
            Player::new("cat > /dev/null; cp $TRACES/log .gemini/telemetry.log; cat $TRACES/said");
        std::fs::write(player.path("log"), &log).unwrap();
        std::fs::write(player.path("said"), &said).unwrap();
        let finished = run(&player.plays("gemini", "", ""), request(Role::Engineer)).await;
        let notes = finished.result.unwrap().notes;
        assert_eq!(
            notes.contains(&OutputNote::OutputTruncated),
            is_cut,
            "{log}"
        );
    }
}

#[tokio::test]
async fn a_model_that_would_not_go_on_is_refused_as_over_http() {
    let logged = says("gemini", "gemini_refusal_logged", 0).await;
    let mut all = vec![("gemini", logged)];
    for preset in ALL {
        all.push((preset, says(preset, &format!("{preset}_refusal"), 1).await));
    }
    for (preset, finished) in all {
        let error = finished.result.unwrap_err();
        assert_eq!(error.kind, ExecutionErrorKind::Refused, "{preset}: {error}");
        assert!(
            error.message.contains("would not finish its answer (")
                && error.message.ends_with("or use another model"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn what_was_said_beside_a_file_comes_before_it() {
    let player = Player::new(&format!(
        "cat > /dev/null; printf 'half' > \"$GAPLESS_OUTPUT\"; cat '{FORMATS}/codex_answer.jsonl'"
    ));
    let finished = run(&player.plays("codex", "", ""), request(Role::Engineer)).await;
    let output = finished.result.unwrap();
    assert_eq!(output.text.as_deref(), Some("half"));
    assert_eq!(output.earlier, ["I'll look at the files first.", DOCUMENT]);
}

#[tokio::test]
async fn what_is_no_answer_in_its_format_is_no_document() {
    for preset in ["claude", "codex", "gemini", "opencode"] {
        let result = async |script: &str| {
            let player = Player::new(&format!("cat > /dev/null; {script}"));
            let finished = run(&player.plays(preset, "", ""), request(Role::Engineer)).await;
            finished.result
        };
        let error = result("echo 'Please be patient'").await.unwrap_err();
        assert_eq!(error.kind, ExecutionErrorKind::Provider, "{preset}");
        assert!(
            error.message.ends_with("it said: Please be patient"),
            "{error}"
        );

        let script = "echo 'unknown option'; echo 'see --help' >&2; exit 2";
        let error = result(script).await.unwrap_err();
        assert_eq!(
            error.kind,
            ExecutionErrorKind::ExitedWithoutOutput,
            "{preset}"
        );
        let end =
            "exited with code 2 and left no document; it said: unknown option; stderr: see --help";
        assert!(error.message.ends_with(end), "{error}");

        // JSON that says nothing is a program that answered nothing: it is asked again.
        for silent in ["true", "echo '{\"type\":\"other\"}'"] {
            assert_eq!(result(silent).await.unwrap().text, None, "{preset}");
        }
        for broken in ["[1,2", "\"text\"", "{\"type\":", "null"] {
            let error = result(&format!("echo '{broken}'")).await.unwrap_err();
            assert_eq!(error.kind, ExecutionErrorKind::Provider, "{broken}");
        }
    }
}

#[tokio::test]
async fn a_missing_sign_in_is_final_with_what_to_do_wherever_it_is_said() {
    for (preset, said, advice) in [
        ("claude", "Please run /login", "set ANTHROPIC_API_KEY"),
        ("codex", "Not logged in", "or set CODEX_API_KEY"),
        (
            "gemini",
            "Please set an Auth method in x",
            "set GEMINI_API_KEY",
        ),
    ] {
        for redirection in ["", " >&2"] {
            let script = format!("cat > /dev/null; echo '{said}'{redirection}; exit 1");
            let player = Player::new(&script);
            let finished = run(&player.plays(preset, "", ""), request(Role::Engineer)).await;
            let error = finished.result.unwrap_err();
            assert_eq!(error.kind, ExecutionErrorKind::Refused, "{error}");
            assert!(error.message.ends_with(advice), "{error}");
        }
    }
}

#[tokio::test]
async fn a_file_at_the_output_path_goes_before_what_was_said() {
    let writes = |text: &str| {
        format!(
            "cat > /dev/null; printf '{text}' > \"$GAPLESS_OUTPUT\"; cat '{FORMATS}/codex_answer.jsonl'"
        )
    };
    for (written, document) in [("from the file", "from the file"), (" ", DOCUMENT)] {
        let player = Player::new(&writes(written));
        let finished = run(&player.plays("codex", "", ""), request(Role::Engineer)).await;
        assert_eq!(finished.result.unwrap().text.as_deref(), Some(document));
    }
}

/// Leaves arguments, environment, prompt and files of a run in its traces.
const TELLS: &str = r#"
for word in "$@"; do echo "<$word>"; done > "$TRACES/arguments"
env | sort > "$TRACES/environment"
cat > "$TRACES/prompt"
find . -type f | sort | while read -r file; do echo "== $file"; cat "$file"; done > "$TRACES/files"
cd "$GAPLESS_RUN/home" 2> /dev/null || exit 0
find . -type f | sort | while read -r file; do echo "== home: $file"; cat "$file"; done >> "$TRACES/files"
"#;

async fn call_of(preset: &str, model: &str, keys: &str, repo: Option<&str>) -> (Player, String) {
    let player = Player::new(TELLS);
    let mut asked = request(Role::Engineer);
    asked.repo = repo.map(Into::into);
    asked.inputs = vec![("source.md".to_owned(), "the spec\n".into())];
    run(&player.plays(preset, model, keys), asked)
        .await
        .result
        .unwrap();
    let environment = player.file("environment");
    let folder = environment
        .lines()
        .find_map(|line| line.strip_prefix("PWD="))
        .unwrap()
        .to_owned();
    // Only what the preset sets itself: the rest is as on this machine.
    let presets = Presets::default();
    let definition = presets.get(preset).unwrap();
    let maps = [&definition.set, &definition.alone_set, &definition.repo_set];
    let is_own = |line: &&str| {
        let name = line.split('=').next().unwrap();
        // Whether its user has a key or a sign-in depends on the machine.
        let is_certain =
            name != "GAPLESS_GEMINI_AUTH" && !definition.home_needs_key.unwrap_or(false);
        let mut homes = definition.home.iter().flatten();
        let is_home = is_certain && homes.any(|folder| folder.variable == name);
        let is_ours = name.starts_with("GAPLESS_") && name != "GAPLESS_GEMINI_AUTH";
        is_home
            || is_ours
            || (name != "GAPLESS_GEMINI_AUTH" && maps.iter().any(|map| map.contains_key(name)))
    };
    let own: Vec<&str> = environment.lines().filter(is_own).collect();
    let told = format!(
        "{}--\n{}\n--\n{}",
        player.file("arguments"),
        own.join("\n"),
        player.file("files")
    );
    let told = told.replace(&folder, "FOLDER");
    let run = std::path::Path::new(&folder).parent().unwrap();
    let told = told.replace(run.to_str().unwrap(), "RUN");
    let told = told.replace(
        player.path("").to_str().unwrap().trim_end_matches('/'),
        "PROGRAM",
    );
    (player, told)
}

#[tokio::test]
async fn every_preset_is_called_as_it_says() {
    for preset in ["claude", "codex", "gemini", "opencode"] {
        let (player, alone) = call_of(preset, "", "", None).await;
        assert_eq!(player.file("prompt"), "the prompt");
        insta::assert_snapshot!(format!("{preset}_alone"), alone);
        let (_, with_repo) = call_of(preset, ":some/model", "", Some("/code \"base\"")).await;
        insta::assert_snapshot!(format!("{preset}_with_repo"), with_repo);
    }
}

#[tokio::test]
async fn a_preset_that_says_nothing_of_a_code_base_has_no_flag_for_one() {
    let player = Player::new(TELLS);
    let keys = "alone_arguments = ['alone']";
    let text = format!("program = '{}'\n{keys}", "/bin/true");
    let plain: Definition = toml::from_str(&text).unwrap();
    let mut presets = Presets::default();
    presets.add_all(vec![("plain".to_owned(), plain)]).unwrap();
    let context = OpenContext {
        presets: Arc::new(presets),
        ..OpenContext::unattended(Path::new("/"))
    };
    assert!(!open("plain", &context).unwrap().reads_files());
    assert!(player.plays("claude", "", "").reads_files());
}

#[tokio::test]
async fn a_prompt_may_be_an_argument_and_is_taken_to_the_letter() {
    let player = Player::new(TELLS);
    let keys = "prompt = 'argument'\narguments = ['-p={prompt}', '{folder}']\nlast_arguments = []\n[output]\nform = 'text'";
    let agent = player.plays("codex", "", keys);
    let mut asked = request(Role::Engineer);
    asked.prompt = "a {model} $HOME `x` {prompt}".into();
    run(&agent, asked).await;
    let arguments = player.file("arguments");
    assert!(
        arguments.starts_with("<-p=a {model} $HOME `x` {prompt}>\n</"),
        "{arguments}"
    );
    assert_eq!(player.file("prompt"), "");
}

#[tokio::test]
async fn only_what_the_allow_list_names_is_passed() {
    // PATH is what is sure to be set; what is not named stays here.
    let player = Player::new("cat > /dev/null; env > \"$TRACES/environment\"; exit 3");
    run(&player.plays("codex", "", ""), request(Role::Engineer)).await;
    let passed = player.file("environment");
    assert!(passed.lines().any(|line| line.starts_with("PATH=")));
    assert!(!passed.contains("CARGO_MANIFEST_DIR="), "{passed}");
    run(
        &player.plays("codex", "", "pass = ['CARGO_MANIFEST_*']"),
        request(Role::Engineer),
    )
    .await;
    assert!(player.file("environment").contains("CARGO_MANIFEST_DIR="));
}

#[tokio::test]
async fn a_program_that_says_nothing_while_it_works_is_given_longer() {
    let player = Player::new("cat > /dev/null; sleep 0.6; echo done");
    let mut asked = request(Role::Engineer);
    asked.limits.idle_timeout_millis = 200;
    let text = "last_arguments = []\n[output]\nform = 'text'";
    let patient = player.plays("codex", "", text);
    assert_eq!(
        run(&patient, asked.clone())
            .await
            .result
            .unwrap()
            .text
            .as_deref(),
        Some("done\n")
    );
    let others = player.plays("claude", "", "[output]\nform = 'text'");
    let error = run(&others, asked).await.result.unwrap_err();
    assert_eq!(error.kind, ExecutionErrorKind::IdleTimeout);
}

#[tokio::test]
async fn a_timed_out_program_hands_over_its_answer() {
    for preset in ["claude", "codex", "gemini", "opencode"] {
        let player = Player::new(&format!(
            "cat > /dev/null; cat '{FORMATS}/{preset}_answer.jsonl'; exec sleep 60"
        ));
        let mut request = request(Role::Engineer);
        request.limits.hard_timeout_millis = 900;
        let finished = run(&player.plays(preset, "", ""), request).await;
        assert_eq!(
            finished.result.unwrap_err().kind,
            ExecutionErrorKind::HardTimeout,
            "{preset}"
        );
        let unfinished = finished.unfinished.unwrap();
        assert_eq!(unfinished.text, DOCUMENT, "{preset}");
        assert!(unfinished.unchanged_millis > 300, "{preset}");
    }
}
