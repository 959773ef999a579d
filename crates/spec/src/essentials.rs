//! What of a text no rewording may lose: its numbers, its code, its blocks of code and its names.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use gapless_reading::read::PLACEHOLDER_WORDS;

/// What no rewording of a text may lose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Essentials {
    pub numbers: BTreeSet<String>,
    pub code: BTreeSet<String>,
    pub blocks: BTreeSet<String>,
    pub names: BTreeSet<String>,
}

/// Words that name something of the process and not of the spec.
const IDS: [&str; 2] = ["GAP-", "ISSUE-"];

impl Essentials {
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut heading = false;
        let mut block: Option<String> = None;
        let mut prose = String::new();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => block = Some(String::new()),
                Event::End(TagEnd::CodeBlock) => {
                    let block = block.take().unwrap_or_default();
                    if !block.trim().is_empty() {
                        found.blocks.insert(plain_block(&block));
                    }
                }
                Event::Start(Tag::Heading { .. }) => heading = true,
                Event::End(TagEnd::Heading(_)) => {
                    found.take_heading(&prose);
                    prose.clear();
                    heading = false;
                }
                Event::Code(code) => {
                    let code = code.trim();
                    if !code.is_empty() && !is_id(code) {
                        found.code.insert(code.to_owned());
                    }
                    // A word stands there, so that what follows begins no sentence.
                    prose += " x ";
                }
                Event::Text(words) => match &mut block {
                    Some(block) => block.push_str(&words),
                    None => prose += &words,
                },
                Event::SoftBreak | Event::HardBreak => prose.push(' '),
                Event::End(
                    TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::HtmlBlock,
                )
                | Event::Start(Tag::List(_) | Tag::Item)
                    if !heading =>
                {
                    found.take_prose(&prose);
                    prose.clear();
                }
                _ => {}
            }
        }
        found.take_prose(&prose);
        found
    }

    fn take_prose(&mut self, prose: &str) {
        self.numbers.extend(numbers_in(prose));
        self.names.extend(names_in(prose));
    }

    /// A title may be reworded, and the number that it begins with is its place; other numbers of it say something.
    fn take_heading(&mut self, title: &str) {
        let bare = title
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')'));
        self.numbers.extend(numbers_in(bare));
    }

    /// What of these a text doesn't have, as it is said to who wrote it.
    pub fn missing_in(&self, text: &str) -> Vec<String> {
        let there: BTreeSet<String> = numbers_in(text).into_iter().collect();
        let written = Self::of(text);
        let mut missing = Vec::new();
        for number in self.numbers.difference(&there) {
            missing.push(format!("the number {number}"));
        }
        for code in &self.code {
            if !written.code.contains(code) && !text.contains(code.as_str()) {
                missing.push(format!("`{code}`"));
            }
        }
        for block in self.blocks.difference(&written.blocks) {
            let first = block.lines().find(|line| !line.trim().is_empty());
            missing.push(format!(
                "the block of code that begins with `{}`",
                first.unwrap_or("").trim()
            ));
        }
        for name in &self.names {
            if !text.contains(name.as_str()) {
                missing.push(format!("the name {name}"));
            }
        }
        missing
    }
}

/// A block of code without what its surroundings give it.
fn plain_block(block: &str) -> String {
    let lines: Vec<&str> = block.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn is_id(word: &str) -> bool {
    IDS.iter().any(|id| word.starts_with(id))
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The numbers of a text: `30` of `30s`, `1,000`, `0.5`, `12:30`.
fn numbers_in(text: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    // An id's number says nothing: its word is passed over.
    for word in text.split_whitespace() {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if is_id(bare) {
            continue;
        }
        let mut number = String::new();
        let mut letters = word.chars().peekable();
        while let Some(c) = letters.next() {
            let goes_on = matches!(c, '.' | ',' | ':')
                && !number.is_empty()
                && letters.peek().is_some_and(char::is_ascii_digit);
            if c.is_ascii_digit() || goes_on {
                number.push(c);
            } else if !number.is_empty() {
                numbers.push(std::mem::take(&mut number));
            }
        }
        if !number.is_empty() {
            numbers.push(number);
        }
    }
    numbers
}

/// The names of a text: what is written as one (`max_rows`, `RateLimit`, `Retry-After`, `HTTP`), and what has a capital
/// where no sentence begins.
fn names_in(prose: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut begins = true;
    for piece in prose.split_whitespace() {
        let word = piece
            .trim_matches(|c: char| !is_of_word(c))
            .trim_matches('-');
        // Nothing but marks, or a word with marks in it: both are told by their letters.
        for word in word.split(|c: char| !is_of_word(c)) {
            if is_name(word, begins) {
                names.push(word.to_owned());
            }
            begins &= word.is_empty();
        }
        begins |= piece.ends_with(['.', '!', '?', ':', ';'])
            || piece
                .trim_end_matches(['"', '”', ')', '*'])
                .ends_with(['.', '!', '?', ':']);
    }
    names
}

fn is_name(word: &str, begins_sentence: bool) -> bool {
    if is_id(word) || PLACEHOLDER_WORDS.contains(&word) {
        return false;
    }
    let letters = word.chars().filter(|c| c.is_alphabetic());
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let count = letters.count();
    let inner_capital = word.chars().skip(1).any(char::is_uppercase);
    let joined = word.trim_matches('_').contains('_');
    let first = word.chars().next().is_some_and(char::is_uppercase);
    // `I` and `A` are words.
    count >= 2 && (joined || (inner_capital && capitals >= 1) || (first && !begins_sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> String {
        let found = Essentials::of(text);
        let list = |set: &BTreeSet<String>| {
            let items: Vec<&str> = set.iter().map(String::as_str).collect();
            items.join(" ")
        };
        format!(
            "{} | {} | {} | {}",
            list(&found.numbers),
            list(&found.code),
            list(&found.blocks),
            list(&found.names)
        )
    }

    #[test]
    fn numbers_code_blocks_and_names_are_found() {
        assert_eq!(
            all("Wait 30s, then 1,000 ms; at 12:30. See GAP-AA-001 and (ISSUE-R1-002)."),
            "1,000 12:30 30 |  |  | "
        );
        assert_eq!(
            all("The `Retry-After` header of Redis. Clients send max_rows to RateLimit over HTTP."),
            " | Retry-After |  | HTTP RateLimit Redis max_rows"
        );
        assert_eq!(
            all("- One of the things\n- Another\n\n```json\n{ \"a\": 5 }\n```\n"),
            " |  | { \"a\": 5 } | "
        );
        assert_eq!(all("## 2. Limit of 40 rows\n\nText."), "40 |  |  | ");
        assert_eq!(
            all("| Field | Kind |\n|---|---|\n| Id | an Uuid |"),
            " |  |  | Uuid"
        );
        assert_eq!(all("This is TBD. It says TODO and MUST."), " |  |  | MUST");
    }

    #[test]
    fn what_is_lost_is_said() {
        let essentials =
            Essentials::of("Up to 5 tries with `backoff`, by Redis:\n\n```\nx = 1\n```\n");
        let none: [&str; 0] = [];
        let text = "By Redis, 5 tries. `backoff`\n\n~~~\nx = 1\n~~~\n";
        assert_eq!(essentials.missing_in(text), none);
        assert_eq!(
            essentials.missing_in("Up to 50 tries."),
            [
                "the number 5",
                "`backoff`",
                "the block of code that begins with `x = 1`",
                "the name Redis",
            ]
        );
    }
}
