//! What the rules that ask for missing answers share: the first few places of a rule in a spec become findings, and the last of
//! them counts the rest.

use std::ops::Range;

use gapless_markdown::last_at;

use crate::facts::{Claim, Hit};
use crate::rule::{Found, quoted_around};
use crate::{Class, Facts, Sentence, Topic};

/// The places where one rule asks.
#[derive(Default)]
pub struct Asked {
    places: Vec<Place>,
}

struct Place {
    span: Range<usize>,
    message: String,
    topic: Option<Topic>,
}

/// A spec that leaves out the same thing everywhere hears of it so often.
const MOST: usize = 12;

impl Asked {
    /// Asks a question about a sentence.
    pub fn about(
        &mut self,
        facts: &Facts<'_>,
        sentence: &Sentence,
        span: Range<usize>,
        question: &str,
    ) {
        let around = quoted_around(facts, sentence, &span);
        self.places.push(Place {
            message: format!("\"{around}\": {question}"),
            topic: Topic::of_texts(&[&around, facts.text(span.clone())]),
            span,
        });
    }

    pub fn tell(self, found: &mut Found) {
        let more = self.places.len().saturating_sub(MOST);
        for (index, place) in self.places.into_iter().take(MOST).enumerate() {
            let message = match more {
                1.. if index + 1 == MOST => {
                    format!("{} The same is open in {more} more places.", place.message)
                }
                _ => place.message,
            };
            found.at(place.span, message).about(place.topic);
        }
    }
}

/// Each sentence that obliges.
pub fn claims<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = &'f Sentence> {
    let claims = facts.claims.iter();
    claims.map(|claim| &facts.sentences[claim.sentence])
}

/// Each sentence that obliges and has a word of a class, with that word.
pub fn claims_with<'f>(
    facts: &'f Facts<'_>,
    class: Class,
) -> impl Iterator<Item = (&'f Sentence, &'f Hit)> {
    claims(facts)
        .filter(move |sentence| sentence.has(class))
        .flat_map(move |sentence| {
            let hits = facts.hits_of(sentence, class);
            hits.map(move |hit| (sentence, hit))
        })
}

/// Whether a claim is put as a demand, by its own words or by those that open its list.
pub fn is_demanded(facts: &Facts<'_>, claim: &Claim) -> bool {
    let lead = claim.lead.map(|lead| &facts.sentences[lead]);
    let sentence = &facts.sentences[claim.sentence];
    let first = sentence.words.start;
    let is_step = ["given", "when", "if", "then", "and", "while"]
        .iter()
        .any(|step| facts.word(first).eq_ignore_ascii_case(step));
    is_step || sentence.is_strict() || lead.is_some_and(Sentence::is_strict)
}

/// Whether a claim is demanded, or is a point of a section of requirements.
pub fn is_required(facts: &Facts<'_>, claim: &Claim) -> bool {
    let sentence = &facts.sentences[claim.sentence];
    is_demanded(facts, claim) || claim.by_place && facts.section_of(sentence).obliges
}

/// A word as it is compared: lowercase and without a plural.
pub fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    if lower.ends_with("sses") {
        return lower[..lower.len() - "es".len()].to_owned();
    }
    match lower.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular.to_owned(),
        _ => lower,
    }
}

/// The text behind a word, as far as its block goes and a reader looks.
pub fn behind<'f>(facts: &'f Facts<'_>, sentence: &Sentence, word: usize) -> &'f str {
    const REACH: usize = 300;
    let start = facts.words[word].end;
    let end = facts.document.blocks[sentence.block].span.end.max(start);
    let reach = facts.prose().floor_char_boundary(start + REACH);
    facts.text(start..end.min(reach))
}

/// Whether what a sentence says is spelled out behind a word: in parentheses, after a colon or a dash, or by examples.
pub fn is_spelled_out(facts: &Facts<'_>, sentence: &Sentence, word: usize) -> bool {
    const MARKS: [&str; 9] = [
        "(",
        ":",
        " — ",
        " – ",
        " - ",
        "such as",
        "e.g.",
        "for example",
        "namely",
    ];
    let rest = behind(facts, sentence, word);
    MARKS.iter().any(|mark| rest.contains(mark))
}

const NUMBER_WORDS: [&str; 17] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twelve",
    "once",
    "twice",
    "half",
    "zero",
    "unlimited",
    "infinite",
];

/// Words before a number that points to a part of the document.
const REFERRING: [&str; 22] = [
    "property",
    "properties",
    "requirement",
    "requirements",
    "section",
    "sections",
    "story",
    "stories",
    "step",
    "steps",
    "phase",
    "stage",
    "figure",
    "table",
    "version",
    "v",
    "scenario",
    "chapter",
    "appendix",
    "priority",
    "issue",
    "task",
];

/// Whether a sentence has a number, in figures or in words, that is no reference.
pub fn has_number(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let mut refers = false;
    facts.words_of(sentence).iter().any(|word| {
        let text = facts.text(word.span());
        let is = |list: &[&str]| list.iter().any(|known| text.eq_ignore_ascii_case(known));
        if word.is_number() {
            return !refers;
        }
        refers = is(&REFERRING);
        is(&NUMBER_WORDS) || word.is_code() && text.bytes().any(|byte| byte.is_ascii_digit())
    })
}

/// Whether a sentence has a number, or the next one does and goes on about the same: `It is 5 seconds.`
pub fn is_numbered_nearby(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    const GOING_ON: [&str; 10] = [
        "it", "this", "that", "these", "they", "both", "default", "defaults", "each", "by",
    ];
    const SHORTEST: usize = 6;
    if has_number(facts, sentence) {
        return true;
    }
    let next = facts
        .sentences
        .partition_point(|other| other.span.start <= sentence.span.start);
    facts.sentences.get(next).is_some_and(|next| {
        let first = facts.word(next.words.start);
        let goes_on = GOING_ON.iter().any(|word| first.eq_ignore_ascii_case(word));
        let is_near = next.block == sentence.block && goes_on
            || next.block == sentence.block + 1
                && next.words.len() < SHORTEST
                && is_below(facts, sentence, next);
        is_near && has_number(facts, next)
    })
}

/// Whether a sentence is in an item that is nested in the item of another.
fn is_below(facts: &Facts<'_>, upper: &Sentence, lower: &Sentence) -> bool {
    let items = &facts.document.items;
    let depth = |sentence: &Sentence| last_at(items, sentence.span.start, |item| item.span.start);
    match (depth(upper), depth(lower)) {
        (Some(upper), Some(lower)) => lower.depth > upper.depth,
        _ => false,
    }
}
