//! The changes of proposals, held against the spec that they were written for: whether they can be made, what they leave of the
//! passage that opened their gap, and how they are recorded.

use super::left_in_spec::{Kinds, Left, SpecRead, left_by};
use super::{Result, Turn};
use gapless_domain::{
    Cause, ChangeFault, ChangeText, GapId, SpecChange, Texts, Warning, one_line, shortened,
};
use gapless_reading::read::BoundGap;
use gapless_reading::validate::{ChangeVerdict, ProposedChanges};
use gapless_session::State;
use gapless_session::state::Slot;
use gapless_spec::{AssemblyError, Proposing, Unfit};

const NEAR_PASSAGE: &str = "NEAR_PASSAGE";
const CHANGES_LEFT_OUT: &str = "CHANGES_LEFT_OUT";
/// How much of a passage is repeated in a warning.
const LONGEST_QUOTED: usize = 120;

/// Judges the changes of a document's sections, each on top of those before it.
pub(super) fn verdict(
    state: &State,
    texts: &dyn Texts,
    slot: &Slot,
    proposed: &[ProposedChanges],
) -> Result<ChangeVerdict, AssemblyError> {
    let mut verdict = ChangeVerdict::default();
    let with_changes = proposed.iter().filter(|one| !one.changes.is_empty());
    let with_changes: Vec<&ProposedChanges> = with_changes.collect();
    let is_made = |gap: &GapId| {
        let known = state.now.gaps.get(gap);
        with_changes.iter().any(|one| one.gap == *gap)
            || known.is_some_and(|gap| gap.state.is_settled_by_text() && gap.has_changes())
    };
    let settled_too: Vec<&ProposedChanges> = proposed
        .iter()
        .filter(|one| one.settled_with.as_ref().is_some_and(is_made))
        .collect();
    if with_changes.is_empty() && settled_too.is_empty() {
        return Ok(verdict);
    }
    let mut proposing = Proposing::of(state, texts)?;
    for one in &with_changes {
        match proposing.take(&one.gap, &one.changes) {
            Ok(fitted) => verdict.warnings.extend(fitted.near.iter().map(nearly)),
            Err(unfit) => verdict.faults.extend(unfit.faults),
        }
    }
    if verdict.faults.is_empty() && !slot.retried_causes.contains(&Cause::PassageStands) {
        let gaps = with_changes.iter().chain(&settled_too);
        let gaps: Vec<GapId> = gaps.map(|one| one.gap.clone()).collect();
        let read = SpecRead {
            text: proposing.text(),
            in_source: &|line| proposing.untouched_line_of(line),
            written_by: &|gap| proposing.ranges_of(gap),
        };
        let left = left_by(state, &gaps, &read, Kinds::Words);
        verdict.standing.extend(left.into_iter().map(standing));
    }
    Ok(verdict)
}

fn nearly((line, passage): &(u32, String)) -> Warning {
    let passage = shortened(&one_line(passage), LONGEST_QUOTED);
    let message =
        format!("the change quotes a passage in other words; this one was taken: {passage}");
    Warning::new(NEAR_PASSAGE, Some(*line), message)
}

fn standing(left: Left) -> ChangeFault {
    ChangeFault {
        gap: left.gap,
        line: 0,
        what: match left.is_new {
            true => "the text that the changes bring leaves this open".to_owned(),
            false => "this passage opened the gap, and the changes leave it as it is".to_owned(),
        },
        nearest: Some(left.passage),
    }
}

/// What is said where a change can't be made and its document is taken all the same.
pub(super) fn left_out(fault: &ChangeFault) -> Warning {
    let message = format!(
        "the changes of {} can't be made ({}); what it proposes goes into the spec as a part of its own",
        fault.gap, fault.what
    );
    Warning::new(
        CHANGES_LEFT_OUT,
        Some(fault.line).filter(|line| *line > 0),
        message,
    )
}

impl Turn<'_> {
    /// The changes of a proposal as they are recorded: each passage as the spec has it. Where another proposal of the round
    /// changes the same passage, they are kept as they are written, and asked for anew once the other is accepted. Changes that
    /// can't be made at all are dropped: the proposal goes into the spec as a part of its own.
    pub(super) fn recorded_changes(
        &mut self,
        bound: &BoundGap,
        proposing: &mut Proposing,
    ) -> Vec<SpecChange> {
        let written = bound.changes.iter().map(|change| change.texts());
        let written: Vec<ChangeText> = written.collect();
        if written.is_empty() {
            return Vec::new();
        }
        let changes = match proposing.take(&bound.gap, &written) {
            Ok(fitted) => fitted.changes,
            Err(Unfit { overlaps, .. }) if !overlaps.is_empty() => written,
            Err(_) => Vec::new(),
        };
        let changes = changes.into_iter().map(|change| SpecChange {
            kind: change.kind,
            section: change.section,
            after: change.after,
            old: change.old.map(|old| self.keep_text(&old)),
            new: change.new.map(|new| self.keep_text(&new)),
        });
        changes.collect()
    }
}
