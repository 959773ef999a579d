//! Rules for what a whole spec leaves out about what happens at run time, and how a rule asks once about a whole spec: at the first
//! place that raises the question, where the spec has no word of an answer.

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{Asked, is_required};
use crate::facts::{Claim, Classes, Hit};
use crate::rule::Found;
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static TIMEOUT_UNSAID: Rule = Rule {
    id: "timeout-unsaid",
    category: "FAIL",
    severity: Severity::Medium,
    title: "How long may the other system take to answer?",
    reason: "A system that doesn't answer is more common than one that refuses, and a call without a timeout waits for ever.",
    suggestion: "give the timeout of each call, and what happens when it ends",
    topic: Topic::Timeout,
    bad: &["The system must send a webhook when an order is paid."],
    good: &[
        "The system must send a webhook when an order is paid, with a timeout of 5 seconds.",
        "The system must send a message.",
    ],
    check: timeouts,
};

pub static HANDLED_TWICE: Rule = Rule {
    id: "handled-twice",
    category: "FAIL",
    severity: Severity::Medium,
    title: "What if it arrives twice, or out of order?",
    reason: "Whatever is retried or queued arrives twice some day, or late, or never.",
    suggestion: "say whether something may arrive twice or out of order, how a duplicate is known, and what survives a restart",
    topic: Topic::Idempotency,
    bad: &["The system must send a webhook when an order is paid."],
    good: &[
        "The system must send a webhook when an order is paid. Its event id lets receivers drop duplicates.",
    ],
    check: deliveries,
};

pub static CONCURRENT_EDIT: Rule = Rule {
    id: "concurrent-edit",
    category: "FAIL",
    severity: Severity::Medium,
    title: "What if two people change it at once?",
    reason: "The later change wipes out the earlier one, and nobody notices.",
    suggestion: "say whether the later one wins, is refused or is merged, and what its author sees",
    topic: Topic::Consistency,
    bad: &["Collaborators must be able to edit a list."],
    good: &[
        "Collaborators must be able to edit a list. The later of two concurrent changes is refused.",
    ],
    check: edits,
};

pub static CONTENDED_THING: Rule = Rule {
    id: "contended-thing",
    category: "FAIL",
    severity: Severity::Medium,
    title: "What if two ask for it at once?",
    reason: "Both are told that they have it.",
    suggestion: "say how the second one is noticed and refused, and what is locked meanwhile",
    topic: Topic::Consistency,
    bad: &["A member must be able to reserve a court."],
    good: &[
        "A member must be able to reserve a court. Of two concurrent requests the later one is refused.",
    ],
    check: contentions,
};

pub static CAPACITY_UNSAID: Rule = Rule {
    id: "capacity-unsaid",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "How much does the cache, the pool or the buffer hold?",
    reason: "It is there to be bounded, and the bound decides how well it works.",
    suggestion: "give its size, whether it can be configured, and what happens when it is full",
    topic: Topic::SizeQuota,
    bad: &["The index must be kept in an LRU cache."],
    good: &["The index must be kept in an LRU cache with a capacity of 10,000 entries."],
    check: capacities,
};

pub static NOTIFICATION_CHANNEL: Rule = Rule {
    id: "notification-channel",
    category: "UX",
    severity: Severity::Low,
    title: "By which channel are people notified?",
    reason: "An email, a push message and a line on a page are three pieces of work.",
    suggestion: "name the channel, what it says, and who may turn it off",
    topic: Topic::Other,
    bad: &["The system shall notify the members of a new meeting."],
    good: &["The system shall notify the members of a new meeting by email."],
    check: notifications,
};

pub static PARTIAL_FAILURE: Rule = Rule {
    id: "partial-failure",
    category: "FAIL",
    severity: Severity::Medium,
    title: "What if some of them fail?",
    reason: "Row 700 of 1,000 will be wrong: what becomes of the other 999 is a decision.",
    suggestion: "say whether the good ones are kept, how the bad ones are told, and what a second try does",
    topic: Topic::ErrorResponse,
    bad: &["An administrator must be able to start a bulk import of members."],
    good: &[
        "An administrator must be able to start a bulk import of members. Invalid rows are skipped and listed.",
    ],
    check: bulks,
};

/// Shorter ones name a thing, where they don't demand.
const FEWEST_WORDS: usize = 4;

/// Asks a question once, where a claim raises it and the spec has none of the words that would answer it.
pub fn omits(
    facts: &Facts<'_>,
    found: &mut Found,
    raising: Class,
    answers: Classes,
    question: &str,
) {
    omits_where(facts, found, raising, answers, question, |_| true);
}

pub fn omits_where(
    facts: &Facts<'_>,
    found: &mut Found,
    raising: Class,
    answers: Classes,
    question: &str,
    counts: impl Fn(&Sentence) -> bool,
) {
    if !facts.mentioned.has(raising) || facts.mentioned.meets(answers) {
        return;
    }
    // What only describes a thing by the way asks for no more of it.
    let demands = facts
        .claims
        .iter()
        .filter(|claim| is_required(facts, claim) || is_order(facts, claim));
    let raised: Vec<&Sentence> = demands
        .map(|claim| &facts.sentences[claim.sentence])
        .filter(|sentence| {
            // `[a tool](link): its telemetry`, `` `CODE`: a webhook `` explain a name.
            let start = facts.block_of(sentence).span.start;
            let explains = facts.prose()[start..]
                .trim_start_matches(['*', '_', ' '])
                .starts_with(['`', '[']);
            (sentence.is_strict() || !explains && sentence.words.len() >= FEWEST_WORDS)
                && raises(facts, sentence, raising)
                && !is_denied(facts, sentence, raising)
                && counts(sentence)
        })
        .collect();
    // A sentence that does something with it asks better than one that names it.
    let acts = raised
        .iter()
        .find(|sentence| sentence.is_strict() && acts(facts, sentence));
    let Some(sentence) = acts.or(raised.first()) else {
        return;
    };
    if let Some(hit) = raising_hit(facts, sentence, raising) {
        let mut asked = Asked::default();
        asked.about(facts, sentence, facts.span_of_hit(hit), question);
        asked.tell(found);
    }
}

/// `- Write the report to disk`: a point of a list that orders.
fn is_order(facts: &Facts<'_>, claim: &Claim) -> bool {
    let sentence = &facts.sentences[claim.sentence];
    let mut orders = facts.hits_of(sentence, Class::Imperative);
    facts.block_of(sentence).kind == BlockKind::Item
        && orders.any(|order| order.first == sentence.words.start)
}

fn raises(facts: &Facts<'_>, sentence: &Sentence, raising: Class) -> bool {
    sentence.has(raising) && raising_hit(facts, sentence, raising).is_some()
}

/// The first word that raises the question: no name in capitals, and no example in brackets.
fn raising_hit<'f>(facts: &'f Facts<'_>, sentence: &Sentence, raising: Class) -> Option<&'f Hit> {
    facts.hits_of(sentence, raising).find(|hit| {
        let span = facts.span_of_hit(hit);
        let word = facts.text(span.clone());
        let is_method = word.len() > 3 && !word.contains(|c: char| !c.is_ascii_uppercase());
        let before = facts.text(sentence.span.start..span.start);
        let in_brackets = before.rfind('(') > before.rfind(')');
        !is_method && !in_brackets && !facts.is_in_quotes(sentence, span.start)
    })
}

/// `The tool must not send webhooks`: the words that raise the question stand behind a `not`.
fn is_denied(facts: &Facts<'_>, sentence: &Sentence, raising: Class) -> bool {
    let mut nots = facts.hits_of(sentence, Class::Not);
    let raised = facts.hits_of(sentence, raising).next();
    raised.is_some_and(|hit| nots.any(|not| not.first < hit.first))
}

const ACTING: [&str; 24] = [
    "send",
    "sends",
    "sent",
    "deliver",
    "delivers",
    "delivered",
    "post",
    "receive",
    "receives",
    "query",
    "queries",
    "fetch",
    "fetches",
    "call",
    "calls",
    "request",
    "queue",
    "queued",
    "retry",
    "process",
    "requests",
    "publish",
    "publishes",
    "delete",
];

fn acts(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    has_word(facts, sentence, &ACTING)
}

/// Whether a sentence has one of some words.
pub fn has_word(facts: &Facts<'_>, sentence: &Sentence, known: &[&str]) -> bool {
    let mut words = sentence.words.clone();
    words.any(|index| {
        known
            .iter()
            .any(|word| facts.word(index).eq_ignore_ascii_case(word))
    })
}

fn timeouts(facts: &Facts<'_>, found: &mut Found) {
    let question = "how long may the other side take? The spec has no timeout.";
    omits(
        facts,
        found,
        Class::Outside,
        Classes::of(Class::Timed),
        question,
    );
}

fn deliveries(facts: &Facts<'_>, found: &mut Found) {
    let question =
        "may it arrive twice or out of order, and does it survive a restart? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Delivered,
        Classes::of(Class::Guarantee),
        question,
    );
}

fn edits(facts: &Facts<'_>, found: &mut Found) {
    let question = "what happens when two people change it at once? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Shared,
        Classes::of(Class::Conflict),
        question,
    );
}

fn contentions(facts: &Facts<'_>, found: &mut Found) {
    let question = "what happens when two ask for it at once? The spec doesn't say.";
    let answers = Classes::of(Class::Conflict).with(Class::Atomic);
    omits_where(
        facts,
        found,
        Class::Contended,
        answers,
        question,
        |sentence| facts.block_of(sentence).kind != BlockKind::Cell,
    );
}

fn capacities(facts: &Facts<'_>, found: &mut Found) {
    let question =
        "how much does it hold, and what happens when it is full? The spec gives no size.";
    omits(
        facts,
        found,
        Class::Pooled,
        Classes::of(Class::Capacity),
        question,
    );
}

fn notifications(facts: &Facts<'_>, found: &mut Found) {
    let question = "by which channel, and with which words? The spec names none.";
    omits(
        facts,
        found,
        Class::Notifying,
        Classes::of(Class::Channel),
        question,
    );
}

fn bulks(facts: &Facts<'_>, found: &mut Found) {
    let question = "what happens when some of them fail and others don't? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Bulk,
        Classes::of(Class::Partial),
        question,
    );
}
