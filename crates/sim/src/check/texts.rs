//! Checks that no text is lost, that prompts are bounded, and that the Reviewer's never contains the Engineer's.

use gapless_domain::{TextHash, Texts};
use serde_json::Value;

use super::{Checker, Verdict, ensure, number, text, violated};

/// The longest prompt: far above what ten gaps with their last proposals, the spec and the decisions can come to here.
pub const LONGEST_PROMPT: usize = 64 * 1024;

/// What a shortened text may have beside its budget.
const SAID_OF_SHORTENING: usize = 48;

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
        let (epoch, round) = (self.kept.epoch, self.model.round);
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
        self.check_budgets_of(task, &prompt)?;
        self.check_decisions_told(task, &prompt)?;
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
                let inputs = task["inputs"].as_array().into_iter().flatten();
                let inputs = inputs.filter_map(|input| text(input, "text").parse().ok());
                let inputs = inputs.filter_map(|hash: TextHash| self.store.text(&hash));
                let given: Vec<_> = inputs.chain([prompt.clone()]).collect();
                let engineers = &self.kept.engineer_prompts;
                let told = given.iter().any(|given| {
                    given.contains(ENGINEER_HEADING)
                        || engineers
                            .iter()
                            .any(|(_, _, own)| given.contains(own.as_str()))
                });
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

    /// What is decided and what is shown of the spec keep to their budgets, four bytes to a token.
    fn check_budgets_of(&self, task: &Value, prompt: &str) -> Verdict {
        let task = &task["id"];
        let within = |what: &str, bytes: usize, beside: usize, key: &str| {
            let most = self.kept.setting(key) * 4 + beside as i64;
            ensure(bytes as i64 <= most, "prompts", || {
                format!("{what} of {task} have {bytes} bytes, of {most}")
            })
        };
        if let Some((_, behind)) = prompt.split_once("\n## Decisions in force\n") {
            let block = behind.split("\n## ").next().unwrap_or_default();
            let entries = block.split("\n- DECISION-").skip(1);
            let entries: Vec<&str> = entries
                .map(|entry| entry.split("\n\n").next().unwrap_or_default())
                .collect();
            let bytes = entries.iter().map(|entry| entry.len()).sum();
            // Each is counted up to a whole token, and one may be given in part.
            let beside = 4 * entries.len() + SAID_OF_SHORTENING;
            within("the decisions", bytes, beside, "decision_tokens")?;
        }
        let sections: Vec<&str> = prompt
            .split("\n<section title=")
            .skip(1)
            .filter_map(|part| part.split_once(">\n")?.1.split_once("\n</section>"))
            .map(|(text, _)| text)
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
        for gap in super::strings(&task["gaps"]) {
            let bound = self.model.gaps.get(&gap).map(|gap| gap.obligations.keys());
            let untold = bound.into_iter().flatten().find(|id| !prompt.contains(*id));
            ensure(untold.is_none(), "prompts", || {
                format!("the {role} of {gap} is not told of {untold:?}")
            })?;
        }
        Ok(())
    }
}
