//! Owns the reading of the Engineer's document: bound gaps and their parts, new gaps, responses, disagreements, markers.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Heading};
use super::gap_line::{DeclaredGap, read_new_gaps};
use super::vocabulary::{
    DISAGREEING_PHRASES, NEW_GAPS_HEADING, RESOLVING_WORDS, ROUND_LEVEL_WORDS, has_word, words_of,
};
use super::{MOST_GAPS_IN_HEADING, Mode, field, find_field};
use crate::gap::Confidence;
use crate::ids::{GapId, IssueId, gap_ids_in, issue_ids_in};

/// What an Engineer's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EngineerReading {
    pub gaps: Vec<BoundGap>,
    pub responses: Vec<Response>,
    pub disagreements: Vec<Disagreement>,
    pub blocked: Vec<BlockedMarker>,
    /// `UNCERTAINTY: …`: what the Engineer says it can't tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncertain_about: Vec<String>,
    /// New gaps that are listed for the round and not for one gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_gaps: Vec<DeclaredGap>,
}

/// A section that is bound to a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundGap {
    pub gap: GapId,
    pub line: u32,
    /// False where the heading is an accepted variant.
    #[serde(default = "yes")]
    pub canonical: bool,
    pub confidence: Option<Confidence>,
    /// `**Default to confirm:** timeouts`: it is a default of this group, and stands for nothing that anybody asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The bytes of the gap's whole section, heading included.
    pub section: Range<usize>,
    /// The bytes of the section's text without trade-offs, new gaps and confidence.
    pub solution: Vec<Range<usize>>,
    pub has_trade_offs: bool,
    /// It says what it looked at in the code base; that is said about the proposal and no part of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_codebase_analysis: bool,
    pub new_gaps: Vec<DeclaredGap>,
}

fn yes() -> bool {
    true
}

/// `## Response to ISSUE-…`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    pub issue: IssueId,
    pub line: u32,
    pub section: Range<usize>,
}

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
}

/// `BLOCKED_NEEDS_INPUT: GAP-…` with a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedMarker {
    pub gap: GapId,
    pub line: u32,
    pub reason: String,
}

const BLOCKED_MARKER: &str = "BLOCKED_NEEDS_INPUT:";
/// How many things an Engineer may be uncertain about in one document.
const MOST_UNCERTAINTIES: usize = 20;
const UNCERTAINTY_MARKER: &str = "UNCERTAINTY:";
const DEFAULT_FIELD: &str = "Default to confirm";
/// How long the name of a group of defaults may be.
const LONGEST_GROUP: usize = 60;
const CANONICAL_HEADING: &str = "Gap Resolution:";

/// What a heading opens.
enum Part {
    Gaps { ids: Vec<GapId>, canonical: bool },
    Response(IssueId),
    Disagree(IssueId),
    RoundLevel,
}

/// What the headings of a document open, by their place in the list.
struct Parts(Vec<Option<Part>>);

impl Parts {
    fn of(document: &Document, mode: Mode) -> Self {
        let mut parts: Vec<Option<Part>> = document
            .headings
            .iter()
            .enumerate()
            .map(|(index, _)| part_of(document, index, mode))
            .collect();
        // A title that names the gaps of the document binds none that a heading below it binds.
        let title = document
            .headings
            .first()
            .is_some_and(|heading| heading.level == 1);
        let below: BTreeSet<GapId> = document
            .headings
            .iter()
            .zip(&parts)
            .skip(1)
            .take_while(|(heading, _)| heading.level > 1)
            .filter_map(|(_, part)| match part {
                Some(Part::Gaps { ids, .. }) => Some(ids.iter().cloned()),
                _ => None,
            })
            .flatten()
            .collect();
        if title && let Some(Some(Part::Gaps { ids, .. })) = parts.first_mut() {
            ids.retain(|id| !below.contains(id));
            if ids.is_empty() {
                parts[0] = None;
            }
        }
        Self(parts)
    }

    /// The bytes behind a heading up to the next that opens something.
    fn body(&self, document: &Document, index: usize) -> Range<usize> {
        let next = self.0[index + 1..].iter().position(Option::is_some);
        let end = next.map_or(document.source.len(), |offset| {
            document.headings[index + 1 + offset].span.start
        });
        document.headings[index].span.end..end
    }
}

fn part_of(document: &Document, index: usize, mode: Mode) -> Option<Part> {
    let heading = &document.headings[index];
    let title = heading.title.as_str();
    if let Some(rest) = title.strip_prefix(CANONICAL_HEADING)
        && (heading.level == 2 || mode == Mode::Tolerant)
    {
        let ids = ids_of(rest);
        // `(Revised)` and the like behind the id is a variant; so is the heading at another level.
        let canonical = heading.level == 2 && ids.len() == 1 && rest.trim() == ids[0].to_string();
        if !ids.is_empty() && (canonical || mode == Mode::Tolerant) {
            return Some(Part::Gaps { ids, canonical });
        }
    }
    if heading.level > 2 {
        return None;
    }
    let issue = || issue_ids_in(title).into_iter().next().map(|found| found.id);
    if title.starts_with("DISAGREE:")
        && let Some(issue) = issue()
    {
        return Some(Part::Disagree(issue));
    }
    if title.starts_with("Response to ")
        && let Some(issue) = issue()
    {
        return Some(Part::Response(issue));
    }
    let first = words_of(title).next().unwrap_or("");
    if has_word(&ROUND_LEVEL_WORDS, first) {
        return Some(Part::RoundLevel);
    }
    if title.to_ascii_lowercase().starts_with(NEW_GAPS_HEADING) {
        return Some(Part::RoundLevel);
    }
    if mode == Mode::Strict {
        return None;
    }
    // `# Review of the proposal for GAP-X` is the other role's.
    let lower = title.to_ascii_lowercase();
    if lower.starts_with("review:") || lower.starts_with("review of ") {
        return None;
    }
    let ids = ids_of(title);
    if !ids.is_empty() && words_of(title).any(|word| has_word(&RESOLVING_WORDS, word)) {
        return Some(Part::Gaps {
            ids,
            canonical: false,
        });
    }
    let ids = gap_field(document, heading, index);
    (!ids.is_empty()).then_some(Part::Gaps {
        ids,
        canonical: false,
    })
}

fn ids_of(text: &str) -> Vec<GapId> {
    let mut ids: Vec<GapId> = Vec::new();
    for found in gap_ids_in(text) {
        if ids.len() == MOST_GAPS_IN_HEADING {
            break;
        }
        if !ids.contains(&found.id) {
            ids.push(found.id);
        }
    }
    ids
}

/// The gaps of a `**Gap:** GAP-X` line right under a heading, before any other heading.
fn gap_field(document: &Document, heading: &Heading, index: usize) -> Vec<GapId> {
    let end = document
        .headings
        .get(index + 1)
        .map_or(document.source.len(), |next| next.span.start);
    document
        .prose_lines(heading.span.end..end)
        .take(8)
        .filter_map(|(_, line)| field(line))
        .filter(|(name, _)| name.eq_ignore_ascii_case("gap"))
        .filter_map(|(_, value)| {
            gap_ids_in(value)
                .into_iter()
                .next()
                .filter(|found| found.at <= 1)
        })
        .map(|found| found.id)
        .take(1)
        .collect()
}

/// Reads an Engineer's document.
pub fn read_engineer(document: &Document, mode: Mode) -> EngineerReading {
    let parts = Parts::of(document, mode);
    let mut reading = EngineerReading::default();
    for (index, part) in parts.0.iter().enumerate() {
        let Some(part) = part else {
            continue;
        };
        let heading = &document.headings[index];
        let body = parts.body(document, index);
        let section = heading.span.start..body.end;
        match part {
            Part::Gaps { ids, canonical } => {
                for gap in ids {
                    let bound = read_gap(
                        document,
                        gap.clone(),
                        heading.line,
                        *canonical,
                        &section,
                        &body,
                    );
                    reading.gaps.push(bound);
                }
            }
            Part::Response(issue) if disputes(document.prose_of(body.clone())) => {
                reading.disagreements.push(Disagreement {
                    form: DisagreeForm::Other,
                    ..read_disagreement(document, *issue, heading.line, section)
                });
            }
            Part::Response(issue) => {
                reading.responses.push(Response {
                    issue: *issue,
                    line: heading.line,
                    section,
                });
            }
            Part::Disagree(issue) => {
                reading.disagreements.push(read_disagreement(
                    document,
                    *issue,
                    heading.line,
                    section,
                ));
            }
            Part::RoundLevel
                if heading
                    .title
                    .to_ascii_lowercase()
                    .starts_with(NEW_GAPS_HEADING) =>
            {
                reading.new_gaps.extend(read_new_gaps(document, &body));
            }
            Part::RoundLevel => {}
        }
    }
    reading
        .disagreements
        .extend(read_objections(document, &reading));
    reading.blocked = read_blocked(document);
    reading.uncertain_about = read_uncertainties(document);
    reading
}

fn read_gap(
    document: &Document,
    gap: GapId,
    line: u32,
    canonical: bool,
    section: &Range<usize>,
    body: &Range<usize>,
) -> BoundGap {
    let prose = document.prose_of(body.clone());
    let confidence = find_field(prose, "Confidence").and_then(read_confidence);
    let default = find_field(prose, DEFAULT_FIELD)
        .map(|group| group.trim().chars().take(LONGEST_GROUP).collect::<String>());
    let mut bound = BoundGap {
        gap,
        line,
        canonical,
        confidence,
        default: default.filter(|group| !group.is_empty()),
        section: section.clone(),
        solution: Vec::new(),
        has_trade_offs: false,
        has_codebase_analysis: false,
        new_gaps: Vec::new(),
    };
    // Everything but what is said about the proposal belongs to it, under whatever headings.
    let mut aside: Vec<Range<usize>> = Vec::new();
    for (index, heading) in document.headings_in(body) {
        let title = heading.title.to_ascii_lowercase();
        let mut part = document.section(index, |next| next.level <= heading.level);
        part.end = part.end.min(body.end);
        if title.starts_with("trade-off") || title.starts_with("tradeoff") {
            bound.has_trade_offs = true;
        } else if title == "codebase analysis" {
            bound.has_codebase_analysis = true;
        } else if title.starts_with(NEW_GAPS_HEADING) {
            bound.new_gaps.extend(read_new_gaps(document, &part));
        } else if title == "proposed solution" {
            // Only the heading goes: the solution needs no title of that name.
            aside.push(heading.span.clone());
            continue;
        } else {
            continue;
        }
        aside.push(heading.span.start..part.end);
    }
    for (at, line) in document.prose_lines(body.clone()) {
        let said_of_it = field(line).is_some_and(|(name, _)| {
            has_word(&["confidence", "gap"], name) || name.eq_ignore_ascii_case(DEFAULT_FIELD)
        });
        if said_of_it || line.trim() == "---" {
            aside.push(at..at + line.len());
        }
    }
    bound.solution = without(body, aside);
    bound
}

/// What is left of a range without these parts, blank stretches aside.
fn without(range: &Range<usize>, mut parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    parts.sort_by_key(|part| part.start);
    let mut left = Vec::new();
    let mut at = range.start;
    for part in parts {
        if part.start > at {
            left.push(at..part.start);
        }
        at = at.max(part.end);
    }
    if at < range.end {
        left.push(at..range.end);
    }
    left
}

fn read_confidence(value: &str) -> Option<Confidence> {
    let word = words_of(value).next()?;
    [Confidence::High, Confidence::Medium, Confidence::Low]
        .into_iter()
        .find(|confidence| confidence.name().eq_ignore_ascii_case(word))
}

fn read_disagreement(
    document: &Document,
    issue: IssueId,
    line: u32,
    section: Range<usize>,
) -> Disagreement {
    let prose = document.prose_of(section.clone());
    let part = |name: &str| block_field(prose, name);
    Disagreement {
        issue,
        line,
        concern: part("Reviewer Concern"),
        position: part("Engineer Position"),
        rationale: part("Rationale"),
        alternative: part("Alternative Approach"),
        section,
        form: DisagreeForm::Block,
    }
}

/// Paragraphs outside of responses and DISAGREE blocks that name an issue and say that they disagree with it.
fn read_objections(document: &Document, reading: &EngineerReading) -> Vec<Disagreement> {
    let answered = reading
        .responses
        .iter()
        .map(|response| &response.section)
        .chain(reading.disagreements.iter().map(|block| &block.section));
    let answered: Vec<&Range<usize>> = answered.collect();
    let known: BTreeSet<IssueId> = reading.disagreements.iter().map(|d| d.issue).collect();
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
                ..read_disagreement(document, found.id, line, section)
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
    let prose = document.prose();
    let quoted = |range: &Range<usize>| {
        let text = prose.get(range.clone()).unwrap_or("");
        !text.trim_start().starts_with('>')
    };
    let own = paragraphs.into_iter().filter(quoted);
    own.map(|range| (range.clone(), prose.get(range).unwrap_or("")))
        .collect()
}

/// True where a text says that it disagrees with an issue, in whatever form.
pub fn disputes(text: &str) -> bool {
    let shouts = |word: &str| word == "DISAGREE" || word == "DISAGREEMENT";
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    if words.any(shouts) {
        return true;
    }
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('>'));
    let lower: Vec<String> = lines
        .flat_map(str::split_whitespace)
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

/// Reads a field whose value may stand on the lines below it, up to the next field.
fn block_field(prose: &str, name: &str) -> Option<String> {
    let mut value: Option<Vec<&str>> = None;
    for line in prose.lines() {
        match (field(line), &mut value) {
            (Some((found, rest)), None) if starts_with_ignoring_case(found, name) => {
                value = Some(vec![rest])
            }
            (Some(_), Some(_)) => break,
            (None, Some(lines)) => lines.push(line.trim().trim_start_matches('>').trim()),
            _ => {}
        }
    }
    let joined = value?.join("\n").trim().to_owned();
    (!joined.is_empty()).then_some(joined)
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn read_uncertainties(document: &Document) -> Vec<String> {
    document
        .prose_lines(0..document.source.len())
        .filter_map(|(_, line)| {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let rest = line.strip_prefix(UNCERTAINTY_MARKER)?;
            let about = rest.trim().trim_matches('*').trim();
            (!about.is_empty()).then(|| about.to_owned())
        })
        .take(MOST_UNCERTAINTIES)
        .collect()
}

fn read_blocked(document: &Document) -> Vec<BlockedMarker> {
    document
        .prose_lines(0..document.source.len())
        .filter_map(|(at, line)| {
            let rest = line.trim().trim_matches('*').strip_prefix(BLOCKED_MARKER)?;
            let found = gap_ids_in(rest).into_iter().next()?;
            let behind = &rest[found.at + found.id.to_string().len()..];
            let reason = behind
                .trim_start_matches([':', '-', '–', '—', '*', ' '])
                .trim();
            Some(BlockedMarker {
                gap: found.id,
                line: document.line_of(at),
                reason: reason.to_owned(),
            })
        })
        .collect()
}
