//! Whether an edited section is faithful: to what its source section says, to the accepted texts that are worked in, and
//! to what is still open there. It knows texts and ranges, and nothing of the assembling.

use std::collections::BTreeSet;
use std::ops::Range;

use super::essentials::Essentials;
use super::seal::{cleaned, is_sealed};
use super::walk::walk;
use gapless_domain::{GapId, comma_list_of, gap_ids_in};
use gapless_markdown::Document;
use gapless_reading::read::{Declaration, DeclaredAs, Section, inventory};

/// What an edited section is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Its heading, as the source has it.
    heading: String,
    /// The shallowest level that a heading in it may have.
    below: u8,
    /// The section's own text.
    source: String,
    accepted: Vec<String>,
    /// What may not be lost of the section, and of the accepted texts.
    of_source: Essentials,
    of_accepted: Essentials,
    /// What declares gaps that are open, word for word.
    open: Vec<String>,
    /// How many open points it may name: those of the section, and those of the accepted texts.
    most_open: usize,
}

/// What is wrong with an edited section.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("it does not begin with its heading line `{heading}` as it was")]
    Heading { heading: String },
    #[error("its heading `{title}` is not below the section's own")]
    Level { title: String },
    #[error("it has lost {}", listed(.what))]
    Lost { what: Vec<String> },
    #[error("it names {}, which neither the section nor the accepted texts name", listed(.gaps))]
    Gaps { gaps: Vec<String> },
    #[error("what is still open there is gone or changed: {what}")]
    OpenGone { what: String },
    #[error("it still says that something is open that the accepted texts settle")]
    StillOpen,
    #[error("it has text of a proposal that was not accepted: {what}")]
    NotAccepted { what: String },
    #[error("it has characters, comments or link definitions that were not there before")]
    Strange,
    #[error("it leaves a fence or a block of HTML open")]
    Unclosed,
    #[error("it is far longer than what was to be worked in")]
    TooLong,
}

/// How many lost things are said one by one, and how long what is quoted may be.
const MOST_SAID: usize = 12;
const LONGEST_SAID: usize = 120;

fn listed(what: &[String]) -> String {
    comma_list_of(what.iter().map(|one| said(one)), MOST_SAID)
}

fn said(text: &str) -> String {
    gapless_domain::text::shortened(&gapless_domain::text::one_line(text), LONGEST_SAID)
}

/// A text of more than this for each byte that was given is no edit of it.
const MOST_GROWTH: usize = 3;
const FREE_GROWTH: usize = 2_000;

/// What declares gaps in a section.
struct Declared {
    /// The bytes of those that are open.
    open: Vec<Range<usize>>,
    /// How many gaps the section's own heading declares.
    headings: usize,
}

impl Declared {
    fn within(document: &Document, section: &Section, declared: &[Declaration]) -> Self {
        let mut found = Self {
            open: Vec::new(),
            headings: 0,
        };
        for declaration in declared {
            for (line, form) in &declaration.forms {
                // A heading stays as it is, whatever it declares.
                let is_heading = *form == DeclaredAs::Heading && *line == section.line;
                found.headings += usize::from(is_heading);
                let ranges = ranges_of(document, form).into_iter();
                let here = ranges.filter(|range| section.own.contains(&range.start));
                found.open.extend(here);
            }
        }
        found
    }
}

impl Given {
    /// A section and the accepted texts that are in it; `None` where it can't be edited without a risk: what it consists of would not
    /// survive the way back. `generated` are headings and pointers that gapless wrote: nothing of them has to stay.
    pub fn of(
        document: &Document,
        section: &Section,
        declared: &[Declaration],
        generated: &[Range<usize>],
        accepted: &[String],
    ) -> Option<Self> {
        let own = section.own.clone();
        let source = document.source.get(own.clone())?;
        let starts_a_line = own.start == 0 || document.source[..own.start].ends_with('\n');
        let text = source.replace("\r\n", "\n");
        let as_written = |text: &str| cleaned(text) == text && walk(text).definitions.is_empty();
        if !starts_a_line || !as_written(&text) || !is_sealed(&text) || has_markers(&text) {
            return None;
        }
        let heads = walk(&text).heads;
        let heading = heads.first().filter(|head| head.span.start == 0)?;
        let Declared { open, headings } = Declared::within(document, section, declared);
        let texts: Vec<String> = accepted
            .iter()
            .map(|text| text.replace("\r\n", "\n"))
            .collect();
        if !texts
            .iter()
            .all(|text| walk(text).definitions.is_empty() && !has_markers(text))
        {
            return None;
        }
        let of_source = Essentials {
            names: BTreeSet::new(),
            ..Essentials::of(&without(&document.source, &own, generated.to_vec()))
        };
        let of_accepted = texts.iter().map(|text| Essentials::of(text));
        let of_accepted = of_accepted.fold(Essentials::default(), |mut all, one| {
            all.numbers.extend(one.numbers);
            all.code.extend(one.code);
            all.blocks.extend(one.blocks);
            all.names.extend(one.names);
            all
        });
        let declares = |text: &str| inventory(&Document::parse(text)).declared.len();
        Some(Self {
            heading: text[heading.span.clone()].trim_end().to_owned(),
            below: (section.level + 1).min(6),
            most_open: open.len()
                + headings
                + texts.iter().map(|text| declares(text)).sum::<usize>(),
            open: open
                .into_iter()
                .filter_map(|range| document.source.get(range))
                .map(|words| words.replace("\r\n", "\n").trim().to_owned())
                .collect(),
            source: text,
            accepted: texts,
            of_source,
            of_accepted,
        })
    }

    /// The section as it was before.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How much there is to read of it.
    pub fn len(&self) -> usize {
        self.source.len() + self.accepted.iter().map(String::len).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is wrong with the section as it was edited, gravest first. `rejected` are texts of proposals that were not accepted.
    pub fn faults(&self, edited: &str, rejected: &[String]) -> Vec<Fault> {
        if edited.len() > self.len() * MOST_GROWTH + FREE_GROWTH {
            return vec![Fault::TooLong];
        }
        let text = edited.trim();
        let mut faults = Vec::new();
        let walked = walk(text);
        let own = walked.heads.first().filter(|head| head.span.start == 0);
        if own.is_none_or(|head| text[head.span.clone()].trim_end() != self.heading) {
            let heading = said(&self.heading);
            faults.push(Fault::Heading { heading });
        }
        let others = walked.heads.iter().skip(1).filter(|head| !head.contained);
        if let Some(head) = others.into_iter().find(|head| head.level < self.below) {
            let title = said(&head.plain);
            faults.push(Fault::Level { title });
        }
        if cleaned(text) != text || !walked.definitions.is_empty() {
            faults.push(Fault::Strange);
        }
        if !is_sealed(text) {
            faults.push(Fault::Unclosed);
        }
        let mut lost = self.of_accepted.missing_in(text);
        for what in self.of_source.missing_in(text) {
            if !lost.contains(&what) {
                lost.push(what);
            }
        }
        if !lost.is_empty() {
            faults.push(Fault::Lost { what: lost });
        }
        let strange = self.strange_gaps(text);
        if !strange.is_empty() {
            let gaps = strange.iter().map(GapId::to_string).collect();
            faults.push(Fault::Gaps { gaps });
        }
        if let Some(what) = self
            .open
            .iter()
            .find(|words| !text.contains(words.as_str()))
        {
            faults.push(Fault::OpenGone { what: said(what) });
        } else if inventory(&Document::parse(text)).declared.len() > self.most_open {
            faults.push(Fault::StillOpen);
        }
        if let Some(what) = self.not_accepted(text, rejected) {
            faults.push(Fault::NotAccepted { what: said(what) });
        }
        faults
    }

    /// Gaps that are named in an edited section, and in nothing that it was made from.
    pub fn strange_gaps(&self, text: &str) -> Vec<GapId> {
        let ids = |text: &str| -> BTreeSet<GapId> {
            gap_ids_in(text).into_iter().map(|found| found.id).collect()
        };
        let mut known = ids(&self.source);
        known.extend(self.accepted.iter().flat_map(|text| ids(text)));
        ids(text).difference(&known).cloned().collect()
    }

    /// A line of a proposal that was not accepted, and that only it has.
    fn not_accepted<'r>(&self, text: &str, rejected: &'r [String]) -> Option<&'r str> {
        const SHORTEST: usize = 30;
        rejected
            .iter()
            .flat_map(|proposal| proposal.lines().map(str::trim))
            .filter(|line| line.len() >= SHORTEST && text.contains(line))
            .find(|line| {
                let mut made_from = self.accepted.iter().chain([&self.source]);
                !made_from.any(|text| text.contains(line))
            })
    }
}

/// What declares an open gap, with everything that must stay around it.
fn ranges_of(document: &Document, form: &DeclaredAs) -> Vec<Range<usize>> {
    match form {
        DeclaredAs::Item(index) => {
            let item = document.items.get(*index);
            item.map(|item| item.span.clone()).into_iter().collect()
        }
        DeclaredAs::Row(index) => {
            let row = document.rows.get(*index);
            row.map(|row| row.span.clone()).into_iter().collect()
        }
        DeclaredAs::Heading => Vec::new(),
        DeclaredAs::Words(range) => vec![range.clone()],
        DeclaredAs::Marks(marks) => {
            let around = |mark: &Range<usize>| {
                let mut blocks = document.blocks.iter();
                let block = blocks
                    .find(|block| block.span.start <= mark.start && mark.end <= block.span.end);
                block.map_or(mark.clone(), |block| block.span.clone())
            };
            marks.iter().map(around).collect()
        }
    }
}

/// A stretch of a text without these ranges.
fn without(text: &str, own: &Range<usize>, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| range.start);
    let mut left = String::new();
    let mut at = own.start;
    for range in ranges {
        if range.start >= at {
            left += text.get(at..range.start).unwrap_or("");
            left.push(' ');
        }
        at = at.max(range.end);
    }
    left + text.get(at.min(own.end)..own.end).unwrap_or("")
}

/// True where a text has lines that would be taken for the marks around an edited section.
fn has_markers(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .any(gapless_reading::read::is_section_mark)
}
