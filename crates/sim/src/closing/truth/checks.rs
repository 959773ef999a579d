//! Compares what a session shows and how it ends with what really became of the planted concerns.

use serde_json::Value;

use super::{Decided, Fate, Truth};
use crate::Verdict;
use crate::agents::prompt;
use crate::check::{ensure, is_grave, text, violated};
use crate::closing::concerns::LIGHT_WORDINGS;

const NAME: &str = "planted";

impl Truth {
    /// A gap that was found twice is one concern.
    pub(super) fn check_merge(&self, gap: &str) -> Verdict {
        let mut merged = self.of_gap(gap);
        merged.sort_unstable();
        merged.dedup();
        ensure(merged.len() < 2, NAME, || {
            let words = merged
                .iter()
                .map(|number| self.concerns.get(*number).words(0));
            let words: Vec<String> = words.collect();
            format!("{gap} was made of {}", words.join(" / "))
        })
    }

    /// A question about a concern shows its words.
    pub(super) fn asked(&self, question: &Value) -> Verdict {
        let about = &question["about"];
        if !matches!(
            text(about, "kind"),
            "conflict" | "implicit_disagreement" | "decided_matter"
        ) {
            return Ok(());
        }
        let shown = format!("{}\n{}", text(question, "title"), text(question, "context"));
        for number in self.of_issue(&serde_json::json!({ "id": about["issue"] })) {
            let worded = self.concerns.worded_in(&shown.replace("\n> ", " "));
            ensure(worded.contains(&number), NAME, || {
                format!(
                    "a question on {} doesn't show it:\n{shown}",
                    self.concerns.get(number).words(0)
                )
            })?;
        }
        Ok(())
    }

    /// An Engineer is never told to answer what the user has decided, unless the user opened it again.
    pub(super) fn given(&self, task: &Value, document: &dyn Fn(&str) -> String) -> Verdict {
        if task["id"]["slot"]["role"] != "engineer" {
            return Ok(());
        }
        let prompt = document(text(task, "prompt"));
        let gaps = task["gaps"].as_array().into_iter().flatten();
        for gap in gaps.filter_map(Value::as_str) {
            for issue in prompt::issues_on(&prompt, gap) {
                for (number, wording) in self.concerns.found(&issue.summary) {
                    let planted = &self.planted[number];
                    let decided = planted.decision.as_ref();
                    let returned = planted.fate == Fate::ByUser
                        && wording < LIGHT_WORDINGS
                        && decided.is_some_and(|decided| {
                            decided.gap == gap
                                && decided.light
                                && !decided.known.contains(&issue.id)
                        });
                    ensure(!returned, NAME, || {
                        format!(
                            "the user decided {}, and the Engineer is told to answer {}: {}",
                            decided.map_or("", |decided| &decided.id),
                            issue.id,
                            issue.summary
                        )
                    })?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_end(&self, end: &str) -> Verdict {
        if !matches!(end, "COMPLETE" | "GOOD_ENOUGH") {
            return Ok(());
        }
        for number in self.open() {
            let planted = &self.planted[number];
            ensure(!is_grave(planted.severity()), NAME, || {
                format!(
                    "{end} over a {} concern that nobody settled: {} {:#?}",
                    planted.severity(),
                    self.concerns.get(number).words(0),
                    planted.history
                )
            })?;
        }
        Ok(())
    }

    /// The refined spec doesn't say what a decision turned down.
    pub fn check_spec(&self, end: &str, spec: &str) -> Verdict {
        if !matches!(end, "COMPLETE" | "GOOD_ENOUGH") {
            return Ok(());
        }
        for (number, planted) in self.planted.iter().enumerate() {
            let Some(decided) = planted.decision.as_ref() else {
                continue;
            };
            // A decision binds the gap that it was made on, and the same concern may be settled otherwise on another.
            let binds =
                planted.fate == Fate::ByUser && !decided.reconciled && planted.gaps.len() == 1;
            if is_grave(planted.severity()) && binds && self.is_reversed(number, decided, spec) {
                return violated(
                    NAME,
                    format!(
                        "{} chose {} on {}, and the spec says the opposite",
                        decided.id,
                        decided.chosen,
                        self.concerns.get(number).words(0)
                    ),
                );
            }
        }
        Ok(())
    }

    /// True where a text has what a decision turned down.
    pub fn is_contradicted(&self, decision: &str, text: &str) -> bool {
        self.decided_by(decision).into_iter().any(|number| {
            let decided = self.planted[number].decision.as_ref();
            decided.is_some_and(|decided| self.is_reversed(number, decided, text))
        })
    }

    fn is_reversed(&self, number: usize, decided: &Decided, text: &str) -> bool {
        let concern = self.concerns.get(number);
        let (carried_out, rejected) = match decided.chosen.as_str() {
            "A" => {
                let adopted = text.contains(&concern.adopted());
                (
                    adopted || text.contains(concern.suggestion()),
                    concern.position(),
                )
            }
            "B" => (text.contains(&concern.position()), concern.adopted()),
            _ => return false,
        };
        text.contains(&rejected) && !carried_out
    }
}
