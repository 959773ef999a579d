//! Events for the tests of what is read off a log.

use std::collections::BTreeSet;

use crate::{Event, Happening, RollbackEvent, RoundEvent, SessionEvent};
use gapless_domain::{RollbackMode, RollbackTrigger, TextHash, Time};

fn event(at: i64, what: Happening) -> Event {
    let at = Time(at);
    Event { at, what }
}

pub(crate) fn started() -> Event {
    let started = SessionEvent::Started {
        name: "s".to_owned(),
        source_path: "s.md".to_owned(),
        source: TextHash::of("# S\n"),
        seed: 1,
        taken: BTreeSet::new(),
    };
    event(0, Happening::Session(started))
}

pub(crate) fn began(at: i64, round: u32) -> Event {
    event(at, Happening::Round(RoundEvent::Began { round }))
}

pub(crate) fn back(at: i64, from_round: u32, to_round: u32) -> Event {
    let back = RollbackEvent::RolledBack {
        from_round,
        to_round,
        reason: "it went astray".to_owned(),
        mode: RollbackMode::default(),
        trigger: RollbackTrigger::default(),
        unasked: false,
        adjustments: Vec::new(),
        rounds: Vec::new(),
        root_cause: None,
    };
    event(at, Happening::Rollback(back))
}
