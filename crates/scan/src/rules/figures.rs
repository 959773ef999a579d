//! The rule for one quantity with two values.

use std::collections::BTreeMap;
use std::ops::Range;

use gapless_domain::Severity;

use super::asking::stem;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static CONFLICTING_FIGURES: Rule = Rule {
    id: "conflicting-figures",
    category: "CONFLICT",
    severity: Severity::Medium,
    title: "Which of the two values holds?",
    reason: "One of the two is wrong, and the code will follow whichever was read last.",
    suggestion: "give the value once, and refer to it elsewhere",
    topic: Topic::Other,
    bad: &[
        "The session timeout is 30 minutes.\n\n## Limits\n\nThe session timeout is 15 minutes.",
        "The system must retry failed uploads up to 3 times.\n\nFailed uploads are retried up to 5 times.",
    ],
    good: &[
        "The session timeout is 30 minutes.\n\n## Limits\n\nThe request timeout is 15 seconds.",
        "The page size is 20 by default, and at most 100.",
    ],
    check: figures,
};

/// A value that a sentence gives to a quantity.
struct Figure {
    sentence: usize,
    span: Range<usize>,
    number: String,
}

/// Words between a quantity and its value.
const GIVING: [&str; 12] = [
    "is", "of", "to", "defaults", "default", "are", "set", "at", "be", "must", "shall", "should",
];

/// The last words of quantities that have one value.
const QUANTITIES: [&str; 22] = [
    "timeout",
    "limit",
    "interval",
    "ttl",
    "retention",
    "delay",
    "lifetime",
    "expiry",
    "expiration",
    "threshold",
    "window",
    "cooldown",
    "quota",
    "size",
    "length",
    "duration",
    "period",
    "depth",
    "attempts",
    "deadline",
    "validity",
    "frequency",
];

fn figures(facts: &Facts<'_>, found: &mut Found) {
    let mut given: BTreeMap<(String, String), Vec<Figure>> = BTreeMap::new();
    for (at, sentence) in facts.sentences.iter().enumerate() {
        if !sentence.has_number || facts.section_of(sentence).is_informative || sentence.is_quoted {
            continue;
        }
        if let Some((key, figure)) =
            figure_of(facts, at, sentence).or_else(|| tries_of(facts, at, sentence))
        {
            given.entry(key).or_default().push(figure);
        }
    }
    for figures in given.values() {
        let first = &figures[0];
        let Some(other) = figures.iter().find(|other| other.number != first.number) else {
            continue;
        };
        let said =
            |figure: &Figure| quoted(facts.text(facts.sentences[figure.sentence].span.clone()));
        let line = facts.document.line_of(first.span.start);
        let message = format!(
            "\"{}\" here and \"{}\" on line {line} don't agree: which one holds?",
            said(other),
            said(first)
        );
        let topic = Topic::of_text(facts.text(other.span.clone()));
        found.at(other.span.clone(), message).about(topic);
    }
}

/// `session timeout is 30 minutes`: the two words that name the quantity with the unit, and the number.
fn figure_of(
    facts: &Facts<'_>,
    at: usize,
    sentence: &Sentence,
) -> Option<((String, String), Figure)> {
    const WIDEST: usize = 4;
    let mut words = sentence.words.clone();
    let number = words.find(|index| facts.words[*index].is_number())?;
    let mut name = number;
    while name > sentence.words.start
        && number - name < WIDEST
        && GIVING.contains(&facts.word(name - 1))
    {
        name -= 1;
    }
    let name = name
        .checked_sub(1)
        .filter(|name| *name > sentence.words.start)?;
    let quantity = stem(facts.word(name));
    let is_quantity = QUANTITIES.contains(&quantity.as_str());
    let before = facts.word(name - 1).to_lowercase();
    let plain = facts.words[name - 1].is_plain() && before.len() > 3;
    let adjacent = facts.between(&facts.words[name - 1], &facts.words[name]) == " ";
    let only = sentence
        .words
        .clone()
        .filter(|index| facts.words[*index].is_number())
        .count()
        == 1;
    let unit = stem(facts.word(number + 1));
    let conditional = sentence.has(Class::Condition) || sentence.has(Class::May);
    (is_quantity && plain && adjacent && only && !conditional).then(|| {
        let span = facts.words[name - 1].start..facts.words[number].end;
        let number = facts.word(number).to_owned();
        (
            (format!("{before} {quantity}"), unit),
            Figure {
                sentence: at,
                span,
                number,
            },
        )
    })
}

/// `retries failed uploads up to 3 times`: what is retried, and how often.
fn tries_of(
    facts: &Facts<'_>,
    at: usize,
    sentence: &Sentence,
) -> Option<((String, String), Figure)> {
    let mut words = sentence.words.clone();
    let number = words.find(|index| {
        facts.words[*index].is_number()
            && facts.word(*index + 1) == "times"
            && facts.word(index.wrapping_sub(1)) == "to"
    })?;
    let retrying = facts.hits_of(sentence, Class::Retrying).next()?;
    let failed = sentence
        .words
        .clone()
        .find(|index| facts.word(*index).eq_ignore_ascii_case("failed"))?;
    let what = stem(facts.word(failed + 1));
    let span =
        facts.words[retrying.first.min(number)].start..facts.words[retrying.first.max(number)].end;
    let key = (format!("tries of {what}"), "time".to_owned());
    Some((
        key,
        Figure {
            sentence: at,
            span,
            number: facts.word(number).to_owned(),
        },
    ))
}
