//! Where the refined spec says what a gap settled: the lines of each change, and marks for who wants them in the text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use serde::Serialize;

use super::composed::Composed;
use gapless_domain::{ChangeKind, DecisionId, GapId};

/// What was done to the spec in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub gap: GapId,
    pub round: u32,
    pub what: WhatWasDone,
}

/// How a text came into the spec, or left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WhatWasDone {
    Changed(ChangeKind),
    Inserted,
    Pointed,
    Edited { gaps: BTreeSet<GapId> },
}

impl Step {
    /// The gaps that it was done for.
    pub fn gaps(&self) -> Vec<&GapId> {
        match &self.what {
            WhatWasDone::Edited { gaps } => gaps.iter().collect(),
            _ => vec![&self.gap],
        }
    }
}

impl WhatWasDone {
    pub fn of(kind: ChangeKind) -> Self {
        WhatWasDone::Changed(kind)
    }

    fn takes_away(&self) -> bool {
        matches!(self, WhatWasDone::Changed(ChangeKind::Remove))
    }

    fn name(&self) -> &'static str {
        match self {
            WhatWasDone::Changed(kind) => kind.name(),
            WhatWasDone::Inserted => "insert",
            WhatWasDone::Pointed => "point",
            WhatWasDone::Edited { .. } => "edit",
        }
    }
}

/// One change of the refined spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Traced {
    pub gap: GapId,
    /// `replace`, `add_after`, `add_to_section`, `new_section` or `remove`; `insert` for a resolution that names no change,
    /// `point` for the pointer to one, `edit` for a section that an Editor reworded.
    pub change: &'static str,
    /// The round in which it was proposed.
    pub round: u32,
    /// Its first and last line in the refined spec. Of a removal, the line behind it.
    pub lines: (u32, u32),
    /// What was decided on the gap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionId>,
}

impl fmt::Display for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.lines;
        match first == last {
            true => write!(f, "{} {} (line {first})", self.gap, self.change),
            false => write!(f, "{} {} (lines {first} to {last})", self.gap, self.change),
        }
    }
}

pub(super) fn trace_of(composed: &Composed, steps: &[Step]) -> Vec<Traced> {
    let line_starts: Vec<usize> = std::iter::once(0)
        .chain(composed.text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let line_of = |at: usize| {
        let line = line_starts.partition_point(|start| *start <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    };
    let mut lines: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
    // Of a step that only took something away its place is said, and of one of which nothing is left where its gap has no other.
    let mut places: BTreeMap<usize, u32> = BTreeMap::new();
    for (number, range) in composed.steps() {
        let Some(written) = words_in(&composed.text, &range) else {
            places.entry(number).or_insert_with(|| line_of(range.start));
            continue;
        };
        let (first, last) = (line_of(written.start), line_of(written.end - 1));
        let known = lines.entry(number).or_insert((first, last));
        *known = (known.0.min(first), known.1.max(last));
    }
    let mut told: BTreeSet<&GapId> = BTreeSet::new();
    for step in lines.keys().filter_map(|number| steps.get(*number)) {
        told.extend(step.gaps());
    }
    for (number, line) in places {
        let is_told = |step: &Step| told.contains(&step.gap) && !step.what.takes_away();
        if !lines.contains_key(&number) && !steps.get(number).is_some_and(is_told) {
            lines.insert(number, (line, line));
            told.extend(steps.get(number).map(|step| &step.gap));
        }
    }
    let mut trace: Vec<Traced> = Vec::new();
    for (number, lines) in lines {
        let Some(step) = steps.get(number) else {
            continue;
        };
        trace.extend(step.gaps().into_iter().map(|gap| Traced {
            gap: gap.clone(),
            change: step.what.name(),
            round: step.round,
            lines,
            decisions: Vec::new(),
        }));
    }
    trace.sort_by(|a, b| (a.lines, &a.gap).cmp(&(b.lines, &b.gap)));
    trace.dedup();
    trace
}

/// A range without the white space at its ends.
pub(super) fn words_in(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let words = text.get(range.clone())?;
    let start = range.start + words.len() - words.trim_start().len();
    let end = range.start + words.trim_end().len();
    (start < end).then_some(start..end)
}
