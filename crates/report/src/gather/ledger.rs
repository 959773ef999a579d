//! What is said of issues and of decisions: how each issue was answered, and both positions of what was decided.

use std::cmp::Reverse;

use gapless_domain::{AnswerKind, Decision, DecisionState, Issue, IssueState, Name, Texts};
use gapless_session::State;

use super::lengths::{brief, long};
use crate::model::{DecisionEntry, IssueEntry, PositionsEntry};

/// Those that stand first, then gravest first.
pub fn issues(state: &State, texts: &dyn Texts) -> Vec<IssueEntry> {
    let mut issues: Vec<&Issue> = state.now.issues.values().collect();
    issues.sort_by_key(|issue| {
        let stands = issue.state.stands();
        (!stands, Reverse(issue.concern.severity), issue.id)
    });
    let issues = issues.into_iter();
    issues.map(|issue| issue_entry(issue, texts)).collect()
}

fn issue_entry(issue: &Issue, texts: &dyn Texts) -> IssueEntry {
    let concern = &issue.concern;
    let details = [
        ("Location", &concern.location),
        ("Impact", &concern.impact),
        ("Suggestion", &concern.suggestion),
    ];
    let answer = issue.answer.as_ref();
    let flags = issue.flags.iter().map(|flag| {
        let word = match issue.judgement(flag) {
            Some(true) => ", confirmed by the user",
            Some(false) => ", a false alarm",
            None => "",
        };
        format!(
            "{} in round {} (confidence {}{word}): {}",
            flag.heuristic.name(),
            flag.round,
            flag.confidence.name(),
            brief(&flag.evidence.text)
        )
    });
    IssueEntry {
        id: issue.id.to_string(),
        severity: concern.severity,
        state: issue.state.name(),
        stands: issue.state.stands(),
        gap: issue.gap.to_string(),
        raised_in: issue.raised_in,
        summary: brief(&concern.summary),
        details: details
            .into_iter()
            .filter_map(|(name, text)| text.as_ref().map(|text| (name, brief(text))))
            .collect(),
        answered: answered(issue),
        answer: answer
            .and_then(|answer| texts.text(&answer.text))
            .map(|text| long(&text)),
        flags: flags.collect(),
    }
}

fn answered(issue: &Issue) -> String {
    let by_engineer = match &issue.answer {
        None => "The Engineer did not answer it".to_owned(),
        Some(answer) => {
            let how = match answer.how {
                AnswerKind::Response => "The Engineer responded",
                AnswerKind::Mention => "The Engineer met it in the gap's section",
                AnswerKind::Substance => "The Engineer did what it asks for",
                AnswerKind::Disagree => "The Engineer disagreed",
            };
            format!("{how} in round {}", answer.round)
        }
    };
    let came_of_it = match issue.state {
        IssueState::Open => "it is open",
        IssueState::Answered => "the review has not closed it yet",
        IssueState::Closed => "the review closed it",
        IssueState::Withdrawn => "the Reviewer took it back",
        IssueState::Decided => "the user decided",
        IssueState::Waived => "the user waived it",
        IssueState::Moot => "its gap was closed",
    };
    match &issue.reason {
        Some(reason) if !reason.trim().is_empty() => {
            format!("{by_engineer}; {came_of_it}: {}", brief(reason))
        }
        _ => format!("{by_engineer}; {came_of_it}."),
    }
}

/// Those that stand in their order, then those of undone rounds.
pub fn decisions(state: &State) -> Vec<DecisionEntry> {
    let now = &state.now;
    let standing = now.decisions.iter().map(|decision| {
        let how_far = now.decision_state(decision);
        let words = match (&decision.lifted, how_far) {
            (Some(why), _) => format!("lifted: {}", brief(why)),
            (None, DecisionState::ToCarryOut) => "to carry out".to_owned(),
            (None, _) => "in force".to_owned(),
        };
        decision_entry(decision, words, how_far == DecisionState::Lifted)
    });
    let undone = state.kept.undone_decisions.iter().map(|undone| {
        let words = match undone.reapplied_as {
            Some(id) => format!("undone by rollback {}, re-applied as {id}", undone.rollback),
            None => format!("undone by rollback {}", undone.rollback),
        };
        decision_entry(&undone.decision, words, true)
    });
    standing.chain(undone).collect()
}

fn decision_entry(decision: &Decision, state: String, is_over: bool) -> DecisionEntry {
    DecisionEntry {
        id: decision.id.to_string(),
        kind: decision.kind.name(),
        title: brief(&decision.title),
        subject: decision.subject(),
        state,
        is_over,
        positions: decision.positions.as_ref().map(|positions| PositionsEntry {
            reviewer: long(&positions.reviewer),
            engineer: long(&positions.engineer),
            chosen: positions.chosen.name().to_owned(),
            chosen_words: brief(positions.chosen_words()),
            severity: positions.severity,
            implicit: positions.implicit,
        }),
        decision: long(&decision.decision),
        rationale: long(&decision.rationale_and_name()),
        constraints: long(&decision.constraints),
        by: decision.by.to_string(),
        at: decision.at,
    }
}
