//! The inbox: what users say in other processes reaches the one that drives, and the answer goes back.

use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Step, UserInput};
use gapless_store::{Letter, Store};
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::session::Session;

/// What became of a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum LetterOutcome {
    Taken,
    Refused { why: String },
}

impl<S: Store> Session<S> {
    /// Takes every letter that waits; true where there was one. Taking it and what follows from it is one transaction.
    pub fn take_letters(&mut self, at: Time) -> Result<bool, RunError> {
        let mut letters = self.store().letters(self.name())?;
        // What was taken since the last commit still waits as far as the store knows.
        letters.retain(|letter| !self.has_taken(letter.id));
        let id = match letters.is_empty() {
            true => None,
            false => self.id()?,
        };
        for letter in &letters {
            if let Some(why) = self.not_for_it(id.as_deref(), letter) {
                self.drop_letter(why);
                let why = why.to_owned();
                let outcome = serde_json::to_string(&LetterOutcome::Refused { why });
                self.take_letter(letter.id, outcome.unwrap_or_default());
                continue;
            }
            // What the letter before it changed may have left a question to be asked again, which this one may answer.
            while !self.state().now.round.to_renew.is_empty() && self.step() == Step::Advance {
                self.feed(at, Incoming::Advance)?;
            }
            let outcome = match serde_json::from_str::<UserInput>(&letter.body) {
                Ok(input) => match self.feed(at, Incoming::User(input)) {
                    Ok(()) => LetterOutcome::Taken,
                    Err(refusal) => LetterOutcome::Refused {
                        why: refusal.to_string(),
                    },
                },
                Err(error) => LetterOutcome::Refused {
                    why: format!("the message cannot be read: {error}"),
                },
            };
            let outcome = serde_json::to_string(&outcome).unwrap_or_default();
            self.take_letter(letter.id, outcome);
        }
        Ok(!letters.is_empty())
    }

    /// Why a letter is not for this session; a prepared database can bring letters along for a name that is used later.
    fn not_for_it(&self, id: Option<&str>, letter: &Letter) -> Option<&'static str> {
        let began = self.state().kept.origin.as_ref().map(|origin| origin.at);
        if id.is_none() || letter.bound_to.as_deref() != id {
            Some("it was posted to another session")
        } else if began.is_none_or(|began| letter.posted_at < began) {
            Some("it is older than the session")
        } else {
            None
        }
    }
}
