//! Finds the terms and acronyms that a spec defines, and those that it uses as if they were defined.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use gapless_domain::one_line;
use gapless_markdown::BlockKind;

use super::spec_text::SpecText;
use super::tables::{Table, bare};
use super::{Purpose, Sentence, Word};

const ACRONYMS: &str = include_str!("../words/acronyms.txt");
const NAMES: &str = include_str!("../words/names.txt");

fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
}

static KNOWN_ACRONYMS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| entries(ACRONYMS).collect());
static KNOWN_NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| entries(NAMES).collect());

/// A definition that says so: a glossary entry, or `X means …`.
#[derive(Debug, Clone)]
pub struct Definition {
    pub span: Range<usize>,
    pub body: String,
}

/// The first use of something, and how often it is used.
#[derive(Debug, Clone)]
pub struct Use {
    pub shown: String,
    pub span: Range<usize>,
    pub count: usize,
}

#[derive(Debug, Default)]
pub struct Definitions {
    /// Explicit definitions by their normalised term, in order.
    pub explicit: BTreeMap<String, Vec<Definition>>,
    /// Everything that is introduced somewhere, normalised.
    pub known: BTreeSet<String>,
    /// Without well-known acronyms.
    pub acronyms: BTreeMap<String, Use>,
    /// Capitalised terms in the middle of sentences, by their normalised form.
    pub terms: BTreeMap<String, Use>,
}

/// A term as it is compared: lowercase, one space, no plural.
pub fn normalised(term: &str) -> String {
    let joined = one_line(&bare(term).to_lowercase());
    if joined.ends_with("sses") {
        return joined[..joined.len() - "es".len()].to_owned();
    }
    match joined.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular.to_owned(),
        _ => joined,
    }
}

pub fn definitions_of(facts: &SpecText<'_>, tables: &[Table]) -> Definitions {
    let mut found = Definitions::default();
    from_headings(facts, &mut found);
    from_tables(facts, tables, &mut found);
    from_items(facts, &mut found);
    from_emphasis(facts, &mut found);
    for sentence in &facts.sentences {
        defined_by_verb(facts, sentence, &mut found);
        introduced_in_parentheses(facts, sentence, &mut found);
        acronyms_in(facts, sentence, &mut found);
        terms_in(facts, sentence, &mut found);
    }
    drop_ordinary_words(facts, &mut found);
    found
}

fn from_headings(facts: &SpecText<'_>, found: &mut Definitions) {
    for section in &facts.sections {
        let words = section.title.split(' ').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        if words.len() > 10 {
            continue;
        }
        for length in 1..=words.len().min(4) {
            for part in words.windows(length) {
                let part = part.join(" ");
                found.introduce(part.trim_matches(['(', ')', ':', ',', '.', '"']));
            }
        }
    }
}

fn define(found: &mut Definitions, term: &str, body: &str, span: Range<usize>) {
    let key = normalised(term);
    if key.is_empty() || key.split(' ').count() > 5 {
        return;
    }
    let body = body.chars().take(400).filter(|c| c.is_alphanumeric());
    found.known.insert(key.clone());
    found.explicit.entry(key).or_default().push(Definition {
        span,
        body: body.flat_map(char::to_lowercase).collect(),
    });
}

fn from_tables(facts: &SpecText<'_>, tables: &[Table], found: &mut Definitions) {
    for table in tables {
        let heads = [
            "term",
            "word",
            "acronym",
            "abbreviation",
            "terms",
            "concept",
        ];
        let in_glossary = facts.sections[table.section].purpose == Purpose::Glossary;
        let first = table.head.first();
        let defines = in_glossary || first.is_some_and(|head| heads.contains(&head.as_str()));
        for row in table.rows(facts) {
            let (term, body) = (row.cell(0), row.cell(1));
            match defines && !body.is_empty() {
                true => define(found, term, body, row.span_of(facts, 0)),
                false => found.introduce(term),
            }
            if let Some((long, rest)) = term.split_once('(') {
                found.introduce(long.trim());
                found.introduce(rest.split(')').next().unwrap_or("").trim());
            }
        }
    }
}

fn from_items(facts: &SpecText<'_>, found: &mut Definitions) {
    for item in &facts.document.items {
        let lead = [": ", " — ", " – ", " - "]
            .iter()
            .find_map(|mark| item.text.split_once(mark))
            .or_else(|| item.text.split_once(":** "));
        let Some((term, body)) = lead else {
            continue;
        };
        if term.len() > 60 || term.split(' ').count() > 5 {
            continue;
        }
        let term = bare(term.trim_end_matches(':'));
        let section = facts.section_at(item.span.start);
        found.introduce(term);
        if facts.sections[section].purpose == Purpose::Glossary && item.depth == 0 {
            let at = facts.text(item.span.clone()).find(term).unwrap_or(0);
            let start = item.span.start + at;
            define(found, term, body, start..start + term.len());
        }
    }
}

/// Bold, quoted and code words introduce what they name.
fn from_emphasis(facts: &SpecText<'_>, found: &mut Definitions) {
    for block in &facts.document.blocks {
        if matches!(block.kind, BlockKind::Code(_) | BlockKind::Html) {
            continue;
        }
        let text = facts.text(block.span.clone());
        let marks: Vec<usize> = text.match_indices("**").map(|(at, _)| at).collect();
        for pair in marks.chunks_exact(2) {
            let inner = &text[pair[0] + 2..pair[1].max(pair[0] + 2)];
            if inner.len() <= 60 {
                found.introduce(inner.trim_end_matches([':', '.']));
            }
        }
    }
    for code in &facts.document.code_spans {
        if code.len() <= 60 {
            found.introduce(facts.text(code.clone()));
        }
    }
}

/// `X means …`, `X stands for …`, `A Foo Bar is a …`.
fn defined_by_verb(facts: &SpecText<'_>, sentence: &Sentence, found: &mut Definitions) {
    let words = facts.words_of(sentence);
    let text = |index: usize| words.get(index).map_or("", |word| facts.text(word.span()));
    let mut articles = ["a", "an", "the"].iter();
    let skip = usize::from(articles.any(|article| text(0).eq_ignore_ascii_case(article)));
    let mut verbs = skip + 1..=(skip + 4).min(words.len().saturating_sub(1));
    let defines = |verb: &usize| {
        let pair = (text(*verb), text(*verb + 1));
        is_defining(pair) || is_introducing(pair)
    };
    let Some(verb) = verbs.find(defines) else {
        return;
    };
    let span = words[skip].start..words[verb - 1].end;
    let term = facts.text(span.clone()).to_owned();
    if PRONOUNS.contains(&term.to_lowercase().as_str()) {
        return;
    }
    let defined_elsewhere = text(verb + 1) == "defined"
        && matches!(
            text(verb + 2),
            "in" | "by" | "below" | "above" | "" | "here"
        );
    let capitalised = term.starts_with(|c: char| c.is_uppercase() || c == '`' || c == '*');
    if is_defining((text(verb), text(verb + 1))) && capitalised && !defined_elsewhere {
        let body = facts.text(words[verb].end..sentence.span.end).to_owned();
        define(found, &term, &body, span);
    } else {
        found.introduce(&term);
    }
}

const PRONOUNS: [&str; 8] = [
    "this", "that", "it", "these", "those", "which", "there", "what",
];

/// A verb and the word behind it that define the term before them.
fn is_defining(pair: (&str, &str)) -> bool {
    matches!(
        pair,
        ("means", _)
            | ("refers", "to")
            | ("stands", "for")
            | ("denotes", _)
            | ("is", "defined")
            | ("are", "defined")
    )
}

/// A verb and the word behind it that say what the term before them is, without defining it.
fn is_introducing(pair: (&str, &str)) -> bool {
    matches!(
        pair,
        (
            "is" | "are",
            "a" | "an" | "the" | "any" | "one" | "what" | "each"
        )
    )
}

/// `Long Form (LF)`, `LF (long form)`.
fn introduced_in_parentheses(facts: &SpecText<'_>, sentence: &Sentence, found: &mut Definitions) {
    let whole = facts.text(sentence.span.start..(sentence.span.end + 1).min(facts.prose().len()));
    // No honest sentence is longer, and every parenthesis looks at the rest of it.
    let whole = if whole.len() > 4000 { "" } else { whole };
    for (open, _) in whole.match_indices('(') {
        let inner = whole[open + 1..].split(')').next().unwrap_or("").trim();
        let before = whole[..open].trim_end();
        if is_acronym(inner) {
            found.introduce(inner);
            // `Ledger Batch (LB)` introduces both.
            let mut long: Vec<&str> = before.rsplit(' ').take(inner.len()).collect();
            long.reverse();
            found.introduce(&long.join(" "));
            continue;
        }
        let mut words = before.rsplit([' ', '*', '"', '(']);
        let short = words.find(|word| !word.is_empty()).unwrap_or("");
        if is_acronym(short) && inner.split(' ').count() >= 2 {
            found.introduce(short);
        }
    }
}

fn is_acronym(word: &str) -> bool {
    let stem = word.strip_suffix('s').unwrap_or(word);
    (2..=6).contains(&stem.len())
        && stem
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && stem.starts_with(|c: char| c.is_ascii_uppercase())
        && stem.bytes().filter(u8::is_ascii_uppercase).count() >= 2
}

fn is_capitals(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase())
}

fn acronyms_in(facts: &SpecText<'_>, sentence: &Sentence, found: &mut Definitions) {
    let section = facts.section_of(sentence);
    let kind = &facts.block_of(sentence).kind;
    let words = facts.words_of(sentence);
    // A cell of one or two words is a label.
    let label = *kind == BlockKind::Heading || *kind == BlockKind::Cell && words.len() < 3;
    let glossary = section.purpose == Purpose::Glossary;
    if label || glossary || section.is_informative || sentence.is_recorded_gap {
        return;
    }
    for (index, word) in words.iter().enumerate() {
        let text = facts.text(word.span());
        if !word.is_plain() || !is_acronym(text) {
            continue;
        }
        let key = text.strip_suffix('s').unwrap_or(text);
        let beside = [index.checked_sub(1), Some(index + 1)]
            .into_iter()
            .flatten()
            .filter_map(|beside| words.get(beside))
            .any(|beside| {
                let beside = facts.text(beside.span());
                is_capitals(beside) && KNOWN_ACRONYMS.contains(beside) && !is_modal(beside)
                    || is_capitals(beside) && beside.len() > 6
            });
        let behind = &facts.prose()[word.end..];
        let has_extension = behind
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        let part_of_path = has_extension
            || behind.starts_with(['/', '_', '-', '='])
            || facts.prose()[..word.start].ends_with(['/', '_', '.', '-', '$', '[']);
        if KNOWN_ACRONYMS.contains(key) || KNOWN_ACRONYMS.contains(text) || beside || part_of_path {
            continue;
        }
        note_use(&mut found.acronyms, key.to_owned(), key, word.span());
    }
}

fn note_use(uses: &mut BTreeMap<String, Use>, key: String, shown: &str, span: Range<usize>) {
    let first = || Use {
        shown: shown.to_owned(),
        span,
        count: 0,
    };
    uses.entry(key).or_insert_with(first).count += 1;
}

fn is_modal(word: &str) -> bool {
    matches!(
        word,
        "MUST" | "SHALL" | "SHOULD" | "MAY" | "NOT" | "REQUIRED" | "RECOMMENDED" | "OPTIONAL"
    )
}

const DETERMINERS: [&str; 14] = [
    "the", "a", "an", "each", "every", "its", "this", "that", "any", "one", "their", "another",
    "all", "both",
];

fn terms_in(facts: &SpecText<'_>, sentence: &Sentence, found: &mut Definitions) {
    let section = facts.section_of(sentence);
    let kind = &facts.block_of(sentence).kind;
    let words = facts.words_of(sentence);
    let label = *kind == BlockKind::Heading || *kind == BlockKind::Cell && words.len() < 5;
    if label || section.is_informative || sentence.is_recorded_gap || sentence.is_quoted {
        return;
    }
    let mut index = 1;
    while index < words.len() {
        let Some(end) = end_of_term(facts, words, index) else {
            index += 1;
            continue;
        };
        let span = words[index].start..words[end - 1].end;
        let shown = facts.text(span.clone());
        let is_name = words[index..end]
            .iter()
            .any(|word| KNOWN_NAMES.contains(facts.text(word.span())));
        if !is_name {
            note_use(&mut found.terms, normalised(shown), shown, span);
        }
        index = end;
    }
}

fn is_capitalised(facts: &SpecText<'_>, word: &Word) -> bool {
    let text = facts.text(word.span());
    let mut letters = text.chars();
    word.is_plain()
        && text.len() > 2
        && letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
}

/// Where a term of up to four capitalised words ends that begins at this word, right behind a determiner.
fn end_of_term(facts: &SpecText<'_>, words: &[Word], index: usize) -> Option<usize> {
    let capitalised = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| is_capitalised(facts, word))
    };
    let follows_at_once = |at: usize| facts.between(&words[at - 1], &words[at]) == " ";
    if !capitalised(index) {
        return None;
    }
    let before = facts.text(words[index - 1].span());
    let mut determiners = DETERMINERS.iter();
    let determined = determiners.any(|known| before.eq_ignore_ascii_case(known));
    if !determined || !follows_at_once(index) {
        return None;
    }
    let mut end = index + 1;
    while capitalised(end) && follows_at_once(end) && end - index < 4 {
        end += 1;
    }
    Some(end)
}

/// An acronym that also occurs in lowercase is an ordinary word, capitalised for emphasis.
fn drop_ordinary_words(facts: &SpecText<'_>, found: &mut Definitions) {
    if found.acronyms.is_empty() {
        return;
    }
    let keys = found.acronyms.keys();
    let lower: BTreeSet<String> = keys.map(|key| key.to_lowercase()).collect();
    let mut ordinary = BTreeSet::new();
    let plain = facts.words.iter().filter(|word| word.is_plain());
    for word in plain.filter(|word| word.end - word.start <= 6) {
        let text = facts.text(word.span());
        if lower.contains(text) {
            ordinary.insert(text.to_uppercase());
        }
    }
    found.acronyms.retain(|key, _| !ordinary.contains(key));
}

impl Definitions {
    fn introduce(&mut self, term: &str) {
        self.known.insert(normalised(term));
    }

    pub fn knows(&self, term: &str) -> bool {
        self.known.contains(&normalised(term))
    }
}
