//! The rule for edge cases that are listed without what happens in them.

use std::collections::BTreeSet;

use gapless_domain::Severity;
use gapless_markdown::{BlockKind, Document, last_at};

use super::asking::{Asked, claims, stem};
use crate::rule::Found;
use crate::{Facts, Rule, Sentence, Topic};

pub static EDGE_CASE_OPEN: Rule = Rule {
    id: "edge-case-open",
    category: "EDGE",
    severity: Severity::Medium,
    title: "What happens in this edge case?",
    reason: "The author saw the case coming, and the spec doesn't say what happens then.",
    suggestion: "say what happens, and what the user or the caller sees",
    topic: Topic::ErrorResponse,
    bad: &[
        "## Edge Cases\n\n- What happens when two users edit the same note?\n- How does the system handle a full disk?",
        "**Edge Cases**:\n\n- What happens when the upload stops half-way?",
        "- **Edge cases:** double sign-up, an empty cart, payment after the deadline",
        "## Edge cases\n\n- The network fails during an upload\n- Two sign-ups with one address",
    ],
    good: &[
        "## Edge Cases\n\n- What happens when two users edit the same note? The later one is refused.",
        "## Edge cases\n\n- Network failure: the upload is retried 3 times",
        "## Edge Cases\n\n- What happens when two users edit the same note?\n  - The later one is refused with `409`.",
        "- **Edge cases:** a double sign-up is refused",
        "- **Edge cases:** none",
        "## Frequent questions\n\n- What happens on Sundays?",
    ],
    check: cases,
};

const TITLES: [&str; 5] = [
    "edge case",
    "corner case",
    "boundary condition",
    "boundary case",
    "special cases",
];

/// Each case is compared with all claims, so that no more are read.
const MOST_CASES: usize = 60;

fn cases(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let mut is_under = false;
    let mut considered = 0;
    let mut next = 0;
    for (index, block) in facts.document.blocks.iter().enumerate() {
        let first = next;
        let rest = facts.sentences[first..].iter();
        next += rest.take_while(|sentence| sentence.block == index).count();
        let Some(sentence) = facts.sentences.get(first).filter(|_| next > first) else {
            continue;
        };
        let text = facts.text(block.span.clone());
        match block.kind {
            BlockKind::Heading => is_under = titled(text),
            BlockKind::Paragraph if is_label(text) => is_under = titled(text),
            BlockKind::Paragraph | BlockKind::Item if lists_cases(text) => {
                considered += 1;
                let sentences = &facts.sentences[first..next];
                let is_bare = sentences.iter().all(|it| it.modal.is_none())
                    && !sentence.is_recorded_gap
                    && !sentence.is_quoted
                    && !has_points(&facts.document, index);
                if considered <= MOST_CASES && is_bare && !is_answered(facts, sentence, Share::Half)
                {
                    let question = "what happens in each of these cases?";
                    asked.about(facts, sentence, sentence.span.clone(), question);
                }
            }
            BlockKind::Item
                if is_under
                    && !is_nested(facts, index)
                    && !sentence.is_recorded_gap
                    && !sentence.is_quoted =>
            {
                considered += 1;
                if considered <= MOST_CASES && is_open(facts, sentence, index) {
                    let span = sentence.span.clone();
                    asked.about(
                        facts,
                        sentence,
                        span,
                        "what happens then, and what does the user or the caller see?",
                    );
                }
            }
            _ => {}
        }
    }
    asked.tell(found);
}

fn titled(text: &str) -> bool {
    let text = text.to_lowercase();
    TITLES.iter().any(|title| text.contains(title))
}

/// `**Edge cases:** a double sign-up, an empty cart`: cases in a row, without a word of what happens.
pub fn lists_cases(text: &str) -> bool {
    const OUTCOMES: [&str; 12] = [
        "→",
        "->",
        "=>",
        " — ",
        " – ",
        " - ",
        ";",
        "none",
        "n/a",
        " handled",
        " returns ",
        " see ",
    ];
    const LONGEST: usize = 1000;
    let text = text.trim_start_matches(['*', '_', ' ']);
    if text.len() > LONGEST {
        return false;
    }
    let Some((label, cases)) = text.split_once(':') else {
        return false;
    };
    let cases = cases.trim_start_matches(['*', '_', ' ']).to_lowercase();
    label.len() < 40
        && titled(label)
        && label.trim_end_matches(['*', '_', ' ']).ends_with('s')
        && !cases.is_empty()
        && !cases.contains(": ")
        && !OUTCOMES.iter().any(|mark| cases.contains(mark))
        && !cases
            .split_whitespace()
            .any(|word| matches!(word, "is" | "are"))
}

/// A paragraph in the place of a heading.
fn is_label(text: &str) -> bool {
    text.len() < 60
        && text.starts_with("**")
        && text.trim_end_matches([':', '*', ' ', '\n']).len() < text.trim_end().len()
}

/// Whether an item names a case, and neither it nor what is below it nor a claim says what happens.
fn is_open(facts: &Facts<'_>, sentence: &Sentence, index: usize) -> bool {
    let block = &facts.document.blocks[index].span;
    let text = facts
        .text(block.clone())
        .trim()
        .trim_end_matches(['*', '_']);
    if has_points(&facts.document, index) {
        return false;
    }
    if text.ends_with('?') {
        return !is_answered(facts, sentence, Share::Half);
    }
    const MARKS: [&str; 9] = ["—", "–", " - ", "→", "->", "=>", ": ", ";", "?"];
    const MOST_WORDS: usize = 16;
    let is_one = facts.sentences_within(block).nth(1).is_none();
    // `Withdrawn ones are left out` says what happens.
    let mut words = text.split_whitespace();
    let states = words.any(|word| word == "are");
    is_one
        && !states
        && sentence.modal.is_none()
        && sentence.words.len() <= MOST_WORDS
        && !MARKS.iter().any(|mark| text.contains(mark))
        && !is_answered(facts, sentence, Share::Third)
}

/// How much of a case a claim must repeat to be about it.
#[derive(Clone, Copy)]
enum Share {
    Third,
    Half,
}

/// Whether a claim elsewhere speaks of the same case: of the same situation, or in mostly the same words.
fn is_answered(facts: &Facts<'_>, case: &Sentence, share: Share) -> bool {
    const LEAST: usize = 3;
    let contents = contents_of(facts, case);
    let situations: Vec<&String> = contents.iter().filter(|word| is_situation(word)).collect();
    let needed = match share {
        _ if !situations.is_empty() => 2,
        Share::Third => contents.len().div_ceil(3).max(LEAST),
        Share::Half => contents.len().div_ceil(2).max(LEAST),
    };
    claims(facts).any(|claim| {
        let elsewhere = claim.section != case.section || claim.block > case.block + CASES;
        elsewhere && {
            let said = contents_of(facts, claim);
            let same = situations.is_empty() || situations.iter().any(|word| said.contains(*word));
            same && said.intersection(&contents).count() >= needed
        }
    })
}

/// Words that make an edge case what it is, so that an answer has one of them.
fn is_situation(word: &str) -> bool {
    const SITUATIONS: [&str; 29] = [
        "concurrent",
        "concurrently",
        "simultaneou",
        "simultaneously",
        "offline",
        "timeout",
        "empty",
        "null",
        "missing",
        "duplicate",
        "expired",
        "expire",
        "invalid",
        "malformed",
        "corrupt",
        "corrupted",
        "oversized",
        "unavailable",
        "unreachable",
        "crash",
        "crashe",
        "restart",
        "interrupted",
        "partial",
        "network",
        "disconnect",
        "twice",
        "zero",
        "negative",
    ];
    SITUATIONS.contains(&word)
}

/// Claims so near are other cases of the same list.
const CASES: usize = 40;

fn contents_of(facts: &Facts<'_>, sentence: &Sentence) -> BTreeSet<String> {
    const SHORTEST: usize = 4;
    const COMMON: [&str; 16] = [
        "what", "when", "happen", "happens", "system", "must", "should", "shall", "does", "with",
        "that", "handle", "user", "their", "while", "after",
    ];
    let words = sentence
        .words
        .clone()
        .filter(|index| facts.words[*index].is_plain())
        .flat_map(|index| facts.word(index).split('-'));
    words
        .map(stem)
        .filter(|word| word.len() >= SHORTEST && !COMMON.contains(&word.as_str()))
        .collect()
}

fn is_nested(facts: &Facts<'_>, index: usize) -> bool {
    let at = facts.document.blocks[index].span.start;
    let item = last_at(&facts.document.items, at, |item| item.span.start);
    item.is_some_and(|item| item.depth > 0)
}

/// Whether an item has points or a paragraph below it.
fn has_points(document: &Document<'_>, index: usize) -> bool {
    let at = document.blocks[index].span.start;
    let Some(item) = last_at(&document.items, at, |item| item.span.start) else {
        return false;
    };
    document
        .blocks
        .get(index + 1)
        .is_some_and(|next| next.span.start < item.span.end)
}
