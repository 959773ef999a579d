//! Compares what a session shows and how it ends with what really became of the planted concerns.

use serde_json::Value;

use super::{Decided, Fate, Truth};
use crate::Verdict;
use crate::agents::prompt;
use crate::check::{ensure, is_grave, strings, text};
use crate::closing::concerns::LIGHT_WORDINGS;

const NAME: &str = "planted";

impl Truth {
    /// A gap that was found twice is one concern.
    pub(super) fn check_merge(&self, gap: &str) -> Verdict {
        let mut merged = self.of_gap(gap);
        merged.sort_unstable();
        merged.dedup();
        ensure(merged.len() < 2, NAME, || {
            let merged = merged.iter().map(|number| self.concerns.get(*number));
            let words: Vec<String> = merged.map(|concern| concern.words(0)).collect();
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
        for number in self.of_issue(text(about, "issue")) {
            let worded = self.concerns.worded_in(&shown.replace("\n> ", " "));
            ensure(worded.contains(&number), NAME, || {
                let words = self.concerns.get(number).words(0);
                format!("a question on {words} doesn't show it:\n{shown}")
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
        for gap in strings(&task["gaps"]) {
            for issue in prompt::issues_on(&prompt, &gap) {
                let found = self.concerns.found(&issue.summary);
                for (number, _) in found.filter(|(_, wording)| *wording < LIGHT_WORDINGS) {
                    let planted = &self.planted[number];
                    let decided = planted.decision.as_ref();
                    let decided = decided.filter(|it| it.gap == gap && it.light);
                    let Some(decided) = decided.filter(|_| planted.fate == Fate::ByUser) else {
                        continue;
                    };
                    ensure(decided.known.contains(&issue.id), NAME, || {
                        let (decision, id, words) = (&decided.id, &issue.id, &issue.summary);
                        format!(
                            "the user decided {decision}, and the Engineer is told to answer {id}: {words}"
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
            let severity = planted.severity();
            ensure(!is_grave(severity), NAME, || {
                let (words, history) = (self.concerns.get(number).words(0), &planted.history);
                format!("{end} over a {severity} concern that nobody settled: {words} {history:#?}")
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
            let bound = is_grave(planted.severity()) && binds;
            ensure(
                !(bound && self.is_reversed(number, decided, spec)),
                NAME,
                || {
                    let words = self.concerns.get(number).words(0);
                    let (id, chosen) = (&decided.id, &decided.chosen);
                    format!("{id} chose {chosen} on {words}, and the spec says the opposite")
                },
            )?;
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
                let suggested = text.contains(concern.suggestion());
                (
                    suggested || text.contains(&concern.adopted()),
                    concern.position(),
                )
            }
            "B" => (text.contains(&concern.position()), concern.adopted()),
            _ => return false,
        };
        text.contains(&rejected) && !carried_out
    }
}
