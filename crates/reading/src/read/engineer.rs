//! The reading of the Engineer's document: bound gaps and their parts, new gaps, responses, disagreements, markers.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::disagree::{
    DisagreeForm, DisagreeHeading, Disagreement, disputes, read_disagreement, read_objections,
};
use super::explained::ExplainedSection;
use super::fields::{MOST_GAPS_IN_HEADING, field, find_field, yes};
use super::gap_line::{DeclaredGap, read_new_gaps};
use super::spec_changes::{
    ChangesPart, UnclearChange, WrittenChange, is_change_heading, is_part_title, read_parts,
    says_none,
};
use super::vocabulary::{
    RESOLVING_WORDS, ROUND_LEVEL_WORDS, has_word, is_new_gaps_title, words_of,
};
use gapless_domain::{
    Confidence, GapId, IssueId, Strictness, comma_list, gap_ids_in, issue_ids_in, shortened,
};
use gapless_markdown::{Document, Heading};

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
    /// The bytes of the section's text without trade-offs, new gaps and confidence; of its changes only the texts that they
    /// bring.
    pub solution: Vec<Range<usize>>,
    pub has_trade_offs: bool,
    /// It says what it looked at in the code base; that is said about the proposal and no part of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_codebase_analysis: bool,
    pub new_gaps: Vec<DeclaredGap>,
    /// What it changes in the spec.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<WrittenChange>,
    /// What stands among its changes and can't be told to be one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclear_changes: Vec<UnclearChange>,
    /// The bytes of the parts that its changes are from, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub change_parts: Vec<Range<usize>>,
    /// True where its changes have another form than the canonical one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_variant_changes: bool,
    /// The gap whose changes settle this one too, where it says so and brings none: `None: GAP-…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_with: Option<GapId>,
}

impl EngineerReading {
    /// How much is read behind the changes of its gaps, which a fence of theirs may swallow.
    pub fn behind_changes(&self) -> usize {
        let with_changes = self.gaps.iter().filter(|it| !it.change_parts.is_empty());
        let behind = |bound: &BoundGap| usize::from(bound.has_trade_offs) + bound.new_gaps.len();
        with_changes.map(behind).sum()
    }
}

impl BoundGap {
    /// What is proposed: solution, examples, and the texts of the changes.
    pub fn solution_in(&self, text: &str) -> String {
        let parts = self.solution.iter();
        let parts = parts.filter_map(|range| text.get(range.clone()));
        let parts: Vec<&str> = parts.map(str::trim).filter(|it| !it.is_empty()).collect();
        parts.join("\n\n")
    }
}

/// `## Response to ISSUE-…`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    pub issue: IssueId,
    pub line: u32,
    pub section: Range<usize>,
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
/// The deepest heading that answers an issue.
const DEEPEST_ANSWER: u8 = 4;
/// How much of a change's heading an explanation repeats.
const LONGEST_EXPLAINED: usize = 100;
const CANONICAL_HEADING: &str = "Gap Resolution:";

/// What a heading opens.
enum Part {
    Gaps { ids: Vec<GapId>, canonical: bool },
    Response(IssueId),
    Disagree(DisagreeHeading),
    RoundLevel,
}

impl Part {
    /// Gaps that are bound in another form than the canonical one.
    fn variant(ids: Vec<GapId>) -> Option<Self> {
        let canonical = false;
        (!ids.is_empty()).then_some(Part::Gaps { ids, canonical })
    }
}

/// What the headings of a document open, by their place in the list.
struct Parts(Vec<Option<Part>>);

impl Parts {
    fn of(document: &Document, mode: Strictness) -> Self {
        let mut parts: Vec<Option<Part>> = (0..document.headings.len())
            .map(|index| part_of(document, index, mode))
            .collect();
        let binds = |part: &Option<Part>| matches!(part, Some(Part::Gaps { .. }));
        if mode == Strictness::Tolerant && !parts.iter().any(binds) {
            bind_deeper_fields(document, &mut parts);
        }
        unbind_changes(document, &mut parts);
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

/// The heading of a change opens nothing, whatever section it names.
fn unbind_changes(document: &Document, parts: &mut [Option<Part>]) {
    let mut within = None;
    for (heading, part) in document.headings.iter().zip(parts) {
        if is_part_title(&heading.title) {
            within = Some(heading.level);
        } else if within.is_some() && is_change_heading(&heading.title) {
            *part = None;
        } else if within.is_some_and(|level| heading.level <= level) {
            within = None;
        }
    }
}

/// Where nothing else binds a gap, a `**Gap:** GAP-X` line under a heading of level 3 does.
fn bind_deeper_fields(document: &Document, parts: &mut [Option<Part>]) {
    for (index, part) in parts.iter_mut().enumerate() {
        if part.is_none() && document.headings[index].level == 3 {
            *part = Part::variant(gap_field(document, index));
        }
    }
}

fn part_of(document: &Document, index: usize, mode: Strictness) -> Option<Part> {
    let heading = &document.headings[index];
    let title = heading.title.as_str();
    if let Some(rest) = title.strip_prefix(CANONICAL_HEADING)
        && (heading.level == 2 || mode == Strictness::Tolerant)
    {
        let ids = ids_of(rest);
        // `(Revised)` and the like behind the id is a variant; so is the heading at another level.
        let canonical = heading.level == 2 && ids.len() == 1 && rest.trim() == ids[0].to_string();
        if !ids.is_empty() && (canonical || mode == Strictness::Tolerant) {
            return Some(Part::Gaps { ids, canonical });
        }
    }
    if let Some(disagree) = DisagreeHeading::of(heading, mode) {
        return Some(Part::Disagree(disagree));
    }
    let issue = || issue_ids_in(title).into_iter().next().map(|found| found.id);
    let answers = title.starts_with("Response to ")
        && (heading.level <= 2
            || (mode == Strictness::Tolerant && heading.level <= DEEPEST_ANSWER));
    if answers && let Some(issue) = issue() {
        return Some(Part::Response(issue));
    }
    if heading.level > 2 {
        return None;
    }
    let mut words = words_of(title);
    let (first, second) = (words.next().unwrap_or(""), words.next());
    // `Response format` is a part of a solution.
    let of_a_thing = has_word(&["response", "responses"], first)
        && second.is_some_and(|word| !has_word(&["to", "on", "round"], word));
    if (has_word(&ROUND_LEVEL_WORDS, first) && !of_a_thing) || is_new_gaps_title(title) {
        return Some(Part::RoundLevel);
    }
    if mode == Strictness::Strict {
        return None;
    }
    // `# Review of the proposal for GAP-X` is the other role's.
    let lower = title.to_ascii_lowercase();
    if lower.starts_with("review:") || lower.starts_with("review of ") {
        return None;
    }
    let resolves = words_of(title).any(|word| has_word(&RESOLVING_WORDS, word));
    let by_title = resolves.then(|| Part::variant(ids_of(title))).flatten();
    by_title.or_else(|| Part::variant(gap_field(document, index)))
}

fn ids_of(text: &str) -> Vec<GapId> {
    let mut ids: Vec<GapId> = Vec::new();
    for found in gap_ids_in(text) {
        if ids.len() < MOST_GAPS_IN_HEADING && !ids.contains(&found.id) {
            ids.push(found.id);
        }
    }
    ids
}

/// The gaps of a `**Gap:** GAP-X` line right under a heading, before any other heading.
fn gap_field(document: &Document, index: usize) -> Vec<GapId> {
    let lines = document.prose_lines(document.section(index, |_| true));
    let mut fields = lines.take(8).filter_map(|(_, line)| field(line));
    let gap = fields.find_map(|(name, value)| {
        let found = gap_ids_in(value).into_iter().next()?;
        (name.eq_ignore_ascii_case("gap") && found.at <= 1).then_some(found.id)
    });
    gap.into_iter().collect()
}

/// Where the parts of a document begin that bind a gap, answer an issue or are of the round.
pub fn engineer_sections(document: &Document, mode: Strictness) -> Vec<usize> {
    let parts = Parts::of(document, mode);
    let headings = document.headings.iter().zip(&parts.0);
    let opening = headings.filter(|(_, part)| part.is_some());
    opening.map(|(heading, _)| heading.span.start).collect()
}

pub fn read_engineer(document: &Document, mode: Strictness) -> EngineerReading {
    read_engineer_of(&document.source, document, mode)
}

/// Reads a text by its structure, from which ambiguous code may be blanked out.
pub(super) fn read_engineer_of(
    text: &str,
    document: &Document,
    mode: Strictness,
) -> EngineerReading {
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
                let changes = read_parts(text, document, &body, mode);
                let read =
                    |gap: &GapId| read_gap(document, gap, heading, *canonical, &body, &changes);
                reading.gaps.extend(ids.iter().map(read));
            }
            Part::Response(issue) if disputes(document.prose_of(body.clone())) => {
                reading.disagreements.push(Disagreement {
                    form: DisagreeForm::Other,
                    ..read_disagreement(document, *issue, heading.line, section, mode)
                });
            }
            Part::Response(issue) => {
                reading.responses.push(Response {
                    issue: *issue,
                    line: heading.line,
                    section,
                });
            }
            Part::Disagree(disagree) => {
                let read = read_disagreement(document, disagree.issue, heading.line, section, mode);
                reading.disagreements.push(Disagreement {
                    canonical: disagree.canonical && read.canonical,
                    ..read
                });
            }
            Part::RoundLevel if is_new_gaps_title(&heading.title) => {
                reading.new_gaps.extend(read_new_gaps(document, &body));
            }
            Part::RoundLevel => {}
        }
    }
    let responses = reading.responses.iter().map(|response| &response.section);
    let objections = read_objections(document, responses, &reading.disagreements, mode);
    reading.disagreements.extend(objections);
    reading.blocked = read_blocked(document);
    reading.uncertain_about = read_uncertainties(document);
    reading
}

/// Explains how an Engineer's document is read, heading by heading.
pub(super) fn explain_engineer(
    text: &str,
    document: &Document,
    mode: Strictness,
) -> Vec<ExplainedSection> {
    let reading = read_engineer_of(text, document, mode);
    let parts = Parts::of(document, mode);
    let mut within: Option<String> = None;
    let mut explained = Vec::new();
    for (heading, part) in document.headings.iter().zip(&parts.0) {
        let says = |what: &str| format!("the title {what}");
        if part.is_some() {
            within = None;
        }
        let (role, why) = match part {
            Some(Part::Gaps { ids, .. }) => {
                let role = format!("resolution of {}", comma_list(ids));
                within = Some(role.clone());
                (role, says("binds the section to its gap"))
            }
            Some(Part::Response(issue)) => {
                (format!("response to {issue}"), says("answers an issue"))
            }
            Some(Part::Disagree(DisagreeHeading { issue, .. })) => {
                let role = format!("disagreement with {issue}");
                (role, says("disagrees with an issue"))
            }
            Some(Part::RoundLevel) => {
                let role = match part_of_gap(&heading.title) {
                    GapPart::NewGaps => "new gaps",
                    _ => "part of the round",
                };
                (role.to_owned(), says("belongs to no single gap"))
            }
            None => match (part_of_gap(&heading.title), &within) {
                (GapPart::NewGaps, _) => ("new gaps".to_owned(), says("lists new gaps")),
                (GapPart::TradeOffs, Some(_)) => ("trade-offs".to_owned(), says("names them")),
                (GapPart::CodebaseAnalysis, Some(_)) => {
                    ("codebase analysis".to_owned(), says("names it"))
                }
                (GapPart::SpecChanges, Some(_)) => ("spec changes".to_owned(), says("names them")),
                (GapPart::SolutionTitle | GapPart::Solution, Some(around)) => {
                    ("solution".to_owned(), format!("it is within the {around}"))
                }
                (_, None) => {
                    let why = "it is within no section of a gap";
                    ("other".to_owned(), why.to_owned())
                }
            },
        };
        explained.push(ExplainedSection::of_heading(heading, role, why));
    }
    explain_changes(text, &reading, &mut explained);
    explained
}

/// Puts each change among the sections, in place of what its heading is without it.
fn explain_changes(text: &str, reading: &EngineerReading, explained: &mut Vec<ExplainedSection>) {
    let mut seen = BTreeSet::new();
    let of_gaps = reading.gaps.iter();
    let parts = of_gaps.filter(|bound| seen.insert(bound.section.start));
    let mut changes: Vec<ExplainedSection> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for bound in parts {
        let title = |line: u32| {
            let index = usize::try_from(line).unwrap_or(0).saturating_sub(1);
            let line = lines.get(index).copied().unwrap_or("").trim();
            shortened(line.trim_start_matches(['#', ' ']), LONGEST_EXPLAINED)
        };
        for change in &bound.changes {
            let section = change.section.as_deref().unwrap_or("no section");
            let role = format!("change: {} {section}", change.kind.heading().to_lowercase());
            let why = format!("it is among the spec changes of {}", bound.gap);
            changes.push(ExplainedSection::at(
                change.line,
                title(change.line),
                role,
                why,
            ));
        }
        for unclear in &bound.unclear_changes {
            let (line, why) = (unclear.line, unclear.what());
            changes.push(ExplainedSection::at(
                line,
                title(line),
                "unclear change",
                why,
            ));
        }
    }
    let replaced: BTreeSet<u32> = changes.iter().map(|it| it.line).collect();
    explained.retain(|it| !replaced.contains(&it.line));
    explained.append(&mut changes);
    explained.sort_by_key(|it| it.line);
}

/// What a heading within a gap's section opens.
enum GapPart {
    TradeOffs,
    CodebaseAnalysis,
    NewGaps,
    SpecChanges,
    /// `Proposed Solution`: the solution needs no title of that name.
    SolutionTitle,
    Solution,
}

fn part_of_gap(title: &str) -> GapPart {
    let is_new_gaps = is_new_gaps_title(title);
    let title = title.to_ascii_lowercase();
    let trade_offs = ["trade-off", "tradeoff", "trade off"];
    if trade_offs
        .iter()
        .any(|words| title.starts_with(words) || title.ends_with(&format!("{words}s")))
    {
        GapPart::TradeOffs
    } else if title == "codebase analysis" {
        GapPart::CodebaseAnalysis
    } else if is_new_gaps {
        GapPart::NewGaps
    } else if is_part_title(&title) {
        GapPart::SpecChanges
    } else if title == "proposed solution" {
        GapPart::SolutionTitle
    } else {
        GapPart::Solution
    }
}

fn read_gap(
    document: &Document,
    gap: &GapId,
    heading: &Heading,
    canonical: bool,
    body: &Range<usize>,
    changes: &[ChangesPart],
) -> BoundGap {
    let prose = document.prose_of(body.clone());
    let confidence = find_field(prose, "Confidence").and_then(read_confidence);
    let default = find_field(prose, DEFAULT_FIELD)
        .map(|group| group.trim().chars().take(LONGEST_GROUP).collect::<String>());
    let mut bound = BoundGap {
        gap: gap.clone(),
        line: heading.line,
        canonical,
        confidence,
        default: default.filter(|group| !group.is_empty()),
        section: heading.span.start..body.end,
        solution: Vec::new(),
        has_trade_offs: false,
        has_codebase_analysis: false,
        new_gaps: Vec::new(),
        changes: changes.iter().flat_map(|it| it.changes.clone()).collect(),
        unclear_changes: changes.iter().flat_map(|it| it.unclear.clone()).collect(),
        change_parts: changes.iter().map(|it| it.span.clone()).collect(),
        has_variant_changes: changes.iter().any(|it| !it.canonical),
        settled_with: None,
    };
    if bound.changes.is_empty() && bound.unclear_changes.is_empty() {
        let mut parts = changes.iter();
        bound.settled_with = parts.find_map(|part| settled_with(document, gap, &part.span));
    }
    // Everything but what is said about the proposal belongs to it, under whatever headings.
    let mut aside: Vec<Range<usize>> = Vec::new();
    for part in changes {
        aside.extend(without(&part.span, part.new_texts.clone()));
    }
    let of_changes = |at: usize| {
        let behind = changes.partition_point(|part| part.span.start <= at);
        behind > 0 && changes[behind - 1].span.contains(&at)
    };
    for (index, heading) in document.headings_in(body) {
        if of_changes(heading.span.start) {
            continue;
        }
        let mut part = document.section(index, |next| next.level <= heading.level);
        part.end = part.end.min(body.end);
        // A part under another one ends where the changes begin.
        let next = changes.partition_point(|it| it.span.start < part.start);
        if let Some(next) = changes.get(next) {
            part.end = part.end.min(next.span.start);
        }
        match part_of_gap(&heading.title) {
            GapPart::TradeOffs => bound.has_trade_offs = true,
            GapPart::CodebaseAnalysis => bound.has_codebase_analysis = true,
            GapPart::NewGaps => bound.new_gaps.extend(read_new_gaps(document, &part)),
            GapPart::SolutionTitle => {
                aside.push(heading.span.clone());
                continue;
            }
            // Those that are read as such are aside already.
            GapPart::SpecChanges | GapPart::Solution => continue,
        }
        aside.push(heading.span.start..part.end);
    }
    for (at, line) in document.prose_lines(body.clone()) {
        if of_changes(at) {
            continue;
        }
        if is_said_of_proposal(line) {
            aside.push(at..at + line.len());
        }
    }
    bound.solution = without(body, aside);
    bound
}

/// A line that says something of the proposal, or parts it from another.
fn is_said_of_proposal(line: &str) -> bool {
    let field = field(line.trim_start_matches(['-', ' ']));
    let said_of_it = field.is_some_and(|(name, _)| {
        has_word(&["confidence", "gap"], name) || name.eq_ignore_ascii_case(DEFAULT_FIELD)
    });
    said_of_it || line.trim() == "---"
}

/// The other gap that the first line of a part without changes names.
fn settled_with(document: &Document, gap: &GapId, part: &Range<usize>) -> Option<GapId> {
    let mut lines = document.prose_lines(part.clone());
    let (_, line) = lines.find(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !is_part_title(line)
    })?;
    let mut named = gap_ids_in(line).into_iter();
    says_none(line)
        .then(|| named.find(|found| found.id != *gap))
        .flatten()
        .map(|found| found.id)
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
    let mut known = Confidence::ALL.into_iter();
    known.find(|confidence| confidence.name().eq_ignore_ascii_case(word))
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
            let reason = behind.trim_start_matches([':', '-', '–', '—', '*', ' ']);
            Some(BlockedMarker {
                gap: found.id,
                line: document.line_of(at),
                reason: reason.trim().to_owned(),
            })
        })
        .collect()
}
