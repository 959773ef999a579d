//! The passages of a document: its paragraphs, list items, table rows, headings and lines of code, each with the headings
//! above it. A concern is answered in one place, not by words that are scattered over a long document. HTML comments are
//! no passages.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::words::straight;
use gapless_domain::keywords::Keywords;
use gapless_domain::matter::content_of;
use gapless_markdown::{Document, without_byte_order_mark};

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Heading(u8),
    Paragraph,
    Item,
    Row,
    Code,
    /// A line of a document that stands in a fence: an example or a template, and nothing the author says here.
    Example,
    /// Somebody else's words.
    Quote,
}

/// One place of a document.
#[derive(Debug, Clone)]
pub struct Passage {
    pub kind: Kind,
    pub text: String,
    /// Lowercase, on one line: how it is compared and searched.
    pub straight: String,
    pub line: u32,
    pub at: usize,
    pub keywords: Keywords,
    /// The places, in the list, of the headings above it.
    pub above: Vec<usize>,
    /// The paragraph that leads to it: the last one before a list, a table or a fence, where it ends with a colon.
    pub lead: Option<usize>,
    content: OnceCell<Keywords>,
    sentences: OnceCell<Vec<Keywords>>,
}

/// How many sentences of a passage are looked at one by one.
const MOST_SENTENCES: usize = 200;

impl Passage {
    /// Its keywords without those of what any text about something missing says; counted when first asked for.
    pub fn content(&self) -> &Keywords {
        self.content
            .get_or_init(|| Keywords::of(&content_of(&self.text)))
    }

    /// The keywords of each of its sentences; counted when first asked for.
    pub fn sentences(&self) -> &[Keywords] {
        self.sentences.get_or_init(|| {
            let sentences = self.text.split(". ").take(MOST_SENTENCES);
            sentences.map(Keywords::of).collect()
        })
    }
}

/// A document as its passages.
pub struct Passages(pub Vec<Passage>);

impl Passages {
    pub fn of(document: &Document) -> Self {
        let mut passages = Builder {
            document,
            list: Vec::new(),
            open: Vec::new(),
            lead: None,
        };
        passages.walk();
        Self(passages.list)
    }

    /// The texts of the passages, to know which of a later document are new.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|passage| passage.straight.as_str())
    }

    /// The passages of a stretch of the document.
    pub fn within<'p>(&'p self, range: &'p Range<usize>) -> impl Iterator<Item = &'p Passage> {
        self.0
            .iter()
            .filter(move |passage| range.contains(&passage.at))
    }

    /// The keywords around a passage: of the nearest heading, of what leads to it, and of the headings above where they are new
    /// too. A title that stood there all along answers nothing.
    pub fn around(&self, passage: &Passage, earlier: &Earlier) -> Vec<&Keywords> {
        let heading = |index: &usize| self.0.get(*index);
        let nearest = passage.above.last().and_then(heading);
        let above = passage.above.iter().filter_map(heading);
        let new = above.filter(|above| !earlier.has(above));
        let lead = passage.lead.as_ref().and_then(heading);
        nearest
            .into_iter()
            .chain(new)
            .chain(lead)
            .map(|near| &near.keywords)
            .collect()
    }

    /// The texts around a passage: the nearest heading, and what leads to it.
    pub fn setting<'p>(&'p self, passage: &'p Passage) -> impl Iterator<Item = &'p str> {
        let nearest = passage.above.last().into_iter().chain(&passage.lead);
        nearest
            .filter_map(|index| self.0.get(*index))
            .map(|heading| heading.straight.as_str())
    }
}

/// What the Engineer had written before: a passage that stands here is no answer to what was raised on it.
#[derive(Debug, Clone, Default)]
pub struct Earlier(BTreeSet<String>);

impl Earlier {
    pub fn add(&mut self, passages: &Passages) {
        self.0.extend(passages.texts().map(str::to_owned));
    }

    pub fn has(&self, passage: &Passage) -> bool {
        self.0.contains(&passage.straight)
    }
}

struct Builder<'d, 't> {
    document: &'d Document<'t>,
    list: Vec<Passage>,
    /// The headings that are open, with their levels.
    open: Vec<(u8, usize)>,
    lead: Option<usize>,
}

impl Builder<'_, '_> {
    fn walk(&mut self) {
        let readable = without_byte_order_mark(&self.document.source);
        let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES).into_offset_iter();
        let mut text = String::new();
        let mut start: Option<usize> = None;
        let mut kind = Kind::Paragraph;
        let (mut quotes, mut items) = (0u32, 0u32);
        let mut code: Option<Fence> = None;
        for (event, span) in parser {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    self.flush(kind, &mut text, &mut start);
                    kind = Kind::Heading(level as u8);
                }
                Event::Start(Tag::Paragraph) => {
                    self.flush(kind, &mut text, &mut start);
                    kind = block_kind(quotes, items);
                }
                Event::Start(Tag::Item) => {
                    self.flush(kind, &mut text, &mut start);
                    items += 1;
                    kind = block_kind(quotes, items);
                }
                Event::End(TagEnd::Item) => {
                    self.flush(kind, &mut text, &mut start);
                    items = items.saturating_sub(1);
                    kind = block_kind(quotes, items);
                }
                Event::Start(Tag::BlockQuote(_)) => {
                    self.flush(kind, &mut text, &mut start);
                    quotes += 1;
                    kind = Kind::Quote;
                }
                Event::End(TagEnd::BlockQuote(_)) => {
                    self.flush(kind, &mut text, &mut start);
                    quotes = quotes.saturating_sub(1);
                    kind = block_kind(quotes, items);
                }
                Event::Start(Tag::TableHead | Tag::TableRow) => {
                    self.flush(kind, &mut text, &mut start);
                    kind = Kind::Row;
                }
                Event::End(TagEnd::TableCell) if kind == Kind::Row => text.push_str(" | "),
                Event::Start(Tag::CodeBlock(block)) => {
                    self.flush(kind, &mut text, &mut start);
                    code = Some(Fence::open(&block));
                }
                Event::End(TagEnd::CodeBlock) => {
                    if let Some(fence) = code.take() {
                        self.fence(fence);
                    }
                }
                Event::End(
                    TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::TableHead | TagEnd::TableRow,
                ) => {
                    self.flush(kind, &mut text, &mut start);
                    kind = block_kind(quotes, items);
                }
                Event::Text(words) if code.is_some() => {
                    if let Some(fence) = &mut code {
                        fence.add(span.start, &words);
                    }
                }
                Event::Text(words) => {
                    start.get_or_insert(span.start);
                    text.push_str(&words);
                }
                Event::Code(words) => {
                    start.get_or_insert(span.start);
                    text.push('`');
                    text.push_str(&words);
                    text.push('`');
                }
                Event::SoftBreak | Event::HardBreak => text.push(' '),
                _ => {}
            }
        }
        self.flush(kind, &mut text, &mut start);
    }

    fn fence(&mut self, fence: Fence) {
        let kind = fence.kind();
        for (at, mut line) in fence.lines {
            self.flush(kind, &mut line, &mut Some(at));
        }
    }

    /// Ends the passage that is being collected, if it says anything.
    fn flush(&mut self, kind: Kind, text: &mut String, start: &mut Option<usize>) {
        let text = std::mem::take(text);
        let at = start.take();
        let text = text.trim().trim_end_matches([' ', '|']).to_owned();
        let (Some(at), true) = (at, text.chars().any(char::is_alphanumeric)) else {
            return;
        };
        if let Kind::Heading(level) = kind {
            self.open.retain(|(open, _)| *open < level);
            self.lead = None;
        }
        let index = self.list.len();
        let leads = kind == Kind::Paragraph;
        self.list.push(Passage {
            kind,
            straight: straight(&text),
            line: self.document.line_of(at),
            at,
            keywords: Keywords::of(&text),
            above: self.open.iter().map(|(_, index)| *index).collect(),
            lead: self.lead.filter(|_| !leads),
            content: OnceCell::new(),
            sentences: OnceCell::new(),
            text,
        });
        if let Kind::Heading(level) = kind {
            self.open.push((level, index));
        }
        if leads {
            let ends_open = self.list[index].straight.ends_with(':');
            self.lead = ends_open.then_some(index);
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
        let tagged = match block {
            CodeBlockKind::Fenced(info) => {
                let word = info.split_whitespace().next().unwrap_or("");
                ["markdown", "md"]
                    .iter()
                    .any(|tag| tag.eq_ignore_ascii_case(word))
            }
            CodeBlockKind::Indented => false,
        };
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
    fn kind(&self) -> Kind {
        let headed = self
            .lines
            .iter()
            .any(|(_, line)| line.starts_with("## ") || line.starts_with("### "));
        match self.tagged || headed {
            true => Kind::Example,
            false => Kind::Code,
        }
    }
}

fn block_kind(quotes: u32, items: u32) -> Kind {
    match (quotes, items) {
        (1.., _) => Kind::Quote,
        (0, 1..) => Kind::Item,
        (0, 0) => Kind::Paragraph,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Top\n\nIntro <!-- ISSUE-R1-001 --> text\nwrapped:\n\n- one `x_y`\n  - two\n\n> quoted\n\n## Below\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nlet a = 1;\n\nlet b = 2;\n```\n";

    #[test]
    fn every_place_is_a_passage_with_its_headings() {
        let document = Document::parse(TEXT);
        let passages = Passages::of(&document);
        let shown: Vec<_> = passages
            .0
            .iter()
            .map(|p| (p.kind, p.text.as_str(), p.line, p.above.len(), p.lead))
            .collect();
        assert_eq!(
            shown,
            [
                (Kind::Heading(1), "Top", 1, 0, None),
                (Kind::Paragraph, "Intro  text wrapped:", 3, 1, None),
                (Kind::Item, "one `x_y`", 6, 1, Some(1)),
                (Kind::Item, "two", 7, 1, Some(1)),
                (Kind::Quote, "quoted", 9, 1, Some(1)),
                (Kind::Heading(2), "Below", 11, 1, None),
                (Kind::Row, "a | b", 13, 2, None),
                (Kind::Row, "c | d", 15, 2, None),
                (Kind::Code, "let a = 1;", 18, 2, None),
                (Kind::Code, "let b = 2;", 20, 2, None),
            ]
        );
    }
}
