//! The rule for amounts and times without a number.

use std::ops::Range;

use gapless_domain::Severity;

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
            let question = format!("{} is \"{shown}\"?", asked_of(&shown));
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

/// What is asked about a measure: how long a time is, and how much of anything else.
fn asked_of(shown: &str) -> &'static str {
    const TIMES: [&str; 14] = [
        "time",
        "timeout",
        "timeouts",
        "delay",
        "delays",
        "period",
        "periods",
        "interval",
        "intervals",
        "duration",
        "window",
        "ttl",
        "lifetime",
        "backoff",
    ];
    let last = shown.rsplit(' ').next().unwrap_or("");
    match TIMES.iter().any(|time| last.eq_ignore_ascii_case(time)) {
        true => "how long",
        false => "how much or how many",
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
        // `A user can review it periodically` demands nothing.
        let is_free = sentence.has(Class::Able) && !sentence.is_strict();
        let idle = is_free || matches!(text.as_str(), "rarely" | "sometimes");
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
pub fn is_purpose(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let before = facts.text(sentence.span.start..facts.words[hit.first].start);
    [
        "so that ",
        "in order to ",
        "so as to ",
        "to help ",
        "allowing ",
        ", so the ",
        ", so their ",
        ", so its ",
        ", so it ",
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
pub fn degree_of_dimension(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let dimensions = facts.hits_of(sentence, Class::Dimension);
    let dimensions: Vec<usize> = dimensions.map(|hit| hit.first).collect();
    facts.hits_of(sentence, Class::Degree).find_map(|hit| {
        let behind = hit.first + hit.count;
        let mut near = dimensions.iter();
        let dimension = near.find(|at| (behind..behind + 2).contains(*at))?;
        let (first, last) = (&facts.words[hit.first], &facts.words[*dimension]);
        let between = facts.between(first, last);
        const DESCRIBING: [&str; 7] = ["limited", "long", "high", "low", "large", "small", "big"];
        let degree = facts.word(hit.first).to_lowercase();
        let describes =
            DESCRIBING.contains(&degree.as_str()) || facts.word(*dimension) == "performance";
        if describes && !sentence.is_strict() {
            return None;
        }
        let joined = !between.contains([',', ';', ':', '(', '.'])
            && !facts.is_in_quotes(sentence, first.start);
        (joined && !is_numbered(facts, sentence, hit.first)).then_some(first.start..last.end)
    })
}
