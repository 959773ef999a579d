//! Finds gaps with too few examples.

use super::example_count::LEAST_EXAMPLES;
use super::patterns::{Evidence, Finding, Pattern};
use super::produced::{Part, Produced};
use gapless_domain::Confidence;

/// NARROW_EXAMPLES: gaps with a proposal and too few examples.
pub(super) fn narrow_examples(produced: &[Produced]) -> Option<Finding> {
    let narrow: Vec<&Produced> = produced
        .iter()
        .filter(|gap| gap.length > 0 && !gap.has(Part::Blocked) && gap.examples < LEAST_EXAMPLES)
        .collect();
    // One example may be all that a small matter needs; none is none.
    let confidence = match narrow.iter().any(|gap| gap.examples == 0) {
        true => Confidence::High,
        false => Confidence::Medium,
    };
    let evidence = narrow.into_iter().map(|gap| Evidence {
        gap: Some(gap.gap.clone()),
        line: gap.line,
        text: match gap.examples {
            0 => "no example".to_owned(),
            _ => "only 1 example".to_owned(),
        },
        words: Vec::new(),
    });
    Finding::on(Pattern::NarrowExamples, confidence, evidence.collect())
}
