//! The lines of a part on changes: what is a fence, a heading, a quote, and where a fence ends.

use std::ops::Range;

use super::heads::{head_of, is_other_part, is_part_title};
use super::labels::label_of;

/// A line without its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    pub at: usize,
    pub text: &'t str,
}

impl Line<'_> {
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The whole lines of a range.
pub(super) fn lines_in(text: &str, range: Range<usize>) -> Vec<Line<'_>> {
    let Some(inside) = text.get(range.clone()) else {
        return Vec::new();
    };
    let mut at = range.start;
    let mut lines = Vec::new();
    for line in inside.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let bare = bare.strip_suffix('\r').unwrap_or(bare);
        lines.push(Line { at, text: bare });
        at += line.len();
    }
    lines
}

/// A line that may open or close a fence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fence<'t> {
    pub indent: usize,
    pub mark: char,
    pub length: usize,
    pub info: &'t str,
}

impl Fence<'_> {
    pub fn closes(&self, opener: &Fence) -> bool {
        self.info.is_empty() && self.mark == opener.mark && self.length >= opener.length
    }
}

pub(super) fn fence_of(line: &str) -> Option<Fence<'_>> {
    let content = line.trim_start_matches(' ');
    let mark = content.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = content.chars().take_while(|c| *c == mark).count();
    let info = content[length..].trim();
    let is_code = mark == '`' && info.contains('`');
    (length >= 3 && !is_code).then_some(Fence {
        indent: line.len() - content.len(),
        mark,
        length,
        info,
    })
}

/// The level of a heading and its text.
pub(super) fn heading_of(line: &str) -> Option<(usize, &str)> {
    let content = line.trim_start_matches(' ');
    let words = content.trim_start_matches('#');
    let level = content.len() - words.len();
    let indent = line.len() - content.len();
    let is_heading = (1..=6).contains(&level)
        && indent <= 3
        && (words.is_empty() || words.starts_with([' ', '\t']));
    is_heading.then(|| {
        let words = words.trim();
        let bare = words.trim_end_matches('#');
        let closed = bare.len() < words.len() && (bare.is_empty() || bare.ends_with(' '));
        (level, if closed { bare.trim_end() } else { words })
    })
}

/// Where the comment ends that a line opens: the place of the next line that is none of it.
pub(super) fn behind_comment(lines: &[Line], index: usize) -> Option<usize> {
    let first = lines.get(index)?.text.trim_start();
    let rest = first.strip_prefix("<!--")?;
    if rest.contains("-->") {
        return Some(index + 1);
    }
    let behind = lines[index + 1..]
        .iter()
        .position(|line| line.text.contains("-->"));
    Some(behind.map_or(lines.len(), |more| index + 1 + more + 1))
}

/// Where a fence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FenceEnd {
    /// At the line that closes it.
    Closed(usize),
    /// Before this line, and nothing closes it.
    Open(usize),
}

/// Where the fence ends as CommonMark reads it.
pub(super) fn plain_end(lines: &[Line], opener: usize, fence: &Fence) -> FenceEnd {
    let closes = |line: &Line| {
        fence_of(line.text).is_some_and(|other| other.closes(fence) && other.indent <= 3)
    };
    let close = lines[opener + 1..].iter().position(closes);
    close.map_or(FenceEnd::Open(lines.len()), |more| {
        FenceEnd::Closed(opener + 1 + more)
    })
}

/// How many lines behind the first that may close a fence are looked at for what nests in it.
const MOST_NESTED_LINES: usize = 400;

/// Where the fence ends as it may be meant: a fence with words behind it nests in another, and one that is never closed ends
/// where the next change begins.
pub(super) fn meant_end(lines: &[Line], opener: usize, fence: &Fence, level: u8) -> FenceEnd {
    let mut open = vec![*fence];
    let mut first_close = None;
    let mut first_heading = None;
    let mut end = lines.len();
    for (index, line) in lines.iter().enumerate().skip(opener + 1) {
        if first_close.is_some_and(|close| index > close + MOST_NESTED_LINES) {
            break;
        }
        if let Some(other) = fence_of(line.text) {
            let is_label = other.info == "old" || other.info == "new";
            if is_label && other.mark == fence.mark && other.length == fence.length {
                end = index;
                break;
            }
            if first_close.is_none() && other.closes(fence) {
                first_close = Some(index);
            }
            match open.last() {
                Some(inner) if other.closes(inner) => {
                    open.pop();
                    if open.is_empty() {
                        return FenceEnd::Closed(index);
                    }
                }
                Some(inner)
                    if !other.info.is_empty()
                        && other.mark == inner.mark
                        && other.length >= inner.length =>
                {
                    open.push(other);
                }
                _ => {}
            }
        } else if let Some((depth, title)) = heading_of(line.text) {
            if opens_change(lines, index) || is_part_title(title) {
                end = index;
                break;
            }
            let ends_part = depth <= usize::from(level) || is_other_part(title);
            if first_heading.is_none() && ends_part {
                first_heading = Some(index);
            }
        }
    }
    match (first_close, first_heading) {
        (Some(close), _) => FenceEnd::Closed(close),
        (None, Some(heading)) if end == lines.len() => FenceEnd::Open(heading),
        (None, _) => FenceEnd::Open(end),
    }
}

/// True for a heading that begins a change and has what a change has below it.
fn opens_change(lines: &[Line], index: usize) -> bool {
    head_of(lines[index].text).is_some_and(|head| head.is_canonical || head.is_clear)
        && has_text_below(lines, index)
}

/// How many fields may stand between a change's heading and its texts.
const MOST_FIELDS: usize = 3;

/// True where a fence, a quote or a label comes next.
pub(super) fn has_text_below(lines: &[Line], index: usize) -> bool {
    let below = lines[index + 1..].iter().filter(|line| !line.is_blank());
    let mut below = below.take(MOST_FIELDS + 1);
    below.next().is_some_and(|line| {
        let text = line.text.trim_start();
        fence_of(text).is_some()
            || text.starts_with('>')
            || text.starts_with("<<<<<")
            || label_of(text).is_some()
    })
}
