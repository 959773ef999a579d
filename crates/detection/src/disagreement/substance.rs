//! Finds new text that is about an issue's concern and doesn't name it. What may as well be about another issue, declares a new gap
//! or disputes something answers nothing.

use super::answer::{Answer, Beside, By, Demand, answer, names, repeats};
use super::output::Output;
use super::passages::{Earlier, Kind, Passage, Passages};
use super::raised::{ENOUGH_WORDS, Raised, Wanted};
use super::words::stands_in;
use gapless_domain::gap::Confidence;
use gapless_domain::keywords::Keywords;

/// True where a passage stands below a heading that names other issues.
fn is_for_another(issue: &Raised, output: &Output, passage: &Passage) -> bool {
    let mut named = passage
        .above
        .iter()
        .filter_map(|index| output.named_by.get(index))
        .peekable();
    named.peek().is_some() && !named.any(|ids| issue.names().any(|name| ids.contains(name)))
}

/// What names the issue was looked at already: a claim that repeats the issue's own words is no substance.
pub(super) fn substance(
    issue: &Raised,
    wanted: &Wanted,
    output: &Output,
    earlier: &Earlier,
    demand: Demand,
    others: &[Beside],
) -> Option<Answer> {
    let passages = &output.passages;
    let mut best: Option<Answer> = None;
    let elsewhere = output.sections_of_others(issue);
    let own_section = issue.gap.as_ref().and_then(|gap| output.section(gap));
    let has_section = own_section.is_some();
    let new = |(index, passage): &(usize, &Passage)| {
        passage.kind != Kind::Example
            && !output.left_out.contains(index)
            && !earlier.has(passage)
            && !names(issue, passage.text)
            && !is_for_another(issue, output, passage)
            // It carries out a decision on something else.
            && !passage.text.contains("DECISION-R")
            && !elsewhere.iter().any(|other| other.contains(&passage.at))
    };
    for (_, passage) in passages.0.iter().enumerate().filter(new) {
        let by = if quotes(wanted, passage) {
            By::Quote
        } else if demand == Demand::Due && does_as_asked(wanted, passage) {
            By::Suggestion
        } else if demand == Demand::Due && answers_place(wanted, passage) {
            By::Location
        } else if demand == Demand::Due && shares_half(wanted, passages, earlier, passage) {
            By::Keywords
        } else {
            continue;
        };
        // A section is about the issues on its own gap.
        let others = others.iter().filter(|other| {
            other.raised.id != issue.id && (!has_section || other.raised.gap == issue.gap)
        });
        let mut around = passages.around(passage, earlier);
        around.push(sentence_about(wanted, passage));
        if repeats(passage, wanted) || may_be_about(others, by, wanted, passage, &around) {
            continue;
        }
        let found = answer(by, Confidence::Medium, wanted, passages, earlier, passage);
        if best
            .as_ref()
            .is_none_or(|best| found.overlap > best.overlap)
        {
            best = Some(found);
        }
    }
    best
}

/// The keywords of the sentence of a passage that has most of an issue and of what it asks for: the others may be about anything.
fn sentence_about<'p>(wanted: &Wanted, passage: &'p Passage) -> &'p Keywords {
    let shared = |sentence: &&Keywords| {
        wanted.content.shared(&[*sentence]) + wanted.asked.shared(&[*sentence])
    };
    let sentences = passage.sentences().iter();
    sentences.max_by_key(shared).unwrap_or(passage.keywords())
}

/// How many words of another issue, and none of this one, put in doubt which of the two a passage is about.
const WORDS_OF_ANOTHER: usize = 2;

/// True where a passage that doesn't have all of an issue may as well be about another: it does what that one asks for, has as
/// much of it or words that only that one has, or shares no word with this issue that the other one lacks.
fn may_be_about<'o>(
    mut others: impl Iterator<Item = &'o Beside<'o>>,
    by: By,
    wanted: &Wanted,
    passage: &Passage,
    around: &[&Keywords],
) -> bool {
    let own = wanted.content.share(around);
    let stands_there = |word: &&str| around.iter().any(|near| near.has(word));
    let shared: Vec<&str> = wanted.content.iter().filter(stands_there).collect();
    own < 100
        && others.any(|Beside { wanted: other, .. }| {
            let is_like = other.content.share(around) > own
                || other.content.half_in(around)
                || (!shared.is_empty() && shared.iter().all(|word| other.content.has(word)));
            let foreign = other
                .content
                .iter()
                .filter(stands_there)
                .filter(|word| !wanted.content.has(word) && !wanted.asked.has(word));
            does_as_asked(other, passage)
                || foreign.count() >= WORDS_OF_ANOTHER
                || (by != By::Suggestion && is_like)
        })
}

fn quotes(wanted: &Wanted, passage: &Passage) -> bool {
    passage.kind != Kind::Code
        && wanted
            .phrases
            .iter()
            .any(|phrase| stands_in(phrase, &passage.straight))
}

/// True where a passage by itself has what a sentence of the suggestion asks for.
pub(super) fn does_as_asked(wanted: &Wanted, passage: &Passage) -> bool {
    passage.kind != Kind::Quote
        && wanted.options.iter().any(|option| {
            option.shared(&[passage.keywords()]) >= ENOUGH_WORDS
                && option.half_in(&[passage.keywords()])
        })
}

/// True where the proposal for an issue's gap has, in one place, what was asked for.
pub fn has_what_was_asked(issue: &Raised, wanted: &Wanted, output: &Output) -> bool {
    let section = issue.gap.as_ref().and_then(|gap| output.section(gap));
    let Some(section) = section else {
        return false;
    };
    let mut passages = output.passages.within(&section);
    passages.any(|passage| passage.kind != Kind::Example && does_as_asked(wanted, passage))
}

fn answers_place(wanted: &Wanted, passage: &Passage) -> bool {
    matches!(passage.kind, Kind::Paragraph | Kind::Item | Kind::Row)
        && wanted
            .location
            .as_ref()
            .is_some_and(|place| stands_in(place, &passage.straight))
}

fn shares_half(wanted: &Wanted, passages: &Passages, earlier: &Earlier, passage: &Passage) -> bool {
    if passage.kind == Kind::Quote || !wanted.keywords.touched_by(passage.keywords()) {
        return false;
    }
    let mut around = passages.around(passage, earlier);
    around.push(passage.keywords());
    wanted.keywords.half_in(&around)
}
