//! Proves that the offline agent is pure: its sources name nothing that asks the outside world.
#![allow(clippy::unwrap_used)]

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

#[test]
fn no_source_of_the_offline_agent_reaches_outside() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    );
    assert!(files.len() > 8, "the sources were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            for word in FORBIDDEN {
                assert!(
                    !code.contains(word),
                    "{}:{}: {word}",
                    file.display(),
                    number + 1
                );
            }
        }
    }
}
