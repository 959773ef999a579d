//! The `### Spec Changes` part of a resolution: what it replaces in the spec, adds to it and removes from it. The canonical
//! form is read to the letter; where a part has another one, the habits of models are read too, in tolerant mode.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use gapless_domain::{ChangeKind, ChangeText, Strictness};
use gapless_markdown::Document;

mod canonical;
mod free;
mod heads;
mod labels;
mod lines;
mod marked_lines;
mod texts;

pub(super) use heads::{is_change_heading, is_part_title};
use lines::{Line, lines_in};

/// The canonical title of the part.
const PART_TITLE: &str = "Spec Changes";
const PART_LEVEL: u8 = 3;

/// A change as a document writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenChange {
    pub kind: ChangeKind,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The passage that it quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

impl WrittenChange {
    pub fn texts(&self) -> ChangeText {
        ChangeText {
            kind: self.kind,
            section: self.section.clone(),
            after: self.after.clone(),
            old: self.old.clone(),
            new: self.new.clone(),
            line: self.line,
        }
    }
}

/// Something in the part that can't be told to be a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnclearChange {
    pub line: u32,
    /// How it begins.
    pub heading: String,
    pub fault: UnclearFault,
}

/// Why a change can't be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnclearFault {
    NoKind,
    /// The document ends in one of its fences.
    OpenFence,
    /// More texts than an old and a new one.
    ManyTexts,
}

impl UnclearChange {
    /// What is wrong, as a sentence for who wrote it.
    pub fn what(&self) -> String {
        let heading = &self.heading;
        match self.fault {
            UnclearFault::NoKind => {
                let forms = ChangeKind::ALL.iter();
                let forms: Vec<String> = forms
                    .map(|kind| format!("`#### {}: …`", kind.heading()))
                    .collect();
                format!(
                    "`{heading}` names no kind of change; write one of {}",
                    forms.join(", ")
                )
            }
            UnclearFault::OpenFence => format!("a fence of `{heading}` never closes"),
            UnclearFault::ManyTexts => format!(
                "`{heading}` has more than an old and a new text; put text with a code block in it into a longer fence"
            ),
        }
    }
}

/// What a part on changes says.
#[derive(Debug, Default)]
pub(super) struct ChangesPart {
    pub changes: Vec<WrittenChange>,
    pub unclear: Vec<UnclearChange>,
    /// False where it has another form than the canonical one.
    pub canonical: bool,
    /// The bytes of the part, from its heading on.
    pub span: Range<usize>,
    /// The bytes of the texts that it brings, in order.
    pub new_texts: Vec<Range<usize>>,
}

impl ChangesPart {
    fn take(&mut self, read: Result<Vec<texts::Made>, UnclearChange>) {
        match read {
            Ok(made) => {
                for (change, brought) in made {
                    self.changes.push(change);
                    self.new_texts.extend(brought);
                }
            }
            Err(unclear) => self.unclear.push(unclear),
        }
    }
}

/// What opens a part on changes: a heading, a line in bold or the fence around all of it.
#[derive(Debug, Clone)]
struct PartOpener {
    span: Range<usize>,
    level: u8,
    canonical: bool,
}

/// Reads the parts of a gap's section that say what changes in the spec. The text has its structure's places.
pub(super) fn read_parts(
    text: &str,
    structure: &Document,
    body: &Range<usize>,
    mode: Strictness,
) -> Vec<ChangesPart> {
    let openers = part_openers(text, structure, body, mode);
    if openers.is_empty() {
        return Vec::new();
    }
    let lines = lines_in(text, body.clone());
    let is_last = text
        .get(body.end..)
        .is_none_or(|rest| rest.trim().is_empty());
    let mut read: Vec<ChangesPart> = Vec::new();
    for opener in openers {
        let known = read.last().map_or(0, |part| part.span.end);
        if opener.span.start >= known {
            let from = lines.partition_point(|line| line.at < opener.span.end);
            let place = Place {
                structure,
                lines: &lines[from..],
                level: opener.level,
                end: body.end,
                is_last,
            };
            read.push(read_part(&place, &opener, mode));
        }
    }
    read
}

fn read_part(place: &Place, opener: &PartOpener, mode: Strictness) -> ChangesPart {
    let (mut read, exact) = canonical::read(place);
    read.canonical = opener.canonical;
    if mode == Strictness::Tolerant && !(exact && opener.canonical) {
        let freely = free::read(place);
        let canonical = opener.canonical
            && freely.unclear.is_empty()
            && freely.changes == read.changes
            && freely.span == read.span;
        read = ChangesPart {
            canonical,
            ..freely
        };
    }
    read.new_texts.sort_by_key(|text| text.start);
    read.span.start = opener.span.start;
    read
}

/// The lines of a part, and where they are.
struct Place<'p> {
    pub structure: &'p Document<'p>,
    pub lines: &'p [Line<'p>],
    /// The level of its heading.
    pub level: u8,
    /// Where its lines end.
    pub end: usize,
    /// True where nothing stands behind them.
    pub is_last: bool,
}

impl Place<'_> {
    pub fn line_of(&self, index: usize) -> u32 {
        let at = self.lines.get(index).map_or(self.end, |line| line.at);
        self.structure.line_of(at)
    }

    /// Where a line begins, or where all of them end.
    pub fn start_of(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.end, |line| line.at)
    }
}

/// Finds what opens a part on changes in a gap's section.
fn part_openers(
    text: &str,
    structure: &Document,
    body: &Range<usize>,
    mode: Strictness,
) -> Vec<PartOpener> {
    let mut openers: Vec<PartOpener> = Vec::new();
    for (_, heading) in structure.headings_in(body) {
        let canonical = heading.level == PART_LEVEL && heading.title == PART_TITLE;
        if canonical || (mode == Strictness::Tolerant && is_part_title(&heading.title)) {
            openers.push(PartOpener {
                span: heading.span.clone(),
                level: heading.level,
                canonical,
            });
        }
    }
    if mode == Strictness::Tolerant && openers.is_empty() {
        openers.extend(bold_openers(structure, body));
        openers.extend(fenced_openers(text, structure, body));
        openers.sort_by_key(|opener| opener.span.start);
    }
    openers
}

/// Lines in bold that say what the part's heading would say.
fn bold_openers(structure: &Document, body: &Range<usize>) -> Vec<PartOpener> {
    let lines = structure.prose_lines(body.clone());
    let bold = lines.filter(|(_, line)| {
        let line = line.trim();
        line.starts_with("**") && line.trim_end_matches(':').ends_with("**") && is_part_title(line)
    });
    bold.map(|(at, line)| PartOpener {
        span: at..at + line.len(),
        level: PART_LEVEL,
        canonical: false,
    })
    .collect()
}

/// Fences that have the part in them, with its heading.
fn fenced_openers(text: &str, structure: &Document, body: &Range<usize>) -> Vec<PartOpener> {
    let blocks = structure.code_blocks.iter();
    let blocks = blocks.filter(|block| body.contains(&block.start));
    blocks
        .filter_map(|block| {
            let inside = text.get(block.clone())?;
            let (fence, rest) = inside.split_once('\n')?;
            lines::fence_of(fence)?;
            let title = rest.lines().find(|line| !line.trim().is_empty())?;
            let (level, words) = lines::heading_of(title)?;
            is_part_title(words).then_some(())?;
            // The fence is one of the lines, so that what closes it is known for what it is.
            let start = text[..block.start].rfind('\n').map_or(0, |at| at + 1);
            Some(PartOpener {
                span: start..start,
                level: u8::try_from(level).unwrap_or(PART_LEVEL),
                canonical: false,
            })
        })
        .collect()
}
