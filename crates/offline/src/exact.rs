//! The words of an answer: whether they are a phrase or sentences, and how a sentence reads with them in the place of vague words.

use gapless_domain::keywords::Keywords;

use crate::forms::with_capital;
use crate::spec::{Place, Spec};
use crate::words::form_class;

/// A text of so many words or fewer, without a full stop, is no sentence.
const MOST_WORDS_OF_PHRASE: usize = 12;
/// Words with which an answer can take the place of `soon` or `periodically`.
const ADVERBIAL: [&str; 16] = [
    "within",
    "after",
    "every",
    "in",
    "at",
    "once",
    "twice",
    "for",
    "until",
    "before",
    "daily",
    "hourly",
    "weekly",
    "monthly",
    "immediately",
    "when",
];

/// A short answer that is no sentence: `30 days`.
pub(crate) fn phrase(said: &str) -> Option<&str> {
    let said = said.trim().trim_end_matches('.');
    let is_short = said.split_whitespace().count() <= MOST_WORDS_OF_PHRASE;
    let ends = said.contains(". ") || said.contains(['\n', ';', '!', '?']);
    (is_short && !ends).then_some(said)
}

/// What the user said as one or more sentences.
pub(crate) fn sentences(said: &str) -> String {
    let said = said.trim();
    let begun = match said.starts_with('`') {
        true => said.to_owned(),
        false => with_capital(said),
    };
    match begun.ends_with(['.', '!', '?', ':', '`', '|']) || !is_one_paragraph(said) {
        true => begun,
        false => begun + ".",
    }
}

pub(crate) fn ended(text: &str) -> String {
    let text = text.trim_end();
    match text.ends_with(['.', '!', '?', ':']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

pub(crate) fn is_one_paragraph(said: &str) -> bool {
    let begins_item = |line: &str| line.trim_start().starts_with(['-', '*', '+', '|']);
    !said
        .lines()
        .any(|line| line.trim().is_empty() || begins_item(line))
}

/// A sentence with the user's words in the place of the vague ones.
pub(crate) fn exact(spec: &Spec<'_>, place: &Place, said: &str) -> Option<String> {
    let sentence = spec.text.get(place.sentence.clone())?;
    let start = place.found.start.checked_sub(place.sentence.start)?;
    let end = (place.found.end - place.sentence.start).min(sentence.len());
    let (before, found, behind) = (
        sentence.get(..start)?,
        sentence.get(start..end)?,
        sentence.get(end..)?,
    );
    if covers(said, &format!("{before} {behind}")) {
        return Some(sentences(said));
    }
    let is_named = closing_quote(before).is_some();
    if let Some(phrase) = phrase(said) {
        if let Some(new) = with_phrase(before, found, behind, phrase).filter(|_| !is_named) {
            return Some(new);
        }
        let end = closing_quote(before).and_then(|quote| {
            let at = behind.find(quote)?;
            Some(at + quote.len_utf8())
        });
        let (named, rest) = behind.split_at(end.unwrap_or(0));
        return Some(format!("{before}{found}{named} ({phrase}){rest}"));
    }
    let bare = without(before, found, behind).filter(|_| !is_named);
    let kept = bare.unwrap_or_else(|| sentence.to_owned());
    Some(format!("{} {}", ended(&kept), sentences(said)))
}

/// What closes the quotes or the code that a place is in.
fn closing_quote(before: &str) -> Option<char> {
    let is_open = |mark: char| before.matches(mark).count() % 2 == 1;
    let plain = ['"', '`'].into_iter().find(|mark| is_open(*mark));
    plain.or_else(|| (before.matches('“').count() > before.matches('”').count()).then_some('”'))
}

/// Whether what was said has all that a sentence says.
fn covers(said: &str, rest: &str) -> bool {
    let (said, rest) = (Keywords::of(said), Keywords::of(rest));
    !rest.is_empty() && rest.shared(&[&said]) == rest.len()
}

/// A short answer in the place of the vague words, where that is grammatical.
fn with_phrase(before: &str, found: &str, behind: &str, phrase: &str) -> Option<String> {
    let lower = found.to_lowercase();
    let first = phrase.split_whitespace().next()?.to_lowercase();
    let is_adverb = form_class("soon").contains(&lower.as_str())
        || form_class("regularly").contains(&lower.as_str())
        || lower.starts_with("after ")
        || lower.starts_with("for ");
    if is_adverb && ADVERBIAL.contains(&first.as_str()) {
        return Some(format!("{before}{phrase}{behind}"));
    }
    if let Some(rest) = behind_counted(&lower, behind, phrase) {
        return Some(format!("{before}{phrase}{rest}"));
    }
    let (degree, dimension) = lower.split_once(' ')?;
    if ["time", "while", "period"].contains(&dimension) {
        return with_time(before, behind, phrase);
    }
    let is_amount =
        phrase.starts_with(|c: char| c.is_ascii_digit()) || first == "at" || first == "up";
    if is_amount && form_class("vague").contains(&degree) && !dimension.contains(' ') {
        let bare = without_article(before, degree, dimension);
        let dimension = found.get(degree.len()..)?.trim();
        return Some(format!("{bare}{dimension} of {phrase}{behind}"));
    }
    None
}

/// What follows the thing that is counted, where the phrase counts the same: `3 times, after 1 s` for `a few times`.
fn behind_counted<'t>(found: &str, behind: &'t str, phrase: &str) -> Option<&'t str> {
    let thing = behind.strip_prefix(' ')?;
    let end = thing
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(thing.len());
    let (thing, rest) = thing.split_at_checked(end)?;
    let mut words = phrase.split(|c: char| !c.is_alphanumeric());
    let counts = phrase.contains(|c: char| c.is_ascii_digit())
        && words.any(|word| word.eq_ignore_ascii_case(thing));
    let ends = rest.is_empty() || rest.starts_with(['.', ',', ';', ')', ':']);
    let is_plain = ends || !phrase.contains(',');
    (form_class("few").contains(&found) && counts && is_plain && !thing.is_empty()).then_some(rest)
}

/// A time in the place of `some time` in `after some time`.
fn with_time(before: &str, behind: &str, phrase: &str) -> Option<String> {
    let bare = before.trim_end();
    let bare = bare
        .strip_suffix(" a")
        .or(bare.strip_suffix(" an"))
        .unwrap_or(bare);
    let (kept, preposition) = bare.rsplit_once(char::is_whitespace)?;
    let is_preposition =
        ["after", "for", "within", "in"].contains(&preposition.to_lowercase().as_str());
    let first = phrase.split_whitespace().next()?.to_lowercase();
    match first.starts_with(|c: char| c.is_ascii_digit()) {
        true if is_preposition => Some(format!("{bare} {phrase}{behind}")),
        false if is_preposition && ADVERBIAL.contains(&first.as_str()) => {
            Some(format!("{kept} {phrase}{behind}"))
        }
        _ => None,
    }
}

/// The words before a vague one, with the article that fits what follows it.
fn without_article(before: &str, degree: &str, next: &str) -> String {
    let is_vowel = |word: &str| word.starts_with(['a', 'e', 'i', 'o']);
    if is_vowel(degree) == is_vowel(next) {
        return before.to_owned();
    }
    let (from, to) = match is_vowel(next) {
        true => ("a ", "an "),
        false => ("an ", "a "),
    };
    match before.to_lowercase().ends_with(&format!(" {from}")) || before.eq_ignore_ascii_case(from)
    {
        true => {
            let kept = &before[..before.len() - from.len()];
            let to = match before[kept.len()..].starts_with('A') {
                true => with_capital(to),
                false => to.to_owned(),
            };
            format!("{kept}{to}")
        }
        false => before.to_owned(),
    }
}

/// The sentence without its vague words, where it is a sentence without them.
fn without(before: &str, found: &str, behind: &str) -> Option<String> {
    let lower = found.to_lowercase();
    if let Some((degree, dimension)) = lower.split_once(' ')
        && form_class("vague").contains(&degree)
    {
        let before = without_article(before, degree, dimension);
        return Some(format!(
            "{before}{}{behind}",
            found.get(degree.len()..)?.trim()
        ));
    }
    let is_adverb = form_class("soon").contains(&lower.as_str())
        || form_class("regularly").contains(&lower.as_str())
        || lower.ends_with("fully")
        || lower.ends_with("ly")
        || lower.starts_with("as ")
        || lower.starts_with("if ")
        || lower.starts_with("where ")
        || lower.starts_with("when ");
    let last = before.split_whitespace().next_back()?.to_lowercase();
    let needs_more = [
        "as", "be", "is", "are", "very", "a", "an", "more", "and", "or", "to",
    ];
    let follows = behind.trim_start();
    let ends = follows.is_empty() || follows.starts_with(['.', ',', ';', ')']);
    let lone = is_adverb && !needs_more.contains(&last.as_str());
    let open = lower == "etc" || lower == "and so on" || lower == "and more";
    if open && ends {
        let before = before.trim_end().trim_end_matches(',');
        let behind = follows.trim_start_matches('.');
        return Some(ended(&format!("{before}{behind}")));
    }
    (lone && (ends || !follows.starts_with("and"))).then(|| {
        let joined = match ends {
            true => format!("{}{follows}", before.trim_end()),
            false => format!("{before}{follows}"),
        };
        joined.trim_end_matches(',').to_owned()
    })
}
