//! The rule for values of a status that nothing in the spec sets or reads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{Asked, claims};
use super::omissions::has_word;
use crate::rule::Found;
use crate::{Facts, Rule, Sentence, Topic};

pub static STATUS_UNUSED: Rule = Rule {
    id: "status-unused",
    category: "STATE",
    severity: Severity::Medium,
    title: "What sets this status, and what ends it?",
    reason: "It is listed, and the spec never says what leads there, or what leads away.",
    suggestion: "say what sets it and what ends it, or take it out of the list",
    topic: Topic::StateMachine,
    bad: &[
        "- **Order**: id, status (open/paid/frozen)\n\nAn order must be open until it is paid.",
        "The status must be one of draft, published or withdrawn.\n\nA draft must be published by an editor.",
    ],
    good: &[
        "- **Order**: id, status (open/paid)\n\nAn order must be open until it is paid.",
        "- **Order**: id, status (open/blocked)\n\nA clerk must be able to block an open order.",
    ],
    check: statuses,
};

/// A list of values that is named as a status.
struct Values {
    sentence: usize,
    words: Vec<usize>,
}

fn statuses(facts: &Facts<'_>, found: &mut Found) {
    let lists: Vec<Values> = (0..facts.sentences.len())
        .filter_map(|at| values_of(facts, at))
        .collect();
    let listed: BTreeSet<usize> = lists
        .iter()
        .flat_map(|list| list.words.iter().copied())
        .collect();
    let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
    for at in &listed {
        wanted.insert(root(facts.word(*at)), 0);
    }
    if wanted.is_empty() {
        return;
    }
    for sentence in claims(facts) {
        for index in sentence.words.clone() {
            if !listed.contains(&index)
                && let Some(uses) = wanted.get_mut(&root(facts.word(index)))
            {
                *uses += 1;
            }
        }
    }
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    for list in lists {
        let unused = |at: &&usize| wanted.get(&root(facts.word(**at))) == Some(&0);
        // The first is where things begin.
        let unused: Vec<usize> = list.words.iter().skip(1).filter(unused).copied().collect();
        // A list of which nothing is used belongs to another system.
        if unused.is_empty() || 2 * unused.len() > list.words.len() {
            continue;
        }
        let names: Vec<&str> = unused.iter().map(|at| facts.word(*at)).collect();
        if told.insert(names.join(" ").to_lowercase()) {
            let names = names.join("\" and \"");
            let question = format!("what sets \"{names}\", and what ends it?");
            let span = span_of(facts, &list.words);
            asked.about(facts, &facts.sentences[list.sentence], span, &question);
        }
    }
    asked.tell(found);
}

fn span_of(facts: &Facts<'_>, words: &[usize]) -> Range<usize> {
    let (first, last) = (words[0], words[words.len() - 1]);
    facts.words[first].start..facts.words[last].end
}

/// A word by what its forms share: `disable`, `disabled`, `disabling`.
fn root(word: &str) -> String {
    let lower = word.trim_matches('`').to_lowercase();
    let ends = ["ation", "ing", "ed", "es", "e", "s", "d"];
    let cut = ends
        .iter()
        .find_map(|end| lower.strip_suffix(end).filter(|stem| stem.len() >= 4));
    cut.unwrap_or(&lower).to_owned()
}

/// The values in `status (open/paid/frozen)`, `status: open | paid` and `status must be one of open, paid or frozen`.
fn values_of(facts: &Facts<'_>, at: usize) -> Option<Values> {
    const MOST_VALUES: usize = 12;
    let sentence: &Sentence = &facts.sentences[at];
    let kind = &facts.block_of(sentence).kind;
    if *kind == BlockKind::Heading || sentence.is_recorded_gap {
        return None;
    }
    let mut words = sentence.words.clone();
    let named = words.find(|index| {
        let word = facts.word(*index);
        ["status", "state"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    })?;
    // What is shown of a status is set by another system.
    let shown = [
        "show", "shows", "get", "gets", "display", "displays", "return", "returns",
    ];
    if has_word(facts, sentence, &shown) {
        return None;
    }
    // `Status: draft / approved` at the head is the status of the spec itself.
    let is_at_head = facts.section_of(sentence).level <= 1;
    // A cell that begins with it names the values of somebody else's field.
    let may_be_other = is_at_head || *kind == BlockKind::Cell;
    if sentence.is_quoted || may_be_other && named == sentence.words.start {
        return None;
    }
    let mut start = named + 1;
    const LEADING: [&str; 9] = [
        "must", "be", "is", "one", "of", "either", "can", "values", "may",
    ];
    while start < sentence.words.end && LEADING.contains(&facts.word(start)) {
        start += 1;
    }
    let gap = |left: usize| facts.between(&facts.words[left], &facts.words[left + 1]);
    if start >= sentence.words.end || start == named + 1 && !gap(named).contains(['(', ':']) {
        return None;
    }
    let mut values = Vec::new();
    let mut index = start;
    while index < sentence.words.end && values.len() < MOST_VALUES {
        let is_or = facts.word(index).eq_ignore_ascii_case("or");
        if !is_or {
            values.push(index);
        }
        let last = index + 1 >= sentence.words.end;
        if last
            || !is_or && !separates(gap(index), facts.word(index + 1))
            || gap(index).contains(')')
        {
            break;
        }
        index += 1;
    }
    let plain = |index: &usize| facts.words[*index].is_plain() && facts.word(*index).len() > 2;
    (values.len() >= 2 && values.iter().all(plain)).then_some(Values {
        sentence: at,
        words: values,
    })
}

fn separates(gap: &str, next: &str) -> bool {
    gap.contains(['/', '|', ',']) || next.eq_ignore_ascii_case("or")
}
