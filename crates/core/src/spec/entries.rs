//! Owns what becomes of a gap's own words in the source once it is settled: its entry in a list or a table, and
//! placeholders in running text that carry its id, become pointers to the part that settles it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::walk::{Walked, merged, overlaps};
use crate::ids::{GapId, gap_ids_in};
use crate::read::{DeclaredGap, Document, Item, PLACEHOLDER_WORDS, earlier_limitations};

/// A stretch of the source that a pointer replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub gap: GapId,
    pub range: Range<usize>,
    pub form: Form,
}

/// How the pointer is worded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A whole entry; the mark of a task that is done is kept before it.
    Entry { before: &'static str },
    /// The cell of an entry whose id stands in another.
    Cell,
    /// An entry that has nothing but its id.
    Named,
    /// `TBD (GAP-X-001)`: what is defined elsewhere; with a capital where a sentence begins.
    Defined { capital: bool },
    /// `[GAP-X-001]`: a remark.
    Remark,
}

/// A part as pointers name it: the text of the link, and its anchor.
pub(super) struct Target {
    pub text: String,
    pub anchor: String,
}

impl Target {
    pub fn link(&self) -> String {
        format!("[{}](#{})", self.text, self.anchor)
    }
}

impl Spot {
    pub fn pointer(&self, to: &Target) -> String {
        let link = to.link();
        let gap = &self.gap;
        let words = match &self.form {
            Form::Entry { before } => format!("{before}Settled in {link} ({gap})."),
            Form::Cell => format!("Settled in {link}."),
            Form::Named => format!("{gap}: settled in {link}."),
            Form::Defined { capital: true } => format!("Defined in {link}"),
            Form::Defined { capital: false } => format!("defined in {link}"),
            Form::Remark => format!("(see {link})"),
        };
        format!("{words} <!-- gapless: settled {gap} -->")
    }
}

/// Everything in the source that pointers replace, in order, for these settled gaps.
pub(super) fn spots(
    document: &Document,
    walked: &Walked,
    settled: &BTreeMap<&GapId, Option<u32>>,
) -> Vec<Spot> {
    let mut candidates: BTreeMap<&GapId, Vec<(u32, Spot)>> = BTreeMap::new();
    let mut entries: Vec<Range<usize>> = Vec::new();
    let declares = |item: &Item| DeclaredGap::from_item(&item.text, item.line);
    for (index, item) in document.items.iter().enumerate() {
        let Some(gap) = declares(item) else {
            continue;
        };
        entries.push(item.span.clone());
        let Some((gap, _)) = settled.get_key_value(&gap.id) else {
            continue;
        };
        // An entry of another gap inside this one is not this one's to replace.
        let inner = document.items[index + 1..]
            .iter()
            .take_while(|inner| inner.span.start < item.span.end)
            .find(|inner| declares(inner).is_some())
            .map_or(item.span.end, |inner| inner.span.start);
        if let Some(spot) = item_spot(document.source, item, inner, gap) {
            candidates.entry(gap).or_default().push((item.line, spot));
        }
    }
    for (row, cells) in walked.rows.iter().zip(&document.rows) {
        let Some(gap) = DeclaredGap::from_row(&cells.cells, cells.line) else {
            continue;
        };
        entries.push(row.span.clone());
        if let Some((gap, _)) = settled.get_key_value(&gap.id)
            && let Some(spot) = row_spot(document.source, &row.cells, gap)
        {
            candidates.entry(gap).or_default().push((cells.line, spot));
        }
    }
    let earlier = earlier_limitations(document.source).unwrap_or_default();
    let mut spots: Vec<Spot> = Vec::new();
    for (gap, mut found) in candidates {
        let line = settled.get(gap).copied().flatten();
        let own = found.iter().position(|(at, _)| Some(*at) == line);
        spots.push(found.swap_remove(own.unwrap_or(0)).1);
        // What an earlier session said of it among the limitations is no longer true.
        let outdated = found.into_iter().map(|(_, spot)| spot);
        spots.extend(outdated.filter(|spot| earlier.contains(&spot.range.start)));
    }
    let closed: Vec<Range<usize>> = entries.into_iter().chain(walked.fixed.clone()).collect();
    let ids: BTreeSet<&GapId> = settled.keys().copied().collect();
    spots.extend(placeholders(document, &merged(closed), &ids));
    spots.sort_by_key(|spot| spot.range.start);
    // An entry nested in another's replaced words goes with them.
    let mut until = 0;
    spots.retain(|spot| {
        let free = spot.range.start >= until;
        until = until.max(spot.range.end);
        free
    });
    spots
}

/// The words of a list item behind its marker, up to `end`.
fn item_spot(source: &str, item: &Item, end: usize, gap: &GapId) -> Option<Spot> {
    let text = source.get(item.span.start..end)?;
    let indent = text.len() - text.trim_start().len();
    let digits = text[indent..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    let marker = indent + digits + 1;
    let behind = text.get(marker..)?;
    let space = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    let words = &behind[space..];
    let is_task = ["[ ] ", "[x] ", "[X] "]
        .iter()
        .any(|mark| words.starts_with(mark));
    let before = match (is_task, space) {
        (true, 0) => " [x] ",
        (true, _) => "[x] ",
        (false, 0) => " ",
        (false, _) => "",
    };
    // What precedes a nested item's marker on its line stays with it.
    let kept = match end < item.span.end {
        true => text.rfind('\n').unwrap_or(text.len()),
        false => text.len(),
    };
    let upto = text[..kept].trim_end().len();
    let from = marker + space;
    (upto > from).then(|| Spot {
        gap: gap.clone(),
        range: item.span.start + from..item.span.start + upto,
        form: Form::Entry { before },
    })
}

/// The longest cell of a row but the one with the id.
fn row_spot(source: &str, cells: &[Range<usize>], gap: &GapId) -> Option<Spot> {
    let words = |range: &Range<usize>| {
        let text = source.get(range.clone()).unwrap_or("");
        let start = text.len() - text.trim_start_matches([' ', '\t', '|']).len();
        let bare = text.trim_matches([' ', '\t', '|']);
        range.start + start..range.start + start + bare.len()
    };
    let (id, others) = cells.split_first()?;
    let longest = others
        .iter()
        .map(words)
        .filter(|range| !range.is_empty())
        .max_by_key(|range| (range.len(), std::cmp::Reverse(range.start)));
    let (range, form) = match longest {
        Some(range) => (range, Form::Cell),
        None => (words(id), Form::Named),
    };
    Some(Spot {
        gap: gap.clone(),
        range,
        form,
    })
}

const CLARIFY: &str = "[NEEDS CLARIFICATION";

/// Placeholders with the id of a settled gap, in running text.
fn placeholders(document: &Document, closed: &[Range<usize>], ids: &BTreeSet<&GapId>) -> Vec<Spot> {
    let prose = document.prose();
    let mut spots = Vec::new();
    for found in gap_ids_in(prose) {
        if !ids.contains(&found.id) {
            continue;
        }
        let id_end = found.at + found.id.to_string().len();
        let (before, behind) = around(prose, found.at, id_end);
        let Some((lead, tail, is_remark)) = placeholder(before, behind) else {
            continue;
        };
        let range = found.at - lead..id_end + tail;
        let earlier = before[..before.len() - lead].trim_end();
        let capital = earlier.is_empty() || earlier.ends_with(['.', ':', '!', '?', '|']);
        if overlaps(closed, &range) || document.source.get(range.clone()).is_none() {
            continue;
        }
        spots.push(Spot {
            gap: found.id,
            range,
            form: match is_remark {
                true => Form::Remark,
                false => Form::Defined { capital },
            },
        });
    }
    spots
}

/// What stands before and behind a place on its line, as far as a placeholder reaches.
fn around(text: &str, from: usize, to: usize) -> (&str, &str) {
    const REACH: usize = 400;
    let mut start = from.saturating_sub(REACH);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let mut end = text.len().min(to + REACH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text[start..from].rsplit('\n').next().unwrap_or("");
    let behind = text[to..end].split('\n').next().unwrap_or("");
    (before, behind)
}

/// How far a placeholder around an id reaches, before and behind it, and whether it is a mere remark.
fn placeholder(before: &str, behind: &str) -> Option<(usize, usize, bool)> {
    if let Some(at) = before.rfind(CLARIFY)
        && !before[at + 1..].contains(['[', ']'])
        && let Some(end) = behind.find(']')
        && !behind[..end].contains('[')
    {
        let links_on = behind[end + 1..].starts_with(['(', '[', ':']);
        return (!links_on).then_some((before.len() - at, end + 1, false));
    }
    let bare = before.trim_end_matches([' ', '\t']);
    let (opened, close) = match bare.chars().next_back() {
        Some('(') => (&bare[..bare.len() - 1], Some(')')),
        Some('[') => (&bare[..bare.len() - 1], Some(']')),
        _ => (bare, None),
    };
    let tail = match close {
        Some(close) => {
            let inner = behind.trim_start_matches([' ', '\t']);
            inner.strip_prefix(close)?;
            behind.len() - inner.len() + 1
        }
        None => 0,
    };
    let word_end = opened.trim_end_matches([' ', '\t', ':', ',']);
    let mut words = PLACEHOLDER_WORDS.into_iter().chain(["???"]);
    let is_placeholder = words.find(|word| {
        word_end
            .strip_suffix(*word)
            .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    if let Some(word) = is_placeholder {
        return Some((before.len() - word_end.len() + word.len(), tail, false));
    }
    let links_on = behind[tail..].starts_with(['(', '[', ':']);
    let is_tag = close == Some(']') && !links_on && !opened.ends_with([']', '!', '\\']);
    is_tag.then(|| (before.len() - opened.len(), tail, true))
}

#[cfg(test)]
mod tests {
    use super::super::walk::walk;
    use super::*;

    fn replaced(text: &str) -> String {
        let document = Document::parse(text);
        let gaps: Vec<GapId> = ["GAP-AA-001", "GAP-AA-003"]
            .map(|id| id.parse().unwrap())
            .to_vec();
        let settled = gaps.iter().map(|gap| (gap, None)).collect();
        let to = Target {
            text: "T".to_owned(),
            anchor: "t".to_owned(),
        };
        let mut shown = text.to_owned();
        for spot in spots(&document, &walk(text), &settled).iter().rev() {
            let pointer = spot.pointer(&to);
            let words = pointer.split(" <!--").next().unwrap();
            shown.replace_range(spot.range.clone(), words);
        }
        shown
    }

    #[test]
    fn entries_of_lists_become_pointers_and_others_stay() {
        let text = "- GAP-AA-001 [LOW]: a\n  wrapped\n\n  more\n- GAP-AA-002: b\n- [ ] **GAP-AA-003**: c\n  - detail\n\ntext\n";
        assert_eq!(
            replaced(text),
            "- Settled in [T](#t) (GAP-AA-001).\n- GAP-AA-002: b\n- [x] Settled in [T](#t) (GAP-AA-003).\n\ntext\n"
        );
        let nested =
            "1. GAP-AA-001: a\n   - note\n   - GAP-AA-002: b\n     - GAP-AA-003: c\n2. end\n";
        assert_eq!(
            replaced(nested),
            "1. Settled in [T](#t) (GAP-AA-001).\n   - GAP-AA-002: b\n     - Settled in [T](#t) (GAP-AA-003).\n2. end\n"
        );
    }

    #[test]
    fn rows_keep_their_id() {
        let text = "| Gap | What | Note |\n|---|---|---|\n| **GAP-AA-001** | long words here | x |\n| GAP-AA-002 | y | z |\n| GAP-AA-003 | | |\n";
        assert_eq!(
            replaced(text),
            "| Gap | What | Note |\n|---|---|---|\n| **GAP-AA-001** | Settled in [T](#t). | x |\n| GAP-AA-002 | y | z |\n| GAP-AA-003: settled in [T](#t). | | |\n"
        );
    }

    #[test]
    fn placeholders_in_running_text_point_to_the_part() {
        for (text, expected) in [
            (
                "The limit is TBD (GAP-AA-001).",
                "The limit is defined in [T](#t).",
            ),
            ("TODO(GAP-AA-001)", "Defined in [T](#t)"),
            ("Limits: TBD: GAP-AA-001", "Limits: Defined in [T](#t)"),
            ("It retries [GAP-AA-001].", "It retries (see [T](#t))."),
            (
                "x [NEEDS CLARIFICATION: how long, GAP-AA-001?] y",
                "x defined in [T](#t) y",
            ),
        ] {
            assert_eq!(replaced(text), expected);
        }
        for stays in [
            "See GAP-AA-001.",
            "It is (GAP-AA-001) so.",
            "[GAP-AA-001](x) and [GAP-AA-001][y]",
            "`TBD (GAP-AA-001)`",
            "# TBD (GAP-AA-001)",
            "TBD (GAP-AA-002)",
            "- GAP-AA-002: TBD (GAP-AA-001)",
            "```\nTODO(GAP-AA-001)\n```",
            "NOTBD GAP-AA-001",
        ] {
            assert_eq!(replaced(stays), stays);
        }
    }
}
