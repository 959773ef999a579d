//! An issue as detection sees it: what it is called in documents, and what it is about.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::words::straight;
use gapless_domain::ids::GapId;
use gapless_domain::issue::Concern;
use gapless_domain::keywords::Keywords;
use gapless_domain::matter::content_of;
use gapless_domain::words::numbers_in;

/// A raised issue, in plain terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Raised {
    pub id: String,
    /// Other names of the same issue.
    pub aliases: Vec<String>,
    /// Aliases that a later review gave to another issue: from then on they mean that one.
    #[serde(skip)]
    pub given_away: Vec<String>,
    pub round: u32,
    pub gap: Option<GapId>,
    #[serde(flatten)]
    pub concern: Arc<Concern>,
}

/// What to look for in an answer.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub keywords: Keywords,
    /// Those of the summary without what any summary says: "what happens when … is not said".
    pub content: Keywords,
    /// What the Reviewer asks for: the keywords of each sentence or option of the suggestion that says enough.
    pub options: Vec<Keywords>,
    /// The summary, lowercase and on one line.
    pub said: String,
    /// The keywords of the suggestion.
    pub asked: Keywords,
    /// The numbers of the summary.
    pub numbers: BTreeSet<String>,
    /// Phrases that the summary quotes, lowercase.
    pub phrases: Vec<String>,
    /// The place that is criticised, lowercase, where it says more than a number.
    pub location: Option<String>,
}

impl Raised {
    /// All names, as documents may write them: the short form of a canonical id too.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str));
        let own = own.filter(|name| self.given_away.iter().all(|given| given != name));
        own.flat_map(|name| [Some(name), short_form(name)])
            .flatten()
            .filter(|name| !name.is_empty())
    }

    pub fn wanted(&self) -> Wanted {
        let concern = &self.concern;
        Wanted {
            keywords: Keywords::of(&concern.summary),
            content: Keywords::of(&content_of(&concern.summary)),
            options: concern.suggestion.as_deref().map_or_else(Vec::new, options),
            said: straight(concern.summary.trim().trim_end_matches('.')),
            asked: Keywords::of(concern.suggestion.as_deref().unwrap_or_default()),
            numbers: numbers_in(&concern.summary),
            phrases: quoted(&concern.summary),
            location: concern.location.as_deref().and_then(place),
        }
    }
}

/// `R3-002` of `ISSUE-R3-002`.
fn short_form(name: &str) -> Option<&str> {
    name.strip_prefix("ISSUE-")
        .filter(|rest| rest.starts_with('R'))
}

/// How many keywords make a sentence that can be recognised.
pub const ENOUGH_WORDS: usize = 3;
/// How many sentences of a suggestion are looked for.
const MOST_OPTIONS: usize = 50;

fn options(suggestion: &str) -> Vec<Keywords> {
    suggestion
        .split(". ")
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split("; "))
        .map(Keywords::of)
        .filter(|keywords| keywords.len() >= ENOUGH_WORDS)
        .take(MOST_OPTIONS)
        .collect()
}

/// The quoted phrases of a text that have more than one word.
fn quoted(text: &str) -> Vec<String> {
    let text = straight(text);
    text.split('"')
        .skip(1)
        .step_by(2)
        .map(str::trim)
        .filter(|phrase| phrase.split([' ', '-']).filter(|w| !w.is_empty()).count() > 1)
        .map(str::to_owned)
        .collect()
}

/// A location without line numbers, where it has two words or more that mean something.
fn place(location: &str) -> Option<String> {
    let head = location.split(['(', ',', ';']).next().unwrap_or("");
    let head = straight(head);
    let head = head.trim_matches(['"', '\'', ' ', '.']);
    (Keywords::of(head).len() >= 2).then(|| head.to_owned())
}

/// The places at which a name is in a text with a boundary on both sides: `C-1` is not in `C-11`, `H2` not in `H2O`.
fn occurrences(text: &str, name: &str) -> impl Iterator<Item = usize> {
    let part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let places = text.match_indices(name).map(|(at, _)| at);
    places.filter(move |at| {
        let before = text[..*at].chars().next_back();
        let mut behind = text[at + name.len()..].chars();
        let next = behind.next();
        let joined = next == Some('.') && behind.next().is_some_and(char::is_alphanumeric);
        !before.is_some_and(part) && !next.is_some_and(part) && !joined
    })
}

/// True where a text has a name with a boundary on both sides.
pub fn has_name(text: &str, name: &str) -> bool {
    // Most texts have none, and a look for that is cheap.
    text.contains(name) && occurrences(text, name).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_boundaries_only() {
        let count = |text: &str, name: &str| occurrences(text, name).count();
        assert_eq!(count("see C-1, C-11 and XC-1; C-1.", "C-1"), 2);
        assert_eq!(count("H2O H2 `H2` H2.1", "H2"), 2);
        assert_eq!(
            count("ISSUE-R1-0010 ISSUE-R1-001a ISSUE-R11-001", "ISSUE-R1-001"),
            0
        );
    }

    #[test]
    fn phrases_and_places_are_taken_where_they_say_enough() {
        assert_eq!(
            quoted("\u{201c}user-warned\u{201d} and \"done\" and \"good enough\" lack"),
            ["user-warned", "good enough"]
        );
        assert_eq!(place("Section 3"), None);
        assert_eq!(
            place("Token Rotation table, row 2").as_deref(),
            Some("token rotation table")
        );
    }
}
