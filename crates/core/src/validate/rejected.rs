//! Owns whether a proposal says again what the user decided against. It only warns: the same words may carry the decision out.

use crate::disagreement::Keywords;
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
    /// True where a text has most of the keywords that only the rejected position has.
    pub(super) fn is_repeated_in(&self, text: &str) -> bool {
        let instead = Keywords::of(&self.instead);
        let text = Keywords::of(text);
        let position = Keywords::of(&self.position);
        let own: Vec<&str> = position.iter().filter(|word| !instead.has(word)).collect();
        let found = own.iter().filter(|word| text.has(word)).count();
        own.len() >= FEWEST_WORDS && found * 2 > own.len()
    }
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
