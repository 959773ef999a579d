//! Rules for choices that the author has not made: what may still change, what is to be looked into, and two techniques where one
//! is needed.

use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::Asked;
use crate::rule::Found;
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static UNDECIDED_CHOICE: Rule = Rule {
    id: "undecided-choice",
    category: "UNDECIDED",
    severity: Severity::Medium,
    title: "What is decided?",
    reason: "Whoever implements it decides, and learns later what was meant.",
    suggestion: "decide, or record it as an open question with an owner and a date",
    topic: Topic::Other,
    bad: &[
        "We may also consider another default format if tests go well.",
        "The retention of old invoices needs a decision.",
        "It is unclear whether drafts count.",
        "## Architecture\n\n- Database: PostgreSQL or SQLite\n- Language: Rust",
        "The relay must expose an HTTP or gRPC API for jobs.",
    ],
    good: &[
        "The format is CSV.",
        "The parser decides whether a line is a heading.",
        "## Open questions\n\n- It is unclear whether drafts count.",
        "- Clients: Firefox or Chrome",
        "Pictures must be PNG or JPEG files.",
    ],
    check: choices,
};

fn choices(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    for sentence in facts.sentences.iter().filter(|it| may_decide(facts, it)) {
        let wavering = facts.hits_of(sentence, Class::Wavering).find(|hit| {
            const REACH: usize = 3;
            const GRANTING: [&str; 7] = [
                "while", "though", "although", "if", "when", "where", "example",
            ];
            let mut before = hit.first.saturating_sub(REACH).max(sentence.words.start)..hit.first;
            !before.any(|index| {
                GRANTING
                    .iter()
                    .any(|word| facts.word(index).eq_ignore_ascii_case(word))
            })
        });
        let text = facts.text(sentence.span.clone()).to_lowercase();
        let is_for_later = ["out of scope", "later", "future"]
            .iter()
            .any(|word| text.contains(word));
        // `pending decision q4` has a record of its own.
        let is_recorded = text.contains("pending decision ") && sentence.has_number;
        let is_open = !sentence.has(Class::Undecided) && !is_for_later && !is_recorded;
        if let Some(hit) = wavering.filter(|_| is_open) {
            let span = facts.span_of_hit(hit);
            asked.about(
                facts,
                sentence,
                span,
                "what is decided, and if it is not: by whom and when?",
            );
        } else if let Some(span) = alternatives(facts, sentence).or_else(|| either(facts, sentence))
        {
            asked.about(facts, sentence, span, "which of them is it?");
        }
    }
    asked.tell(found);
}

/// Whether a sentence is where a decision is told: summaries tell them too, though they oblige nobody.
fn may_decide(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    const TELLING: [&str; 4] = ["summary", "overview", "abstract", "introduction"];
    let section = facts.section_of(sentence);
    let title = section.title.to_lowercase();
    let summarises = TELLING.iter().any(|word| title.contains(word));
    section.purpose != Purpose::Questions
        && !title.contains("question")
        && (!section.is_informative || summarises)
        && !sentence.is_recorded_gap
        && !sentence.is_quoted
        && facts.block_of(sentence).kind != BlockKind::Heading
}

/// What a project has one of.
const LABELS: [&str; 28] = [
    "database",
    "storage",
    "state storage",
    "queue",
    "message queue",
    "broker",
    "message broker",
    "framework",
    "language",
    "runtime",
    "hosting",
    "cloud",
    "cloud provider",
    "orm",
    "cache",
    "frontend",
    "backend",
    "ui",
    "ui framework",
    "web framework",
    "protocol",
    "deployment",
    "platform",
    "search engine",
    "payment provider",
    "email provider",
    "tech stack",
    "api",
];

/// Things of which a system has one.
const PARTS: [&str; 12] = [
    "api",
    "database",
    "queue",
    "broker",
    "protocol",
    "orchestrator",
    "platform",
    "framework",
    "backend",
    "datastore",
    "engine",
    "server",
];

/// `must expose an HTTP or gRPC API`, `must use either Redis or Kafka as the broker`: a demand that names two techniques.
fn either(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    const NEAR: usize = 6;
    if !sentence.is_strict() || sentence.has(Class::Condition) && !sentence.has(Class::Ears) {
        return None;
    }
    let is_name = |index: usize| {
        let word = &facts.words[index];
        let text = facts.text(word.span());
        word.is_plain() && text.chars().filter(|c| c.is_uppercase()).count() >= 1
    };
    let mut words = sentence.words.start + 1..sentence.words.end.saturating_sub(1);
    let or = words
        .find(|index| facts.word(*index) == "or" && is_name(*index - 1) && is_name(*index + 1))?;
    let mut behind = or + 2..sentence.words.end.min(or + 2 + NEAR);
    let part = behind.any(|index| {
        let word = facts.word(index).to_lowercase();
        PARTS.contains(&word.as_str())
    });
    // `and` or a comma before makes it a list of what is supported.
    let before = facts.text(facts.words[sentence.words.start].start..facts.words[or].start);
    let is_list = before.ends_with(", ") || facts.word(or.saturating_sub(2)) == "and";
    (part && !is_list).then(|| facts.words[or - 1].start..facts.words[or + 1].end)
}

/// `Database: PostgreSQL or SQLite`: the two names, in an item that says nothing else.
fn alternatives(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    const LONGEST: usize = 9;
    let whole = facts.text(sentence.span.clone());
    let is_short =
        sentence.words.len() <= LONGEST && facts.block_of(sentence).kind == BlockKind::Item;
    let (label, choice) = whole.split_once(':').filter(|_| is_short)?;
    let label = label.trim_matches(['*', '_', ' ']).to_lowercase();
    let choice = choice.trim_start_matches(['*', '_', ' ']);
    let (one, other) = choice.split_once(" or ")?;
    let is_name = |text: &str| {
        let text = text.trim_matches(['*', '`', ' ']);
        text.starts_with(char::is_uppercase) && text.split(' ').count() <= 3
    };
    let is_choice = LABELS.contains(&label.as_str()) && is_name(one) && is_name(other);
    is_choice.then(|| sentence.span.end - choice.len()..sentence.span.end)
}
