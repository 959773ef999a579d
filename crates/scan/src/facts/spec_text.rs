//! The words, sentences and sections of a spec, found in one pass.

use std::ops::Range;

use gapless_domain::gap_ids_in;
use gapless_markdown::{Block, BlockKind, Document, starting_in};

use super::lexicon::Class;
use super::sections::{self, Section};
use super::sentences::{self, Force, Hit, Sentence};
use super::titles;
use super::words::{self, Word};

/// A spec's document with its words, sentences and sections.
pub struct SpecText<'a> {
    pub document: Document<'a>,
    pub sections: Vec<Section>,
    pub words: Vec<Word>,
    pub hits: Vec<Hit>,
    pub sentences: Vec<Sentence>,
    /// The section of each block of the document.
    pub section_of_block: Vec<usize>,
}

impl<'a> SpecText<'a> {
    pub fn of(text: &'a str) -> Self {
        let document = Document::parse(text);
        let mut spec = Self {
            sections: sections::sections_of(&document),
            document,
            words: Vec::new(),
            hits: Vec::new(),
            sentences: Vec::new(),
            section_of_block: Vec::new(),
        };
        spec.read_blocks();
        sections::sum_up(&mut spec.sections);
        spec
    }

    fn read_blocks(&mut self) {
        let prose = self.document.prose();
        let code_spans = &self.document.code_spans;
        let mut section = 0;
        let mut codes = 0;
        let mut row = 0;
        for (index, block) in self.document.blocks.iter().enumerate() {
            let sentences = self.sentences.len();
            section = enter_sections(&mut self.sections, section, block, index, sentences);
            self.section_of_block.push(section);
            self.sections[section].blocks.end = index + 1;
            if matches!(block.kind, BlockKind::Code(_) | BlockKind::Html) {
                continue;
            }
            let recorded = match block.kind {
                BlockKind::Cell => {
                    let rows = &self.document.rows;
                    row += rows[row..]
                        .iter()
                        .take_while(|row| row.span.end <= block.span.start)
                        .count();
                    let cells = rows.get(row).map_or(&[][..], |row| row.cells.as_slice());
                    cells.iter().take(4).any(|cell| records_a_gap(cell))
                }
                _ => records_a_gap(&prose[block.span.clone()]),
            };
            codes += code_spans[codes..]
                .iter()
                .take_while(|code| code.end <= block.span.start)
                .count();
            let later = &code_spans[codes..];
            let own = later.partition_point(|code| code.start < block.span.end);
            let first_word = self.words.len();
            words::words_of(prose, block.span.clone(), &later[..own], &mut self.words);
            self.sections[section].words += self.words.len() - first_word;
            let is_heading = block.kind == BlockKind::Heading;
            let informs = !is_heading && titles::informs(&prose[block.span.clone()]);
            for range in sentences::split(prose, &self.words, first_word..self.words.len()) {
                let place = (index, block);
                let (words, hits) = (&self.words, &mut self.hits);
                let mut sentence = sentences::read(prose, words, range, place, section, hits);
                sentence.is_recorded_gap = recorded;
                sentence.informs = informs;
                // A title says nothing about its subject.
                if !is_heading {
                    self.sections[section].own_classes.join(sentence.classes);
                }
                self.sentences.push(sentence);
            }
            self.sections[section].sentences.end = self.sentences.len();
        }
    }

    pub fn prose(&self) -> &str {
        self.document.prose()
    }

    pub fn text(&self, span: Range<usize>) -> &str {
        self.document.prose_of(span)
    }

    pub fn word(&self, index: usize) -> &str {
        let word = self.words.get(index);
        word.map_or("", |word| self.text(word.span()))
    }

    pub fn words_of(&self, sentence: &Sentence) -> &[Word] {
        &self.words[sentence.words.clone()]
    }

    pub fn block_of(&self, sentence: &Sentence) -> &Block {
        &self.document.blocks[sentence.block]
    }

    pub fn section_of(&self, sentence: &Sentence) -> &Section {
        &self.sections[sentence.section]
    }

    /// The sentences that oblige somebody.
    pub fn obliging(&self) -> impl Iterator<Item = &Sentence> {
        let binding = self.binding();
        binding.filter(|sentence| sentence.force == Force::Obliges)
    }

    /// The sentences that may bind: outside headings, quotes, user stories, informative sections and recorded gaps.
    pub fn binding(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(|sentence| {
            !sentence.is_recorded_gap
                && !sentence.is_quoted
                && !sentence.informs
                && !self.section_of(sentence).is_informative
                && self.block_of(sentence).kind != BlockKind::Heading
        })
    }

    pub fn hits_of<'s>(
        &'s self,
        sentence: &Sentence,
        class: Class,
    ) -> impl Iterator<Item = &'s Hit> {
        let hits = self.hits[sentence.hits.clone()].iter();
        hits.filter(move |hit| hit.classes.has(class))
    }

    pub fn span_of_hit(&self, hit: &Hit) -> Range<usize> {
        let last = hit.first + hit.count.max(1) - 1;
        self.words[hit.first].start..self.words[last].end
    }

    /// Whether a sentence states what somebody does or what is done: a modal, or a condition, an order, an actor or
    /// code in front, or a passive.
    pub fn states_behaviour(&self, sentence: &Sentence) -> bool {
        if sentence.modal.is_some() {
            return true;
        }
        let near = sentence.words.start + 8;
        let first = sentence.words.start;
        // `GET /orders` returns …
        if self.words_of(sentence).iter().take(2).any(Word::is_code) && sentence.words.len() > 2 {
            return true;
        }
        let said = self.hits[sentence.hits.clone()].iter().any(|hit| {
            (hit.classes.has(Class::Ears) || hit.classes.has(Class::Imperative))
                && hit.first == first
                || hit.classes.has(Class::Actor) && hit.first < near
        });
        said || self.is_passive(sentence)
    }

    /// `sending is retried`, `rows are kept`.
    fn is_passive(&self, sentence: &Sentence) -> bool {
        const IRREGULAR: [&str; 12] = [
            "sent", "kept", "read", "written", "shown", "held", "built", "made", "done", "taken",
            "given", "put",
        ];
        let words = sentence.words.clone();
        words.clone().any(|index| {
            let be = matches!(self.word(index), "is" | "are");
            be && (index + 1..words.end.min(index + 3)).any(|next| {
                let word = self.word(next);
                word.len() > 3 && word.ends_with("ed") || IRREGULAR.contains(&word)
            })
        })
    }

    /// Whether a place is within quotation marks, so that its words are somebody's and not the spec's.
    pub fn is_in_quotes(&self, sentence: &Sentence, at: usize) -> bool {
        let before = self.text(sentence.span.start..at);
        // A mark in front of the first word is not part of the sentence.
        let opened = self.prose()[..sentence.span.start].ends_with(['"', '\u{201c}']);
        let marks = before.matches('"').count() + usize::from(opened);
        let curly = |mark: char| before.rfind(mark);
        marks % 2 == 1 || curly('\u{201c}') > curly('\u{201d}')
    }

    pub fn section_at(&self, at: usize) -> usize {
        let begins = |section: &Section| section.heading.as_ref().is_none_or(|it| it.start <= at);
        self.sections.partition_point(begins).saturating_sub(1)
    }

    pub fn path(&self, section: usize) -> Vec<String> {
        sections::path_of(&self.sections, section)
    }

    /// The sentences that begin in a range.
    pub fn sentences_within(&self, span: &Range<usize>) -> impl Iterator<Item = &Sentence> {
        let within = starting_in(&self.sentences, span, |sentence| sentence.span.start);
        self.sentences[within].iter()
    }

    /// The text between two words of a sentence.
    pub fn between(&self, left: &Word, right: &Word) -> &str {
        self.text(left.end..right.start.max(left.end))
    }
}

/// Closes every section that ends before a block and opens those that begin before it; returns the section of the block.
fn enter_sections(
    sections: &mut [Section],
    mut current: usize,
    block: &Block,
    block_index: usize,
    sentence_count: usize,
) -> usize {
    while let Some(next) = sections.get(current + 1)
        && let Some(heading) = &next.heading
        && heading.start <= block.span.start
    {
        sections[current].blocks.end = block_index;
        sections[current].sentences.end = sentence_count;
        current += 1;
        sections[current].blocks = block_index..block_index;
        sections[current].sentences = sentence_count..sentence_count;
    }
    current
}

/// Whether a text records a gap, an issue or an open question by its id.
fn records_a_gap(text: &str) -> bool {
    if text.len() > 4000 {
        return false;
    }
    !gap_ids_in(text).is_empty()
        || ["OQ-", "ISSUE-"].iter().any(|prefix| {
            text.match_indices(prefix).any(|(at, _)| {
                text[at + prefix.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
            })
        })
}
