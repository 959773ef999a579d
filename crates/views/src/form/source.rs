//! What the source says where a gap was found: the passage, with its section and line.

use std::collections::BTreeSet;

use gapless_domain::{Gap, Origin, Texts, one_line, shortened};
use gapless_markdown::{Document, PassageKind};
use gapless_session::State;

/// How many passages a question quotes, and how long one is.
const MOST_PASSAGES: usize = 3;
const LONGEST_PASSAGE: usize = 600;

/// A passage of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    line: u32,
    section: Option<String>,
    pub text: String,
}

impl Passage {
    /// Where it stands: `in section "Retention" (line 22)`.
    pub fn place(&self) -> String {
        let line = self.line;
        match &self.section {
            Some(section) => {
                let section = gapless_reading::form::defused(section);
                format!("in section \"{section}\" (line {line})")
            }
            None => format!("on line {line}"),
        }
    }
}

/// The source that a session was started from, parsed once for a form.
pub struct Source {
    document: Document<'static>,
}

impl Source {
    pub fn of(state: &State, texts: &dyn Texts) -> Self {
        let origin = state.kept.origin.as_ref();
        let text = origin.and_then(|origin| texts.text(&origin.source));
        let text = text.map_or(String::new(), |text| text.to_string());
        Self {
            document: Document::owning(text),
        }
    }

    /// The passages that opened these gaps, each once, in the order of the source.
    pub(super) fn passages<'g>(&self, gaps: impl IntoIterator<Item = &'g Gap>) -> Vec<Passage> {
        let origins = gaps.into_iter().flat_map(|gap| &gap.origins);
        let lines: BTreeSet<u32> = origins
            .filter_map(|origin| match origin {
                Origin::Source { line } | Origin::Scan { line, .. } => Some(*line),
                _ => None,
            })
            .collect();
        let found = lines.into_iter().filter_map(|line| self.passage(line));
        found.take(MOST_PASSAGES).collect()
    }

    /// The passage that a line is in. One that is long is cut down to the line.
    fn passage(&self, line: u32) -> Option<Passage> {
        let passages = &self.document.passages;
        let until = passages.partition_point(|passage| self.document.line_of(passage.at) <= line);
        let found = &passages[..until].last()?;
        let section = found.above.last().and_then(|at| passages.get(*at));
        let section = section.filter(|heading| matches!(heading.kind, PassageKind::Heading(_)));
        let index = usize::try_from(line.checked_sub(1)?).ok()?;
        let raw = self.document.source.lines().nth(index)?;
        let text = match found.text.len() > LONGEST_PASSAGE || found.kind == PassageKind::Row {
            true => one_line(raw),
            false => one_line(&found.text),
        };
        Some(Passage {
            line,
            section: section.map(|heading| one_line(&heading.text)),
            text: shortened(&text, LONGEST_PASSAGE),
        })
    }
}
