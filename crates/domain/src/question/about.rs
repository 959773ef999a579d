//! What a question is about, made from the list of kinds: a module for each, and one enum of them all.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, Name, NoFields, names};
use crate::{
    ArchiveChoice, Concern, DecisionId, End, GapId, IssueId, RollbackTrigger, Severity, SlotId,
    Trigger, comma_list, for_each_kind,
};

macro_rules! about {
    ($(
        $(#[$doc:meta])*
        $kind:ident: $module:ident {
            subject { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? } named $name:expr;
            options $options:tt
            fields $fields:tt
            $($different:item)*
        }
    )+) => {
        $(
            $(#[$doc])*
            pub mod $module {
                use super::*;

                #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
                pub struct Subject {
                    $($(#[$attribute])* pub $field: $type),*
                }

                names!(Options $options);
                names!(Fields $fields);

                impl Kind for Subject {
                    type Options = Options;
                    type Fields = Fields;

                    $($different)*

                    #[allow(unused_variables)]
                    fn subject(&self) -> String {
                        let Self { $($field),* } = self;
                        $name.to_string()
                    }
                }

                impl Subject {
                    /// The subject of a question, where it is of this kind.
                    pub fn of(about: &About) -> Option<&Self> {
                        match about {
                            About::$kind(subject) => Some(subject),
                            _ => None,
                        }
                    }
                }
            }
        )+

        /// What a question is about: its kind, and what its answer acts on.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum About {
            $($kind($module::Subject)),+
        }

        impl About {
            pub const KINDS: [&'static str; [$(stringify!($module)),+].len()] = [$(stringify!($module)),+];

            /// The kind, as answers files and `--json` name it.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(About::$kind(_) => stringify!($module)),+
                }
            }

            /// What it is about, as answers files key it.
            pub fn subject(&self) -> String {
                match self {
                    $(About::$kind(subject) => subject.subject()),+
                }
            }

            /// The slot that waits for the answer.
            pub fn slot(&self) -> Option<SlotId> {
                match self {
                    $(About::$kind(subject) => subject.slot()),+
                }
            }

            /// The issues on which the user decides between Engineer and Reviewer.
            pub fn conflicts(&self) -> &[IssueId] {
                match self {
                    $(About::$kind(subject) => subject.conflicts()),+
                }
            }

            /// The issues whose flags the user is asked about.
            pub fn flagged(&self) -> &[IssueId] {
                match self {
                    $(About::$kind(subject) => subject.flagged()),+
                }
            }

            /// True where the question lists the inventory, and is asked again when that changes.
            pub fn lists_inventory(&self) -> bool {
                match self {
                    $(About::$kind(_) => $module::Subject::LISTS_INVENTORY),+
                }
            }

            /// True where nothing but an answer takes a grave question back.
            pub fn is_awaited_before_end(&self) -> bool {
                match self {
                    $(About::$kind(_) => $module::Subject::IS_AWAITED_BEFORE_END),+
                }
            }

            /// True for an option that accepts gaps which the answer doesn't name.
            pub fn accepts_what_it_lists(&self, option: &str) -> bool {
                fn accepts<K: Kind>(_: &K, option: &str) -> bool {
                    K::ACCEPTS_WHAT_IT_LISTS.iter().any(|own| own.name() == option)
                }
                match self {
                    $(About::$kind(subject) => accepts(subject, option)),+
                }
            }

            /// Every kind with the names of its options.
            pub fn options() -> Vec<(&'static str, Vec<&'static str>)> {
                fn names<K: Kind>() -> Vec<&'static str> {
                    K::Options::ALL.iter().map(|option| option.name()).collect()
                }
                vec![$((stringify!($module), names::<$module::Subject>())),+]
            }
        }
    };
}

for_each_kind!(about);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;

    #[test]
    fn kinds_are_stored_under_their_names() {
        let unknown = serde_json::from_str::<About>(r#"{"kind": "?"}"#).unwrap_err();
        let stored = About::KINDS.map(|kind| format!("`{kind}`")).join(", ");
        let expected = format!("unknown variant `?`, expected one of {stored}");
        assert!(unknown.to_string().starts_with(&expected), "{unknown}");
    }

    fn names_are_stored_as_they_are<N>(kind: &str)
    where
        N: Name + Debug + Serialize + DeserializeOwned,
    {
        let names: BTreeSet<&str> = N::ALL.iter().map(|own| own.name()).collect();
        assert_eq!(names.len(), N::ALL.len(), "{kind}");
        for own in N::ALL {
            let stored = serde_json::to_value(own).unwrap();
            assert_eq!(stored, own.name(), "{kind}");
            assert_eq!(serde_json::from_value::<N>(stored).unwrap(), *own, "{kind}");
            assert_eq!(N::named(own.name()), Some(*own), "{kind}");
        }
    }

    #[test]
    fn options_are_stored_under_their_names() {
        macro_rules! check {
            ($($(#[$doc:meta])* $kind:ident: $module:ident $entry:tt)+) => {
                $(names_are_stored_as_they_are::<<$module::Subject as Kind>::Options>(stringify!($module));)+
            };
        }
        for_each_kind!(check);
    }
}
