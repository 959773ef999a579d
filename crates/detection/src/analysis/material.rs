//! What is analysed, and what it is held against.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_domain::GapId;
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, ReadDocument};

/// What is analysed, and what it is held against.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The Engineer's document; `None` where nothing was produced.
    pub document: Option<&'a ReadDocument>,
    /// The gaps that the Engineer was given; empty where that is not known.
    pub assigned: &'a [GapId],
    /// Every gap that exists; `None` where no inventory is known.
    pub known: Option<&'a BTreeSet<GapId>>,
    /// The source spec, whose words count as defined.
    pub source: Option<&'a str>,
    pub vague_words: &'a [String],
    pub vague_per_thousand: u32,
}

/// A document as it is analysed.
pub(super) struct Read<'a> {
    pub document: &'a Document<'a>,
    pub reading: &'a EngineerReading,
    /// Code that the reading blanked out because its fences nest wrongly.
    pub hidden_code: &'a [Range<usize>],
}
