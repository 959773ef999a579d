//! Rules for bounds without a number: minimums, thresholds, intervals and counts, and states that begin after some time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{self, Asked, claims_with, has_number, is_demanded, is_numbered_nearby, stem};
use super::edges;
use super::omissions::has_word;
use crate::rule::Found;
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static UNNUMBERED_BOUND: Rule = Rule {
    id: "unnumbered-bound",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "What is the limit, the interval or the threshold?",
    reason: "The spec says that there is a bound, and two people will pick two.",
    suggestion: "give the value with its unit, or where it is configured with its default and range",
    topic: Topic::SizeQuota,
    bad: &[
        "The service must respect the minimum order value.",
        "The system shall lock the account after multiple failed sign-ins.",
        "## Inputs\n\n- Poll interval\n- Room list",
        "The client must keep to the rate limit.",
    ],
    good: &[
        "The service must respect the minimum order value of 20 EUR.",
        "The system shall lock the account after 5 failed sign-ins.",
        "The client must keep to the rate limit.\n\n## Limits\n\nThe rate limit is 100 requests per minute.",
        "| setting | default |\n|---|---|\n| poll interval | 30 s |\n\nThe worker must wait for the poll interval.",
        "The dashboard must show the response time of each call.",
    ],
    check: bounds,
};

pub static UNDATED_STATE: Rule = Rule {
    id: "undated-state",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "After how long does it count as idle, late or out of date?",
    reason: "The behaviour hangs on a moment that nobody has named.",
    suggestion: "say after how long, and from which event the time counts",
    topic: Topic::Timeout,
    bad: &[
        "The system shall sign out inactive users.",
        "When an import is delayed, the dashboard shows a warning.",
        "If the price feed is down, the shop must show cached data.",
    ],
    good: &[
        "The system shall sign out users who were inactive for 15 minutes.",
        "The system shall sign out inactive users.\n\nA user is inactive after 15 minutes without a request.",
        "An administrator must be able to mark a user as inactive.",
    ],
    check: undated,
};

/// A bound in a sentence: where it is, and the words that identify it.
pub struct Bound {
    span: Range<usize>,
    key: (String, String),
}

fn bounds(facts: &Facts<'_>, found: &mut Found) {
    let mut open: Vec<(&Sentence, Bound)> = Vec::new();
    let demands = facts
        .claims
        .iter()
        .filter(|claim| claim.by_place || is_demanded(facts, claim));
    for sentence in demands.map(|claim| &facts.sentences[claim.sentence]) {
        // A timeout that happens is a case, and no bound.
        let block = facts.block_of(sentence).span.clone();
        if edges::lists_cases(facts.text(block)) {
            continue;
        }
        if sentence.has(Class::Repeated) && !is_numbered_nearby(facts, sentence) {
            let hit = facts.hits_of(sentence, Class::Repeated).next();
            open.extend(hit.map(|hit| (sentence, keyed(facts, hit.first..hit.first + hit.count))));
        } else if let Some(bound) = bound_of(facts, sentence) {
            open.push((sentence, bound));
        }
    }
    let answered = answered(facts, open.iter().map(|(_, bound)| &bound.key));
    // The place that demands a bound asks for it, rather than one that only names it.
    let demanding = open.iter().filter(|(sentence, _)| sentence.is_strict());
    let demanded: BTreeSet<(String, String)> =
        demanding.map(|(_, bound)| bound.key.clone()).collect();
    // `cooldown window` says more than `cooldown` alone.
    let firsts: BTreeSet<String> = open.iter().map(|(_, bound)| bound.key.0.clone()).collect();
    let mut asked = Asked::default();
    let mut told = BTreeSet::new();
    let mut titled = BTreeMap::new();
    for (sentence, bound) in open {
        if titled_with_values(facts, sentence, &bound.key, &mut titled) {
            continue;
        }
        let elsewhere = !sentence.is_strict() && demanded.contains(&bound.key)
            || bound.key.0.is_empty() && firsts.contains(&bound.key.1);
        if elsewhere || answered.contains(&bound.key) || !told.insert(bound.key) {
            continue;
        }
        let shown = facts.text(bound.span.clone());
        let question = match sentence.has(Class::Repeated) {
            true => "how many, within which time, and for how long?",
            false if shown.to_lowercase().starts_with("in real") => "within which time is that?",
            false => "what is the value, and can it be configured?",
        };
        asked.about(facts, sentence, bound.span, question);
    }
    asked.tell(found);
}

/// Whether the section of a bound is about it and has numbers. `seen` keeps which sections have any.
fn titled_with_values(
    facts: &Facts<'_>,
    sentence: &Sentence,
    key: &(String, String),
    seen: &mut BTreeMap<usize, bool>,
) -> bool {
    let section = facts.section_of(sentence);
    let title = section.title.to_lowercase();
    let is_about = title.contains(&key.1) && title.contains(&key.0);
    is_about
        && *seen.entry(sentence.section).or_insert_with(|| {
            let mut sentences = facts.sentences[section.sentences.clone()].iter();
            sentences.any(|other| has_number(facts, other))
        })
}

/// The bound that a sentence names, and gives no number for.
pub fn bound_of(facts: &Facts<'_>, sentence: &Sentence) -> Option<Bound> {
    if is_numbered_nearby(facts, sentence) {
        return None;
    }
    let named = facts.hits_of(sentence, Class::Promise).find(|hit| {
        const REACH: usize = 3;
        let from = hit.first.saturating_sub(REACH).max(sentence.words.start);
        let mut before = from..hit.first;
        let is_denied =
            before.any(|index| matches!(facts.word(index), "no" | "No" | "without" | "Without"));
        // `(response time bounds)` explains what is before it.
        let at = facts.words[hit.first].start;
        let before = facts.text(sentence.span.start..at);
        let is_aside = before.rfind('(') > before.rfind(')') && !sentence.is_strict();
        let is_own = facts.words[sentence.words.start].is_code() && !sentence.is_strict();
        !is_denied && !is_aside && !is_own && !is_reported(facts, sentence, hit.first)
    });
    let words = match named {
        Some(hit) => hit.first..hit.first + hit.count,
        None => extreme(facts, sentence)?,
    };
    // `a reasonable size limit` is a vague quantity, and no second matter.
    let mut degrees = facts.hits_of(sentence, Class::Degree);
    let is_vague = degrees.any(|hit| hit.first < words.end && hit.first + 3 > words.start);
    (!is_vague).then(|| keyed(facts, words))
}

fn keyed(facts: &Facts<'_>, words: Range<usize>) -> Bound {
    let last = words.end - 1;
    let before = match words.len() {
        0 | 1 => String::new(),
        _ => stem(facts.word(last - 1)),
    };
    Bound {
        span: facts.words[words.start].start..facts.words[last].end,
        key: (before, stem(facts.word(last))),
    }
}

/// Verbs before a figure that is shown or recorded and bounds nothing.
const REPORTING: [&str; 34] = [
    "extract",
    "extracts",
    "parse",
    "cache",
    "read",
    "reads",
    "tests",
    "show",
    "shows",
    "display",
    "displays",
    "log",
    "logs",
    "record",
    "records",
    "track",
    "tracks",
    "report",
    "reports",
    "measure",
    "measures",
    "return",
    "returns",
    "store",
    "stores",
    "include",
    "includes",
    "calculate",
    "compute",
    "export",
    "monitor",
    "message",
    "header",
    "indicating",
];

fn is_reported(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    const REACH: usize = 4;
    let from = at.saturating_sub(REACH).max(sentence.words.start);
    (from..at).any(|index| {
        let word = facts.word(index);
        REPORTING.iter().any(|verb| word.eq_ignore_ascii_case(verb))
    })
}

/// `minimum session length`, `maximum number of seats`: the words from the adjective to the end of its noun.
fn extreme(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    const JOINING: [&str; 14] = [
        "and", "or", "is", "are", "for", "to", "in", "per", "on", "the", "a", "that", "must", "be",
    ];
    let words = sentence.words.clone();
    words.clone().find_map(|at| {
        let word = facts.word(at);
        let is_extreme = ["minimum", "maximum"]
            .iter()
            .any(|it| word.eq_ignore_ascii_case(it));
        let is_adverb = matches!(facts.word(at.wrapping_sub(1)), "at" | "as" | "bare");
        // `min_points (optional): minimum points` is a parameter, and its caller gives the value.
        let is_given = facts.words[words.start].is_code()
            || has_word(
                facts,
                sentence,
                &["optional", "filter", "search", "parameter"],
            );
        if !is_extreme || is_adverb || is_given || is_reported(facts, sentence, at) {
            return None;
        }
        let joined = |index: &usize| {
            let between = facts.between(&facts.words[*index - 1], &facts.words[*index]);
            let word = facts.word(*index);
            between == " "
                && facts.words[*index].is_plain()
                && !JOINING.iter().any(|it| word.eq_ignore_ascii_case(it))
        };
        let end = (at + 1..words.end.min(at + 5)).take_while(joined).last()? + 1;
        Some(at..end)
    })
}

/// Which of some bounds have a number in a sentence, a table row or a line of code that names them.
fn answered<'k>(
    facts: &Facts<'_>,
    keys: impl Iterator<Item = &'k (String, String)>,
) -> BTreeSet<(String, String)> {
    let mut wanted: BTreeMap<&str, Vec<&(String, String)>> = BTreeMap::new();
    for key in keys {
        wanted.entry(&key.1).or_default().push(key);
    }
    let mut answered = BTreeSet::new();
    if wanted.is_empty() {
        return answered;
    }
    for text in numbered_texts(facts) {
        let mut before = String::new();
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            if word.is_empty() {
                continue;
            }
            let word = stem(word);
            for key in wanted.get(word.as_str()).into_iter().flatten() {
                if key.0.is_empty() || key.0 == before {
                    answered.insert((*key).clone());
                }
            }
            before = word;
        }
    }
    answered
}

/// The sentences, rows and lines of code with a number.
fn numbered_texts<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = &'f str> {
    let sentences = facts.sentences.iter();
    let sentences = sentences.filter(|sentence| has_number(facts, sentence));
    let sentences = sentences.map(|sentence| facts.text(sentence.span.clone()));
    let rows = facts.document.rows.iter();
    let rows = rows.map(|row| facts.text(row.span.clone()));
    let code = facts.document.code_blocks.iter();
    let code = code.flat_map(|span| facts.document.source[span.clone()].lines());
    let has_digit = |text: &&str| text.bytes().any(|byte| byte.is_ascii_digit());
    sentences.chain(rows.chain(code).filter(has_digit))
}

/// Words before a state that is set by hand, or one of a list of states.
const SET_BY_HAND: [&str; 14] = [
    "as", "mark", "marked", "to", "status", "state", "or", "active", "set", "not", "be", "non",
    "is_", "and",
];

fn undated(facts: &Facts<'_>, found: &mut Found) {
    let mut open: BTreeMap<String, (&Sentence, Range<usize>)> = BTreeMap::new();
    let mut last = None;
    for (sentence, hit) in claims_with(facts, Class::Aging) {
        let first = hit.first == sentence.words.start;
        let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
        let by_hand = !first && SET_BY_HAND.contains(&before.as_str());
        let listed = facts
            .text(sentence.span.clone())
            .contains(['/', '|', '`', '"']);
        let is_cell = facts.block_of(sentence).kind == BlockKind::Cell;
        if by_hand || listed || is_cell || is_numbered_nearby(facts, sentence) {
            continue;
        }
        if hit.count > 1 && !is_shown(facts, sentence, hit.first) {
            continue;
        }
        if last.replace(sentence.span.start) == Some(sentence.span.start) {
            continue;
        }
        let key = stem(facts.word(hit.first));
        open.entry(key)
            .or_insert((sentence, facts.span_of_hit(hit)));
    }
    let keys: Vec<(String, String)> = open
        .keys()
        .map(|key| (String::new(), key.clone()))
        .collect();
    let answered = answered(facts, keys.iter());
    let mut asked = Asked::default();
    let titles: Vec<String> = facts
        .sections
        .iter()
        .map(|it| it.title.to_lowercase())
        .collect();
    for (key, (sentence, span)) in open {
        let is_topic = titles.iter().any(|title| title.contains(&key));
        if !is_topic && !answered.contains(&(String::new(), key)) {
            asked.about(facts, sentence, span, "after how long, counted from when?");
        }
    }
    asked.tell(found);
}

/// Whether data of some age is shown or used.
fn is_shown(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    const SHOWING: [&str; 10] = [
        "show", "shows", "display", "displays", "serve", "serves", "use", "uses", "return",
        "returns",
    ];
    let mut words = sentence.words.start..at;
    let shows = words.any(|index| {
        let word = facts.word(index);
        SHOWING.iter().any(|verb| word.eq_ignore_ascii_case(verb))
    });
    shows && asking::behind(facts, sentence, at).len() < 200
}
