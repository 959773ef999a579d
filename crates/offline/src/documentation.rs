//! The catalogue as documentation: the part of docs/defaults.md that is made of it.

use std::fmt::{Display, Write};

use gapless_domain::comma_list;

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
        let _ = write!(text, "### {}\n\n", entry.title);
        let _ = write!(text, "`{}`", entry.id);
        for (what, list) in [
            ("about", code_list(&entry.topics)),
            ("for findings of", code_list(&entry.rules)),
            ("where one of these words stands:", entry.must.join(", ")),
            (
                "in a spec that speaks of one of these:",
                entry.settings.join(", "),
            ),
        ] {
            if !list.is_empty() {
                let _ = write!(text, ", {what} {list}");
            }
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
        let _ = writeln!(text, "| {} | {} |", code_list(&ask.rules), ask.needed);
    }
    text
}

fn code_list(names: &[impl Display]) -> String {
    comma_list(names.iter().map(|name| format!("`{name}`")))
}
