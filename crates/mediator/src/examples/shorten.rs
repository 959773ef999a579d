//! The cutting of an example to its budget: first by structure, so that every heading and the beginning of each
//! section stay, then hard. What was cut says so, and is never longer than the budget.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use gapless_markdown::open_fence;
use gapless_tokens::{count, fits};

/// The mark under an example that was cut.
pub const TRUNCATED: &str = "[Example truncated for length]";

/// With less room than this nothing of an example is left that shows anything.
const LEAST_TOKENS: usize = 40;

/// Hardly any token has more bytes than this.
const LONGEST_TOKEN: usize = 16;

/// After so many blocks in a row that don't fit, no further ones are tried.
const MOST_MISSES: usize = 20;

/// A text cut to a budget of tokens; `None` where the budget leaves no room for one.
pub fn shorten(text: &str, budget: usize) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    // An estimate may be far too high. Before anything is lost it is counted, unless that would take long.
    let may_fit = text.len() <= budget.saturating_mul(LONGEST_TOKEN);
    if fits(text, budget) || (may_fit && count(text) <= budget) {
        return Some(text.to_owned());
    }
    if budget < LEAST_TOKENS {
        return None;
    }
    Some(by_structure(text, budget).unwrap_or_else(|| hard(text, budget)))
}

/// A heading with the blocks under it; the text before the first heading has none.
#[derive(Default)]
struct Section<'a> {
    heading: &'a str,
    blocks: Vec<Block<'a>>,
}

struct Block<'a> {
    text: &'a str,
    kind: Kind,
    kept: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Item,
    Code,
}

/// Keeps all headings and the first paragraph or item of each section, shortened where they must be, and as many further
/// blocks as fit, the second of each section before the third of any.
fn by_structure(text: &str, budget: usize) -> Option<String> {
    let mut sections = sections(text);
    if !sections.iter().any(|section| !section.heading.is_empty()) {
        return None;
    }
    let enough = |text: &str| count(text) <= budget;
    // A quick look first: a document of nothing but headings is not worth counting.
    let headings = composed(&sections, 0);
    if headings.len() > budget * LONGEST_TOKEN || !enough(&headings) {
        return None;
    }
    for section in &mut sections {
        let first = section.blocks.iter_mut().find(|b| b.kind != Kind::Code);
        if let Some(first) = first {
            first.kept = true;
        }
    }
    let longest = sections.iter().flat_map(|section| &section.blocks);
    let longest = longest.filter(|block| block.kept).map(|b| b.text.len());
    let longest = longest.max().unwrap_or(0).min(budget * LONGEST_TOKEN);
    if !enough(&composed(&sections, longest)) {
        let cap = largest(longest, |cap| enough(&composed(&sections, cap)));
        return Some(composed(&sections, cap));
    }
    fill(&mut sections, budget);
    let mut cut = composed(&sections, usize::MAX);
    // Parts may count for a little less than the whole they make.
    while !enough(&cut) && drop_last(&mut sections) {
        cut = composed(&sections, usize::MAX);
    }
    enough(&cut).then_some(cut)
}

fn fill(sections: &mut [Section], budget: usize) {
    let mut used = count(&composed(sections, usize::MAX));
    let most = sections.iter().map(|section| section.blocks.len()).max();
    let mut misses = 0;
    for index in 0..most.unwrap_or(0) {
        for section in sections.iter_mut() {
            let Some(block) = section.blocks.get_mut(index) else {
                continue;
            };
            if block.kept {
                continue;
            }
            let cost = count(block.text) + 2;
            if used + cost <= budget {
                block.kept = true;
                used += cost;
                misses = 0;
            } else {
                misses += 1;
                if misses > MOST_MISSES {
                    return;
                }
            }
        }
    }
}

fn drop_last(sections: &mut [Section]) -> bool {
    let mut blocks = sections
        .iter_mut()
        .rev()
        .flat_map(|s| s.blocks.iter_mut().rev());
    match blocks.find(|block| block.kept) {
        Some(block) => {
            block.kept = false;
            true
        }
        None => false,
    }
}

/// The headings and the kept blocks, each block of at most `cap` bytes, and the mark.
fn composed(sections: &[Section], cap: usize) -> String {
    let mut text = String::new();
    let mut before = Kind::Text;
    let mut put = |part: &str, kind: Kind| {
        if !text.is_empty() {
            let in_list = kind == Kind::Item && before == Kind::Item;
            text += if in_list { "\n" } else { "\n\n" };
        }
        text += part;
        before = kind;
    };
    for section in sections {
        if !section.heading.is_empty() {
            put(section.heading, Kind::Text);
        }
        for block in section.blocks.iter().filter(|block| block.kept) {
            let part = begun(block.text, cap);
            if !part.is_empty() {
                put(&part, block.kind);
            }
        }
    }
    put(TRUNCATED, Kind::Text);
    text
}

/// The beginning of a block, cut at a word.
fn begun(text: &str, cap: usize) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(cap);
    let end = text[..end].rfind(char::is_whitespace).unwrap_or(end);
    match text[..end].trim_end() {
        "" => String::new(),
        begun => match open_fence(begun) {
            Some(fence) => format!("{begun} …\n{fence}"),
            None => format!("{begun} …"),
        },
    }
}

/// The largest number up to `most` for which something holds that holds for 0 and not for larger ones.
fn largest(most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        match holds(middle) {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    low
}

/// The beginning of a text, without a fence left open, and the mark.
fn hard(text: &str, budget: usize) -> String {
    let cut = |end: usize| {
        let end = text.floor_char_boundary(end);
        let line = text[..end].rfind('\n').filter(|at| *at > end / 2);
        let begun = text[..line.unwrap_or(end)].trim_end();
        let fence = open_fence(begun).map_or(String::new(), |fence| format!("\n{fence}"));
        format!("{begun}{fence}\n\n{TRUNCATED}")
    };
    let end = largest(text.len().min(budget * LONGEST_TOKEN), |end| {
        count(&cut(end)) <= budget
    });
    cut(end)
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section::default()];
    for (span, kind) in blocks(text) {
        let Some(part) = text.get(span).map(str::trim_end) else {
            continue;
        };
        match kind {
            None => sections.push(Section {
                heading: part,
                blocks: Vec::new(),
            }),
            Some(kind) if !part.is_empty() => {
                if let Some(section) = sections.last_mut() {
                    section.blocks.push(Block {
                        text: part,
                        kind,
                        kept: false,
                    });
                }
            }
            Some(_) => {}
        }
    }
    sections
}

/// The blocks of a document's top level and the items of its lists, in order; headings have no kind.
fn blocks(text: &str) -> Vec<(Range<usize>, Option<Kind>)> {
    let mut found = Vec::new();
    let mut depth = 0u32;
    let mut in_list = false;
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                let kind = match (&tag, depth) {
                    (Tag::List(_), 0) => {
                        in_list = true;
                        None
                    }
                    (Tag::Item, 1) if in_list => Some(Some(Kind::Item)),
                    (Tag::Heading { .. }, 0) => Some(None),
                    (Tag::CodeBlock(_), 0) => Some(Some(Kind::Code)),
                    (_, 0) => Some(Some(Kind::Text)),
                    _ => None,
                };
                if let Some(kind) = kind {
                    found.push((span, kind));
                }
                depth += 1;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                in_list &= depth > 0;
            }
            Event::Rule if depth == 0 => found.push((span, Some(Kind::Text))),
            _ => {}
        }
    }
    found
}
