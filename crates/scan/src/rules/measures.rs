//! Rules for what a spec names and never explains: scores and rates without a way to compute them, criteria and policies without
//! their contents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{Asked, has_number, is_demanded, is_required, is_spelled_out, stem};
use super::bounds;
use crate::facts::normalised;
use crate::rule::Found;
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static UNDEFINED_MEASURE: Rule = Rule {
    id: "undefined-measure",
    category: "DEF",
    severity: Severity::Medium,
    title: "How is the score, the rate or the rank computed?",
    reason: "A figure that two people compute in two ways can be neither tested nor compared.",
    suggestion: "give the formula: what is counted, over which period, divided by what",
    topic: Topic::Definition,
    bad: &[
        "The dashboard must show the average click rate.",
        "The system shall queue requests with priority ranking.",
        "The report shall list active users by country.",
    ],
    good: &[
        "The dashboard must show the average click rate.\n\nThe click rate is the number of clicks divided by the number of views.",
        "The report shall list active users by country.\n\n## Glossary\n\n- Active users: those who signed in within 30 days",
        "The player must show its high score.",
    ],
    check: measures,
};

pub static UNSTATED_CRITERIA: Rule = Rule {
    id: "unstated-criteria",
    category: "DEF",
    severity: Severity::Medium,
    title: "Which criteria, rules or policies are these?",
    reason: "The decision hangs on a list that nobody has written.",
    suggestion: "list them here, or link to where they are written",
    topic: Topic::Definition,
    bad: &[
        "When graduation criteria are met, the system shall upgrade the account.",
        "The system shall check the post against community policies.",
    ],
    good: &[
        "When graduation criteria are met, the system shall upgrade the account.\n\n## Graduation criteria\n\n- 10 sessions",
        "The system shall check the post against the policies in `policies.md`.",
        "The system shall check the following criteria: age, country and balance.",
    ],
    check: criteria,
};

/// Words that say how a figure comes about.
const COMPUTING: [&str; 29] = [
    "=",
    "divided",
    "calculated as",
    "computed as",
    "computed from",
    "derived from",
    "defined as",
    "means",
    " ratio",
    "sum of",
    "number of",
    "based on",
    "formula",
    "weighted",
    "is the",
    "are the",
    "counts",
    "percentage of",
    "share of",
    "proportion",
    "average of",
    "who ",
    " by 1",
    " by one",
    " point per",
    " points per",
    " points for",
    " point for",
    "increments",
];

fn measures(facts: &Facts<'_>, found: &mut Found) {
    let mut open: BTreeMap<String, (&Sentence, Range<usize>)> = BTreeMap::new();
    let mut order = Vec::new();
    let demands = facts
        .claims
        .iter()
        .filter(|claim| is_required(facts, claim))
        .map(|claim| &facts.sentences[claim.sentence]);
    let hits = demands.flat_map(|sentence| {
        let hits = facts.hits_of(sentence, Class::Measure);
        hits.map(move |hit| (sentence, hit))
    });
    for (sentence, hit) in hits {
        let key = stem(facts.text(facts.span_of_hit(hit)));
        let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
        let is_name = facts.prose()[..facts.words[hit.first].start].ends_with('_')
            || matches!(before.as_str(), "promoter" | "high" | "sat" | "test")
            || facts.is_in_quotes(sentence, facts.words[hit.first].start);
        let mut nots = facts.hits_of(sentence, Class::Not);
        let is_denied = nots.any(|not| not.first < hit.first);
        if is_name
            || is_denied
            || is_spelled_out(facts, sentence, hit.first + hit.count - 1)
            || has_number(facts, sentence)
            || bounds::bound_of(facts, sentence).is_some()
            || open.contains_key(&key)
        {
            continue;
        }
        order.push(key.clone());
        open.insert(key, (sentence, facts.span_of_hit(hit)));
    }
    for sentence in facts.sentences.iter().filter(|it| it.has(Class::Measure)) {
        if open.is_empty() {
            return;
        }
        let text = facts.text(sentence.span.clone()).to_lowercase();
        let computes = COMPUTING.iter().any(|word| text.contains(word))
            || facts.section_of(sentence).purpose == Purpose::Glossary
            || facts.block_of(sentence).kind == BlockKind::Heading;
        if computes {
            for hit in facts.hits_of(sentence, Class::Measure) {
                open.remove(&stem(facts.text(facts.span_of_hit(hit))));
            }
        }
    }
    let mut asked = Asked::default();
    let mut sentences = BTreeSet::new();
    for key in order {
        if let Some((sentence, span)) = open.remove(&key)
            && sentences.insert(sentence.span.start)
        {
            let shown = facts.text(span.clone()).to_owned();
            let question = format!("how is \"{shown}\" computed, from what and over which period?");
            asked.about(facts, sentence, span, &question);
        }
    }
    asked.tell(found);
}

/// Words before a list of rules that name none: `the following criteria`, `all requirements`.
const UNNAMED: [&str; 46] = [
    "the",
    "these",
    "those",
    "this",
    "following",
    "all",
    "any",
    "other",
    "functional",
    "and",
    "or",
    "non-functional",
    "acceptance",
    "success",
    "system",
    "above",
    "below",
    "such",
    "same",
    "its",
    "their",
    "our",
    "of",
    "a",
    "an",
    "no",
    "more",
    "some",
    "multiple",
    "additional",
    "complex",
    "race",
    "boundary",
    "error",
    "nested",
    "new",
    "existing",
    "with",
    "for",
    "to",
    "edge",
    "core",
    "launch",
    "technical",
    "user",
    "design",
];

/// Words that use a list of rules.
const USING: [&str; 33] = [
    "meet",
    "meets",
    "met",
    "match",
    "matches",
    "satisfy",
    "satisfies",
    "satisfied",
    "fulfil",
    "fulfils",
    "against",
    "enforce",
    "enforces",
    "respect",
    "respects",
    "follow",
    "follows",
    "comply",
    "complies",
    "according",
    "adhere",
    "violate",
    "violates",
    "with",
    "subject",
    "per",
    "complete",
    "completed",
    "completes",
    "achieve",
    "achieved",
    "reach",
    "reached",
];

fn criteria(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    for claim in &facts.claims {
        let sentence = &facts.sentences[claim.sentence];
        let Some(hit) = facts.hits_of(sentence, Class::Criterion).next() else {
            continue;
        };
        let at = hit.first;
        let is_first = at == sentence.words.start;
        if is_first || !is_demanded(facts, claim) || bounds::bound_of(facts, sentence).is_some() {
            continue;
        }
        let modifier = &facts.words[at - 1];
        let named = facts.text(modifier.span()).to_lowercase();
        let joined = facts.between(modifier, &facts.words[at]) == " ";
        let is_list = !joined || !modifier.is_plain() || UNNAMED.contains(&named.as_str());
        let span = modifier.start..facts.words[at + hit.count - 1].end;
        let phrase = normalised(facts.text(span.clone()));
        if is_list
            || !is_used(facts, sentence, at)
            || is_spelled_out(facts, sentence, at)
            || facts.definitions.known.contains(&phrase)
            || points_elsewhere(facts, sentence)
            || !told.insert(phrase)
        {
            continue;
        }
        let shown = facts.text(span.clone()).to_owned();
        asked.about(
            facts,
            sentence,
            span,
            &format!("what are the \"{shown}\", and where are they written?"),
        );
    }
    asked.tell(found);
}

fn is_used(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    const REACH: usize = 5;
    let near = at.saturating_sub(REACH).max(sentence.words.start)..sentence.words.end.min(at + 4);
    near.clone().any(|index| {
        let word = facts.word(index);
        USING.iter().any(|verb| word.eq_ignore_ascii_case(verb))
    })
}

/// Whether a sentence says where to read on: by code, a link or a section.
fn points_elsewhere(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let text = facts.text(sentence.span.clone());
    text.contains(['`', '['])
        || ["section", "see ", "defined in", "§"]
            .iter()
            .any(|it| text.contains(it))
}
