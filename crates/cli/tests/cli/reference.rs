//! What is made from the definitions of the commands: completions, manual pages, and docs/reference.md.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::Project;

/// The commands that `gapless --help` lists.
fn listed(project: &Project) -> Vec<String> {
    let help = project.gapless(&["--help"]).exits(0).out;
    let (_, rest) = help.split_once("\nCommands:\n").unwrap();
    let (commands, _) = rest.split_once("\n\n").unwrap();
    let names = commands.lines().filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn every_shell_completes_every_command() {
    let project = Project::new();
    let commands = listed(&project);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = project.gapless(&["completions", shell]).exits(0).out;
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        assert!(script.contains("gaps-per-round"), "{shell}");
        if matches!(shell, "bash" | "zsh" | "fish") {
            assert!(script.contains("always"), "{shell} knows values too");
        }
        let document = project.json(&["completions", shell]);
        assert_eq!(document["script"], script);
        assert_eq!(document["shell"], shell);
    }
    let said = project.gapless(&["completions", "tcsh"]).exits(2);
    assert!(said.err.contains("possible values"), "{}", said.err);
}

#[test]
fn bash_takes_its_script() {
    let project = Project::new();
    let script = project.gapless(&["completions", "bash"]).exits(0).out;
    let bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn();
    let Ok(mut bash) = bash else {
        eprintln!("there is no bash here");
        return;
    };
    let mut stdin = bash.stdin.take().unwrap();
    stdin.write_all(script.as_bytes()).unwrap();
    drop(stdin);
    assert!(bash.wait().unwrap().success());
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let project = Project::new();
    let main = project.gapless(&["man"]).exits(0).out;
    assert!(main.contains("\n.SH NAME\ngapless \\- Refines"), "{main}");
    for command in listed(&project) {
        assert!(
            main.contains(&format!("gapless\\-{command}(1)")),
            "{command}"
        );
    }
    let said = project.gapless(&["man", "--output", "pages/man1"]).exits(0);
    assert!(
        said.out.ends_with("pages are in pages/man1\n"),
        "{}",
        said.out
    );
    assert_eq!(project.read("pages/man1/gapless.1"), main);
    for command in listed(&project) {
        let page = project.read(&format!("pages/man1/gapless-{command}.1"));
        assert!(page.contains("\n.SH NAME\n"), "{command}");
    }
    assert!(project.path("pages/man1/gapless-archive-prune.1").exists());
    let document = project.json(&["man"]);
    let pages = document["pages"].as_array().unwrap();
    assert_eq!(
        pages.len(),
        fs::read_dir(project.path("pages/man1")).unwrap().count()
    );
    assert_eq!(pages[0]["text"], main);
    project.write("file", "");
    let said = project.gapless(&["man", "--output", "file/below"]).exits(2);
    assert!(said.err.contains("can't be written"), "{}", said.err);
}

#[test]
fn the_reference_is_what_the_program_says() {
    const UPDATE: &str = "UPDATE_DOCS=1 cargo test -p gapless --test cli reference";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");
    let project = Project::new();
    let right = project.gapless(&["man", "--markdown"]).exits(0).out;
    for command in listed(&project) {
        let heading = format!("\n### `gapless {command}`\n");
        assert!(right.contains(&heading), "{command}");
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &right).unwrap();
        return;
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    assert!(text == right, "docs/reference.md is out of date: {UPDATE}");
}
