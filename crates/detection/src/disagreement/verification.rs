//! What documents say of issues that were raised before: a review that checks them off or says that they still stand,
//! and decisions of the user.

use super::passages::{Kind, Passage, Passages};
use super::raised::{Raised, has_name};
use super::words::stands_in;
use gapless_reading::read::{IssueStatus, status_at_start};

const CHECKS: [char; 3] = ['\u{2713}', '\u{2714}', '\u{2705}'];
const CROSSES: [char; 3] = ['\u{2717}', '\u{2718}', '\u{274c}'];

/// The word of a review on an earlier issue: in a row or item that names it, or in the verdict of a section that is headed by
/// it. What is said in running prose is no verdict.
pub fn word_on(issue: &Raised, review: &Passages) -> Option<(IssueStatus, u32)> {
    let names = |text: &str| issue.names().any(|name| has_name(text, name));
    let mut words: Vec<(IssueStatus, u32)> = Vec::new();
    for passage in &review.0 {
        let headed = passage
            .above
            .last()
            .and_then(|index| review.0.get(*index))
            .is_some_and(|heading| names(heading.text));
        let said = match passage.kind {
            Kind::Row | Kind::Item | Kind::Heading(_) if names(passage.text) => {
                word_in(passage, &names)
            }
            Kind::Paragraph | Kind::Item if headed => verdict_of(passage),
            _ => None,
        };
        words.extend(said.map(|word| (word, passage.line)));
    }
    words.into_iter().max_by_key(|(word, _)| *word)
}

/// `Verdict: RESOLVED. …`
fn verdict_of(passage: &Passage) -> Option<IssueStatus> {
    let (name, value) = passage.straight.split_once(':')?;
    matches!(name.trim(), "verdict" | "status" | "assessment" | "result").then_some(())?;
    status_at_start(value)
}

/// How long a part may be that is read as a verdict in lowercase: `resolved`, `not yet addressed`.
const SHORT: usize = 3;

/// A checked box, a mark, or a part that is such a word: short, or written in capitals (`RESOLVED. The section now …`). Of
/// a row it is the first cell beside the one that names the issue, of a line the last part.
fn word_in(passage: &Passage, names: &dyn Fn(&str) -> bool) -> Option<IssueStatus> {
    let text = passage.text;
    if text.contains(CROSSES) {
        return Some(IssueStatus::Open);
    }
    let word = |part: &str| {
        let verdict = part.split_whitespace().count() <= SHORT || shouted(part);
        verdict.then(|| status_at_start(part)).flatten()
    };
    let said = match passage.kind {
        Kind::Row => text
            .split('|')
            .filter(|cell| !names(cell))
            .find_map(|cell| cell.split([':', '(']).find_map(word)),
        _ => text
            .split(" - ")
            .flat_map(|part| part.split([':', '–', '—', '(', ')', ']']))
            .filter_map(word)
            .last(),
    };
    let checked = text.starts_with("[x]") || text.starts_with("[X]") || text.contains(CHECKS);
    said.or(checked.then_some(IssueStatus::Settled))
}

fn shouted(part: &str) -> bool {
    let first = part
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    first.is_some_and(|word| word.len() > 3 && !word.chars().any(char::is_lowercase))
}

/// What the user decided on an issue, as decisions.md has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Chosen,
    Waived,
}

/// A decision on an issue: a heading, a row or an item of decisions.md that names it.
pub fn decision_on(issue: &Raised, decisions: &Passages) -> Option<Decided> {
    let about = |passage: &&Passage| {
        matches!(passage.kind, Kind::Heading(_) | Kind::Row | Kind::Item)
            && has_name(passage.text, &issue.id)
    };
    let (index, _) = decisions
        .0
        .iter()
        .enumerate()
        .find(|(_, passage)| about(passage))?;
    let waived = decisions
        .0
        .iter()
        .filter(|passage| passage.above.last() == Some(&index))
        .chain(decisions.0.get(index))
        .any(|passage| {
            ["waived", "waiver", "wont_fix"]
                .iter()
                .any(|word| stands_in(word, &passage.straight))
        });
    Some(if waived {
        Decided::Waived
    } else {
        Decided::Chosen
    })
}
