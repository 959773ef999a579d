//! The rule for what is started without a word on who or what starts it.

use std::collections::BTreeSet;

use gapless_domain::Severity;

use super::asking::{Asked, behind, claims};
use crate::rule::Found;
use crate::{Facts, Rule, Topic};

pub static TRIGGER_UNSAID: Rule = Rule {
    id: "trigger-unsaid",
    category: "REQ",
    severity: Severity::Medium,
    title: "Who or what starts it, and when?",
    reason: "It never runs, or runs at a time that somebody guessed.",
    suggestion: "name the user, the event or the schedule that starts it",
    topic: Topic::Other,
    bad: &[
        "- WHEN group formation is triggered\n- THEN the system SHALL invite the members",
        "When the yearly audit is conducted, the system shall export all orders.",
    ],
    good: &[
        "When group formation is triggered by a teacher, the system shall invite the members.",
        "When the import is started every night, the system shall lock the table.",
        "When a request is sent, the system shall answer within 2 seconds.",
    ],
    check: triggers,
};

const STARTED: [&str; 8] = [
    "triggered",
    "initiated",
    "started",
    "launched",
    "conducted",
    "scheduled",
    "kicked",
    "performed",
];

const STARTING: [&str; 14] = [
    "by",
    "every",
    "each",
    "daily",
    "hourly",
    "weekly",
    "monthly",
    "at",
    "after",
    "from",
    "via",
    "when",
    "manually",
    "automatically",
];

fn triggers(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    for sentence in claims(facts) {
        let first = sentence.words.start;
        let opens = ["when", "whenever", "once"];
        let opens = opens
            .iter()
            .any(|word| facts.word(first).eq_ignore_ascii_case(word));
        let mut words = first + 2..sentence.words.end.min(first + 9);
        let verb = words.find(|index| {
            let is_passive = matches!(facts.word(index - 1), "is" | "are" | "gets");
            is_passive && STARTED.contains(&facts.word(*index))
        });
        let Some(verb) = verb.filter(|_| opens) else {
            continue;
        };
        let clause = behind(facts, sentence, verb);
        let clause = clause.split([',', '.', ';']).next().unwrap_or("");
        let clause = clause.split("THEN").next().unwrap_or("");
        let mut rest = clause.split_whitespace();
        let is_said = rest.any(|word| {
            STARTING
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        });
        let span = facts.words[first].start..facts.words[verb].end;
        if !is_said && told.insert(facts.text(span.clone()).to_lowercase()) {
            asked.about(facts, sentence, span, "who or what starts it, and when?");
        }
    }
    asked.tell(found);
}
