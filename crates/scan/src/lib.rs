//! The scan of gapless: finds what a spec in markdown leaves out, by rules that need no model.
//!
//! Invariant: nothing here does I/O, asks a clock or draws a random number; the same text gives the same findings. Facts are
//! gathered once, in time that grows with the text and no faster; rules only read them.

pub mod catalogue;
mod echoes;
mod facts;
mod finding;
mod ignore;
mod language;
mod rule;
pub mod rules;
mod selection;
mod surroundings;
mod topic;

use std::borrow::Cow;

use gapless_markdown::blank;

pub(crate) use facts::{Class, Force, Purpose, Sentence};
pub use finding::{Finding, topics};
pub use language::Language;
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
    /// The language that they are in.
    pub language: Language,
}

pub fn scan(text: &str, rules: &Rules) -> Vec<Finding> {
    scan_in(text, rules, &Unknown).findings
}

/// Scans a spec that has files beside it.
pub fn scan_in(text: &str, active: &Rules, surroundings: &dyn Surroundings) -> Scanned {
    let readable = without_front_matter(text);
    let facts = Facts::gather(&readable, surroundings);
    let language = language::language_of(&facts);
    let mut said = Vec::new();
    for (rule, severity) in active.active() {
        if language == Language::Unknown && !rules::OF_ANY_LANGUAGE.contains(&rule.id) {
            continue;
        }
        let mut found = Found::new(rules::ids());
        (rule.check)(&facts, &mut found);
        let remarks = found.remarks.into_iter();
        said.extend(remarks.map(|remark| (rule, severity, remark)));
    }
    let mut findings = finding::findings(&facts, said);
    echoes::without_echoes(&facts, &mut findings);
    let count = findings.len();
    let silence = ignore::Silence::of(&facts);
    findings.retain(|finding| !silence.covers(finding));
    Scanned {
        ignored: count - findings.len(),
        findings,
        words: facts.words.len(),
        language,
    }
}

/// The text with the settings that some tools put before it blanked out, so that every other byte stays where it is.
fn without_front_matter(text: &str) -> Cow<'_, str> {
    let mut lines = text.split_inclusive('\n');
    let mut at = match lines.next() {
        Some(line @ ("---\n" | "---\r\n")) => line.len(),
        _ => return Cow::Borrowed(text),
    };
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Cow::Owned(blank(text, std::slice::from_ref(&(0..at))));
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
