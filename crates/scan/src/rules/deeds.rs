//! Tells whether a word that may be a verb or a noun says that something is done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_domain::words::phrases;

use crate::facts::Hit;
use crate::{Class, Facts, Sentence};

/// Words before a noun.
static BEFORE_A_NOUN: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/before_nouns.txt")).collect());

/// Words before a verb.
const BEFORE_A_VERB: [&str; 16] = [
    "to", "must", "shall", "should", "will", "may", "can", "and", "or", "then", "not", "also",
    "always", "never", "we", "they",
];

/// Words that are as often nouns as verbs.
const EITHER: [&str; 14] = [
    "calls",
    "downloads",
    "uploads",
    "charges",
    "emails",
    "e-mails",
    "caches",
    "cache",
    "writes",
    "polls",
    "copies",
    "saves",
    "relays",
    "inserts",
];

/// Words behind a noun.
static BEHIND_A_NOUN: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/behind_nouns.txt")).collect());

/// Whether a word says that something is done: no noun, and nothing that [`is_meant`] leaves out.
pub fn is_deed(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    is_meant(facts, sentence, hit) && !is_noun(facts, sentence, hit)
}

/// Whether a word is no name in capitals, no quote, no right to write, and nothing that merely lasts.
pub fn is_meant(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let word = facts.word(hit.first);
    let label = hit.first > sentence.words.start && word.starts_with(char::is_uppercase);
    let next = facts.word(hit.first + hit.count).to_lowercase();
    let lasting = ["in", "across", "for", "after", "until", "as", "during"];
    let lasts = word == "persists" && lasting.contains(&next.as_str());
    let mut words = sentence.words.clone();
    let right = hit.classes.has(Class::Write)
        && words.any(|index| facts.word(index).eq_ignore_ascii_case("only"));
    let quoted = facts.is_in_quotes(sentence, facts.words[hit.first].start);
    !label && !lasts && !right && !quoted
}

/// `the call`, `API calls to`, `a cache line`, as against `the service calls` and `is called`.
fn is_noun(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let next = facts.word(hit.first + hit.count).to_lowercase();
    let next = next.as_str();
    let first = facts.word(hit.first).to_lowercase();
    if matches!(first.as_str(), "is" | "are") {
        return false;
    }
    let inside = hit.first > sentence.words.start;
    let before = match inside {
        true => facts.word(hit.first - 1).to_lowercase(),
        false => String::new(),
    };
    let is_last = hit.first + hit.count >= sentence.words.end;
    let ends_clause = is_last || {
        let last = &facts.words[hit.first + hit.count - 1];
        let between = facts.between(last, &facts.words[hit.first + hit.count]);
        between.contains([',', ';', ')', ':'])
    };
    // A participle in front of a noun says what was done to it: `cached prices`.
    let participle = first.ends_with("ed");
    // `the promise cache`: only `to cache`, `must cache` and an order are verbs.
    let bare = first == "cache" && inside && !BEFORE_A_VERB.contains(&before.as_str());
    bare || BEFORE_A_NOUN.contains(before.as_str()) && !participle
        || hit.count == 1 && BEHIND_A_NOUN.contains(next)
        || first == "calls" && next == "to"
        || ends_clause && EITHER.contains(&first.as_str())
}
