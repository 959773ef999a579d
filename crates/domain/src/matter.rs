//! Decides whether two texts raise the same matter: gaps, issues, blockers, decisions and repeated concerns all ask here.
//! Words, numbers and identifiers must agree; where they leave a doubt, the matters differ, since two entries for one matter
//! cost a question and one entry for two matters loses one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::ids::gap_ids_in;
use crate::words::{WordSet, is_identifier, is_stop_word, lowercase, phrases, stem, without_ids};

const STOCK_WORDS: &str = include_str!("matter/stock_words.txt");
const REFERENCES: &str = include_str!("matter/references.txt");
const CONTRASTS: &str = include_str!("matter/contrasts.txt");
const CONTENT_WORDS: &str = include_str!("matter/content_words.txt");

/// How many words of a text are compared; an honest summary has far fewer.
const MOST_WORDS: usize = 400;
/// How many percent of all content words must be in both texts.
const AGREEMENT: usize = 75;
/// Texts with fewer content words must agree in all of them.
const SHORT: usize = 5;
/// How many percent of all content words must be in both texts under one id.
const AGREEMENT_UNDER_ID: usize = 20;

/// So many words in common show that a text touches a matter, however much else it says.
const MANY_SHARED: usize = 3;

/// What links two texts besides their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Nothing does.
    None,
    /// One author gave them the same id. That is evidence, and never enough by itself.
    Id,
}

/// What a text is about, ready to be compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matter {
    whole: Content,
    /// The content without the explanation behind the main clause.
    main: Content,
}

/// The content of a text: its words in order, and what must agree to the letter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Content {
    words: Vec<String>,
    numbers: BTreeSet<String>,
    /// The numbers in order.
    figures: Vec<String>,
    identifiers: BTreeSet<String>,
    /// Words that have an opposite.
    sides: BTreeSet<&'static str>,
    /// What is asked for: who, where, how long.
    aspects: BTreeSet<&'static str>,
}

/// How many content words two texts share.
struct Overlap {
    shared: usize,
    all: usize,
    /// Each text has a word that the other lacks.
    replaced: bool,
}

/// A text without the words that any text about something missing has.
pub fn content_of(text: &str) -> String {
    let text = without_stock_phrases(text.to_owned());
    let words = words_of(&text).filter(|word| !STOCK.contains(&lowercase(word)));
    let words: Vec<&str> = words.collect();
    words.join(" ")
}

/// True where two texts raise the same matter.
pub fn same_matter(one: &str, other: &str) -> bool {
    Matter::of(one).is(&Matter::of(other), Link::None)
}

impl Matter {
    pub fn of(text: &str) -> Self {
        let gaps = gap_ids_in(text);
        let gaps: BTreeSet<String> = gaps.into_iter().map(|gap| gap.id.to_string()).collect();
        let text = without_ids(text);
        let words = text.split_whitespace();
        let words: Vec<&str> = words.collect();
        let next = |at: usize| words.get(at + 1).copied().unwrap_or("");
        let words = words.iter().enumerate();
        let words = words.filter(|(at, word)| !is_label(word, next(*at)));
        let words: Vec<&str> = words.map(|(_, word)| *word).collect();
        let text = without_stock_phrases(ungrouped(&words.join(" ")));
        let content = |text: &str| {
            let mut content = Content::of(text);
            content.identifiers.extend(gaps.iter().cloned());
            content
        };
        let whole = content(&text);
        let main = match main_clause(&text) {
            Some(clause) => content(clause),
            None => whole.clone(),
        };
        // A clause of one word is no matter by itself: the words behind it say which it is.
        let main = if main.words.len() < 2 {
            whole.clone()
        } else {
            main
        };
        Self { whole, main }
    }

    /// True where nothing is left once stock phrases are taken away: "still not resolved".
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    /// True where the words behind an id may be about what the id means: they share something of it, or say nothing of their own.
    /// Enough to take something back, and never to raise it.
    pub fn touches(&self, other: &Matter) -> bool {
        self.is_empty() || other.is_empty() || self.whole.touches(&other.whole)
    }

    /// True where both are the same matter.
    pub fn is(&self, other: &Matter, link: Link) -> bool {
        match link {
            Link::None => {
                // A text without an explanation may be the main clause of one that has one.
                let plain = |matter: &Matter| matter.main == matter.whole;
                self.whole.agrees_with(&other.whole)
                    || (plain(self) && self.whole.agrees_with(&other.main))
                    || (plain(other) && self.main.agrees_with(&other.whole))
            }
            // A text that says nothing of its own means what its id means.
            Link::Id => {
                self.is_empty()
                    || other.is_empty()
                    || self.is(other, Link::None)
                    || self.whole.may_be_of_one_id(&other.whole)
            }
        }
    }
}

impl Content {
    fn of(text: &str) -> Self {
        let mut content = Self::default();
        // A text in capitals has no names in capitals.
        let shouted = !text.chars().any(char::is_lowercase);
        let mut refers = false;
        for word in words_of(text).take(MOST_WORDS) {
            let lower = lowercase(word);
            if lower.chars().all(|c| c.is_ascii_digit() || c == '.') {
                let number = lower.trim_matches('.');
                // The number of a section says where something stands and not what it is.
                if !refers && !number.is_empty() {
                    content.numbers.insert(number.to_owned());
                    content.figures.push(number.to_owned());
                }
                continue;
            }
            content.sides.extend(
                OPPOSITES
                    .get_key_value(lower.as_ref())
                    .map(|(side, _)| side),
            );
            refers = REFERRING.contains(&lower) || (refers && is_stop_word(&lower));
            let in_capitals = !shouted && word.len() > 1 && is_in_capitals(word);
            if is_identifier(word) || (in_capitals && !STOCK.contains(&lower)) {
                content.identifiers.insert(lower.clone().into_owned());
                content.words.push(lower.into_owned());
            } else if lower.chars().nth(1).is_some()
                && (!is_stop_word(&lower) || CONTENT.contains(&lower))
                && !STOCK.contains(&lower)
            {
                content.words.push(stem(&lower).into_owned());
            }
        }
        let lower = format!(" {} ", text.to_lowercase());
        content.aspects = places_of(&ASPECTS, &lower)
            .map(|(aspect, _)| aspect.trim())
            .collect();
        content
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.numbers.is_empty()
    }

    /// True where one has all words of the other and a few more at most, in no other roles, and numbers and identifiers are
    /// the same.
    fn agrees_with(&self, other: &Content) -> bool {
        if self.is_empty() || other.is_empty() || self.conflicts_with(other) {
            return false;
        }
        let Overlap {
            shared,
            all,
            replaced,
        } = self.overlap(other);
        // Numbers that only one of them has make it a narrower text.
        let all = all + self.numbers.symmetric_difference(&other.numbers).count();
        let enough = match all {
            0..SHORT => shared == all,
            _ => shared * 100 >= all * AGREEMENT,
        };
        enough && !replaced && !self.swaps_with(other)
    }

    /// True where two words or numbers change places between two texts that are otherwise the same: "the client tells the server",
    /// "3 times after 5 seconds".
    fn swaps_with(&self, other: &Content) -> bool {
        if self.numbers == other.numbers && self.figures != other.figures {
            return true;
        }
        if self.words.len() != other.words.len() {
            return false;
        }
        let pairs = self.words.iter().zip(&other.words);
        let differ: Vec<_> = pairs.filter(|(one, other)| one != other).collect();
        match differ.as_slice() {
            [(a, b), (c, d)] => a == d && b == c,
            _ => false,
        }
    }

    fn overlap(&self, other: &Content) -> Overlap {
        let (own, others) = (self.distinct_words(), other.distinct_words());
        let is_shared = |word: &&&str| others.binary_search(word).is_ok();
        let shared = own.iter().filter(is_shared).count();
        Overlap {
            shared,
            all: own.len() + others.len() - shared,
            replaced: shared < own.len() && shared < others.len(),
        }
    }

    fn touches(&self, other: &Content) -> bool {
        let Overlap { shared, all, .. } = self.overlap(other);
        shared >= MANY_SHARED
            || (shared > 0
                && shared * 100 >= all * AGREEMENT_UNDER_ID
                && !self.conflicts_with(other))
    }

    /// True where one text only adds to the other or leaves something out. Where each has words that the other lacks, the id
    /// was given to another matter, however many words they share.
    fn may_be_of_one_id(&self, other: &Content) -> bool {
        let Overlap {
            shared,
            all,
            replaced,
        } = self.overlap(other);
        // The same number is as good as a word.
        let shared = shared + self.numbers.intersection(&other.numbers).count();
        let all = all + self.numbers.union(&other.numbers).count();
        let enough = shared > 0 && shared * 100 >= all * AGREEMENT_UNDER_ID;
        enough && !replaced && !self.conflicts_with(other)
    }

    /// True where both name numbers, or both name identifiers, and not the same; or where they ask about opposites, or for
    /// different things.
    fn conflicts_with(&self, other: &Content) -> bool {
        let opposed = |one: &Content, other: &Content| {
            one.sides.iter().any(|side| {
                let opposite = OPPOSITES.get(side);
                !other.sides.contains(side)
                    && opposite.is_some_and(|opposite| other.sides.contains(opposite))
            })
        };
        let conflict = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            !one.is_empty() && !other.is_empty() && one != other
        };
        let asks_else = !self.aspects.is_empty()
            && !other.aspects.is_empty()
            && self.aspects.is_disjoint(&other.aspects);
        asks_else
            || conflict(&self.numbers, &other.numbers)
            || conflict(&self.identifiers, &other.identifiers)
            || opposed(self, other)
            || opposed(other, self)
    }

    /// The words in alphabetical order, each once.
    fn distinct_words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

static STOCK: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(STOCK_WORDS));

static CONTENT: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(CONTENT_WORDS));

static REFERRING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(REFERENCES));

/// Phrases that texts are searched for, made ready once.
type Phrases = Vec<(String, Finder<'static>)>;

static STOCK_PHRASES: LazyLock<Phrases> =
    LazyLock::new(|| searched(include_str!("matter/stock_phrases.txt"), "", ""));

static ASIDES: LazyLock<Phrases> =
    LazyLock::new(|| searched(include_str!("matter/asides.txt"), "", " "));

static ASPECTS: LazyLock<Phrases> =
    LazyLock::new(|| searched(include_str!("matter/aspects.txt"), " ", " "));

/// The phrases of a list with what must be around them.
fn searched(list: &'static str, before: &str, behind: &str) -> Phrases {
    let phrases = phrases(list).map(|phrase| format!("{before}{phrase}{behind}"));
    phrases
        .map(|phrase| (phrase.clone(), Finder::new(&phrase).into_owned()))
        .collect()
}

/// The phrases of a list that a text has, with the first place of each.
fn places_of<'t>(
    list: &'static Phrases,
    text: &'t str,
) -> impl Iterator<Item = (&'static str, usize)> + 't {
    list.iter()
        .filter_map(|(phrase, finder)| Some((phrase.as_str(), finder.find(text.as_bytes())?)))
}

/// Each word of a contrast with the other one.
static OPPOSITES: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = phrases(CONTRASTS).filter_map(|line| line.split_once(' '));
    pairs
        .flat_map(|(one, other)| [(one, other), (other, one)])
        .collect()
});

/// The words of a text; what joins a name (`ship_to`, `3.1`) stays in it.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '\u{2019}' | '.'))
        .map(|word| word.trim_matches(['_', '\'', '\u{2019}', '.']))
        .flat_map(
            |word| match word.starts_with(|c: char| c.is_ascii_digit()) {
                true => vec![word],
                false => word.split('.').collect(),
            },
        )
        .map(|word| {
            let bare = word.strip_suffix("'s").or(word.strip_suffix("\u{2019}s"));
            bare.unwrap_or(word)
        })
        .filter(|word| !word.is_empty())
}

/// True for an id of another shape that labels a text and is no part of what it says: `[FR-9] There is …`, `R3-B2: no …`.
fn is_label(word: &str, next: &str) -> bool {
    let bare = word.trim_matches(['[', ']', '(', ')', ':', ',', '.', '*']);
    let has = |test: fn(char) -> bool| bare.chars().any(test);
    let is_id = bare
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
        && bare.contains('-')
        && has(|c| c.is_ascii_uppercase())
        && bare.ends_with(|c: char| c.is_ascii_digit());
    let apart = word.starts_with(['[', '(']) || word.ends_with(':');
    is_id && (apart || next.starts_with(char::is_uppercase))
}

/// A text whose numbers have nothing between their digits: `8,000` is `8000`.
fn ungrouped(text: &str) -> String {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let groups =
        |at: usize| digit(text[..at].chars().next_back()) && digit(text[at + 1..].chars().next());
    let chars = text.char_indices();
    chars
        .filter(|(at, c)| *c != ',' || !groups(*at))
        .map(|(_, c)| c)
        .collect()
}

fn without_stock_phrases(text: String) -> String {
    let lower = text.to_ascii_lowercase();
    let mut kept = text;
    // From the end on, so that the places before it stay what they are.
    let mut places: Vec<(usize, usize)> = STOCK_PHRASES
        .iter()
        .flat_map(|(phrase, finder)| {
            let places = finder.find_iter(lower.as_bytes());
            places.map(|at| (at, at + phrase.len()))
        })
        .filter(|(at, end)| {
            let open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            open(lower[..*at].chars().next_back()) && open(lower[*end..].chars().next())
        })
        .collect();
    places.sort_unstable();
    for (start, end) in places.into_iter().rev() {
        if kept.get(start..end).is_some() {
            kept.replace_range(start..end, " ");
        }
    }
    kept
}

fn is_in_capitals(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_lowercase)
}

/// The text before the first explanation: "…, so that", "… (since …)".
fn main_clause(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let asides = places_of(&ASIDES, &lower).map(|(_, at)| at);
    let ends = asides.chain(lower.find(" ("));
    text.get(..ends.min()?)
}
