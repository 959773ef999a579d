//! Checks what comes after an end, and what the user takes back: the next chapter of a session, in which limits and budgets count
//! anew, and the model as it was before something was said.

use serde_json::Value;

use super::model::{Begun, Rollback, Said};
use super::spending::Spending;
use super::{Checker, Entry, Verdict, ensure, number, text, violated};

const NAME: &str = "chapters";
const UNDO: &str = "taken back";

/// So many of the last things that were said can be taken back.
const MOST_KEPT: usize = 20;

/// What may come after the end of a session that stays ended.
const AFTER_THE_END: [&str; 10] = [
    "session.configured",
    "session.edit_kept",
    "session.archives_chosen",
    "session.archives_disposed",
    "session.said",
    "question.asked",
    "question.answered",
    "session.spec_written",
    "session.spec_not_written",
    "task.usage_noted",
];

impl Checker {
    /// What had been counted when the chapter under way began; nothing in the first.
    pub(super) fn begun(&self) -> Begun {
        let nothing = Begun {
            last_round: 0,
            tokens: 0,
            micros: 0,
            active_millis: 0,
            rollbacks: 0,
            rested: 0,
        };
        self.kept.chapters.last().cloned().unwrap_or(nothing)
    }

    /// How long the session was at an end between its chapters.
    pub(super) fn rested(&self) -> i64 {
        self.kept.chapters.iter().map(|begun| begun.rested).sum()
    }

    /// The rollbacks of this chapter that count as failures of what they undid.
    pub(super) fn rollbacks_used(&self) -> i64 {
        let own = self.kept.rollbacks.iter().skip(self.begun().rollbacks);
        own.filter(|rollback| rollback.counts()).count() as i64
    }

    /// Nothing but what goes on, or what is left to say, comes after the end.
    pub(super) fn check_after_the_end(&mut self, kind: &str) -> Verdict {
        let Some(end) = &self.kept.ended else {
            return Ok(());
        };
        let goes_on = matches!(
            kind,
            "question.withdrawn" | "session.reopened" | "rollback.taken_back"
        );
        self.turn.must_go_on |= goes_on;
        ensure(goes_on || AFTER_THE_END.contains(&kind), "ends", || {
            format!("{kind} after the session ended as {end}")
        })
    }

    /// At the end of a turn: what was withdrawn after the end was withdrawn because the session goes on, and what was accepted
    /// as left open is accepted no longer.
    pub(super) fn check_going_on(&self) -> Verdict {
        ensure(
            !self.turn.must_go_on || self.turn.went_on,
            "ends",
            || "something of an ended session changed, and it does not go on",
        )?;
        if !self.turn.reopened {
            return Ok(());
        }
        let mut decisions = self.model.decisions.iter();
        let accepted = decisions.find(|(_, it)| it.kind == "acceptance" && !it.lifted);
        ensure(accepted.is_none(), NAME, || {
            format!("a chapter begins, and {accepted:?} is in force")
        })
    }

    pub(super) fn reopened(&mut self, entry: &Entry) -> Verdict {
        entry.needs_user(|| "the session is taken up again by nobody")?;
        let Some(end) = self.kept.ended.take() else {
            return violated(NAME, "taken up again before its end");
        };
        self.coverage.reach("chapter", &format!("after: {end}"));
        let waiting = &self.model.questions;
        ensure(waiting.is_empty(), NAME, || {
            format!("a chapter begins with {:?}", waiting.keys())
        })?;
        let into = match self.model.round {
            0 => "inventory",
            _ => "round",
        };
        ensure(text(entry.body, "into") == into, NAME, || {
            format!("taken up again in {}", entry.body)
        })?;
        let kept = &mut self.kept;
        let ended_at = kept.spending.ended_at.take().unwrap_or(entry.at);
        kept.chapters.push(Begun {
            last_round: i64::from(self.model.round),
            tokens: kept.spending.tokens,
            micros: kept.spending.micros,
            active_millis: kept.spending.active_millis(),
            rollbacks: kept.rollbacks.len(),
            rested: entry.at - ended_at,
        });
        kept.paused = true;
        kept.limits = None;
        kept.rounds_without_gain = 0;
        kept.archive_choice = None;
        kept.disposed = false;
        kept.spec_written = false;
        kept.spec_not_written = None;
        kept.epoch += 1;
        let model = &mut self.model;
        model.phase = into.to_owned();
        model.round_phase = match into {
            "round" => "concluding".to_owned(),
            _ => "planning".to_owned(),
        };
        model.slots.clear();
        model.convergence = ("CONVERGING".to_owned(), 0);
        model.tried.clear();
        model.to_renew.clear();
        model.chosen_plan = false;
        model.forced = false;
        model.edited = None;
        model.final_reviewed = false;
        // The round of the end is not gone on with.
        model.accounted = true;
        self.turn.reopened = true;
        self.turn.went_on = true;
        Ok(())
    }

    /// What the user says is in the log before what follows from it.
    pub(super) fn said(&mut self, entry: &Entry) -> Verdict {
        entry.needs_user(|| "nobody said it")?;
        self.turn.said = Some(entry.body.clone());
        let kept = &self.kept;
        let mut decisions: Vec<String> = self.model.decisions.keys().cloned().collect();
        decisions.extend(kept.undone.keys().cloned());
        let said = Said {
            row: entry.seq,
            words: text(entry.body, "words").to_owned(),
            model: self.model.clone(),
            snapshots: self.snapshots.clone(),
            rollbacks: kept.rollbacks.len(),
            adjustments: kept.adjustments.len(),
            decisions,
            undone: kept.undone.clone(),
            chapters: kept.chapters.clone(),
            limits: kept.limits.clone(),
            paused: kept.paused,
            ended: kept.ended.clone(),
            ended_at: kept.spending.ended_at,
            rollback_mode: kept.rollback_mode.clone(),
            archive_choice: kept.archive_choice.clone(),
            disposed: kept.disposed,
            rounds_without_gain: kept.rounds_without_gain,
            spec_written: kept.spec_written,
            spec_not_written: kept.spec_not_written.clone(),
        };
        self.kept.said.push(said);
        if self.kept.said.len() > MOST_KEPT {
            self.kept.said.remove(0);
        }
        Ok(())
    }

    /// An answer of the user's is one of the things that can be taken back; one of a policy is not.
    pub(super) fn check_answer_said(&self, id: &str, answer: &Value) -> Verdict {
        let said = self.turn.said.as_ref();
        let said = said.is_some_and(|said| text(said, "answers") == id);
        let by_user = text(answer, "by") == "user";
        ensure(said == by_user, UNDO, || {
            format!("{id} was answered with {answer}, said {said}")
        })
    }

    /// The model is again what it was right before what was said last.
    pub(super) fn taken_back(&mut self, entry: &Entry) -> Verdict {
        let body = entry.body;
        entry.needs_user(|| "something is taken back by nobody")?;
        let Some(then) = self.kept.said.pop() else {
            return violated(UNDO, format!("{body}, and nothing was said"));
        };
        ensure(
            body["said"] == then.row && text(body, "words") == then.words,
            UNDO,
            || format!("{body}, and row {} was said last: {}", then.row, then.words),
        )?;
        self.check_rounds_taken_back(body, &then)?;
        let what = match (&then.ended, &self.kept.ended) {
            (None, Some(_)) => "an end",
            (Some(_), None) => "a chapter",
            _ if self.kept.rollbacks.len() > then.rollbacks => "a rollback",
            _ if then.words.contains(" answered with ") => "an answer",
            _ => "a command",
        };
        self.coverage.reach("taken back", what);
        let waiting = self.model.questions.keys();
        let left: Vec<&String> = waiting
            .filter(|id| !then.model.questions.contains_key(*id))
            .collect();
        ensure(left.is_empty(), "questions", || {
            format!("{left:?} were not withdrawn by what was taken back")
        })?;
        let (from, to) = (number(body, "from_round"), number(body, "to_round"));
        self.restore_said(then);
        if from > to {
            self.coverage.reach("taken back", "with rounds");
            self.kept.rollbacks.push(Rollback {
                from,
                to,
                is_undo: true,
                taken_back: false,
            });
        }
        self.turn.went_on = true;
        Ok(())
    }

    /// The rounds that are archived are those in which something followed.
    fn check_rounds_taken_back(&self, body: &Value, then: &Said) -> Verdict {
        let (from, to) = (number(body, "from_round"), number(body, "to_round"));
        let since = self.kept.rollbacks.iter().skip(then.rollbacks);
        let back_to = since.map(|rollback| rollback.to).min();
        let before = i64::from(then.model.round);
        let before = back_to.map_or(before, |to| to.min(before));
        let reaches = from == i64::from(self.model.round) && (before - 1..=before).contains(&to);
        ensure(reaches, UNDO, || format!("{body}, said in round {before}"))?;
        // A document that came since, and would stay where it is.
        let mut documents = self.kept.documents.iter();
        let left = documents.find(|(row, round)| {
            *row > then.row && *round <= to && *round == i64::from(then.model.round) && *round > 0
        });
        ensure(left.is_none() || from < to, UNDO, || {
            format!("{body}, and row {left:?} came since")
        })?;
        ensure(from <= to || !body["rounds"].is_null(), UNDO, || {
            format!("{body} does not say what the rounds had")
        })
    }

    fn restore_said(&mut self, then: Said) {
        let known = self.model.decisions.keys().chain(self.kept.undone.keys());
        let gone = known.filter(|id| !then.decisions.contains(id)).count();
        self.model = then.model;
        self.snapshots = then.snapshots;
        let kept = &mut self.kept;
        kept.decisions_taken_back += gone;
        for rollback in kept.rollbacks.iter_mut().skip(then.rollbacks) {
            rollback.taken_back |= !rollback.is_undo;
        }
        kept.adjustments.truncate(then.adjustments);
        kept.undone = then.undone;
        kept.chapters = then.chapters;
        kept.limits = then.limits;
        kept.paused = then.paused;
        kept.ended = then.ended;
        kept.spending.ended_at = then.ended_at;
        kept.rollback_mode = then.rollback_mode;
        kept.archive_choice = then.archive_choice;
        kept.disposed = then.disposed;
        kept.rounds_without_gain = then.rounds_without_gain;
        kept.spec_written = then.spec_written;
        kept.spec_not_written = then.spec_not_written;
        kept.epoch += 1;
    }

    /// A decision that takes the place of another is of its kind, and the other was lifted for it.
    pub(super) fn check_replacing(&mut self, decision: &Value) -> Verdict {
        let Some(old) = decision["replaces"].as_str() else {
            return Ok(());
        };
        let (id, kind) = (text(decision, "id"), text(decision, "kind"));
        let Some(before) = self.model.decisions.get(old) else {
            return violated(NAME, format!("{id} replaces {old}, which is not known"));
        };
        let of_kind = match before.kind.as_str() {
            "confirmation" => kind == "input",
            "conflict" | "severity" | "input" | "scope" => kind == before.kind,
            _ => false,
        };
        let lifted_now = self.turn.lifted.iter().any(|lifted| lifted == old);
        ensure(of_kind && before.lifted && lifted_now, NAME, || {
            format!("{id} ({kind}) replaces {old}: {before:?}")
        })?;
        self.coverage.reach("decision changed", &before.kind);
        Ok(())
    }
}

impl Spending {
    /// What this chapter used: tokens, cost and time.
    pub(super) fn since(&self, begun: &Begun) -> (u64, u64, i64) {
        (
            self.tokens - begun.tokens,
            self.micros - begun.micros,
            self.active_millis() - begun.active_millis,
        )
    }
}
