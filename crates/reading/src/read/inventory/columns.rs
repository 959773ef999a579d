//! What the columns of a table of gaps mean, by their heads.

use std::sync::LazyLock;

use super::super::gap_line::DeclaredGap;
use super::super::vocabulary::{severity_at_start, words_of};
use super::listing::Listing;
use super::over::{CHECKS, is_done_word, is_not_yet};
use super::wording::Waits;
use gapless_domain::words::phrases;

/// The heads of columns in small letters, each with what its column means.
static COLUMNS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut kind = "";
    let mut columns = Vec::new();
    for line in phrases(include_str!("../words/columns.txt")) {
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(name) => kind = name,
            None => columns.push((line, kind)),
        }
    }
    columns
});

/// The columns of a table that say something known, by their places.
#[derive(Default)]
pub(super) struct Columns {
    /// What is asked or missing.
    asked: Option<usize>,
    /// What a row is about, which may as well be something else.
    told: Option<usize>,
    /// True where the first column only numbers the rows.
    is_numbered: bool,
    severity: Option<usize>,
    section: Option<usize>,
    state: Option<usize>,
    /// What answers the question.
    answer: Option<usize>,
    waits_on: Option<usize>,
}

impl Columns {
    pub fn of(head: &[String]) -> Self {
        let mut columns = Self::default();
        for (index, title) in head.iter().enumerate() {
            let title: Vec<String> = words_of(title).take(4).map(str::to_lowercase).collect();
            let title = title.join(" ");
            let meant = COLUMNS.iter().find(|(known, _)| *known == title);
            let column = match meant.map(|(_, kind)| *kind) {
                Some("asked") => &mut columns.asked,
                Some("told") => &mut columns.told,
                Some("severity") => &mut columns.severity,
                Some("section") => &mut columns.section,
                Some("state") => &mut columns.state,
                Some("answer") => &mut columns.answer,
                Some("waits on") => &mut columns.waits_on,
                Some("number") if index == 0 => {
                    columns.is_numbered = true;
                    continue;
                }
                _ if title.is_empty() && index == 0 => {
                    columns.is_numbered = true;
                    continue;
                }
                _ => continue,
            };
            column.get_or_insert(index);
        }
        columns
    }

    /// True where a column says what is missing, so that a row needs no name.
    pub fn name_what_is_missing(&self, listing: Listing) -> bool {
        // A table of options describes them too.
        let is_told = self.told == Some(0) || self.told.is_some() && self.is_numbered;
        self.asked.is_some() || (listing == Listing::Open && is_told)
    }

    /// True where a row says that it is open no more.
    pub fn say_done(&self, cells: &[String]) -> bool {
        let state = self.state.and_then(|index| cells.get(index));
        let is_done = state.is_some_and(|state| {
            let first = words_of(state).next();
            first.is_some_and(is_done_word) || state.contains(CHECKS)
        });
        let answer = self.answer.and_then(|index| cells.get(index));
        let first = answer.and_then(|answer| words_of(answer).next());
        is_done || first.is_some_and(|first| !is_not_yet(first))
    }

    /// What a row says that is asked or missing.
    pub fn what<'c>(&self, cells: &'c [String]) -> Option<&'c str> {
        let cell = |index: usize| cells.get(index).map(String::as_str);
        self.asked.or(self.told).and_then(cell)
    }

    /// What a row waits on.
    pub fn waits(&self, cells: &[String]) -> Waits {
        let cell = self.waits_on.and_then(|index| cells.get(index));
        Waits::listed_in(cell.map(String::as_str))
    }

    /// Reads the cells of a row; where its first cell is a name, that says nothing else.
    pub fn read(&self, gap: &mut DeclaredGap, cells: &[String], has_name: bool) {
        let cell = |index: Option<usize>| {
            let cell = index.and_then(|index| cells.get(index));
            cell.filter(|cell| !cell.is_empty())
        };
        let known = [
            self.severity,
            self.section,
            self.state,
            self.answer,
            self.waits_on,
        ];
        for (index, text) in cells.iter().enumerate().skip(usize::from(has_name)) {
            let is_severity =
                self.severity == Some(index) || text.split_whitespace().nth(2).is_none();
            if let Some(severity) = severity_at_start(text).filter(|_| is_severity) {
                gap.severity = gap.severity.or(Some(severity));
            } else if !known.contains(&Some(index)) && text.len() > gap.description.len() {
                gap.description.clone_from(text);
            }
        }
        let says = |index: &usize| !has_name || *index > 0;
        let what = cell(self.asked.filter(says)).or(cell(self.told.filter(says)));
        if let Some(what) = what {
            gap.description.clone_from(what);
        }
        gap.section = gap.section.take().or(cell(self.section).cloned());
    }
}
