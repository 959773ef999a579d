//! Compares two texts line by line and groups the changes into hunks.
//!
//! Lines are compared as numbers, with the algorithms that are needed: `similar::TextDiff` compiles all of its algorithms for
//! texts and again for numbers.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, histogram, myers};
use similar::{DiffOp, group_diff_ops};

pub use similar::DiffTag;

/// What a line is in a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Same,
    Added,
    Removed,
}

impl Mark {
    pub fn sign(self) -> char {
        match self {
            Mark::Same => ' ',
            Mark::Added => '+',
            Mark::Removed => '-',
        }
    }
}

/// Changed lines with unchanged ones around them.
#[derive(Debug, PartialEq, Eq)]
pub struct LineHunk<'t> {
    /// Where the hunk is in both texts, as in a unified diff: `@@ -1,3 +1,4 @@`.
    pub header: String,
    /// Each line with its end.
    pub lines: Vec<(Mark, &'t str)>,
}

/// The changes from one text to another, with at most so many unchanged lines around each.
pub fn line_hunks<'t>(old: &'t str, new: &'t str, around: usize) -> Vec<LineHunk<'t>> {
    let (old, new) = (lines(old), lines(new));
    group_diff_ops(line_changes(&old, &new), around)
        .iter()
        .filter_map(|group| hunk(group, &old, &new))
        .collect()
}

/// What becomes of the lines of one text in another. Lines that are rare hold the rest in place, so that a section that stays is not
/// taken out and put back.
pub fn line_changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbers(old, new);
    let mut hook = Compact::new(Replace::new(Capture::new()), old.as_slice(), new.as_slice());
    let (olds, news) = (0..old.len(), 0..new.len());
    match histogram::diff(&mut hook, old.as_slice(), olds, new.as_slice(), news) {
        Ok::<(), Infallible>(()) => hook.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// What becomes of the words of one text in another.
pub(crate) fn word_changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old, new) = numbers(old, new);
    let mut hook = Compact::new(Replace::new(Capture::new()), old.as_slice(), new.as_slice());
    let (olds, news) = (0..old.len(), 0..new.len());
    match myers::diff(&mut hook, old.as_slice(), olds, new.as_slice(), news) {
        Ok::<(), Infallible>(()) => hook.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// A number for each piece of both texts, the same for equal ones.
fn numbers(old: &[&str], new: &[&str]) -> (Vec<usize>, Vec<usize>) {
    let mut known = BTreeMap::new();
    (numbered(old, &mut known), numbered(new, &mut known))
}

fn numbered<'t>(lines: &[&'t str], known: &mut BTreeMap<&'t str, usize>) -> Vec<usize> {
    let number = |line: &&'t str| {
        let next = known.len();
        *known.entry(line).or_insert(next)
    };
    lines.iter().map(number).collect()
}

fn hunk<'t>(group: &[DiffOp], old: &[&'t str], new: &[&'t str]) -> Option<LineHunk<'t>> {
    let (first, last) = (group.first()?, group.last()?);
    let header = format!(
        "@@ -{} +{} @@",
        place(first.old_range().start..last.old_range().end),
        place(first.new_range().start..last.new_range().end)
    );
    let mut lines = Vec::new();
    let mut take = |mark, from: &[&'t str]| lines.extend(from.iter().map(|line| (mark, *line)));
    for op in group {
        match op {
            DiffOp::Equal { .. } => take(Mark::Same, &old[op.old_range()]),
            _ => {
                take(Mark::Removed, &old[op.old_range()]);
                take(Mark::Added, &new[op.new_range()]);
            }
        }
    }
    Some(LineHunk { header, lines })
}

/// The lines of a hunk in one text, counted from 1; nothing is after the line before it.
fn place(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        more => format!("{},{more}", lines.start + 1),
    }
}

/// The lines of a text with their ends: `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        let length = match rest[end..].starts_with("\r\n") {
            true => end + 2,
            false => end + 1,
        };
        let (line, after) = rest.split_at(length);
        lines.push(line);
        rest = after;
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, around: usize) -> Vec<String> {
        let mut shown = Vec::new();
        for hunk in line_hunks(old, new, around) {
            shown.push(hunk.header);
            let lines = hunk.lines.iter();
            shown.extend(lines.map(|(mark, line)| format!("{}{line}", mark.sign())));
        }
        shown
    }

    #[test]
    fn equal_texts_have_no_hunks() {
        assert_eq!(shown("", "", 3), [""; 0]);
        assert_eq!(shown("a\nb", "a\nb", 3), [""; 0]);
    }

    #[test]
    fn a_changed_line_has_lines_around_it() {
        assert_eq!(
            shown("a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\n", 1),
            ["@@ -2,3 +2,3 @@", " b\n", "-c\n", "+C\n", " d\n"]
        );
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own() {
        assert_eq!(
            shown("a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", 1),
            [
                "@@ -1,2 +1,2 @@",
                "-a\n",
                "+A\n",
                " b\n",
                "@@ -4,2 +4,2 @@",
                " d\n",
                "-e\n",
                "+E\n"
            ]
        );
    }

    #[test]
    fn an_empty_side_is_at_the_line_before() {
        assert_eq!(shown("", "a\n", 3), ["@@ -0,0 +1 @@", "+a\n"]);
        assert_eq!(shown("a\nb\nc\n", "a\nc\n", 0), ["@@ -2 +1,0 @@", "-b\n"]);
    }

    #[test]
    fn ends_of_lines_count() {
        assert_eq!(
            shown("a\r\nb\rc", "a\nb\rc\n", 3),
            ["@@ -1,3 +1,3 @@", "-a\r\n", "+a\n", " b\r", "-c", "+c\n"]
        );
    }
}
