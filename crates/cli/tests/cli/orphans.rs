//! Nothing of an agent outlives its driver, however that ends: not a process, also not one that forked twice into a session of its
//! own with an empty environment, and not the temporary folder with the spec.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Project, Running, until};

/// An agent that stays, with a descendant that did everything to get away.
struct Scene(Project);

impl Scene {
    fn new() -> Self {
        let project = Project::with_two_gaps();
        fs::create_dir(project.path("tmp")).unwrap();
        let place = project.path("");
        let script = format!(
            r#"
cat > /dev/null
cd {place}
(setsid env -i sh -c 'echo $$ > escaped.new; mv escaped.new escaped; exec sleep 600' > /dev/null 2>&1 &)
(sleep 600 & echo $! > kept)
while [ ! -e escaped ]; do sleep 0.01; done
echo $$ > program
echo $PPID > supervisor
touch started
while [ ! -e gate ]; do sleep 0.02; done
echo 'BLOCKED_NEEDS_INPUT: GAP-COL-001 which colour shall it have?'
echo 'BLOCKED_NEEDS_INPUT: GAP-HGT-001 which height shall it have?'
"#,
            place = place.display()
        );
        project.agent(&script);
        Self(project)
    }

    fn words(&self) -> Vec<String> {
        let agent = format!("cmd:sh {}", self.0.path("agent.sh").display());
        let words = "run tiny.md --analyst none --editor none --scan-from never --policy recommended --agents";
        let words = words.split(' ').map(str::to_owned);
        words.chain([agent]).collect()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.0.command(words);
        command.env("TMPDIR", self.0.path("tmp"));
        command
    }

    /// A run whose agent has started.
    fn running(&self) -> Running {
        let words = self.words();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let running = Running::of(&mut self.command(&words));
        self.has_started();
        running
    }

    fn has_started(&self) {
        until("the agent has started", || self.0.path("started").exists());
        assert_eq!(self.folders(), 1);
        assert!(self.alive("program") && self.alive("escaped") && self.alive("kept"));
    }

    fn pid(&self, who: &str) -> String {
        self.0.read(who).trim().to_owned()
    }

    fn alive(&self, who: &str) -> bool {
        is_alive(&self.pid(who))
    }

    fn folders(&self) -> usize {
        fs::read_dir(self.0.path("tmp")).unwrap().count()
    }

    #[track_caller]
    fn is_left_without_anything(&self) {
        for who in ["program", "kept", "escaped", "supervisor"] {
            until(who, || !self.alive(who));
        }
        until("the temporary folder is gone", || self.folders() == 0);
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
    state.flatten().is_some_and(|state| !"ZX".contains(state))
}

fn send(signal: &str, pid: &str) {
    let done = Command::new("kill").args([signal, pid]).status();
    assert!(done.unwrap().success());
}

#[test]
fn no_orphan_is_left_when_a_driver_is_asked_to_end() {
    for signal in ["HUP", "QUIT", "INT", "TERM"] {
        let scene = Scene::new();
        let running = scene.running();
        running.signal(signal);
        running.wait().exits(130);
        scene.is_left_without_anything();
    }
}

#[test]
fn no_orphan_is_left_when_a_driver_is_interrupted_twice() {
    let scene = Scene::new();
    // An agent that ends at once would leave no time for the second one.
    let script = scene.0.read("agent.sh");
    scene.0.agent(&format!("trap '' TERM\n{script}"));
    let mut running = scene.running();
    running.signal("INT");
    while !running.has_ended() {
        running.signal("INT");
    }
    running.wait().exits(130);
    scene.is_left_without_anything();
}

#[test]
fn no_orphan_is_left_when_a_driver_is_killed() {
    let scene = Scene::new();
    let mut running = scene.running();
    running.kill();
    scene.is_left_without_anything();
}

#[test]
fn no_orphan_is_left_when_the_terminal_is_closed() {
    let scene = Scene::new();
    let words = scene.words();
    let line = shlex::try_join(words.iter().map(String::as_str)).unwrap();
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_gapless"));
    // `script` holds the other end of the terminal, and nothing holds it any more when it is killed.
    let mut terminal = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(scene.0.path(""))
        .env("TMPDIR", scene.0.path("tmp"))
        .env("XDG_DATA_HOME", scene.0.path("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    scene.has_started();
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    scene.is_left_without_anything();
}

#[test]
fn no_orphan_is_left_when_a_supervisor_is_killed() {
    let scene = Scene::new();
    let running = scene.running();
    // Otherwise the driver would start the next attempt.
    scene.0.write("gate", "");
    send("-KILL", &scene.pid("supervisor"));
    for who in ["program", "kept", "escaped"] {
        until(who, || !scene.alive(who));
    }
    running.signal("INT");
    running.wait();
    until("the temporary folder is gone", || scene.folders() == 0);
}

#[test]
fn what_an_agent_left_running_ends_with_it() {
    let scene = Scene::new();
    let running = scene.running();
    let first = ["program", "kept", "escaped"].map(|who| scene.pid(who));
    scene.0.write("gate", "");
    let said = running.wait().exits(3);
    assert!(said.out.contains("which colour"), "{}", said.out);
    assert!(first.iter().all(|pid| !is_alive(pid)));
    assert_eq!(scene.folders(), 0);
}

#[test]
fn the_next_start_ends_what_a_killed_driver_and_supervisor_left() {
    let scene = Scene::new();
    let mut running = scene.running();
    running.signal("STOP");
    send("-KILL", &scene.pid("supervisor"));
    running.kill();
    assert!(scene.alive("program") && scene.alive("kept"));
    assert_eq!(scene.folders(), 1);
    let left = ["program", "kept"].map(|who| scene.pid(who));
    let escaped = scene.pid("escaped");

    scene.0.write("gate", "");
    let resumed = scene
        .command(&["resume", "--policy", "recommended"])
        .output();
    let said = crate::support::Said::of(resumed.unwrap()).exits(3);
    let shown = format!("{}{}", said.out, said.err);
    assert!(
        shown.contains("removed the temporary folder of 1 agent that a killed run had left"),
        "{shown}"
    );
    assert!(left.iter().all(|pid| !is_alive(pid)));
    assert_eq!(scene.folders(), 0);
    // Without its variable and without its supervisor nothing says any more whose it is.
    send("-KILL", &escaped);
}

#[test]
fn the_next_start_leaves_alone_what_is_not_of_a_killed_driver() {
    let scene = Scene::new();
    let running = scene.running();
    let program = scene.pid("program");
    // Another session in the same temporary folder, and folders that only look alike.
    for name in ["gapless-demo-1", "gapless-empty"] {
        fs::create_dir(scene.0.path("tmp").join(name)).unwrap();
    }
    fs::write(scene.0.path("tmp/gapless-empty/driver.lock"), "").unwrap();
    std::os::unix::fs::symlink(scene.0.path("data"), scene.0.path("tmp/gapless-link")).unwrap();
    fs::create_dir_all(scene.0.path("data")).unwrap();
    fs::write(scene.0.path("data/driver.lock"), "locked by the run\n").unwrap();

    let other = Project::with_ended_demo();
    let mut again = other.command(&["run", "spec.md", "--name", "other", "--agents"]);
    again.args(["replay:recorded", "--answers", "answers.toml"]);
    again.env("TMPDIR", scene.0.path("tmp"));
    crate::support::Said::of(again.output().unwrap()).exits(0);
    assert!(is_alive(&program));
    assert_eq!(scene.folders(), 4);
    assert!(scene.0.path("data/driver.lock").exists());
    running.signal("INT");
    running.wait().exits(130);
}

#[test]
fn a_program_ends_for_its_driver_as_it_ended() {
    for (script, message) in [
        ("kill -9 $$", "was ended by signal 9"),
        ("kill -15 0", "was ended by signal 15"),
        ("exit 7", "exited with code 7"),
        ("exit 127", "exited with code 127"),
    ] {
        let project = Project::with_two_gaps();
        let agent = project.agent(&format!("cat > /dev/null\n{script}"));
        let said = project.gapless(&["agents", "test", &agent]);
        let shown = format!("{}{}", said.out, said.err);
        assert!(shown.contains(message), "{script}: {shown}");
    }
    let project = Project::with_two_gaps();
    project.write("script", "#!/nowhere/at-all\n");
    for (agent, message) in [
        ("cmd:no-such-program-9", "was not found on PATH"),
        (
            "cmd:./nothing-here",
            "was not found: it, or the interpreter",
        ),
        ("cmd:./script", "may not be executed"),
    ] {
        let said = project.gapless(&["agents", "test", agent]);
        let shown = format!("{}{}", said.out, said.err).replace('\n', " ");
        assert!(shown.contains(message), "{agent}: {shown}");
    }
}

#[test]
fn what_a_process_of_the_program_still_copies_is_read() {
    let project = Project::with_two_gaps();
    let agent = project.agent(
        "cat > /dev/null\nmkfifo pipe\n(exec > /dev/null; sleep 0.05; echo late > last) &\n\
         (sleep 0.05; echo GAPLESS-OK) &\n",
    );
    let said = project.gapless(&["agents", "test", &agent]);
    let shown = format!("{}{}", said.out, said.err);
    assert!(shown.contains("GAPLESS-OK"), "{shown}");
}
