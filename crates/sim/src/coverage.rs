//! Owns what a run of the simulator reached, and what of the tables it did not.

use std::collections::BTreeMap;
use std::fmt;

use crate::check::{GAP_TABLE, ISSUE_TABLE, QUESTION_OPTIONS, SLOT_TABLE};

/// Counts by area and what was reached there.
#[derive(Debug, Clone, Default)]
pub struct Coverage(BTreeMap<String, BTreeMap<String, u64>>);

/// What a role's output can fail by. The rest can't happen: only the Engineer writes DISAGREE blocks, an Analyst brings
/// up gaps and names none that must exist, and a final review binds no gap.
const FAILURES: [(&str, &[&str]); 5] = [
    ("analyst", &["FILE_MISSING", "EMPTY_OUTPUT", "WRONG_FORMAT"]),
    (
        "engineer",
        &[
            "FILE_MISSING",
            "EMPTY_OUTPUT",
            "WRONG_FORMAT",
            "NO_GAPS_ADDRESSED",
            "INCONSISTENT_REFS",
            "INVALID_DISAGREE_REF",
            "MALFORMED_DISAGREE",
            "RE_ARGUED_CONFLICT",
        ],
    ),
    (
        "reviewer",
        &[
            "FILE_MISSING",
            "EMPTY_OUTPUT",
            "WRONG_FORMAT",
            "NO_GAPS_ADDRESSED",
            "INCONSISTENT_REFS",
        ],
    ),
    (
        "editor",
        &[
            "FILE_MISSING",
            "EMPTY_OUTPUT",
            "WRONG_FORMAT",
            "NO_GAPS_ADDRESSED",
            "INCONSISTENT_REFS",
        ],
    ),
    (
        "final_reviewer",
        &["FILE_MISSING", "EMPTY_OUTPUT", "WRONG_FORMAT"],
    ),
];
const CAUSES: [&str; 4] = [
    "EXPLICIT_BLOCK",
    "DOMAIN_GAP",
    "OUTPUT_FAILURE",
    "UNCLEAR_ASSIGNMENT",
];
const ERRORS: [&str; 8] = [
    "not_found",
    "exited_without_output",
    "idle_timeout",
    "hard_timeout",
    "provider",
    "rate_limit",
    "refused",
    "prompt_too_long",
];
const ENDS: [&str; 6] = [
    "COMPLETE",
    "GOOD_ENOUGH",
    "USER_APPROVED",
    "MAX_ROUNDS",
    "STALL_EXIT",
    "ABANDONED",
];
/// Which trigger comes to which end.
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
/// What is noticed of issues; H2 needs gaps that were rolled back for different reasons.
const FLAGS: [&str; 5] = ["H1", "H3", "H4", "H5", "H6"];
/// In which mode what led to a rollback, and whether anybody was asked.
const ROLLBACKS: [&str; 10] = [
    "interactive, user, asked",
    "interactive, exhausted, asked",
    "interactive, divergence, asked",
    "auto_retry, user, asked",
    "auto_retry, exhausted, asked",
    "auto_retry, exhausted, unasked",
    "auto_retry, divergence, asked",
    "strict, user, asked",
    "strict, exhausted, asked",
    "strict, divergence, asked",
];
const ARCHIVES: [&str; 8] = [
    "keep: done",
    "keep: not done",
    "delete: done",
    "delete: not done",
    "recent: done",
    "recent: not done",
    "cold: done",
    "cold: not done",
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
/// What happens at commits; the first ones end the process.
pub const FAULTS: [&str; 5] = [
    "before commit",
    "after commit",
    "failed commit",
    "unsaid commit",
    "stalled commit",
];
pub const FAULTS_THAT_KILL: usize = 4;

/// Every word of every list, behind the name of its list.
fn each(lists: &[(&str, &[&str])]) -> Vec<String> {
    let words = lists
        .iter()
        .flat_map(|(name, words)| words.iter().map(move |word| format!("{name}: {word}")));
    words.collect()
}

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
        let budgets = BUDGETS.iter().flat_map(|kind| {
            BUDGET_CHANGES
                .iter()
                .map(move |what| format!("{kind}: {what}"))
        });
        let faults = FAULTS
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
            ("failure", each(&FAILURES)),
            ("cause", owned(&CAUSES)),
            ("execution error", owned(&ERRORS)),
            ("fallback", owned(&["engineer", "reviewer"])),
            ("answer", each(&QUESTION_OPTIONS)),
            ("end", owned(&ENDS)),
            ("trigger", owned(&TRIGGERS)),
            ("rest", owned(&RESTS)),
            ("budget", budgets.collect()),
            ("delivery", owned(&DELIVERIES)),
            ("editor", owned(&["taken", "not taken"])),
            ("final review", owned(&FINAL_REVIEWS)),
            ("set aside", owned(&SET_ASIDE)),
            ("flag", owned(&FLAGS)),
            ("rollback", owned(&ROLLBACKS)),
            ("archives", owned(&ARCHIVES)),
            ("fault", faults.collect()),
        ]
    }

    /// The names of what was reached, as a page shows them.
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        for (area, reached) in &self.0 {
            let names: Vec<&str> = reached.keys().map(String::as_str).collect();
            page += &format!("- **{area}**: {}\n", names.join(", "));
        }
        page
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
