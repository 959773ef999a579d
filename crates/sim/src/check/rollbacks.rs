//! Checks rollbacks: who may roll back, how often and how far, which decisions survive, what agents are told, and the archives.

use serde_json::Value;

use super::model::{Decided, Rollback, Undone};
use super::{Checker, Entry, Verdict, agree, ensure, number, strings, text, violated};

const NAME: &str = "rollbacks";

impl Checker {
    fn rollback_mode(&self) -> &str {
        match &self.kept.rollback_mode {
            Some(mode) => mode,
            None => text(&self.kept.config, "rollback_mode"),
        }
    }

    /// How many rollbacks have undone a round for what it had.
    fn times_undone(&self, round: i64) -> usize {
        let counted = self.kept.rollbacks.iter().filter(|it| it.counts());
        counted.filter(|rollback| rollback.undid(round)).count()
    }

    /// Nobody need be asked only in its mode, for the first rollback of a round, for that round alone, and where the user has
    /// not said already what becomes of it.
    fn unasked_rollback(&self, from: i64, to: i64) -> Verdict {
        let mode = self.rollback_mode();
        ensure(mode == "auto_retry", "authority", || {
            format!("an unasked rollback in mode {mode}")
        })?;
        ensure(!self.model.asked_about_engineer, "authority", || {
            format!("round {from} is undone unasked after the user was asked about it")
        })?;
        let broken = self.is_broken("engineer") && !self.model.goes_on.contains("engineer");
        ensure(
            to == from - 1 && self.times_undone(from) == 0 && !broken,
            "bounds",
            || format!("an unasked rollback from {from} to {to}"),
        )
    }

    pub(super) fn rollback_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        match event {
            "mode_set" => self.kept.rollback_mode = Some(text(body, "mode").to_owned()),
            "adjusted" => {
                let round = self.kept.rollbacks.last().map_or(0, |last| last.to + 1);
                self.adjusted(round, &body["adjustments"]);
            }
            "rolled_back" => return self.rolled_back(entry),
            "taken_back" => return self.taken_back(entry),
            _ => {}
        }
        entry.needs_user(|| format!("{event} without the user"))
    }

    fn rolled_back(&mut self, entry: &Entry) -> Verdict {
        let body = entry.body;
        let (from, to) = (number(body, "from_round"), number(body, "to_round"));
        let unasked = body["unasked"] == true;
        match unasked {
            true => self.unasked_rollback(from, to)?,
            false => entry.needs_user(|| "a rollback without the user")?,
        }
        let mode = self.rollback_mode().to_owned();
        let how = if unasked { "unasked" } else { "asked" };
        let reached = format!("{mode}, {}, {how}", text(body, "trigger"));
        self.coverage.reach("rollback", &reached);
        ensure(
            from == i64::from(self.model.round) && to < from.max(1),
            NAME,
            || format!("rolled back from {from} to {to}"),
        )?;
        // One rollback counts once, however many rounds it undoes.
        self.kept.rollbacks.push(Rollback {
            from,
            to,
            is_undo: false,
            taken_back: false,
        });
        self.kept.epoch += 1;
        let used = self.rollbacks_used();
        let most = self.kept.setting("max_rollbacks_session");
        ensure(used <= most, "bounds", || {
            format!("{used} rollbacks of {most}")
        })?;
        let retention = self.kept.setting("backup_retention_rounds");
        ensure(from - to <= retention, "bounds", || {
            format!("{from} to {to} with a retention of {retention}")
        })?;
        let threshold = match mode.as_str() {
            "strict" => 1,
            _ => self.kept.setting("rollback_analysis_threshold"),
        };
        let (round, root_cause) = (to + 1, &body["root_cause"]);
        let times = self.times_undone(round);
        ensure(
            (times as i64 >= threshold) != root_cause.is_null(),
            NAME,
            || {
                format!(
                    "round {round} was undone {times} times, with a threshold of {threshold}: {root_cause}"
                )
            },
        )?;
        self.adjusted(round, &body["adjustments"]);
        self.restore(to)
    }

    fn adjusted(&mut self, round: i64, adjustments: &Value) {
        let texts = strings(adjustments).into_iter().map(|text| (round, text));
        self.kept.adjustments.extend(texts);
    }

    /// Restores the model as of the end of a round; decisions made since are set aside.
    fn restore(&mut self, to: i64) -> Verdict {
        let snapshot = u32::try_from(to)
            .ok()
            .and_then(|to| self.snapshots.get(&to));
        let Some(snapshot) = snapshot.cloned() else {
            let what = format!("rolled back to round {to}, which was never reached");
            return violated(NAME, what);
        };
        let pending = self.model.questions.keys();
        let left = pending.filter(|id| !snapshot.questions.contains_key(*id));
        let left: Vec<&String> = left.collect();
        ensure(left.is_empty(), "questions", || {
            format!("{left:?} were not withdrawn by the rollback")
        })?;
        for (id, decided) in std::mem::take(&mut self.model.decisions) {
            if !snapshot.decisions.contains_key(&id) {
                let undone = Undone {
                    kind: decided.kind,
                    reapplied_as: None,
                };
                self.kept.undone.insert(id, undone);
            }
        }
        self.model = snapshot;
        Ok(())
    }

    /// Records a decision. One that reapplies another names a decision that was undone, and each is reapplied once.
    pub(super) fn decision_kept(&mut self, decision: &Value) -> Verdict {
        let id = text(decision, "id").to_owned();
        let kind = text(decision, "kind").to_owned();
        if let Some(origin) = decision["reapplied_from"].as_str() {
            let Some(undone) = self.kept.undone.get_mut(origin) else {
                return violated(NAME, format!("{id} is of {origin}, which was not undone"));
            };
            ensure(undone.reapplied_as.is_none(), NAME, || {
                format!("{origin} is put in force again a second time, as {id}")
            })?;
            ensure(undone.kind == kind, NAME, || {
                format!("{id} is {kind}, and {origin} was {}", undone.kind)
            })?;
            undone.reapplied_as = Some(id.clone());
        }
        self.check_replacing(decision)?;
        let decided = Decided {
            kind,
            issue: decision["issue"].as_str().map(str::to_owned),
            lifted: false,
        };
        self.model.decisions.insert(id, decided);
        Ok(())
    }

    pub(super) fn decision_lifted(&mut self, id: &str) -> Verdict {
        match self.model.decisions.get_mut(id) {
            Some(decided) if !decided.lifted => {
                decided.lifted = true;
                self.turn.lifted.push(id.to_owned());
                for gap in self.model.gaps.values_mut() {
                    gap.obligations.remove(id);
                }
                Ok(())
            }
            found => violated("ids", format!("{id} is lifted, and is {found:?}")),
        }
    }

    /// No decision is ever lost: each is in force, lifted, or among those that were undone.
    pub(super) fn check_decisions(&self, state: &gapless_session::State) -> Verdict {
        let theirs = state.now.decisions.iter();
        let theirs = theirs.map(|decision| (decision.id.to_string(), decision.lifted.is_some()));
        let ours = self.model.decisions.iter();
        let ours = ours.map(|(id, decided)| (id.clone(), decided.lifted));
        agree("decisions", theirs, ours)?;
        let theirs = state.kept.undone_decisions.iter().map(|undone| {
            let again = undone.reapplied_as.map(|id| id.to_string());
            (undone.decision.id.to_string(), again)
        });
        let ours = self.kept.undone.iter();
        let ours = ours.map(|(id, undone)| (id.clone(), undone.reapplied_as.clone()));
        agree("undone decisions", theirs, ours)?;
        let found = self.model.decisions.len() + self.kept.undone.len();
        let found = found + self.kept.decisions_taken_back;
        let issued = self.kept.decision_ids.len();
        ensure(found == issued, NAME, || {
            format!("{found} decisions are known of {issued}")
        })?;
        let rollbacks = state.kept.rollbacks.len();
        ensure(rollbacks == self.kept.rollbacks.len(), "state", || {
            format!("{rollbacks} rollbacks")
        })
    }

    /// The page of decisions lists every one that is in force.
    pub fn check_decisions_shown(&self, page: &str) -> Verdict {
        let missing = self.model.decisions.keys().find(|id| !page.contains(*id));
        ensure(missing.is_none(), "decisions", || {
            format!("decisions.md lacks {missing:?}")
        })
    }

    /// The notes on an undone round are in the prompts of its Engineers, and in no others.
    pub(super) fn check_adjustments(&self, role: &str, prompt: &str) -> Verdict {
        let round = i64::from(self.model.round);
        for (of, adjustment) in &self.kept.adjustments {
            let told = prompt.contains(adjustment.as_str());
            match role {
                "engineer" if *of == round => ensure(told, "prompts", || {
                    format!("the Engineers of round {round} are not told: {adjustment}")
                })?,
                "reviewer" | "final_reviewer" => ensure(!told, "prompts", || {
                    format!("the {role} of round {round} is told: {adjustment}")
                })?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Where to go back is asked while rollbacks are left, and else what to do instead.
    pub(super) fn check_rollbacks_left(&self, kind: &str) -> Verdict {
        let most = self.kept.setting("max_rollbacks_session");
        let left = most - self.rollbacks_used();
        let fits = match kind {
            "rollback" => left > 0,
            "rollback_limit" => left == 0,
            "archives" => self.kept.ended.is_some() && !self.kept.rollbacks.is_empty(),
            _ => true,
        };
        ensure(fits, NAME, || {
            format!("{kind} is asked with {left} rollbacks left")
        })
    }

    pub(super) fn archives_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        if event == "archives_chosen" {
            let answered = self.turn.answer.as_ref();
            let wanted = answered.map_or("", |(_, answer)| text(answer, "option"));
            self.kept.archive_choice = Some(text(entry.body, "choice").to_owned());
            return ensure(
                entry.by_user() && text(entry.body, "choice") == wanted,
                "authority",
                || format!("{} was chosen, and {wanted} answered", entry.body),
            );
        }
        let problems = strings(&entry.body["disposed"]["problems"]);
        let what = match problems.is_empty() {
            true => "done",
            false => "not done",
        };
        let Some(choice) = &self.kept.archive_choice else {
            return violated(NAME, "archives are disposed of, and nobody chose");
        };
        let reached = format!("{choice}: {what}");
        self.coverage.reach("archives", &reached);
        ensure(
            !self.kept.disposed,
            NAME,
            || "archives are disposed of twice",
        )?;
        self.kept.disposed = problems.is_empty();
        Ok(())
    }
}
