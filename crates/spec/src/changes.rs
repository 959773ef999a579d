//! Where the changes of a proposal go in the text of a spec, or why one can't be made.

use std::cell::OnceCell;
use std::ops::Range;

use super::apart;
use super::composed::Splice;
use super::headings::{Headings, sections_below};
use super::homes::{plain_title, sections_titled};
use super::insertion::{self, Insertion};
use super::passages::{Found, Haystack, NotFound, cuts};
use super::seal::{cleaned, is_sealed};
use super::tables::{self, InTable};
use super::walk::walk;
use gapless_domain::{ChangeFault, ChangeKind, ChangeText, GapId, shortened};
use gapless_markdown::without_scripts;
use gapless_reading::read::Section;

/// How much of a passage is quoted in what is said about it.
const LONGEST_QUOTED: usize = 600;
/// How many titles are named where one is unknown.
const MOST_TITLES: usize = 12;

/// A text that changes are made to. What is asked of it is found once.
pub(super) struct Sheet<'t> {
    pub text: &'t str,
    pub headings: Headings,
    sections: OnceCell<Vec<Section>>,
    haystack: OnceCell<Haystack<'t>>,
}

/// A change with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub kind: ChangeKind,
    pub splice: Splice,
    /// The passage as the text has it.
    pub old: Option<String>,
    /// True where the passage was quoted in slightly other words.
    pub is_near: bool,
    pub line: u32,
}

impl<'t> Sheet<'t> {
    pub fn of(text: &'t str) -> Self {
        Self::knowing(text, Headings::default())
    }

    /// A text of which the headings may be known.
    pub fn knowing(text: &'t str, headings: Headings) -> Self {
        Self {
            text,
            headings,
            sections: OnceCell::new(),
            haystack: OnceCell::new(),
        }
    }

    pub fn sections(&self) -> &[Section] {
        let headings = || self.headings.of(self.text);
        self.sections
            .get_or_init(|| sections_below(headings(), self.text.len()))
    }

    /// The places of a gap's changes; `home` is the section that the gap belongs to.
    pub fn place(
        &self,
        gap: &GapId,
        changes: &[ChangeText],
        home: impl Fn() -> Option<String>,
    ) -> Result<Vec<Placed>, Vec<ChangeFault>> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut faults = Vec::new();
        for change in changes {
            match self.place_one(change, &home) {
                Ok(one) => placed.push(one),
                Err(why) => faults.push(why.of(gap, change.line)),
            }
        }
        let mut ordered: Vec<&Placed> = placed.iter().collect();
        ordered.sort_by_key(|placed| (placed.splice.range.start, placed.splice.range.end));
        for pair in ordered.windows(2) {
            let [one, other] = pair else { continue };
            if one.splice.range.end > other.splice.range.start {
                let line = one.line.max(other.line);
                faults.push(Why::said("it changes a passage that another change of the same gap changes too; make it one change").of(gap, line));
            }
        }
        match faults.is_empty() {
            true => Ok(placed),
            false => Err(faults),
        }
    }

    fn place_one(
        &self,
        change: &ChangeText,
        home: &impl Fn() -> Option<String>,
    ) -> Result<Placed, Why> {
        let new = match (&change.new, change.kind.brings_text()) {
            (Some(new), true) => Some(written(new)?),
            (None, true) => return Err(Why::said("it brings no text")),
            (_, false) => None,
        };
        let new = new.unwrap_or_default();
        let quoted = match (&change.old, change.kind.quotes()) {
            (Some(old), true) => Some(self.find(old, change.section.as_deref())?),
            (None, true) => return Err(Why::said("it quotes no passage")),
            (_, false) => None,
        };
        let (range, is_near) = match quoted {
            Some(Found::AsQuoted(range)) => (Some(range), false),
            Some(Found::Nearly(range)) => (Some(range), true),
            None => (None, false),
        };
        let range = match range {
            Some(range) if change.kind.takes_away() => Some(self.with_comment(range, change.kind)?),
            range => range,
        };
        let splice = match (change.kind, &range) {
            (ChangeKind::Replace, Some(range)) => self.replacing(range, &new)?,
            (ChangeKind::AddAfter, Some(range)) => {
                self.fits_table(range, &new)?;
                if insertion::in_front_matter(self.text, range) {
                    let splice = insertion::next_line(self.text, range, &new);
                    return Ok(self.placed(change, splice, Some(range.clone()), is_near));
                }
                let (part, at) = self.headings.part(self.text, range);
                let here = range.start - at..range.end - at;
                let splice = insertion::behind(&part.source, &part, &here, &new);
                Splice {
                    range: splice.range.start + at..splice.range.end + at,
                    ..splice
                }
            }
            (ChangeKind::Remove, Some(range)) => insertion::removing(self.text, range),
            (ChangeKind::AddToSection, _) => {
                let section = self.named(change.section.as_deref())?;
                let new = insertion::within_section(&section.title, section.level, &new);
                if new.is_empty() {
                    return Err(Why::said("it brings no text but the title of the section"));
                }
                Insertion::at_end_of(self.text, &section.own).splice(&new)
            }
            (ChangeKind::NewSection, _) => self.new_section(change, &new, home)?,
            (_, None) => return Err(Why::said("it quotes no passage")),
        };
        Ok(self.placed(change, splice, range, is_near))
    }

    fn placed(
        &self,
        change: &ChangeText,
        splice: Splice,
        range: Option<Range<usize>>,
        is_near: bool,
    ) -> Placed {
        Placed {
            kind: change.kind,
            splice,
            old: range.and_then(|range| Some(self.text.get(range)?.to_owned())),
            is_near,
            line: change.line,
        }
    }

    /// The range with the comment of which it is all; nobody reads a text that would come into one.
    fn with_comment(&self, range: Range<usize>, kind: ChangeKind) -> Result<Range<usize>, Why> {
        let Some(comment) = insertion::comment_around(self.text, &range) else {
            return Ok(range);
        };
        let (part, at) = self.headings.part(self.text, &range);
        if insertion::is_in_code(&part, &(range.start - at..range.end - at)) {
            return Ok(range);
        }
        let is_bare = |part: Range<usize>| {
            let part = self.text.get(part).unwrap_or("");
            part.trim_matches(['<', '>', '!', '-']).trim().is_empty()
        };
        match is_bare(comment.start..range.start) && is_bare(range.end..comment.end) {
            true => Ok(comment),
            false if kind == ChangeKind::Replace => Err(Why::said(
                "the passage that it quotes is within a comment, where nobody would read the text. Quote the whole comment",
            )),
            false => Ok(range),
        }
    }

    fn replacing(&self, range: &Range<usize>, new: &str) -> Result<Splice, Why> {
        let old = self.text.get(range.clone()).unwrap_or("");
        if old.split_whitespace().eq(new.split_whitespace()) {
            return Err(Why::said(
                "its text is the passage that it quotes, so that nothing would change",
            ));
        }
        let (part, at) = self.headings.part(self.text, range);
        let here = range.start - at..range.end - at;
        let joined;
        let new = match tables::in_table(&part, &here) {
            Some(InTable::Rows { columns }) => {
                self.fits_table(range, new)?;
                let mut lines = new.lines().filter(|line| !line.trim().is_empty());
                if lines.any(|line| !tables::is_row(line, columns)) {
                    return Err(Why::said(
                        "it replaces a row of a table by text that is no row. Give rows, or remove the row and add the text behind the table",
                    ));
                }
                new
            }
            Some(InTable::Cells { count }) => {
                if new.contains("\n\n") || tables::cells_in(new) != count {
                    return Err(Why::said(
                        "it replaces cells of a row by more or fewer cells, or by several paragraphs. Quote the whole row, and write a `|` within a cell as `\\|`",
                    ));
                }
                joined = new.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
                &joined
            }
            None => {
                self.fits_table(range, new)?;
                new
            }
        };
        let apart = apart::of(&part, &here, new);
        let new = match new.starts_with(['`', '~']) {
            true => insertion::for_code(&part, &here, new),
            false => new,
        };
        Ok(insertion::replacing(self.text, range, new, apart))
    }

    /// Refuses a row that has more or fewer cells than the table to which it comes.
    fn fits_table(&self, range: &Range<usize>, new: &str) -> Result<(), Why> {
        if !new.starts_with('|') {
            return Ok(());
        }
        let (part, at) = self.headings.part(self.text, range);
        let here = range.start - at..range.end - at;
        match tables::other_columns(&part, &here, new) {
            Some((given, columns)) => {
                let cells = if given == 1 { "cell" } else { "cells" };
                Err(Why::said(format!(
                    "it brings a row with {given} {cells} into a table with {columns} columns"
                )))
            }
            None => Ok(()),
        }
    }

    fn find(&self, old: &str, section: Option<&str>) -> Result<Found, Why> {
        let old = old.trim();
        // The common case needs no look at the document.
        if let Some(at) = self.text.find(old).filter(|_| !old.is_empty())
            && self.text.rfind(old) == Some(at)
            && !cuts(self.text, at)
            && !cuts(self.text, at + old.len())
        {
            return Ok(Found::AsQuoted(at..at + old.len()));
        }
        let within = section.and_then(|title| match self.titled(title).as_slice() {
            [only] => Some(only.whole.clone()),
            _ => None,
        });
        let haystack = self.haystack.get_or_init(|| Haystack::new(self.text));
        haystack
            .find(old, within)
            .map_err(|why| self.not_found(why))
    }

    fn not_found(&self, why: NotFound) -> Why {
        match why {
            NotFound::Empty => Why::said("the passage that it quotes has no words"),
            NotFound::Elided => Why::said(
                "the passage that it quotes skips text with dots. Quote the whole passage, or make several changes, each with a passage without a gap in it",
            ),
            NotFound::Several { count } => Why::said(format!(
                "the passage that it quotes is there {count} times. Quote more of what is around it, so that only one place fits"
            )),
            NotFound::Missing { nearest } => Why {
                what: "the passage that it quotes is not in the specification. Quote it letter for letter".to_owned(),
                nearest: nearest
                    .and_then(|range| self.text.get(range))
                    .map(|text| shortened(text, LONGEST_QUOTED)),
            },
        }
    }

    fn titled(&self, title: &str) -> Vec<&Section> {
        let all = self.sections();
        sections_titled(all, title)
            .into_iter()
            .filter_map(|index| all.get(index))
            .collect()
    }

    fn named(&self, title: Option<&str>) -> Result<&Section, Why> {
        let Some(title) = title.map(str::trim).filter(|title| !title.is_empty()) else {
            return Err(Why::said("it names no section"));
        };
        match self.titled(title).as_slice() {
            [only] => Ok(only),
            [] => Err(self.unknown_section(title)),
            several => Err(Why::said(format!(
                "{} sections are titled `{title}`. Name the one that is meant with the section around it, as in `Limits > {title}`",
                several.len()
            ))),
        }
    }

    fn unknown_section(&self, title: &str) -> Why {
        let titles: Vec<String> = self
            .sections()
            .iter()
            .filter(|section| section.level <= 3)
            .take(MOST_TITLES)
            .map(|section| format!("`{}`", section.title))
            .collect();
        Why::said(match titles.is_empty() {
            true => format!("there is no section `{title}`: the specification has none"),
            false => format!(
                "there is no section `{title}`. The sections are {}",
                titles.join(", ")
            ),
        })
    }

    fn new_section(
        &self,
        change: &ChangeText,
        new: &str,
        home: &impl Fn() -> Option<String>,
    ) -> Result<Splice, Why> {
        let first = walk(new).heads.into_iter().next();
        let own = first.filter(|head| head.span.start == 0 && !head.contained);
        let title = match (&change.section, &own) {
            (Some(title), _) if !title.trim().is_empty() => title.trim().to_owned(),
            (_, Some(head)) => head.raw.clone(),
            _ => return Err(Why::said("the new section has no title")),
        };
        let wanted = plain_title(&title);
        let mut known = self.sections().iter();
        if known.any(|section| plain_title(&section.title) == wanted) {
            return Err(Why::said(format!(
                "there is a section `{title}` already; use `#### {}: {title}` if that is the one, else another title",
                ChangeKind::AddToSection.heading()
            )));
        }
        let before = match &change.after {
            Some(after) => Some(self.named(Some(after))?),
            None => home().and_then(|title| self.titled(&title).into_iter().next()),
        };
        let level = match before {
            Some(section) => section.level.max(2),
            None => insertion::main_level(self.sections()),
        };
        let body = match &own {
            Some(head) => new[head.span.end..].trim_start_matches('\n'),
            None => new,
        };
        let text = insertion::below_heading(&title, level, body);
        let within = match before {
            Some(section) => section.whole.clone(),
            None => 0..self.text.len(),
        };
        Ok(Insertion::at_end_of(self.text, &within).splice(&text))
    }
}

/// Why a change can't be made.
struct Why {
    what: String,
    nearest: Option<String>,
}

impl Why {
    fn said(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            nearest: None,
        }
    }

    fn of(self, gap: &GapId, line: u32) -> ChangeFault {
        ChangeFault {
            gap: gap.clone(),
            line,
            what: self.what,
            nearest: self.nearest,
        }
    }
}

/// The text of a change as it may stand in the spec: it steers no terminal, runs nothing and leaves nothing open.
fn written(new: &str) -> Result<String, Why> {
    let text = without_scripts(&cleaned(new));
    let text = text.trim_matches('\n').trim_end();
    if text.trim().is_empty() {
        return Err(Why::said("it brings no text"));
    }
    if !is_sealed(text) {
        return Err(Why::said(
            "its text leaves a code block or HTML open. Put text with a code block in it into a longer fence",
        ));
    }
    Ok(text.to_owned())
}
