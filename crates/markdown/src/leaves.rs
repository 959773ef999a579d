//! The leaves of a document's tree: its texts, code and HTML blocks in order, links, and what stands in no other block.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::spans::grow;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    Heading,
    Paragraph,
    /// Text of a list item, whether or not a blank line makes it a paragraph.
    Item,
    Cell,
    /// A code block, with the words behind its fence.
    Code(String),
    Html,
}

/// A leaf of the document's tree: the span of its text, or of the whole code or HTML block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    pub span: Range<usize>,
    /// Whether it stands in a block quote.
    pub quoted: bool,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub span: Range<usize>,
    pub target: String,
}

/// The leaves that were met so far, the text that is being gathered, and what it is in.
#[derive(Default)]
pub(super) struct Leaves {
    pub blocks: Vec<Block>,
    /// The blocks that are in no other.
    pub outermost: Vec<Range<usize>>,
    pub links: Vec<Link>,
    pub code_spans: Vec<Range<usize>>,
    pub html_spans: Vec<Range<usize>>,
    text: Option<Range<usize>>,
    depth: u32,
    quotes: u32,
    items: u32,
    in_heading: bool,
    in_cell: bool,
    in_code: bool,
}

impl Leaves {
    pub(super) fn take(&mut self, event: &Event<'_>, span: &Range<usize>) {
        match event {
            Event::Code(_) => self.code_spans.push(span.clone()),
            Event::InlineHtml(_) => self.html_spans.push(span.clone()),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                self.links.push(Link {
                    span: span.clone(),
                    target: dest_url.to_string(),
                });
            }
            _ => {}
        }
        if is_inline(event) {
            if !self.in_code {
                grow(&mut self.text, span);
            }
        } else {
            self.flush();
        }
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.outermost.push(span.clone());
                }
                self.depth += 1;
                self.enter(tag, span);
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                self.leave(tag);
            }
            _ => {}
        }
    }

    fn enter(&mut self, tag: &Tag<'_>, span: &Range<usize>) {
        let kind = match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => BlockKind::Code(info.to_string()),
            Tag::CodeBlock(CodeBlockKind::Indented) => BlockKind::Code(String::new()),
            Tag::HtmlBlock => BlockKind::Html,
            Tag::BlockQuote(_) => return self.quotes += 1,
            Tag::Item => return self.items += 1,
            Tag::Heading { .. } => return self.in_heading = true,
            Tag::TableCell => return self.in_cell = true,
            _ => return,
        };
        self.in_code = true;
        self.blocks.push(Block {
            kind,
            span: span.clone(),
            quoted: self.quotes > 0,
        });
    }

    fn leave(&mut self, tag: &TagEnd) {
        match tag {
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.in_code = false,
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::Item => self.items = self.items.saturating_sub(1),
            TagEnd::Heading(_) => self.in_heading = false,
            TagEnd::TableCell => self.in_cell = false,
            _ => {}
        }
    }

    pub(super) fn flush(&mut self) {
        let Some(span) = self.text.take() else {
            return;
        };
        let kind = match (self.in_heading, self.in_cell, self.items) {
            (true, _, _) => BlockKind::Heading,
            (_, true, _) => BlockKind::Cell,
            (_, _, 0) => BlockKind::Paragraph,
            _ => BlockKind::Item,
        };
        self.blocks.push(Block {
            kind,
            span,
            quoted: self.quotes > 0,
        });
    }
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Text(_)
        | Event::Code(_)
        | Event::InlineHtml(_)
        | Event::SoftBreak
        | Event::HardBreak => true,
        Event::Start(tag) => matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        ),
        Event::End(tag) => matches!(
            tag,
            TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::Document;

    #[test]
    fn leaves_are_found_with_what_they_are() {
        let text = "# A `b`\n\nOne *two*\nthree.\n\n- tight <!-- c -->\n\n  loose\n\n> quoted\n\n```mermaid x\ny\n```\n\n| a | [b](c.md) |\n|---|---|\n\n<!-- d -->\n";
        let document = Document::parse(text);
        let leaves: Vec<String> = document
            .blocks
            .iter()
            .map(|b| format!("{:?} {:?} {}", b.kind, &text[b.span.clone()], b.quoted))
            .collect();
        assert_eq!(
            leaves,
            [
                r#"Heading "A `b`" false"#,
                r#"Paragraph "One *two*\nthree." false"#,
                r#"Item "tight <!-- c -->" false"#,
                r#"Item "loose" false"#,
                r#"Paragraph "quoted" true"#,
                r#"Code("mermaid x") "```mermaid x\ny\n```" false"#,
                r#"Cell "a" false"#,
                r#"Cell "[b](c.md)" false"#,
                r#"Html "<!-- d -->\n" false"#,
            ]
        );
        assert_eq!(document.links[0].target, "c.md");
        assert_eq!(document.outermost.len(), 7);
        assert_eq!(
            (document.code_spans.len(), document.html_spans.len()),
            (1, 1)
        );
    }
}
