//! Agents that are programs: found by themselves, of one's own, tried, taken over from, and misbehaving in a session.

use std::fs;

use serde_json::Value;

use crate::support::{Project, Said};

/// A program that answers as the real ones do, in the format of `claude`: a good document for every role.
const ANSWERS: &str = r####"#!/bin/sh
prompt=$(cat)
gap=$(printf '%s' "$prompt" | grep -o 'GAP-[A-Z]*-[0-9]*' | head -n 1)
case "$GAPLESS_ROLE" in
  engineer) text="## Gap Resolution: $gap\\n\\n**Confidence:** HIGH\\n\\n### Proposed Solution\\n\\nIt is red, as said in the colour table, and never fades.\\n\\n### Trade-offs\\n\\nNone worth a word.\\n\\n### New Gaps Introduced\\n\\nNone\\n" ;;
  reviewer) text="## Review: $gap\\n\\n**NO_ISSUES_FOUND**\\n\\nExamined:\\n- the colour\\n" ;;
  analyst) text="**NO_GAPS_FOUND**" ;;
  *) text="## Final Review\\n\\n**Verdict:** READY_FOR_TERMINATION\\n\\n### Completeness\\n- [x] read\\n\\n### Blocking Issues\\n\\nNone\\n" ;;
esac
printf '{"type":"result","is_error":false,"result":"%s","total_cost_usd":0.25,"usage":{"input_tokens":100,"output_tokens":20}}\n' "$text"
"####;

struct Machine {
    project: Project,
}

impl Machine {
    /// A machine on which these programs are installed.
    fn with(programs: &[(&str, &str)]) -> Self {
        let project = Project::new();
        project.write(
            "lamp.md",
            "# A lamp\n\nIt has a colour.\n\n## Known gaps\n\n- GAP-COL-001 [LOW]: the colour is missing\n",
        );
        fs::create_dir_all(project.path("bin")).unwrap();
        fs::create_dir_all(project.path("home")).unwrap();
        for (name, script) in programs {
            // Through another process: a program that a fork of ours still has open can't be executed.
            let text = project.write(&format!("{name}.text"), script);
            let copy = format!(
                "cp '{0}' '{1}' && chmod 755 '{1}'",
                text.display(),
                project.path("bin").join(name).display()
            );
            let copied = std::process::Command::new("sh")
                .args(["-c", &copy])
                .status()
                .unwrap();
            assert!(copied.success());
        }
        Self { project }
    }

    fn gapless(&self, words: &[&str]) -> Said {
        self.gapless_with(words, &[])
    }

    fn gapless_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Said {
        let path = format!("{}:/usr/bin:/bin", self.project.path("bin").display());
        let mut command = self.project.command(words);
        command
            .env_clear()
            .env("PATH", path)
            .env("XDG_STATE_HOME", self.project.path("state"))
            .env("HOME", self.project.path("home"));
        command.envs(variables.iter().copied());
        Said::of(command.output().unwrap())
    }

    fn run(&self, more: &[&str]) -> Said {
        let words = ["run", "lamp.md", "--policy", "recommended"];
        self.gapless(&[&words[..], more].concat())
    }

    fn events(&self, name: &str) -> Vec<Value> {
        let log = self.gapless(&["log", "--json"]).exits(0).json();
        let items = log["events"].as_array().unwrap().clone();
        items
            .into_iter()
            .filter(|event| event["type"] == name)
            .collect()
    }
}

#[cfg(unix)]
#[test]
fn auto_takes_what_is_there_and_says_which_and_why() {
    let machine = Machine::with(&[("codex", ANSWERS), ("claude", ANSWERS)]);
    machine
        .project
        .write("gapless.toml", "[agents]\nanalyst = \"auto\"\n");
    let said = machine.run(&["--engineer", "auto"]);
    assert!(said.err.contains("Engineer: claude ("), "{}", said.err);
    assert!(said.err.contains("Reviewer: codex ("), "{}", said.err);
    assert!(said.err.contains("of another vendor"), "{}", said.err);

    let machine = Machine::with(&[("claude", ANSWERS)]);
    let said = machine.run(&[]).exits(0);
    assert!(said.err.contains("Engineer: claude (") && said.err.contains("Reviewer: claude ("));
    assert!(
        said.err.contains("`claude` is both Engineer and Reviewer"),
        "{}",
        said.err
    );
    let status = machine.gapless(&["status", "--json"]).exits(0).json();
    let text = status.to_string();
    assert!(text.contains("input_tokens"), "{text}");

    // One who can be let in goes before one of whom that can't be seen.
    let machine = Machine::with(&[("claude", ANSWERS), ("gemini", ANSWERS)]);
    let words = ["run", "lamp.md", "--analyst", "none"];
    let said = machine.gapless_with(&words, &[("GEMINI_API_KEY", "k")]);
    assert!(said.err.contains("Engineer: gemini ("), "{}", said.err);
    assert!(said.err.contains("GEMINI_API_KEY is set"), "{}", said.err);
    assert!(said.err.contains("Reviewer: claude ("), "{}", said.err);
}

#[cfg(unix)]
#[test]
fn auto_takes_offline_where_nobody_is_found_and_says_so() {
    let machine = Machine::with(&[]);
    let said = machine.run(&[]);
    let plainly = "no agent was found; offline works from a catalogue of defaults, each for you to confirm \
                   (looked for claude, codex, gemini, opencode";
    assert!(said.err.contains(plainly), "{}", said.err);
    let started = machine.events("task.started");
    assert!(
        !started.is_empty()
            && started
                .iter()
                .all(|event| event.to_string().contains("\"offline\""))
    );
    // It finds nothing by itself: the scan does.
    assert!(
        started
            .iter()
            .all(|event| !event.to_string().contains("analyst"))
    );
    let tested = machine.gapless(&["agents", "test", "offline"]).exits(0);
    assert!(
        tested.out.contains("offline answers: No gap is assigned."),
        "{}",
        tested.out
    );
    let listed = machine.gapless(&["agents"]).exits(0);
    assert!(listed.out.contains("always there"), "{}", listed.out);
}

#[cfg(unix)]
#[test]
fn a_program_finds_its_task_as_data_beside_the_prompt() {
    let machine = Machine::with(&[]);
    let kept = machine.project.path("home").join("task.json");
    let agent = format!("cmd:cp assignment.json '{}'", kept.display());
    machine.run(&["--agents", &agent, "--analyst", "none"]);
    let task: Value = serde_json::from_str(&fs::read_to_string(kept).unwrap()).unwrap();
    assert_eq!(
        (&task["version"], &task["role"]),
        (&1.into(), &"engineer".into())
    );
    assert_eq!(task["gaps"][0]["id"], "GAP-COL-001");
    assert!(task["spec"].as_str().unwrap().starts_with("# A lamp"));
}

#[cfg(unix)]
#[test]
fn agents_lists_what_is_there_without_asking_it() {
    let version =
        "#!/bin/sh\n[ \"$1\" = --version ] || { touch asked; exit 1; }\necho 'thing 1.2.3'\n";
    let machine = Machine::with(&[("codex", version)]);
    machine.project.write("home/.codex/auth.json", "{}");
    let document = machine.gapless(&["agents", "--json"]).exits(0).json();
    let items = document["items"].as_array().unwrap();
    let codex = items.iter().find(|item| item["agent"] == "codex").unwrap();
    assert_eq!(
        (&codex["there"], &codex["version"]),
        (&true.into(), &"thing 1.2.3".into())
    );
    assert!(
        codex["access"]["file"]
            .as_str()
            .unwrap()
            .ends_with(".codex/auth.json")
    );
    let claude = items.iter().find(|item| item["agent"] == "claude").unwrap();
    assert_eq!(
        (&claude["there"], &claude["access"]),
        (&false.into(), &Value::Null)
    );
    let shown = machine.gapless(&["agents"]).exits(0);
    assert!(
        shown.out.contains("not installed") && shown.out.contains("npm install"),
        "{}",
        shown.out
    );
    assert!(!machine.project.path("asked").exists());
}

#[cfg(unix)]
#[test]
fn an_agent_of_ones_own_is_tested_and_used() {
    let machine = Machine::with(&[
        ("mine", ANSWERS),
        ("dead", "#!/bin/sh\necho 'no licence' >&2\nexit 4\n"),
    ]);
    machine.project.write(
        "gapless.toml",
        "[agents]\nengineer = \"mine:small\"\nreviewer = \"mine:large\"\n\n\
         [agent.mine]\nlike = \"claude\"\nprogram = \"mine\"\n\n[agent.dead]\nlike = \"mine\"\nprogram = \"dead\"\n",
    );
    machine.project.trust();
    let tested = machine
        .gapless(&["agents", "test", "mine", "--json"])
        .exits(0)
        .json();
    assert_eq!(tested["answers"], true);
    assert_eq!(tested["usage"]["cost_micros"], 250_000);
    let dead = machine.gapless(&["agents", "test", "dead"]).exits(1);
    assert!(
        dead.out.contains("dead does not answer") && dead.out.contains("no licence"),
        "{}",
        dead.out
    );
    let said = machine.run(&[]).exits(0);
    assert!(
        !said.err.contains("both Engineer and Reviewer"),
        "{}",
        said.err
    );
    let started = machine.events("task.started");
    assert!(
        started
            .iter()
            .any(|event| event.to_string().contains("mine:large"))
    );
}

#[cfg(unix)]
#[test]
fn a_code_base_is_named_to_the_engineer_and_kept_by_the_session() {
    let tells = "#!/bin/sh\ncat > /dev/null\necho \"$GAPLESS_ROLE ${GAPLESS_REPO-none}\" >> \"$HOME/told\"\necho nonsense\n";
    let machine = Machine::with(&[("mine", tells)]);
    machine.project.write("code/lib.rs", "");
    machine.project.write(
        "begin.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    machine
        .project
        .write("gapless.toml", "[agent.mine]\nprogram = \"mine\"\n");
    machine.project.trust();
    // One that can't look at files is given the task all the same, and that is said.
    let said = machine.gapless(&[
        "run",
        "lamp.md",
        "--agents",
        "mine",
        "--analyst",
        "none",
        "--repo",
        "code",
        "--answers",
        "begin.toml",
        "--max-retries",
        "0",
    ]);
    assert!(said.err.contains("can't read files"), "{}", said.err);
    let code = machine.project.path("code").canonicalize().unwrap();
    let told = machine.project.read("home/told");
    assert!(
        told.starts_with(&format!("engineer {}\n", code.display())),
        "{told}"
    );
    let configured = machine.events("session.configured");
    assert!(
        configured[0]
            .to_string()
            .contains(&format!("{}", code.display()))
    );
    fs::rename(machine.project.path("code"), machine.project.path("moved")).unwrap();
    let gone = machine.gapless(&["resume"]).exits(2);
    assert!(
        gone.err.contains("there is no code base in"),
        "{}",
        gone.err
    );
    machine.gapless(&["resume", "--repo", "none"]).exits(3);
}

#[cfg(unix)]
#[test]
fn the_editor_is_the_engineers_agent_unless_there_is_to_be_none() {
    let edits = ANSWERS.replace(
        "  analyst)",
        r####"  editor) text="<!-- section: Colour -->\\n## Colour\\n\\nIt has a colour: it is red, as said in the colour table, and never fades.\\n<!-- end section -->\\n" ;;
  analyst)"####,
    );
    let machine = Machine::with(&[("claude", &edits)]);
    machine.project.write(
        "lamp.md",
        "# A lamp\n\n## Colour\n\nIt has a colour.\n\n- GAP-COL-001 [LOW]: the colour is missing\n",
    );
    let spec = |name: &str| {
        let path = format!(".gapless/sessions/{name}/spec.md");
        machine.project.read(&path)
    };
    let said = machine.run(&[]).exits(0);
    assert!(said.out.contains("Editor claude"), "{}", said.out);
    assert!(
        said.out.contains("Colour: accepted parts worked in"),
        "{}",
        said.out
    );
    let edited = spec("lamp");
    assert!(edited.contains("It has a colour: it is red"), "{edited}");
    let shown = machine.gapless(&["show", "1", "editor"]).exits(0).out;
    assert!(shown.contains("<!-- section: Colour -->"), "{shown}");

    let without = ["--name", "plain", "--editor", "none"];
    machine.run(&without).exits(0);
    assert!(spec("plain").contains("Settled: see ["));
    machine
        .project
        .write("gapless.toml", "[agents]\neditor = \"none\"\n");
    machine.run(&["--name", "by-file"]).exits(0);
    assert_eq!(spec("by-file"), spec("plain"));
}
