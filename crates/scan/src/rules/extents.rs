//! Rules for words that leave open how much or which: enough of something, the top of a list, matters that must be noticed, and
//! ideals that must be ensured.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{
    Asked, behind, claims, claims_with, has_number, is_demanded, is_required, is_spelled_out,
};
use super::omissions::has_word;
use crate::facts::Hit;
use crate::rule::Found;
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static ENOUGH_FOR_WHAT: Rule = Rule {
    id: "enough-for-what",
    category: "VAGUE",
    severity: Severity::Low,
    title: "What is enough, meaningful or reliable, and by which test?",
    reason: "What is enough for the author isn't for the next reader, and no test can tell.",
    suggestion: "say what must be there at least, or the test that decides",
    topic: Topic::Other,
    bad: &[
        "Requirements:\n\n- Each report must carry enough context to act on it.",
        "## Requirements\n\n- Messages are only sent on meaningful changes",
        "## Requirements\n\n- The direct import is used when reliable",
    ],
    good: &[
        "Each report must carry enough context to act on it: the order's id, its state and the last error.",
        "The file must be copied if there is enough space for its 2 parts.",
    ],
    check: enough,
};

pub static OPEN_SELECTION: Rule = Rule {
    id: "open-selection",
    category: "VAGUE",
    severity: Severity::Low,
    title: "Which are selected, and how many?",
    reason: "The top of a list is another one for each order and each length.",
    suggestion: "say how many, and by which figure they are chosen",
    topic: Topic::Ordering,
    bad: &[
        "The report shall include top products.",
        "The home page must show recent orders.",
        "The system shall unlock additional features.",
    ],
    good: &[
        "The report shall include the top 10 products by revenue.",
        "The home page must show recent orders (the last 20).",
        "The system shall retry without additional delay.",
    ],
    check: selections,
};

pub static UNNAMED_MATTER: Rule = Rule {
    id: "unnamed-matter",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "What counts as an issue, an anomaly or sensitive data?",
    reason: "Somebody must write the check that finds them, and the spec doesn't say what it looks for.",
    suggestion: "list what counts, or give the rule that decides",
    topic: Topic::Other,
    bad: &[
        "The system shall suggest changes if issues are detected.",
        "The service must block suspicious activity.",
        "Logs must not contain sensitive data.",
    ],
    good: &[
        "The service must block suspicious activity, such as 5 sign-ins from 5 countries in a day.",
        "Logs must not contain sensitive data.\n\n## Sensitive data\n\nCard numbers and passwords are sensitive data.",
    ],
    check: matters,
};

pub static UNTESTED_IDEAL: Rule = Rule {
    id: "untested-ideal",
    category: "REQ",
    severity: Severity::Medium,
    title: "How is it ensured, and how would a test tell?",
    reason: "Nobody is against it, and nobody can show that it is met.",
    suggestion: "say what is done for it, and what a test would check",
    topic: Topic::Other,
    bad: &[
        "The system shall ensure fairness.",
        "The service must maintain data integrity.",
        "## Requirements\n\n- Fast search over all notes\n- User-friendly error messages",
    ],
    good: &[
        "The service must maintain data integrity by checking the hash of each block.",
        "The system shall ensure that each share is above 10%.",
        "The importer must use foreign keys to maintain integrity.",
    ],
    check: ideals,
};

fn enough(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    let mut last = None;
    for (sentence, hit) in claims_with(facts, Class::Enough) {
        let repeated = last.replace(sentence.span.start) == Some(sentence.span.start);
        let end = hit.first + hit.count - 1;
        if repeated || has_number(facts, sentence) || is_spelled_out(facts, sentence, end) {
            continue;
        }
        // `narrow enough that a model knows it`: the test is said.
        let before = facts.word(hit.first.wrapping_sub(1));
        let judges = matches!(before, "is" | "are") && facts.word(end + 1) == "for";
        if judges || facts.word(end + 1) == "that" {
            continue;
        }
        let span = facts.span_of_hit(hit);
        let shown = facts.text(span.clone()).to_owned();
        if hit.count > 1 && !told.insert(shown.to_lowercase()) {
            continue;
        }
        let question = format!("which test decides whether something is \"{shown}\"?");
        let question = match facts.word(hit.first).eq_ignore_ascii_case("enough") {
            true => "how much is enough, and what must be there at least?",
            false => &question,
        };
        asked.about(facts, sentence, span, question);
    }
    asked.tell(found);
}

/// Verbs that show or hand out what is selected.
const SHOWING: [&str; 26] = [
    "show",
    "shows",
    "display",
    "displays",
    "return",
    "returns",
    "list",
    "lists",
    "include",
    "includes",
    "suggest",
    "suggests",
    "recommend",
    "recommends",
    "present",
    "presents",
    "unlock",
    "review",
    "notify",
    "provide",
    "provides",
    "view",
    "see",
    "fetch",
    "highlight",
    "get",
];

/// A selection, as `top traffic sources`: the adjective and the noun that ends it.
fn selections(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let demands = facts
        .claims
        .iter()
        .filter(|claim| is_required(facts, claim));
    let demands = demands.map(|claim| &facts.sentences[claim.sentence]);
    for sentence in demands.filter(|it| it.has(Class::Choice)) {
        if !sentence.is_strict() && has_word(facts, sentence, &["additional"]) {
            continue;
        }
        if has_number(facts, sentence) || facts.block_of(sentence).kind == BlockKind::Cell {
            continue;
        }
        let Some(noun) = facts
            .hits_of(sentence, Class::Choice)
            .find_map(|hit| Some((hit, selected(facts, sentence, hit)?)))
        else {
            continue;
        };
        let (hit, last) = noun;
        let span = facts.words[hit.first].start..facts.words[last].end;
        let shown = facts.text(span.clone()).to_owned();
        let question = format!("which are the \"{shown}\", and how many of them?");
        asked.about(facts, sentence, span, &question);
    }
    asked.tell(found);
}

fn selected(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> Option<usize> {
    const DECIDING: [&str; 8] = [
        "by ",
        "based on",
        "within",
        "since",
        "from the last",
        "that ",
        "which ",
        "for ",
    ];
    let mut before = sentence.words.start..hit.first;
    let shows = before.any(|index| {
        let word = facts.word(index);
        SHOWING.iter().any(|verb| word.eq_ignore_ascii_case(verb))
    });
    let start = hit.first + hit.count;
    let joined = |index: &usize| {
        facts.between(&facts.words[*index - 1], &facts.words[*index]) == " "
            && facts.words[*index].is_plain()
    };
    let mut nouns = (start..sentence.words.end.min(start + 3)).take_while(joined);
    let last = nouns.find(|index| {
        let word = facts.word(*index);
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
    })?;
    let rest = behind(facts, sentence, last);
    let decided = DECIDING
        .iter()
        .any(|word| rest.trim_start().starts_with(word));
    (shows && !decided && !is_spelled_out(facts, sentence, last)).then_some(last)
}

/// Words behind a matter that say what counts as one.
const RULING: [&str; 7] = [
    "by ", "based on", "using ", "where ", "that ", "which ", "whose ",
];

fn matters(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    for claim in &facts.claims {
        let sentence = &facts.sentences[claim.sentence];
        let Some(hit) = facts.hits_of(sentence, Class::Matter).next() else {
            continue;
        };
        if !is_demanded(facts, claim) && !sentence.has(Class::Condition) {
            continue;
        }
        let span = facts.span_of_hit(hit);
        let shown = facts.text(span.clone()).to_owned();
        let key = shown.to_lowercase();
        let next = facts.word(hit.first + hit.count);
        if matches!(next, "resolved" | "fixed" | "addressed" | "closed") {
            continue;
        }
        let is_none = facts
            .word(hit.first.wrapping_sub(1))
            .eq_ignore_ascii_case("no");
        let rest = behind(facts, sentence, hit.first + hit.count - 1).trim_start();
        let is_ruled = RULING.iter().any(|word| rest.starts_with(word));
        if is_none
            || is_ruled
            || is_spelled_out(facts, sentence, hit.first + hit.count - 1)
            || !told.insert(key.clone())
        {
            continue;
        }
        let mut titles = facts
            .sections
            .iter()
            .map(|section| section.title.to_lowercase());
        if titles.any(|title| title.contains(&key)) {
            continue;
        }
        let question = match shown.rsplit_once(' ') {
            Some((noun, "are" | "is")) => format!("what counts as {noun} here?"),
            _ => format!("what counts as {shown}?"),
        };
        asked.about(facts, sentence, span, &question);
    }
    asked.tell(found);
}

const ENSURING: [&str; 14] = [
    "ensure",
    "ensures",
    "ensuring",
    "guarantee",
    "guarantees",
    "maintain",
    "maintains",
    "preserve",
    "preserves",
    "enforce",
    "achieve",
    "provide",
    "improve",
    "optimise",
];

fn ideals(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    for sentence in claims(facts).filter(|it| it.has(Class::Quality)) {
        if let Some(span) = bare_quality(facts, sentence) {
            asked.about(facts, sentence, span, "which measure tells that it is met?");
        }
    }
    for (sentence, hit) in claims_with(facts, Class::Ideal) {
        let last = hit.first + hit.count - 1;
        let from = hit.first.saturating_sub(3).max(sentence.words.start);
        let verb = (from..hit.first).find(|index| {
            let word = facts.word(*index);
            ENSURING.iter().any(|verb| word.eq_ignore_ascii_case(verb))
        });
        let ends = last + 1 == sentence.words.end;
        let Some(verb) = verb.filter(|_| ends && !has_number(facts, sentence)) else {
            continue;
        };
        // `Use constraints to keep integrity`: the means are said.
        let is_purpose = facts.word(verb.wrapping_sub(1)) == "to";
        let is_concrete = ![
            "fairness",
            "anonymity",
            "quality",
            "compliance",
            "transparency",
        ]
        .contains(&facts.word(last).to_lowercase().as_str());
        let says_how = is_purpose && is_concrete || is_spelled_out(facts, sentence, last);
        if says_how || sentence.words.len() < 3 {
            continue;
        }
        let span = facts.words[verb].start..facts.words[last].end;
        asked.about(
            facts,
            sentence,
            span,
            "what is done for it, and how would a test tell?",
        );
    }
    asked.tell(found);
}

/// `Fast search`: a quality that opens an item or a cell without a verb.
fn bare_quality(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    const LONGEST: usize = 10;
    const FACTUAL: [&str; 14] = [
        "available",
        "stable",
        "simple",
        "modern",
        "portable",
        "clean",
        "secure",
        "safe",
        "durable",
        "accessible",
        "compliant",
        "lightweight",
        "flexible",
        "friendly",
    ];
    let kind = &facts.block_of(sentence).kind;
    let is_point = *kind == BlockKind::Item && facts.section_of(sentence).obliges;
    let is_short = (2..=LONGEST).contains(&sentence.words.len());
    if !is_point || !is_short || sentence.modal.is_some() || has_number(facts, sentence) {
        return None;
    }
    let hit = facts.hits_of(sentence, Class::Quality).next()?;
    let word = facts.word(hit.first).to_lowercase();
    let last = hit.first + hit.count;
    let opens = hit.first == sentence.words.start && last < sentence.words.end;
    let joined = opens && facts.between(&facts.words[last - 1], &facts.words[last]) == " ";
    let is_quality =
        !FACTUAL.contains(&word.as_str()) && !is_spelled_out(facts, sentence, last - 1);
    (joined && is_quality).then(|| facts.words[hit.first].start..facts.words[last].end)
}
