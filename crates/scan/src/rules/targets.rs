//! Rules for values that a table or a goal promises and doesn't give: empty cells, improvements without a target, and lists that
//! are only examples.

use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::asking::{Asked, claims, has_number, is_spelled_out};
use crate::rule::Found;
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static TARGET_UNSAID: Rule = Rule {
    id: "target-unsaid",
    category: "REQ",
    severity: Severity::Low,
    title: "By how much must it become better?",
    reason: "Any change meets it, and so does none.",
    suggestion: "give today's figure, the target, and how it is measured",
    topic: Topic::Other,
    bad: &[
        "The new cache shall reduce waiting.",
        "## Performance\n\n- Reduce start-up",
        "## Success metrics\n\n- Stars of the repository\n- Weekly downloads",
    ],
    good: &[
        "The new cache shall reduce waiting to 200 ms.",
        "The worker must increase the counter.",
    ],
    check: targets,
};

pub static EMPTY_CELL: Rule = Rule {
    id: "empty-cell",
    category: "DEF",
    severity: Severity::Medium,
    title: "What belongs in this cell?",
    reason: "The other rows have one, and this row was left for later.",
    suggestion: "fill it in, or write that there is none",
    topic: Topic::Definition,
    bad: &["| Metric | Target |\n|---|---|\n| Latency | 200 ms |\n| Uptime | |"],
    good: &[
        "| Metric | Target |\n|---|---|\n| Latency | 200 ms |\n| Uptime | none |",
        "| Name | Notes |\n|---|---|\n| a | x |\n| b | |",
    ],
    check: cells,
};

pub static EXAMPLE_LIST: Rule = Rule {
    id: "example-list",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "Which others belong to the list?",
    reason: "Code needs every member, and the list says that it has only some.",
    suggestion: "list every member, or give the rule that says what belongs",
    topic: Topic::Other,
    bad: &["The import must return a result such as:\n\n- `done`\n- `failed`"],
    good: &[
        "The import must return one of these results:\n\n- `done`\n- `failed`",
        "Call it with a name such as:\n\n- `tom`",
    ],
    check: examples,
};

/// Figures that get better, and not counters that go up.
const COUNTED: [&str; 9] = [
    "counter", "count", "version", "index", "number", "by", "quantity", "balance", "score",
];

fn targets(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    without_figures(facts, &mut asked);
    for sentence in claims(facts).filter(|it| it.has(Class::Comparing)) {
        let mut words = sentence.words.clone();
        let counted =
            words.any(|index| COUNTED.contains(&facts.word(index).to_lowercase().as_str()));
        if counted || has_number(facts, sentence) {
            continue;
        }
        let Some(hit) = facts.hits_of(sentence, Class::Comparing).next() else {
            continue;
        };
        let before = facts.word(hit.first.wrapping_sub(1)).to_lowercase();
        let demanded = ["shall", "must", "be"].contains(&before.as_str());
        let opens = hit.first == sentence.words.start && in_goals(facts, sentence);
        if (demanded || opens) && !is_spelled_out(facts, sentence, hit.first) {
            let span = facts.words[hit.first].start..sentence.span.end;
            asked.about(
                facts,
                sentence,
                span,
                "by how much, from which figure of today?",
            );
        }
    }
    asked.tell(found);
}

/// Sections of metrics that have no figure at all.
fn without_figures(facts: &Facts<'_>, asked: &mut Asked) {
    const LONGEST: usize = 24;
    const TITLES: [&str; 4] = ["success metric", "kpi", "key metrics", "success indicator"];
    for section in &facts.sections {
        let title = section.title.to_lowercase();
        let sentences = &facts.sentences[section.sentences.clone()];
        let points = sentences
            .iter()
            .filter(|sentence| facts.block_of(sentence).kind == BlockKind::Item);
        let numbered = || sentences.iter().any(|sentence| sentence.has_number);
        let is_goal = title.len() <= LONGEST && TITLES.iter().any(|known| title.contains(known));
        if !is_goal || points.clone().count() < 2 || numbered() {
            continue;
        }
        if let Some(first) = points.clone().next() {
            let question = "which figure is the target, by when? The section has none.";
            asked.about(facts, first, first.span.clone(), question);
        }
    }
}

fn in_goals(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let title = facts.section_of(sentence).title.to_lowercase();
    [
        "success",
        "metric",
        "kpi",
        "outcome",
        "performance",
        "objective",
    ]
    .iter()
    .any(|word| title.contains(word))
}

/// What a column must give for each row.
const NEEDED: [&str; 13] = [
    "target",
    "value",
    "limit",
    "response",
    "behavior",
    "behaviour",
    "format",
    "unit",
    "threshold",
    "outcome",
    "action",
    "rule",
    "expected result",
];

fn cells(facts: &Facts<'_>, found: &mut Found) {
    const MOST: usize = 3;
    for table in &facts.tables {
        let Some(column) = table.column(&NEEDED) else {
            continue;
        };
        if column == 0 || facts.sections[table.section].is_informative {
            continue;
        }
        let (filled, empty): (Vec<_>, Vec<_>) = table
            .rows(facts)
            .partition(|row| !row.cell(column).trim().is_empty());
        if filled.len() < empty.len() || filled.is_empty() {
            continue;
        }
        let empty = empty
            .into_iter()
            .filter(|row| !row.cell(0).trim().is_empty());
        for row in empty.take(MOST) {
            let message = format!(
                "\"{}\" has no {} in this table, and other rows have one: what is it?",
                row.cell(0),
                table.head[column]
            );
            found.at(row.span_of(facts, 0), message);
        }
    }
}

/// The points of a list come right behind its lead.
const NEXT: usize = 4;

fn examples(facts: &Facts<'_>, found: &mut Found) {
    let mut asked = Asked::default();
    for (index, sentence) in facts.sentences.iter().enumerate() {
        let Some(span) = example_lead(facts, sentence) else {
            continue;
        };
        let at = facts
            .claims
            .partition_point(|claim| claim.sentence <= index);
        let mut points = facts.claims[at..]
            .iter()
            .take(NEXT)
            .filter(|claim| claim.lead == Some(index));
        let is_list = points.next().is_some();
        if is_list {
            asked.about(facts, sentence, span, "which others are there?");
        }
    }
    asked.tell(found);
}

/// A claim that ends in `such as:`, before a list.
fn example_lead(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let is_prose = matches!(
        facts.block_of(sentence).kind,
        BlockKind::Paragraph | BlockKind::Item
    );
    let text = facts.text(sentence.span.clone());
    let lower = text.to_lowercase();
    let end = ["such as", "for example", "for instance"]
        .iter()
        .find(|end| lower.ends_with(*end))?;
    let follows = facts.prose()[sentence.span.end..].starts_with(':');
    let acts = sentence.is_strict() || has_product(facts, sentence);
    (is_prose && follows && acts).then(|| sentence.span.end - end.len()..sentence.span.end)
}

/// Whether a sentence says what is produced or accepted.
fn has_product(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    const PRODUCING: [&str; 12] = [
        "produces", "returns", "accepts", "supports", "contains", "includes", "records", "stores",
        "emits", "sends", "has", "have",
    ];
    let mut words = sentence.words.clone();
    words.any(|index| PRODUCING.contains(&facts.word(index)))
}
