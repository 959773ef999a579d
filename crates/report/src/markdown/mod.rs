//! The report as markdown, with what the page has: for a pull request, a wiki or a terminal. No HTML and no link is
//! written.

mod escape;
mod writer;

use gapless_domain::{Severity, Usage, comma_list, human_millis, quarters};
use gapless_markdown::visible;

use crate::model::{DecisionEntry, Point, Report, RoundEntry};
use writer::Writer;

/// What a report of this kind begins with, below its title.
pub const MARK: &str = "Written by `gapless report` from the session's log.";

/// The longest bar of the convergence table, in signs.
const BAR: u64 = 24;

/// Writes the report as markdown.
pub fn markdown(report: &Report) -> String {
    let mut to = Writer::default();
    head(&mut to, report);
    convergence(&mut to, report);
    board(&mut to, report);
    left(&mut to, report);
    rounds(&mut to, report);
    issues(&mut to, report);
    decisions(&mut to, report);
    costs(&mut to, report);
    change(&mut to, report);
    visible(&to.into_text())
}

fn head(to: &mut Writer, report: &Report) {
    let outcome = &report.outcome;
    to.heading(1, &report.session);
    to.markup(MARK);
    to.markup(" Refinement of ");
    to.code(&report.source);
    if let Some(started) = report.started {
        to.words(&format!(", started {started}"));
    }
    to.paragraph(&format!(", as of {}", report.until));
    to.apart();
    to.strong(&format!("{}.", outcome.word));
    to.markup(" ");
    to.paragraph(&outcome.sentence);
    if !outcome.chapters.is_empty() {
        to.apart();
    }
    for chapter in &outcome.chapters {
        to.item(chapter);
    }
    if !outcome.waits.is_empty() {
        to.apart();
        to.markup("Waiting for an answer:\n\n");
    }
    for (id, title) in &outcome.waits {
        to.item(&format!("{id}: {title}"));
    }
    to.columns(["Figure", "Value", ""]);
    for figure in report.key_figures() {
        to.row([figure.name, &figure.value, &figure.note]);
    }
    to.apart();
    for (role, agent) in &report.agents {
        to.markup("- ");
        to.words(role.name());
        to.markup(": ");
        to.code(agent);
        to.markup("\n");
    }
}

fn convergence(to: &mut Writer, report: &Report) {
    let points = &report.points;
    to.heading(2, "Convergence");
    if points.len() < 2 {
        to.paragraph("No round has changed what is open yet.");
        return;
    }
    to.paragraph("Open weight after each round (0: at the start).");
    to.columns([
        "Round", "CRITICAL", "HIGH", "MEDIUM", "LOW", "All", "", "State",
    ]);
    let highest = points.iter().map(Point::weight).max().unwrap_or(0).max(1);
    for point in points {
        let length = (point.weight() * BAR).div_ceil(highest);
        let sign = match point.undone_by {
            Some(_) => "░",
            None => "█",
        };
        let mut cells = vec![point.round.to_string()];
        cells.extend(point.weights.map(quarters));
        cells.push(quarters(point.weight()));
        cells.push(sign.repeat(usize::try_from(length).unwrap_or(0)));
        cells.push(point.state_words());
        to.row(cells.iter().map(String::as_str));
    }
    if !report.rollbacks.is_empty() {
        to.heading(3, "Rollbacks");
    }
    for rollback in &report.rollbacks {
        let unasked = match rollback.unasked {
            true => ", nobody was asked",
            false => "",
        };
        to.item(&format!(
            "R{}: {} undone, back to round {} ({}{unasked}; {}; {}): {}",
            rollback.number,
            rollback.rounds,
            rollback.to_round,
            rollback.trigger,
            rollback.outcome,
            rollback.at,
            rollback.reason
        ));
        for told in &rollback.adjustments {
            to.markup("  ");
            to.item(&format!("the retry was told: {told}"));
        }
    }
}

fn board(to: &mut Writer, report: &Report) {
    to.heading(2, "Gaps");
    if report.board.is_empty() {
        to.paragraph("There are no gaps.");
    }
    for column in &report.board {
        to.heading(3, &format!("{} ({})", column.state, column.cards.len()));
        to.columns(["Gap", "Severity", "Description", "Notes"]);
        for card in &column.cards {
            let notes = card.notes.iter().chain([&card.history]);
            let notes: Vec<&str> = notes.map(String::as_str).collect();
            to.row([
                &card.id,
                card.severity.name(),
                &card.description,
                &notes.join("; "),
            ]);
        }
    }
}

fn left(to: &mut Writer, report: &Report) {
    to.heading(2, "What is left");
    if report.limitations.is_empty() {
        to.paragraph("Nothing: the spec has no known limitation.");
    }
    for limitation in &report.limitations {
        to.markup("- ");
        to.strong(&limitation.id);
        let mut text = format!(
            " ({}, {}): {}",
            limitation.severity, limitation.what, limitation.text
        );
        if let Some(rationale) = &limitation.rationale {
            text += &format!(" Why: {rationale}");
        }
        to.markup(" ");
        to.paragraph(&text);
    }
}

fn rounds(to: &mut Writer, report: &Report) {
    to.heading(2, "Rounds");
    if report.rounds.is_empty() {
        to.paragraph("No round has begun.");
    }
    for entry in &report.rounds {
        round(to, entry);
    }
}

fn round(to: &mut Writer, entry: &RoundEntry) {
    let name = match entry.round {
        0 => "Discovery".to_owned(),
        round => format!("Round {round}"),
    };
    let undone = entry.undone_by.map_or(String::new(), |number| {
        format!(" (undone by rollback {number})")
    });
    to.heading(3, &format!("{name}{undone}: {}", entry.state));
    to.item(&format!("Planned: {}", listed(&entry.planned)));
    if let Some((weight, heads)) = entry.net {
        to.item(&format!("Resolved: {}", counted(&entry.resolved)));
        to.item(&format!("New: {}", counted(&entry.created)));
        to.item(&format!("Reopened: {}", counted(&entry.reopened)));
        to.item(&format!("Net: {weight:+} by weight, {heads:+} by gaps"));
    }
    to.item(&format!("Open after it: {}", quarters(entry.open_quarters)));
    to.item(&format!("Issues raised: {}", listed(&entry.issues_raised)));
    to.item(&format!(
        "Time: {}, from {}; attempts: {}",
        human_millis(entry.elapsed_millis),
        entry.began,
        entry.attempts
    ));
    for note in &entry.notes {
        to.item(note);
    }
    for record in &entry.troubled {
        to.item(&format!(
            "Attempt {} by {}: {}: {}",
            record.name,
            record.agent,
            record.verdict_words(),
            record.message
        ));
    }
    for flagged in &entry.flags {
        let word = match flagged.confirmed {
            Some(true) => ", confirmed by the user",
            Some(false) => ", a false alarm",
            None => "",
        };
        to.item(&format!(
            "Flag {} on {} ({}; confidence {}{word}): {}",
            flagged.flag.heuristic.name(),
            flagged.issue,
            flagged.severity,
            flagged.flag.confidence.name(),
            flagged.flag.evidence.text
        ));
    }
}

fn counted(gaps: &[(String, Severity)]) -> String {
    let gaps = gaps.iter();
    listed(gaps.map(|(id, severity)| format!("{id} ({severity})")))
}

fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    match comma_list(items) {
        list if list.is_empty() => "none".to_owned(),
        list => list,
    }
}

fn issues(to: &mut Writer, report: &Report) {
    to.heading(2, "Issues");
    if report.issues.is_empty() {
        to.paragraph("No issue was raised.");
    }
    for issue in &report.issues {
        to.heading(
            3,
            &format!("{} ({}, {})", issue.id, issue.severity, issue.state),
        );
        to.paragraph(&issue.summary);
        to.apart();
        to.item(&format!(
            "On {}, raised in round {}",
            issue.gap, issue.raised_in
        ));
        for (name, said) in &issue.details {
            to.item(&format!("{name}: {said}"));
        }
        for flag in &issue.flags {
            to.item(&format!("Flag: {flag}"));
        }
        to.item(&issue.answered);
        if let Some(answer) = &issue.answer {
            to.apart();
            to.markup("The Engineer's words:");
            to.lines(answer, "");
        }
    }
}

fn decisions(to: &mut Writer, report: &Report) {
    to.heading(2, "Decisions");
    if report.decisions.is_empty() {
        to.paragraph("Nothing was decided.");
    }
    for entry in &report.decisions {
        decision(to, entry);
    }
}

fn decision(to: &mut Writer, entry: &DecisionEntry) {
    to.heading(
        3,
        &format!("{} ({}, {})", entry.id, entry.kind, entry.state),
    );
    to.paragraph(&entry.title);
    to.apart();
    let mut say = |name: &str, said: &str| {
        if !said.is_empty() {
            to.item(&format!("{name}: {said}"));
        }
    };
    say("On", &entry.subject);
    if let Some(positions) = &entry.positions {
        say("Severity", positions.severity.map_or("", Severity::name));
        say("A, the Reviewer", &positions.reviewer);
        say("B, the Engineer", &positions.engineer);
        say("Chosen", &positions.chosen_words);
        if positions.implicit {
            say("Note", "the Engineer never said that it disagrees");
        }
    }
    say("Decision", &entry.decision);
    say("Rationale", &entry.rationale);
    say("Constraints", &entry.constraints);
    say("Decided by", &format!("{}, {}", entry.by, entry.at));
}

fn costs(to: &mut Writer, report: &Report) {
    let figures = &report.figures;
    let time = figures.time;
    to.heading(2, "Cost and time");
    to.paragraph(&format!(
        "{} in all: agents at work {}, waiting {}.",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    ));
    if report.usage.is_empty() {
        to.paragraph("No agent has been asked yet.");
        return;
    }
    if figures.usage.estimated {
        to.paragraph("A tilde marks what was counted here, since the agent did not tell.");
    }
    to.columns(["Role", "Tokens in", "Tokens out", "Cost", "Time"]);
    for (role, usage) in &figures.usage_by_role {
        usage_row(to, role.name(), usage);
    }
    usage_row(to, "All", &figures.usage);
    to.columns(["Round", "Tokens in", "Tokens out", "Cost", "Time"]);
    for round in &report.usage {
        let name = match (round.round, round.undone) {
            (0, _) => "Discovery".to_owned(),
            (number, true) => format!("{number} (undone)"),
            (number, false) => number.to_string(),
        };
        usage_row(to, &name, &round.all);
        for (role, usage) in round.roles.iter().filter(|_| round.roles.len() > 1) {
            usage_row(to, &format!("… {role}"), usage);
        }
    }
}

fn usage_row(to: &mut Writer, name: &str, usage: &Usage) {
    let told = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    to.row([
        name,
        &told(usage.tokens_in()),
        &told(usage.tokens_out()),
        &told(usage.cost()),
        &human_millis(usage.millis),
    ]);
}

fn change(to: &mut Writer, report: &Report) {
    let change = &report.change;
    to.heading(2, "The spec: source and refined");
    if let Some(why) = &change.absent {
        to.paragraph(why);
        return;
    }
    if change.hunks.is_empty() {
        to.paragraph("The refined spec is still the source.");
        return;
    }
    to.paragraph(&format!(
        "{} lines added, {} removed.",
        change.added, change.removed
    ));
    let mut lines = String::new();
    for hunk in &change.hunks {
        lines += &format!("{}\n", hunk.place);
        for (mark, line) in &hunk.lines {
            let line = format!("{}{line}", mark.sign());
            lines += &format!("{}\n", line.trim_end());
        }
    }
    to.lines(&lines, "diff");
    if change.lines_left_out > 0 {
        to.apart();
        to.paragraph(&format!(
            "{} more lines are left out here; gapless diff has them all.",
            change.lines_left_out
        ));
    }
}
