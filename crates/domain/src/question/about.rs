//! The list of all kinds of questions. A new kind is a file here, a file of the same name in the mediator, and a line in
//! the list.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, Name};
use super::{
    agent_cannot_run, archives, blocked_gap, both_empty, broken_agent, conflict, contradiction,
    decided_matter, defaults, divergence, escalation, implicit_disagreement, inventory,
    lesser_conflicts, nothing_to_plan, rate_limit, rollback, rollback_limit, root_cause,
    round_limit, severity, stop, systematic_concern, undone_decisions,
};
use crate::ids::IssueId;
use crate::task::SlotId;

/// Calls a macro with all kinds, each with its module, whose name is also the kind's.
#[macro_export]
macro_rules! for_each_kind {
    ($callback:ident) => {
        $callback! {
            Inventory: inventory,
            BlockedGap: blocked_gap,
            Escalation: escalation,
            AgentCannotRun: agent_cannot_run,
            BrokenAgent: broken_agent,
            BothEmpty: both_empty,
            Conflict: conflict,
            LesserConflicts: lesser_conflicts,
            DecidedMatter: decided_matter,
            Contradiction: contradiction,
            RateLimit: rate_limit,
            ImplicitDisagreement: implicit_disagreement,
            SystematicConcern: systematic_concern,
            Defaults: defaults,
            Severity: severity,
            Divergence: divergence,
            NothingToPlan: nothing_to_plan,
            RoundLimit: round_limit,
            Rollback: rollback,
            RootCause: root_cause,
            RollbackLimit: rollback_limit,
            UndoneDecisions: undone_decisions,
            Archives: archives,
            Stop: stop,
        }
    };
}

macro_rules! about {
    ($($kind:ident: $module:ident,)+) => {
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
                    $(About::$kind(subject) => subject.lists_inventory()),+
                }
            }

            /// True where nothing but an answer takes a grave question back.
            pub fn is_awaited_before_end(&self) -> bool {
                match self {
                    $(About::$kind(subject) => subject.is_awaited_before_end()),+
                }
            }

            /// True for an option that accepts gaps which the answer doesn't name.
            pub fn accepts_what_it_lists(&self, option: &str) -> bool {
                fn accepts<K: Kind>(_: &K, option: &str) -> bool {
                    K::Options::named(option).is_some_and(K::accepts_what_it_lists)
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
