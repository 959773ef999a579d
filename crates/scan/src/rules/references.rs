//! The rule for references to missing targets.

use gapless_domain::Severity;
use gapless_markdown::{BlockKind, last_at};

use crate::facts::{Reference, ReferenceKind};
use crate::rule::{Found, quoted, quoted_around};
use crate::{Facts, Rule, Topic};

pub static DANGLING_REFERENCE: Rule = Rule {
    id: "dangling-reference",
    category: "REF",
    severity: Severity::Medium,
    title: "What is it that the spec refers to?",
    reason: "What the reader is sent to read doesn't exist, so the rule that it holds is missing.",
    suggestion: "correct the reference, or write what it points at",
    topic: Topic::Reference,
    bad: &[
        "# 1. Scope\n\nLimits are in section 7.\n\n# 2. Limits\n\nAt most 10 items.",
        "# Spec\n\nSee [limits](#limits).\n\n## Size\n\nAt most 10 items.",
        "# Spec\n\nFigure 2 shows the flow.\n\nFigure 1: The flow",
        "# Spec\n\n- FR-001: The service stores orders.\n- FR-002: It refuses doubles, as FR-009 demands.",
        "# Spec\n\nRetries are described in section \"Resilience\".\n\n## Size\n\nAt most 10 items.",
    ],
    good: &[
        "# 1. Scope\n\nLimits are in section 2.\n\n# 2. Limits\n\nAt most 10 items.",
        "# Spec\n\nSee [size](#size).\n\n## Size\n\nAt most 10 items.",
        "# 1. Scope\n\nAs section 4.2 of RFC 9110 says.",
        "# 1. Scope\n\nAs section 4 of the contract says.",
        "# Spec\n\n- FR-001: The service stores orders.\n- FR-002: It refuses doubles, as FR-001 demands.",
        "# Spec\n\n- FR-001: The service stores orders.\n- FR-002: It refuses doubles.\n\nThe client meets FR-007 of `specs/client/spec.md`.",
        "# Spec\n\nThe hash is SHA-256 of the body, in UTF-8.",
    ],
    check,
};

fn check(facts: &Facts<'_>, found: &mut Found) {
    let references = &facts.references;
    let mut contents = 0;
    // Several numbers that no heading has are those of another document.
    const MOST_MISSING: usize = 2;
    let missing = references.found.iter().filter(|reference| {
        matches!(reference.kind, ReferenceKind::Section(_))
            && references.is_there(&reference.kind) == Some(false)
    });
    let is_of_another = missing.count() > MOST_MISSING;
    for reference in &references.found {
        let (what, missing) = match &reference.kind {
            ReferenceKind::Section(number) => {
                (format!("section {number}"), "no heading has this number")
            }
            ReferenceKind::Title(title) => (
                format!("section \"{}\"", quoted(title)),
                "no heading has this title",
            ),
            ReferenceKind::Caption(kind, number) => {
                (format!("{kind} {number}"), "nothing is captioned so")
            }
            ReferenceKind::Anchor(anchor) => {
                (format!("#{}", quoted(anchor)), "no heading has this link")
            }
            ReferenceKind::Id(id) => (
                id.clone(),
                "it is declared nowhere, though others of its series are",
            ),
            ReferenceKind::File(path) => (quoted(path), "there is no such file"),
        };
        let is_there = match &reference.kind {
            ReferenceKind::File(path) => facts.surroundings.exists(path),
            // A spec without numbers refers to those of another.
            ReferenceKind::Section(_) if is_of_another || !references.has_numbered_sections() => {
                None
            }
            kind => references.is_there(kind),
        };
        // A table of contents that is out of date is one finding.
        contents += usize::from(is_there == Some(false) && is_in_contents(facts, reference));
        if is_there == Some(false) && !(contents > 1 && is_in_contents(facts, reference)) {
            found.at(
                reference.span.clone(),
                format!(
                    "{}the spec refers to `{what}`, but {missing}: what should be read there?",
                    quote_of(facts, reference)
                ),
            );
        }
    }
}

/// Whether a reference is all that an item has.
fn is_in_contents(facts: &Facts<'_>, reference: &Reference) -> bool {
    let block = last_at(&facts.document.blocks, reference.span.start, |block| {
        block.span.start
    });
    matches!(reference.kind, ReferenceKind::Anchor(_))
        && block.is_some_and(|block| {
            block.kind == BlockKind::Item
                && facts.text(block.span.clone()).trim().len() <= reference.span.len()
        })
}

/// The sentence that a reference is in, as a message quotes it.
fn quote_of(facts: &Facts<'_>, reference: &Reference) -> String {
    let span = &reference.span;
    let sentence = last_at(&facts.sentences, span.start, |sentence| sentence.span.start);
    let around = sentence.filter(|sentence| sentence.span.end >= span.end);
    around.map_or(String::new(), |sentence| {
        format!("\"{}\": ", quoted_around(facts, sentence, span))
    })
}
