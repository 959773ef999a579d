//! The findings of a review: as list items, headings, paragraphs and table rows, each with the severity of the nearest tag, field
//! or title, and where none tells, of the verdict. An issue that its own text takes back is withdrawn.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::fields::{field, is_none_word};
use super::super::lexicon::{Word, first_words};
use super::super::vocabulary::severity_of_title;
use super::fields::{FieldKind, Fields, body_fields, field_kind, is_part_of_issue, loose_field};
use super::found::{Found, RaisedIssue, Reviewed, is_topic, open_issue_words};
use super::item_text::{
    is_numbered, is_template, is_ticked, names_nothing, without_box, without_signs,
};
use super::names::{leading_id, unnumbered};
use super::outline::Outline;
use super::ratings::{Rating, leading_rating};
use super::section::{Opening, Section, Why};
use super::statuses::{IssueStatus, shouted_status, status_in, status_of};
use super::tables;
use super::titles::SectionRole;
use super::verdicts::judges_gap;
use gapless_domain::{Severity, one_line};
use gapless_markdown::{Document, Item};

pub(super) struct Findings<'r, 'd> {
    pub review: Reviewed<'r, 'd>,
    pub outline: &'r Outline,
    pub issues: Vec<RaisedIssue>,
    /// True where a section of findings has some.
    has_findings: bool,
    /// True where the review has sections for severities.
    has_severities: bool,
}

impl<'r, 'd> Findings<'r, 'd> {
    pub fn new(review: Reviewed<'r, 'd>, outline: &'r Outline) -> Self {
        let sections = outline.sections.iter();
        let mut lists = sections
            .clone()
            .filter(|it| it.role == SectionRole::Findings);
        let has_items = |section: &Section| !top_items(review.document, &section.own).is_empty();
        Self {
            has_findings: sections.clone().any(|it| it.role == SectionRole::Finding)
                || lists.clone().any(has_items),
            has_severities: lists.any(|section| !section.rating.is_none()),
            review,
            outline,
            issues: Vec::new(),
        }
    }

    /// Reads every section by its role.
    pub fn read(&mut self) {
        let outline = self.outline;
        for section in &outline.sections {
            match section.role {
                SectionRole::Findings => self.read_findings(section),
                SectionRole::Finding if section.why == Why::Within(SectionRole::Finding) => {}
                SectionRole::Finding => self.read_entry(section),
                SectionRole::Verification => self.read_verification(section),
                SectionRole::Other
                | SectionRole::Remarks
                | SectionRole::Verdict
                | SectionRole::Review
                | SectionRole::Title
                | SectionRole::Examined
                | SectionRole::Summary
                | SectionRole::SignOff => self.read_tagged(section.role, &section.own.clone()),
                SectionRole::NoFindings
                | SectionRole::NewGaps
                | SectionRole::Praise
                | SectionRole::Plan => {}
            }
        }
        let start = outline
            .sections
            .first()
            .map_or(self.review.document.source.len(), |first| first.head.start);
        self.read_tagged(SectionRole::Other, &(0..start));
        self.issues.sort_by_key(|issue| issue.line);
    }

    /// Reads a section whose items, rows or paragraphs are findings.
    fn read_findings(&mut self, section: &Section) {
        let items = top_items(self.review.document, &section.own);
        let canonical = section.opening == Opening::Heading
            && section.level == 3
            && severity_of_title(&section.title).is_some();
        let mut entries: Vec<Found> = Vec::new();
        let has_items = !items.is_empty();
        for item in items {
            let text = without_box(&item.text);
            let problem =
                loose_field(text).filter(|(name, _)| field_kind(name) == Some(FieldKind::Problem));
            let empty = is_none_word(text) || names_nothing(text) || is_template(text);
            if empty || is_ticked(&item.text) {
                continue;
            }
            if let Some((_, said)) = problem {
                // `- **Issue:** x` begins a finding, and the fields behind it belong to it.
                let mut found = self.found_in(item, said);
                found.section = section.rating;
                entries.push(found);
            } else if is_part_of_issue(text) {
                if let (Some(last), Some((name, value))) = (entries.last_mut(), loose_field(text)) {
                    last.fields.push(name, value);
                    last.span.end = last.span.end.max(item.span.end);
                }
            } else {
                let mut found = self.found_in(item, text);
                found.canonical &= canonical;
                found.section = section.rating;
                entries.extend(found.unless_settled(text));
            }
        }
        for mut paragraph in self.paragraph_entries(&section.own) {
            paragraph.section = section.rating;
            entries.push(paragraph);
        }
        let (role, rating) = (section.role, section.rating);
        entries.extend(tables::findings(
            self.review.document,
            role,
            rating,
            &section.own,
        ));
        let groups = section.why == Why::Within(SectionRole::Findings);
        let within = self.outline.within(&(section.own.start..section.body.end));
        let has_sections = within
            .iter()
            .any(|section| matches!(section.role, SectionRole::Findings | SectionRole::Finding));
        if entries.is_empty() && !has_items && !groups && !has_sections {
            entries.extend(self.prose_entry(section));
        }
        self.take_all(entries);
    }

    pub fn take_all(&mut self, found: impl IntoIterator<Item = Found>) {
        let issues = found.into_iter().map(|found| self.review.issue(found));
        self.issues.extend(issues);
    }

    /// What a list item says, with the fields nested in it. `text` is the item's text without what stands before it.
    pub fn found_in(&self, item: &Item, text: &str) -> Found {
        let nested = self.review.document.nested_in(item);
        let nested = nested.filter_map(|nested| loose_field(&nested.text));
        let mut fields = Fields::default();
        nested.for_each(|(name, value)| fields.push(name, value));
        // Fields may also stand below the item's text, indented and without marks.
        if fields.0.is_empty() {
            fields = self.lines_below(item);
        }
        let bold = text.starts_with("**");
        let mut found = Found {
            fields,
            span: item.span.clone(),
            line: item.line,
            ..Found::default()
        };
        found.take_title(text);
        found.canonical = bold && found.tag.is_none() && found.written_id.starts_with("ISSUE-");
        found
    }

    /// The fields on the lines of an item that are neither its first nor a nested item's.
    fn lines_below(&self, item: &Item) -> Fields {
        let document = self.review.document;
        let prose = document.prose_of(item.span.clone());
        let first = prose.find('\n').map_or(prose.len(), |at| at + 1);
        body_fields(document, &(item.span.start + first..item.span.end))
    }

    /// Reads a heading or a bold line that is one finding.
    fn read_entry(&mut self, section: &Section) {
        let mut found = Found {
            fields: body_fields(self.review.document, &section.body),
            span: section.head.start..section.body.end,
            line: section.line,
            section: section.rating,
            outside: section.why == Why::Shape && self.has_severities,
            ..Found::default()
        };
        found.take_title(unnumbered(&section.title));
        if is_topic(&found.summary) {
            self.take_what_is_said(&mut found, &section.own);
        }
        if !is_template(&found.summary) {
            self.take_all(found.unless_settled(&section.title));
        }
    }

    /// An entry that only names its topic says the rest in a field of another name, or in its first paragraph.
    fn take_what_is_said(&self, found: &mut Found, range: &Range<usize>) {
        if found.fields.of(FieldKind::Problem).is_some() {
            return;
        }
        let mut fields = found.fields.0.iter();
        let other = fields.find(|field| field.kind.is_none() && !field.value.is_empty());
        let said = match other {
            Some(field) => Some(("problem", field.value.clone())),
            None if found.fields.of(FieldKind::Impact).is_some() => None,
            None => {
                let said = self.first_paragraph(range);
                said.map(|said| ("impact", one_line(said)))
            }
        };
        if let Some((name, said)) = said {
            found.fields.push(name, &said);
        }
    }

    /// Earlier issues raise nothing, unless the review says that they are still open.
    fn read_verification(&mut self, section: &Section) {
        let mut entries = Vec::new();
        if leading_id(unnumbered(&section.title)).is_some() {
            let fields = body_fields(self.review.document, &section.own);
            let status = status_of(&fields).max(status_in(&section.title));
            if status == Some(IssueStatus::Open) {
                let mut found = Found {
                    fields,
                    span: section.head.start..section.own.end,
                    line: section.line,
                    ..Found::default()
                };
                found.take_title(unnumbered(&section.title));
                entries.push(found);
            }
        }
        for item in top_items(self.review.document, &section.own) {
            if leading_id(without_signs(&item.text)).is_none() {
                continue;
            }
            let found = self.found_in(item, without_signs(without_box(&item.text)));
            let status = status_of(&found.fields).max(status_in(&item.text));
            if status == Some(IssueStatus::Open) && !is_ticked(&item.text) {
                entries.push(found);
            }
        }
        for entry in &mut entries {
            entry.summary = open_issue_words(&entry.summary);
        }
        self.take_all(entries);
        self.take_all(tables::open_issues(
            self.review.document,
            section.role,
            &section.own,
        ));
    }

    /// Outside of findings only what names its severity itself is a finding.
    fn read_tagged(&mut self, role: SectionRole, range: &Range<usize>) {
        let document = self.review.document;
        let items = top_items(document, range).into_iter();
        let tagged = items.filter_map(|item| self.tagged_item(item, role));
        let mut entries: Vec<Found> = tagged.collect();
        if !is_recap(role) {
            let paragraphs = self.paragraph_entries(range).into_iter();
            entries.extend(paragraphs.filter(|found| !found.own_rating().is_none()));
            entries.extend(tables::findings(document, role, Rating::default(), range));
            entries.extend(tables::open_issues(document, role, range));
        }
        self.take_all(entries);
    }

    /// A list item outside of findings that is one by its tag, or an earlier issue that is still open.
    fn tagged_item(&self, item: &Item, role: SectionRole) -> Option<Found> {
        let text = without_box(&item.text);
        let boxed = text.len() < item.text.len();
        let recap = is_recap(role);
        if judges_gap(text).is_some()
            || is_ticked(&item.text)
            || is_template(text)
            || (recap && boxed)
        {
            return None;
        }
        let found = self.found_in(item, text);
        let named = !found.written_id.is_empty();
        // What a verdict lists repeats the findings, where there are any.
        let repeats = role == SectionRole::Verdict && self.has_findings && !named;
        if repeats || (recap && !named) {
            return None;
        }
        let settled = status_of(&found.fields).or_else(|| shouted_status(text));
        // A green light and the like praise as often as they rate.
        let praises = !named
            && begins_with_sign(text)
            && found.own_rating().severity() == Some(Severity::Low);
        let rated = !found.own_rating().is_none() && !praises;
        if rated && settled != Some(IssueStatus::Settled) {
            return Some(found);
        }
        let open = named && !recap && status_in(text) == Some(IssueStatus::Open);
        open.then(|| Found {
            summary: open_issue_words(&found.summary),
            ..found
        })
    }

    /// Paragraphs that begin as findings do: with an id, a tag, or a label in bold.
    fn paragraph_entries(&self, range: &Range<usize>) -> Vec<Found> {
        let mut starts: Vec<(usize, &str)> = Vec::new();
        let mut after_blank = true;
        for (at, line) in self.review.document.prose_lines(range.clone()) {
            let own = !line.starts_with([' ', '\t', '>', '|', '-', '+', '#'])
                && !line.starts_with("* ")
                && !is_numbered(line);
            if own && after_blank && begins_finding(line) {
                starts.push((at, line));
            }
            after_blank = line.trim().is_empty();
        }
        let next = starts.iter().skip(1).map(|(at, _)| *at);
        let ends: Vec<usize> = next.chain([range.end]).collect();
        let mut entries = Vec::new();
        for ((at, line), end) in starts.into_iter().zip(ends) {
            let text = paragraph_at(self.review.document.prose_of(at..end));
            if is_template(&text) || shouted_status(line) == Some(IssueStatus::Settled) {
                continue;
            }
            let mut found = Found {
                fields: body_fields(self.review.document, &(at + line.len()..end)),
                span: at..end,
                line: self.review.document.line_of(at),
                ..Found::default()
            };
            found.take_title(&text);
            entries.push(found);
        }
        entries
    }

    /// A section of findings that has text and nothing else: its first paragraph says what is wrong.
    fn prose_entry(&self, section: &Section) -> Option<Found> {
        let paragraph = self.first_paragraph(&section.own)?;
        if names_nothing(paragraph) || is_template(paragraph) {
            return None;
        }
        Some(Found {
            summary: one_line(paragraph),
            span: section.own.clone(),
            line: section.line,
            section: section.rating,
            ..Found::default()
        })
    }

    /// The first paragraph of a range that is neither a quote nor a field.
    fn first_paragraph(&self, range: &Range<usize>) -> Option<&str> {
        let prose = self.review.document.prose_of(range.clone());
        let paragraphs = prose.split("\n\n").map(str::trim);
        let mut own = paragraphs.filter(|text| {
            !text.starts_with(['>', '|', '#'])
                && loose_field(text.trim_start_matches(['-', '*', ' '])).is_none()
        });
        own.find(|text| text.chars().any(char::is_alphanumeric))
    }
}

/// The list items of a range that stand on the first level and are the document's own.
pub(super) fn top_items<'d>(document: &'d Document, range: &Range<usize>) -> Vec<&'d Item> {
    let items = document.items_in(range).filter(|item| item.depth == 0);
    items
        .filter(|item| !document.is_quoted(item.span.start))
        .collect()
}

/// True for sections that repeat what stands elsewhere.
fn is_recap(role: SectionRole) -> bool {
    matches!(
        role,
        SectionRole::Summary | SectionRole::Examined | SectionRole::SignOff
    )
}

fn begins_with_sign(text: &str) -> bool {
    first_words(text, 1).first().is_some_and(Word::is_sign)
}

/// True for a line that begins as findings do: with an id, a tag, or a label in bold that is no field.
fn begins_finding(line: &str) -> bool {
    let line = unnumbered(line);
    let labelled = field(line).is_some_and(|(name, value)| {
        !value.is_empty() && field_kind(name).is_none_or(|kind| kind == FieldKind::Problem)
    });
    let bold = line.starts_with("**") && field(line).is_none();
    leading_id(line).is_some() || leading_rating(line).is_some() || labelled || bold
}

/// The first paragraph of a text, in a line.
fn paragraph_at(text: &str) -> String {
    let end = text.find("\n\n").unwrap_or(text.len());
    let lines = text[..end].lines();
    let own = lines.enumerate().take_while(|(index, line)| {
        *index == 0 || !(line.trim_start().starts_with(['-', '|']) || loose_field(line).is_some())
    });
    let own: Vec<&str> = own.map(|(_, line)| line.trim()).collect();
    unnumbered(&own.join(" ")).to_owned()
}

/// Reads one issue of a list that stands under no severity section: the final review's blockers, HIGH where they say nothing.
pub(in super::super) fn read_blocker_item(document: &Document, item: &Item) -> Option<RaisedIssue> {
    leading_id(&item.text)?;
    if is_ticked(&item.text) {
        return None;
    }
    let outline = Outline {
        sections: Vec::new(),
    };
    let verdicts = BTreeMap::new();
    let review = Reviewed {
        document,
        scopes: &[],
        verdicts: &verdicts,
        verdict: None,
    };
    let findings = Findings::new(review, &outline);
    let mut found = findings.found_in(item, without_box(&item.text));
    found.section = Rating::named(Severity::High);
    Some(findings.review.issue(found))
}
