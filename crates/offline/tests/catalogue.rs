//! Proves the catalogue: that its files are read, that every rule is answered or asked about, and that every entry is found by a
//! sentence of its kind and changes it as it should.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use gapless_domain::config::Strictness;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_offline::{
    Answer, Spec, Suggests, Used, answer, asks, check, engineer, entries, markdown,
};
use gapless_scan::rules::ALL;
use gapless_scan::{Rules, scan};

#[test]
fn the_files_are_read_and_the_ids_are_unique() {
    assert_eq!(check(), []);
    let ids: BTreeSet<&str> = entries().iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), entries().len());
    let asked: BTreeSet<&str> = asks().iter().map(|ask| ask.id.as_str()).collect();
    assert_eq!(asked.len(), asks().len());
    assert!(entries().iter().all(|entry| !entry.group.is_empty()));
}

#[test]
fn every_rule_is_asked_about_and_no_entry_names_another() {
    // A rule without a question of its own asks for what it suggests.
    for rule in ALL {
        let own = asks()
            .iter()
            .any(|ask| ask.topics.is_empty() && ask.rules.iter().any(|id| id == rule.id));
        assert!(own || !rule.suggestion.is_empty(), "{}", rule.id);
    }
    let known = |id: &String| ALL.iter().any(|rule| rule.id == id);
    assert!(entries().iter().all(|entry| entry.rules.iter().all(known)));
    assert!(asks().iter().all(|ask| ask.rules.iter().all(known)));
    // What the author left open is nobody's to guess.
    let open = [
        "placeholder",
        "empty-section",
        "thin-section",
        "personal-data-unprotected",
    ];
    let mut rules = entries().iter().flat_map(|entry| &entry.rules);
    assert!(!rules.any(|rule| open.contains(&rule.as_str())));
}

#[test]
fn an_entry_says_what_kind_of_thing_it_is_for_in_a_sentence_or_two() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let has_kind = !entry.kinds.is_empty() || matches!(entry.suggests, Suggests::Fill(_));
        if !has_kind || entry.rules.is_empty() || entry.topics.is_empty() {
            wrong.push(format!("{} is for anything", entry.id));
        }
        if let Suggests::Add(text) = &entry.suggests {
            let sentences = text.matches(['.', '!', '?']).count();
            if text.contains('\n') || sentences > 3 || text.len() > 260 {
                wrong.push(format!("{} is more than two sentences", entry.id));
            }
        }
        for text in [&entry.why, &entry.examples, &entry.trade_offs] {
            let words = text.to_lowercase();
            let mut words = words.split(|c: char| !c.is_alphanumeric());
            if words.any(|word| ["gap", "proposal", "review"].contains(&word)) {
                wrong.push(format!("{} speaks of the session", entry.id));
            }
        }
        let examples = Document::parse(&entry.examples);
        if !examples.items.iter().any(|item| item.depth == 0) {
            wrong.push(format!("{} has no example", entry.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A passage that asks for each entry.
const PASSAGES: &[(&str, &str, &str)] = &[
    (
        "call-timeout",
        "vague-quantity",
        "A request to the API has an appropriate timeout.",
    ),
    (
        "page-load",
        "vague-quantity",
        "The dashboard must load quickly.",
    ),
    (
        "answer-time",
        "vague-quantity",
        "The API shall respond promptly.",
    ),
    (
        "interval",
        "vague-quantity",
        "The client polls the server regularly.",
    ),
    (
        "retry-limit",
        "retry-without-limit",
        "A failed delivery is retried.",
    ),
    (
        "operational-records",
        "vague-quantity",
        "Log files are kept for some time.",
    ),
    (
        "cache-lifetime",
        "cache-lifetime",
        "The service caches the answers of the upstream in memory.",
    ),
    (
        "list-page",
        "unbounded-result",
        "`GET /orders` returns all orders.",
    ),
    (
        "page-size",
        "vague-quantity",
        "The list has pages of a reasonable size.",
    ),
    (
        "upload-size",
        "vague-quantity",
        "An upload has a reasonable size limit.",
    ),
    (
        "request-size",
        "vague-quantity",
        "The server enforces a sensible size limit on the payload.",
    ),
    (
        "field-type",
        "field-type",
        "| field | type |\n|---|---|\n| `id` | uuid |\n| `sent_at` | |",
    ),
    (
        "field-bound",
        "field-bound",
        "| field | type |\n|---|---|\n| `title` | text |",
    ),
    (
        "password-hash",
        "credentials-unprotected",
        "The service stores the name and the password of each account.",
    ),
    (
        "failed-read",
        "failure-path",
        "The service fetches the timetable from the carrier.",
    ),
    (
        "failed-publish",
        "failure-path",
        "The service publishes an event for each parcel.",
    ),
    (
        "failed-file-write",
        "failure-path",
        "The tool writes the report to disk.",
    ),
    (
        "uptime",
        "unmeasurable",
        "The API must be highly available.",
    ),
];

#[test]
fn every_entry_is_found_by_a_sentence_of_its_kind_and_is_valid_to_the_letter() {
    let mut wrong = Vec::new();
    let covered: BTreeSet<&str> = PASSAGES.iter().map(|(id, _, _)| *id).collect();
    let all: BTreeSet<&str> = entries().iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(covered, all);
    for (id, rule, passage) in PASSAGES {
        let spec = format!("# Spec\n\n## Request body\n\n{passage}\n");
        let gap = support::scanned("GAP-AA-001", &spec, rule);
        match answer(&gap, &Spec::of(&spec), &Used::default()) {
            Answer::Default(found) if found.entry.id == *id => {}
            other => wrong.push(format!("{id} is not found: {other:?}")),
        }
        let mut assignment = support::assignment(Role::Engineer, vec![gap]);
        assignment.spec = spec;
        let document = engineer(&assignment);
        for mode in [Strictness::Strict, Strictness::Tolerant] {
            let checked = support::checked(&assignment, &document, mode);
            if !checked.result.success || !checked.result.warnings.is_empty() {
                wrong.push(format!("{id}: {:?}", checked.result));
            }
        }
        if document.starts_with("BLOCKED") {
            continue;
        }
        let after = support::with_changes(&assignment, &document, "GAP-AA-001");
        for finding in scan(&after, &Rules::default()) {
            if finding.rule == *rule {
                wrong.push(format!("{id} leaves {}: {}", finding.rule, finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const BEGIN: &str = "<!-- defaults: made from the catalogue; UPDATE_DOCS=1 cargo test -p gapless-offline --test catalogue -->\n";
const END: &str = "<!-- end of defaults -->\n";

#[test]
fn the_documentation_has_the_catalogue_as_it_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/defaults.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let right = format!("{before}{BEGIN}\n{}\n{END}{after}", markdown());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &right).unwrap();
    } else {
        assert!(
            text == right,
            "docs/defaults.md is not what the catalogue says: UPDATE_DOCS=1 cargo test -p gapless-offline --test catalogue"
        );
    }
}
