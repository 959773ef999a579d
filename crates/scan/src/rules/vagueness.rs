//! Rules for vague words that leave a decision to the implementer: quantities and qualifiers.

use std::ops::Range;

use gapless_domain::Severity;

use super::requirements;
use crate::facts::Hit;
use crate::rule::{Found, quoted, quoted_around};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static VAGUE_QUANTITY: Rule = Rule {
    id: "vague-quantity",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "How many, how much or how long is it?",
    reason: "Two people will implement two numbers, and a test can check neither.",
    suggestion: "give the number with its unit, or where it is configured with its default and range",
    topic: Topic::Other,
    bad: &[
        "The client waits a reasonable time.",
        "Requests that exceed a suitable limit are refused.",
        "The worker polls the queue periodically.",
        "The service must support many concurrent users.",
        "Sending is retried a few times.",
        "The server shall respond quickly.",
        "Old rows are kept for a short retention period.",
    ],
    good: &[
        "The client waits 30 seconds.",
        "The worker polls the queue every 5 seconds.",
        "A short delay (200 ms) separates attempts.",
        "Reads are eventually consistent.",
        "The `timeout` is 5 seconds, however many clients wait.",
        "The error says how long to wait.",
        "The status is \"due soon\" from 2 days before the date on.",
        "Today we poll the queue periodically.",
        "The list must show every basket of a customer who has several.",
        "Some browsers could take a long time to show the file.",
    ],
    check: quantities,
};

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
        "The importer retries as needed, at most 3 times.",
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

/// Says something of a place, with its sentence in front and a question behind.
pub fn say(
    facts: &Facts<'_>,
    span: Range<usize>,
    sentence: &Sentence,
    found: &mut Found,
    question: &str,
) {
    let around = facts.text(sentence.span.clone());
    let shown = facts.text(span.clone());
    let topic = Topic::of_texts(&[&quoted(around), shown]);
    let message = format!("\"{}\": {question}", quoted_around(facts, sentence, &span));
    found.at(span, message).about(topic);
}

fn quantities(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.obliging() {
        if let Some(span) = degree_of_dimension(facts, sentence) {
            let shown = quoted(facts.text(span.clone()));
            let question = format!("what number is \"{shown}\"?");
            say(facts, span, sentence, found, &question);
        } else if let Some(hit) = vague_time(facts, sentence) {
            let span = facts.span_of_hit(hit);
            let shown = quoted(facts.text(span.clone()));
            let question = format!("how soon, or how often, is \"{shown}\"?");
            say(facts, span, sentence, found, &question);
        } else if let Some(hit) = vague_count(facts, sentence) {
            let question = match facts.word(hit.first + hit.count).to_lowercase().as_str() {
                "times" | "attempts" | "retries" => "how many times, and with what pauses?",
                "seconds" | "minutes" | "hours" | "days" | "weeks" | "months" => "how long is it?",
                _ => "how many are meant?",
            };
            say(facts, facts.span_of_hit(hit), sentence, found, question);
        }
    }
}

/// Words that describe how often something happens more than they demand it.
const LOOSE_TIMES: [&str; 6] = [
    "soon",
    "often",
    "over time",
    "eventually",
    "later on",
    "occasionally",
];

fn vague_time<'f>(facts: &'f Facts<'_>, sentence: &Sentence) -> Option<&'f Hit> {
    facts.hits_of(sentence, Class::VagueTime).find(|hit| {
        let span = facts.span_of_hit(hit);
        let text = facts.text(span.clone()).to_lowercase();
        let loose = !sentence.is_strict() && LOOSE_TIMES.contains(&text.as_str());
        let idle = matches!(text.as_str(), "rarely" | "sometimes");
        let numbered = is_numbered(facts, sentence, hit.first);
        !numbered
            && !loose
            && !idle
            && !is_purpose(facts, sentence, hit)
            && !is_of_participle(facts, hit)
            && !facts.is_in_quotes(sentence, span.start)
    })
}

/// Whether a word is in what the sentence is for, and not in what it demands: `…, so that it can be approved quickly`.
fn is_purpose(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let before = facts.text(sentence.span.start..facts.words[hit.first].start);
    [
        "so that ",
        "in order to ",
        "so as to ",
        "to help ",
        "allowing ",
        "enabling ",
    ]
    .iter()
    .any(|mark| before.contains(mark))
}

/// `frequently accessed pages` says which pages, and not how often.
fn is_of_participle(facts: &Facts<'_>, hit: &Hit) -> bool {
    let habit = ["frequently", "often", "regularly", "rarely"];
    let word = facts.word(hit.first);
    habit.iter().any(|known| word.eq_ignore_ascii_case(known))
        && facts.word(hit.first + hit.count).ends_with("ed")
}

/// `a few times`, or `supports many users`: a count that somebody has to implement.
fn vague_count<'f>(facts: &'f Facts<'_>, sentence: &Sentence) -> Option<&'f Hit> {
    facts.hits_of(sentence, Class::VagueCount).find(|hit| {
        let counted = facts.word(hit.first + hit.count).to_lowercase();
        let measured = matches!(
            counted.as_str(),
            "times"
                | "attempts"
                | "retries"
                | "seconds"
                | "minutes"
                | "hours"
                | "days"
                | "weeks"
                | "months"
        );
        let done = || {
            facts.hits_of(sentence, Class::CountVerb).any(|verb| {
                let behind = verb.first + verb.count;
                (behind..=behind + 1).contains(&hit.first)
            })
        };
        let numbered = is_numbered(facts, sentence, hit.first);
        let quoted = facts.is_in_quotes(sentence, facts.words[hit.first].start);
        !numbered && !quoted && (measured || sentence.is_strict() && done())
    })
}

/// Whether a number follows closely, as in `a short delay (200 ms)`.
fn is_numbered(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    const CLOSELY: usize = 8;
    let end = sentence.words.end.min(at + CLOSELY);
    facts.words[at..end].iter().any(|word| word.is_number())
}

/// `reasonable timeout`, `large number`, `some more time`.
fn degree_of_dimension(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let dimensions = facts.hits_of(sentence, Class::Dimension);
    let dimensions: Vec<usize> = dimensions.map(|hit| hit.first).collect();
    facts.hits_of(sentence, Class::Degree).find_map(|hit| {
        let behind = hit.first + hit.count;
        let mut near = dimensions.iter();
        let dimension = near.find(|at| (behind..behind + 2).contains(*at))?;
        let (first, last) = (&facts.words[hit.first], &facts.words[*dimension]);
        let between = facts.between(first, last);
        let joined = !between.contains([',', ';', ':', '(', '.'])
            && !facts.is_in_quotes(sentence, first.start);
        (joined && !is_numbered(facts, sentence, hit.first)).then_some(first.start..last.end)
    })
}

/// Words that weaken a requirement but are fair in a description.
const HEDGES: [&str; 14] = [
    "generally",
    "usually",
    "typically",
    "normally",
    "mostly",
    "in general",
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
        } else if let Some(hit) = vague().filter(|_| !sentence.has_number) {
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
    let is_wish = matches!(text.as_str(), "ideally" | "preferably");
    // `admins may override the rate when needed`: they decide.
    let is_free = sentence.has(Class::Able);
    // `components and hooks as needed` is a list, and demands nothing.
    let demands = facts.states_behaviour(sentence);
    !is_wish
        && !is_free
        && demands
        && (sentence.is_strict() || !is_hedge && hit.first > sentence.words.start)
}

/// Words that are vague only where the sentence demands something with a modal verb.
const WEAK: [&str; 14] = [
    "properly",
    "reliably",
    "securely",
    "safely",
    "proper",
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
const IDLE: [&str; 9] = [
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
    if is_weak || is_purpose(facts, sentence, hit) || IDLE.contains(&text.as_str()) {
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
            !is_named
                && !judges
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
    is_bound
        || explains.iter().any(|mark| behind.contains(mark))
        || facts.prose()[sentence.span.end..].starts_with(':')
}

/// Whether an adjective is followed by what it describes: `a user-friendly way`, and not `is available`.
fn qualifies(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    let before = facts.word(at.wrapping_sub(1)).to_lowercase();
    at > sentence.words.start
        && ["a", "an", "in", "very", "more", "with"].contains(&before.as_str())
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
