//! Discovery: what the scan and the Analyst found joins what the source declares, what was found twice is one gap with
//! both origins, and the user sees the inventory, and may change it, before round 1.

use std::collections::{BTreeMap, BTreeSet};

use super::{Result, Turn};
use crate::termination::is_otherwise_complete;
use gapless_domain::matter::Link;
use gapless_domain::{
    Gap, GapId, NewGap, Origin, Phase, Role, RoundPhase, ScanFinding, SlotState, Wording,
};
use gapless_reading::read::{DeclaredGap, Reading};
use gapless_session::SessionEvent;

/// The document of the Analyst, in which its names for gaps hold.
const ANALYSIS: &str = "round_000/analyst.md";
/// Fewer words in common may be in two sentences.
const FEWEST_WORDS: usize = 3;

impl Turn<'_> {
    /// Takes what the scan found, unless the source declares the same there.
    pub(super) fn take_scan(&mut self, findings: &[ScanFinding]) -> Result<()> {
        let mut declared: BTreeMap<u32, Vec<GapId>> = BTreeMap::new();
        for gap in self.state.now.gaps.values() {
            for origin in &gap.origins {
                if let Origin::Source { line } = origin {
                    declared.entry(*line).or_default().push(gap.id.clone());
                }
            }
        }
        let there = |found: &ScanFinding| declared.get(&found.line).map_or(&[][..], Vec::as_slice);
        // What the author marked comes first: what else is found in the same sentence is the same matter.
        let (marks, others): (Vec<&ScanFinding>, Vec<&ScanFinding>) = findings
            .iter()
            .partition(|found| found.is_mark && !there(found).is_empty());
        for found in marks.into_iter().chain(others) {
            self.take_found(found, there(found))?;
        }
        Ok(())
    }

    /// Takes one finding; `declared` are the gaps that the source declares on its line. What both say is one gap of the higher
    /// severity, with both texts.
    fn take_found(&mut self, found: &ScanFinding, declared: &[GapId]) -> Result<()> {
        let origin = Origin::Scan {
            rule: found.rule.clone(),
            line: found.line,
            topics: found.topics.clone(),
        };
        let is_same = |gap: &Gap| {
            found.is_mark
                || gap.is_about(&found.description, Link::None)
                || is_of_one_sentence(gap, &found.description)
        };
        let same = declared.iter().find(|id| self.gap_is(id, is_same));
        if let Some(id) = same {
            let said = Wording {
                text: found.description.clone(),
                section: found.section.clone(),
            };
            self.add_origin(id, origin, Some(said));
            return self.find_graver(id, Some(found.severity), "the scan asks it anew");
        }
        let id = self.free_gap_id(&found.category)?;
        self.create(NewGap {
            section: found.section.clone(),
            ..NewGap::new(id, found.severity, found.description.clone(), origin)
        });
        Ok(())
    }

    /// Takes the Analyst's gaps. What one waits on is meant by the Analyst's own names.
    fn take_analysis(&mut self, gaps: &[DeclaredGap]) -> Result<()> {
        let mut taken: BTreeMap<&GapId, GapId> = BTreeMap::new();
        let mut created: Vec<(&DeclaredGap, GapId)> = Vec::new();
        for gap in gaps {
            let before = self.state.kept.gaps_created;
            let id = self.create_declared(gap, Origin::Analyst, ANALYSIS)?;
            if self.state.kept.gaps_created > before {
                created.push((gap, id.clone()));
            }
            taken.insert(&gap.id, id);
        }
        for (gap, id) in created {
            let meant = gap.blocked_by.iter();
            let meant: BTreeSet<GapId> = meant
                .map(|name| taken.get(name).unwrap_or(name).clone())
                .filter(|other| *other != id)
                .collect();
            if self.gap(&id)?.blocked_by != meant {
                self.set_blockers(id, meant);
            }
        }
        Ok(())
    }

    pub(super) fn discover(&mut self) -> Result<()> {
        if self.ask_about_exhausted(Role::Analyst)? {
            return Ok(());
        }
        let readings: Vec<Reading> = self
            .slots_of(Role::Analyst)
            .filter(|slot| slot.state == SlotState::Valid)
            .filter_map(|slot| slot.output.as_ref())
            .map(|output| output.reading.clone())
            .collect();
        for reading in readings {
            let Reading::Analyst(reading) = reading else {
                continue;
            };
            self.take_analysis(&reading.gaps)?;
        }
        self.enter(Phase::Inventory)?;
        self.ask(self.inventory_question()?);
        Ok(())
    }

    /// The inventory is confirmed: limits follow from its size, and the first round begins.
    pub(super) fn begin_after_inventory(&mut self) -> Result<()> {
        if !self.state.now.inventory_confirmed {
            self.ask(self.inventory_question()?);
            return Ok(());
        }
        if self.state.kept.limits.is_none() {
            self.set_first_limits();
        }
        if is_otherwise_complete(&self.state.now)
            && self.state.now.round.final_reviewed != Some(false)
        {
            self.enter_in_round(RoundPhase::Concluding)?;
            return self.begin_final_review();
        }
        self.begin_round(self.state.now.round.number + 1)
    }

    /// Sets the limits of this chapter, by what is open.
    pub(super) fn set_first_limits(&mut self) {
        let initial_gaps = self.state.now.gaps_left();
        self.session(SessionEvent::LimitsSet {
            limits: self.state.limits_for(initial_gaps),
            initial_gaps,
        });
    }
}

/// True where a gap was declared in the sentence that a finding quotes.
fn is_of_one_sentence(gap: &Gap, description: &str) -> bool {
    let Some(quoted) = quote_of(description) else {
        return false;
    };
    let also = gap.also.iter().filter_map(|also| quote_of(&also.text));
    let mut said = std::iter::once(bare(&gap.description)).chain(also);
    said.any(|other| {
        let (long, short) = match other.len() > quoted.len() {
            true => (&other, &quoted),
            false => (&quoted, &other),
        };
        short.split(' ').count() >= FEWEST_WORDS && long.contains(short.as_str())
    })
}

/// The words of the sentence that a finding quotes at its beginning.
fn quote_of(description: &str) -> Option<String> {
    let (quoted, _) = description.strip_prefix('"')?.split_once("\": ")?;
    Some(bare(quoted))
}

/// Words in small letters, with a blank between each two.
fn bare(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
