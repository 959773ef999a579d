//! Checks that no text is lost, and what stands in prompts: bounded, and never the Engineer's prompt in the Reviewer's.

use gapless_core::text::{TextHash, Texts};
use serde_json::Value;

use super::{Checker, Verdict, ensure, number, text, violated};

/// The longest prompt: far above what ten gaps with their last proposals, the spec and the decisions can come to here.
pub const LONGEST_PROMPT: usize = 64 * 1024;

/// What the Engineer's prompt begins with.
const ENGINEER_HEADING: &str = "# Your task: Engineer";

impl Checker {
    /// Every text that a row names is in the store.
    pub(super) fn check_texts(&self, type_name: &str, body: &Value) -> Verdict {
        // That one names a file as it was found, which is not read.
        if type_name == "session.source_change_seen" {
            return Ok(());
        }
        match body {
            Value::String(word)
                if word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit()) =>
            {
                let kept = word
                    .parse::<TextHash>()
                    .ok()
                    .and_then(|hash| self.store.text(&hash));
                ensure(kept.is_some(), "texts", || {
                    format!("{type_name} names {word}, which is lost")
                })
            }
            Value::Array(items) => items
                .iter()
                .try_for_each(|item| self.check_texts(type_name, item)),
            Value::Object(fields) => fields
                .values()
                .try_for_each(|item| self.check_texts(type_name, item)),
            _ => Ok(()),
        }
    }

    pub(super) fn check_prompt(&mut self, task: &Value) -> Verdict {
        let role = text(&task["id"]["slot"], "role");
        let (epoch, round) = (self.kept.epoch, self.book.round);
        let hash = text(task, "prompt").parse::<TextHash>().ok();
        let Some(prompt) = hash.and_then(|hash| self.store.text(&hash)) else {
            return violated("texts", format!("the prompt of {} is lost", task["id"]));
        };
        ensure(
            !prompt.trim().is_empty() && prompt.len() <= LONGEST_PROMPT,
            "prompts",
            || format!("the prompt of {} has {} bytes", task["id"], prompt.len()),
        )?;
        self.kept.longest_prompt = self.kept.longest_prompt.max(prompt.len());
        for gap in super::strings(&task["gaps"]) {
            ensure(prompt.contains(&gap), "prompts", || {
                format!("the prompt of {} lacks {gap}", task["id"])
            })?;
        }
        self.check_adjustments(role, &prompt)?;
        match role {
            "engineer" => {
                self.kept
                    .engineer_prompts
                    .retain(|(of, at, _)| (*of, *at) == (epoch, round));
                self.kept
                    .engineer_prompts
                    .push((epoch, round, prompt.to_string()));
            }
            "reviewer" | "final_reviewer" => {
                let told = prompt.contains(ENGINEER_HEADING)
                    || self
                        .kept
                        .engineer_prompts
                        .iter()
                        .any(|(_, _, engineer)| prompt.contains(engineer.as_str()));
                ensure(!told, "prompts", || {
                    format!(
                        "attempt {} sees the Engineer's prompt",
                        number(&task["id"], "attempt")
                    )
                })?;
            }
            _ => {}
        }
        Ok(())
    }
}
