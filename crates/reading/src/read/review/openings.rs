//! What opens a section of a review: headings, bold lines, labels that stand alone, and rules across the page.

use std::ops::Range;

use super::super::fields::field;
use super::fields::{FieldKind, has_finding_fields, is_field_name, kind_by_last_word};
use super::item_text::is_numbered;
use super::names::{leading_id, unnumbered};
use super::ratings::Rating;
use super::section::{BELOW_HEADINGS, Opening, Section, Why};
use super::titles::{SectionRole, is_verdict_label, read_title, read_title_loosely};
use super::verdict_words::{prose_verdict, stated_verdict};
use gapless_markdown::Document;

/// A section that a line or a heading opens; its role is found later.
fn opened(
    document: &Document,
    opening: Opening,
    level: u8,
    title: &str,
    head: &Range<usize>,
) -> Section {
    Section {
        opening,
        level,
        title: title.to_owned(),
        line: document.line_of(head.start),
        head: head.clone(),
        own: head.end..head.end,
        body: head.end..head.end,
        role: SectionRole::Other,
        why: Why::Nothing,
        rating: Rating::default(),
        verdict: None,
        parent: None,
        heads_entries: false,
    }
}

/// Everything that opens a section, without roles and ends.
pub(super) fn openings(document: &Document) -> Vec<Section> {
    let mut sections: Vec<Section> = document
        .headings
        .iter()
        .map(|it| opened(document, Opening::Heading, it.level, &it.title, &it.span))
        .collect();
    let mut open = |opening: Opening, title: &str, head: &Range<usize>| {
        sections.push(opened(document, opening, BELOW_HEADINGS, title, head));
    };
    let mut headings = document.headings.iter().peekable();
    let mut after_blank = true;
    for (at, line) in document.prose_lines(0..document.source.len()) {
        while headings.next_if(|heading| heading.span.end <= at).is_some() {
            after_blank = true;
        }
        let rest = || document.prose_of(at + line.len()..document.source.len());
        let in_heading = headings
            .peek()
            .is_some_and(|heading| heading.span.start <= at);
        let head = at..at + line.len();
        if in_heading || line.trim().is_empty() {
            after_blank = true;
        } else if let Some(title) = bold_line(line).filter(|title| opens_section(title, rest)) {
            open(Opening::Bold, title, &head);
            after_blank = true;
        } else if is_rule(line) {
            open(Opening::Rule, "", &head);
            after_blank = true;
        } else if let Some((title, start)) =
            label(line, after_blank).filter(|(title, _)| opens_section(title, rest))
        {
            open(Opening::Label, title, &(at..at + start));
            after_blank = false;
        } else {
            after_blank = false;
        }
    }
    sections.sort_by_key(|section| section.head.start);
    nest_bold_lines(document, &mut sections);
    sections
}

fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    let made_of =
        |mark: char| bare.starts_with(mark) && bare.chars().all(|c| c == mark || c == ' ');
    bare.len() >= 3 && ['-', '*', '_'].into_iter().any(made_of)
}

/// True where a range has prose.
pub(super) fn has_text(document: &Document, range: &Range<usize>) -> bool {
    let mut chars = document.prose_of(range.clone()).chars();
    chars.any(char::is_alphanumeric)
}

/// Bold lines have no levels. One that opens no section by its words belongs to the one before it that does, where nothing else
/// stands between them: entries under the title of their list.
fn nest_bold_lines(document: &Document, sections: &mut [Section]) {
    let mut within = false;
    // What stands behind a rule belongs to no section above it.
    let mut deeper = 0;
    for index in 0..sections.len() {
        let section = &sections[index];
        let next = sections.get(index + 1);
        let end = next.map_or(document.source.len(), |next| next.head.start);
        let own = section.own.start..end;
        let empty = !has_text(document, &own);
        let next = next.map(|next| next.opening);
        let heads_entries = empty && matches!(next, Some(Opening::Bold | Opening::Label));
        let named = leading_id(unnumbered(&section.title)).is_some();
        let opens = || {
            let entry = named || has_finding_fields(document, &own);
            let listed = || document.items_in(&own).next().is_some();
            let known = read_title(&section.title).is_some()
                || (listed() && read_title_loosely(&section.title).is_some());
            known && !entry
        };
        let belongs = section.opening == Opening::Bold && within && !opens();
        sections[index].heads_entries = heads_entries;
        match sections[index].opening {
            Opening::Heading => (within, deeper) = (false, 0),
            Opening::Rule => (within, deeper) = (false, 1),
            Opening::Bold if belongs => {
                sections[index].level = BELOW_HEADINGS + deeper + 1;
            }
            Opening::Bold | Opening::Label => {
                within = empty;
                sections[index].level = BELOW_HEADINGS + deeper;
            }
        }
    }
}

/// A line that is nothing but bold text: `**Concerns**`, `**Concerns:**`, `**Concerns**:`. A finding's field is none.
fn bold_line(line: &str) -> Option<&str> {
    let inner = line
        .trim_end()
        .trim_end_matches(':')
        .strip_prefix("**")?
        .strip_suffix("**")?;
    let title = inner.trim_end_matches(':').trim();
    let one = !inner.contains("**") && title.chars().any(char::is_alphanumeric);
    one.then_some(title)
}

/// True where a title opens a section: a finding's field opens none, unless a verdict stands below it.
fn opens_section<'d>(title: &str, rest: impl Fn() -> &'d str) -> bool {
    if !names_field(title) {
        return true;
    }
    let mut lines = rest().lines().map(str::trim);
    let next = lines.find(|line| !line.is_empty()).unwrap_or("");
    let lists_gaps = next.starts_with(['-', '*', '|', '1']) && next.contains("GAP-");
    let states = || stated_verdict(next).is_some() || prose_verdict(next).is_some();
    is_verdict_label(title) && (lists_gaps || states())
}

/// True for the names of a finding's fields.
fn names_field(title: &str) -> bool {
    let by_last_word = match kind_by_last_word(title) {
        Some(FieldKind::Severity) => read_title(title).is_none_or(|title| title.rating.is_none()),
        Some(FieldKind::Location | FieldKind::Impact) => true,
        _ => false,
    };
    (is_field_name(title) || by_last_word) && leading_id(title).is_none()
}

/// How many bytes a label may have.
const LONGEST_LABEL: usize = 80;

/// `Concerns:` alone on its line, or `**Concerns:** text`; with the bytes of the line up to what it labels.
fn label(line: &str, after_blank: bool) -> Option<(&str, usize)> {
    let trimmed = line.trim_end();
    let (title, start) = match field(trimmed) {
        Some((name, value)) if trimmed.starts_with("**") => (name, trimmed.len() - value.len()),
        Some(_) => return None,
        None => {
            let title = trimmed.strip_suffix(':')?;
            let plain = after_blank
                && !is_numbered(title)
                && !title.starts_with(|c: char| c.is_ascii_punctuation() || c == ' ');
            (plain.then_some(title)?, trimmed.len())
        }
    };
    if title.len() > LONGEST_LABEL {
        return None;
    }
    let alone = start == trimmed.len();
    let loosely = || alone.then(|| read_title_loosely(title)).flatten();
    let reading = read_title(title).or_else(loosely)?;
    let opens = !matches!(
        reading.role,
        Some(SectionRole::Remarks | SectionRole::Other | SectionRole::Summary) | None
    );
    (opens || alone).then_some((title, start))
}
