//! Which gaps a part of a review is about, by the headings that name them.

use std::ops::Range;

use super::gap_titles::{GapTitle, NamedGap, gap_title, gaps_named};
use super::outline::Outline;
use super::titles::SectionRole;
use gapless_domain::Strictness;
use gapless_markdown::last_at;

/// A part of the document that reviews gaps. The parts of a document stand one behind the other.
pub(super) struct Scope {
    pub gaps: Vec<NamedGap>,
    pub line: u32,
    pub canonical: bool,
    /// True where the title says that it reviews, and not only which gap it is about.
    pub says_review: bool,
    pub body: Range<usize>,
}

impl Scope {
    /// The part that a place stands in.
    pub fn around(scopes: &[Self], at: usize) -> Option<&Self> {
        last_at(scopes, at, |scope| scope.body.start).filter(|scope| scope.body.contains(&at))
    }
}

/// The parts of a document that review gaps.
pub(super) fn scopes(outline: &Outline, mode: Strictness) -> Vec<Scope> {
    let opens: Vec<Option<GapTitle>> = outline
        .sections
        .iter()
        .map(|section| {
            let reads = matches!(
                section.role,
                SectionRole::Review
                    | SectionRole::Title
                    | SectionRole::Verdict
                    | SectionRole::Findings
            );
            let kind = gap_title(section).filter(|_| reads)?;
            (mode == Strictness::Tolerant || kind == GapTitle::Canonical).then_some(kind)
        })
        .collect();
    let opens = without_mentions(outline, opens);
    let mut scopes = Vec::new();
    for (index, section) in outline.sections.iter().enumerate() {
        let Some(kind) = opens[index] else {
            continue;
        };
        // It ends at the next section of its level, or at the next review whatever its level.
        let next = outline.sections[index + 1..]
            .iter()
            .zip(&opens[index + 1..])
            .take_while(|(next, _)| next.head.start < section.body.end)
            .find(|(_, kind)| kind.is_some());
        let end = next.map_or(section.body.end, |(next, _)| next.head.start);
        scopes.push(Scope {
            gaps: gaps_named(&section.title),
            line: section.line,
            canonical: kind == GapTitle::Canonical,
            says_review: kind != GapTitle::Named,
            body: section.own.start..end,
        });
    }
    scopes
}

/// Within the review of a gap, a heading that only names another is about that one's part in it. Within a review of several gaps
/// a heading is about the one of them that it names.
fn without_mentions(outline: &Outline, mut opens: Vec<Option<GapTitle>>) -> Vec<Option<GapTitle>> {
    let mut around: Vec<(usize, Vec<NamedGap>)> = Vec::new();
    for (index, section) in outline.sections.iter().enumerate() {
        around.retain(|(outer, _)| outline.sections[*outer].body.contains(&section.head.start));
        let Some(kind) = opens[index] else {
            continue;
        };
        let gaps = gaps_named(&section.title);
        let mentioned = around
            .last()
            .is_some_and(|(_, outer)| match outer.as_slice() {
                [_] => true,
                several => !gaps
                    .iter()
                    .all(|gap| several.iter().any(|known| known.id == gap.id)),
            });
        match kind {
            GapTitle::Named if mentioned => opens[index] = None,
            GapTitle::Named => {}
            GapTitle::Canonical | GapTitle::Reviewing => around.push((index, gaps)),
        }
    }
    opens
}
