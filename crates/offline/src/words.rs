//! The word lists of the crate: classes of words, and words with which no default is suggested.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gapless_domain::words::phrases;

type Classes = BTreeMap<&'static str, Vec<&'static str>>;

static FORM_CLASSES: LazyLock<Classes> =
    LazyLock::new(|| classes(include_str!("words/form_classes.txt")));

static NO_DEFAULTS: LazyLock<Classes> =
    LazyLock::new(|| classes(include_str!("words/no_defaults.txt")));

/// Lists under names in brackets; the entries are separated by commas.
fn classes(list: &'static str) -> Classes {
    let mut classes = Classes::new();
    let mut name = "";
    for line in phrases(list) {
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(class) if !class.contains(',') => name = class,
            _ => {
                // A blank at the end of an entry is meant: `tip ` is no beginning of `tips`.
                let entries = line.split(',').map(str::trim_start);
                let entries = entries.filter(|entry| !entry.trim().is_empty());
                classes.entry(name).or_default().extend(entries);
            }
        }
    }
    classes
}

/// The phrases of a class that forms name.
pub(crate) fn form_class(name: &str) -> &'static [&'static str] {
    FORM_CLASSES.get(name).map_or(&[], Vec::as_slice)
}

/// Whether a sentence is decided by somebody else, or decides nothing.
pub(crate) fn allows_no_default(sentence: &str) -> bool {
    let text = format!("{} ", sentence.to_lowercase());
    let mut words = NO_DEFAULTS.values().flatten();
    words.any(|word| begins(&text, word))
}

/// Whether the title of a section says that nothing is required there.
pub(crate) fn is_narrative(title: &str) -> bool {
    let title = title.to_lowercase();
    let mut words = phrases(include_str!("words/no_default_sections.txt"));
    words.any(|word| begins(&title, word))
}

/// Whether a word, or several, occur in a text in small letters, as they begin.
pub(crate) fn begins(text: &str, word: &str) -> bool {
    let of_word = word.starts_with(char::is_alphanumeric);
    text.match_indices(word)
        .any(|(at, _)| !of_word || !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}

/// Whether one of these words occurs.
pub(crate) fn any_of(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| begins(text, word))
}
