//! Counts what a run of the simulator reached, and lists the table entries that it didn't.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use gapless_domain::{
    About, ArchiveChoice, End, ExecutionErrorKind, FailureType, GapMove, GapState, Heuristic,
    IssueMove, IssueState, Role, RollbackMode, RollbackTrigger, gap, issue,
};

use crate::check::SLOT_TABLE;
use crate::world::{ARCHIVING, TORN};

/// Counts by area and what was reached there.
#[derive(Debug, Clone, Default)]
pub struct Coverage(BTreeMap<String, BTreeMap<String, u64>>);

/// What roles can't fail with, or not here, and why.
const EXPLAINED: [(&[&str], &[&str], &str); 4] = [
    (&["analyst", "final_reviewer"], &NAMING, NAMES_NONE),
    (&["analyst"], &DISAGREEING, NAMES_NONE),
    (
        &["reviewer", "editor", "final_reviewer"],
        &DISAGREEING,
        "only the Engineer writes DISAGREE blocks",
    ),
    (
        &["analyst", "reviewer", "editor", "final_reviewer"],
        &["SPEC_CHANGE_MISMATCH"],
        "only the Engineer changes the spec",
    ),
];
const NAMING: [&str; 2] = ["NO_GAPS_ADDRESSED", "INCONSISTENT_REFS"];
const DISAGREEING: [&str; 3] = [
    "INVALID_DISAGREE_REF",
    "MALFORMED_DISAGREE",
    "RE_ARGUED_CONFLICT",
];
const NAMES_NONE: &str =
    "an Analyst brings up gaps and names none that must exist, and a final review binds no gap";
/// The causes that the checkers note for outputs without a proposal.
const CAUSES: [&str; 4] = [
    "EXPLICIT_BLOCK",
    "DOMAIN_GAP",
    "OUTPUT_FAILURE",
    "UNCLEAR_ASSIGNMENT",
];
/// Each end with its triggers.
const TRIGGERS: [&str; 12] = [
    "COMPLETE: final_review_ready",
    "GOOD_ENOUGH: rollback_limit",
    "GOOD_ENOUGH: user_stop",
    "GOOD_ENOUGH: nothing_to_plan",
    "GOOD_ENOUGH: no_final_review",
    "USER_APPROVED: rollback_limit",
    "USER_APPROVED: user_stop",
    "USER_APPROVED: nothing_to_plan",
    "USER_APPROVED: no_final_review",
    "MAX_ROUNDS: round_limit",
    "STALL_EXIT: divergence",
    "ABANDONED: abandoned",
];
const RESTS: [&str; 2] = ["paused", "out of budget"];
const BUDGETS: [&str; 3] = ["tokens", "cost", "time"];
const BUDGET_CHANGES: [&str; 5] = ["reached", "set", "raised", "lowered", "taken away"];
const DELIVERIES: [&str; 4] = ["written", "not written", "asked after the end", "refused"];
const FINAL_REVIEWS: [&str; 4] = [
    "ready",
    "ready for what was set aside",
    "not ready",
    "not ready, and something set aside",
];
/// What the user settled that a final review calls blocking. Nothing waits for the user's input in a final review: it begins
/// where nothing does, and only an Engineer blocks a gap.
const SET_ASIDE: [&str; 4] = ["closed", "deferred", "decided", "waived"];
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
/// What the user takes back, and whether rounds go with it.
const TAKEN_BACK: [&str; 6] = [
    "an answer",
    "a command",
    "a rollback",
    "a chapter",
    "an end",
    "with rounds",
];
/// The kinds of decisions that another one takes the place of.
const CHANGED: [&str; 4] = ["conflict", "severity", "input", "confirmation"];
/// What happens at commits; the first ones end the process.
pub const FAULTS: [&str; 5] = [
    "before commit",
    "after commit",
    "failed commit",
    "unsaid commit",
    "stalled commit",
];
pub const FAULTS_THAT_KILL: usize = 4;

/// What other processes do, and how they are stopped.
const PROCESSES: [&str; 4] = [
    "reads",
    "locked out",
    "fenced, never had the place",
    "fenced, lost the place",
];

/// The name of something of the core's, as it is written into the log.
fn name(of: impl serde::Serialize) -> String {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// Every pair of two lists.
fn pairs(first: &[impl fmt::Display], second: &[impl fmt::Display]) -> Vec<String> {
    let with = |one| second.iter().map(move |other| format!("{one}: {other}"));
    first.iter().flat_map(with).collect()
}

fn names<T: serde::Serialize + Copy>(all: &[T]) -> Vec<String> {
    all.iter().copied().map(name).collect()
}

fn gap_moves() -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    for from in GapState::ALL {
        for attempted in GapMove::ALL {
            for before in [GapState::Open, GapState::NeedsRevision] {
                let to = gap::step(from, attempted, before).ok();
                moves.extend(to.map(|to| format!("{}: {from} -> {to}", name(attempted))));
            }
        }
    }
    moves
}

fn issue_moves() -> Vec<String> {
    let mut moves = Vec::new();
    for from in IssueState::ALL {
        for attempted in IssueMove::ALL {
            if let Ok(to) = issue::step(from, attempted) {
                moves.push(format!("{}: {from} -> {to}", name(attempted)));
            }
        }
    }
    moves
}

impl Coverage {
    pub fn reach(&mut self, area: &str, what: &str) {
        let known = self
            .0
            .get_mut(area)
            .and_then(|reached| reached.get_mut(what));
        if let Some(count) = known {
            *count += 1;
            return;
        }
        let reached = self.0.entry(area.to_owned()).or_default();
        reached.insert(what.to_owned(), 1);
    }

    fn is_reached(&self, area: &str, what: &str) -> bool {
        let reached = self.0.get(area);
        reached.is_some_and(|reached| reached.contains_key(what))
    }

    pub fn add(&mut self, other: &Coverage) {
        for (area, reached) in &other.0 {
            let own = self.0.entry(area.clone()).or_default();
            for (what, count) in reached {
                *own.entry(what.clone()).or_default() += count;
            }
        }
    }

    /// Everything that the tables have, by area. What the core has a table of comes from there.
    fn expected() -> Vec<(&'static str, Vec<String>)> {
        let owned = |words: &[&str]| Vec::from_iter(words.iter().map(ToString::to_string));
        let slot_moves = SLOT_TABLE
            .iter()
            .map(|(event, from, to)| format!("{event}: {from} -> {to}"));
        let options = About::options()
            .into_iter()
            .flat_map(|(kind, options)| options.into_iter().map(move |it| format!("{kind}: {it}")));
        let asked = RollbackMode::ALL.iter().flat_map(|mode| {
            let triggers = RollbackTrigger::ALL.iter();
            // What is taken back is counted apart.
            triggers
                .filter(|trigger| **trigger != RollbackTrigger::Undo)
                .map(move |trigger| format!("{}, {}, asked", name(mode), name(trigger)))
        });
        let unasked = "auto_retry, exhausted, unasked".to_owned();
        let archiving = ARCHIVING.iter().map(|stage| format!("archive {stage}"));
        let torn = TORN.iter().map(|how| format!("file {how}"));
        let files = [
            "file not written",
            "temporary file",
            "file edited by hand",
            "file removed by hand",
            "edit kept",
        ];
        let disk = archiving.chain(torn).chain(owned(&files));
        vec![
            ("gap move", gap_moves().into_iter().collect()),
            ("issue move", issue_moves()),
            ("slot move", slot_moves.collect()),
            (
                "failure",
                pairs(&names(&Role::ALL), &names(&FailureType::ALL)),
            ),
            ("cause", owned(&CAUSES)),
            ("execution error", names(&ExecutionErrorKind::ALL)),
            ("unfinished document", owned(&["read", "kept"])),
            ("fallback", owned(&["engineer", "reviewer"])),
            ("answer", options.collect()),
            ("end", names(&End::ALL)),
            ("trigger", owned(&TRIGGERS)),
            ("rest", owned(&RESTS)),
            ("budget", pairs(&BUDGETS, &BUDGET_CHANGES)),
            ("delivery", owned(&DELIVERIES)),
            ("editor", owned(&["taken", "not taken"])),
            ("final review", owned(&FINAL_REVIEWS)),
            ("set aside", owned(&SET_ASIDE)),
            ("flag", names(&Heuristic::ALL)),
            ("rollback", asked.chain([unasked]).collect()),
            (
                "archives",
                pairs(&names(&ArchiveChoice::ALL), &["done", "not done"]),
            ),
            ("chapter", pairs(&["after"], &names(&End::ALL))),
            ("taken back", owned(&TAKEN_BACK)),
            ("decision changed", owned(&CHANGED)),
            ("fault", pairs(&FAULTS, &PLACES)),
            ("disk", disk.collect()),
            ("process", owned(&PROCESSES)),
            ("late result", owned(&["taken", "refused", "counted"])),
        ]
    }

    /// The names of everything there is to reach, as a page shows them: what was reached, and what was not and why.
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        for (area, all) in Self::expected() {
            let reached = all.iter().filter(|what| self.is_reached(area, what));
            let names: Vec<String> = reached.map(|what| format!("`{what}`")).collect();
            page += &format!("- **{area}**: {}\n", names.join(", "));
        }
        let unreached = self.unreached();
        if !unreached.is_empty() {
            page += "\nNot reached:\n\n";
        }
        for (area, missing) in unreached {
            for what in missing {
                let why = explanation(area, &what).unwrap_or("nobody knows why");
                page += &format!("- `{area}: {what}`: {why}\n");
            }
        }
        page
    }

    /// What of the tables was not reached.
    pub fn unreached(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut unreached = Self::expected();
        for (area, all) in &mut unreached {
            all.retain(|what| !self.is_reached(area, what));
        }
        unreached.retain(|(_, missing)| !missing.is_empty());
        unreached
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (area, reached) in &self.0 {
            let items = reached.iter();
            let items = items.map(|(what, count)| format!("{what} ({count})"));
            let items: Vec<String> = items.collect();
            writeln!(f, "{area}: {}", items.join(", "))?;
        }
        for (area, missing) in self.unreached() {
            let (explained, open): (Vec<String>, Vec<String>) = missing
                .into_iter()
                .partition(|what| explanation(area, what).is_some());
            if !open.is_empty() {
                writeln!(f, "not reached, {area}: {}", open.join(", "))?;
            }
            for what in explained {
                let why = explanation(area, &what).unwrap_or_default();
                writeln!(f, "not reached, explained, {area}: {what}: {why}")?;
            }
        }
        Ok(())
    }
}

/// Why something is not reached, where that is known.
fn explanation(area: &str, what: &str) -> Option<&'static str> {
    let (role, failure) = what.split_once(": ").filter(|_| area == "failure")?;
    let mut explained = EXPLAINED.iter();
    let found =
        explained.find(|(roles, failures, _)| roles.contains(&role) && failures.contains(&failure));
    found.map(|(_, _, why)| *why)
}

#[cfg(test)]
mod tests {
    use gapless_domain::slot::SlotMove;
    use gapless_domain::{SlotState, Trigger, slot};

    use super::*;
    use crate::check::{GAP_TABLE, ISSUE_TABLE};

    /// The checkers' tables are written anew from the design, and must come to the same.
    #[test]
    fn the_tables_of_the_checkers_are_those_of_the_core() {
        let own = |table: &[(&str, &str, &str, bool)]| -> BTreeSet<String> {
            let moves = table.iter();
            let moves = moves.map(|(by, from, to, _)| format!("{by}: {from} -> {to}"));
            moves.collect()
        };
        assert_eq!(own(&GAP_TABLE), gap_moves());
        assert_eq!(own(&ISSUE_TABLE), issue_moves().into_iter().collect());
        let mut slots = BTreeSet::new();
        for from in SlotState::ALL {
            for attempted in SlotMove::ALL {
                if let Ok(to) = slot::step(from, attempted) {
                    slots.insert((name(from), name(to)));
                }
            }
        }
        let own = SLOT_TABLE.iter().filter(|(event, ..)| *event != "opened");
        let own = own.map(|(_, from, to)| ((*from).to_owned(), (*to).to_owned()));
        assert_eq!(own.collect::<BTreeSet<_>>(), slots);
    }

    #[test]
    fn every_end_has_a_trigger_and_every_trigger_an_end() {
        let listed = TRIGGERS.iter().filter_map(|it| it.split_once(": "));
        let listed: Vec<(&str, &str)> = listed.collect();
        let ends: BTreeSet<String> = listed.iter().map(|(end, _)| (*end).to_owned()).collect();
        assert_eq!(ends, names(&End::ALL).into_iter().collect());
        let triggers: BTreeSet<String> = listed.iter().map(|(_, it)| (*it).to_owned()).collect();
        assert_eq!(triggers, names(&Trigger::ALL).into_iter().collect());
    }

    /// A state, an option or a fault that is new must be reached and listed, or explained.
    #[test]
    fn docs_simulator_names_everything_that_there_is_to_reach() {
        let page = include_str!("../../../docs/simulator.md");
        for (area, all) in Coverage::expected() {
            for what in all {
                let named = match explanation(area, &what) {
                    Some(why) => page.contains(&format!("`{area}: {what}`: {why}")),
                    None => page.contains(&format!("`{what}`")),
                };
                assert!(named, "docs/simulator.md has no {area}: {what}");
            }
        }
    }

    #[test]
    fn only_what_there_is_is_explained() {
        let expected = Coverage::expected();
        let failures = expected.into_iter().find(|(area, _)| *area == "failure");
        let (_, failures) = failures.unwrap_or_default();
        for (roles, names, _) in EXPLAINED {
            for what in pairs(roles, names) {
                assert!(failures.contains(&what), "failure: {what}");
            }
        }
    }
}
