//! The prompts: which facts go into each, and their budgets. They carry deltas, not histories: a prompt of round 30
//! is no longer than that of round 3. The words are template files, which a workspace may override by name.

mod decisions;
mod material;
mod rendering;
mod retry;
mod roles;
mod sections;
mod templates;
mod views;

use serde_json::{Value, json};

use gapless_domain::{AskAgain, ExampleUse, Role, comma_list, one_line, shortened};
use gapless_session::state::Slot;

pub use rendering::{PromptError, Prompts, check_template, estimated_tokens};
pub use templates::TEMPLATES;

/// A prompt, and the example that it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub text: String,
    pub example: Option<ExampleUse>,
}

/// How many bytes of one earlier text go into a prompt.
const LONGEST_QUOTE: usize = 24_000;

impl Prompts<'_> {
    /// The prompt for the next attempt of a slot. What is to be judged is never cut, only what is beside it.
    pub fn for_slot(&self, slot: &Slot, output_path: &str) -> Result<Prompt, PromptError> {
        let prompt = self.whole(slot, output_path)?;
        if self.halvings == 0 {
            return Ok(prompt);
        }
        let facts = json!({ "part": 1_u64 << self.halvings.min(63) });
        Ok(Prompt {
            text: self.render_around("shortened", facts, &[("task", &prompt.text)])?,
            ..prompt
        })
    }

    fn whole(&self, slot: &Slot, output_path: &str) -> Result<Prompt, PromptError> {
        let task = self.task(slot, output_path)?;
        let task = match &slot.again {
            Some(again) => self.ask_again(again, task)?,
            None => task,
        };
        let task = match &slot.pressed {
            None => task,
            Some(gaps) => {
                self.render_around("press", json!({ "gaps": gaps }), &[("task", &task)])?
            }
        };
        match &slot.last_failure {
            None if slot.pressed.is_some() => Ok(Prompt {
                text: self.closed(slot, task),
                example: None,
            }),
            None => self.first(slot, task),
            Some(last) => self.retry(slot, last, output_path, task),
        }
    }

    /// The task, and before it what an Engineer is asked again in the same round.
    fn ask_again(&self, again: &AskAgain, task: String) -> Result<String, PromptError> {
        let issues: Vec<Value> = again
            .issues
            .iter()
            .filter_map(|id| self.state.now.issues.get(id))
            .map(|issue| {
                json!({
                "id": issue.id.to_string(),
                "severity": issue.concern.severity.name(),
                "gap": issue.gap,
                "summary": one_line(&issue.concern.summary),
                "suggestion": issue.concern.suggestion.as_deref().map(one_line),
                "decided": self.owed_on(&issue.id),
                })
            })
            .collect();
        let document = self.text(&again.document)?;
        self.render_around(
            "ask_again",
            json!({
            "kind": again.kind,
            "issues": issues,
            "document": shortened(document.trim(), self.within(LONGEST_QUOTE)),
            }),
            &[("task", &task)],
        )
    }

    /// A first prompt: the task, and an example of what is asked for.
    fn first(&self, slot: &Slot, task: String) -> Result<Prompt, PromptError> {
        let (block, example) = self.example(slot, None)?.unzip();
        let text = match block {
            None => task,
            Some(block) => format!("{}\n\n{}", task.trim_end(), block.trim_end()),
        };
        Ok(Prompt {
            text: self.closed(slot, text),
            example,
        })
    }

    /// A prompt with what is to be written as its last words, since these are what a model goes by most.
    fn closed(&self, slot: &Slot, text: String) -> String {
        let gaps = comma_list(&slot.gaps);
        // A weak model ends after the first part unless it is told how many there are.
        let parts = match slot.gaps.len() {
            1 => format!("for {gaps}"),
            several => format!("with all {several} parts: {gaps}"),
        };
        let close = match slot.id.role {
            Role::Engineer => format!("Now write the document {parts}."),
            Role::Reviewer => format!("Now write the review {parts}."),
            Role::Analyst => "Now write the list of gaps.".to_owned(),
            Role::Editor => "Now write the sections.".to_owned(),
            Role::FinalReviewer => "Now write the final review.".to_owned(),
        };
        format!("{}\n\n{close}\n", text.trim_end())
    }
}
