//! A state machine of a spec: its states, its transitions, and where each is named.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tables::bare;

#[derive(Debug, Clone)]
pub struct Transition {
    pub from: String,
    pub to: String,
    pub event: String,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, Default)]
pub struct Machine {
    pub section: usize,
    /// Where each state is first named, by its key; with the name as it is written.
    pub states: BTreeMap<String, (String, Range<usize>)>,
    /// The states in the order in which they are named.
    pub order: Vec<String>,
    pub transitions: Vec<Transition>,
    pub initial: BTreeSet<String>,
    pub terminal: BTreeSet<String>,
    /// Whether something leaves every state.
    pub leaves_any: bool,
}

/// A state's name as it is compared.
pub fn state_key(name: &str) -> String {
    // `Browse (root)` is `Browse`.
    let name = match name.split_once(" (") {
        Some((name, _)) if !name.trim().is_empty() => name,
        _ => name,
    };
    let kept = bare(name).chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

impl Machine {
    pub(super) fn new(section: usize) -> Self {
        Self {
            section,
            ..Self::default()
        }
    }

    pub(super) fn state(&mut self, name: &str, span: Range<usize>) -> String {
        let key = state_key(name);
        self.states.entry(key.clone()).or_insert_with(|| {
            self.order.push(key.clone());
            (bare(name).to_owned(), span)
        });
        key
    }

    pub(super) fn transition(&mut self, from: &str, to: &str, event: &str, span: Range<usize>) {
        let pseudo = |name: &str| name.trim() == "[*]";
        match (pseudo(from), pseudo(to)) {
            (true, true) => {}
            (true, false) => {
                let to = self.state(to, span);
                self.initial.insert(to);
            }
            (false, true) => {
                let from = self.state(from, span);
                self.terminal.insert(from);
            }
            (false, false) => {
                let from = self.state(from, span.clone());
                let to = self.state(to, span.clone());
                let event = event.trim().to_lowercase();
                self.transitions.push(Transition {
                    from,
                    to,
                    event,
                    span,
                });
            }
        }
    }

    pub(super) fn is_one(&self) -> bool {
        self.transitions.len() >= 2 && self.states.len() >= 3
    }
}
