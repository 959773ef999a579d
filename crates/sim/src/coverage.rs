//! Owns what a run of the simulator reached, and what of the tables it did not.

use std::collections::BTreeMap;
use std::fmt;

use crate::check::{GAP_TABLE, ISSUE_TABLE, QUESTION_OPTIONS, SLOT_TABLE};

/// Counts by area and what was reached there.
#[derive(Debug, Clone, Default)]
pub struct Coverage(BTreeMap<String, BTreeMap<String, u64>>);

const FAILURES: [&str; 8] = [
    "FILE_MISSING",
    "EMPTY_OUTPUT",
    "WRONG_FORMAT",
    "NO_GAPS_ADDRESSED",
    "INCONSISTENT_REFS",
    "INVALID_DISAGREE_REF",
    "MALFORMED_DISAGREE",
    "RE_ARGUED_CONFLICT",
];
const ERRORS: [&str; 6] = [
    "not_found",
    "exited_without_output",
    "idle_timeout",
    "hard_timeout",
    "provider",
    "rate_limit",
];
const ENDS: [&str; 6] = [
    "COMPLETE",
    "GOOD_ENOUGH",
    "USER_APPROVED",
    "MAX_ROUNDS",
    "STALL_EXIT",
    "ABANDONED",
];
const PLACES: [&str; 10] = [
    "discovering",
    "inventory",
    "planning",
    "engineering",
    "responding",
    "reviewing",
    "settling",
    "accounting",
    "concluding",
    "final_review",
];
pub const KILLS: [&str; 3] = ["before commit", "after commit", "failed commit"];

impl Coverage {
    pub fn reach(&mut self, area: &str, what: &str) {
        if let Some(reached) = self.0.get_mut(area)
            && let Some(count) = reached.get_mut(what)
        {
            *count += 1;
            return;
        }
        *self
            .0
            .entry(area.to_owned())
            .or_default()
            .entry(what.to_owned())
            .or_default() += 1;
    }

    pub fn add(&mut self, other: &Coverage) {
        for (area, reached) in &other.0 {
            let own = self.0.entry(area.clone()).or_default();
            for (what, count) in reached {
                *own.entry(what.clone()).or_default() += count;
            }
        }
    }

    /// Everything that the tables have, by area.
    fn expected() -> Vec<(&'static str, Vec<String>)> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let moves = |table: &[(&str, &str, &str, bool)]| {
            table
                .iter()
                .map(|(by, from, to, _)| format!("{by}: {from} -> {to}"))
                .collect()
        };
        let answers = QUESTION_OPTIONS.iter().flat_map(|(kind, options)| {
            options
                .iter()
                .map(move |option| format!("{kind}: {option}"))
        });
        let kills = KILLS
            .iter()
            .flat_map(|kind| PLACES.iter().map(move |place| format!("{kind}: {place}")));
        vec![
            ("gap move", moves(&GAP_TABLE)),
            ("issue move", moves(&ISSUE_TABLE)),
            (
                "slot move",
                SLOT_TABLE
                    .iter()
                    .map(|(event, from, to)| format!("{event}: {from} -> {to}"))
                    .collect(),
            ),
            ("failure", owned(&FAILURES)),
            ("execution error", owned(&ERRORS)),
            ("answer", answers.collect()),
            ("end", owned(&ENDS)),
            ("kill", kills.collect()),
        ]
    }

    /// What of the tables was not reached.
    pub fn unreached(&self) -> Vec<(&'static str, Vec<String>)> {
        let missing = |area: &str, all: Vec<String>| -> Vec<String> {
            let reached = self.0.get(area);
            all.into_iter()
                .filter(|what| !reached.is_some_and(|r| r.contains_key(what)))
                .collect()
        };
        Self::expected()
            .into_iter()
            .map(|(area, all)| (area, missing(area, all)))
            .filter(|(_, missing)| !missing.is_empty())
            .collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (area, reached) in &self.0 {
            let items: Vec<String> = reached
                .iter()
                .map(|(what, count)| format!("{what} ({count})"))
                .collect();
            writeln!(f, "{area}: {}", items.join(", "))?;
        }
        for (area, missing) in self.unreached() {
            writeln!(f, "not reached, {area}: {}", missing.join(", "))?;
        }
        Ok(())
    }
}
