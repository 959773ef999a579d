//! Phrases kept as data, looked up by their first word, and the words of a text in the form in which they are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_domain::words::phrases;

/// A word of a text: lowercase, without apostrophes and the s of a plural. A sign such as an emoji is a word of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub span: Range<usize>,
}

impl Word {
    /// True for an emoji or another sign.
    pub fn is_sign(&self) -> bool {
        !self.text.starts_with(char::is_alphanumeric)
    }

    pub fn is_number(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The words of a text, in order.
pub(super) fn words_in(text: &str) -> Vec<Word> {
    first_words(text, usize::MAX)
}

/// The first words of a text, so many at most.
pub(super) fn first_words(text: &str, most: usize) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    let close = |open: &mut Option<(usize, String)>, end: usize, words: &mut Vec<Word>| {
        if let Some((start, word)) = open.take() {
            words.push(Word {
                text: singular(word),
                span: start..end,
            });
        }
    };
    for (at, c) in text.char_indices() {
        if words.len() >= most {
            return words;
        }
        if c.is_ascii_alphanumeric() {
            let (_, word) = open.get_or_insert_with(|| (at, String::new()));
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            let (_, word) = open.get_or_insert_with(|| (at, String::new()));
            word.extend(c.to_lowercase());
        } else if matches!(c, '\'' | '\u{2019}') && open.is_some() {
            // `don't` is one word.
        } else {
            close(&mut open, at, &mut words);
            if is_sign(c) {
                words.push(Word {
                    text: c.to_string(),
                    span: at..at + c.len_utf8(),
                });
            }
        }
    }
    close(&mut open, text.len(), &mut words);
    words
}

/// Signs that mean something; punctuation, dashes and what only changes how a sign looks mean nothing.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{203c}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

fn singular(mut word: String) -> String {
    let plural = word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if !plural {
        return word;
    }
    if word.ends_with("ies") {
        word.truncate(word.len() - "ies".len());
        word.push('y');
        return word;
    }
    let hissing = ["sses", "xes", "ches"]
        .iter()
        .any(|end| word.ends_with(end));
    let cut = if hissing { "es".len() } else { "s".len() };
    word.truncate(word.len() - cut);
    word
}

/// Phrases with what they mean.
pub(super) struct Lexicon<T> {
    by_first: BTreeMap<String, Vec<Entry<T>>>,
}

struct Entry<T> {
    words: Vec<String>,
    phrase: &'static str,
    means: T,
}

/// A phrase that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match<T> {
    /// How many words it has.
    pub length: usize,
    pub phrase: &'static str,
    pub means: T,
}

impl<T: Copy> Lexicon<T> {
    /// Reads a list in which `[name]` opens a group; `meaning` says what its phrases mean.
    pub fn of_groups(list: &'static str, meaning: impl Fn(&str) -> Option<T>) -> Self {
        let mut lexicon = Self {
            by_first: BTreeMap::new(),
        };
        // Phrases before the first group belong to one without a name.
        let mut group = meaning("");
        for line in phrases(list) {
            match line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                Some(name) => group = meaning(name),
                None => lexicon.extend(group.map(|means| (line, means))),
            }
        }
        lexicon
    }

    pub fn extend(&mut self, phrases: impl IntoIterator<Item = (&'static str, T)>) {
        for (phrase, means) in phrases {
            let words: Vec<String> = words_in(phrase).into_iter().map(|word| word.text).collect();
            let Some(first) = words.first() else {
                continue;
            };
            let entries = self.by_first.entry(first.clone()).or_default();
            entries.push(Entry {
                words,
                phrase,
                means,
            });
            entries.sort_by_key(|entry| usize::MAX - entry.words.len());
        }
    }

    /// The longest phrase that these words begin with.
    pub fn at(&self, words: &[Word]) -> Option<Match<T>> {
        let entries = self.by_first.get(&words.first()?.text)?;
        let begins = |entry: &&Entry<T>| {
            entry.words.len() <= words.len()
                && entry
                    .words
                    .iter()
                    .zip(words)
                    .all(|(known, word)| *known == word.text)
        };
        entries.iter().find(begins).map(|entry| Match {
            length: entry.words.len(),
            phrase: entry.phrase,
            means: entry.means,
        })
    }
}

/// The words of a list, in the form in which they are compared.
pub(super) fn folded_set(list: &'static str) -> BTreeSet<String> {
    let words = phrases(list).flat_map(str::split_whitespace);
    words
        .flat_map(|word| words_in(word).into_iter().map(|word| word.text))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        words_in(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_folded() {
        assert_eq!(
            texts("**Issues** aren't Résumé-like: 3 🔴 classes"),
            ["issue", "arent", "résumé", "like", "3", "🔴", "class"]
        );
        assert_eq!(
            texts("Ambiguities, status ✓\u{fe0f}"),
            ["ambiguity", "status", "✓"]
        );
    }

    #[test]
    fn the_longest_phrase_is_found() {
        let lexicon =
            Lexicon::of_groups("# list\n[one]\nopen\nopen issues\n[two]\nissue\n", |name| {
                Some(name.len() + usize::from(name == "one"))
            });
        let words = words_in("the open issue list");
        let found = lexicon.at(&words[1..]).unwrap();
        assert_eq!((found.length, found.phrase), (2, "open issues"));
        assert_eq!(lexicon.at(&words[2..]).unwrap().phrase, "issue");
        assert!(lexicon.at(&words).is_none());
    }
}
