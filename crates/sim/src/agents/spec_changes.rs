//! The changes that a simulated Engineer makes to the spec. Each text has a mark of its own, and the solution beside it says which
//! marks the changes bring and which they take away, so that a checker knows what a spec with it must have.

use super::behaviour::Seen;
use super::prompt;
use crate::{Rng, words};

/// What the texts that changes bring are marked with, in the spec.
pub const MADE: &str = "made_";
/// How a solution names the marks that its changes bring, and the marks and sentences of the source that they take away.
pub const NEW: &str = "new_";
pub const GONE: &str = "gone_";
/// What the solution of a proposal is marked with.
pub const SOLVED: &str = "solved_";

/// The changes of a proposal.
#[derive(Debug, Default)]
pub struct Changes {
    /// The part of the document.
    pub part: String,
    /// What the solution says of them.
    pub said: String,
}

/// The name of a proposal, which no other has.
pub fn name_of(seen: &Seen, gap: &str) -> String {
    let id = seen.task.id;
    let gap = gap.to_lowercase().replace('-', "_");
    format!(
        "{gap}_e{}r{}s{}a{}",
        id.epoch, id.round, id.slot.index, id.attempt
    )
}

/// A few changes to the spec that the prompt shows, now and then with a passage that is not in it.
pub fn write(rng: &mut Rng, trouble: u32, seen: &Seen, name: &str) -> Changes {
    let mut lines = prompt::spec_lines(seen.prompt);
    let mut changes = Changes::default();
    for number in 0..rng.between(1, 3) {
        let mark = format!("{MADE}{name}_{number}");
        let text = format!("The {} of {mark} holds.", words::line(rng, 2, 8));
        let Some(at) = (!lines.is_empty()).then(|| rng.below(lines.len())) else {
            break;
        };
        // No two changes of a proposal have the same passage.
        let (section, line) = lines.swap_remove(at);
        let old = match rng.percent(trouble / 8) {
            true => format!("{line} {}", words::line(rng, 3, 9)),
            false => line.clone(),
        };
        let (head, quotes, brings) = match rng.below(9) {
            0 => (format!("Add to section: {section}"), false, true),
            1 | 2 => (format!("Add after passage in: {section}"), true, true),
            3 => (
                format!("New section: Part {number} of {name}\n\nAfter: {section}"),
                false,
                true,
            ),
            4 => (format!("Remove from: {section}"), true, false),
            _ => (format!("Replace in: {section}"), true, true),
        };
        changes.part += &format!("#### {head}\n\n");
        if quotes {
            changes.part += &format!("```old\n{old}\n```\n\n");
        }
        if brings {
            changes.part += &format!("```new\n{text}\n```\n\n");
            changes.said += &format!(" {NEW}{name}_{number}");
        }
        if head.starts_with("Re") {
            changes.said += &gone(&line);
        }
    }
    changes
}

/// What a line has that goes with it: marks of others, and sentences of the source.
fn gone(line: &str) -> String {
    let words = line.split_whitespace();
    let marks = words.filter(|word| word.starts_with(MADE) || word.starts_with(SOLVED));
    let mut said: String = marks.map(|mark| format!(" {GONE}{mark}")).collect();
    for name in crate::source::sentences_in(line) {
        said += &format!(" {GONE}{name}");
    }
    said
}
