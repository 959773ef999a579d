//! The heuristics: each looks at one issue and gives at most one flag, with its evidence.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::{Answer, By, Found, excerpt};
use super::closures::Closure;
use super::output::Output;
use super::passages::{Kind, Passage};
use super::raised::{Raised, Wanted, has_name};
use super::thresholds::Parameters;
use super::words::{ALTERNATIVES, DEFLECTIONS, phrase_in};
use gapless_domain::flag::{Evidence, Flag, Heuristic};
use gapless_domain::ids::GapId;
use gapless_domain::keywords::{Keywords, percent};
use gapless_domain::line_diff::{DiffTag, line_changes};

/// Half of a section: more than that is a rewrite, whatever its words are.
const REWRITE: u32 = 50;

/// H1 for a due issue that the output doesn't answer, H3 where it only claims to have.
pub fn unanswered(issue: &Raised, found: &Found, round: u32) -> Option<Flag> {
    if found.answer.is_some() {
        return None;
    }
    if let Some((line, quote)) = &found.claim {
        return Some(claimed_only(issue, found, round, *line, quote));
    }
    let listed = found.listing.as_ref();
    let text = match listed {
        Some(_) => format!("{} is named, but nothing is said to it", issue.id),
        None => format!(
            "neither {} nor half of its keywords stand in any one new place",
            issue.id
        ),
    };
    let evidence = Evidence {
        text,
        line: listed.map(|(line, _)| *line),
        quote: listed.map(|(_, quote)| quote.clone()),
        overlap: Some(found.overlap),
        ..Evidence::default()
    };
    Some(Flag::new(Heuristic::H1, round, evidence))
}

fn claimed_only(issue: &Raised, found: &Found, round: u32, line: u32, quote: &str) -> Flag {
    let evidence = Evidence {
        text: format!(
            "{} is said to be done, but its concern is in no new text",
            issue.id
        ),
        line: Some(line),
        quote: Some(quote.to_owned()),
        overlap: Some(found.overlap),
        ..Evidence::default()
    };
    Flag::new(Heuristic::H3, round, evidence)
}

/// H2: the gap of an issue was rolled back twice or more, each time for another reason.
pub fn rolled_back(gap: &GapId, reasons: &[Vec<String>], round: u32) -> Option<Flag> {
    let mut different: Vec<&Vec<String>> = Vec::new();
    for reason in reasons {
        if !different.contains(&reason) {
            different.push(reason);
        }
    }
    if different.len() < 2 {
        return None;
    }
    let told: Vec<String> = different.iter().map(|reason| reason.join(" + ")).collect();
    let evidence = Evidence {
        text: format!(
            "{gap} was rolled back {} times: {}",
            reasons.len(),
            told.join("; ")
        ),
        ..Evidence::default()
    };
    Some(Flag::new(Heuristic::H2, round, evidence))
}

/// H4: the issue is referenced, and what it criticised is as it was, or changed in something else.
pub fn unchanged(
    issue: &Raised,
    wanted: &Wanted,
    output: &Output,
    previous: &Output,
    round: u32,
    parameters: &Parameters,
) -> Option<Flag> {
    let gap = issue.gap.as_ref()?;
    let (old, new) = (previous.section(gap)?, output.section(gap)?);
    let (old, new) = criticised(wanted, previous, &old, output, &new);
    let old = proposed(issue, previous, &old);
    let new = proposed(issue, output, &new);
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let change = Change::between(&old, &new);
    let overlap = wanted.keywords.share(&[&change.keywords]);
    let evidence = |text: &str| Evidence {
        text: format!("{} is referenced, but {text}", issue.id),
        overlap: Some(overlap),
        rewritten: Some(change.rewritten),
        ..Evidence::default()
    };
    if change.is_none() {
        let evidence = evidence("the section it criticises is as it was");
        return Some(Flag::new(Heuristic::H4, round, evidence));
    }
    let beside = parameters.enable_semantic_check
        && overlap < parameters.semantic_overlap_minimum
        && change.rewritten < REWRITE
        && !wanted.keywords.is_empty();
    beside.then(|| {
        let evidence = evidence("what changed in its section is about something else");
        Flag::new(Heuristic::H4, round, evidence)
    })
}

/// The passages of a section that propose something.
fn proposed<'o>(
    issue: &Raised,
    output: &'o Output,
    section: &'o Range<usize>,
) -> Vec<&'o Passage<'o>> {
    let own = |passage: &&Passage| {
        !matches!(passage.kind, Kind::Heading(_)) && !names_an_issue(issue, passage.text)
    };
    let passages = output.passages.within(section);
    passages.filter(own).collect()
}

/// A line that answers is about the proposal, not of it.
fn names_an_issue(issue: &Raised, text: &str) -> bool {
    !gapless_domain::ids::issue_ids_in(text).is_empty()
        || issue.names().any(|name| has_name(text, name))
}

/// The part of both sections that the issue's location names, where both have it; else the whole.
fn criticised(
    wanted: &Wanted,
    previous: &Output,
    old: &Range<usize>,
    output: &Output,
    new: &Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let part = |side: &Output, section: &Range<usize>| -> Option<Range<usize>> {
        let place = wanted.location.as_ref()?;
        let (index, heading) = side.document.headings_in(section).find(|(_, heading)| {
            let title = super::words::straight(&heading.title);
            !title.is_empty() && heading.level > 2 && place.contains(&title)
        })?;
        let mut body = side
            .document
            .section(index, |next| next.level <= heading.level);
        body.end = body.end.min(section.end);
        Some(body)
    };
    match (part(previous, old), part(output, new)) {
        (Some(old), Some(new)) => (old, new),
        _ => (old.clone(), new.clone()),
    }
}

/// How many lines of a side are compared line by line; the time for that grows with the square of what differs.
const MOST_DIFFED: usize = 3000;

/// What became of a section.
struct Change {
    /// How much of the longer side was written anew or taken away, in percent.
    rewritten: u32,
    touched: usize,
    keywords: Keywords,
}

impl Change {
    fn between(old: &[&Passage], new: &[&Passage]) -> Self {
        if old.len().max(new.len()) > MOST_DIFFED {
            return Self::of_all(old, new);
        }
        let (mut gone, mut come, mut touched) = (0, 0, 0);
        let mut written: Vec<&Passage> = Vec::new();
        let changes = line_changes(&texts(old), &texts(new));
        for op in changes.iter().filter(|op| op.tag() != DiffTag::Equal) {
            let (from, to) = (&old[op.old_range()], &new[op.new_range()]);
            touched += from.len() + to.len();
            gone += length(from);
            come += length(to);
            written.extend(to);
        }
        let whole = length(old).max(length(new));
        Self {
            rewritten: percent(gone.max(come), whole).min(100),
            touched,
            keywords: keywords(&written),
        }
    }

    /// For sections that no honest proposal has: a line is new where the other side has none like it.
    fn of_all(old: &[&Passage], new: &[&Passage]) -> Self {
        let before: BTreeSet<&str> = texts(old).into_iter().collect();
        let after: BTreeSet<&str> = texts(new).into_iter().collect();
        let is_new = |passage: &&&Passage| !before.contains(passage.straight.as_str());
        let is_gone = |passage: &&&Passage| !after.contains(passage.straight.as_str());
        let come: Vec<&Passage> = new.iter().filter(is_new).copied().collect();
        let gone: Vec<&Passage> = old.iter().filter(is_gone).copied().collect();
        let whole = length(old) + length(new);
        Self {
            rewritten: percent(length(&gone).saturating_add(length(&come)), whole).min(100),
            touched: gone.len() + come.len(),
            keywords: keywords(&come),
        }
    }

    fn is_none(&self) -> bool {
        self.touched == 0
    }
}

fn texts<'p>(passages: &[&'p Passage]) -> Vec<&'p str> {
    passages
        .iter()
        .map(|passage| passage.straight.as_str())
        .collect()
}

fn keywords(passages: &[&Passage]) -> Keywords {
    Keywords::of_all(passages.iter().map(|passage| passage.keywords()))
}

fn length(passages: &[&Passage]) -> usize {
    passages.iter().map(|passage| passage.straight.len()).sum()
}

/// H5: what is said to the issue turns against whoever raised it, and offers nothing instead. An explicit DISAGREE is no
/// deflection: it goes to the user.
pub fn deflected(
    issue: &Raised,
    output: &Output,
    answer: Option<&Answer>,
    round: u32,
) -> Option<Flag> {
    if answer.is_some_and(|answer| answer.by == By::Disagree) {
        return None;
    }
    let said = said_to(issue, output, answer);
    let against = said
        .iter()
        .find_map(|passage| Some((passage, phrase_in(&DEFLECTIONS, &passage.straight)?)));
    let (passage, phrase) = against?;
    let offers = said
        .iter()
        .any(|passage| phrase_in(&ALTERNATIVES, &passage.straight).is_some());
    if offers {
        return None;
    }
    let evidence = Evidence {
        text: format!(
            "what is said to {} deflects (\"{phrase}\") and offers no alternative",
            issue.id
        ),
        line: Some(passage.line),
        quote: Some(excerpt(passage.text)),
        ..Evidence::default()
    };
    Some(Flag::new(Heuristic::H5, round, evidence))
}

/// What an output says to an issue: the passages that name it, and what stands below a heading or a lead-in that does, up to
/// the next heading or the next issue.
fn said_to<'o>(
    issue: &Raised,
    output: &'o Output,
    answer: Option<&Answer>,
) -> Vec<&'o Passage<'o>> {
    let mut said: Vec<&Passage> = Vec::new();
    let mut follows = false;
    for passage in &output.passages.0 {
        if matches!(passage.kind, Kind::Code | Kind::Example | Kind::Quote) {
            continue;
        }
        let named = issue.names().any(|name| has_name(passage.text, name));
        let heading = matches!(passage.kind, Kind::Heading(_));
        if named {
            follows = heading || passage.straight.ends_with(':');
        } else if heading || names_an_issue(issue, passage.text) {
            follows = false;
        }
        let soft = answer.is_some_and(|answer| answer.by != By::Id && answer.line == passage.line);
        if named || follows || soft {
            said.push(passage);
        }
    }
    said
}

/// H6: a document closes a gap over an issue that stands.
pub fn closed_over(issue: &Raised, closure: &Closure) -> Flag {
    let evidence = Evidence {
        text: format!(
            "{} {} while {} ({}) stands unanswered",
            closure.document,
            closure.says(),
            issue.id,
            issue.concern.severity
        ),
        document: Some(closure.document.clone()),
        line: Some(closure.line),
        quote: Some(closure.quote.clone()),
        ..Evidence::default()
    };
    Flag::new(Heuristic::H6, closure.round.max(issue.round), evidence)
}
