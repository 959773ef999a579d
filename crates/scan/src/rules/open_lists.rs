//! The rule for lists that are left open.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_domain::Severity;
use gapless_domain::words::phrases;
use gapless_markdown::{BlockKind, last_at};

use super::vagueness::say;
use crate::facts::{Hit, Word};
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Force, Rule, Sentence, Topic};

pub static OPEN_LIST: Rule = Rule {
    id: "open-list",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "What else belongs to the list?",
    reason: "What the list leaves out has to be guessed.",
    suggestion: "list every member, or give the rule that says what belongs",
    topic: Topic::Other,
    bad: &[
        "The export supports CSV, JSON, etc.",
        "Names, addresses and so on are copied.",
        "Each order has a type (enum: sale, gift, etc.) and a date.",
        "Supported formats:\n\n- CSV\n- JSON\n- ...",
    ],
    good: &[
        "The export supports CSV and JSON.",
        "The folder `/etc` is read first.",
        "Reads are more common and more urgent than writes.",
        "Common clients (for example curl, wget, etc.) work unchanged.",
        "The groups of the pattern are `{1}`, `{2}`, etc.",
        "It is unclear to us how items are routed etc.",
        "The tax depends on the place (state, city, etc.) of the buyer.",
    ],
    check: open_lists,
};

const QUESTION: &str = "what else belongs to the list?";

fn open_lists(facts: &Facts<'_>, found: &mut Found) {
    let ending = facts.binding().filter(|it| it.has(Class::OpenEnd));
    for sentence in ending.filter(|sentence| lists(facts, sentence)) {
        let Some(hit) = facts.hits_of(sentence, Class::OpenEnd).next() else {
            continue;
        };
        let whole = facts.text(sentence.span.clone());
        let marks = ["e.g", "for example", "such as", "for instance", "like "];
        let illustrates = marks.iter().any(|mark| whole.contains(mark));
        let span = facts.span_of_hit(hit);
        // `read()`, `write()`, etc. are names that the code has.
        let before = facts.words.get(hit.first.wrapping_sub(1));
        let is_set = [" one of ", " has ", " have ", "must"]
            .iter()
            .any(|mark| whole.contains(mark));
        let names_code =
            !is_set && hit.first > sentence.words.start && before.is_some_and(Word::is_code);
        if names_code
            || facts.prose()[..span.start]
                .trim_end()
                .ends_with(['"', '\u{201d}', '/'])
        {
            continue;
        }
        let is_path = facts.prose()[..span.start].ends_with(['/', '.']);
        // `more common and more insidious` compares, and ends no list.
        let goes_on = facts.text(span.clone()).eq_ignore_ascii_case("and more")
            && facts.prose()[span.end..]
                .trim_start_matches([' ', '\n'])
                .starts_with(|c: char| c.is_alphanumeric());
        if illustrates
            || is_path
            || goes_on
            || is_series(facts, sentence, hit)
            || is_aside(facts, sentence, hit)
        {
            continue;
        }
        say(facts, span, sentence, found, QUESTION);
    }
    for (index, block) in facts.document.blocks.iter().enumerate() {
        let text = facts.text(block.span.clone()).trim();
        let section = &facts.sections[facts.section_of_block[index]];
        // Examples may leave something out, unless they leave out everything.
        let is_all = section.blocks.len() <= 2;
        let binds = !section.is_informative || is_all;
        if binds && block.kind == BlockKind::Item && matches!(text, "..." | "…") {
            let message = format!(
                "the list in \"{}\" ends in \"{text}\": {QUESTION}",
                quoted(&section.title)
            );
            found.at(block.span.clone(), message);
        }
    }
}

/// Whether a sentence lists what is required: it obliges, or it is a cell that explains nothing.
fn lists(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let is_cell = facts.block_of(sentence).kind == BlockKind::Cell;
    if is_cell && !facts.section_of(sentence).obliges {
        return false;
    }
    let explains =
        sentence.has(Class::Telling) || sentence.has(Class::Speaker) || is_weighed(facts, sentence);
    sentence.force == Force::Obliges || is_cell && !explains
}

/// Whether a cell is in a column of what was not chosen.
fn is_weighed(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let at = sentence.span.start;
    let table = last_at(&facts.tables, at, |table| table.head_span.start);
    let Some(table) = table else {
        return false;
    };
    const MOST_HEADS: usize = 12;
    table.head.iter().take(MOST_HEADS).any(|head| {
        ["alternative", "rejected", "considered", "instead"]
            .iter()
            .any(|word| head.contains(word))
    })
}

/// Words for things of which a spec must name every one.
static SETS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/closed_sets.txt")).collect());

/// `the place (state, city, etc.)` says by examples what a place is; `the type (sale, gift, etc.)` is a list of values.
fn is_aside(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    const NEAR: usize = 3;
    let span = facts.span_of_hit(hit);
    let before = facts.text(sentence.span.start..span.start);
    let Some(open) = before
        .rfind('(')
        .filter(|open| !before[*open..].contains(')'))
    else {
        return false;
    };
    let open = sentence.span.start + open;
    let words = facts.words_of(sentence);
    let inside = words.partition_point(|word| word.start < open);
    let near = &words[inside.saturating_sub(NEAR)..inside];
    let names_a_set = words
        .get(inside)
        .is_some_and(|word| matches!(facts.text(word.span()), "enum" | "one"));
    !names_a_set
        && !near.iter().any(|word| {
            let text = facts.text(word.span()).to_lowercase();
            SETS.iter()
                .any(|set| text == *set || text.len() > set.len() + 2 && text.ends_with(set))
        })
}

/// `1`, `2`, and so on: the members before say the rule. An item that has nothing else goes on with the items above.
fn is_series(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let before = &facts.words[sentence.words.start..hit.first];
    let mut near = before.iter().rev().take(2);
    let counted = near.any(|word| {
        word.is_number()
            || word.is_code()
                && facts
                    .text(word.span())
                    .contains(|c: char| c.is_ascii_digit())
    });
    counted || before.is_empty()
}
