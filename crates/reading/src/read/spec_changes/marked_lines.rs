//! Texts whose lines have marks: differences with `-` and `+`, and blocks with SEARCH and REPLACE.

use super::labels::Side;
use super::lines::Line;
use super::text::Text;

/// What a line of a difference is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Gone,
    Added,
    Both,
    /// A line about the difference: `@@ -1 +1 @@`.
    About,
}

fn mark_of(line: &str, is_diff: bool) -> Mark {
    let about = ["@@", "--- a/", "+++ b/", "diff --git", "index "];
    if is_diff && (about.iter().any(|start| line.starts_with(start)) || is_file_line(line)) {
        Mark::About
    } else if line.starts_with('-') && line.trim() != "---" {
        Mark::Gone
    } else if line.starts_with('+') {
        Mark::Added
    } else {
        Mark::Both
    }
}

/// `--- spec.md` and `+++ spec.md`.
fn is_file_line(line: &str) -> bool {
    let name = line
        .strip_prefix("--- ")
        .or_else(|| line.strip_prefix("+++ "));
    name.is_some_and(|name| !name.contains(' ') && name.contains('.'))
}

/// The old and the new texts of a difference. `expected` says that one text has to be both, and `adds` that what has no mark
/// is only the place.
pub(super) fn diff_of(text: &Text, expected: bool, adds: bool) -> Option<Vec<Text>> {
    let marks: Vec<Mark> = text
        .lines
        .iter()
        .map(|line| mark_of(line, text.is_diff))
        .collect();
    let has = |mark| marks.contains(&mark);
    let context = marks
        .iter()
        .zip(&text.lines)
        .any(|(mark, line)| *mark == Mark::Both && !line.trim().is_empty());
    let by_marks = expected
        && text.side.is_none()
        && has(Mark::Added)
        && (has(Mark::Gone) || (adds && context));
    if !by_marks && !(text.is_diff && (has(Mark::Gone) || has(Mark::Added))) {
        return None;
    }
    let marked = || {
        let lines = text.lines.iter().zip(&marks);
        lines.filter(|(_, mark)| matches!(mark, Mark::Gone | Mark::Added))
    };
    let spaced = marked().all(|(line, _)| line.len() == 1 || line[1..].starts_with(' '));
    let indented = text
        .lines
        .iter()
        .zip(&marks)
        .all(|(line, mark)| *mark != Mark::Both || line.is_empty() || line.starts_with(' '));
    let stays_in_new = has(Mark::Gone) || !adds;
    let mut found = Vec::new();
    let mut hunk = Hunk::default();
    for (index, mark) in marks.iter().enumerate() {
        let line = &text.lines[index];
        let range = text.ranges.get(index).cloned().unwrap_or(0..0);
        let skip = match mark {
            Mark::Gone | Mark::Added => 1 + usize::from(spaced && line.len() > 1),
            Mark::Both => usize::from(indented && !line.is_empty()),
            Mark::About => {
                found.extend(std::mem::take(&mut hunk).texts());
                continue;
            }
        };
        let content = line.get(skip..).unwrap_or("");
        let range = (range.start + skip).min(range.end)..range.end;
        if *mark != Mark::Added {
            hunk.old.lines.push(content.to_owned());
            hunk.old.ranges.push(range.clone());
        }
        if *mark == Mark::Added || (*mark == Mark::Both && stays_in_new) {
            hunk.new.lines.push(content.to_owned());
            hunk.new.ranges.push(range);
        }
    }
    found.extend(hunk.texts());
    Some(found)
}

/// A stretch of a difference.
#[derive(Default)]
struct Hunk {
    old: Text,
    new: Text,
}

impl Hunk {
    /// Its texts, as far as it has them.
    fn texts(self) -> Vec<Text> {
        let sides = [(self.old, Side::Old), (self.new, Side::New)];
        let texts = sides.into_iter().map(|(text, side)| Text {
            side: Some(side),
            is_diff: true,
            ..text
        });
        texts.filter(|text| text.joined().is_some()).collect()
    }
}

/// True where every line that says something has the mark.
fn all_marked(text: &Text, mark: char) -> bool {
    let mut lines = text.lines.iter().filter(|line| !line.trim().is_empty());
    text.joined().is_some() && lines.all(|line| line.starts_with(mark))
}

/// True for an old text of which every line has `-`, and a new one of which every line has `+`.
pub(super) fn has_marks(old: &Text, new: &Text) -> bool {
    all_marked(old, '-') && all_marked(new, '+')
}

/// Takes the marks off an old and a new text of which every line has one.
pub(super) fn stripped_pair(old: &mut Text, new: &mut Text) {
    let (gone, added) = if has_marks(old, new) {
        (old, new)
    } else if has_marks(new, old) && old.side.is_none() && new.side.is_none() {
        (new, old)
    } else {
        return;
    };
    gone.side = Some(Side::Old);
    added.side = Some(Side::New);
    for text in [gone, added] {
        let spaced = text
            .lines
            .iter()
            .all(|line| line.len() <= 1 || line[1..].starts_with(' '));
        for (line, range) in text.lines.iter_mut().zip(&mut text.ranges) {
            let skip = line.len().min(1 + usize::from(spaced));
            *line = line[skip..].to_owned();
            range.start = (range.start + skip).min(range.end);
        }
    }
}

fn is_mark(line: &str, mark: char) -> bool {
    let line = line.trim();
    let length = line.chars().take_while(|c| *c == mark).count();
    let rest = &line[length..];
    (5..=12).contains(&length) && (rest.is_empty() || rest.starts_with(' '))
}

/// True for the line that begins a block with SEARCH and REPLACE.
pub(super) fn begins_search(line: &str) -> bool {
    is_mark(line, '<')
}

/// The block with SEARCH and REPLACE that begins at a line, and where it ends.
pub(super) fn search_block(lines: &[Line], start: usize) -> Option<(Text, usize)> {
    let mut old = Text {
        is_diff: true,
        ..Text::default()
    };
    let mut new = Text {
        is_diff: true,
        ..Text::default()
    };
    let mut behind = false;
    for (index, line) in lines.iter().enumerate().skip(start + 1) {
        if begins_search(line.text) {
            return None;
        }
        if !behind && is_mark(line.text, '=') {
            behind = true;
            continue;
        }
        if behind && is_mark(line.text, '>') {
            old.replacement = Some(Box::new(new));
            return Some((old, index + 1));
        }
        let text = if behind { &mut new } else { &mut old };
        text.lines.push(line.text.to_owned());
        text.ranges.push(line.at..line.end());
    }
    None
}
