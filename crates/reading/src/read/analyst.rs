//! The reading of the Analyst's document: `## Gap: GAP-AUTH-001` sections with their fields.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::fields::{field, find_field, is_none_word};
use super::gap_line::DeclaredGap;
use super::vocabulary::{severity_at_start, severity_tag};
use gapless_domain::{GapId, Strictness, gap_ids_in, one_line};
use gapless_markdown::{Document, Heading};

/// What an Analyst's document says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AnalystReading {
    pub gaps: Vec<DeclaredGap>,
    /// It says, in so many words, that there are none.
    pub no_gaps_found: bool,
}

pub(super) fn declared(heading: &Heading, mode: Strictness) -> Option<GapId> {
    let canonical = heading
        .title
        .strip_prefix("Gap:")
        .filter(|_| heading.level == 2);
    let rest = match mode {
        Strictness::Strict => canonical?,
        // `### GAP-AUTH-001: title` says the same.
        Strictness::Tolerant => canonical.unwrap_or(&heading.title),
    };
    let found = gap_ids_in(rest).into_iter().next()?;
    (canonical.is_some() || found.at == 0).then_some(found.id)
}

/// Where the sections on gaps begin.
pub fn analyst_sections(document: &Document, mode: Strictness) -> Vec<usize> {
    let headings = document.headings.iter();
    let own = headings.filter(|heading| declared(heading, mode).is_some());
    own.map(|heading| heading.span.start).collect()
}

pub fn read_analyst(document: &Document, mode: Strictness) -> AnalystReading {
    let gaps = document
        .headings
        .iter()
        .enumerate()
        .filter_map(|(index, heading)| {
            let id = declared(heading, mode)?;
            let body = document.section(index, |next| next.level <= heading.level);
            let prose = document.prose_of(body);
            let mut gap = DeclaredGap {
                id,
                severity: find_field(prose, "Severity")
                    .and_then(severity_at_start)
                    .or_else(|| severity_tag(&heading.title)),
                section: find_field(prose, "Section")
                    .filter(|section| !is_none_word(section))
                    .map(str::to_owned),
                blocked_by: BTreeSet::new(),
                description: first_paragraph(prose),
                line: heading.line,
                alias: None,
            };
            gap.wait_on(find_field(prose, "Blocked by").unwrap_or(""));
            Some(gap)
        })
        .collect();
    let no_gaps_found = document
        .prose()
        .lines()
        .any(|line| line.trim().trim_matches('*') == "NO_GAPS_FOUND");
    AnalystReading {
        gaps,
        no_gaps_found,
    }
}

/// The first paragraph that is no field and no heading.
fn first_paragraph(prose: &str) -> String {
    prose
        .split("\n\n")
        .map(|paragraph| {
            let lines = paragraph.lines();
            let own = lines.filter(|line| field(line).is_none() && !line.starts_with('#'));
            one_line(&own.collect::<Vec<_>>().join(" "))
        })
        .find(|paragraph| !paragraph.is_empty())
        .unwrap_or_default()
}
