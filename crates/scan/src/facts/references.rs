//! Finds references to sections, figures, anchors, files and ids, and the targets that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use gapless_markdown::BlockKind;

use super::spec_text::SpecText;
use super::tables::bare;
use super::{Sentence, Word};
use gapless_domain::words::phrases;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `section 4.2`, `appendix B`.
    Section(String),
    /// `section "Delivery"`.
    Title(String),
    /// `Figure 3`, `Table 2`, lowercase kind and number.
    Caption(&'static str, String),
    Anchor(String),
    File(String),
    /// `FR-012`.
    Id(String),
}

#[derive(Debug, Clone)]
pub struct Reference {
    pub kind: ReferenceKind,
    pub span: Range<usize>,
}

#[derive(Debug, Default)]
pub struct References {
    pub found: Vec<Reference>,
    anchors: BTreeSet<String>,
    numbers: BTreeSet<String>,
    titles: BTreeSet<String>,
    captions: BTreeSet<(&'static str, String)>,
    declared: BTreeSet<String>,
    /// How many ids are declared with a prefix: one alone is no series.
    series: BTreeMap<String, usize>,
}

impl References {
    fn add(&mut self, kind: ReferenceKind, span: Range<usize>) {
        self.found.push(Reference { kind, span });
    }

    pub fn has_numbered_sections(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Whether the target exists; `None` where that can't be known.
    pub fn is_there(&self, kind: &ReferenceKind) -> Option<bool> {
        match kind {
            ReferenceKind::Section(number) => Some(self.numbers.contains(number)),
            ReferenceKind::Title(title) => Some(self.titles.contains(title)),
            ReferenceKind::Caption(what, number) => {
                Some(self.captions.contains(&(what, number.clone())))
            }
            ReferenceKind::Anchor(anchor) => Some(self.anchors.contains(anchor)),
            ReferenceKind::File(_) => None,
            ReferenceKind::Id(id) => {
                let series = self.series.get(prefix(id)).copied().unwrap_or(0);
                (series >= 2).then(|| self.declared.contains(id))
            }
        }
    }
}

pub fn references_of(facts: &SpecText<'_>) -> References {
    let mut found = References::default();
    targets(facts, &mut found);
    for sentence in &facts.sentences {
        in_sentence(facts, sentence, &mut found);
    }
    links(facts, &mut found);
    found.found.sort_by_key(|reference| reference.span.start);
    found
}

/// The name that a heading's link has.
fn slug(title: &str) -> String {
    title
        .chars()
        .filter_map(|c| match c {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

fn plain_title(title: &str) -> String {
    let words = title.split_whitespace();
    let unnumbered = words.skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    unnumbered.collect::<Vec<_>>().join(" ").to_lowercase()
}

fn targets(facts: &SpecText<'_>, found: &mut References) {
    let mut slugs: BTreeMap<String, usize> = BTreeMap::new();
    let sections = facts.sections.iter();
    for section in sections.filter(|section| section.heading.is_some()) {
        let slug = slug(&section.title);
        let seen = slugs.entry(slug.clone()).or_default();
        found.anchors.insert(match *seen {
            0 => slug,
            count => format!("{slug}-{count}"),
        });
        *seen += 1;
        found.titles.insert(plain_title(&section.title));
        found.titles.insert(section.title.to_lowercase());
        if let Some(number) = &section.number {
            found.numbers.insert(number.clone());
        }
    }
    for html in &facts.document.html_spans {
        named_anchors(&facts.document.source[html.clone()], found);
    }
    for block in facts.document.blocks.iter() {
        match block.kind {
            BlockKind::Html => named_anchors(&facts.document.source[block.span.clone()], found),
            BlockKind::Code(_) => {}
            _ => declarations(facts.text(block.span.clone()), found),
        }
    }
}

fn named_anchors(html: &str, found: &mut References) {
    for mark in ["id=\"", "name=\""] {
        for (at, _) in html.match_indices(mark) {
            let name = html[at + mark.len()..].split('"').next().unwrap_or("");
            found.anchors.insert(name.to_lowercase());
        }
    }
}

/// Finds the id or caption that a block begins with.
fn declarations(block: &str, found: &mut References) {
    let head = block.trim_start_matches(['*', '_', '[', '!', '`', '#', ' ']);
    let mut words = head.splitn(3, [' ', '\n']);
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if let Some(what) = caption(first) {
        let number = bare(second).trim_end_matches([':', '.', ',', ')', ']', '*']);
        let closed = words.next().is_none() || second.ends_with([':', '.', ')', ']', '*']);
        if is_caption_number(number) && closed {
            found.captions.insert((what, number.to_uppercase()));
        }
    }
    let id = first.trim_end_matches([':', '*', ']', '`', '.', ',', ')', '_']);
    if is_id(id) && found.declared.insert(id.to_owned()) {
        *found.series.entry(prefix(id).to_owned()).or_default() += 1;
    }
}

fn caption(word: &str) -> Option<&'static str> {
    let word = word.trim_matches(['(', '*', '[']);
    let named = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    // Nearly every word is none.
    match word.as_bytes().first() {
        Some(b'f' | b'F' | b'd' | b'D') if named(&["figure", "fig", "fig.", "diagram"]) => {
            Some("figure")
        }
        Some(b't' | b'T') if named(&["table"]) => Some("table"),
        _ => None,
    }
}

fn is_caption_number(number: &str) -> bool {
    !number.is_empty() && number.len() <= 4 && number.starts_with(|c: char| c.is_ascii_digit())
}

fn prefix(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(prefix, _)| prefix)
}

/// `FR-012`, `REQ-AUTH-3`: capitals, dashes, a number at the end.
fn is_id(word: &str) -> bool {
    let Some((head, number)) = word.rsplit_once('-') else {
        return false;
    };
    let number = number
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .unwrap_or(number);
    let standard = [
        "UTF", "SHA", "ISO", "RFC", "IEEE", "BCP", "CVE", "HMAC-SHA", "AES", "E", "MD", "TLS",
        "PCI", "SOC", "UUID", "OQ", "GAP", "ISSUE", "DECISION", "IPV", "HTTP",
    ];
    (1..=4).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && (1..=20).contains(&head.len())
        && head
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b == b'-' || b.is_ascii_digit())
        && head.starts_with(|c: char| c.is_ascii_uppercase())
        && !standard.contains(&head)
        // These are gapless's own, and may be declared in another document.
        && !["GAP-", "ISSUE-", "DECISION-"].iter().any(|own| head.starts_with(own))
}

/// Words that say that a reference leads out of the spec.
static OUTSIDE: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/outside.txt")).collect());

/// What names a document beside the spec.
const OTHER_DOCUMENTS: [&str; 5] = [".md", "specs/", "docs/", "http://", "https://"];

fn in_sentence(facts: &SpecText<'_>, sentence: &Sentence, found: &mut References) {
    let words = facts.words_of(sentence);
    let leads_out = |word: &Word| OUTSIDE.contains(&facts.text(word.span()));
    let outside = words.iter().any(leads_out);
    let heading = facts.block_of(sentence).kind == BlockKind::Heading;
    let text = facts.text(sentence.span.clone());
    let elsewhere = OTHER_DOCUMENTS.iter().any(|mark| text.contains(mark));
    for (index, word) in words.iter().enumerate() {
        let here = facts.text(word.span());
        if word.is_plain() && is_id(here) {
            // An id of another document is declared there.
            if !elsewhere {
                found.add(ReferenceKind::Id(here.to_owned()), word.span());
            }
            continue;
        }
        if heading || outside || !word.is_plain() {
            continue;
        }
        if is_section_word(here) && !is_in_another_document(facts, words, index) {
            section_numbers(facts, words, index, found);
            section_title(facts, word.end, found);
        }
        captioned(facts, words, index, found);
    }
    if !outside {
        section_signs(facts, sentence, found);
    }
}

fn is_section_word(word: &str) -> bool {
    let known = ["section", "sections", "appendix", "annex", "chapter"];
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Words that may precede `section` with a capital and name no document.
const OPENING_WORDS: [&str; 12] = [
    "See", "In", "The", "Per", "From", "Under", "By", "And", "To", "As", "Section", "Sections",
];

/// `` `api.md` section 4 ``, `Contract section 4`.
fn is_in_another_document(facts: &SpecText<'_>, words: &[Word], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|before| &words[before]) else {
        return false;
    };
    let text = facts.text(before.span());
    let names_file = before.is_code() || text.ends_with("md");
    let names_document =
        text.starts_with(|c: char| c.is_uppercase()) && !OPENING_WORDS.contains(&text);
    names_file || names_document
}

/// `Figure 3`, `Table 2`.
fn captioned(facts: &SpecText<'_>, words: &[Word], index: usize, found: &mut References) {
    let word = &words[index];
    let here = facts.text(word.span());
    let (Some(what), Some(next)) = (caption(here), words.get(index + 1)) else {
        return;
    };
    let number = facts.text(next.span());
    let gap = facts.between(word, next).trim_matches('.');
    let refers = next.is_number()
        && here.starts_with(char::is_uppercase)
        && is_caption_number(number)
        && gap.trim().is_empty();
    if refers {
        let kind = ReferenceKind::Caption(what, number.to_uppercase());
        found.add(kind, word.start..next.end);
    }
}

/// `§ 4.2`.
fn section_signs(facts: &SpecText<'_>, sentence: &Sentence, found: &mut References) {
    for (at, _) in facts.text(sentence.span.clone()).match_indices('§') {
        let start = sentence.span.start + at;
        let rest = facts
            .text(start + '§'.len_utf8()..sentence.span.end)
            .trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let digits = end.unwrap_or(rest.len());
        let number = rest[..digits].trim_end_matches('.');
        // `[the guide §8](guide.md)` is a section of the guide.
        let links = rest[digits..].strip_prefix("](");
        let is_elsewhere = links.is_some_and(|target| !target.starts_with('#'));
        if !number.is_empty() && !is_elsewhere {
            let end = sentence.span.end.min(start + 2 + rest.len());
            found.add(ReferenceKind::Section(number.to_owned()), start..end);
        }
    }
}

/// `sections 3, 4.2 and 5`.
fn section_numbers(facts: &SpecText<'_>, words: &[Word], index: usize, found: &mut References) {
    let text = |index: usize| words.get(index).map_or("", |word| facts.text(word.span()));
    let appendix = !text(index).to_ascii_lowercase().starts_with("section");
    let mut at = index + 1;
    let first = found.found.len();
    while let Some(word) = words.get(at) {
        let shown = facts.text(word.span());
        let letter = appendix && at == index + 1 && shown.len() == 1 && is_upper(shown);
        let number = shown.starts_with(|c: char| c.is_ascii_digit())
            && shown.len() < 9
            && !shown.contains([',', ':', '-', '_']);
        if letter || number {
            let from = if at == index + 1 { &words[index] } else { word };
            let kind = ReferenceKind::Section(shown.to_uppercase());
            found.add(kind, from.start..word.end);
        } else if !matches!(shown, "and" | "or" | "to") {
            break;
        }
        at += 1;
        let unit_follows = facts.prose()[word.end..].starts_with('%');
        if unit_follows {
            break;
        }
        let gap = words.get(at).map_or("", |next| facts.between(word, next));
        if !matches!(gap.trim(), "" | "," | "-" | "–") {
            break;
        }
    }
    // `section 4 of the contract` leads out.
    if matches!(text(at), "of" | "in") && !matches!(text(at + 1), "this" | "") {
        found.found.truncate(first);
    }
}

fn is_upper(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_uppercase())
}

/// `section "Delivery"`.
fn section_title(facts: &SpecText<'_>, from: usize, found: &mut References) {
    let rest = facts.prose()[from..].strip_prefix(' ').unwrap_or("");
    let Some(quoted) = rest.strip_prefix(['"', '\u{201c}']) else {
        return;
    };
    let mut chars = quoted.char_indices().take(80);
    let closing = chars.find(|(_, c)| matches!(c, '"' | '\u{201d}' | '\n'));
    if let Some((end, _)) = closing.filter(|(end, _)| *end > 0) {
        let start = facts.prose().len() - quoted.len();
        let title = plain_title(&quoted[..end]);
        found.add(ReferenceKind::Title(title), start..start + end);
    }
}

fn links(facts: &SpecText<'_>, found: &mut References) {
    for link in &facts.document.links {
        let target = link.target.as_str();
        let kind = match target.strip_prefix('#') {
            Some(anchor) if !anchor.is_empty() => ReferenceKind::Anchor(anchor.to_lowercase()),
            _ if target.starts_with(['#', '/']) || target.contains("://") => continue,
            _ => {
                let path = target.split(['#', '?']).next().unwrap_or("");
                if path.is_empty() || path.contains(':') {
                    continue;
                }
                ReferenceKind::File(path.replace("%20", " "))
            }
        };
        found.add(kind, link.span.clone());
    }
}
