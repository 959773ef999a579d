//! The keywords of a text: its words without those that carry no concern, stemmed. Names of code (`file_id`, `JobInfo`,
//! what stands in backticks) are kept whole and unstemmed: they are often what a concern is about.

use std::cmp::Ordering;
use std::sync::LazyLock;

use crate::words::{is_identifier, is_stop_word, lowercase, phrases, stem, without_ids};

const CLAIMS: &str = include_str!("words/claims.txt");

/// How many keywords one text may have; a passage of an honest document has far fewer.
const MOST_KEYWORDS: usize = 2000;
/// How many words of a text are read for them.
const MOST_WORDS: usize = 100_000;

/// The keywords of a text.
#[derive(Debug, Clone, Default)]
pub struct Keywords {
    /// All of them, one behind the other.
    text: String,
    /// In alphabetical order.
    words: Vec<Word>,
}

/// One keyword: its place in the text of all.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: u32,
    end: u32,
    /// It was in backticks.
    named: bool,
}

/// What says of an issue that it is done with, and nothing of how.
static CLAIMED: LazyLock<Keywords> = LazyLock::new(|| {
    let claims: Vec<&str> = phrases(CLAIMS).collect();
    Keywords::of(&claims.join(" "))
});

impl Keywords {
    /// The keywords of a line or paragraph.
    pub fn of(text: &str) -> Self {
        let text = without_ids(text);
        // An odd part is in backticks, unless the last one has no end.
        let parts = text.split('`').enumerate();
        let all =
            parts.flat_map(|(index, part)| words(part).map(move |word| (word, index % 2 == 1)));
        let mut all: Vec<(&str, bool)> = all.take(MOST_WORDS).collect();
        // Texts repeat their words, and a comparison is cheaper than a stem.
        all.sort_unstable();
        all.dedup();
        let mut keywords = Self::default();
        for (word, in_code) in all {
            if keywords.words.len() == MOST_KEYWORDS {
                break;
            }
            keywords.read(word, in_code);
        }
        keywords.order();
        keywords
    }

    /// Adds the keyword of a word, if it has one.
    fn read(&mut self, word: &str, in_code: bool) {
        let single = word.chars().nth(1).is_none();
        if !word.chars().any(char::is_alphabetic) || (single && !in_code) {
            return;
        }
        let lower = lowercase(word);
        if is_identifier(word) {
            self.push(&lower, in_code);
        } else if single {
            // A single letter in backticks is a key or a variable, and no word.
            self.push(&format!("`{lower}`"), in_code);
        } else if !is_stop_word(&lower) {
            self.push(&stem(&lower), in_code);
        }
    }

    fn push(&mut self, keyword: &str, named: bool) {
        let place = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let start = place(self.text.len());
        self.text.push_str(keyword);
        let end = place(self.text.len());
        self.words.push(Word { start, end, named });
    }

    /// Sorts the keywords and leaves each of them once, as a name of code where one of its places says so.
    fn order(&mut self) {
        let text = &self.text;
        let place = |word: &Word| text_of(text, word);
        self.words
            .sort_unstable_by(|a, b| place(a).cmp(place(b)).then(b.named.cmp(&a.named)));
        self.words
            .dedup_by(|later, first| place(later) == place(first));
    }
}

impl PartialEq for Keywords {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter()) && self.named().eq(other.named())
    }
}

impl Eq for Keywords {}

fn text_of<'t>(text: &'t str, word: &Word) -> &'t str {
    text.get(word.start as usize..word.end as usize)
        .unwrap_or("")
}

/// True for a keyword that only claims.
pub fn is_claim(keyword: &str) -> bool {
    CLAIMED.has(keyword)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    words
        .map(|word| word.trim_matches(['_', '\'']))
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .filter(|word| !word.is_empty())
}

impl Keywords {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| text_of(&self.text, word))
    }

    /// Those that were in backticks.
    fn named(&self) -> impl Iterator<Item = &str> {
        let named = self.words.iter().filter(|word| word.named);
        named.map(|word| text_of(&self.text, word))
    }

    pub fn has(&self, keyword: &str) -> bool {
        let order = |word: &Word| -> Ordering { text_of(&self.text, word).cmp(keyword) };
        self.words.binary_search_by(order).is_ok()
    }

    /// Those of several texts together.
    pub fn of_all<'k>(texts: impl IntoIterator<Item = &'k Keywords>) -> Self {
        let mut all = Self::default();
        for keywords in texts {
            for word in &keywords.words {
                all.push(text_of(&keywords.text, word), word.named);
            }
        }
        all.order();
        all
    }

    /// How many of these are in one of the others.
    pub fn shared(&self, others: &[&Keywords]) -> usize {
        count_in(self.iter(), others)
    }

    /// True where one text has two of these by itself, or one that is a name of code: it is about them, not only near them.
    pub fn touched_by(&self, other: &Keywords) -> bool {
        self.shared(&[other]) >= self.len().clamp(1, 2) || count_in(self.named(), &[other]) > 0
    }

    /// How many of these are in one of the others, in percent; nothing shares nothing.
    pub fn share(&self, others: &[&Keywords]) -> u32 {
        percent(self.shared(others), self.len())
    }

    /// True where at least half of these, and of the names among them, are in the others. Two at least, where there are
    /// two: one word of a short summary says nothing.
    pub fn half_in(&self, others: &[&Keywords]) -> bool {
        let half = |of: usize| of.div_ceil(2);
        let wanted = half(self.len()).max(self.len().min(2));
        !self.is_empty()
            && self.shared(others) >= wanted
            && count_in(self.named(), others) >= half(self.named().count())
    }
}

fn count_in<'w>(words: impl Iterator<Item = &'w str>, others: &[&Keywords]) -> usize {
    words
        .filter(|word| others.iter().any(|other| other.has(word)))
        .count()
}

/// A part of a whole in percent, rounded down.
pub fn percent(part: usize, whole: usize) -> u32 {
    match whole {
        0 => 0,
        whole => u32::try_from(part.saturating_mul(100) / whole).unwrap_or(100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::STOP_WORDS;

    fn of(text: &str) -> Vec<String> {
        let keywords = Keywords::of(text);
        keywords.iter().map(str::to_owned).collect()
    }

    #[test]
    fn words_are_stemmed_and_empty_ones_are_out() {
        assert_eq!(
            of("The retries are unclear, and retrying has no limit"),
            ["limit", "retri"]
        );
        assert_eq!(of("it doesn't say why"), ["say"]);
        assert_eq!(of("3 of 4"), Vec::<String>::new());
    }

    #[test]
    fn names_of_code_are_kept_whole() {
        assert_eq!(
            of("Missing `file_id` in JobInfo; key `e`, OAuth2"),
            ["`e`", "file_id", "jobinfo", "key", "oauth2"]
        );
    }

    #[test]
    fn ids_are_no_keywords() {
        assert_eq!(of("GAP-AUTH-001 and ISSUE-R2-003: tokens"), ["token"]);
    }

    #[test]
    fn half_needs_two_words_and_half_of_the_names() {
        let half =
            |summary: &str, text: &str| Keywords::of(summary).half_in(&[&Keywords::of(text)]);
        assert!(half(
            "Token lifetime is unclear",
            "the lifetime of tokens is one hour"
        ));
        assert!(!half("Token lifetime is unclear", "tokens are opaque"));
        assert!(half("Tokens unclear", "tokens are opaque"));
        assert!(!half(
            "Missing `session_id` in login audit table",
            "the login audit has a table"
        ));
        assert!(!half("", "anything"));
    }

    #[test]
    fn lists_of_words_are_lowercase_and_have_entries() {
        for list in [CLAIMS, STOP_WORDS] {
            let list: Vec<&str> = phrases(list).collect();
            assert!(list.len() > 5);
            assert!(list.iter().all(|phrase| *phrase == phrase.to_lowercase()));
        }
    }
}
