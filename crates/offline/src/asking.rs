//! Questions for where no default fits. Each stands alone and asks once: it quotes the sentence, says where that is, asks what
//! whoever implements it would ask, and says how to answer.

use gapless_domain::{AssignedGap, one_line};
use gapless_scan::Topic;

use crate::spec::{Mark, Place, PlaceForm, Spec};
use crate::{Ask, asks};

const LONGEST_SENTENCE: usize = 240;
const LONGEST_WORDS: usize = 60;
const LONGEST_TITLE: usize = 60;
/// The ask for what no rule found.
const DECLARED: &str = "declared";

/// What to ask about a gap.
pub(crate) fn question(gap: &AssignedGap, spec: &Spec<'_>) -> String {
    let mark = spec.mark_of(gap);
    let is_listed = gap.declared && !matches!(mark, Some(Mark::Within(_)));
    let rule = gap.rule.as_deref().filter(|_| !is_listed);
    let place = spec.place_of(gap).filter(|_| rule.is_some());
    let sentence = place.as_ref().and_then(|place| sentence(place, spec));
    let ask = rule.and_then(|rule| ask_for(rule, gap, sentence.as_deref().unwrap_or_default()));
    let answer = match (ask, rule.and_then(gapless_scan::rules::by_id)) {
        (Some(ask), _) => ask.answer.clone(),
        (None, Some(rule)) => as_sentence(rule.suggestion),
        (None, None) => declared().map_or(String::new(), |ask| ask.answer.clone()),
    };
    let asked = || {
        let asked = ask.or_else(declared);
        let asked = asked.map_or("what holds?", |ask| ask.question.as_str());
        asked.replace("{words}", &found(place.as_ref(), spec))
    };
    let said = Said::of(&gap.description, rule.is_some());
    let about = match (&sentence, &said) {
        (Some(_), Said::Asks { about, .. }) if !is_quote(about) => plain(about),
        (Some(sentence), _) => format!("\"{sentence}\""),
        (None, Said::Asks { about, .. }) => plain(about),
        (None, Said::IsQuestion) => plain(&gap.description),
        (None, Said::Tells) => plain(&gap.description)
            .trim_end_matches([':', '.'])
            .to_owned(),
    };
    let at = at(gap, &about, place.as_ref());
    let text = match said {
        Said::Asks { question, .. } => format!("{about}{at}: {}", plain(question)),
        Said::IsQuestion if sentence.is_none() => format!("{about}{at}"),
        Said::IsQuestion | Said::Tells => format!("{about}{at}: {}", asked()),
    };
    format!("{text} {answer}")
}

/// What a gap's description says.
enum Said<'t> {
    /// `"The sentence": what is asked about it?`
    Asks { about: &'t str, question: &'t str },
    /// All of it is the question.
    IsQuestion,
    /// It asks nothing.
    Tells,
}

impl<'t> Said<'t> {
    fn of(description: &'t str, by_rule: bool) -> Self {
        let split = by_rule.then(|| colon_outside_quotes(description)).flatten();
        match split {
            Some((about, question)) if question.contains('?') => Said::Asks { about, question },
            _ if asks_something(description) => Said::IsQuestion,
            _ => Said::Tells,
        }
    }
}

/// The text before and behind the colon that ends a quote at its beginning, else the first in no quotes and no code.
fn colon_outside_quotes(text: &str) -> Option<(&str, &str)> {
    if text.starts_with('"')
        && let Some((quote, question)) = text.split_once("\": ")
    {
        return Some((text.get(..=quote.len())?, question));
    }
    let (mut quoted, mut code) = (false, false);
    text.char_indices().find_map(|(at, c)| {
        match c {
            '"' if !code => quoted = !quoted,
            '`' if !quoted => code = !code,
            _ => {}
        }
        let behind = text[at..].strip_prefix(": ");
        behind
            .filter(|_| !quoted && !code)
            .map(|question| (&text[..at], question))
    })
}

fn asks_something(text: &str) -> bool {
    let mut ends = text.match_indices('?');
    ends.any(|(at, _)| {
        let behind = &text[at + 1..];
        behind
            .trim_start_matches(['*', '_', ')', '"', '”'])
            .is_empty()
            || behind.starts_with(char::is_whitespace)
    })
}

/// True for words in quotation marks and nothing else.
fn is_quote(about: &str) -> bool {
    let inner = about
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('"'))
}

/// The sentence in which a place is, on one line.
fn sentence(place: &Place, spec: &Spec<'_>) -> Option<String> {
    let in_prose = matches!(place.form, PlaceForm::Paragraph | PlaceForm::Item);
    let sentence = spec.text.get(place.sentence.clone()).filter(|_| in_prose)?;
    let sentence = cut(&inert(sentence), LONGEST_SENTENCE);
    sentence.contains(char::is_alphanumeric).then_some(sentence)
}

/// The words that a rule found, in quotes.
fn found(place: Option<&Place>, spec: &Spec<'_>) -> String {
    let words = place.and_then(|place| spec.text.get(place.found.clone()));
    let words = cut(&inert(words.unwrap_or_default()), LONGEST_WORDS);
    match words.contains(char::is_alphanumeric) {
        true => format!("\"{words}\""),
        false => "it".to_owned(),
    }
}

/// Section and line of a gap in brackets, where what is said doesn't name them.
fn at(gap: &AssignedGap, said: &str, place: Option<&Place>) -> String {
    let title = gap.section.as_deref().map(inert);
    let title = title.filter(|title| !title.is_empty() && !said.contains(title.as_str()));
    let title = title.map(|title| format!("section \"{}\"", cut(&title, LONGEST_TITLE)));
    let line = place.map(|place| format!("line {}", place.line));
    let at: Vec<String> = title.into_iter().chain(line).collect();
    match at.is_empty() {
        true => String::new(),
        false => format!(" ({})", at.join(", ")),
    }
}

/// The first ask for a rule that is for one of the gap's topics or for that of its sentence, or for any.
fn ask_for(rule: &str, gap: &AssignedGap, sentence: &str) -> Option<&'static Ask> {
    let of_sentence = Topic::of_text(sentence);
    asks().iter().find(|ask| {
        let is_own = |topic: &Topic| {
            gap.topics.iter().any(|own| own == topic.name()) || of_sentence == Some(*topic)
        };
        let about = ask.topics.is_empty() || ask.topics.iter().any(is_own);
        about && ask.rules.iter().any(|known| known == rule)
    })
}

fn declared() -> Option<&'static Ask> {
    asks().iter().find(|ask| ask.id == DECLARED)
}

/// `Say how long.` of `say how long`.
fn as_sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().map(char::to_uppercase);
    let text: String = first.into_iter().flatten().chain(letters).collect();
    text + "."
}

/// Words on one line, without marks that markdown reads, for quotation marks around them.
fn inert(text: &str) -> String {
    plain(&text.replace('"', "'"))
}

/// The same of a text that may have quotation marks itself, cut where it is long.
fn plain(text: &str) -> String {
    let text = text.replace("**", "");
    let marks = ['*', '#', '<', '>', '~', '\\', '&', '|'];
    cut(one_line(&text.replace(marks, " ")).trim(), LONGEST_SENTENCE)
}

/// The first words of a text, with dots for the rest.
fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest).collect();
    let whole = kept
        .rsplit_once(' ')
        .map_or(kept.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ';', ':', '.']))
}
