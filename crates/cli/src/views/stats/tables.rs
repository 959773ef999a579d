//! The figures of several sessions as tables for people.

use comfy_table::Cell;
use gapless_domain::numbers::percent;
use gapless_domain::{Money, human_millis};
use gapless_session::figures::StateCount;
use gapless_views::stats::Stats;

use super::selection::Selection;
use crate::output::tables::{inventory, keep_whole, number, print, table, text};
use crate::output::wording::{count, in_parentheses, list};
use crate::views::usage;
use crate::{Context, Screen, SessionStats, Tone, plain};

/// How much of an agent's name is shown.
const WIDTH_OF_AGENT: usize = 36;

pub(crate) fn show(context: &Context, chosen: &Selection<'_>) {
    let screen = &context.screen;
    let sum = &chosen.sum;
    overview(screen, sum);
    if chosen.sessions.len() > 1 {
        sessions(screen, &chosen.sessions);
    }
    if !sum.gaps.is_empty() {
        title(screen, "Gaps");
        print(screen, &inventory(screen, &sum.gaps));
    }
    agents(screen, sum);
    failures(screen, sum);
    examples(screen, sum);
    heuristics(screen, chosen);
    questions(screen, sum);
    rollbacks(screen, sum);
}

fn title(screen: &Screen, title: &str) {
    screen.line("");
    screen.line(&screen.paint(Tone::Strong, title));
}

fn overview(screen: &Screen, sum: &Stats) {
    let ends = sum.ends.iter().map(|(end, count)| format!("{count} {end}"));
    let under_way = match sum.sessions.saturating_sub(sum.ended()) {
        0 => None,
        count => Some(format!("{count} under way")),
    };
    let ends = list(ends.chain(under_way));
    screen.line(&format!("{}: {ends}", count(sum.sessions, "session")));
    let rounds = &sum.rounds;
    let verdicts = rounds.verdicts.iter();
    let verdicts = verdicts.map(|(verdict, count)| format!("{count} {verdict}"));
    let verdicts = in_parentheses(verdicts);
    let undone = match rounds.undone {
        0 => String::new(),
        undone => format!(", {undone} undone"),
    };
    screen.line(&format!(
        "{}{verdicts}{undone}; {} resolved, {} new, {} reopened",
        count(rounds.standing, "round"),
        rounds.resolved,
        rounds.created,
        rounds.reopened
    ));
    screen.lines(usage::time_and_cost(sum.time, &sum.usage));
}

fn sessions(screen: &Screen, sessions: &[&SessionStats]) {
    title(screen, "Sessions");
    let header = [
        "Session", "State", "Rounds", "Undone", "Gaps", "Time", "Cost",
    ];
    let mut shown = table(screen, &header);
    for session in sessions {
        let stats = &session.stats;
        let phase = session.summary.as_ref().map(|summary| summary.phase.name());
        let end = stats.ends.keys().next().map(|end| end.name());
        let gaps: usize = stats.gaps.iter().map(StateCount::all).sum();
        shown.add_row([
            text(&session.name),
            text(end.or(phase).unwrap_or("-")),
            number(stats.rounds.standing),
            number(stats.rounds.undone),
            number(gaps),
            number(human_millis(stats.time.active)),
            told(stats.usage.cost()),
        ]);
    }
    keep_whole(&mut shown, &[0, 1]);
    print(screen, &shown);
}

fn told(value: Option<impl ToString>) -> Cell {
    match value {
        Some(value) => number(value),
        None => number("-"),
    }
}

fn share(share: Option<u32>) -> Cell {
    told(share.map(|share| format!("{share}%")))
}

fn agents(screen: &Screen, sum: &Stats) {
    if sum.work.is_empty() {
        return;
    }
    title(screen, "Agents: what they used");
    let header = [
        "Role",
        "Agent",
        "Attempts",
        "Time",
        "Tokens in",
        "Tokens out",
        "Cost",
        "By gap",
    ];
    let mut used = table(screen, &header);
    let header = [
        "Role",
        "Agent",
        "First try",
        "Invalid",
        "Not run",
        "Proposed",
        "Accepted",
        "Issues",
    ];
    let mut brought = table(screen, &header);
    for ((role, agent), work) in &sum.work {
        let agent = plain::shortened(agent, WIDTH_OF_AGENT);
        used.add_row([
            text(role.name()),
            text(&agent),
            number(work.attempts),
            number(human_millis(work.usage.millis)),
            told(work.usage.tokens_in()),
            told(work.usage.tokens_out()),
            told(work.usage.cost()),
            told(work.cost_of_accepted().map(Money)),
        ]);
        brought.add_row([
            text(role.name()),
            text(&agent),
            share(work.valid_at_first()),
            number(work.invalid),
            number(work.could_not_run),
            number(work.proposals),
            number(work.accepted),
            number(work.issues),
        ]);
    }
    keep_whole(&mut used, &[0, 2, 3]);
    print(screen, &used);
    title(screen, "Agents: what they brought");
    keep_whole(&mut brought, &[0]);
    print(screen, &brought);
}

fn failures(screen: &Screen, sum: &Stats) {
    if sum.failures.is_empty() {
        return;
    }
    title(screen, "Invalid outputs, and the retries after them");
    let header = ["Failure", "Outputs", "Retries", "Valid", "Success"];
    let mut shown = table(screen, &header);
    for (reason, record) in &sum.failures {
        let retries = record.retries;
        shown.add_row([
            text(reason.name()),
            number(record.outputs),
            number(retries.uses),
            number(retries.successes),
            share(percent(retries.successes, retries.uses)),
        ]);
    }
    print(screen, &shown);
}

fn examples(screen: &Screen, sum: &Stats) {
    if sum.examples.is_empty() {
        return;
    }
    title(screen, "Retries by the example they had");
    let mut shown = table(screen, &["Example", "Retries", "Valid", "Success"]);
    for (tier, record) in &sum.examples {
        shown.add_row([
            text(tier.name()),
            number(record.uses),
            number(record.successes),
            share(percent(record.successes, record.uses)),
        ]);
    }
    print(screen, &shown);
}

fn heuristics(screen: &Screen, chosen: &Selection<'_>) {
    if chosen.sum.heuristics.is_empty() {
        return;
    }
    title(screen, "Flags of passed-over issues");
    let header = [
        "Rule",
        "Flags",
        "Judged",
        "Confirmed",
        "Precision",
        "Counts",
    ];
    let mut shown = table(screen, &header);
    for (heuristic, record) in &chosen.sum.heuristics {
        let counts = match chosen.advisory.contains(heuristic) {
            true => "only advises: wrong too often in this workspace",
            false => "yes",
        };
        shown.add_row([
            text(heuristic.name()),
            number(record.flags),
            number(record.judged.all()),
            number(record.judged.confirmed),
            share(record.precision()),
            text(counts),
        ]);
    }
    print(screen, &shown);
}

fn questions(screen: &Screen, sum: &Stats) {
    if sum.questions.is_empty() {
        return;
    }
    title(screen, "Questions, and who answered them");
    let header = ["Kind", "Asked", "You", "Policy", "Withdrawn", "Waiting"];
    let mut shown = table(screen, &header);
    for (kind, record) in &sum.questions {
        shown.add_row([
            text(kind),
            number(record.asked),
            number(record.by_user),
            number(record.by_policy),
            number(record.withdrawn),
            number(record.waiting),
        ]);
    }
    print(screen, &shown);
}

fn rollbacks(screen: &Screen, sum: &Stats) {
    if sum.rollbacks.is_empty() {
        return;
    }
    title(screen, "Rollbacks");
    let header = ["Why", "Rollbacks", "Unasked", "Rounds undone"];
    let mut shown = table(screen, &header);
    for (trigger, count) in &sum.rollbacks {
        shown.add_row([
            text(trigger.words()),
            number(count.rollbacks),
            number(count.unasked),
            number(count.rounds),
        ]);
    }
    print(screen, &shown);
}
