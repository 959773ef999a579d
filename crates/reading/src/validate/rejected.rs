//! Decides whether a proposal says again what a decision turned down. In a document it only warns, since the same words may
//! carry the decision out; the mediator asks the user where the decision is grave.

use std::collections::BTreeSet;

use gapless_domain::keywords::Keywords;
use gapless_domain::matter::content_of;
use gapless_domain::words::numbers_in;
use gapless_domain::{DecisionId, IssueId, Severity};

/// The fewest words by which a position can be told from others.
const FEWEST_WORDS: usize = 3;
/// How many words a sentence must share with the positions to be about the same thing.
const FEWEST_SHARED: usize = 2;

/// How many percent of a subject a sentence must have to be about it.
const HALF: u32 = 50;

/// A position that a decision turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    pub decision: DecisionId,
    pub issue: Option<IssueId>,
    /// How grave the issue was when it was decided.
    pub severity: Option<Severity>,
    pub position: String,
    /// What holds instead.
    pub chosen: String,
    /// What the decision is about: words of it tell nothing.
    pub subject: String,
}

impl Rejected {
    /// True where a text says what the decision turned down, and not what it chose: all of it, or the sentences that are most about
    /// the decision's subject.
    pub fn is_repeated_in(&self, text: &str) -> bool {
        self.stands_in(text) || self.stands_in(&self.most_about_subject(text))
    }

    /// The sentences that share most with the subject, where that is half of it at least.
    fn most_about_subject(&self, text: &str) -> String {
        let subject = Keywords::of(&content_of(&self.subject));
        let shares = |sentence: &str| subject.share(&[&Keywords::of(sentence)]);
        let about: Vec<(u32, &str)> = sentences(text)
            .map(|sentence| (shares(sentence), sentence))
            .collect();
        let most = about.iter().map(|(share, _)| *share).max();
        let most = most.filter(|most| *most >= HALF);
        let about = about.into_iter().filter(|(share, _)| Some(*share) == most);
        let about: Vec<&str> = about.map(|(_, sentence)| sentence).collect();
        about.join("\n")
    }

    fn stands_in(&self, text: &str) -> bool {
        let subject = Keywords::of(&self.subject);
        let (position, chosen) = (Keywords::of(&self.position), Keywords::of(&self.chosen));
        let all = Keywords::of(text);
        let own = |side: &Keywords, other: &Keywords| -> (usize, usize) {
            let own = side
                .iter()
                .filter(|word| !other.has(word) && !subject.has(word));
            let own: Vec<&str> = own.collect();
            let found = own.iter().filter(|word| all.has(word)).count();
            (own.len(), found)
        };
        let numbers = numbers_in(text);
        let (decided, rejected) = (numbers_in(&self.chosen), numbers_in(&self.position));
        let (words, found) = own(&chosen, &position);
        let values = decided
            .difference(&rejected)
            .all(|number| numbers.contains(number));
        // Words say that it is carried out, or the values where it has nothing else of its own.
        let has_values = decided.difference(&rejected).next().is_some();
        let carried_out = match words {
            0 => has_values && values,
            words => found * 2 > words && values,
        };
        let (words, found) = own(&position, &chosen);
        let by_words = words >= FEWEST_WORDS && found * 2 > words;
        !carried_out && (by_words || self.values_stand_in(text, &position, &chosen))
    }

    /// True where a sentence about the same thing has a number of the rejected position and none of the decision.
    fn values_stand_in(&self, text: &str, position: &Keywords, chosen: &Keywords) -> bool {
        let decided = numbers_in(&self.chosen);
        let rejected = numbers_in(&self.position);
        let rejected: BTreeSet<&String> = rejected.difference(&decided).collect();
        if rejected.is_empty() || decided.is_empty() {
            return false;
        }
        sentences(text).any(|sentence| {
            let words = Keywords::of(sentence);
            let numbers = numbers_in(sentence);
            let about = words.shared(&[position, chosen]) >= FEWEST_SHARED;
            about
                && numbers.iter().any(|number| rejected.contains(number))
                && numbers.is_disjoint(&decided)
        })
    }
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split(". "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(position: &str, chosen: &str, subject: &str) -> Rejected {
        Rejected {
            decision: DecisionId::new(2, 1),
            issue: None,
            severity: None,
            position: position.to_owned(),
            chosen: chosen.to_owned(),
            subject: subject.to_owned(),
        }
    }

    #[test]
    fn most_of_the_words_that_only_the_position_has() {
        let rejected = rejected(
            "Keep instant retries for local file operations.",
            "Implement exponential delays between retries",
            "Retry timing",
        );
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

    #[test]
    fn a_value_in_the_place_of_the_one_that_was_decided() {
        let rejected = rejected(
            "The daily cap for sellers is 50,000 EUR.",
            "Set the daily cap for sellers to 10,000 EUR",
            "Daily cap",
        );
        let repeated = |text: &str| rejected.is_repeated_in(text);
        assert!(repeated("Sellers have a daily cap of 50,000 EUR."));
        assert!(!repeated("Sellers have a daily cap of 10,000 EUR."));
        assert!(!repeated("The daily cap was 50,000 EUR and is 10,000 EUR."));
        assert!(!repeated("A page shows 50,000 rows."));
    }
}
