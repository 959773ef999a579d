//! The measure of the scan: what share of mutations it finds, and how much it says about specs that are complete.

use std::collections::{BTreeMap, BTreeSet};

use gapless_scan::{Finding, Rules, scan};

use crate::mutations::{MUTATIONS, Mutation};

pub const SPECS: [(&str, &str); 3] = [
    ("http-api", include_str!("../../specs/http-api.md")),
    ("pipeline", include_str!("../../specs/pipeline.md")),
    ("cli-tool", include_str!("../../specs/cli-tool.md")),
];

pub const WORDS_OF_A_PAGE: usize = 400;

/// What a scan of a whole spec says.
pub struct Noise {
    pub spec: &'static str,
    pub words: usize,
    pub findings: Vec<Finding>,
}

pub struct Outcome {
    pub mutation: &'static Mutation,
    /// The rules whose new findings are at the mutated place.
    pub noticed: BTreeSet<&'static str>,
}

impl Outcome {
    pub fn is_found(&self) -> bool {
        self.mutation
            .rules
            .iter()
            .any(|rule| self.noticed.contains(rule))
    }
}

pub fn noise() -> Vec<Noise> {
    SPECS
        .into_iter()
        .map(|(spec, text)| Noise {
            spec,
            words: text.split_whitespace().count(),
            findings: scan(text, &Rules::all()),
        })
        .collect()
}

/// Findings on every hundred pages.
pub fn per_hundred_pages(findings: usize, words: usize) -> usize {
    findings * 100 * WORDS_OF_A_PAGE / words.max(1)
}

pub fn outcomes() -> Result<Vec<Outcome>, String> {
    let known: BTreeMap<&str, (&str, BTreeSet<String>)> = SPECS
        .into_iter()
        .map(|(name, text)| {
            let ids = scan(text, &Rules::all())
                .into_iter()
                .map(|finding| finding.id);
            (name, (text, ids.collect()))
        })
        .collect();
    MUTATIONS
        .iter()
        .map(|mutation| outcome(mutation, &known))
        .collect()
}

/// How far from the mutated text a finding may stand, in lines.
const NEAR: usize = 3;

fn outcome(
    mutation: &'static Mutation,
    known: &BTreeMap<&str, (&str, BTreeSet<String>)>,
) -> Result<Outcome, String> {
    let (text, ids) = known
        .get(mutation.spec)
        .ok_or_else(|| format!("there is no spec {}", mutation.spec))?;
    if text.matches(mutation.find).count() != 1 {
        return Err(format!(
            "not once in {}: {:?}",
            mutation.spec, mutation.find
        ));
    }
    let at = text.find(mutation.find).unwrap_or(0);
    let mutated = text.replacen(mutation.find, mutation.replace, 1);
    let line = |at: usize| mutated[..at].matches('\n').count() + 1;
    let (first, last) = (line(at), line(at + mutation.replace.len()));
    let section = section_of(&mutated, at);
    let noticed = scan(&mutated, &Rules::all())
        .into_iter()
        .filter(|finding| !ids.contains(&finding.id))
        .filter(|finding| {
            let here = finding.line as usize;
            let near = here + NEAR >= first && here <= last + NEAR;
            // Of two places that don't agree, a finding stands at the later and names the earlier.
            let names =
                (first..=last).any(|line| finding.message.contains(&format!("on line {line} ")));
            // What a rule says of a section stands where the section speaks of it.
            near || names
                || finding
                    .section
                    .last()
                    .is_some_and(|title| section == Some(title.as_str()))
                || finding.rule.starts_with("undefined")
        })
        .map(|finding| finding.rule)
        .collect();
    Ok(Outcome { mutation, noticed })
}

fn section_of(text: &str, at: usize) -> Option<&str> {
    text[..at]
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix('#'))
        .map(|title| title.trim_start_matches('#').trim())
}
