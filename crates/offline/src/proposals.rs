//! Proposals under review, and what the scan finds in them where they would be: in their place where they change the
//! specification, else behind it under the title of their section.

use std::fmt::Write;
use std::ops::Range;

use gapless_domain::{AssignedGap, ChangeText, Strictness};
use gapless_markdown::Document;
use gapless_reading::read::read_engineer;
use gapless_scan::{Finding, Rules, scan};

use crate::changes::applied;
use crate::plain_words::{plain, plain_to};

/// Rules that say nothing useful of a part on its own.
const NOT_OF_A_PART: [&str; 3] = ["thin-section", "empty-section", "ignore-comment"];
const LONGEST_WORDS: usize = 240;

/// A proposal as its gap has it.
pub(crate) struct Proposal<'a> {
    pub gap: &'a AssignedGap,
    /// What would go into the spec, with what is said about it.
    pub solution: String,
    pub default: Option<String>,
    changes: Vec<ChangeText>,
    title: Option<String>,
}

impl<'a> Proposal<'a> {
    pub fn of(gap: &'a AssignedGap) -> Self {
        let Some(proposal) = &gap.proposal else {
            return Self {
                gap,
                solution: String::new(),
                default: None,
                changes: Vec::new(),
                title: None,
            };
        };
        let document = Document::parse(&proposal.text);
        let reading = read_engineer(&document, Strictness::Tolerant);
        let bound = reading.gaps.iter().find(|bound| bound.gap == gap.id);
        let solution = match bound {
            None => proposal.text.clone(),
            Some(bound) => {
                let ranges = bound.solution.iter().cloned();
                let texts = ranges.filter_map(|range| proposal.text.get(range));
                texts.map(str::trim).collect::<Vec<_>>().join("\n\n")
            }
        };
        let changes = bound.map_or(&[][..], |bound| &bound.changes);
        let changes: Vec<ChangeText> = changes.iter().map(|change| change.texts()).collect();
        let headings = document.headings.iter();
        let mut headings = headings.filter(|heading| heading.level == 4 && changes.is_empty());
        Self {
            gap,
            solution: solution.trim().to_owned(),
            default: proposal.default.clone(),
            title: headings
                .next()
                .map(|heading| plain_to(&heading.title, LONGEST_WORDS)),
            changes,
        }
    }

    /// What an issue calls it.
    pub fn name(&self) -> String {
        let section = plain(self.gap.section.as_deref().unwrap_or_default());
        match (&self.title, &self.default) {
            (Some(title), _) => title.clone(),
            (None, Some(group)) if section.is_empty() => group.clone(),
            (None, Some(group)) => format!("{group} in {section}"),
            (None, None) => "the part".to_owned(),
        }
    }

    /// What it brings into the spec: the texts of its changes, else all that it proposes.
    pub fn texts(&self) -> String {
        let new = self.changes.iter().filter_map(|it| it.new.as_deref());
        let new: Vec<&str> = new.collect();
        match new.is_empty() {
            true => self.solution.clone(),
            false => new.join("\n\n"),
        }
    }

    /// How the spec would read with its changes, and the bytes that they wrote; nothing where one can't be made.
    fn in_place(&self, spec: &str) -> Option<(String, Vec<Range<usize>>)> {
        let (mut text, mut written) = (spec.to_owned(), Vec::new());
        for change in &self.changes {
            let (changed, range) = applied(&text, change)?;
            text = changed;
            written.push(range);
        }
        (!written.is_empty()).then_some((text, written))
    }
}

/// What the scan finds in each proposal where it would be.
pub(crate) fn findings(spec: &str, proposals: &[Proposal<'_>]) -> Vec<Vec<Finding>> {
    let mut found: Vec<Vec<Finding>> = vec![Vec::new(); proposals.len()];
    let mut behind: Vec<(usize, &Proposal<'_>)> = Vec::new();
    let mut before: Option<Vec<Finding>> = None;
    for (index, proposal) in proposals.iter().enumerate() {
        match proposal.in_place(spec) {
            Some((text, written)) => {
                let before = before.get_or_insert_with(|| scan(spec, &Rules::default()));
                found[index] = found_in(&text, &written, before, proposal);
            }
            None => behind.push((index, proposal)),
        }
    }
    for (index, findings) in found_behind(spec, &behind) {
        found[index] = findings;
    }
    found
}

/// What is found in text that changes wrote. What was there before is another gap's, unless it opened this one.
fn found_in(
    text: &str,
    written: &[Range<usize>],
    before: &[Finding],
    proposal: &Proposal<'_>,
) -> Vec<Finding> {
    let is_own = |finding: &Finding| proposal.gap.rule.as_deref() == Some(finding.rule);
    let was_there = |finding: &Finding| {
        let mut before = before.iter();
        before.any(|known| known.rule == finding.rule && known.excerpt == finding.excerpt)
    };
    let inside = |finding: &Finding| {
        let mut written = written.iter();
        written.any(|range| finding.span.start < range.end && range.start < finding.span.end)
    };
    let mut found = scan(text, &Rules::default());
    found.retain(|finding| {
        let counts = is_own(finding) || !was_there(finding);
        inside(finding) && counts && !NOT_OF_A_PART.contains(&finding.rule)
    });
    found
}

/// What is found in parts behind the spec, each under the title of its section.
fn found_behind(spec: &str, proposals: &[(usize, &Proposal<'_>)]) -> Vec<(usize, Vec<Finding>)> {
    if proposals.is_empty() {
        return Vec::new();
    }
    let mut text = spec.trim_end().to_owned();
    let mut places: Vec<Range<usize>> = Vec::new();
    for (_, proposal) in proposals {
        let section = plain(proposal.gap.section.as_deref().unwrap_or_default());
        let section = match section.as_str() {
            "" => "Details",
            section => section,
        };
        let _ = write!(text, "\n\n## {section}\n\n");
        let start = text.len();
        text += &proposal.texts();
        places.push(start..text.len());
    }
    text.push('\n');
    let mut found: Vec<(usize, Vec<Finding>)> = Vec::new();
    found.extend(proposals.iter().map(|(index, _)| (*index, Vec::new())));
    for finding in scan(&text, &Rules::default()) {
        let at = places.partition_point(|place| place.end <= finding.span.start);
        let inside = places
            .get(at)
            .is_some_and(|place| place.start <= finding.span.start);
        if inside && !NOT_OF_A_PART.contains(&finding.rule) {
            found[at].1.push(finding);
        }
    }
    found
}
