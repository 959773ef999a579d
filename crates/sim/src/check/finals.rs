//! Checks the final review: what it calls blocking counts unless the user had settled it, and ready is what is left.

use serde_json::Value;

use super::{Checker, Entry, Verdict, ensure, text, violated};
use crate::coverage::Coverage;

const NAME: &str = "final review";

impl Checker {
    pub(super) fn final_reviewed(&mut self, entry: &Entry, coverage: &mut Coverage) -> Verdict {
        let ready = entry.body["ready"] == true;
        let last = self
            .book
            .slots
            .iter()
            .rfind(|((role, _), slot)| role == "final_reviewer" && slot.state == "valid");
        let Some((_, slot)) = last else {
            return violated(NAME, "there is no valid one");
        };
        let reading = &slot.reading;
        let blockers = reading["blockers"].as_array().map_or(0, Vec::len);
        let aside = entry.body["set_aside"].as_array().cloned();
        let aside = aside.unwrap_or_default();
        for set_aside in &aside {
            self.check_set_aside(set_aside, coverage)?;
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
        coverage.reach("final review", what);
        self.turn.final_review_ready = ready;
        self.book.final_reviewed = true;
        Ok(())
    }

    /// A blocker is set aside only for what the user closed, deferred, is waited for on, waived or decided.
    fn check_set_aside(&self, set_aside: &Value, coverage: &mut Coverage) -> Verdict {
        let because = text(set_aside, "because");
        let id = because
            .split(' ')
            .find(|word| word.starts_with("GAP-") || word.starts_with("ISSUE-"))
            .unwrap_or_default();
        let gap = self.book.gaps.get(id).map(|gap| gap.state.as_str());
        let issue = self.book.issues.get(id).map(|issue| issue.state.as_str());
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
        coverage.reach("set aside", what);
        ensure(holds, NAME, || {
            format!("set aside because {because}, and that is {gap:?} {issue:?}")
        })
    }
}
