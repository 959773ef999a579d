//! The users of closing sessions. While it is wild they answer anything, put off what looks small, waive, close and stop; then
//! they want the session to end with everything settled, and pass nothing over to get there.

use gapless_domain::question::{contradiction, stop};
use gapless_domain::{About, Answer, End, Gap, GapState, IssueId, Question, Severity};
use gapless_mediator::termination::CRITICAL_SENTENCE;
use gapless_mediator::{GapCommand, IssueCommand, UserInput};
use gapless_session::State;

use super::truth::Truth;
use crate::Rng;
use crate::users::answers;

/// How often an answer is looked for that these sessions can follow.
const TRIES: u32 = 12;

/// An answer of a user who wants nothing in particular.
pub fn any_answer(
    rng: &mut Rng,
    state: &State,
    question: &Question,
    truth: &Truth,
) -> Option<Answer> {
    for _ in 0..TRIES {
        let answer = answers::legal(rng, state, question)?;
        // Attempts that are taken in part, split gaps and decisions of undone rounds are left to the other population.
        let left_out = match &question.about {
            About::Escalation { .. } => answer.option == "best",
            About::RootCause { .. } => matches!(answer.option.as_str(), "split" | "force"),
            About::UndoneDecisions { .. } => answer.option != "leave",
            _ => answer.option == "abandon",
        };
        if !left_out {
            return Some(answer);
        }
    }
    Some(towards_completion(rng, state, question, truth))
}

/// The answer of a user who wants everything settled: nothing is waived, deferred or closed, and a flag is called a false alarm only
/// where it is on a decision that the Engineer was asked about again.
pub fn towards_completion(
    rng: &mut Rng,
    state: &State,
    question: &Question,
    truth: &Truth,
) -> Answer {
    let has = |option: &str| question.options.iter().any(|choice| choice.label == option);
    let first = |wanted: &[&'static str]| wanted.iter().copied().find(|option| has(option));
    let wanted = match &question.about {
        About::Conflict { .. } | About::LesserConflicts { .. } => match rng.percent(50) {
            true => Some("A"),
            false => Some("B"),
        },
        // What the user decided and finds in the proposal is carried out.
        About::ImplicitDisagreement { .. } => {
            first(&["settled", "again", "convert", "false_positive"])
        }
        About::SystematicConcern { .. } => Some("specify"),
        About::Contradiction(contradiction::Subject { decision, .. }) => {
            match truth.is_contradicted(&decision.to_string(), &question.context) {
                true => Some("revise"),
                false => Some("fits"),
            }
        }
        About::Severity { .. } => Some("raise"),
        About::NothingToPlan { .. } => first(&["resume", "input", "unblock"]),
        About::RoundLimit { .. } => first(&["extend"]),
        // After a final review that was not ready, and whose blockers the user closed, only a stop is left.
        About::Stop(stop::Subject { end, .. }) if *end == End::GoodEnough => Some("accept"),
        About::Stop { .. } => first(&["continue"]),
        About::Escalation { .. } => first(&["context", "skip"]),
        _ => None,
    };
    match wanted {
        Some(option @ ("specify" | "D")) => answers::filled(rng, state, question, option)
            .with("text", "The operator is paged and a ticket is opened."),
        Some(option) => answers::filled(rng, state, question, option),
        None => answers::cooperative(rng, state, question),
    }
}

/// A command that may close something, or end the session.
pub fn command(rng: &mut Rng, state: &State) -> UserInput {
    let reason = "it can wait".to_owned();
    let gaps: Vec<&Gap> = state.now.gaps.values().collect();
    let mut lesser = gaps.clone();
    lesser.retain(|gap| gap.state.is_open() && !gap.severity.holds());
    let issues = state.now.issues.values();
    let issues = issues.filter(|issue| issue.state.stands());
    let issues: Vec<IssueId> = issues.map(|issue| issue.id).collect();
    match rng.below(20) {
        0..=2 => UserInput::Stop,
        3..=7 if !lesser.is_empty() => UserInput::Gap {
            command: GapCommand::Defer {
                gap: lesser[rng.below(lesser.len())].id.clone(),
                reason,
            },
        },
        8 | 9 if !gaps.is_empty() => UserInput::Gap {
            command: GapCommand::Close {
                gap: gaps[rng.below(gaps.len())].id.clone(),
                reason,
                sentence: rng.percent(50).then(|| CRITICAL_SENTENCE.to_owned()),
            },
        },
        10..=12 if !gaps.is_empty() => UserInput::Gap {
            command: bring_back(gaps[rng.below(gaps.len())], reason),
        },
        13..=15 if !issues.is_empty() => UserInput::Issue {
            command: IssueCommand::Waive {
                issue: issues[rng.below(issues.len())],
                reason,
            },
        },
        16 if !issues.is_empty() => UserInput::Issue {
            command: IssueCommand::Severity {
                issue: issues[rng.below(issues.len())],
                severity: Severity::Medium,
                reason,
            },
        },
        17 => UserInput::Rollback {
            to: None,
            reason: "another way".to_owned(),
            adjust: Vec::new(),
        },
        18 if !state.kept.paused => UserInput::Pause,
        _ => UserInput::Stop,
    }
}

fn bring_back(gap: &Gap, reason: String) -> GapCommand {
    let id = gap.id.clone();
    match gap.state {
        GapState::UserDeferred => GapCommand::Resume { gap: id },
        _ => GapCommand::Reopen { gap: id, reason },
    }
}
