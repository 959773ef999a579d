//! Takes out findings that ask again what another finding asks already.

use std::collections::BTreeMap;

use gapless_markdown::{last_at, starting_in};

use crate::{Facts, Finding, Topic};

/// Rules that ask for the value of one thing. Of several in the same sentence, the first of this list is enough.
const FOR_A_VALUE: [&str; 15] = [
    "placeholder",
    "undecided-choice",
    "vague-quantity",
    "missing-unit",
    "retry-without-limit",
    "cache-lifetime",
    "unbounded-result",
    "unnumbered-bound",
    "undated-state",
    "field-bound",
    "capacity-unsaid",
    "target-unsaid",
    "transfer-limit-unsaid",
    "vague-qualifier",
    "option-without-default",
];

/// Rules that ask what words mean.
const OF_MEANING: [&str; 12] = [
    "vague-quantity",
    "vague-qualifier",
    "open-list",
    "example-list",
    "unmeasurable",
    "undefined-measure",
    "unstated-criteria",
    "enough-for-what",
    "open-selection",
    "unnamed-matter",
    "untested-ideal",
    "target-unsaid",
];

pub fn without_echoes(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    asked_for_once(facts, findings);
    without_overlaps(findings);
    without_thin_echoes(findings);
}

/// `The page size is TBD.` is no bound without a number besides.
fn asked_for_once(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let rank = |finding: &Finding| FOR_A_VALUE.iter().position(|rule| *rule == finding.rule);
    let sentence = |finding: &Finding| {
        let found = last_at(&facts.sentences, finding.span.start, |it| it.span.start);
        found.map(|found| found.span.start)
    };
    let mut first: BTreeMap<usize, (usize, Option<Topic>)> = BTreeMap::new();
    for finding in findings.iter() {
        if let (Some(rank), Some(at)) = (rank(finding), sentence(finding)) {
            let least = first.entry(at).or_insert((rank, finding.topic));
            if rank < least.0 {
                *least = (rank, finding.topic);
            }
        }
    }
    findings.retain(|finding| match (rank(finding), sentence(finding)) {
        (Some(rank), Some(at)) => first.get(&at).is_none_or(|(least, topic)| {
            // A timeout and the number of retries are two values.
            let is_other = topic.is_some() && finding.topic.is_some() && *topic != finding.topic;
            *least == rank || is_other
        }),
        _ => true,
    });
}

/// Of two findings about the meaning of the same words, the graver is enough.
fn without_overlaps(findings: &mut Vec<Finding>) {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        let before = kept.last_mut().filter(|before| {
            let both = [&before.rule, &finding.rule];
            before.rule != finding.rule
                && both.iter().all(|rule| OF_MEANING.contains(rule))
                && finding.span.start < before.span.end
        });
        match before {
            Some(before) if finding.severity > before.severity => *before = finding,
            Some(_) => {}
            None => kept.push(finding),
        }
    }
    *findings = kept;
}

/// A section that is thin because of what else was found in it needs no second word.
fn without_thin_echoes(findings: &mut Vec<Finding>) {
    let is_thin = |finding: &Finding| finding.rule == "thin-section";
    let others = findings.iter().filter(|finding| !is_thin(finding));
    let others: Vec<usize> = others.map(|finding| finding.span.start).collect();
    findings.retain(|finding| {
        !is_thin(finding) || starting_in(&others, &finding.span, |at| *at).is_empty()
    });
}
