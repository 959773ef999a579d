//! How much of a document is taken and said, so that no hostile one makes events grow.

use gapless_domain::{Warning, comma_list_of};

/// How many issues one review may raise: with every rollback of a session, ids of a round suffice.
pub(super) const MOST_ISSUES: usize = 100;

/// How many new gaps one document may declare.
pub(super) const MOST_NEW_GAPS: usize = 100;

/// How many references to unknown gaps are said one by one.
pub(super) const MOST_REFERENCE_WARNINGS: usize = 10;

/// Cuts a list that no honest document has, and says so.
pub(super) fn cut<T>(list: &mut Vec<T>, most: usize, what: &str, warnings: &mut Vec<Warning>) {
    if list.len() > most {
        let message = format!(
            "{} {what} are more than one document may bring; {most} were taken",
            list.len()
        );
        warnings.push(Warning::new("TOO_MANY", None, message));
        list.truncate(most);
    }
}

/// The first ids of a list, and how many there are beside them.
pub(super) fn listed<T: ToString>(ids: impl IntoIterator<Item = T>) -> String {
    comma_list_of(ids, MOST_REFERENCE_WARNINGS)
}
