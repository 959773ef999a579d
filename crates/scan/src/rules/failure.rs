//! The rule for calls, messages and writes whose failure the spec doesn't speak of.

use std::collections::BTreeSet;

use gapless_domain::Severity;

use super::deeds::is_deed;
use super::omissions::has_word;
use super::silence::{ask, of_sections, said_in};
use crate::facts::{Classes, Hit};
use crate::rule::Found;
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static FAILURE_PATH: Rule = Rule {
    id: "failure-path",
    category: "FAIL",
    severity: Severity::High,
    title: "What happens when the call, the message or the write fails?",
    reason: "It will fail some day; what happens then is decided by whoever writes the code that night.",
    suggestion: "say what happens when it fails or times out: what is retried and how often, what is kept, who is told",
    topic: Topic::ErrorResponse,
    bad: &[
        "# Spec\n\n## Payment\n\nThe service calls the bank with the amount and stores the receipt.",
        "# Spec\n\n## Events\n\nThe worker publishes an event for each order.",
        "# Spec\n\n## Export\n\nWhen the user clicks Export, the tool writes the report to disk.",
    ],
    good: &[
        "# Spec\n\n## Payment\n\nThe service calls the bank. When the call fails, the order stays open.",
        "# Spec\n\n## Payment\n\nThe service calls the bank.\n\n### Errors\n\nAfter a timeout the order stays open.",
        "# Spec\n\n## Payment\n\nThe service calls the bank.\n\n## Errors\n\nEvery service that it calls may fail: the order then stays open.",
        "# Spec\n\n## Non-goals\n\nThe service never calls the bank twice.",
        "# Spec\n\n## Names\n\nThe call is named after the bank.",
        "# Spec\n\n## Parsing\n\nThe parser calls the visitor, which writes each node into the tree.",
        "# Spec\n\n## Files\n\nThe user can download the report. Downloads are listed on the first page.",
        "# Spec\n\n## Today\n\nThe service calls the bank.",
    ],
    check: failures,
};

/// What may fail: the verbs, what they reach, the question and its topic.
const FAMILIES: [(Class, Class, &str, Topic); 3] = [
    (
        Class::Call,
        Class::Remote,
        "what happens when the other side is down, slow or refuses?",
        Topic::Timeout,
    ),
    (
        Class::Queue,
        Class::Remote,
        "what happens when the message can't be handed over, or comes twice?",
        Topic::Retry,
    ),
    (
        Class::Write,
        Class::Durable,
        "what happens when the write fails or stops half-way?",
        Topic::ErrorResponse,
    ),
];

fn failures(facts: &Facts<'_>, found: &mut Found) {
    let general = said_in(facts, Purpose::Failures);
    let guarded: BTreeSet<usize> = facts
        .sections
        .iter()
        .filter(|section| section.purpose == Purpose::Failures)
        .filter_map(|section| section.parent)
        .filter(|parent| facts.sections[*parent].level > 1)
        .collect();
    let triggers = Classes::of(Class::Call)
        .with(Class::Queue)
        .with(Class::Write);
    for (section, sentences) in of_sections(facts, triggers) {
        let parent_says = section.parent.is_some_and(|parent| {
            let parent_section = &facts.sections[parent];
            parent_section.level > 1 && parent_section.own_classes.has(Class::Failure)
                || guarded.contains(&parent)
        });
        if section.purpose == Purpose::Failures
            || section.whole_classes.has(Class::Failure)
            || parent_says
        {
            continue;
        }
        let uncovered = sentences.iter().find_map(|sentence| {
            FAMILIES
                .iter()
                .find_map(|(class, reached, question, topic)| {
                    let mut hits = facts.hits_of(sentence, *class);
                    let hit = hits.find(|hit| {
                        is_deed(facts, sentence, hit)
                            && is_done_by_somebody(facts, sentence, hit)
                            && !is_supposed(facts, sentence, hit)
                            && reaches(facts, sentence, hit, *reached)
                    })?;
                    (!general.has(*class)).then_some((*sentence, hit, question, topic))
                })
        });
        if let Some((sentence, hit, question, topic)) = uncovered {
            ask(facts, sentence, hit, question, found).about(Some(*topic));
        }
    }
}

/// Whether a sentence demands a deed, or says who does it: `Complements the lazy fetch` and `Fetch the page (unchanged)` don't.
fn is_done_by_somebody(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    const OLD: [&str; 5] = ["unchanged", "existing", "dlq", "already", "same"];
    let is_old = has_word(facts, sentence, &OLD) || sentence.has(Class::Guarantee);
    let first = sentence.words.start;
    let mut actors = facts.hits_of(sentence, Class::Actor);
    let verb = facts.word(hit.first);
    let is_passive = matches!(verb, "is" | "are");
    // `The till sends …`: whoever it is, it does it.
    let opens = matches!(
        facts.word(first).to_lowercase().as_str(),
        "the" | "a" | "an" | "each" | "every"
    );
    let is_subject = opens && hit.first <= first + 3 && verb.ends_with('s');
    let is_order = hit.first == first && facts.section_of(sentence).obliges;
    let is_call = hit.classes.has(Class::Call);
    let is_reaction = facts
        .hits_of(sentence, Class::Ears)
        .any(|ears| ears.first == first);
    !is_old
        && (is_call || is_reaction || opens || sentence.is_strict())
        && (sentence.is_strict()
            || is_passive
            || is_order
            || is_subject
            || actors.any(|actor| actor.first < hit.first))
}

/// Whether a verb is only allowed, or part of a condition: `the client can call`, `when it calls the API`.
fn is_supposed(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let is_free = sentence.has(Class::Able) && {
        let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
        sentence.modal.is_none() || before == "to" || before == "can"
    };
    let mut conditions = facts.hits_of(sentence, Class::Condition);
    is_free
        || conditions.any(|condition| {
            condition.first < hit.first && {
                let (start, end) = (condition.first, hit.first);
                let clause = facts.text(facts.words[start].start..facts.words[end].start);
                !clause.contains([',', ';', ':']) && !clause.to_lowercase().contains(" then ")
            }
        })
}

/// Verbs that reach another machine whatever their object is.
const REACHING: [&str; 13] = [
    "fetch",
    "fetches",
    "downloads",
    "uploads",
    "polls",
    "synchronises",
    "synchronizes",
    "syncs",
    "replicates",
    "emails",
    "e-mails",
    "notifies",
    "enqueues",
];

/// What is put on queues and taken from them.
const HANDED_OVER: [&str; 12] = [
    "event",
    "events",
    "message",
    "messages",
    "queue",
    "topic",
    "bus",
    "broker",
    "kafka",
    "rabbitmq",
    "notification",
    "notifications",
];

/// Whether what a verb is done to is somewhere else, so that it may fail on its way.
fn reaches(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit, reached: Class) -> bool {
    let verb = facts.word(hit.first).to_lowercase();
    let is_passive = matches!(verb.as_str(), "is" | "are");
    let inherent = reached == Class::Remote
        && (REACHING.contains(&verb.as_str())
            || facts.text(facts.span_of_hit(hit)).ends_with("queue"));
    let handed_over = |object: &&Hit| {
        let word = facts.word(object.first).to_lowercase();
        !hit.classes.has(Class::Queue) || HANDED_OVER.contains(&word.as_str())
    };
    let mut objects = facts.hits_of(sentence, reached).filter(handed_over);
    inherent
        || objects.any(|object| {
            let behind = object.first >= hit.first + hit.count;
            // `email it`, `the message is sent to …`
            behind || is_passive && object.first < hit.first
        })
}
