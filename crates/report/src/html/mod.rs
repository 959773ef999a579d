//! The report as one HTML file that needs nothing besides itself: no script, no picture, no font from elsewhere.
//!
//! Invariant: maud escapes everything that is put into a page. Two things are put in as they are: the style, which is a file
//! of this crate, and the chart, which has numbers only. A test counts them.

mod board;
mod ledger;
mod parts;
mod progress;
mod spending;

use gapless_markdown::visible;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::model::{KeyFigure, Report};
use parts::{Page, moment, tone_class};

/// What a page of this kind says that it was made by, as it stands in its head.
pub const MARK: &str = r#"<meta name="generator" content="gapless report">"#;

/// Nothing is loaded, run, sent or framed, whatever a browser may be talked into reading out of the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

const SECTIONS: [(&str, &str); 8] = [
    ("convergence", "Convergence"),
    ("board", "Gaps"),
    ("left", "What is left"),
    ("rounds", "Rounds"),
    ("issues", "Issues"),
    ("decisions", "Decisions"),
    ("cost", "Cost and time"),
    ("spec", "The spec"),
];

/// Writes the report as an HTML page.
pub fn html(report: &Report) -> String {
    let page = Page::of(report);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="generator" content="gapless report";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (report.session) ": " (report.outcome.word) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head(report))
                main {
                    (progress::convergence(&page))
                    (board::board(&page))
                    (board::left(&page))
                    (progress::rounds(&page))
                    (ledger::issues(&page))
                    (ledger::decisions(&page))
                    (spending::costs(&page))
                    (spending::change(&page))
                }
                footer {
                    p {
                        "Written by gapless from the session's log, which has everything whole: "
                        code { "gapless log" } ", " code { "gapless show ROUND" } ", " code { "gapless diff" } "."
                    }
                }
            }
        }
    };
    visible(&markup.into_string())
}

fn head(report: &Report) -> Markup {
    let outcome = &report.outcome;
    html! {
        header {
            h1 { (report.session) }
            p class="soft" {
                "Refinement of " code { (report.source) }
                @if let Some(started) = report.started { ", started " (moment(started)) }
                ", as of " (moment(report.until))
                @for (role, agent) in &report.agents { br; (role.name()) ": " code { (agent) } }
            }
            section class={ "outcome " (tone_class(outcome.tone)) } {
                p { span class="word" { (outcome.word) } }
                p { (outcome.sentence) }
                @if !outcome.chapters.is_empty() {
                    ul {
                        @for chapter in &outcome.chapters { li { (chapter) } }
                    }
                }
                @if !outcome.waits.is_empty() {
                    p { "Waiting for an answer:" }
                    ul {
                        @for (id, title) in &outcome.waits { li { span class="id" { (id) } " " (title) } }
                    }
                }
            }
            (figures(&report.key_figures()))
            nav aria-label="Sections" {
                ul {
                    @for (id, title) in SECTIONS { li { a href={ "#" (id) } { (title) } } }
                }
            }
        }
    }
}

fn figures(figures: &[KeyFigure]) -> Markup {
    html! {
        ul class="figures" {
            @for figure in figures {
                li {
                    span class="name" { (figure.name) }
                    span class="value" { (figure.value) }
                    span class="note" { (figure.note) }
                }
            }
        }
    }
}
