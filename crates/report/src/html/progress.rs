//! How a session went: the convergence chart with its table, the rollbacks, and each run of a round.

use gapless_domain::{human_millis, quarters};
use gapless_session::AttemptRecord;
use maud::{Markup, PreEscaped, html};

use super::parts::{Page, folded, moment, quote, severity, severity_class, tone_class};
use crate::chart::{self, NARROW, WIDE};
use crate::gather::severities;
use crate::model::{Point, RollbackEntry, RoundEntry};

const ROUNDS: usize = 60;

pub fn convergence(page: &Page<'_>) -> Markup {
    let report = page.report;
    let points = &report.points;
    html! {
        h2 id="convergence" { "Convergence" }
        @match (chart::svg(points, WIDE), chart::svg(points, NARROW)) {
            (Some(wide), Some(narrow)) => {
                figure {
                    div class="wide" role="img" aria-label=(chart::in_words(points)) { (PreEscaped(wide)) }
                    div class="narrow" role="img" aria-label=(chart::in_words(points)) { (PreEscaped(narrow)) }
                    figcaption {
                        "Open weight after each round (0: at the start). A CRITICAL gap weighs 16, HIGH 4, MEDIUM 2, LOW 1; what "
                        "is deferred counts half, what is blocked a quarter."
                    }
                    (legend(points))
                }
            }
            _ => { p { "No round has changed what is open yet." } }
        }
        @if points.len() > 1 {
            details { summary { "The same as a table" } (table(points)) }
        }
        (rollbacks(&report.rollbacks))
    }
}

fn legend(points: &[Point]) -> Markup {
    let any = |is: fn(&Point) -> bool| points.iter().any(is);
    let entry =
        |class: &str, words: &str| html! { li { span class={ "swatch " (class) } {} (words) } };
    html! {
        ul class="legend" {
            @for (_, severity) in severities() { (entry(severity_class(severity), severity.name())) }
            @match (any(|point| point.undone_by.is_some()), any(|point| point.undone_by.is_none() && point.unfinished)) {
                (true, true) => (entry("pale mark-undone", "undone, or not finished")),
                (true, false) => (entry("pale mark-undone", "undone")),
                (false, true) => (entry("pale mark-undone", "not finished")),
                (false, false) => {}
            }
            @if any(|point| point.undone_by.is_some()) { (entry("bar mark-back", "rollback, by its number")) }
            @if any(is_warning) { (entry("up mark-warn", "divergence warning")) }
        }
    }
}

fn is_warning(point: &Point) -> bool {
    use gapless_domain::convergence::ConvergenceState;
    point.state == Some(ConvergenceState::DivergenceWarning)
}

fn table(points: &[Point]) -> Markup {
    html! {
        div class="table" {
            table {
                caption { "Open weight by severity" }
                thead {
                    tr {
                        th { "Round" }
                        @for (_, severity) in severities() { th class="number" { (severity.name()) } }
                        th class="number" { "All" }
                        th { "State" }
                    }
                }
                tbody {
                    @for point in points {
                        tr class=[point.undone_by.map(|_| "undone")] {
                            td { span class="struck" { (point.round) } }
                            @for weight in point.weights { td class="number" { (quarters(weight)) } }
                            td class="number" { (quarters(point.weight())) }
                            td { (point.state_words()) }
                        }
                    }
                }
            }
        }
    }
}

fn rollbacks(rollbacks: &[RollbackEntry]) -> Markup {
    html! {
        @if !rollbacks.is_empty() {
            h3 { "Rollbacks" }
            @for rollback in rollbacks {
                div class="entry" {
                    strong { "R" (rollback.number) } ": " (rollback.rounds) " undone, back to "
                    @match rollback.to_round {
                        0 => "the start",
                        round => { "round " (round) }
                    }
                    " " span class="soft" {
                        "(" (rollback.trigger) @if rollback.unasked { ", nobody was asked" } "; " (rollback.outcome) "; " (moment(rollback.at)) ")"
                    }
                    p { (rollback.reason) }
                    @if !rollback.adjustments.is_empty() {
                        details {
                            summary { "What the retry was told" }
                            @for text in &rollback.adjustments { (quote(text)) }
                        }
                    }
                }
            }
        }
    }
}

pub fn rounds(page: &Page<'_>) -> Markup {
    let rounds = &page.report.rounds;
    html! {
        h2 id="rounds" { "Rounds" }
        @if rounds.is_empty() { p { "No round has begun." } }
        (folded(rounds, ROUNDS, "rounds", |entry| round(page, entry)))
    }
}

fn round(page: &Page<'_>, entry: &RoundEntry) -> Markup {
    let class = match entry.undone_by {
        Some(_) => "entry undone",
        None => "entry",
    };
    html! {
        details class=(class) {
            summary {
                span {
                    strong class="struck" {
                        @if entry.round == 0 { "Discovery" } @else { "Round " (entry.round) }
                    }
                }
                @if let Some(number) = entry.undone_by {
                    span class="state warn" { "undone by rollback " (number) }
                }
                span class={ "state " (tone_class(entry.tone)) } { (entry.state) }
                @if let Some((weight, _)) = entry.net {
                    span { "net " (format!("{weight:+}")) }
                    span {
                        (entry.resolved.len()) " resolved, " (entry.created.len()) " new, " (entry.reopened.len()) " reopened"
                    }
                }
                (troubles(entry))
            }
            (round_body(page, entry))
        }
    }
}

/// How much went wrong in a round, in a few words.
fn troubles(entry: &RoundEntry) -> Markup {
    let counted = [
        (
            entry.troubled.len(),
            "attempt in trouble",
            "attempts in trouble",
        ),
        (entry.flags.len(), "flag", "flags"),
    ];
    html! {
        @for (count, one, several) in counted {
            @if count > 0 {
                span class="soft" { (count) " " (if count == 1 { one } else { several }) }
            }
        }
    }
}

fn round_body(page: &Page<'_>, entry: &RoundEntry) -> Markup {
    html! {
        dl class="pairs" {
            dt { "Planned" }
            dd { @if entry.planned.is_empty() { "nothing" } @else { (page.gaps(&entry.planned)) } }
            @if let Some((weight, heads)) = entry.net {
                dt { "Resolved" } dd { (page.counted(&entry.resolved)) }
                dt { "New" } dd { (page.counted(&entry.created)) }
                dt { "Reopened" } dd { (page.counted(&entry.reopened)) }
                dt { "Net" } dd { (format!("{weight:+}")) " by weight, " (format!("{heads:+}")) " by gaps" }
            }
            dt { "Open after it" } dd { (quarters(entry.open_quarters)) }
            dt { "Issues raised" }
            dd { @if entry.issues_raised.is_empty() { "none" } @else { (entry.issues_raised.join(", ")) } }
            dt { "Time" } dd { (human_millis(entry.elapsed_millis)) ", from " (moment(entry.began)) }
            dt { "Attempts" } dd { (entry.attempts) }
            @for note in &entry.notes { dt { "Note" } dd { (note) } }
        }
        @if !entry.troubled.is_empty() { (attempts(&entry.troubled)) }
        @if !entry.flags.is_empty() { (flags(entry)) }
    }
}

fn attempts(records: &[AttemptRecord]) -> Markup {
    html! {
        div class="table stacked" {
            table {
                caption { "Attempts that did not pass at once" }
                thead { tr { th { "Attempt" } th { "Agent" } th { "Verdict" } th { "Message" } } }
                tbody {
                    @for record in records {
                        tr {
                            td { span class="id" { (record.name) } }
                            td class="text" { code { (record.agent) } }
                            td {
                                span class="id" { (record.verdict) }
                                @if let Some(then) = &record.then { " (" (then) ")" }
                            }
                            td class="text" { (record.message) }
                        }
                    }
                }
            }
        }
    }
}

fn flags(entry: &RoundEntry) -> Markup {
    html! {
        div class="table stacked" {
            table {
                caption { "Issues that seem to have been passed over" }
                thead { tr { th { "Issue" } th { "Flag" } th { "Evidence" } th { "The user's word" } } }
                tbody {
                    @for flagged in &entry.flags {
                        tr {
                            td { span class="id" { (flagged.issue.to_string()) } " " (severity(flagged.severity)) }
                            td { (flagged.flag.heuristic.name()) ", confidence " (flagged.flag.confidence.name()) }
                            td class="text" { (flagged.flag.evidence.text) }
                            td {
                                @match flagged.confirmed {
                                    Some(true) => "confirmed",
                                    Some(false) => "a false alarm",
                                    None => "not given",
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
