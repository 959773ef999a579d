//! Rules for terms that are never defined, and for terms that are defined twice.

use gapless_domain::Severity;

use crate::facts::state_key;
use crate::rule::{Found, quoted};
use crate::{Facts, Rule, Topic};

pub static UNDEFINED_ACRONYM: Rule = Rule {
    id: "undefined-acronym",
    category: "TERM",
    severity: Severity::Low,
    title: "What does the acronym stand for?",
    reason: "Readers from another team will read something else into it.",
    suggestion: "spell it out where it is first used, as in \"Dead Parrot Queue (DPQ)\", or in a glossary",
    topic: Topic::Definition,
    bad: &[
        "The service sends every order to the QRB before it ships.",
        "Each LPN is printed on the box.",
    ],
    good: &[
        "The service sends every order to the Quality Review Board (QRB). The QRB answers within 2 hours.",
        "The QRB (quality review board) answers within 2 hours.",
        "The service answers with JSON over HTTP and MUST NOT cache.",
        "The QRB decides.\n\n## Glossary\n\n- **QRB**: the board that reviews quality",
        "Set `QRB=1` in the environment.",
        "The installer reads QRB.md first.",
        "The ABACUS counts; an abacus has beads.",
    ],
    check: acronyms,
};

pub static UNDEFINED_TERM: Rule = Rule {
    id: "undefined-term",
    category: "TERM",
    severity: Severity::Medium,
    title: "What does the term mean?",
    reason: "The capital says that it means something particular, and nothing says what.",
    suggestion: "define it where it is first used or in a glossary, or write it small if the ordinary word is meant",
    topic: Topic::Definition,
    bad: &[
        "The importer closes the Settlement Window at noon. When the Settlement Window is closed, the importer refuses rows.",
    ],
    good: &[
        "The importer closes the **Settlement Window**, the hours in which rows are taken. After the Settlement Window it refuses rows. The Settlement Window is one per day.",
        "# Spec\n\nThe importer closes the Settlement Window. The Settlement Window is reopened daily.\n\n## Settlement window\n\nFrom 8:00 to 12:00 UTC.",
        "The service stores rows in the Postgres database. The Postgres database is replicated.",
        "See the Guide once.",
    ],
    check: terms,
};

pub static DUPLICATE_DEFINITION: Rule = Rule {
    id: "duplicate-definition",
    category: "TERM",
    severity: Severity::Medium,
    title: "Which of the two definitions is meant?",
    reason: "Whoever reads only one of the two implements something else than whoever reads the other.",
    suggestion: "keep one definition and point to it from the other place",
    topic: Topic::Definition,
    bad: &[
        "Session means a login that lasts 24 hours.\n\n## Later\n\nSession means one visit to the site.",
        "## Glossary\n\n- **Order**: what a customer pays for\n- **Batch**: 100 orders\n- **Order**: a row of the table orders",
    ],
    good: &[
        "Session means a login that lasts 24 hours.\n\n## Later\n\nA session ends at midnight.",
        "## Glossary\n\n- **Order**: what a customer pays for\n- **Batch**: 100 orders",
    ],
    check: duplicates,
};

fn acronyms(facts: &Facts<'_>, found: &mut Found) {
    for (acronym, usage) in &facts.definitions.acronyms {
        if is_introduced(facts, acronym) {
            continue;
        }
        let times = match usage.count {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let message =
            format!("`{acronym}` is used {times} and nowhere spelled out: what does it stand for?");
        found.at(usage.span.clone(), message).keyed(acronym.clone());
    }
}

fn terms(facts: &Facts<'_>, found: &mut Found) {
    for (key, usage) in &facts.definitions.terms {
        // One capital alone may be a name.
        let enough = if key.contains(' ') { 2 } else { 3 };
        if usage.count < enough || is_introduced(facts, key) {
            continue;
        }
        let message = format!(
            "\"{}\" is written as a defined term {} times and nowhere defined: what does it mean?",
            quoted(&usage.shown),
            usage.count
        );
        found.at(usage.span.clone(), message).keyed(key.clone());
    }
}

/// Whether a term is introduced somewhere, or is a state.
fn is_introduced(facts: &Facts<'_>, term: &str) -> bool {
    let key = state_key(term);
    let mut machines = facts.machines.iter();
    facts.definitions.knows(term) || machines.any(|machine| machine.states.contains_key(&key))
}

fn duplicates(facts: &Facts<'_>, found: &mut Found) {
    for (term, definitions) in &facts.definitions.explicit {
        let Some((first, others)) = definitions.split_first() else {
            continue;
        };
        for other in others {
            if other.body == first.body || other.body.is_empty() || first.body.is_empty() {
                continue;
            }
            let line = facts.document.line_of(first.span.start);
            let message = format!(
                "\"{}\" is defined here and, differently, on line {line}: which one is meant?",
                quoted(term)
            );
            found.at(other.span.clone(), message).keyed(term.clone());
            break;
        }
    }
}
