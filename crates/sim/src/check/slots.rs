//! Checks the life of slots from the task events: who starts when, at most one attempt at a time, and the bounds on both.

use serde_json::Value;

use super::model::Slot;
use super::slot_table::TABLE;
use super::{Checker, Entry, Verdict, Violation, ensure, list, number, strings, text, violated};

/// How many times in a row an agent may fail to run.
const EXECUTION_TRIES: i64 = 3;

/// How often a prompt that is too long is made shorter, and the longest wait that is honoured.
const HALVINGS: i64 = 4;
const LONGEST_WAIT: i64 = 600_000;

const NAME: &str = "slots";

/// Its role and index.
type SlotKey = (String, i64);

fn slot_key(slot: &Value) -> SlotKey {
    (text(slot, "role").to_owned(), number(slot, "index"))
}

/// The state that an event leads to from the slot's own.
fn next_state(key: &SlotKey, slot: &Slot, event: &str) -> Result<&'static str, Violation> {
    let from = slot.state_name();
    let mut rows = TABLE.iter();
    match rows.find(|(name, start, _)| *name == event && *start == from) {
        Some((_, _, to)) => Ok(to),
        None => violated(NAME, format!("{key:?} is {from} and was {event}")),
    }
}

/// The user grants another try, or the next agent of the fallback list gets one because the last could not run.
fn try_granted(key: &SlotKey, slot: &mut Slot, entry: &Entry) -> Verdict {
    slot.handed_on = !entry.by_user();
    // Which agent may take it is checked when the attempt starts.
    ensure(entry.by_user() || slot.could_not_run, "authority", || {
        format!("{key:?} was granted a try by nobody")
    })?;
    match slot.could_not_run {
        true => slot.restarted += 1,
        false => slot.granted += 1,
    }
    slot.gaps = strings(&entry.body["gaps"]);
    slot.execution_errors = 0;
    Ok(())
}

impl Checker {
    pub(super) fn task_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        if event == "usage_noted" {
            return self.usage_noted(entry);
        }
        let task = match event {
            "started" => &body["task"]["id"],
            _ => &body["task"],
        };
        let key = match event {
            "opened" | "woken" | "granted" | "skipped" => slot_key(&body["slot"]),
            _ => slot_key(&task["slot"]),
        };
        let mut slot = self.model.slots.get(&key).cloned().unwrap_or_default();
        let to = next_state(&key, &slot, event)?;
        let from = slot.state_name();
        let moved = format!("{event}: {from} -> {to}");
        self.coverage.reach("slot move", &moved);
        slot.state = to.to_owned();
        match event {
            "opened" => {
                slot.gaps = strings(&body["gaps"]);
                self.check_asked_again(&body["again"])?;
            }
            "started" => self.slot_started(&mut slot, task, entry)?,
            "woken" => ensure(entry.at >= slot.wake_at, NAME, || {
                format!("{key:?} was woken too early")
            })?,
            "granted" => try_granted(&key, &mut slot, entry)?,
            "skipped" => entry.needs_user(|| format!("{key:?} was skipped by nobody"))?,
            "best_taken" => {
                self.best_taken(&mut slot, task, entry)?;
                self.note_best_taken(&key.0);
            }
            _ => {
                ensure(slot.task == *task, NAME, || {
                    format!("{event} for {task}, and {} is under way", slot.task)
                })?;
                self.count_usage(entry);
                let failed = event == "failed" || body["exhaustion"]["because"] == "cannot_run";
                if body["output"].is_string() {
                    let round = number(task, "round");
                    self.kept.documents.push((entry.seq, round));
                }
                if body["output"].is_string() && !failed {
                    slot.outputs.push(task.clone());
                }
                self.slot_finished(event, &mut slot, entry)?;
                self.note_tried(event, &key.0, &slot.agent, body);
                self.check_unfinished(event, body)?;
            }
        }
        self.model.slots.insert(key, slot);
        Ok(())
    }

    /// What a call used counts, also where nothing else of it is taken; no slot moves.
    fn usage_noted(&mut self, entry: &Entry) -> Verdict {
        let task = &entry.body["task"];
        ensure(
            entry.cause == super::Cause::Task,
            NAME,
            || "usage of no call",
        )?;
        ensure(
            number(task, "epoch") <= i64::from(self.kept.epoch),
            NAME,
            || format!("usage of {task} in epoch {}", self.kept.epoch),
        )?;
        self.count_usage(entry);
        if let Some(slot) = self.model.slots.get_mut(&slot_key(&task["slot"])) {
            slot.interrupted |= slot.task == *task;
        }
        Ok(())
    }

    /// A role whose best attempt was taken has something good in this round.
    fn note_best_taken(&mut self, role: &str) {
        let round = self.model.round;
        let tried = self.model.tried.get_mut(role);
        let last = tried.and_then(|tried| tried.first_mut());
        if let Some(last) = last.filter(|last| last.round == round) {
            last.any_good = true;
        }
    }

    /// The best attempt is taken by the user, out of a slot that has nothing left to try, and binds gaps of its own.
    fn best_taken(&self, slot: &mut Slot, task: &Value, entry: &Entry) -> Verdict {
        if number(task, "attempt") == 0 {
            return ensure(self.model.forced, "authority", || {
                format!("{task} was taken from an undone round by nobody")
            });
        }
        let chosen = self.turn.answer.as_ref().is_some_and(|(question, answer)| {
            let about = &question["about"];
            about["kind"] == "escalation"
                && about["slot"] == task["slot"]
                && answer["option"] == "best"
        });
        ensure(entry.by_user() && chosen, "authority", || {
            format!("the attempt {task} was taken by nobody")
        })?;
        let written = slot.outputs.contains(task) && !slot.could_not_run;
        let reading = &entry.body["reading"];
        let bound = ["gaps", "reviews", "blocked"].map(|key| list(&reading[key]));
        let bound = bound.into_iter().flatten();
        let bound: Vec<String> = bound.map(|it| text(it, "gap").to_owned()).collect();
        let disagrees = list(&reading["disagreements"]).next().is_some();
        let own = bound.iter().any(|gap| slot.gaps.contains(gap)) || disagrees;
        slot.reading = reading.clone();
        ensure(written && own, NAME, || {
            format!("the attempt {task} of {slot:?} was taken with {bound:?}")
        })
    }

    fn slot_started(&mut self, slot: &mut Slot, task: &Value, entry: &Entry) -> Verdict {
        self.check_within_budget()?;
        let attempt = number(task, "attempt");
        ensure(attempt == slot.attempts + 1, NAME, || {
            format!("attempt {attempt} follows on {}", slot.attempts)
        })?;
        let (epoch, round) = (number(task, "epoch"), number(task, "round"));
        ensure(epoch == i64::from(self.kept.epoch), NAME, || {
            format!("{task} in epoch {}", self.kept.epoch)
        })?;
        ensure(round == i64::from(self.model.round), NAME, || {
            format!("{task} in round {}", self.model.round)
        })?;
        let most = EXECUTION_TRIES
            * (self.kept.setting("max_retries") + 1 + slot.granted + slot.restarted + slot.pressed)
            + HALVINGS;
        ensure(attempt <= most, "bounds", || {
            format!("attempt {attempt} of at most {most}")
        })?;
        let agent = text(&entry.body["task"], "agent").to_owned();
        let again = slot.handed_on && slot.had.contains(&agent);
        ensure(!again, "bounds", || {
            format!("{agent} takes over from itself or once more")
        })?;
        slot.handed_on = false;
        slot.agent.clone_from(&agent);
        slot.had.insert(agent);
        slot.attempts = attempt;
        slot.interrupted = false;
        slot.task = task.clone();
        self.check_example(&entry.body["task"]["example"], slot)?;
        self.check_prompt(&entry.body["task"])
    }

    fn slot_finished(&mut self, event: &str, slot: &mut Slot, entry: &Entry) -> Verdict {
        let body = entry.body;
        let cannot_run = body["exhaustion"]["because"] == "cannot_run";
        ensure(entry.cause == super::Cause::Task, NAME, || {
            format!("{event} without a result")
        })?;
        slot.could_not_run = cannot_run;
        match event {
            "rejected" | "exhausted" if !cannot_run => self.output_rejected(event, slot, body),
            "failed" | "exhausted" => self.attempt_failed(event, slot, entry),
            "pressed" => {
                self.check_pressed(slot, entry)?;
                slot.execution_errors = 0;
                slot.pressed += 1;
                ensure(slot.pressed == 1, "bounds", || "a review was pressed twice")
            }
            _ => self.output_validated(slot, body),
        }
    }

    /// An invalid output uses up a try; after the last one the slot is exhausted.
    fn output_rejected(&mut self, event: &str, slot: &mut Slot, body: &Value) -> Verdict {
        let tries = self.kept.setting("max_retries") + 1;
        let failure = match event {
            "rejected" => text(body, "failure"),
            _ => text(&body["exhaustion"], "failure"),
        };
        let role = text(&slot.task["slot"], "role");
        let what = format!("{role}: {failure}");
        self.coverage.reach("failure", &what);
        self.check_cause(slot, failure, &body["facts"])?;
        slot.rejections += 1;
        slot.execution_errors = 0;
        let cause = text(&body["facts"], "cause");
        let own_retry = matches!(cause, "DOMAIN_GAP" | "UNCLEAR_ASSIGNMENT");
        let reached = if own_retry { cause } else { "OUTPUT_FAILURE" };
        self.coverage.reach("cause", reached);
        // These two have one retry of their own.
        let again = own_retry && !slot.causes.insert(cause.to_owned());
        // The user grants one try, however many were left when a cause's own ran out.
        let left = slot.granted == 0 && slot.rejections < tries && !again;
        ensure(left == (event == "rejected"), "bounds", || {
            format!(
                "{event} after {} invalid outputs, with {tries} tries",
                slot.rejections
            )
        })
    }

    /// An agent that could not run is tried again after a wait; after the last try the slot is exhausted.
    fn attempt_failed(&mut self, event: &str, slot: &mut Slot, entry: &Entry) -> Verdict {
        let body = entry.body;
        let error = match slot.could_not_run {
            true => &body["exhaustion"]["error"],
            false => &body["error"],
        };
        self.coverage.reach("execution error", text(error, "kind"));
        if text(error, "kind") == "prompt_too_long" {
            return self.too_long(event, slot, entry);
        }
        slot.execution_errors += 1;
        let left = slot.execution_errors < EXECUTION_TRIES && text(error, "kind") != "refused";
        ensure(left == (event == "failed"), "bounds", || {
            format!("{event} after {} execution errors", slot.execution_errors)
        })?;
        if event != "failed" {
            return Ok(());
        }
        slot.wake_at = number(body, "wake_at");
        let wait = slot.wake_at - entry.at;
        let asked = error["retry_after_millis"].as_i64();
        let honoured = asked.is_none_or(|asked| asked.min(LONGEST_WAIT) == wait);
        ensure(wait >= 0 && honoured, NAME, || {
            format!("waits {wait} ms after {error}")
        })
    }

    fn output_validated(&mut self, slot: &mut Slot, body: &Value) -> Verdict {
        slot.execution_errors = 0;
        slot.reading = body["reading"].clone();
        self.check_not_silent(slot)?;
        self.check_not_argued_again(slot)?;
        let bound = |key: &str| list(&slot.reading[key]).next().is_some();
        if bound("blocked") && !bound("gaps") && !bound("disagreements") {
            self.coverage.reach("cause", "EXPLICIT_BLOCK");
        }
        Ok(())
    }

    /// A prompt that was too long is followed by a shorter one at once, and so often at most.
    fn too_long(&self, event: &str, slot: &mut Slot, entry: &Entry) -> Verdict {
        if event == "exhausted" {
            slot.execution_errors += 1;
            return Ok(());
        }
        let shorter = &entry.body["shorter"];
        let halvings = number(shorter, "halvings");
        let further = (slot.halvings + 1..=HALVINGS).contains(&halvings);
        let less = number(shorter, "after") < number(shorter, "before");
        slot.halvings = halvings;
        slot.wake_at = number(entry.body, "wake_at");
        ensure(
            further && less && slot.wake_at == entry.at,
            "bounds",
            || format!("a prompt that was too long is followed by {shorter}"),
        )
    }
}
