//! Finds a quoted passage in a text. White space, line breaks, the shape of quotes and dashes don't matter; a passage that is
//! nearly there is found where only one comes near.

use std::collections::BTreeMap;
use std::ops::Range;

/// Where a passage is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    AsQuoted(Range<usize>),
    /// In slightly other words.
    Nearly(Range<usize>),
}

/// Why a passage can't be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotFound {
    /// It has no letter and no digit.
    Empty,
    /// It skips text with dots.
    Elided,
    Missing {
        nearest: Option<Range<usize>>,
    },
    Several {
        count: usize,
    },
}

/// How much of the words of a near match must agree, in percent.
const NEAR: usize = 85;
/// A passage of fewer words is found letter for letter, or not at all.
const FEWEST_NEAR: usize = 5;
/// How much of the words must agree for a passage to be worth showing.
const WORTH_SHOWING: usize = 30;
/// How far the ends of a near match are tried.
const FARTHEST: usize = 8;
/// A longer passage is compared without regard to the order of its words.
const MOST_WORDS_IN_ORDER: usize = 400;

/// A text as passages are looked for in it: white space is one blank, quotes and dashes have one shape.
pub(super) struct Haystack<'t> {
    text: &'t str,
    plain: String,
    /// The byte of the text behind each byte of the plain form.
    places: Vec<usize>,
}

impl<'t> Haystack<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut plain = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            let c = shaped(c);
            if c == ' ' && plain.ends_with(' ') {
                continue;
            }
            plain.push(c);
            places.resize(plain.len(), at);
        }
        Self {
            text,
            plain,
            places,
        }
    }

    /// The passage within a part of the text, else anywhere in it.
    pub fn find(&self, passage: &str, within: Option<Range<usize>>) -> Result<Found, NotFound> {
        let wanted = plain(passage);
        if !wanted.chars().any(char::is_alphanumeric) {
            return Err(NotFound::Empty);
        }
        let all = self.occurrences(&wanted);
        let inside: Vec<&Range<usize>> = match &within {
            Some(part) => all
                .iter()
                .filter(|found| part.start <= found.start && found.end <= part.end)
                .collect(),
            None => Vec::new(),
        };
        match (inside.as_slice(), all.as_slice()) {
            ([only], _) => return Ok(Found::AsQuoted((*only).clone())),
            ([], [only]) => return Ok(Found::AsQuoted(only.clone())),
            ([], []) => {}
            ([], several) => {
                let count = several.len();
                return Err(NotFound::Several { count });
            }
            (several, _) => {
                let count = several.len();
                return Err(NotFound::Several { count });
            }
        }
        if is_elided(passage) {
            return Err(NotFound::Elided);
        }
        self.find_nearly(passage, within)
    }

    /// The bytes of the text at which the plain form of a passage is.
    fn occurrences(&self, wanted: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for (at, _) in self.plain.match_indices(wanted) {
            let end = at + wanted.len();
            if self.cuts_a_word(at) || self.cuts_a_word(end) {
                continue;
            }
            let Some((from, last)) = self.places.get(at).zip(self.places.get(end - 1)) else {
                continue;
            };
            let width = self.text[*last..].chars().next().map_or(0, char::len_utf8);
            found.push(*from..*last + width);
        }
        found
    }

    fn cuts_a_word(&self, at: usize) -> bool {
        let before = self.plain[..at].chars().next_back();
        let behind = self.plain[at..].chars().next();
        let of_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        of_word(before) && of_word(behind)
    }

    fn find_nearly(&self, passage: &str, within: Option<Range<usize>>) -> Result<Found, NotFound> {
        let wanted = Word::all_of(passage, 0);
        let part = within.unwrap_or(0..self.text.len());
        let near = self.nearest(&wanted, &part);
        let near = match near {
            None if part.len() < self.text.len() => self.nearest(&wanted, &(0..self.text.len())),
            near => near,
        };
        let Some(near) = near else {
            return Err(NotFound::Missing { nearest: None });
        };
        let certain = wanted.len() >= FEWEST_NEAR
            && near.agreement >= NEAR
            && near.is_only_one
            && near.same_figures;
        match certain {
            true => Ok(Found::Nearly(self.with_marks(near.range, passage))),
            false => Err(NotFound::Missing {
                nearest: (near.agreement >= WORTH_SHOWING).then_some(near.range),
            }),
        }
    }

    /// The stretch of words that has most in common with these.
    fn nearest(&self, wanted: &[Word], part: &Range<usize>) -> Option<Near> {
        let words = Word::all_of(self.text.get(part.clone())?, part.start);
        let length = wanted.len();
        if length == 0 || words.is_empty() {
            return None;
        }
        let shared = shared_counts(&words, wanted);
        let (start, most) = best_of(&shared)?;
        let window = closest_window(&words, wanted, start);
        let chosen = words.get(window.clone())?;
        let apart = |other: usize| other + length <= window.start || other >= window.end;
        let second = shared
            .iter()
            .enumerate()
            .filter(|(at, _)| apart(*at))
            .map(|(_, count)| *count)
            .max();
        let figures = |words: &[Word]| -> Vec<String> {
            let has_digit = |word: &&Word| word.text.bytes().any(|b| b.is_ascii_digit());
            let words = words.iter().filter(has_digit);
            words.map(|word| word.text.clone()).collect()
        };
        Some(Near {
            range: chosen.first()?.range.start..chosen.last()?.range.end,
            agreement: match length > MOST_WORDS_IN_ORDER {
                true => most * 100 / length,
                false => agreement(chosen, wanted),
            },
            is_only_one: second.unwrap_or(0) * 100 < most * NEAR,
            same_figures: figures(chosen) == figures(wanted),
        })
    }

    /// The range with the marks at its ends that belong to it.
    fn with_marks(&self, range: Range<usize>, passage: &str) -> Range<usize> {
        const MARKS: [char; 5] = ['*', '_', '`', '"', ')'];
        let before = self.text[..range.start].trim_end_matches(['*', '_', '`', '"', '(']);
        let mut end = range.end;
        let last = passage.trim_end().chars().next_back();
        for c in self.text[range.end..].chars() {
            let ends_sentence = matches!(c, '.' | '!' | '?' | ';' | ':') && Some(c) == last;
            if !MARKS.contains(&c) && !ends_sentence {
                break;
            }
            end += c.len_utf8();
            if ends_sentence {
                break;
            }
        }
        before.len()..end
    }
}

struct Near {
    range: Range<usize>,
    /// In percent.
    agreement: usize,
    is_only_one: bool,
    same_figures: bool,
}

/// A word with its bytes, in lower case.
#[derive(Debug, Clone)]
struct Word {
    text: String,
    range: Range<usize>,
}

impl Word {
    fn all_of(text: &str, offset: usize) -> Vec<Self> {
        let mut words = Vec::new();
        let mut start = None;
        let ends = text.char_indices().chain([(text.len(), ' ')]);
        for (at, c) in ends {
            match (c.is_alphanumeric(), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.push(Self {
                        text: text[from..at].to_lowercase(),
                        range: offset + from..offset + at,
                    });
                    start = None;
                }
                _ => {}
            }
        }
        words
    }
}

/// For each start, how many of the wanted words are among as many words from there on.
fn shared_counts(words: &[Word], wanted: &[Word]) -> Vec<usize> {
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

fn best_of(counts: &[usize]) -> Option<(usize, usize)> {
    let counts = counts.iter().copied().enumerate();
    counts.max_by_key(|(at, count)| (*count, std::cmp::Reverse(*at)))
}

/// The stretch around a start that agrees most with the wanted words.
fn closest_window(words: &[Word], wanted: &[Word], start: usize) -> Range<usize> {
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
fn agreement(one: &[Word], other: &[Word]) -> usize {
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

/// A character in the one shape that is compared.
fn shaped(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '‐' | '‑' | '–' | '—' | '−' => '-',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

fn plain(text: &str) -> String {
    let shaped: String = text.chars().map(shaped).collect();
    let words: Vec<&str> = shaped.split_whitespace().collect();
    words.join(" ")
}

/// True where dots stand for text that is left out: on a line of their own, or between two words.
fn is_elided(passage: &str) -> bool {
    let is_dots = |word: &str| {
        let bare = word.trim_matches(['[', ']', '(', ')', '*', '-', '/', '#', '<', '>', '!']);
        matches!(bare, "..." | "…" | "....")
    };
    passage.split_whitespace().any(is_dots)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Payouts\n\nMax per seller per day: 10,000 EUR. Payouts are sent “once a day”\nat night.\n\n## Retries\n\n- A failed payout is retried a few times.\n- A failed payout is logged.\n\n| a | b |\n|---|---|\n| 30 s | 130 s |\n\nThe worker waits a while – then it stops, and writes a line with the order's number to the log.\n";

    fn found(passage: &str) -> String {
        match Haystack::new(TEXT).find(passage, None) {
            Ok(Found::AsQuoted(range)) => format!("= {}", &TEXT[range]),
            Ok(Found::Nearly(range)) => format!("~ {}", &TEXT[range]),
            Err(NotFound::Missing { nearest }) => {
                let nearest = nearest.map_or("nothing", |range| &TEXT[range]);
                format!("? {nearest}")
            }
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn white_space_quotes_and_dashes_do_not_matter() {
        assert_eq!(
            found("Payouts are  sent \"once a day\" at\nnight."),
            "= Payouts are sent “once a day”\nat night."
        );
        assert_eq!(
            found("The worker waits a while - then it stops"),
            "= The worker waits a while – then it stops"
        );
    }

    #[test]
    fn a_passage_ends_at_the_ends_of_words() {
        assert_eq!(found("30 s"), "= 30 s");
        assert_eq!(found("A failed payout is"), "Several { count: 2 }");
        assert_eq!(found("ailed payout is logged"), "? payout is logged");
    }

    #[test]
    fn a_near_match_is_taken_where_it_is_the_only_one() {
        assert_eq!(
            found(
                "The worker waits for a while, then it stops and writes a line with the order's number to the log."
            ),
            "~ The worker waits a while – then it stops, and writes a line with the order's number to the log."
        );
        assert_eq!(
            found("Max per seller a day: 20,000 EUR. Payouts are sent once a day"),
            "? Max per seller per day: 10,000 EUR. Payouts are sent “once a day",
            "other figures are another passage"
        );
        assert_eq!(found("Zebras graze on wide plains today"), "? nothing");
    }

    #[test]
    fn dots_stand_for_nothing() {
        assert_eq!(found("Max per seller\n...\nat night."), "Elided");
        assert_eq!(found("Max per seller […] at night."), "Elided");
        assert_eq!(found("—"), "Empty");
    }

    #[test]
    fn a_section_tells_passages_apart() {
        let text = "## A\n\nIt waits.\n\n## B\n\nIt waits.\n";
        let b = text.find("## B").unwrap_or(0);
        let haystack = Haystack::new(text);
        assert_eq!(
            haystack.find("It waits.", None),
            Err(NotFound::Several { count: 2 })
        );
        assert_eq!(
            haystack.find("It waits.", Some(b..text.len())),
            Ok(Found::AsQuoted(b + 6..b + 15))
        );
    }

    proptest::proptest! {
        #[test]
        fn any_passage_of_a_text_is_found_where_it_is(text in "(\\PC|[a-c ]|\\n){0,60}", from in 0usize..60, length in 1usize..40) {
            let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = chars[from.min(chars.len() - 1)];
            let end = chars[(from + length).min(chars.len() - 1)];
            let passage = &text[start.min(end)..end];
            match Haystack::new(&text).find(passage, None) {
                Ok(Found::AsQuoted(range)) => proptest::prop_assert_eq!(plain(&text[range]), plain(passage)),
                Ok(Found::Nearly(range)) => proptest::prop_assert!(text.get(range).is_some()),
                Err(_) => {}
            }
        }
    }
}
