//! Prints how much of what was taken out of complete specs the scan finds, and how much it says where nothing is missing.
//! Files that are named are scanned too, for their noise.

mod measuring;

use std::collections::BTreeMap;
use std::process::ExitCode;

use gapless_scan::{Rules, rules, scan};
use measuring::{WORDS_OF_A_PAGE, noise, outcomes, per_hundred_pages};

fn main() -> ExitCode {
    let outcomes = match outcomes() {
        Ok(outcomes) => outcomes,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut by_rule: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for outcome in &outcomes {
        let entry = by_rule.entry(outcome.mutation.rules[0]).or_default();
        entry.0 += 1;
        entry.1 += usize::from(outcome.is_found());
    }
    println!("| rule | mutations | found |\n|---|---|---|");
    for rule in rules::ALL {
        if let Some((all, found)) = by_rule.get(rule.id) {
            println!("| `{}` | {all} | {found} |", rule.id);
        }
    }
    let found = outcomes.iter().filter(|outcome| outcome.is_found()).count();
    println!(
        "| all | {} | {found} ({}%) |",
        outcomes.len(),
        found * 100 / outcomes.len().max(1)
    );
    for outcome in outcomes.iter().filter(|outcome| !outcome.is_found()) {
        let noticed: Vec<&str> = outcome.noticed.iter().copied().collect();
        println!(
            "missed: {:?} in {}, {:?} (noticed: {noticed:?})",
            outcome.mutation.rules, outcome.mutation.spec, outcome.mutation.replace
        );
    }
    println!(
        "\n| spec | words | findings | per page of {WORDS_OF_A_PAGE} words |\n|---|---|---|---|"
    );
    for noise in noise() {
        let count = noise.findings.len();
        println!(
            "| {} | {} | {count} | {} |",
            noise.spec,
            noise.words,
            tenths(count, noise.words)
        );
    }
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("error: {path}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let findings = scan(&text, &Rules::default());
        let words = text.split_whitespace().count();
        println!(
            "| {path} | {words} | {} | {} |",
            findings.len(),
            tenths(findings.len(), words)
        );
        for finding in findings {
            println!(
                "    {}:{} {} {}: {}",
                finding.line, finding.column, finding.severity, finding.rule, finding.message
            );
        }
    }
    ExitCode::SUCCESS
}

fn tenths(findings: usize, words: usize) -> String {
    let hundredths = per_hundred_pages(findings, words);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
