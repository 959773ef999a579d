//! Makes the assignment of a task that is under way.

use crate::prompts::{PromptError, Prompts};
use gapless_domain::assignment::{ASSIGNMENT_VERSION, AssignedProposal};
use gapless_domain::{
    AssignedDecision, AssignedGap, AssignedIssue, Assignment, Decision, DecisionKind, Gap, GapId,
    Origin, Role, Task, Texts,
};
use gapless_markdown::Document;
use gapless_session::State;
use gapless_spec::{AssemblyError, Outline};

/// The assignment of a task that is under way.
pub fn assignment(
    state: &State,
    task: &Task,
    texts: &dyn Texts,
) -> Result<Assignment, PromptError> {
    let prompts = Prompts::new(state, texts, &task.id, 0);
    let role = task.id.slot.role;
    let gaps: Vec<&Gap> = match role {
        Role::FinalReviewer => state.now.gaps.values().collect(),
        _ => task
            .gaps
            .iter()
            .filter_map(|id| state.now.gaps.get(id))
            .collect(),
    };
    let refined = match role {
        Role::FinalReviewer | Role::Analyst => None,
        // Without the list of limitations, which no change can name.
        Role::Engineer | Role::Reviewer | Role::Editor => {
            match gapless_spec::accepted_so_far(state, texts) {
                Err(AssemblyError::Spec(_)) => None,
                refined => Some(refined?),
            }
        }
    };
    let source = match &state.kept.origin {
        Some(origin) => texts.require(&origin.source)?,
        None => "".into(),
    };
    let document = refined.as_ref().map(|spec| Document::parse(&spec.text));
    let outline = refined.as_ref().zip(document.as_ref());
    let outline = outline.map(|(spec, document)| Outline::of(spec, document, &source, state));
    let assigned = |gap: &&Gap| assigned_gap(state, gap, outline.as_ref(), texts);
    let in_force =
        state.now.decisions.iter().filter(|decision| {
            decision.lifted.is_none() && decision.kind != DecisionKind::Rollback
        });
    Ok(Assignment {
        version: ASSIGNMENT_VERSION,
        role,
        round: task.id.round,
        gaps: gaps.iter().map(assigned).collect::<Result<_, _>>()?,
        decisions: in_force
            .map(|decision| assigned_decision(state, decision))
            .collect(),
        next_issue: match role {
            Role::Reviewer | Role::FinalReviewer => state.next_issue(),
            Role::Analyst | Role::Engineer | Role::Editor => None,
        },
        spec: match (&refined, role) {
            (Some(refined), _) => refined.text.clone(),
            (None, Role::FinalReviewer | Role::Analyst) => prompts.refined()?,
            (None, _) => prompts.accepted_so_far()?,
        },
    })
}

fn assigned_gap(
    state: &State,
    gap: &Gap,
    outline: Option<&Outline<'_>>,
    texts: &dyn Texts,
) -> Result<AssignedGap, PromptError> {
    let found = gap.origins.iter().find_map(|origin| match origin {
        Origin::Scan { rule, topics, .. } => Some((rule.clone(), topics.clone())),
        _ => None,
    });
    let (rule, topics) = found.unzip();
    let proposal = match &gap.proposal {
        None => None,
        Some(proposal) => Some(AssignedProposal {
            round: proposal.round,
            text: texts.require(&proposal.section)?.to_string(),
            default: proposal.default.clone(),
        }),
    };
    let issues = state.now.standing_issues(gap).map(|issue| AssignedIssue {
        id: issue.id,
        severity: issue.concern.severity,
        summary: issue.concern.summary.clone(),
        suggestion: issue.concern.suggestion.clone(),
        settled_by_user: issue.concern.settled_by_user,
    });
    Ok(AssignedGap {
        id: gap.id.clone(),
        severity: gap.severity,
        state: gap.state,
        description: gap.description.clone(),
        section: gap.section.clone(),
        rule,
        topics: topics.unwrap_or_default(),
        line: outline.and_then(|outline| outline.line_of(gap)),
        passage: outline
            .and_then(|outline| outline.passage_of(gap))
            .map(str::to_owned),
        declared: gap
            .origins
            .iter()
            .any(|origin| matches!(origin, Origin::Source { .. })),
        issues: issues.collect(),
        proposal,
    })
}

fn assigned_decision(state: &State, decision: &Decision) -> AssignedDecision {
    let is_owed = |id: &GapId| {
        let gaps = &state.now.gaps;
        gaps.has(id, |gap| gap.obligations.contains(&decision.id))
    };
    AssignedDecision {
        id: decision.id,
        kind: decision.kind,
        gaps: decision.gaps.clone(),
        decision: decision.decision.clone(),
        constraints: decision.constraints.clone(),
        to_carry_out: decision.gaps.iter().any(is_owed),
    }
}
