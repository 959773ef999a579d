//! The sections of a spec: their tree, numbers and purposes, and the classes of words in and under them.

use std::ops::Range;
use std::sync::LazyLock;

use gapless_markdown::Document;
use gapless_reading::read::sections as document_sections;

use super::lexicon::Classes;
use super::titles::{Bearing, bearing_of, binds_anywhere, lists_open_matters};
use gapless_domain::words::phrases;

/// A section; the first one is the text before any heading.
#[derive(Debug, Clone)]
pub struct Section {
    pub title: String,
    /// `4.2` of `4.2 Delivery`.
    pub number: Option<String>,
    pub level: u8,
    pub heading: Option<Range<usize>>,
    pub parent: Option<usize>,
    pub has_children: bool,
    /// History, examples, non-goals and the like, which state no requirements.
    pub is_informative: bool,
    /// Requirements, constraints, error handling and the like, which oblige by what they list.
    pub obliges: bool,
    pub purpose: Purpose,
    /// What is said in it, and in it and below.
    pub own_classes: Classes,
    pub whole_classes: Classes,
    /// Its blocks and sentences, by index.
    pub blocks: Range<usize>,
    pub sentences: Range<usize>,
    pub words: usize,
}

/// What a section's title says it is for, as far as rules care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Other,
    /// Says for the whole spec what happens when things fail.
    Failures,
    /// Says for the whole spec how secrets and people's data are kept.
    Protection,
    Glossary,
    /// Says for the whole spec how much of anything there may be.
    Limits,
    /// Lists what is still open.
    Questions,
}

static FAILURES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/failure_sections.txt")).collect());

const PROTECTION: [&str; 8] = [
    "security",
    "privacy",
    "secret",
    "credential",
    "data protection",
    "personal data",
    "authentication",
    "gdpr",
];

const GLOSSARY: [&str; 5] = ["glossary", "terms", "terminology", "definitions", "words"];

const LIMITS: [&str; 6] = [
    "limits",
    "pagination",
    "quota",
    "paging",
    "list endpoints",
    "conventions",
];

/// Reads the sections; sentences and classes are filled in later.
pub fn sections_of(document: &Document<'_>) -> Vec<Section> {
    let read = document_sections(document);
    let mut sections = vec![section("", Rank::Whole, 0, None)];
    let mut open: Vec<usize> = Vec::new();
    // A lone title is that of the whole spec; several are those of its parts.
    let titles = read.iter().filter(|found| found.level == 1).count();
    for (found, heading) in read.iter().zip(&document.headings) {
        while open
            .pop_if(|last| sections[*last].level >= found.level)
            .is_some()
        {}
        let rank = match found.level > 1 || titles > 1 {
            true => Rank::Part,
            false => Rank::Whole,
        };
        let heading = Some(heading.span.clone());
        let mut section = section(&found.title, rank, found.level, heading);
        section.parent = open.last().copied();
        if let Some(parent) = section.parent {
            sections[parent].has_children = true;
            inherit(&mut section, &sections[parent]);
        }
        open.push(sections.len());
        sections.push(section);
    }
    sections
}

/// What a section is for by the section that it is in, where its own title doesn't say.
fn inherit(section: &mut Section, parent: &Section) {
    section.is_informative |= parent.is_informative && !binds_anywhere(&section.title);
    section.obliges |= parent.obliges && !section.is_informative;
    if section.purpose == Purpose::Other {
        section.purpose = parent.purpose;
    }
}

/// Whether a heading is the title of the whole spec, which says nothing about a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Whole,
    Part,
}

fn section(title: &str, rank: Rank, level: u8, heading: Option<Range<usize>>) -> Section {
    let lower = title.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let bearing = match rank {
        Rank::Whole => Bearing::Open,
        Rank::Part => bearing_of(title),
    };
    let purpose = match rank {
        Rank::Whole => Purpose::Other,
        _ if says(&["open question", "known gap", "gaps", "missing spec"])
            || lists_open_matters(&lower) =>
        {
            Purpose::Questions
        }
        _ if says(&GLOSSARY) => Purpose::Glossary,
        _ if says(&PROTECTION) => Purpose::Protection,
        _ if says(&FAILURES) => Purpose::Failures,
        _ if says(&LIMITS) => Purpose::Limits,
        _ => Purpose::Other,
    };
    Section {
        title: title.to_owned(),
        number: number_of(title),
        level,
        heading,
        parent: None,
        has_children: false,
        is_informative: bearing == Bearing::Informs,
        obliges: bearing == Bearing::Obliges,
        purpose,
        own_classes: Classes::default(),
        whole_classes: Classes::default(),
        blocks: 0..0,
        sentences: 0..0,
        words: 0,
    }
}

/// The number at the head of a title: `4.2`, `4.` (as `4`), `A.1`, and the letter of `Appendix B`.
fn number_of(title: &str) -> Option<String> {
    let title = title.trim_start_matches(['*', '§', ' ']);
    let title = ["Section ", "Appendix ", "Annex ", "Part ", "Chapter "]
        .iter()
        .find_map(|word| title.strip_prefix(word))
        .unwrap_or(title);
    let head = title.split([' ', ':', ')', '\u{2014}']).next()?;
    let head = head.trim_end_matches('.');
    let numbered = head
        .split('.')
        .enumerate()
        .all(|(index, part)| is_number_part(part, index == 0));
    (numbered && !head.is_empty() && title.len() > head.len() || is_lone(head, title))
        .then(|| head.to_uppercase())
        .filter(|head| head.bytes().any(|b| b.is_ascii_digit()) || head.len() == 1)
        .filter(|head| {
            !matches!(head.as_str(), "A" | "I") || title.contains(':') || title.len() == 1
        })
}

fn is_number_part(part: &str, may_be_letter: bool) -> bool {
    let digits =
        |text: &str| !text.is_empty() && text.len() < 5 && text.bytes().all(|b| b.is_ascii_digit());
    digits(part)
        || may_be_letter && part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase())
        || part.len() > 1
            && part.ends_with(|c: char| c.is_ascii_lowercase())
            && digits(&part[..part.len() - 1])
}

fn is_lone(head: &str, title: &str) -> bool {
    head == title && head.bytes().all(|b| b.is_ascii_digit() || b == b'.') && !head.is_empty()
}

/// The titles from the outermost section to this one.
pub fn path_of(sections: &[Section], index: usize) -> Vec<String> {
    let above = |section: &&Section| sections.get(section.parent?);
    let around = std::iter::successors(sections.get(index), above);
    let titled = around.filter(|section| section.heading.is_some());
    let mut path: Vec<String> = titled.map(|section| section.title.clone()).collect();
    path.reverse();
    path
}

/// Adds what is said below a section to what is said in it.
pub fn sum_up(sections: &mut [Section]) {
    for section in sections.iter_mut() {
        section.whole_classes = section.own_classes;
    }
    for index in (0..sections.len()).rev() {
        if let Some(parent) = sections[index].parent {
            let classes = sections[index].whole_classes;
            sections[parent].whole_classes.join(classes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_titles() {
        let cases = [
            ("4.2 Delivery", Some("4.2")),
            ("4. Delivery", Some("4")),
            ("Appendix B: Words", Some("B")),
            ("13.8a Wizard", Some("13.8A")),
            ("A plan", None),
            ("Delivery", None),
            ("2026", Some("2026")),
            ("3", Some("3")),
        ];
        for (title, expected) in cases {
            assert_eq!(number_of(title).as_deref(), expected, "{title}");
        }
    }

    #[test]
    fn sections_know_their_parents_and_what_they_are_for() {
        let text = "# Spec\n\n## Errors\n\n### Codes\n\n## Examples\n\n### One\n";
        let sections = sections_of(&Document::parse(text));
        let told: Vec<_> = sections
            .iter()
            .map(|s| (s.title.as_str(), s.parent, s.purpose, s.is_informative))
            .collect();
        assert_eq!(
            told,
            [
                ("", None, Purpose::Other, false),
                ("Spec", None, Purpose::Other, false),
                ("Errors", Some(1), Purpose::Failures, false),
                ("Codes", Some(2), Purpose::Failures, false),
                ("Examples", Some(1), Purpose::Other, true),
                ("One", Some(4), Purpose::Other, true),
            ]
        );
        assert_eq!(path_of(&sections, 3), ["Spec", "Errors", "Codes"]);
    }
}
