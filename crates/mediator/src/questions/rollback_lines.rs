//! What the questions around rollbacks share.

use super::wording::choice;
use crate::Turn;
use gapless_domain::{Choice, Name, one_line, shortened};
use gapless_session::RollbackRecord;

/// How much of a decision or reason stands in a list.
const LONGEST_LINE: usize = 300;

impl Turn<'_> {
    /// Going back, where there is something to go back to.
    pub(super) fn roll_back_choice(&self, option: impl Name) -> Option<Choice> {
        let left = self.state.rollbacks_left();
        (!self.state.checkpoints.is_empty()).then(|| match left {
            0 => choice(
                option,
                "Roll back",
                "no rollback is left in this session; you are asked what to do instead",
            ),
            _ => choice(
                option,
                "Roll back",
                "you are asked where to go back to and how to go on; nothing is undone before that",
            ),
        })
    }
}

pub(super) fn history_lines<'r>(rollbacks: impl Iterator<Item = &'r RollbackRecord>) -> String {
    let lines = rollbacks.enumerate().map(|(index, rollback)| {
        let patterns: Vec<&str> = rollback
            .of_retried()
            .map(|undone| undone.analysis.patterns.iter())
            .into_iter()
            .flatten()
            .map(|found| found.pattern.name())
            .collect();
        let patterns = match patterns.is_empty() {
            true => String::new(),
            false => format!(" [{}]", patterns.join(", ")),
        };
        let choice = rollback.choice.as_deref();
        let choice = choice.map_or(String::new(), |choice| {
            format!("; then: {}", one_line(choice))
        });
        format!(
            "{}. {}: {} ({}){patterns}{choice}",
            index + 1,
            rollback.rounds_in_words(),
            short(&rollback.reason),
            rollback.trigger.words()
        )
    });
    let lines: Vec<String> = lines.collect();
    format!("**Rollbacks so far:**\n\n{}", lines.join("\n"))
}

pub(super) fn short(text: &str) -> String {
    shortened(&one_line(text), LONGEST_LINE)
}
