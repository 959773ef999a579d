//! The board of gaps by state, and the list of what is left.

use maud::{Markup, html};

use super::parts::{Page, folded, severity, severity_class};
use crate::model::{Card, Column};

/// How many cards of a state are seen at once.
const CARDS: usize = 12;
/// From so many on, a state takes the whole width.
const BROAD: usize = 3;
const LIMITATIONS: usize = 20;

pub fn board(page: &Page<'_>) -> Markup {
    let board = &page.report.board;
    html! {
        h2 id="board" { "Gaps" }
        @if board.is_empty() { p { "There are no gaps." } }
        div class="board" {
            @for column in board { (lane(column)) }
        }
    }
}

fn lane(column: &Column) -> Markup {
    let class = match column.cards.len() < BROAD {
        true => "column",
        false => "column broad",
    };
    html! {
        section class=(class) {
            h3 {
                span { (column.state.name()) }
                span class="soft" { (column.cards.len()) }
            }
            div class="cards" { (folded(&column.cards, CARDS, "gaps", card)) }
        }
    }
}

fn card(card: &Card) -> Markup {
    html! {
        article class={ "card " (severity_class(card.severity)) } id=(card.id) {
            div class="top" {
                span class="id" { (card.id) }
                (severity(card.severity))
            }
            p { (card.description) }
            @for note in &card.notes { small { (note) } }
            small { (card.history) }
        }
    }
}

pub fn left(page: &Page<'_>) -> Markup {
    let limitations = &page.report.limitations;
    html! {
        h2 id="left" { "What is left" }
        @if limitations.is_empty() {
            p { "Nothing: the spec has no known limitation." }
        } @else {
            p class="soft" { "Known limitations, gravest first, with the reason why they stay where there is one." }
            (folded(limitations, LIMITATIONS, "limitations", |limitation| html! {
                div class="entry tight" {
                    (severity(limitation.severity)) " "
                    (page.gap(&limitation.id)) " "
                    span class="soft" { (limitation.what.words()) }
                    @if let Some(gap) = limitation.gap.as_ref().map(ToString::to_string).filter(|gap| *gap != limitation.id) {
                        span class="soft" { ", on " } (page.gap(&gap))
                    }
                    div { (limitation.text) }
                    @if let Some(rationale) = &limitation.rationale {
                        div { span class="soft" { "Why: " } (rationale) }
                    }
                }
            }))
        }
    }
}
