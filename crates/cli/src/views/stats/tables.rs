//! The figures of several sessions as tables for people.

use comfy_table::Cell;
use gapless_domain::numbers::percent;
use gapless_domain::{Money, human_millis};
use gapless_session::BY_RULES;
use gapless_session::figures::StateCount;
use gapless_views::stats::Stats;

use super::selection::Selection;
use crate::output::tables::{inventory, number, print, text};
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
        inventory(screen, &sum.gaps);
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

/// Prints a table under its title, if it has any rows.
fn section<const N: usize>(
    screen: &Screen,
    heading: &str,
    header: [&str; N],
    whole: &[usize],
    rows: impl ExactSizeIterator<Item = [Cell; N]>,
) {
    if rows.len() > 0 {
        title(screen, heading);
        print(screen, header, whole, rows);
    }
}

fn overview(screen: &Screen, sum: &Stats) {
    let ends = sum.ends.iter().map(|(end, count)| {
        let by_rules = sum.by_rules.get(end).copied().unwrap_or(0);
        match by_rules {
            0 => format!("{count} {end}"),
            _ if by_rules == *count => format!("{count} {end} {BY_RULES}"),
            some => format!("{count} {end} ({some} of them {BY_RULES})"),
        }
    });
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
    let header = [
        "Session", "State", "Rounds", "Undone", "Gaps", "Time", "Cost",
    ];
    let rows = sessions.iter().map(|session| {
        let stats = &session.stats;
        let phase = session.summary.as_ref().map(|summary| summary.phase.name());
        let end = stats.ends.keys().next();
        let end = end.map(|end| match stats.by_rules.contains_key(end) {
            true => format!("{end} by rules"),
            false => end.to_string(),
        });
        let gaps: usize = stats.gaps.iter().map(StateCount::all).sum();
        [
            text(&session.name),
            text(end.as_deref().or(phase).unwrap_or("-")),
            number(stats.rounds.standing),
            number(stats.rounds.undone),
            number(gaps),
            number(human_millis(stats.time.active)),
            told(stats.usage.cost()),
        ]
    });
    section(screen, "Sessions", header, &[0, 1], rows);
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
    let short = |agent: &str| text(&plain::shortened(agent, WIDTH_OF_AGENT));
    let used = sum.work.iter().map(|((role, agent), work)| {
        [
            text(role.name()),
            short(agent),
            number(work.attempts),
            number(human_millis(work.usage.millis)),
            told(work.usage.tokens_in()),
            told(work.usage.tokens_out()),
            told(work.usage.cost()),
            told(work.cost_of_accepted().map(Money)),
        ]
    });
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
    section(screen, "Agents: what they used", header, &[0, 2, 3], used);
    let brought = sum.work.iter().map(|((role, agent), work)| {
        [
            text(role.name()),
            short(agent),
            share(work.valid_at_first()),
            number(work.invalid),
            number(work.could_not_run),
            number(work.proposals),
            number(work.accepted),
            number(work.issues),
        ]
    });
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
    section(screen, "Agents: what they brought", header, &[0], brought);
}

fn failures(screen: &Screen, sum: &Stats) {
    let title = "Invalid outputs, and the retries after them";
    let header = ["Failure", "Outputs", "Retries", "Valid", "Success"];
    let rows = sum.failures.iter().map(|(reason, record)| {
        let retries = record.retries;
        [
            text(reason.name()),
            number(record.outputs),
            number(retries.uses),
            number(retries.successes),
            share(percent(retries.successes, retries.uses)),
        ]
    });
    section(screen, title, header, &[], rows);
}

fn examples(screen: &Screen, sum: &Stats) {
    let header = ["Example", "Retries", "Valid", "Success"];
    let rows = sum.examples.iter().map(|(tier, record)| {
        [
            text(tier.name()),
            number(record.uses),
            number(record.successes),
            share(percent(record.successes, record.uses)),
        ]
    });
    section(screen, "Retries by the example they had", header, &[], rows);
}

fn heuristics(screen: &Screen, chosen: &Selection<'_>) {
    let header = [
        "Rule",
        "Flags",
        "Judged",
        "Confirmed",
        "Precision",
        "Counts",
    ];
    let rows = chosen.sum.heuristics.iter().map(|(heuristic, record)| {
        let counts = match chosen.advisory.contains(heuristic) {
            true => "only advises: wrong too often in this workspace",
            false => "yes",
        };
        [
            text(heuristic.name()),
            number(record.flags),
            number(record.judged.all()),
            number(record.judged.confirmed),
            share(record.precision()),
            text(counts),
        ]
    });
    section(screen, "Flags of passed-over issues", header, &[], rows);
}

fn questions(screen: &Screen, sum: &Stats) {
    let title = "Questions, and who answered them";
    let header = ["Kind", "Asked", "You", "Policy", "Withdrawn", "Waiting"];
    let rows = sum.questions.iter().map(|(kind, record)| {
        [
            text(kind),
            number(record.asked),
            number(record.by_user),
            number(record.by_policy),
            number(record.withdrawn),
            number(record.waiting),
        ]
    });
    section(screen, title, header, &[], rows);
}

fn rollbacks(screen: &Screen, sum: &Stats) {
    let header = ["Why", "Rollbacks", "Unasked", "Rounds undone"];
    let rows = sum.rollbacks.iter().map(|(trigger, count)| {
        [
            text(trigger.words()),
            number(count.rollbacks),
            number(count.unasked),
            number(count.rounds),
        ]
    });
    section(screen, "Rollbacks", header, &[], rows);
}
