//! The process that drives a session: it feeds and commits, is killed at any commit, and is started again.

use gapless_domain::{Holds, RoundPhase, Texts, Time};
use gapless_mediator::{Incoming, Refusal, Rest, Step, UserInput};
use gapless_runner::{Session, decode_rows};
use gapless_session::{Event, State, apply};
use gapless_store::Store;
use gapless_views::documents;
use serde_json::{Value, json};

use super::disk::Tree;
use super::expected::Expected;
use super::files::unexpected;
use super::{NAME, World};
use crate::check::{Cause, Turn, ensure, failed, violated};
use crate::coverage::{FAULTS, FAULTS_THAT_KILL};
use crate::store::Fault;
use crate::users::commands;
use crate::{FaultyStore, Verdict, Violation};

impl World {
    /// Lets the core judge an input, and checks that a refusal changes nothing.
    pub(super) fn feed(
        &mut self,
        cause: Cause,
        what: Incoming,
    ) -> Result<Result<(), Refusal>, Violation> {
        let before = self.session.state().clone();
        let traced = self.trace.is_some();
        let said = traced.then(|| shortened(&format!("{what:?}")));
        let result = self.session.feed(Time(self.now), what);
        if let Some(said) = said {
            let refused = result.as_ref().err();
            let outcome = refused.map_or_else(String::new, |it| format!(" REFUSED: {it}"));
            self.note(|| format!("> {said}{outcome}"));
        }
        match &result {
            Ok(()) => self.end_turn(before.kept.events, cause),
            Err(_) => ensure(
                *self.session.state() == before,
                "refusals",
                || "a refusal changed the state",
            )?,
        }
        Ok(result)
    }

    pub(super) fn end_turn(&mut self, events_before: u64, cause: Cause) {
        let events = self.session.state().kept.events;
        if events > events_before {
            self.turns.push(Turn {
                first: events_before + 1,
                last: events,
                cause,
            });
        }
    }

    pub(super) fn take_letters(&mut self) -> Verdict {
        let before = self.session.state().kept.events;
        let waiting = self.store.letters(NAME).map_or(0, |letters| letters.len());
        if waiting == 0 {
            return Ok(());
        }
        self.note(|| format!("> {waiting} letters"));
        let taken = self.session.take_letters(Time(self.now));
        taken.map_err(failed("letters", ""))?;
        self.end_turn(before, Cause::User);
        Ok(())
    }

    /// Commits, unless the process is killed at it; true where it lives on.
    pub(super) fn commit(&mut self) -> Result<bool, Violation> {
        if self.is_wild() && self.rng.percent(self.setting.kill_percent) {
            let kind = self.rng.pick(&FAULTS[..FAULTS_THAT_KILL]).copied();
            self.die_at_commit(kind.unwrap_or(FAULTS[0]))?;
            return Ok(false);
        }
        // Archives are made seldom, and in steps.
        let archives = self.session.state().kept.epoch > self.committed.kept.epoch;
        if archives && self.disk.is_some() && self.rng.percent(50) {
            self.die_at_commit("after commit")?;
            return Ok(false);
        }
        if self.is_wild() && self.rng.percent(self.setting.slow_commit_percent) {
            self.stall()?;
        }
        self.commit_safely()?;
        Ok(true)
    }

    /// A commit takes long: meanwhile agents come to an end, times pass and letters are posted.
    fn stall(&mut self) -> Verdict {
        let fault = format!("stalled commit: {}", self.place_of_state());
        self.coverage.reach("fault", &fault);
        self.now += i64::from(self.rng.between(1, 3_600_000));
        self.note(|| "a commit that takes long".to_owned());
        match self.rng.percent(40) && self.committed.is_started() {
            true => self.write_letter(),
            false => Ok(()),
        }
    }

    pub(super) fn commit_safely(&mut self) -> Verdict {
        let events = self.session.commit();
        let events = events.map_err(failed("store", "a commit failed"))?;
        if self.disk.is_none() {
            let standing = documents::standing(self.session.state(), &events, &self.store);
            standing.map_err(failed("texts", "a document cannot be written"))?;
        }
        self.committed = self.session.state().clone();
        self.check_rows()?;
        self.checker.compare(&self.committed)?;
        self.check_letters()?;
        self.project()
    }

    fn check_rows(&mut self) -> Verdict {
        let from = self.turns.first().map_or(u64::MAX, |turn| turn.first);
        let rows = self.store.rows_after(NAME, from.saturating_sub(1));
        let rows = rows.unwrap_or_default();
        for row in &rows {
            if let Some(trace) = &mut self.trace {
                let (seq, name, body) = (row.seq, &row.type_name, shortened(&row.body));
                trace.push(format!("  {seq} {name} {body}"));
            }
            let mut turns = self.turns.iter();
            let turn = turns.find(|turn| (turn.first..=turn.last).contains(&row.seq));
            let Some(turn) = turn else {
                return violated("log", format!("nobody wrote row {}", row.seq));
            };
            self.checker.observe(row, turn)?;
            if let Some(planting) = &mut self.planting {
                let store = &self.store;
                let document = |hash: &str| {
                    let hash = hash.parse().ok();
                    let text = hash.and_then(|hash| store.text(&hash));
                    text.map_or_else(String::new, |text| text.to_string())
                };
                planting.observe(row, &document)?;
            }
        }
        self.turns.clear();
        self.checker.close_turn()?;
        for (question, answer) in std::mem::take(&mut self.accepted) {
            let wanted = (json!(question), json!(answer));
            let logged = rows.iter().any(|row| {
                let body: Value = serde_json::from_str(&row.body).unwrap_or_default();
                let said = (&body["id"], &body["answer"]);
                row.type_name == "question.answered" && said == (&wanted.0, &wanted.1)
            });
            ensure(logged, "answers", || {
                format!("the answer to {question} is not in the log")
            })?;
        }
        Ok(())
    }

    /// A letter gets its outcome once, and keeps it.
    fn check_letters(&mut self) -> Verdict {
        for (id, known) in &mut self.letters {
            let letter = self.store.letter(*id).ok().flatten();
            let outcome = letter.and_then(|letter| letter.outcome);
            ensure(known.is_none() || *known == outcome, "letters", || {
                format!("letter {id}: {known:?}, now {outcome:?}")
            })?;
            *known = outcome;
        }
        Ok(())
    }

    /// Dies before a commit, right after it, in the midst of the writing of files, or because the disk fails.
    fn die_at_commit(&mut self, kind: &str) -> Verdict {
        let before = self.tree()?;
        let uncommitted = self.session.has_uncommitted();
        match kind {
            "after commit" => self.commit_safely()?,
            "failed commit" => self.fail_commit(Fault::Refused, uncommitted)?,
            "unsaid commit" => {
                self.fail_commit(Fault::Unsaid, uncommitted)?;
                self.committed = self.session.state().clone();
                self.check_rows()?;
                self.check_letters()?;
            }
            _ => {}
        }
        self.be_killed(kind, &before)
    }

    fn fail_commit(&mut self, fault: Fault, uncommitted: bool) -> Verdict {
        self.store.fail_next(fault);
        let result = self.session.commit();
        self.store.heal();
        ensure(result.is_err() == uncommitted, "store", || {
            format!("{fault:?}: {result:?}")
        })
    }

    /// Dies between two commits.
    pub(super) fn die_anywhere(&mut self) -> Verdict {
        match self.rng.percent(self.setting.kill_percent / 2) {
            true => self.be_killed(FAULTS[0], &self.tree()?),
            false => Ok(()),
        }
    }

    fn be_killed(&mut self, kind: &str, before: &Tree) -> Verdict {
        let place = self.place_of_state();
        self.coverage.reach("fault", &format!("{kind}: {place}"));
        self.note(|| format!("KILLED {kind} in {place}"));
        if self.disk.is_some() {
            self.damage(before)?;
        }
        self.reopen()
    }

    /// What the kill leaves of the files.
    fn damage(&mut self, before: &Tree) -> Verdict {
        self.close();
        let Some(disk) = &mut self.disk else {
            return Ok(());
        };
        let rng = &mut self.rng;
        let mut left = disk.be_killed_at(before, rng).map_err(unexpected)?;
        if rng.percent(40) {
            left.extend(disk.lose_power(before, rng).map_err(unexpected)?);
        }
        for what in left {
            self.coverage.reach("disk", &what);
            self.note(|| format!("left: {what}"));
        }
        Ok(())
    }

    /// The process is gone, and with it whatever it had open.
    fn close(&mut self) {
        if let Ok(nothing) = Session::open(FaultyStore::default(), NAME) {
            self.session = nothing;
        }
    }

    fn place_of_state(&self) -> String {
        use gapless_domain::phase::Phase;
        let now = &self.session.state().now;
        match now.phase {
            Phase::Round => now.round.phase.name().to_lowercase(),
            Phase::FinalReview => "final_review".to_owned(),
            phase => phase.name().to_lowercase(),
        }
    }

    /// Takes the session up again from what is on disk.
    pub(super) fn reopen(&mut self) -> Verdict {
        self.turns.clear();
        self.accepted.clear();
        let running: Vec<_> = self.flights.keys().copied().collect();
        running.into_iter().for_each(|task| self.lose(task));
        self.close();
        self.session = self.opened()?;
        let same = *self.session.state() == self.committed;
        ensure(
            same,
            "replay",
            || "the log does not give the state that was committed",
        )?;
        if self.session.state().is_started() {
            if self.is_wild() && self.rng.percent(10) {
                self.change_budgets();
            }
            self.configure()?;
        }
        if self.disk.is_some() {
            self.commit_safely()?;
            self.check_files()?;
        }
        Ok(())
    }

    /// Checks that the next step fits the state.
    pub(super) fn check_step(&self, step: &Step) -> Verdict {
        let state = self.session.state();
        let holds = match step {
            Step::Advance => !state.kept.paused && state.kept.ended.is_none(),
            Step::Run { tasks, .. } => {
                let mut ids: Vec<_> = tasks.iter().map(|task| task.id).collect();
                ids.dedup();
                !state.kept.paused && !tasks.is_empty() && ids.len() == tasks.len()
            }
            Step::Await { questions, until } => {
                // Once all else is done, questions that hold up nothing are waited for too.
                let done = matches!(
                    state.now.round.phase,
                    RoundPhase::Planning | RoundPhase::Concluding
                );
                let held = |id| {
                    let question = state.now.questions.get(id);
                    question.is_some_and(|question| question.holds == Holds::Phase || done)
                };
                !state.kept.paused
                    && questions.iter().all(held)
                    && (until.is_some() || !questions.is_empty())
            }
            Step::Rest(Rest::NotStarted) => !state.is_started(),
            Step::Rest(Rest::Paused) => state.kept.paused,
            // Judged from the rows once they are written.
            Step::Rest(Rest::OutOfBudget) => !state.kept.paused && state.kept.ended.is_none(),
            Step::Rest(Rest::Ended(end)) => {
                state.kept.ended.is_some_and(|(ended, _)| ended == *end)
            }
        };
        ensure(holds, "steps", || {
            format!("the step does not fit the state ({step:?})")
        })
    }

    /// The refined spec of an ended session, as the core assembles it, and as what may be in it is known from the rows.
    fn check_spec(&self, events: &[Event]) -> Verdict {
        let state = self.session.state();
        let spec = gapless_spec::assemble(state, &self.store);
        let spec = spec.map_err(failed("spec", "it cannot be assembled"))?;
        if let (Some(planting), Some((end, _))) = (&self.planting, state.kept.ended) {
            let end = end.to_string();
            planting.check_spec(&end, &spec)?;
            self.check_ability_to_end(Some(&end))?;
        }
        let standing = documents::standing(state, events, &self.store);
        let standing = standing.map_err(failed("texts", ""))?;
        let written = standing.iter().find(|document| document.path == "spec.md");
        let written = written.map(|document| &*document.text);
        self.checker.check_spec(&self.source, &spec, written)
    }

    /// The session has ended: everything is on disk, the log gives the state, and every letter has its outcome. False
    /// where a last kill undid the end.
    pub(super) fn finish(&mut self) -> Result<bool, Violation> {
        if !self.commit()? {
            return Ok(false);
        }
        while !self.late.is_empty() {
            self.deliver_late()?;
        }
        if self.disk.is_some() {
            self.reopen()?;
        }
        self.post_after_end();
        self.take_letters()?;
        self.commit_safely()?;
        // A letter may have taken the session up again.
        if self.session.state().kept.ended.is_none() {
            return Ok(false);
        }
        self.deliver()?;
        self.dispose()?;
        if self.session.state().kept.ended.is_none() {
            return Ok(false);
        }
        if let Some((id, _)) = self.letters.iter().find(|(_, outcome)| outcome.is_none()) {
            return violated("letters", format!("letter {id} got no outcome"));
        }
        let rows = self.store.read(NAME).unwrap_or_default();
        let logged = decode_rows(&rows).map_err(failed("replay", ""))?;
        let events: Vec<Event> = logged.into_iter().map(|logged| logged.event).collect();
        let mut state = State::default();
        events.iter().for_each(|event| apply(&mut state, event));
        ensure(
            state == *self.session.state(),
            "replay",
            || "the whole log does not give the last state",
        )?;
        self.check_spec(&events)?;
        let told = documents::decisions(self.session.state());
        self.checker.check_decisions_shown(&told)?;
        self.check_files()?;
        self.go_on_after_the_end()
    }

    /// Now and then the user takes the ended session up again, which then goes on to another end. True where it stays ended.
    fn go_on_after_the_end(&mut self) -> Result<bool, Violation> {
        if self.planting.is_some() || self.chapters_left == 0 || !self.rng.percent(40) {
            return Ok(true);
        }
        self.chapters_left -= 1;
        let state = self.session.state().clone();
        let said = commands::after_the_end(&mut self.rng, &state);
        let expected = match said {
            UserInput::Reopen => Expected::Taken,
            _ => Expected::Either,
        };
        self.setting.patience = self.steps + self.rng.between(0, 60);
        self.now += i64::from(self.rng.between(0, 86_400_000));
        self.say(said, expected)?;
        self.take_letters()?;
        self.commit()?;
        Ok(false)
    }
}

/// A line that a person can read, with all of a document that simulated agents write.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 2_000;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
