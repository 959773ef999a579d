//! Gathers the facts of a spec that rules read, in one pass. No rule parses anything, and gathering takes time linear in the
//! length of the text.

mod claims;
mod definitions;
mod diagrams;
mod force;
mod lexicon;
mod machine;
mod machines;
mod mentions;
mod references;
mod sections;
mod sentences;
mod spec_text;
mod tables;
mod titles;
mod words;

use std::ops::Deref;

pub use claims::Claim;
pub use definitions::{Definitions, normalised};
pub use lexicon::{Class, Classes};
pub use machine::{Machine, Transition, state_key};
pub use references::{Reference, ReferenceKind, References};
pub use sections::{Purpose, Section};
pub use sentences::{Force, Hit, Modal, Sentence};
pub use spec_text::SpecText;
pub use tables::{Row, Table};
pub use titles::Titles;
pub use words::Word;

use crate::Surroundings;

/// Everything that rules know of a spec.
pub struct Facts<'a> {
    text: SpecText<'a>,
    pub tables: Vec<Table>,
    pub definitions: Definitions,
    pub references: References,
    pub machines: Vec<Machine>,
    /// The sentences that oblige, in order.
    pub claims: Vec<Claim>,
    /// What any part of the spec speaks of, headings and code included.
    pub mentioned: Classes,
    pub surroundings: &'a dyn Surroundings,
}

impl<'a> Facts<'a> {
    pub fn gather(text: &'a str, surroundings: &'a dyn Surroundings) -> Self {
        let mut text = SpecText::of(text);
        force::settle(&mut text);
        let tables = tables::tables_of(&text);
        Self {
            definitions: definitions::definitions_of(&text, &tables),
            references: references::references_of(&text),
            machines: machines::machines_of(&text, &tables),
            claims: claims::claims_of(&text),
            mentioned: mentions::mentioned_in(&text),
            text,
            tables,
            surroundings,
        }
    }
}

impl<'a> Deref for Facts<'a> {
    type Target = SpecText<'a>;

    fn deref(&self) -> &SpecText<'a> {
        &self.text
    }
}
