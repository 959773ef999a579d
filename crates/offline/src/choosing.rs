//! Owns the choice of a default for a gap: by the rule that found it, the topics that it speaks of and the words around it. Where
//! nothing fits, or only the user can know, the answer is what to ask.

use gapless_core::assignment::AssignedGap;
use gapless_scan::Topic;

use crate::catalogue::{Ask, Entry, asks, entries, topic};
use crate::place;

/// Rules whose findings can be about anything: their topic says what.
pub(crate) const BY_TOPIC: [&str; 6] = [
    "placeholder",
    "empty-section",
    "thin-section",
    "vague-quantity",
    "vague-qualifier",
    "unmeasurable",
];

/// What the catalogue has for a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Default(&'static Entry),
    /// Nobody but the user knows.
    Ask(&'static Ask),
    /// The catalogue has nothing that fits.
    Nothing,
}

const OF_FIRST_TOPIC: usize = 40;
const LESS_FOR_LATER: usize = 10;
const OF_MUST: usize = 8;
const OF_SHOULD: usize = 4;
const MOST_HITS: usize = 3;

/// What the catalogue has for a gap of this spec.
pub fn answer(gap: &AssignedGap, spec: &str) -> Answer {
    let words = place::words(gap, spec);
    let rule = gap.rule.as_deref();
    if let Some(rule) = rule {
        let listed = |entry: &&Entry| entry.rules.iter().any(|known| known == rule);
        if entries().iter().any(|entry| listed(&entry)) {
            return best(&words, &gap_topics(gap), listed).map_or(Answer::Nothing, Answer::Default);
        }
        if let Some(ask) = asks()
            .iter()
            .find(|ask| ask.rules.iter().any(|r| r == rule))
        {
            return Answer::Ask(ask);
        }
        if BY_TOPIC.contains(&rule) {
            let topics = gap_topics(gap);
            let about = |entry: &&Entry| entry.topics.iter().any(|topic| topics.contains(topic));
            if let Some(entry) = best(&words, &topics, about) {
                return Answer::Default(entry);
            }
            let spoken = |entry: &&Entry| hits(&words, &entry.should) > 0;
            return best(&words, &[], spoken).map_or(Answer::Nothing, Answer::Default);
        }
    }
    let asked = |ask: &&Ask| hits(&words, &ask.words) > 0;
    if let Some(ask) = asks().iter().find(asked) {
        return Answer::Ask(ask);
    }
    let spoken = |entry: &&Entry| hits(&words, &entry.must) + hits(&words, &entry.should) > 0;
    best(&words, &spoken_topics(&words), spoken).map_or(Answer::Nothing, Answer::Default)
}

/// The entry that fits best of those that may answer; of equals, the first of the catalogue.
fn best(
    words: &str,
    topics: &[Topic],
    may: impl Fn(&&'static Entry) -> bool,
) -> Option<&'static Entry> {
    let mut found: Option<(usize, &Entry)> = None;
    for entry in entries().iter().filter(|entry| may(entry)) {
        let must = hits(words, &entry.must);
        if !entry.must.is_empty() && must == 0 {
            continue;
        }
        let place = topics.iter().position(|topic| entry.topics.contains(topic));
        let of_topic = place.map_or(0, |at| {
            OF_FIRST_TOPIC.saturating_sub(at.saturating_mul(LESS_FOR_LATER))
        });
        let score = of_topic
            + must.min(MOST_HITS) * OF_MUST
            + hits(words, &entry.should).min(MOST_HITS) * OF_SHOULD;
        if found.is_none_or(|(best, _)| score > best) {
            found = Some((score, entry));
        }
    }
    found.map(|(_, entry)| entry)
}

fn gap_topics(gap: &AssignedGap) -> Vec<Topic> {
    let topics = gap.topics.iter().filter_map(|name| topic(name));
    topics.filter(|topic| *topic != Topic::Other).collect()
}

/// The topics that a text speaks of, in the order in which topics stand.
fn spoken_topics(words: &str) -> Vec<Topic> {
    let speaks = |topic: &&Topic| topic.words().iter().any(|word| begins(words, word));
    Topic::ALL.iter().filter(speaks).copied().collect()
}

/// How many of these words occur, as they begin.
fn hits(text: &str, words: &[String]) -> usize {
    words.iter().filter(|word| begins(text, word)).count()
}

fn begins(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}
