//! Checks what attempts are judged by: causes that have a retry of their own, silent reviews of grave gaps, examples.

use serde_json::Value;

use super::model::{Slot, Tried};
use super::{Checker, Entry, Verdict, ensure, is_grave, list, number, strings, text};

impl Checker {
    /// Keeps the last two rounds of a role's agent.
    pub(super) fn note_tried(&mut self, event: &str, role: &str, agent: &str, body: &Value) {
        let failure = match event {
            "validated" | "pressed" => None,
            "rejected" => Some(text(body, "failure").to_owned()),
            "failed" => Some(format!("error {}", text(&body["error"], "kind"))),
            _ => Some(match text(&body["exhaustion"], "failure") {
                "" => format!("error {}", text(&body["exhaustion"]["error"], "kind")),
                failure => failure.to_owned(),
            }),
        };
        let round = self.model.round;
        let tried = self.model.tried.entry(role.to_owned()).or_default();
        if tried.first().is_some_and(|last| last.agent != agent) {
            tried.clear();
        }
        if tried.first().is_none_or(|last| last.round != round) {
            let fresh = Tried {
                agent: agent.to_owned(),
                round,
                ..Tried::default()
            };
            tried.insert(0, fresh);
            tried.truncate(2);
        }
        if let Some(last) = tried.first_mut() {
            last.any_good |= failure.is_none();
            last.failures.extend(failure);
        }
    }

    /// True where every attempt of a role's agent failed in this round and in its round before, in the same ways.
    pub(super) fn is_broken(&self, role: &str) -> bool {
        let Some([last, before]) = self.model.tried.get(role).map(Vec::as_slice) else {
            return false;
        };
        last.round == self.model.round
            && !last.any_good
            && !before.any_good
            && last.failures == before.failures
    }

    /// A policy goes on with neither a session that gains nothing nor a role that had nothing valid in two rounds.
    pub(super) fn check_policy(&self, kind: &str, role: &str) -> Verdict {
        let (without, most) = (self.kept.rounds_without_gain, 2 * self.stall_threshold());
        let goes_on = matches!(kind, "divergence" | "both_empty" | "escalation");
        ensure(!goes_on || without < most, "bounds", || {
            format!(
                "a policy answered {kind} after {without} rounds without gain, of at most {most}"
            )
        })?;
        let tried = self.model.tried.get(role);
        let fruitless = tried.is_some_and(|tried| {
            tried.len() == 2
                && tried[0].round == self.model.round
                && tried.iter().all(|round| !round.any_good)
        });
        ensure(kind != "escalation" || !fruitless, "bounds", || {
            format!("a policy went on with the {role}, whose rounds were {tried:?}")
        })
    }

    /// A broken agent is asked about before anything else is, unless the user goes on with the round.
    pub(super) fn check_broken(&self, kind: &str, role: &str) -> Verdict {
        let due = self.is_broken(role) && !self.model.goes_on.contains(role);
        ensure(due == (kind == "broken_agent"), "bounds", || {
            let tried = self.model.tried.get(role);
            format!("{kind} is asked of the {role}, whose rounds were {tried:?}")
        })
    }

    /// The document of an agent that was ended is kept, and read only if it isn't cut off.
    pub(super) fn check_unfinished(&mut self, event: &str, body: &Value) -> Verdict {
        let mut warnings = list(&body["warnings"]);
        let taken = warnings.any(|it| text(it, "code") == "TIMED_OUT_DOCUMENT");
        let failed = event == "failed" || body["exhaustion"]["because"] == "cannot_run";
        if failed && body["output"].is_string() {
            self.coverage.reach("unfinished document", "kept");
        }
        if !taken {
            return Ok(());
        }
        self.coverage.reach("unfinished document", "read");
        let document = self.text_of(text(body, "output"));
        let document = document.as_deref().unwrap_or_default();
        let last = document.trim_end().lines().last().unwrap_or_default();
        let fences = document.lines().filter(|line| line.starts_with("```"));
        let torn = last.starts_with('#') || last.ends_with([':', ',']) || fences.count() % 2 == 1;
        ensure(!torn, "unfinished", || {
            format!("read, and it ends with: {last}")
        })
    }

    /// Only Engineers' failures have a cause; it goes with the type of the failure and has its details.
    pub(super) fn check_cause(&self, slot: &Slot, failure: &str, facts: &Value) -> Verdict {
        let is_engineer = text(&slot.task["slot"], "role") == "engineer";
        let fits = match text(facts, "cause") {
            "" => true,
            "DOMAIN_GAP" => !strings(&facts["uncertain_about"]).is_empty(),
            "UNCLEAR_ASSIGNMENT" => {
                let wrong = strings(&facts["wrong_gaps"]);
                let assigned = |id: &String| {
                    slot.gaps.contains(id) && self.model.gap_state(id) == "IN_PROGRESS"
                };
                !wrong.is_empty() && !wrong.iter().any(assigned)
            }
            _ => false,
        };
        let named = text(facts, "cause").is_empty();
        let placed = named || (is_engineer && failure == "NO_GAPS_ADDRESSED");
        ensure(fits && placed, "causes", || {
            format!("{failure} of {} with {facts}", slot.task)
        })
    }

    fn is_grave_gap(&self, id: &str) -> bool {
        let gap = self.model.gaps.get(id);
        gap.is_some_and(|gap| is_grave(&gap.severity))
    }

    /// A review is asked for once more for grave gaps of its own on which it neither raises anything nor says what it
    /// examined.
    pub(super) fn check_pressed(&self, slot: &Slot, entry: &Entry) -> Verdict {
        let gaps = strings(&entry.body["gaps"]);
        let is_review = text(&slot.task["slot"], "role") == "reviewer";
        let own = |id: &String| slot.gaps.contains(id) && self.is_grave_gap(id);
        ensure(
            is_review && !gaps.is_empty() && gaps.iter().all(own),
            "pressing",
            || format!("{} was pressed for {gaps:?}", slot.task),
        )?;
        let review = self.text_of(text(entry.body, "output"));
        let review = review.as_deref().unwrap_or_default();
        for gap in &gaps {
            let Some((_, behind)) = review.split_once(&format!("## Review: {gap}\n")) else {
                continue;
            };
            let part = behind.split("\n## ").next().unwrap_or_default();
            let raises = |line: &str| {
                let entry = line.strip_prefix("- **").and_then(|e| e.split_once("**: "));
                let Some((id, said)) = entry else {
                    return false;
                };
                let withdrawn = line.to_lowercase().contains("withdrawn");
                let settled = said.starts_with("CLOSED: ");
                // An issue of another gap says nothing of this one.
                let issue = self.model.issues.get(id);
                let elsewhere = issue.is_some_and(|issue| issue.gap != *gap);
                !line.contains("GAP-") && !withdrawn && !settled && !elsewhere
            };
            let examined = part.split_once("Examined:\n- ");
            let examined = examined.and_then(|(_, behind)| behind.lines().next());
            let examined = examined.is_some_and(|line| !line.is_empty());
            let says_something = examined || part.lines().any(raises);
            ensure(!says_something, "pressing", || {
                format!("pressed for {gap}, of which it says: {part}")
            })?;
        }
        Ok(())
    }

    /// A review that is taken unpressed is silent on no grave gap.
    pub(super) fn check_not_silent(&self, slot: &Slot) -> Verdict {
        // Once in a round, also where another slot takes over.
        let mut reviews = self.model.slots_of("reviewer");
        let was_pressed = slot.pressed > 0 || reviews.any(|slot| slot.pressed > 0);
        if text(&slot.task["slot"], "role") != "reviewer" || was_pressed {
            return Ok(());
        }
        let raises = |gap: &str| {
            let mut issues = list(&slot.reading["issues"]);
            issues.any(|issue| text(issue, "gap") == gap && issue["withdrawn"] != true)
        };
        let silent = list(&slot.reading["reviews"]).find(|review| {
            let gap = text(review, "gap");
            number(review, "examined") <= 0 && self.is_grave_gap(gap) && !raises(gap)
        });
        ensure(silent.is_none(), "pressing", || {
            format!("taken, and silent: {silent:?}")
        })
    }

    /// What the user decided is not argued with again in an output that is taken.
    pub(super) fn check_not_argued_again(&self, slot: &Slot) -> Verdict {
        let blocks = list(&slot.reading["disagreements"]);
        let mut issues = blocks.map(|block| text(block, "issue"));
        let again = issues.find(|id| self.model.issue_state(id) == "DECIDED");
        ensure(again.is_none(), "conflicts", || {
            format!("{} was taken, and argues {again:?} again", slot.task)
        })
    }

    /// An example keeps to its budget, and one for a retry follows on an invalid output.
    pub(super) fn check_example(&self, example: &Value, slot: &Slot) -> Verdict {
        if example.is_null() {
            return Ok(());
        }
        let for_retry = example["retry"].is_string();
        let budget = self.kept.setting(match for_retry {
            true => "retry_example_tokens",
            false => "initial_example_tokens",
        });
        let tokens = number(example, "tokens");
        ensure(budget > 0 && tokens <= budget, "examples", || {
            format!("{example} within {budget} tokens")
        })?;
        ensure(!for_retry || slot.rejections > 0, "examples", || {
            format!("{example} before anything was invalid")
        })
    }
}
