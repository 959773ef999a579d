//! What the columns of a table of gaps mean, by their heads.

use super::super::gap_line::DeclaredGap;
use super::super::vocabulary::{severity_at_start, words_of};
use super::listing::Listing;
use super::over::{CHECKS, is_done_word, is_not_yet};
use super::wording::Waits;

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
            let column = match title.join(" ").as_str() {
                "question" | "open question" | "gap" | "missing" | "what is missing" => {
                    &mut columns.asked
                }
                "description" | "issue" | "what" | "summary" | "topic" | "problem" | "item" => {
                    &mut columns.told
                }
                "severity" | "priority" => &mut columns.severity,
                "section" | "area" | "where" | "component" => &mut columns.section,
                "state" | "status" => &mut columns.state,
                "answer" | "decision" | "resolution" | "outcome" => &mut columns.answer,
                "blocked by" | "depends on" | "waits on" | "blockers" => &mut columns.waits_on,
                "" | "id" | "no" | "nr" | "number" if index == 0 => {
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
