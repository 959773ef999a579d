//! Finds the middle way of a conflict, where there is one: what the Reviewer asks for made optional, a value made
//! configurable, a matter put off. A word alone never makes one: each rule looks at what both sides say, and at whether it
//! is about the same thing.

use std::sync::LazyLock;

use super::beginnings::begins_any;
use super::values::{Measure, Value, values};
use gapless_domain::keywords::Keywords;
use gapless_domain::words::phrases;

/// A middle way that a rule finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    pub text: String,
    pub trade_off: &'static str,
    /// True where each side gets what it argues for.
    pub serves_both: bool,
}

/// What both sides say.
pub(super) struct Sides<'a> {
    pub summary: &'a str,
    /// What the Reviewer asks for, where it says so.
    pub suggestion: Option<&'a str>,
    pub impact: &'a str,
    /// The Engineer's position, rationale and alternative.
    pub argument: &'a str,
}

/// Nouns for complexity, and words that are an argument from it by themselves.
const COMPLEXITY: [&str; 3] = ["complexity", "complication", "overhead"];
const OVERDONE: [&str; 3] = ["overkill", "overengineer", "over-engineer"];
/// What a complexity has that is no effort.
const MEASURED: [&str; 5] = [
    "time",
    "space",
    "cyclomatic",
    "computational",
    "algorithmic",
];
/// Words with which someone says that something is, or brings, complexity.
static ASSERTING: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/asserting.txt")).collect());
/// Before `complex` and `complicated`: they are said of something, and are no part of its name.
static BEFORE_COMPLEX: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/before_complex.txt")).collect());
/// Suggestions that begin so ask for something to be said, taken out or put right: that can't be optional.
const NOT_OPTIONAL: [&str; 26] = [
    "say", "state", "define", "specify", "clarify", "describe", "document", "name", "explain",
    "list", "decide", "choose", "pick", "fix", "correct", "remove", "drop", "delete", "replace",
    "rename", "reject", "forbid", "repair", "return", "respond", "answer",
];
/// Nouns that have a value.
static QUANTITIES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/quantities.txt")).collect());
/// Before a value that a side doesn't propose.
const NOT_PROPOSED: [&str; 7] = [
    "instead of",
    "rather than",
    "not",
    "than",
    "from",
    "currently",
    "now",
];
/// Before a value that a summary proposes.
const PROPOSED: [&str; 9] = [
    "be", "least", "most", "to", "use", "after", "for", "every", "within",
];
/// What may stand before a value that a sentence is about, stemmed: `keep it at`, `we stay with`.
const PROPOSING: [&str; 23] = [
    "keep", "stay", "leav", "take", "prefer", "want", "suffic", "remain", "last", "live", "hold",
    "wait", "allow", "permit", "go", "run", "expir", "cap", "least", "default", "choos", "pick",
    "stick",
];
/// Words with which someone rejects a value that they name.
static REJECTING: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/rejecting.txt")).collect());
/// What a value is too much of.
const DEGREES: [&str; 16] = [
    "long", "short", "high", "low", "large", "small", "big", "many", "few", "much", "little",
    "strict", "tight", "generous", "often", "lax",
];
/// Beginnings of words by which a side argues with safety or correctness.
static SAFE: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/safe.txt")).collect());
/// Who or what fixes a value, so that nobody can configure it.
const FIXED: [&str; 8] = [
    "rfc", "standard", "protocol", "law", "legal", "regulat", "contract", "complian",
];
/// Phrases by which an Engineer calls something out of scope.
const SCOPE: [&str; 4] = [
    "out of scope",
    "outside the scope",
    "beyond the scope",
    "not in scope",
];
/// Words that refer to what the other side asked for.
static REFERRING: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/referring.txt")).collect());

/// The middle way between two sides, if a rule finds one.
pub(super) fn synthesis(sides: &Sides) -> Option<Synthesis> {
    let suggestion = sides.suggestion.unwrap_or(sides.summary);
    if is_too_complex(sides) {
        return Some(Synthesis {
            text: format!(
                "Make it optional, with the simple behaviour as the default: {suggestion}"
            ),
            trade_off: "part of the complexity, for those who need it",
            // What keeps people or data safe serves nobody who has to ask for it.
            serves_both: !sides.concern_is_about(&SAFE),
        });
    }
    if is_about_a_value(sides) {
        let fixed = |text: &str| begins_any(text, &SAFE) || begins_any(text, &FIXED);
        return Some(Synthesis {
            text: format!(
                "Make the value configurable, with the Reviewer's as the default: {suggestion}"
            ),
            trade_off: "one more setting to document",
            serves_both: !fixed(sides.argument)
                && !sides.concern_is_about(&SAFE)
                && !sides.concern_is_about(&FIXED),
        });
    }
    is_out_of_scope(sides).then(|| Synthesis {
        text: format!(
            "Put a placeholder for it into the spec, and defer it to a later version: {suggestion}"
        ),
        trade_off: "the concern stays open until then",
        serves_both: false,
    })
}

impl Sides<'_> {
    /// The words of what the Reviewer holds.
    fn concern(&self) -> Keywords {
        let texts = [self.summary, self.suggestion.unwrap_or_default()];
        Keywords::of_all(&texts.map(Keywords::of))
    }

    fn concern_is_about(&self, beginnings: &[&str]) -> bool {
        let suggestion = self.suggestion.unwrap_or_default();
        let texts = [self.summary, suggestion, self.impact];
        texts.iter().any(|text| begins_any(text, beginnings))
    }

    /// True where a sentence of the Engineer's is about what the Reviewer asks for: it has a word of it, refers to it, or
    /// names nothing else.
    fn is_meant(&self, sentence: &str, besides: &[&str]) -> bool {
        let concern = self.concern();
        let words = words(sentence);
        let refers = words.iter().any(|word| REFERRING.contains(&word.as_str()));
        let own = Keywords::of(sentence);
        let besides = Keywords::of(&besides.join(" "));
        let mut others = own.iter().filter(|word| !besides.has(word));
        refers || concern.shared(&[&own]) > 0 || others.next().is_none()
    }
}

/// The Engineer says that what the Reviewer asks for is too complex, and it is something that could be optional.
fn is_too_complex(sides: &Sides) -> bool {
    let Some(suggestion) = sides.suggestion else {
        return false;
    };
    let asked = words(suggestion);
    let says_or_mends = |word: &String| NOT_OPTIONAL.contains(&word.as_str());
    if asked.first().is_none_or(says_or_mends) {
        return false;
    }
    let besides: Vec<&str> = COMPLEXITY
        .into_iter()
        .chain(OVERDONE)
        .chain(ASSERTING.iter().copied())
        .collect();
    sentences(sides.argument)
        .filter(|sentence| calls_complex(&words(sentence)))
        .any(|sentence| sides.is_meant(sentence, &besides))
}

fn calls_complex(words: &[String]) -> bool {
    let before = |index: usize| {
        index
            .checked_sub(1)
            .map_or("", |before| words[before].as_str())
    };
    words.iter().enumerate().any(|(index, word)| {
        let begins = |list: &[&str]| list.iter().any(|begin| word.starts_with(begin));
        if is_negated(words, index) {
            return false;
        }
        let asserted = words.iter().any(|word| ASSERTING.contains(&word.as_str()));
        let is_measure = MEASURED.contains(&before(index));
        let noun = begins(&COMPLEXITY) && asserted && !is_measure;
        let said = matches!(word.as_str(), "complex" | "complicated")
            && BEFORE_COMPLEX.contains(&before(index));
        let verb = matches!(word.as_str(), "complicate" | "complicates" | "complicating");
        noun || said || verb || begins(&OVERDONE)
    })
}

/// True where the words before one take it back: `no overhead`, `isn't complex`; not so `not worth the overhead`.
fn is_negated(words: &[String], index: usize) -> bool {
    let before = words[..index].iter().rev().take(3);
    let counted = before.take_while(|word| {
        let argues = ["worth", "justif", "need", "reason", "want", "only", "just"];
        !argues.iter().any(|begin| word.starts_with(begin))
    });
    let mut counted = counted;
    counted.any(|word| {
        matches!(word.as_str(), "not" | "no" | "never" | "without" | "hardly")
            || word.ends_with("n't")
    })
}

/// The Reviewer proposes a value, and the Engineer another one for the same thing, or argues against that one.
fn is_about_a_value(sides: &Sides) -> bool {
    let suggestion = sides.suggestion.unwrap_or_default();
    let mut proposed: Vec<Value> = sentences(suggestion)
        .flat_map(values)
        .filter(|value| !ends_with_any(&value.before, &NOT_PROPOSED))
        .collect();
    if proposed.is_empty() {
        let of_summary = sentences(sides.summary).flat_map(values);
        proposed = of_summary
            .filter(|value| ends_with_any(&value.before, &PROPOSED))
            .collect();
    }
    let quantities = |text: &str| -> Vec<&str> {
        let words = words(text);
        let named = |quantity: &&str| {
            let is_it = |word: &String| word.trim_end_matches('s') == *quantity || word == quantity;
            words.iter().any(is_it)
        };
        QUANTITIES.iter().copied().filter(named).collect()
    };
    let concern = format!("{} {suggestion}", sides.summary);
    let measured = quantities(&concern);
    // A number alone is a value only of something that has one.
    proposed.retain(|value| !matches!(value.measure, Measure::Bare) || !measured.is_empty());
    if proposed.is_empty() {
        return false;
    }
    let words_of_concern = sides.concern();
    let of_the_same = |sentence: &str, value: &Value| {
        let shares = quantities(sentence)
            .iter()
            .any(|own| measured.contains(own));
        shares || has_no_other_subject(&value.before, &words_of_concern)
    };
    sentences(sides.argument).any(|sentence| {
        let rejects = words(sentence)
            .iter()
            .any(|word| REJECTING.contains(&word.as_str()) || word.ends_with("n't"));
        let names_one = values(sentence).iter().any(|value| {
            let fits = proposed
                .iter()
                .filter(|own| own.measure.fits(&value.measure));
            let mut disputed = fits.filter(|own| rejects || is_other(own, value));
            disputed.next().is_some() && of_the_same(sentence, value)
        });
        names_one || calls_it_too_much(sentence, &words_of_concern)
    })
}

fn is_other(one: &Value, other: &Value) -> bool {
    match (&one.measure, &other.measure) {
        // A number without a unit may be in the unit of the other: only another figure is another value.
        (Measure::Bare, _) | (_, Measure::Bare) => one.figure != other.figure,
        _ => one.amount != other.amount,
    }
}

/// True where what stands before a value names nothing that it could be a value of but what the concern is about.
fn has_no_other_subject(before: &str, concern: &Keywords) -> bool {
    let own = Keywords::of(before);
    own.iter()
        .all(|word| concern.has(word) || PROPOSING.iter().any(|verb| word.starts_with(verb)))
}

/// `That is too long for a checkout`, of what the concern is about; not `it takes too long to build`.
fn calls_it_too_much(sentence: &str, concern: &Keywords) -> bool {
    let words = words(sentence);
    let too = words
        .windows(2)
        .position(|pair| pair[0] == "too" && DEGREES.contains(&pair[1].as_str()));
    let Some(too) = too else {
        return false;
    };
    let is_effort = words.get(too + 2).is_some_and(|next| next == "to");
    !is_effort && too > 0 && has_no_other_subject(&words[..too].join(" "), concern)
}

/// The Engineer says that what the Reviewer asks for is out of scope.
fn is_out_of_scope(sides: &Sides) -> bool {
    let besides = ["scope", "version", "release", "milestone", "scoped"];
    sentences(sides.argument)
        .filter(|sentence| !sentence.ends_with('?'))
        .any(|sentence| {
            let words = words(sentence);
            let text = words.join(" ");
            let said = SCOPE.iter().any(|phrase| {
                let at = text.find(phrase);
                at.is_some_and(|at| {
                    let index = text[..at]
                        .split(' ')
                        .filter(|word| !word.is_empty())
                        .count();
                    !is_negated(&words, index)
                })
            });
            said && sides.is_meant(sentence, &besides)
        })
}

/// The sentences of a text; a point inside a number ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let text = rest.trim_start();
        if text.is_empty() {
            return None;
        }
        let mut ends = text.char_indices().filter(|(at, sign)| {
            let ends = matches!(sign, '.' | '!' | '?' | ';');
            let behind = text[at + sign.len_utf8()..].chars().next();
            // A line that is only broken goes on; a blank one and an item of a list begin something else.
            let breaks = *sign == '\n' && matches!(behind, Some('\n' | '-' | '*'));
            breaks || ends && behind.is_none_or(char::is_whitespace)
        });
        let end = ends
            .next()
            .map_or(text.len(), |(at, sign)| at + sign.len_utf8());
        rest = &text[end..];
        Some(text[..end].trim())
    })
}

/// The words of a text in lower case, with the hyphens and apostrophes in them.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '’'))
        .map(|word| {
            word.trim_matches(['-', '\'', '’'])
                .to_lowercase()
                .replace('’', "'")
        })
        .filter(|word| !word.is_empty())
        .collect()
}

fn ends_with_any(text: &str, phrases: &[&str]) -> bool {
    let words = words(text);
    let last = &words[words.len().saturating_sub(2)..];
    let (two, one) = (last.join(" "), last.last().cloned().unwrap_or_default());
    phrases
        .iter()
        .any(|phrase| *phrase == two || *phrase == one)
}

#[cfg(test)]
mod tests;
