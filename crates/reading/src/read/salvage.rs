//! What is taken off a document before it is read: an outer fence, a remark before or after, a JSON wrapper; and
//! the other reading of fences that nest wrongly or never close. Bytes that are taken off become spaces, so that lines
//! and places stay those of the document.

use std::sync::LazyLock;

use serde_json::Value;

use super::reasoning::without_reasoning;
use super::vocabulary::has_word;
use gapless_domain::Warning;
use gapless_domain::words::phrases;
use gapless_markdown::{FenceLine, blank, fence_lines, without_byte_order_mark};

/// A document as it may be read, and what was done to get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The document without what was taken off around it.
    pub document: String,
    /// The same, with ambiguous code blanked out as well: what structure is read from.
    pub structure: String,
    pub warnings: Vec<Warning>,
}

impl Candidate {
    /// A text that is read as it stands.
    pub fn plain(text: &str) -> Self {
        Self::with(text.to_owned(), Vec::new())
    }

    fn with(document: String, warnings: Vec<Warning>) -> Self {
        Self {
            structure: document.clone(),
            document,
            warnings,
        }
    }

    /// Takes reasoning off, unless structure is read from something else than the document.
    fn without_reasoning(mut self) -> Self {
        if self.structure != self.document {
            return self;
        }
        if let Some(left) = without_reasoning(&self.document) {
            self.warnings.extend(left.warnings);
            return Self::with(left.text, self.warnings);
        }
        self
    }
}

/// Every way in which a text may be read: as it is first, then with what encloses it taken off, then with its fences read
/// by nesting.
pub fn candidates(text: &str) -> Vec<Candidate> {
    let text = &without_byte_order_mark(text);
    let mut found = vec![plainly(text)];
    if let Some(inner) = json_wrapped(text) {
        let warning =
            salvaged("a JSON wrapper was taken off; lines are those of the document in it");
        found.push(Candidate::with(inner, vec![warning]).without_reasoning());
    }
    for read in [without_outer_fence, with_nested_fences] {
        for index in 0..found.len() {
            if let Some(mut other) = read(&found[index].document) {
                other.warnings.splice(0..0, found[index].warnings.clone());
                found.push(other.without_reasoning());
            }
        }
    }
    found
}

/// The one way to read a text of which nothing is taken off but reasoning, which no document has.
pub fn plainly(text: &str) -> Candidate {
    Candidate::plain(&without_byte_order_mark(text)).without_reasoning()
}

fn salvaged(message: &str) -> Warning {
    Warning::new("SALVAGED", None, message.to_owned())
}

/// Where known agents put their answer in JSON.
const ANSWER_KEYS: [&str; 6] = ["result", "response", "text", "content", "output", "message"];

/// The document inside an agent's JSON: one object, or a stream of them of which the last with an answer counts.
fn json_wrapped(text: &str) -> Option<String> {
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[']) {
        return None;
    }
    if let Ok(value) = serde_json::from_str::<Value>(trimmed) {
        return answer_in(&value, 0);
    }
    let objects = trimmed
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    objects.filter_map(|value| answer_in(&value, 0)).next_back()
}

fn answer_in(value: &Value, depth: u32) -> Option<String> {
    match value {
        Value::Object(object) if depth < 4 => {
            ANSWER_KEYS
                .iter()
                .chain(&["item"])
                .find_map(|key| match object.get(*key)? {
                    Value::String(text) if text.contains('\n') => Some(text.clone()),
                    inner => answer_in(inner, depth + 1),
                })
        }
        Value::Array(list) if depth < 4 => list
            .iter()
            .rev()
            .find_map(|inner| answer_in(inner, depth + 1)),
        _ => None,
    }
}

/// The longest lead-in or sign-off that may stand before or behind an outer fence.
const LONGEST_REMARK_LINES: usize = 2;
const LONGEST_REMARK_CHARS: usize = 200;

/// Words with which a remark says that what stands in the fence is not the document.
static DISCLAIMERS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| phrases(include_str!("words/disclaimers.txt")).collect());

/// Takes a fence off that encloses the whole document, with at most a remark before and behind it.
fn without_outer_fence(text: &str) -> Option<Candidate> {
    let fences = fence_lines(text);
    let first = fences.first()?;
    let last = fences
        .iter()
        .rev()
        .find(|line| line.info.is_empty() && line.mark == first.mark)?;
    let markdown = has_word(&["", "markdown", "md", "text"], first.info);
    if !markdown || last.start == first.start {
        return None;
    }
    let (before, behind) = (&text[..first.start], &text[last.end..]);
    if !is_remark(before) || !is_remark(behind) {
        return None;
    }
    let mut warnings = vec![salvaged("a fence around the whole document was taken off")];
    if !before.trim().is_empty() || !behind.trim().is_empty() {
        warnings.push(salvaged("a remark outside the document was taken off"));
    }
    Some(Candidate::with(
        blank(text, &[0..first.end, last.start..text.len()]),
        warnings,
    ))
}

fn is_remark(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let chars: usize = lines.iter().map(|line| line.trim().chars().count()).sum();
    let lower = lines.join(" ").to_lowercase().replace('\u{2019}', "'");
    lines.len() <= LONGEST_REMARK_LINES
        && chars <= LONGEST_REMARK_CHARS
        && !lines.iter().any(|line| line.trim_start().starts_with('#'))
        && !DISCLAIMERS.iter().any(|phrase| lower.contains(phrase))
}

/// Reads fences by nesting: one with an info string opens inside another, a bare one closes the innermost. A fence that
/// never closes ends where a heading of a document of this kind resumes. `None` where that is what CommonMark reads.
fn with_nested_fences(text: &str) -> Option<Candidate> {
    let lines = fence_lines(text);
    let plain = plain_ranges(&lines, text.len());
    let mut open: Vec<FenceLine> = Vec::new();
    let mut nested: Vec<std::ops::Range<usize>> = Vec::new();
    let mut unclosed = None;
    for line in &lines {
        match open.last() {
            None => open.push(*line),
            Some(inner) if line.closes(inner) => {
                let closed = open.pop();
                if let (true, Some(opener)) = (open.is_empty(), closed) {
                    nested.push(opener.start..line.end);
                }
            }
            // A shorter fence, or one of another mark, can't end the one around it.
            Some(inner)
                if !line.info.is_empty()
                    && line.mark == inner.mark
                    && line.length >= inner.length =>
            {
                open.push(*line);
            }
            Some(_) => {}
        }
    }
    if let Some(opener) = open.first() {
        let end = resumption(text, opener.end).unwrap_or(text.len());
        nested.push(opener.start..end);
        unclosed = Some(opener.start);
    }
    if nested == plain {
        return None;
    }
    let line = text[..unclosed.unwrap_or(nested.first().map_or(0, |range| range.start))]
        .matches('\n')
        .count()
        + 1;
    let message = match unclosed {
        Some(_) => {
            "a code fence never closes; it was read as ending where the document's own headings resume"
        }
        None => "code fences nest ambiguously; they were read by nesting",
    };
    Some(Candidate {
        document: text.to_owned(),
        structure: blank(text, &nested),
        warnings: vec![Warning::new(
            "AMBIGUOUS_FENCES",
            u32::try_from(line).ok(),
            message.to_owned(),
        )],
    })
}

/// Code as CommonMark reads it: a fence ends at the first bare one that fits, whatever stands between.
fn plain_ranges(lines: &[FenceLine], end: usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<FenceLine> = None;
    for line in lines {
        match open {
            None => open = Some(*line),
            Some(opener) if line.closes(&opener) => {
                ranges.push(opener.start..line.end);
                open = None;
            }
            Some(_) => {}
        }
    }
    if let Some(opener) = open {
        ranges.push(opener.start..end);
    }
    ranges
}

/// Headings with which a document of this kind goes on.
const RESUMING_HEADINGS: [&str; 8] = [
    "## Gap Resolution:",
    "## Response to ",
    "## DISAGREE:",
    "## Review:",
    "## Summary",
    "## Appendix",
    "## Gap:",
    "## Verdict",
];

fn resumption(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        if RESUMING_HEADINGS
            .iter()
            .any(|heading| line.starts_with(heading))
        {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(candidate: &Candidate) -> Vec<&str> {
        let warnings = candidate.warnings.iter();
        warnings.map(|warning| warning.code.as_str()).collect()
    }

    #[test]
    fn an_outer_fence_with_remarks_is_taken_off_in_place() {
        let text = "Here is the document:\n\n```markdown\n## Review: GAP-AA-001\n\n```rust\nfn x() {}\n```\n\nmore\n```\nThanks.\n";
        let found = candidates(text);
        let salvaged = found
            .iter()
            .find(|c| codes(c) == ["SALVAGED", "SALVAGED"])
            .unwrap();
        assert_eq!(salvaged.document.len(), text.len());
        assert!(salvaged.document.contains("\n## Review: GAP-AA-001\n"));
        assert!(!salvaged.document.contains("Thanks"));
    }

    #[test]
    fn a_fence_among_prose_is_not_taken_off() {
        let prose = "I would write it like this, and there is more to say about that:\n".repeat(5);
        let text = format!("{prose}\n```\n## Review: GAP-AA-001\n```\n\n{prose}");
        assert_eq!(candidates(&text).len(), 1);
    }

    #[test]
    fn a_json_wrapper_is_taken_off() {
        let text =
            r###"{"type":"result","result":"## Review: GAP-AA-001\n\nfine\n","is_error":false}"###;
        assert_eq!(
            candidates(text)[1].document,
            "## Review: GAP-AA-001\n\nfine\n"
        );
        let stream = "{\"type\":\"turn.started\"}\n{\"type\":\"item.completed\",\"item\":{\"text\":\"## A\\n\\nb\"}}\n";
        assert_eq!(candidates(stream)[1].document, "## A\n\nb");
        assert_eq!(candidates("{not json at all").len(), 1);
    }

    #[test]
    fn an_unclosed_fence_ends_where_the_document_resumes() {
        let text =
            "## Gap Resolution: GAP-AA-001\n\n```\ncode\n\n## Gap Resolution: GAP-AA-002\n\ntext\n";
        let found = candidates(text);
        assert_eq!(codes(&found[1]), ["AMBIGUOUS_FENCES"]);
        assert!(found[1].structure.contains("## Gap Resolution: GAP-AA-002"));
        assert!(!found[1].structure.contains("code"));
    }

    #[test]
    fn well_nested_fences_have_one_reading() {
        assert_eq!(candidates("a\n\n```rust\nx\n```\n\n~~~\ny\n~~~\n").len(), 1);
    }
}
