//! Proposals while they are judged: whether their changes can be made in the spec that they were written for, one gap after the
//! other.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::accepted::place;
use super::changes::{Placed, Sheet};
use super::check::{Named, Passage, check};
use super::composed::{Composed, Splice};
use super::headings::Headings;
use super::refine::{home_of, removals};
use super::sweep::{Entries, sweep};
use super::{AssemblyError, Place, Refined, Resolution, accepted_so_far};
use gapless_domain::{ChangeFault, ChangeText, GapId, TextHash, Texts};
use gapless_session::State;

/// The spec that proposals are made to, with those that fitted so far.
pub struct Proposing<'s> {
    state: &'s State,
    source: std::sync::Arc<str>,
    base: Refined,
    composed: Composed,
    steps: usize,
    taken: Vec<(GapId, Vec<ChangeText>)>,
    /// The steps of each gap that was taken.
    numbers: BTreeMap<GapId, Range<usize>>,
    entries: OnceCell<Entries>,
}

/// Changes that can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// With each passage as the spec has it.
    pub changes: Vec<ChangeText>,
    /// The lines and the passages of those that quote theirs in slightly other words.
    pub near: Vec<(u32, String)>,
}

/// Changes that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unfit {
    pub faults: Vec<ChangeFault>,
    /// The proposals that changed the same passages before; without them the changes could be made.
    pub overlaps: Vec<GapId>,
}

impl<'s> Proposing<'s> {
    pub fn of(state: &'s State, texts: &dyn Texts) -> Result<Self, AssemblyError> {
        let source = match &state.kept.origin {
            Some(origin) => texts.require(&origin.source)?,
            None => "".into(),
        };
        let base = accepted_so_far(state, texts)?;
        Ok(Self {
            state,
            source,
            composed: base.composed.clone(),
            steps: base.steps.len(),
            base,
            taken: Vec::new(),
            numbers: BTreeMap::new(),
            entries: OnceCell::new(),
        })
    }

    /// The spec with the proposals that fitted so far.
    pub fn text(&self) -> &str {
        &self.composed.text
    }

    /// Where a line of that text is in the source, if it is all of the source.
    pub fn untouched_line_of(&self, line: u32) -> Option<u32> {
        let is_source = self.composed.is_source_line(line);
        is_source
            .then(|| self.composed.line_in(&self.source, line))
            .flatten()
    }

    /// The bytes that the changes of a gap wrote.
    pub fn ranges_of(&self, gap: &GapId) -> Vec<Range<usize>> {
        let Some(numbers) = self.numbers.get(gap) else {
            return Vec::new();
        };
        let steps = self.composed.steps();
        let own = steps.filter(|(number, _)| numbers.contains(number));
        own.map(|(_, range)| range).collect()
    }

    /// Makes the changes of a gap in the spec, or says why they can't be made.
    pub fn take(&mut self, gap: &GapId, changes: &[ChangeText]) -> Result<Fitted, Unfit> {
        let placed = self.placed(gap, changes)?;
        let before = self.composed.clone();
        let splices: Vec<(usize, Splice)> = placed
            .iter()
            .enumerate()
            .map(|(index, placed)| (self.steps + index, placed.splice.clone()))
            .collect();
        self.composed.make(&splices);
        let mut passages: Vec<Passage> = placed
            .iter()
            .filter_map(|placed| {
                Some(Passage {
                    text: placed.old.clone()?,
                    is_gone: placed.kind.takes_away(),
                })
            })
            .collect();
        let swept = self.sweep(gap, &placed);
        let steps = placed.len() + swept.len();
        passages.extend(swept);
        if check(
            &before.text,
            &self.composed.text,
            &Named::passages(&passages),
        )
        .is_err()
        {
            self.composed = before;
            let what = "its changes would change what comes behind them: text in a table, a list or a code block must keep its form".to_owned();
            let line = changes.first().map_or(0, |change| change.line);
            let fault = ChangeFault {
                gap: gap.clone(),
                line,
                what,
                nearest: None,
            };
            return Err(Unfit {
                faults: vec![fault],
                overlaps: Vec::new(),
            });
        }
        self.numbers
            .insert(gap.clone(), self.steps..self.steps + steps);
        self.steps += steps;
        self.taken.push((gap.clone(), changes.to_vec()));
        let near = placed.iter().filter(|placed| placed.is_near);
        let near = near.map(|placed| (placed.line, placed.old.clone().unwrap_or_default()));
        let near = near.collect();
        let changes = changes.iter().zip(placed);
        let changes = changes.map(|(change, placed)| ChangeText {
            old: placed.old,
            ..change.clone()
        });
        Ok(Fitted {
            changes: changes.collect(),
            near,
        })
    }

    /// Takes out what the changes left of the gap's entry, as it will be when they are accepted.
    fn sweep(&mut self, gap: &GapId, placed: &[Placed]) -> Vec<Passage> {
        let line = self.state.now.gaps.get(gap);
        let line = line.and_then(|gap| place(self.state, gap).line);
        let settled = [(gap, line)].into();
        let entries = self.entries.get_or_init(|| Entries::of(&self.source));
        let (left, _) = entries.left(&self.composed, &settled);
        let removed = removals(placed, self.steps);
        let first = self.steps + placed.len();
        let swept = sweep(
            &mut self.composed,
            &mut Headings::default(),
            gap,
            left,
            &removed,
            first,
        )
        .into_iter();
        let swept = swept.map(|one| Passage {
            text: one.text,
            is_gone: true,
        });
        swept.collect()
    }

    fn placed(&self, gap: &GapId, changes: &[ChangeText]) -> Result<Vec<Placed>, Unfit> {
        let home = |sheet: &Sheet, composed: &Composed| {
            let resolution = self.resolution(gap, composed)?;
            home_of(sheet, &resolution)
        };
        let sheet = Sheet::of(&self.composed.text);
        let placed = sheet.place(gap, changes, || home(&sheet, &self.composed));
        let mut faults = match placed {
            Ok(placed) => return Ok(placed),
            Err(faults) => faults,
        };
        // A passage that is there without the others' changes was changed by one of them.
        let alone = Sheet::of(&self.base.text);
        let fits_alone = alone.place(gap, changes, || home(&alone, &self.base.composed));
        if fits_alone.is_err() || self.taken.is_empty() {
            let overlaps = Vec::new();
            return Err(Unfit { faults, overlaps });
        }
        let overlaps = self.overlapping(gap, changes);
        for fault in &mut faults {
            fault.what = format!(
                "the passage that it quotes is changed by {} too. Quote another passage, or leave the change to one of the gaps",
                gapless_domain::comma_list(&overlaps)
            );
            fault.nearest = None;
        }
        Err(Unfit { faults, overlaps })
    }

    /// The proposals with any of which alone the changes can't be made; all of them where it takes several.
    fn overlapping(&self, gap: &GapId, changes: &[ChangeText]) -> Vec<GapId> {
        let base = Sheet::of(&self.base.text);
        let clashes = |other: &GapId, theirs: &[ChangeText]| {
            let Ok(placed) = base.place(other, theirs, || None) else {
                return false;
            };
            let mut composed = self.base.composed.clone();
            let splices = placed.into_iter().map(|placed| placed.splice);
            composed.make(&splices.enumerate().collect::<Vec<_>>());
            Sheet::of(&composed.text)
                .place(gap, changes, || None)
                .is_err()
        };
        let all = || self.taken.iter().map(|(other, _)| other.clone());
        let alone = self
            .taken
            .iter()
            .filter(|(other, theirs)| clashes(other, theirs));
        let alone: Vec<GapId> = alone.map(|(other, _)| other.clone()).collect();
        if alone.is_empty() {
            all().collect()
        } else {
            alone
        }
    }

    fn resolution(&self, gap: &GapId, composed: &Composed) -> Option<Resolution> {
        let gap = self.state.now.gaps.get(gap)?;
        let place = place(self.state, gap);
        let line = place
            .line
            .and_then(|line| composed.line_now(&self.source, line));
        Some(Resolution {
            gap: gap.id.clone(),
            description: gap.description.clone(),
            place: Place { line, ..place },
            heading: None,
            text: String::new(),
            hash: TextHash::of(""),
        })
    }
}
