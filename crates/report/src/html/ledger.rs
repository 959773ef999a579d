//! The issues with how each was answered, and the decisions with both positions.

use maud::{Markup, html};

use super::parts::{Page, folded, moment, quote, severity};
use crate::model::{DecisionEntry, IssueEntry, PositionsEntry};

const ISSUES: usize = 40;
const DECISIONS: usize = 40;

pub fn issues(page: &Page<'_>) -> Markup {
    let issues = &page.report.issues;
    html! {
        h2 id="issues" { "Issues" }
        @if issues.is_empty() {
            p { "No issue was raised." }
        } @else {
            p class="soft" { "Those that stand first, then the gravest first. Each opens to what was said on both sides." }
        }
        (folded(issues, ISSUES, "issues", |issue| entry(page, issue)))
    }
}

fn entry(page: &Page<'_>, issue: &IssueEntry) -> Markup {
    let tone = match issue.stands {
        true => "state warn",
        false => "state good",
    };
    html! {
        details class="entry" id=(issue.id) {
            summary {
                span class="id" { (issue.id) }
                span { (severity(issue.severity)) }
                span class=(tone) { (issue.state) }
                span { (issue.summary) }
            }
            p { (issue.answered) }
            dl class="pairs" {
                dt { "Gap" } dd { (page.gap(&issue.gap)) }
                dt { "Raised in" } dd { "round " (issue.raised_in) }
                @for (name, text) in &issue.details { dt { (name) } dd { (text) } }
                @for flag in &issue.flags { dt { "Flag" } dd { (flag) } }
            }
            @if let Some(answer) = &issue.answer {
                p class="soft" { "The Engineer's words:" }
                (quote(answer))
            }
        }
    }
}

pub fn decisions(page: &Page<'_>) -> Markup {
    let decisions = &page.report.decisions;
    html! {
        h2 id="decisions" { "Decisions" }
        @if decisions.is_empty() { p { "Nothing was decided." } }
        (folded(decisions, DECISIONS, "decisions", decision))
    }
}

fn decision(decision: &DecisionEntry) -> Markup {
    let class = match decision.is_over {
        true => "entry undone",
        false => "entry",
    };
    let tone = match decision.is_over {
        true => "state warn",
        false => "state good",
    };
    html! {
        // The same id may have been given again after a rollback, so that it leads nowhere.
        details class=(class) {
            summary {
                span class="id struck" { (decision.id) }
                span { (decision.kind) }
                span class=(tone) { (decision.state) }
                span { (decision.title) }
            }
            @if let Some(positions) = &decision.positions { (sides(positions)) }
            dl class="pairs" {
                dt { "On" } dd { (decision.subject) }
                dt { "Decision" } dd { (quote(&decision.decision)) }
                @if !decision.rationale.is_empty() { dt { "Rationale" } dd { (quote(&decision.rationale)) } }
                @if !decision.constraints.is_empty() { dt { "Constraints" } dd { (quote(&decision.constraints)) } }
                dt { "Decided by" } dd { (decision.by) ", " (moment(decision.at)) }
            }
        }
    }
}

fn sides(positions: &PositionsEntry) -> Markup {
    let class = |option: &str| match positions.chosen == option {
        true => "side chosen",
        false => "side",
    };
    let mark = |option: &str| match positions.chosen == option {
        true => " (chosen)",
        false => "",
    };
    html! {
        p {
            @if let Some(with) = positions.severity { (severity(with)) " " }
            "Chosen: " (positions.chosen_words)
            @if positions.implicit { span class="soft" { "; the Engineer never said that it disagrees" } }
        }
        div class="sides" {
            div class=(class("A")) {
                h4 { "A: the Reviewer" (mark("A")) }
                div class="words" { (positions.reviewer) }
            }
            div class=(class("B")) {
                h4 { "B: the Engineer" (mark("B")) }
                div class="words" { (positions.engineer) }
            }
        }
    }
}
