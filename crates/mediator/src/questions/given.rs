//! Reads answers: the option as its kind has it, and what the fields name.

use std::str::FromStr;

use crate::{Refusal, Result, Turn};
use gapless_domain::ids::IdError;
use gapless_domain::question::Kind;
use gapless_domain::severity::NotASeverity;
use gapless_domain::{Answer, AnswerError, DecidedBy, GapId, Name, Question, Severity, comma_list};

/// An answer to a question of one kind.
pub(crate) struct Given<'a, K: Kind> {
    pub option: K::Options,
    pub by: DecidedBy,
    pub question: &'a Question,
    answer: &'a Answer,
}

impl<'a, K: Kind> Given<'a, K> {
    pub fn read(question: &'a Question, answer: &'a Answer) -> Result<Self> {
        let option = K::Options::named(&answer.option).ok_or_else(|| {
            let known = K::Options::ALL.iter().map(|option| option.name());
            AnswerError::UnknownOption {
                question: question.id,
                option: answer.option.clone(),
                known: comma_list(known),
            }
        })?;
        Ok(Self {
            option,
            by: answer.by,
            question,
            answer,
        })
    }

    /// The trimmed value of a field, or nothing.
    pub fn field(&self, name: K::Fields) -> &'a str {
        self.named_field(name.name())
    }

    /// The value of a field whose name is not one of its kind's.
    pub fn named_field(&self, name: &str) -> &'a str {
        self.answer.field(name)
    }

    /// The gaps that a field names: one at least, and every one known.
    pub fn gaps(&self, turn: &Turn<'_>, name: K::Fields) -> Result<Vec<GapId>> {
        let words = self.field(name).split([',', ' ']);
        let mut gaps = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let id: GapId = word
                .parse()
                .map_err(|error: IdError| bad_field(name, &error.to_string()))?;
            turn.gap(&id)?;
            if !gaps.contains(&id) {
                gaps.push(id);
            }
        }
        match gaps.is_empty() {
            true => Err(bad_field(name, "names no gap")),
            false => Ok(gaps),
        }
    }

    /// The gaps that a field names, each of which the next round can take.
    pub fn plannable_gaps(&self, turn: &Turn<'_>, name: K::Fields) -> Result<Vec<GapId>> {
        let gaps = self.gaps(turn, name)?;
        match turn.why_not_plannable(&gaps)? {
            Some(why) => Err(bad_field(name, &why)),
            None => Ok(gaps),
        }
    }

    /// Reads `GAP-API-001=HIGH, GAP-API-002=LOW`, or the same of issues.
    pub fn severities<Id>(&self, name: K::Fields) -> Result<Vec<(Id, Severity)>>
    where
        Id: FromStr<Err = IdError>,
    {
        let bad = |why: String| bad_field(name, &why);
        let entries = self.field(name).split([',', ';', '\n']);
        let mut severities = Vec::new();
        for entry in entries.map(str::trim).filter(|entry| !entry.is_empty()) {
            let (id, severity) = entry
                .split_once('=')
                .ok_or_else(|| bad(format!("`{entry}` is not ID=SEVERITY")))?;
            let id = id.trim().parse();
            let id = id.map_err(|error: IdError| bad(error.to_string()))?;
            let severity = severity.trim().parse();
            let severity = severity.map_err(|error: NotASeverity| bad(error.to_string()))?;
            severities.push((id, severity));
        }
        Ok(severities)
    }
}

/// Refuses an answer for what is in one of its fields.
pub(super) fn bad_field(name: impl Name, why: &str) -> Refusal {
    Refusal::Answer(AnswerError::BadField {
        field: name.name().to_owned(),
        why: why.to_owned(),
    })
}
