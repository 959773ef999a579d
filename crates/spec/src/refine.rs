//! The refined spec as the fold of what was accepted: the source, with the changes of each gap made in the order in which the
//! gaps were accepted. A gap without changes, or whose changes no longer fit, gets its text by the fallback. It knows texts and no
//! session.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::changed_sections::{changed_sections, fitting};
use super::changes::{Placed, Sheet};
use super::check::{Named, Passage};
use super::composed::{Composed, Splice};
use super::entries::declaring_lines;
use super::fallback::Fallback;
use super::headings::Headings;
use super::homes::Homes;
use super::limitations::{with_limitations, without_settled};
use super::resolution::settled_by;
use super::sweep::{Entries, Swept, sweep};
use super::trace::{Step, Traced, WhatWasDone, trace_of};
use super::walk::walk;
use super::{Accepted, EditedText, Limitation, Place, Placement, Resolution, SpecError, check};
use gapless_domain::{ChangeFault, ChangeKind, GapId};
use gapless_markdown::Document;
use gapless_reading::read::inventory;

/// A source with what was accepted.
#[derive(Debug, Clone, Default)]
pub struct Refined {
    pub text: String,
    pub trace: Vec<Traced>,
    /// Gaps whose changes no longer fit the text that they were made for.
    pub displaced: Vec<ChangeFault>,
    /// Gaps that the changes of another gap settle too, with that one.
    pub beside: BTreeMap<GapId, GapId>,
    /// The sections that are an Editor's, by their lines in the source.
    pub edited: BTreeSet<u32>,
    pub(super) composed: Composed,
    pub(super) steps: Vec<Step>,
}

/// A source with what was accepted, in the order of acceptance, and with what is left open said at its end. An Editor's section that
/// doesn't fit what is accepted is left aside.
pub fn refine(
    source: &str,
    accepted: &[Accepted],
    limitations: &[Limitation],
    edits: &[EditedText],
) -> Result<Refined, SpecError> {
    let mut refined = fold(source, accepted, edits)?;
    let settled = accepted
        .iter()
        .map(|one| one.resolution.description.as_str());
    let text = without_settled(&refined.text, settled);
    refined.text = with_limitations(&text, limitations);
    Ok(refined)
}

/// The same without what is left open.
pub(super) fn fold(
    source: &str,
    accepted: &[Accepted],
    edits: &[EditedText],
) -> Result<Refined, SpecError> {
    let mut folding = Folding::of(source);
    folding.take_all(accepted);
    if folding.check().is_err() {
        folding = Folding::of(source);
        folding.take_carefully(accepted);
        folding.check()?;
    }
    let edited = folding.take_edits(accepted, edits);
    Ok(folding.finished(edited))
}

struct Folding<'s> {
    source: &'s str,
    composed: Composed,
    steps: Vec<Step>,
    /// The passages of the spec that changes name.
    passages: Vec<Passage>,
    /// Resolutions that the fallback put in, with their places in the source.
    inserted: Vec<Resolution>,
    displaced: Vec<ChangeFault>,
    headings: Headings,
    /// What the source declares, looked at where a change was made.
    entries: OnceCell<Entries>,
    /// Gaps that changes settled and of which an entry stays for now, with their places in the source.
    held: BTreeMap<GapId, Option<u32>>,
    /// Gaps that the changes of another gap settle too, with that one.
    beside: BTreeMap<GapId, GapId>,
}

/// What a fold can go back to.
struct Saved {
    composed: Composed,
    steps: usize,
    passages: usize,
    inserted: usize,
    held: BTreeMap<GapId, Option<u32>>,
}

impl<'s> Folding<'s> {
    fn of(source: &'s str) -> Self {
        Self {
            source,
            composed: Composed::of(source),
            steps: Vec::new(),
            passages: Vec::new(),
            inserted: Vec::new(),
            displaced: Vec::new(),
            headings: Headings::default(),
            entries: OnceCell::new(),
            held: BTreeMap::new(),
            beside: BTreeMap::new(),
        }
    }

    /// Takes everything in order. What goes through the fallback is gathered, so that the text is looked at once for it.
    fn take_all(&mut self, accepted: &[Accepted]) {
        let mut waiting: Vec<&Accepted> = Vec::new();
        let (own, beside) = by_whose_changes(accepted);
        for one in own {
            if one.changes.is_empty() {
                waiting.push(one);
                continue;
            }
            self.insert(&waiting, Placement::InSections);
            waiting.clear();
            match self.change(one) {
                Some(removed) => self.sweep(one, &removed),
                None => waiting.push(one),
            }
        }
        for (one, with) in beside {
            match self.is_displaced(with) {
                true => waiting.push(one),
                false => self.settle_beside(one, with),
            }
        }
        self.insert(&waiting, Placement::InSections);
    }

    fn is_displaced(&self, gap: &GapId) -> bool {
        self.displaced.iter().any(|fault| fault.gap == *gap)
    }

    /// Takes out what is left of the entry of a gap that the changes of another one settle too.
    fn settle_beside(&mut self, one: &Accepted, with: &GapId) {
        self.beside.insert(one.resolution.gap.clone(), with.clone());
        self.sweep(one, &[]);
    }

    /// Takes one after the other and looks after each whether the spec still holds: where one breaks it, a plainer form is
    /// taken.
    fn take_carefully(&mut self, accepted: &[Accepted]) {
        let (own, beside) = by_whose_changes(accepted);
        for one in own {
            let before = self.saved();
            let changed = match one.changes.is_empty() {
                true => None,
                false => self.change(one),
            };
            if let Some(removed) = changed {
                if self.check().is_ok() {
                    let before = self.saved();
                    self.sweep(one, &removed);
                    if self.check().is_err() {
                        self.restore(before);
                    }
                    continue;
                }
                self.restore(before);
                let what = "it would change what comes behind it".to_owned();
                self.displace(one, what);
            }
            self.insert_carefully(one);
        }
        for (one, with) in beside {
            if self.is_displaced(with) {
                self.insert_carefully(one);
                continue;
            }
            let before = self.saved();
            self.settle_beside(one, with);
            if self.check().is_err() {
                self.restore(before);
            }
        }
    }

    fn insert_carefully(&mut self, one: &Accepted) {
        let before = self.saved();
        self.insert(&[one], Placement::InSections);
        if self.check().is_err() {
            self.restore(before);
            self.insert(&[one], Placement::AtEnd);
        }
    }

    fn saved(&self) -> Saved {
        Saved {
            composed: self.composed.clone(),
            steps: self.steps.len(),
            passages: self.passages.len(),
            inserted: self.inserted.len(),
            held: self.held.clone(),
        }
    }

    fn restore(&mut self, saved: Saved) {
        self.composed = saved.composed;
        self.headings = Headings::default();
        self.steps.truncate(saved.steps);
        self.passages.truncate(saved.passages);
        self.inserted.truncate(saved.inserted);
        self.held = saved.held;
    }

    fn displace(&mut self, one: &Accepted, what: String) {
        self.displaced.push(ChangeFault {
            gap: one.resolution.gap.clone(),
            line: 0,
            what,
            nearest: None,
        });
    }

    /// Makes the changes of a gap, if all of them fit; gives the steps that took something away, with what they took.
    fn change(&mut self, one: &Accepted) -> Option<Vec<(usize, String)>> {
        let resolution = self.resolution_here(&one.resolution);
        let sheet = Sheet::knowing(&self.composed.text, std::mem::take(&mut self.headings));
        let home = || home_of(&sheet, &resolution);
        let placed = match sheet.place(&one.resolution.gap, &one.changes, home) {
            Ok(placed) => placed,
            Err(mut faults) => {
                self.headings = sheet.headings;
                faults.truncate(1);
                self.displaced.extend(faults);
                return None;
            }
        };
        self.headings = sheet.headings;
        let first = self.steps.len();
        let removed = removals(&placed, first);
        let mut splices = Vec::new();
        for (index, placed) in placed.into_iter().enumerate() {
            self.steps.push(Step {
                gap: one.resolution.gap.clone(),
                round: one.round,
                what: WhatWasDone::of(placed.kind),
            });
            self.passages.extend(placed.old.map(|text| Passage {
                text,
                is_gone: placed.kind.takes_away(),
            }));
            splices.push((first + index, placed.splice));
        }
        let made: Vec<&Splice> = splices.iter().map(|(_, splice)| splice).collect();
        self.headings.spliced(&self.composed.text, &made);
        self.composed.make(&splices);
        Some(removed)
    }

    /// Takes out what the changes of a gap left of its entry, and what has nothing in it after them.
    fn sweep(&mut self, one: &Accepted, removed: &[(usize, String)]) {
        let gap = &one.resolution.gap;
        let entries = self.entries.get_or_init(|| Entries::of(self.source));
        self.held.insert(gap.clone(), one.resolution.place.line);
        let mut removed = removed;
        // An entry that goes may have been what kept another.
        loop {
            let settled = self.held.iter().map(|(gap, line)| (gap, *line)).collect();
            let (left, held) = entries.left(&self.composed, &settled);
            let is_over = left.is_empty() && removed.is_empty();
            if is_over {
                self.held.retain(|gap, _| held.contains(gap));
                return;
            }
            let first = self.steps.len();
            for Swept { gap, text } in sweep(
                &mut self.composed,
                &mut self.headings,
                gap,
                left,
                removed,
                first,
            ) {
                self.steps.push(Step {
                    gap,
                    round: one.round,
                    what: WhatWasDone::of(ChangeKind::Remove),
                });
                self.passages.push(Passage {
                    text,
                    is_gone: true,
                });
            }
            removed = &[];
        }
    }

    /// Puts texts that name no changes into their sections.
    fn insert(&mut self, accepted: &[&Accepted], placement: Placement) {
        if accepted.is_empty() {
            return;
        }
        let resolutions: Vec<Resolution> = accepted
            .iter()
            .map(|one| self.resolution_here(&one.resolution))
            .collect();
        let rounds: BTreeMap<&GapId, u32> = accepted
            .iter()
            .map(|one| (&one.resolution.gap, one.round))
            .collect();
        let document = Document::parse(&self.composed.text);
        let declared = inventory(&document).declared;
        let inserted = Fallback::splices(&document, &declared, &resolutions, placement);
        drop(document);
        let first = self.steps.len();
        let mut splices: Vec<(usize, Splice)> = Vec::new();
        for (index, one) in inserted.into_iter().enumerate() {
            self.steps.push(Step {
                round: rounds.get(&one.gap).copied().unwrap_or_default(),
                gap: one.gap,
                what: match one.is_part {
                    true => WhatWasDone::Inserted,
                    false => WhatWasDone::Pointed,
                },
            });
            splices.push((first + index, one.splice));
        }
        self.headings = Headings::default();
        self.composed.make(&splices);
        let resolutions = accepted.iter().map(|one| one.resolution.clone());
        self.inserted.extend(resolutions);
    }

    /// A resolution whose place is that of its line as the text reads now.
    fn resolution_here(&self, resolution: &Resolution) -> Resolution {
        let line = resolution.place.line;
        let line = match self.steps.is_empty() {
            true => line,
            false => line.and_then(|line| self.composed.line_now(self.source, line)),
        };
        Resolution {
            place: Place {
                line,
                ..resolution.place.clone()
            },
            ..resolution.clone()
        }
    }

    /// Holds the text against the source.
    fn check(&self) -> Result<(), SpecError> {
        if self.steps.is_empty() {
            return Ok(());
        }
        let by = settled_by(&self.inserted);
        let lines = match self.inserted.is_empty() {
            true => BTreeSet::new(),
            false => {
                let document = Document::parse(self.source);
                declaring_lines(&document, &inventory(&document).declared, &by)
            }
        };
        let settled = self.inserted.iter().map(|one| one.gap.clone()).collect();
        check(
            self.source,
            &self.composed.text,
            &Named {
                settled,
                lines,
                passages: &self.passages,
            },
        )
    }

    /// Puts in the Editor's sections that fit what is accepted; gives those.
    fn take_edits(&mut self, accepted: &[Accepted], edits: &[EditedText]) -> BTreeSet<u32> {
        let mut taken = BTreeSet::new();
        // From the beginning: a section ends where the next heading of the source is, which an edit of that one takes along.
        let mut edits: Vec<&EditedText> = edits.iter().collect();
        edits.sort_by_key(|edit| edit.section);
        for edit in edits {
            let sections = changed_sections(&self.composed, &self.steps, self.source, accepted);
            let Some(section) = fitting(sections, edit) else {
                continue;
            };
            let before = self.composed.clone();
            let range = section.range.clone();
            let old = before.text.get(range.clone()).unwrap_or("").to_owned();
            let new = section.as_written(&edit.text);
            let splice = Splice { range, text: new };
            let gap = edit.made_from.keys().next();
            let Some(gap) = gap.cloned() else { continue };
            self.steps.push(Step {
                gap,
                round: 0,
                what: WhatWasDone::Edited {
                    gaps: edit.made_from.keys().cloned().collect(),
                },
            });
            self.composed.make(&[(self.steps.len() - 1, splice)]);
            let passage = Passage {
                text: old,
                is_gone: true,
            };
            let holds = check(
                &before.text,
                &self.composed.text,
                &Named::passages(&[passage]),
            );
            match holds {
                Ok(()) => {
                    taken.insert(edit.section);
                }
                Err(_) => {
                    self.steps.pop();
                    self.composed = before;
                }
            }
        }
        taken
    }

    fn finished(self, edited: BTreeSet<u32>) -> Refined {
        let mut trace = trace_of(&self.composed, &self.steps);
        let of_others = trace.iter().flat_map(|traced| {
            let with = self.beside.iter().filter(|(_, with)| **with == traced.gap);
            with.map(|(gap, _)| Traced {
                gap: gap.clone(),
                ..traced.clone()
            })
        });
        let of_others: Vec<Traced> = of_others.collect();
        trace.extend(of_others);
        trace.sort_by(|a, b| (a.lines, &a.gap).cmp(&(b.lines, &b.gap)));
        Refined {
            text: self.composed.text.clone(),
            trace,
            displaced: self.displaced,
            beside: self.beside,
            edited,
            composed: self.composed,
            steps: self.steps,
        }
    }
}

/// Those that are settled by what they bring, and those that the changes of another gap settle, with that one.
fn by_whose_changes(accepted: &[Accepted]) -> (Vec<&Accepted>, Vec<(&Accepted, &GapId)>) {
    let (mut own, mut beside) = (Vec::new(), Vec::new());
    for one in accepted {
        let with = one.settled_with.as_ref().filter(|with| {
            let brings = |it: &Accepted| it.resolution.gap == **with && !it.changes.is_empty();
            one.changes.is_empty() && accepted.iter().any(brings)
        });
        match with {
            Some(with) => beside.push((one, with)),
            None => own.push(one),
        }
    }
    (own, beside)
}

/// The steps, from this number on, that take something away, with what they take.
pub(super) fn removals(placed: &[Placed], first: usize) -> Vec<(usize, String)> {
    let numbered = placed.iter().enumerate();
    let removing = numbered.filter(|(_, placed)| placed.kind == ChangeKind::Remove);
    removing
        .filter_map(|(index, placed)| Some((first + index, placed.old.clone()?)))
        .collect()
}

/// The title of the section that a gap belongs to.
pub(super) fn home_of(sheet: &Sheet, resolution: &Resolution) -> Option<String> {
    let document = Document::parse(sheet.text);
    let homes = Homes::of(&document, &walk(sheet.text), &inventory(&document).declared);
    let home = homes.home(&resolution.place, &resolution.description)?;
    Some(homes.sections.get(home)?.title.clone())
}
