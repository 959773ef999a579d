//! The catalogue as documentation: the part of docs/defaults.md that is made of it.

use std::fmt::Write;

use crate::{asks, entries};

/// The catalogue in markdown: a section for each group, then what only the user knows.
pub fn markdown() -> String {
    let mut text = String::new();
    let mut group = "";
    for entry in entries() {
        if entry.group != group {
            group = &entry.group;
            let _ = write!(text, "## {group}\n\n");
        }
        let topics: Vec<&str> = entry.topics.iter().map(|topic| topic.name()).collect();
        let _ = write!(text, "### {}\n\n", entry.title);
        let _ = write!(text, "`{}`", entry.id);
        if !topics.is_empty() {
            let _ = write!(text, ", about {}", code_list(&topics));
        }
        if !entry.rules.is_empty() {
            let rules: Vec<&str> = entry.rules.iter().map(String::as_str).collect();
            let _ = write!(text, ", for findings of {}", code_list(&rules));
        }
        if !entry.must.is_empty() {
            let _ = write!(
                text,
                ", where one of these words stands: {}",
                entry.must.join(", ")
            );
        }
        if !entry.settings.is_empty() {
            let _ = write!(
                text,
                ", in a spec that speaks of one of these: {}",
                entry.settings.join(", ")
            );
        }
        text += ".";
        if let Some(source) = &entry.source {
            let _ = write!(text, " Source: {source}.");
        }
        let _ = write!(
            text,
            "\n\n{}\n\nExamples:\n\n{}\n\n{}\n\n",
            entry.text, entry.examples, entry.trade_offs
        );
    }
    text += "## What only you know\n\n| findings of | what is asked |\n|---|---|\n";
    for ask in asks().iter().filter(|ask| !ask.rules.is_empty()) {
        let rules: Vec<&str> = ask.rules.iter().map(String::as_str).collect();
        let _ = writeln!(text, "| {} | {} |", code_list(&rules), ask.needed);
    }
    text
}

fn code_list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
