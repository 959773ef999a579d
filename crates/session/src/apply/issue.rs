//! The folding of what happened to issues, and of the gaps that they stand on.

use std::sync::Arc;

use super::gap::with_gap;
use crate::{IssueEvent, State};
use gapless_domain::gap::SETTLED_ISSUES_KEPT;
use gapless_domain::issue::EARLIER_WORDS_KEPT;
use gapless_domain::{
    Concern, Flag, GapId, GapState, Heuristic, Issue, IssueId, IssueState, TextHash,
};

pub(super) fn apply_issue(state: &mut State, event: &IssueEvent) {
    match event {
        IssueEvent::Raised {
            id,
            gap,
            concern,
            alias,
            review,
        } => {
            state.kept.used_issue_ids.insert(*id);
            let round = state.now.round.number;
            let issue = Issue::new(*id, gap.clone(), concern.clone(), alias.clone(), round);
            let review = *review;
            state.now.issues.insert(*id, Issue { review, ..issue });
            with_gap(state, gap, |gap| {
                gap.standing_issues.insert(*id);
            });
        }
        IssueEvent::Moved { id, to, reason, .. } => move_issue(state, id, *to, reason),
        IssueEvent::Answered { id, answer } => with_issue(state, id, |issue| {
            issue.answer = Some(answer.clone());
        }),
        IssueEvent::Restated {
            id,
            concern,
            review,
        } => with_issue(state, id, |issue| restate(issue, concern, *review)),
        IssueEvent::Flagged { id, flag } => note_flag(state, id, flag),
        IssueEvent::FlagsJudged {
            id,
            heuristics,
            confirmed,
            round,
        } => {
            let round = round.unwrap_or(state.now.round.number);
            for heuristic in heuristics {
                with_issue(state, id, |issue| {
                    issue.judged.insert((round, *heuristic), *confirmed);
                });
                let judged = state.kept.judged.entry(*heuristic).or_default();
                match confirmed {
                    true => judged.confirmed += 1,
                    false => judged.false_positive += 1,
                }
            }
        }
        IssueEvent::SeverityChanged { id, to, .. } => with_issue(state, id, |issue| {
            Arc::make_mut(&mut issue.concern).severity = *to;
            issue.severity_set_by_user = true;
        }),
        IssueEvent::Copied { id, to } => with_gap(state, to, |gap| {
            gap.standing_issues.insert(*id);
        }),
    }
}

fn with_issue(state: &mut State, id: &IssueId, change: impl FnOnce(&mut Issue)) {
    if let Some(issue) = state.now.issues.get_mut(id) {
        change(issue);
    }
}

fn move_issue(state: &mut State, id: &IssueId, to: IssueState, reason: &Option<String>) {
    let Some(issue) = state.now.issues.get_mut(id) else {
        return;
    };
    let stood = issue.state.stands();
    let own_gap = issue.gap.clone();
    issue.state = to;
    if reason.is_some() {
        issue.reason.clone_from(reason);
    }
    match (stood, to.stands()) {
        (false, true) => stand_again(state, id, &own_gap),
        (_, false) => stand_no_more(state, id),
        (true, true) => {}
    }
}

/// Puts an issue that was settled back on the gaps that it stood on; on its own, where none of them remembers it.
fn stand_again(state: &mut State, id: &IssueId, own: &GapId) {
    let gaps = state.now.gaps.values();
    let stood =
        gaps.filter(|gap| gap.settled_issues.contains(id) && gap.state != GapState::Superseded);
    let mut stood: Vec<GapId> = stood.map(|gap| gap.id.clone()).collect();
    if stood.is_empty() {
        stood.push(own.clone());
    }
    for gap in stood {
        with_gap(state, &gap, |gap| {
            gap.settled_issues.retain(|settled| settled != id);
            gap.standing_issues.insert(*id);
        });
    }
}

/// Takes a settled issue off its gaps. One on a split gap stands on its parts as well, however often those were split again.
fn stand_no_more(state: &mut State, id: &IssueId) {
    let gaps = state.now.gaps.values();
    let holders = gaps.filter(|gap| gap.standing_issues.contains(id));
    let holders: Vec<GapId> = holders.map(|gap| gap.id.clone()).collect();
    for gap in holders {
        with_gap(state, &gap, |gap| {
            gap.standing_issues.remove(id);
            gap.settled_issues.push(*id);
            let surplus = gap.settled_issues.len().saturating_sub(SETTLED_ISSUES_KEPT);
            gap.settled_issues.drain(..surplus);
        });
    }
}

fn restate(issue: &mut Issue, concern: &Arc<Concern>, review: Option<TextHash>) {
    let before = std::mem::replace(&mut issue.concern, Arc::clone(concern));
    if before.summary != concern.summary {
        issue.earlier.push(before);
        let surplus = issue.earlier.len().saturating_sub(EARLIER_WORDS_KEPT);
        issue.earlier.drain(..surplus);
    }
    issue.review = review.or(issue.review);
}

fn note_flag(state: &mut State, id: &IssueId, flag: &Arc<Flag>) {
    let Some(issue) = state.now.issues.get_mut(id) else {
        return;
    };
    let same =
        |known: &&mut Arc<Flag>| known.round == flag.round && known.heuristic == flag.heuristic;
    match issue.flags.iter_mut().find(same) {
        Some(known) => *known = Arc::clone(flag),
        None => issue.flags.push(Arc::clone(flag)),
    }
    let on_gap = state.now.flagged.entry(issue.gap.clone());
    on_gap.or_default().insert(*id);
    state.now.round.flagged.insert(*id);
    // A gap that is closed over an issue says nothing of the issue's answer.
    if flag.heuristic != Heuristic::H6 {
        state.now.round.doubted.insert(*id);
    }
}
