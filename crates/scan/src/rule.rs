//! A rule: its names, its reason, its examples, and its check over the facts.

use std::ops::Range;

use gapless_domain::Severity;

use crate::facts::Word;
use crate::{Facts, Sentence, Topic};

/// A rule. Its examples are its tests and its documentation.
pub struct Rule {
    pub id: &'static str,
    /// As in gap ids: 2 to 10 capital letters.
    pub category: &'static str,
    pub severity: Severity,
    /// What it finds, in a line.
    pub title: &'static str,
    /// Why that may be a gap.
    pub reason: &'static str,
    pub suggestion: &'static str,
    pub topic: Topic,
    /// Each must be found.
    pub bad: &'static [&'static str],
    /// None of these may be.
    pub good: &'static [&'static str],
    pub(crate) check: fn(&Facts<'_>, &mut Found),
}

/// What a check says of a place.
#[derive(Debug, Clone)]
pub struct Remark {
    pub span: Range<usize>,
    pub message: String,
    pub topic: Option<Topic>,
    /// Identifies the place in the finding's id, where its text doesn't.
    pub key: Option<String>,
}

/// What checks say, in the order in which they say it.
pub struct Found {
    pub remarks: Vec<Remark>,
    ids: Vec<&'static str>,
}

impl Found {
    pub fn new(ids: Vec<&'static str>) -> Self {
        Self {
            remarks: Vec::new(),
            ids,
        }
    }

    pub fn is_rule(&self, id: &str) -> bool {
        self.ids.contains(&id)
    }

    /// The id of a rule that is most like an unknown one.
    pub fn nearest_rule(&self, id: &str) -> Option<&'static str> {
        const ALIKE: f64 = 0.55;
        self.ids
            .iter()
            .map(|known| (strsim::normalized_damerau_levenshtein(id, known), *known))
            .filter(|(likeness, _)| *likeness >= ALIKE)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, known)| known)
    }

    pub fn at(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Remark {
        self.remarks.push(Remark {
            span,
            message: message.into(),
            topic: None,
            key: None,
        });
        let last = self.remarks.len() - 1;
        &mut self.remarks[last]
    }
}

impl Remark {
    pub fn about(&mut self, topic: Option<Topic>) -> &mut Self {
        self.topic = topic;
        self
    }

    pub fn keyed(&mut self, key: impl Into<String>) -> &mut Self {
        self.key = Some(key.into());
        self
    }
}

/// A text as a message quotes it: on one line and short.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > LONGEST {
            break;
        }
    }
    cut_off(line, LONGEST)
}

/// A sentence as a message quotes it: on one line, without marks, and shortened to what is around some words of it.
pub fn quoted_around(facts: &Facts<'_>, sentence: &Sentence, span: &Range<usize>) -> String {
    const BEFORE: usize = 60;
    const LONGEST: usize = 120;
    let words = facts.words_of(sentence);
    let first = words.iter().find(|word| word.end > span.start);
    let last = words.iter().rev().find(|word| word.start < span.end);
    let (Some(first), Some(last)) = (first, last) else {
        return quoted(facts.text(sentence.span.clone()));
    };
    let from = words
        .iter()
        .find(|word| word.start + BEFORE >= first.start)
        .map_or(first.start, |word| word.start);
    let fits = |word: &&Word| word.end <= from + LONGEST || word.end <= last.end;
    let until = words.iter().rev().find(fits);
    let until = until.map_or(last.end, |word| word.end);
    let mut line = String::new();
    if from > sentence.span.start {
        line.push('…');
    }
    let text = facts.text(from..until).replace("**", "");
    let mut parts = text.split_whitespace();
    line.extend(parts.next());
    parts.for_each(|part| {
        line.push(' ');
        line.push_str(part);
    });
    if until < sentence.span.end {
        line.push('…');
    }
    line
}

/// A line of so many characters at most, with a sign for what it lacks.
pub fn cut_off(line: String, longest: usize) -> String {
    match line.char_indices().nth(longest - 1) {
        Some((at, last)) if line.len() > at + last.len_utf8() => format!("{}…", &line[..at]),
        _ => line,
    }
}
