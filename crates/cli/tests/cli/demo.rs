//! The demo, as somebody sees it who has no terminal.

use crate::support::Project;

#[test]
fn the_demo_runs_to_its_end_and_says_what_to_try() {
    let project = Project::new();
    let said = project.gapless(&["demo", "--dir", "demo"]).exits(0);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d+ ms", "[ms]");
    settings.add_filter(r"Time: .* waiting .*", "Time: [time]");
    settings.bind(|| insta::assert_snapshot!(project.filtered(&said.out)));
    assert_eq!(said.err, "");

    let spec = project.read("demo/.gapless/sessions/waybill/spec.md");
    for settled in [
        "The signature is an HMAC-SHA256 with the endpoint's secret",
        "### Form of the signature\n",
        "| `held` | the endpoint is not active",
    ] {
        assert!(spec.contains(settled), "{settled}\n{spec}");
    }
    // What was vague is gone.
    for vague in ["a keyed hash (HMAC)", "with growing delays", "GAP-SIG-001"] {
        assert!(!spec.contains(vague), "{vague}\n{spec}");
    }
    // What the demo proposes to try works.
    let look = "cd demo && gapless status && gapless show 6 final_review && gapless diff";
    project.shell(look).exits(0);
    project
        .shell("cd demo && gapless run spec.md --name mine --agents replay:recorded --answers answers.toml")
        .exits(0);
}

#[test]
fn the_demo_leaves_a_folder_with_something_in_it_alone() {
    let project = Project::new();
    project.write("demo/notes.md", "mine");
    let said = project.gapless(&["demo", "--dir", "demo"]).exits(2);
    assert!(said.err.contains("demo is not empty"), "{}", said.err);
}

#[test]
fn the_demo_as_a_document() {
    let project = Project::new();
    let said = project
        .gapless(&["demo", "--dir", "demo", "--json"])
        .exits(0);
    assert_eq!(said.json()["termination"]["type"], "COMPLETE");
}
