//! A recorded round: what its Engineer and its Reviewer wrote goes through the rules of a round as if an agent had just
//! given it, but that nobody is asked anything.

use crate::{Result, Turn};
use gapless_domain::{
    GapId, GapMove, GapState, IssueId, IssueState, NewGap, Origin, RecordedRound, RecordedText,
    Role, RoundPhase, Severity, SlotId, Strictness, Takeover, one_line,
};
use gapless_markdown::Document;
use gapless_reading::read::{BoundGap, Reading, read_engineer};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, salvage, validate,
};
use gapless_session::{GapEvent, Happening, Now, RoundEvent, TaskEvent};

/// What is known while a record is read: every gap of the inventory could be worked on, since nobody says who had what.
struct RecordGround<'n> {
    now: &'n Now,
}

impl ValidationContext for RecordGround<'_> {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match self.now.gaps.contains_key(gap) {
            true => GapAssignment::Assigned,
            false => GapAssignment::Unknown,
        }
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        match self.now.issues.get(issue).map(|issue| issue.state) {
            None => IssueAssignment::Unknown,
            Some(IssueState::Open | IssueState::Answered) => IssueAssignment::Due,
            Some(IssueState::Decided | IssueState::Waived) => IssueAssignment::Decided,
            Some(IssueState::Closed | IssueState::Withdrawn | IssueState::Moot) => {
                IssueAssignment::Closed
            }
        }
    }

    fn is_record(&self) -> bool {
        true
    }
}

/// An Engineer's document that can be taken, with the gaps that it binds.
struct Proposed {
    checked: Checked,
    gaps: Vec<GapId>,
}

impl Turn<'_> {
    pub(super) fn take_round(
        &mut self,
        recorded: &RecordedRound,
        takeover: &mut Takeover,
    ) -> Result<()> {
        let round = recorded.round;
        self.begin_round(round)?;
        self.take_engineers(recorded, takeover)?;
        self.take_reviewer(recorded, takeover)?;
        for summary in &recorded.summary {
            let why = "what it says of the round is not read: gapless sums the round up itself";
            takeover.leave(&summary.file, None, why);
        }
        self.round(RoundEvent::Settled {});
        self.enter_in_round(RoundPhase::Accounting)?;
        self.account()
    }

    fn take_engineers(&mut self, recorded: &RecordedRound, takeover: &mut Takeover) -> Result<()> {
        let mut proposed = Vec::new();
        let mut assigned: Vec<GapId> = Vec::new();
        for text in &recorded.engineer {
            self.make_all_unknown(recorded.round, text, takeover);
            let Some(mut checked) = self.read_recorded(Role::Engineer, text, takeover) else {
                continue;
            };
            let gaps = self.open_bound(&checked, recorded.round, text, takeover);
            if let Some(Reading::Engineer(reading)) = &mut checked.reading {
                reading.gaps.retain(|bound| gaps.contains(&bound.gap));
            }
            let fresh = gaps.iter().filter(|gap| !assigned.contains(gap));
            let fresh: Vec<GapId> = fresh.cloned().collect();
            assigned.extend(fresh);
            proposed.push(Proposed { checked, gaps });
        }
        self.round(RoundEvent::Planned {
            assigned: assigned.clone(),
            to_review: Vec::new(),
        });
        for gap in &assigned {
            self.move_gap(gap, GapMove::Assign, None)?;
        }
        self.enter_in_round(RoundPhase::Engineering)?;
        let nothing = proposed.is_empty();
        for Proposed { checked, gaps } in proposed {
            let slot = self.open_recorded(Role::Engineer, gaps);
            if let Some(Reading::Engineer(reading)) = &checked.reading {
                for marker in &reading.blocked {
                    if self.gap_is(&marker.gap, |gap| gap.state == GapState::InProgress) {
                        let reason = Some(marker.reason.as_str());
                        self.move_gap(&marker.gap, GapMove::NeedInput, reason)?;
                    }
                }
            }
            self.take_checked(slot, checked)?;
        }
        if nothing {
            self.skip_recorded(Role::Engineer)?;
        }
        self.enter_in_round(RoundPhase::Responding)?;
        let outputs = self.valid_engineers()?;
        self.note_responses(&outputs);
        let answered = self.look_at_due(&outputs)?.answered;
        self.join(&outputs)?;
        self.take_answers(&outputs, answered)?;
        // What can't be bound is kept all the same, to be read.
        if let (true, Some(text)) = (nothing, recorded.engineer.last()) {
            let engineer = self.keep_text(&text.text);
            let clashes = Vec::new();
            self.round(RoundEvent::Joined { engineer, clashes });
        }
        Ok(())
    }

    fn take_reviewer(&mut self, recorded: &RecordedRound, takeover: &mut Takeover) -> Result<()> {
        self.enter_in_round(RoundPhase::Reviewing)?;
        let checked = recorded.reviewer.split_last().and_then(|(last, earlier)| {
            for text in earlier {
                let why = format!("{} stands in its place", last.file);
                takeover.leave(&text.file, None, why);
            }
            self.read_recorded(Role::Reviewer, last, takeover)
        });
        match checked {
            Some(checked) => {
                let proposed = self.ids_where(|gap| gap.state == GapState::Proposed);
                let slot = self.open_recorded(Role::Reviewer, proposed);
                self.take_checked(slot, checked)?;
            }
            None => self.skip_recorded(Role::Reviewer)?,
        }
        self.enter_in_round(RoundPhase::Settling)?;
        if let Some((reviewer, reading)) = self.review_of_round() {
            self.round(RoundEvent::Reviewed { reviewer });
            self.take_review(&reading)?;
        } else if let Some(text) = recorded.reviewer.last() {
            let reviewer = self.keep_text(&text.text);
            self.round(RoundEvent::Reviewed { reviewer });
        }
        Ok(())
    }

    /// Reads a document as the Mediator would; what is wrong in it is left out.
    fn read_recorded(
        &self,
        role: Role,
        text: &RecordedText,
        takeover: &mut Takeover,
    ) -> Option<Checked> {
        let now = &self.state.now;
        let ground = RecordGround { now };
        let plain = match role {
            Role::Engineer => without_answered_markers(text, takeover),
            _ => text.text.clone(),
        };
        let as_written = |mut checked: Checked| {
            if checked.document.text == plain {
                checked.document.text.clone_from(&text.text);
            }
            checked
        };
        let checked = validate(role, Some(&plain), Strictness::Tolerant, &ground);
        if checked.reading.is_some() {
            return Some(as_written(checked));
        }
        let why = one_line(&checked.result.message);
        let salvaged = salvage(role, &plain, &ground).map(as_written);
        let verdict = match &salvaged {
            Some(_) => format!("what is wrong in it is left out: {why}"),
            None => format!("nothing of it binds: {why}"),
        };
        takeover.leave(&text.file, None, verdict);
        salvaged
    }

    /// Opens what a document binds, so that it can be taken: a gap that nobody knows is made, one that was closed is revised.
    fn open_bound(
        &mut self,
        checked: &Checked,
        round: u32,
        text: &RecordedText,
        takeover: &mut Takeover,
    ) -> Vec<GapId> {
        let Some(Reading::Engineer(reading)) = &checked.reading else {
            return Vec::new();
        };
        let mut gaps: Vec<GapId> = Vec::new();
        for bound in &reading.gaps {
            if gaps.contains(&bound.gap) {
                continue;
            }
            let known = self.state.now.gaps.get(&bound.gap).map(|gap| gap.state);
            match known {
                None if self.state.kept.used_gap_ids.contains(&bound.gap) => {
                    let why = format!("{} was given to something else", bound.gap);
                    takeover.leave(&text.file, bound.line, why);
                    continue;
                }
                None => self.make_unknown(bound, &checked.document.text, round, text, takeover),
                Some(GapState::Open | GapState::NeedsRevision) => {}
                Some(from) => {
                    let to = match from {
                        GapState::Proposed | GapState::Accepted | GapState::Resolved => {
                            GapState::NeedsRevision
                        }
                        _ => GapState::Open,
                    };
                    self.emit(Happening::Gap(GapEvent::Recorded {
                        id: bound.gap.clone(),
                        from,
                        to,
                        because: format!("{} works on it again", text.file),
                    }));
                }
            }
            gaps.push(bound.gap.clone());
        }
        gaps
    }

    /// Makes a gap of a section for one that no inventory has.
    fn make_unknown(
        &mut self,
        bound: &BoundGap,
        document: &str,
        round: u32,
        text: &RecordedText,
        takeover: &mut Takeover,
    ) {
        let origin = Origin::Engineer { round, gap: None };
        let line = (bound.line as usize).saturating_sub(1);
        let heading = document.lines().nth(line).unwrap_or_default();
        let title = described(heading, &bound.gap);
        let gap = &bound.gap;
        self.create(NewGap::new(gap.clone(), Severity::Medium, title, origin));
        let why = format!("{gap} is in no inventory: taken as a new gap with severity MEDIUM");
        takeover.assume(&text.file, bound.line, why);
    }

    /// Makes the gaps of a document that is on nothing but gaps that no inventory has.
    fn make_all_unknown(&mut self, round: u32, text: &RecordedText, takeover: &mut Takeover) {
        let ground = RecordGround {
            now: &self.state.now,
        };
        let checked = validate(
            Role::Engineer,
            Some(&text.text),
            Strictness::Tolerant,
            &ground,
        );
        if checked.reading.is_some() || salvage(Role::Engineer, &text.text, &ground).is_some() {
            return;
        }
        // As it stands: what is in fences may be an example.
        let reading = read_engineer(&Document::parse(&text.text), Strictness::Tolerant);
        for bound in &reading.gaps {
            if !self.state.kept.used_gap_ids.contains(&bound.gap) {
                self.make_unknown(bound, &text.text, round, text, takeover);
            }
        }
    }

    fn open_recorded(&mut self, role: Role, gaps: Vec<GapId>) -> SlotId {
        self.open_slot(role, gaps);
        let slots = self.slots_of(role).map(|slot| slot.id);
        slots.last().unwrap_or(SlotId::new(role, 0))
    }

    fn take_checked(&mut self, slot: SlotId, checked: Checked) -> Result<()> {
        let Some(reading) = checked.reading else {
            return Ok(());
        };
        let output = self.keep_text(&checked.document.text);
        self.move_slot(TaskEvent::BestTaken {
            task: self.task_id(slot, 0),
            output,
            reading,
            warnings: checked.result.warnings,
        })
    }

    fn skip_recorded(&mut self, role: Role) -> Result<()> {
        let slot = self.open_recorded(role, Vec::new());
        self.skip_slot(slot)
    }
}

fn described(heading: &str, gap: &GapId) -> String {
    let text = heading
        .trim_start_matches('#')
        .replace(&gap.to_string(), "");
    let text = text.trim().trim_start_matches("Gap Resolution:");
    let text = text.trim_matches([':', '-', '–', '—', ' ', '(', ')', '*']);
    match text.is_empty() {
        true => format!("{gap}, which the record doesn't describe"),
        false => one_line(text),
    }
}

/// Blanks markers out that a section of the same document answers: a record has what came later in the same file. Places stay.
fn without_answered_markers(text: &RecordedText, takeover: &mut Takeover) -> String {
    let document = Document::parse(&text.text);
    let reading = read_engineer(&document, Strictness::Tolerant);
    let mut plain = text.text.clone();
    for marker in &reading.blocked {
        if !reading.gaps.iter().any(|bound| bound.gap == marker.gap) {
            continue;
        }
        let before = (marker.line as usize).saturating_sub(1);
        let lines = plain.split_inclusive('\n');
        let start: usize = lines.take(before).map(str::len).sum();
        let length = plain[start..].find('\n').unwrap_or(plain.len() - start);
        plain.replace_range(start..start + length, &" ".repeat(length));
        let why = format!(
            "{} is marked as blocked and has a section: the section counts",
            marker.gap
        );
        takeover.assume(&text.file, marker.line, why);
    }
    plain
}
