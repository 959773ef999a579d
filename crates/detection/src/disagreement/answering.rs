//! Decides whether an Engineer's output answers an issue in substance: by what is said where its id stands, or by new text that
//! is about its concern (`substance`). An id in a fence, a comment, a quote or a list of what is left open answers nothing, and neither do
//! "resolved", "noted", "deferred" or an objection.

use super::answer::{Answer, Beside, By, Demand, Found, answer, excerpt, names, repeats};
use super::output::Output;
use super::passages::{Earlier, Kind, Passage, Passages};
use super::raised::{Raised, Wanted};
use super::substance::{does_as_asked, substance};
use super::words::{ASIDES, DEFERRALS, MENTIONS, phrase_in, straight};
use gapless_domain::gap::Confidence;
use gapless_domain::ids::issue_ids_in;
use gapless_domain::keywords::is_claim;
use gapless_domain::words::numbers_in;
use gapless_reading::read::disputes;

/// Looks for an answer to an issue in what is new in an output. `others` has all issues that it may answer: a passage that may be
/// about another of them answers none in passing.
pub fn look(
    issue: &Raised,
    wanted: &Wanted,
    output: &Output,
    earlier: &Earlier,
    demand: Demand,
    others: &[Beside],
) -> Found {
    let mut found = Found {
        answer: disagrees(issue, wanted, output, earlier),
        overlap: best_overlap(wanted, output, earlier),
        ..Found::default()
    };
    let passages = &output.passages;
    for (index, passage) in passages.0.iter().enumerate() {
        match reference(issue, wanted, passages, index) {
            None => {}
            Some(Reference::Listing) => keep_first(&mut found.listing, passage),
            Some(Reference::Claim) => keep_first(&mut found.claim, passage),
            Some(Reference::Said) if found.answer.is_none() => {
                let confidence = Confidence::High;
                found.answer = Some(answer(
                    By::Id,
                    confidence,
                    wanted,
                    passages,
                    earlier,
                    passage,
                ));
            }
            Some(Reference::Said) => {}
        }
    }
    if found.answer.is_none() {
        found.answer = substance(issue, wanted, output, earlier, demand, others);
    }
    found
}

fn best_overlap(wanted: &Wanted, output: &Output, earlier: &Earlier) -> u32 {
    let passages = output.passages.0.iter();
    let new = passages.filter(|passage| !earlier.has(passage));
    let shares = new.map(|passage| wanted.keywords.share(&[passage.keywords()]));
    shares.max().unwrap_or(0)
}

/// An explicit DISAGREE is an answer, whatever is in it: whether it is well formed is validated elsewhere.
fn disagrees(
    issue: &Raised,
    wanted: &Wanted,
    output: &Output,
    earlier: &Earlier,
) -> Option<Answer> {
    let block = output.reading.disagreements.iter().find(|block| {
        let id = block.issue.to_string();
        issue.names().any(|name| name == id)
    })?;
    let passage = output.passages.within(&block.section).next()?;
    let passages = &output.passages;
    Some(answer(
        By::Disagree,
        Confidence::High,
        wanted,
        passages,
        earlier,
        passage,
    ))
}

fn keep_first(kept: &mut Option<(u32, String)>, passage: &Passage) {
    kept.get_or_insert_with(|| (passage.line, excerpt(passage.text)));
}

/// What naming an issue comes to.
enum Reference {
    Said,
    Claim,
    Listing,
}

fn reference(
    issue: &Raised,
    wanted: &Wanted,
    passages: &Passages,
    index: usize,
) -> Option<Reference> {
    let passage = passages.0.get(index)?;
    if matches!(passage.kind, Kind::Code | Kind::Example | Kind::Quote) {
        return None;
    }
    if !names(issue, passage.text) {
        return None;
    }
    let aside = passages
        .setting(passage)
        .any(|text| phrase_in(&ASIDES, text).is_some());
    let heading = matches!(passage.kind, Kind::Heading(_));
    if answers_nothing(passage.text, wanted)
        || phrase_in(&MENTIONS, &passage.straight).is_some()
        || aside
        || (heading && phrase_in(&ASIDES, &passage.straight).is_some())
    {
        return Some(Reference::Listing);
    }
    // A heading or a lead-in says what the text below it answers.
    if heading || passage.straight.ends_with(':') {
        let below = passages.0.iter().skip(index + 1).take_while(|below| {
            match (below.kind, passage.kind) {
                (Kind::Heading(below), Kind::Heading(own)) => below > own,
                (Kind::Heading(_), _) => false,
                _ => true,
            }
        });
        let said = below.filter(|below| !matches!(below.kind, Kind::Quote | Kind::Example));
        let said: Vec<&Passage> = said.collect();
        // An answer that begins with putting the issue off or disputing it is none, whatever else it says.
        let first = said.first().map_or("", |first| first_sentence(first.text));
        let named = said.iter().filter(|below| names(issue, below.text));
        if answers_nothing(first, wanted)
            || named
                .clone()
                .any(|below| answers_nothing(below.text, wanted))
        {
            return Some(Reference::Listing);
        }
        // One text for several issues answers those that it meets.
        let joint = ids_named(passage.text) > 1;
        let answered = said.iter().any(|below| says_how(below, wanted, 1))
            && (!joint || said.iter().any(|below| meets(below, wanted)));
        return Some(match answered {
            true => Reference::Said,
            false => Reference::Claim,
        });
    }
    let ids = ids_named(passage.text);
    Some(match says_how(passage, wanted, ids) {
        true => Reference::Said,
        false => Reference::Claim,
    })
}

/// True where a text puts something off, or disputes it. What the issue itself says is only repeated.
fn answers_nothing(text: &str, wanted: &Wanted) -> bool {
    let text_straight = straight(text);
    let own = text_straight.replace(&wanted.said, " ");
    phrase_in(&DEFERRALS, &own).is_some() || disputes(text)
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    &text[..end]
}

/// How many issues a text names: what it says is shared among them.
fn ids_named(text: &str) -> usize {
    issue_ids_in(text).len().max(1)
}

/// True where a text says more than that the issue is done with: words of its own, a word of what the Reviewer asked for, or a
/// number that the issue's summary doesn't have. What it says is shared among the issues that it names.
fn says_how(passage: &Passage, wanted: &Wanted, ids: usize) -> bool {
    if repeats(passage, wanted) {
        return false;
    }
    let own = |word: &&str| !wanted.keywords.has(word) && !is_claim(word);
    let own: Vec<&str> = passage.keywords().iter().filter(own).collect();
    let asked_for = own.iter().any(|word| wanted.asked.has(word));
    let number = numbers_in(passage.text)
        .iter()
        .any(|number| !wanted.numbers.contains(number));
    own.len() >= 2 * ids || (ids == 1 && (asked_for || number))
}

/// True where a text has half of the concern in it, or half of what the Reviewer asked for.
fn meets(passage: &Passage, wanted: &Wanted) -> bool {
    wanted.keywords.half_in(&[passage.keywords()]) || does_as_asked(wanted, passage)
}
