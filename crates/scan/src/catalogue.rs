//! Documents the rules: writes the part of docs/scan.md that is generated from them.

use std::fmt::Write;

use crate::rules::{ALL, OFF};

/// The rules in markdown: a table of all, then each with its reason, suggestion and examples.
pub fn markdown() -> String {
    let mut text = String::from("| rule | category | severity | asks |\n|---|---|---|---|\n");
    for rule in ALL {
        let _ = writeln!(
            text,
            "| [`{0}`](#{0}) | {1} | {2}{3} | {4} |",
            rule.id,
            rule.category,
            rule.severity,
            if OFF.contains(&rule.id) { ", off" } else { "" },
            rule.title
        );
    }
    for rule in ALL {
        let _ = write!(
            text,
            "\n### {}\n\n{} Try: {}.\n\nFound:\n\n{}\nNot found:\n\n{}",
            rule.id,
            rule.reason,
            rule.suggestion.trim_end_matches('.'),
            examples(rule.bad),
            examples(rule.good),
        );
    }
    text
}

fn examples(examples: &[&str]) -> String {
    let mut text = String::new();
    for example in examples {
        let fence = match example.contains("```") {
            true => "````",
            false => "```",
        };
        let _ = write!(text, "{fence}markdown\n{}\n{fence}\n", example.trim_end());
    }
    text
}
