//! The collections of a state whose copies share what they have in common: a copy costs the same however much is in it,
//! and a change copies the one entry that changes.

use std::iter::Map;
use std::ops::Index;
use std::sync::{Arc, OnceLock};

use imbl::shared_ptr::DefaultSharedPtr;
use imbl::{OrdMap, Vector, ordmap};

use gapless_domain::{Decision, DecisionId, IssueId};

/// A map in the order of its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedMap<K: Ord, V>(OrdMap<K, Arc<V>>);

/// The values of a map, in the order of their keys.
pub type Values<'m, K, V> =
    Map<ordmap::Values<'m, K, Arc<V>, DefaultSharedPtr>, fn(&'m Arc<V>) -> &'m V>;

impl<K: Ord, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self(OrdMap::new())
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    pub fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key).map(Arc::as_ref)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.0.get_mut(key).map(Arc::make_mut)
    }

    pub fn contains_key(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// True where there is a value for a key and something holds for it.
    pub fn has(&self, key: &K, what: impl FnOnce(&V) -> bool) -> bool {
        self.get(key).is_some_and(what)
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, Arc::new(value));
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.0.remove(key).map(Arc::unwrap_or_clone)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value.as_ref()))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.keys()
    }

    pub fn values(&self) -> Values<'_, K, V> {
        self.0.values().map(Arc::as_ref)
    }
}

impl<K: Ord, V> Index<&K> for SharedMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        &self.0[key]
    }
}

/// The decisions of a session in the order in which they were made, found by id and by the issue that they are on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisions {
    list: Vector<Arc<Decision>>,
    places: OrdMap<DecisionId, usize>,
    on_issues: OrdMap<IssueId, Vec<usize>>,
}

impl Decisions {
    pub fn push_back(&mut self, decision: Decision) {
        let place = self.list.len();
        self.places.entry(decision.id).or_insert(place);
        if let Some(issue) = decision.issue {
            self.on_issues.entry(issue).or_default().push(place);
        }
        self.list.push_back(Arc::new(decision));
    }

    pub fn get(&self, id: &DecisionId) -> Option<&Decision> {
        let place = self.places.get(id)?;
        self.list.get(*place).map(Arc::as_ref)
    }

    /// Takes a decision out of force.
    pub fn lift(&mut self, id: &DecisionId, why: &str) {
        let place = self.places.get(id);
        if let Some(decision) = place.and_then(|place| self.list.get_mut(*place)) {
            Arc::make_mut(decision).lifted = Some(why.to_owned());
        }
    }

    pub fn on_issue(&self, issue: &IssueId) -> impl Iterator<Item = &Decision> {
        let places = self.on_issues.get(issue).into_iter().flatten();
        places.filter_map(|place| self.list.get(*place).map(Arc::as_ref))
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Decision> {
        self.list.iter().map(Arc::as_ref)
    }

    pub fn back(&self) -> Option<&Decision> {
        self.list.back().map(Arc::as_ref)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Index<usize> for Decisions {
    type Output = Decision;

    fn index(&self, place: usize) -> &Decision {
        &self.list[place]
    }
}

/// What was written of something that never changes, so that it need not be written again. No part of what it is of: two are
/// always equal.
#[derive(Debug, Clone, Default)]
pub struct Written(OnceLock<Arc<str>>);

impl Written {
    pub fn once(&self, write: impl FnOnce() -> String) -> &str {
        self.0.get_or_init(|| write().into())
    }
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Written {}
