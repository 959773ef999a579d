//! Proves that every crate depends on the ones that ARCHITECTURE.md draws below it, and on no others.

use crate::workspace::{crate_names, dependencies};

/// Each crate with the crates of the workspace that it may use, lowest first.
const LAYERS: [(&str, &[&str]); 19] = [
    ("markdown", &[]),
    ("domain", &[]),
    ("tokens", &[]),
    ("reading", &["domain", "markdown"]),
    ("detection", &["domain", "markdown", "reading"]),
    ("session", &["detection", "domain", "reading"]),
    ("spec", &["domain", "markdown", "reading", "session"]),
    ("scan", &["domain", "markdown", "reading"]),
    (
        "mediator",
        &[
            "detection",
            "domain",
            "markdown",
            "reading",
            "scan",
            "session",
            "spec",
            "tokens",
        ],
    ),
    (
        "views",
        &[
            "detection",
            "domain",
            "markdown",
            "reading",
            "session",
            "spec",
        ],
    ),
    ("offline", &["domain", "markdown", "reading", "scan"]),
    (
        "report",
        &["domain", "markdown", "session", "spec", "views"],
    ),
    ("store", &["domain"]),
    ("agents", &["domain", "offline", "tokens"]),
    (
        "runner",
        &[
            "agents", "domain", "mediator", "session", "spec", "store", "views",
        ],
    ),
    (
        "cli",
        &[
            "agents",
            "detection",
            "domain",
            "markdown",
            "mediator",
            "reading",
            "report",
            "runner",
            "scan",
            "session",
            "spec",
            "store",
            "views",
        ],
    ),
    (
        "sim",
        &[
            "domain", "mediator", "runner", "session", "spec", "store", "views",
        ],
    ),
    (
        "fuzz",
        &[
            "cli",
            "detection",
            "domain",
            "markdown",
            "mediator",
            "reading",
            "runner",
            "session",
            "spec",
            "store",
            "tokens",
            "views",
        ],
    ),
    ("loopback", &[]),
];

fn used_by(name: &str) -> Vec<String> {
    let own = dependencies(name).into_iter();
    let own = own.filter_map(|dependency| match dependency.as_str() {
        "gapless" => Some("cli".to_owned()),
        other => other.strip_prefix("gapless-").map(str::to_owned),
    });
    let mut own: Vec<String> = own.collect();
    own.sort();
    own
}

#[test]
fn every_crate_uses_the_layers_below_it() {
    let listed: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    for name in crate_names() {
        let place = listed.iter().position(|listed| *listed == name);
        let place = place.unwrap_or_else(|| panic!("{name} is in no layer"));
        let (_, allowed) = LAYERS[place];
        assert_eq!(used_by(&name), allowed, "what {name} depends on");
        for below in allowed {
            assert!(listed[..place].contains(below), "{name} is above {below}");
        }
    }
}
