//! What comes of an attempt that wrote something: which of its messages is the document, whether it can be taken, and what
//! is recorded of it.

use std::collections::BTreeSet;

use super::{ChangeFaults, Result, SlotContext, Turn};
use gapless_domain::{
    Cause, Exhaustion, FailureType, FormFault, GapId, OutputNote, Role, TaskId, TextHash, Usage,
    Warning, one_line, shortened,
};
use gapless_reading::read::{DeclaredGap, Reading, ReviewerReading};
use gapless_reading::validate::{
    Checked, ValidationResult, nothing_wanted, validate, validate_cut,
};
use gapless_session::state::Slot;
use gapless_session::{TaskEvent, spending};

const EARLIER_MESSAGE_READ: &str = "EARLIER_MESSAGE_READ";
/// How much of a last message is repeated that was not read.
const LONGEST_QUOTE: usize = 160;

/// What an attempt left behind.
pub(super) struct Written {
    /// The file that was written, or else the last message.
    pub text: Option<String>,
    /// The messages before, oldest first.
    pub earlier: Vec<String>,
}

impl Written {
    pub(super) fn alone(text: String) -> Self {
        Self {
            text: Some(text),
            earlier: Vec::new(),
        }
    }

    /// The messages from one on as one document.
    fn joined(&self, from: usize) -> String {
        let messages = self.earlier.iter().chain(&self.text).skip(from);
        let messages: Vec<&str> = messages.map(|text| text.trim_matches('\n')).collect();
        messages.join("\n\n") + "\n"
    }
}

/// How much of a document came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// Its end is missing.
    Cut,
}

/// The verdict on an attempt, and the text that it is on.
struct Judged {
    checked: Checked,
    text: Option<String>,
}

impl Turn<'_> {
    pub(super) fn take_output(
        &mut self,
        task: TaskId,
        written: Written,
        notes: &[OutputNote],
        usage: Usage,
    ) -> Result<()> {
        let slot = self.running_slot(task)?;
        let within_budget = spending::spent(&self.state).is_none();
        let Judged { checked, text } = self.judge_written(slot, written, notes)?;
        let (mut result, reading) = (checked.result, checked.reading);
        let noted = notes
            .iter()
            .map(|note| Warning::new(note.code(), None, note.message().to_owned()));
        result.warnings.splice(0..0, noted);
        let had_its_retry = |cause: Cause| slot.retried_causes.contains(&cause);
        // What the user grants is one try, however many retries were left when a cause's own one ran out.
        let last_try = slot.granted > 0
            || slot.rejections >= self.state.kept.setup.config.max_retries
            || result.facts.cause.is_some_and(had_its_retry);
        let silent = match &reading {
            Some(Reading::Reviewer(reading)) if !self.was_pressed() => self.silent_on(reading),
            _ => Vec::new(),
        };
        let output = text.as_deref().map(|text| self.keep_text(text));
        match (reading, output) {
            (Some(_), Some(raw)) if !silent.is_empty() => {
                let output = self.keep_text(&checked.document.text);
                self.move_slot(TaskEvent::Pressed {
                    task,
                    output,
                    raw: (raw != output).then_some(raw),
                    gaps: silent,
                    warnings: result.warnings,
                    usage,
                })?;
            }
            (Some(reading), Some(raw)) => {
                let output = self.keep_document(checked.document);
                self.move_slot(TaskEvent::Validated {
                    task,
                    output,
                    raw: (raw != output).then_some(raw),
                    reading: reading.clone(),
                    warnings: result.warnings,
                    usage,
                })?;
                if let Reading::Engineer(reading) = reading {
                    self.take_blocked_markers(&reading.blocked)?;
                }
            }
            _ => self.reject(task, output, result, usage, last_try)?,
        }
        self.look_at_budget(within_budget);
        Ok(())
    }

    /// Reads and checks what was written for a slot.
    pub(super) fn check_output(&self, slot: &Slot, text: Option<&str>) -> Result<Checked> {
        self.check_as(slot, text, Extent::Whole)
    }

    fn check_as(&self, slot: &Slot, text: Option<&str>, extent: Extent) -> Result<Checked> {
        let role = slot.id.role;
        let layered = self.layered();
        let sections = match role {
            Role::Editor => gapless_spec::given_to(slot, slot.halvings, &self.state, &layered)?,
            _ => Vec::new(),
        };
        let ground = SlotContext {
            state: &self.state,
            slot,
            texts: &layered,
            example: self.state.kept.setup.examples.get(&role).copied(),
            sections,
            change_faults: ChangeFaults::Fail,
        };
        let mode = self.state.kept.setup.config.validation;
        Ok(match text {
            // The user took away what it was given.
            Some(text) if role == Role::Editor && ground.sections.is_empty() => {
                nothing_wanted(text)
            }
            Some(text) if extent == Extent::Cut => validate_cut(role, text, mode, &ground),
            text => validate(role, text, mode, &ground),
        })
    }

    /// True where a review of this round was asked for once more already, also in another slot.
    fn was_pressed(&self) -> bool {
        self.slots_of(Role::Reviewer)
            .any(|slot| slot.pressed.is_some())
    }

    /// The grave gaps on which a review finds nothing and doesn't say what it examined.
    fn silent_on(&self, reading: &ReviewerReading) -> Vec<GapId> {
        let raises = |gap: &GapId| {
            let mut issues = reading.issues.iter();
            issues.any(|issue| !issue.withdrawn && issue.gap.as_ref() == Some(gap))
        };
        let is_grave = |gap: &GapId| self.gap_is(gap, |gap| gap.severity.holds());
        let reviews = reading.reviews.iter();
        reviews
            .filter(|review| review.examined == 0)
            .map(|review| &review.gap)
            .filter(|gap| is_grave(gap) && !raises(gap))
            .cloned()
            .collect()
    }

    fn reject(
        &mut self,
        task: TaskId,
        output: Option<TextHash>,
        result: ValidationResult,
        usage: Usage,
        last_try: bool,
    ) -> Result<()> {
        let failure = result.failure_type.unwrap_or(FailureType::WrongFormat);
        let (message, facts, warnings) = (result.message, result.facts, result.warnings);
        self.move_slot(match last_try {
            true => TaskEvent::Exhausted {
                task,
                output,
                message,
                facts,
                warnings,
                exhaustion: Exhaustion::InvalidOutput { failure },
                usage,
            },
            false => TaskEvent::Rejected {
                task,
                output,
                failure,
                message,
                facts,
                warnings,
                usage,
            },
        })
    }

    /// Reads the last message, and where it is no valid document the messages before it.
    fn judge_written(&self, slot: &Slot, written: Written, notes: &[OutputNote]) -> Result<Judged> {
        let cut = notes.contains(&OutputNote::OutputTruncated);
        let extent = if cut { Extent::Cut } else { Extent::Whole };
        let checked = self.check_as(slot, written.text.as_deref(), extent)?;
        // What came before a document that was cut is no later version of it.
        let in_parts = !cut && !written.earlier.is_empty() && self.lacks_gaps(slot, &checked);
        if checked.result.success && in_parts {
            let last = Judged {
                checked,
                text: written.text.clone(),
            };
            return self.judge_in_parts(slot, &written, last);
        }
        if checked.result.success || cut || written.earlier.is_empty() {
            let text = written.text;
            return Ok(Judged { checked, text });
        }
        let mut newest: Option<(usize, Judged)> = None;
        for (place, text) in written.earlier.iter().enumerate().rev() {
            let checked = self.check_output(slot, Some(text))?;
            let better =
                |(_, known): &(_, Judged)| says_more(&checked.result, &known.checked.result);
            if newest.as_ref().is_none_or(better) {
                let valid = checked.result.success;
                let text = Some(text.clone());
                newest = Some((place, Judged { checked, text }));
                if valid {
                    break;
                }
            }
        }
        let all = self.judge_joined(slot, &written, 0)?;
        let Some((place, newest)) = newest.filter(|(_, newest)| !adds(&all, newest)) else {
            return Ok(all.with(all_read(written.earlier.len() + 1)));
        };
        if newest.checked.result.success {
            // What came behind a document may go on with it.
            let joined = self.judge_joined(slot, &written, place)?;
            if joined.checked.result.success && joined.says_what_is_not_in(&newest) {
                let count = written.earlier.len() + 1 - place;
                return Ok(joined.with(all_read(count)));
            }
        }
        // A later version that is wrong is no reason to take an older one: it may have taken that back.
        let is_older = newest.checked.result.success && has_form(&checked.result);
        if !is_older && says_more(&newest.checked.result, &checked.result) {
            let last = written.text.as_deref().unwrap_or_default();
            return Ok(newest.with(earlier_read(last)));
        }
        let text = written.text;
        Ok(Judged { checked, text })
    }

    fn lacks_gaps(&self, slot: &Slot, checked: &Checked) -> bool {
        let addressed = &checked.result.gaps_addressed;
        slot.gaps.iter().any(|gap| !addressed.contains(gap))
    }

    /// Reads all messages as one document where the last is valid and the ones before it are about other gaps of the task.
    fn judge_in_parts(&self, slot: &Slot, written: &Written, last: Judged) -> Result<Judged> {
        let here = &last.checked.result.gaps_addressed;
        let mut found = here.len();
        for text in &written.earlier {
            let gaps = self.check_output(slot, Some(text))?.result.gaps_addressed;
            if gaps.iter().any(|gap| here.contains(gap)) {
                return Ok(last);
            }
            found += gaps.len();
        }
        let all = self.judge_joined(slot, written, 0)?;
        let addressed = all.checked.result.gaps_addressed.len();
        if !all.checked.result.success || addressed <= here.len() || addressed != found {
            return Ok(last);
        }
        Ok(all.with(in_parts(written.earlier.len() + 1)))
    }

    /// Reads the messages from one on as one document.
    fn judge_joined(&self, slot: &Slot, written: &Written, from: usize) -> Result<Judged> {
        let joined = written.joined(from);
        Ok(Judged {
            checked: self.check_output(slot, Some(&joined))?,
            text: Some(joined),
        })
    }
}

impl Judged {
    fn with(mut self, warning: Warning) -> Self {
        self.checked.result.warnings.insert(0, warning);
        self
    }

    /// True where the document has a gap, issue, answer or blocker that another one hasn't.
    fn says_what_is_not_in(&self, other: &Self) -> bool {
        let known = other.entries();
        self.entries().iter().any(|entry| !known.contains(entry))
    }

    /// What the document says something of, each with its kind.
    fn entries(&self) -> BTreeSet<(&'static str, String)> {
        let new_gap = |gap: &DeclaredGap| ("new", gap.id.to_string());
        match &self.checked.reading {
            Some(Reading::Engineer(reading)) => {
                let gaps = reading.gaps.iter();
                let of_gaps = gaps.clone().flat_map(|bound| &bound.new_gaps);
                let new = of_gaps.chain(&reading.new_gaps).map(new_gap);
                let gaps = gaps.map(|bound| ("gap", bound.gap.to_string()));
                let responses = reading.responses.iter();
                let responses = responses.map(|it| ("answer", it.issue.to_string()));
                let disputes = reading.disagreements.iter();
                let disputes = disputes.map(|it| ("dispute", it.issue.to_string()));
                let blocked = reading.blocked.iter();
                let blocked = blocked.map(|it| ("blocked", it.gap.to_string()));
                let answers = responses.chain(disputes).chain(blocked);
                gaps.chain(new).chain(answers).collect()
            }
            Some(Reading::Reviewer(reading)) => {
                let reviews = reading.reviews.iter();
                let reviews = reviews.map(|review| ("gap", review.gap.to_string()));
                let issues = reading.issues.iter();
                let issues = issues.map(|it| ("issue", one_line(&it.concern.summary)));
                let new = reading.new_gaps.iter().map(new_gap);
                reviews.chain(issues).chain(new).collect()
            }
            Some(Reading::Analyst(reading)) => reading.gaps.iter().map(new_gap).collect(),
            Some(Reading::FinalReviewer(reading)) => {
                let blockers = reading.blockers.iter();
                blockers.map(|it| ("blocker", format!("{it:?}"))).collect()
            }
            Some(Reading::Editor(_)) | None => BTreeSet::new(),
        }
    }
}

/// True where all messages together are a document, and more of one than the newest of them.
fn adds(all: &Judged, newest: &Judged) -> bool {
    let (all, newest) = (&all.checked.result, &newest.checked.result);
    let more = all.gaps_addressed.len() > newest.gaps_addressed.len();
    all.success && (!newest.success || more)
}

/// True where one result says more of a document than another: it is valid, or has the form of one at least.
fn says_more(one: &ValidationResult, other: &ValidationResult) -> bool {
    let rank = |result: &ValidationResult| (result.success, has_form(result));
    rank(one) > rank(other)
}

/// False for what is no document of the role at all.
fn has_form(result: &ValidationResult) -> bool {
    match result.failure_type {
        Some(FailureType::FileMissing | FailureType::EmptyOutput) => false,
        Some(FailureType::WrongFormat) => {
            !matches!(result.facts.form, None | Some(FormFault::NothingBinds))
        }
        _ => true,
    }
}

fn earlier_read(last: &str) -> Warning {
    let last = shortened(&one_line(last), LONGEST_QUOTE);
    let message = format!(
        "an earlier message was read, since the last one is no document of its own: {last}"
    );
    Warning::new(EARLIER_MESSAGE_READ, None, message)
}

fn in_parts(count: usize) -> Warning {
    let message =
        format!("the last {count} messages were read as one document: each is about other gaps");
    Warning::new(EARLIER_MESSAGE_READ, None, message)
}

fn all_read(count: usize) -> Warning {
    let message = format!(
        "the last {count} messages were read as one document, since the last one is none of its own"
    );
    Warning::new(EARLIER_MESSAGE_READ, None, message)
}
