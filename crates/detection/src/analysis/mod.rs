//! The analysis of what an Engineer wrote: what was produced for each gap, which failure patterns it shows with their
//! evidence, and what the next prompt should say about them; and over several failed attempts, the likely root cause.
//! Pure: the same texts give the same facts, and the facts are small enough to be kept in events.

mod adjustments;
mod contradictions;
mod example_count;
mod material;
mod narrow_examples;
mod patterns;
mod produced;
mod prose;
mod ranges;
mod references;
mod report;
mod root_cause;
mod split;
mod structure;
mod terms;
mod topics;
mod tried;
mod vague;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use gapless_domain::GapId;
use gapless_reading::read::ReadDocument;

pub use adjustments::Adjustment;
pub use contradictions::Contradiction;
pub use material::Material;
pub use patterns::{Evidence, Finding, Pattern};
pub use produced::{Addressed, Part, Produced};
pub use report::{Occasion, report};
pub use root_cause::{Action, Cause, Likely, RootCause, root_cause};
pub use split::Split;
pub use structure::{Check, CheckStatus};
pub use tried::Tried;

use material::Read;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Analysis {
    pub produced: Vec<Produced>,
    pub checks: Vec<Check>,
    pub patterns: Vec<Finding>,
    pub adjustments: Vec<Adjustment>,
    /// Where the document gives one key two values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
}

impl Analysis {
    /// The patterns that were found, in their own order.
    pub fn pattern_set(&self) -> BTreeSet<Pattern> {
        self.patterns.iter().map(|found| found.pattern).collect()
    }

    pub fn finding(&self, pattern: Pattern) -> Option<&Finding> {
        self.patterns.iter().find(|found| found.pattern == pattern)
    }
}

/// Reads a text in the way that binds most assigned gaps, then most gaps; as it stands where others are only as good.
pub fn read_for(text: &str, assigned: &[GapId]) -> ReadDocument {
    ReadDocument::best(text, |read| {
        let bound = read.as_engineer().gaps.iter().map(|bound| &bound.gap);
        let bound: BTreeSet<&GapId> = bound.collect();
        let of_task = bound.iter().filter(|gap| assigned.contains(gap)).count();
        (of_task, bound.len())
    })
}

/// Analyses a document.
pub fn analyze(material: &Material) -> Analysis {
    let nothing = ReadDocument::plain("");
    let written = material.document.unwrap_or(&nothing);
    let read = Read {
        document: &written.structure,
        reading: written.as_engineer(),
        hidden_code: &blanked(&written.text, &written.structure.source),
    };
    let sections = produced::sections(&read, material.assigned);
    let produced: Vec<Produced> = sections
        .iter()
        .map(|section| section.facts.clone())
        .collect();
    let unknown = references::unknown(&read, material.known);
    let patterns: Vec<Finding> = [
        vague::abstract_output(&read, &sections, material),
        structure::missing_sections(&read, &produced, material),
        narrow_examples::narrow_examples(&produced),
        references::inconsistent(unknown.as_deref()),
        terms::domain_confusion(&read, material.source),
        references::scope_drift(&produced, material.assigned),
    ]
    .into_iter()
    .flatten()
    .collect();
    Analysis {
        checks: structure::checks(&read, &produced, unknown.as_deref()),
        adjustments: adjustments::of(&patterns, material),
        contradictions: contradictions::of(&read, &sections),
        produced,
        patterns,
    }
}

/// Where two texts of the same length differ, in whole lines.
fn blanked(document: &str, structure: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    if document.len() != structure.len() {
        return ranges;
    }
    let mut at = 0;
    for line in document.split_inclusive('\n') {
        let end = at + line.len();
        let blank = line.trim().is_empty();
        if document.as_bytes()[at..end] != structure.as_bytes()[at..end] {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end = end,
                _ => ranges.push(at..end),
            }
        } else if blank && let Some(last) = ranges.last_mut().filter(|last| last.end == at) {
            // A blank line within code is part of it.
            last.end = end;
        }
        at = end;
    }
    ranges
}
