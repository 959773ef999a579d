//! Checks the Editor before a final review: it works in what is accepted, each text of a slot once, and nobody is asked about it.
//! Checks the final review: what it calls blocking counts unless the user had settled it, and ready is what is left.

use serde_json::Value;

use super::{Checker, Entry, Verdict, ensure, number, text, violated};

const NAME: &str = "final review";

impl Checker {
    pub(super) fn edited(&mut self, body: &Value) -> Verdict {
        let at = (self.model.phase.as_str(), text(&body["slot"], "role"));
        ensure(at == ("final_review", "editor"), "editor", || {
            format!("sections of {} are taken in {}", at.1, at.0)
        })?;
        let key = ("editor".to_owned(), number(&body["slot"], "index"));
        let slot = self.model.slots.get(&key);
        let state = slot.map_or("", |slot| slot.state.as_str());
        let settled = matches!(state, "valid" | "exhausted" | "skipped");
        ensure(settled, "editor", || {
            format!("sections of a slot that is {state:?}")
        })?;
        let unasked = state == "exhausted" && self.is_broken("editor");
        ensure(
            !unasked || self.model.goes_on.contains("editor"),
            "bounds",
            || "a broken Editor is passed over".to_owned(),
        )?;
        let again = self.model.edited.replace(key.1);
        ensure(again.is_none_or(|last| last < key.1), "editor", || {
            format!("the sections of {key:?} were taken twice")
        })?;
        let list = |key: &str| body[key].as_array().cloned().unwrap_or_default();
        for edit in list("taken") {
            for gap in edit["made_from"].as_object().into_iter().flatten() {
                let state = self.model.gaps.get(gap.0).map(|gap| gap.state.as_str());
                let accepted = matches!(state, Some("ACCEPTED" | "RESOLVED"));
                ensure(accepted, "editor", || {
                    format!("{} is {state:?} and was worked in", gap.0)
                })?;
            }
            self.coverage.reach("editor", "taken");
        }
        for _ in list("not_taken") {
            self.coverage.reach("editor", "not taken");
        }
        Ok(())
    }

    pub(super) fn final_reviewed(&mut self, entry: &Entry) -> Verdict {
        let ready = entry.body["ready"] == true;
        let last = self
            .model
            .slots
            .iter()
            .rfind(|((role, _), slot)| role == "final_reviewer" && slot.state == "valid");
        let Some((_, slot)) = last else {
            return violated(NAME, "there is no valid one");
        };
        let reading = slot.reading.clone();
        let blockers = reading["blockers"].as_array().map_or(0, Vec::len);
        let aside = entry.body["set_aside"].as_array().cloned();
        let aside = aside.unwrap_or_default();
        for set_aside in &aside {
            self.check_set_aside(set_aside)?;
        }
        let counted = self.turn.raised;
        ensure(counted + aside.len() == blockers, NAME, || {
            format!(
                "{blockers} blockers: {counted} counted, {} set aside",
                aside.len()
            )
        })?;
        let says_ready = reading["verdict"] == "READY_FOR_TERMINATION";
        let expected = counted == 0 && (says_ready || blockers > 0);
        ensure(ready == expected, NAME, || {
            format!("ready {ready} with {counted} counted blockers and {reading}")
        })?;
        let what = match (ready, aside.is_empty()) {
            (true, true) => "ready",
            (true, false) => "ready for what was set aside",
            (false, true) => "not ready",
            (false, false) => "not ready, and something set aside",
        };
        self.coverage.reach("final review", what);
        self.turn.final_review_ready = ready;
        self.model.final_reviewed = true;
        Ok(())
    }

    /// A blocker is set aside only for what the user closed, deferred, is waited for on, waived or decided.
    fn check_set_aside(&mut self, set_aside: &Value) -> Verdict {
        let because = text(set_aside, "because");
        let id = because
            .split(' ')
            .find(|word| word.starts_with("GAP-") || word.starts_with("ISSUE-"))
            .unwrap_or_default();
        let gap = self.model.gaps.get(id).map(|gap| gap.state.as_str());
        let issue = self.model.issues.get(id).map(|issue| issue.state.as_str());
        let (what, holds) = match () {
            () if because.starts_with("you closed ") => ("closed", gap == Some("WONT_FIX")),
            () if because.starts_with("you deferred ") => {
                ("deferred", gap == Some("USER_DEFERRED"))
            }
            () if because.ends_with("waits for you") => {
                ("waited for", gap == Some("BLOCKED_EXTERNAL"))
            }
            () if because.starts_with("you decided ") => ("decided", issue == Some("DECIDED")),
            () if because.starts_with("you waived ") => ("waived", issue == Some("WAIVED")),
            () => ("?", false),
        };
        self.coverage.reach("set aside", what);
        ensure(holds, NAME, || {
            format!("set aside because {because}, and that is {gap:?} {issue:?}")
        })
    }
}
