//! A section of a review: what opens it, its role and why it has that role.

use std::ops::Range;

use super::ratings::Rating;
use super::titles::SectionRole;
use super::verdict_words::Verdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Heading,
    /// A line in bold.
    Bold,
    /// `Concerns:`, or `**Concerns:** text`.
    Label,
    /// A line across the page, behind which something else begins.
    Rule,
}

#[derive(Debug, Clone)]
pub(super) struct Section {
    pub opening: Opening,
    /// 1 to 6 for headings, [`BELOW_HEADINGS`] for lines.
    pub level: u8,
    pub title: String,
    pub line: u32,
    /// The bytes of the title's line.
    pub head: Range<usize>,
    /// The bytes behind the title up to the next section of any level.
    pub own: Range<usize>,
    /// The bytes behind the title up to the next section that is not within this one.
    pub body: Range<usize>,
    pub role: SectionRole,
    pub why: Why,
    /// What its title says of the severity of its findings, or the title of a section around it.
    pub rating: Rating,
    /// The verdict that its title or its first words state.
    pub verdict: Option<Verdict>,
    pub parent: Option<usize>,
    /// True where the next section is opened by another line right below it.
    pub heads_entries: bool,
}

/// Why a section was given its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Words of its title.
    Words(&'static str),
    /// Some words of its title, beside others.
    SomeWords(&'static str),
    /// The title names a severity.
    Severity,
    /// The title names a gap.
    Gap,
    /// A verdict stands in the title or right below it.
    StatesVerdict,
    /// The title is one under which verdicts stand, and none does.
    NoVerdict,
    /// The section around it has this role.
    Within(SectionRole),
    /// It has the fields, the id or the tag of a finding.
    Shape,
    /// A line across the page stands before it.
    BehindRule,
    /// The first heading of the document.
    First,
    /// Nothing tells.
    Nothing,
}

impl Why {
    pub fn words(self) -> String {
        match self {
            Why::Words(phrase) => format!("the title says \"{phrase}\""),
            Why::SomeWords(phrase) => format!("the title has \"{phrase}\" in it"),
            Why::Severity => "the title names a severity".to_owned(),
            Why::Gap => "the title names a gap".to_owned(),
            Why::StatesVerdict => "it states a verdict".to_owned(),
            Why::NoVerdict => "the title announces a verdict, and no verdict follows".to_owned(),
            Why::Within(role) => format!("it is within a section of the role \"{}\"", role.name()),
            Why::Shape => "it has the id, the tag or the fields of a finding".to_owned(),
            Why::BehindRule => "a rule separates it from what stands before".to_owned(),
            Why::First => "it is the title of the document".to_owned(),
            Why::Nothing => "nothing tells what it is for".to_owned(),
        }
    }
}

/// The level of sections that a line opens.
pub(super) const BELOW_HEADINGS: u8 = 7;
