//! The verdicts of a review: on single gaps and on the whole document, wherever they are stated. Of verdicts that contradict each
//! other the stricter one counts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::fields::field;
use super::super::gap_line::first_gap;
use super::gap_titles::gaps_named;
use super::section::{Opening, Section};
use serde::{Deserialize, Serialize};

use super::outline::Outline;
use super::scopes::Scope;
use super::titles::{SectionRole, ends_as_verdict_label, is_verdict_label, read_title};
use super::verdict_words::{
    Verdict, prose_verdict, stated_verdict, unmistakable_verdict, whole_verdict,
};
use gapless_domain::{GapId, Strictness, gap_ids_in};
use gapless_markdown::Document;

/// Two verdicts of which one approves and the other doesn't.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// `None` where they are on the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapId>,
    /// The line of the verdict that doesn't count.
    pub line: u32,
}

/// The verdicts of a document.
#[derive(Default)]
pub(super) struct Judged {
    pub whole: Judgement,
    pub gaps: BTreeMap<GapId, Judgement>,
}

/// The verdicts that were stated on one thing, with their lines.
#[derive(Default)]
pub(super) struct Judgement(Vec<(Verdict, u32)>);

impl Judgement {
    /// The strictest of them.
    pub fn verdict(&self) -> Option<Verdict> {
        self.0.iter().map(|(verdict, _)| *verdict).max()
    }

    /// The line of the first.
    pub fn line(&self) -> u32 {
        self.0.iter().map(|(_, line)| *line).min().unwrap_or(1)
    }

    /// The line of a verdict that approves beside one that doesn't.
    fn overruled(&self) -> Option<u32> {
        let strict = self.verdict()?;
        let mut verdicts = self.0.iter().filter(|_| !strict.approves());
        let approving = verdicts.find(|(verdict, _)| verdict.approves());
        approving.map(|(_, line)| *line)
    }
}

impl Judged {
    pub fn of(document: &Document, outline: &Outline, scopes: &[Scope], mode: Strictness) -> Self {
        let mut judged = Self::default();
        if mode == Strictness::Strict {
            judged.read_canonical(document, scopes);
            return judged;
        }
        for section in &outline.sections {
            if let Some(verdict) = section.verdict {
                let (at, line) = (section.head.start, section.line);
                judged.state(scopes, at, line, gaps_of(section), verdict);
            }
        }
        let mut apart = true;
        for (at, line) in document.prose_lines(0..document.source.len()) {
            if !document.is_quoted(at)
                && let Some((gaps, verdict)) = verdict_in_line(line, apart, outline.at(at))
            {
                judged.state(scopes, at, document.line_of(at), gaps, verdict);
            }
            apart = line.trim().is_empty();
        }
        judged.read_lists(document, outline);
        judged.read_tables(document, outline);
        judged.read_unknown_labels(document, outline, scopes);
        judged
    }

    /// Where nothing is said of a gap under a known label, a verdict under any label counts.
    fn read_unknown_labels(&mut self, document: &Document, outline: &Outline, scopes: &[Scope]) {
        let judged = |scope: &Scope| scope.gaps.iter().any(|gap| self.gaps.contains_key(&gap.id));
        let none_left = !scopes.is_empty() && scopes.iter().all(judged);
        if self.whole.verdict().is_some() || none_left {
            return;
        }
        let mut found: Vec<(usize, u32, Verdict)> = Vec::new();
        for section in &outline.sections {
            let open = matches!(
                section.role,
                SectionRole::Other | SectionRole::Remarks | SectionRole::Summary
            );
            let verdict = || {
                let (name, value) = section.title.split_once([':', '–', '—'])?;
                (words(name) <= LONGEST_UNKNOWN_LABEL)
                    .then(|| unmistakable_verdict(value))
                    .flatten()
            };
            let below = || {
                let prose = document.prose_of(section.own.clone());
                let mut lines = prose.lines().map(str::trim);
                let first = lines.find(|line| !line.is_empty())?;
                unmistakable_verdict(first).filter(|_| !first.starts_with('>'))
            };
            if open && let Some(verdict) = verdict().or_else(below) {
                found.push((section.head.start, section.line, verdict));
            }
        }
        for (at, line) in document.prose_lines(0..document.source.len()) {
            let bare = line.trim_start_matches(['-', ' ']);
            let trusted =
                !bare.starts_with(['>', '#', '|']) && Trust::of(outline.at(at)) == Trust::Full;
            if trusted
                && let Some((name, value)) = labelled(bare)
                && words(name) <= LONGEST_UNKNOWN_LABEL
                && let Some(verdict) = unmistakable_verdict(value)
            {
                found.push((at, document.line_of(at), verdict));
            }
        }
        let known: BTreeSet<GapId> = self.gaps.keys().cloned().collect();
        for (at, line, verdict) in found {
            let scope = Scope::around(scopes, at);
            let judged =
                scope.is_some_and(|scope| scope.gaps.iter().any(|gap| known.contains(&gap.id)));
            if !judged && (scope.is_some() || known.is_empty()) {
                self.state(scopes, at, line, Vec::new(), verdict);
            }
        }
    }

    /// Strict takes a line **NO_ISSUES_FOUND** in a review and nothing else.
    fn read_canonical(&mut self, document: &Document, scopes: &[Scope]) {
        for scope in scopes {
            for (at, line) in document.prose_lines(scope.body.clone()) {
                if is_no_issues_found(line) {
                    let line = document.line_of(at);
                    self.state(scopes, at, line, Vec::new(), Verdict::NoIssuesFound);
                }
            }
        }
    }

    /// Takes a verdict: on the gaps it names, on those of the review it stands in, or on everything.
    fn state(
        &mut self,
        scopes: &[Scope],
        at: usize,
        line: u32,
        gaps: Vec<GapId>,
        verdict: Verdict,
    ) {
        let scope = Scope::around(scopes, at);
        if gaps.is_empty() && scope.is_none() {
            self.whole.0.push((verdict, line));
        }
        let scoped = scope.filter(|_| gaps.is_empty());
        let scoped = scoped.into_iter().flat_map(|scope| &scope.gaps);
        for gap in scoped.map(|gap| gap.id.clone()).chain(gaps) {
            self.judge(gap, verdict, line);
        }
    }

    fn judge(&mut self, gap: GapId, verdict: Verdict, line: u32) {
        self.gaps.entry(gap).or_default().0.push((verdict, line));
    }

    /// `1. GAP-X-001: the title - **APPROVED**`.
    fn read_lists(&mut self, document: &Document, outline: &Outline) {
        for item in document.items.iter().filter(|item| item.depth == 0) {
            let Some((gap, verdict)) = judges_gap(&item.text) else {
                continue;
            };
            let section = outline.at(item.span.start);
            let readable = section.is_none_or(|section| lists_verdicts(section.role));
            if readable && !document.is_quoted(item.span.start) {
                self.judge(gap, verdict, item.line);
            }
        }
    }

    /// Rows that begin with a gap and have a verdict in another cell.
    fn read_tables(&mut self, document: &Document, outline: &Outline) {
        let mut verdict_column = None;
        for row in &document.rows {
            if row.is_head {
                verdict_column = row.cells.iter().rposition(|cell| {
                    read_title(cell).is_some_and(|title| title.is_verdict_label)
                        || ends_as_verdict_label(cell)
                });
                continue;
            }
            let readable = outline.at(row.span.start).is_none_or(|section| {
                lists_verdicts(section.role) || section.role == SectionRole::Findings
            });
            let gap = row.cells.first().and_then(|cell| first_gap(cell));
            let (true, Some(gap), false) = (readable, gap, document.is_quoted(row.span.start))
            else {
                continue;
            };
            let labelled = verdict_column.and_then(|column| row.cells.get(column));
            let labelled = labelled.and_then(|cell| stated_verdict(cell));
            let any = || {
                let mut cells = row.cells.iter().skip(1);
                cells.find_map(|cell| whole_verdict(cell).or_else(|| stated_at_start(cell)))
            };
            if let Some(verdict) = labelled.or_else(any) {
                self.judge(gap, verdict, row.line);
            }
        }
    }

    pub fn contradictions(&self) -> Vec<Contradiction> {
        let gaps = self.gaps.iter();
        let gaps = gaps.map(|(gap, judgement)| (Some(gap.clone()), judgement));
        let all = std::iter::once((None, &self.whole)).chain(gaps);
        all.filter_map(|(gap, judgement)| {
            let line = judgement.overruled()?;
            Some(Contradiction { gap, line })
        })
        .collect()
    }

    /// The verdict on each gap that has one of its own.
    pub fn verdicts(&self) -> BTreeMap<GapId, Verdict> {
        let judged = self.gaps.iter();
        judged
            .filter_map(|(gap, judgement)| Some((gap.clone(), judgement.verdict()?)))
            .collect()
    }
}

/// The gaps that a verdict's own title names: `Verdict: GAP-X - APPROVED`.
fn gaps_of(section: &Section) -> Vec<GapId> {
    let named = match section.role {
        SectionRole::Verdict | SectionRole::Review => gaps_named(&section.title),
        _ => Vec::new(),
    };
    named.into_iter().map(|gap| gap.id).collect()
}

/// True for sections in which lists and tables may give verdicts on gaps.
fn lists_verdicts(role: SectionRole) -> bool {
    matches!(
        role,
        SectionRole::Other
            | SectionRole::Remarks
            | SectionRole::Title
            | SectionRole::Review
            | SectionRole::Verdict
            | SectionRole::Summary
            | SectionRole::SignOff
            | SectionRole::Examined
    )
}

fn is_no_issues_found(line: &str) -> bool {
    line.trim().trim_matches(['*', '`', ' ']) == Verdict::NoIssuesFound.name()
}

/// Words of labels whose verdict is that of the review wherever it stands.
const STRONG_LABELS: [&str; 10] = [
    "verdict",
    "decision",
    "overall",
    "final",
    "outcome",
    "disposition",
    "determination",
    "recommendation",
    "review",
    "approval",
];

/// How far a label may be trusted to be the review's, by where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Any label.
    Full,
    /// Any label whose value is nothing but a verdict.
    WholeValue,
    /// Only a strong label whose value is nothing but a verdict.
    StrongLabel,
    Never,
}

impl Trust {
    fn of(section: Option<&Section>) -> Self {
        let Some(section) = section else {
            return Trust::Full;
        };
        match section.role {
            SectionRole::NewGaps | SectionRole::NoFindings => Trust::Never,
            SectionRole::Verification | SectionRole::Finding => Trust::StrongLabel,
            // A line has no end of its own: what stands apart below its list is not its section's.
            SectionRole::Praise | SectionRole::Plan | SectionRole::Examined => {
                match section.opening {
                    Opening::Heading => Trust::StrongLabel,
                    _ => Trust::WholeValue,
                }
            }
            SectionRole::Findings => Trust::WholeValue,
            _ => Trust::Full,
        }
    }
}

/// A verdict that a line states: behind a label, or as the whole line in capitals.
fn verdict_in_line(
    line: &str,
    apart: bool,
    section: Option<&Section>,
) -> Option<(Vec<GapId>, Verdict)> {
    let trust = Trust::of(section);
    let item = line.starts_with(['-', '*', '+']) && !line.starts_with("**");
    if trust == Trust::Never
        || line.starts_with([' ', '\t'])
        || (trust != Trust::Full && (item || !apart))
    {
        return None;
    }
    let bare = line.trim().trim_start_matches(['-', '+', ' ']);
    if bare.starts_with(['>', '#', '|']) || bare.is_empty() {
        return None;
    }
    if is_no_issues_found(bare) {
        return (trust != Trust::StrongLabel).then_some((Vec::new(), Verdict::NoIssuesFound));
    }
    if !bare.starts_with("**") && !bare.chars().any(char::is_lowercase) {
        let verdict = whole_verdict(bare).filter(|_| trust != Trust::StrongLabel);
        return verdict.map(|verdict| (Vec::new(), verdict));
    }
    let (name, value) = labelled(bare)?;
    if name.len() > LONGEST_LABEL || !is_verdict_label(name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let strong = STRONG_LABELS.iter().any(|word| lower.contains(word));
    let verdict = match trust {
        Trust::Full => {
            let prose = || strong.then(|| prose_verdict(value)).flatten();
            stated_verdict(value).or_else(prose)
        }
        Trust::WholeValue => whole_verdict(value),
        Trust::StrongLabel => whole_verdict(value).filter(|_| strong),
        Trust::Never => None,
    };
    let gaps = gaps_named(name).into_iter().map(|gap| gap.id).collect();
    Some((gaps, verdict?))
}

/// A field in bold, or without marks.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let plain = || {
        line.split_once(": ")
            .filter(|(name, _)| !name.contains("**"))
    };
    field(line).or_else(plain)
}

/// How many words a label may have that is not known.
const LONGEST_UNKNOWN_LABEL: usize = 4;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// How many bytes a verdict's label may have.
const LONGEST_LABEL: usize = 60;

/// The gap that an item begins with, and the verdict on it.
pub(super) fn judges_gap(item: &str) -> Option<(GapId, Verdict)> {
    let bare = item.trim_start_matches(['*', '`', '[', ' ']);
    let gap = gap_ids_in(bare).into_iter().next();
    let gap = gap.filter(|gap| gap.at == 0)?;
    let behind = &bare[gap.id.to_string().len()..];
    Some((gap.id, verdict_behind(behind)?))
}

/// The verdict at the end of a line about a gap, behind a dash, a colon or an arrow, or in bold.
fn verdict_behind(text: &str) -> Option<Verdict> {
    let bold = text.rsplit("**").skip(1).step_by(2);
    let ends = [":", "–", "—", "→", " - ", "("];
    let mut starts: Vec<usize> = ends
        .iter()
        .flat_map(|mark| text.match_indices(mark).map(|(at, mark)| at + mark.len()))
        .collect();
    starts.sort_unstable();
    let behind = starts.iter().map(|start| &text[*start..]);
    bold.chain(behind).find_map(|part| {
        let part = part.trim_end_matches([')', ' ', '.', '*']);
        whole_verdict(part.trim_start_matches(['*', ' ', '-', '>']))
    })
}

/// A cell that begins with a verdict.
fn stated_at_start(cell: &str) -> Option<Verdict> {
    let bare = cell.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = bare.split_whitespace().next();
    let shouted = first.is_some_and(|word| !word.contains(char::is_lowercase));
    shouted.then(|| stated_verdict(cell)).flatten()
}
