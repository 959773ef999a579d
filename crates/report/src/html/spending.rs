//! What a session cost by role and by round, and what came out of it: the change of the spec.

use std::collections::BTreeSet;

use gapless_domain::{Role, Usage, human_millis};
use maud::{Markup, html};

use super::parts::Page;
use crate::model::{Change, Hunk};
use gapless_domain::line_diff::Mark;

/// Up to so many lines the change is shown at once.
const LINES_SHOWN: usize = 60;

/// Up to so many rounds the table of them is shown at once.
const ROUNDS_SHOWN: usize = 15;

pub fn costs(page: &Page<'_>) -> Markup {
    let figures = &page.report.figures;
    let time = figures.time;
    html! {
        h2 id="cost" { "Cost and time" }
        p {
            (human_millis(time.total)) " in all: agents at work " (human_millis(time.active)) ", waiting " (human_millis(time.waiting)) "."
            @if figures.usage.estimated { " ~ marks what was counted here, since the agent did not tell." }
        }
        @if page.report.usage.is_empty() {
            p { "No agent has been asked yet." }
        } @else {
            (by_role(page))
            @if page.report.usage.len() <= ROUNDS_SHOWN {
                (by_round(page))
            } @else {
                details { summary { "By round" } (by_round(page)) }
            }
        }
    }
}

fn by_role(page: &Page<'_>) -> Markup {
    let figures = &page.report.figures;
    html! {
        div class="table" {
            table {
                caption { "By role" }
                thead { tr { th { "Role" } (usage_heads()) } }
                tbody {
                    @for (role, usage) in &figures.usage_by_role {
                        tr { th { (role.name()) } (usage_cells(usage)) }
                    }
                }
                tfoot { tr { th { "All" } (usage_cells(&figures.usage)) } }
            }
        }
    }
}

fn usage_heads() -> Markup {
    html! {
        @for name in ["Tokens in", "Tokens out", "Cost", "Time"] { th class="number" { (name) } }
    }
}

fn usage_cells(usage: &Usage) -> Markup {
    let told = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    html! {
        td class="number" { (told(usage.tokens_in())) }
        td class="number" { (told(usage.tokens_out())) }
        td class="number" { (told(usage.cost())) }
        td class="number" { (human_millis(usage.millis)) }
    }
}

fn by_round(page: &Page<'_>) -> Markup {
    let rounds = &page.report.usage;
    let figures = &page.report.figures;
    let roles: BTreeSet<Role> = rounds
        .iter()
        .flat_map(|round| round.roles.keys().copied())
        .collect();
    html! {
        div class="table" {
            table {
                caption { "By round; the first columns are the time of each role, and its cost where that is known" }
                thead {
                    tr {
                        th { "Round" }
                        @for role in &roles { th class="number" { (role.name()) } }
                        (usage_heads())
                    }
                }
                tbody {
                    @for round in rounds {
                        tr class=[round.undone.then_some("undone")] {
                            th {
                                span class="struck" { @if round.round == 0 { "Discovery" } @else { (round.round) } }
                                @if round.undone { " undone" }
                            }
                            @for role in &roles {
                                (role_cell(round.roles.get(role)))
                            }
                            (usage_cells(&round.all))
                        }
                    }
                }
                tfoot {
                    tr {
                        th { "All" }
                        @for role in &roles { (role_cell(figures.usage_by_role.get(role))) }
                        (usage_cells(&figures.usage))
                    }
                }
            }
        }
    }
}

fn role_cell(usage: Option<&Usage>) -> Markup {
    html! {
        td class="number" {
            @match usage {
                None => "–",
                Some(usage) => {
                    (human_millis(usage.millis))
                    @if let Some(cost) = usage.cost() { br; small { (cost) } }
                }
            }
        }
    }
}

pub fn change(page: &Page<'_>) -> Markup {
    let change = &page.report.change;
    let lines: usize = change.hunks.iter().map(|hunk| hunk.lines.len()).sum();
    html! {
        h2 id="spec" { "The spec: source and refined" }
        @if let Some(why) = &change.absent {
            p { (why) }
        } @else if change.hunks.is_empty() {
            p { "The refined spec is still the source." }
        } @else {
            p { (change.added) " lines added, " (change.removed) " removed." }
            @if lines <= LINES_SHOWN {
                (diff(change))
            } @else {
                details class="more" { summary { "Show the change line by line" } (diff(change)) }
            }
        }
    }
}

fn diff(change: &Change) -> Markup {
    html! {
        @for hunk in &change.hunks { (hunk_lines(hunk)) }
        @if change.lines_left_out > 0 {
            p { (change.lines_left_out) " more lines are left out here; " code { "gapless diff" } " has them all." }
        }
    }
}

fn hunk_lines(hunk: &Hunk) -> Markup {
    html! {
        pre class="diff" {
            span class="place" { (hunk.place) "\n" }
            @for (mark, line) in &hunk.lines {
                @match mark {
                    // Each line ends itself, for browsers that show no style.
                    Mark::Same => span { "  " (line) "\n" },
                    Mark::Added => ins { "+ " (line) "\n" },
                    Mark::Removed => del { "− " (line) "\n" },
                }
            }
        }
    }
}
