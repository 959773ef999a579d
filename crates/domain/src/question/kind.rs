//! What every kind of question has: a subject, options and fields.

use crate::{ArchiveChoice, IssueId, SlotId};

/// One of a fixed list of names: an option of a question, or a field.
pub trait Name: Copy + Eq + 'static {
    const ALL: &'static [Self];

    /// The name as answers files, `--json` and the event log have it.
    fn name(self) -> &'static str;

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.name() == name)
    }
}

/// Defines the options or the fields of a kind, or takes those that exist. A variant's name is the variant in snake case,
/// unless one is given.
macro_rules! names {
    ($list:ident $existing:ident) => {
        pub type $list = $existing;
    };
    ($list:ident { $($variant:ident $(= $name:literal)?),+ }) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
            strum::IntoStaticStr,
        )]
        #[serde(rename_all = "snake_case")]
        #[strum(serialize_all = "snake_case")]
        pub enum $list {
            $($(#[serde(rename = $name)] #[strum(serialize = $name)])? $variant),+
        }

        impl $crate::question::kind::Name for $list {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}
pub(crate) use names;

impl Name for ArchiveChoice {
    const ALL: &'static [Self] = &ArchiveChoice::ALL;

    fn name(self) -> &'static str {
        ArchiveChoice::name(self)
    }
}

/// The fields of a kind that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFields {}

impl Name for NoFields {
    const ALL: &'static [Self] = &[];

    fn name(self) -> &'static str {
        match self {}
    }
}

/// What a question of one kind is about, and what can be answered.
pub trait Kind {
    type Options: Name;
    type Fields: Name;

    /// True where the question lists the inventory, and is asked again when that changes.
    const LISTS_INVENTORY: bool = false;

    /// True where nothing but an answer takes a grave question back: it is waited for before a session ends as COMPLETE.
    const IS_AWAITED_BEFORE_END: bool = false;

    /// The options that accept gaps which the answer doesn't name.
    const ACCEPTS_WHAT_IT_LISTS: &[Self::Options] = &[];

    /// What it is about, as answers files key it.
    fn subject(&self) -> String;

    /// The slot that waits for the answer.
    fn slot(&self) -> Option<SlotId> {
        None
    }

    /// The issues on which the user decides between Engineer and Reviewer.
    fn conflicts(&self) -> &[IssueId] {
        &[]
    }

    /// The issues whose flags the user is asked about.
    fn flagged(&self) -> &[IssueId] {
        &[]
    }
}
