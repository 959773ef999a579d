//! The root cause of repeated failure: what attempts that were rolled back have in common or don't, as one table from
//! what was seen to what it points to.

use gapless_domain::{Confidence, comma_list, listed, named};
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::patterns::Pattern;
use super::patterns::quoted;
use super::split::{Split, suggested, topics_of};
use super::tried::Tried;
use gapless_domain::matter::{Link, Matter, same_matter};
use gapless_reading::validate::THIN_SECTION_CHARS;

/// Why attempts keep failing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Cause {
    DomainGap,
    MissingContext,
    GapAmbiguity,
    ScopeTooLarge,
    PromptIssue,
    Unclear,
}

named!(Cause);

impl Cause {
    /// What it means, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Cause::DomainGap => {
                "the Engineer has next to nothing to say on it: knowledge of the domain is missing"
            }
            Cause::MissingContext => {
                "the proposals lean on things that nothing defines: context is missing"
            }
            Cause::GapAmbiguity => "the gap can be read in more than one way",
            Cause::ScopeTooLarge => "the gap combines several concerns",
            Cause::PromptIssue => "the prompt does not bring out what is asked for",
            Cause::Unclear => "the attempts show nothing that explains it",
        }
    }

    fn action(self) -> Action {
        match self {
            Cause::DomainGap => Action::OtherGaps,
            Cause::ScopeTooLarge => Action::Split,
            Cause::MissingContext | Cause::GapAmbiguity | Cause::PromptIssue => Action::Context,
            Cause::Unclear => Action::Pause,
        }
    }
}

/// What to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum Action {
    Split,
    Context,
    OtherGaps,
    Force,
    Pause,
}

listed!(Action);

impl Action {
    pub fn phrase(self) -> &'static str {
        match self {
            Action::Split => "split the gap, and retry with its first part",
            Action::Context => "give context, and retry",
            Action::OtherGaps => "take other gaps in this round",
            Action::Force => "go on with the best output there is",
            Action::Pause => "pause, and ask somebody who knows",
        }
    }
}

/// A cause, and what speaks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Likely {
    pub cause: Cause,
    pub confidence: Confidence,
    pub evidence: Vec<String>,
}

/// What came of looking at the attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    /// The most likely first; never empty.
    pub causes: Vec<Likely>,
    pub action: Action,
    /// How the gap could be split, where its proposals have parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

impl RootCause {
    /// The most likely cause.
    pub fn likeliest(&self) -> Option<&Likely> {
        self.causes.first()
    }
}

const LONGEST_REASON: usize = 120;
const MOST_EVIDENCE: usize = 4;

/// Looks for the root cause of attempts at the same round, the oldest first.
pub fn root_cause(attempts: &[Tried]) -> RootCause {
    let split = suggested(attempts);
    let mut causes: Vec<Likely> = [
        minimal(attempts),
        unknowns(attempts),
        contradicting(attempts),
        compared(attempts),
    ]
    .into_iter()
    .flatten()
    .collect();
    if comparable(attempts).is_none() {
        causes.extend(hinted_at(attempts));
    }
    let sure = |confidence: Confidence| match confidence {
        Confidence::High => 0,
        Confidence::Medium => 1,
        Confidence::Low => 2,
    };
    causes.sort_by_key(|likely| (sure(likely.confidence), likely.cause));
    // Two rows of the table may point to the same cause: what speaks for it stands together.
    let mut merged: Vec<Likely> = Vec::new();
    for likely in causes {
        match merged.iter_mut().find(|known| known.cause == likely.cause) {
            Some(known) => known.evidence.extend(likely.evidence),
            None => merged.push(likely),
        }
    }
    for likely in &mut merged {
        likely.evidence.truncate(MOST_EVIDENCE);
    }
    if merged.is_empty() {
        merged.push(Likely {
            cause: Cause::Unclear,
            confidence: Confidence::Low,
            evidence: reasons(attempts),
        });
    }
    let action = match merged[0].cause.action() {
        // Nothing to split by: fewer and other gaps are the next best thing.
        Action::Split if split.is_none() => Action::OtherGaps,
        action => action,
    };
    RootCause {
        causes: merged,
        action,
        split,
    }
}

fn reasons(attempts: &[Tried]) -> Vec<String> {
    let numbered = attempts.iter().enumerate();
    numbered
        .map(|(index, tried)| {
            format!(
                "attempt {}: \"{}\"",
                index + 1,
                quoted(&tried.reason, LONGEST_REASON)
            )
        })
        .collect()
}

/// False for an attempt that was undone before an Engineer had brought anything: it says nothing about the gap.
fn was_written(tried: &Tried) -> bool {
    !tried.analysis.produced.is_empty()
}

/// Under 200 characters for every gap, in every attempt that brought anything.
fn minimal(attempts: &[Tried]) -> Option<Likely> {
    let longest = |tried: &Tried| {
        let lengths = tried.analysis.produced.iter().map(|gap| gap.length);
        lengths.max().unwrap_or(0)
    };
    let written = || {
        let numbered = attempts.iter().enumerate();
        numbered.filter(|(_, tried)| was_written(tried))
    };
    let all = written().all(|(_, tried)| (longest(tried) as usize) < THIN_SECTION_CHARS);
    (written().count() >= 2 && all).then(|| Likely {
        cause: Cause::DomainGap,
        confidence: Confidence::High,
        evidence: written()
            .map(|(index, tried)| {
                format!(
                    "attempt {}: {} characters for its longest gap",
                    index + 1,
                    longest(tried)
                )
            })
            .collect(),
    })
}

/// Terms that nothing defines, in one attempt or in all.
fn unknowns(attempts: &[Tried]) -> Option<Likely> {
    let mut evidence = Vec::new();
    for (index, tried) in attempts.iter().enumerate() {
        if let Some(finding) = tried.analysis.finding(Pattern::DomainConfusion) {
            let words: Vec<String> = finding
                .evidence
                .iter()
                .flat_map(|evidence| &evidence.words)
                .take(3)
                .map(|word| format!("\"{word}\""))
                .collect();
            evidence.push(format!("attempt {}: {}", index + 1, words.join(", ")));
        }
    }
    likely(Cause::MissingContext, evidence, attempts)
}

fn contradicting(attempts: &[Tried]) -> Option<Likely> {
    let mut evidence = Vec::new();
    for (index, tried) in attempts.iter().enumerate() {
        if let Some(found) = tried.analysis.contradictions.first() {
            let values = found.values.join(" and ");
            evidence.push(format!(
                "attempt {}: `{}` is {values} in {}",
                index + 1,
                found.key,
                found.gap
            ));
        }
    }
    likely(Cause::GapAmbiguity, evidence, attempts)
}

/// Seen in every attempt it is sure, seen in some it is likely.
fn likely(cause: Cause, evidence: Vec<String>, attempts: &[Tried]) -> Option<Likely> {
    let confidence = match evidence.len() {
        0 => return None,
        seen if seen == attempts.len() && seen >= 2 => Confidence::High,
        _ => Confidence::Medium,
    };
    Some(Likely {
        cause,
        confidence,
        evidence,
    })
}

/// What one pattern points to by itself, where there is no other attempt to compare it with.
fn hint(pattern: Pattern) -> Cause {
    match pattern {
        Pattern::AbstractOutput => Cause::GapAmbiguity,
        Pattern::InconsistentRefs | Pattern::DomainConfusion => Cause::MissingContext,
        Pattern::MissingSections | Pattern::NarrowExamples | Pattern::ScopeDrift => {
            Cause::PromptIssue
        }
    }
}

/// What the patterns of single attempts point to; undefined terms have a row of their own.
fn hinted_at(attempts: &[Tried]) -> Vec<Likely> {
    let mut causes: Vec<Likely> = Vec::new();
    for (index, tried) in attempts.iter().enumerate() {
        let patterns = tried.analysis.patterns.iter();
        for finding in patterns.filter(|found| found.pattern != Pattern::DomainConfusion) {
            let evidence = format!("attempt {}: {}", index + 1, finding.in_words());
            causes.push(Likely {
                cause: hint(finding.pattern),
                confidence: Confidence::Low,
                evidence: vec![evidence],
            });
        }
    }
    causes
}

/// The last two attempts, where both were written and their patterns can be compared.
fn comparable(attempts: &[Tried]) -> Option<(&Tried, &Tried)> {
    let [.., one, other] = attempts else {
        return None;
    };
    let any_pattern = |tried: &Tried| !tried.analysis.patterns.is_empty();
    let both_written = was_written(one) && was_written(other);
    (both_written && (any_pattern(one) || any_pattern(other))).then_some((one, other))
}

/// The last two attempts beside each other: reasons are similar where the patterns are the same.
fn compared(attempts: &[Tried]) -> Option<Likely> {
    let Some((one, other)) = comparable(attempts) else {
        return compared_by_reason(attempts);
    };
    let (first, second) = (one.analysis.pattern_set(), other.analysis.pattern_set());
    let shared: BTreeSet<&Pattern> = first.intersection(&second).collect();
    let all = first.union(&second).count();
    if shared.len() * 2 < all {
        let confidence = match (shared.is_empty(), first.is_empty() || second.is_empty()) {
            (_, true) => Confidence::Low,
            (true, false) => Confidence::High,
            (false, false) => Confidence::Medium,
        };
        return Some(Likely {
            cause: Cause::ScopeTooLarge,
            confidence,
            evidence: vec![
                format!("attempt {}: {}", attempts.len() - 1, names(&first)),
                format!("attempt {}: {}", attempts.len(), names(&second)),
            ],
        });
    }
    let same: BTreeSet<Pattern> = shared.into_iter().copied().collect();
    let mut evidence = vec![format!("both attempts: {}", names(&same))];
    let confidence = match same.len() == all {
        true => Confidence::Medium,
        false => Confidence::Low,
    };
    // The same failure over different content: what was asked for is unclear, and not how.
    let cause = match differing_topics(one, other) {
        Some(topics) => {
            evidence.push(topics);
            Cause::GapAmbiguity
        }
        None => Cause::PromptIssue,
    };
    Some(Likely {
        cause,
        confidence,
        evidence,
    })
}

fn names(patterns: &BTreeSet<Pattern>) -> String {
    match patterns.len() {
        0 => "no pattern".to_owned(),
        _ => comma_list(patterns.iter().map(|pattern| pattern.name())),
    }
}

/// A gap whose two proposals dealt with nothing that is alike.
fn differing_topics(one: &Tried, other: &Tried) -> Option<String> {
    for gap in &other.analysis.produced {
        let of = |tried: &Tried| topics_of(std::slice::from_ref(tried), &gap.gap);
        let (before, now) = (of(one), of(other));
        let alike = |topic: &String| {
            before
                .iter()
                .any(|known| known == topic || same_matter(known, topic))
        };
        if before.len() >= 2 && now.len() >= 2 && !now.iter().any(alike) {
            return Some(format!(
                "{}: first \"{}\", then \"{}\"",
                gap.gap,
                quoted(&before.join("; "), LONGEST_REASON),
                quoted(&now.join("; "), LONGEST_REASON)
            ));
        }
    }
    None
}

/// Without patterns only the words of the reasons are left, which say little.
fn compared_by_reason(attempts: &[Tried]) -> Option<Likely> {
    let [.., one, other] = attempts else {
        return None;
    };
    let (first, second) = (Matter::of(&one.reason), Matter::of(&other.reason));
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let cause = match first.is(&second, Link::None) {
        true => Cause::PromptIssue,
        false => Cause::ScopeTooLarge,
    };
    let said = |number: usize, tried: &Tried| {
        format!(
            "attempt {number}: \"{}\"",
            quoted(&tried.reason, LONGEST_REASON)
        )
    };
    Some(Likely {
        cause,
        confidence: Confidence::Low,
        evidence: vec![said(attempts.len() - 1, one), said(attempts.len(), other)],
    })
}
