//! The headings of changes: which kind they name, which section, and what they quote.

use std::ops::Range;
use std::sync::LazyLock;

use super::super::lexicon::{Lexicon, Word, first_words, words_in};
use gapless_domain::ChangeKind;
use gapless_domain::words::phrases;

/// What the words of a heading say that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Kind(ChangeKind),
    /// Behind a passage or to a section: the texts decide.
    Add,
}

/// The heading of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub verb: Verb,
    pub section: Option<String>,
    pub after: Option<String>,
    /// What it quotes itself.
    pub old: Option<String>,
    /// True where it says in which section, so that it is no sentence that only begins like a heading.
    pub is_clear: bool,
    /// True for the words and the colon of the canonical form.
    pub is_canonical: bool,
}

static KINDS: LazyLock<Lexicon<Verb>> = LazyLock::new(|| {
    Lexicon::of_groups(
        include_str!("../words/change_kinds.txt"),
        |name| match name {
            "replace" => Some(Verb::Kind(ChangeKind::Replace)),
            "add after" => Some(Verb::Kind(ChangeKind::AddAfter)),
            "add to section" => Some(Verb::Kind(ChangeKind::AddToSection)),
            "new section" => Some(Verb::Kind(ChangeKind::NewSection)),
            "remove" => Some(Verb::Kind(ChangeKind::Remove)),
            "add" => Some(Verb::Add),
            _ => None,
        },
    )
});

static PART_TITLES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let titles = phrases(include_str!("../words/change_part_titles.txt"));
    titles.map(plain_words).collect()
});

fn plain_words(text: &str) -> Vec<String> {
    let words = words_in(text).into_iter();
    words.map(|word| word.text).collect()
}

/// How many words of a line are looked at.
const MOST_WORDS: usize = 24;
/// How long a title may be.
const LONGEST_TITLE: usize = 200;
/// The longest heading that is read as the title of a part.
const LONGEST_PART_TITLE: usize = 100;
/// Words that number a change: `Change 1: …`.
const COUNTED: [&str; 6] = ["change", "edit", "item", "modification", "update", "step"];
const ARTICLES: [&str; 6] = ["the", "a", "an", "this", "existing", "current"];
const NOUNS: [&str; 16] = [
    "passage",
    "text",
    "sentence",
    "line",
    "paragraph",
    "bullet",
    "entry",
    "row",
    "wording",
    "phrase",
    "word",
    "content",
    "item",
    "statement",
    "block",
    "of",
];
const PREPOSITIONS: [&str; 9] = [
    "in", "from", "to", "of", "within", "under", "into", "on", "at",
];
const SECTION_WORDS: [&str; 3] = ["section", "subsection", "chapter"];

/// True for the title of a part on changes.
pub fn is_part_title(title: &str) -> bool {
    if title.len() > LONGEST_PART_TITLE {
        return false;
    }
    let title = title.split(['(', '—', '–']).next().unwrap_or("");
    let title = title.split(':').next().unwrap_or("");
    let title = title.split(" for ").next().unwrap_or("");
    let words = words_in(title).into_iter();
    let words = words.skip_while(|word| word.is_number() || word.is_sign());
    let words: Vec<String> = words.map(|word| word.text).collect();
    PART_TITLES.contains(&words)
}

static OTHER_PARTS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let titles = phrases(include_str!("../words/gap_parts.txt"));
    titles.map(plain_words).collect()
});

/// True for the title of another part of a gap's section.
pub(super) fn is_other_part(title: &str) -> bool {
    title.len() <= LONGEST_PART_TITLE && OTHER_PARTS.contains(&plain_words(title))
}

/// True for a heading that says what is changed in which section.
pub fn is_change_heading(title: &str) -> bool {
    head_of(title).is_some_and(|head| head.is_clear)
}

/// Which kind a word names: `replace`.
pub(super) fn verb_of(words: &str) -> Option<Verb> {
    KINDS
        .at(&first_words(words, MOST_WORDS))
        .map(|found| found.means)
}

/// Reads the heading of a change, with whatever marks stand around it.
pub(super) fn head_of(line: &str) -> Option<Head> {
    let bare = without_number(without_marks(line));
    let words = first_words(bare, MOST_WORDS);
    let skipped = words.iter().take_while(|word| word.is_sign()).count();
    let found = KINDS.at(&words[skipped..])?;
    let behind = words[skipped + found.length - 1].span.end;
    let verb = found.means;
    let rest = &bare[behind..];
    let is_canonical = match verb {
        Verb::Kind(kind) => {
            bare.starts_with(kind.heading()) && bare[kind.heading().len()..].starts_with(':')
        }
        Verb::Add => false,
    };
    // `Additions` and `Updates` are words of other headings; so is `Add-ons`.
    let first = &words[skipped];
    let is_plural = bare[first.span.clone()].chars().count() > first.text.chars().count();
    if is_plural || rest.starts_with(['-', '/', '\'']) {
        return None;
    }
    let said = Said::of(&words[skipped + found.length - 1], rest);
    let mut head = Head {
        verb,
        section: None,
        after: None,
        old: said.quoted.map(str::to_owned),
        is_clear: said.is_clear || is_canonical,
        is_canonical,
    };
    let title = said.title;
    if verb == Verb::Kind(ChangeKind::NewSection) {
        let (title, after) = new_title(title);
        head.section = clean_title(title);
        head.after = after.and_then(clean_title);
    } else {
        head.section = clean_title(title);
    }
    Some(head)
}

/// What stands behind the words of a kind.
struct Said<'t> {
    quoted: Option<&'t str>,
    title: &'t str,
    is_clear: bool,
}

impl<'t> Said<'t> {
    fn of(last: &Word, rest: &'t str) -> Self {
        // The phrase itself may end with what leads to a title: `Replace in`.
        let leads = PREPOSITIONS.contains(&last.text.as_str())
            || SECTION_WORDS.contains(&last.text.as_str());
        let mut said = Self {
            quoted: None,
            title: "",
            is_clear: leads,
        };
        let mut rest = rest.trim_start_matches(['*', '_', ' ']);
        let mut led = leads;
        loop {
            rest = rest.trim_start_matches([' ', '*', '_']);
            if let Some(behind) = rest.strip_prefix([':', '—', '–', '-', '→']) {
                said.is_clear = true;
                said.title = behind;
                return said;
            }
            if let Some(inner) = rest.strip_prefix(['(', '[']) {
                let inner = inner.trim_end_matches([':', '.', ' ', '*']);
                let inner = inner.strip_suffix([')', ']']).unwrap_or(inner);
                said.title = without_leading(inner, &["in", "section", "in section", "after"]);
                said.is_clear = true;
                return said;
            }
            if let Some((quoted, behind)) = quoted_at(rest) {
                let next = first_words(&rest[behind..], 1);
                let goes_on = next
                    .first()
                    .is_some_and(|word| PREPOSITIONS.contains(&word.text.as_str()));
                said.is_clear = true;
                if !goes_on || led {
                    said.title = rest;
                    return said;
                }
                said.quoted = Some(quoted);
                rest = &rest[behind..];
                continue;
            }
            let words = first_words(rest, 1);
            let Some(word) = words.first().filter(|word| word.span.start == 0) else {
                break;
            };
            let text = word.text.as_str();
            let is_section = SECTION_WORDS.contains(&text);
            let is_preposition = PREPOSITIONS.contains(&text);
            let passes = ARTICLES.contains(&text)
                || is_section
                || (!led && (NOUNS.contains(&text) || is_preposition));
            // A title that is one of these words is a title.
            let more = !rest[word.span.end..].trim().is_empty();
            if !passes || !more {
                break;
            }
            led |= is_section || is_preposition;
            said.is_clear |= led;
            rest = &rest[word.span.end..];
        }
        said.title = rest;
        said
    }
}

/// A text without one of these beginnings and a colon behind it.
fn without_leading<'t>(text: &'t str, beginnings: &[&str]) -> &'t str {
    for beginning in beginnings.iter().rev() {
        let (Some(start), Some(rest)) = (text.get(..beginning.len()), text.get(beginning.len()..))
        else {
            continue;
        };
        if start.eq_ignore_ascii_case(beginning) && rest.starts_with([' ', ':']) {
            return rest.trim_start_matches([' ', ':']);
        }
    }
    text
}

/// The title of a new section, and the section behind which it goes.
pub(super) fn new_title(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("after ") {
        return match rest.split_once(':') {
            Some((after, title)) => (title, Some(after)),
            None => ("", Some(rest)),
        };
    }
    for (mark, close) in [
        ("(after ", ")"),
        ("(After ", ")"),
        ("(after: ", ")"),
        ("(placed after ", ")"),
        ("(insert after ", ")"),
        (", after ", ""),
        (", placed after ", ""),
        ("— after ", ""),
        ("– after ", ""),
        ("- after ", ""),
        ("\" after ", ""),
        ("” after ", ""),
        ("` after ", ""),
    ] {
        if let Some(at) = text.rfind(mark) {
            let behind = text[at + mark.len()..].trim_end_matches([':', ' ', '*']);
            let behind = behind.strip_suffix(close).unwrap_or(behind);
            let quote = mark.chars().next().filter(|c| matches!(c, '"' | '”' | '`'));
            let title = &text[..at + quote.map_or(0, char::len_utf8)];
            return (title, Some(behind));
        }
    }
    (text, None)
}

/// A line without the marks of a heading, a list item and emphasis before its words.
pub(super) fn without_marks(line: &str) -> &str {
    let mut rest = line.trim();
    loop {
        let bare = rest.trim_start_matches(['#', '*', '_', '>', ' ', '\t']);
        let bare = match bare.strip_prefix(['-', '+', '•']) {
            Some(item) if item.starts_with(' ') => item.trim_start(),
            _ => bare,
        };
        if bare.len() == rest.len() {
            return rest;
        }
        rest = bare;
    }
}

/// A heading without what counts it: `1.`, `Change 2:`, `(3)`.
fn without_number(line: &str) -> &str {
    let counted = COUNTED.iter().find_map(|word| {
        let start = line.get(..word.len())?;
        let number = line.get(word.len()..)?.trim_start_matches([' ', '#']);
        let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let ends = behind.trim_start().is_empty()
            || behind
                .trim_start()
                .starts_with([':', '.', ')', '(', '-', '–', '—']);
        let counts = behind.len() < number.len() && ends;
        // `Change: Payouts` names a kind, and `Change: Replace in Payouts` another one.
        let names_another = number.starts_with([':', '—', '–']) && verb_of(number).is_some();
        (start.eq_ignore_ascii_case(word) && (counts || names_another)).then_some(behind)
    });
    let bare = counted.unwrap_or(line);
    let numbered = bare.trim_start_matches(['(', '[']);
    let behind = numbered.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = match behind.len() < numbered.len() {
        true => behind,
        false => bare,
    };
    let rest = match counted.is_some() || rest.len() < bare.len() {
        true => rest.trim_start_matches([' ', ':', '(', ')', ']', '.', '-', '–', '—']),
        false => rest,
    };
    without_marks(rest)
}

/// True for a heading that only counts: `Change 2`.
pub(super) fn only_counts(title: &str) -> bool {
    let bare = without_number(without_marks(title));
    let words = words_in(title);
    let mut left = words
        .iter()
        .filter(|word| !COUNTED.contains(&word.text.as_str()));
    !words.is_empty() && (bare.trim().is_empty() || left.all(Word::is_number))
}

const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('`', '`'), ('«', '»'), ('„', '“')];

/// What stands in quotes at the start of a text, and where it ends.
pub(super) fn quoted_at(text: &str) -> Option<(&str, usize)> {
    let open = text.chars().next()?;
    let (_, close) = QUOTES.iter().find(|(known, _)| *known == open)?;
    let inner = &text[open.len_utf8()..];
    let end = inner.find(*close)?;
    let whole = open.len_utf8() + end + close.len_utf8();
    (end > 0).then(|| (&inner[..end], whole))
}

/// The places of what stands in quotes in a line, quotes included, and their texts.
pub(super) fn quotes_in(line: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        match quoted_at(&line[at..]) {
            Some((inner, length)) if found.len() < 4 => {
                found.push((at..at + length, inner));
                at += length;
            }
            Some(_) => break,
            None if QUOTES.iter().any(|(open, _)| *open == c) => break,
            None => at += c.len_utf8(),
        }
    }
    found
}

/// A section's title without the marks around it.
pub(super) fn clean_title(title: &str) -> Option<String> {
    let mut rest = title.trim();
    loop {
        let before = rest.len();
        rest = rest
            .trim_end_matches([':', ' ', '\t'])
            .trim_start_matches([':', ' ', '\t']);
        rest = rest.trim_matches(['*', '_']);
        rest = rest.trim_start_matches('#').trim();
        if let Some((inner, end)) = quoted_at(rest)
            && (end == rest.len()
                || matches!(rest[end..].trim(), "." | ":" | "section" | "section:"))
        {
            rest = inner.trim();
        }
        for (open, close) in [('\'', '\''), ('‘', '’'), ('<', '>')] {
            let inner = rest
                .strip_prefix(open)
                .and_then(|it| it.strip_suffix(close));
            rest = inner.map_or(rest, str::trim);
        }
        if rest.len() == before {
            break;
        }
    }
    let rest = without_section_word(rest);
    let title: String = rest.chars().take(LONGEST_TITLE).collect();
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

/// `the Payouts section` is `Payouts`, and a section that is called `Section` stays.
fn without_section_word(title: &str) -> &str {
    let bare = title
        .strip_suffix(" section")
        .or_else(|| title.strip_suffix(" Section"));
    bare.map_or(title, |bare| {
        bare.trim_matches(['"', '`', '“', '”', '*', ' '])
    })
}
