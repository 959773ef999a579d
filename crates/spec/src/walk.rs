//! The one walk over a markdown text that placing, pointing and re-levelling share: its headings with their own
//! words, its table cells, its top-level blocks, and the spans in which nothing may be replaced.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use gapless_markdown::without_byte_order_mark;

/// A heading, wherever it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub level: u8,
    pub span: Range<usize>,
    /// Its words as markdown, on one line.
    pub raw: String,
    /// Its words as a reader sees them.
    pub plain: String,
    /// True inside a list or a quote.
    pub contained: bool,
}

/// A row of a table with the bytes of its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub span: Range<usize>,
    pub cells: Vec<Range<usize>>,
    pub is_head: bool,
}

/// What a text consists of.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub heads: Vec<Head>,
    pub rows: Vec<Row>,
    /// Where blocks of the document itself begin that are neither headings, lists nor tables.
    pub blocks: Vec<usize>,
    /// Headings, links with their definitions, images and code, merged.
    pub fixed: Vec<Range<usize>>,
    /// Link reference definitions, by their start: label and bytes.
    pub definitions: Vec<(String, Range<usize>)>,
}

/// The heading that is being read: its bytes line by line.
struct Reading {
    level: u8,
    span: Range<usize>,
    lines: Vec<Range<usize>>,
    line: Option<Range<usize>>,
    plain: String,
}

/// Walks a text once.
pub(super) fn walk(text: &str) -> Walked {
    let readable = without_byte_order_mark(text);
    let mut walked = Walked::default();
    let mut reading: Option<Reading> = None;
    let mut containers = 0u32;
    let mut depth = 0u32;
    let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES);
    for (label, definition) in parser.reference_definitions().iter() {
        let definition = (label.to_owned(), definition.span.clone());
        walked.definitions.push(definition);
    }
    walked.definitions.sort_by_key(|(_, span)| span.start);
    for (event, span) in parser.into_offset_iter() {
        match &event {
            Event::Start(tag) => {
                if depth == 0 && is_plain_block(tag) {
                    walked.blocks.push(span.start);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => walked.blocks.push(span.start),
            _ => {}
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                walked.fixed.push(span.clone());
                reading = Some(Reading {
                    level: level as u8,
                    span,
                    lines: Vec::new(),
                    line: None,
                    plain: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(done) = reading.take() {
                    walked.heads.push(done.head(&readable, containers > 0));
                }
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => containers += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => {
                containers = containers.saturating_sub(1);
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => walked.rows.push(Row {
                is_head: matches!(event, Event::Start(Tag::TableHead)),
                span,
                cells: Vec::new(),
            }),
            Event::Start(Tag::TableCell) => {
                if let Some(row) = walked.rows.last_mut() {
                    row.cells.push(span);
                }
            }
            Event::Start(Tag::CodeBlock(_)) => walked.fixed.push(span),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::Code(_) => {
                if let Some(heading) = &mut reading {
                    heading.meet(&event, &span);
                }
                walked.fixed.push(span);
            }
            _ => {
                if let Some(heading) = &mut reading {
                    heading.meet(&event, &span);
                }
            }
        }
    }
    let definitions = walked.definitions.iter().map(|(_, span)| span.clone());
    walked.fixed.extend(definitions);
    walked.fixed = merged(std::mem::take(&mut walked.fixed));
    walked
}

fn is_plain_block(tag: &Tag) -> bool {
    matches!(
        tag,
        Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::BlockQuote(_)
    )
}

impl Reading {
    fn meet(&mut self, event: &Event, span: &Range<usize>) {
        match event {
            Event::SoftBreak | Event::HardBreak => {
                self.lines.extend(self.line.take());
                self.plain.push(' ');
                return;
            }
            Event::Text(text) | Event::Code(text) => self.plain.push_str(text),
            _ => {}
        }
        self.line = Some(match self.line.take() {
            Some(line) => line.start.min(span.start)..line.end.max(span.end),
            None => span.clone(),
        });
    }

    fn head(mut self, text: &str, contained: bool) -> Head {
        self.lines.extend(self.line.take());
        let words: Vec<&str> = self
            .lines
            .iter()
            .filter_map(|line| text.get(line.clone()))
            .flat_map(str::split_whitespace)
            .collect();
        Head {
            level: self.level,
            span: self.span,
            raw: words.join(" "),
            plain: self.plain.trim().to_owned(),
            contained,
        }
    }
}

/// Spans that overlap or touch become one.
pub(super) fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// True where a span overlaps one of these, which are merged.
pub(super) fn overlaps(merged: &[Range<usize>], span: &Range<usize>) -> bool {
    let upto = merged.partition_point(|other| other.start < span.end);
    upto > 0 && merged[upto - 1].end > span.start
}
