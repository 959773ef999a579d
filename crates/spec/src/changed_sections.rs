//! The sections of the refined spec that texts of the session came into: what each was made from, and whether an edited text still
//! fits it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::composed::Composed;
use super::faithful::Given;
use super::insertion::line_end;
use super::resolution::{Accepted, EditedText};
use super::trace::{Step, WhatWasDone, words_in};
use gapless_domain::{GapId, MadeFrom};
use gapless_markdown::Document;
use gapless_reading::read::{Declaration, Section, inventory, sections};

/// In a section with as many changes, sentences of several hands meet.
const MANY_CHANGES: usize = 3;

/// A section of the refined spec that texts of the session came into.
pub(super) struct ChangedSection {
    /// The line of its heading in the source.
    pub line: u32,
    pub title: String,
    /// Its bytes, up to the next heading of the source or the next section beside it.
    pub range: Range<usize>,
    pub made_from: MadeFrom,
    /// True where there is something to smooth.
    pub is_rough: bool,
    pub given: Option<Given>,
    line_end: &'static str,
    is_last: bool,
}

impl ChangedSection {
    /// An Editor's text in the place of the section.
    pub fn as_written(&self, edited: &str) -> String {
        let text = edited.trim_end().replace('\n', self.line_end);
        match self.is_last {
            true => text + self.line_end,
            false => text + self.line_end + self.line_end,
        }
    }
}

/// The sections of a refined spec that texts of the session came into.
pub(super) fn changed_sections(
    composed: &Composed,
    steps: &[Step],
    source: &str,
    accepted: &[Accepted],
) -> Vec<ChangedSection> {
    let document = Document::parse(&composed.text);
    let here = sections(&document);
    let of_source: Vec<(usize, Section)> = sections(&Document::parse(source))
        .into_iter()
        .filter_map(|section| {
            let place = composed.place_of(section.own.start)?;
            let is_heading = here.iter().any(|it| it.own.start == place);
            is_heading.then_some((place, section))
        })
        .collect();
    let declared = inventory(&document).declared;
    let written: Vec<(usize, Range<usize>)> = composed.steps().collect();
    let mut found = Vec::new();
    for (index, (start, section)) in of_source.iter().enumerate() {
        let next = of_source.get(index + 1).map(|(place, _)| *place);
        // A new section beside it is not its text.
        let beside = here
            .iter()
            .find(|it| it.own.start > *start && it.level <= section.level);
        let ends = [
            next,
            beside.map(|it| it.own.start),
            Some(composed.text.len()),
        ];
        let range = *start..ends.into_iter().flatten().min().unwrap_or(*start);
        let inside: Vec<&(usize, Range<usize>)> = written
            .iter()
            .filter(|(_, step)| range.start < step.start && step.start < range.end.max(1))
            .collect();
        let here = Section {
            own: range,
            ..section.clone()
        };
        if let Some(made) = Made::of(steps, &inside, &document.source, accepted) {
            found.push(made.section(&document, &declared, here));
        }
    }
    found
}

/// What a section was made from.
struct Made {
    made_from: MadeFrom,
    texts: Vec<String>,
    /// Headings and pointers that gapless wrote.
    generated: Vec<Range<usize>>,
    is_rough: bool,
}

impl Made {
    /// Nothing where nothing of the session came in, or where an Editor can't be given the section.
    fn of(
        steps: &[Step],
        inside: &[&(usize, Range<usize>)],
        text: &str,
        accepted: &[Accepted],
    ) -> Option<Self> {
        let mut made_from = MadeFrom::new();
        let (mut texts, mut generated) = (Vec::new(), Vec::new());
        let (mut changes, mut any_inserted) = (BTreeSet::new(), false);
        let mut pointed: BTreeSet<&GapId> = BTreeSet::new();
        for (number, bytes) in inside {
            let step = steps.get(*number)?;
            match &step.what {
                WhatWasDone::Changed(_) => {
                    changes.insert(*number);
                }
                WhatWasDone::Inserted => any_inserted = true,
                WhatWasDone::Pointed => {
                    pointed.insert(&step.gap);
                    generated.push(bytes.clone());
                    continue;
                }
                WhatWasDone::Edited { .. } => return None,
            }
            let own = accepted.iter().find(|one| one.resolution.gap == step.gap)?;
            made_from.insert(step.gap.clone(), own.resolution.hash);
            let heading = heading_in(text, bytes).filter(|_| step.what == WhatWasDone::Inserted);
            let start = heading.as_ref().map_or(bytes.start, |heading| heading.end);
            texts.push(text.get(start..bytes.end)?.trim().to_owned());
            generated.extend(heading);
        }
        // A pointer to another section can't be kept true by a text that is written once.
        let points_elsewhere = pointed.iter().any(|gap| !made_from.contains_key(*gap));
        (!made_from.is_empty() && !points_elsewhere).then_some(Self {
            made_from,
            texts,
            generated,
            is_rough: any_inserted || changes.len() >= MANY_CHANGES,
        })
    }

    fn section(
        self,
        document: &Document,
        declared: &[Declaration],
        section: Section,
    ) -> ChangedSection {
        ChangedSection {
            line: section.line,
            title: section.title.clone(),
            given: Given::of(document, &section, declared, &self.generated, &self.texts),
            is_rough: self.is_rough,
            line_end: line_end(&document.source),
            is_last: section.own.end == document.source.len(),
            range: section.own,
            made_from: self.made_from,
        }
    }
}

/// The heading that a part begins with.
fn heading_in(text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let words = words_in(text, part)?;
    let line = text[words.clone()].lines().next()?;
    line.starts_with('#')
        .then(|| words.start..words.start + line.len())
}

/// The section of an edit, if the edit still fits it.
pub(super) fn fitting(sections: Vec<ChangedSection>, edit: &EditedText) -> Option<ChangedSection> {
    sections.into_iter().find(|section| {
        let fits = |given: &Given| given.faults(&edit.text, &[]).is_empty();
        section.line == edit.section
            && section.made_from == edit.made_from
            && section.given.as_ref().is_some_and(fits)
    })
}
