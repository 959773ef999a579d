//! The sections that an Editor smooths: those into which texts were put that name no change, or in which several changes meet.
//! What it made of one holds as long as exactly the texts that it was made from are accepted there.

use std::collections::BTreeSet;

use super::accepted::{accepted, edited_texts};
use super::changed_sections::changed_sections;
use super::refine::fold;
use super::{AssemblyError, EditedText, Fault, Given};
use gapless_domain::{FailureType, GapId, MadeFrom, Role, Texts, one_line};
use gapless_markdown::without_scripts;
use gapless_reading::validate::{GivenSection, SectionFault};
use gapless_session::State;
use gapless_session::state::Slot;

/// A section that an Editor can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editable {
    /// Names it among those of the source.
    pub name: String,
    /// The line of its heading in the source.
    pub section: u32,
    pub title: String,
    pub made_from: MadeFrom,
    given: Given,
    /// Texts of proposals that were not accepted.
    rejected: Vec<String>,
}

impl Editable {
    /// The section as it reads now.
    pub fn source(&self) -> &str {
        self.given.source()
    }

    /// What is wrong with the section as it was edited, gravest first.
    pub fn faults(&self, edited: &str) -> Vec<Fault> {
        self.given.faults(edited, &self.rejected)
    }
}

impl GivenSection for Editable {
    fn name(&self) -> &str {
        &self.name
    }

    fn gaps(&self) -> Vec<GapId> {
        self.made_from.keys().cloned().collect()
    }

    fn check(&self, edited: &str) -> Result<(), SectionFault> {
        let faults = self.faults(edited);
        let Some(first) = faults.first() else {
            return Ok(());
        };
        let kind = match first {
            Fault::Gaps { .. } | Fault::OpenGone { .. } | Fault::NotAccepted { .. } => {
                FailureType::InconsistentRefs
            }
            _ => FailureType::WrongFormat,
        };
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let missing = faults.iter().filter_map(|fault| match fault {
            Fault::Lost { what } => Some(what.clone()),
            _ => None,
        });
        Err(SectionFault {
            kind,
            message: messages.join("; "),
            wrong_gaps: self.given.strange_gaps(edited),
            missing: missing.flatten().collect(),
        })
    }
}

/// An edited text as it is kept: nothing in it runs.
pub fn kept_form(edited: &str) -> String {
    let text = without_scripts(&edited.replace("\r\n", "\n"));
    format!("{}\n", text.trim())
}

/// The sections that an Editor could be given as the session stands, in the order of the source.
pub fn editables(state: &State, texts: &dyn Texts) -> Result<Vec<Editable>, AssemblyError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(Vec::new());
    };
    let source = texts.require(&origin.source)?;
    let accepted = accepted(state, texts)?;
    let refined = fold(&source, &accepted, &[])?;
    let rejected = rejected(state, texts)?;
    let mut found: Vec<Editable> = Vec::new();
    for section in changed_sections(&refined.composed, &refined.steps, &source, &accepted) {
        let Some(given) = section.given.filter(|_| section.is_rough) else {
            continue;
        };
        let title = one_line(&section.title).replace("--", "-");
        let taken = found.iter().any(|other| other.name == title);
        found.push(Editable {
            name: match taken || title.is_empty() {
                true => format!("{title} (line {})", section.line),
                false => title,
            },
            section: section.line,
            title: section.title,
            made_from: section.made_from,
            given,
            rejected: rejected.clone(),
        });
    }
    Ok(found)
}

/// Those of the sections that no edit covers, and of which the Editor was not found wanting as they are.
pub fn to_edit(state: &State, texts: &dyn Texts) -> Result<Vec<Editable>, AssemblyError> {
    let now = &state.now;
    let covered = |editable: &Editable| {
        let edit = now.edits.get(&editable.section);
        let given_up = now.unedited.get(&editable.section);
        edit.is_some_and(|edit| edit.made_from == editable.made_from)
            || given_up.is_some_and(|made_from| *made_from == editable.made_from)
    };
    let mut sections = editables(state, texts)?;
    sections.retain(|editable| !covered(editable));
    Ok(sections)
}

/// The first of the sections that fit into so many bytes, and one at least.
pub fn that_fit(mut sections: Vec<Editable>, budget: usize) -> Vec<Editable> {
    let mut left = budget;
    let mut count = 0;
    for section in &sections {
        let size = section.given.len();
        if count > 0 && size > left {
            break;
        }
        left = left.saturating_sub(size);
        count += 1;
    }
    sections.truncate(count);
    sections
}

/// How many bytes of sections an Editor is given, its prompt being halved so often.
pub fn editor_budget(state: &State, halvings: u32) -> usize {
    let setup = &state.kept.setup;
    let budget = setup.spec_tokens(setup.agent_of(Role::Editor)) * 4;
    budget.checked_shr(halvings).unwrap_or(0)
}

/// The sections that an Editor's slot is given as the session stands.
pub fn given_to(
    slot: &Slot,
    halvings: u32,
    state: &State,
    texts: &dyn Texts,
) -> Result<Vec<Editable>, AssemblyError> {
    let mut sections = editables(state, texts)?;
    sections.retain(|section| {
        let mut gaps = section.made_from.keys();
        gaps.any(|gap| slot.gaps.contains(gap))
    });
    Ok(that_fit(sections, editor_budget(state, halvings)))
}

/// The sections, by line, that would stand edited in the refined spec with these beside those that do already.
pub fn edited_with(
    state: &State,
    texts: &dyn Texts,
    fresh: Vec<EditedText>,
) -> Result<BTreeSet<u32>, AssemblyError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(BTreeSet::new());
    };
    let source = texts.require(&origin.source)?;
    let mut edits = edited_texts(state, texts)?;
    edits.retain(|edit| fresh.iter().all(|fresh| fresh.section != edit.section));
    edits.extend(fresh);
    Ok(fold(&source, &accepted(state, texts)?, &edits)?.edited)
}

fn rejected(state: &State, texts: &dyn Texts) -> Result<Vec<String>, AssemblyError> {
    let mut rejected = Vec::new();
    for gap in state.now.gaps.values() {
        if gap.state.is_settled_by_text() {
            continue;
        }
        if let Some(proposal) = &gap.proposal {
            rejected.push(texts.require(&proposal.solution)?.to_string());
        }
    }
    Ok(rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_an_editor_wrote_runs() {
        let kept = kept_form("## A\r\n\nText <script>alert(1)</script> and `<script>` as code.\n");
        assert!(kept.contains("\\<script>alert(1)\\</script>"), "{kept}");
        assert!(kept.contains("`<script>` as code."), "{kept}");
    }
}
