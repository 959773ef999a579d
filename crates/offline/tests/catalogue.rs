//! Proves the catalogue: that its files are read, that it covers what a default can answer, and that every entry is concrete.

mod support;

use std::collections::BTreeSet;

use gapless_domain::assignment::AssignedGap;
use gapless_domain::config::Strictness;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_offline::{Answer, Entry, answer, asks, check, engineer, entries, markdown};
use gapless_reading::definitions::clashes;
use gapless_reading::read::{Excerpt, ReadDocument};
use gapless_scan::rules::ALL;
use gapless_scan::{Rules, Topic, scan};

#[test]
fn the_files_are_read_and_the_ids_are_unique() {
    assert_eq!(check(), []);
    assert!(entries().len() >= 40, "{}", entries().len());
    let ids: BTreeSet<&str> = entries().iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), entries().len());
    let titles: BTreeSet<&str> = entries().iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles.len(), entries().len());
}

#[test]
fn every_topic_that_a_default_can_answer_has_one_that_needs_no_further_word() {
    let only_users = [Topic::Definition, Topic::Reference, Topic::Other];
    for topic in Topic::ALL
        .iter()
        .filter(|topic| !only_users.contains(topic))
    {
        let of_topic = entries()
            .iter()
            .filter(|entry| entry.topics.contains(topic));
        assert!(
            of_topic
                .clone()
                .any(|entry| entry.must.is_empty() && entry.settings.is_empty()),
            "{topic}"
        );
    }
}

#[test]
fn every_rule_is_answered_by_its_topic_by_an_entry_or_by_the_user() {
    let by_topic = [
        "placeholder",
        "empty-section",
        "thin-section",
        "vague-quantity",
        "vague-qualifier",
        "unmeasurable",
    ];
    for rule in ALL {
        let listed = entries()
            .iter()
            .any(|entry| entry.rules.iter().any(|id| id == rule.id));
        let asked = asks()
            .iter()
            .any(|ask| ask.rules.iter().any(|id| id == rule.id));
        let ways = [by_topic.contains(&rule.id), listed, asked];
        assert_eq!(ways.iter().filter(|way| **way).count(), 1, "{}", rule.id);
    }
    let known = |id: &String| ALL.iter().any(|rule| rule.id == id);
    assert!(entries().iter().all(|entry| entry.rules.iter().all(known)));
    assert!(asks().iter().all(|ask| ask.rules.iter().all(known)));
}

#[test]
fn the_scan_finds_nothing_in_an_entry_and_it_has_two_examples() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let part = format!(
            "# Spec\n\n## Part\n\n### {}\n\n{}\n\n#### Examples\n\n{}\n",
            entry.title, entry.text, entry.examples
        );
        for finding in scan(&part, &Rules::default()) {
            wrong.push(format!(
                "{}: {} {}: {}",
                entry.id, finding.rule, finding.excerpt, finding.message
            ));
        }
        let document = Document::parse(&entry.examples);
        let examples = document.items.iter().filter(|item| item.depth == 0).count();
        if examples != 2 {
            wrong.push(format!("{} has {examples} examples", entry.id));
        }
        // A value or a name that a test can check.
        if !entry
            .text
            .contains(|c: char| c.is_ascii_digit() || c == '`')
        {
            wrong.push(format!("{} has nothing that a test can check", entry.id));
        }
        let words = entry.text.to_lowercase();
        let mut words = words.split(|c: char| !c.is_alphanumeric());
        if words.any(|word| ["gap", "proposal", "review"].contains(&word)) {
            wrong.push(format!("{} speaks of the session", entry.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_two_entries_give_a_key_two_values() {
    let texts = entries()
        .iter()
        .map(|entry| ReadDocument::plain(&entry.text));
    let texts: Vec<ReadDocument> = texts.collect();
    let whole: Vec<Excerpt> = texts.iter().map(Excerpt::whole).collect();
    assert_eq!(clashes(&whole), []);
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

/// A gap that asks for an entry: found by its rule, else by a placeholder in its topic, with the words that it needs.
fn asking_for(entry: &Entry) -> AssignedGap {
    let words = [&entry.must, &entry.should, &entry.settings];
    let words: Vec<&str> = words
        .iter()
        .filter_map(|list| list.first().map(String::as_str))
        .collect();
    let rule = entry.rules.first().map_or("placeholder", String::as_str);
    let topics: Vec<&str> = entry
        .topics
        .iter()
        .take(1)
        .map(|topic| topic.name())
        .collect();
    let description = format!("\"{}\" stands where a decision should", words.join(" "));
    support::found("GAP-AA-001", rule, &topics, &description)
}

#[test]
fn every_entry_is_found_by_what_it_answers_and_is_valid_to_the_letter() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let gap = asking_for(entry);
        match answer(&gap, support::SPEC) {
            Answer::Default(found) if found.id == entry.id => {}
            other => wrong.push(format!("{} is not found: {other:?}", entry.id)),
        }
        let assignment = support::assignment(Role::Engineer, vec![gap]);
        let document = engineer(&assignment);
        for mode in [Strictness::Strict, Strictness::Tolerant] {
            let checked = support::checked(&assignment, &document, mode);
            if !checked.result.success || !checked.result.warnings.is_empty() {
                wrong.push(format!("{}: {:?}", entry.id, checked.result));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
