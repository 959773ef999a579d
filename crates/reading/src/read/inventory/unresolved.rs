//! Blocks that authors mark as unresolved: `<<[UNRESOLVED who]>>` … `<<[/UNRESOLVED]>>`. Each is one gap, whatever it says.

use std::ops::Range;

use super::super::gap_line::DeclaredGap;
use super::candidate::{CATEGORY, Name};
use super::prose::is_paragraph;
use super::wording::{Waits, one_line, shortened};
use super::{DeclaredAs, Gathering};
use gapless_domain::GapId;
use gapless_markdown::last_at;

const OPENS: &str = "<<[UNRESOLVED";
const OPENED: &str = "]>>";
/// How long what stands in the opening mark may be.
const LONGEST_NOTE: usize = 300;
const CLOSES: &str = "<<[/UNRESOLVED]>>";

impl Gathering<'_> {
    pub fn unresolved_blocks(&mut self) {
        let prose = self.document.prose();
        let mut from = 0;
        while let Some(at) = prose[from..].find(OPENS) {
            let start = from + at;
            from = start + OPENS.len();
            let near = &prose[from..prose.floor_char_boundary(from + LONGEST_NOTE)];
            let line = near.lines().next().unwrap_or("");
            let Some(length) = line.find(OPENED) else {
                continue;
            };
            let opened = from + length + OPENED.len();
            let next = prose[opened..]
                .find(OPENS)
                .map_or(prose.len(), |at| opened + at);
            let end = prose[opened..next].find(CLOSES).map(|at| opened + at);
            let end = end.filter(|end| self.is_one_stretch(start, *end));
            self.block(start..from + length, opened, end);
            from = end.map_or(opened, |end| end + CLOSES.len());
        }
    }

    /// True where what lies between the marks can be taken out whole: no heading, and no list or quote that began before.
    fn is_one_stretch(&self, start: usize, end: usize) -> bool {
        let document = self.document;
        let same_section = document.headings_in(&(start..end)).next().is_none();
        let around = |at: usize| {
            let block = last_at(&document.blocks, at, |block| block.span.start);
            block.filter(|block| block.span.contains(&at))
        };
        let is_same = || match (around(start), around(end)) {
            (Some(one), Some(other)) => one.span == other.span || is_paragraph(one),
            _ => false,
        };
        let is_outermost = || {
            let block = last_at(&document.outermost, start, |block| block.start);
            block.is_some_and(|block| block.start == start)
                && around(start).is_some_and(is_paragraph)
        };
        let in_one_block = around(start).is_some_and(|block| block.span.contains(&end));
        same_section && is_same() && (in_one_block || is_outermost())
    }

    fn block(&mut self, opening: Range<usize>, opened: usize, end: Option<usize>) {
        let document = self.document;
        let start = opening.start;
        let who = document.prose_of(start + OPENS.len()..opening.end).trim();
        let (form, said, until) = match end {
            Some(end) => {
                let whole = start..end + CLOSES.len();
                let said = one_line(document.prose_of(opened..end));
                (DeclaredAs::Words(whole.clone()), said, whole.end)
            }
            None => {
                let marks = std::iter::once(start..opened).collect();
                let line = document.prose_of(opened..document.prose().len());
                (
                    DeclaredAs::Marks(marks),
                    one_line(line.trim_start().lines().next().unwrap_or("")),
                    opened,
                )
            }
        };
        let range = start..until;
        let text = document.source.get(range.clone()).unwrap_or("");
        if text.contains("<!-- gapless: ") {
            return;
        }
        let description = match said.is_empty() {
            true => who.to_owned(),
            false => said,
        };
        self.take_block(range, form, &description);
    }

    fn take_block(&mut self, range: Range<usize>, form: DeclaredAs, description: &str) {
        let (document, start) = (self.document, range.start);
        let Some(id) = GapId::new(CATEGORY, 1) else {
            return;
        };
        let section = self.listings.section_at(start);
        let mut gap = DeclaredGap::from_words(id, &shortened(description), document.line_of(start));
        gap.section = section.map(|index| self.listings.sections[index].title.clone());
        self.covered.push(range.clone());
        self.unresolved.push(range);
        let name = Name::None(self.category(section));
        self.take(name, gap, form, start, Waits::default());
    }

    /// True within such a block.
    pub fn is_in_block(&self, at: usize) -> bool {
        last_at(&self.unresolved, at, |block| block.start).is_some_and(|block| block.end > at)
    }
}
