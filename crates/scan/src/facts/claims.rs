//! Finds the sentences that oblige, also those that do so only by their place: the points of "The system must:", the steps of a
//! scenario, and the items and cells of sections about requirements.

use std::sync::LazyLock;

use gapless_markdown::{Block, BlockKind, last_at};

use super::sections::Purpose;
use super::sentences::{Force, Sentence};
use super::spec_text::SpecText;
use super::titles::{self, Bearing, Titles};

/// A sentence that obliges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// Its place among the sentences.
    pub sentence: usize,
    /// The sentence that opens the list it is a point of.
    pub lead: Option<usize>,
    /// It obliges by its place: the section that it is in, or what opens its list.
    pub by_place: bool,
}

static DUTY: LazyLock<Titles> =
    LazyLock::new(|| Titles::of(include_str!("../words/duty_sections.txt")));

const STEPS: [&str; 4] = ["given", "when", "then", "and"];

fn names_a_duty(title: &str) -> bool {
    DUTY.have(title) || titles::bearing_of(title) == Bearing::Obliges
}

/// A list that is open while blocks are read: how deep it is, what leads to it, and whether its points oblige.
struct List {
    depth: u32,
    lead: usize,
    obliges: bool,
    explains: bool,
}

/// The claims of a spec, in order.
pub fn claims_of(text: &SpecText<'_>) -> Vec<Claim> {
    let duty = duties(text);
    let mut claims = Vec::new();
    let mut lists: Vec<List> = Vec::new();
    let mut opener: Option<List> = None;
    let mut next = 0;
    for (index, block) in text.document.blocks.iter().enumerate() {
        let first = next;
        let rest = text.sentences[first..].iter();
        next += rest.take_while(|sentence| sentence.block == index).count();
        let sentences = first..next;
        let depth = match block.kind {
            BlockKind::Item => {
                let item = last_at(&text.document.items, block.span.start, |it| it.span.start);
                item.map_or(0, |item| item.depth)
            }
            BlockKind::Code(_) | BlockKind::Html => continue,
            BlockKind::Heading | BlockKind::Paragraph | BlockKind::Cell => {
                lists.clear();
                opener = None;
                0
            }
        };
        while lists.pop_if(|list| list.depth >= depth).is_some() {}
        let list = lists.last().or(opener.as_ref());
        let lead = list.map(|list| list.lead);
        let explained = list.is_some_and(|list| list.explains);
        let by_place = !explained
            && (list.is_some_and(|list| list.obliges)
                || block.kind != BlockKind::Paragraph && duty[text.section_of_block[index]]);
        let mut obliges = by_place;
        for sentence in sentences.clone() {
            let claims_itself = obliges_alone(text, &text.sentences[sentence]);
            obliges |= claims_itself;
            if (by_place || claims_itself && !explained) && binds(text, &text.sentences[sentence]) {
                claims.push(Claim {
                    sentence,
                    lead,
                    by_place,
                });
            }
        }
        let Some(last) = sentences.clone().next_back() else {
            continue;
        };
        let label = lead_text(text, block);
        let list = List {
            depth,
            lead: last,
            obliges: obliges || !label.is_empty() && names_a_duty(label),
            explains: explained || !label.is_empty() && titles::informs(label),
        };
        match block.kind {
            BlockKind::Item => lists.push(list),
            BlockKind::Paragraph if opens_a_list(text, last) => opener = Some(list),
            _ => {}
        }
    }
    claims
}

/// Whether each section, or one around it, is titled as one of requirements.
fn duties(text: &SpecText<'_>) -> Vec<bool> {
    let mut duties: Vec<bool> = Vec::with_capacity(text.sections.len());
    for section in &text.sections {
        let around = section.parent.is_some_and(|parent| duties[parent]);
        duties.push(around || section.obliges || section.level > 1 && names_a_duty(&section.title));
    }
    duties
}

fn binds(text: &SpecText<'_>, sentence: &Sentence) -> bool {
    let asks = text.prose()[sentence.span.end..].starts_with('?');
    let section = text.section_of(sentence);
    !asks
        && !matches!(section.purpose, Purpose::Questions | Purpose::Glossary)
        && !section.title.to_lowercase().contains("question")
        && !section.is_informative
        && !sentence.is_recorded_gap
        && !sentence.is_quoted
        && !sentence.informs
        && text.block_of(sentence).kind != BlockKind::Heading
}

fn obliges_alone(text: &SpecText<'_>, sentence: &Sentence) -> bool {
    let first = sentence.words.start;
    let is_item = text.block_of(sentence).kind == BlockKind::Item;
    let is_step = || {
        STEPS
            .iter()
            .any(|step| text.word(first).eq_ignore_ascii_case(step))
    };
    sentence.force == Force::Obliges || is_item && is_step()
}

/// A short text before a list, as `**Acceptance Criteria**:`.
fn lead_text<'t>(text: &'t SpecText<'_>, block: &Block) -> &'t str {
    const LONGEST_LABEL: usize = 60;
    let label = text.text(block.span.clone());
    let leads = label.len() <= LONGEST_LABEL
        && label.trim_end_matches(['*', '_', ' ', '\n']).ends_with(':');
    if leads { label } else { "" }
}

fn opens_a_list(text: &SpecText<'_>, sentence: usize) -> bool {
    let sentence = &text.sentences[sentence];
    let block = &text.document.blocks[sentence.block];
    let behind = text.text(sentence.span.end..block.span.end.max(sentence.span.end));
    behind
        .trim_end_matches(['*', '_', ' ', '\n'])
        .ends_with(':')
}
