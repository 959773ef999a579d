//! What closes a gap in the words of a document: an approving verdict of a review, a summary or a status document that
//! says resolved, accepted, approved. A claim of closing is data; it changes no state.

use super::answer::excerpt;
use super::passages::{Kind, Passage, Passages};
use super::words::stands_in;
use gapless_domain::gap::GapState;
use gapless_domain::ids::{GapId, gap_ids_in};
use gapless_markdown::Document;
use gapless_reading::read::{ReviewerReading, read_status};

/// A document that closes a gap, or all that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closure {
    /// `None` where the document as a whole approves.
    pub gap: Option<GapId>,
    pub round: u32,
    pub document: String,
    pub line: u32,
    pub quote: String,
}

impl Closure {
    /// What the document does.
    pub fn says(&self) -> String {
        match &self.gap {
            Some(gap) => format!("closes {gap}"),
            None => "approves".to_owned(),
        }
    }
}

const CLOSING: [&str; 9] = [
    "resolved",
    "approved",
    "approve",
    "accepted",
    "accept",
    "closed",
    "complete",
    "completed",
    "done",
];
const MARKS: [char; 3] = ['\u{2713}', '\u{2714}', '\u{2705}'];

/// The gaps that a review lets pass.
pub fn of_review(
    reading: &ReviewerReading,
    document: &str,
    round: u32,
    name: &str,
) -> Vec<Closure> {
    let quote = |line: u32| {
        let text = document.lines().nth(line.saturating_sub(1) as usize);
        excerpt(text.unwrap_or(""))
    };
    let own = reading.reviews.iter().filter_map(|review| {
        let passes = review.verdict?.approves();
        passes.then(|| Closure {
            gap: Some(review.gap.clone()),
            round,
            document: name.to_owned(),
            line: review.line,
            quote: quote(review.line),
        })
    });
    let whole = reading
        .verdict
        .filter(|verdict| verdict.approves())
        .map(|verdict| Closure {
            gap: None,
            round,
            document: name.to_owned(),
            line: 1,
            quote: verdict.name().to_owned(),
        });
    own.chain(whole).collect()
}

/// The gaps that a summary or a status document says are done. `round` is its own, where a line names no other.
pub fn of_account(
    document: &Document,
    passages: &Passages,
    round: u32,
    name: &str,
) -> Vec<Closure> {
    let closure = |gap: GapId, line: u32, text: &str| Closure {
        gap: Some(gap),
        round: round_named(text).unwrap_or(round).min(round),
        document: name.to_owned(),
        line,
        quote: excerpt(text),
    };
    let entries = read_status(document).gaps;
    let mut closures: Vec<Closure> = entries
        .iter()
        .filter(|entry| matches!(entry.state, GapState::Accepted | GapState::Resolved))
        .map(|entry| {
            let line = document
                .source
                .lines()
                .nth(entry.line.saturating_sub(1) as usize);
            closure(entry.gap.clone(), entry.line, line.unwrap_or(""))
        })
        .collect();
    let open = |gap: &GapId| {
        entries
            .iter()
            .any(|e| e.gap == *gap && !is_default(e.state))
    };
    for passage in &passages.0 {
        for gap in closed_by(passages, passage) {
            // What the inventory says of a gap stands over what is said of it in passing.
            if !open(&gap)
                && closures
                    .iter()
                    .all(|known| known.gap.as_ref() != Some(&gap))
            {
                closures.push(closure(gap, passage.line, passage.text));
            }
        }
    }
    closures
}

/// `OPEN` is also what an entry has that names no state.
fn is_default(state: GapState) -> bool {
    state == GapState::Open
}

fn closed_by(passages: &Passages, passage: &Passage) -> Vec<GapId> {
    let heading = matches!(passage.kind, Kind::Heading(_));
    if matches!(passage.kind, Kind::Code | Kind::Example | Kind::Quote) {
        return Vec::new();
    }
    let bare = passage
        .straight
        .trim_start_matches(['~', '[', 'x', ']', ' ']);
    // `Status: APPROVED` under a heading that names the gap.
    if let Some(value) = bare.strip_prefix("status:") {
        let above = passage
            .above
            .last()
            .and_then(|index| passages.0.get(*index));
        return match (says_closed(value), above) {
            (true, Some(above)) => ids(above.text),
            _ => Vec::new(),
        };
    }
    let ids = ids(passage.text);
    let leads = ids
        .first()
        .is_some_and(|gap| bare.starts_with(&gap.to_string().to_lowercase()));
    if !leads && !heading {
        return Vec::new();
    }
    let listed = passage.kind == Kind::Item
        && passages
            .setting(passage)
            .any(|text| CLOSING.iter().any(|word| stands_in(word, text)) && !denied(text));
    match listed || says_closed(&passage.straight) {
        true => ids
            .into_iter()
            .take(if heading { usize::MAX } else { 1 })
            .collect(),
        false => Vec::new(),
    }
}

fn ids(text: &str) -> Vec<GapId> {
    gap_ids_in(text).into_iter().map(|found| found.id).collect()
}

/// A mark, or a part of the text that begins with a closing word: `… - RESOLVED Round 9`, `APPROVED (with notes)`.
fn says_closed(text: &str) -> bool {
    if denied(text) {
        return false;
    }
    let begins = |part: &str| {
        let word: String = part
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        CLOSING.contains(&word.as_str())
    };
    text.contains(MARKS)
        || text
            .split(" - ")
            .flat_map(|part| part.split([':', '|', '–', '—', '(']))
            .any(begins)
}

fn denied(text: &str) -> bool {
    [
        "not",
        "unresolved",
        "pending",
        "partially",
        "partial",
        "until",
        "blocked",
        "to be",
        "never",
    ]
    .iter()
    .any(|word| stands_in(word, text))
}

/// `Round 9`, `(R2)`: the round that a line names.
fn round_named(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let spelled = words
        .windows(2)
        .filter(|pair| pair[0] == "round")
        .find_map(|pair| pair[1].parse().ok());
    spelled.or_else(|| {
        words
            .iter()
            .filter_map(|word| word.strip_prefix('r'))
            .find_map(|digits| digits.parse().ok())
    })
}
