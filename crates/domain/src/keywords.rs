//! The keywords of a text: its words without those that carry no concern, stemmed. Names of code (`file_id`, `JobInfo`,
//! what stands in backticks) are kept whole and unstemmed: they are often what a concern is about.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crate::words::{is_identifier, is_stop_word, phrases, stem, without_ids};

const CLAIMS: &str = include_str!("words/claims.txt");

/// How many keywords one text may have; a passage of an honest document has far fewer.
const MOST_KEYWORDS: usize = 2000;

/// The keywords of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keywords {
    all: BTreeSet<Arc<str>>,
    /// Those that stood in backticks.
    named: BTreeSet<Arc<str>>,
}

/// What says of an issue that it is done with, and nothing of how.
static CLAIMED: LazyLock<BTreeSet<Arc<str>>> = LazyLock::new(|| {
    let claims: Vec<&str> = phrases(CLAIMS).collect();
    Keywords::of(&claims.join(" ")).all
});

impl Keywords {
    /// The keywords of a line or paragraph.
    pub fn of(text: &str) -> Self {
        let mut keywords = Self::default();
        let text = without_ids(text);
        // Texts repeat their words, and a look is cheaper than a stem.
        let mut met: BTreeSet<(&str, bool)> = BTreeSet::new();
        for (index, part) in text.split('`').enumerate() {
            // An odd part stands in backticks, unless the last one has no end.
            let in_code = index % 2 == 1;
            for word in words(part) {
                if keywords.all.len() == MOST_KEYWORDS {
                    return keywords;
                }
                if !met.insert((word, in_code)) {
                    continue;
                }
                if let Some(keyword) = keyword(word, in_code) {
                    if in_code {
                        keywords.named.insert(keyword.clone());
                    }
                    keywords.all.insert(keyword);
                }
            }
        }
        keywords
    }
}

/// True for a keyword that only claims.
pub fn is_claim(keyword: &str) -> bool {
    CLAIMED.contains(keyword)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    words
        .map(|word| word.trim_matches(['_', '\'']))
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .filter(|word| !word.is_empty())
}

fn keyword(word: &str, in_code: bool) -> Option<Arc<str>> {
    let single = word.chars().nth(1).is_none();
    if !word.chars().any(char::is_alphabetic) || (single && !in_code) {
        return None;
    }
    let lower = word.to_lowercase();
    if is_identifier(word) {
        return Some(lower.into());
    }
    // A single letter in backticks is a key or a variable, and no word.
    if single {
        return Some(format!("`{lower}`").into());
    }
    (!is_stop_word(&lower)).then(|| stem(&lower))
}

impl Keywords {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(AsRef::as_ref)
    }

    pub fn has(&self, keyword: &str) -> bool {
        self.all.contains(keyword)
    }

    pub fn join(&mut self, other: &Keywords) {
        self.all.extend(other.all.iter().cloned());
        self.named.extend(other.named.iter().cloned());
    }

    /// How many of these stand in one of the others.
    pub fn shared(&self, others: &[&Keywords]) -> usize {
        count_shared(&self.all, others)
    }

    /// True where one text has two of these by itself, or one that is a name of code: it is about them, not only near them.
    pub fn touched_by(&self, other: &Keywords) -> bool {
        self.shared(&[other]) >= self.len().clamp(1, 2) || count_shared(&self.named, &[other]) > 0
    }

    /// How many of these stand in one of the others, in percent; nothing shares nothing.
    pub fn share(&self, others: &[&Keywords]) -> u32 {
        percent(self.shared(others), self.len())
    }

    /// True where at least half of these, and of the names among them, stand in the others. Two at least, where there are
    /// two: one word of a short summary says nothing.
    pub fn half_in(&self, others: &[&Keywords]) -> bool {
        let half = |of: usize| of.div_ceil(2);
        let wanted = half(self.len()).max(self.len().min(2));
        !self.is_empty()
            && self.shared(others) >= wanted
            && count_shared(&self.named, others) >= half(self.named.len())
    }
}

fn count_shared(words: &BTreeSet<Arc<str>>, others: &[&Keywords]) -> usize {
    words
        .iter()
        .filter(|word| others.iter().any(|other| other.all.contains(*word)))
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
