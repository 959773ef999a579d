//! Gathering a report from a session's log: what is shown of each thing, and how much of it at most.

mod change;
mod key_figures;
mod ledger;
mod lengths;
mod rounds;

use std::cmp::Reverse;

use gapless_domain::{End, Gap, GapState, Origin, Phase, Severity, Texts, Time, comma_list};
use gapless_session::figures::{Trouble, open_weight};
use gapless_session::runs::{Run, runs};
use gapless_session::{Event, Figures, Now, State, spending};
use gapless_spec::limitations;

use lengths::brief;

use crate::model::{Card, Column, Counts, Outcome, Point, Report, Tone};

impl Report {
    /// Gathers the report of a session from its whole log.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Event>, texts: &dyn Texts) -> Self {
        let (state, runs) = runs(events);
        let origin = state.kept.origin.as_ref();
        let agents = state.kept.setup.agents.iter();
        let issues = ledger::issues(&state, texts);
        let decisions = ledger::decisions(&state);
        let undone = state.kept.undone_decisions.len();
        let until = state.kept.ended_at.unwrap_or(state.kept.clock);
        Self {
            session: origin.map_or(String::new(), |origin| origin.name.clone()),
            source: origin.map_or(String::new(), |origin| brief(&origin.source_path)),
            started: origin.map(|origin| origin.at),
            until,
            agents: agents.map(|(role, agent)| (*role, brief(agent))).collect(),
            outcome: outcome(&state),
            figures: Figures::of(&state),
            trouble: Trouble::of(&runs),
            counts: Counts {
                resolved: resolved(&state.now),
                left: usize::try_from(state.now.gaps_left()).unwrap_or(usize::MAX),
                issues: issues.len(),
                issues_standing: issues.iter().filter(|issue| issue.stands).count(),
                decisions: state.now.decisions.len(),
                decisions_undone: undone,
                rollbacks: state.kept.rollbacks.len(),
            },
            points: points(&state, &runs),
            board: board(&state, until),
            limitations: limitations(&state)
                .into_iter()
                .map(|mut limitation| {
                    limitation.text = brief(&limitation.text);
                    limitation.rationale = limitation.rationale.as_deref().map(brief);
                    limitation
                })
                .collect(),
            rounds: rounds::entries(&state, &runs),
            rollbacks: rounds::rollbacks(&state),
            usage: rounds::usage(&runs),
            issues,
            decisions,
            change: change::change(&state, texts),
        }
    }
}

fn resolved(now: &Now) -> usize {
    let done = |gap: &&Gap| matches!(gap.state, GapState::Accepted | GapState::Resolved);
    now.gaps.values().filter(done).count()
}

fn outcome(state: &State) -> Outcome {
    let waits = state.now.queue().into_iter();
    let waits: Vec<(String, String)> = waits
        .map(|question| (question.id.to_string(), brief(&question.title)))
        .collect();
    if let Some((end, trigger)) = state.kept.ended {
        return Outcome {
            tone: match end {
                End::Complete | End::GoodEnough => Tone::Good,
                End::UserApproved | End::MaxRounds | End::StallExit => Tone::Warn,
                End::Abandoned => Tone::Bad,
            },
            word: state.end_in_words().unwrap_or_else(|| end.to_string()),
            sentence: format!(
                "It ended because {}. {}",
                trigger.sentence(),
                so_far(&state.now)
            ),
            chapters: state.chapters_in_words(),
            waits,
        };
    }
    let now = &state.now;
    let place = match now.phase {
        Phase::Round => format!(
            "in round {} of at most {} ({})",
            now.round.number,
            state.round_limit(),
            now.round.phase.name().to_lowercase()
        ),
        Phase::FinalReview => format!("at the final review after round {}", now.round.number),
        Phase::Discovering => "looking for gaps, before the first round".to_owned(),
        Phase::Inventory => "at the inventory, before the first round".to_owned(),
        Phase::Closing | Phase::Ended => "closing".to_owned(),
    };
    let (tone, word, why) = match (state.kept.paused, spending::spent(state)) {
        (true, _) => (Tone::Warn, "PAUSED", "; it is paused".to_owned()),
        (false, Some(spent)) => (Tone::Warn, "OUT OF BUDGET", format!("; {spent}")),
        (false, None) if !waits.is_empty() => (
            Tone::Warn,
            "WAITING FOR YOU",
            "; it waits for your answer".to_owned(),
        ),
        (false, None) => (Tone::Calm, "NOT ENDED", String::new()),
    };
    Outcome {
        tone,
        word: word.to_owned(),
        sentence: format!("It is {place}{why}. {}", so_far(now)),
        chapters: state.chapters_in_words(),
        waits,
    }
}

fn so_far(now: &Now) -> String {
    let left = match now.gaps_left() {
        0 => "none is left".to_owned(),
        1 => "1 is left".to_owned(),
        left => format!("{left} are left"),
    };
    match now.gaps.len() {
        0 => "No gap is known.".to_owned(),
        all => format!("{} of {all} gaps are resolved, {left}.", resolved(now)),
    }
}

/// The open weight at the start and after every run, undone ones included.
fn points(state: &State, runs: &[Run]) -> Vec<Point> {
    let weights = |open: [u64; 4]| {
        let mut weights = [0; 4];
        for (place, quarters) in open.into_iter().enumerate() {
            let mut only = [0; 4];
            only[place] = quarters;
            weights[place] = open_weight(only);
        }
        weights
    };
    runs.iter()
        .map(|run| {
            let is_start = run.round == 0;
            let open = match is_start && (state.kept.limits.is_some() || state.chapter() > 1) {
                true => state.now.initial_open,
                false => run.open_by_severity(),
            };
            let record = run.record.as_ref();
            Point {
                round: run.round,
                weights: weights(open),
                state: record
                    .filter(|record| record.verdict() == record.convergence.state.name())
                    .map(|record| record.convergence.state),
                undone_by: run.undone_by.map(|index| index + 1),
                // A round in which nothing was left to plan has a final review and no verdict.
                unfinished: !is_start && record.is_none() && run.work.final_reviewed.is_none(),
            }
        })
        .collect()
}

fn board(state: &State, until: Time) -> Vec<Column> {
    let now = &state.now;
    GapState::ALL
        .into_iter()
        .map(|in_state| {
            let mut gaps: Vec<&Gap> = now.gaps_in(in_state).collect();
            gaps.sort_by_key(|gap| (Reverse(gap.severity), gap.age));
            Column {
                state: in_state,
                cards: gaps
                    .into_iter()
                    .map(|gap| card(state, gap, until))
                    .collect(),
            }
        })
        .filter(|column| !column.cards.is_empty())
        .collect()
}

fn card(state: &State, gap: &Gap, until: Time) -> Card {
    let now = &state.now;
    let mut notes = Vec::new();
    let ownership = state.ownership(&gap.id);
    if let Some(owner) = &ownership.owner {
        notes.push(format!("owner: {owner}"));
    }
    if let Some(due) = ownership.due {
        let overdue = match !gap.state.is_closed() && due.is_over(until) {
            true => " (overdue)",
            false => "",
        };
        notes.push(format!("due {due}{overdue}"));
    }
    if !gap.state.is_closed() && !gap.blocked_by.is_empty() {
        notes.push(format!("waits on {}", comma_list(&gap.blocked_by)));
    }
    if let Some(reason) = &gap.reason {
        notes.push(brief(reason));
    }
    if let Some(parent) = &gap.parent {
        notes.push(format!("part of {parent}"));
    }
    notes.extend(gap.also_said().map(|text| format!("merged with: {text}")));
    if !gap.children.is_empty() {
        notes.push(format!("split into {}", comma_list(&gap.children)));
    }
    let standing = now.standing_issues(gap);
    let standing =
        comma_list(standing.map(|issue| format!("{} [{}]", issue.id, issue.concern.severity)));
    if !standing.is_empty() {
        notes.push(format!("issues that stand: {standing}"));
    }
    Card {
        id: gap.id.to_string(),
        severity: gap.severity,
        description: brief(&gap.description),
        history: history(gap),
        notes,
    }
}

fn history(gap: &Gap) -> String {
    let from = match gap.origins.first() {
        Some(Origin::Source { line }) => format!("source, line {line}"),
        Some(Origin::Scan { rule, line, .. }) => format!("found by the scan ({rule}), line {line}"),
        Some(Origin::Analyst) => "found by the Analyst".to_owned(),
        Some(Origin::Engineer { round, .. }) => format!("opened by the Engineer in round {round}"),
        Some(Origin::Reviewer { round }) => format!("raised by the Reviewer in round {round}"),
        Some(Origin::Issue { issue }) => format!("made for {issue}"),
        Some(Origin::Recorded { document, line }) => format!("recorded in {document}, line {line}"),
        Some(Origin::User) => "added by the user".to_owned(),
        Some(Origin::Split { .. }) => "split off".to_owned(),
        None => String::new(),
    };
    let proposal = gap.proposal.as_ref();
    let done = match (gap.accepted_in, proposal) {
        (Some(round), _) if gap.state.is_closed() => format!("accepted in round {round}"),
        (_, Some(proposal)) => format!("last proposed in round {}", proposal.round),
        _ => String::new(),
    };
    let sure = proposal
        .and_then(|proposal| proposal.confidence)
        .map_or(String::new(), |sure| format!("confidence {}", sure.name()));
    let parts = [from, done, sure];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join("; ")
}

/// The severities with their place in every array that is gravest first.
pub(crate) fn severities() -> impl Iterator<Item = (usize, Severity)> {
    Severity::GRAVEST_FIRST.into_iter().enumerate()
}
