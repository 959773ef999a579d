//! Keys that nothing may keep or show: planted wherever a key can stand, echoed by servers and programs in every way they
//! have, and searched for in everything that gapless leaves behind.
#![cfg(unix)]

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use gapless_loopback::{Loopback, Recorded, Reply};

use crate::lamp::well;
use crate::support::{Project, Said};

/// Every variable that a key can stand in, the last two being named by gapless.toml.
const PLANTED: [(&str, &str); 9] = [
    ("ANTHROPIC_API_KEY", "canary-a1-5fd0c29e7b"),
    ("ANTHROPIC_AUTH_TOKEN", "canary-a2-88b1e4d06c"),
    ("OPENAI_API_KEY", "canary-o1-3c9a7e51fb"),
    ("GEMINI_API_KEY", "canary-g1-e07d2b964a"),
    ("GOOGLE_API_KEY", "canary-g2-41f8ac35d9"),
    ("OLLAMA_API_KEY", "canary-l1-b6620e9fd7"),
    ("OPENROUTER_API_KEY", "canary-r1-97a4cc18e3"),
    ("MINE_KEY", "canary-m1-d25be8730f"),
    ("MY_AGENT_KEY", "canary-m2-0a7f93c6b8"),
];

const CONFIG: &str = "[agents]\nenvironment = [\"MY_AGENT_*\"]\n\n\
    [providers.mine]\nbase_url = \"SERVER/v1\"\nkey_env = \"MINE_KEY\"\n";

fn planted(mut command: Command, server: Option<&Loopback>) -> Said {
    command.envs(PLANTED);
    if let Some(server) = server {
        let addresses = ["ANTHROPIC_BASE_URL", "GEMINI_BASE_URL", "OLLAMA_HOST"];
        command
            .envs(addresses.map(|name| (name, server.url())))
            .env("OPENAI_BASE_URL", server.openai_url());
    }
    Said::of(command.output().unwrap())
}

/// Searches what is left in the folder, archives unpacked, and what the program says of it, for every key.
#[track_caller]
fn assert_nothing_is_left(project: &Project, said: &[&Said]) {
    let unpack = "for file in $(find . -name '*.tar.gz'); do tar -xzOf \"$file\" >> unpacked; done";
    let done = Command::new("sh")
        .args(["-c", unpack])
        .current_dir(project.path(""))
        .status();
    assert!(done.unwrap().success());
    let mut bytes = project.all_bytes();
    let looks = [
        &["log", "--json"][..],
        &["status", "--json"],
        &["questions", "--json"],
        &["show", "1", "--json"],
        &["show", "1", "--attempt", "engineer-1"],
    ];
    let looks = looks.map(|words| project.gapless(words));
    for said in said.iter().copied().chain(&looks) {
        bytes.extend(said.out.bytes().chain(said.err.bytes()));
    }
    for (name, key) in PLANTED {
        // A part of a key, where a text was cut, is too much as well.
        for part in [key, &key[..16], &key[4..]] {
            let found = bytes.windows(part.len()).position(|w| w == part.as_bytes());
            let around = found.map(|at| {
                let (from, to) = (at.saturating_sub(120), (at + 60).min(bytes.len()));
                String::from_utf8_lossy(&bytes[from..to]).into_owned()
            });
            assert_eq!(around, None, "{name}: {part} was kept or shown");
        }
    }
}

/// What a request brought with it, keys and all.
fn echo(request: &Recorded) -> String {
    let headers = request.headers.iter();
    let headers: Vec<String> = headers
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    format!("{} {}", headers.join(", "), request.query)
}

#[test]
fn a_provider_that_echoes_the_key_in_every_way() {
    for agent in [
        "anthropic:test",
        "openai:test",
        "gemini:test",
        "ollama:test",
        "mine:test",
    ] {
        let project = Project::with_two_gaps();
        let asked = AtomicUsize::new(0);
        let server = Loopback::start(move |request| {
            let echo = echo(request);
            let soon = |reply: Reply| reply.header("retry-after-ms", "1");
            match asked.fetch_add(1, Ordering::SeqCst) {
                0 => soon(Reply::error(500, format!("no use for {echo}"))),
                1 => soon(Reply::error(503, format!("{echo} came late")).in_stream()),
                2 => Reply::text(format!("You sent me {echo}, which I take for a document.")),
                _ => Reply::text(well(request).replace("forty-two", &format!("42 ({echo})"))),
            }
        });
        let server = server.unwrap();
        project.write("gapless.toml", &CONFIG.replace("SERVER", &server.url()));
        project.trust();
        let words = [
            "run",
            "tiny.md",
            "--agents",
            agent,
            "--analyst",
            "none",
            "--policy",
            "recommended",
        ];
        let said = planted(project.command(&words), Some(&server));
        let key_was_sent =
            |request: &Recorded| PLANTED.iter().any(|(_, key)| echo(request).contains(key));
        let requests = server.requests();
        assert!(
            requests.len() > 4 && requests.iter().all(key_was_sent),
            "{agent}: {said:?}"
        );
        let engineer = project.read(".gapless/sessions/tiny/round_001/engineer.md");
        assert!(engineer.contains("[key]"), "{agent}: {engineer}");
        assert_nothing_is_left(&project, &[&said]);

        // Refused, with the key in the error that is asked about.
        let project = Project::with_two_gaps();
        let server = Loopback::start(|request| Reply::error(401, echo(request))).unwrap();
        project.write("gapless.toml", &CONFIG.replace("SERVER", &server.url()));
        project.trust();
        let refused = planted(project.command(&words), Some(&server));
        assert_eq!(refused.code, Some(3), "{agent}: {refused:?}");
        let log = project.gapless(&["log", "--json"]);
        assert!(log.out.contains("[key]"), "{agent}: {log:?}");
        assert_nothing_is_left(&project, &[&refused]);
    }
}

/// Says all that it knows, on every channel: first it fails so, then its document is none, then it has it in a good one. In
/// the second round it is blocked, so that the first one can be undone.
const TALKATIVE: &str = r####"
prompt=$(cat)
env | sort
echo "my key is $MY_AGENT_KEY" >&2
# So much behind it that the cut of what is kept of stderr falls into the key.
printf "$MY_AGENT_KEY%02038d\n" 0 >&2
propose() {
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'The key %s opens it, and it is fixed at forty-two units as the norm says. ' "$MY_AGENT_KEY"
  printf 'Every lamp that leaves the works is measured.\n\n%s\n\n' "$(env | sed 's/^/    /')"
  printf '### Examples\n\nForty-one passes.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}
issue() {
  printf '## Review: %s\n\n### High Priority\n\n- **ISSUE-R1-00%s**: %s is not safe.\n' "$1" "$2" "$MY_AGENT_KEY"
  printf '  - **Location:** Proposed Solution\n  - **Impact:** all\n  - **Suggestion:** change %s\n\n' "$MY_AGENT_KEY"
}
case "$GAPLESS_ROLE $GAPLESS_ROUND $prompt" in
  "engineer 1 "*WRONG_FORMAT*)
    { propose GAP-COL-001; propose GAP-HGT-001; } > "$GAPLESS_OUTPUT" ;;
  "engineer 2 "*)
    { echo "BLOCKED_NEEDS_INPUT: GAP-COL-001 is $MY_AGENT_KEY the colour?"
      echo "BLOCKED_NEEDS_INPUT: GAP-HGT-001 is $MY_AGENT_KEY the height?"; } > "$GAPLESS_OUTPUT" ;;
  reviewer*) { issue GAP-COL-001 1; issue GAP-HGT-001 2; } > "$GAPLESS_OUTPUT" ;;
esac
"####;

/// The same that fails without a document.
const FAILING: &str = r####"
cat > /dev/null
printf "my key is $MY_AGENT_KEY, or $MY_AGENT_KEY%02038d\n" 0 >&2
exit 7
"####;

#[test]
fn a_program_that_says_its_key_on_every_channel() {
    let project = Project::with_two_gaps();
    let config = CONFIG.replace("SERVER", "http://127.0.0.1:9");
    project.write("gapless.toml", &config);
    project.trust();
    project.write(
        "begin.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let agent = project.agent(TALKATIVE);
    let words = [
        "run",
        "tiny.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--answers",
        "begin.toml",
    ];
    let said = planted(project.command(&words), None).exits(3);
    let engineer = project.read(".gapless/sessions/tiny/round_001/engineer.md");
    assert!(engineer.contains("The key [hidden] opens it"), "{engineer}");
    assert!(!engineer.contains("OPENAI_API_KEY"), "{engineer}");
    let words = ["rollback", "tiny", "--to", "0", "--reason", "it talks"];
    let undone = planted(project.command(&words), None);
    let archived = project.json(&["archive", "list"]);
    assert_ne!(archived["items"], serde_json::json!([]), "{undone:?}");
    assert_nothing_is_left(&project, &[&said, &undone]);

    let project = Project::with_two_gaps();
    project.write("gapless.toml", &config);
    project.trust();
    let agent = project.agent(FAILING);
    let tested = planted(project.command(&["agents", "test", &agent]), None);
    assert!(tested.out.contains("left no document"), "{tested:?}");
    assert_nothing_is_left(&project, &[&tested]);
}
