//! Decides whether a document whose agent was ended by its timeout is whole, and so may be read like any other. In doubt it
//! is not: what is not whole is kept for the user to see, and the agent is asked again.

use super::checked::Checked;
use crate::read::{ReadDocument, Reading, field, is_none_word};
use gapless_domain::{FailureType, GapId, OutputNote, Unfinished, comma_list};
use gapless_markdown::fences_left_open;

/// A text that changed within this time before the end was still being written.
const SETTLED_MILLIS: u64 = 10_000;

/// Why a document is not whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWhole {
    #[error("it was still being written")]
    StillGrowing,
    #[error("it is longer than the limit")]
    Cut,
    #[error("it is not valid ({})", .0.name())]
    Invalid(FailureType),
    #[error("it leaves out {}", comma_list(.0))]
    LeavesOut(Vec<GapId>),
    #[error("it has no {0}")]
    Lacks(&'static str),
    #[error("{0}")]
    BreaksOff(Break),
}

/// Where a text breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    #[error("a code fence never closes")]
    Fence,
    #[error("a comment never closes")]
    Comment,
    #[error("it ends with a heading")]
    Heading,
    #[error("it ends inside a table")]
    Table,
    #[error("it ends inside a list item")]
    ListItem,
    #[error("it ends inside a sentence")]
    Sentence,
}

/// Says why what a timed-out agent had written is not whole; `None` where it is. `checked` is what reading it as any document
/// of its role gave, `wanted` the gaps that the document has to say something of.
pub fn why_not_whole(
    unfinished: &Unfinished,
    checked: &Checked,
    wanted: &[GapId],
    idle_timeout_millis: u64,
) -> Option<NotWhole> {
    // Half the idle timeout, where that is shorter: who sets a short one has agents that write fast.
    let settled = SETTLED_MILLIS.min(idle_timeout_millis / 2);
    if unfinished.unchanged_millis < settled {
        return Some(NotWhole::StillGrowing);
    }
    if unfinished.notes.contains(&OutputNote::OutputTruncated) {
        return Some(NotWhole::Cut);
    }
    let Some(reading) = &checked.reading else {
        let failure = checked.result.failure_type;
        let failure = failure.unwrap_or(FailureType::WrongFormat);
        return Some(NotWhole::Invalid(failure));
    };
    // Fences are counted in all of it: a remark behind one that seems to close may be the document itself.
    if fences_left_open(&unfinished.text) || fences_left_open(&checked.document.text) {
        return Some(NotWhole::BreaksOff(Break::Fence));
    }
    if let Some(at) = breaks_off(&checked.document.text) {
        return Some(NotWhole::BreaksOff(at));
    }
    let mut left_out = wanted.to_vec();
    left_out.retain(|gap| !checked.result.gaps_addressed.contains(gap));
    if !left_out.is_empty() {
        return Some(NotWhole::LeavesOut(left_out));
    }
    lacks(reading, &checked.document).map(NotWhole::Lacks)
}

/// The part that the document should end with and doesn't have.
fn lacks(reading: &Reading, document: &ReadDocument) -> Option<&'static str> {
    match reading {
        Reading::Engineer(reading) => {
            let end = document.text.trim_end().len();
            let last = reading.gaps.iter().find(|bound| bound.section.end >= end)?;
            let any_changes = reading.gaps.iter().any(|it| !it.change_parts.is_empty());
            if !last.has_trade_offs {
                return Some("Trade-offs part in its last section");
            }
            let lacks_changes = any_changes && last.change_parts.is_empty();
            lacks_changes.then_some("Spec Changes part in its last section")
        }
        // A verdict stands before the blockers: without them nobody knows what was still to come.
        Reading::FinalReviewer(_) => {
            let headings = document.structure.headings.iter();
            let mut titles = headings.map(|it| it.title.to_lowercase());
            let listed = titles.any(|title| title.starts_with("blocking issues"));
            (!listed).then_some("list of blocking issues")
        }
        Reading::Analyst(_) | Reading::Reviewer(_) | Reading::Editor(_) => None,
    }
}

/// Says where a text whose fences are closed breaks off; `None` where it comes to an end of its own.
pub fn breaks_off(document: &str) -> Option<Break> {
    let text = document.trim_end();
    let line_ended = document[text.len()..].contains('\n');
    if text.rfind("<!--") > text.rfind("-->") {
        return Some(Break::Comment);
    }
    let last_block = last_block(text);
    let last = *last_block.last()?;
    if is_fence(last) || is_rule(last) || last.ends_with("-->") {
        return None;
    }
    if is_heading(last) {
        return Some(Break::Heading);
    }
    if let Some(delimiter) = last_block.iter().position(|line| is_table_delimiter(line)) {
        let is_row = last_block.len() > delimiter + 1;
        let whole = is_row && is_whole_row(last, last_block[delimiter], line_ended);
        return (!whole).then_some(Break::Table);
    }
    let mut items = last_block.iter().enumerate().rev();
    let item = items.find_map(|(index, line)| Some((index, item_text(line)?)));
    if let Some((index, first)) = item {
        let words = [&[first], &last_block[index + 1..]].concat().join(" ");
        let whole = match ending(&words) {
            Ending::Stop => true,
            Ending::Open => false,
            Ending::Unmarked => line_ended || is_none_word(&words),
        };
        return (!whole).then_some(Break::ListItem);
    }
    let words = last_block.join(" ");
    let whole = match ending(&words) {
        Ending::Stop => true,
        Ending::Open => false,
        Ending::Unmarked => {
            let is_field = field(last).is_some_and(|(_, value)| !value.is_empty());
            is_none_word(last) || is_emphasised(last) || (is_field && line_ended)
        }
    };
    (!whole).then_some(Break::Sentence)
}

/// How words end.
enum Ending {
    /// With the mark of a finished sentence.
    Stop,
    /// In the middle of something.
    Open,
    /// With neither.
    Unmarked,
}

/// Marks that may stand behind the end of a sentence.
const CLOSERS: [char; 14] = [
    '*', '_', '`', '~', ')', ']', '}', '>', '"', '\'', '”', '’', '»', '|',
];
/// Words that no sentence, item or cell ends with.
const DANGLING: [&str; 26] = [
    "a", "an", "and", "as", "at", "because", "but", "by", "every", "for", "from", "if", "into",
    "is", "nor", "of", "or", "than", "that", "the", "their", "to", "unless", "when", "which",
    "with",
];

fn ending(words: &str) -> Ending {
    let words = words.trim();
    let count = |mark: char| words.chars().filter(|found| *found == mark).count();
    let unclosed = count('`') % 2 == 1
        || words.matches("**").count() % 2 == 1
        || count('(') > count(')')
        || count('[') > count(']');
    let bare = words.trim_end_matches(CLOSERS).trim_end();
    let last_word = bare.rsplit([' ', '\t']).next().unwrap_or_default();
    let dangles = DANGLING.contains(&last_word.to_lowercase().as_str());
    match bare.chars().next_back() {
        None => Ending::Open,
        _ if unclosed || dangles => Ending::Open,
        Some('.' | '!' | '?' | '…' | '。' | '！' | '？') => Ending::Stop,
        Some(last) if last.is_alphanumeric() || matches!(last, '%' | '°' | '€' | '$') => {
            Ending::Unmarked
        }
        Some(_) => Ending::Open,
    }
}

/// The lines behind the last blank one or the last heading, without the marks of quotes.
fn last_block(text: &str) -> Vec<&str> {
    let mut block: Vec<&str> = Vec::new();
    for line in text.lines().rev() {
        let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
        if line.is_empty() || (!block.is_empty() && is_heading(line)) {
            break;
        }
        block.push(line);
    }
    block.reverse();
    block
}

fn is_heading(line: &str) -> bool {
    let behind = line.trim_start_matches('#');
    let level = line.len() - behind.len();
    (1..=6).contains(&level) && (behind.is_empty() || behind.starts_with(' '))
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// A line across the page: `---`.
fn is_rule(line: &str) -> bool {
    let marks: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let only = |mark: char| marks.chars().all(|found| found == mark);
    marks.len() >= 3 && (only('-') || only('*') || only('_'))
}

fn is_table_delimiter(line: &str) -> bool {
    line.contains('|')
        && line.contains('-')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn is_whole_row(row: &str, delimiter: &str, line_ended: bool) -> bool {
    let cells = |line: &str| {
        let line = line.trim().replace("\\|", "");
        let inner = line.strip_prefix('|').unwrap_or(&line);
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        inner.split('|').count()
    };
    let closed = row.ends_with('|') && !row.ends_with("\\|");
    cells(row) == cells(delimiter) && (closed || (line_ended && !delimiter.ends_with('|')))
}

/// The text behind the mark of a list item.
fn item_text(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match line.len() - digits.len() {
        0 => line.strip_prefix(['-', '*', '+'])?,
        _ => digits.strip_prefix(['.', ')'])?,
    };
    (behind.is_empty() || behind.starts_with([' ', '\t'])).then(|| behind.trim())
}

/// A line that is all emphasis: `**NO_ISSUES_FOUND**`.
fn is_emphasised(line: &str) -> bool {
    let inner = line
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_texts_break_off() {
        let whole = [
            "The limit is 100.",
            "The limit is 100 (see below).\n",
            "It is called `Retry-After`.",
            "He said \"no.\"",
            "Is it?\n\n",
            "## Review: GAP-A-001\n\n**NO_ISSUES_FOUND**",
            "### New Gaps Introduced\n\nNone",
            "### New Gaps Introduced\nNone.\n",
            "- None",
            "- the limit\n- the answer\n",
            "1. first\n2. the second\n   goes on here\n",
            "- [x] read\n",
            "- GAP-FLOW-019 [MEDIUM]: what is retried\n",
            "- the limit is `10`\n",
            "**Verdict:** READY_FOR_TERMINATION\n",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "a | b\n--|--\n1 | 2\n",
            "text\n\n```rust\nfn x() {\n```",
            "text\n\n---\n",
            "<!-- end section -->\n",
            "> quoted words.\n",
        ];
        for text in whole {
            assert_eq!(breaks_off(text), None, "{text}");
        }
        for (text, at) in [
            ("The limit is 100 per", Break::Sentence),
            ("The limit is 100 per second", Break::Sentence),
            ("The limit is 100 per second\n", Break::Sentence),
            ("Above it, the answer is:", Break::Sentence),
            ("The header is called `Retry-", Break::Sentence),
            ("It answers 429 (with a Retry-After.", Break::Sentence),
            ("caf\u{fffd}", Break::Sentence),
            ("**Verdict:**", Break::Sentence),
            ("**Confidence:** HI", Break::Sentence),
            ("## Review: GAP-A-001\n\n**NO_ISS", Break::Sentence),
            ("text.\n\n### Trade-offs", Break::Heading),
            ("text.\n\n### Trade-offs\n\n", Break::Heading),
            ("- the limit\n- the answ", Break::ListItem),
            ("- the limit\n-", Break::ListItem),
            ("- the limit\n- the answer to the\n", Break::ListItem),
            ("- **ISSUE-R1-001**:\n", Break::ListItem),
            ("2. first\n   and the", Break::ListItem),
            ("| a | b |\n|---|---|\n| 1 |", Break::Table),
            ("| a | b |\n|---|---|\n| 1 | 2", Break::Table),
            ("| a | b |\n|---|---|", Break::Table),
            ("| a | b |\n|---|-", Break::Table),
            ("text. <!-- section: A", Break::Comment),
        ] {
            assert_eq!(breaks_off(text), Some(at), "{text}");
        }
    }
}
