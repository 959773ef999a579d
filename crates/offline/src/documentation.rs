//! The catalogue as documentation: the part of docs/defaults.md that is made of it.

use std::fmt::{Display, Write};

use gapless_domain::{comma_list, one_line};

use crate::{Ask, Entry, Suggests, asks, entries};

/// The catalogue in markdown: a section for each group, then what only the user knows.
pub fn markdown() -> String {
    let mut text = String::new();
    let mut group = "";
    for entry in entries() {
        if entry.group != group {
            group = &entry.group;
            let _ = write!(text, "## {group}\n\n");
        }
        text += &described(entry);
    }
    text += "## What only you know\n\nA question is the finding's own, with its sentence, and says how to answer it.\n\n\
             | findings of | how to answer |\n|---|---|\n";
    for ask in asks().iter().filter(|ask| !ask.rules.is_empty()) {
        let answer = ask.answer.replace('|', "\\|");
        let _ = writeln!(text, "| {} | {answer} |", found_by(ask));
    }
    text
}

fn described(entry: &Entry) -> String {
    let mut text = format!("### `{}`\n\n", entry.id);
    let _ = write!(
        text,
        "For findings of {} about {}.",
        code_list(&entry.rules),
        code_list(&entry.topics)
    );
    for (what, words) in [
        ("Holds in a sentence with", &entry.kinds),
        ("Never beside", &entry.not),
        ("Never in a paragraph with", &entry.not_around),
    ] {
        if !words.is_empty() {
            let words = words.iter().map(|word| one_line(word));
            let _ = write!(text, " {what}: {}.", comma_list(words));
        }
    }
    if let Some(source) = &entry.source {
        let _ = write!(text, " Source: {source}.");
    }
    text += "\n\n";
    match &entry.suggests {
        Suggests::Replace(forms) => {
            for form in forms {
                let _ = writeln!(text, "- `{}`", form.written());
            }
        }
        Suggests::Fill(fills) => {
            for fill in fills {
                let _ = writeln!(text, "- `{}`", fill.written().replace('`', "'"));
            }
        }
        Suggests::Add(sentences) => {
            let _ = writeln!(text, "> {sentences}");
        }
    }
    let _ = write!(text, "\n{} {}\n\n", entry.why, one_line(&entry.trade_offs));
    text
}

fn found_by(ask: &Ask) -> String {
    let rules = code_list(&ask.rules);
    match ask.topics.is_empty() {
        true => rules,
        false => format!("{rules} about {}", code_list(&ask.topics)),
    }
}

fn code_list(names: &[impl Display]) -> String {
    comma_list(names.iter().map(|name| format!("`{name}`")))
}
