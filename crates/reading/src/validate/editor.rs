//! The checks on what an Editor wrote: every section that it was given comes back once and whole, and is faithful.

use std::collections::BTreeSet;

use super::checked::{Checked, judged};
use super::failing::{Failure, Outcome, failure, of_gaps};
use super::limits::listed;
use super::validation_context::ValidationContext;
use crate::read::{Candidate, EditorReading, ReadDocument, Reading, candidates, read_editor};
use gapless_domain::{FailureFacts, FailureType, one_line, shortened};
use gapless_markdown::Document;

/// How long a title may be that a message repeats.
const LONGEST_TITLE: usize = 80;

/// How much of what an Editor was given has to come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// What came back before the document was cut.
    WholeSections,
}

pub(super) fn check_editor(
    document: &Document,
    context: &dyn ValidationContext,
) -> Outcome<EditorReading> {
    check_editor_in(document, context, Extent::All)
}

pub(super) fn check_editor_in(
    document: &Document,
    context: &dyn ValidationContext,
    extent: Extent,
) -> Outcome<EditorReading> {
    let given = context.sections();
    let sections = match read_editor(document) {
        Ok(sections) => sections,
        Err(error) => return failure(FailureType::WrongFormat, error.to_string()),
    };
    if sections.is_empty() {
        return failure(
            FailureType::WrongFormat,
            "no section was found between `<!-- section: TITLE -->` and `<!-- end section -->`"
                .to_owned(),
        );
    }
    let mut met = BTreeSet::new();
    let mut unknown = Vec::new();
    for section in &sections {
        let title = shortened(&one_line(&section.title), LONGEST_TITLE);
        if !given.iter().any(|own| own.name() == section.title) {
            unknown.push(format!("`{title}` (line {})", section.line));
        } else if !met.insert(section.title.as_str()) {
            let message = format!("the section `{title}` is there twice");
            return failure(FailureType::WrongFormat, message);
        }
    }
    if met.is_empty() {
        let names = listed(given.iter().map(|own| format!("`{}`", own.name())));
        let message = format!("none of the sections that were given came back: {names}");
        return failure(FailureType::NoGapsAddressed, message);
    }
    if !unknown.is_empty() {
        let message = format!("sections that were not given: {}", listed(&unknown));
        return failure(FailureType::InconsistentRefs, message);
    }
    let missing = given.iter().filter(|own| !met.contains(own.name()));
    let missing: Vec<String> = missing.map(|own| format!("`{}`", own.name())).collect();
    if !missing.is_empty() && extent == Extent::All {
        let message = format!("sections that did not come back: {}", listed(&missing));
        let facts = FailureFacts {
            missing: first_texts(missing),
            ..FailureFacts::default()
        };
        return Err(Failure::with(FailureType::WrongFormat, message, facts));
    }
    let mut gaps = Vec::new();
    for section in &sections {
        let Some(own) = given.iter().find(|own| own.name() == section.title) else {
            continue;
        };
        let text = document.source.get(section.text.clone()).unwrap_or("");
        if let Err(fault) = own.check(&text.replace("\r\n", "\n")) {
            let facts = FailureFacts {
                missing: first_texts(fault.missing),
                ..of_gaps(fault.wrong_gaps)
            };
            let message = format!("section `{}`: {}", own.name(), fault.message);
            return Err(Failure::with(fault.kind, message, facts));
        }
        gaps.extend(own.gaps());
    }
    Ok((EditorReading { sections }, gaps))
}

/// The first of what is missing: what a hostile document lacks must not make events grow.
fn first_texts(mut texts: Vec<String>) -> Vec<String> {
    const MOST: usize = 20;
    texts.truncate(MOST);
    texts
        .iter()
        .map(|text| shortened(&one_line(text), LONGEST_TITLE))
        .collect()
}

/// What an Editor wrote whose sections are no longer there to be worked on: none of it is asked for, and none is taken.
pub fn nothing_wanted(text: &str) -> Checked {
    let nothing = (Reading::Editor(EditorReading::default()), Vec::new());
    judged(ReadDocument::plain(text), Ok(nothing), Vec::new())
}

/// The versions of a section that a document has, by the ways to read it; none where a reading has it twice.
pub fn versions_of(name: &str, text: &str) -> Vec<String> {
    let mut versions = Vec::new();
    for Candidate {
        document,
        structure,
        ..
    } in candidates(text)
    {
        let Ok(sections) = read_editor(&Document::parse(&structure)) else {
            continue;
        };
        let mut own = sections.iter().filter(|section| section.title == name);
        if let (Some(section), None) = (own.next(), own.next())
            && let Some(text) = document.get(section.text.clone())
        {
            versions.push(text.replace("\r\n", "\n"));
        }
    }
    versions
}
