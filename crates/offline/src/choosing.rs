//! The choice of a default for a gap: by the rule that found it, the topics that it speaks of and the words around it. Where
//! nothing fits, or only the user can know, the answer is what to ask.

use gapless_domain::AssignedGap;
use gapless_scan::Topic;

use crate::catalogue::topic;
use crate::{Ask, Entry, asks, entries, place};

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
const OF_WHOLE: usize = 6;
const MOST_HITS: usize = 3;

/// What the catalogue has for a gap of this spec.
pub fn answer(gap: &AssignedGap, spec: &str) -> Answer {
    let around = Around {
        words: place::words(gap, spec),
        spec: spec.to_lowercase(),
    };
    let default = |found: Option<&'static Entry>| found.map_or(Answer::Nothing, Answer::Default);
    if let Some(rule) = gap.rule.as_deref() {
        let lists = |entry: &&'static Entry| entry.rules.iter().any(|known| known == rule);
        if entries().iter().any(|entry| lists(&entry)) {
            return default(around.best(&gap_topics(gap), lists));
        }
        let of_user = |ask: &&Ask| ask.rules.iter().any(|known| known == rule);
        if let Some(ask) = asks().iter().find(of_user) {
            return Answer::Ask(ask);
        }
        if BY_TOPIC.contains(&rule) {
            let topics = gap_topics(gap);
            let about = |entry: &&'static Entry| {
                let of_topic = entry.topics.iter().any(|topic| topics.contains(topic));
                of_topic && around.has_what_it_must(entry)
            };
            let found = around.best(&topics, about);
            // What an "if needed" depends on is in no word near it.
            let by_words = || match rule {
                "vague-qualifier" => None,
                _ => around.best(&[], |entry| around.speaks_of(entry)),
            };
            return default(found.or_else(by_words));
        }
    }
    let asked = |ask: &&Ask| hits(&around.words, &ask.words) > 0;
    if let Some(ask) = asks().iter().find(asked) {
        return Answer::Ask(ask);
    }
    let topics = spoken_topics(&around.words);
    // A word in passing is not what a gap is about: it has to speak of the topic too.
    let about = |entry: &&'static Entry| {
        let of_topic = entry.topics.iter().any(|topic| topics.contains(topic));
        around.speaks_of(entry) && (of_topic || entry.topics.is_empty())
    };
    default(around.best(&topics, about))
}

/// What stands around a gap, in small letters.
struct Around {
    /// The words that choose among defaults.
    words: String,
    spec: String,
}

impl Around {
    fn has_what_it_must(&self, entry: &Entry) -> bool {
        entry.must.is_empty() || hits(&self.words, &entry.must) > 0
    }

    /// Whether the words alone ask for an entry.
    fn speaks_of(&self, entry: &Entry) -> bool {
        let words = match entry.must.is_empty() {
            true => &entry.should,
            false => &entry.must,
        };
        hits(&self.words, words) > 0
    }

    /// The entry that fits best of those that may answer; of equals, the first of the catalogue.
    fn best(
        &self,
        topics: &[Topic],
        may: impl Fn(&&'static Entry) -> bool,
    ) -> Option<&'static Entry> {
        let fits = |entry: &&'static Entry| {
            entry.settings.is_empty()
                || hits(&self.spec, &entry.settings) + hits(&self.words, &entry.settings) > 0
        };
        let score = |entry: &&'static Entry| {
            let place = topics.iter().position(|topic| entry.topics.contains(topic));
            let of_topic = place.map_or(0, |at| {
                OF_FIRST_TOPIC.saturating_sub(at.saturating_mul(LESS_FOR_LATER))
            });
            let of_words = hits(&self.words, &entry.must).min(MOST_HITS) * OF_MUST
                + hits(&self.words, &entry.should).min(MOST_HITS) * OF_SHOULD;
            // A rule's own entry that lacks its words goes behind one that needs none.
            let whole = usize::from(self.has_what_it_must(entry)) * OF_WHOLE;
            of_topic + of_words + whole
        };
        // The last of equals wins, so they come backwards.
        let fitting = entries().iter().filter(may).filter(fits);
        fitting.rev().max_by_key(score)
    }
}

fn gap_topics(gap: &AssignedGap) -> Vec<Topic> {
    let topics = gap.topics.iter().filter_map(|name| topic(name));
    topics.filter(|topic| *topic != Topic::Other).collect()
}

/// The topics that a text speaks of, the one first that it has most words of.
fn spoken_topics(words: &str) -> Vec<Topic> {
    let said = |topic: &Topic| {
        let of_topic = topic.words().iter();
        of_topic.filter(|word| begins(words, word)).count()
    };
    let mut spoken: Vec<Topic> = Topic::ALL.to_vec();
    spoken.retain(|topic| said(topic) > 0);
    spoken.sort_by_key(|topic| std::cmp::Reverse(said(topic)));
    spoken
}

/// How many of these words occur, as they begin.
fn hits(text: &str, words: &[String]) -> usize {
    words.iter().filter(|word| begins(text, word)).count()
}

fn begins(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}
