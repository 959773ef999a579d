//! The forms of the catalogue: a pattern of words, and the exact words that take its place in a sentence.

use std::ops::Range;

use crate::words::form_class;

/// How many words an object may have, as in `caches the answers of carriers`.
const LONGEST_OBJECT: usize = 8;

/// `waits/wait a {vague} time -> $1 10 s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pattern: Vec<Token>,
    text: String,
    /// As the catalogue has it.
    written: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// One of several phrases. The text can name what was found.
    OneOf(Vec<String>),
    /// Words up to the end of a clause, perhaps none. The text can name them.
    Object(&'static [&'static str]),
}

impl Form {
    pub(crate) fn read(pattern: &str, text: &str) -> Option<Self> {
        let tokens = pattern.replace("{whole object}", "{whole-object}");
        let tokens: Option<Vec<Token>> = tokens.split_whitespace().map(token).collect();
        Some(Self {
            pattern: tokens.filter(|tokens| !tokens.is_empty())?,
            text: text.to_owned(),
            written: format!("{pattern} → {text}"),
        })
    }

    /// The words that it puts there whatever it found: the value.
    pub(crate) fn value(&self) -> &str {
        let pieces = self.text.split('$').enumerate().map(|(number, piece)| {
            // The first character behind a sign names what was caught.
            let text = if number == 0 {
                piece
            } else {
                piece.get(1..).unwrap_or("")
            };
            text.trim_matches([' ', ','])
        });
        let exact = pieces.filter(|piece| piece.contains(|c: char| c.is_ascii_digit()));
        exact.max_by_key(|piece| piece.len()).unwrap_or(&self.text)
    }

    /// As the documentation shows it.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The bytes that give way and what takes their place, where the form fits words that touch those that were found.
    pub(crate) fn fit(
        &self,
        sentence: &str,
        found: &Range<usize>,
    ) -> Option<(Range<usize>, String)> {
        let words = words(sentence);
        (0..words.len()).find_map(|start| {
            let (end, caught) = self.fit_at(sentence, &words, start)?;
            let range = words.get(start)?.start..words.get(end.checked_sub(1)?)?.end;
            let touches = range.start < found.end && found.start < range.end;
            touches.then(|| {
                let new = self.filled(sentence, &caught);
                let old = &sentence[range.clone()];
                let new = match old.starts_with(char::is_uppercase) {
                    true => with_capital(&new),
                    false => new,
                };
                (range, new)
            })
        })
    }

    /// The word behind the match, and what the tokens caught that the text can name.
    fn fit_at(
        &self,
        sentence: &str,
        words: &[Range<usize>],
        start: usize,
    ) -> Option<(usize, Vec<Range<usize>>)> {
        let mut at = start;
        let mut caught = Vec::new();
        for token in &self.pattern {
            match token {
                Token::Word(word) => at = phrase_at(sentence, words, at, word)?,
                Token::OneOf(phrases) => {
                    let fitting = phrases.iter();
                    let fitting =
                        fitting.filter_map(|phrase| phrase_at(sentence, words, at, phrase));
                    let end = fitting.max()?;
                    caught.push(words[at].start..words[end - 1].end);
                    at = end;
                }
                Token::Object(ends) => {
                    let end = object_end(sentence, words, at, ends);
                    let before = at.checked_sub(1).map_or(0, |before| words[before].end);
                    caught.push(match end > at {
                        true => words[at].start..words[end - 1].end,
                        false => before..before,
                    });
                    at = end;
                }
            }
        }
        Some((at, caught))
    }

    fn filled(&self, sentence: &str, caught: &[Range<usize>]) -> String {
        let mut text = self.text.clone();
        for (number, range) in (1..).zip(caught) {
            let name = format!("${number}");
            let found = &sentence[range.clone()];
            let named = match found.is_empty() {
                true => format!(" {name}"),
                false => name,
            };
            text = text.replace(&named, found);
        }
        text
    }
}

fn token(word: &str) -> Option<Token> {
    let class = |name: &str| form_class(name);
    Some(
        match word
            .strip_prefix('{')
            .and_then(|word| word.strip_suffix('}'))
        {
            Some("object") => Token::Object(class("clause ends")),
            Some("whole-object") => Token::Object(class("sentence ends")),
            _ if word.contains(['/', '{']) => {
                let phrases = word.split('/').flat_map(|part| {
                    let name = part
                        .strip_prefix('{')
                        .and_then(|part| part.strip_suffix('}'));
                    match name {
                        Some(name) => class(name)
                            .iter()
                            .map(|&phrase| phrase.to_owned())
                            .collect(),
                        None => vec![part.to_owned()],
                    }
                });
                Token::OneOf(phrases.collect())
            }
            _ => Token::Word(word.to_owned()),
        },
    )
    .filter(|token| !matches!(token, Token::OneOf(phrases) if phrases.is_empty()))
}

/// The words of a sentence and its other signs, each by its bytes.
fn words(sentence: &str) -> Vec<Range<usize>> {
    let of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'' | '’' | '`');
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut inside = false;
    for (at, c) in sentence.char_indices() {
        let end = at + c.len_utf8();
        match (of_word(c), inside, words.last_mut()) {
            (true, true, Some(last)) => last.end = end,
            _ if !c.is_whitespace() => words.push(at..end),
            _ => {}
        }
        inside = of_word(c);
    }
    words
}

/// Behind a phrase, if it begins at this word.
fn phrase_at(sentence: &str, words: &[Range<usize>], at: usize, phrase: &str) -> Option<usize> {
    let mut end = at;
    for wanted in phrase.split_whitespace() {
        let word = sentence.get(words.get(end)?.clone())?;
        if !word.eq_ignore_ascii_case(wanted) {
            return None;
        }
        end += 1;
    }
    (end > at).then_some(end)
}

/// Behind the words of an object: up to a sign, or to a word that begins something else.
fn object_end(sentence: &str, words: &[Range<usize>], at: usize, ends: &[&str]) -> usize {
    let rest = words.iter().skip(at).take(LONGEST_OBJECT);
    let inside = rest.take_while(|word| {
        let word = &sentence[(*word).clone()];
        let is_word = word.contains(char::is_alphanumeric);
        is_word && !ends.iter().any(|end| word.eq_ignore_ascii_case(end))
    });
    at + inside.count()
}

/// The same with a capital at its beginning.
pub(crate) fn with_capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(pattern: &str, text: &str, sentence: &str, found: &str) -> Option<String> {
        let form = Form::read(pattern, text).unwrap();
        let at = sentence.find(found).unwrap();
        let (range, new) = form.fit(sentence, &(at..at + found.len()))?;
        Some(format!(
            "{}{new}{}",
            &sentence[..range.start],
            &sentence[range.end..]
        ))
    }

    #[test]
    fn vague_words_give_way_and_the_rest_stays() {
        let timeout = ("a/an {vague} timeout", "a timeout of 10 s");
        let retried = ("service/and retries {object}", "$1 retries $2 3 times");
        for ((pattern, text), sentence, found, expected) in [
            (
                timeout,
                "The call has an appropriate\ntimeout.",
                "appropriate",
                Some("The call has a timeout of 10 s."),
            ),
            (
                timeout,
                "A short timeout ends it.",
                "short timeout",
                Some("A timeout of 10 s ends it."),
            ),
            (timeout, "A short timeout, a long call.", "long", None),
            (timeout, "A shorter timeout ends it.", "timeout", None),
            (
                retried,
                "When it is down, the service retries, and goes on.",
                "retries",
                Some("When it is down, the service retries 3 times, and goes on."),
            ),
            (
                retried,
                "The service retries the call when it fails.",
                "retries",
                Some("The service retries the call 3 times when it fails."),
            ),
        ] {
            let said = fitted(pattern, text, sentence, found);
            assert_eq!(said.as_deref(), expected, "{sentence}");
        }
    }
}
