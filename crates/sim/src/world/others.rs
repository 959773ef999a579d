//! Other processes beside the one that drives: one that only reads, one that wants to drive too, and one that lost its
//! place and doesn't know.

use gapless_domain::Time;
use gapless_mediator::{Incoming, UserInput};
use gapless_runner::{RunError, Session};
use gapless_store::{LockError, Store, StoreError};

use super::{NAME, World};
use crate::check::{ensure, failed, violated};
use crate::{FaultyStore, Verdict, Violation};

const CHECKER: &str = "processes";

impl World {
    /// Now and then another process comes.
    pub(super) fn be_visited(&mut self) -> Verdict {
        if !self.committed.is_started() || !self.rng.percent(self.setting.other_process_percent) {
            return Ok(());
        }
        match self.rng.below(3) {
            0 => self.be_read(),
            1 => self.keep_the_place(),
            _ => self.lose_the_place(),
        }
    }

    fn another(&self) -> Result<Session<FaultyStore>, Violation> {
        let opened = Session::open(self.store.clone(), NAME);
        opened.map_err(failed(CHECKER, "another process can't open it"))
    }

    /// A reader sees exactly what is committed.
    fn be_read(&mut self) -> Verdict {
        let other = self.another()?;
        self.coverage.reach("process", "reads");
        ensure(
            *other.state() == self.committed,
            CHECKER,
            || "a reader sees another state than was committed",
        )
    }

    /// Another process would drive: it is locked out where there is a lock, and fenced where it goes on all the same.
    fn keep_the_place(&mut self) -> Verdict {
        if let Some(disk) = &self.disk {
            let locked_out = disk.try_lock(Time(self.now));
            let held = matches!(locked_out, Err(LockError::Held { .. }));
            self.coverage.reach("process", "locked out");
            ensure(held, CHECKER, || "a second process may drive")?;
        }
        let mut other = self.another()?;
        if !self.make_it_write(&mut other) || !self.session.has_uncommitted() {
            return Ok(());
        }
        let seen = self.committed.kept.events;
        self.commit_safely()?;
        // Where only letters were answered, the other has seen the whole log.
        if self.committed.kept.events == seen {
            return Ok(());
        }
        self.note(|| "another process would commit".to_owned());
        self.coverage
            .reach("process", "fenced, never had the place");
        self.must_be_fenced(other)
    }

    /// Another process drives on from what is committed; this one is fenced with what it has, and gives up.
    fn lose_the_place(&mut self) -> Verdict {
        let seen = self.committed.kept.events;
        let other = self.another()?;
        let mut old = std::mem::replace(&mut self.session, other);
        let writes = self.make_it_write(&mut old);
        self.note(|| "another process takes over".to_owned());
        // A folder has one writer: the old one has written all that it will.
        self.reopen()?;
        self.commit_safely()?;
        if writes && self.committed.kept.events > seen {
            self.coverage.reach("process", "fenced, lost the place");
            return self.must_be_fenced(old);
        }
        Ok(())
    }

    /// Gives a process something that it would commit.
    fn make_it_write(&mut self, session: &mut Session<FaultyStore>) -> bool {
        let said = Incoming::User(UserInput::Pause);
        let taken = session.feed(Time(self.now), said).is_ok();
        taken || session.has_uncommitted()
    }

    fn must_be_fenced(&mut self, mut other: Session<FaultyStore>) -> Verdict {
        let left = || {
            let rows = self.store.read(NAME).unwrap_or_default();
            (rows.len(), self.store.kept().text_count())
        };
        let before = left();
        match other.commit() {
            Err(RunError::Store(StoreError::Fenced { .. })) => {}
            Err(error) => return violated(CHECKER, format!("not fenced: {error}")),
            Ok(_) => return violated(CHECKER, "two processes drove one session"),
        }
        ensure(
            left() == before,
            CHECKER,
            || "a fenced commit left something",
        )
    }
}
