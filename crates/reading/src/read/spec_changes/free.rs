//! A part on changes in any form that models write it in.

use std::ops::Range;

use super::super::lexicon::words_in;
use super::heads::{
    Head, Verb, clean_title, head_of, is_other_part, is_part_title, only_counts, quoted_at,
    quotes_in, verb_of, without_marks,
};
use super::labels::{Label, Side, label_of, says_none, side_of_info};
use super::lines::{
    Fence, FenceEnd, Line, behind_comment, fence_of, has_text_below, heading_of, meant_end,
};
use super::marked_lines::{begins_search, search_block};
use super::open::Open;
use super::part::{ChangesPart, Place};
use super::text::Text;
use super::written::{UnclearChange, UnclearFault};
use gapless_domain::{ChangeKind, one_line, shortened};

/// How much of a line is repeated where it can't be told what it says.
const LONGEST_HEADING: usize = 100;
/// The longest line that is read as a change of its own, or as the heading of one that has no `#`.
const LONGEST_LINE: usize = 2000;
/// The longest line without marks that may be a heading.
const LONGEST_PLAIN: usize = 120;

pub(super) fn read(place: &Place) -> ChangesPart {
    let mut reader = Reader {
        place,
        part: ChangesPart::default(),
        open: None,
        label: None,
        group: None,
        wrapper: None,
        prose: None,
    };
    let end = reader.run();
    reader.close();
    reader.part.span.end = place.start_of(end);
    reader.say_nothing_was_read();
    reader.part
}

struct Reader<'p> {
    place: &'p Place<'p>,
    part: ChangesPart,
    open: Option<Open>,
    /// The label that was read last and that has no text yet.
    label: Option<Label>,
    /// A heading above those of changes: their section, where they name none.
    group: Option<String>,
    /// The fence around all of the part.
    wrapper: Option<Fence<'p>>,
    /// The first line that is part of nothing.
    prose: Option<usize>,
}

impl<'p> Reader<'p> {
    /// Reads the lines up to the one at which the part ends.
    fn run(&mut self) -> usize {
        let lines = self.place.lines;
        let mut index = self.behind_wrapper();
        while index < lines.len() {
            let line = &lines[index];
            let text = line.text.trim_start();
            if line.is_blank() {
                index += 1;
            } else if let Some(behind) = behind_comment(lines, index) {
                index = behind;
            } else if let Some(fence) = fence_of(line.text) {
                if self.closes_wrapper(&fence) {
                    return index + 1;
                }
                index = self.take_fence(index, &fence);
            } else if begins_search(text) {
                index = match search_block(lines, index) {
                    Some((block, behind)) => {
                        self.take_text(index, block);
                        behind
                    }
                    None => index + 1,
                };
            } else if text.starts_with('>') {
                index = self.take_quote(index);
            } else if let Some((level, title)) = heading_of(line.text) {
                if !self.take_heading(index, level, title) {
                    return index;
                }
                index += 1;
            } else {
                index = self.take_line(index);
            }
        }
        index
    }

    /// Skips the fence around all of the part.
    fn behind_wrapper(&mut self) -> usize {
        let lines = self.place.lines;
        let mut said = lines.iter().enumerate().filter(|(_, it)| !it.is_blank());
        let (Some((first, line)), Some((second, next))) = (said.next(), said.next()) else {
            return 0;
        };
        let Some(fence) = fence_of(line.text) else {
            return 0;
        };
        let markdown = ["", "markdown", "md", "text"];
        let known = markdown
            .iter()
            .any(|known| fence.info.eq_ignore_ascii_case(known));
        let heading = heading_of(next.text).is_some();
        let begins = is_part_title(next.text)
            || (head_of(next.text).is_some_and(|head| head.is_clear)
                && (heading || next.text.contains("**"))
                && has_text_below(lines, second));
        if !known || !begins {
            return 0;
        }
        self.wrapper = Some(fence);
        match is_part_title(next.text) {
            true => second + 1,
            false => first + 1,
        }
    }

    fn closes_wrapper(&self, fence: &Fence) -> bool {
        let closes = self
            .wrapper
            .as_ref()
            .is_some_and(|wrapper| fence.closes(wrapper));
        closes && self.open.as_ref().is_none_or(Open::is_whole)
    }

    /// Takes a heading; false where the part ends there.
    fn take_heading(&mut self, index: usize, level: usize, title: &str) -> bool {
        let within = level > usize::from(self.place.level);
        if is_part_title(title) {
            return false;
        }
        let head = head_of(title).filter(|head| within || head.is_clear);
        if let Some(head) = head {
            if let Some(open) = self.inline(index, title) {
                self.begin(open);
                return true;
            }
            self.begin_with(index, head);
            return true;
        }
        if !within || is_other_part(title) {
            return false;
        }
        if self.open.is_some()
            && let Some((label, value)) = label_of(self.place.lines[index].text)
        {
            self.take_label(index, label, value);
            return true;
        }
        self.begin(Open {
            line: self.place.line_of(index),
            heading: shortened(&one_line(self.place.lines[index].text), LONGEST_HEADING),
            ..Open::default()
        });
        true
    }

    fn begin_with(&mut self, index: usize, head: Head) {
        let mut open = Open {
            line: self.place.line_of(index),
            heading: shortened(&one_line(self.place.lines[index].text), LONGEST_HEADING),
            verb: Some(head.verb),
            section: head.section,
            after: head.after,
            ..Open::default()
        };
        if let Some(old) = head.old {
            let at = self.place.lines[index].at;
            open.texts
                .push(Text::of_one_line(&old, Some(Side::Old), at..at));
        }
        self.begin(open);
    }

    /// Ends the change before, and begins another one.
    fn begin(&mut self, open: Open) {
        // A heading that only groups what is below it is no change.
        if let Some(before) = &self.open
            && before.verb.is_none()
            && before.texts.is_empty()
            && open.verb.is_some()
            && groups(&before.heading, &open.heading)
        {
            self.group = match only_counts(&before.heading) {
                true => None,
                false => before
                    .section
                    .clone()
                    .or_else(|| clean_title(without_marks(&before.heading))),
            };
            self.open = None;
        }
        self.close();
        self.label = None;
        self.open = Some(open);
    }

    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        if open.verb.is_none() && open.texts.is_empty() && only_counts(&open.heading) {
            return;
        }
        let names_place = !matches!(open.verb, Some(Verb::Kind(ChangeKind::NewSection)));
        if open.section.is_none() && names_place {
            open.section = self.group.clone();
        }
        self.part.take(open.changes());
    }

    fn take_fence(&mut self, index: usize, fence: &Fence) -> usize {
        let lines = self.place.lines;
        let (end, behind, closed) = match meant_end(lines, index, fence, self.place.level) {
            FenceEnd::Closed(end) => (end, end + 1, true),
            FenceEnd::Open(end) => (end, end, false),
        };
        let mut inside = &lines[index + 1..end];
        if !closed {
            while inside.last().is_some_and(Line::is_blank) {
                inside = &inside[..inside.len() - 1];
            }
        }
        let is_cut = !closed && end == lines.len() && self.place.is_last;
        let first = inside.iter().position(|line| !line.is_blank());
        if let Some(first) = first.filter(|first| begins_search(inside[*first].text)) {
            let mut at = first;
            while let Some((block, next)) = search_block(inside, at) {
                self.take_text(index, block);
                let next_line = inside[next..].iter().position(|line| !line.is_blank());
                let Some(more) = next_line else {
                    return behind;
                };
                at = next + more;
                if !begins_search(inside[at].text) {
                    return behind;
                }
            }
        }
        let text = text_of(inside, fence.indent);
        let is_diff =
            fence.info.eq_ignore_ascii_case("diff") || fence.info.eq_ignore_ascii_case("patch");
        self.take_text(
            index,
            Text {
                side: side_of_info(fence.info),
                is_diff,
                ..text
            },
        );
        if is_cut && let Some(open) = &mut self.open {
            open.is_cut = true;
        }
        behind
    }

    fn take_quote(&mut self, start: usize) -> usize {
        let lines = self.place.lines;
        let quoted = |line: &&Line| line.text.trim_start().starts_with('>');
        let count = lines[start..].iter().take_while(quoted).count();
        let inside: Vec<Line> = lines[start..start + count].iter().map(unquoted).collect();
        let first = inside.first().and_then(|line| fence_of(line.text));
        let last = inside.last().and_then(|line| fence_of(line.text));
        let text = match (first, last) {
            (Some(opener), Some(closer)) if inside.len() > 1 && closer.closes(&opener) => Text {
                side: side_of_info(opener.info),
                ..text_of(&inside[1..inside.len() - 1], opener.indent)
            },
            _ => text_of(&inside, 0),
        };
        self.take_text(start, text);
        start + count
    }

    /// Adds a text to the change that is open, on the side that its label names.
    fn take_text(&mut self, index: usize, mut text: Text) {
        let label = self.label.take();
        let line = self.place.line_of(index);
        let open = self.open.get_or_insert_with(|| Open {
            line,
            heading: shortened(&one_line(self.place.lines[index].text), LONGEST_HEADING),
            ..Open::default()
        });
        let kind = open.kind();
        if let Some(side) = label.and_then(|label| label.side(kind)) {
            text.side = Some(side);
        }
        open.texts.push(text);
    }

    fn take_label(&mut self, index: usize, label: Label, value: &str) {
        let Some(open) = &mut self.open else {
            return;
        };
        let is_new = open.verb == Some(Verb::Kind(ChangeKind::NewSection));
        match label {
            Label::Kind => open.verb = verb_of(value).or(open.verb),
            Label::Section if open.section.is_none() => open.section = clean_title(value),
            Label::Section => {}
            Label::Title if is_new && open.section.is_none() => open.section = clean_title(value),
            // `Section: Payouts` and `Title: Payouts` say the same of a section that there is.
            Label::Title if open.section.is_none() => open.section = clean_title(value),
            Label::Title => {}
            Label::After if is_new => open.after = clean_title(value).or(open.after.take()),
            Label::Old | Label::New | Label::Before | Label::After => {
                self.label = Some(label);
                if !value.is_empty() {
                    let (inner, _) = quoted_at(value)
                        .filter(|(_, end)| value[*end..].trim_matches(['.', ' ']).is_empty())
                        .unwrap_or((value, 0));
                    let range = self.range_of(index, inner);
                    self.take_text(index, Text::of_one_line(inner, None, range));
                }
            }
        }
    }

    /// Where a piece of a line is in the document.
    fn range_of(&self, index: usize, piece: &str) -> Range<usize> {
        let line = &self.place.lines[index];
        let start = line.text.find(piece).unwrap_or(0);
        line.at + start..(line.at + start + piece.len()).min(line.end())
    }

    /// Takes a line that is no heading: a label, a change on one line, a heading in bold or in a list, or nothing of these.
    fn take_line(&mut self, index: usize) -> usize {
        let lines = self.place.lines;
        let text = lines[index].text.trim();
        if text.len() <= LONGEST_LINE {
            if let Some(open) = self.inline(index, text) {
                self.begin(open);
                return index + 1;
            }
            let label = label_of(text);
            let head = head_of(text).filter(|head| {
                // `**Replace:**` within a change names a text of it.
                let is_label = label.is_some() && self.open.is_some();
                !is_label && is_heading(lines, index, head)
            });
            if let Some(head) = head {
                self.begin_with(index, head);
                return index + 1;
            }
            if let Some((label, value)) = label {
                if self.open.is_none() && has_text_below(lines, index) && label == Label::Section {
                    self.group = clean_title(value);
                    return index + 1;
                }
                if self.open.is_some() {
                    self.take_label(index, label, value);
                    return index + 1;
                }
            }
        }
        if self.label.is_some() {
            return self.take_paragraph(index);
        }
        self.prose.get_or_insert(index);
        index + 1
    }

    /// Takes lines behind a label that stand in neither a fence nor a quote.
    fn take_paragraph(&mut self, start: usize) -> usize {
        let lines = self.place.lines;
        let goes_on = |line: &&Line| {
            !line.is_blank()
                && fence_of(line.text).is_none()
                && heading_of(line.text).is_none()
                && label_of(line.text).is_none()
        };
        let count = lines[start..].iter().take_while(goes_on).count().max(1);
        let text = text_of(&lines[start..start + count], 0);
        self.take_text(start, text);
        start + count
    }

    /// Reads a change that quotes all of its texts on one line: `Replace "a while" with "30 s" in Payouts.`
    fn inline(&self, index: usize, text: &str) -> Option<Open> {
        let mut bare = without_marks(text);
        let mut section = None;
        if let Some((place, rest)) = bare
            .strip_prefix("In ")
            .and_then(|rest| rest.split_once(','))
        {
            section = clean_title(place);
            bare = rest.trim_start();
        }
        let quotes = quotes_in(bare);
        let (first, quoted) = quotes.first()?;
        let verb = verb_of(bare).filter(|_| verb_of(&bare[..first.start]).is_some())?;
        let Verb::Kind(kind) = verb else {
            return self.inline_addition(index, bare, &quotes, section);
        };
        let only_words_between = is_lead(&bare[..first.start]);
        let second = quotes.get(1);
        let (old, new, behind) = match (kind, second) {
            (ChangeKind::Replace, Some((range, new))) => {
                let between = bare[first.end..range.start].trim();
                let joins = ["with", "by", "to", "→", "->", "=>", "with:", "by:"];
                joins.contains(&between).then_some(())?;
                (*quoted, Some(*new), range.end)
            }
            (ChangeKind::Remove, None) => (*quoted, None, first.end),
            (ChangeKind::Remove, Some(_)) => (*quoted, None, first.end),
            _ => return None,
        };
        if !only_words_between {
            return None;
        }
        let section = section_behind(&bare[behind..], kind == ChangeKind::Remove)?.or(section);
        if kind == ChangeKind::Remove && section.is_none() {
            return None;
        }
        Some(self.quoted_change(index, verb, section, old, new))
    }

    /// `Add "It is retried 3 times." after "A failed payout is retried." in Retries.`
    fn inline_addition(
        &self,
        index: usize,
        bare: &str,
        quotes: &[(Range<usize>, &str)],
        section: Option<String>,
    ) -> Option<Open> {
        let (first, new) = quotes.first()?;
        if !is_lead(&bare[..first.start]) {
            return None;
        }
        if let Some((second, old)) = quotes.get(1)
            && matches!(
                bare[first.end..second.start].trim(),
                "after" | "behind" | "below"
            )
        {
            let section = section_behind(&bare[second.end..], false)?.or(section);
            let verb = Verb::Kind(ChangeKind::AddAfter);
            return Some(self.quoted_change(index, verb, section, old, Some(new)));
        }
        let section = section_behind(&bare[first.end..], true)?.or(section)?;
        let mut open = self.quoted_change(
            index,
            Verb::Kind(ChangeKind::AddToSection),
            Some(section),
            "",
            Some(new),
        );
        open.texts.remove(0);
        Some(open)
    }

    fn quoted_change(
        &self,
        index: usize,
        verb: Verb,
        section: Option<String>,
        old: &str,
        new: Option<&str>,
    ) -> Open {
        let line = &self.place.lines[index];
        let mut texts = vec![Text::of_one_line(old, Some(Side::Old), line.at..line.at)];
        if let Some(new) = new {
            let range = self.range_of(index, new);
            texts.push(Text::of_one_line(new, Some(Side::New), range));
        }
        Open {
            line: self.place.line_of(index),
            heading: shortened(&one_line(line.text), LONGEST_HEADING),
            verb: Some(verb),
            section,
            texts,
            ..Open::default()
        }
    }

    /// A part that says something, and of which no change can be told.
    fn say_nothing_was_read(&mut self) {
        let Some(index) = self.prose else {
            return;
        };
        let text = self.place.lines[index].text;
        if self.part.changes.is_empty() && self.part.unclear.is_empty() && !says_none(text) {
            self.part.unclear.push(UnclearChange {
                line: self.place.line_of(index),
                heading: shortened(&one_line(text), LONGEST_HEADING),
                fault: UnclearFault::NoKind,
            });
        }
    }
}

/// True where one heading is above the other: deeper marks, or marks against none.
fn groups(above: &str, below: &str) -> bool {
    let level = |heading: &str| match heading_of(heading) {
        Some((level, _)) => level,
        None => usize::MAX,
    };
    level(above) < level(below)
}

/// True for a line that is a change's heading, though it has no `#`.
fn is_heading(lines: &[Line], index: usize, head: &Head) -> bool {
    let text = lines[index].text.trim();
    let bare = text.trim_start_matches(['-', '+', ' ']);
    let bare =
        bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let all_bold = bare.len() > 4
        && bare.starts_with("**")
        && bare.trim_end_matches(':').ends_with("**")
        && bare.matches("**").count() == 2;
    if head.is_canonical {
        return true;
    }
    let is_short = text.chars().count() <= LONGEST_PLAIN && !text.ends_with('.');
    let marked = all_bold || bare.starts_with("**") || bare.len() < text.len();
    let ends = text.trim_end_matches('*').ends_with(':');
    (all_bold && head.is_clear)
        || (is_short
            && has_text_below(lines, index)
            && (head.is_clear || all_bold)
            && (marked || ends))
}

/// True for a verb and small words alone: `Replace the passage`.
fn is_lead(text: &str) -> bool {
    const MOST: usize = 5;
    let words = words_in(text);
    !words.is_empty() && words.len() <= MOST && !text.contains(['.', ':', '('])
}

/// The section that stands behind a quote: nothing where something else stands there.
fn section_behind(text: &str, from_or_to: bool) -> Option<Option<String>> {
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() {
        return Some(None);
    }
    let prepositions: &[&str] = match from_or_to {
        true => &["in ", "from ", "to ", "under "],
        false => &["in ", "under "],
    };
    let rest = prepositions
        .iter()
        .find_map(|start| text.strip_prefix(start))?;
    let rest = rest.trim_start_matches("the ");
    let rest = rest
        .strip_prefix("section ")
        .unwrap_or(rest)
        .trim_start_matches(':');
    const LONGEST: usize = 100;
    (rest.len() <= LONGEST).then(|| clean_title(rest))
}

/// The text of lines, without so many blanks before each.
fn text_of(lines: &[Line], indent: usize) -> Text {
    let mut text = Text::default();
    for line in lines {
        let blanks = line.text.len() - line.text.trim_start_matches(' ').len();
        let skip = blanks.min(indent);
        text.lines.push(line.text[skip..].to_owned());
        text.ranges.push(line.at + skip..line.end());
    }
    text
}

/// A line of a quote without its mark.
fn unquoted<'t>(line: &Line<'t>) -> Line<'t> {
    let trimmed = line.text.trim_start();
    let inner = trimmed.strip_prefix('>').unwrap_or(trimmed);
    let inner = inner.strip_prefix(' ').unwrap_or(inner);
    Line {
        at: line.end() - inner.len(),
        text: inner,
    }
}
