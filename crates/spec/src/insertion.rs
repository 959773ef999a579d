//! How a text is put into a spec: with the blank lines, the indentation and the line ends of the place where it goes.

use std::ops::Range;

use super::composed::Splice;
use super::walk::walk;
use gapless_markdown::{BlockKind, Document};
use gapless_reading::read::Section;

/// The line end that a text uses.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// A place behind a block, for another block.
pub(super) struct Insertion<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Insertion<'t> {
    /// Behind the last words of a stretch.
    pub fn at_end_of(text: &'t str, stretch: &Range<usize>) -> Self {
        let own = text.get(stretch.clone()).unwrap_or("");
        Self {
            text,
            at: stretch.start + own.trim_end().len(),
        }
    }

    /// Adds a block. What goes on with the list or the table that ends here is no block of its own.
    pub fn splice(&self, block: &str) -> Splice {
        let before = &self.text[..self.at];
        let last = before.rsplit('\n').next().unwrap_or("");
        let first = block.lines().next().unwrap_or("");
        let goes_on = match (Marker::of(last), Marker::of(first)) {
            (Some(Marker::Row), Some(Marker::Row)) => true,
            (Some(one), Some(other)) => one.is_list() && one.is_like(other),
            _ => false,
        };
        let block = match (Marker::of(last), goes_on) {
            (Some(Marker::Bullet(mark)), true) => with_bullets(block, mark),
            _ => block.to_owned(),
        };
        let text = match (before.trim().is_empty(), goes_on) {
            (true, _) => block + "\n\n",
            (false, true) => format!("\n{block}"),
            (false, false) => format!("\n\n{block}"),
        };
        spliced(self.text, self.at..self.at, &text)
    }
}

fn spliced(text: &str, range: Range<usize>, new: &str) -> Splice {
    Splice {
        range,
        text: match line_end(text) {
            "\n" => new.to_owned(),
            end => new.replace('\n', end),
        },
    }
}

/// What a line begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Bullet(char),
    Number,
    Row,
    Heading,
}

impl Marker {
    fn of(line: &str) -> Option<Self> {
        let bare = line.trim_start();
        let first = bare.chars().next()?;
        match first {
            '-' | '*' | '+' if bare[1..].starts_with([' ', '\t']) => Some(Marker::Bullet(first)),
            '|' => Some(Marker::Row),
            '#' => {
                let behind = bare.trim_start_matches('#');
                behind.starts_with(' ').then_some(Marker::Heading)
            }
            c if c.is_ascii_digit() => {
                let behind = bare.trim_start_matches(|c: char| c.is_ascii_digit());
                let behind = behind.strip_prefix(['.', ')'])?;
                behind.starts_with(' ').then_some(Marker::Number)
            }
            _ => None,
        }
    }

    fn is_list(self) -> bool {
        matches!(self, Marker::Bullet(_) | Marker::Number)
    }

    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Marker::Bullet(_), Marker::Bullet(_)) => true,
            (one, other) => one == other,
        }
    }

    /// How much of a line its marker takes, with the blanks around it.
    fn width(line: &str) -> usize {
        let Some(marker) = Self::of(line) else {
            return 0;
        };
        let indent = line.len() - line.trim_start().len();
        let bare = &line[indent..];
        let mark = match marker {
            Marker::Bullet(_) => 1,
            Marker::Row => return 0,
            Marker::Heading => bare.len() - bare.trim_start_matches('#').len(),
            Marker::Number => bare.find([' ', '\t']).unwrap_or(bare.len()),
        };
        let behind = &bare[mark..];
        indent + mark + (behind.len() - behind.trim_start().len())
    }
}

/// The outer items of a list with this mark.
fn with_bullets(block: &str, mark: char) -> String {
    let lines = block.lines().map(|line| match line.chars().next() {
        Some('-' | '*' | '+') if matches!(Marker::of(line), Some(Marker::Bullet(_))) => {
            format!("{mark}{}", &line[1..])
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The line that begins at a byte.
fn line_at(text: &str, start: usize) -> &str {
    text[start..].lines().next().unwrap_or("")
}

fn line_stop(text: &str, at: usize) -> usize {
    let stop = text[at..].find('\n').map_or(text.len(), |next| at + next);
    text[..stop]
        .strip_suffix('\r')
        .map_or(stop, str::len)
        .max(at)
}

/// Where a text needs an empty line between itself and the rest of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Apart {
    pub before: bool,
    pub behind: bool,
}

/// A passage gives way to a text.
pub(super) fn replacing(text: &str, range: &Range<usize>, new: &str, apart: Apart) -> Splice {
    let start = line_start(text, range.start);
    let before = &text[start..range.start];
    let mut new = new.trim();
    // A row that was quoted without its outer bars has them already.
    let is_in_bars = before.trim_end().ends_with('|')
        && text[range.end..]
            .trim_start_matches([' ', '\t'])
            .starts_with('|');
    if let Some(bare) = new.strip_prefix('|').and_then(|new| new.strip_suffix('|'))
        && is_in_bars
        && !bare.contains('\n')
    {
        new = bare.trim();
    }
    // Where the marker is not part of the passage, it stays, and is not there twice.
    let first = new.lines().next().unwrap_or("");
    let keeps_marker =
        Marker::width(line_at(text, start)) == before.len() && !before.trim().is_empty();
    let of_list = match Marker::of(before) {
        Some(Marker::Bullet(mark)) if keeps_marker => with_bullets(new, mark),
        _ => new.to_owned(),
    };
    if keeps_marker {
        new = &of_list[Marker::width(first)..];
    }
    let behind = text[range.end..].chars().next();
    let doubled = new
        .chars()
        .next_back()
        .filter(|last| matches!(last, '.' | '!' | '?' | ';'));
    if doubled.is_some() && doubled == behind {
        new = &new[..new.len() - 1];
    }
    let indent = match keeps_marker {
        // Further items are items of the same list.
        true if Marker::of(first).is_some_and(Marker::is_list) => indent_of(before),
        true if Marker::of(before) == Some(Marker::Heading) => indent_of(before),
        true => " ".repeat(before.chars().count()),
        false if before.trim().is_empty() => before.to_owned(),
        false => match Marker::of(line_at(text, start)) {
            Some(marker) if marker.is_list() => " ".repeat(Marker::width(line_at(text, start))),
            _ => indent_of(&text[start..]),
        },
    };
    let mut new = indented(new, &indent);
    let mut range = range.clone();
    if apart.before {
        range.start = text[..range.start].trim_end().len();
        new = format!("\n\n{indent}{new}");
    }
    if apart.behind {
        let rest = &text[range.end..];
        range.end += rest.len() - rest.trim_start().len();
        new = format!("{new}\n\n{indent}");
    }
    spliced(text, range, &new)
}

/// The lines behind the first with this indentation, unless they have it already.
fn indented(new: &str, indent: &str) -> String {
    let others = || new.lines().skip(1).filter(|line| !line.trim().is_empty());
    if indent.is_empty() || others().all(|line| line.starts_with(indent)) {
        return new.to_owned();
    }
    let mut lines = new.split('\n');
    let mut text = lines.next().unwrap_or("").to_owned();
    for line in lines {
        text.push('\n');
        if !line.trim().is_empty() {
            text += indent;
        }
        text += line;
    }
    text
}

/// A text goes behind a passage: an item behind the passage's item, a row behind its row, a sentence into its paragraph,
/// anything else behind its block.
pub(super) fn behind(text: &str, document: &Document, range: &Range<usize>, new: &str) -> Splice {
    let new = new.trim();
    let last = range.end.saturating_sub(1).max(range.start);
    let first = new.lines().next().unwrap_or("");
    match Marker::of(first) {
        Some(marker) if marker.is_list() => {
            let items = document.items.iter();
            let around = items.filter(|item| item.span.contains(&last));
            if let Some(item) = around.max_by_key(|item| item.span.start) {
                let at = item.span.start + text[item.span.clone()].trim_end().len();
                let start = line_start(text, item.span.start);
                let line = line_at(text, start);
                let indent = indent_of(line);
                let new = match Marker::of(line) {
                    Some(Marker::Bullet(mark)) => with_bullets(new, mark),
                    _ => new.to_owned(),
                };
                let new = format!("\n{indent}{}", indented(&new, &indent));
                return spliced(text, at..at, &new);
            }
        }
        Some(Marker::Row) => {
            let mut rows = document.rows.iter();
            if rows.any(|row| row.span.contains(&last)) {
                let at = line_stop(text, last);
                return spliced(text, at..at, &format!("\n{new}"));
            }
        }
        _ => {}
    }
    let block = document
        .blocks
        .iter()
        .find(|block| block.span.start <= last && last < block.span.end);
    let is_prose = Marker::of(first).is_none() && is_one_paragraph(new);
    match block.map(|block| (&block.kind, block.span.clone())) {
        Some((BlockKind::Code(_), span)) if !closes(text, range, &span) => {
            let at = line_stop(text, last);
            let indent = indent_of(line_at(text, line_start(text, last)));
            let new = unfenced(new).unwrap_or(new);
            let new = indented(new, &indent);
            let lead = if new.starts_with(&indent) {
                ""
            } else {
                &indent
            };
            spliced(text, at..at, &format!("\n{lead}{new}"))
        }
        Some((BlockKind::Item | BlockKind::Cell, _)) if is_prose => spliced(
            text,
            range.end..range.end,
            &format!(" {}", new.replace('\n', " ")),
        ),
        Some((BlockKind::Paragraph, span)) if is_prose && !is_all_of(text, range, &span) => {
            let at = sentence_end(text, range.end);
            spliced(text, at..at, &format!(" {new}"))
        }
        _ => {
            let mut outermost = document.outermost.iter().rev();
            let around = outermost.find(|block| block.start <= last && last < block.end);
            let stretch = around.cloned().unwrap_or_else(|| range.clone());
            Insertion::at_end_of(text, &stretch).splice(new)
        }
    }
}

/// True within the lines between two lines `---` with which a text may begin.
pub(super) fn in_front_matter(text: &str, range: &Range<usize>) -> bool {
    front_matter(text).is_some_and(|front| front.start <= range.start && range.end <= front.end)
}

/// A text on lines of its own behind that of a passage.
pub(super) fn next_line(text: &str, range: &Range<usize>, new: &str) -> Splice {
    let at = line_stop(text, range.end.saturating_sub(1).max(range.start));
    spliced(text, at..at, &format!("\n{}", new.trim()))
}

/// The lines between the two lines `---` that a text may begin with.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let bare = text.trim_start_matches('\u{feff}');
    let start = text.len() - bare.len();
    let mut at = start;
    let mut lines = bare.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    at += first.len();
    let inside = at;
    for line in lines {
        if line.trim_end() == "---" {
            return Some(inside..at);
        }
        at += line.len();
    }
    None
}

/// True where a passage reaches up to the end of a fenced code block, fence included.
fn closes(text: &str, range: &Range<usize>, block: &Range<usize>) -> bool {
    let of_block = text.get(block.clone()).unwrap_or("").trim_end();
    let is_fenced = of_block.trim_start().starts_with(['`', '~']);
    is_fenced && range.end >= block.start + of_block.len()
}

/// True for a stretch within a code block.
pub(super) fn is_in_code(document: &Document, range: &Range<usize>) -> bool {
    let mut blocks = document.blocks.iter();
    blocks.any(|block| {
        matches!(block.kind, BlockKind::Code(_))
            && block.span.start <= range.start
            && range.end <= block.span.end
    })
}

/// The comment around a stretch.
pub(super) fn comment_around(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    const END: &str = "-->";
    let start = text[..range.start].rfind("<!--")?;
    let end = range.end + text[range.end..].find(END)?;
    let inside = text.get(start..range.end)?;
    (!inside.contains(END) && !text[range.end..end].contains("<!--"))
        .then_some(start..end + END.len())
}

/// What is inside the fence that a text consists of.
fn unfenced(new: &str) -> Option<&str> {
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| new.starts_with(mark))?;
    let (first, rest) = new.split_once('\n')?;
    let (inner, last) = rest.rsplit_once('\n').unwrap_or(("", rest));
    let fence = &first[..first.len() - first.trim_start_matches(&mark[..1]).len()];
    let is_only = |line: &str| !line.trim_start().starts_with(fence);
    (last.trim() == fence && inner.lines().all(is_only)).then_some(inner)
}

/// The text for a place in a code block, without a fence of its own.
pub(super) fn for_code<'n>(document: &Document, range: &Range<usize>, new: &'n str) -> &'n str {
    let text: &str = &document.source;
    let mut blocks = document.blocks.iter();
    let is_inside = blocks.any(|block| {
        matches!(block.kind, BlockKind::Code(_))
            && block.span.start < range.start
            && range.end < block.span.end
            && !closes(text, range, &block.span)
    });
    match is_inside {
        true => unfenced(new).unwrap_or(new),
        false => new,
    }
}

/// What the lines of a paragraph begin with: blanks, and the marks of a quote.
fn indent_of(line: &str) -> String {
    let is_of_quote = line.trim_start().starts_with("> ");
    let is_blank = |c: &char| *c == ' ' || *c == '\t' || (is_of_quote && *c == '>');
    line.chars().take_while(is_blank).collect()
}

/// Behind the mark that ends the sentence, where the passage stops just before it.
fn sentence_end(text: &str, at: usize) -> usize {
    match text[at..].chars().next() {
        Some(c @ ('.' | '!' | '?')) => at + c.len_utf8(),
        _ => at,
    }
}

fn is_all_of(text: &str, range: &Range<usize>, block: &Range<usize>) -> bool {
    let inside = |range: Range<usize>| text.get(range).unwrap_or("").trim().is_empty();
    inside(block.start..range.start.max(block.start)) && inside(range.end..block.end.max(range.end))
}

fn is_one_paragraph(new: &str) -> bool {
    !new.lines()
        .any(|line| line.trim().is_empty() || begins_block(line))
}

/// True for a line with which a block of its own begins.
pub(super) fn begins_block(line: &str) -> bool {
    let bare = line.trim_start();
    Marker::of(line).is_some()
        || bare.starts_with("```")
        || bare.starts_with("~~~")
        || bare.starts_with('>')
}

/// A passage goes, and with it the marker and the lines that had nothing else.
pub(super) fn removing(text: &str, range: &Range<usize>) -> Splice {
    let start = line_start(text, range.start);
    let stop = line_stop(text, range.end);
    let before = &text[start..range.start];
    let behind = &text[range.end..stop];
    let only_marker = before.trim().is_empty()
        || (Marker::width(line_at(text, start)) >= before.len()
            && Marker::of(line_at(text, start)).is_some());
    if only_marker && behind.trim().is_empty() {
        return spliced(text, whole_lines(text, start, stop), "");
    }
    let mut range = range.clone();
    let next = text[range.end..].chars().next();
    let ends = next.is_none_or(|c| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | ')'));
    if before.ends_with(' ') && ends {
        range.start -= 1;
    } else if before.trim().is_empty() || Marker::width(line_at(text, start)) == before.len() {
        range.end += behind.len() - behind.trim_start().len();
    }
    spliced(text, range, "")
}

/// Lines with their ends, and one of the blank lines around them where there are some on both sides, or nothing behind them.
fn whole_lines(text: &str, start: usize, stop: usize) -> Range<usize> {
    let end = match text[stop..].find('\n') {
        Some(newline) => stop + newline + 1,
        None => text.len(),
    };
    let before = &text[..start];
    let blank = ["\n\r\n", "\n\n"]
        .into_iter()
        .find(|blank| before.ends_with(blank));
    let is_first = before.trim_start_matches('\u{feff}').is_empty();
    let rest = &text[end..];
    let next = rest.split_inclusive('\n').next().unwrap_or("");
    match blank {
        _ if (is_first || blank.is_some()) && !next.is_empty() && next.trim().is_empty() => {
            start..end + next.len()
        }
        Some(blank) if next.is_empty() => start - (blank.len() - 1)..end,
        _ => start..end,
    }
}

/// A text for the end of a section: without the section's own heading above it, and with its headings below that one.
pub(super) fn within_section(title: &str, level: u8, new: &str) -> String {
    let heads = walk(new).heads;
    let own: Vec<_> = heads.iter().filter(|head| !head.contained).collect();
    let mut at = 0;
    let mut own = own.as_slice();
    if let [first, rest @ ..] = own
        && first.span.start == 0
        && first.plain.trim().eq_ignore_ascii_case(title.trim())
    {
        at = first.span.end;
        own = rest;
    }
    let highest = own.iter().map(|head| head.level).min();
    let deeper = highest.map_or(0, |highest| (level + 1).saturating_sub(highest));
    let mut text = String::with_capacity(new.len());
    for head in own.iter().filter(|_| deeper > 0) {
        text += new.get(at..head.span.start).unwrap_or("");
        let level = usize::from((head.level + deeper).min(6));
        text += &format!("{} {}\n", "#".repeat(level), head.raw);
        at = head.span.end;
    }
    text += new.get(at..).unwrap_or("");
    text.trim_matches('\n').trim_end().to_owned()
}

/// The level of a document's main sections.
pub(super) fn main_level(sections: &[Section]) -> u8 {
    let deeper = sections.iter().map(|section| section.level);
    deeper.filter(|level| *level > 1).min().unwrap_or(2)
}

/// A text below a heading of this level, with its own headings below that one.
pub(super) fn below_heading(title: &str, level: u8, body: &str) -> String {
    let level = level.clamp(1, 6);
    let marks = |level: u8| "#".repeat(usize::from(level.min(6)));
    let title = title.trim_start_matches('#').trim();
    let heads = walk(body).heads;
    let own: Vec<_> = heads.iter().filter(|head| !head.contained).collect();
    let highest = own.iter().map(|head| head.level).min().unwrap_or(level + 1);
    let mut text = format!("{} {title}\n\n", marks(level));
    let mut at = 0;
    for head in own {
        let below = level + 1 + (head.level - highest);
        text += body.get(at..head.span.start).unwrap_or("");
        text += &format!("{} {}\n", marks(below), head.raw);
        at = head.span.end;
    }
    text += body.get(at..).unwrap_or("");
    text.trim_end().to_owned()
}
