//! What a proposal says twice and differently: a key with two values in different places of one gap's section.

use serde::{Deserialize, Serialize};

use super::material::Read;
use super::patterns::{LONGEST_QUOTE, quoted};
use super::produced::GapSection;
use super::ranges::holds;
use gapless_domain::GapId;
use gapless_reading::definitions::disputed;

/// A key to which one section gives different values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    pub gap: GapId,
    pub key: String,
    pub values: Vec<String>,
}

/// How many are kept.
const MOST: usize = 5;

/// The contradictions of the sections. Examples may set a key otherwise.
pub(super) fn of(read: &Read, sections: &[GapSection]) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for section in sections {
        let Some(bound) = section.bound else {
            continue;
        };
        let lines = bound
            .solution
            .iter()
            .flat_map(|range| read.document.prose_lines(range.clone()))
            .filter(|(at, _)| !holds(&section.examples, *at))
            .map(|(_, line)| line);
        for clash in disputed(lines) {
            found.push(Contradiction {
                gap: section.facts.gap.clone(),
                key: quoted(&clash.key, LONGEST_QUOTE),
                values: clash
                    .values
                    .iter()
                    .take(3)
                    .map(|value| quoted(value, LONGEST_QUOTE))
                    .collect(),
            });
        }
    }
    found.truncate(MOST);
    found
}
