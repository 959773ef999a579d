//! The rule for numbers that need a unit and have none.

use std::sync::LazyLock;

use gapless_domain::Severity;

use crate::facts::Word;
use crate::rule::{Found, quoted, quoted_around};
use crate::{Class, Facts, Rule, Sentence, Topic};
use gapless_domain::words::phrases;

pub static MISSING_UNIT: Rule = Rule {
    id: "missing-unit",
    category: "UNIT",
    severity: Severity::Medium,
    title: "Which unit does the number have?",
    reason: "A timeout of 30 is implemented as 30 seconds by one and as 30 milliseconds by the next.",
    suggestion: "write the unit behind the number, or in the name of the setting",
    topic: Topic::Format,
    bad: &[
        "The timeout is 30.",
        "The poll interval defaults to 5, and can be changed.",
        "Sessions expire after 20.",
        "| setting | default |\n|---|---|\n| `connect_timeout` | 30 |\n| `retries` | 3 |",
        "Retention of 90 applies to every row.",
    ],
    good: &[
        "The timeout is 30 seconds.",
        "The timeout is 30s.",
        "The delay doubles up to 5 times.",
        "| setting | default |\n|---|---|\n| `timeout_seconds` | 30 |",
        "| setting | default | meaning |\n|---|---|---|\n| `timeout` | 30 | seconds until it gives up |",
        "See section 4 after reading section 3.",
        "The page size is 20 items.",
        "The page size is 20 by default and at most 100.",
        "A window of 5 by 5 pixels.",
    ],
    check,
};

fn check(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.binding().filter(|sentence| sentence.has_number) {
        in_sentence(facts, sentence, found);
    }
    in_tables(facts, found);
}

/// Words that may come between a quantity and its number.
const JOINTS: [&str; 24] = [
    "is", "of", "to", "defaults", "default", "are", "set", "at", "most", "least", "up", "exactly",
    "be", "must", "shall", "than", "under", "below", "about", "by", "a", "maximum", "minimum",
    "should",
];

/// Words that aren't units, so that a number before them has none.
const ALONE: [&str; 22] = [
    "and", "or", "when", "if", "by", "for", "unless", "after", "before", "but", "then", "while",
    "in", "on", "the", "applies", "is", "as", "with", "because", "so", "from",
];

fn in_sentence(facts: &Facts<'_>, sentence: &Sentence, found: &mut Found) {
    let words = facts.words_of(sentence);
    let units = facts.hits_of(sentence, Class::Unit);
    let units: Vec<usize> = units.map(|hit| hit.first).collect();
    let first = sentence.words.start;
    let numbers = words.iter().enumerate();
    for (index, word) in numbers.filter(|(_, word)| word.is_bare_number()) {
        let unit_follows =
            unit_position(facts, words, index).is_some_and(|at| units.contains(&(first + at)));
        if !is_alone(facts, words, index) || unit_follows {
            continue;
        }
        let mut back = index;
        while back > 0
            && index - back < 6
            && JOINTS.contains(&facts.text(words[back - 1].span()).to_lowercase().as_str())
        {
            back -= 1;
        }
        if back == 0 {
            continue;
        }
        let subject = first + back - 1;
        let needs = facts.hits_of(sentence, Class::NeedsUnit).any(|hit| {
            hit.first + hit.count == subject + 1
                && !facts
                    .between(&facts.words[subject], &facts.words[subject + 1])
                    .contains(['.', ';'])
        });
        let within = index == back
            && facts
                .hits_of(sentence, Class::Within)
                .any(|hit| hit.first + hit.count == first + index)
            && !is_label(facts, sentence);
        // `timeout_ms: at most 3000` has it in the name.
        let is_named = facts.text(sentence.span.clone());
        let is_named = is_named
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|name| {
                UNIT_ENDINGS
                    .iter()
                    .any(|end| end.starts_with('_') && name.ends_with(end))
            });
        let counts = (needs || within) && !is_named && {
            let before = facts.text(words[back.saturating_sub(2)].start..words[back - 1].end);
            let before = before.to_lowercase();
            COUNTING.iter().any(|name| before.contains(name))
        };
        if (needs || within) && !counts && !is_named {
            let span = words[back - 1].start..word.end;
            let shown = quoted(facts.text(span.clone()));
            let message = format!(
                "\"{}\": {} of which unit?",
                quoted_around(facts, sentence, &span),
                facts.text(word.span())
            );
            found.at(span, message).about(Topic::of_text(&shown));
        }
    }
}

/// Whether a number ends its clause or is followed by a word that is no unit; parts of ranges and versions aren't.
fn is_alone(facts: &Facts<'_>, words: &[Word], index: usize) -> bool {
    let word = &words[index];
    let text = facts.text(word.span());
    let next = words.get(index + 1);
    let gap = next.map_or("", |next| facts.between(word, next));
    let ends =
        next.is_none() || gap.starts_with(['.', ',', ';', ')']) && gap.ends_with([' ', '\n']);
    let no_unit = next.is_some_and(|next| ALONE.contains(&facts.text(next.span())));
    let range = gap.trim() == "–"
        || gap.trim() == "to"
        || text.contains(['.', ':']) && text.matches('.').count() > 1;
    (ends || no_unit) && !range
}

/// Where the unit of a number would be: in `3, 10 and 30 seconds`, behind the last one.
fn unit_position(facts: &Facts<'_>, words: &[Word], index: usize) -> Option<usize> {
    (index + 1..words.len()).find(|at| {
        !words[*at].is_number()
            && !matches!(
                facts.text(words[*at].span()),
                "and" | "or" | "to" | "then" | "by" | "x"
            )
    })
}

/// `after step 3`, `every 2.`: numbers of things that are counted, not measured.
fn is_label(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let lower = facts.text(sentence.span.clone()).to_lowercase();
    const COUNTED: [&str; 7] = [
        "step ", "phase ", "version ", "section ", "round ", "page ", "line ",
    ];
    COUNTED.iter().any(|word| lower.contains(word))
}

const UNIT_ENDINGS: [&str; 30] = [
    "_rounds", "_count", "_rows", "_entries", "_ms", "_s", "_sec", "_secs", "_seconds", "_minutes",
    "_min", "_mins", "_hours", "_days", "_bytes", "_kb", "_mb", "_gb", "_mib", "_kib", "_gib",
    "seconds", "minutes", "hours", "days", "bytes", "_weeks", "millis", "_items", "_px",
];

/// What a name has whose number counts something.
const COUNTING: [&str; 4] = ["page size", "page_size", "batch", "pool"];

static MEASURES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/measures.txt")).collect());

fn in_tables(facts: &Facts<'_>, found: &mut Found) {
    for table in &facts.tables {
        let value = ["default", "value", "limit", "max", "maximum"];
        let mut heads = table.head.iter();
        let column = heads.position(|head| value.contains(&head.as_str()));
        let Some(column) = column.filter(|column| *column > 0) else {
            continue;
        };
        if facts.sections[table.section].is_informative
            || table.head.iter().any(|head| head.contains("unit"))
        {
            continue;
        }
        for row in table.rows(facts) {
            let name = row.cell(0).trim_matches(['`', '*', '-']).to_lowercase();
            let number = row.cell(column).trim_matches(['`', '*']);
            let belongs = |b: u8| b.is_ascii_digit() || b == b'.' || b == b',';
            let bare = !number.is_empty() && number.bytes().all(belongs) && number != "0";
            let measures = MEASURES.iter().any(|word| name.contains(word))
                && !UNIT_ENDINGS.iter().any(|end| name.ends_with(end))
                && !COUNTING.iter().any(|word| name.contains(word));
            let mut sentences = facts.sentences_within(row.span);
            if bare && measures && !sentences.any(|sentence| sentence.has(Class::Unit)) {
                let message = format!("`{}` is {number}: of which unit?", quoted(&name));
                found
                    .at(row.span_of(facts, column), message)
                    .about(Topic::of_text(&name.replace('_', " ")))
                    .keyed(name);
            }
        }
    }
}
