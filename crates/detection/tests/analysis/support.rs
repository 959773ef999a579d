//! Builds documents and analyses them in a line.

use std::collections::BTreeSet;

use gapless_detection::analysis::{Analysis, Material, Pattern, analyze, read_for};
use gapless_domain::config::default_vague_words;
use gapless_domain::ids::GapId;

pub fn gaps(ids: &str) -> Vec<GapId> {
    ids.split_whitespace()
        .map(|id| id.parse().unwrap())
        .collect()
}

/// What a document is held against.
#[derive(Default)]
pub struct Against<'a> {
    pub assigned: &'a str,
    pub known: Option<&'a str>,
    pub source: Option<&'a str>,
}

impl Against<'_> {
    pub fn analyze(&self, document: &str) -> Analysis {
        self.judge(Some(document))
    }

    pub fn judge(&self, document: Option<&str>) -> Analysis {
        let known: Option<BTreeSet<GapId>> = self.known.map(|ids| gaps(ids).into_iter().collect());
        let assigned = gaps(self.assigned);
        let document = document.map(|text| read_for(text, &assigned));
        analyze(&Material {
            document: document.as_ref(),
            assigned: &assigned,
            known: known.as_ref(),
            source: self.source,
            vague_words: &default_vague_words(),
            vague_per_thousand: 8,
        })
    }
}

pub fn analyzed(document: &str) -> Analysis {
    Against::default().analyze(document)
}

pub fn shows(analysis: &Analysis, pattern: Pattern) -> bool {
    analysis.finding(pattern).is_some()
}

/// A document with every part for one gap, around this solution.
pub fn complete(gap: &str, solution: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{solution}\n\n### Examples\n\n\
         **Example 1: it fits**\n\nA parcel of 4 kg goes into drawer 2.\n\n**Example 2: it does not**\n\nA parcel of 41 kg stays at the desk.\n\n\
         ### Trade-offs\n\n- For: no second scale is needed.\n- Against: the desk is busier on Mondays.\n\n\
         ### New Gaps Introduced\n\nNone\n"
    )
}
