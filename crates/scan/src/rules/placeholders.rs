//! The rule for placeholders.

use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::{BlockKind, last_at};
use gapless_reading::read::PLACEHOLDER_WORDS;

use crate::facts::Hit;
use crate::rule::{Found, quoted, quoted_around};
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static PLACEHOLDER: Rule = Rule {
    id: "placeholder",
    category: "OPEN",
    severity: Severity::High,
    title: "What belongs here?",
    reason: "Its author knew that something is missing here; whoever implements it will guess.",
    suggestion: "write what is decided, or record it as a gap with an owner",
    topic: Topic::Other,
    bad: &[
        "The timeout is TBD.",
        "Retention: TODO ask legal.",
        "The service answers within ??? ms.",
        "Users are archived after [NEEDS CLARIFICATION: how long?].",
        "Lorem ipsum dolor sit amet.",
        "The owner is <fill in>.",
        "The limit is to be decided.",
        "The service answers within XX seconds.",
        "| field | type |\n|---|---|\n| size | ? |",
    ],
    good: &[
        "A todo list has items.",
        "- **Related issues**: TBD",
        "# Spec\n\n## Version history\n\n| date | author |\n|---|---|\n| today | TBD |",
        "The types need to be defined in the manifest.",
        "No unresolved NEEDS CLARIFICATION is left.",
        "Can it do that???",
        "`TODO` comments are counted by the linter.",
        "```\n// TODO: later\n```",
        "<!-- TODO: tidy up --> The limit is 20 items.",
        "Press <kbd>Enter</kbd>.",
        "- GAP-RET-001 [HIGH]: retention is TBD",
    ],
    check,
};

const FILL_INS: [&str; 12] = [
    "fill",
    "insert",
    "todo",
    "tbd",
    "your ",
    "placeholder",
    "describe",
    "enter ",
    "to be",
    "add ",
    "replace",
    "specify",
];

fn check(facts: &Facts<'_>, found: &mut Found) {
    let sentences = facts.sentences.iter();
    let records = records(facts);
    // An author, a ticket or a history that is still to be named keeps nobody from implementing the spec.
    let counts = |sentence: &&Sentence| {
        !sentence.is_recorded_gap
            && !sentence.informs
            && !last_at(&records, sentence.span.start, |record| record.start)
                .is_some_and(|record| record.contains(&sentence.span.start))
            && !facts.section_of(sentence).is_informative
    };
    for sentence in sentences.filter(counts) {
        in_sentence(facts, sentence, found);
    }
    for html in &facts.document.html_spans {
        let source = &facts.document.source[html.clone()];
        let inner = source.trim_start_matches(['<', '[', ' ']).to_lowercase();
        if !source.starts_with("<!--") && FILL_INS.iter().any(|word| inner.starts_with(word)) {
            say(facts, html.clone(), found);
        }
    }
    question_marks(facts, found);
    for table in &facts.tables {
        for row in table.rows(facts) {
            let mut cells = row.cells.iter();
            if let Some(column) = cells.position(|cell| matches!(cell.as_str(), "?" | "??")) {
                say(facts, row.span_of(facts, column), found);
            }
        }
    }
}

fn in_sentence(facts: &Facts<'_>, sentence: &Sentence, found: &mut Found) {
    let words = facts.words_of(sentence);
    if is_mention(facts, sentence) {
        return;
    }
    for (index, word) in words.iter().enumerate().filter(|(_, word)| word.is_plain()) {
        let text = facts.text(word.span());
        let next = words.get(index + 1);
        let next = next.map_or("", |next| facts.text(next.span()));
        let marked = PLACEHOLDER_WORDS.contains(&text)
            || text == "NEEDS" && next == "CLARIFICATION"
            || text.eq_ignore_ascii_case("todo") && facts.prose()[word.end..].starts_with(':');
        let denied = facts.hits_of(sentence, Class::Not).any(|hit| {
            let at = sentence.words.start + index;
            hit.first < at && hit.first + 3 > at
        });
        const COUNTED: [&str; 8] = [
            "values", "points", "rows", "items", "entries", "lines", "events", "times",
        ];
        let number = matches!(text, "XX" | "X" | "NN")
            && !COUNTED.contains(&next)
            && facts
                .hits_of(sentence, Class::Unit)
                .any(|hit| hit.first == sentence.words.start + index + 1);
        if (marked && !denied) || number {
            // The template's own words, and what is planned for later.
            let rest = facts.text(word.end..sentence.span.end);
            let is_template = rest
                .trim_start_matches([' ', ':'])
                .starts_with("specific question")
                || text == "NEEDS"
                    && rest
                        .trim_start()
                        .starts_with("CLARIFICATION: specific question");
            if is_template || is_planned(facts, sentence) {
                return;
            }
            let end = match text {
                "NEEDS" => words[index + 1].end,
                _ => word.end,
            };
            return say(facts, word.start..end, found);
        }
    }
    let section = facts.section_of(sentence);
    let heading = facts.block_of(sentence).kind == BlockKind::Heading;
    if heading || section.purpose == Purpose::Questions {
        return;
    }
    let mut undecided = facts.hits_of(sentence, Class::Undecided);
    if let Some(hit) = undecided.find(|hit| !says_where(facts, sentence, hit)) {
        return say(facts, facts.span_of_hit(hit), found);
    }
    let bracketed = facts.text(sentence.span.clone());
    if !bracketed.contains('[') {
        return;
    }
    // Only ASCII, so that places stay what they are.
    let lower = bracketed.to_ascii_lowercase();
    if let Some(at) = lower.find("[fill").or_else(|| lower.find("[insert")) {
        let start = sentence.span.start + at;
        say(facts, start..sentence.span.end, found);
    }
}

/// Whether a sentence is in the row of a table that says that its subject comes later.
fn is_planned(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    const MOST_CELLS: usize = 12;
    const LATER: [&str; 5] = ["planned", "future", "later", "backlog", "coming soon"];
    let row = last_at(&facts.document.rows, sentence.span.start, |row| {
        row.span.start
    });
    row.is_some_and(|row| {
        row.span.contains(&sentence.span.start)
            && row.cells.iter().take(MOST_CELLS).any(|cell| {
                let cell = cell.trim_matches(['*', '_', ' ']).to_lowercase();
                LATER.contains(&cell.as_str())
            })
    })
}

/// The rows of tables that keep record of who reviewed or did what.
fn records(facts: &Facts<'_>) -> Vec<Range<usize>> {
    const HEADS: [&str; 10] = [
        "author",
        "authors",
        "reviewer",
        "reviewers",
        "approver",
        "approvers",
        "pr",
        "prs",
        "pull request",
        "ticket",
    ];
    let tables = facts.tables.iter();
    let kept = tables.filter(|table| table.head.iter().any(|head| HEADS.contains(&head.as_str())));
    kept.flat_map(|table| table.rows(facts).map(|row| row.span.clone()))
        .collect()
}

/// `to be defined in the manifest`, `to be decided by the server` say where and by whom.
fn says_where(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    const JOINTS: [&str; 13] = [
        "in", "by", "as", "at", "with", "within", "inside", "using", "from", "via", "per", "on",
        "through",
    ];
    let behind = hit.first + hit.count;
    let next = facts.word(behind).to_lowercase();
    behind < sentence.words.end && JOINTS.contains(&next.as_str())
}

/// Whether several marks follow each other: then the text is about placeholders and has none.
fn is_mention(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let words = facts.words_of(sentence).iter();
    let marks = words.filter(|word| PLACEHOLDER_WORDS.contains(&facts.text(word.span())));
    marks.count() > 1
}

fn question_marks(facts: &Facts<'_>, found: &mut Found) {
    let prose = facts.prose();
    let mut from = 0;
    while let Some(at) = prose[from..].find("???") {
        let start = from + at;
        let marks = prose[start..].bytes().take_while(|byte| *byte == b'?');
        from = start + marks.count();
        let codes = &facts.document.code_spans;
        let code = codes.partition_point(|code| code.end <= start);
        let sentence = last_at(&facts.sentences, start, |sentence| sentence.span.start);
        let mentioned = sentence.is_some_and(|sentence| is_mention(facts, sentence));
        // `Can you do that???` is a question.
        let asks = prose[..start].ends_with(|c: char| c.is_alphanumeric());
        if codes.get(code).is_none_or(|code| code.start > start) && !mentioned && !asks {
            say(facts, start..from, found);
        }
    }
}

fn say(facts: &Facts<'_>, span: Range<usize>, found: &mut Found) {
    let shown = quoted(&facts.document.source[span.clone()]);
    let sentences = &facts.sentences;
    let at = sentences.partition_point(|sentence| sentence.span.end <= span.start);
    let around = sentences.get(at);
    let around = around.map_or("", |sentence| facts.text(sentence.span.clone()));
    let message = match sentences.get(at) {
        Some(sentence) if sentence.span.start < span.start || sentence.span.end > span.end => {
            format!(
                "\"{}\": what is decided in place of `{shown}`?",
                quoted_around(facts, sentence, &span)
            )
        }
        _ => {
            let section = &facts.sections[facts.section_at(span.start)];
            match section.title.is_empty() {
                true => format!("what is decided in place of `{shown}`?"),
                false => format!(
                    "\"{}\" has `{shown}`: what is decided in its place?",
                    quoted(&section.title)
                ),
            }
        }
    };
    found
        .at(span, message)
        .about(Topic::of_text(&quoted(around)));
}
