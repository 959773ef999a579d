//! How much of the words of two texts agrees, and which words may not differ where one stands for the other.

use std::collections::BTreeMap;
use std::ops::Range;

/// A short word behind a number is its unit.
const LONGEST_UNIT: usize = 8;
/// How far the ends of a near match are tried.
const FARTHEST: usize = 8;
/// A longer passage is compared without regard to the order of its words.
pub(super) const MOST_WORDS_IN_ORDER: usize = 400;

/// A word with its bytes, in lower case.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub text: String,
    pub range: Range<usize>,
    /// True for a word that is written as names of code are.
    is_name: bool,
}

impl Word {
    fn of(text: &str, range: Range<usize>, offset: usize) -> Option<Self> {
        let whole = text.get(range.clone())?;
        let start = range.start + whole.len() - whole.trim_start_matches('_').len();
        let bare = whole.trim_matches('_');
        let inner = bare.get(1..).unwrap_or("");
        let is_name = bare.contains('_') || inner.chars().any(char::is_uppercase);
        // A number below zero is another one.
        let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
        let mut before = text[..start].chars().rev();
        let sign = before.next().filter(|c| matches!(c, '-' | '−'));
        let is_signed =
            is_number && sign.is_some() && before.next().is_none_or(|c| !c.is_alphanumeric());
        let text = match is_signed {
            true => format!("-{bare}"),
            false => bare.to_lowercase(),
        };
        (!bare.is_empty()).then(|| Self {
            text,
            range: offset + start..offset + start + bare.len(),
            is_name,
        })
    }

    pub fn all_of(text: &str, offset: usize) -> Vec<Self> {
        let mut words = Vec::new();
        let mut start = None;
        let ends = text.char_indices().chain([(text.len(), ' ')]);
        for (at, c) in ends {
            match (c.is_alphanumeric() || c == '_', start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.extend(Self::of(text, from..at, offset));
                    start = None;
                }
                _ => {}
            }
        }
        words
    }
}

/// For each start, how many of the wanted words are among as many words from there on.
pub(super) fn shared_counts(words: &[Word], wanted: &[Word]) -> Vec<usize> {
    let mut left: BTreeMap<&str, i64> = BTreeMap::new();
    for word in wanted {
        *left.entry(&word.text).or_default() += 1;
    }
    let mut shared: usize = 0;
    let mut counts = Vec::with_capacity(words.len());
    let length = wanted.len().min(words.len());
    for (at, word) in words.iter().enumerate() {
        if let Some(count) = left.get_mut(word.text.as_str()) {
            shared += usize::from(*count > 0);
            *count -= 1;
        }
        if at >= length
            && let Some(count) = left.get_mut(words[at - length].text.as_str())
        {
            *count += 1;
            shared -= usize::from(*count > 0);
        }
        if at + 1 >= length {
            counts.push(shared);
        }
    }
    counts
}

pub(super) fn best_of(counts: &[usize]) -> Option<(usize, usize)> {
    let counts = counts.iter().copied().enumerate();
    counts.max_by_key(|(at, count)| (*count, std::cmp::Reverse(*at)))
}

/// The stretch around a start that agrees most with the wanted words.
pub(super) fn closest_window(words: &[Word], wanted: &[Word], start: usize) -> Range<usize> {
    let reach = (wanted.len() / 5).clamp(1, FARTHEST);
    let end = (start + wanted.len()).min(words.len());
    if wanted.len() > MOST_WORDS_IN_ORDER {
        return start..end;
    }
    let mut best = (0, start..end);
    for from in start.saturating_sub(reach)..=(start + reach).min(words.len() - 1) {
        for to in end.saturating_sub(reach).max(from + 1)..=(end + reach).min(words.len()) {
            let agrees = agreement(&words[from..to], wanted);
            if agrees > best.0 {
                best = (agrees, from..to);
            }
        }
    }
    best.1
}

/// How much of two runs of words agrees, in their order, in percent.
pub(super) fn agreement(one: &[Word], other: &[Word]) -> usize {
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    let mut row = vec![0usize; other.len() + 1];
    for word in one {
        let mut diagonal = 0;
        for (at, known) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = match word.text == known.text {
                true => diagonal + 1,
                false => above.max(row[at]),
            };
            diagonal = above;
        }
    }
    row[other.len()] * 200 / (one.len() + other.len())
}

/// The words that may not differ: numbers with their signs and units, negations, and names with a shape of their own.
pub(super) fn essentials(words: &[Word]) -> Vec<&str> {
    const NEGATIONS: [&str; 15] = [
        "not", "never", "no", "none", "nor", "neither", "nothing", "nobody", "without", "cannot",
        "except", "unless", "don", "doesn", "isn",
    ];
    let is_number = |word: &Word| word.text.bytes().any(|b| b.is_ascii_digit());
    let numbered = words.iter().enumerate();
    let essential = numbered.filter(|(at, word)| {
        let is_unit = || {
            at.checked_sub(1)
                .is_some_and(|before| is_number(&words[before]))
        };
        is_number(word)
            || word.is_name
            || NEGATIONS.contains(&word.text.as_str())
            || (is_unit() && word.text.len() <= LONGEST_UNIT)
    });
    essential.map(|(_, word)| word.text.as_str()).collect()
}
