//! What became of the spec: the source against the refined spec, line by line, as far as a reader follows it.

use gapless_domain::Texts;
use gapless_session::State;
use gapless_spec::assemble;
use gapless_views::documents::absent;

use super::lengths::brief;
use crate::model::{Change, Hunk};
use gapless_domain::line_diff::{Mark, line_hunks};

/// How many lines are shown; `gapless diff` has them all.
const MOST_LINES: usize = 4_000;
const AROUND: usize = 3;

pub fn change(state: &State, texts: &dyn Texts) -> Change {
    let without = |why: String| Change {
        absent: Some(why),
        ..Change::default()
    };
    let Some(origin) = &state.kept.origin else {
        return without("The session has not started.".to_owned());
    };
    if absent(state).contains(&"spec.md") {
        return without("A session that was given up has no refined spec.".to_owned());
    }
    let Some(source) = texts.text(&origin.source) else {
        return without("The log does not have the source.".to_owned());
    };
    match assemble(state, texts) {
        Ok(refined) => between(&source, &refined),
        Err(error) => without(format!("The refined spec can't be written: {error}.")),
    }
}

fn between(source: &str, refined: &str) -> Change {
    let mut change = Change::default();
    let mut shown = 0_usize;
    for hunk in line_hunks(source, refined, AROUND) {
        let mut lines = Vec::new();
        for (mark, line) in hunk.lines {
            change.added += usize::from(mark == Mark::Added);
            change.removed += usize::from(mark == Mark::Removed);
            match shown < MOST_LINES {
                true => lines.push((mark, line_text(line))),
                false => change.lines_left_out += 1,
            }
            shown += 1;
        }
        if !lines.is_empty() {
            let place = hunk.header;
            change.hunks.push(Hunk { place, lines });
        }
    }
    change
}

/// A line without its end, its beginning as it is.
fn line_text(line: &str) -> String {
    let indent: String = line
        .chars()
        .take_while(|c| *c == ' ' || *c == '\t')
        .collect();
    let text = brief(line).replace('\n', " ");
    match text.is_empty() {
        true => text,
        false => indent + &text,
    }
}
