//! A text as its words and signs, without what markdown adds to them: marks of lists, quotes and headings, bars of tables, stars and
//! backticks.

use std::ops::Range;

/// A word or a sign, with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The words that are compared: quotes and dashes have one shape.
    fn shape(&self) -> &str {
        match self.text {
            "‘" | "’" | "‚" | "′" => "'",
            "“" | "”" | "„" | "″" => "\"",
            "‐" | "‑" | "–" | "—" | "−" => "-",
            text if text.len() >= 3 && text.bytes().all(|b| b == b'-') => "---",
            text => text,
        }
    }
}

/// The tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + lead(line);
        tokens_of_line(text, start..at + line.len(), &mut tokens);
        at += line.len();
    }
    tokens
}

/// How much of a line the marks at its beginning take.
fn lead(line: &str) -> usize {
    let quoted = line.trim_start_matches([' ', '\t', '>']);
    let heading = quoted.trim_start_matches('#');
    let rest = match heading.len() < quoted.len() && heading.starts_with([' ', '\t']) {
        true => heading,
        false => without_marker(quoted),
    };
    line.len() - rest.len()
}

fn without_marker(line: &str) -> &str {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    let rest = behind.filter(|rest| rest.starts_with([' ', '\t']));
    let rest = rest.map_or(line, |rest| rest.trim_start_matches([' ', '\t']));
    let tasks = ["[ ] ", "[x] ", "[X] "];
    let task = tasks.iter().find_map(|mark| rest.strip_prefix(mark));
    task.unwrap_or(rest)
}

fn tokens_of_line<'t>(text: &'t str, line: Range<usize>, tokens: &mut Vec<Token<'t>>) {
    let mut chars = text[line.clone()].char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let start = line.start + at;
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_dropped = match c {
            c if c.is_whitespace() => true,
            '`' | '|' => true,
            '*' => !(before.is_whitespace() && next.is_whitespace()),
            '\\' => next.is_ascii_punctuation(),
            _ => false,
        };
        before = c;
        if is_dropped {
            continue;
        }
        let mut end = start + c.len_utf8();
        let goes_on = |next: char| is_word(c) && is_word(next) || c == '-' && next == '-';
        while let Some((_, next)) = chars.next_if(|(_, next)| goes_on(*next)) {
            end += next.len_utf8();
            before = next;
        }
        let whole = &text[start..end];
        let bare = whole.trim_matches('_');
        if !bare.is_empty() {
            let start = start + whole.len() - whole.trim_start_matches('_').len();
            tokens.push(Token { text: bare, start });
        }
    }
}

/// Where these tokens are among others.
pub(super) fn places(all: &[Token], wanted: &[Token]) -> Vec<Range<usize>> {
    let (Some(first), Some(length)) = (wanted.first(), wanted.len().checked_sub(1)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        if token.shape() != first.shape() {
            continue;
        }
        let Some(stretch) = all.get(at..=at + length) else {
            break;
        };
        let mut pairs = stretch.iter().zip(wanted);
        if pairs.all(|(one, other)| one.shape() == other.shape()) {
            found.push(token.start..stretch[length].end());
        }
    }
    found
}
