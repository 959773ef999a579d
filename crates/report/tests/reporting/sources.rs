//! Proves from the sources that this crate is pure, and that nothing but the style and the chart goes into a page unescaped.

use std::path::{Path, PathBuf};

const FORBIDDEN: [&str; 13] = [
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::env",
    "SystemTime",
    "Instant",
    "HashMap",
    "HashSet",
    "async fn",
    "println!",
    "static mut",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn lines() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    sources(&folder, &mut files);
    assert!(files.len() > 10, "the sources were not found");
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        lines.extend(code.map(|line| (file.clone(), line.to_owned())));
    }
    lines
}

#[test]
fn no_source_of_the_report_reaches_outside() {
    for (file, line) in lines() {
        for word in FORBIDDEN {
            assert!(!line.contains(word), "{}: {word}", file.display());
        }
    }
}

#[test]
fn only_the_style_and_the_chart_are_put_in_as_they_are() {
    let lines = lines();
    let raw = lines
        .iter()
        .filter(|(_, line)| line.contains("PreEscaped("));
    let raw: Vec<&str> = raw.map(|(_, line)| line.trim()).collect();
    assert_eq!(raw.len(), 3, "{raw:#?}");
    for put_in in [
        "(PreEscaped(STYLE))",
        "(PreEscaped(wide))",
        "(PreEscaped(narrow))",
    ] {
        assert!(raw.iter().any(|line| line.contains(put_in)), "{put_in}");
    }
}
