//! Rules for vague words that leave a decision to the implementer: quantities, qualifiers, open lists.

use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::requirements;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static VAGUE_QUANTITY: Rule = Rule {
    id: "vague-quantity",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "an amount or a time without a number",
    reason: "Two people will implement two numbers, and a test can check neither.",
    suggestion: "give the number with its unit, or where it is configured with its default and range",
    topic: Topic::Other,
    bad: &[
        "The client waits a reasonable time.",
        "Requests that exceed a suitable limit are refused.",
        "The worker polls the queue periodically.",
        "The service must support many concurrent users.",
        "The server shall respond quickly.",
        "Old rows are kept for a short retention period.",
    ],
    good: &[
        "The client waits 30 seconds.",
        "The worker polls the queue every 5 seconds.",
        "A short delay (200 ms) separates attempts.",
        "Reads are eventually consistent.",
        "The `timeout` is 5 seconds, however many clients wait.",
        "The error says how long to wait.",
    ],
    check: quantities,
};

pub static VAGUE_QUALIFIER: Rule = Rule {
    id: "vague-qualifier",
    category: "VAGUE",
    severity: Severity::Low,
    title: "a qualifier that nobody can check",
    reason: "It reads like a requirement and obliges to nothing: what is appropriate is not said.",
    suggestion: "say the condition, the criterion or the list that is meant",
    topic: Topic::Other,
    bad: &[
        "The service must log an appropriate message.",
        "The importer retries as needed, at most 3 times.",
        "The client shall handle errors gracefully.",
        "The system should encrypt data where possible.",
        "The UI must present results in a user-friendly way.",
    ],
    good: &[
        "The service logs the order's id and the error's code.",
        "If the cache is full, the service drops the oldest entry.",
        "The word `appropriate` is refused by the checker.",
        "As needed, this page is updated.",
    ],
    check: qualifiers,
};

pub static OPEN_LIST: Rule = Rule {
    id: "open-list",
    category: "VAGUE",
    severity: Severity::Medium,
    title: "a list that ends in \"etc.\"",
    reason: "What the list leaves out has to be guessed.",
    suggestion: "list every member, or give the rule that says what belongs",
    topic: Topic::Other,
    bad: &[
        "The export supports CSV, JSON, etc.",
        "Names, addresses and so on are copied.",
        "Supported formats:\n\n- CSV\n- JSON\n- ...",
    ],
    good: &[
        "The export supports CSV and JSON.",
        "The folder `/etc` is read first.",
        "Reads are more common and more urgent than writes.",
        "Common clients (for example curl, wget, etc.) work unchanged.",
    ],
    check: open_lists,
};

/// Says something of a place, which `message` puts into words.
fn say(
    facts: &Facts<'_>,
    span: Range<usize>,
    sentence: &Sentence,
    found: &mut Found,
    message: impl Fn(&str) -> String,
) {
    let around = facts.text(sentence.span.clone());
    let shown = facts.text(span.clone());
    let topic = Topic::of_texts(&[&quoted(around), shown]);
    found.at(span, message(&quoted(shown))).about(topic);
}

fn quantities(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.binding() {
        if let Some(span) = degree_of_dimension(facts, sentence) {
            say(facts, span, sentence, found, |shown| {
                format!(
                    "\"{shown}\" is no number: it can be implemented as anything and tested as nothing"
                )
            });
            continue;
        }
        if !facts.states_behaviour(sentence) {
            continue;
        }
        let unnumbered = |class: Class| {
            let mut hits = facts.hits_of(sentence, class);
            let hit = hits.find(|hit| !is_numbered(facts, sentence, hit.first))?;
            Some(facts.span_of_hit(hit))
        };
        if let Some(span) = unnumbered(Class::VagueTime) {
            say(facts, span, sentence, found, |shown| {
                format!("\"{shown}\" names no time: how soon or how often is left open")
            });
        } else if sentence.is_strict()
            && let Some(span) = unnumbered(Class::VagueCount)
        {
            say(facts, span, sentence, found, |shown| {
                format!("\"{shown}\" in a requirement: how many is left open")
            });
        }
    }
}

/// Whether a number follows closely, as in `a short delay (200 ms)`.
fn is_numbered(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    const CLOSELY: usize = 8;
    let end = sentence.words.end.min(at + CLOSELY);
    facts.words[at..end].iter().any(|word| word.is_number())
}

/// `reasonable timeout`, `large number`, `some more time`.
fn degree_of_dimension(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let dimensions = facts.hits_of(sentence, Class::Dimension);
    let dimensions: Vec<usize> = dimensions.map(|hit| hit.first).collect();
    facts.hits_of(sentence, Class::Degree).find_map(|hit| {
        let behind = hit.first + hit.count;
        let mut near = dimensions.iter();
        let dimension = near.find(|at| (behind..behind + 2).contains(*at))?;
        let (first, last) = (&facts.words[hit.first], &facts.words[*dimension]);
        let between = facts.between(first, last);
        let joined = !between.contains([',', ';', ':', '(', '.']);
        (joined && !is_numbered(facts, sentence, hit.first)).then_some(first.start..last.end)
    })
}

/// Words that weaken a requirement but are fair in a description.
const HEDGES: [&str; 8] = [
    "generally",
    "usually",
    "typically",
    "normally",
    "mostly",
    "in general",
    "if required",
    "as required",
];

fn qualifiers(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.binding() {
        if !facts.states_behaviour(sentence)
            || requirements::is_unmeasurable(facts, sentence).is_some()
        {
            continue;
        }
        let weak = |class: Class| facts.hits_of(sentence, class).next();
        let escape = facts.hits_of(sentence, Class::Escape).find(|hit| {
            let text = facts.text(facts.span_of_hit(hit)).to_lowercase();
            sentence.is_strict() || !HEDGES.contains(&text.as_str())
        });
        let unnumbered = !sentence.has_number;
        let hit = escape
            .filter(|hit| hit.first > sentence.words.start || sentence.is_strict())
            .or_else(|| weak(Class::Manner).filter(|_| unnumbered))
            .or_else(|| {
                weak(Class::Fitting)
                    .filter(|_| unnumbered && degree_of_dimension(facts, sentence).is_none())
            })
            .or_else(|| {
                weak(Class::Quality).filter(|hit| {
                    unnumbered && sentence.is_strict() && qualifies(facts, sentence, hit.first)
                })
            });
        if let Some(hit) = hit {
            say(facts, facts.span_of_hit(hit), sentence, found, |shown| {
                format!(
                    "\"{shown}\" leaves the decision to whoever implements this, and nobody can test it"
                )
            });
        }
    }
}

/// Whether an adjective is followed by what it describes: `a user-friendly way`, and not `is available`.
fn qualifies(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    let before = facts.word(at.wrapping_sub(1)).to_lowercase();
    at > sentence.words.start
        && ["a", "an", "in", "very", "more", "with"].contains(&before.as_str())
        && at + 1 < sentence.words.end
        && !matches!(
            facts.word(at).to_lowercase().as_str(),
            "available"
                | "stable"
                | "simple"
                | "accessible"
                | "secure"
                | "safe"
                | "clean"
                | "portable"
                | "durable"
        )
}

fn open_lists(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.binding() {
        let Some(hit) = facts.hits_of(sentence, Class::OpenEnd).next() else {
            continue;
        };
        let whole = facts.text(sentence.span.clone());
        let marks = ["e.g", "for example", "such as", "for instance", "like "];
        let illustrates = marks.iter().any(|mark| whole.contains(mark));
        let span = facts.span_of_hit(hit);
        let is_path = facts.prose()[..span.start].ends_with(['/', '.']);
        // `more common and more insidious` compares, and ends no list.
        let goes_on = facts.text(span.clone()).eq_ignore_ascii_case("and more")
            && facts.prose()[span.end..]
                .trim_start_matches([' ', '\n'])
                .starts_with(|c: char| c.is_alphanumeric());
        if illustrates || is_path || goes_on {
            continue;
        }
        say(facts, span, sentence, found, |shown| {
            format!("the list ends in \"{shown}\": what else belongs to it is not said")
        });
    }
    for (index, block) in facts.document.blocks.iter().enumerate() {
        let text = facts.text(block.span.clone()).trim();
        let open = block.kind == BlockKind::Item && matches!(text, "..." | "…");
        if open && !facts.sections[facts.section_of_block[index]].is_informative {
            let message = "the list ends in \"…\": what else belongs to it is not said";
            found.at(block.span.clone(), message);
        }
    }
}
