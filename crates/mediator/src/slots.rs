//! The running of slots: starting attempts, retrying, backing off, giving up.

use super::outputs::Written;
use super::{Refusal, Result, Turn};
use crate::prompts::{Prompt, Prompts};
use gapless_domain::config::{
    EXECUTION_BACKOFF_SECONDS, EXECUTION_TRIES, LONGEST_RETRY_AFTER_SECONDS, MOST_HALVINGS,
};
use gapless_domain::slot::step;
use gapless_domain::task::InputFile;
use gapless_domain::{
    AskAgain, ExecutionError, ExecutionErrorKind, Exhaustion, FailureFacts, GapId, GapMove,
    GapState, IssueId, OutputNote, Role, ShorterPrompt, SlotId, SlotState, Task, TaskId,
    TaskLimits, TextHash, Unfinished, Usage,
};
use gapless_reading::read::Reading;
use gapless_reading::validate::{NotWhole, why_not_whole};
use gapless_session::state::{Slot, document_path};
use gapless_session::{Happening, SessionEvent, TaskEvent, spending};

impl Turn<'_> {
    /// Emits what moves a slot, if the slot's table has that move.
    pub(super) fn move_slot(&mut self, event: TaskEvent) -> Result<()> {
        if let Some((id, by)) = event.slot_move() {
            let state = self.slot(id).map_or(SlotState::Skipped, |slot| slot.state);
            step(state, by)?;
        }
        self.emit(Happening::Task(event));
        Ok(())
    }

    pub(super) fn open_slot(&mut self, role: Role, gaps: Vec<GapId>) {
        self.open_slot_for(role, gaps, None, None, None);
    }

    /// Gives up a slot that has nothing left to try for another one, whose attempts know nothing of those before.
    pub(super) fn open_slot_instead(
        &mut self,
        slot: SlotId,
        gaps: Vec<GapId>,
        agent: Option<String>,
    ) -> Result<()> {
        self.skip_slot(slot)?;
        self.open_slot_for(slot.role, gaps, agent, None, Some(slot));
        Ok(())
    }

    /// Opens a slot that another than the role's agent works in, that asks again, or that takes the place of another one.
    pub(super) fn open_slot_for(
        &mut self,
        role: Role,
        gaps: Vec<GapId>,
        agent: Option<String>,
        again: Option<AskAgain>,
        instead_of: Option<SlotId>,
    ) {
        let slots = self.state.now.round.slots.keys();
        let taken = slots.filter(|slot| slot.role == role);
        let index = taken.map(|slot| slot.index + 1).max().unwrap_or(0);
        self.emit(Happening::Task(TaskEvent::Opened {
            slot: SlotId::new(role, index),
            gaps,
            agent,
            again,
            instead_of,
        }));
    }

    pub(super) fn slots_of(&self, role: Role) -> impl Iterator<Item = &Slot> {
        let slots = self.state.now.round.slots.values();
        slots.filter(move |slot| slot.id.role == role)
    }

    pub(super) fn slot(&self, id: SlotId) -> Option<&Slot> {
        self.state.now.round.slots.get(&id)
    }

    /// Names an attempt of a slot of this round.
    pub(super) fn task_id(&self, slot: SlotId, attempt: u32) -> TaskId {
        TaskId {
            epoch: self.state.kept.epoch,
            round: self.state.now.round.number,
            slot,
            attempt,
        }
    }

    pub(super) fn wake_due_slots(&mut self) -> Result<()> {
        let slots = self.state.now.round.slots.values();
        let due: Vec<SlotId> = slots
            .filter(|slot| slot.wake_at.is_some_and(|wake_at| wake_at <= self.at))
            .map(|slot| slot.id)
            .collect();
        for slot in due {
            self.move_slot(TaskEvent::Woken { slot })?;
        }
        Ok(())
    }

    /// Starts every slot that is ready; true where there was one.
    pub(super) fn start_ready_slots(&mut self) -> Result<bool> {
        if spending::spent(&self.state).is_some() {
            return Ok(false);
        }
        let slots = self.state.now.round.slots.values();
        let ready: Vec<SlotId> = slots
            .filter(|slot| slot.state == SlotState::Ready)
            .map(|slot| slot.id)
            .collect();
        for slot in &ready {
            self.start_slot(*slot)?;
        }
        Ok(!ready.is_empty())
    }

    fn start_slot(&mut self, id: SlotId) -> Result<()> {
        let Some(slot) = self.slot(id) else {
            return Ok(());
        };
        let round = self.state.now.round.number;
        let output_path = document_path(id.role, round);
        let layered = self.layered();
        let task = self.task_id(id, slot.attempts + 1);
        let prompts = Prompts::new(&self.state, &layered, &task, slot.halvings);
        let Prompt { text, example } = prompts.for_slot(slot, &output_path)?;
        let gaps = match id.role {
            // What was cut to fit is not of this attempt.
            Role::Editor => gapless_spec::given_to(slot, slot.halvings, &self.state, &layered)?
                .iter()
                .flat_map(|section| section.made_from.keys().cloned())
                .collect(),
            _ => slot.gaps.clone(),
        };
        let config = &self.state.kept.setup.config;
        let limits = TaskLimits {
            idle_timeout_millis: config.idle_timeout_seconds * 1000,
            hard_timeout_millis: config.hard_timeout_seconds * 1000,
            output_bytes: config.output_limit_bytes,
        };
        let inputs = self.state.kept.origin.iter().map(|origin| InputFile {
            name: "source.md".to_owned(),
            text: origin.source,
        });
        let task = Task {
            id: task,
            agent: match &slot.agent {
                Some(agent) => agent.clone(),
                None => self.agent_for(id.role),
            },
            gaps,
            inputs: inputs.collect(),
            output_path,
            // A review is of documents: what the code does is for who proposes to say.
            repo: match id.role {
                Role::Engineer | Role::Analyst => self.state.kept.setup.repo.clone(),
                Role::Reviewer | Role::Editor | Role::FinalReviewer => None,
            },
            limits,
            halvings: slot.halvings,
            prompt: self.keep_text(&text),
            example,
        };
        self.move_slot(TaskEvent::Started { task })
    }

    /// The agent of a role; the final review is the Reviewer's, discovery the Engineer's, where nothing else is named.
    pub(super) fn agent_for(&self, role: Role) -> String {
        self.state.kept.setup.agent_of(role).to_owned()
    }

    /// The slot that this task is under way in; any other result is refused.
    pub(super) fn running_slot(&self, task: TaskId) -> Result<&Slot> {
        let slot = self.slot(task.slot).ok_or(Refusal::StaleTask(task))?;
        let current = slot.task.as_ref().map(|running| running.id);
        if slot.state != SlotState::Running || current != Some(task) {
            return Err(Refusal::StaleTask(task));
        }
        Ok(slot)
    }

    /// Notes the moment in which a budget was used up.
    pub(super) fn look_at_budget(&mut self, was_within: bool) {
        if was_within && let Some(spent) = spending::spent(&self.state) {
            self.session(SessionEvent::BudgetReached { spent });
        }
    }

    /// Takes what a call used whose result is not taken: it counts in every budget all the same, also after the end.
    pub(super) fn note_usage(&mut self, task: TaskId, usage: Usage) -> Result<()> {
        if task.epoch > self.state.kept.epoch {
            return Err(Refusal::StaleTask(task));
        }
        if usage.is_nothing() {
            return Ok(());
        }
        let within_budget = spending::spent(&self.state).is_none();
        self.emit(Happening::Task(TaskEvent::UsageNoted { task, usage }));
        if self.state.kept.ended.is_none() {
            self.look_at_budget(within_budget);
        }
        Ok(())
    }

    pub(super) fn take_failure(
        &mut self,
        task: TaskId,
        mut error: ExecutionError,
        unfinished: Option<Unfinished>,
        usage: Usage,
    ) -> Result<()> {
        let slot = self.running_slot(task)?;
        let unfinished = unfinished.filter(|left| !left.text.trim().is_empty());
        let mut output = None;
        if let Some(unfinished) = unfinished {
            let torn = match error.kind.is_timeout() {
                true => self.why_not_whole(slot, &unfinished)?,
                false => None,
            };
            if error.kind.is_timeout() && torn.is_none() {
                let mut notes = unfinished.notes;
                notes.push(OutputNote::TimedOutDocument);
                return self.take_output(task, Written::alone(unfinished.text), &notes, usage);
            }
            error.message += &match torn {
                Some(why) => format!(" (what it had written is kept, but was not read: {why})"),
                None => " (what it had written is kept, but was not read)".to_owned(),
            };
            output = Some(self.keep_text(&unfinished.text));
        }
        let slot = self.running_slot(task)?;
        let errors = slot.execution_errors + 1;
        let shorter = match error.kind {
            ExecutionErrorKind::PromptTooLong => self.shorter_prompt(slot)?,
            _ => None,
        };
        let nothing_left = match error.kind {
            ExecutionErrorKind::PromptTooLong => shorter.is_none(),
            ExecutionErrorKind::Refused => true,
            _ => errors >= EXECUTION_TRIES,
        };
        let within_budget = spending::spent(&self.state).is_none();
        if nothing_left {
            self.move_slot(TaskEvent::Exhausted {
                task,
                output,
                message: error.message.clone(),
                facts: FailureFacts::default(),
                warnings: Vec::new(),
                exhaustion: Exhaustion::CannotRun { error },
                usage,
            })?;
            self.look_at_budget(within_budget);
            return self.hand_on(task.slot);
        }
        let wait = match (shorter, error.retry_after_millis) {
            (Some(_), _) => 0,
            (None, Some(asked)) => asked.min(LONGEST_RETRY_AFTER_SECONDS * 1000),
            (None, None) => self.backoff_millis(task, errors),
        };
        self.move_slot(TaskEvent::Failed {
            task,
            error,
            wake_at: self.at.plus_millis(wait),
            shorter,
            output,
            usage,
        })?;
        self.look_at_budget(within_budget);
        Ok(())
    }

    /// Why what a timed-out agent had written for a slot can't be read like any document of its role.
    fn why_not_whole(&self, slot: &Slot, unfinished: &Unfinished) -> Result<Option<NotWhole>> {
        let checked = self.check_output(slot, Some(&unfinished.text))?;
        let idle_timeout = slot
            .task
            .as_ref()
            .map_or(u64::MAX, |task| task.limits.idle_timeout_millis);
        let state = match slot.id.role {
            Role::Engineer => GapState::InProgress,
            Role::Reviewer => GapState::Proposed,
            Role::Analyst | Role::Editor | Role::FinalReviewer => {
                return Ok(why_not_whole(unfinished, &checked, &[], idle_timeout));
            }
        };
        let disagreed: Vec<IssueId> = match &checked.reading {
            Some(Reading::Engineer(reading)) => {
                reading.disagreements.iter().map(|it| it.issue).collect()
            }
            _ => Vec::new(),
        };
        let wanted: Vec<GapId> = slot
            .gaps
            .iter()
            .filter_map(|id| self.state.now.gaps.get(id))
            .filter(|gap| gap.state == state)
            // A gap is addressed by a DISAGREE on an issue of its own.
            .filter(|gap| !disagreed.iter().any(|it| gap.standing_issues.contains(it)))
            .map(|gap| gap.id.clone())
            .collect();
        Ok(why_not_whole(unfinished, &checked, &wanted, idle_timeout))
    }

    /// The longest prompt of a slot that is shorter than its last one; `None` where nothing can be cut further.
    fn shorter_prompt(&self, slot: &Slot) -> Result<Option<ShorterPrompt>> {
        let layered = self.layered();
        let path = document_path(slot.id.role, self.state.now.round.number);
        let task = self.task_id(slot.id, slot.attempts + 1);
        let length = |halvings| {
            let prompts = Prompts::new(&self.state, &layered, &task, halvings);
            let prompt = prompts.for_slot(slot, &path)?;
            Ok::<u64, Refusal>(prompt.text.len() as u64)
        };
        let before = length(slot.halvings)?;
        for halvings in slot.halvings + 1..=MOST_HALVINGS {
            let after = length(halvings)?;
            if after < before {
                return Ok(Some(ShorterPrompt {
                    halvings,
                    before,
                    after,
                }));
            }
        }
        Ok(None)
    }

    /// The wait after an execution error, up to a tenth longer so that parallel tasks don't come back at once. The
    /// spread is a hash of seed, task and attempt: the same session waits the same.
    fn backoff_millis(&self, task: TaskId, errors: u32) -> u64 {
        let index = (errors as usize)
            .saturating_sub(1)
            .min(EXECUTION_BACKOFF_SECONDS.len() - 1);
        let wait = EXECUTION_BACKOFF_SECONDS[index] * 1000;
        let origin = self.state.kept.origin.as_ref();
        let seed = origin.map_or(0, |origin| origin.seed);
        let spread = TextHash::of(&format!("{seed} {task}")).seed() % (wait / 10 + 1);
        wait + spread
    }

    pub(super) fn skip_slot(&mut self, slot: SlotId) -> Result<()> {
        self.move_slot(TaskEvent::Skipped { slot })
    }

    pub(super) fn grant(
        &mut self,
        slot: SlotId,
        context: Option<String>,
        gaps: Vec<GapId>,
    ) -> Result<()> {
        self.move_slot(TaskEvent::Granted {
            slot,
            context,
            gaps,
        })
    }

    pub(super) fn take_blocked_markers(
        &mut self,
        markers: &[gapless_reading::read::BlockedMarker],
    ) -> Result<()> {
        for marker in markers {
            if self.gap(&marker.gap)?.state != GapState::InProgress {
                continue;
            }
            let reason = match marker.reason.as_str() {
                "" => "no reason was given",
                reason => reason,
            };
            self.move_gap(&marker.gap, GapMove::NeedInput, Some(reason))?;
            self.ask(self.blocked_gap_question(&marker.gap, reason)?);
        }
        Ok(())
    }
}
