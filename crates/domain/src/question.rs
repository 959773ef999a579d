//! Questions and answers: everything that only the user may decide, as data that every interface shows alike. `kinds`
//! lists the kinds of questions, each with its subject, options and fields.
//! An answer that doesn't fit is refused with the reason, and the question stays.

mod about;
mod kind;
mod kinds;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Person, QuestionId, Severity, comma_list};

pub use about::*;
pub use kind::{Kind, Name, NoFields};

/// One way to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub label: String,
    pub text: String,
    /// What will happen.
    pub effect: String,
    #[serde(default)]
    pub recommended: bool,
    /// Taken when nobody is there to ask; never offered to a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub policy_only: bool,
}

/// A free text that goes with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub text: String,
    /// The options that can't be taken without it.
    pub needed_for: Vec<String>,
    /// The options that it may go with beside those; none means any, where nothing needs it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered_for: Vec<String>,
    /// The exact sentence it must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exactly: Option<String>,
    /// What interfaces offer to take over; never taken without the user's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested: Option<String>,
}

impl Field {
    /// True where it may go with this option.
    pub fn goes_with(&self, option: &str) -> bool {
        let named = |options: &[String]| options.iter().any(|label| label == option);
        let for_any = self.needed_for.is_empty() && self.offered_for.is_empty();
        for_any || named(&self.needed_for) || named(&self.offered_for)
    }
}

/// What waits while a question is unanswered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// The phase that asked goes no further.
    Phase,
    /// Its gap is not planned.
    Gap,
    Nothing,
}

/// Something that only the user may decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub id: QuestionId,
    pub about: About,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    pub title: String,
    /// What a person must know to decide, in markdown.
    pub context: String,
    pub options: Vec<Choice>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    pub holds: Holds,
    pub without_answer: String,
    /// The gaps and issues that its option `accept` accepts as they are, without the answer naming them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<String>,
    /// The questions whose place it took, because what they listed has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<QuestionId>,
}

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    User,
    Policy,
}

impl DecidedBy {
    /// Who decided, in a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            DecidedBy::User => "decided by the user",
            DecidedBy::Policy => "decided by policy, without a user",
        }
    }
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DecidedBy::User => "user",
            DecidedBy::Policy => "policy",
        })
    }
}

/// An answer as it comes in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub option: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    pub by: DecidedBy,
    /// Who filled in the form that it came with, where somebody says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled_in_by: Option<Person>,
}

impl Answer {
    pub fn of(option: &str, by: DecidedBy) -> Self {
        Self {
            option: option.to_owned(),
            fields: BTreeMap::new(),
            by,
            filled_in_by: None,
        }
    }

    pub fn with(mut self, field: &str, value: &str) -> Self {
        self.fields.insert(field.to_owned(), value.to_owned());
        self
    }

    /// The trimmed value of a field, or nothing.
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", |value| value.trim())
    }
}

/// Why an answer doesn't fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("`{option}` is not an option of {question}; it has: {known}")]
    UnknownOption {
        question: QuestionId,
        option: String,
        known: String,
    },
    #[error("{question} has no field `{field}`; it has: {known}")]
    UnknownField {
        question: QuestionId,
        field: String,
        known: String,
    },
    #[error("option `{option}` needs the field `{field}` ({text})")]
    MissingField {
        option: String,
        field: String,
        text: String,
    },
    #[error("the field `{field}` must be exactly: {sentence}")]
    WrongSentence { field: String, sentence: String },
    #[error("the field `{field}`: {why}")]
    BadField { field: String, why: String },
}

impl Question {
    /// Checks an answer against the options and fields; what a field means is checked where it is used.
    pub fn check(&self, answer: &Answer) -> Result<(), AnswerError> {
        let offered = |choice: &&Choice| !choice.policy_only || answer.by == DecidedBy::Policy;
        let known = self.options.iter().filter(offered);
        if !known.clone().any(|choice| choice.label == answer.option) {
            return Err(AnswerError::UnknownOption {
                question: self.id,
                option: answer.option.clone(),
                known: comma_list(known.map(|choice| &choice.label)),
            });
        }
        for name in answer.fields.keys() {
            if !self.fields.iter().any(|field| field.name == *name) {
                return Err(AnswerError::UnknownField {
                    question: self.id,
                    field: name.clone(),
                    known: match self.fields.is_empty() {
                        true => "none".to_owned(),
                        false => comma_list(self.fields.iter().map(|field| &field.name)),
                    },
                });
            }
        }
        for field in &self.fields {
            let value = answer.field(&field.name);
            let needed = field.needed_for.contains(&answer.option);
            match &field.exactly {
                Some(sentence) if needed && value != sentence => {
                    return Err(AnswerError::WrongSentence {
                        field: field.name.clone(),
                        sentence: sentence.clone(),
                    });
                }
                None if needed && value.is_empty() => {
                    return Err(AnswerError::MissingField {
                        option: answer.option.clone(),
                        field: field.name.clone(),
                        text: field.text.clone(),
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// True where any answer to it means the same as an answer to the other one.
    pub fn is_answered_alike(&self, other: &Question) -> bool {
        self.about == other.about && self.accepts == other.accepts
    }

    pub fn offers(&self, option: impl Name) -> bool {
        self.options
            .iter()
            .any(|choice| choice.label == option.name())
    }

    /// True where every option is one of its kind's.
    pub fn has_known_options(&self) -> bool {
        let kinds = About::options();
        let own = kinds.iter().find(|(kind, _)| *kind == self.about.kind());
        let is_known = |choice: &Choice| {
            own.is_some_and(|(_, options)| options.contains(&choice.label.as_str()))
        };
        self.options.iter().all(is_known)
    }

    /// What a policy answers when nobody is there: the option for that case, else the recommended one. It never
    /// fills in a field, so nothing that needs a person's words is ever decided this way.
    pub fn policy_answer(&self) -> Option<Answer> {
        let choice = self
            .options
            .iter()
            .find(|choice| choice.policy_only)
            .or_else(|| self.options.iter().find(|choice| choice.recommended))?;
        let answer = Answer::of(&choice.label, DecidedBy::Policy);
        self.check(&answer).is_ok().then_some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        let choice = |label: &str, recommended, policy_only| Choice {
            label: label.to_owned(),
            text: String::new(),
            effect: String::new(),
            recommended,
            policy_only,
        };
        let field = |name: &str, text: &str, exactly: Option<&str>| Field {
            name: name.to_owned(),
            text: text.to_owned(),
            needed_for: vec!["stop".to_owned()],
            offered_for: Vec::new(),
            exactly: exactly.map(str::to_owned),
            suggested: None,
        };
        Question {
            id: QuestionId(1),
            about: About::Inventory(inventory::Subject {}),
            severity: None,
            title: String::new(),
            context: String::new(),
            options: vec![
                choice("begin", true, false),
                choice("stop", false, false),
                choice("forced", false, true),
            ],
            fields: vec![
                field("why", "a reason", None),
                field("sentence", "confirm", Some("I mean it")),
            ],
            holds: Holds::Phase,
            without_answer: String::new(),
            accepts: Vec::new(),
            replaces: Vec::new(),
        }
    }

    #[test]
    fn answers_that_do_not_fit_are_refused_with_the_reason() {
        let q = question();
        let user = |option: &str| Answer::of(option, DecidedBy::User);
        let said = |answer: &Answer| q.check(answer).unwrap_err().to_string();
        assert_eq!(
            said(&user("go")),
            "`go` is not an option of Q-001; it has: begin, stop"
        );
        assert_eq!(
            said(&user("forced")),
            "`forced` is not an option of Q-001; it has: begin, stop"
        );
        assert_eq!(
            said(&user("begin").with("x", "1")),
            "Q-001 has no field `x`; it has: why, sentence"
        );
        assert_eq!(
            said(&user("stop").with("why", "  ")),
            "option `stop` needs the field `why` (a reason)"
        );
        assert_eq!(
            said(
                &user("stop")
                    .with("why", "enough")
                    .with("sentence", "i mean it")
            ),
            "the field `sentence` must be exactly: I mean it"
        );
        assert_eq!(
            q.check(
                &user("stop")
                    .with("why", "enough")
                    .with("sentence", "I mean it")
            ),
            Ok(())
        );
    }

    #[test]
    fn a_policy_takes_what_is_meant_for_it() {
        assert_eq!(question().policy_answer().unwrap().option, "forced");
    }
}
