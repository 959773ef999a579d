//! Finds a quoted passage in a text. White space, line breaks, the shape of quotes and dashes don't matter; a passage that is
//! nearly there is found where only one comes near.

use std::cell::OnceCell;
use std::ops::Range;

use super::bare::{Token, places, tokens};
use super::near::{
    MOST_WORDS_IN_ORDER, Word, agreement, best_of, closest_window, essentials, shared_counts,
};

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

/// A text as passages are looked for in it: white space is one blank, quotes and dashes have one shape.
pub(super) struct Haystack<'t> {
    text: &'t str,
    tokens: OnceCell<Vec<Token<'t>>>,
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
            tokens: OnceCell::new(),
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
        if let Some(found) = only_one(&all, within.as_ref()) {
            return found;
        }
        if is_elided(passage) {
            return Err(NotFound::Elided);
        }
        let all = self.without_decoration(passage);
        if let Some(found) = only_one(&all, within.as_ref()) {
            return found;
        }
        self.find_nearly(passage, within)
    }

    /// Where the words and signs of a passage are, whatever markdown is around them; the mark that ends the passage may be missing.
    fn without_decoration(&self, passage: &str) -> Vec<Range<usize>> {
        let all = self.tokens.get_or_init(|| tokens(self.text));
        let wanted = tokens(passage);
        let mut found = places(all, &wanted);
        if found.is_empty()
            && let Some((last, others)) = wanted.split_last()
            && matches!(last.text, "." | "," | ";" | ":" | "!" | "?")
        {
            found = places(all, others);
            found.retain(|range| ends_there(self.text, range.end));
        }
        let with_marks = |range| self.with_marks(range, passage);
        found.into_iter().map(with_marks).collect()
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
        cuts(&self.plain, at)
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
            && near.same_essentials
            && self.has_same_code(&near.range, passage);
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
        Some(Near {
            range: chosen.first()?.range.start..chosen.last()?.range.end,
            agreement: match length > MOST_WORDS_IN_ORDER {
                true => most * 100 / length,
                false => agreement(chosen, wanted),
            },
            is_only_one: second.unwrap_or(0) * 100 < most * NEAR,
            same_essentials: essentials(chosen) == essentials(wanted),
        })
    }

    /// True where what one of them has as code is in the other.
    fn has_same_code(&self, range: &Range<usize>, passage: &str) -> bool {
        let near = self.text.get(range.clone()).unwrap_or("");
        code_in(near).all(|code| passage.contains(code))
            && code_in(passage).all(|code| near.contains(code))
    }

    /// The range with the marks at its ends that belong to it.
    fn with_marks(&self, range: Range<usize>, passage: &str) -> Range<usize> {
        const MARKS: [char; 4] = ['*', '_', '`', '~'];
        let line = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line..range.start];
        let start = line + before.trim_end_matches(MARKS).len();
        let mut end = range.end;
        let last = passage.trim_end().chars().next_back();
        for c in self.text[range.end..].chars() {
            let ends_passage =
                matches!(c, '.' | '!' | '?' | ';' | ':' | '"' | ')') && Some(c) == last;
            if !MARKS.contains(&c) && !ends_passage {
                break;
            }
            end += c.len_utf8();
            if ends_passage {
                break;
            }
        }
        start..end
    }
}

/// True where a place of a text is within a word or within a mark, such as `##`.
pub(super) fn cuts(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at..].chars().next();
    let of_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let of_mark = before.is_some_and(|c| "#*`~_-=".contains(c));
    (of_word(before) && of_word(behind)) || (of_mark && before == behind)
}

/// True where no sentence of a text goes on at this place: its line ends a block there, or a mark ends the sentence.
fn ends_there(text: &str, at: usize) -> bool {
    let (line, below) = text[at..].split_once('\n').unwrap_or((&text[at..], ""));
    let line = line.trim_start_matches([
        '*', '_', '`', '~', '"', '”', '\'', '’', ')', ' ', '\t', '\r',
    ]);
    match line.chars().next() {
        Some(c) => matches!(c, '.' | ';' | ':' | '!' | '?' | '|'),
        None => {
            let next = below.lines().next().unwrap_or("").trim_start();
            let begins_block = next.starts_with(['-', '*', '+', '#', '|', '>', '`', '~', '<', '='])
                || next.starts_with(|c: char| c.is_ascii_digit());
            next.is_empty() || begins_block
        }
    }
}

/// The only place, or the only one within a part of the text.
fn only_one(
    all: &[Range<usize>],
    within: Option<&Range<usize>>,
) -> Option<Result<Found, NotFound>> {
    let is_inside = |found: &&Range<usize>| {
        within.is_some_and(|part| part.start <= found.start && found.end <= part.end)
    };
    let inside: Vec<&Range<usize>> = all.iter().filter(is_inside).collect();
    match (inside.as_slice(), all) {
        ([], []) => None,
        ([only], _) => Some(Ok(Found::AsQuoted((*only).clone()))),
        ([], [only]) => Some(Ok(Found::AsQuoted(only.clone()))),
        ([], several) => {
            let count = several.len();
            Some(Err(NotFound::Several { count }))
        }
        (several, _) => {
            let count = several.len();
            Some(Err(NotFound::Several { count }))
        }
    }
}

/// What a text has between backticks.
fn code_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).map(str::trim)
}

struct Near {
    range: Range<usize>,
    /// In percent.
    agreement: usize,
    is_only_one: bool,
    /// True where numbers with their units, negations and names are the same.
    same_essentials: bool,
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

    fn found_in(text: &str, passage: &str) -> String {
        match Haystack::new(text).find(passage, None) {
            Ok(Found::AsQuoted(range)) => format!("= {}", &text[range]),
            Ok(Found::Nearly(range)) => format!("~ {}", &text[range]),
            Err(NotFound::Missing { .. }) => "?".to_owned(),
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn what_may_not_differ_makes_another_passage() {
        for (text, passage) in [
            (
                "A failed payout is not sent again on the same day.",
                "A failed payout is sent again on the same day.",
            ),
            (
                "A failed payout is sent again on the same day.",
                "A failed payout is never sent again on the same day.",
            ),
            (
                "The worker then waits 30 s before it tries the call again.",
                "The worker then waits 30 ms before it tries the call again.",
            ),
            (
                "The worker then waits 30 s before it tries the call again.",
                "The worker then waits 31 s before it tries the call again.",
            ),
            (
                "It is kept at -5 degrees in the store for the whole night.",
                "It is kept at 5 degrees in the store for the whole night.",
            ),
            (
                "Then the value of `max_wait` is read from the file on disk.",
                "Then the value of `max_tries` is read from the file on disk.",
            ),
            (
                "Then the value of max_wait is read from the file on disk.",
                "Then the value of min_wait is read from the file on disk.",
            ),
            (
                "Then the OrderPaid event is sent to all of the other services.",
                "Then the OrderSent event is sent to all of the other services.",
            ),
            (
                "The call `get` is made once for each of the open orders there.",
                "The call `put` is made once for each of the open orders there.",
            ),
        ] {
            assert_eq!(found_in(text, passage), "?", "{passage}");
        }
    }

    #[test]
    fn decoration_does_not_matter() {
        for (text, passage, expected) in [
            (
                "It waits **5 s** then.\n",
                "It waits 5 s then.",
                "= It waits **5 s** then.",
            ),
            (
                "It waits 5 s then.\n",
                "It waits **5 s** then.",
                "= It waits 5 s then.",
            ),
            ("It **waits 5 s**.\n", "It waits 5 s", "= It **waits 5 s**"),
            (
                "Read `max_wait` first.\n",
                "Read max_wait first.",
                "= Read `max_wait` first.",
            ),
            (
                "* It waits.\n* It stops.\n",
                "- It waits.\n- It stops.",
                "= It waits.\n* It stops.",
            ),
            (
                "> It waits\n> a while.\n",
                "It waits a while.",
                "= It waits\n> a while.",
            ),
            (
                "It waits a while.\n",
                "> It waits a while.",
                "= It waits a while.",
            ),
            (
                "### Waiting\n\nIt waits.\n",
                "## Waiting\n\nIt waits.",
                "= Waiting\n\nIt waits.",
            ),
            (
                "It waits, then stops\n",
                "It waits, then stops.",
                "= It waits, then stops",
            ),
            (
                "|a   |  b|\n|----|---|\n|c   |  d|\n",
                "| a | b |\n|---|---|\n| c | d |",
                "= a   |  b|\n|----|---|\n|c   |  d",
            ),
            (
                "| a | **b** |\n|---|---|\n| c | d |\n",
                "a | b",
                "= a | **b**",
            ),
            (
                "1. It waits.\n2. It stops.\n",
                "2) It stops.",
                "= It stops.",
            ),
            ("- [ ] It waits.\n", "It waits.", "= It waits."),
            ("a \\| b and c\n", "a | b and c", "= a \\| b and c"),
            ("2 * 3 is 6.\n", "2 3 is 6.", "?"),
            ("It waits for some time.\n", "It waits.", "?"),
            ("It waits, then stops.\n", "It waits.", "?"),
            ("It **waits**\nfor some time.\n", "It waits.", "?"),
            ("- It waits\n- It stops\n", "It waits.", "= It waits"),
            (
                "It waits **5** s. It waits 5 s.\n",
                "It `waits` 5 s.",
                "Several { count: 2 }",
            ),
        ] {
            assert_eq!(found_in(text, passage), expected, "{passage}");
        }
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
                Ok(Found::AsQuoted(range)) => proptest::prop_assert!(text.get(range).is_some()),
                Ok(Found::Nearly(range)) => proptest::prop_assert!(text.get(range).is_some()),
                Err(_) => {}
            }
        }
    }
}
