//! English words for every rule that compares texts: stop words, stems, identifiers, and lists of phrases kept as data files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

use crate::ids::{gap_ids_in, issue_ids_in};

/// Function words, and the words of any complaint and any proposal.
pub(crate) const STOP_WORDS: &str = include_str!("words/stop_words.txt");

static STOP: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(STOP_WORDS));

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));

/// The entries of a list that has one on each line.
pub fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The words of a list that has one or several on each line, ready to be looked up.
pub(crate) struct WordSet(Vec<&'static str>);

impl WordSet {
    pub(crate) fn of(list: &'static str) -> Self {
        let mut words: Vec<&str> = phrases(list).flat_map(str::split_whitespace).collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

/// True for a lowercase word that carries no concern, also with a contraction behind it: `doesn't`.
pub(crate) fn is_stop_word(lower: &str) -> bool {
    let contracted = || lower.split_once(['\'', '\u{2019}']).map(|(word, _)| word);
    STOP.contains(lower) || contracted().is_some_and(|word| STOP.contains(word))
}

/// The stem of a lowercase word.
pub(crate) fn stem(lower: &str) -> Cow<'_, str> {
    STEMMER.stem(lower)
}

/// A word in lowercase.
pub(crate) fn lowercase(word: &str) -> Cow<'_, str> {
    match word
        .bytes()
        .all(|b| b.is_ascii() && !b.is_ascii_uppercase())
    {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// True for `snake_case`, `camelCase` and words with digits in them, wherever they stand.
pub(crate) fn is_identifier(word: &str) -> bool {
    let inner_capital = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    word.contains('_') || inner_capital || word.chars().any(|c| c.is_ascii_digit())
}

/// The numbers of a text, without what groups their digits: `50,000` is `50000`. Digits inside of names and ids are none.
pub fn numbers_in(text: &str) -> BTreeSet<String> {
    let text = without_ids(text);
    let words = text.split(|c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '/' | ';' | '=' | '`' | '*' | '"')
    });
    let mut numbers = BTreeSet::new();
    for word in words {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        let digits: String = word
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
            .filter(|c| *c != ',')
            .collect();
        let digits = digits.trim_matches('.');
        if !digits.is_empty() {
            numbers.insert(digits.to_owned());
        }
    }
    numbers
}

/// A text without the ids of gaps and issues: they say which is meant, not what it is about.
pub(crate) fn without_ids(text: &str) -> Cow<'_, str> {
    if !text.contains('-') {
        return Cow::Borrowed(text);
    }
    let gaps = gap_ids_in(text).into_iter();
    let gaps = gaps.map(|found| (found.at, found.id.to_string().len()));
    let issues = issue_ids_in(text).into_iter();
    let issues = issues.map(|found| (found.at, found.id.to_string().len()));
    let mut spans: Vec<(usize, usize)> = gaps.chain(issues).collect();
    spans.sort_unstable();
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for (start, length) in spans {
        left.push_str(text.get(at..start).unwrap_or(""));
        left.push(' ');
        at = start + length;
    }
    left.push_str(text.get(at..).unwrap_or(""));
    Cow::Owned(left)
}
