//! `gapless spec`: the refined spec on stdout, whole or in part.

use crate::support::Project;

const REFINED: &str = ".gapless/sessions/spec/spec.md";

#[test]
fn a_pipe_gets_the_refined_spec_byte_for_byte() {
    let project = Project::new();
    let spec =
        "# A lamp\r\n\r\nIt is \u{1b}[31mred\u{7}.\r\n\r\n- GAP-COL-001: the colour is missing";
    project.write("tiny.md", spec);
    project.write("recorded/round_001/engineer.md", "nothing");
    let words = ["run", "tiny.md", "--agents", "replay:recorded"];
    project.gapless(&words).exits(3);
    // Also while it waits.
    let said = project.gapless(&["spec"]).exits(0);
    assert!(
        said.out
            .starts_with("# A lamp\r\n\r\nIt is \u{1b}[31mred\u{7}.\r\n")
    );
    assert_eq!(said.out, project.read(".gapless/sessions/tiny/spec.md"));
    assert_eq!(said.err, "");
    let document = project.json(&["spec", "tiny"]);
    assert_eq!(document["text"], said.out.as_str());
    assert_eq!(document["delivered"], serde_json::Value::Null);
}

#[test]
fn an_ended_session_has_its_refined_spec_with_a_trace() {
    let project = Project::with_ended_demo();
    let refined = project.read(REFINED);
    assert_eq!(project.gapless(&["spec"]).exits(0).out, refined);
    let document = project.json(&["spec", "spec"]);
    assert_eq!(document["session"], "spec");
    assert_eq!(document["source"], "spec.md");
    let delivered = project.path("spec.refined.md").canonicalize().unwrap();
    assert_eq!(document["delivered"], delivered.to_str().unwrap());
    assert_eq!(document["section"], serde_json::Value::Null);
    let kept: serde_json::Value =
        serde_json::from_str(&project.read(".gapless/sessions/spec/trace.json")).unwrap();
    assert_eq!(
        (&kept["version"], &kept["session"]),
        (&1.into(), &"spec".into())
    );
    assert_eq!(kept["changes"], document["trace"]);
    let lines = refined.lines().count();
    let changes = kept["changes"].as_array().unwrap();
    assert!(!changes.is_empty());
    for change in changes {
        let first = change["lines"][0].as_u64().unwrap();
        let last = change["lines"][1].as_u64().unwrap();
        assert!(
            1 <= first && first <= last && last as usize <= lines,
            "{change}"
        );
        assert!(change["round"].is_u64() && change["decisions"].is_array());
        assert!(change["gap"].as_str().unwrap().starts_with("GAP-"));
    }
    let decided = |change: &&serde_json::Value| change["decisions"][0].is_string();
    assert!(changes.iter().any(|change| decided(&change)));
}

#[test]
fn marks_are_only_there_where_they_are_wanted() {
    let project = Project::with_ended_demo();
    assert!(!project.read("spec.refined.md").contains("<!-- gapless"));
    let marked = project.gapless(&["spec", "--marks"]).exits(0).out;
    assert!(
        marked.contains("<!-- gapless: GAP-RET-001 -->\n"),
        "{marked}"
    );
    let without: Vec<&str> = marked
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("<!-- gapless: GAP-"))
        .collect();
    assert_eq!(without.concat(), project.read(REFINED));
}

#[test]
fn a_section_comes_with_what_is_below_it() {
    let project = Project::with_ended_demo();
    let said = project
        .gapless(&["spec", "--section", "endpoints"])
        .exits(0);
    assert!(said.out.starts_with("## Endpoints\n"), "{}", said.out);
    assert!(said.out.contains("\n### Permitted destinations\n"));
    assert!(!said.out.contains("\n## "));
    assert!(project.read(REFINED).contains(&said.out));
    let words = ["spec", "--section", "Endpoints > Permitted destinations"];
    let document = project.json(&words);
    let title = document["section"]["title"].as_str().unwrap();
    assert!(
        title.ends_with("> Endpoints > Permitted destinations"),
        "{title}"
    );
    let text = document["text"].as_str().unwrap();
    assert!(text.starts_with("### Permitted destinations\n"));

    let unknown = project.gapless(&["spec", "--section", "Endpoint"]).exits(2);
    assert!(
        unknown
            .err
            .contains("the spec has no section called `Endpoint`")
    );
    assert!(
        unknown.err.contains("did you mean `Endpoints`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn a_title_that_two_sections_have_is_asked_for_with_the_section_around_it() {
    let project = Project::new();
    let spec = "# A pump\n\n## Inlet\n\n### Limits\n\n4 bar\n\n## Outlet\n\n### Limits\n\n9 bar\n\n- GAP-PMP-001: the flow is missing\n";
    project.write("tiny.md", spec);
    project.write("recorded/round_001/engineer.md", "nothing");
    let words = ["run", "tiny.md", "--agents", "replay:recorded"];
    project.gapless(&words).exits(3);
    let several = project.gapless(&["spec", "--section", "Limits"]).exits(2);
    for told in [
        "2 sections called `Limits`",
        "`A pump > Outlet >",
        "(line 11)",
    ] {
        assert!(several.err.contains(told), "{told}: {}", several.err);
    }
    let one = ["spec", "--section", "Outlet > Limits"];
    assert!(project.gapless(&one).exits(0).out.contains("9 bar"));
}

#[test]
fn without_a_session_the_next_step_is_named() {
    let project = Project::new();
    let said = project.gapless(&["spec"]).exits(2);
    assert!(said.err.contains("gapless run SPEC"), "{}", said.err);
    let project = Project::with_ended_demo();
    let said = project.gapless(&["spec", "spce"]).exits(2);
    assert!(said.err.contains("did you mean `spec`?"), "{}", said.err);
}

#[test]
fn an_abandoned_session_says_that_its_spec_is_unfinished() {
    let project = Project::with_demo();
    project
        .gapless(&["run", "spec.md", "--agents", "replay:recorded"])
        .exits(3);
    project.gapless(&["stop", "--abandon"]).exits(0);
    let folder = project.path(".gapless/sessions/spec");
    assert!(!folder.join("spec.md").exists());
    assert!(!folder.join("trace.json").exists());
    assert!(!project.path("spec.refined.md").exists());
    let said = project.gapless(&["spec"]).exits(0);
    assert!(
        said.err.contains("The session was abandoned"),
        "{}",
        said.err
    );
    let said = project.gapless(&["apply", "--yes"]).exits(1);
    assert!(said.err.contains("has no refined spec"), "{}", said.err);
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use crate::support::Project;

    #[test]
    fn what_steers_a_terminal_is_left_out() {
        let project = Project::new();
        project.write(
            "tiny.md",
            "# A lamp\n\nIt is \u{1b}]0;owned\u{7}red.\n\n- GAP-COL-001: the colour is missing\n",
        );
        project.write("recorded/round_001/engineer.md", "nothing");
        let words = ["run", "tiny.md", "--agents", "replay:recorded"];
        project.gapless(&words).exits(3);
        let Some(said) = project.at_terminal("gapless spec", "") else {
            return;
        };
        assert_eq!(said.code, Some(0));
        assert!(said.out.contains("It is red."), "{:?}", said.out);
        assert!(!said.out.contains("owned"), "{:?}", said.out);
    }

    #[test]
    fn what_is_longer_than_the_screen_goes_through_the_users_pager() {
        let project = Project::with_ended_demo();
        let pager = "sh -c 'wc -l > seen; cat > rest'";
        let paged = |line: &str, code: i32| {
            let said = project.at_terminal(line, "")?;
            assert_eq!(said.code, Some(code), "{}", said.out);
            let seen = project.path("seen");
            let was_paged = seen.exists();
            let _ = std::fs::remove_file(seen);
            Some((was_paged, said.out))
        };
        let named = |variable: &str, line: &str| format!("{variable}=\"{pager}\" {line}");
        let Some((is_paged, out)) = paged(&named("GAPLESS_PAGER", "gapless spec"), 0) else {
            return;
        };
        assert!(is_paged && !out.contains("Waybill"), "{out}");
        for (line, expected) in [
            (named("PAGER", "gapless diff"), true),
            (named("PAGER", "gapless diff --no-pager"), false),
            (named("PAGER", "gapless spec --json"), false),
            (named("PAGER", "GAPLESS_PAGER= gapless diff"), false),
            (named("PAGER", "gapless spec --section Terms"), false),
            (named("PAGER", "gapless diff | tail -1"), false),
        ] {
            assert_eq!(paged(&line, 0).unwrap().0, expected, "{line}");
        }
        // One that is left at once, and one that is not there.
        let (_, out) = paged("PAGER=true gapless spec", 0).unwrap();
        assert!(!out.contains("error"), "{out}");
        let (_, out) = paged("PAGER=no-such-pager gapless spec", 0).unwrap();
        assert!(
            out.contains("the pager `no-such-pager` can't be started"),
            "{out}"
        );
        assert!(out.contains("Waybill"), "{out}");
    }
}
