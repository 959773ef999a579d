//! Rules for sections that leave something out: what happens on failure, how often something is retried, how
//! much is returned, how long something is cached.

use std::collections::BTreeSet;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use crate::facts::{Classes, Hit, Section};
use crate::rule::{Found, Remark, quoted};
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static FAILURE_PATH: Rule = Rule {
    id: "failure-path",
    category: "FAIL",
    severity: Severity::High,
    title: "a call, a message or a write with no word on failure",
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
    ],
    check: failures,
};

pub static RETRY_WITHOUT_LIMIT: Rule = Rule {
    id: "retry-without-limit",
    category: "FAIL",
    severity: Severity::Medium,
    title: "retries without a number or an end",
    reason: "Without a limit and a pause, a retry becomes an endless loop or a flood.",
    suggestion: "say how often, after which pauses, and what happens when the last attempt fails",
    topic: Topic::Retry,
    bad: &["# Spec\n\n## Sending\n\nWhen the send fails, the worker retries it."],
    good: &[
        "# Spec\n\n## Sending\n\nWhen the send fails, the worker retries it 3 times.",
        "# Spec\n\n## Sending\n\nWhen the send fails, the worker retries it with backoff and gives up after an hour.",
        "# Spec\n\n## Sending\n\nThe worker never retries a refused message.",
    ],
    check: retries,
};

pub static UNBOUNDED_RESULT: Rule = Rule {
    id: "unbounded-result",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "a list that is returned whole, whatever its length",
    reason: "It works with the ten rows of a test and fails with the million of a customer.",
    suggestion: "say the page size, its maximum, the order, and how the next page is asked for",
    topic: Topic::Pagination,
    bad: &["# Spec\n\n## Orders\n\n`GET /orders` returns all orders of the customer."],
    good: &[
        "# Spec\n\n## Orders\n\n`GET /orders` returns all orders of the customer, in pages of at most 100.",
        "# Spec\n\n## Orders\n\n`GET /orders` returns all orders.\n\n## Pagination\n\nEvery list has a limit of 100 and a cursor.",
    ],
    check: results,
};

pub static CACHE_LIFETIME: Rule = Rule {
    id: "cache-lifetime",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "a cache without an end to what it keeps",
    reason: "When cached data stops being true is the hard part of a cache, and it isn't said.",
    suggestion: "say how long entries live, what invalidates them, and what a stale answer may cost",
    topic: Topic::Caching,
    bad: &["# Spec\n\n## Prices\n\nThe service caches prices in memory."],
    good: &[
        "# Spec\n\n## Prices\n\nThe service caches prices for 5 minutes.",
        "# Spec\n\n## Prices\n\nThe service caches prices until the price list changes.",
        "# Spec\n\n## Prices\n\nThe service does not cache prices.",
    ],
    check: caches,
};

/// What the sections of a purpose say, for the whole spec.
fn said_in(facts: &Facts<'_>, purpose: Purpose) -> Classes {
    let mut said = Classes::default();
    let sections = facts.sections.iter();
    for section in sections.filter(|section| section.purpose == purpose) {
        said.join(section.own_classes);
    }
    said
}

/// The sections that oblige somebody, with their first sentence of a class that states behaviour.
fn first_of<'f>(
    facts: &'f Facts<'_>,
    classes: Classes,
) -> impl Iterator<Item = (&'f Section, &'f Sentence)> {
    facts.sections.iter().filter_map(move |section| {
        let glossary = section.purpose == Purpose::Glossary;
        if section.is_informative || glossary || !section.own_classes.meets(classes) {
            return None;
        }
        let sentences = &facts.sentences[section.sentences.clone()];
        let sentence = sentences.iter().find(|sentence| {
            let kind = &facts.block_of(sentence).kind;
            sentence.classes.meets(classes)
                && *kind != BlockKind::Heading
                && (*kind != BlockKind::Cell || sentence.words.len() >= 5)
                && !sentence.is_recorded_gap
                && !sentence.is_quoted
                && (facts.states_behaviour(sentence)
                    || *kind != BlockKind::Cell && sentence.words.len() >= 4)
        })?;
        Some((section, sentence))
    })
}

const FAMILIES: [(Class, &str, Topic); 3] = [
    (
        Class::Call,
        "the other side is down, slow or refuses",
        Topic::Timeout,
    ),
    (
        Class::Queue,
        "the message can't be handed over, or comes twice",
        Topic::Retry,
    ),
    (
        Class::Write,
        "the write fails or stops half-way",
        Topic::ErrorResponse,
    ),
];

/// Whether a word says that something is done: no label in capitals, no right to write, nothing that merely lasts.
fn is_deed(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let label =
        hit.first > sentence.words.start && facts.word(hit.first).starts_with(char::is_uppercase);
    let next = facts.word(hit.first + hit.count);
    let lasting = ["in", "across", "for", "after", "until", "as", "during"];
    let lasts = facts.word(hit.first) == "persists" && lasting.contains(&next);
    let mut words = sentence.words.clone();
    let right = hit.classes.has(Class::Write)
        && words.any(|index| facts.word(index).eq_ignore_ascii_case("only"));
    !label && !lasts && !right
}

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
    for (section, sentence) in first_of(facts, triggers) {
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
        let uncovered = FAMILIES.iter().find_map(|(class, what, topic)| {
            let mut hits = facts.hits_of(sentence, *class);
            let hit = hits.find(|hit| is_deed(facts, sentence, hit))?;
            (!general.has(*class)).then_some((hit, what, topic))
        });
        if let Some((hit, what, topic)) = uncovered {
            let what = format!("this section does not say what happens when {what}");
            say(facts, sentence, hit, &what, found).about(Some(*topic));
        }
    }
}

/// Says what is left out from a word on, to the end of its sentence.
fn say<'r>(
    facts: &Facts<'_>,
    sentence: &Sentence,
    hit: &Hit,
    what: &str,
    found: &'r mut Found,
) -> &'r mut Remark {
    let span = facts.span_of_hit(hit);
    let shown = quoted(facts.text(span.start..sentence.span.end));
    found.at(span, format!("\"{shown}\": {what}"))
}

fn retries(facts: &Facts<'_>, found: &mut Found) {
    let general = said_in(facts, Purpose::Failures);
    let covered = general.has(Class::Retrying)
        && (general.has(Class::RetryPlan) || general.has(Class::RetryBound));
    for (section, sentence) in first_of(facts, Classes::of(Class::Retrying)) {
        let general_covers = covered && section.purpose != Purpose::Failures;
        // A number of something else in the section limits nothing here.
        let limited = facts.sentences[section.sentences.clone()]
            .iter()
            .any(|other| {
                other.has(Class::RetryPlan)
                    || other.has(Class::Retrying)
                        && (other.has_number || other.has(Class::RetryBound))
            });
        if general_covers || limited || sentence.has(Class::Not) {
            continue;
        }
        let mut hits = facts.hits_of(sentence, Class::Retrying);
        if let Some(hit) = hits.find(|hit| is_deed(facts, sentence, hit)) {
            let what = "how often, after which pauses and until when is not said";
            say(facts, sentence, hit, what, found);
        }
    }
}

fn results(facts: &Facts<'_>, found: &mut Found) {
    let general = said_in(facts, Purpose::Limits);
    for (section, sentence) in first_of(facts, Classes::of(Class::Listing)) {
        let bounded = said_near(facts, section, Class::Listing, Class::Bounded)
            || section.whole_classes.has(Class::Paged);
        if general.has(Class::Paged) || bounded {
            continue;
        }
        if let Some(hit) = facts.hits_of(sentence, Class::Listing).next() {
            let what = "how many at most, and how the rest is asked for, is not said";
            say(facts, sentence, hit, what, found);
        }
    }
}

/// Whether a sentence with one class, or the one behind it, has the other too.
pub fn said_near(facts: &Facts<'_>, section: &Section, named: Class, said: Class) -> bool {
    let sentences = &facts.sentences[section.sentences.clone()];
    sentences.iter().enumerate().any(|(index, sentence)| {
        let behind = sentences.get(index + 1);
        sentence.has(named) && (sentence.has(said) || behind.is_some_and(|behind| behind.has(said)))
    })
}

fn caches(facts: &Facts<'_>, found: &mut Found) {
    let elsewhere = facts.sections.iter().any(|section| {
        section.title.to_lowercase().contains("cach") && section.own_classes.has(Class::Fresh)
    });
    for (section, sentence) in first_of(facts, Classes::of(Class::Cache)) {
        if elsewhere
            || said_near(facts, section, Class::Cache, Class::Fresh)
            || sentence.has(Class::Not)
            || sentence.has(Class::May)
        {
            continue;
        }
        if let Some(hit) = facts.hits_of(sentence, Class::Cache).next() {
            let what = "when an entry stops being true is not said";
            say(facts, sentence, hit, what, found);
        }
    }
}
