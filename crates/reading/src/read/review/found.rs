//! A finding on its way to an issue: its id, its tag, its words and its fields, and whether its own text takes it back.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::fields::{field, yes};
use super::super::gap_line::first_gap;
use super::super::vocabulary::{SETTLED_BY_FIELD, WITHDRAWING_PHRASES, WITHDRAWN_WORDS, words_of};
use super::fields::{FieldKind, Fields};
use super::names::leading_id;
use super::ratings::{Rating, leading_rating, rating_of_value, trailing_rating};
use super::scopes::Scope;
use super::statuses::{IssueStatus, shouted_status, status_in, status_of, without_status};
use super::verdict_words::Verdict;
use gapless_domain::{Concern, GapId, Severity, gap_ids_in, one_line};
use gapless_markdown::Document;

/// An issue as it stands in the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedIssue {
    /// The id as the Reviewer wrote it, canonical or not.
    pub written_id: String,
    pub gap: Option<GapId>,
    pub concern: Arc<Concern>,
    pub withdrawn: bool,
    pub line: u32,
    /// False where it stands in an accepted variant.
    #[serde(default = "yes")]
    pub canonical: bool,
    /// Where the severity comes from, if the review does not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity_from: Option<SeveritySource>,
}

/// What gives a finding without a severity its severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeveritySource {
    /// It is called blocking, or not blocking.
    Blocking,
    /// The verdict on its gap, or the absence of one.
    Verdict,
}

/// What was found of an issue, before its severity and gap are settled.
#[derive(Default)]
pub(super) struct Found {
    pub written_id: String,
    pub summary: String,
    /// A severity beside the id, before the text or at the end of the title.
    pub tag: Rating,
    pub fields: Fields,
    /// The bytes of its whole text.
    pub span: Range<usize>,
    pub canonical: bool,
    pub line: u32,
    /// The severity of the section that it stands in.
    pub section: Rating,
    /// The gap that its row of a table names.
    pub gap: Option<GapId>,
    /// True where it stands outside of the severity sections that the review has.
    pub outside: bool,
}

impl Found {
    /// The severity that the finding itself names.
    pub fn own_rating(&self) -> Rating {
        let field = self.fields.of(FieldKind::Severity);
        field.and_then(rating_of_value).unwrap_or(self.tag)
    }

    /// The finding, without its status; `None` where its fields or a status in capitals say that it is settled.
    pub fn unless_settled(mut self, line: &str) -> Option<Self> {
        match status_of(&self.fields).or_else(|| shouted_status(line)) {
            Some(IssueStatus::Settled) => None,
            Some(IssueStatus::Open) => {
                self.summary = open_issue_words(&self.summary);
                Some(self)
            }
            None => Some(self),
        }
    }

    /// Takes id, tags and words from a finding's first line.
    pub fn take_title(&mut self, text: &str) {
        let mut rest = text;
        if leading_id(rest).is_none()
            && let Some((rating, behind)) = leading_rating(rest)
        {
            self.tag = rating;
            rest = behind;
        }
        if let Some((id, behind)) = leading_id(rest) {
            self.written_id = id.to_owned();
            rest = behind.trim_start_matches(['*', ':', ']', ' ']);
            rest = rest
                .strip_prefix("`:")
                .or(rest.strip_prefix("` "))
                .unwrap_or(rest);
            if let Some((rating, behind)) = leading_rating(rest) {
                self.tag = rating;
                rest = behind;
            }
        }
        let mut summary = match field(rest) {
            // A label in bold: `**Retry budget:** nobody says how long`.
            Some((label, said)) if self.written_id.is_empty() => format!("{label}: {said}"),
            _ => rest
                .trim_start_matches(['*', ':', ']', ' ', '-', '–', '—'])
                .to_owned(),
        };
        if let Some((rating, title)) = trailing_rating(&summary) {
            if self.tag.is_none() {
                self.tag = rating;
            }
            summary = title.to_owned();
        }
        self.summary = summary;
    }
}

/// How many words a title has at most that only names a topic.
const LONGEST_TOPIC: usize = 3;

pub(super) fn is_topic(title: &str) -> bool {
    title.split_whitespace().count() <= LONGEST_TOPIC
}

/// What an issue that is still open says: without its status, and without the words that only say so.
pub(super) fn open_issue_words(summary: &str) -> String {
    let bare = without_status(summary);
    let bare = match bare.split_once([':', '–', '—']) {
        Some((status, words)) if status_in(status) == Some(IssueStatus::Open) => words.trim(),
        _ => bare,
    };
    bare.trim_matches(['*', ' ']).to_owned()
}

/// The review that findings stand in: what an issue has from it where it doesn't say so itself.
pub(super) struct Reviewed<'r, 'd> {
    pub document: &'r Document<'d>,
    pub scopes: &'r [Scope],
    /// The verdicts on gaps, and on the whole document.
    pub verdicts: &'r BTreeMap<GapId, Verdict>,
    pub verdict: Option<Verdict>,
}

impl Reviewed<'_, '_> {
    pub(super) fn issue(&self, found: Found) -> RaisedIssue {
        let own = self.document.prose_of(found.span.clone());
        let gap = found.gap.clone().or_else(|| self.gap_of(&found, own));
        let rating = match found.own_rating() {
            own if own.is_none() => found.section,
            own => own,
        };
        let verdict = gap
            .as_ref()
            .and_then(|gap| self.verdicts.get(gap).copied())
            .or(self.verdict);
        let by_verdict = match verdict {
            Some(Verdict::Revise) if !found.outside => Severity::High,
            _ => Severity::Medium,
        };
        let severity_from = match rating.severity() {
            None => Some(SeveritySource::Verdict),
            Some(_) if rating.is_inferred() => Some(SeveritySource::Blocking),
            Some(_) => None,
        };
        let value = |kind| found.fields.of(kind).map(str::to_owned);
        let (problem, impact) = (value(FieldKind::Problem), value(FieldKind::Impact));
        let (location, suggestion) = (value(FieldKind::Location), value(FieldKind::Suggestion));
        let withdrawn = is_withdrawn(own, &found.fields);
        let summary = found.summary.trim_start_matches("(withdrawn)").trim();
        let summary = summary.trim_matches('*').trim();
        let (summary, impact) = match (summary, problem) {
            ("", Some(problem)) => (problem, impact),
            ("", None) => {
                let said = impact.clone().or(suggestion.clone()).or(location.clone());
                let said = said.unwrap_or_else(|| said_beside(&found.written_id, own));
                (said, impact)
            }
            // A few words name a topic, and not what is wrong with it.
            (title, Some(problem)) if is_topic(title) => (format!("{title}: {problem}"), impact),
            (title, problem) => (title.to_owned(), impact.or(problem)),
        };
        RaisedIssue {
            gap,
            concern: Arc::new(Concern {
                severity: rating.severity().unwrap_or(by_verdict),
                summary,
                location,
                impact,
                suggestion,
                settled_by_user: found
                    .fields
                    .named(SETTLED_BY_FIELD)
                    .any(|by| words_of(by).any(|word| word.eq_ignore_ascii_case("user"))),
            }),
            withdrawn,
            line: found.line,
            canonical: found.canonical,
            severity_from,
            written_id: found.written_id,
        }
    }

    /// The gap that an issue is on: its review's where it names no other, else the first that it names.
    fn gap_of(&self, found: &Found, own: &str) -> Option<GapId> {
        let named = gap_ids_in(&found.summary).into_iter();
        let named: Vec<GapId> = named.map(|gap| gap.id).collect();
        let scope = Scope::around(self.scopes, found.span.start);
        let scoped = scope.map_or(&[][..], |scope| &scope.gaps[..]);
        let in_scope = |id: &&GapId| scoped.iter().any(|gap| gap.id == **id);
        let from_fields = || {
            let gaps = found.fields.of_kind(FieldKind::Gap);
            let mut values = gaps.chain(found.fields.of_kind(FieldKind::Location));
            values.find_map(first_gap)
        };
        // An issue that names its review's gap binds there, whatever else it names beside it.
        if let Some(id) = named.iter().find(in_scope) {
            return Some(id.clone());
        }
        match scoped {
            [only] if named.is_empty() => Some(only.id.clone()),
            [first, ..] if named.is_empty() => from_fields()
                .or_else(|| first_gap(own))
                .or_else(|| Some(first.id.clone())),
            _ => named
                .into_iter()
                .next()
                .or_else(from_fields)
                .or_else(|| first_gap(own)),
        }
    }
}

/// What an issue without a title says under its id: its first paragraph, in a line.
fn said_beside(written_id: &str, own: &str) -> String {
    let behind = own.split_once(written_id).map_or(own, |(_, behind)| behind);
    let mut paragraphs = behind.split("\n\n").map(|paragraph| {
        let said = one_line(paragraph);
        let said = said.trim_start_matches(['*', ':', ']', '`', ' ', '-']);
        match leading_rating(said) {
            Some((_, behind)) => behind.to_owned(),
            None => said.to_owned(),
        }
    });
    let said = paragraphs.find(|said| said.chars().any(char::is_alphanumeric));
    said.unwrap_or_else(|| "nothing is said of it".to_owned())
}

/// True where an issue's own text takes it back. A domain may have withdrawals of its own: a word counts only where it stands
/// alone, in brackets, in bold or as the value of a field.
fn is_withdrawn(own: &str, fields: &Fields) -> bool {
    let lower = own.to_lowercase();
    // Nothing below can hold without one of these.
    let hints = ["withdr", "retract", "non-issue", "an issue"];
    if !hints.iter().any(|hint| lower.contains(hint)) {
        return false;
    }
    let word = |text: &str| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        WITHDRAWN_WORDS.contains(&bare)
    };
    let parts = || lower.split(['(', ')', '[', ']', ':', '\n', '–', '—', '~']);
    let bold = lower.split("**").skip(1).step_by(2);
    let dashed = lower.split(" - ");
    parts().any(word)
        || bold.into_iter().any(word)
        || dashed.into_iter().any(word)
        || fields
            .0
            .iter()
            .any(|field| word(&field.value.to_lowercase()))
        || WITHDRAWING_PHRASES
            .iter()
            .any(|phrase| lower.contains(phrase))
}
