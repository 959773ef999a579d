//! Forms: the questions of a session as a markdown file that people fill in, and what they filled in.
//! `views` writes them. What is read is what a person ticked and typed, with its lines; nothing is guessed, and text of
//! others that stands in a form is written so that it ticks nothing (`defused`).

mod lines;
mod parts;
#[cfg(test)]
mod tests;
mod verdict;

use std::fmt;
use std::str::FromStr;

use gapless_domain::{Choice, Field, GapId, QuestionId};

pub use lines::defused;
pub use parts::{FilledForm, Part, SessionMark, Signature, TooLong, read_form};
pub use verdict::{Fault, Filled, Remark, Verdict};

/// The beginning of a form's title.
pub const TITLE: &str = "Questions of";
/// What a form says of its session, and of the person who fills it in.
pub const SESSION: &str = "Session:";
pub const FILLED_IN_BY: &str = "Filled in by:";
/// The line behind which nothing is read.
pub const END: &str = "End of the form.";

/// What a part of a form asks about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartId {
    Question(QuestionId),
    /// A gap that waits for input, although no question asks for it any more.
    Gap(GapId),
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartId::Question(id) => id.fmt(f),
            PartId::Gap(id) => id.fmt(f),
        }
    }
}

impl FromStr for PartId {
    type Err = gapless_domain::ids::IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(id) => Ok(PartId::Question(id)),
            Err(_) => text.parse().map(PartId::Gap),
        }
    }
}

/// One question of a form: what can be ticked and filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: PartId,
    pub options: Vec<Choice>,
    pub fields: Vec<Field>,
    /// The question as the form has it, before anyone filled it in.
    pub blank: String,
}

impl Entry {
    /// The options that a form has boxes for: those that a person may take and that name no agent, since a form that others
    /// filled in starts nothing on this machine.
    pub fn boxes(options: &[Choice], fields: &[Field], agent_field: &str) -> Vec<Choice> {
        let names_agent = |choice: &Choice| {
            let mut needed = fields.iter();
            needed
                .any(|field| field.name == agent_field && field.needed_for.contains(&choice.label))
        };
        let offered = options.iter();
        let offered = offered.filter(|choice| !choice.policy_only && !names_agent(choice));
        offered.cloned().collect()
    }

    /// The words behind an option's name.
    pub fn option_words(&self, choice: &Choice) -> String {
        let needed = self.needed(&choice.label);
        let needed: Vec<String> = needed.map(|field| format!("`{}`", field.name)).collect();
        let needs = match needed.is_empty() {
            true => String::new(),
            false => format!(" Needs {}.", needed.join(", ")),
        };
        let effect = choice.effect.trim_end_matches('.');
        let recommended = match choice.recommended {
            true => " (recommended)",
            false => "",
        };
        let text = format!("{}: {effect}{recommended}.{needs}", choice.text);
        defused(&gapless_domain::one_line(&text))
    }

    /// The words behind a field's name.
    pub fn field_words(field: &Field) -> String {
        let text = match &field.exactly {
            Some(sentence) => format!("type this sentence yourself: {sentence}"),
            None => field.text.clone(),
        };
        let text = text.replace('(', "[").replace(')', "]");
        format!("({})", defused(&gapless_domain::one_line(&text)))
    }

    fn needed(&self, option: &str) -> impl Iterator<Item = &Field> {
        let fields = self.fields.iter();
        fields.filter(move |field| field.needed_for.iter().any(|label| label == option))
    }
}
