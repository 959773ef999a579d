//! Checks the Editor before a final review: it works in what is accepted, each text of a slot once, and nobody is asked about it.
//! Checks the final review: what it calls blocking counts unless the user had settled it, and ready is what is left.

use serde_json::Value;

use super::{Checker, Entry, Verdict, ensure, list, number, text, violated};

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
        let goes_on = self.model.goes_on.contains("editor");
        ensure(
            !unasked || goes_on,
            "bounds",
            || "a broken Editor is passed over",
        )?;
        let again = self.model.edited.replace(key.1);
        ensure(again.is_none_or(|last| last < key.1), "editor", || {
            format!("the sections of {key:?} were taken twice")
        })?;
        for edit in list(&body["taken"]) {
            for (gap, _) in edit["made_from"].as_object().into_iter().flatten() {
                let state = self.model.gap_state(gap);
                ensure(matches!(state, "ACCEPTED" | "RESOLVED"), "editor", || {
                    format!("{gap} is {state:?} and was worked in")
                })?;
            }
            self.coverage.reach("editor", "taken");
        }
        list(&body["not_taken"]).for_each(|_| self.coverage.reach("editor", "not taken"));
        Ok(())
    }

    pub(super) fn final_reviewed(&mut self, entry: &Entry) -> Verdict {
        let ready = entry.body["ready"] == true;
        let Some(slot) = self.model.valid("final_reviewer").next_back() else {
            return violated(NAME, "there is no valid one");
        };
        let reading = slot.reading.clone();
        let blockers = list(&reading["blockers"]).count();
        let mut aside = 0;
        for set_aside in list(&entry.body["set_aside"]) {
            self.check_set_aside(set_aside)?;
            aside += 1;
        }
        let counted = self.turn.raised;
        ensure(counted + aside == blockers, NAME, || {
            format!("{blockers} blockers: {counted} counted, {aside} set aside")
        })?;
        let says_ready = reading["verdict"] == "READY_FOR_TERMINATION";
        let expected = counted == 0 && (says_ready || blockers > 0);
        ensure(ready == expected, NAME, || {
            format!("ready {ready} with {counted} counted blockers and {reading}")
        })?;
        let what = match (ready, aside == 0) {
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
        let mut words = because.split(' ');
        let id = words.find(|word| word.starts_with("GAP-") || word.starts_with("ISSUE-"));
        let id = id.unwrap_or_default();
        let (gap, issue) = (self.model.gap_state(id), self.model.issue_state(id));
        let (what, holds) = match () {
            () if because.starts_with("you closed ") => ("closed", gap == "WONT_FIX"),
            () if because.starts_with("you deferred ") => ("deferred", gap == "USER_DEFERRED"),
            () if because.ends_with("waits for you") => ("waited for", gap == "BLOCKED_EXTERNAL"),
            () if because.starts_with("you decided ") => ("decided", issue == "DECIDED"),
            () if because.starts_with("you waived ") => ("waived", issue == "WAIVED"),
            () => ("?", false),
        };
        self.coverage.reach("set aside", what);
        ensure(holds, NAME, || {
            format!("set aside because {because}, and that is {gap:?} {issue:?}")
        })
    }
}
