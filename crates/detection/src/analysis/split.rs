//! The suggestion of how a gap could be split: what its failed proposals dealt with, by their own headings.

use serde::{Deserialize, Serialize};

use super::patterns::quoted;
use super::tried::Tried;
use gapless_domain::GapId;
use gapless_domain::matter::{Link, Matter};

/// A gap and the parts that it could be split into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    pub gap: GapId,
    /// What each part would be about; two to four.
    pub parts: Vec<String>,
}

const MOST_PARTS: usize = 4;
const LONGEST_PART: usize = 160;

/// The split that the attempts suggest: of the gap whose proposals dealt with most, if they dealt with two things at least.
pub(super) fn suggested(attempts: &[Tried]) -> Option<Split> {
    let mut best: Option<(GapId, Vec<String>)> = None;
    for gap in gaps(attempts) {
        let topics = topics_of(attempts, &gap);
        if best
            .as_ref()
            .is_none_or(|(_, known)| topics.len() > known.len())
        {
            best = Some((gap, topics));
        }
    }
    let (gap, topics) = best?;
    (topics.len() >= 2).then(|| Split {
        gap,
        parts: grouped(&topics),
    })
}

/// The gaps that the last attempt was to address, in their order.
fn gaps(attempts: &[Tried]) -> Vec<GapId> {
    let last = attempts
        .last()
        .map(|tried| tried.analysis.produced.as_slice());
    last.unwrap_or_default()
        .iter()
        .map(|gap| gap.gap.clone())
        .collect()
}

/// What the proposals for a gap dealt with, without what is about the same.
pub(super) fn topics_of(attempts: &[Tried], gap: &GapId) -> Vec<String> {
    let mut topics: Vec<(String, Matter)> = Vec::new();
    let produced = attempts.iter().flat_map(|tried| &tried.analysis.produced);
    for topic in produced
        .filter(|of| of.gap == *gap)
        .flat_map(|of| &of.topics)
    {
        let matter = Matter::of(topic);
        if !topics
            .iter()
            .any(|(known, its_matter)| known == topic || its_matter.is(&matter, Link::None))
        {
            topics.push((topic.clone(), matter));
        }
    }
    topics.into_iter().map(|(topic, _)| topic).collect()
}

/// Two to four parts: neighbours stand together where there are more topics.
fn grouped(topics: &[String]) -> Vec<String> {
    let parts = topics.len().min(MOST_PARTS);
    let mut groups = Vec::with_capacity(parts);
    for part in 0..parts {
        let from = part * topics.len() / parts;
        let to = (part + 1) * topics.len() / parts;
        groups.push(quoted(&topics[from..to].join("; "), LONGEST_PART));
    }
    groups
}
