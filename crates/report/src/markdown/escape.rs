//! How a text that somebody wrote stands in markdown: as words on one line that are no markup, or as lines in a fence that
//! they can't close.

use gapless_domain::one_line;

/// Between the parts of what a site would make a link or a mention of; nobody sees it.
const JOINER: char = '\u{2060}';

/// Text on one line with nothing in it that markdown reads as markup: no emphasis, code, link, picture, HTML, table or list.
pub fn inline(text: &str) -> String {
    let text = one_line(text);
    let mut safe = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let next = rest.peek().copied();
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!' | '$' | '^' => {
                safe.extend(['\\', character]);
            }
            // At the beginning of a cell or an item they would begin a heading, a list or a rule.
            '#' | '+' | '-' | '=' if safe.is_empty() => safe.extend(['\\', character]),
            '.' | ')' if only_digits(&safe) && next.is_none_or(char::is_whitespace) => {
                safe.extend(['\\', character]);
            }
            // Sites make links of addresses, and mentions of names and numbers.
            ':' if next == Some('/') => safe.extend([':', JOINER]),
            '@' | '#' if next.is_some_and(char::is_alphanumeric) => {
                safe.extend([character, JOINER])
            }
            '.' if ends_with_www(&safe) => safe.extend([JOINER, '.']),
            character => safe.push(character),
        }
    }
    safe
}

fn ends_with_www(text: &str) -> bool {
    let last = text.bytes().rev().take(3);
    text.len() >= 3 && last.map(|byte| byte.to_ascii_lowercase()).eq(*b"www")
}

/// The number of an item, as long as markdown takes them.
fn only_digits(text: &str) -> bool {
    (1..10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Lines in a fence that is longer than any run of its signs in them.
pub fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// How many backticks stand side by side at most.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`');
    runs.map(str::len).max().unwrap_or(0)
}

/// Words in code on one line, for agents and paths.
pub fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A bar would end the cell of a table, in code too.
    let text = text.replace('|', "¦");
    let pad = match text.starts_with('`') || text.ends_with('`') {
        true => " ",
        false => "",
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        let cases = [
            ("plain words, as they are.", "plain words, as they are."),
            (
                "**bold** _it_ `code`",
                "\\*\\*bold\\*\\* \\_it\\_ \\`code\\`",
            ),
            ("[x](javascript:y)", "\\[x\\](javascript:y)"),
            ("<img src=x>", "\\<img src=x\\>"),
            ("a | b\nc", "a \\| b c"),
            ("# head", "\\# head"),
            ("1. item", "1\\. item"),
            ("0.125 of 1)", "0.125 of 1)"),
            ("#1 by @you", "\\#1 by @\u{2060}you"),
            ("- item", "\\- item"),
        ];
        for (text, expected) in cases {
            assert_eq!(inline(text), expected);
        }
        assert!(!inline("https://x.example www.x.example").contains("://"));
    }

    #[test]
    fn no_text_closes_its_fence() {
        assert_eq!(fenced("a\n````\nb", ""), "`````\na\n````\nb\n`````\n");
        assert_eq!(fenced("a", "diff"), "```diff\na\n```\n");
        assert_eq!(code("a `` b | c"), "```a `` b ¦ c```");
        assert_eq!(code("`a`"), "`` `a` ``");
    }
}
