//! Rules for sections that say nothing, or next to nothing.

use std::sync::LazyLock;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use crate::facts::{Section, Titles};
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Purpose, Rule, Topic};

pub static EMPTY_SECTION: Rule = Rule {
    id: "empty-section",
    category: "OPEN",
    severity: Severity::High,
    title: "What belongs under this heading?",
    reason: "The title promises something that the spec doesn't say.",
    suggestion: "write the section, or take the heading away",
    topic: Topic::Other,
    bad: &[
        "# Spec\n\n## Limits\n\n## Errors\n\nEvery error has a code.",
        "# Spec\n\nText.\n\n## Retention\n\n<!-- later -->\n",
    ],
    good: &[
        "# Spec\n\n## Limits\n\n### Size\n\nAt most 1 MB.",
        "# Spec\n\n## Limits\n\n```toml\nsize = \"1 MB\"\n```",
    ],
    check: empty,
};

pub static THIN_SECTION: Rule = Rule {
    id: "thin-section",
    category: "OPEN",
    severity: Severity::Low,
    title: "What does an implementer need to know here?",
    reason: "A heading like \"Errors\" or \"Retention\" promises decisions, and one short line makes hardly any.",
    suggestion: "say what an implementer needs: inputs, limits, what can go wrong; or merge it into its neighbour",
    topic: Topic::Other,
    bad: &[
        "# Spec\n\n### CreateOrderRequest\n\n- CustomerId, Lines, Note",
        "# Spec\n\n## Authentication\n\nUsers log in.\n\n## Storage\n\nRows are kept in one table, keyed by order id.",
    ],
    good: &[
        "# Spec\n\n## Authentication\n\nUsers log in with a password of 12 to 128 characters.",
        "# Spec\n\n## Layout\n\nOne line.\n\n```\nx\n```",
        "# Spec\n\n## Delivery\n\nSee [the contract](contract.md).",
        "# Spec\n\n## Security\n\nN/A.\n\n## Errors\n\nNone so far.",
        "# Spec\n\n## Colours\n\nThe page is green.",
    ],
    check: thin,
};

/// Titles that promise content that an implementer needs.
static PROMISING: LazyLock<Titles> =
    LazyLock::new(|| Titles::of(include_str!("../words/promising_sections.txt")));

/// `CreateOrderRequest`: the title is the name of something whose fields have to be known.
fn names_data(title: &str) -> bool {
    const ENDINGS: [&str; 10] = [
        "Request", "Response", "Dto", "DTO", "Command", "Query", "Event", "Payload", "Entity",
        "Model",
    ];
    let title = title.trim_matches(['`', '*', ' ']);
    let is_name = title.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name
        && ENDINGS
            .iter()
            .any(|ending| title.len() > ending.len() && title.ends_with(ending))
}

/// `None`, `N/A` and the like are contents: somebody looked, and there is nothing.
fn says_nothing(first: &str) -> bool {
    let nothing = ["none", "n", "na", "no", "nothing", "not", "same"];
    nothing.iter().any(|word| first.eq_ignore_ascii_case(word))
}

fn leaves<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = &'f Section> {
    facts.sections.iter().filter(|section| {
        section.heading.is_some() && !section.has_children && !section.is_informative
    })
}

fn empty(facts: &Facts<'_>, found: &mut Found) {
    for section in leaves(facts) {
        let mut blocks = facts.document.blocks[section.blocks.clone()].iter();
        let silent = blocks.all(|block| matches!(block.kind, BlockKind::Heading | BlockKind::Html));
        // `Stages:` leads to the sections behind it.
        let leads = section.title.trim_end().ends_with(':');
        let Some(heading) = section.heading.clone().filter(|_| silent && !leads) else {
            continue;
        };
        let message = format!(
            "nothing is written under \"{}\": what belongs there?",
            quoted(&section.title)
        );
        let end = heading.start + facts.text(heading.clone()).trim_end().len();
        found
            .at(heading.start..end, message)
            .about(Topic::of_text(&section.title));
    }
}

fn thin(facts: &Facts<'_>, found: &mut Found) {
    const FEW_WORDS: usize = 8;
    for section in leaves(facts) {
        let blocks = facts.document.blocks[section.blocks.clone()].iter();
        let mut texts = blocks.filter(|block| block.kind != BlockKind::Heading);
        let sentences = facts.sentences[section.sentences.clone()].iter();
        let mut own = sentences.filter(|s| facts.block_of(s).kind != BlockKind::Heading);
        let (Some(block), None) = (texts.next(), texts.next()) else {
            continue;
        };
        let (Some(sentence), None) = (own.next(), own.next()) else {
            continue;
        };
        let words = facts.words_of(sentence);
        let refers = words.iter().any(|word| {
            word.is_code()
                || word.is_number()
                || facts.text(word.span()).eq_ignore_ascii_case("see")
        });
        let kinds = matches!(block.kind, BlockKind::Paragraph | BlockKind::Item);
        let skip = refers
            || !kinds
            || block.quoted
            || sentence.is_recorded_gap
            || section.purpose == Purpose::Glossary;
        let placeholder = sentence.has(Class::Undecided);
        let text = facts.text(sentence.span.clone());
        let denies = sentence.has(Class::Not) || says_nothing(facts.word(sentence.words.start));
        let promises = PROMISING.have(&section.title) || names_data(&section.title);
        if words.len() > FEW_WORDS || skip || placeholder || denies || !promises {
            continue;
        }
        let message = format!(
            "all that the spec says under \"{}\" is \"{}\": what does an implementer need to know?",
            quoted(&section.title),
            quoted(text)
        );
        found
            .at(sentence.span.clone(), message)
            .about(Topic::of_text(&section.title));
    }
}
