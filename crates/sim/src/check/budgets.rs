//! Checks budgets and time, recomputed from the rows: nothing is started while a budget is used up, a crossing is noted
//! once, and the time that agents were at work is the union of their stretches.

use serde_json::{Value, json};

use super::{Checker, Entry, Verdict, ensure, text};

const NAME: &str = "budgets";
const MICROS: f64 = 1_000_000.0;

impl Checker {
    /// The first budget that is used up: tokens, then cost, then time.
    pub(super) fn spent(&self) -> Option<Value> {
        let config = &self.kept.config;
        let (tokens, micros, millis) = self.kept.spending.since(&self.begun());
        let seconds = u64::try_from(millis / 1000).unwrap_or(0);
        if let Some(allowed) = config["budget_tokens"].as_u64()
            && tokens >= allowed
        {
            return Some(json!({"budget": "tokens", "used": tokens, "allowed": allowed}));
        }
        if let Some(allowed) = config["budget_cost"].as_f64() {
            let allowed_micros = (allowed * MICROS).round();
            #[allow(clippy::cast_precision_loss)]
            let used = micros as f64;
            if used >= allowed_micros {
                let used = used / MICROS;
                return Some(json!({"budget": "cost", "used": used, "allowed": allowed}));
            }
        }
        let allowed = config["budget_time"].as_u64()?;
        (seconds >= allowed).then(|| json!({"budget": "time", "used": seconds, "allowed": allowed}))
    }

    /// An attempt came to its end.
    pub(super) fn count_usage(&mut self, entry: &Entry) {
        self.kept.spending.add(&entry.body["usage"], entry.at);
    }

    pub(super) fn check_within_budget(&self) -> Verdict {
        let spent = self.spent();
        ensure(spent.is_none(), NAME, || {
            format!("a task was started, and a budget is used up: {spent:?}")
        })
    }

    /// The session rests for its budget.
    pub fn check_rest(&self) -> Verdict {
        let mut slots = self.model.slots.values();
        let waiting = slots.any(|slot| match slot.state.as_str() {
            "ready" | "backoff" => true,
            "running" => slot.interrupted,
            _ => false,
        });
        ensure(self.spent().is_some() && waiting, NAME, || {
            let spending = &self.kept.spending;
            format!("out of budget with {spending:?}, something to run: {waiting}")
        })
    }

    pub(super) fn budget_reached(&mut self, entry: &Entry) -> Verdict {
        self.turn.budget_reached += 1;
        let (theirs, ours) = (&entry.body["spent"], self.spent());
        let reached = format!("{}: reached", text(theirs, "budget"));
        self.coverage.reach("budget", &reached);
        ensure(ours.as_ref() == Some(theirs), NAME, || {
            format!("reached {theirs}, counted {ours:?}")
        })
    }

    /// At the end of a turn: a budget that was used up in it is noted once, and nothing else is.
    pub(super) fn check_crossing(&self) -> Verdict {
        // Where the session is at an end, or goes back to where it was, nothing is crossed.
        let elsewhere = self.turn.ended_before || self.turn.went_on;
        let crossed = !self.turn.was_spent && self.spent().is_some() && !elsewhere;
        ensure(self.turn.budget_reached == u32::from(crossed), NAME, || {
            format!(
                "crossed {crossed}, noted {} times: {:?} with {}",
                self.turn.budget_reached, self.kept.spending, self.kept.config
            )
        })
    }

    /// Where the time went, against what the core says.
    pub(super) fn check_timing(&self, state: &gapless_session::State) -> Verdict {
        let spending = &self.kept.spending;
        if !self.kept.started {
            return Ok(());
        }
        let total = spending.ended_at.unwrap_or(self.kept.clock) - spending.started_at;
        let total = total - self.rested();
        // What was told after the end was before it.
        let active = spending.active_millis().min(total);
        let theirs = gapless_session::figures::Timing::of(state);
        let ours = [total, active, total - active].map(|millis| u64::try_from(millis).ok());
        let same = ours == [theirs.total, theirs.active, theirs.waiting].map(Some);
        ensure(same, "timing", || {
            format!("the core says {theirs:?}, the rows {ours:?}")
        })
    }
}
