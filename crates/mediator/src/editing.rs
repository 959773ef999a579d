//! The Editor's turn before a final review: which sections it is given, and what becomes of what it made of them. It never
//! holds a session up: what it can't do well stays as it is assembled, and the record says so.

use super::{Result, Turn};
use crate::termination::is_otherwise_complete;
use gapless_domain::{Edit, Exhaustion, GapId, Phase, Role, SlotId, SlotState, TextHash};
use gapless_reading::validate::versions_of;
use gapless_session::RoundEvent;
use gapless_session::event::NotEdited;
use gapless_session::state::Slot;
use gapless_spec::{Editable, EditedText};

impl Turn<'_> {
    /// Gives the Editor the sections whose accepted parts nobody worked in yet; false where there are none, or no Editor.
    pub(super) fn begin_editing(&mut self) -> Result<bool> {
        if !self.state.kept.setup.agents.contains_key(&Role::Editor) {
            return Ok(false);
        }
        let sections = gapless_spec::to_edit(&self.state, &self.layered())?;
        let budget = gapless_spec::editor_budget(&self.state, 0);
        let sections = gapless_spec::that_fit(sections, budget);
        let gaps: Vec<GapId> = sections
            .iter()
            .flat_map(|section| section.made_from.keys().cloned())
            .collect();
        if gaps.is_empty() {
            return Ok(false);
        }
        self.open_slot(Role::Editor, gaps);
        Ok(true)
    }

    /// The Editor's slot whose outcome is still to be taken.
    pub(super) fn untaken_edits(&self) -> Option<SlotId> {
        let taken = self.state.now.round.edited;
        let newest = self.slots_of(Role::Editor).last()?.id;
        taken
            .is_none_or(|taken| newest.index > taken)
            .then_some(newest)
    }

    /// Takes what holds of what the Editor wrote, and goes on to the final review.
    pub(super) fn take_edits(&mut self, id: SlotId) -> Result<()> {
        let Some(slot) = self.slot(id).cloned() else {
            return Ok(());
        };
        if slot.state == SlotState::Exhausted && self.ask_about_broken(id) {
            return Ok(());
        }
        let outputs = self.outputs_of(&slot);
        let (mut taken, mut not_taken) = (Vec::new(), Vec::new());
        let mut editor = None;
        for section in gapless_spec::to_edit(&self.state, &self.layered())? {
            let was_given = |gap: &GapId| slot.gaps.contains(gap);
            if !section.made_from.keys().any(was_given) {
                let why = "there was no room for it beside the others".to_owned();
                not_taken.push(not_edited(&section, why, false));
                continue;
            }
            match self.best_version(&section, &outputs)? {
                Ok((output, text)) => {
                    // What stands in editor.md is the newest document that anything was taken from.
                    let newer = |known: &TextHash| {
                        let place = |hash: &TextHash| outputs.iter().position(|out| out == hash);
                        place(&output) < place(known)
                    };
                    if editor.as_ref().is_none_or(newer) {
                        editor = Some(output);
                    }
                    taken.push((section, text));
                }
                Err(fault) => {
                    let (why, lasting) = why_not(&slot, fault);
                    not_taken.push(not_edited(&section, why, lasting));
                }
            }
        }
        let holding = self.those_that_hold(&taken)?;
        let mut edits = Vec::new();
        for (section, text) in taken {
            if !holding.contains(&section.section) {
                let why = "the spec would not hold with it".to_owned();
                not_taken.push(not_edited(&section, why, true));
                continue;
            }
            edits.push(Edit {
                section: section.section,
                text: self.keep_text(&text),
                title: section.title,
                made_from: section.made_from,
            });
        }
        self.round(RoundEvent::Edited {
            slot: id,
            editor: editor.filter(|_| !edits.is_empty()),
            taken: edits,
            not_taken,
        });
        if is_otherwise_complete(&self.state.now) {
            self.open_slot(Role::FinalReviewer, Vec::new());
            return Ok(());
        }
        // What the user opened meanwhile is worked on first.
        self.enter(Phase::Round)
    }

    /// What the attempts of a slot left, newest first; of a valid one only that.
    fn outputs_of(&self, slot: &Slot) -> Vec<TextHash> {
        if let Some(output) = slot
            .output
            .as_ref()
            .filter(|_| slot.state == SlotState::Valid)
        {
            return vec![output.text];
        }
        let attempts = self.state.now.round.attempts.iter().rev();
        attempts
            .filter(|attempt| attempt.task.slot == slot.id)
            .filter_map(|attempt| attempt.finished.as_ref()?.read())
            .collect()
    }

    /// The newest faithful version of a section, with the document that it is from; else what is wrong with the newest.
    fn best_version(
        &self,
        section: &Editable,
        outputs: &[TextHash],
    ) -> Result<Result<(TextHash, String), Option<String>>> {
        let mut wrong = None;
        for output in outputs {
            for version in versions_of(&section.name, &self.text(output)?) {
                match section.faults(&version).first() {
                    None => return Ok(Ok((*output, gapless_spec::kept_form(&version)))),
                    Some(fault) if wrong.is_none() => wrong = Some(fault.to_string()),
                    Some(_) => {}
                }
            }
        }
        Ok(Err(wrong))
    }

    /// The sections, by line, with which the whole spec holds.
    fn those_that_hold(
        &self,
        taken: &[(Editable, String)],
    ) -> Result<std::collections::BTreeSet<u32>> {
        let fresh = taken.iter().map(|(section, text)| EditedText {
            section: section.section,
            text: text.clone(),
            made_from: section.made_from.clone(),
        });
        Ok(gapless_spec::edited_with(
            &self.state,
            &self.layered(),
            fresh.collect(),
        )?)
    }
}

/// Why a section was not taken, and whether asking the same again would bring nothing.
fn why_not(slot: &Slot, fault: Option<String>) -> (String, bool) {
    match (fault, slot.state, &slot.exhaustion) {
        (Some(fault), ..) => (fault, true),
        (None, SlotState::Exhausted, Some(Exhaustion::CannotRun { error })) => {
            (format!("the agent could not run: {}", error.message), false)
        }
        (None, SlotState::Skipped, _) => ("it was skipped".to_owned(), false),
        (None, ..) => ("it did not come back".to_owned(), true),
    }
}

fn not_edited(section: &Editable, why: String, lasting: bool) -> NotEdited {
    NotEdited {
        section: section.section,
        title: section.title.clone(),
        why,
        made_from: lasting.then(|| section.made_from.clone()),
    }
}
