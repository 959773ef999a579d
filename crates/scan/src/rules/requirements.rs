//! Rules for requirements without an actor, and for those that can't be checked.

use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use crate::facts::{Classes, Hit, Modal};
use crate::rule::{Found, quoted, quoted_around};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static NO_ACTOR: Rule = Rule {
    id: "no-actor",
    category: "REQ",
    severity: Severity::Low,
    title: "Who does it?",
    reason: "In a system of several parts, each part will take it for the work of another.",
    suggestion: "name who does it: \"the importer must validate …\"",
    topic: Topic::Other,
    bad: &[
        "Stale rows must be deleted.",
        "Refunds above 100 EUR must be approved.",
        "Rules:\n\n- Orders are immutable.\n\nText follows here.\n\n- Must verify the signature of the body.",
    ],
    good: &[
        "The importer must delete stale rows.",
        "Refunds above 100 EUR must be approved by a manager.",
        "The body must be sent as JSON.",
        "The client:\n\n- must verify the signature\n- must keep the order",
    ],
    check: actors,
};

pub static UNMEASURABLE: Rule = Rule {
    id: "unmeasurable",
    category: "REQ",
    severity: Severity::Medium,
    title: "How is the quality measured, and from when on is it met?",
    reason: "Nobody can say when it is met: the requirement has no acceptance.",
    suggestion: "give the measure and the threshold: a percentile and its time, a share of a month, a number at once",
    topic: Topic::Other,
    bad: &[
        "The service must be highly available.",
        "The API shall be fast and reliable.",
        "The pipeline must scale.",
        "The tool should be easy to use.",
    ],
    good: &[
        "The service must be available 99.9% of each month.",
        "The file must be available to the next step.",
        "The API shall answer within 200 ms at the 95th percentile.",
        "The pipeline must scale to 40 workers.",
    ],
    check: measures,
};

fn actors(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.binding() {
        if !matches!(sentence.modal, Some(Modal::Must | Modal::Should))
            || facts.block_of(sentence).kind == BlockKind::Cell
        {
            continue;
        }
        let said = passive(facts, sentence).or_else(|| subjectless(facts, sentence));
        if let Some(span) = said {
            let topic = Topic::of_text(&quoted(facts.text(sentence.span.clone())));
            found
                .at(
                    span.clone(),
                    format!(
                        "\"{}\": who or what does this?",
                        quoted_around(facts, sentence, &span)
                    ),
                )
                .about(topic);
        }
    }
}

fn modal_hit<'f>(facts: &'f Facts<'_>, sentence: &Sentence) -> Option<&'f Hit> {
    let obliging = Classes::of(Class::Must)
        .with(Class::Should)
        .with(Class::Will);
    let mut hits = facts.hits[sentence.hits.clone()].iter();
    hits.find(|hit| hit.classes.meets(obliging))
}

/// `must be deleted`, with nobody in the sentence who could.
fn passive(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    if sentence.has(Class::Actor) {
        return None;
    }
    let modal = modal_hit(facts, sentence)?;
    let mut at = modal.first + modal.count;
    at += usize::from(facts.word(at).eq_ignore_ascii_case("not"));
    if !facts.word(at).eq_ignore_ascii_case("be") {
        return None;
    }
    let mut passives = facts.hits_of(sentence, Class::Passive);
    let done = passives.find(|hit| (at + 1..=at + 2).contains(&hit.first))?;
    let named =
        (done.first..sentence.words.end).any(|index| facts.word(index).eq_ignore_ascii_case("by"));
    (!named).then(|| facts.words[modal.first].start..facts.words[done.first].end)
}

/// An item that begins with `Must`, and no lead-in that says who.
fn subjectless(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let modal = modal_hit(facts, sentence)?;
    if modal.first != sentence.words.start || facts.block_of(sentence).kind != BlockKind::Item {
        return None;
    }
    let mut before = facts.document.blocks[..sentence.block]
        .iter()
        .rev()
        .take(64);
    let lead = before.find(|block| block.kind != BlockKind::Item);
    let led = lead.is_some_and(|block| {
        facts.text(block.span.clone()).trim_end().ends_with(':') || block.kind == BlockKind::Heading
    });
    let end = facts.words[(modal.first + modal.count).min(sentence.words.end - 1)].end;
    (!led).then(|| facts.words[modal.first].start..end)
}

fn measures(facts: &Facts<'_>, found: &mut Found) {
    for sentence in facts.obliging() {
        if let Some(span) = is_unmeasurable(facts, sentence) {
            let around = quoted(facts.text(sentence.span.clone()));
            let text = facts.text(span.clone());
            let message = format!(
                "\"{}\": how is that measured, and from which figure on is it met?",
                quoted_around(facts, sentence, &span)
            );
            let remark = found.at(span, message);
            remark.about(Topic::of_texts(&[&around, text]));
        }
    }
}

/// Words that go on behind a quality and measure nothing.
const CONTINUING: [&str; 11] = [
    "and", "or", "even", "under", "at", "enough", "for", "to", "during", "on", "when",
];

/// The quality that a sentence requires without a number.
pub fn is_unmeasurable(facts: &Facts<'_>, sentence: &Sentence) -> Option<Range<usize>> {
    let of_tests = facts
        .word(sentence.words.start)
        .eq_ignore_ascii_case("tests");
    if sentence.has_number || !sentence.is_strict() || of_tests {
        return None;
    }
    let modal = modal_hit(facts, sentence)?;
    let verb = (modal.first + modal.count..sentence.words.end)
        .take(3)
        .find(|index| !matches!(facts.word(*index), "not" | "always" | "also" | "therefore"))?;
    let start = facts.words[modal.first].start;
    match facts.word(verb).to_lowercase().as_str() {
        "be" | "remain" | "stay" => {
            let mut qualities = facts.hits_of(sentence, Class::Quality);
            let quality = qualities.find(|hit| (verb + 1..=verb + 2).contains(&hit.first))?;
            let behind = quality.first + quality.count;
            let gap = || facts.between(&facts.words[behind - 1], &facts.words[behind]);
            let ends = behind >= sentence.words.end
                || gap().contains([',', ';', '.', ':'])
                || CONTINUING.contains(&facts.word(behind))
                    && !is_bound_to(facts, sentence, behind);
            ends.then(|| start..facts.words[behind - 1].end)
        }
        "scale" | "cope" => Some(start..facts.words[verb].end),
        "perform" => {
            let how = ["well", "under", "", "adequately", "efficiently"];
            let says = how.contains(&facts.word(verb + 1));
            says.then(|| start..facts.words[verb].end)
        }
        _ => None,
    }
}

/// `available to the next step` says for whom; `available at all times` says nothing.
fn is_bound_to(facts: &Facts<'_>, sentence: &Sentence, at: usize) -> bool {
    let next = facts.word(at + 1).to_lowercase();
    let complement = match facts.word(at) {
        "to" => next != "use" && next != "users" && next != "understand",
        "for" => !matches!(next.as_str(), "all" | "users" | "everyone" | "customers"),
        "at" => next != "all",
        "when" | "during" | "on" | "even" | "after" | "before" => true,
        _ => false,
    };
    complement && at + 1 < sentence.words.end
}
