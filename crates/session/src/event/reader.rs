//! Reads a stored log in its order. Answers of logs that don't say what the answers settle are completed here, from the
//! names of their options; what newer answers settle is in their events.

use std::collections::BTreeMap;

use super::encoding::DecodeError;
use super::noted::{Noted, Taken};
use super::{Happening, QuestionEvent};
use gapless_domain::{About, IssueId, Name, QuestionId, Role};

/// Reads the events of one log, first to last.
#[derive(Debug, Default)]
pub struct EventReader {
    asked: BTreeMap<QuestionId, About>,
}

impl EventReader {
    pub fn read(
        &mut self,
        type_name: &str,
        version: u32,
        body: &str,
    ) -> Result<Happening, DecodeError> {
        let mut what = Happening::decode(type_name, version, body)?;
        if let Happening::Question(event) = &mut what {
            match event {
                QuestionEvent::Asked { question } | QuestionEvent::Renewed { question } => {
                    self.asked.insert(question.id, question.about.clone());
                }
                QuestionEvent::Answered { id, answer, noted } => {
                    let about = self.asked.get(id).filter(|_| noted.is_none());
                    if let Some(about) = about {
                        *noted = Some(noted_before(about, &answer.option));
                    }
                }
                QuestionEvent::Withdrawn { .. } => {}
            }
        }
        Ok(what)
    }
}

/// What an answer settled in logs that don't say it; kinds and options that are not named settled nothing.
fn noted_before(about: &About, option: &str) -> Vec<Noted> {
    let taken = |role: Role, option: Option<Taken>| {
        let option = option.into_iter();
        option.map(move |option| Noted::Taken { role, option })
    };
    let on_engineer = |option: Option<Taken>| taken(Role::Engineer, option);
    let ask_again = |issues: &[IssueId], may_disagree: bool| Noted::ToAskAgain {
        issues: issues.to_vec(),
        may_disagree,
    };
    match (about, option) {
        (About::Inventory(_), "begin") => vec![Noted::InventoryConfirmed {}],
        (About::Escalation(subject), _) => taken(
            subject.slot.role,
            Name::named(option).map(Taken::Escalation),
        )
        .collect(),
        (About::BrokenAgent(subject), "go_on") => taken(
            subject.slot.role,
            Name::named(option).map(Taken::BrokenAgent),
        )
        .collect(),
        (About::BothEmpty(_), "retry" | "human" | "pause") => {
            on_engineer(Name::named(option).map(Taken::BothEmpty)).collect()
        }
        (About::BothEmpty(_), _) => on_engineer(Name::named(option).map(Taken::BothEmpty))
            .chain([Noted::EmptinessSettled {}])
            .collect(),
        (About::Rollback(_), "cancel") => {
            on_engineer(Name::named(option).map(Taken::Rollback)).collect()
        }
        (About::RateLimit(_), "accept" | "scope") => {
            on_engineer(Name::named(option).map(Taken::RateLimit))
                .chain([Noted::RateSettled {}])
                .collect()
        }
        (About::RateLimit(_), _) => {
            on_engineer(Name::named(option).map(Taken::RateLimit)).collect()
        }
        (About::ImplicitDisagreement(subject), "again") => vec![ask_again(&[subject.issue], false)],
        (About::SystematicConcern(subject), "disagree") => vec![ask_again(&subject.issues, true)],
        (About::DecidedMatter(subject), "keep") => vec![Noted::Upheld {
            issue: subject.issue,
            severity: subject.raised.severity,
        }],
        _ => Vec::new(),
    }
}
