//! An excerpt of a text: the line, with a mark under the place that is meant.

use std::ops::Range;

use console::measure_text_width;

use crate::output::screen::{Screen, Tone};
use crate::plain;

/// The lines of an excerpt: the source line, and the mark under the place.
pub(crate) fn lines(screen: &Screen, source: &str, span: &Range<usize>, line: u32) -> Vec<String> {
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let room = screen.width().saturating_sub(number.len() + 4).max(30);
    let before = behind_line_start(source.get(..span.start).unwrap_or(""), room / 2);
    let (lead, cut_left) = before;
    // A byte order mark is no part of the text.
    let lead = match line {
        1 => lead.trim_start_matches('\u{feff}'),
        _ => &lead,
    };
    let meant = source.get(span.clone()).unwrap_or("");
    let meant = meant.split('\n').next().unwrap_or("");
    let meant: String = plain::clean(meant.trim_end())
        .chars()
        .take(room / 2)
        .collect();
    let rest = source.get(span.start..).unwrap_or("").chars();
    let rest = rest.take_while(|c| *c != '\n');
    let after: String = rest.skip(meant.chars().count()).take(room).collect();
    let lead = plain::clean(lead);
    let mark = "^".repeat(measure_text_width(&meant).max(1));
    let dots = if cut_left { "…" } else { "" };
    let shown = console::truncate_str(
        &format!("{dots}{lead}{meant}{}", plain::clean(after.trim_end())),
        room,
        "…",
    )
    .into_owned();
    let indent = " ".repeat(measure_text_width(&lead) + dots.chars().count());
    let bar = screen.paint(Tone::Info, "|");
    vec![
        format!(" {gutter} {bar}"),
        format!(" {} {bar} {shown}", screen.paint(Tone::Info, &number)),
        format!(" {gutter} {bar} {indent}{}", screen.paint(Tone::Warn, mark)),
    ]
}

/// The text before a place on its line, at most so many characters of it, and whether it was cut.
fn behind_line_start(before: &str, most: usize) -> (String, bool) {
    let mut kept: Vec<char> = Vec::new();
    for c in before.chars().rev() {
        if c == '\n' {
            return (kept.into_iter().rev().collect(), false);
        }
        if kept.len() == most {
            return (kept.into_iter().rev().collect(), true);
        }
        kept.push(c);
    }
    (kept.into_iter().rev().collect(), false)
}
