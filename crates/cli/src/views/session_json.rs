//! Sessions, gaps, issues, decisions, questions and events as JSON. Keys that scripts rely on never change their meaning.

use std::collections::BTreeMap;

use gapless_domain::{Decision, Gap, GapState, Issue, Ownership, Question, Severity, Signal, Time};
use gapless_session::figures::open_weights;
use gapless_session::{Figures, Now, State, spending};
use gapless_spec::limitations;
use gapless_store::{Driver, Row};
use gapless_views::documents::Closing;
use serde_json::{Map, Value, json};

use crate::SessionView;
use crate::views::{delivery, questions};

pub(crate) fn status(view: SessionView<'_>, driver: Option<&Driver>) -> Value {
    let state = view.state;
    let now = &state.now;
    let figures = Figures::of(state);
    let queue = now.queue().into_iter();
    let waiting = queue.map(|asked| question(view, asked));
    let agents = state.kept.setup.agents.iter();
    let agents = agents.map(|(role, agent)| (role.stem(), agent.as_str()));
    let origin = state.kept.origin.as_ref();
    json!({
        "session": view.name.as_str(),
        "source": origin.map(|origin| &origin.source_path),
        "phase": now.phase,
        "round": figures.round,
        "round_phase": now.round.phase,
        "max_rounds": figures.max_rounds.now,
        "max_rounds_at_start": figures.max_rounds.at_start,
        "paused": state.kept.paused,
        "chapter": state.chapter(),
        "chapters": chapters(state),
        "rollbacks": {
            "used": state.rollbacks_in_chapter(),
            "left": state.rollbacks_left(),
            "mode": state.rollback_mode(),
        },
        "convergence": convergence(&figures),
        "open_count": open_count(figures.open_quarters),
        "gaps": gap_counts(&figures),
        "termination": Closing::of(state).map(|closing| json!({
            "type": closing.end.name(),
            "by_rules": closing.is_by_rules,
            "trigger": closing.trigger,
            "reason": closing.trigger.sentence(),
        })),
        "known_limitations": limitations(state),
        "final_review": now.round.final_reviewed.map(|ready| json!({
            "ready": ready,
            "set_aside": now.round.set_aside,
        })),
        "out_of_budget": spending::spent(state),
        "open_weights": weights_by_round(now),
        "time_millis": figures.time,
        "output": delivery::document(view),
        "waiting_for": waiting.collect::<Vec<Value>>(),
        "history": history(now),
        "agents": agents.collect::<BTreeMap<&str, &str>>(),
        "usage": figures.usage_by_role,
        "usage_in_all": figures.usage,
        "driver": driver.map(|driver| json!({
            "pid": driver.pid,
            "since": driver.since.to_string(),
            "command": driver.command,
        })),
        "folder": view.workspace.folder(view.name).root(),
    })
}

/// The chapters that ended before the one under way.
fn chapters(state: &State) -> Vec<Value> {
    let chapters = (1_u32..).zip(&state.kept.chapters);
    let chapters = chapters.map(|(number, chapter)| {
        json!({
            "chapter": number,
            "end": chapter.end.name(),
            "by_rules": chapter.by_rules,
            "trigger": chapter.trigger,
            "last_round": chapter.last_round,
            "ended_at": chapter.ended_at.to_string(),
            "reopened_at": chapter.reopened_at.to_string(),
        })
    });
    chapters.collect()
}

fn convergence(figures: &Figures) -> Value {
    let progress = &figures.progress;
    let cause = progress.verdict().and_then(|verdict| verdict.cause);
    json!({
        "state": progress.name(),
        "cause": cause.map(|cause| cause.name()),
        "flat_count": progress.flat_count(),
        "judged_rounds": progress.judged_rounds,
        "weighted_net": figures.weighted_net,
        "unweighted_net": figures.unweighted_net,
    })
}

fn gap_counts(figures: &Figures) -> Value {
    let by_state = GapState::ALL.into_iter();
    let by_state = by_state.map(|state| (state.name(), figures.in_state(state)));
    let by_severity = Severity::GRAVEST_FIRST.into_iter();
    let by_severity = by_severity.map(|severity| (severity.name(), figures.of_severity(severity)));
    json!({
        "all": figures.gaps,
        "by_state": by_state.collect::<BTreeMap<&str, usize>>(),
        "by_severity": by_severity.collect::<BTreeMap<&str, usize>>(),
    })
}

fn weights_by_round(now: &Now) -> Vec<Value> {
    open_weights(now)
        .into_iter()
        .map(|(round, weight)| json!({ "round": round, "open_weight": open_count(weight) }))
        .collect()
}

fn history(now: &Now) -> Vec<Value> {
    let records = now.history.iter().map(|record| {
        json!({
            "round": record.round,
            "resolved": record.tally.resolved.len(),
            "new": record.tally.created.len(),
            "reopened": record.tally.reopened.len(),
            "weighted_net": record.weighted_net,
            "unweighted_net": record.unweighted_net,
            "open_count": open_count(record.open_quarters),
            "state": record.state_name(),
            "judged": record.signal != Signal::NotJudged,
        })
    });
    records.collect()
}

/// Quarters as a number; they are exact in binary.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn open_count(quarters: u64) -> Value {
    match quarters % 4 {
        0 => (quarters / 4).into(),
        _ => (quarters as f64 / 4.0).into(),
    }
}

/// A gap; whether it is overdue is said at a point in time.
pub(crate) fn gap(gap: &Gap, ownership: &Ownership, at: Time) -> Value {
    json!({
        "id": gap.id,
        "severity": gap.severity,
        "state": gap.state,
        "description": gap.description,
        "section": gap.section,
        "also": gap.also,
        "blocked_by": gap.blocked_by,
        "issues": gap.standing_issues,
        "obligations": gap.obligations,
        "decisions": gap.decisions,
        "origins": gap.origins,
        "aliases": gap.aliases,
        "created_in": gap.created_in,
        "proposed_in": gap.proposal.as_ref().map(|proposal| proposal.round),
        "confidence": gap.proposal.as_ref().and_then(|proposal| proposal.confidence),
        "reviewed_in": gap.reviewed_in,
        "accepted_in": gap.accepted_in,
        "parent": gap.parent,
        "children": gap.children,
        "reason": gap.reason,
        "owner": ownership.owner,
        "due": ownership.due,
        "overdue": !gap.state.is_closed() && ownership.is_overdue(at),
    })
}

pub(crate) fn issue(issue: &Issue) -> Value {
    json!({
        "id": issue.id,
        "severity": issue.concern.severity,
        "state": issue.state,
        "gap": issue.gap,
        "summary": issue.concern.summary,
        "location": issue.concern.location,
        "impact": issue.concern.impact,
        "suggestion": issue.concern.suggestion,
        "aliases": issue.aliases,
        "raised_in": issue.raised_in,
        "answered_in": issue.answer.as_ref().map(|answer| answer.round),
        "reason": issue.reason,
    })
}

pub(crate) fn decision(now: &Now, decision: &Decision) -> Value {
    let positions = decision.positions.as_ref();
    json!({
        "id": decision.id,
        "severity": decision.severity.or(positions.and_then(|positions| positions.severity)),
        "state": now.decision_state(decision),
        "kind": decision.kind,
        "title": decision.title,
        "subject": decision.subject(),
        "gaps": decision.gaps,
        "issue": decision.issue,
        "positions": positions,
        "decision": decision.decision,
        "rationale": decision.rationale,
        "filled_in_by": decision.filled_in_by,
        "constraints": decision.constraints,
        "action": { "engineer": decision.for_engineer(), "gap": decision.for_gaps() },
        "by": decision.by,
        "at": decision.at.to_string(),
        "reapplied_from": decision.reapplied_from,
        "replaces": decision.replaces,
        "lifted": decision.lifted,
    })
}

pub(crate) fn question(view: SessionView<'_>, question: &Question) -> Value {
    let options: Vec<Value> = questions::offered(question)
        .map(|choice| {
            json!({
                "label": choice.label,
                "text": choice.text,
                "effect": choice.effect,
                "recommended": choice.recommended,
                "command": questions::command(view, question, choice),
                "optional": questions::optional(question, choice),
            })
        })
        .collect();
    let (owners, ownership) = view.state.ownership_of_question(question);
    json!({
        "id": question.id,
        "severity": question.severity,
        "owners": owners,
        "due": ownership.due,
        "overdue": ownership.is_overdue(view.context.clock.now()),
        "state": "PENDING",
        "kind": question.about.kind(),
        "subject": question.about.subject(),
        "title": question.title,
        "context": question.context,
        "options": options,
        "fields": question.fields,
        "holds": question.holds,
        "without_answer": question.without_answer,
        "replaces": question.replaces,
    })
}

pub(crate) fn event(row: &Row) -> Value {
    let mut all = Map::new();
    all.insert("seq".to_owned(), row.seq.into());
    all.insert("at".to_owned(), row.at.to_string().into());
    all.insert("type".to_owned(), row.type_name.clone().into());
    if let Ok(Value::Object(body)) = serde_json::from_str(&row.body) {
        all.extend(body);
    }
    Value::Object(all)
}
