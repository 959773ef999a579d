//! Decides whether an Engineer's output answers an issue in substance: by what is said where its id stands, or by new text that
//! is about its concern (`substance`). An id in a fence, a comment, a quote or a list of what is left open answers nothing, and neither do
//! "resolved", "noted", "deferred" or an objection.

mod substance;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Serialize;

use super::passages::{Earlier, Kind, Passage, Passages};
use super::raised::{Raised, Wanted, occurrences};
use super::words::{ASIDES, DEFERRALS, MENTIONS, phrase_in, straight};
use gapless_domain::config::Strictness;
use gapless_domain::gap::Confidence;
use gapless_domain::ids::{GapId, issue_ids_in};
use gapless_domain::keywords::{is_claim, percent};
use gapless_domain::words::numbers_in;
use gapless_markdown::Document;
use gapless_reading::read::{
    EngineerReading, candidates, disputes, is_new_gaps_title, read_engineer,
};
use substance::{does_as_asked, substance};

pub use substance::has_what_was_asked;

/// How an issue is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An explicit DISAGREE.
    Disagree,
    /// Its id, with something said about it.
    Id,
    /// A phrase that the issue quotes.
    Quote,
    /// The place that the issue criticises.
    Location,
    /// At least half of a sentence of what the Reviewer asked for, in one place.
    Suggestion,
    /// At least half of the keywords of its summary, in one place.
    Keywords,
}

impl By {
    /// True where the issue is only pointed at: whether what it asks for was done is another matter.
    pub fn refers(self) -> bool {
        matches!(self, By::Id | By::Quote | By::Location)
    }
}

/// Where and how an output answers an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub by: By,
    pub confidence: Confidence,
    pub line: u32,
    pub quote: String,
    /// How many of the summary's keywords stand there, in percent.
    pub overlap: u32,
}

/// What an output has on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    pub answer: Option<Answer>,
    /// The line and words of a claim that has nothing behind it.
    pub claim: Option<(u32, String)>,
    /// The line and words where the id is only listed.
    pub listing: Option<(u32, String)>,
    /// The most of the summary's keywords that one new place has, in percent.
    pub overlap: u32,
}

/// How much an answer in substance must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// The issue's gap is worked on: half of its keywords in one place.
    Due,
    /// Something else is worked on: the id, or a phrase that the issue quotes. Keywords are shared with
    /// anything there.
    Elsewhere,
}

/// An issue that an output may answer as well.
pub struct Beside {
    pub id: String,
    pub gap: Option<GapId>,
    pub wanted: Wanted,
}

impl Beside {
    pub fn of(issue: &Raised, wanted: Wanted) -> Self {
        Self {
            id: issue.id.clone(),
            gap: issue.gap.clone(),
            wanted,
        }
    }
}

/// An Engineer's output, read once for all issues.
pub struct Output<'t> {
    pub document: Document<'t>,
    pub reading: EngineerReading,
    pub passages: Passages,
    /// The issues that each heading names, by its place among the passages.
    named_by: BTreeMap<usize, BTreeSet<String>>,
    /// The places of passages that answer nothing in passing: of DISAGREE blocks, and below a heading for new gaps.
    left_out: BTreeSet<usize>,
}

impl<'t> Output<'t> {
    /// `text` is what `readable` made of the document.
    pub fn read(text: &'t str) -> Self {
        let document = Document::parse(text);
        let reading = read_engineer(&document, Strictness::Tolerant);
        let passages = Passages::of(&document);
        Self {
            named_by: named_by(&passages),
            left_out: left_out(&reading, &passages),
            document,
            reading,
            passages,
        }
    }

    /// The sections that propose something for other gaps than an issue's, where that has one of its own: what they say is
    /// about those.
    fn sections_of_others(&self, issue: &Raised) -> Vec<Range<usize>> {
        let own = issue.gap.as_ref().and_then(|gap| self.section(gap));
        let Some(own) = own else {
            return Vec::new();
        };
        let sections = self.reading.gaps.iter().map(|bound| bound.section.clone());
        sections.filter(|section| *section != own).collect()
    }

    /// The section that is bound to a gap, or to what it was split from or into.
    pub fn section(&self, gap: &GapId) -> Option<Range<usize>> {
        let exact = self.reading.gaps.iter().find(|bound| bound.gap == *gap);
        let related = || {
            let root = gap.root();
            self.reading
                .gaps
                .iter()
                .find(|bound| bound.gap.root() == root)
        };
        exact.or_else(related).map(|bound| bound.section.clone())
    }
}

fn named_by(passages: &Passages) -> BTreeMap<usize, BTreeSet<String>> {
    let headings = passages.0.iter().enumerate();
    let headings = headings.filter(|(_, passage)| matches!(passage.kind, Kind::Heading(_)));
    let named = headings.map(|(index, heading)| {
        let ids = issue_ids_in(&heading.text);
        (
            index,
            ids.iter().map(|found| found.id.to_string()).collect(),
        )
    });
    named
        .filter(|(_, ids): &(usize, BTreeSet<String>)| !ids.is_empty())
        .collect()
}

fn left_out(reading: &EngineerReading, passages: &Passages) -> BTreeSet<usize> {
    let mut disputed: Vec<Range<usize>> = reading
        .disagreements
        .iter()
        .map(|block| block.section.clone())
        .collect();
    disputed.sort_by_key(|section| section.start);
    let is_disputed = |passage: &Passage| {
        let before = disputed.partition_point(|section| section.start <= passage.at);
        let section = before.checked_sub(1).and_then(|last| disputed.get(last));
        section.is_some_and(|section| section.contains(&passage.at))
    };
    let declares: BTreeSet<usize> = passages
        .0
        .iter()
        .enumerate()
        .filter(|(_, passage)| matches!(passage.kind, Kind::Heading(_)))
        .filter(|(_, heading)| is_new_gaps_title(&heading.straight))
        .map(|(index, _)| index)
        .collect();
    let all = passages.0.iter().enumerate();
    all.filter(|(_, passage)| {
        is_disputed(passage) || passage.above.iter().any(|above| declares.contains(above))
    })
    .map(|(index, _)| index)
    .collect()
}

/// What of an output is its document: a fence around the whole of it is taken off, where that lets more of it be read.
pub fn readable(text: &str) -> String {
    clearest(text, |document| {
        read_engineer(document, Strictness::Tolerant).gaps.len()
    })
}

/// The reading of a text that says most, the text as it stands where none says more.
pub(super) fn clearest(text: &str, says: impl Fn(&Document) -> usize) -> String {
    let mut candidates = candidates(text);
    if let [_] = candidates.as_slice() {
        return candidates.remove(0).structure;
    }
    let mut best: Option<(usize, String)> = None;
    for candidate in candidates {
        let said = says(&Document::parse(&candidate.structure));
        if best.as_ref().is_none_or(|(most, _)| said > *most) {
            best = Some((said, candidate.structure));
        }
    }
    best.map_or_else(|| text.to_owned(), |(_, text)| text)
}

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
    let shares = new.map(|passage| wanted.keywords.share(&[&passage.keywords]));
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
    kept.get_or_insert_with(|| (passage.line, excerpt(&passage.text)));
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
    if !names(issue, &passage.text) {
        return None;
    }
    let aside = passages
        .setting(passage)
        .any(|text| phrase_in(&ASIDES, text).is_some());
    let heading = matches!(passage.kind, Kind::Heading(_));
    if answers_nothing(&passage.text, wanted)
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
        let first = said.first().map_or("", |first| first_sentence(&first.text));
        let named = said.iter().filter(|below| names(issue, &below.text));
        if answers_nothing(first, wanted)
            || named
                .clone()
                .any(|below| answers_nothing(&below.text, wanted))
        {
            return Some(Reference::Listing);
        }
        // One text for several issues answers those that it meets.
        let joint = ids_named(&passage.text) > 1;
        let answered = said.iter().any(|below| says_how(below, wanted, 1))
            && (!joint || said.iter().any(|below| meets(below, wanted)));
        return Some(match answered {
            true => Reference::Said,
            false => Reference::Claim,
        });
    }
    let ids = ids_named(&passage.text);
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

fn names(issue: &Raised, text: &str) -> bool {
    issue
        .names()
        .any(|name| !occurrences(text, name).is_empty())
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
    let own: Vec<&str> = passage.keywords.iter().filter(own).collect();
    let asked_for = own.iter().any(|word| wanted.asked.has(word));
    let number = numbers_in(&passage.text)
        .iter()
        .any(|number| !wanted.numbers.contains(number));
    own.len() >= 2 * ids || (ids == 1 && (asked_for || number))
}

/// True where a text has half of the concern in it, or half of what the Reviewer asked for.
fn meets(passage: &Passage, wanted: &Wanted) -> bool {
    wanted.keywords.half_in(&[&passage.keywords]) || does_as_asked(wanted, passage)
}

/// A text that only raises an issue once more is not longer than this.
const LONGEST_REPEAT: usize = 2_000;

/// True where a text says nothing that the issue's summary doesn't say.
fn repeats(passage: &Passage, wanted: &Wanted) -> bool {
    if passage.text.len() > LONGEST_REPEAT {
        return false;
    }
    let known =
        |word: &str| wanted.keywords.has(word) || wanted.content.has(word) || is_claim(word);
    passage.content().iter().all(known) && numbers_in(&passage.text).is_subset(&wanted.numbers)
}

fn answer(
    by: By,
    confidence: Confidence,
    wanted: &Wanted,
    passages: &Passages,
    earlier: &Earlier,
    passage: &Passage,
) -> Answer {
    let mut around = passages.around(passage, earlier);
    around.push(&passage.keywords);
    Answer {
        by,
        confidence,
        line: passage.line,
        quote: excerpt(&passage.text),
        overlap: percent(wanted.keywords.shared(&around), wanted.keywords.len()),
    }
}

/// How long a quote in evidence may be.
const EXCERPT: usize = 160;

/// The beginning of a text, on one line.
pub fn excerpt(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
