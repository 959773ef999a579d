//! Checks that no text is lost, that prompts are bounded, and that the Reviewer's never contains the Engineer's.

use std::sync::Arc;

use gapless_domain::{TextHash, Texts};
use serde_json::Value;

use super::{Checker, Verdict, ensure, list, number, strings, text, violated};

/// The longest prompt: far above what ten gaps with their last proposals, the spec and the decisions can come to here.
const LONGEST_PROMPT: usize = 64 * 1024;

/// What a shortened text may have beside its budget.
const SAID_OF_SHORTENING: usize = 48;

/// What the Engineer's prompt begins with.
const ENGINEER_HEADING: &str = "# Your task: Engineer";

impl Checker {
    /// Every text that a row names is in the store.
    pub(super) fn check_texts(&self, type_name: &str, body: &Value) -> Verdict {
        // These name a file as it was found or written, or what would be written, which is not read.
        let of_files = [
            "session.source_change_seen",
            "session.spec_written",
            "session.reopened",
        ];
        if of_files.contains(&type_name) {
            return Ok(());
        }
        match body {
            Value::String(word)
                if word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit()) =>
            {
                ensure(self.text_of(word).is_some(), "texts", || {
                    format!("{type_name} names {word}, which is lost")
                })
            }
            Value::Array(items) => {
                let mut items = items.iter();
                items.try_for_each(|item| self.check_texts(type_name, item))
            }
            Value::Object(fields) => {
                let mut fields = fields.values();
                fields.try_for_each(|item| self.check_texts(type_name, item))
            }
            _ => Ok(()),
        }
    }

    /// The text with this hash.
    pub(super) fn text_of(&self, hash: &str) -> Option<Arc<str>> {
        self.store.text(&hash.parse::<TextHash>().ok()?)
    }

    pub(super) fn check_prompt(&mut self, task: &Value) -> Verdict {
        let role = text(&task["id"]["slot"], "role");
        let (epoch, round) = (self.kept.epoch, self.model.round);
        let Some(prompt) = self.text_of(text(task, "prompt")) else {
            return violated("texts", format!("the prompt of {} is lost", task["id"]));
        };
        ensure(
            !prompt.trim().is_empty() && prompt.len() <= LONGEST_PROMPT,
            "prompts",
            || format!("the prompt of {} has {} bytes", task["id"], prompt.len()),
        )?;
        self.kept.longest_prompt = self.kept.longest_prompt.max(prompt.len());
        // An Editor is not told of gaps.
        let gaps = strings(&task["gaps"])
            .into_iter()
            .filter(|_| role != "editor");
        for gap in gaps {
            ensure(prompt.contains(&gap), "prompts", || {
                format!("the prompt of {} lacks {gap}", task["id"])
            })?;
        }
        self.check_adjustments(role, &prompt)?;
        self.check_budgets_of(task, &prompt)?;
        self.check_decisions_told(task, &prompt)?;
        match role {
            "engineer" => {
                let prompts = &mut self.kept.engineer_prompts;
                prompts.retain(|(of, at, _)| (*of, *at) == (epoch, round));
                prompts.push((epoch, round, prompt.to_string()));
            }
            "reviewer" | "final_reviewer" => {
                let inputs = list(&task["inputs"]);
                let inputs = inputs.filter_map(|input| self.text_of(text(input, "text")));
                let told = inputs.chain([prompt]).any(|given| {
                    let mut engineers = self.kept.engineer_prompts.iter();
                    given.contains(ENGINEER_HEADING)
                        || engineers.any(|(_, _, own)| given.contains(own.as_str()))
                });
                ensure(!told, "prompts", || {
                    let attempt = number(&task["id"], "attempt");
                    format!("attempt {attempt} sees the Engineer's prompt")
                })?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What is decided and what is shown of the spec keep to their budgets, four bytes to a token.
    fn check_budgets_of(&self, task: &Value, prompt: &str) -> Verdict {
        let task = &task["id"];
        let within = |what: &str, bytes: usize, beside: usize, key: &str| {
            // Without a number, it is that of an agent whose context is not known.
            let tokens = match self.kept.setting(key) {
                0 => 6_000,
                tokens => tokens,
            };
            let most = tokens * 4 + beside as i64;
            ensure(bytes as i64 <= most, "prompts", || {
                format!("{what} of {task} have {bytes} bytes, of {most}")
            })
        };
        if let Some((_, behind)) = prompt.split_once("\n## Decisions in force\n") {
            let block = behind.split("\n## ").next().unwrap_or_default();
            let entries = block.split("\n- DECISION-").skip(1);
            let entries: Vec<&str> = entries
                .map(|entry| entry.split("\n\n").next().unwrap_or_default())
                .map(|entry| entry.split("\n-----").next().unwrap_or_default())
                .collect();
            let bytes = entries.iter().map(|entry| entry.len()).sum();
            // Each is counted up to a whole token, and one may be given in part.
            let beside = 4 * entries.len() + SAID_OF_SHORTENING;
            within("the decisions", bytes, beside, "decision_tokens")?;
        }
        let role = text(&task["slot"], "role");
        if !matches!(role, "engineer" | "reviewer") {
            return Ok(());
        }
        // A block begins with a mark of eight letters and its label.
        let blocks = prompt.split("\n-----").skip(1);
        let sections: Vec<&str> = blocks
            .filter_map(|block| block.get(8..)?.strip_prefix(" specification\n"))
            .collect();
        let bytes = sections.iter().map(|text| text.len()).sum();
        let beside = SAID_OF_SHORTENING * sections.len();
        within("the sections", bytes, beside, "spec_tokens")
    }

    /// A prompt names every decision that binds its gaps, unless it says that some are left out.
    fn check_decisions_told(&self, task: &Value, prompt: &str) -> Verdict {
        let role = text(&task["id"]["slot"], "role");
        if !matches!(role, "engineer" | "reviewer") || prompt.contains("left out.") {
            return Ok(());
        }
        for gap in strings(&task["gaps"]) {
            let bound = self.model.gaps.get(&gap).map(|gap| gap.obligations.keys());
            let untold = bound.into_iter().flatten().find(|id| !prompt.contains(*id));
            ensure(untold.is_none(), "prompts", || {
                format!("the {role} of {gap} is not told of {untold:?}")
            })?;
        }
        Ok(())
    }
}
