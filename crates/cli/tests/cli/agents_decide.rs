//! Agents can't decide: gapless refuses an agent's commands on a session, however the agent starts it.

use std::fs;

use serde_json::Value;

use crate::support::{Project, Running, Said, until, without_times};

const BINARY: &str = env!("CARGO_BIN_EXE_gapless");

/// Ways to start a command, with `COMMAND` in place of it. None returns before the command has ended.
const WAYS: [(&str, &str); 5] = [
    ("directly", "COMMAND"),
    ("in a session of its own", "setsid -w COMMAND"),
    ("without an environment", "env -i COMMAND"),
    (
        "after a double fork",
        "(setsid env -i sh -c 'sleep 0.05; COMMAND; touch done' > /dev/null 2>&1 &)\nwhile [ ! -e done ]; do sleep 0.01; done; rm done",
    ),
    (
        "as a copy under another name",
        "cp BINARY ./harmless; env -i setsid -w ./harmless ARGUMENTS",
    ),
];

/// Runs a session until its agent has run this script and waits for more.
fn run_script(project: &Project, script: &str) {
    let place = project.path("");
    let script = format!(
        "cat > /dev/null\ncd {}\n{script}\ntouch ready\nsleep 600\n",
        place.display()
    );
    let agent = project.agent(&script);
    let mut words = vec!["run", "tiny.md", "--analyst", "none", "--editor", "none"];
    words.extend(["--scan-from", "never", "--policy", "recommended"]);
    words.extend(["--agents", &agent]);
    let running = project.start(&words);
    until("the agent has run its script", || {
        project.path("ready").exists()
    });
    drop(running);
}

/// Lets an agent run gapless with these arguments in every way, and gives what each came to.
fn by_agent(project: &Project, arguments: &str) -> Vec<(&'static str, String)> {
    let place = project.path("");
    let mut script = String::new();
    for (number, (_, way)) in WAYS.iter().enumerate() {
        let arguments = format!(
            "{arguments} --workspace {} > said.{number} 2>&1",
            place.display()
        );
        let line = way
            .replace("COMMAND", &format!("{BINARY} {arguments}"))
            .replace("BINARY", BINARY)
            .replace("ARGUMENTS", &arguments);
        script.push_str(&format!("{line}\n"));
    }
    run_script(project, &script);
    let ways = WAYS.iter().enumerate();
    ways.map(|(number, (way, _))| (*way, project.read(&format!("said.{number}"))))
        .collect()
}

/// What is in the log, but for what differs between two runs.
fn log(project: &Project) -> Value {
    let log = without_times(project.json(&["log"])).to_string();
    serde_json::from_str(&project.filtered(&log)).unwrap()
}

#[test]
fn an_agent_can_change_nothing_in_a_session() {
    let quiet = Project::with_two_gaps();
    run_script(&quiet, "");
    let expected = log(&quiet);
    for arguments in [
        "gap severity GAP-COL-001 LOW --reason fine",
        "gap close GAP-COL-001 --reason fine",
        "answer tiny Q-001 --option begin",
        "answer --form tiny.md",
        "gap assign GAP-COL-001 --owner me",
        "stop",
        "pause",
        "rollback tiny --to 0 --reason fine",
        "resume",
        "apply --now --yes",
        "run tiny.md --name second --agents offline",
    ] {
        let project = Project::with_two_gaps();
        for (way, said) in by_agent(&project, arguments) {
            assert!(
                said.contains("agents can't decide anything"),
                "{arguments} {way}: {said}"
            );
        }
        assert_eq!(log(&project), expected, "{arguments}");
        let sessions = fs::read_dir(project.path(".gapless/sessions")).unwrap();
        assert_eq!(sessions.count(), 1);
    }
}

/// Namespaces need a right that some machines give nobody.
#[cfg(target_os = "linux")]
fn has_namespaces() -> bool {
    let made = std::process::Command::new("unshare")
        .args(["-Urpf", "--mount-proc", "true"])
        .output();
    made.is_ok_and(|made| made.status.success())
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_in_a_pid_namespace_can_change_nothing_in_the_session_that_runs() {
    if !has_namespaces() {
        return;
    }
    let project = Project::with_two_gaps();
    let place = project.path("");
    let pause = format!("env -i {BINARY} pause tiny --workspace {}", place.display());
    let ways = [
        ("-Urpf", "can't decide"),
        ("-Urpf --mount-proc", "can't be seen"),
    ];
    let scripts = ways.map(|(flags, _)| {
        let unshare = "PATH=/usr/bin:/bin:/usr/sbin:/sbin unshare";
        format!("{unshare} {flags} {pause} > 'said{flags}' 2>&1\n")
    });
    run_script(&project, &scripts.concat());
    for (flags, refusal) in ways {
        let said = project.read(&format!("said{flags}"));
        assert!(said.contains(refusal), "{flags}: {said}");
    }
    let events = log(&project).to_string();
    assert!(!events.contains("paused"), "{events}");
}

#[test]
fn an_agent_may_read() {
    for arguments in ["status", "gaps", "questions"] {
        let project = Project::with_two_gaps();
        for (way, said) in by_agent(&project, arguments) {
            assert!(!said.contains("can't decide"), "{arguments} {way}: {said}");
            assert!(!said.contains("error"), "{arguments} {way}: {said}");
        }
    }
}

#[test]
fn a_refused_agent_gets_the_exit_code_and_the_kind() {
    let project = Project::with_two_gaps();
    run_script(
        &project,
        &format!("{BINARY} stop --json > said 2> /dev/null; echo $? > code"),
    );
    assert_eq!(project.read("code"), "1\n");
    let said = Said {
        code: Some(1),
        out: project.read("said"),
        err: String::new(),
    };
    assert_eq!(said.json()["error"]["kind"], "refused");
}

/// A user who never was below an agent, with whatever else in the environment.
#[test]
fn the_user_may_decide_while_an_agent_runs() {
    let project = Project::with_two_gaps();
    let (started, gate) = (project.path("started"), project.path("gate"));
    let agent = project.agent(&format!(
        "cat > /dev/null\ntouch {}\nwhile [ ! -e {} ]; do sleep 0.02; done\n",
        started.display(),
        gate.display()
    ));
    let mut words = vec!["run", "tiny.md", "--analyst", "none", "--editor", "none"];
    words.extend([
        "--scan-from",
        "never",
        "--policy",
        "recommended",
        "--agents",
        &agent,
    ]);
    let running = project.start(&words);
    until("the agent has started", || started.exists());
    let words = ["gap", "severity", "GAP-COL-001", "LOW", "--reason", "fine"];
    project.gapless(&words).exits(0);
    drop(running);
}

/// What a sandboxed agent can't do, each line with a word that it would say if it could.
const ATTEMPTS: &str = r#"
echo x > ../.gapless/planted && echo planted
echo x >> ../.gapless/gapless.db && echo appended
truncate -s 0 ../.gapless/gapless.db && echo truncated
rm ../.gapless/gapless.db && echo removed
mv ../.gapless ../moved && echo moved
ln ../.gapless/gapless.db linked && echo linked
mkdir -p "$XDG_STATE_HOME/gapless/trust"; echo x > "$XDG_STATE_HOME/gapless/trust/planted" && echo trusted
echo x > ../new && echo made
env -i setsid -w sh -c 'echo x > ../.gapless/planted' && echo planted
(setsid sh -c 'echo x > ../.gapless/planted && echo planted >> said; touch through' &)
while [ ! -e through ]; do sleep 0.01; done
echo mine > own && cat own
echo spec >> ../tiny.md && tail -n 1 ../tiny.md
echo there > "$OLDPWD/there" && cat "$OLDPWD/there"
cat ../.gapless/gapless.db > copy && echo read
"#;

#[test]
fn a_sandboxed_agent_cannot_write_to_what_is_gapless_own() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "[agents]\nsandbox = true\n");
    fs::create_dir(project.path("out")).unwrap();
    fs::create_dir(project.path("state")).unwrap();
    let place = project.path("out");
    let agent = project.agent(&format!(
        "cat > /dev/null\ncd {}\n({ATTEMPTS}) >> said 2> refused\ntouch ready\nsleep 600\n",
        place.display()
    ));
    let mut words = vec!["run", "tiny.md", "--analyst", "none", "--editor", "none"];
    words.extend(["--scan-from", "never", "--policy", "recommended"]);
    words.extend(["--agents", &agent]);
    let mut command = project.command(&words);
    command.env("XDG_STATE_HOME", project.path("state"));
    let mut running = Running::of(&mut command);
    until("the agent has made its attempts", || {
        place.join("ready").exists() || running.has_ended()
    });
    if running.has_ended() {
        let said = running.wait();
        // A kernel without Landlock.
        let said = format!("{}{}", said.out, said.err).replace('\n', " ");
        assert!(said.contains("needs Landlock"), "{said}");
        return;
    }
    drop(running);
    let refused = project.read("out/refused");
    assert_eq!(
        project.read("out/said"),
        "mine\nspec\nthere\nread\n",
        "{refused}"
    );
    assert!(project.gapless(&["status"]).code == Some(0));
}

#[test]
fn a_sandboxed_agent_cannot_signal_its_supervisor() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "[agents]\nsandbox = true\n");
    let agent = project.agent("cat > /dev/null\nkill -9 $PPID || echo GAPLESS-OK refused\n");
    let said = project.gapless(&["agents", "test", &agent]);
    let said = format!("{}{}", said.out, said.err).replace('\n', " ");
    // An older kernel doesn't refuse that.
    let killed = said.contains("signal 9") || said.contains("needs Landlock");
    assert!(said.contains("GAPLESS-OK refused") || killed, "{said}");
}
