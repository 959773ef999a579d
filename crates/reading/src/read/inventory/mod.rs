//! The inventory of a source: everything that it declares to be missing, by gap ids, as entries of sections that list
//! what is open, and by marks in its text. What has no gap id gets one, the same for the same source. Linear in its length.

mod candidate;
mod clarifications;
mod columns;
mod declaration;
mod entries;
mod foreign_marks;
mod listing;
mod marked;
mod marks;
mod merging;
mod names;
mod naming;
mod open_sections;
mod over;
mod prose;
mod spoken_of;
mod titles;
mod unresolved;
mod word_lists;
mod wording;

use std::collections::BTreeMap;
use std::ops::Range;

use self::candidate::Candidate;
use self::merging::{Merged, merged};
use self::open_sections::Listings;
use super::gap_line::DeclaredGap;
use super::source::{earlier_limitations, traced_gaps};
use gapless_markdown::Document;

pub use self::clarifications::CLARIFY;
pub use self::declaration::{Declaration, DeclaredAs};
pub use self::titles::lists_what_is_open;

/// What a source declares, and what looks like a declaration and was not taken as one of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inventory {
    /// In order; of two items of a section with the same gap id both.
    pub declared: Vec<Declaration>,
    /// Lines, each with why what stands there is no gap of its own.
    pub passed_over: Vec<(u32, String)>,
}

/// What is gathered from a source, before it has ids.
struct Gathering<'d> {
    document: &'d Document<'d>,
    listings: Listings,
    earlier: Range<usize>,
    /// The prose with what marks in angle brackets say.
    shown: String,
    found: Vec<Candidate>,
    /// What is declared, or settled, or about something declared: marks in it say nothing of their own.
    covered: Vec<Range<usize>>,
    /// The blocks between marks such as `<<[UNRESOLVED]>>`.
    unresolved: Vec<Range<usize>>,
    /// Lists that say more about the question before them.
    contexts: Vec<Range<usize>>,
    /// Names whose entry says that it is open no more, with its line.
    over: BTreeMap<String, u32>,
}

/// Everything that a source declares.
pub fn inventory(document: &Document) -> Inventory {
    let listings = Listings::of(document);
    let mut gathering = Gathering {
        document,
        covered: listings.introductions().collect(),
        listings,
        earlier: earlier_limitations(&document.source).unwrap_or_default(),
        shown: String::new(),
        found: Vec::new(),
        unresolved: Vec::new(),
        contexts: Vec::new(),
        over: BTreeMap::new(),
    };
    let traced = traced_gaps(&document.source);
    gathering.unresolved_blocks();
    gathering.find_contexts();
    gathering.headings(&traced);
    gathering.items();
    gathering.rows();
    let groups = gathering.groups();
    gathering.paragraphs(&groups);
    gathering.inline_lists();
    gathering.bare_sections();
    gathering.statements(&groups);
    gathering.marks(&traced);
    let mut found = gathering.found;
    found.sort_by_key(|candidate| candidate.at);
    let Merged {
        candidates,
        mut passed_over,
    } = merged(found, &gathering.over);
    let declared = naming::name(candidates, traced, &mut passed_over);
    passed_over.sort();
    Inventory {
        declared,
        passed_over,
    }
}

/// The gaps that the document declares, in order, those that two items of a section declare twice. A known limitation of an
/// earlier session declares its gap only where nothing else does.
pub fn declared_gaps(document: &Document) -> Vec<DeclaredGap> {
    inventory(document)
        .declared
        .into_iter()
        .map(|declaration| declaration.gap)
        .collect()
}
