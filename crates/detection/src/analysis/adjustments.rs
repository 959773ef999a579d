//! What the next prompt should say about each pattern: a text for each as a data file, with the facts of this attempt
//! below it.

use serde::{Deserialize, Serialize};

use super::material::Material;
use super::patterns::{Evidence, Finding, MOST_EVIDENCE, Pattern};
use gapless_domain::{Confidence, GapId};

/// What to add to the next prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjustment {
    pub pattern: Pattern,
    pub text: String,
    /// How likely it is to help.
    pub confidence: Confidence,
}

impl Adjustment {
    /// Why it has its confidence.
    pub fn reason(&self) -> &'static str {
        match self.pattern {
            Pattern::AbstractOutput => {
                "the words are counted; whether values follow is up to the Engineer"
            }
            Pattern::MissingSections => "structural, and checked",
            Pattern::NarrowExamples => "good edge cases need knowledge of the domain",
            Pattern::InconsistentRefs => "the inventory decides",
            Pattern::DomainConfusion => "the missing definition may be nowhere yet",
            Pattern::ScopeDrift => "the assignment is named",
        }
    }
}

/// How many gaps that exist are listed.
const MOST_LISTED: usize = 40;

fn text_of(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::AbstractOutput => include_str!("adjustments/abstract_output.md"),
        Pattern::MissingSections => include_str!("adjustments/missing_sections.md"),
        Pattern::NarrowExamples => include_str!("adjustments/narrow_examples.md"),
        Pattern::InconsistentRefs => include_str!("adjustments/inconsistent_refs.md"),
        Pattern::DomainConfusion => include_str!("adjustments/domain_confusion.md"),
        Pattern::ScopeDrift => include_str!("adjustments/scope_drift.md"),
    }
}

/// An adjustment for each finding.
pub(super) fn of(findings: &[Finding], material: &Material) -> Vec<Adjustment> {
    findings
        .iter()
        .map(|finding| {
            let mut text = text_of(finding.pattern).trim_end().to_owned();
            for fact in facts(finding, material) {
                text += &format!("\n- {fact}");
            }
            Adjustment {
                pattern: finding.pattern,
                text,
                confidence: confidence(finding),
            }
        })
        .collect()
}

fn confidence(finding: &Finding) -> Confidence {
    match (finding.pattern, finding.confidence) {
        (Pattern::NarrowExamples | Pattern::DomainConfusion, Confidence::High) => {
            Confidence::Medium
        }
        (_, confidence) => confidence,
    }
}

fn facts(finding: &Finding, material: &Material) -> Vec<String> {
    let evidence = &finding.evidence;
    match finding.pattern {
        Pattern::AbstractOutput => words(evidence, |word| format!("\"{word}\"")),
        Pattern::DomainConfusion => words(evidence, |word| format!("`{}`", word.replace('`', ""))),
        Pattern::NarrowExamples => evidence.iter().map(on_gap).collect(),
        Pattern::MissingSections => evidence.iter().map(missing).collect(),
        Pattern::InconsistentRefs => {
            let wrong = evidence.iter().filter_map(|evidence| evidence.gap.as_ref());
            let known = material.known.into_iter().flatten();
            vec![
                format!("do not exist: {}", listed(wrong)),
                format!("exist: {}", listed(known)),
            ]
        }
        Pattern::ScopeDrift => {
            let others = evidence.iter().filter_map(|evidence| evidence.gap.as_ref());
            let heading = |gap: &GapId| format!("`## Gap Resolution: {gap}`");
            let mut facts: Vec<String> = material.assigned.iter().map(heading).collect();
            facts.push(format!("not assigned: {}", listed(others)));
            facts
        }
    }
}

fn words(evidence: &[Evidence], shown: impl Fn(&str) -> String) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in evidence.iter().flat_map(|evidence| &evidence.words) {
        let word = shown(word);
        if words.len() < MOST_EVIDENCE && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn on_gap(evidence: &Evidence) -> String {
    match &evidence.gap {
        Some(gap) => format!("{gap}: {}", evidence.text),
        None => evidence.text.clone(),
    }
}

fn missing(evidence: &Evidence) -> String {
    match (&evidence.gap, evidence.words.as_slice()) {
        (Some(gap), []) => format!(
            "{gap}: {}; begin with `## Gap Resolution: {gap}`",
            evidence.text
        ),
        (Some(gap), forms) => format!("{gap}: `{}`", forms.join("`, `")),
        (None, _) => evidence.text.clone(),
    }
}

fn listed<'g>(gaps: impl Iterator<Item = &'g GapId>) -> String {
    let all: Vec<String> = gaps.map(GapId::to_string).collect();
    match all.len() {
        0 => "none".to_owned(),
        count if count > MOST_LISTED => {
            format!(
                "{} and {} more",
                all[..MOST_LISTED].join(", "),
                count - MOST_LISTED
            )
        }
        _ => all.join(", "),
    }
}
