//! How findings name themselves and their parts: ids of any shape, numbers before titles, fields and what belongs to them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::super::fields::field;
use super::ratings::rating_of_value;
use gapless_domain::words::phrases;
use gapless_markdown::Document;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum FieldKind {
    Problem,
    Impact,
    Suggestion,
    Location,
    Severity,
    Status,
    Gap,
}

static FIELDS: LazyLock<BTreeMap<&'static str, FieldKind>> = LazyLock::new(|| {
    let mut fields = BTreeMap::new();
    let mut kind = None;
    for line in phrases(include_str!("../words/finding_fields.txt")) {
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(group) => kind = group.parse::<FieldKind>().ok(),
            None => fields.extend(kind.map(|kind| (line, kind))),
        }
    }
    fields
});

pub(super) fn field_kind(name: &str) -> Option<FieldKind> {
    let name = name.trim_matches(['*', ' ', '_']);
    if name.len() > LONGEST_NAME || name.is_empty() {
        return None;
    }
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    match name.bytes().all(is_lower) {
        true => FIELDS.get(name).copied(),
        false => FIELDS.get(name.to_lowercase().as_str()).copied(),
    }
}

/// What a field is for whose name ends with a known one: `Issue severity`, `Our suggestion`.
pub(super) fn kind_by_last_word(name: &str) -> Option<FieldKind> {
    let words = name.split_whitespace().count();
    let last = name.rsplit([' ', '-']).next()?;
    let fits = (2..=LONGEST_NAME_IN_WORDS).contains(&words);
    fits.then(|| field_kind(last)).flatten()
}

/// How many words a field's name may have that is known by its last.
const LONGEST_NAME_IN_WORDS: usize = 3;

/// How many bytes a field's name may have.
const LONGEST_NAME: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    /// What it is for, by its name or by the last word of it.
    pub kind: Option<FieldKind>,
    pub name: String,
    pub value: String,
}

/// The fields of a finding, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Fields(pub Vec<Field>);

impl Fields {
    pub fn push(&mut self, name: &str, value: &str) {
        self.0.push(Field {
            kind: field_kind(name).or_else(|| kind_by_last_word(name)),
            name: name.to_owned(),
            value: value.to_owned(),
        });
    }

    /// The first value of a kind that says something.
    pub fn of(&self, kind: FieldKind) -> Option<&str> {
        let mut values = self.of_kind(kind);
        values.find(|value| !value.is_empty())
    }

    pub fn of_kind(&self, kind: FieldKind) -> impl Iterator<Item = &str> {
        let of_kind = self.0.iter().filter(move |field| field.kind == Some(kind));
        of_kind.map(|field| field.value.as_str())
    }

    /// The values under a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        let fields = self.0.iter();
        let named = fields.filter(move |field| field.name.eq_ignore_ascii_case(name));
        named.map(|field| field.value.as_str())
    }

    /// True where they are those of a finding: a severity, or a problem with its effect or with what should be done.
    pub fn are_of_finding(&self) -> bool {
        let has = |kind| self.of(kind).is_some();
        let problem = has(FieldKind::Problem);
        let severity = self.of(FieldKind::Severity);
        let severity = severity.is_some_and(|value| rating_of_value(value).is_some());
        let more = has(FieldKind::Impact) || has(FieldKind::Suggestion);
        (severity && (problem || more)) || (problem && more)
    }
}

/// True where a range has the fields of one finding, on lines that belong to no item of a list.
pub(super) fn has_finding_fields(document: &Document, range: &Range<usize>) -> bool {
    let lines = document.prose_lines(range.clone()).map(|(_, line)| line);
    let fields = lines
        .filter(|line| !line.starts_with([' ', '\t']))
        .filter_map(|line| loose_field(without_bullet(line)));
    let mut read = Fields::default();
    for (name, value) in fields {
        // A value on the next line says something too.
        read.push(name, if value.is_empty() { "below" } else { value });
    }
    read.are_of_finding()
}

fn without_bullet(line: &str) -> &str {
    let mut marks = ["- ", "* ", "+ "].iter();
    marks
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
}

/// The fields of an issue's body. What follows a field on the next lines belongs to it, up to a blank line or another field;
/// where it ends with a colon, so does the list behind it.
pub(super) fn body_fields(document: &Document, body: &Range<usize>) -> Fields {
    let mut fields = Fields::default();
    let (mut open, mut blank, mut listing) = (false, false, false);
    for (_, line) in document.prose_lines(body.clone()) {
        let content = line.trim();
        if let Some((name, value)) = loose_field(without_bullet(content)) {
            fields.push(name, value);
            (open, blank) = (true, false);
            listing = value.is_empty() || value.ends_with(':');
        } else if content.is_empty() {
            blank = true;
        } else if open && let Some(Field { value, .. }) = fields.0.last_mut() {
            let ends = content.starts_with(['#', '|']) || content == "---";
            open = !ends && (!blank || (listing && is_item(content)));
            if open && value.len() < LONGEST_FIELD {
                value.push(' ');
                value.push_str(content);
            }
            blank = false;
        }
    }
    for field in &mut fields.0 {
        field.value = field.value.trim().to_owned();
    }
    fields
}

/// How long a field grows by what follows it; the rest is in the review itself.
const LONGEST_FIELD: usize = 2000;

fn is_item(content: &str) -> bool {
    let number = content.bytes().take_while(u8::is_ascii_digit).count();
    content.starts_with(['-', '*', '+'])
        || (number > 0 && content[number..].starts_with(['.', ')']))
}

/// `**Location:** x`, `Location: x`.
pub(super) fn loose_field(text: &str) -> Option<(&str, &str)> {
    field(text).or_else(|| {
        let (name, value) = text.split_once(':')?;
        let name = name.trim_matches(['*', ' ']);
        is_field_name(name).then(|| (name, value.trim()))
    })
}

/// True for the names of a finding's fields.
pub(super) fn is_field_name(name: &str) -> bool {
    field_kind(name).is_some()
}

/// True for an item that is a part of the issue before it. Any other label in bold is what an issue is called.
pub(super) fn is_part_of_issue(text: &str) -> bool {
    loose_field(text).is_some_and(|(name, value)| match field_kind(name) {
        // `**Priority:** low priority jobs never run` is about a priority.
        Some(FieldKind::Severity) => rating_of_value(value).is_some(),
        Some(_) => true,
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_what_follows_it() {
        let text = "# T\n\n**Impact:** one\ntwo\n\nprose\n\n**Fix:** Either:\n\n1. this\n2. that\n\nMore prose.\n";
        let document = Document::parse(text);
        let fields = body_fields(&document, &(3..text.len()));
        let read: Vec<(&str, &str)> = fields
            .0
            .iter()
            .map(|field| (field.name.as_str(), field.value.as_str()))
            .collect();
        assert_eq!(
            read,
            [("Impact", "one two"), ("Fix", "Either: 1. this 2. that")]
        );
    }
}
