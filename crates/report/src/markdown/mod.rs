//! Owns the report as markdown, with what the page has: for a pull request, a wiki or a terminal.
//!
//! Invariant: every text that somebody wrote goes through `escape`; no HTML and no link is written.

mod escape;

use gapless_core::documents::quarters;
use gapless_core::severity::Severity;
use gapless_core::task::Usage;
use gapless_core::time::human_millis;

use crate::model::{Mark, Point, Report, RoundEntry};
use crate::visible::visible;
use escape::{code, fenced, inline};

/// What a report of this kind begins with, below its title.
pub const MARK: &str = "Written by `gapless report` from the session's log.";

/// The longest bar of the convergence table, in signs.
const BAR: u64 = 24;

/// Writes the report as markdown.
pub fn markdown(report: &Report) -> String {
    let parts = [
        head(report),
        convergence(report),
        board(report),
        left(report),
        rounds(report),
        issues(report),
        decisions(report),
        costs(report),
        change(report),
    ];
    visible(&parts.concat())
}

fn head(report: &Report) -> String {
    let outcome = &report.outcome;
    let mut text = format!("# {}\n\n", inline(&report.session));
    text += &format!("{MARK} Refinement of {}", code(&report.source));
    if let Some(started) = report.started {
        text += &format!(", started {started}");
    }
    text += &format!(", as of {}\n\n", report.until);
    text += &format!("**{}.** {}\n", outcome.word, inline(&outcome.sentence));
    if !outcome.waits.is_empty() {
        text += "\nWaiting for an answer:\n\n";
    }
    for (id, title) in &outcome.waits {
        text += &format!("- {id}: {}\n", inline(title));
    }
    text += "\n| Figure | Value | |\n|---|---|---|\n";
    for figure in report.key_figures() {
        let (name, value, note) = (figure.name, inline(&figure.value), inline(&figure.note));
        text += &row([name.to_owned(), value, note]);
    }
    if !report.agents.is_empty() {
        text += "\n";
    }
    for (role, agent) in &report.agents {
        text += &format!("- {}: {}\n", role.name(), code(agent));
    }
    text
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |\n", cells.join(" | "))
}

fn convergence(report: &Report) -> String {
    let points = &report.points;
    let mut text = "\n## Convergence\n\n".to_owned();
    if points.len() < 2 {
        return text + "No round has changed what is open yet.\n";
    }
    text += "Open weight after each round (0: at the start).\n\n";
    text += "| Round | CRITICAL | HIGH | MEDIUM | LOW | All | | State |\n|---|---|---|---|---|---|---|---|\n";
    let highest = points.iter().map(Point::weight).max().unwrap_or(0).max(1);
    for point in points {
        let bar = (point.weight() * BAR).div_ceil(highest);
        let sign = match point.undone_by {
            Some(_) => "░",
            None => "█",
        };
        let mut cells = vec![point.round.to_string()];
        cells.extend(point.weights.map(quarters));
        cells.push(quarters(point.weight()));
        cells.push(sign.repeat(usize::try_from(bar).unwrap_or(0)));
        cells.push(inline(&point.state_words()));
        text += &row(cells);
    }
    if !report.rollbacks.is_empty() {
        text += "\n### Rollbacks\n\n";
    }
    for rollback in &report.rollbacks {
        let unasked = if rollback.unasked { ", nobody was asked" } else { "" };
        text += &format!(
            "- **R{}:** {} undone, back to round {} ({}{unasked}; {}; {}): {}\n",
            rollback.number,
            rollback.rounds,
            rollback.to_round,
            rollback.trigger,
            rollback.outcome,
            rollback.at,
            inline(&rollback.reason)
        );
        for told in &rollback.adjustments {
            text += &format!("  - the retry was told: {}\n", inline(told));
        }
    }
    text
}

fn board(report: &Report) -> String {
    let mut text = "\n## Gaps\n".to_owned();
    if report.board.is_empty() {
        text += "\nThere are no gaps.\n";
    }
    for column in &report.board {
        text += &format!("\n### {} ({})\n\n", inline(column.state.name()), column.cards.len());
        text += "| Gap | Severity | Description | Notes |\n|---|---|---|---|\n";
        for card in &column.cards {
            let mut notes = card.notes.clone();
            notes.push(card.history.clone());
            text += &row([
                card.id.clone(),
                card.severity.to_string(),
                inline(&card.description),
                inline(&notes.join("; ")),
            ]);
        }
    }
    text
}

fn left(report: &Report) -> String {
    let mut text = "\n## What is left\n\n".to_owned();
    if report.limitations.is_empty() {
        text += "Nothing: the spec has no known limitation.\n";
    }
    for limitation in &report.limitations {
        text += &format!(
            "- **{}** ({}, {}): {}",
            inline(&limitation.id),
            limitation.severity,
            limitation.what,
            inline(&limitation.text)
        );
        if let Some(rationale) = &limitation.rationale {
            text += &format!(" Why: {}", inline(rationale));
        }
        text += "\n";
    }
    text
}

fn rounds(report: &Report) -> String {
    let mut text = "\n## Rounds\n".to_owned();
    if report.rounds.is_empty() {
        text += "\nNo round has begun.\n";
    }
    for entry in &report.rounds {
        text += &round(entry);
    }
    text
}

fn round(entry: &RoundEntry) -> String {
    let name = match entry.round {
        0 => "Discovery".to_owned(),
        round => format!("Round {round}"),
    };
    let undone = entry.undone_by.map_or(String::new(), |number| {
        format!(" (undone by rollback {number})")
    });
    let mut text = format!("\n### {name}{undone}: {}\n\n", inline(&entry.state));
    let ids = |ids: &[String]| match ids {
        [] => "none".to_owned(),
        ids => ids.join(", "),
    };
    text += &format!("- Planned: {}\n", ids(&entry.planned));
    if let Some((weight, heads)) = entry.net {
        text += &format!("- Resolved: {}\n", counted(&entry.resolved));
        text += &format!("- New: {}\n", counted(&entry.created));
        text += &format!("- Reopened: {}\n", counted(&entry.reopened));
        text += &format!("- Net: {weight:+} by weight, {heads:+} by gaps\n");
    }
    text += &format!("- Open after it: {}\n", quarters(entry.open_quarters));
    text += &format!("- Issues raised: {}\n", ids(&entry.issues_raised));
    text += &format!(
        "- Time: {}, from {}; attempts: {}\n",
        human_millis(entry.elapsed_millis),
        entry.began,
        entry.attempts
    );
    for note in &entry.notes {
        text += &format!("- {}\n", inline(note));
    }
    for record in &entry.troubled {
        let best = if record.taken_as_best { " (taken as the best)" } else { "" };
        text += &format!(
            "- Attempt {} by {}: {}{best}: {}\n",
            inline(&record.name),
            code(&record.agent),
            inline(record.verdict),
            inline(&record.message)
        );
    }
    for flagged in &entry.flags {
        let word = match flagged.confirmed {
            Some(true) => ", confirmed by the user",
            Some(false) => ", a false alarm",
            None => "",
        };
        text += &format!(
            "- Flag {} on {} [{}] (confidence {}{word}): {}\n",
            flagged.flag.heuristic.name(),
            flagged.issue,
            flagged.severity,
            flagged.flag.confidence.name(),
            inline(&flagged.flag.evidence.text)
        );
    }
    text
}

fn counted(gaps: &[(String, Severity)]) -> String {
    let all: Vec<String> = gaps
        .iter()
        .map(|(id, severity)| format!("{id} ({severity})"))
        .collect();
    match all.is_empty() {
        true => "none".to_owned(),
        false => all.join(", "),
    }
}

fn issues(report: &Report) -> String {
    let mut text = "\n## Issues\n".to_owned();
    if report.issues.is_empty() {
        text += "\nNo issue was raised.\n";
    }
    for issue in &report.issues {
        text += &format!(
            "\n### {} ({}, {})\n\n{}\n\n- On {}, raised in round {}\n",
            issue.id,
            issue.severity,
            issue.state,
            inline(&issue.summary),
            issue.gap,
            issue.raised_in
        );
        for (name, said) in &issue.details {
            text += &format!("- {name}: {}\n", inline(said));
        }
        for flag in &issue.flags {
            text += &format!("- Flag: {}\n", inline(flag));
        }
        text += &format!("- {}\n", inline(&issue.answered));
        if let Some(answer) = &issue.answer {
            text += &format!("\nThe Engineer's words:\n\n{}", fenced(answer, ""));
        }
    }
    text
}

fn decisions(report: &Report) -> String {
    let mut text = "\n## Decisions\n".to_owned();
    if report.decisions.is_empty() {
        text += "\nNothing was decided.\n";
    }
    for decision in &report.decisions {
        text += &format!(
            "\n### {} ({}, {})\n\n{}\n\n- On: {}\n",
            decision.id,
            decision.kind,
            inline(&decision.state),
            inline(&decision.title),
            decision.subject
        );
        let mut say = |name: &str, said: &str| {
            if !said.is_empty() {
                text += &format!("- {name}: {}\n", inline(said));
            }
        };
        if let Some(positions) = &decision.positions {
            let severity = positions.severity.map_or("", Severity::name);
            say("Severity", severity);
            say("A, the Reviewer", &positions.reviewer);
            say("B, the Engineer", &positions.engineer);
            say("Chosen", &positions.chosen_words);
            if positions.implicit {
                say("Note", "the Engineer never said that it disagrees");
            }
        }
        say("Decision", &decision.decision);
        say("Rationale", &decision.rationale);
        say("Constraints", &decision.constraints);
        say("Decided by", &format!("{}, {}", decision.by, decision.at));
    }
    text
}

fn costs(report: &Report) -> String {
    let figures = &report.figures;
    let time = figures.time;
    let mut text = format!(
        "\n## Cost and time\n\n{} in all: agents at work {}, waiting {}.\n",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    );
    if report.usage.is_empty() {
        return text + "\nNo agent has been asked yet.\n";
    }
    if figures.usage.estimated {
        text += "A tilde marks what was counted here, since the agent did not tell.\n";
    }
    text += "\n| Role | Tokens in | Tokens out | Cost | Time |\n|---|---|---|---|---|\n";
    for (role, usage) in &figures.usage_by_role {
        text += &usage_row(role.name().to_owned(), usage);
    }
    text += &usage_row("All".to_owned(), &figures.usage);
    text += "\n| Round | Tokens in | Tokens out | Cost | Time |\n|---|---|---|---|---|\n";
    for round in &report.usage {
        let name = match (round.round, round.undone) {
            (0, _) => "Discovery".to_owned(),
            (number, true) => format!("{number} (undone)"),
            (number, false) => number.to_string(),
        };
        text += &usage_row(name, &round.all);
        for (role, usage) in round.roles.iter().filter(|_| round.roles.len() > 1) {
            text += &usage_row(format!("… {}", role.name()), usage);
        }
    }
    text
}

fn usage_row(name: String, usage: &Usage) -> String {
    let told = |text: Option<String>| text.map_or_else(|| "–".to_owned(), |text| inline(&text));
    row([
        name,
        told(usage.tokens_in()),
        told(usage.tokens_out()),
        told(usage.cost()),
        human_millis(usage.millis),
    ])
}

fn change(report: &Report) -> String {
    let change = &report.change;
    let mut text = "\n## The spec: source and refined\n\n".to_owned();
    if let Some(why) = &change.absent {
        return text + &inline(why) + "\n";
    }
    if change.hunks.is_empty() {
        return text + "The refined spec is still the source.\n";
    }
    text += &format!("{} lines added, {} removed.\n\n", change.added, change.removed);
    let mut lines = String::new();
    for hunk in &change.hunks {
        lines += &format!("{}\n", hunk.place);
        for (mark, line) in &hunk.lines {
            lines += &sign_line(*mark, line);
        }
    }
    text += &fenced(&lines, "diff");
    if change.lines_left_out > 0 {
        let left_out = change.lines_left_out;
        text += &format!("\n{left_out} more lines are left out here; `gapless diff` has them all.\n");
    }
    text
}

fn sign_line(mark: Mark, line: &str) -> String {
    let text = format!("{}{line}", mark.sign());
    format!("{}\n", text.trim_end())
}
