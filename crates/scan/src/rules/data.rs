//! Rules for what a whole spec leaves out about its data: how long it is kept, how large it may be, what it looks like, and what
//! happens to it when something changes.

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::omissions::{has_word, omits, omits_where};
use crate::facts::Classes;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static RETENTION_UNSAID: Rule = Rule {
    id: "retention-unsaid",
    category: "DATA",
    severity: Severity::Low,
    title: "How long are these records kept?",
    reason: "They grow until a disk is full or a law is broken.",
    suggestion: "say how long they are kept, and what removes them",
    topic: Topic::Retention,
    bad: &["The system must log all sign-ins."],
    good: &[
        "The system must log all sign-ins.\n\nEntries are purged after 90 days.",
        "The system must show a list.",
    ],
    check: retention,
};

pub static TRANSFER_LIMIT_UNSAID: Rule = Rule {
    id: "transfer-limit-unsaid",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "How large may an upload or an export be?",
    reason: "The first large file decides how much memory there was.",
    suggestion: "give the largest size or number of rows, the accepted types, and what happens to larger ones",
    topic: Topic::SizeQuota,
    bad: &["A member must be able to upload a photo."],
    good: &["A member must be able to upload a photo of at most 5 MB."],
    check: transfers,
};

pub static TIME_ZONE_UNSAID: Rule = Rule {
    id: "time-zone-unsaid",
    category: "DATA",
    severity: Severity::Medium,
    title: "In which time zone does a day begin?",
    reason: "A day begins at another moment for the server, the user and the test.",
    suggestion: "name the zone that days begin and end in, and what happens when clocks change",
    topic: Topic::Localisation,
    bad: &["The system shall build the daily report of all sales."],
    good: &["The system shall build the daily report of all sales, by days in UTC."],
    check: zones,
};

pub static PAYLOAD_UNSAID: Rule = Rule {
    id: "payload-unsaid",
    category: "API",
    severity: Severity::Medium,
    title: "Which fields does the payload have?",
    reason: "The two sides will agree on it only by accident.",
    suggestion: "list its fields with their types, or show one in full",
    topic: Topic::Format,
    bad: &["The service must post the result payload to the partner."],
    good: &[
        "The service must post the result payload to the partner.\n\n```json\n{\"id\": 1}\n```",
    ],
    check: payloads,
};

pub static DELETION_EFFECT: Rule = Rule {
    id: "deletion-effect",
    category: "DATA",
    severity: Severity::Medium,
    title: "What happens to what belongs to it?",
    reason: "What refers to it, what is under way and who may get it back are decided by the database's defaults.",
    suggestion: "say what happens to what belongs to it and to work under way, and whether it can be restored",
    topic: Topic::Retention,
    bad: &["A manager must be able to delete a project."],
    good: &[
        "A manager must be able to delete a project. Its tasks are deleted too, and nothing can be restored.",
    ],
    check: deletions,
};

pub static ROUNDING_UNSAID: Rule = Rule {
    id: "rounding-unsaid",
    category: "DATA",
    severity: Severity::Medium,
    title: "How is it rounded?",
    reason: "Thirds don't add up, and two parts of a system round in two ways.",
    suggestion: "say to how many places each figure is rounded, at which step, and where the remainder goes",
    topic: Topic::Format,
    bad: &["The system shall calculate the discount for each order."],
    good: &["The system shall calculate the discount for each order, rounded to the cent."],
    check: rounding,
};

pub static EXISTING_DATA: Rule = Rule {
    id: "existing-data",
    category: "DATA",
    severity: Severity::Medium,
    title: "Which value does what is already stored get?",
    reason: "What is stored has no value for it on the first day.",
    suggestion: "say which value it gets for what exists, and how that happens",
    topic: Topic::Migration,
    bad: &["The members table must get a new column for the time zone."],
    good: &["The members table must get a new column for the time zone; existing members get UTC."],
    check: additions,
};

fn retention(facts: &Facts<'_>, found: &mut Found) {
    let question =
        "how long is this kept, and what removes it? The spec says nothing on retention.";
    omits(
        facts,
        found,
        Class::Piling,
        Classes::of(Class::Kept),
        question,
    );
}

fn transfers(facts: &Facts<'_>, found: &mut Found) {
    const NAMED: [&str; 9] = [
        "the",
        "an",
        "each",
        "every",
        "this",
        "failed",
        "interrupted",
        "after",
        "before",
    ];
    let question = "how large may it be, of which types, and what happens beyond that?";
    let is_bounded =
        |sentence: &Sentence| sentence.has(Class::Upload) && sentence.has(Class::Sized);
    if facts.sentences.iter().any(is_bounded) {
        return;
    }
    // `the upload` speaks of one that something else demands.
    omits_where(
        facts,
        found,
        Class::Upload,
        Classes::default(),
        question,
        |sentence| {
            const RELEASING: [&str; 7] = [
                "artifact",
                "artifacts",
                "release",
                "package",
                "packages",
                "publish",
                "pypi",
            ];
            !has_word(facts, sentence, &RELEASING)
                && facts.hits_of(sentence, Class::Upload).any(|hit| {
                    let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
                    let next = facts.word(hit.first + hit.count);
                    !NAMED.contains(&before.as_str()) && !matches!(next, "to" | "via")
                })
        },
    );
}

fn zones(facts: &Facts<'_>, found: &mut Found) {
    let question = "in which time zone does a day begin? The spec names none.";
    omits(
        facts,
        found,
        Class::Daily,
        Classes::of(Class::Zoned),
        question,
    );
}

fn payloads(facts: &Facts<'_>, found: &mut Found) {
    let blocks = &facts.document.blocks;
    let has_code = blocks
        .iter()
        .any(|block| matches!(block.kind, BlockKind::Code(_)));
    let question = "which fields does it have, with which types? The spec never describes it.";
    if has_code || facts.mentioned.has(Class::Described) {
        return;
    }
    let mut spans = facts.document.code_spans.iter();
    let source = &facts.document.source;
    if let Some(span) = spans.find(|span| source[(*span).clone()].contains("--json")) {
        let shown = quoted(source[span.clone()].trim_matches('`'));
        let question = "which fields does the JSON have, with which types? The spec never says.";
        found.at(span.clone(), format!("\"{shown}\": {question}"));
    } else {
        omits(facts, found, Class::Payload, Classes::default(), question);
    }
}

fn deletions(facts: &Facts<'_>, found: &mut Found) {
    let question = "what happens to what belongs to it or is under way, and can it be restored?";
    // `even after deletion` demands none.
    omits_where(
        facts,
        found,
        Class::Deleting,
        Classes::of(Class::Deletion),
        question,
        |sentence| {
            let deleting = facts.hits_of(sentence, Class::Deleting).next();
            let mut conditions = facts.hits_of(sentence, Class::Condition);
            let opens = sentence.words.start;
            let supposed = deleting
                .is_some_and(|hit| conditions.any(|it| it.first < hit.first && it.first > opens));
            sentence.modal.is_some()
                && !supposed
                && !has_word(facts, sentence, &["after", "method", "methods", "removes"])
        },
    );
}

fn rounding(facts: &Facts<'_>, found: &mut Found) {
    const COMPUTING: [&str; 16] = [
        "calculate",
        "calculates",
        "calculating",
        "calculated",
        "compute",
        "computes",
        "computed",
        "apply",
        "applies",
        "applied",
        "convert",
        "converts",
        "sum",
        "split",
        "charge",
        "charges",
    ];
    let question = "how is it rounded, and where does the remainder go? The spec doesn't say.";
    omits_where(
        facts,
        found,
        Class::Money,
        Classes::of(Class::Rounded),
        question,
        |sentence| has_word(facts, sentence, &COMPUTING),
    );
}

fn additions(facts: &Facts<'_>, found: &mut Found) {
    let question = "which value does what is already stored get? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Adding,
        Classes::of(Class::Existing),
        question,
    );
}
