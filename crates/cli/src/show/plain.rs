//! Owns making text fit to be printed: what agents and specs wrote is cleaned of everything that could steer a terminal.

use console::{measure_text_width, strip_ansi_codes};

/// Takes escape sequences and control characters out; line ends and tabs stay, tabs as spaces.
pub fn clean(text: &str) -> String {
    let text = strip_ansi_codes(text);
    let mut clean = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => clean.push('\n'),
            '\t' => clean.push_str("    "),
            // These reorder what is shown around them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {}
            character if character.is_control() => {}
            character => clean.push(character),
        }
    }
    clean
}

/// Cleaned, and on one line.
pub fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cleaned, on one line, and at most this wide.
pub fn shortened(text: &str, width: usize) -> String {
    console::truncate_str(&one_line(text), width, "…").into_owned()
}

/// Markdown as plain lines: without its marks for bold text and headings.
pub fn markdown(text: &str) -> String {
    clean(text)
        .lines()
        .map(|line| line.trim_start_matches('#').replace("**", ""))
        .map(|line| line.trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Breaks text into lines of at most `width` columns behind `indent`; items of lists hang behind their mark.
pub fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let content = line.trim_start();
        let own = " ".repeat((line.len() - content.len()).min(8));
        let hang = match content.starts_with("- ") {
            true => "  ",
            false => "",
        };
        let first = format!("{indent}{own}");
        let next = format!("{indent}{own}{hang}");
        let mut current = first;
        let mut empty = true;
        for word in content.split_whitespace() {
            let wide = measure_text_width(&current) + 1 + measure_text_width(word);
            if !empty && wide > width {
                lines.push(std::mem::replace(&mut current, next.clone()));
                empty = true;
            }
            if !empty {
                current.push(' ');
            }
            current.push_str(word);
            empty = false;
        }
        lines.push(current.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let cases = [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("\u{1b}[2J\u{1b}[Hgone", "gone"),
            ("one\rtwo\u{8}\u{7f}\u{9b}", "onetwo"),
            ("a\tb\nc", "a    b\nc"),
            ("\u{202e}reversed\u{2066}", "reversed"),
            ("Größe ✓ 漢字", "Größe ✓ 漢字"),
        ];
        for (text, expected) in cases {
            let clean = clean(text);
            assert_eq!(clean, expected);
            assert!(!clean.chars().any(|c| c.is_control() && c != '\n'));
        }
        assert_eq!(one_line(" a\n\n b\u{1b}[1m "), "a b");
        assert_eq!(shortened("a long line of words", 8), "a long …");
    }

    #[test]
    fn long_lines_are_broken_and_items_hang() {
        assert_eq!(
            wrapped("- one two three\nfour", 11, "  "),
            ["  - one two", "    three", "  four"]
        );
        assert_eq!(
            wrapped("unbreakableword x", 5, ""),
            ["unbreakableword", "x"]
        );
    }
}
