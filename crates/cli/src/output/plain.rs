//! Plain text: cleans what agents and specs wrote of everything that could control a terminal, shortens it and wraps it.

use console::{Alignment, measure_text_width, strip_ansi_codes};
use gapless_markdown::visible;

/// Takes escape sequences and control characters out, and makes visible what hides or reorders words; line ends and tabs stay,
/// tabs as spaces.
pub(crate) fn clean(text: &str) -> String {
    let text = strip_ansi_codes(text);
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    visible(&text.replace(steers, ""))
}

/// Cleaned, and on one line.
pub(crate) fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cleaned, on one line, and at most this wide.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    console::truncate_str(&one_line(text), width, "…").into_owned()
}

/// Cleaned, on one line, and at most this wide, with what follows its last semicolon kept: there an error says what to do.
/// What goes is in the middle.
pub(crate) fn shortened_inside(text: &str, width: usize) -> String {
    let text = one_line(text);
    let all = measure_text_width(&text);
    if all <= width {
        return text;
    }
    let end = text.rfind("; ").map_or("", |at| &text[at..]);
    let end_width = measure_text_width(end);
    // An end that leaves no room for what happened is none.
    if end_width * 4 > width * 3 {
        return shortened(&text, width);
    }
    let begin = &text[..text.len() - end.len()];
    let begin = console::truncate_str(begin, width - end_width, "…");
    format!("{begin}{end}")
}

/// Markdown as plain lines: without its marks for bold text and headings, and with the columns of its tables in line.
pub(crate) fn markdown(text: &str) -> String {
    let clean = clean(text);
    let lines = clean
        .lines()
        .map(|line| line.trim_start_matches('#').replace("**", ""))
        .map(|line| line.trim_end().to_owned());
    let lines: Vec<String> = lines.collect();
    let blocks = lines.chunk_by(|one, other| is_row(one) && is_row(other));
    let blocks: Vec<String> = blocks.map(in_line).collect();
    blocks.join("\n")
}

fn is_row(line: &str) -> bool {
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

/// The rows of a table with each column as wide as its widest cell; a line that is no row as it is.
fn in_line(lines: &[String]) -> String {
    if !lines.iter().all(|line| is_row(line)) {
        return lines.join("\n");
    }
    let rows: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line[1..line.len() - 1].split('|').map(str::trim).collect())
        .collect();
    let is_rule = |cell: &str| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'));
    let mut widths: Vec<usize> = Vec::new();
    for cells in &rows {
        widths.resize(widths.len().max(cells.len()), 0);
        for (width, cell) in widths
            .iter_mut()
            .zip(cells)
            .filter(|(_, cell)| !is_rule(cell))
        {
            *width = (*width).max(measure_text_width(cell));
        }
    }
    let rows = rows.iter().map(|cells| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| match is_rule(cell) {
                true => "-".repeat(width + 2),
                false => format!(
                    " {} ",
                    console::pad_str(cell, *width, Alignment::Left, None)
                ),
            });
        let padded: Vec<String> = padded.collect();
        format!("|{}|", padded.join("|"))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The lines of a text; where one of a quoted paragraph is too long for the width, those after it go on in it, or every second
/// line would be a short one.
fn rejoined(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut in_code = false;
    let mut goes_on = false;
    for line in text.lines() {
        let quoted = line.strip_prefix("> ").unwrap_or_default();
        let fence = quoted.starts_with("```") || quoted.starts_with("~~~");
        in_code ^= fence;
        // A paragraph's line begins with a word; those of lists, headings, tables and code with signs, numbers or blanks.
        let is_prose =
            !in_code && quoted.starts_with(char::is_alphanumeric) && !is_numbered(quoted);
        match lines.last_mut() {
            Some(last) if goes_on && is_prose && measure_text_width(last) > width => {
                last.push(' ');
                last.push_str(quoted);
            }
            _ => {
                lines.push(line.to_owned());
                goes_on = is_prose;
            }
        }
    }
    lines
}

/// True for the beginning of a numbered item: `3. ` or `3) `.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with(". ") || rest.starts_with(") ")
}

/// Breaks text into lines of at most `width` columns behind `indent`; items of lists hang behind their mark, and rows of tables
/// that fit stay as they are.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in &rejoined(text, width.saturating_sub(measure_text_width(indent))) {
        if is_row(line) && measure_text_width(indent) + measure_text_width(line) <= width {
            lines.push(format!("{indent}{line}"));
            continue;
        }
        let content = line.trim_start();
        let own = " ".repeat((line.len() - content.len()).min(8));
        // A quotation is one on each of its lines.
        let (own, content) = match content.strip_prefix("> ") {
            Some(quoted) => (format!("{own}> "), quoted.trim_start()),
            None => (own, content),
        };
        let hang = if content.starts_with("- ") { "  " } else { "" };
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
    fn a_long_quotation_is_marked_on_every_line() {
        let lines = wrapped("> - one two three\n>\nfour", 14, "  ");
        assert_eq!(lines, ["  > - one two", "  >   three", "  >", "  four"]);
    }

    #[test]
    fn a_quoted_paragraph_that_is_too_wide_is_broken_anew() {
        let text = "> Logs are kept for\n> 90 days, and backups\n> for 35.\n> 1. one\n> - two\n>\n> short\n> lines\n> ```\n> let a_long_line = 1;\n> let b = 2;\n> ```";
        let expected = [
            "> Logs are kept",
            "> for 90 days,",
            "> and backups for",
            "> 35.",
            "> 1. one",
            "> - two",
            ">",
            "> short",
            "> lines",
            "> ```",
            "> let a_long_line",
            "> = 1;",
            "> let b = 2;",
            "> ```",
        ];
        assert_eq!(wrapped(text, 17, ""), expected);
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let cases = [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("\u{1b}[2J\u{1b}[Hgone", "gone"),
            ("one\rtwo\u{8}\u{7f}\u{9b}", "onetwo"),
            ("a\tb\nc", "a    b\nc"),
            ("\u{202e}reversed\u{2066}", "�reversed�"),
            ("a\u{61c}b\u{200b}c\u{e0041}d", "a�b�c�d"),
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
    fn an_error_is_shortened_before_what_it_says_to_do() {
        let error = "openai refuses the key (401): a very long story of keys; check KEY";
        assert_eq!(
            shortened_inside(error, 45),
            "openai refuses the key (401): a v…; check KEY"
        );
        assert_eq!(shortened_inside(error, 99), error);
        assert_eq!(shortened_inside("no advice in this", 10), "no advice…");
        assert_eq!(
            shortened_inside("x; an advice that is all", 12),
            "x; an advic…"
        );
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

    #[test]
    fn the_columns_of_tables_stand_in_line() {
        let text = "Before\n\n| Back to | Open |\n|---|:--|\n| round 12 | 3 |\n| 漢 | | 5 |\n\nafter | this\n|";
        let expected = [
            "Before",
            "",
            "| Back to  | Open |",
            "|----------|------|",
            "| round 12 | 3    |",
            "| 漢       |      | 5 |",
            "",
            "after | this",
            "|",
        ];
        assert_eq!(markdown(text), expected.join("\n"));
        assert_eq!(wrapped(&markdown(text), 40, "")[4], expected[4]);
        assert_eq!(wrapped("| a   b |", 6, ""), ["| a b", "|"]);
    }
}
