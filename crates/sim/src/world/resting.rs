//! Handles sessions at rest: paused, out of budget, ended, delivered, and its archives disposed of.

use gapless_domain::{Delivered, Disposed, End, Time};
use gapless_mediator::{Incoming, UserInput};

use super::World;
use super::expected::Expected;
use super::files::place_of;
use crate::Verdict;
use crate::check::{Cause, ensure, failed, violated};
use crate::setting::{budgets, draw_budgets, drawn_delivery, set_budgets};
use crate::users::answers;

/// How often a spec that can't be written is tried again.
const DELIVERY_TRIES: u32 = 3;

impl World {
    /// A paused session goes on when the user says so, perhaps with other budgets.
    pub(super) fn rest(&mut self) -> Verdict {
        self.sync(&[])?;
        if !self.commit()? {
            return Ok(());
        }
        self.coverage.reach("rest", "paused");
        self.now += 60_000;
        if self.is_wild() && self.rng.percent(30) {
            return self.user_acts_unprompted();
        }
        if self.is_wild() && self.rng.percent(15) {
            self.change_budgets();
            self.configure()?;
        }
        self.say(UserInput::Resume, Expected::Taken)
    }

    /// Out of budget: the user says something else first, or allows more, less, something else or anything.
    pub(super) fn allow_more(&mut self) -> Verdict {
        self.sync(&[])?;
        if !self.commit()? {
            return Ok(());
        }
        self.checker.check_rest()?;
        self.coverage.reach("rest", "out of budget");
        self.now += 60_000;
        if self.is_wild() && self.rng.percent(30) {
            return self.user_acts_unprompted();
        }
        self.change_budgets();
        self.configure()
    }

    /// Other budgets than before; none any more once everybody works towards an end.
    pub(super) fn change_budgets(&mut self) {
        let chance = if self.is_wild() { self.rng.below(5) } else { 0 };
        let config = &mut self.setting.met.config;
        let before = budgets(config);
        let scaled = |amount: u64| match chance {
            1 => amount / 2,
            _ => amount.saturating_mul(3).saturating_add(10),
        };
        match chance {
            0 => set_budgets(config, [None; 3]),
            4 => draw_budgets(config, &mut self.rng, 30),
            _ => set_budgets(config, before.map(|budget| budget.map(scaled))),
        }
        let changes = before.into_iter().zip(budgets(config));
        for (kind, (before, after)) in ["tokens", "cost", "time"].iter().zip(changes) {
            let what = match (before, after) {
                (Some(_), None) => "taken away",
                (None, Some(_)) => "set",
                (Some(before), Some(after)) if after > before => "raised",
                (Some(before), Some(after)) if after < before => "lowered",
                _ => continue,
            };
            self.coverage.reach("budget", &format!("{kind}: {what}"));
        }
    }

    /// The session is met with what it runs with now.
    pub(super) fn configure(&mut self) -> Verdict {
        let met = Incoming::Configure(Box::new(self.setting.met.clone()));
        let taken = self.feed(Cause::Configure, met)?;
        taken.map_err(failed("configuration", "it was refused"))
    }

    /// Writes the refined spec of an ended session where it is wanted, on a disk that now and then refuses; then the
    /// user may want it elsewhere.
    pub(super) fn deliver(&mut self) -> Verdict {
        for attempt in 0..DELIVERY_TRIES {
            self.deliver_if_due()?;
            if attempt == 0 && self.rng.percent(50) {
                continue;
            }
            let delivery = drawn_delivery(&mut self.rng);
            let ended = self.session.state().kept.ended;
            let abandoned = ended.is_some_and(|(end, _)| end == End::Abandoned);
            let said = Incoming::User(UserInput::Deliver { delivery });
            let taken = self.feed(Cause::User, said)?.is_ok();
            ensure(taken != abandoned, "delivery", || {
                format!("abandoned {abandoned}, taken {taken}")
            })?;
            let what = match taken {
                true => "asked after the end",
                false => "refused",
            };
            self.coverage.reach("delivery", what);
            self.commit_safely()?;
        }
        self.deliver_if_due()
    }

    fn deliver_if_due(&mut self) -> Verdict {
        let Some(delivery) = self.session.state().delivery_due() else {
            return Ok(());
        };
        if self.disk.is_some() {
            let delivery = delivery.clone();
            return self.write_out(&delivery);
        }
        let path = place_of(delivery).to_owned();
        let delivered = match self.rng.percent(70) {
            true => Delivered::Written {
                path,
                backup: None,
                text: None,
            },
            false => Delivered::Failed {
                path,
                why: "the disk is full".to_owned(),
            },
        };
        let noted = || Incoming::Delivered(delivered.clone());
        self.note_done(Cause::Delivery, "delivery", noted)?;
        self.commit_safely()
    }

    /// What nobody has noted on disk may be done twice, and is noted once.
    fn note_done(
        &mut self,
        cause: Cause,
        checker: &'static str,
        noted: impl Fn() -> Incoming,
    ) -> Verdict {
        for _ in 0..self.rng.between(1, 2) {
            let taken = self.feed(cause, noted())?;
            taken.map_err(failed(checker, "it was refused"))?;
        }
        Ok(())
    }

    /// What becomes of the archives is answered at once, after a process that nobody answered, or not at all; and it is done
    /// on a disk that now and then refuses, by processes that may be killed before they have noted it.
    pub(super) fn dispose(&mut self) -> Verdict {
        let asked = self.session.state().now.questions.values().next().cloned();
        let Some(question) = asked.filter(|_| self.rng.percent(90)) else {
            return Ok(());
        };
        let state = self.session.state().clone();
        let Some(answer) = answers::legal(&mut self.rng, &state, &question) else {
            return violated("questions", "the archives can't be answered for");
        };
        let question = question.id;
        self.say(UserInput::Answer { question, answer }, Expected::Taken)?;
        self.take_letters()?;
        self.commit_safely()?;
        for _ in 0..self.rng.between(1, 4) {
            self.dispose_if_due()?;
            if self.rng.percent(20) {
                self.reopen()?;
            }
            self.commit_safely()?;
        }
        Ok(())
    }

    fn dispose_if_due(&mut self) -> Verdict {
        if self.session.state().archives_due().is_none() {
            return Ok(());
        }
        if self.disk.is_some() {
            self.commit_safely()?;
            let before = self.session.state().kept.events;
            let disposed = self.session.dispose(Time(self.now));
            disposed.map_err(failed("archives", ""))?;
            self.end_turn(before, Cause::Disposal);
            self.commit_safely()?;
            return self.check_files();
        }
        let disposed = Disposed {
            problems: self
                .rng
                .sometimes(30, |_| vec!["the disk is full".to_owned()]),
            ..Disposed::default()
        };
        let noted = || Incoming::Disposed(disposed.clone());
        self.note_done(Cause::Disposal, "archives", noted)
    }
}
