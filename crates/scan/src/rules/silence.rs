//! Rules for sections that leave something out: how often something is retried, how much is returned, how long something is
//! cached.

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::deeds::{is_deed, is_meant};
use super::omissions::has_word;
use crate::facts::{Classes, Hit, Section};
use crate::rule::{Found, Remark, quoted_around};
use crate::{Class, Facts, Force, Purpose, Rule, Sentence, Topic};

pub static RETRY_WITHOUT_LIMIT: Rule = Rule {
    id: "retry-without-limit",
    category: "FAIL",
    severity: Severity::Medium,
    title: "How often is it retried, and what ends it?",
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
    title: "How many entries are returned at most?",
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
    title: "How long does a cached entry live?",
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
pub fn said_in(facts: &Facts<'_>, purpose: Purpose) -> Classes {
    let mut said = Classes::default();
    let sections = facts.sections.iter();
    for section in sections.filter(|section| section.purpose == purpose) {
        said.join(section.own_classes);
    }
    said
}

/// The sections that bind, each with its sentences of some classes that oblige.
pub fn of_sections<'f>(
    facts: &'f Facts<'_>,
    classes: Classes,
) -> impl Iterator<Item = (&'f Section, Vec<&'f Sentence>)> {
    facts.sections.iter().filter_map(move |section| {
        let glossary = section.purpose == Purpose::Glossary;
        if section.is_informative || glossary || !section.own_classes.meets(classes) {
            return None;
        }
        let sentences = facts.sentences[section.sentences.clone()].iter();
        let obliging = sentences.filter(|sentence| {
            let kind = &facts.block_of(sentence).kind;
            sentence.classes.meets(classes)
                && sentence.force == Force::Obliges
                && (*kind != BlockKind::Cell || sentence.words.len() >= 5)
                && !sentence.is_recorded_gap
                && !sentence.is_quoted
        });
        Some((section, obliging.collect()))
    })
}

/// The first word of a class that says what is done, with its sentence.
fn first_deed<'f>(
    facts: &'f Facts<'_>,
    sentences: &[&'f Sentence],
    class: Class,
) -> Option<(&'f Sentence, &'f Hit)> {
    sentences.iter().find_map(|sentence| {
        let mut hits = facts.hits_of(sentence, class);
        let hit = hits.find(|hit| is_deed(facts, sentence, hit))?;
        Some((*sentence, hit))
    })
}

/// Asks about a word, with its sentence in front.
pub fn ask<'r>(
    facts: &Facts<'_>,
    sentence: &Sentence,
    hit: &Hit,
    question: &str,
    found: &'r mut Found,
) -> &'r mut Remark {
    let span = facts.span_of_hit(hit);
    let message = format!("\"{}\": {question}", quoted_around(facts, sentence, &span));
    found.at(span, message)
}

fn retries(facts: &Facts<'_>, found: &mut Found) {
    let general = said_in(facts, Purpose::Failures);
    let covered = general.has(Class::Retrying)
        && (general.has(Class::RetryPlan) || general.has(Class::RetryBound));
    for (section, mut sentences) in of_sections(facts, Classes::of(Class::Retrying)) {
        let general_covers = covered && section.purpose != Purpose::Failures;
        // A number of something else in the section limits nothing here.
        let limited = facts.sentences[section.sentences.clone()]
            .iter()
            .any(|other| {
                other.has(Class::RetryPlan)
                    || other.has(Class::Retrying)
                        && (other.has_number || other.has(Class::RetryBound))
            });
        // `the next run retries` says when.
        sentences.retain(|sentence| {
            !sentence.has(Class::Not)
                && !sentence.has(Class::VagueCount)
                && !has_word(facts, sentence, &["next"])
                && (sentence.is_strict() || sentence.words.len() > 4)
        });
        if general_covers || limited {
            continue;
        }
        let mut hits = sentences.iter().filter_map(|sentence| {
            let mut hits = facts.hits_of(sentence, Class::Retrying);
            let hit = hits.find(|hit| {
                is_meant(facts, sentence, hit)
                    && retries_something(facts, hit)
                    && !is_only_named(facts, sentence, hit)
            })?;
            Some((*sentence, hit))
        });
        if let Some((sentence, hit)) = hits.next() {
            let question =
                "how often, after which pauses, and what happens when the last try fails?";
            ask(facts, sentence, hit, question, found);
        }
    }
}

/// `retry logic` retries, a `retry button` doesn't.
fn retries_something(facts: &Facts<'_>, hit: &Hit) -> bool {
    const PARTS: [&str; 12] = [
        "prompt", "button", "link", "option", "count", "counter", "page", "screen", "state",
        "event", "flag", "action",
    ];
    let next = facts.word(hit.first + hit.count).to_lowercase();
    !PARTS.contains(&next.as_str())
}

/// Whether a retry is one of several things that are named in brackets, or somebody else's.
fn is_only_named(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let before = facts.text(sentence.span.start..facts.words[hit.first].start);
    let in_brackets = before.rfind('(') > before.rfind(')');
    let whole = facts.text(sentence.span.clone());
    in_brackets || whole.contains("built-in") || whole.contains("without ")
}

fn results(facts: &Facts<'_>, found: &mut Found) {
    let general = said_in(facts, Purpose::Limits);
    for (section, sentences) in of_sections(facts, Classes::of(Class::Listing)) {
        let bounded = said_near(facts, section, Class::Listing, Class::Bounded)
            || section.whole_classes.has(Class::Paged);
        if general.has(Class::Paged) || bounded {
            continue;
        }
        let mut hits = sentences.iter().filter_map(|sentence| {
            let mut hits = facts.hits_of(sentence, Class::Listing);
            // Callers of a service get lists that grow; those of a function mostly don't.
            let is_served = sentence.is_strict()
                || has_word(facts, sentence, &["server", "service", "endpoint", "api"])
                || is_step(facts, sentence)
                || facts.text(sentence.span.clone()).contains("`GET ");
            let hit = hits.find(|hit| is_served && lists_all(facts, sentence, hit))?;
            Some((*sentence, hit))
        });
        if let Some((sentence, hit)) = hits.next() {
            let question = "how many are returned at most, and how does a client ask for the rest?";
            ask(facts, sentence, hit, question, found);
        }
    }
}

fn is_step(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let first = facts.word(sentence.words.start);
    ["given", "when", "then", "and"]
        .iter()
        .any(|step| first.eq_ignore_ascii_case(step))
}

/// `all orders are returned`, as against `the order's lines are returned`.
fn lists_all(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    const NEAR: usize = 5;
    let is_passive = facts.word(hit.first).eq_ignore_ascii_case("are");
    let from = sentence.words.start.max(hit.first.saturating_sub(NEAR));
    let mut before = (from..hit.first).map(|index| facts.word(index));
    !is_passive || before.any(|word| word.eq_ignore_ascii_case("all"))
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
    let mut all = facts.sentences.iter();
    let is_said = all.any(|it| it.has(Class::Cache) && it.has(Class::Fresh));
    for (section, mut sentences) in of_sections(facts, Classes::of(Class::Cache)) {
        if elsewhere || is_said || said_near(facts, section, Class::Cache, Class::Fresh) {
            continue;
        }
        sentences.retain(|sentence| !sentence.has(Class::Not) && !sentence.has(Class::May));
        // `skips cached files`, `parsing, caching and search` name caching, and ask for none.
        let is_deed = |sentence: &Sentence, hit: &Hit| {
            const DOING: [&str; 5] = ["cache", "caches", "is cached", "are cached", "memoised"];
            let text = facts.text(facts.span_of_hit(hit)).to_lowercase();
            let next = facts.word(hit.first + hit.count).to_lowercase();
            let is_name = facts
                .word(hit.first + hit.count)
                .starts_with(|c: char| c.is_uppercase());
            DOING.contains(&text.as_str())
                && !is_name
                && !matches!(
                    next.as_str(),
                    "in" | "on" | "to" | "as" | "hit" | "hits" | "miss"
                )
                || sentence.is_strict() && text != "cached"
        };
        let deed = first_deed(facts, &sentences, Class::Cache);
        if let Some((sentence, hit)) = deed.filter(|(sentence, hit)| is_deed(sentence, hit)) {
            let question = "how long does an entry live, and what makes it stale?";
            ask(facts, sentence, hit, question, found);
        }
    }
}
