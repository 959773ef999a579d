//! Proves that the core, and the crates that are pure like it, name nothing in their sources that asks the outside world, and
//! that the core's dependencies are the ones that were looked at for that. `clippy.toml` of the core holds the same line for
//! paths that are imported.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

const FORBIDDEN: [&str; 19] = [
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::env",
    "SystemTime",
    "Instant",
    "Timestamp::now",
    "HashMap",
    "HashSet",
    "RandomState",
    "async fn",
    "async move",
    ".await",
    "tokio",
    "println!",
    "static mut",
    "thread_local!",
];

/// Pure in what the core uses of them: no clock, no randomness, no I/O.
/// `tiktoken-rs` is a vocabulary that is compiled in, and the arithmetic on it; `frostem` is a table of suffixes; `memchr` searches
/// bytes; `similar` is the diff, with no deadline given to it.
const DEPENDENCIES: [&str; 12] = [
    "blake3",
    "frostem",
    "imbl",
    "jiff",
    "memchr",
    "minijinja",
    "pulldown-cmark",
    "serde",
    "serde_json",
    "similar",
    "thiserror",
    "tiktoken-rs",
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

/// The pure crates, and how many sources they have at least.
const PURE: [(&str, usize); 4] = [("core", 100), ("scan", 20), ("offline", 8), ("report", 10)];

#[test]
fn no_source_of_a_pure_crate_reaches_outside() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for (name, at_least) in PURE {
        let before = files.len();
        sources(&crates.join(name).join("src"), &mut files);
        assert!(
            files.len() - before > at_least,
            "the sources of {name} were not found"
        );
    }
    let mut offences = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            for word in FORBIDDEN {
                if code.contains(word) {
                    offences.push(format!("{}:{}: {word}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn the_core_depends_on_nothing_that_was_not_looked_at() {
    let manifest =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let section = manifest.split("[dependencies]").nth(1).unwrap();
    let section = section.split("\n[").next().unwrap();
    let found: Vec<&str> = section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(found, DEPENDENCIES);
}
