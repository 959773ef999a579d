//! Sheets: every figure with its raw value, in tables whose rows have one or two keys. `--json` and `--csv` print them.

use gapless_domain::numbers::percent;
use gapless_domain::{Heuristic, Severity, Tier, Usage};
use gapless_session::figures::StateCount;
use gapless_session::state::RetryRecord;
use gapless_views::stats::{Stats, Work};
use serde_json::{Map, Value};

use super::selection::Selection;
use crate::SessionStats;
use crate::workspace_stats::UnreadableSession;

pub(crate) struct Sheet {
    pub(crate) name: &'static str,
    /// The names of the keys of its rows: none, one or two.
    pub(crate) keys: &'static [&'static str],
    pub(crate) rows: Vec<Row>,
}

pub(crate) struct Row {
    pub(crate) keys: Vec<String>,
    pub(crate) figures: Vec<(&'static str, Value)>,
}

macro_rules! figures {
    ($($name:literal: $value:expr),* $(,)?) => { vec![$(($name, Value::from($value))),*] };
}

fn row<const N: usize>(keys: [&str; N], figures: Vec<(&'static str, Value)>) -> Row {
    Row {
        keys: keys.map(str::to_owned).to_vec(),
        figures,
    }
}

/// The document of `--json`.
pub(crate) fn document(chosen: &Selection<'_>, unreadable: &[&UnreadableSession]) -> Value {
    let mut document = Map::new();
    for sheet in sheets(chosen) {
        let rows = sheet.rows.into_iter().map(|row| {
            let keys = sheet.keys.iter().zip(row.keys);
            let keys = keys.map(|(name, key)| ((*name).to_owned(), Value::from(key)));
            let figures = row.figures.into_iter();
            let figures = figures.map(|(name, value)| (name.to_owned(), value));
            Value::Object(keys.chain(figures).collect())
        });
        let mut rows: Vec<Value> = rows.collect();
        let content = match sheet.keys {
            [] => rows.pop().unwrap_or_default(),
            _ => Value::Array(rows),
        };
        document.insert(sheet.name.to_owned(), content);
    }
    let unreadable = unreadable.iter().map(|unreadable| {
        serde_json::json!({
            "session": unreadable.name,
            "message": unreadable.failure.message,
            "hint": unreadable.failure.hint,
        })
    });
    document.insert("unread".to_owned(), unreadable.collect());
    Value::Object(document)
}

pub(crate) fn sheets(chosen: &Selection<'_>) -> Vec<Sheet> {
    let sum = &chosen.sum;
    vec![
        sheet("summary", &[], [row([], summary(sum))]),
        sheet("sessions", &["session"], sessions(&chosen.sessions)),
        sheet("ends", &["end"], ends(sum)),
        sheet("verdicts", &["verdict"], verdicts(sum)),
        sheet("gaps", &["state", "severity"], gaps(&sum.gaps)),
        sheet("agents", &["role", "agent"], agents(sum)),
        sheet("failures", &["failure"], failures(sum)),
        sheet("examples", &["tier"], examples(sum)),
        sheet(
            "heuristics",
            &["heuristic"],
            heuristics(sum, &chosen.advisory),
        ),
        sheet("questions", &["kind"], questions(sum)),
        sheet("rollbacks", &["trigger"], rollbacks(sum)),
    ]
}

fn sheet(
    name: &'static str,
    keys: &'static [&'static str],
    rows: impl IntoIterator<Item = Row>,
) -> Sheet {
    let rows = rows.into_iter().collect();
    Sheet { name, keys, rows }
}

fn summary(sum: &Stats) -> Vec<(&'static str, Value)> {
    let mut figures = figures![
        "sessions": sum.sessions,
        "ended": sum.ended(),
        "rounds": sum.rounds.standing,
        "rounds_undone": sum.rounds.undone,
        "resolved": sum.rounds.resolved,
        "new": sum.rounds.created,
        "reopened": sum.rounds.reopened,
    ];
    figures.extend(time_and_usage(sum));
    figures
}

fn time_and_usage(stats: &Stats) -> Vec<(&'static str, Value)> {
    let mut figures = figures![
        "total_millis": stats.time.total,
        "active_millis": stats.time.active,
        "waiting_millis": stats.time.waiting,
    ];
    figures.extend(used(&stats.usage));
    figures
}

fn used(usage: &Usage) -> Vec<(&'static str, Value)> {
    figures![
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost_micros": usage.cost_micros,
        "estimated": usage.estimated,
    ]
}

fn sessions(sessions: &[&SessionStats]) -> impl Iterator<Item = Row> {
    sessions.iter().map(|session| {
        let stats = &session.stats;
        let summary = session.summary.as_ref();
        let mut figures = figures![
            "phase": summary.map(|summary| summary.phase.name()),
            "end": stats.ends.keys().next().map(|end| end.name()),
            "rounds": stats.rounds.standing,
            "rounds_undone": stats.rounds.undone,
            "gaps": stats.gaps.iter().map(StateCount::all).sum::<usize>(),
            "waiting_for": stats.questions.values().map(|kind| kind.waiting).sum::<u32>(),
        ];
        figures.extend(time_and_usage(stats));
        row([&session.name], figures)
    })
}

fn ends(sum: &Stats) -> impl Iterator<Item = Row> {
    let ends = sum.ends.iter();
    ends.map(|(end, count)| {
        let by_rules = sum.by_rules.get(end).copied().unwrap_or(0);
        row(
            [end.name()],
            figures!["sessions": *count, "by_rules": by_rules],
        )
    })
}

fn verdicts(sum: &Stats) -> impl Iterator<Item = Row> {
    let verdicts = sum.rounds.verdicts.iter();
    verdicts.map(|(verdict, count)| row([verdict], figures!["rounds": *count]))
}

fn gaps(counts: &[StateCount]) -> impl Iterator<Item = Row> {
    counts.iter().flat_map(|count| {
        let severities = Severity::GRAVEST_FIRST.into_iter().zip(count.by_severity);
        let there = severities.filter(|(_, gaps)| *gaps > 0);
        there.map(|(severity, gaps)| {
            let keys = [count.state.name(), severity.name()];
            row(keys, figures!["gaps": gaps])
        })
    })
}

fn agents(sum: &Stats) -> impl Iterator<Item = Row> {
    sum.work.iter().map(|((role, agent), work)| {
        let mut figures = worked(work);
        figures.extend(used(&work.usage));
        row([role.stem(), agent], figures)
    })
}

fn worked(work: &Work) -> Vec<(&'static str, Value)> {
    figures![
        "attempts": work.attempts,
        "valid": work.valid,
        "invalid": work.invalid,
        "could_not_run": work.could_not_run,
        "first_tries": work.first_tries,
        "first_valid": work.first_valid,
        "valid_at_first_percent": work.valid_at_first(),
        "proposals": work.proposals,
        "accepted": work.accepted,
        "cost_of_accepted_micros": work.cost_of_accepted(),
        "issues": work.issues,
        "active_millis": work.usage.millis,
    ]
}

fn failures(sum: &Stats) -> impl Iterator<Item = Row> {
    sum.failures.iter().map(|(reason, record)| {
        let mut figures = figures!["outputs": record.outputs];
        figures.extend(retried(record.retries));
        row([reason.name()], figures)
    })
}

fn retried(retries: RetryRecord) -> Vec<(&'static str, Value)> {
    figures![
        "retries": retries.uses,
        "successes": retries.successes,
        "success_percent": percent(retries.successes, retries.uses),
    ]
}

fn examples(sum: &Stats) -> impl Iterator<Item = Row> {
    sum.examples.iter().map(|(tier, record)| {
        let name = match tier {
            Tier::Canonical => "canonical",
            Tier::Session => "session",
            Tier::Template => "template",
        };
        row([name], retried(*record))
    })
}

fn heuristics(sum: &Stats, advisory: &[Heuristic]) -> impl Iterator<Item = Row> {
    sum.heuristics.iter().map(|(heuristic, record)| {
        let figures = figures![
            "flags": record.flags,
            "judged": record.judged.all(),
            "confirmed": record.judged.confirmed,
            "precision_percent": record.precision(),
            "advisory": advisory.contains(heuristic),
        ];
        row([heuristic.name()], figures)
    })
}

fn questions(sum: &Stats) -> impl Iterator<Item = Row> {
    sum.questions.iter().map(|(kind, record)| {
        let figures = figures![
            "asked": record.asked,
            "answered_by_user": record.by_user,
            "answered_by_policy": record.by_policy,
            "withdrawn": record.withdrawn,
            "waiting": record.waiting,
        ];
        row([kind], figures)
    })
}

fn rollbacks(sum: &Stats) -> impl Iterator<Item = Row> {
    sum.rollbacks.iter().map(|(trigger, count)| {
        let figures = figures![
            "rollbacks": count.rollbacks,
            "unasked": count.unasked,
            "rounds_undone": count.rounds,
        ];
        row([trigger.name()], figures)
    })
}
