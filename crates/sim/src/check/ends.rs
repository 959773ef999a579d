//! Checks that every stop states an end that section 11 of the design allows.

use super::model::{is_closed, is_open};
use super::{Checker, Entry, Verdict, ensure, is_grave, text, violated, weight};

const NAME: &str = "ends";
const CRITICAL_SENTENCE: &str = "I accept CRITICAL gaps knowing the spec may be unusable";
const HIGH_SENTENCE: &str = "I acknowledge";

impl Checker {
    pub(super) fn check_end(&mut self, entry: &Entry) -> Verdict {
        let (end, trigger) = (text(entry.body, "end"), text(entry.body, "trigger"));
        self.coverage.reach("end", end);
        self.coverage.reach("trigger", &format!("{end}: {trigger}"));
        let waiting = &self.model.questions;
        ensure(waiting.is_empty(), NAME, || {
            format!("questions wait behind the end: {:?}", waiting.keys())
        })?;
        self.check_conflicts_allow(end)?;
        if end == "COMPLETE" {
            let unanswered = self.turn.grave_flags.first();
            ensure(unanswered.is_none(), NAME, || {
                format!("COMPLETE, and the user never answered {unanswered:?}")
            })?;
            self.check_otherwise_complete()?;
            ensure(
                self.turn.final_review_ready,
                NAME,
                || "COMPLETE without a final review that says so",
            )?;
        } else {
            entry.needs_user(|| format!("{end} without the user"))?;
        }
        self.check_trigger(end, trigger)?;
        self.kept.ended = Some(end.to_owned());
        Ok(())
    }

    /// A conflict of one of these severities that the turn found undecided and didn't decide.
    fn undecided_conflict(&self, severities: &[&str]) -> Option<&(String, String)> {
        let answer = self.turn.answer.as_ref();
        let answered = answer.map(|(question, _)| text(question, "id"));
        self.turn.conflicts.iter().find(|(id, severity)| {
            severities.contains(&severity.as_str()) && Some(id.as_str()) != answered
        })
    }

    /// A CRITICAL conflict allows only ABANDONED, a HIGH one neither COMPLETE nor GOOD_ENOUGH.
    fn check_conflicts_allow(&self, end: &str) -> Verdict {
        if end != "ABANDONED" {
            let conflict = self.undecided_conflict(&["CRITICAL"]);
            ensure(conflict.is_none(), NAME, || {
                format!("{end} over a CRITICAL conflict: {conflict:?}")
            })?;
        }
        if matches!(end, "COMPLETE" | "GOOD_ENOUGH") {
            let conflict = self.undecided_conflict(&["CRITICAL", "HIGH"]);
            ensure(conflict.is_none(), NAME, || {
                format!("{end} over a conflict: {conflict:?}")
            })?;
        }
        Ok(())
    }

    /// Each end has its triggers, and those on which the user accepts what is left need confirmations.
    fn check_trigger(&self, end: &str, trigger: &str) -> Verdict {
        match (end, trigger) {
            ("COMPLETE", "final_review_ready") | ("ABANDONED", "abandoned") => Ok(()),
            (
                "GOOD_ENOUGH" | "USER_APPROVED",
                "user_stop" | "nothing_to_plan" | "no_final_review" | "rollback_limit",
            ) => {
                let grave = self.left().iter().any(|(_, severity)| is_grave(severity));
                let conflict = self.undecided_conflict(&["HIGH"]).is_some();
                let more_left = grave || conflict;
                ensure(more_left == (end == "USER_APPROVED"), NAME, || {
                    format!("{end} with {:?} left", self.left())
                })?;
                self.check_confirmations(end)
            }
            ("MAX_ROUNDS", "round_limit") => {
                let (round, most) = (self.model.round, self.max_rounds());
                ensure(i64::from(round) >= most, NAME, || {
                    format!("MAX_ROUNDS in round {round} of {most}")
                })?;
                let answer = self.turn.answer.as_ref();
                match answer.is_some_and(|(_, answer)| answer["option"] == "forced_stop") {
                    true => Ok(()),
                    false => self.check_confirmations(end),
                }
            }
            ("STALL_EXIT", "divergence") => {
                let warned = self.model.convergence.0 == "DIVERGENCE_WARNING";
                ensure(warned, NAME, || "STALL_EXIT without a divergence warning")?;
                self.check_confirmations(end)
            }
            _ => violated(NAME, format!("{end} because of {trigger}")),
        }
    }

    /// Everything that is open or parked, with the severity of the gravest that is open on it.
    pub(super) fn left(&self) -> Vec<(&str, &str)> {
        let gaps = self.model.gaps.iter();
        gaps.filter(|(_, gap)| !is_closed(&gap.state))
            .map(|(id, gap)| (id.as_str(), self.model.gravity(id, gap)))
            .collect()
    }

    /// Everything that COMPLETE asks but the final review.
    pub(super) fn check_otherwise_complete(&self) -> Verdict {
        let mut deferred = 0;
        for (id, gap) in &self.model.gaps {
            let open = is_open(&gap.state) || gap.state == "BLOCKED_EXTERNAL";
            ensure(!open, NAME, || {
                format!("COMPLETE, and {id} is {}", gap.state)
            })?;
            if gap.state == "USER_DEFERRED" {
                deferred += weight(&gap.severity);
                let gravity = self.model.gravity(id, gap);
                ensure(!is_grave(gravity), NAME, || {
                    format!("COMPLETE, and {id} is deferred and {gravity}")
                })?;
            }
        }
        ensure(deferred <= 4, NAME, || {
            format!("COMPLETE with a deferred weight of {deferred}")
        })?;
        let conflicts = self.conflicts();
        let undecided = conflicts.iter().any(|(_, severity)| is_grave(severity));
        ensure(!undecided, NAME, || format!("COMPLETE over {conflicts:?}"))
    }

    /// The sentences and a rationale for each CRITICAL and HIGH gap that is left.
    fn check_confirmations(&self, end: &str) -> Verdict {
        let Some((question, answer)) = &self.turn.answer else {
            return violated(NAME, format!("{end} without an answer"));
        };
        let accepted = question["about"]["kind"] == "stop" && answer["option"] == "accept";
        ensure(accepted, NAME, || format!("{end} after {answer}"))?;
        let fields = &answer["fields"];
        for (id, severity) in self.left() {
            let (field, sentence) = match severity {
                "CRITICAL" => ("critical", CRITICAL_SENTENCE),
                "HIGH" => ("high", HIGH_SENTENCE),
                _ => continue,
            };
            let said = text(fields, field).trim() == sentence;
            let why = !text(fields, id).trim().is_empty();
            ensure(said && why, NAME, || {
                format!("{end} leaves {id} ({severity}) with {answer}")
            })?;
        }
        let mut conflicts = self.turn.conflicts.iter();
        let over_conflict = conflicts.any(|(_, severity)| severity == "HIGH");
        let said = text(fields, "high").trim() == HIGH_SENTENCE;
        ensure(said || !over_conflict, NAME, || {
            format!("{end} over a HIGH conflict with {answer}")
        })
    }
}
