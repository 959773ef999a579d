//! What was produced for each gap: which parts its section has, under which titles, how long it is, how many
//! examples it gives.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::example_count::examples_in;
use super::material::Read;
use super::patterns::quoted;
use super::ranges::{beginning_in, holds};
use super::topics::topic;
use gapless_domain::GapId;
use gapless_reading::read::BoundGap;
use gapless_reading::validate::THIN_SECTION_CHARS;

/// How far a gap was addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Addressed {
    /// With every required part, and long enough to say something.
    Full,
    Partial,
    No,
}

impl Addressed {
    pub fn name(self) -> &'static str {
        match self {
            Addressed::Full => "Full",
            Addressed::Partial => "Partial",
            Addressed::No => "No",
        }
    }
}

/// A part of a gap's section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Solution,
    Examples,
    TradeOffs,
    NewGaps,
    Confidence,
    /// Instead of a section: the Engineer says that it needs input first.
    Blocked,
}

impl Part {
    /// What every section must have.
    pub const REQUIRED: [Part; 3] = [Part::Solution, Part::Examples, Part::TradeOffs];

    pub fn name(self) -> &'static str {
        match self {
            Part::Solution => "Solution",
            Part::Examples => "Examples",
            Part::TradeOffs => "Trade-offs",
            Part::NewGaps => "New gaps",
            Part::Confidence => "Confidence",
            Part::Blocked => "Blocked",
        }
    }

    /// The heading or line that prompts ask for.
    pub fn form(self) -> &'static str {
        match self {
            Part::Solution => "### Proposed Solution",
            Part::Examples => "### Examples",
            Part::TradeOffs => "### Trade-offs",
            Part::NewGaps => "### New Gaps Introduced",
            Part::Confidence => "**Confidence:** HIGH | MEDIUM | LOW",
            Part::Blocked => "BLOCKED_NEEDS_INPUT:",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Produced {
    pub gap: GapId,
    pub addressed: Addressed,
    pub sections: Vec<Part>,
    pub examples: u32,
    /// The characters of its section, heading and code included; 0 where it has none.
    pub length: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What the proposal deals with, by its own headings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
}

impl Produced {
    pub(super) fn has(&self, part: Part) -> bool {
        self.sections.contains(&part)
    }

    /// What it lacks of the required parts; a gap that waits for input lacks none.
    pub fn missing(&self) -> Vec<Part> {
        match self.has(Part::Blocked) {
            true => Vec::new(),
            false => Part::REQUIRED
                .into_iter()
                .filter(|part| !self.has(*part))
                .collect(),
        }
    }
}

/// How many topics of a proposal are kept, and how long each may be.
const MOST_TOPICS: usize = 12;
const LONGEST_TOPIC: usize = 80;
/// How many gaps beyond the assigned ones are listed.
const MOST_OTHERS: usize = 20;

/// A gap's section as the patterns look at it.
pub(super) struct GapSection<'r> {
    pub facts: Produced,
    /// What binds it; `None` where the gap has no section.
    pub bound: Option<&'r BoundGap>,
    /// The bytes of its examples.
    pub examples: Vec<Range<usize>>,
}

/// The assigned gaps in their order, then others that the document has sections for.
pub(super) fn sections<'r>(read: &'r Read, assigned: &[GapId]) -> Vec<GapSection<'r>> {
    let mut best: BTreeMap<&GapId, &BoundGap> = BTreeMap::new();
    let rank = |bound: &BoundGap| (bound.canonical, bound.section.len());
    for bound in &read.reading.gaps {
        let known = best.entry(&bound.gap).or_insert(bound);
        if rank(bound) > rank(known) {
            *known = bound;
        }
    }
    let mut others: Vec<&&BoundGap> = best
        .values()
        .filter(|bound| !assigned.contains(&bound.gap))
        .collect();
    others.sort_by_key(|bound| bound.line);
    let others = others.into_iter().map(|bound| &bound.gap);
    assigned
        .iter()
        .chain(others.take(MOST_OTHERS))
        .map(|gap| match best.get(gap) {
            Some(bound) => of_bound(read, bound),
            None => without_section(read, gap),
        })
        .collect()
}

fn without_section<'r>(read: &'r Read, gap: &GapId) -> GapSection<'r> {
    let marker = read
        .reading
        .blocked
        .iter()
        .find(|marker| marker.gap == *gap);
    let facts = Produced {
        gap: gap.clone(),
        addressed: Addressed::No,
        sections: marker.map(|_| Part::Blocked).into_iter().collect(),
        examples: 0,
        length: 0,
        line: marker.map(|marker| marker.line),
        topics: Vec::new(),
    };
    GapSection {
        facts,
        bound: None,
        examples: Vec::new(),
    }
}

fn of_bound<'r>(read: &'r Read, bound: &'r BoundGap) -> GapSection<'r> {
    let document = read.document;
    let found = examples_in(read, bound);
    let own = bound.solution.iter().any(|range| {
        let mut lines = document
            .prose_lines(range.clone())
            .filter(|(at, line)| !line.trim_start().starts_with('#') && !holds(&found.parts, *at));
        lines.any(|(_, line)| line.chars().any(char::is_alphanumeric))
    });
    let mut blocks = beginning_in(&document.code_blocks, &bound.section)
        .iter()
        .chain(beginning_in(read.hidden_code, &bound.section));
    let code = blocks
        .any(|block| holds(&bound.solution, block.start) && !holds(&found.parts, block.start));
    let has = [
        (Part::Solution, own || code),
        (Part::Examples, !found.parts.is_empty() || found.labelled),
        (Part::TradeOffs, bound.has_trade_offs),
        (Part::NewGaps, has_new_gaps(read, bound)),
        (Part::Confidence, bound.confidence.is_some()),
    ];
    let sections: Vec<Part> = has
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(part, _)| part)
        .collect();
    let text = document.source.get(bound.section.clone()).unwrap_or("");
    let length = text.trim().chars().count();
    let complete = Part::REQUIRED.iter().all(|part| sections.contains(part));
    let addressed = match (
        complete && length >= THIN_SECTION_CHARS,
        own || code || found.count > 0,
    ) {
        (true, _) => Addressed::Full,
        (false, true) => Addressed::Partial,
        (false, false) => Addressed::No,
    };
    let facts = Produced {
        gap: bound.gap.clone(),
        addressed,
        sections,
        examples: u32::try_from(found.count).unwrap_or(u32::MAX),
        length: u32::try_from(length).unwrap_or(u32::MAX),
        line: Some(bound.line),
        topics: topics(read, bound, &found.parts),
    };
    GapSection {
        facts,
        bound: Some(bound),
        examples: found.parts,
    }
}

fn has_new_gaps(read: &Read, bound: &BoundGap) -> bool {
    let mut titles = read.document.headings_in(&bound.section);
    titles.any(|(_, heading)| heading.title.to_ascii_lowercase().starts_with("new gap"))
}

/// The titles of the shallowest headings that divide the proposal: two at least, since one divides nothing.
fn topics(read: &Read, bound: &BoundGap, examples: &[Range<usize>]) -> Vec<String> {
    let mut by_level: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for (_, heading) in read.document.headings_in(&bound.section) {
        let at = heading.span.start;
        let proposed = holds(&bound.solution, at);
        if heading.line == bound.line || !proposed || holds(examples, at) {
            continue;
        }
        if let Some(topic) = topic(&heading.title) {
            let topics = by_level.entry(heading.level).or_default();
            let topic = quoted(&topic, LONGEST_TOPIC);
            if topics.len() < MOST_TOPICS && !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    by_level
        .into_values()
        .find(|topics| topics.len() >= 2)
        .unwrap_or_default()
}
