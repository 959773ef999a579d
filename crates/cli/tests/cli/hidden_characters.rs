//! Characters that steer a terminal, reorder words or hide: seen as signs in what people read.

use crate::support::{Project, Said};

const HIDDEN: [char; 9] = [
    '\u{61c}',
    '\u{200b}',
    '\u{200c}',
    '\u{200d}',
    '\u{202e}',
    '\u{2060}',
    '\u{feff}',
    '\u{e0041}',
    '\u{9b}',
];

/// A session whose gap has every one of them in its words.
fn waiting() -> (Project, Said) {
    let project = Project::new();
    let words: String = HIDDEN.iter().map(|hidden| format!("x{hidden}")).collect();
    let spec = format!(
        "# A lamp\n\nIt has a colour.\n\n## Known gaps\n\n- GAP-COL-001 [HIGH]: the colour {words}y is missing\n"
    );
    project.write("tiny.md", &spec);
    let said = project.gapless(&["run", "tiny.md", "--agents", "offline"]);
    (project, said.exits(3))
}

#[test]
fn lists_and_questions_show_a_sign_for_each() {
    let (project, run) = waiting();
    let said = [&["gaps"][..], &["questions"], &["status"], &["log"]]
        .map(|words| project.gapless(words).exits(0));
    for said in said.iter().chain([&run]) {
        let all = format!("{}{}", said.out, said.err);
        let found = all.chars().find(|c| HIDDEN.contains(c));
        assert_eq!(found, None, "{all}");
    }
    // The control character is taken out, the others are seen.
    assert!(
        said[0].out.contains("x\u{fffd}x\u{fffd}x\u{fffd}"),
        "{}",
        said[0].out
    );
}

#[test]
fn json_has_them_escaped_and_keeps_its_value() {
    let (project, _) = waiting();
    for words in [&["gaps", "--json"][..], &["log", "--json"]] {
        let said = project.gapless(words).exits(0);
        let found = said.out.chars().find(|c| HIDDEN.contains(c));
        assert_eq!(found, None, "{}", said.out);
        assert!(said.out.contains(r"x\u061cx\u200bx\u200c"), "{}", said.out);
        assert!(said.out.contains(r"x\udb40\udc41x\u009b"), "{}", said.out);
    }
    let gaps = project.json(&["gaps"]);
    let description = gaps["items"][0]["description"].as_str().unwrap();
    assert!(HIDDEN.iter().all(|hidden| description.contains(*hidden)));
}
