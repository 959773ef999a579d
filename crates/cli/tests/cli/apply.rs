//! `gapless apply`: the refined spec over the spec.

use std::fs;

use crate::support::Project;

const REFINED: &str = ".gapless/sessions/spec/spec.md";

#[test]
fn the_refined_spec_is_written_over_the_spec_and_the_old_one_kept() {
    let project = Project::with_ended_demo();
    let source = project.read("spec.md");
    project.write("spec.md.bak", "an older one");
    let said = project.gapless(&["apply", "--yes"]).exits(0);
    assert!(
        said.out.starts_with("--- spec.md\n+++ refined\n@@ "),
        "{}",
        said.out
    );
    assert!(
        said.out
            .ends_with("Written to:   spec.md\nKept before:  spec.md.bak.1\n"),
        "{}",
        said.out
    );
    assert_eq!(project.read("spec.md"), project.read(REFINED));
    assert_eq!(project.read("spec.md.bak.1"), source);
    assert_eq!(project.read("spec.md.bak"), "an older one");
    // Once it is there, nothing is left to do.
    let said = project.gapless(&["apply"]).exits(0);
    assert_eq!(said.out, "spec.md is the refined spec already.\n");
    let document = project.json(&["apply"]);
    assert_eq!(
        (
            &document["is_refined"],
            &document["written"],
            &document["diff"]
        ),
        (&true.into(), &false.into(), &"".into())
    );
    assert!(!project.path("spec.md.bak.2").exists());
}

#[test]
fn a_document_says_what_was_written_where() {
    let project = Project::with_ended_demo();
    let dry = project.json(&["apply", "spec", "--dry-run"]);
    assert_eq!(
        (&dry["is_refined"], &dry["written"]),
        (&false.into(), &false.into())
    );
    assert_eq!(
        project.read("spec.md"),
        project.read(".gapless/sessions/spec/source.md")
    );
    let document = project.json(&["apply", "--yes"]);
    let path = |name: &str| {
        let file = project.path("").canonicalize().unwrap().join(name);
        file.to_string_lossy().into_owned()
    };
    assert_eq!(document["session"], "spec");
    assert_eq!(document["path"], path("spec.md"));
    assert_eq!(document["backup"], path("spec.md.bak"));
    assert_eq!(
        (&document["is_refined"], &document["written"]),
        (&true.into(), &true.into())
    );
    assert_eq!(document["diff"], dry["diff"]);
    let lines: Vec<&str> = document["diff"].as_str().unwrap().lines().skip(2).collect();
    let count = |mark| lines.iter().filter(|line| line.starts_with(mark)).count();
    assert_eq!(document["added"], count('+'));
    assert_eq!(document["removed"], count('-'));
}

#[test]
fn without_a_terminal_nothing_is_written_unless_it_is_allowed() {
    let project = Project::with_ended_demo();
    for words in [&["apply"][..], &["apply", "--json"]] {
        let said = project.gapless(words).exits(2);
        assert!(
            said.err.contains("without a terminal nobody can be asked"),
            "{}",
            said.err
        );
        assert!(
            said.err.contains("gapless apply spec --yes"),
            "{}",
            said.err
        );
    }
    project.gapless(&["apply", "--yes", "--dry-run"]).exits(2);
    assert!(!project.path("spec.md.bak").exists());
}

#[test]
fn a_spec_that_changed_since_is_left_alone() {
    let project = Project::with_ended_demo();
    let edited = project.read("spec.md").replacen("Fernhill", "Ferndale", 1);
    project.write("spec.md", &edited);
    let said = project.gapless(&["apply", "--yes"]).exits(1);
    for expected in [
        "spec.md has changed since the session started",
        "gapless diff --session spec",
        "gapless spec spec > FILE",
    ] {
        assert!(said.err.contains(expected), "{expected} in {}", said.err);
    }
    // What it would change can be looked at all the same.
    let said = project.gapless(&["apply", "--dry-run", "--words"]).exits(0);
    assert!(
        said.err.contains("it would not be written over"),
        "{}",
        said.err
    );
    assert!(
        said.out.contains("[-Ferndale-]{+Fernhill+}"),
        "{}",
        said.out
    );
    assert_eq!(project.read("spec.md"), edited);
    assert!(!project.path("spec.md.bak").exists());
    fs::remove_file(project.path("spec.md")).unwrap();
    let said = project.gapless(&["apply", "--yes"]).exits(2);
    assert!(said.err.contains("any more"), "{}", said.err);
    assert!(!project.path("spec.md").exists());
}

#[test]
fn a_session_that_goes_on_is_applied_only_if_that_is_said() {
    let project = Project::with_demo();
    fs::remove_dir_all(project.path("recorded/round_003")).unwrap();
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    let answers = ["--answers", "answers.toml"];
    project.gapless(&[&words[..], &answers].concat()).exits(3);
    let said = project.gapless(&["apply", "--yes"]).exits(1);
    assert!(said.err.contains("spec has not ended: "), "{}", said.err);
    assert!(said.err.contains("left open"), "{}", said.err);
    assert!(
        said.err.contains("gapless apply spec --now"),
        "{}",
        said.err
    );
    assert!(!project.path("spec.md.bak").exists());
    project.gapless(&["apply", "--now", "--yes"]).exits(0);
    assert_eq!(project.read("spec.md"), project.read(REFINED));
    assert_eq!(
        project.read("spec.md.bak"),
        project.read(".gapless/sessions/spec/source.md")
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::with_demo();
    fs::create_dir(project.path("docs")).unwrap();
    fs::rename(project.path("spec.md"), project.path("docs/real.md")).unwrap();
    symlink("docs/real.md", project.path("spec.md")).unwrap();
    project.write("gapless.toml", "");
    let private = fs::Permissions::from_mode(0o640);
    fs::set_permissions(project.path("docs/real.md"), private).unwrap();
    let words = ["run", "spec.md", "--agents", "replay:recorded"];
    let answers = ["--answers", "answers.toml"];
    project.gapless(&[&words[..], &answers].concat()).exits(0);
    assert!(project.path("docs/real.refined.md").is_file());
    project.gapless(&["apply", "--yes"]).exits(0);
    assert!(project.path("spec.md").is_symlink());
    assert_eq!(project.read("docs/real.md"), project.read(REFINED));
    let mode = fs::metadata(project.path("docs/real.md"))
        .unwrap()
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn what_can_not_be_written_leaves_the_spec_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with_ended_demo();
    let source = project.read("spec.md");
    let of_folder = |mode| fs::set_permissions(project.path(""), fs::Permissions::from_mode(mode));
    of_folder(0o500).unwrap();
    // Who may write everywhere can write here too.
    let is_root = fs::write(project.path("probe"), "").is_ok();
    let said = project.gapless(&["apply", "--yes"]);
    of_folder(0o700).unwrap();
    if !is_root {
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains("no permission"), "{}", said.err);
        assert_eq!(project.read("spec.md"), source);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_is_asked() {
    let project = Project::with_ended_demo();
    let source = project.read("spec.md");
    for typed in ["\n", "n\n", "perhaps\n"] {
        let Some(said) = project.at_terminal("gapless apply --no-pager", typed) else {
            return;
        };
        assert_eq!(said.code, Some(1), "{}", said.out);
        assert!(
            said.out.contains("Write this over spec.md?"),
            "{}",
            said.out
        );
        assert!(said.out.contains("Nothing was written"), "{}", said.out);
        assert_eq!(project.read("spec.md"), source);
    }
    let said = project
        .at_terminal("gapless apply --no-pager", "y\n")
        .unwrap();
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert_eq!(project.read("spec.md"), project.read(REFINED));
    assert_eq!(project.read("spec.md.bak"), source);
}
