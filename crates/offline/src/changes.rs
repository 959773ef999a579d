//! Changes of the specification: where they quote it, how they are written, and how the text reads with them.

use std::fmt::Write;
use std::ops::Range;

use gapless_domain::{ChangeKind, ChangeText, one_line};

use crate::spec::{Place, Spec};

/// How far a passage is widened until no other is like it.
const MOST_WORDS_AROUND: usize = 12;

/// Text that takes the place of a stretch of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub range: Range<usize>,
    pub new: String,
}

/// How much of the specification a change quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    Sentences,
    /// As little as there is only once: another gap changes the same sentence.
    Words,
}

/// The change that puts a text in the place of a part of a sentence.
pub(crate) fn replacing(
    spec: &Spec<'_>,
    place: &Place,
    edit: &Edit,
    quoting: Quoting,
) -> Option<ChangeText> {
    let whole = match quoting {
        Quoting::Sentences => quotable(spec, place, &place.sentence),
        Quoting::Words => None,
    };
    let quoted = whole.or_else(|| unique_around(spec.text, &place.block, &edit.range))?;
    let (before, behind) = (
        spec.text.get(quoted.start..edit.range.start)?,
        spec.text.get(edit.range.end..quoted.end)?,
    );
    Some(ChangeText {
        kind: ChangeKind::Replace,
        section: Some(home(place)),
        after: None,
        old: Some(spec.text.get(quoted.clone())?.to_owned()),
        new: Some(format!("{before}{}{behind}", edit.new)),
        line: 0,
    })
}

/// The change that adds sentences behind the sentence of a place.
pub(crate) fn adding(spec: &Spec<'_>, place: &Place, new: &str) -> Option<ChangeText> {
    let quoted = quotable(spec, place, &place.sentence)?;
    Some(ChangeText {
        kind: ChangeKind::AddAfter,
        section: Some(home(place)),
        after: None,
        old: Some(spec.text.get(quoted)?.to_owned()),
        new: Some(new.to_owned()),
        line: 0,
    })
}

/// The change that adds a text at the end of a section.
pub(crate) fn adding_to_section(spec: &Spec<'_>, title: &str, new: &str) -> Option<ChangeText> {
    let title = spec.only_title(title)?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | ',' | '(' | ')' | '/');
    (title.chars().all(is_plain) && !title.ends_with([' ', '-'])).then(|| ChangeText {
        kind: ChangeKind::AddToSection,
        section: Some(title.to_owned()),
        after: None,
        old: None,
        new: Some(new.to_owned()),
        line: 0,
    })
}

/// A row with another text in one of its cells.
pub(crate) fn replacing_row(
    spec: &Spec<'_>,
    place: &Place,
    row: &Range<usize>,
    new: &str,
) -> Option<ChangeText> {
    let old = spec.text.get(row.clone())?.trim();
    (is_only_one(spec.text, old) && !new.contains('\n')).then(|| ChangeText {
        kind: ChangeKind::Replace,
        section: Some(home(place)),
        after: None,
        old: Some(old.to_owned()),
        new: Some(new.to_owned()),
        line: 0,
    })
}

/// The title that a change names. Where there is none, the passage says alone where it is.
fn home(place: &Place) -> String {
    let marks = ['`', '*', '_', '#', '<', '>', '[', ']', '|', '\\', '"', '\''];
    let title = place.titles.last().map_or("", String::as_str);
    match one_line(&title.replace(marks, " ")).trim_matches([':', ' ']) {
        "" => "the specification".to_owned(),
        title => title.to_owned(),
    }
}

/// A stretch that is there only once: itself, or the block that it is in.
fn quotable(spec: &Spec<'_>, place: &Place, range: &Range<usize>) -> Option<Range<usize>> {
    let mut wider = [range.clone(), place.block.clone()].into_iter();
    wider.find(|range| is_only_one(spec.text, spec.text.get(range.clone()).unwrap_or("")))
}

/// The fewest words around a stretch that are there only once, within a block.
fn unique_around(text: &str, block: &Range<usize>, range: &Range<usize>) -> Option<Range<usize>> {
    let mut wide = range.clone();
    for turn in 0..2 * MOST_WORDS_AROUND {
        let quoted = text.get(wide.clone())?;
        let has_words = quoted.split_whitespace().nth(2).is_some();
        if has_words && is_only_one(text, quoted) {
            return Some(wide);
        }
        match turn % 2 {
            0 => {
                let before = text.get(block.start..wide.start)?.trim_end();
                let start = before.rfind(char::is_whitespace);
                wide.start = match (before.is_empty(), start) {
                    (true, _) => wide.start,
                    (false, Some(at)) => block.start + at + 1,
                    (false, None) => block.start,
                };
            }
            _ => {
                let behind = text.get(wide.end..block.end)?;
                let blank = behind.len() - behind.trim_start().len();
                let word = behind[blank..].find(char::is_whitespace);
                wide.end = match word {
                    Some(at) => wide.end + blank + at,
                    None => wide.end + behind.trim_end().len(),
                };
            }
        }
    }
    None
}

/// True where a passage is in the text exactly once, whatever the white space in it.
fn is_only_one(text: &str, passage: &str) -> bool {
    let passage = passage.trim();
    let wanted = one_line(passage);
    let has_words = passage.contains(char::is_alphanumeric);
    has_words && text.matches(passage).count() == 1 && one_line(text).matches(&wanted).count() == 1
}

/// The part `### Spec Changes` in its canonical form.
pub(crate) fn written(changes: &[ChangeText]) -> String {
    let mut text = "### Spec Changes\n".to_owned();
    for change in changes {
        let section = change.section.as_deref().unwrap_or_default();
        let _ = write!(text, "\n#### {}: {section}\n", change.kind.heading());
        for (side, body) in [("old", &change.old), ("new", &change.new)] {
            if let Some(body) = body {
                let _ = write!(text, "\n{}\n", fenced(side, body));
            }
        }
    }
    text.trim_end().to_owned()
}

/// A text in a fence that nothing in it closes.
pub(crate) fn fenced(info: &str, body: &str) -> String {
    let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{info}\n{}\n{fence}", body.replace('\0', "\u{fffd}"))
}

/// How a text reads with a change, and the bytes that the change wrote; nothing where it quotes what is not there.
pub(crate) fn applied(text: &str, change: &ChangeText) -> Option<(String, Range<usize>)> {
    let new = change.new.as_deref().unwrap_or_default();
    let place = |old: &str| text.find(old).map(|at| at..at + old.len());
    let (range, new) = match change.kind {
        ChangeKind::Replace | ChangeKind::Remove => {
            (place(change.old.as_deref()?)?, new.to_owned())
        }
        ChangeKind::AddAfter => {
            let old = place(change.old.as_deref()?)?;
            let joined = match new.starts_with(['|', '-', '*', '#', '`']) {
                true => format!("\n{new}"),
                false => format!(" {new}"),
            };
            (old.end..old.end, joined)
        }
        ChangeKind::AddToSection => {
            let end = section_end(text, change.section.as_deref()?)?;
            (end..end, format!("\n\n{new}\n"))
        }
        ChangeKind::NewSection => {
            let title = change.section.as_deref()?;
            (text.len()..text.len(), format!("\n\n## {title}\n\n{new}\n"))
        }
    };
    let whole = format!(
        "{}{new}{}",
        text.get(..range.start)?,
        text.get(range.end..)?
    );
    Some((whole, range.start..range.start + new.len()))
}

/// The end of the own text of a section.
fn section_end(text: &str, title: &str) -> Option<usize> {
    let document = gapless_markdown::Document::parse(text);
    let sections = gapless_reading::read::sections(&document);
    let section = sections.iter().find(|section| section.title == title)?;
    let own = text.get(section.own.clone())?;
    Some(section.own.start + own.trim_end().len())
}
