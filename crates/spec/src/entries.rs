//! What becomes of a gap's own words in the source once it is settled: its entry in a list or a table, and
//! placeholders in running text that carry its id, become pointers to the part that settles it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Walked;
use super::walk::{merged, overlaps};
use gapless_domain::{GapId, gap_ids_in};
use gapless_markdown::{Document, Item};
use gapless_reading::read::{CLARIFY, Declaration, DeclaredAs, PLACEHOLDER_WORDS, POINTER};

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
    /// `at most TBD lines`: something among words that go on.
    Within,
    /// `[GAP-X-001]`: a remark.
    Remark,
}

/// A part as pointers name it: the text of the link, and its anchor.
#[derive(Clone, Default)]
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
        let behind = format!("{}.", &link[1..]);
        match &self.form {
            Form::Entry { before } => format!("{before}{POINTER}{behind}"),
            Form::Cell => format!("{POINTER}{behind}"),
            Form::Named => format!("{}: settled in {link}.", self.gap),
            Form::Defined { capital: true } => format!("Defined in {link}"),
            Form::Defined { capital: false } => format!("defined in {link}"),
            Form::Within => format!("(as defined in {link})"),
            Form::Remark => format!("(see {link})"),
        }
    }
}

/// Gaps that are settled, each with the line that the session has it from.
pub(super) type Settled<'r> = BTreeMap<&'r GapId, Option<u32>>;

/// True where a declaration is that of a settled gap. An id that only the reading gave holds where the gap came from that
/// very line.
pub(super) fn is_settled(declaration: &Declaration, settled: &Settled) -> bool {
    let gap = &declaration.gap;
    let line = settled.get(&gap.id);
    line.is_some_and(|line| declaration.has_own_id || *line == Some(gap.line))
}

/// The lines of the source on which settled gaps are declared by what a pointer may replace.
pub(super) fn declaring_lines(
    document: &Document,
    declared: &[Declaration],
    settled: &Settled,
) -> BTreeSet<u32> {
    declared
        .iter()
        .filter(|declaration| is_settled(declaration, settled))
        .flat_map(|declaration| &declaration.forms)
        .flat_map(|(line, form)| match form {
            DeclaredAs::Heading => 0..0,
            // A block that is marked as unresolved has several lines, and goes as a whole.
            DeclaredAs::Words(range) => *line..document.line_of(range.end.saturating_sub(1)) + 1,
            DeclaredAs::Item(_) | DeclaredAs::Row(_) | DeclaredAs::Marks(_) => *line..*line + 1,
        })
        .collect()
}

/// Everything in the source that pointers replace, in order, for these settled gaps.
pub(super) fn spots(
    document: &Document,
    walked: &Walked,
    declared: &[Declaration],
    settled: &Settled,
) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut entries: Vec<Range<usize>> = Vec::new();
    let items: BTreeSet<usize> = declared
        .iter()
        .flat_map(|declaration| &declaration.forms)
        .filter_map(|(_, form)| match form {
            DeclaredAs::Item(index) => Some(*index),
            _ => None,
        })
        .collect();
    for declaration in declared {
        let Declaration { gap, forms, .. } = declaration;
        let is_settled = is_settled(declaration, settled);
        for (_, form) in forms {
            let of = |range: &Range<usize>, form: Form| Spot {
                gap: gap.id.clone(),
                range: range.clone(),
                form,
            };
            let found: Vec<Spot> = match form {
                DeclaredAs::Item(index) => {
                    let item = &document.items[*index];
                    entries.push(item.span.clone());
                    // An entry of another gap inside this one is not this one's to replace.
                    let inner = items
                        .range(index + 1..)
                        .next()
                        .map(|inner| document.items[*inner].span.start)
                        .filter(|inner| *inner < item.span.end)
                        .unwrap_or(item.span.end);
                    item_spot(&document.source, item, inner, &gap.id)
                        .into_iter()
                        .collect()
                }
                DeclaredAs::Row(index) => {
                    let row = &walked.rows[*index];
                    entries.push(row.span.clone());
                    row_spot(&document.source, &row.cells, &gap.id)
                        .into_iter()
                        .collect()
                }
                DeclaredAs::Heading => Vec::new(),
                DeclaredAs::Words(range) => vec![of(range, Form::Entry { before: "" })],
                DeclaredAs::Marks(marks) => marks
                    .iter()
                    .map(|mark| of(mark, form_of_mark(document.prose(), mark)))
                    .collect(),
            };
            if is_settled {
                spots.extend(found);
            }
        }
    }
    let closed: Vec<Range<usize>> = entries.into_iter().chain(walked.fixed.clone()).collect();
    let ids: BTreeSet<&GapId> = settled.keys().copied().collect();
    spots.extend(placeholders(document, &merged(closed), &ids));
    spots.sort_by_key(|spot| (spot.range.start, Reverse(spot.range.end)));
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

/// How a pointer reads best in the place of a mark.
fn form_of_mark(prose: &str, mark: &Range<usize>) -> Form {
    const SAYING: [&str; 8] = [
        "is", "are", "be", "was", "were", "remains", "remain", "still",
    ];
    let (before, behind) = around(prose, mark.start, mark.end);
    let bare = before.trim_end_matches(['*', '_', ' ', '\t']);
    let last = bare.rsplit(' ').next().unwrap_or("");
    let behind = behind.trim_start_matches(['*', '_', ' ', '\t']);
    let ends =
        behind.is_empty() || behind.starts_with(['.', ',', ';', ':', '!', '?', ')', '|', '…']);
    let is_first = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '>' | '.' | ')' | ' ');
    let capital = begins_a_sentence(bare.trim_start_matches(is_first));
    match ends && (capital || SAYING.contains(&last)) {
        true => Form::Defined { capital },
        false => Form::Within,
    }
}

/// True where what stands before a place on its line ends a sentence, or nothing does.
fn begins_a_sentence(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', ':', '!', '?', '|'])
}

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
        let capital = begins_a_sentence(&before[..before.len() - lead]);
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
    let start = text.ceil_char_boundary(from.saturating_sub(REACH));
    let end = text.floor_char_boundary(to + REACH);
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
    use gapless_reading::read::inventory;

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
        for spot in spots(
            &document,
            &walk(text),
            &inventory(&document).declared,
            &settled,
        )
        .iter()
        .rev()
        {
            let pointer = spot.pointer(&to);
            shown.replace_range(spot.range.clone(), &pointer);
        }
        shown
    }

    #[test]
    fn entries_of_lists_become_pointers_and_others_stay() {
        let text = "- GAP-AA-001 [LOW]: a\n  wrapped\n\n  more\n- GAP-AA-002: b\n- [ ] **GAP-AA-003**: c\n  - detail\n\ntext\n";
        assert_eq!(
            replaced(text),
            "- Settled: see [T](#t).\n- GAP-AA-002: b\n- [x] Settled: see [T](#t).\n\ntext\n"
        );
        let nested =
            "1. GAP-AA-001: a\n   - note\n   - GAP-AA-002: b\n     - GAP-AA-003: c\n2. end\n";
        assert_eq!(
            replaced(nested),
            "1. Settled: see [T](#t).\n   - GAP-AA-002: b\n     - Settled: see [T](#t).\n2. end\n"
        );
    }

    #[test]
    fn rows_keep_their_id() {
        let text = "| Gap | What | Note |\n|---|---|---|\n| **GAP-AA-001** | long words here | x |\n| GAP-AA-002 | y | z |\n| GAP-AA-003 | | |\n";
        assert_eq!(
            replaced(text),
            "| Gap | What | Note |\n|---|---|---|\n| **GAP-AA-001** | Settled: see [T](#t). | x |\n| GAP-AA-002 | y | z |\n| GAP-AA-003: settled in [T](#t). | | |\n"
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
                "x (as defined in [T](#t)) y",
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
