//! A whole session with each program that people have installed, at its pinned version, in a home of its own.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gapless_loopback::{Api, Loopback, Recorded, Reply};

use tempfile::TempDir;

use crate::rounds::{First, KEY, Ran, check, command, run};
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
pub struct Setting<'a> {
    server: &'a Loopback,
    /// What the configuration of the folder says.
    config: String,
    /// Which gapless is started with.
    variables: Vec<(&'static str, String)>,
}

impl Setting<'_> {
    fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push((name, value.into()));
    }
}

/// A program as the suite uses it.
pub struct Installed {
    pub name: &'static str,
    package: &'static str,
    /// As it is named to gapless.
    pub agent: &'static str,
    pub api: Api,
    set_up: fn(&mut Setting<'_>),
}

pub const CLAUDE: Installed = Installed {
    name: "claude",
    package: "@anthropic-ai/claude-code",
    agent: "mine",
    api: Api::AnthropicMessages,
    set_up: |to| {
        to.config = "like = \"claude\"\n".to_owned();
        to.set("ANTHROPIC_BASE_URL", to.server.url());
        to.set("ANTHROPIC_API_KEY", KEY);
    },
};

pub const CODEX: Installed = Installed {
    name: "codex",
    package: "@openai/codex",
    agent: "mine:test",
    api: Api::OpenAiResponses,
    set_up: |to| {
        to.config = codex(&to.server.openai_url(), "env_key=\"OPENAI_API_KEY\"");
        to.set("OPENAI_API_KEY", KEY);
    },
};

/// The same with what `codex login` left.
pub const CODEX_SIGNED_IN: Installed = Installed {
    set_up: |to| to.config = codex(&to.server.openai_url(), "requires_openai_auth=true"),
    ..CODEX
};

/// A codex with a provider of its own.
fn codex(url: &str, key: &str) -> String {
    let provider = format!(
        r#"{{name="mine",base_url="{url}",wire_api="responses",request_max_retries=1,stream_max_retries=1,{key}}}"#
    );
    format!(
        "like = \"codex\"\nmore_arguments = [\n    \"-c\", 'model_providers.mine={provider}',\n    \
         \"-c\", \"model_provider=mine\",\n]\n"
    )
}

pub const GEMINI: Installed = Installed {
    name: "gemini",
    package: "@google/gemini-cli",
    agent: "mine:gemini-2.5-pro",
    api: Api::Gemini,
    set_up: |to| {
        to.config = "like = \"gemini\"\n".to_owned();
        to.set("GOOGLE_GEMINI_BASE_URL", to.server.url());
        to.set("GEMINI_API_KEY", KEY);
    },
};

pub const OPENCODE: Installed = Installed {
    name: "opencode",
    package: "opencode-ai",
    agent: "mine:mine/test",
    api: Api::OpenAiChat,
    set_up: |to| {
        to.config = opencode(&to.server.openai_url(), Some("{env:LOOPBACK_KEY}"));
        to.set("LOOPBACK_KEY", KEY);
    },
};

/// The same with what `opencode auth login` left.
pub const OPENCODE_SIGNED_IN: Installed = Installed {
    set_up: |to| to.config = opencode(&to.server.openai_url(), None),
    ..OPENCODE
};

/// An opencode with a provider of its own.
fn opencode(url: &str, key: Option<&str>) -> String {
    let provider = serde_json::json!({
        "npm": "@ai-sdk/openai-compatible",
        "options": match key {
            Some(key) => serde_json::json!({"baseURL": url, "apiKey": key}),
            None => serde_json::json!({"baseURL": url}),
        },
        "models": {"test": {}},
    });
    let config = serde_json::json!({"provider": {"mine": provider}, "small_model": "mine/test"});
    format!(
        "like = \"opencode\"\npass = [\"LOOPBACK_KEY\"]\nhome_files.\".config/opencode/opencode.json\" = '{config}'\n"
    )
}

/// A project and a home in which a program can be started. No other one is until it is dropped.
pub struct Ready {
    pub project: Project,
    pub home: TempDir,
    folder: PathBuf,
    variables: Vec<(&'static str, String)>,
    _alone: MutexGuard<'static, ()>,
}

impl Installed {
    /// Makes everything for a session: the configuration gets `more` keys for the agent. None where the program isn't there.
    pub fn ready(&self, server: &Loopback, more: &str) -> Option<Ready> {
        let folder = program(self.name, self.package)?;
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let project = Project::with_two_gaps();
        let home = tempfile::Builder::new().prefix("home-").tempdir().unwrap();
        let mut setting = Setting {
            server,
            config: String::new(),
            variables: Vec::new(),
        };
        (self.set_up)(&mut setting);
        let (config, variables) = (setting.config, setting.variables);
        let (agents, more) = more.split_once("---").unwrap_or(("", more));
        project.write(
            "gapless.toml",
            &format!("{agents}\n[agent.mine]\n{config}{more}\n"),
        );
        project.trust();
        Some(Ready {
            project,
            home,
            folder,
            variables,
            _alone: alone,
        })
    }
}

impl Installed {
    /// Runs a session, with `more` words to gapless, whose model always answers like this. None where the program isn't there.
    pub fn session(
        &self,
        more: &[&str],
        reply: impl FnMut(&Recorded) -> Reply + Send + 'static,
    ) -> Option<Ran> {
        let server = Loopback::start(reply).unwrap();
        let ready = self.ready(&server, "")?;
        let words = [&run(self.agent), more].concat();
        let said = Said::of(ready.command(&words).output().unwrap());
        Some(Ran::of(ready.project, &server, said))
    }
}

impl Ready {
    /// Takes a variable away.
    pub fn forget(&mut self, name: &str) {
        self.variables.retain(|(known, _)| *known != name);
    }

    /// A call of gapless as the home's user, with the program on PATH.
    pub fn command(&self, words: &[&str]) -> Command {
        let machine = machine(&self.folder, self.home.path());
        let mut command = command(&self.project, words, self.variables.iter().cloned());
        command.envs(machine);
        command
    }
}

/// Runs both sessions with a program.
fn sessions(installed: &Installed) {
    for first in First::BOTH {
        let server = first.server();
        let Some(ready) = installed.ready(&server, "") else {
            return;
        };
        let said = Said::of(ready.command(&run(installed.agent)).output().unwrap());
        check(first, &ready.project, &server, installed.api, said);
    }
}

#[test]
fn claude_with_a_key() {
    sessions(&CLAUDE);
}

#[test]
fn codex_with_a_key() {
    sessions(&CODEX);
}

#[test]
fn gemini_with_a_key() {
    sessions(&GEMINI);
}

#[test]
fn opencode_with_a_key() {
    sessions(&OPENCODE);
}
