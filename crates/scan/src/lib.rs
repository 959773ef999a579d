//! The scan of gapless: finds what a spec in markdown leaves out, by rules that need no model.
//!
//! Invariant: nothing here does I/O, asks a clock or draws a random number; the same text gives the same findings. Facts are
//! gathered once, in time that grows with the text and no faster; rules only read them.

pub mod catalogue;
mod facts;
mod finding;
mod ignore;
mod rule;
pub mod rules;
mod selection;
mod surroundings;
mod topic;

use std::borrow::Cow;

pub(crate) use facts::{Class, Purpose, Sentence};
pub use finding::{Finding, topics};
pub use rule::Rule;
pub use selection::{Rules, Setting, SettingError};
pub use surroundings::{Surroundings, Unknown};
pub use topic::Topic;

pub(crate) use facts::Facts;
use rule::Found;

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scanned {
    /// In order of place.
    pub findings: Vec<Finding>,
    /// How many more ignore comments silenced.
    pub ignored: usize,
    /// The words of the spec's prose.
    pub words: usize,
}

pub fn scan(text: &str, rules: &Rules) -> Vec<Finding> {
    scan_in(text, rules, &Unknown).findings
}

/// Scans a spec that has files beside it.
pub fn scan_in(text: &str, active: &Rules, surroundings: &dyn Surroundings) -> Scanned {
    let readable = without_front_matter(text);
    let facts = Facts::gather(&readable, surroundings);
    let mut said = Vec::new();
    for (rule, severity) in active.active() {
        let mut found = Found::new(rules::ids());
        (rule.check)(&facts, &mut found);
        said.extend(
            found
                .remarks
                .into_iter()
                .map(|remark| (rule, severity, remark)),
        );
    }
    let all = without_echoes(finding::findings(&facts, said));
    let count = all.len();
    let silence = ignore::Silence::of(&facts);
    let findings: Vec<Finding> = all
        .into_iter()
        .filter(|finding| !silence.covers(finding))
        .collect();
    Scanned {
        ignored: count - findings.len(),
        findings,
        words: facts.words.len(),
    }
}

/// A section that is thin because of what else was found in it needs no second word.
fn without_echoes(findings: Vec<Finding>) -> Vec<Finding> {
    let others: Vec<usize> = findings
        .iter()
        .filter(|finding| finding.rule != "thin-section")
        .map(|finding| finding.span.start)
        .collect();
    let echoes = |finding: &Finding| {
        let at = others.partition_point(|start| *start < finding.span.start);
        finding.rule == "thin-section"
            && others
                .get(at)
                .is_some_and(|start| *start < finding.span.end)
    };
    findings
        .into_iter()
        .filter(|finding| !echoes(finding))
        .collect()
}

/// The text with the settings that some tools put before it blanked out, so that every other byte stays where it is.
fn without_front_matter(text: &str) -> Cow<'_, str> {
    let Some(rest) = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))
    else {
        return Cow::Borrowed(text);
    };
    let start = text.len() - rest.len();
    let mut at = start;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            let blank = text[..at]
                .bytes()
                .map(|byte| if byte == b'\n' { '\n' } else { ' ' });
            let mut blanked: String = blank.collect();
            blanked.push_str(&text[at..]);
            return Cow::Owned(blanked);
        }
        // A rule at the head of a text is no front matter.
        let is_setting =
            line.trim().is_empty() || line.contains(':') || line.starts_with([' ', '-', '#', '\t']);
        if !is_setting {
            break;
        }
    }
    Cow::Borrowed(text)
}
