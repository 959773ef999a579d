//! The two sessions that every backend goes through, and what must be seen of them afterwards.

use std::process::Command;

use gapless_loopback::{Api, Loopback, Recorded, Reply};
use serde_json::Value;

use crate::lamp::well;
use crate::support::{Project, Said};

/// A key that opens nothing.
pub const KEY: &str = "dummy-key-5d20c7";

/// What the model server reports for each answer: tokens in, how many of them were cached, tokens out.
const USED: (u64, u64, u64) = (1_000, 400, 50);

/// What the Engineer's first attempt comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum First {
    Valid,
    Invalid,
}

impl First {
    pub const BOTH: [Self; 2] = [Self::Valid, Self::Invalid];

    /// A model that does its work, or only when it has been told what was wrong.
    pub fn server(self) -> Loopback {
        let answer = move |request: &Recorded| {
            let prompt = request.prompt();
            let first = prompt.contains("# Your task: Engineer") && !prompt.contains(TOLD);
            let text = match first && self == Self::Invalid {
                true => "Sure! Here is what I think about lamps.".to_owned(),
                false => well(request),
            };
            Reply::text(text).tokens(USED.0, USED.1, USED.2)
        };
        Loopback::start(answer).unwrap()
    }

    /// The Engineer's, the Reviewer's and the final review's attempts, as `show` names their verdicts.
    fn verdicts(self) -> &'static [&'static str] {
        match self {
            Self::Valid => &["VALID", "VALID", "VALID"],
            Self::Invalid => &["WRONG_FORMAT", "VALID", "VALID", "VALID"],
        }
    }
}

const TOLD: &str = "What was wrong (WRONG_FORMAT)";

/// The words of a session with one agent for all roles.
pub fn run(agent: &str) -> [&str; 8] {
    [
        "run",
        "tiny.md",
        "--agents",
        agent,
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ]
}

/// A call of gapless that finds nothing in its environment but these variables.
pub fn command(
    project: &Project,
    words: &[&str],
    variables: impl IntoIterator<Item = (&'static str, String)>,
) -> Command {
    let mut command = project.command(words);
    command
        .env_clear()
        .env("XDG_STATE_HOME", project.path("state"))
        .envs(variables);
    command
}

/// What came of a session.
pub struct Ran {
    pub project: Project,
    /// What the model was asked.
    pub requests: Vec<Recorded>,
    pub said: Said,
}

impl Ran {
    pub fn of(project: Project, server: &Loopback, said: Said) -> Self {
        let mut requests = server.requests();
        requests.retain(|request| request.api.is_some());
        Self {
            project,
            requests,
            said,
        }
    }

    /// The attempts of the first round.
    pub fn attempts(&self) -> Vec<Value> {
        let shown = self.project.json(&["show", "1"]);
        shown["attempts"].as_array().unwrap().clone()
    }

    /// The question that the session waits with, in one line.
    #[track_caller]
    pub fn waits_with(&self) -> String {
        let said = &self.said;
        assert_eq!(said.code, Some(3), "{}\n{}", said.out, said.err);
        let questions = self.project.gapless(&["questions"]).exits(0).out;
        questions.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Of the first document, which was cut, all sections were taken but the last, and the session came to its end.
    #[track_caller]
    pub fn took_whole_sections(&self) {
        let said = &self.said;
        assert_eq!(said.code, Some(0), "{}\n{}", said.out, said.err);
        let first = &self.attempts()[0];
        let warnings = first["warnings"].as_array().unwrap();
        let codes = warnings.iter().filter_map(|it| it["code"].as_str());
        let codes: Vec<&str> = codes.collect();
        assert!(codes.contains(&"OUTPUT_TRUNCATED"), "{first}");
        assert!(codes.contains(&"LAST_SECTION_LEFT_OUT"), "{first}");
    }
}

/// A model whose first document stops at its limit, in the vendor's word for that.
pub fn cut_at_first(request: &Recorded, word: &str) -> Reply {
    let prompt = request.prompt();
    let first = prompt.contains("# Your task: Engineer") && !prompt.contains("What was wrong");
    match first {
        true => Reply::text(well(request)).stopped_by(word),
        false => Reply::text(well(request)),
    }
}

/// Checks a session that has ended: its verdicts, what was asked of whom with which key, and what it used.
#[track_caller]
pub fn check(first: First, project: &Project, server: &Loopback, api: Api, said: Said) {
    let requests = server.requests();
    let asked: Vec<&Recorded> = requests.iter().filter(|r| r.api.is_some()).collect();
    let paths: Vec<&str> = requests.iter().map(|r| r.path.as_str()).collect();
    assert_eq!(said.code, Some(0), "{}\n{}\n{paths:?}", said.out, said.err);
    assert!(asked.iter().all(|r| r.api == Some(api)), "{paths:?}");
    assert!(asked.iter().all(|r| carries_key(r)), "{asked:?}");

    let shown = project.json(&["show", "1"]);
    let attempts = shown["attempts"].as_array().unwrap();
    let verdicts: Vec<&str> = attempts
        .iter()
        .map(|attempt| attempt["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, first.verdicts(), "{attempts:?}");
    // Nothing is asked that isn't accounted for: no title, no second opinion.
    assert_eq!(asked.len(), verdicts.len(), "{paths:?}");
    let told = asked.iter().filter(|r| r.prompt().contains(TOLD)).count();
    assert_eq!(told > 0, first == First::Invalid, "{paths:?}");

    let status = project.json(&["status"]);
    let calls = |role: &str| match role {
        "engineer" if first == First::Invalid => 2,
        _ => 1,
    };
    // Ollama says nothing of a cache.
    let cached = (api != Api::Ollama).then_some(USED.1);
    for role in ["engineer", "reviewer", "final_reviewer"] {
        let usage = &status["usage"][role];
        let counted = |key: &str| usage.get(key).and_then(Value::as_u64);
        let (calls, keys) = (
            calls(role),
            ["input_tokens", "cached_tokens", "output_tokens"],
        );
        let used = [Some(USED.0), cached, Some(USED.2)].map(|tokens| tokens.map(|n| n * calls));
        assert_eq!(keys.map(counted), used, "{role}: {status:#}");
        assert_eq!(usage.get("estimated"), None, "{status:#}");
    }
    let found = project
        .all_bytes()
        .windows(KEY.len())
        .any(|part| part == KEY.as_bytes());
    assert!(!found, "the key was kept");
    assert!(!said.out.contains(KEY) && !said.err.contains(KEY));
}

/// True where the key is in the request, in whichever place its vendor has for it.
fn carries_key(request: &Recorded) -> bool {
    let in_header = request.headers.iter().any(|(_, value)| value.contains(KEY));
    in_header || request.query.contains(KEY)
}
