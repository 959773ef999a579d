//! Proves that the pure crates name nothing in their sources that asks the outside world, and that the dependencies of those
//! that decide are the ones that were looked at for that. Their `clippy.toml` holds the same line for paths that are
//! imported.

use crate::workspace::{crates_folder, dependencies, sources};

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

/// Pure in what these crates use of them: no clock, no randomness, no I/O.
/// `tiktoken-rs` is a vocabulary that is compiled in, and the arithmetic on it; `frostem` is a table of suffixes; `memchr` searches
/// bytes; `similar` is the diff, with no deadline given to it.
const DEPENDENCIES: [&str; 13] = [
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
    "strum",
    "thiserror",
    "tiktoken-rs",
];

/// The pure crates, and how many sources they have at least.
const PURE: [(&str, usize); 12] = [
    ("markdown", 6),
    ("domain", 30),
    ("reading", 45),
    ("detection", 30),
    ("session", 15),
    ("spec", 15),
    ("tokens", 0),
    ("mediator", 45),
    ("views", 10),
    ("scan", 20),
    ("offline", 8),
    ("report", 10),
];

#[test]
fn no_source_of_a_pure_crate_reaches_outside() {
    let mut files = Vec::new();
    for (name, at_least) in PURE {
        let found = sources(&crates_folder().join(name).join("src"));
        assert!(
            found.len() > at_least,
            "the sources of {name} were not found"
        );
        files.extend(found);
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

/// The crates that decide: their dependencies were looked at one by one.
const DECIDING: [&str; 9] = [
    "markdown",
    "domain",
    "reading",
    "detection",
    "session",
    "spec",
    "tokens",
    "mediator",
    "views",
];

#[test]
fn the_deciding_crates_depend_on_nothing_that_was_not_looked_at() {
    for name in DECIDING {
        for dependency in dependencies(name) {
            let is_own = dependency.starts_with("gapless-");
            assert!(
                is_own || DEPENDENCIES.contains(&dependency.as_str()),
                "{name} depends on {dependency}"
            );
        }
    }
}
