//! What is shown while a session runs: a line for each notable event, and a live line for each running task.

use std::collections::BTreeMap;
use std::time::Duration;

use gapless_agents::Progress;
use gapless_domain::{QuestionId, Role, Task, TaskId};
use gapless_mediator::Refusal;
use gapless_runner::Reporter;
use gapless_session::{Event, State};
use gapless_store::{Edited, ProjectionError};
use indicatif::{ProgressBar, ProgressStyle};

use crate::views::events::{AskedQuestions, EventLines};
use crate::{Screen, Tone, plain};

/// Shows a session as it runs.
pub(crate) struct LiveProgress {
    screen: Screen,
    lines: EventLines,
    bars: BTreeMap<TaskId, ProgressBar>,
}

impl LiveProgress {
    pub(crate) fn new(screen: &Screen, questions: AskedQuestions) -> Self {
        Self {
            screen: screen.clone(),
            lines: EventLines::new(screen, questions),
            bars: BTreeMap::new(),
        }
    }

    fn warn(&self, text: &str) {
        let text = plain::one_line(text);
        self.screen
            .line(&self.screen.paint(Tone::Warn, format!("! {text}")));
    }
}

impl Drop for LiveProgress {
    fn drop(&mut self) {
        for bar in self.bars.values() {
            bar.finish_and_clear();
        }
    }
}

/// Says that a person's edit was kept.
pub(crate) fn edit_kept(edit: &Edited) -> String {
    format!(
        "{} was edited by hand: the edit is kept as {}, and the file is written anew",
        edit.path, edit.kept_as
    )
}

impl Reporter for LiveProgress {
    fn happened(&mut self, state: &State, events: &[Event]) {
        self.bars.retain(|id, bar| {
            let runs = state.running().any(|task| task.id == *id);
            if !runs {
                bar.finish_and_clear();
            }
            runs
        });
        for event in events {
            if let Some(line) = self.lines.line(state, event) {
                self.screen.line(&line);
            }
        }
    }

    fn started(&mut self, task: &Task) {
        if self.screen.live().is_hidden() {
            return;
        }
        let bar = self.screen.live().add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("  {spinner} {prefix} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(heading(task, self.screen.width().saturating_sub(30)));
        bar.enable_steady_tick(Duration::from_millis(120));
        self.bars.insert(task.id, bar);
    }

    fn progress(&mut self, task: TaskId, progress: Progress) {
        let Some(bar) = self.bars.get(&task) else {
            return;
        };
        let tokens = progress
            .tokens
            .map_or(String::new(), |tokens| format!(", {tokens} tokens"));
        bar.set_message(format!("{}{tokens}", bytes(progress.bytes)));
    }

    fn notice(&mut self, _task: TaskId, notice: &str) {
        self.screen
            .line(&self.screen.paint(Tone::Strong, plain::clean(notice)));
    }

    fn edit_kept(&mut self, edit: &Edited) {
        self.warn(&edit_kept(edit));
    }

    fn projection_failed(&mut self, error: &ProjectionError) {
        self.warn(&format!(
            "a document was not written: {error}; it will be on the next resume"
        ));
    }

    fn letter_dropped(&mut self, why: &str) {
        self.warn(why);
    }

    fn refused(&mut self, question: QuestionId, refusal: &Refusal) {
        self.warn(&format!(
            "the answer to {question} was not taken: {refusal}"
        ));
    }
}

fn heading(task: &Task, width: usize) -> String {
    let place = match task.id.slot.role {
        Role::Analyst => "Discovery".to_owned(),
        _ => format!("Round {}", task.id.round),
    };
    let attempt = match task.id.attempt {
        1 => String::new(),
        attempt => format!(" attempt {attempt}"),
    };
    let gaps: Vec<String> = task.gaps.iter().map(ToString::to_string).collect();
    let text = format!(
        "{place} · {}{attempt} {}",
        task.id.slot.role,
        gaps.join(" ")
    );
    plain::shortened(&text, width.max(20))
}

fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{} KiB", count / 1024),
        _ => format!("{} MiB", count / 1_048_576),
    }
}
