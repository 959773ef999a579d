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
    let taken = |role: Role, option: Option<Taken>, settled: Option<Noted>| {
        let taken = option.map(|option| Noted::Taken { role, option });
        taken.into_iter().chain(settled).collect()
    };
    let ask_again = |issues: &[IssueId], may_disagree: bool| Noted::ToAskAgain {
        issues: issues.to_vec(),
        may_disagree,
    };
    match (about, option) {
        (About::Inventory(_), "begin") => vec![Noted::InventoryConfirmed {}],
        (About::Escalation(subject), _) => {
            let option = Name::named(option).map(Taken::Escalation);
            taken(subject.slot.role, option, None)
        }
        (About::BrokenAgent(subject), "go_on") => {
            let option = Name::named(option).map(Taken::BrokenAgent);
            taken(subject.slot.role, option, None)
        }
        (About::BothEmpty(_), name) => {
            let settles = !matches!(name, "retry" | "human" | "pause");
            let option = Name::named(name).map(Taken::BothEmpty);
            taken(
                Role::Engineer,
                option,
                settles.then_some(Noted::EmptinessSettled {}),
            )
        }
        (About::Rollback(_), "cancel") => {
            let option = Name::named(option).map(Taken::Rollback);
            taken(Role::Engineer, option, None)
        }
        (About::RateLimit(_), name) => {
            let settles = matches!(name, "accept" | "scope");
            let option = Name::named(name).map(Taken::RateLimit);
            taken(
                Role::Engineer,
                option,
                settles.then_some(Noted::RateSettled {}),
            )
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
