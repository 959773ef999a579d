//! A whole session with each program that people have installed, at its pinned version, in a home of its own.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use gapless_loopback::{Api, Loopback};

use crate::rounds::{First, KEY, check, run};
use crate::support::{Project, Said};

/// Names the folder that `tools/agent-clis/install.sh` filled, where it is not the one in the build's folder.
const FOLDER: &str = "GAPLESS_AGENT_CLIS";

/// The programs are heavy: two at once on a small machine would run into each other's timeouts.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The pinned programs' folder.
fn installed() -> PathBuf {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    named.unwrap_or_else(|| {
        let built = Path::new(env!("CARGO_BIN_EXE_gapless"));
        let beside = built.ancestors().nth(2).unwrap();
        beside.join("agent-clis")
    })
}

/// The version of a package in a file of npm's.
fn version_in(file: &Path, at: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    value.pointer(at)?.as_str().map(str::to_owned)
}

/// The folder of programs, if this one is there in its pinned version; else says why its sessions are skipped.
fn program(name: &str, package: &str) -> Option<PathBuf> {
    let folder = installed();
    let pins = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tools/agent-clis/package.json"
    );
    let at = format!("/dependencies/{}", package.replace('/', "~1"));
    let pinned = version_in(Path::new(pins), &at).unwrap();
    let own = folder
        .join("node_modules")
        .join(package)
        .join("package.json");
    let why = match version_in(&own, "/version") {
        Some(version) if version == pinned => match answers(&folder, name) {
            true => return Some(folder),
            false => "it does not start".to_owned(),
        },
        Some(version) => format!("it is {version} there"),
        None => "it is not there".to_owned(),
    };
    // Not by a macro, whose output tests that pass keep to themselves.
    let mut out = std::io::stderr();
    let _ = writeln!(
        out,
        "skipped: sessions with {name} {pinned} ({why}, in {}); tools/agent-clis/install.sh installs it",
        folder.display()
    );
    None
}

fn answers(folder: &Path, name: &str) -> bool {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(folder.join("node_modules/.bin").join(name));
    command
        .arg("--version")
        .env_clear()
        .envs(machine(folder, home.path()));
    command.output().is_ok_and(|output| output.status.success())
}

/// What every program gets of the machine: where programs are, and a home in which nobody has been.
fn machine(folder: &Path, home: &Path) -> Vec<(String, String)> {
    let programs = folder.join("node_modules/.bin");
    let path = std::env::var("PATH").unwrap_or_default();
    vec![
        ("PATH".to_owned(), format!("{}:{path}", programs.display())),
        ("HOME".to_owned(), home.display().to_string()),
        // Whatever would be asked beyond this machine finds nobody.
        ("HTTPS_PROXY".to_owned(), "http://127.0.0.1:9".to_owned()),
        ("NO_PROXY".to_owned(), "127.0.0.1,localhost".to_owned()),
    ]
}

/// What is set up before a session.
struct Setting<'a> {
    home: &'a Path,
    project: &'a Project,
    server: &'a Loopback,
    /// Which gapless is started with.
    variables: Vec<(&'static str, String)>,
}

impl Setting<'_> {
    fn in_home(&self, name: &str, text: &str) {
        let path = self.home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push((name, value.into()));
    }
}

/// Runs both sessions with a program.
fn session(name: &str, package: &str, agent: &str, api: Api, set_up: fn(&mut Setting<'_>)) {
    let Some(folder) = program(name, package) else {
        return;
    };
    for first in First::BOTH {
        let _alone = ONE_AT_A_TIME.lock();
        let project = Project::with_two_gaps();
        let home = tempfile::Builder::new().prefix("home-").tempdir().unwrap();
        let server = first.server();
        let mut setting = Setting {
            home: home.path(),
            project: &project,
            server: &server,
            variables: Vec::new(),
        };
        set_up(&mut setting);
        project.trust();
        let mut command = project.command(&run(agent));
        command
            .env_clear()
            .env("XDG_STATE_HOME", project.path("state"))
            .envs(machine(&folder, home.path()))
            .envs(setting.variables);
        let said = Said::of(command.output().unwrap());
        check(first, &project, &server, api, said);
    }
}

#[test]
fn claude() {
    let package = "@anthropic-ai/claude-code";
    session("claude", package, "claude", Api::AnthropicMessages, |to| {
        to.set("ANTHROPIC_BASE_URL", to.server.url());
        to.set("ANTHROPIC_API_KEY", KEY);
        to.set(
            "CLAUDE_CONFIG_DIR",
            to.home.join("claude").display().to_string(),
        );
    });
}

#[test]
fn codex() {
    let package = "@openai/codex";
    session("codex", package, "mine:test", Api::OpenAiResponses, |to| {
        let provider = format!(
            r#"{{name="mine",base_url="{}",wire_api="responses",env_key="OPENAI_API_KEY"}}"#,
            to.server.openai_url()
        );
        let config = format!(
            "[agent.mine]\nlike = \"codex\"\nmore_arguments = [\n    \"-c\", 'model_providers.mine={provider}',\n    \
             \"-c\", \"model_provider=mine\",\n]\n"
        );
        to.project.write("gapless.toml", &config);
        to.set("OPENAI_API_KEY", KEY);
        let home = to.home.join("codex");
        fs::create_dir_all(&home).unwrap();
        to.set("CODEX_HOME", home.display().to_string());
    });
}

#[test]
fn gemini() {
    let package = "@google/gemini-cli";
    session(
        "gemini",
        package,
        "gemini-cli:gemini-2.5-pro",
        Api::Gemini,
        |to| {
            let settings = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
            to.in_home(".gemini/settings.json", settings);
            to.set("GOOGLE_GEMINI_BASE_URL", to.server.url());
            to.set("GEMINI_API_KEY", KEY);
        },
    );
}

#[test]
fn opencode() {
    session(
        "opencode",
        "opencode-ai",
        "opencode:mine/test",
        Api::OpenAiChat,
        |to| {
            let provider = serde_json::json!({
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": to.server.openai_url(), "apiKey": "{env:LOOPBACK_KEY}"},
                "models": {"test": {}},
            });
            let config =
                serde_json::json!({"provider": {"mine": provider}, "small_model": "mine/test"});
            to.in_home(".config/opencode/opencode.json", &config.to_string());
            to.project.write(
                "gapless.toml",
                "[agents]\nenvironment = [\"LOOPBACK_KEY\"]\n",
            );
            to.set("LOOPBACK_KEY", KEY);
        },
    );
}
