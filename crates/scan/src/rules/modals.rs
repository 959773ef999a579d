//! The rule for requirements that forbid or leave free in one place what they demand in another.

use std::collections::BTreeMap;
use std::ops::Range;

use gapless_domain::Severity;

use crate::facts::normalised;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static CONTRADICTORY_MODALS: Rule = Rule {
    id: "contradictory-modals",
    category: "CONFLICT",
    severity: Severity::High,
    title: "Is it demanded, left free or forbidden?",
    reason: "Both sentences can't be met, and each implementer picks the one they read first.",
    suggestion: "decide which one holds, or give each the condition under which it does",
    topic: Topic::Consistency,
    bad: &[
        "The client must send the order id.\n\n## Later\n\nThe client may send the order id.",
        "Workers MUST NOT delete the input file.\n\n## Later\n\nA worker should delete the input file.",
        "The field `email` is required.\n\n## Later\n\nThe field `email` is optional.",
    ],
    good: &[
        "The client must send the order id.\n\n## Later\n\nThe server may send the order id.",
        "The client must send the order id.\n\n## Later\n\nIf the order is new, the client may omit the order id.",
        "When the queue is full, the worker must wait. When the queue is empty, the worker must not wait.",
        "The field `email` is required. The field `name` is optional.",
    ],
    check,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stance {
    Demanded,
    Free,
    Forbidden,
}

impl Stance {
    fn name(self) -> &'static str {
        match self {
            Stance::Demanded => "demanded",
            Stance::Free => "left free",
            Stance::Forbidden => "forbidden",
        }
    }
}

/// Who does what to what, as far as the sentence says it.
struct Claim {
    words: Vec<String>,
    /// Whether these are all the words that it has.
    is_whole: bool,
    stance: Stance,
    span: Range<usize>,
}

/// Who, and at least two words of what.
const FEWEST_WORDS: usize = 3;
/// What of a claim is compared.
const MOST_WORDS: usize = 6;

fn check(facts: &Facts<'_>, found: &mut Found) {
    let sentences = facts.binding();
    let sentences = sentences.filter_map(|sentence| claim(facts, sentence));
    let mut claims: Vec<Claim> = sentences.chain(required_columns(facts)).collect();
    claims.sort_by_key(|claim| claim.span.start);
    // A claim with more words says the same as a whole one that it begins with.
    let mut whole: BTreeMap<&[String], &Claim> = BTreeMap::new();
    let mut begun: BTreeMap<&[String], &Claim> = BTreeMap::new();
    for claim in &claims {
        let heads = (FEWEST_WORDS.min(claim.words.len())..=claim.words.len())
            .map(|length| &claim.words[..length]);
        let against = |other: &&Claim| other.stance != claim.stance;
        let mut known = heads.clone();
        let same = known.find_map(|head| whole.get(head).copied().filter(against));
        let longer = begun.get(claim.words.as_slice()).copied();
        let longer = longer.filter(|_| claim.is_whole).filter(against);
        if let Some(other) = same.or(longer) {
            say(facts, claim, other, found);
        }
        if claim.is_whole {
            whole.entry(&claim.words).or_insert(claim);
        }
        for head in heads {
            begun.entry(head).or_insert(claim);
        }
    }
}

fn say(facts: &Facts<'_>, claim: &Claim, other: &Claim, found: &mut Found) {
    let line = facts.document.line_of(other.span.start);
    let message = format!(
        "\"{}\" is {} here and {} on line {line} (\"{}\"): which one holds?",
        quoted(facts.text(claim.span.clone())),
        claim.stance.name(),
        other.stance.name(),
        quoted(facts.text(other.span.clone()))
    );
    found
        .at(claim.span.clone(), message)
        .about(Topic::of_text(&claim.words.join(" ")).or(Some(Topic::Consistency)));
}

const EMPTY: [&str; 40] = [
    "the", "a", "an", "its", "their", "this", "that", "any", "all", "each", "every", "be", "to",
    "of", "in", "with", "always", "also", "then", "it", "by", "at", "own", "only", "and", "or",
    "from", "as", "for", "on", "into", "is", "are", "both", "such", "them", "they", "these",
    "those", "has",
];

/// The words of a sentence up to where another clause begins.
fn clause(facts: &Facts<'_>, sentence: &Sentence) -> Range<usize> {
    let words = sentence.words.clone();
    let end = (words.start + 1..words.end).find(|index| {
        let between = facts.between(&facts.words[index - 1], &facts.words[*index]);
        between.contains([';', ':'])
    });
    words.start..end.unwrap_or(words.end)
}

/// What a sentence claims: who, does what, to what; `None` where it holds only under a condition.
fn claim(facts: &Facts<'_>, sentence: &Sentence) -> Option<Claim> {
    let words = clause(facts, sentence);
    if let Some(claim) = attribute(facts, sentence) {
        return Some(claim);
    }
    let modals = [Class::Must, Class::Should, Class::May];
    let mut hits = facts.hits[sentence.hits.clone()]
        .iter()
        .filter(|hit| modals.iter().any(|class| hit.classes.has(*class)));
    let modal = match hits.next() {
        Some(modal) => modal,
        // `The exporter never sends …`
        None => facts
            .hits_of(sentence, Class::Not)
            .find(|hit| facts.word(hit.first).eq_ignore_ascii_case("never"))?,
    };
    // Two modals are two claims; which words belong to which is not known.
    let mut conditions = facts.hits_of(sentence, Class::Condition);
    let conditional = conditions.any(|hit| hit.first < words.end);
    if hits.next().is_some() || conditional || modal.first >= words.end {
        return None;
    }
    let mut at = modal.first + modal.count;
    let behind = facts.word(at);
    let negated = behind.eq_ignore_ascii_case("not") || behind.eq_ignore_ascii_case("never");
    at += usize::from(negated);
    let stance = match modal.classes.has(Class::May) {
        _ if negated || modal.classes.has(Class::Not) => Stance::Forbidden,
        true => Stance::Free,
        false => Stance::Demanded,
    };
    let content = |index: &usize| {
        let word = facts.word(*index).to_lowercase();
        !EMPTY.contains(&word.as_str())
    };
    let subject = (words.start..modal.first).rev().find(content)?;
    let mut doing: Vec<String> = (at..words.end)
        .filter(content)
        .take(MOST_WORDS + 1)
        .map(|index| normalised(facts.word(index)))
        .collect();
    let is_whole = doing.len() <= MOST_WORDS;
    doing.truncate(MOST_WORDS);
    doing.insert(0, normalised(facts.word(subject)));
    (doing.len() >= FEWEST_WORDS).then(|| Claim {
        words: doing,
        is_whole,
        stance,
        span: sentence.span.clone(),
    })
}

/// `` `email` is required ``, `` `email` is optional ``.
fn attribute(facts: &Facts<'_>, sentence: &Sentence) -> Option<Claim> {
    let words = facts.words_of(sentence);
    let text = |index: usize| words.get(index).map_or("", |word| facts.text(word.span()));
    let code = words.iter().take(4).position(|word| word.is_code())?;
    if !matches!(text(code + 1), "is" | "are") {
        return None;
    }
    let stance = match text(code + 2) {
        "required" | "mandatory" => Stance::Demanded,
        "optional" => Stance::Free,
        "forbidden" => Stance::Forbidden,
        _ => return None,
    };
    let conditional = facts.hits_of(sentence, Class::Condition).next().is_some();
    (!conditional).then(|| Claim {
        words: vec!["field".to_owned(), normalised(text(code))],
        is_whole: true,
        stance,
        span: sentence.span.clone(),
    })
}

/// The `required` column of a table of fields. The same name in two tables is two fields, so only a lone table counts.
fn required_columns(facts: &Facts<'_>) -> Vec<Claim> {
    let mut tables = facts.tables.iter().filter_map(|table| {
        let column = table.head.iter().position(|head| head == "required")?;
        Some((column, table))
    });
    let (Some((column, table)), None) = (tables.next(), tables.next()) else {
        return Vec::new();
    };
    let claims = table.rows(facts).filter_map(|row| {
        let cell = row.cell(column).trim_matches(['*', '`']).to_lowercase();
        let stance = match cell.as_str() {
            "yes" | "required" | "true" | "✓" | "always" => Stance::Demanded,
            "no" | "optional" | "false" => Stance::Free,
            _ => return None,
        };
        let name = normalised(row.cell(0));
        (!name.is_empty()).then(|| Claim {
            words: vec!["field".to_owned(), name],
            is_whole: true,
            stance,
            span: row.span_of(facts, column),
        })
    });
    claims.collect()
}
