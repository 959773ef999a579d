//! Owns whether a proposal says again what the user decided against. It only warns: the same words may carry the decision out.

use std::collections::BTreeSet;

use crate::ids::{DecisionId, IssueId};

/// The fewest words by which a position can be told from others.
const FEWEST_WORDS: usize = 3;

/// A position of the Engineer's that the user decided against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    pub decision: DecisionId,
    pub issue: Option<IssueId>,
    pub position: String,
    /// What was decided instead, and what the Reviewer holds: words of these tell nothing.
    pub instead: String,
}

impl Rejected {
    /// True where a text has most of the words that only the rejected position has.
    pub(super) fn is_repeated_in(&self, text: &str) -> bool {
        let instead = words(&self.instead);
        let own: BTreeSet<String> = words(&self.position)
            .difference(&instead)
            .cloned()
            .collect();
        let found = own.intersection(&words(text)).count();
        own.len() >= FEWEST_WORDS && found * 2 > own.len()
    }
}

/// The words of a text that carry meaning, in small letters.
fn words(text: &str) -> BTreeSet<String> {
    const EMPTY: [&str; 24] = [
        "this", "that", "with", "from", "which", "there", "their", "they", "have", "must",
        "should", "would", "could", "will", "when", "where", "what", "than", "then", "into",
        "only", "some", "more", "does",
    ];
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 3 && !EMPTY.contains(&word.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_words_that_only_the_position_has() {
        let rejected = Rejected {
            decision: DecisionId::new(2, 1),
            issue: None,
            position: "Keep instant retries for local file operations.".to_owned(),
            instead: "Implement exponential delays between retries".to_owned(),
        };
        let repeated = |text: &str| rejected.is_repeated_in(text);
        assert!(repeated("We keep retries of file operations instant."));
        assert!(
            !repeated("Retries wait 1, 2 and 4 seconds."),
            "a shared word"
        );
        assert!(!repeated("The file is kept."), "one word of five");
        let short = Rejected {
            position: "No backoff.".to_owned(),
            ..rejected.clone()
        };
        assert!(
            !short.is_repeated_in("There is no backoff."),
            "too little to tell"
        );
    }
}
