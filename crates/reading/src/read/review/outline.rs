//! The outline of a review: every section with the role that it was given and why. Headings open sections, and so do bold lines
//! and labels that stand alone. A role comes from the title's words; where they don't tell, from the section around it and from
//! what stands in it.

use std::ops::Range;

use super::super::fields::field;
use super::fields::has_finding_fields;
use super::gap_titles::gap_title;
use super::item_text::{is_template, names_nothing};
use super::names::{leading_id, unnumbered};
use super::openings::{has_text, openings};
use super::ratings::{Rating, leading_rating, trailing_rating};
use super::section::{Opening, Section, Why};
use super::titles::{
    SectionRole, TitleReading, ends_as_verdict_label, read_title, read_title_loosely,
};
use super::verdict_words::{Verdict, prose_verdict, stated_verdict, whole_verdict};
use gapless_domain::{Severity, gap_ids_in};
use gapless_markdown::{Document, last_at, starting_in};

/// The sections of a review, in order. The first is everything before the first title.
pub(super) struct Outline {
    pub sections: Vec<Section>,
}

impl Outline {
    pub fn of(document: &Document) -> Self {
        let outline = Self::with_roles(document, true);
        let finds = |section: &&Section| {
            matches!(section.role, SectionRole::Findings | SectionRole::Finding)
        };
        // A finding without a severity may be a grave one.
        let severity = |section: &Section| section.rating.severity().unwrap_or(Severity::High);
        let listed = outline.sections.iter().filter(finds).map(severity).max();
        let summarised = |section: &&Section| section.why == Why::Within(SectionRole::Summary);
        let repeated = outline.sections.iter().filter(summarised);
        let repeated = repeated.filter_map(|section| read_title(&section.title)?.rating.severity());
        // A summary repeats what stands elsewhere. Where nothing as grave does, its sections are what they say.
        match repeated.max() > listed {
            true => Self::with_roles(document, false),
            false => outline,
        }
    }

    fn with_roles(document: &Document, summaries_repeat: bool) -> Self {
        let mut outline = Self {
            sections: openings(document),
        };
        outline.measure(document.source.len());
        let mut open: Vec<usize> = Vec::new();
        for index in 0..outline.sections.len() {
            let level = outline.sections[index].level;
            open.retain(|above| outline.sections[*above].level < level);
            let parent = open.last().copied();
            let sections = &outline.sections;
            let given = Place::of(document, sections, index, parent, summaries_repeat).given();
            let section = &mut outline.sections[index];
            section.parent = parent;
            section.role = given.role;
            section.why = given.why;
            section.rating = given.rating;
            section.verdict = given.verdict;
            open.push(index);
        }
        outline
    }

    /// Sets where each section ends.
    fn measure(&mut self, end: usize) {
        let mut ends: Vec<(u8, usize)> = Vec::new();
        let mut next = end;
        for section in self.sections.iter_mut().rev() {
            section.own.end = next.max(section.own.start);
            next = section.head.start;
            ends.retain(|(level, _)| *level <= section.level);
            let body_end = ends.last().map_or(end, |(_, start)| *start);
            section.body = section.own.start..body_end.max(section.own.start);
            ends.retain(|(level, _)| *level < section.level);
            ends.push((section.level, section.head.start));
        }
    }

    /// The innermost section that a place is in.
    pub fn at(&self, place: usize) -> Option<&Section> {
        last_at(&self.sections, place, |section| section.head.start)
    }

    /// The sections whose titles stand in a range.
    pub fn within(&self, range: &Range<usize>) -> &[Section] {
        &self.sections[starting_in(&self.sections, range, |section| section.head.start)]
    }
}

/// What a section was given.
struct Given {
    role: SectionRole,
    why: Why,
    rating: Rating,
    verdict: Option<Verdict>,
}

impl Given {
    fn new(role: SectionRole, why: Why) -> Self {
        Self {
            role,
            why,
            rating: Rating::default(),
            verdict: None,
        }
    }

    fn with(self, rating: Rating) -> Self {
        Self { rating, ..self }
    }

    /// The role of the section around it.
    fn inherited(role: SectionRole) -> Self {
        Self::new(role, Why::Within(role))
    }
}

/// A section whose role is sought, and what is known of the place where it stands.
struct Place<'s, 'd> {
    document: &'s Document<'d>,
    section: &'s Section,
    around: Option<&'s Section>,
    /// The role and the rating of the section around it.
    outer: SectionRole,
    inherited: Rating,
    title: Option<TitleReading>,
    is_title_of_document: bool,
    names_gap: bool,
    summaries_repeat: bool,
}

impl<'s, 'd> Place<'s, 'd> {
    fn of(
        document: &'s Document<'d>,
        sections: &'s [Section],
        index: usize,
        parent: Option<usize>,
        summaries_repeat: bool,
    ) -> Self {
        let section = &sections[index];
        let around = parent.map(|parent| &sections[parent]);
        let outer = around.map_or(SectionRole::Title, |around| around.role);
        let loosely = || match outer {
            SectionRole::Findings | SectionRole::Finding => None,
            _ => read_title_loosely(&section.title),
        };
        Self {
            document,
            section,
            around,
            outer,
            inherited: around.map_or_else(Rating::default, |around| around.rating),
            title: read_title(&section.title).or_else(loosely),
            is_title_of_document: index == 0 && section.level == 1,
            names_gap: gap_title(section).is_some(),
            summaries_repeat,
        }
    }

    /// The role of the section: by what it stands behind or in, by the verdict it states, by the gap it names, by the words of its
    /// title, and where none of these tells, by its place and its shape.
    fn given(&self) -> Given {
        if self.section.opening == Opening::Rule {
            // Only the severity is kept, for entries with rules between them.
            return Given::new(SectionRole::Other, Why::BehindRule).with(self.inherited);
        }
        self.by_bar()
            .or_else(|| self.by_verdict())
            .or_else(|| self.by_gap())
            .or_else(|| self.by_title())
            .unwrap_or_else(|| self.by_place())
    }

    /// Within praise, plans and the like everything is what is around it, but for issues that are still open.
    fn by_bar(&self) -> Option<Given> {
        let named = leading_id(unnumbered(&self.section.title)).is_some();
        let still_open = self.title.as_ref().is_some_and(|title| title.is_still_open) && !named;
        let ends =
            matches!(self.outer, SectionRole::Verification | SectionRole::Plan) && still_open;
        let barred = self.outer.is_barred() || self.outer == SectionRole::Verification;
        (barred && !ends).then(|| Given::inherited(self.outer))
    }

    fn by_verdict(&self) -> Option<Given> {
        let (document, section) = (self.document, self.section);
        let heads_review = self.is_title_of_document || self.names_gap;
        let verdict = verdict_of(document, section, self.title.as_ref(), heads_review)?;
        let is_issue = |around: &Section| leading_id(&around.title).is_some();
        if self.outer == SectionRole::Finding && self.around.is_some_and(is_issue) {
            return None;
        }
        // `**No issues**` under a severity says so of that severity.
        let empty = |around: &Section| !has_text(document, &around.own);
        let of_section = self.outer == SectionRole::Findings
            && verdict == Verdict::NoIssuesFound
            && !section.title.contains(Verdict::NoIssuesFound.name())
            && self.around.is_some_and(empty);
        if of_section {
            return Some(Given::new(SectionRole::NoFindings, Why::Within(self.outer)));
        }
        let role = match (self.names_gap, self.is_title_of_document) {
            (true, _) => SectionRole::Review,
            (_, true) => SectionRole::Title,
            _ => SectionRole::Verdict,
        };
        Some(Given {
            verdict: Some(verdict),
            ..Given::new(role, Why::StatesVerdict)
        })
    }

    fn by_gap(&self) -> Option<Given> {
        match (self.names_gap, self.is_title_of_document) {
            (true, true) => return Some(Given::new(SectionRole::Review, Why::First)),
            (false, true) => return Some(Given::new(SectionRole::Title, Why::First)),
            (false, false) => return None,
            (true, false) => {}
        }
        Some(match self.outer {
            // A gap's heading among findings groups them.
            SectionRole::Findings => Given::inherited(self.outer).with(self.inherited),
            SectionRole::Summary | SectionRole::Examined | SectionRole::SignOff => {
                Given::inherited(self.outer)
            }
            _ => Given::new(SectionRole::Review, Why::Gap),
        })
    }

    fn by_title(&self) -> Option<Given> {
        let title = self.title.as_ref()?;
        let (role, why) = role_of(title, self.section)?;
        // Under findings a title may be made of any words: `Example`, `Test data`. The labels in a finding are its own.
        let vague = matches!(
            role,
            SectionRole::Summary | SectionRole::Plan | SectionRole::Examined | SectionRole::SignOff
        );
        let names_entry =
            vague && self.outer == SectionRole::Findings && self.section.opening != Opening::Label;
        let of_finding = self.outer == SectionRole::Finding
            && self.section.opening != Opening::Heading
            && role == SectionRole::Findings;
        if self.has_fields() || names_entry || of_finding {
            return None;
        }
        let repeats = self.outer == SectionRole::Summary
            && self.summaries_repeat
            && role != SectionRole::Verification
            && !role.is_barred();
        if repeats {
            return Some(Given::inherited(self.outer));
        }
        let rating = match (role, title.rating.is_none()) {
            (SectionRole::Findings, true) => self.inherited,
            (SectionRole::Findings, false) => title.rating,
            _ => Rating::default(),
        };
        Some(Given::new(role, why).with(rating))
    }

    fn by_place(&self) -> Given {
        let shaped = self.has_fields() || has_shape_of_finding(self.section);
        match self.outer {
            SectionRole::Findings => {
                let role = match shaped || is_entry(self.document, self.section) {
                    true => SectionRole::Finding,
                    false => SectionRole::Findings,
                };
                Given::new(role, Why::Within(self.outer)).with(self.inherited)
            }
            SectionRole::Finding
            | SectionRole::Summary
            | SectionRole::Examined
            | SectionRole::SignOff => Given::inherited(self.outer),
            _ if shaped => Given::new(SectionRole::Finding, Why::Shape).with(self.inherited),
            _ => Given::new(SectionRole::Other, Why::Nothing),
        }
    }

    /// True where its text has the fields of a finding.
    fn has_fields(&self) -> bool {
        self.section.opening != Opening::Label
            && has_finding_fields(self.document, &self.section.own)
    }
}

/// The role that a title's words give; a verdict's label without a verdict gives none.
fn role_of(title: &TitleReading, section: &Section) -> Option<(SectionRole, Why)> {
    match title.role {
        // A finding that is called by such a word has an id or a tag of its own.
        _ if leading_id(&section.title).is_some() => None,
        Some(role) => {
            let role = match role {
                SectionRole::Remarks if !title.rating.is_none() => SectionRole::Findings,
                role => role,
            };
            let why = match title.is_covered {
                true => Why::Words(title.phrase),
                false => Why::SomeWords(title.phrase),
            };
            Some((role, why))
        }
        None if title.is_verdict_label => Some((SectionRole::Remarks, Why::NoVerdict)),
        None if !title.rating.is_none() => Some((SectionRole::Findings, Why::Severity)),
        None => None,
    }
}

/// The verdict that a title states, or the first words under it where the title is one for verdicts.
fn verdict_of(
    document: &Document,
    section: &Section,
    title: Option<&TitleReading>,
    heads_review: bool,
) -> Option<Verdict> {
    if let Some(title) = title.filter(|title| title.is_verdict_label) {
        let value = section.title.get(title.value.clone()).unwrap_or("");
        let value = value.trim_start_matches([':', ' ', '-', '–', '—', '*']);
        let below = || match value.chars().any(char::is_alphanumeric) && !heads_review {
            true => None,
            false => first_verdict_below(document, section),
        };
        return stated_verdict(value).or_else(below);
    }
    if ends_as_verdict_label(&section.title) {
        return first_verdict_below(document, section);
    }
    if let Some((name, value)) = section.title.split_once([':', '–', '—'])
        && ends_as_verdict_label(name)
        && let Some(verdict) = stated_verdict(value)
    {
        return Some(verdict);
    }
    if section.opening == Opening::Bold {
        // `Needs clarification` is a verdict, and over a list or its entries the title of what needs it.
        let text = has_text(document, &section.own);
        let titles =
            title.is_some_and(|title| title.role.is_some()) && (text || section.heads_entries);
        let verdict = whole_verdict(&section.title);
        return verdict.filter(|_| !section.title.starts_with(char::is_lowercase) && !titles);
    }
    let reviews = section.title.to_ascii_lowercase().contains("review");
    if heads_review || reviews {
        let mut parts = section
            .title
            .rsplit([':', '–', '—', '('])
            .flat_map(|part| part.rsplit(" - "));
        return parts.find_map(|part| whole_verdict(part.trim_end_matches(')')));
    }
    None
}

/// How many sentences of the first paragraph are looked at for a verdict.
const MOST_SENTENCES: usize = 4;

fn first_verdict_below(document: &Document, section: &Section) -> Option<Verdict> {
    let lines = document.prose_of(section.own.clone()).lines();
    let own = lines.filter(|line| !line.trim_start().starts_with('>'));
    let own = own.collect::<Vec<_>>().join("\n");
    let paragraph = own
        .split("\n\n")
        .find(|paragraph| paragraph.chars().any(char::is_alphanumeric))?;
    let paragraph = paragraph.trim_start_matches(['\n', ' ']);
    let listed = paragraph.starts_with(['|', '-', '*']) && !paragraph.starts_with("**")
        || paragraph.starts_with(|c: char| c.is_ascii_digit());
    let paragraph = paragraph.trim_start_matches(['-', ' ']);
    let first = paragraph.lines().next().unwrap_or("");
    if let Some((name, value)) = field(first) {
        let labels = read_title(name).is_some_and(|title| title.is_verdict_label);
        return labels.then(|| stated_verdict(value)).flatten();
    }
    if listed {
        return stated_verdict(first).filter(|_| gap_ids_in(first).is_empty());
    }
    let joined = paragraph.replace('\n', " ");
    let mut sentences = joined.split_inclusive(['.', '!']).take(MOST_SENTENCES);
    sentences
        .find_map(stated_verdict)
        .or_else(|| prose_verdict(&joined))
}

/// True where a section under findings is one finding: it says something, and no findings of their own stand in it.
fn is_entry(document: &Document, section: &Section) -> bool {
    let title = unnumbered(&section.title);
    let says = !names_nothing(title) && !is_template(title) && gap_ids_in(title).is_empty();
    let mut items = document.items_in(&section.own);
    says && has_text(document, &section.body)
        && !items
            .any(|item| leading_id(&item.text).is_some() || leading_rating(&item.text).is_some())
}

/// True where a title is a finding's by its shape: an id or a tag.
fn has_shape_of_finding(section: &Section) -> bool {
    let title = unnumbered(&section.title);
    leading_id(title).is_some()
        || leading_rating(title).is_some()
        || trailing_rating(title).is_some()
}
