//! The shape of a markdown document: headings, list items, table rows, links and blocks with their places, and its
//! prose with code and comments blanked out. Linear in the length of the text.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::leaves::{Block, Leaves, Link};
use super::passages::{Passage, Passages};
use super::spans::{blank, grow, last_at, starting_in, without_byte_order_mark};

/// A heading of the document itself, not one inside a quote, a list or a fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub level: u8,
    pub title: String,
    pub line: u32,
    /// The bytes of the heading itself.
    pub span: Range<usize>,
}

/// A list item, with the text that is its own and not a nested item's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub depth: u32,
    pub text: String,
    pub line: u32,
    pub span: Range<usize>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    pub is_head: bool,
    pub cells: Vec<String>,
    pub line: u32,
    pub span: Range<usize>,
}

/// A parsed document, which borrows its text or owns it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document<'a> {
    pub source: Cow<'a, str>,
    pub headings: Vec<Heading>,
    pub items: Vec<Item>,
    pub rows: Vec<TableRow>,
    /// The bytes of fenced and indented code.
    pub code_blocks: Vec<Range<usize>>,
    /// The bytes of quotes and of code within a line: what stands there is not the document's own prose.
    pub asides: Vec<Range<usize>>,
    pub blocks: Vec<Block>,
    /// The blocks that stand in no other: whole lists, quotes and tables, paragraphs, fences.
    pub outermost: Vec<Range<usize>>,
    pub links: Vec<Link>,
    pub passages: Vec<Passage>,
    /// Code within text, with its backticks.
    pub code_spans: Vec<Range<usize>>,
    /// HTML within text, comments included.
    pub html_spans: Vec<Range<usize>>,
    prose: String,
    line_starts: Vec<usize>,
}

/// What the walk through a document has met so far and not placed yet.
#[derive(Default)]
struct Met {
    /// Code and HTML, which are no prose.
    blanked: Vec<Range<usize>>,
    /// The quotes and lists around the place.
    containers: u32,
    /// The list items around the place.
    depth: u32,
    /// The heading that is being read: its level, its bytes and those of its text.
    heading: Option<(u8, Range<usize>, Option<Range<usize>>)>,
    /// The bytes of each heading's text.
    titles: Vec<Range<usize>>,
    /// The row of each cell, and its bytes.
    cells: Vec<(usize, Range<usize>)>,
}

impl<'a> Document<'a> {
    pub fn parse(source: &'a str) -> Self {
        Self::of(Cow::Borrowed(source))
    }

    /// Parses a text and keeps it.
    pub fn owning(source: String) -> Document<'static> {
        Document::of(Cow::Owned(source))
    }

    fn of(source: Cow<'a, str>) -> Self {
        let line_starts = std::iter::once(0)
            .chain(source.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let mut document = Self {
            line_starts,
            ..Self::default()
        };
        document.walk(&source);
        document.source = source;
        document
    }

    fn walk(&mut self, source: &str) {
        let mut leaves = Leaves::default();
        let mut passages = Passages::default();
        let mut met = Met::default();
        let readable = without_byte_order_mark(source);
        let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES).into_offset_iter();
        for (event, span) in parser {
            leaves.take(&event, &span);
            passages.take(&event, &span);
            self.take(&mut met, &event, span);
        }
        leaves.flush();
        passages.flush();
        self.passages = passages.list;
        self.blocks = leaves.blocks;
        self.outermost = leaves.outermost;
        self.links = leaves.links;
        self.code_spans = leaves.code_spans;
        self.html_spans = leaves.html_spans;
        met.blanked.sort_by_key(|range| range.start);
        self.prose = blank(&readable, &met.blanked);
        self.fill_in(met);
    }

    fn take(&mut self, met: &mut Met, event: &Event, span: Range<usize>) {
        match event {
            Event::Start(tag) => self.enter(met, tag, span),
            Event::End(TagEnd::Heading(_)) => self.end_heading(met),
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => {
                met.containers = met.containers.saturating_sub(1);
            }
            Event::End(TagEnd::Item) => met.depth = met.depth.saturating_sub(1),
            Event::Html(_) | Event::InlineHtml(_) => met.blanked.push(span),
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak => {
                if let Some((_, _, inner)) = &mut met.heading {
                    grow(inner, &span);
                }
                if matches!(event, Event::Code(_)) {
                    self.set_aside(span);
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self, met: &mut Met, tag: &Tag, span: Range<usize>) {
        let line = self.line_of(span.start);
        match tag {
            Tag::Heading { level, .. } => met.heading = Some((*level as u8, span, None)),
            Tag::CodeBlock(_) => {
                self.code_blocks.push(span.clone());
                met.blanked.push(span);
            }
            Tag::HtmlBlock => met.blanked.push(span),
            Tag::BlockQuote(_) => {
                met.containers += 1;
                self.set_aside(span);
            }
            Tag::List(_) => met.containers += 1,
            Tag::Item => {
                self.items.push(Item {
                    depth: met.depth,
                    text: String::new(),
                    line,
                    span,
                });
                met.depth += 1;
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(TableRow {
                is_head: *tag == Tag::TableHead,
                cells: Vec::new(),
                line,
                span,
            }),
            Tag::TableCell => met.cells.push((self.rows.len().saturating_sub(1), span)),
            _ => {}
        }
    }

    /// Keeps a heading that is in no quote or list.
    fn end_heading(&mut self, met: &mut Met) {
        if let Some((level, span, inner)) = met.heading.take()
            && met.containers == 0
        {
            met.titles.push(inner.unwrap_or(span.start..span.start));
            self.headings.push(Heading {
                level,
                title: String::new(),
                line: self.line_of(span.start),
                span,
            });
        }
    }

    /// Gives headings, cells and items their texts. They are prose too: what is in a comment in them is not theirs.
    fn fill_in(&mut self, met: Met) {
        for (heading, title) in self.headings.iter_mut().zip(met.titles) {
            let title = self.prose.get(title).unwrap_or("");
            heading.title = title.trim().to_owned();
        }
        for (row, cell) in met.cells {
            let cell = self.prose.get(cell).unwrap_or("").trim();
            if let Some(row) = self.rows.get_mut(row) {
                row.cells.push(cell.trim_matches('|').trim().to_owned());
            }
        }
        let starts: Vec<usize> = self.items.iter().skip(1).map(|i| i.span.start).collect();
        for (index, item) in self.items.iter_mut().enumerate() {
            // What is nested in it begins no later than the next item.
            let end = starts
                .get(index)
                .map_or(item.span.end, |next| item.span.end.min(*next));
            item.text = own_text(self.prose.get(item.span.start..end).unwrap_or(""));
        }
    }

    /// Only the outermost: asides come in order and don't overlap.
    fn set_aside(&mut self, span: Range<usize>) {
        if self.asides.last().is_none_or(|last| last.end <= span.start) {
            self.asides.push(span);
        }
    }

    /// True for a place in a quote or in code within a line.
    pub fn is_quoted(&self, at: usize) -> bool {
        last_at(&self.asides, at, |aside| aside.start).is_some_and(|aside| aside.contains(&at))
    }

    /// The document with code, fences and HTML replaced by spaces, byte for byte in the same places.
    pub fn prose(&self) -> &str {
        &self.prose
    }

    /// The prose of a range of the source.
    pub fn prose_of(&self, range: Range<usize>) -> &str {
        self.prose.get(range).unwrap_or("")
    }

    /// The prose of a range without quotes and code within lines, which are blanked out too.
    pub fn own_prose_of(&self, range: Range<usize>) -> String {
        let prose = self.prose_of(range.clone());
        if prose.is_empty() {
            return String::new();
        }
        let from = self
            .asides
            .partition_point(|aside| aside.end <= range.start);
        let inner: Vec<Range<usize>> = self.asides[from..]
            .iter()
            .take_while(|aside| aside.start < range.end)
            .map(|aside| aside.start.max(range.start)..aside.end.min(range.end))
            .map(|aside| aside.start - range.start..aside.end - range.start)
            .collect();
        blank(prose, &inner)
    }

    /// The lines of a range's prose, each with the byte at which it starts.
    pub fn prose_lines(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
        let start = range.start;
        self.prose_of(range)
            .split_inclusive('\n')
            .scan(start, |at, line| {
                let from = *at;
                *at += line.len();
                Some((from, line.trim_end()))
            })
    }

    pub fn line_of(&self, at: usize) -> u32 {
        let line = self.line_starts.partition_point(|start| *start <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// The bytes from behind heading `index` to the next heading for which `ends` holds, or the end.
    pub fn section(&self, index: usize, ends: impl Fn(&Heading) -> bool) -> Range<usize> {
        let start = self.headings[index].span.end;
        let end = self.headings[index + 1..]
            .iter()
            .find(|heading| ends(heading))
            .map_or(self.source.len(), |heading| heading.span.start);
        start..end
    }

    /// The bytes before the first heading below a title.
    pub fn head(&self) -> Range<usize> {
        let first = self.headings.iter().find(|heading| heading.level >= 2);
        0..first.map_or(self.source.len(), |heading| heading.span.start)
    }

    /// The headings that begin in a range, with their places in the list.
    pub fn headings_in(&self, range: &Range<usize>) -> impl Iterator<Item = (usize, &Heading)> {
        let places = starting_in(&self.headings, range, |heading| heading.span.start);
        places.map(|index| (index, &self.headings[index]))
    }

    /// The last heading that begins at a place or before it.
    pub fn heading_at(&self, at: usize) -> Option<&Heading> {
        last_at(&self.headings, at, |heading| heading.span.start)
    }

    /// The list items that begin in a range.
    pub fn items_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Item> {
        self.items[starting_in(&self.items, range, |item| item.span.start)].iter()
    }

    /// The table rows that begin in a range.
    pub fn rows_in(&self, range: &Range<usize>) -> impl Iterator<Item = &TableRow> {
        self.rows[starting_in(&self.rows, range, |row| row.span.start)].iter()
    }

    /// The items nested in this one.
    pub fn nested_in<'s>(&'s self, item: &'s Item) -> impl Iterator<Item = &'s Item> {
        self.items_in(&item.span)
            .filter(|nested| nested.depth > item.depth)
    }
}

/// The item's own text, on one line: from behind its marker to the first blank line, nested item or block.
fn own_text(item: &str) -> String {
    let behind_marker = item.get(marker_length(item)..).unwrap_or("");
    let mut lines = behind_marker.lines();
    let first = lines.next().unwrap_or("");
    let wrapped = lines.take_while(|line| {
        let content = line.trim_start();
        !content.is_empty() && !starts_block(content)
    });
    std::iter::once(first)
        .chain(wrapped)
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

fn marker_length(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if digits > 0 { digits + 1 } else { 1 };
    let marker = marker.min(text.len());
    match text.get(marker..) {
        Some(rest) => marker + (rest.len() - rest.trim_start_matches(' ').len()),
        None => 0,
    }
}

fn starts_block(content: &str) -> bool {
    ["- ", "* ", "+ ", "```", "~~~", "|"]
        .iter()
        .any(|marker| content.starts_with(marker))
        || content
            .split_once(['.', ')'])
            .is_some_and(|(number, rest)| {
                !number.is_empty()
                    && number.len() < 10
                    && number.bytes().all(|b| b.is_ascii_digit())
                    && rest.starts_with(' ')
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# One\n\nprose <!-- GAP-XX-001 --> more\n\n```\n## Not a heading\n- not an item\n```\n\n> ## Quoted\n\n## Two\n\n- first\n  wrapped\n  - nested `code`\n- second\n\n  its second paragraph\n\n| a | b |\n|---|---|\n| `x` | y z |\n";

    #[test]
    fn structure_in_fences_quotes_and_comments_is_none() {
        let document = Document::parse(TEXT);
        let titles: Vec<_> = document
            .headings
            .iter()
            .map(|h| (h.level, h.title.as_str(), h.line))
            .collect();
        assert_eq!(titles, [(1, "One", 1), (2, "Two", 12)]);
        assert!(!document.prose().contains("GAP-XX-001"));
        assert!(!document.prose().contains("Not a heading"));
        assert_eq!(document.prose().len(), TEXT.len());
    }

    #[test]
    fn items_know_their_own_text_and_what_is_nested() {
        let document = Document::parse(TEXT);
        let items: Vec<_> = document
            .items
            .iter()
            .map(|i| (i.depth, i.text.as_str()))
            .collect();
        assert_eq!(
            items,
            [(0, "first wrapped"), (1, "nested `code`"), (0, "second")]
        );
        assert_eq!(document.nested_in(&document.items[0]).count(), 1);
    }

    #[test]
    fn table_rows_are_read_cell_by_cell() {
        let document = Document::parse(TEXT);
        let rows: Vec<_> = document.rows.iter().map(|r| r.cells.join("/")).collect();
        assert_eq!(rows, ["a/b", "`x`/y z"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_and_keeps_its_length(text in "(\\PC|[\\n#*`>|-]){0,200}") {
            let document = Document::parse(&text);
            proptest::prop_assert_eq!(document.prose().len(), text.len());
        }
    }
}
