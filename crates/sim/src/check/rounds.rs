//! Checks sessions and rounds: their order and bounds, the plan, and the counts of section 4.

use serde_json::Value;

use super::model::Tally;
use super::{
    Checker, Entry, Verdict, Violation, ensure, list, number, strings, text, violated, weight,
};

const NAME: &str = "rounds";

impl Checker {
    pub(super) fn session_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        match event {
            "started" => {
                ensure(!self.kept.started, NAME, || "started twice")?;
                self.kept.started = true;
                self.kept.spending.started_at = entry.at;
                self.model.phase = "discovering".to_owned();
                self.model.convergence = ("CONVERGING".to_owned(), 0);
            }
            "configured" => self.configured(&body["setup"]),
            "budget_reached" => self.budget_reached(entry)?,
            "spec_written" => self.spec_delivered(true, entry)?,
            "spec_not_written" => self.spec_delivered(false, entry)?,
            "entered" => {
                self.model.phase = text(body, "phase").to_owned();
                self.model.to_renew.clear();
            }
            "limits_set" => self.limits_set(entry)?,
            "archives_chosen" | "archives_disposed" => self.archives_event(event, entry)?,
            "paused" => self.kept.paused = true,
            "resumed" => self.kept.paused = false,
            "said" => self.said(entry)?,
            "reopened" => self.reopened(entry)?,
            "ended" => {
                self.check_end(entry)?;
                self.kept.spending.ended_at = Some(entry.at);
            }
            _ => {}
        }
        let by_itself = body["instead_of"].is_string();
        if event == "agent_changed" && by_itself {
            let agent = text(body, "agent");
            self.coverage.reach("fallback", text(body, "role"));
            return ensure(
                self.kept.fallback.iter().any(|one| one == agent),
                "authority",
                || format!("{agent} takes over and is not on the list"),
            );
        }
        match event {
            "paused" | "resumed" | "agent_changed" => {
                entry.needs_user(|| format!("session.{event} without the user"))
            }
            _ => Ok(()),
        }
    }

    fn configured(&mut self, setup: &Value) {
        // Who takes the session up again says anew who plays whom.
        for slot in self.model.slots.values_mut() {
            slot.handed_on = false;
        }
        self.kept.config = setup["config"].clone();
        self.kept.delivery = setup["delivery"].clone();
        self.kept.fallback = strings(&setup["fallback"]);
        self.kept.spec_written = false;
        self.kept.spec_not_written = None;
    }

    fn limits_set(&mut self, entry: &Entry) -> Verdict {
        let limits = &entry.body["limits"];
        let before_chapter = self.begun().last_round;
        let hard = before_chapter + self.kept.setting("hard_limit");
        let max_rounds = number(limits, "max_rounds");
        ensure(max_rounds <= hard, "bounds", || {
            format!("max_rounds {max_rounds} over the hard limit {hard}")
        })?;
        if let Some(before) = &self.kept.limits {
            let grows = max_rounds >= number(before, "max_rounds");
            ensure(grows, "bounds", || {
                format!("max_rounds shrinks to {max_rounds}")
            })?;
            let answer = self.turn.answer.as_ref();
            let by_policy = answer.is_some_and(|(_, answer)| text(answer, "by") == "policy");
            ensure(!by_policy, "authority", || {
                format!("a policy raised max_rounds to {max_rounds}")
            })?;
        } else {
            let gaps = number(entry.body, "initial_gaps");
            let (stall, divergence) = match gaps {
                ..10 => (2, 8),
                10..=30 => (3, 12),
                _ => (4, 16),
            };
            let set = |key: &str, computed: i64| self.kept.config[key].as_i64().unwrap_or(computed);
            let most = ((gaps * 6 + 9) / 10).max(10);
            for (key, value) in [
                ("stall_threshold", set("stall_threshold", stall)),
                (
                    "divergence_threshold",
                    set("divergence_threshold", divergence),
                ),
                (
                    "max_rounds",
                    (before_chapter + set("max_rounds", most)).min(hard),
                ),
            ] {
                ensure(number(limits, key) == value, "bounds", || {
                    format!("{key} is {}, not {value}", limits[key])
                })?;
            }
            // Discovery is not judged.
            self.model.tally = Tally::default();
        }
        self.kept.limits = Some(limits.clone());
        Ok(())
    }

    fn limit(&self, key: &str) -> i64 {
        let limits = self.kept.limits.as_ref();
        limits.map_or(0, |limits| number(limits, key))
    }

    pub(super) fn stall_threshold(&self) -> i64 {
        let limits = self.kept.limits.as_ref();
        // Discovery, which has none, is not judged.
        limits.map_or(i64::MAX / 2, |limits| number(limits, "stall_threshold"))
    }

    pub(super) fn max_rounds(&self) -> i64 {
        self.limit("max_rounds")
    }

    pub(super) fn round_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        match event {
            "began" => self.round_began(number(body, "round"))?,
            "planned" => self.round_planned(body)?,
            "entered" => {
                self.model.to_renew.clear();
                self.model.round_phase = text(body, "phase").to_owned();
                self.model.forced &= self.model.round_phase == "engineering";
            }
            "accounted" => self.round_accounted(body)?,
            "divergence_cleared" => {
                entry.needs_user(|| "a divergence was cleared by nobody")?;
                let warned = self.model.convergence.0 == "DIVERGENCE_WARNING";
                ensure(warned, "convergence", || "cleared without a warning")?;
                self.model.convergence = ("CONVERGING".to_owned(), 0);
            }
            "narrowed" | "left_out" => self.model.chosen_plan = true,
            "edited" => self.edited(body)?,
            "final_reviewed" => self.final_reviewed(entry)?,
            "forced" => {
                entry.needs_user(|| "what was undone is taken by nobody")?;
                self.model.forced = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn round_began(&mut self, round: i64) -> Verdict {
        let model = &self.model;
        ensure(round == i64::from(model.round) + 1, NAME, || {
            format!("round {round} follows on {}", model.round)
        })?;
        ensure(round <= self.max_rounds(), "bounds", || {
            format!("round {round} of {}", self.max_rounds())
        })?;
        ensure(model.round == 0 || model.accounted, NAME, || {
            format!("round {round} before the last was accounted")
        })?;
        let mut slots = model.slots.values();
        let settled =
            slots.all(|slot| matches!(slot.state.as_str(), "valid" | "exhausted" | "skipped"));
        ensure(settled, NAME, || {
            format!("round {round} begins while slots are at work")
        })?;
        self.snapshots.insert(model.round, model.clone());
        self.model.round += 1;
        self.model.phase = "round".to_owned();
        self.model.round_phase = "planning".to_owned();
        self.model.slots.clear();
        self.model.escalated.clear();
        self.model.asked_about_engineer = false;
        self.model.goes_on.clear();
        self.model.asked_again.clear();
        self.model.tally.role_skipped = false;
        self.model.accounted = false;
        self.model.edited = None;
        self.model.planned = false;
        self.model.final_reviewed = false;
        self.model.emptiness_settled = false;
        Ok(())
    }

    fn round_planned(&mut self, body: &Value) -> Verdict {
        ensure(!self.model.planned, NAME, || "planned twice")?;
        self.model.planned = true;
        self.model.final_reviewed = false;
        let assigned = strings(&body["assigned"]);
        let most = self.kept.setting("gaps_per_round");
        ensure(assigned.len() as i64 <= most, "bounds", || {
            format!("{} gaps planned of {most}", assigned.len())
        })?;
        for id in &assigned {
            let Some(gap) = self.model.gaps.get(id) else {
                return violated(NAME, format!("{id} is planned and not known"));
            };
            let fit = matches!(gap.state.as_str(), "OPEN" | "NEEDS_REVISION");
            let blockers = self.model.blockers(gap);
            let undecided = self.model.questions.values().any(|question| {
                let issue = text(&question["about"], "issue");
                question["holds"] != "nothing" && gap.issues.contains(issue)
            });
            ensure(!undecided, NAME, || {
                format!("{id} is planned, and a conflict on it is undecided")
            })?;
            ensure(fit && blockers.is_empty(), NAME, || {
                format!("{id} is planned: {}, blocked by {blockers:?}", gap.state)
            })?;
        }
        self.check_order(&assigned, most)?;
        self.model.chosen_plan = false;
        let gaps = self.model.gaps.iter();
        let proposed = gaps.filter(|(_, gap)| gap.state == "PROPOSED");
        let mut to_review = strings(&body["to_review"]);
        to_review.sort();
        let all = proposed.map(|(id, _)| id).eq(&to_review);
        ensure(all, NAME, || format!("to review: {to_review:?}"))
    }

    /// The gravest come first, and none is left out that there was room for.
    fn check_order(&self, assigned: &[String], most: i64) -> Verdict {
        if self.model.chosen_plan {
            return Ok(());
        }
        let planned = assigned.iter().filter_map(|id| self.model.gaps.get(id));
        let least = planned.map(|gap| weight(&gap.severity)).min().unwrap_or(0);
        let is_full = assigned.len() as i64 == most;
        let passed_over = self.model.gaps.iter().find(|(id, gap)| {
            let asked_about = self.model.questions.values().any(|question| {
                let about = &question["about"];
                let issues = strings(&about["issues"]);
                let one = about["issue"].as_str();
                let mut issues = issues.iter().map(String::as_str).chain(one);
                issues.any(|issue| gap.issues.contains(issue))
            });
            matches!(gap.state.as_str(), "OPEN" | "NEEDS_REVISION")
                && !assigned.contains(id)
                && !asked_about
                && !gap.contradicts
                && self.model.blockers(gap).is_empty()
                && (!is_full || weight(&gap.severity) > least)
        });
        ensure(passed_over.is_none(), NAME, || {
            format!("{assigned:?} are planned, and {passed_over:?} is not")
        })
    }

    fn round_accounted(&mut self, body: &Value) -> Verdict {
        ensure(!self.model.accounted, NAME, || "accounted twice")?;
        let mut tally = std::mem::take(&mut self.model.tally);
        // A role is skipped where one of its slots was and none of them is valid.
        tally.role_skipped = ["engineer", "reviewer"].iter().any(|role| {
            let mut own = self.model.slots_of(role);
            own.any(|slot| slot.state == "skipped") && self.model.valid(role).next().is_none()
        });
        let net = self.check_counts(&tally, body)?;
        let (state, cause, flat) = self.judge(&tally, net);
        let state = state.to_owned();
        let theirs = &body["convergence"];
        let same = text(theirs, "state") == state
            && theirs["cause"].as_str().unwrap_or("") == cause
            && number(theirs, "flat_count") == i64::from(flat);
        ensure(same, "convergence", || {
            format!("log {theirs}, judged {state} {cause} {flat} (net {net})")
        })?;
        let reached = format!("{state} {cause}");
        self.coverage.reach("convergence", reached.trim());
        self.coverage.reach("signal", text(body, "signal"));
        self.model.convergence = (state, flat);
        self.kept.rounds_without_gain = match text(body, "signal") {
            "gain" | "part_of_split" => 0,
            _ => self.kept.rounds_without_gain + 1,
        };
        self.model.accounted = true;
        Ok(())
    }

    /// Compares the counts of a round with those made from its moves, and returns its weighted net.
    fn check_counts(&self, tally: &Tally, body: &Value) -> Result<i64, Violation> {
        const NAME: &str = "counts";
        let lists = [
            ("resolved", &tally.resolved),
            ("created", &tally.created),
            ("reopened", &tally.reopened),
        ];
        for (name, ours) in lists {
            let both = |item| {
                let (gap, severity) = (text(item, "gap"), text(item, "severity"));
                (gap.to_owned(), severity.to_owned())
            };
            let mut theirs: Vec<_> = list(&body["tally"][name]).map(both).collect();
            let mut ours = ours.clone();
            ours.sort();
            theirs.sort();
            ensure(ours == theirs, NAME, || {
                format!("{name}: log {theirs:?}, counted {ours:?}")
            })?;
        }
        let sum = |list: &[(String, String)]| {
            let weights = list.iter().map(|(_, severity)| weight(severity));
            weights.sum::<i64>()
        };
        let net = sum(&tally.resolved) - sum(&tally.created) - sum(&tally.reopened);
        let [resolved, created, reopened] = lists.map(|(_, list)| list.len() as i64);
        let heads = resolved - created - reopened;
        for (key, ours) in [
            ("weighted_net", net),
            ("unweighted_net", heads),
            ("open_quarters", self.model.open_quarters()),
        ] {
            ensure(number(body, key) == ours, NAME, || {
                format!("{key}: log {}, counted {ours}", body[key])
            })?;
        }
        Ok(net)
    }

    /// Section 4, in its order.
    fn judge(&self, tally: &Tally, net: i64) -> (&str, &'static str, u32) {
        let (before, flat) = &self.model.convergence;
        let mut created = tally.created.iter();
        let new_critical = created.any(|(_, severity)| severity == "CRITICAL");
        if tally.role_skipped {
            return (before, "", *flat);
        }
        if new_critical && self.kept.config["critical_override"] == true {
            return ("DIVERGENCE_WARNING", "NEW_CRITICAL", *flat);
        }
        if net < -self.limit("divergence_threshold") {
            return ("DIVERGENCE_WARNING", "NET_LOSS", *flat);
        }
        let round = Some(self.model.round);
        if !self.model.gaps.values().any(|gap| gap.reviewed_in == round) {
            return (before, "", *flat);
        }
        if net > 0 || tally.part_of_split {
            return ("CONVERGING", "", 0);
        }
        match i64::from(flat + 1) >= self.limit("stall_threshold") {
            true => ("DIVERGENCE_WARNING", "STALLED", flat + 1),
            false => ("FLAT", "", flat + 1),
        }
    }
}
