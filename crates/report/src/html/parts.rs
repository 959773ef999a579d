//! The parts that the sections of a page share: ids that lead to their gap, severities, quotes, and lists whose end is
//! folded away.

use std::collections::BTreeSet;

use gapless_domain::{Severity, Time};
use maud::{Markup, html};

use crate::model::{Report, Tone};

/// A report with what links need to know of it.
pub struct Page<'r> {
    pub report: &'r Report,
    gaps: BTreeSet<&'r str>,
}

impl<'r> Page<'r> {
    pub fn of(report: &'r Report) -> Self {
        let cards = report.board.iter().flat_map(|column| &column.cards);
        Self {
            report,
            gaps: cards.map(|card| card.id.as_str()).collect(),
        }
    }

    /// The id of a gap; one that is on the board leads there.
    pub fn gap(&self, id: &str) -> Markup {
        match self.gaps.contains(id) {
            true => html! { a class="id" href={ "#" (id) } { (id) } },
            false => html! { span class="id" { (id) } },
        }
    }

    pub fn gaps<'i>(&self, ids: impl IntoIterator<Item = &'i String>) -> Markup {
        html! {
            @for (index, id) in ids.into_iter().enumerate() {
                @if index > 0 { ", " }
                (self.gap(id))
            }
        }
    }

    pub fn counted(&self, gaps: &[(String, Severity)]) -> Markup {
        html! {
            @if gaps.is_empty() { "none" }
            @for (index, (id, with)) in gaps.iter().enumerate() {
                @if index > 0 { ", " }
                (self.gap(id)) " " (severity(*with))
            }
        }
    }
}

pub fn severity(severity: Severity) -> Markup {
    html! { span class={ "severity " (severity_class(severity)) } { (severity.name()) } }
}

pub fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::High => "high",
        Severity::Medium => "medium",
        Severity::Low => "low",
    }
}

pub fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Warn => "warn",
        Tone::Bad => "bad",
        Tone::Calm => "calm",
    }
}

/// What somebody wrote, its lines as they were.
pub fn quote(text: &str) -> Markup {
    html! { div class="quote" { (text) } }
}

/// The first items, and the others behind a line that says how many they are.
pub fn folded<T>(items: &[T], shown: usize, of: &str, render: impl Fn(&T) -> Markup) -> Markup {
    let (first, others) = items.split_at(items.len().min(shown));
    html! {
        @for item in first { (render(item)) }
        @if !others.is_empty() {
            details class="more" {
                summary { (others.len()) " more " (of) }
                div { @for item in others { (render(item)) } }
            }
        }
    }
}

/// A moment as people write it.
pub fn moment(time: Time) -> Markup {
    let text = time.to_string();
    let text = text.replace('T', " ").replace('Z', " UTC");
    html! { span class="moment" { (text) } }
}
