//! Finds what an agent copied from its prompt: placeholders of a form that nobody filled in, and lines of an example. They
//! are no content, so they are taken out of a document before it is checked.

use std::collections::BTreeSet;
use std::ops::Range;

use super::failing::{Failure, Outcome, warn, wrong_form};
use super::limits::MOST_REFERENCE_WARNINGS;
use crate::read::{ReadDocument, Reading, WrittenChange, field, is_none_word};
use gapless_domain::words::phrases;
use gapless_domain::{
    FailureType, FormFault, GapId, Role, Warning, gap_ids_in, issue_ids_in, one_line, shortened,
};
use gapless_markdown::Document;

/// A text that a prompt showed to say what a document looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// A form with `[what belongs here]` where words are to be filled in.
    Form(String),
    Example(String),
}

pub(super) const ECHO_REMOVED: &str = "ECHO_REMOVED";
/// A line of an example, or a placeholder outside of its form, with fewer words may be anybody's.
const FEWEST_WORDS: usize = 5;
/// How many words may stand before a placeholder on its line: ids, a severity, the name of a field.
const LONGEST_LABEL: usize = 6;
/// How many characters of a copied text are repeated.
const LONGEST_QUOTE: usize = 120;
/// The fields whose values prompts show by a short placeholder.
const FIELDS: [&str; 12] = [
    "confidence",
    "severity",
    "verdict",
    "location",
    "impact",
    "suggestion",
    "section",
    "blocked by",
    "reviewer concern",
    "engineer position",
    "rationale",
    "alternative approach",
];
/// The one placeholder that stands in a heading.
const TITLE: &str = "title of the part";

/// What counts as copied.
#[derive(Default)]
pub(super) struct Known {
    placeholders: BTreeSet<String>,
    examples: BTreeSet<String>,
    /// The changes that examples make.
    changes: BTreeSet<[String; 3]>,
}

/// A line that was copied.
pub(super) struct Echo {
    line: u32,
    text: String,
    of_example: bool,
    /// The gap whose section it stands in.
    gap: Option<GapId>,
}

impl Known {
    pub(super) fn of(shown: &[Shown]) -> Self {
        if shown.is_empty() {
            return Self::default();
        }
        let list = phrases(include_str!("words/placeholders.txt"));
        let mut known = Self {
            placeholders: list.map(plain).collect(),
            ..Self::default()
        };
        for shown in shown {
            match shown {
                Shown::Form(text) => known.placeholders.extend(placeholders_in(text)),
                Shown::Example(text) => {
                    let example = ReadDocument::plain(text);
                    let document = &example.structure;
                    let gaps = example.as_engineer().gaps.iter();
                    let changes = gaps.flat_map(|bound| &bound.changes);
                    known.changes.extend(changes.map(plain_change));
                    let lines = document.prose_lines(0..text.len());
                    let lines = lines.filter(|(_, line)| !line.starts_with('#'));
                    let parts = lines.flat_map(|(_, line)| parts_of(line));
                    let long = parts.filter(|part| words_in(part) >= FEWEST_WORDS);
                    known.examples.extend(long);
                }
            }
        }
        known
    }

    /// What a line is a copy of: nothing, a placeholder (`false`), or a line of an example (`true`).
    fn copied(&self, line: &str) -> Option<bool> {
        let line = line.trim();
        if line.starts_with('#') {
            return (plain(line) == TITLE).then_some(false);
        }
        if is_mark(line) {
            return Some(false);
        }
        let parts = parts_of(line);
        let in_form = is_in_form(line);
        let placeholder = |part: &String| {
            let telling =
                words_in(part) >= FEWEST_WORDS || part.split(' ').any(|word| word == "you");
            self.placeholders.contains(part) && (in_form || telling)
        };
        if parts.iter().any(placeholder) {
            return Some(false);
        }
        let copied = parts.iter().any(|part| self.examples.contains(part));
        copied.then_some(true)
    }

    /// The document without what was copied, and what that was.
    pub(super) fn without(&self, read: ReadDocument) -> (ReadDocument, Vec<Echo>) {
        if self.placeholders.is_empty() {
            return (read, Vec::new());
        }
        let document = &read.structure;
        let lines = self.lines_of(document);
        let mut echoes = Vec::new();
        let mut cuts: Vec<Range<usize>> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let Some(of_example) = line.copied.filter(|_| !has_own_parts(&lines[index..])) else {
                continue;
            };
            let text = one_line(&read.text[line.range.clone()]);
            echoes.push(Echo {
                line: document.line_of(line.range.start),
                text: shortened(&text, LONGEST_QUOTE),
                of_example,
                gap: gap_above(document, line.range.start),
            });
            cuts.push(line.range.clone());
        }
        if cuts.is_empty() {
            return (read, echoes);
        }
        (read.without(&cuts), echoes)
    }

    /// True for a change of which all that it says was copied.
    pub(super) fn has_change(&self, change: &WrittenChange) -> bool {
        let texts = || [&change.old, &change.new].into_iter().flatten();
        let is_placeholder = |text: &String| self.placeholders.contains(&plain(text));
        let told = texts().next().is_some();
        (told && texts().all(is_placeholder)) || self.changes.contains(&plain_change(change))
    }

    fn lines_of(&self, document: &Document) -> Vec<Line> {
        let source = document.source.as_ref();
        let lines = document.prose_lines(0..source.len());
        let lines = lines.map(|(at, prose)| {
            let end = source[at..]
                .find('\n')
                .map_or(source.len(), |end| at + end + 1);
            let bare = prose.trim_start();
            Line {
                range: at..end,
                indent: prose.len() - bare.len(),
                is_item: bare.starts_with(['-', '*', '+']),
                is_blank: bare.is_empty() && source[at..end].trim().is_empty(),
                // Code within the line is part of it; a line of code alone is none.
                copied: match bare.is_empty() {
                    true => None,
                    false => self.copied(&source[at..end]),
                },
            }
        });
        lines.collect()
    }
}

struct Line {
    range: Range<usize>,
    indent: usize,
    is_item: bool,
    is_blank: bool,
    copied: Option<bool>,
}

/// True for an item with words of its own below it: without its title nobody would read them.
fn has_own_parts(lines: &[Line]) -> bool {
    let Some((item, below)) = lines.split_first().filter(|(item, _)| item.is_item) else {
        return false;
    };
    below
        .iter()
        .take_while(|line| line.is_blank || line.indent > item.indent)
        .any(|line| !line.is_blank && line.copied.is_none())
}

/// The gap that the nearest heading above a place names.
fn gap_above(document: &Document, at: usize) -> Option<GapId> {
    let above = document.headings.iter().rev();
    let mut above = above.filter(|heading| heading.span.start <= at && heading.level <= 2);
    let title = &above.next()?.title;
    gap_ids_in(title).into_iter().next().map(|found| found.id)
}

fn without_ranges(text: &str, ranges: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        left += text.get(from..range.start).unwrap_or("");
        from = range.end;
    }
    left + text.get(from..).unwrap_or("")
}

/// True for a line that has a form's marks: an id, brackets, or a field of a document of one of the roles. The few words of a
/// short placeholder may be anybody's elsewhere: `priority: high, medium or low`.
fn is_in_form(line: &str) -> bool {
    let bare = line.trim_start_matches(['-', '*', '+', '>', ' ']);
    let label = line.split_once(':').map(|(label, _)| plain(label));
    let is_field = label.is_some_and(|label| FIELDS.contains(&label.as_str()));
    is_field
        || bare.starts_with('[')
        || line.to_uppercase().contains("GAP-CATEGORY")
        || !gap_ids_in(line).is_empty()
        || !issue_ids_in(line).is_empty()
}

/// What a change says: its section and its texts.
fn plain_change(change: &WrittenChange) -> [String; 3] {
    [&change.section, &change.old, &change.new].map(|text| plain(text.as_deref().unwrap_or("")))
}

/// What stands in single brackets in a form: `[what you checked]`, `<the passage>`.
fn placeholders_in(form: &str) -> Vec<String> {
    let within = |open: char, close: char| {
        let parts = form.split(close);
        let inside = parts.filter_map(move |part| part.rsplit_once(open));
        inside.map(|(_, inside)| inside)
    };
    let inside = within('[', ']').chain(within('<', '>'));
    let inside = inside.filter(|inside| !inside.contains('\n') && !inside.starts_with(['!', '/']));
    let variants = inside.flat_map(|inside| [inside, inside.split(';').next().unwrap_or(inside)]);
    variants.map(plain).filter(|it| words_in(it) > 1).collect()
}

/// A line, and what stands in it behind the name of a field.
fn parts_of(line: &str) -> Vec<String> {
    let mut parts = vec![plain(line)];
    for (at, mark) in line.match_indices(": ").chain(line.match_indices(":** ")) {
        let behind = &line[at + mark.len()..];
        if words_in(&plain(&line[..at])) <= LONGEST_LABEL {
            parts.push(plain(behind));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// True for the line of a prompt around what it quotes, such as `-----4f1c09ab end`.
fn is_mark(line: &str) -> bool {
    let mark = line
        .strip_prefix("-----")
        .and_then(|rest| rest.split_once(' '));
    mark.is_some_and(|(mark, _)| mark.len() == 8 && mark.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The words of a line, without ids, marks and `(or: None)`.
fn plain(line: &str) -> String {
    let gaps = gap_ids_in(line);
    let issues = issue_ids_in(line);
    let mut ids: Vec<Range<usize>> = gaps
        .iter()
        .map(|found| found.at..found.at + found.id.to_string().len())
        .chain(
            issues
                .iter()
                .map(|it| it.at..it.at + it.id.to_string().len()),
        )
        .collect();
    ids.sort_by_key(|range| range.start);
    let line = without_ranges(line, &ids).to_lowercase();
    let words = line.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty() && !word.starts_with("gap-category"));
    let mut words: Vec<&str> = words.collect();
    if words.first() == Some(&"x") && line.contains("[x]") {
        words.remove(0);
    }
    for tail in [&["or", "none"][..], &["or", "none", "found"]] {
        if words.len() > tail.len() && words.ends_with(tail) {
            words.truncate(words.len() - tail.len());
        }
    }
    words.join(" ")
}

fn words_in(plain: &str) -> usize {
    plain.split(' ').filter(|word| !word.is_empty()).count()
}

/// Says what was taken out.
pub(super) fn warn_of_echoes(echoes: &[Echo], warnings: &mut Vec<Warning>) {
    for echo in echoes.iter().take(MOST_REFERENCE_WARNINGS) {
        let message = format!("copied from the prompt, and no content: `{}`", echo.text);
        warn(warnings, ECHO_REMOVED, echo.line, message);
    }
}

/// The verdict on what is left of a document from which copies were taken out: a review or a final review that has nothing
/// of its own judges nothing, and a failure says what was copied.
pub(super) fn judge_the_rest(
    outcome: Outcome<Reading>,
    echoes: &[Echo],
    rest: &ReadDocument,
    warnings: &mut Vec<Warning>,
) -> Outcome<Reading> {
    if echoes.is_empty() {
        return outcome;
    }
    let outcome = outcome.and_then(|(reading, gaps)| match reading {
        Reading::Reviewer(mut reading) => {
            let before = reading.reviews.len();
            let issues = &reading.issues;
            reading.reviews.retain(|review| {
                let mut own = echoes
                    .iter()
                    .filter(|it| it.gap.as_ref() == Some(&review.gap));
                let raised = issues.iter().any(|it| it.gap.as_ref() == Some(&review.gap));
                let copied = own.clone().next().is_some();
                let judged = review.verdict.is_some() && !own.any(|it| it.of_example);
                let kept = raised || !copied || judged;
                if !kept {
                    let message = format!("the review of {} has nothing of its own", review.gap);
                    warn(warnings, "REVIEW_NOT_BOUND", review.line, message);
                }
                kept
            });
            if reading.reviews.is_empty() && before > 0 {
                return only_copied("no review has anything of its own");
            }
            let gaps = reading.reviews.iter().map(|it| it.gap.clone()).collect();
            Ok((Reading::Reviewer(reading), gaps))
        }
        Reading::FinalReviewer(_) if !has_own_words(rest) => {
            only_copied("the final review has nothing of its own")
        }
        Reading::Analyst(reading) if reading.gaps.is_empty() => {
            only_copied("no gap is described in words of its own")
        }
        reading => Ok((reading, gaps)),
    });
    outcome.map_err(|failure| explained(failure, echoes))
}

fn only_copied<T>(message: &str) -> Result<T, Failure> {
    wrong_form(FormFault::NothingBinds, message.to_owned())
}

/// The failure with what was copied, where it may be the reason.
fn explained(mut failure: Failure, echoes: &[Echo]) -> Failure {
    if !matches!(
        failure.kind,
        FailureType::WrongFormat | FailureType::NoGapsAddressed | FailureType::MalformedDisagree
    ) {
        return failure;
    }
    let texts: Vec<String> = echoes.iter().map(|it| it.text.clone()).collect();
    let first = texts.first().cloned().unwrap_or_default();
    let more = match texts.len() {
        0 | 1 => String::new(),
        several => format!(" (and {} more)", several - 1),
    };
    failure.message += &format!(
        "; copied from the prompt, and to be replaced by words of your own: `{first}`{more}"
    );
    if failure.kind != FailureType::MalformedDisagree {
        const MOST: usize = 5;
        let texts = texts.into_iter().take(MOST).collect();
        failure.facts.form = Some(FormFault::Echo { texts });
    }
    failure
}

/// True where a document has a line that is no heading, no field and not the word for nothing.
fn has_own_words(document: &ReadDocument) -> bool {
    let structure = &document.structure;
    let mut lines = structure.prose_lines(0..structure.source.len());
    lines.any(|(_, line)| {
        let line = line.trim();
        let bare = line.trim_start_matches(['-', '*', '+', ' ']);
        !line.starts_with('#')
            && line.chars().any(char::is_alphanumeric)
            && field(line).is_none()
            && !is_none_word(bare)
    })
}

/// Leaves out gaps of the Analyst's that are named and described only by what was copied.
pub(super) fn described(
    reading: &mut crate::read::AnalystReading,
    echoes: &[Echo],
    warnings: &mut Vec<Warning>,
) {
    if echoes.is_empty() {
        return;
    }
    reading.gaps.retain(|gap| {
        let kept = !matches!(gap.description.trim_matches('*'), "" | "NO_GAPS_FOUND");
        if !kept {
            let message = format!(
                "{} is described by copied text only, and was left out",
                gap.id
            );
            warn(warnings, "SECTION_NOT_BOUND", gap.line, message);
        }
        kept
    });
}

/// True for a role whose document is its own words: an Editor gives back what it was given.
pub(super) fn writes_own_words(role: Role) -> bool {
    role != Role::Editor
}
