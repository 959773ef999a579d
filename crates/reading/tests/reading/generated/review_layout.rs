//! The layout of a generated review: blocks of text, and how one document writes its headings, lists and fields.

use std::collections::BTreeMap;

use crate::generated::choices::{Choices, Words};
use crate::words;

/// A part of the document that stands between blank lines.
#[derive(Debug, Clone)]
pub enum Block {
    /// The heading of a document or of a gap, at this level.
    Top {
        level: usize,
        text: String,
    },
    /// The heading of a section, so many levels below the heading of the gap.
    Section {
        depth: usize,
        text: String,
        emoji: &'static str,
    },
    /// The heading of one finding.
    Entry {
        depth: usize,
        text: String,
    },
    /// Paragraphs and lists, whose long lines may be wrapped.
    Text(String),
    /// Tables, quotes and fences, which stay as they are.
    Raw(String),
    Rule,
}

/// What the document writes above its sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sections {
    Headings,
    Bold,
    Labels,
}

/// The habits of one document.
#[derive(Debug, Clone)]
pub struct Layout {
    pub sections: Sections,
    /// The level of the heading above the sections.
    pub level: usize,
    pub numbered: bool,
    pub emojis: bool,
    pub rules: bool,
    /// No blank line after headings.
    pub tight: bool,
    pub wrap: Option<usize>,
    pub marker: &'static str,
    /// `**Label:**` rather than `**Label**:`.
    pub colon_inside: bool,
    /// Blank lines between the items of a list.
    pub loose: bool,
    /// Two blank lines between blocks.
    pub spread: bool,
}

/// Makes the choices of one document and remembers what it is made of.
pub struct Writer {
    pub choices: Choices,
    pub layout: Layout,
    pub made_of: Vec<String>,
    pub used: Vec<&'static str>,
    pub issues: usize,
    pub earlier_issues: usize,
    titles: BTreeMap<String, &'static str>,
}

impl Writer {
    pub fn new(seed: u64, with_kept_aside: bool) -> Self {
        let mut choices = Choices::new(seed, with_kept_aside);
        let sections = match choices.below(10) {
            0..=6 => Sections::Headings,
            7..=8 => Sections::Bold,
            _ => Sections::Labels,
        };
        let layout = Layout {
            sections,
            level: 2,
            numbered: sections != Sections::Labels && choices.percent(18),
            emojis: choices.percent(15),
            rules: choices.percent(40),
            tight: choices.percent(35),
            wrap: match choices.percent(20) {
                true => Some(72 + choices.below(30)),
                false => None,
            },
            marker: if choices.percent(80) { "-" } else { "*" },
            colon_inside: choices.percent(60),
            loose: choices.percent(8),
            spread: choices.percent(4),
        };
        Self {
            choices,
            layout,
            made_of: Vec::new(),
            used: Vec::new(),
            issues: 0,
            earlier_issues: 0,
            titles: BTreeMap::new(),
        }
    }

    pub fn pick(&mut self, words: Words) -> &'static str {
        self.choices.word(&words)
    }

    /// Several different entries, between these numbers.
    pub fn several(&mut self, words: Words, least: usize, most: usize) -> Vec<String> {
        let count = least + self.choices.below(most - least + 1);
        let picked = self.choices.words(&words, count);
        picked.into_iter().map(str::to_owned).collect()
    }

    pub fn percent(&mut self, share: usize) -> bool {
        self.choices.percent(share)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.choices.below(limit)
    }

    /// The title of a gap, the same throughout the document.
    pub fn title(&mut self, gap: &str) -> &'static str {
        if let Some(title) = self.titles.get(gap) {
            return title;
        }
        let title = self.pick(words!("review_titles"));
        self.titles.insert(gap.to_owned(), title);
        title
    }

    /// Remembers the form for the failure message.
    pub fn note(&mut self, form: &str) {
        if !self.made_of.iter().any(|noted| noted == form) {
            self.made_of.push(form.to_owned());
        }
    }

    /// The id of the next issue of this round.
    pub fn next_issue(&mut self) -> String {
        self.issues += 1;
        format!("ISSUE-R3-{:03}", self.issues)
    }

    /// The id of the next issue of the round before.
    pub fn next_earlier_issue(&mut self) -> String {
        self.earlier_issues += 1 + self.choices.below(2);
        format!("ISSUE-R2-{:03}", self.earlier_issues)
    }

    /// A bold label and what stands behind it.
    pub fn field(&self, label: &str, value: &str) -> String {
        match self.layout.colon_inside {
            true => format!("**{label}:** {value}"),
            false => format!("**{label}**: {value}"),
        }
    }

    pub fn section(&self, depth: usize, text: &str, emoji: &'static str) -> Block {
        Block::Section {
            depth,
            text: text.to_owned(),
            emoji,
        }
    }

    fn between_items(&self) -> &'static str {
        match self.layout.loose {
            true => "\n\n",
            false => "\n",
        }
    }

    /// A list with the document's marker.
    pub fn bullets(&self, items: &[String]) -> Block {
        let marker = self.layout.marker;
        let items: Vec<String> = items.iter().map(|item| hung(marker, item)).collect();
        Block::Text(items.join(self.between_items()))
    }

    /// A list with numbers.
    pub fn numbers(&self, items: &[String]) -> Block {
        let numbered = items.iter().enumerate();
        let items: Vec<String> = numbered
            .map(|(at, item)| hung(&format!("{}.", at + 1), item))
            .collect();
        Block::Text(items.join(self.between_items()))
    }

    /// A list with bullets or, more seldom, with numbers.
    pub fn list(&mut self, items: &[String]) -> Block {
        match self.percent(75) {
            true => self.bullets(items),
            false => self.numbers(items),
        }
    }

    /// The markdown of these blocks.
    pub fn render(&self, blocks: &[Block]) -> String {
        let mut text = String::new();
        let mut number = 0;
        let mut after_heading = false;
        let mut after_rule = true;
        for block in blocks {
            if matches!(block, Block::Rule) && after_rule {
                continue;
            }
            let (written, heading) = self.written(block, &mut number);
            let real = self.layout.sections == Sections::Headings;
            let close = matches!(block, Block::Text(_)) || (real && matches!(block, Block::Raw(_)));
            if !text.is_empty() {
                text.push_str(match after_heading && close && self.layout.tight {
                    true => "\n",
                    false if self.layout.spread => "\n\n\n",
                    false => "\n\n",
                });
            }
            text.push_str(&written);
            after_heading = heading;
            after_rule = matches!(block, Block::Rule);
        }
        text.push('\n');
        text
    }

    fn written(&self, block: &Block, number: &mut usize) -> (String, bool) {
        match block {
            Block::Top { level, text } => {
                *number = 0;
                (format!("{} {text}", "#".repeat(*level)), true)
            }
            Block::Section { depth, text, emoji } => {
                let plain = text.starts_with(|first: char| first.is_ascii_alphanumeric());
                let mut title = match self.layout.emojis && plain && !emoji.is_empty() {
                    true => format!("{emoji} {text}"),
                    false => text.clone(),
                };
                if self.layout.numbered && *depth == 1 {
                    *number += 1;
                    title = format!("{number}. {title}");
                }
                (self.heading(*depth, &title), true)
            }
            Block::Entry { depth, text } => match self.layout.sections {
                Sections::Headings => {
                    let level = (self.layout.level + depth).clamp(4, 6);
                    (format!("{} {text}", "#".repeat(level)), true)
                }
                _ => (format!("**{text}**"), true),
            },
            Block::Text(text) => match self.layout.wrap {
                Some(width) => (wrapped(text, width), false),
                None => (text.clone(), false),
            },
            Block::Raw(text) => (text.clone(), false),
            Block::Rule => ("---".to_owned(), false),
        }
    }

    fn heading(&self, depth: usize, title: &str) -> String {
        let colon = title.contains(':') || title.ends_with(['?', '.']);
        match self.layout.sections {
            Sections::Headings => {
                let level = (self.layout.level + depth).min(6);
                format!("{} {title}", "#".repeat(level))
            }
            Sections::Bold if self.layout.colon_inside && !colon => format!("**{title}:**"),
            Sections::Labels if !colon => format!("{title}:"),
            _ => format!("**{title}**"),
        }
    }
}

/// The item behind its marker, with its further lines set below its text.
fn hung(marker: &str, item: &str) -> String {
    let indent = " ".repeat(marker.len() + 1);
    format!("{marker} {}", item.replace('\n', &format!("\n{indent}")))
}

/// The sentence with a period unless it ends in a mark of its own.
pub fn ended(sentence: &str) -> String {
    match sentence.ends_with(['?', '!', '.']) {
        true => sentence.to_owned(),
        false => format!("{sentence}."),
    }
}

/// The text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}

/// The entry with the number set in where it asks for one.
pub fn counted(entry: &str, count: usize, in_words: bool) -> String {
    const NAMES: [&str; 10] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let number = match NAMES.get(count) {
        Some(name) if in_words => (*name).to_owned(),
        _ => count.to_string(),
    };
    let one = count == 1;
    let text = entry
        .replace("{n}", &number)
        .replace("{s}", if one { "" } else { "s" })
        .replace("{are}", if one { "is" } else { "are" })
        .replace("{ies}", if one { "y" } else { "ies" });
    match entry.starts_with("{n}") {
        true => capitalised(&text),
        false => text,
    }
}

/// A table with these rows, of which the first is the head.
pub fn table(rows: &[Vec<String>]) -> Block {
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| format!("| {} |", row.join(" | ")))
        .collect();
    if let Some(head) = rows.first() {
        lines.insert(1, format!("|{}", "---|".repeat(head.len())));
    }
    Block::Raw(lines.join("\n"))
}

/// The text with its long lines broken at spaces, and set below the text of their item.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let content = line.trim_start();
        let outer = line.len() - content.len();
        let marker = content.split(' ').next().unwrap_or_default();
        let item = matches!(marker, "-" | "*")
            || marker.strip_suffix('.').is_some_and(|digits| {
                !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit())
            });
        let inner = outer + if item { marker.len() + 1 } else { 0 };
        let mut current = " ".repeat(outer);
        let mut words = 0;
        for word in content.split(' ') {
            let breakable = word.starts_with(char::is_alphabetic)
                && !word.ends_with(':')
                && words > usize::from(item) + 1;
            if breakable && current.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut current, " ".repeat(inner)));
                words = usize::from(item) + 1;
            } else if words > 0 {
                current.push(' ');
            }
            current.push_str(word);
            words += 1;
        }
        lines.push(current);
    }
    lines.join("\n")
}
