//! The rule for qualifiers that leave a decision to the implementer.

use std::collections::BTreeSet;

use gapless_domain::Severity;

use super::asking::is_demanded;
use super::requirements;
use super::vagueness::{degree_of_dimension, is_purpose, say};
use crate::facts::Hit;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static VAGUE_QUALIFIER: Rule = Rule {
    id: "vague-qualifier",
    category: "VAGUE",
    severity: Severity::Low,
    title: "What exactly is meant, and how is it checked?",
    reason: "It reads like a requirement and obliges to nothing: what is appropriate is not said.",
    suggestion: "say the condition, the criterion or the list that is meant",
    topic: Topic::Other,
    bad: &[
        "The service must log an appropriate message.",
        "The importer copies refused rows as needed.",
        "The client shall handle errors gracefully.",
        "The system should encrypt data where possible.",
        "The UI must present results in a user-friendly way.",
    ],
    good: &[
        "The service logs the order's id and the error's code.",
        "If the cache is full, the service drops the oldest entry.",
        "The word `appropriate` is refused by the checker.",
        "As needed, this page is updated.",
        "The client shall handle errors gracefully by showing the last list.",
        "We should think about an appropriate format.",
        "# Spec\n\n## Motivation\n\nThe service must handle errors gracefully.",
    ],
    check: qualifiers,
};

/// Words that say how strong a wish is, and not what is wished.
const WISHES: [&str; 8] = [
    "ideally",
    "preferably",
    "generally",
    "usually",
    "typically",
    "normally",
    "mostly",
    "in general",
];

/// Words that weaken a requirement but are fair in a description.
const HEDGES: [&str; 8] = [
    "if required",
    "as required",
    "if needed",
    "when needed",
    "where needed",
    "if applicable",
    "where applicable",
    "as applicable",
];

fn qualifiers(facts: &Facts<'_>, found: &mut Found) {
    let steps: BTreeSet<usize> = facts
        .claims
        .iter()
        .filter(|claim| is_demanded(facts, claim))
        .map(|claim| facts.sentences[claim.sentence].span.start)
        .collect();
    let demands = |sentence: &Sentence| {
        let is_step = steps.contains(&sentence.span.start);
        (is_step || sentence.is_strict()) && !sentence.has_number
    };
    for sentence in facts.obliging() {
        // What somebody can do is no demand.
        if sentence.has(Class::Able) && sentence.modal.is_none() {
            continue;
        }
        if requirements::is_unmeasurable(facts, sentence).is_some()
            || degree_of_dimension(facts, sentence).is_some()
        {
            continue;
        }
        let is_own = |hit: &&Hit| !facts.is_in_quotes(sentence, facts.words[hit.first].start);
        let escape = facts
            .hits_of(sentence, Class::Escape)
            .filter(is_own)
            .filter(|_| !sentence.has_number)
            .find(|hit| leaves_it_open(facts, sentence, hit));
        let vague = || {
            [Class::Manner, Class::Fitting, Class::Quality]
                .into_iter()
                .find_map(|class| {
                    let mut hits = facts.hits_of(sentence, class).filter(is_own);
                    hits.find(|hit| is_vague(facts, sentence, hit, class))
                })
        };
        if let Some(hit) = escape {
            let span = facts.span_of_hit(hit);
            let shown = quoted(facts.text(span.clone()));
            let question = format!("who decides when \"{shown}\" applies, and by what?");
            say(facts, span, sentence, found, &question);
        } else if let Some(hit) = vague().filter(|_| demands(sentence)) {
            let span = facts.span_of_hit(hit);
            let shown = quoted(facts.text(span.clone()));
            let question = format!("what does \"{shown}\" mean here, so that a test can check it?");
            say(facts, span, sentence, found, &question);
        }
    }
}

/// Whether `if possible` and the like take back what the sentence demands.
fn leaves_it_open(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let text = facts.text(facts.span_of_hit(hit)).to_lowercase();
    let is_hedge = HEDGES.contains(&text.as_str());
    let is_wish = WISHES.contains(&text.as_str());
    // `admins may override the rate when needed`: they decide.
    let is_free = sentence.has(Class::Able);
    // `components and hooks as needed` is a list, and demands nothing.
    let demands = facts.states_behaviour(sentence);
    let is_possible = text.contains("possible");
    !is_wish
        && !is_free
        && demands
        && !is_hedge
        && (sentence.is_strict() || !is_possible && hit.first > sentence.words.start)
}

/// Words that are vague only where the sentence demands something with a modal verb.
const WEAK: [&str; 14] = [
    "efficiently",
    "efficient",
    "reliably",
    "securely",
    "safely",
    "helpful",
    "meaningful",
    "significant",
    "substantial",
    "considerable",
    "slow",
    "effectively",
    "smoothly",
    "flexibly",
];

/// Words that are hardly ever meant as a demand.
const IDLE: [&str; 13] = [
    "safely",
    "sufficient",
    "proper",
    "properly",
    "correctly",
    "easily",
    "well",
    "nicely",
    "cleanly",
    "large",
    "usual",
    "various",
    "certain",
];

fn is_vague(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit, class: Class) -> bool {
    let text = facts.text(facts.span_of_hit(hit)).to_lowercase();
    let is_weak = WEAK.contains(&text.as_str()) && !sentence.is_strict();
    // `to ensure a good user experience` says why.
    let is_why = facts.text(sentence.span.clone()).contains("experience");
    if is_weak || is_why || is_purpose(facts, sentence, hit) || IDLE.contains(&text.as_str()) {
        return false;
    }
    match class {
        Class::Manner => !is_explained(facts, sentence, hit),
        Class::Fitting => {
            let next = facts.words.get(hit.first + hit.count);
            let next = next.map_or("", |next| facts.text(next.span()));
            let is_named = next.starts_with(char::is_uppercase);
            let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
            // `this is acceptable` judges, and `the overhead must be acceptable` demands.
            let judges =
                !sentence.is_strict() && ["is", "are", "operationally"].contains(&before.as_str());
            // `more substantial changes` are compared with others.
            let compares = ["more", "less", "most", "least"].contains(&before.as_str());
            !is_named
                && !judges
                && !compares
                && !is_determined(facts, hit, next)
                && !is_explained(facts, sentence, hit)
        }
        _ => sentence.is_strict() && qualifies(facts, sentence, hit.first),
    }
}

/// `the appropriate pool` is the one that the context gives; `the appropriate error` is none.
fn is_determined(facts: &Facts<'_>, hit: &Hit, next: &str) -> bool {
    const OPEN: [&str; 12] = [
        "error",
        "errors",
        "message",
        "messages",
        "status",
        "code",
        "codes",
        "response",
        "responses",
        "action",
        "actions",
        "http",
    ];
    let before = facts.word(hit.first.wrapping_sub(1));
    let definite = ["the", "its", "their", "this", "that", "each"];
    definite
        .iter()
        .any(|word| before.eq_ignore_ascii_case(word))
        && !OPEN.contains(&next.to_lowercase().as_str())
}

/// Whether the words behind say how: `gracefully by showing …`, `an appropriate code: 404 or 410`.
fn is_explained(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let last = &facts.words[hit.first + hit.count - 1];
    let behind = facts.text(last.end..sentence.span.end);
    let is_bound = behind.starts_with(" for ") || behind.starts_with(" to ");
    let explains = [
        " with ",
        " without ",
        " by ",
        " (",
        ": ",
        " — ",
        " – ",
        " i.e",
        " so that ",
        " based on ",
        " according to ",
    ];
    // `… a meaningful order. For example, …`
    let ends = facts.prose()[sentence.span.end..].trim_start_matches(['.', ')', ' ', '\n', '*']);
    let follows = [
        "For example",
        "For instance",
        "E.g.",
        "That is",
        "Specifically",
        "I.e.",
    ];
    is_bound
        || follows.iter().any(|start| ends.starts_with(start))
        || explains.iter().any(|mark| behind.contains(mark))
        || facts.prose()[sentence.span.end..].starts_with(':')
}

/// Whether an adjective is followed by what it describes: `a user-friendly way`, and not `is available`.
fn qualifies(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    let before = facts.word(at.wrapping_sub(1)).to_lowercase();
    at > sentence.words.start
        && ["a", "an", "in", "more", "with"].contains(&before.as_str())
        && at + 1 < sentence.words.end
        && !matches!(
            facts.word(at).to_lowercase().as_str(),
            "available"
                | "stable"
                | "simple"
                | "accessible"
                | "secure"
                | "safe"
                | "clean"
                | "portable"
                | "durable"
                | "modern"
                | "lightweight"
        )
}
