//! The passages of a document: its paragraphs, list items, table rows, headings and lines of code, each with the headings
//! above it. HTML comments are no passages.

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use std::ops::Range;

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageKind {
    Heading(u8),
    Paragraph,
    Item,
    Row,
    Code,
    /// A line of a document in a fence: an example or a template, and nothing the author says here.
    Example,
    /// Somebody else's words.
    Quote,
}

/// One place of a document that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    pub kind: PassageKind,
    pub text: String,
    pub at: usize,
    /// The places, in the list, of the headings above it.
    pub above: Vec<usize>,
    /// The paragraph that leads to it: the last one before a list, a table or a fence, where it ends with a colon.
    pub lead: Option<usize>,
}

/// Collects passages from the events of a document, in order.
#[derive(Default)]
pub(super) struct Passages {
    pub list: Vec<Passage>,
    /// The headings that are open, with their levels.
    open: Vec<(u8, usize)>,
    lead: Option<usize>,
    /// The text that is being collected, and where it began.
    text: String,
    start: Option<usize>,
    heading: Option<u8>,
    in_row: bool,
    quotes: u32,
    items: u32,
    fence: Option<Fence>,
}

impl Passages {
    pub(super) fn take(&mut self, event: &Event<'_>, span: &Range<usize>) {
        match event {
            Event::Start(tag) => self.enter(tag),
            Event::End(tag) => self.leave(tag),
            Event::Text(words) => match &mut self.fence {
                Some(fence) => fence.add(span.start, words),
                None => self.say(span.start, words),
            },
            Event::Code(words) => {
                self.say(span.start, "`");
                self.text.push_str(words);
                self.text.push('`');
            }
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            _ => {}
        }
    }

    fn say(&mut self, at: usize, words: &str) {
        self.start.get_or_insert(at);
        self.text.push_str(words);
    }

    fn enter(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. }
            | Tag::Paragraph
            | Tag::Item
            | Tag::BlockQuote(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::CodeBlock(_) => self.end_passage(),
            _ => return,
        }
        match tag {
            Tag::Heading { level, .. } => self.heading = Some(*level as u8),
            Tag::Item => self.items += 1,
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::TableHead | Tag::TableRow => self.in_row = true,
            Tag::CodeBlock(block) => self.fence = Some(Fence::open(block)),
            _ => {}
        }
    }

    fn leave(&mut self, tag: &TagEnd) {
        match tag {
            TagEnd::TableCell if self.in_row => self.text.push_str(" | "),
            TagEnd::CodeBlock => {
                if let Some(fence) = self.fence.take() {
                    let kind = fence.kind();
                    for (at, line) in fence.lines {
                        self.push(kind, &line, at);
                    }
                }
            }
            TagEnd::Item
            | TagEnd::BlockQuote(_)
            | TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::TableHead
            | TagEnd::TableRow => {
                self.end_passage();
                match tag {
                    TagEnd::Item => self.items = self.items.saturating_sub(1),
                    TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn end_passage(&mut self) {
        self.flush();
        self.heading = None;
        self.in_row = false;
    }

    /// What the text that is being collected is.
    fn kind(&self) -> PassageKind {
        match (self.heading, self.in_row) {
            (Some(level), _) => PassageKind::Heading(level),
            (None, true) => PassageKind::Row,
            (None, false) if self.quotes > 0 => PassageKind::Quote,
            (None, false) if self.items > 0 => PassageKind::Item,
            (None, false) => PassageKind::Paragraph,
        }
    }

    /// Ends the passage that is being collected.
    pub(super) fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let Some(at) = self.start.take() {
            self.push(self.kind(), &text, at);
        }
    }

    /// Adds a passage, if it says anything.
    fn push(&mut self, kind: PassageKind, text: &str, at: usize) {
        let text = text.trim().trim_end_matches([' ', '|']);
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        if let PassageKind::Heading(level) = kind {
            self.open.retain(|(open, _)| *open < level);
            self.lead = None;
        }
        let index = self.list.len();
        let leads = kind == PassageKind::Paragraph;
        self.list.push(Passage {
            kind,
            text: text.to_owned(),
            at,
            above: self.open.iter().map(|(_, index)| *index).collect(),
            lead: self.lead.filter(|_| !leads),
        });
        if let PassageKind::Heading(level) = kind {
            self.open.push((level, index));
        }
        if leads {
            let bare = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`'));
            self.lead = bare.ends_with(':').then_some(index);
        }
    }
}

/// The lines of a fence, until it is known what they are.
struct Fence {
    tagged: bool,
    lines: Vec<(usize, String)>,
}

impl Fence {
    fn open(block: &CodeBlockKind) -> Self {
        let word = match block {
            CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or(""),
            CodeBlockKind::Indented => "",
        };
        let mut tags = ["markdown", "md"].iter();
        let tagged = tags.any(|tag| tag.eq_ignore_ascii_case(word));
        Self {
            tagged,
            lines: Vec::new(),
        }
    }

    fn add(&mut self, mut at: usize, words: &str) {
        for line in words.split_inclusive('\n') {
            self.lines.push((at, line.to_owned()));
            at += line.len();
        }
    }

    /// A fence that says so, or has headings in it, holds a document. One `#` alone begins a comment in many languages.
    fn kind(&self) -> PassageKind {
        let headed = self
            .lines
            .iter()
            .any(|(_, line)| line.starts_with("## ") || line.starts_with("### "));
        match self.tagged || headed {
            true => PassageKind::Example,
            false => PassageKind::Code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    const TEXT: &str = "# Top\n\nIntro <!-- ISSUE-R1-001 --> text\nwrapped:\n\n- one `x_y`\n  - two\n\n> quoted\n\n## Below\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nlet a = 1;\n\nlet b = 2;\n```\n";

    #[test]
    fn every_place_is_a_passage_with_its_headings() {
        let document = Document::parse(TEXT);
        let shown: Vec<_> = document
            .passages
            .iter()
            .map(|p| {
                (
                    p.kind,
                    p.text.as_str(),
                    document.line_of(p.at),
                    p.above.len(),
                    p.lead,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                (PassageKind::Heading(1), "Top", 1, 0, None),
                (PassageKind::Paragraph, "Intro  text wrapped:", 3, 1, None),
                (PassageKind::Item, "one `x_y`", 6, 1, Some(1)),
                (PassageKind::Item, "two", 7, 1, Some(1)),
                (PassageKind::Quote, "quoted", 9, 1, Some(1)),
                (PassageKind::Heading(2), "Below", 11, 1, None),
                (PassageKind::Row, "a | b", 13, 2, None),
                (PassageKind::Row, "c | d", 15, 2, None),
                (PassageKind::Code, "let a = 1;", 18, 2, None),
                (PassageKind::Code, "let b = 2;", 20, 2, None),
            ]
        );
    }
}
