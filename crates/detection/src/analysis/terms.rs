//! DOMAIN_CONFUSION: terms that a document uses as if they were defined (`as defined in X`, `(see X)`, `the X defined
//! above`), and that neither the source nor the document itself defines. Only names count: in code or quotation marks, bold,
//! or with capitals. A source that has the name at all counts as knowing it.

use std::ops::Range;
use std::sync::LazyLock;

use super::material::Read;
use super::patterns::{Evidence, Finding, LONGEST_QUOTE, Pattern, quoted};
use super::prose::{Word, words};
use super::ranges::holds;
use crate::disagreement::stands_in;
use gapless_domain::words::phrases;
use gapless_domain::{Confidence, gap_ids_in, issue_ids_in};

/// Words that say of a name that something else defines it: `defined in X`, `the X defined above`.
const POINTING: [&str; 4] = ["defined", "described", "specified", "introduced"];
const ELSEWHERE: [&str; 5] = ["above", "below", "earlier", "previously", "elsewhere"];
/// First words of names that point to a place of a document, whatever it holds, or out of it.
static PLACES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/places.txt")).collect());
/// How a sentence goes on that says what a term is.
const SAYING: [&str; 12] = [
    " is ",
    " are ",
    " means ",
    " mean ",
    " refers to ",
    " denotes ",
    " stands for ",
    ":",
    " =",
    " consists of ",
    " holds ",
    " |",
];
/// How many different terms are looked at, and how long one may be.
const MOST_TERMS: usize = 20;
const LONGEST_TERM: usize = 60;
const MOST_WORDS: usize = 5;
const LONGEST_HEAD: usize = 40;

/// A name that is used as if it were defined, and the words that say so.
struct Used {
    term: Range<usize>,
    phrase: Range<usize>,
}

pub(super) fn domain_confusion(read: &Read, source: Option<&str>) -> Option<Finding> {
    let prose = read.document.prose();
    let document = read.document.source.to_ascii_lowercase();
    let source_words = source.map(|text| text.to_ascii_lowercase());
    let mut seen: Vec<String> = Vec::new();
    let mut evidence: Vec<Evidence> = Vec::new();
    for used in uses(prose) {
        let term = prose.get(used.term.clone()).unwrap_or("");
        let key = term.to_ascii_lowercase();
        if seen.len() == MOST_TERMS {
            break;
        }
        if seen.contains(&key) {
            continue;
        }
        let in_source = |text: &String| stands_in(&key, text);
        if !source_words.as_ref().is_some_and(in_source)
            && !is_defined(read, &document, &key, used.term.start)
        {
            evidence.push(Evidence {
                gap: None,
                line: Some(read.document.line_of(used.phrase.start)),
                text: format!(
                    "\"{}\", which nothing defines",
                    quoted(prose.get(used.phrase).unwrap_or(term), LONGEST_QUOTE)
                ),
                words: vec![quoted(term, LONGEST_QUOTE)],
            });
        }
        seen.push(key);
    }
    let confidence = match (source.is_some(), evidence.len()) {
        (false, _) => Confidence::Low,
        (true, 0..3) => Confidence::Medium,
        (true, _) => Confidence::High,
    };
    Finding::on(Pattern::DomainConfusion, confidence, evidence)
}

/// The names that are used as if they were defined, in order.
fn uses(prose: &str) -> Vec<Used> {
    let words = words(prose);
    let is = |at: usize, wanted: &str| {
        let word = words.get(at);
        word.is_some_and(|word| word.text.eq_ignore_ascii_case(wanted))
    };
    let mut uses = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let pointing =
            POINTING.contains(&word.text) && (is(index + 1, "in") || is(index + 1, "under"));
        let see = word.text.eq_ignore_ascii_case("see") && prose[..word.at].ends_with('(');
        let elsewhere =
            POINTING.contains(&word.text) && ELSEWHERE.iter().any(|place| is(index + 1, place));
        let found = if pointing || see {
            name_behind(prose, &words, index + usize::from(pointing)).map(|term| Used {
                phrase: word.at..term.end,
                term,
            })
        } else if elsewhere {
            let end = words[index + 1].end();
            name_before(prose, &words, index).map(|term| Used {
                phrase: term.start..end,
                term,
            })
        } else {
            None
        };
        uses.extend(found.filter(|used| prose.get(used.term.clone()).is_some_and(is_name)));
    }
    uses
}

/// The name that begins behind a word, an article aside.
fn name_behind(prose: &str, words: &[Word], index: usize) -> Option<Range<usize>> {
    let article = words
        .get(index + 1)
        .filter(|word| ["the", "our", "its"].contains(&word.text) && word.joined);
    let first = index + 1 + usize::from(article.is_some());
    let start = article.map_or(words[index].end(), Word::end);
    let rest = prose.get(start..)?;
    let gap = rest.len() - rest.trim_start().len();
    if let Some(term) = marked(rest.trim_start()) {
        let from = start + gap + term.start;
        return Some(from..from + term.len());
    }
    let names = words.get(first..)?.iter().take(MOST_WORDS);
    let names: Vec<&Word> = names
        .take_while(|word| word.joined && is_capital(word))
        .collect();
    Some(names.first()?.at..names.last()?.end())
}

/// `the Name` right before a word, `as` aside.
fn name_before(prose: &str, words: &[Word], index: usize) -> Option<Range<usize>> {
    let last = match words.get(index.checked_sub(1)?) {
        Some(word) if word.text == "as" => index.checked_sub(2)?,
        _ => index - 1,
    };
    let mut first = last + 1;
    while first > 0 && last + 1 - first < MOST_WORDS {
        let word = &words[first - 1];
        let marked = prose[word.end()..].starts_with('`') || prose[..word.at].ends_with('`');
        if !(is_capital(word) || marked) || !(first > last || words[first].joined || marked) {
            break;
        }
        first -= 1;
    }
    let the = first.checked_sub(1).and_then(|before| words.get(before))?;
    (first <= last && the.text.eq_ignore_ascii_case("the"))
        .then(|| words[first].at..words[last].end())
}

/// The inner bytes of a name in code marks, quotation marks or bold that a text begins with.
fn marked(text: &str) -> Option<Range<usize>> {
    ["`", "\"", "**"].iter().find_map(|mark| {
        let inner = text.strip_prefix(mark)?;
        let length = inner.find(mark)?;
        (length > 0 && length <= LONGEST_TERM && !inner[..length].contains('\n'))
            .then(|| mark.len()..mark.len() + length)
    })
}

fn is_capital(word: &Word) -> bool {
    word.text.starts_with(char::is_uppercase) && word.text != "The"
}

/// A name of this project's own: no id, no place of a document, no file, no path, no number and no acronym, since those are
/// names of the world.
fn is_name(term: &str) -> bool {
    let first = words(term).first().map_or("", |word| word.text);
    let acronym = |word: &Word| {
        word.text.len() > 1
            && !word.text.contains('_')
            && word.text.chars().all(|c| c.is_ascii_uppercase())
    };
    term.len() > 2
        && term.len() <= LONGEST_TERM
        && !PLACES.iter().any(|place| first.eq_ignore_ascii_case(place))
        && !term.contains(|c: char| c.is_ascii_digit() || "./:()<>[]{}$=\\".contains(c))
        && !words(term).iter().any(acronym)
        && gap_ids_in(term).is_empty()
        && issue_ids_in(term).is_empty()
}

/// Whether the document itself says what a term is: in a heading, in code, at the head of a line, an item or a cell, or in a
/// sentence that goes on with what it is.
fn is_defined(read: &Read, document: &str, term: &str, used_at: usize) -> bool {
    document.match_indices(term).any(|(at, _)| {
        let end = at + term.len();
        let bounded = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if at == used_at
            || !bounded(document[..at].chars().next_back())
            || !bounded(document[end..].chars().next())
        {
            return false;
        }
        if holds(&read.document.code_blocks, at) || holds(read.hidden_code, at) {
            return true;
        }
        let headings = &read.document.headings;
        let above = headings.partition_point(|heading| heading.span.start <= at);
        if above > 0 && headings[above - 1].span.contains(&at) {
            return true;
        }
        let leads = head_before(document, at).is_some_and(|before| {
            let bare = before.trim_matches(|c: char| {
                c.is_whitespace() || c.is_ascii_digit() || "*_`\">-+.)".contains(c)
            });
            ["", "the", "a", "an"].contains(&bare)
        });
        let behind = document[end..].trim_start_matches(['`', '*', '"']);
        leads && !behind.trim_start().starts_with("defined")
            || SAYING.iter().any(|saying| behind.starts_with(saying))
    })
}

/// What stands between a place and the beginning of its line or cell, where that is near: a mark and an article at most.
fn head_before(document: &str, at: usize) -> Option<&str> {
    let mut from = at.saturating_sub(LONGEST_HEAD);
    while !document.is_char_boundary(from) {
        from += 1;
    }
    let near = &document[from..at];
    match near.rfind(['\n', '|']) {
        Some(start) => Some(&near[start + 1..]),
        None => (from == 0).then_some(near),
    }
}
