//! Reads disagreements: `## DISAGREE: ISSUE-…` blocks in the canonical form and in those that come close to it, and sentences that
//! disagree in another form.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fields::{field, yes};
use super::vocabulary::{DISAGREEING_PHRASES, has_word, words_of};
use gapless_domain::{IssueId, Strictness, issue_ids_in, listed};
use gapless_markdown::{Document, Heading};

/// How a disagreement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisagreeForm {
    /// `## DISAGREE: ISSUE-…`.
    #[default]
    Block,
    /// A response or a sentence that says so.
    Other,
}

impl DisagreeForm {
    fn is_block(&self) -> bool {
        *self == DisagreeForm::Block
    }
}

/// `## DISAGREE: ISSUE-…`, with its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    pub issue: IssueId,
    pub line: u32,
    pub section: Range<usize>,
    pub concern: Option<String>,
    pub position: Option<String>,
    pub rationale: Option<String>,
    pub alternative: Option<String>,
    #[serde(default, skip_serializing_if = "DisagreeForm::is_block")]
    pub form: DisagreeForm,
    /// False where its heading or its fields are accepted variants.
    #[serde(default = "yes")]
    pub canonical: bool,
}

/// A heading that opens a block.
pub(super) struct DisagreeHeading {
    pub issue: IssueId,
    pub canonical: bool,
}

/// The deepest heading that opens a block.
const DEEPEST: u8 = 4;

impl DisagreeHeading {
    /// Reads a heading; strict takes `## DISAGREE: ISSUE-…` only.
    pub fn of(heading: &Heading, mode: Strictness) -> Option<Self> {
        let title = heading.title.as_str();
        if heading.level <= 2
            && title.starts_with("DISAGREE:")
            && let Some(found) = issue_ids_in(title).into_iter().next()
        {
            return Some(Self {
                issue: found.id,
                canonical: heading.level == 2,
            });
        }
        let bare = title.trim_start_matches(['*', '`', '[', ' ']);
        // The word comes first, or right behind the id.
        let begins = match bare.starts_with("ISSUE-R") {
            true => bare.trim_start_matches(|c: char| !c.is_whitespace() && c != ':'),
            false => bare,
        };
        let first = words_of(begins).next()?;
        let disagrees = ["disagree", "disagreement", "disagreeing", "disagreed"];
        let opens =
            mode == Strictness::Tolerant && heading.level <= DEEPEST && has_word(&disagrees, first);
        let issue = opens.then(|| loose_issue_id(title)).flatten()?;
        Some(Self {
            issue,
            canonical: false,
        })
    }
}

/// The first issue of a text, also without the zeros of its number: `ISSUE-R1-3`.
fn loose_issue_id(text: &str) -> Option<IssueId> {
    const PREFIX: &str = "ISSUE-R";
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        rest = &rest[at + PREFIX.len()..];
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '-')
            .unwrap_or(rest.len());
        let bounded = !rest[end..].starts_with(goes_on);
        if let Some((round, number)) = rest[..end].trim_end_matches('-').split_once('-')
            && bounded
            && (1..=3).contains(&number.len())
            && let Ok(id) = format!("{PREFIX}{round}-{number:0>3}").parse()
        {
            return Some(id);
        }
    }
    None
}

/// True for what makes a word longer that stands beside it.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[derive(Clone, Copy, PartialEq, Eq, strum::VariantArray)]
enum Part {
    Concern,
    Position,
    Rationale,
    Alternative,
}

listed!(Part);

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Concern => "Reviewer Concern",
            Part::Position => "Engineer Position",
            Part::Rationale => "Rationale",
            Part::Alternative => "Alternative Approach",
        }
    }

    /// The words by which a part of another name is known.
    fn words(self) -> &'static [&'static str] {
        match self {
            Part::Concern => &["concern", "concerns", "objection"],
            Part::Position => &["position", "stance", "response"],
            Part::Rationale => &[
                "rationale",
                "reasoning",
                "reason",
                "reasons",
                "justification",
                "argument",
                "arguments",
                "grounds",
            ],
            Part::Alternative => &[
                "alternative",
                "alternatives",
                "compromise",
                "counterproposal",
            ],
        }
    }

    fn named(name: &str) -> Option<Self> {
        let name = name.trim_matches(['*', '#', ' ', ':', '_']);
        let words: Vec<&str> = words_of(name).collect();
        if words.is_empty() || words.len() > LONGEST_NAME {
            return None;
        }
        let has = |part: &Part| words.iter().any(|word| has_word(part.words(), word));
        Part::ALL.into_iter().find(has)
    }
}

/// How many words the name of a part may have.
const LONGEST_NAME: usize = 5;

/// Reads a block: its parts are fields in bold; in tolerant mode also plain ones, list items and subheadings, under near names.
pub(super) fn read_disagreement(
    document: &Document,
    issue: IssueId,
    line: u32,
    section: Range<usize>,
    mode: Strictness,
) -> Disagreement {
    let prose = document.prose_of(section.clone());
    let parts = match mode {
        Strictness::Strict => PartsRead::canonical(prose),
        Strictness::Tolerant => PartsRead::any(prose),
    };
    Disagreement {
        issue,
        line,
        concern: parts.of(Part::Concern),
        position: parts.of(Part::Position),
        rationale: parts.of(Part::Rationale),
        alternative: parts.of(Part::Alternative),
        section,
        form: DisagreeForm::Block,
        canonical: parts.canonical,
    }
}

/// The parts of a block with their lines.
struct PartsRead {
    parts: Vec<(Part, Vec<String>)>,
    canonical: bool,
}

impl PartsRead {
    fn canonical(prose: &str) -> Self {
        Self::read(prose, |line| {
            let (name, value) = field(line)?;
            let mut parts = Part::ALL.into_iter();
            let part = parts.find(|part| starts_with_ignoring_case(name, part.name()));
            Some((part, value.to_owned(), true))
        })
    }

    fn any(prose: &str) -> Self {
        Self::read(prose, |line| {
            let bare = line.trim().trim_start_matches(['-', '+', ' ']);
            let bare = bare.strip_prefix("* ").unwrap_or(bare);
            if let Some(title) = bare.strip_prefix('#') {
                // The heading of the block itself is no part.
                let title = title.trim_start_matches('#').trim();
                let part = Part::named(title).filter(|_| issue_ids_in(title).is_empty());
                return Some((part, String::new(), false));
            }
            let plain = || {
                bare.split_once(':')
                    .filter(|(name, _)| !name.contains("**"))
            };
            let (name, value, bold) = match field(bare) {
                Some((name, value)) => (name, value, true),
                None => plain().map(|(name, value)| (name, value.trim(), false))?,
            };
            let part = Part::named(name);
            let canonical = part.is_some_and(|part| {
                bold && line.starts_with("**") && starts_with_ignoring_case(name, part.name())
            });
            (part.is_some() || bold).then(|| (part, value.to_owned(), canonical))
        })
    }

    /// Reads line by line: `opens` gives the part that a line opens, or another field, its value, and whether it is canonical.
    fn read(prose: &str, opens: impl Fn(&str) -> Option<(Option<Part>, String, bool)>) -> Self {
        let mut read = Self {
            parts: Vec::new(),
            canonical: true,
        };
        let mut open = false;
        for line in prose.lines() {
            if line.trim() == "---" {
                open = false;
            }
            match opens(line) {
                Some((Some(part), value, canonical)) => {
                    open = read.parts.iter().all(|(known, _)| *known != part);
                    if open {
                        read.parts.push((part, vec![value]));
                        read.canonical &= canonical;
                    }
                }
                Some((None, ..)) => open = false,
                None if open => {
                    if let Some((_, lines)) = read.parts.last_mut() {
                        lines.push(line.trim().trim_start_matches('>').trim().to_owned());
                    }
                }
                None => {}
            }
        }
        read
    }

    fn of(&self, part: Part) -> Option<String> {
        let (_, lines) = self.parts.iter().find(|(known, _)| *known == part)?;
        let joined = lines.join("\n").trim().to_owned();
        (!joined.is_empty()).then_some(joined)
    }
}

/// Paragraphs outside of responses and DISAGREE blocks that name an issue and say that they disagree with it.
pub(super) fn read_objections<'r, Responses>(
    document: &Document,
    responses: Responses,
    blocks: &'r [Disagreement],
    mode: Strictness,
) -> Vec<Disagreement>
where
    Responses: Iterator<Item = &'r Range<usize>>,
{
    let blocked = blocks.iter().map(|block| &block.section);
    let answered: Vec<&Range<usize>> = responses.chain(blocked).collect();
    let known: BTreeSet<IssueId> = blocks.iter().map(|block| block.issue).collect();
    let mut objections: Vec<Disagreement> = Vec::new();
    for (section, paragraph) in paragraphs(document) {
        let ids = issue_ids_in(paragraph);
        let [found] = ids.as_slice() else {
            continue;
        };
        let apart = answered.iter().all(|other| !other.contains(&section.start));
        let fresh = !known.contains(&found.id) && objections.iter().all(|o| o.issue != found.id);
        // A heading names its subject; only one that begins with the word objects.
        let title = paragraph.trim_start().trim_start_matches('#').trim_start();
        let objects = !paragraph.trim_start().starts_with('#')
            || starts_with_ignoring_case(title, "disagree");
        if apart && fresh && objects && disputes(paragraph) {
            let line = document.line_of(section.start);
            objections.push(Disagreement {
                form: DisagreeForm::Other,
                ..read_disagreement(document, found.id, line, section, mode)
            });
        }
    }
    objections
}

/// The paragraphs of a document's prose with their places; each item of a list and each row of a table is one.
fn paragraphs<'d>(document: &'d Document) -> Vec<(Range<usize>, &'d str)> {
    let mut paragraphs: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (at, line) in document.prose_lines(0..document.source.len()) {
        let bare = line.trim_start();
        let starts = bare.starts_with(['-', '*', '|', '#', '>'])
            || bare.starts_with(|c: char| c.is_ascii_digit());
        match paragraphs.last_mut() {
            _ if bare.is_empty() => open = false,
            Some(last) if open && !starts => last.end = at + line.len(),
            _ => {
                paragraphs.push(at..at + line.len());
                open = true;
            }
        }
    }
    let texts = paragraphs.into_iter();
    let texts = texts.map(|range| (range.clone(), document.prose_of(range)));
    let own = texts.filter(|(_, text)| !text.trim_start().starts_with('>'));
    own.collect()
}

/// True where a text says that it disagrees with an issue, in whatever form. What it quotes it doesn't say.
pub fn disputes(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if !HINTS.iter().any(|hint| lower.contains(hint)) {
        return false;
    }
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('>'));
    let own = without_formats(&without_quotes(&lines.collect::<Vec<_>>().join("\n")));
    let mut places = own.match_indices("DISAGREE");
    if places.any(|(at, _)| is_said(&own, at)) {
        return true;
    }
    let lower: Vec<String> = own
        .split_whitespace()
        .map(|word| {
            word.trim_matches(['*', '`', '_'])
                .replace('\u{2019}', "'")
                .to_lowercase()
        })
        .collect();
    let lower = lower.join(" ");
    DISAGREEING_PHRASES
        .iter()
        .any(|phrase| lower.contains(phrase))
}

/// Every text that disagrees has one of these.
const HINTS: [&str; 3] = ["agree", "reject", "escalate"];

/// True where the word DISAGREE at a place is said of an issue: it begins what is said, somebody says it, or what it is about
/// follows. `DISAGREE blocks are rare` is about the word.
fn is_said(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at(at);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_uppercase());
    if before.ends_with(goes_on) || behind.starts_with(goes_on) {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or("");
    let begins = !line.chars().any(char::is_alphanumeric)
        || line
            .trim_end_matches([' ', '*', '`', '_'])
            .ends_with(['.', ':', '|', '!', '-', '–', '—', '(']);
    let last = words_of(line).last().unwrap_or("").to_ascii_lowercase();
    let spoken =
        ["i", "we", "engineer", "must", "strongly", "respectfully"].contains(&last.as_str());
    let behind = behind.trim_start_matches(['*', '`', ' ']);
    let about = behind.starts_with([':', '-', '–', '—'])
        || starts_with_ignoring_case(behind, "with")
        || starts_with_ignoring_case(behind, "on ");
    let alone = !behind.starts_with(char::is_alphanumeric);
    (begins && (about || alone || behind.starts_with("ISSUE-"))) || spoken || about
}

/// A text without what stands between double quotation marks.
fn without_quotes(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '\u{201c}' => quoted = true,
            '\u{201d}' => quoted = false,
            '"' => quoted = !quoted,
            // A mark that is never closed quotes nothing beyond its line.
            '\n' => quoted = false,
            _ => {}
        }
        own.push(if quoted { ' ' } else { c });
    }
    own
}

/// A text without code that shows a format: `## DISAGREE: ISSUE-R{N}`.
fn without_formats(text: &str) -> String {
    let spans = text.split('`').enumerate();
    let kept = spans.filter(|(index, span)| index % 2 == 0 || !span.contains(['#', '{']));
    kept.map(|(_, span)| span).collect::<Vec<_>>().join("`")
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_without_their_zeros() {
        let id = |text: &str| loose_issue_id(text).map(|id| id.to_string());
        for text in [
            "Disagree - ISSUE-R1-003",
            "`ISSUE-R1-3`",
            "**ISSUE-R1-03**: x",
            "x ISSUE-R1-3.",
        ] {
            assert_eq!(id(text).as_deref(), Some("ISSUE-R1-003"), "{text}");
        }
        for text in [
            "ISSUE-R1-",
            "ISSUE-R-3",
            "ISSUE-R1-3a",
            "ISSUE-R1-0003",
            "ISSUE-R1-3_x",
            "ISSUE-R1-0",
        ] {
            assert_eq!(id(text), None, "{text}");
        }
    }

    #[test]
    fn every_phrase_has_a_hint() {
        for phrase in DISAGREEING_PHRASES.iter() {
            assert!(HINTS.iter().any(|hint| phrase.contains(hint)), "{phrase}");
        }
    }

    #[test]
    fn a_text_disputes_in_its_own_words() {
        for text in [
            "DISAGREE: the limit is right",
            "I DISAGREE with ISSUE-R1-001",
            "| ISSUE-R1-001 | DISAGREE |",
            "We disagree with this.",
            "Position: DISAGREE",
            "| ISSUE-R1-001 | `DISAGREE` |",
            "- ISSUE-R1-001 - **DISAGREE**, the limit is right",
            "Status: **DISAGREE** - the limit is right",
        ] {
            assert!(disputes(text), "{text}");
        }
        for text in [
            "ISSUE-R1-021 (\"Process failure: Escalate to user\" is vague)",
            "ISSUE-R1-030 (Engineer might overuse DISAGREE): rate limiting",
            "the proposal included explicit DISAGREE handling for ISSUE-R1-028",
            "> I disagree with this",
            "| ISSUE-R1-029 | defines a mandatory `## DISAGREE: ISSUE-R{N}` format |",
            "the Reviewer noted \u{201c}we disagree\u{201d} in ISSUE-R1-028",
        ] {
            assert!(!disputes(text), "{text}");
        }
    }
}
