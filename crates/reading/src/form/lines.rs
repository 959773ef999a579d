//! The lines of a form: what a line is, also after it went through editors and mails.

use gapless_domain::Field;
use gapless_markdown::{inert, visible};

use super::{END, FILLED_IN_BY, PartId, SESSION, TITLE};

/// A line that says where in a form the reader is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark<'l> {
    /// The heading of a question.
    Part(PartId),
    /// The heading of a form, or of a group of questions.
    Heading,
    End,
    Session(&'l str),
    FilledInBy(&'l str),
}

/// What a box is filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tick {
    Empty,
    Ticked,
    /// Neither empty nor ticked.
    Unclear(String),
}

/// How many signs stand in a box at most.
const WIDEST_BOX: usize = 4;

const TICKS: [&str; 6] = ["x", "X", "✓", "✔", "☑", "✗"];

/// How many `>` a line begins with, and the line behind them.
pub(super) fn unquoted(line: &str) -> (usize, &str) {
    let mut rest = line;
    let mut level = 0;
    while let Some(behind) = rest.trim_start().strip_prefix('>') {
        rest = behind;
        level += 1;
    }
    (level, rest)
}

/// A line without its first `>`, as many as its part is quoted with.
pub(super) fn without_quotes(line: &str, level: usize) -> &str {
    let mut rest = line;
    for _ in 0..level {
        let Some(behind) = rest.trim_start().strip_prefix('>') else {
            return rest;
        };
        rest = behind.strip_prefix(' ').unwrap_or(behind);
    }
    rest
}

fn without_list_mark(text: &str) -> &str {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•']),
        1..=3 => text[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    let rest = rest.filter(|rest| rest.starts_with([' ', '\t']));
    rest.map_or(text, str::trim_start)
}

fn is_emphasis(character: char) -> bool {
    matches!(character, '*' | '_' | '`')
}

pub(super) fn mark(line: &str) -> Option<Mark<'_>> {
    let (_, line) = unquoted(line);
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if (1..=6).contains(&level) {
        let title = title.trim_start().trim_start_matches(is_emphasis);
        let end = title.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let word = &title[..end.unwrap_or(title.len())];
        if let Ok(id) = word.parse() {
            return Some(Mark::Part(id));
        }
        return (title.starts_with(TITLE) || is_group(title)).then_some(Mark::Heading);
    }
    let text = without_list_mark(line).trim_start_matches(is_emphasis);
    if text.starts_with(END) {
        return Some(Mark::End);
    }
    let behind = |name: &str| {
        let rest = text.get(..name.len())?;
        let is_name = rest.eq_ignore_ascii_case(name);
        is_name.then(|| text[name.len()..].trim_start_matches(is_emphasis).trim())
    };
    behind(SESSION)
        .map(Mark::Session)
        .or_else(|| behind(FILLED_IN_BY).map(Mark::FilledInBy))
}

/// The heading over the questions of one owner: `For Risk (2 questions)`.
fn is_group(title: &str) -> bool {
    let counted = title
        .strip_prefix("For ")
        .and_then(|title| title.trim_end().strip_suffix(')'))
        .and_then(|title| title.rsplit_once(" ("));
    let count = counted.and_then(|(_, count)| count.split_once(' '));
    count.is_some_and(|(number, noun)| {
        number.parse::<u32>().is_ok() && matches!(noun, "question" | "questions")
    })
}

/// A box at the beginning of a line, the name behind it, and where the rest of the line begins.
pub(super) fn boxed(line: &str) -> Option<(Tick, &str, usize)> {
    let text = without_list_mark(line);
    let is_item = text.len() < line.trim_start().len();
    let inner = text.strip_prefix('[')?;
    let (filled, behind) = inner.split_once(']')?;
    if filled.chars().count() > WIDEST_BOX || behind.starts_with(['(', '[', ':']) {
        return None;
    }
    let tick = match filled.trim() {
        "" => Tick::Empty,
        filled if TICKS.contains(&filled) => Tick::Ticked,
        filled if is_item => Tick::Unclear(filled.to_owned()),
        _ => return None,
    };
    let label = behind.trim_start().trim_start_matches(is_emphasis);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
    let (label, rest) = label.split_at(end.unwrap_or(label.len()));
    // An underscore at the end is emphasis.
    let label = label.trim_end_matches('_');
    Some((tick, label, line.len() - rest.len()))
}

/// The field whose text begins on a line, and where the rest of the line begins.
pub(super) fn field<'f>(line: &str, fields: &'f [Field]) -> Option<(&'f Field, usize)> {
    let text = without_list_mark(line).trim_start_matches(is_emphasis);
    let named = fields.iter().find_map(|field| {
        let name = text.get(..field.name.len())?;
        let rest = &text[field.name.len()..];
        let rest = rest.trim_start_matches(is_emphasis).trim_start();
        let is_field = name.eq_ignore_ascii_case(&field.name) && rest.starts_with(['(', ':']);
        is_field.then_some((field, rest))
    });
    named.map(|(field, rest)| (field, line.len() - rest.len()))
}

/// Text of others as it stands in a form: nothing in it acts where it is shown, and nothing in it ticks a box or begins a
/// question, also where a mail breaks its lines anew.
pub fn defused(text: &str) -> String {
    let text = inert(text);
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let behind = &rest[character.len_utf8()..];
        match character {
            '[' => match tick_in(behind) {
                Some((filled, after)) => {
                    safe.extend(['(', if filled { 'x' } else { ' ' }, ')']);
                    rest = after;
                    continue;
                }
                None => safe.push('['),
            },
            '#' if safe.is_empty() || safe.ends_with(begins_line) => safe.push_str("\\#"),
            // Left open, it would hide what people write up to their next arrow.
            '<' if rest.starts_with("<!--") && !safe.ends_with('\\') => safe.push_str("\\<"),
            // Where a line is broken, the mark would begin one.
            'E' if rest.starts_with(END) => safe.push_str("\\E"),
            character => safe.push(character),
        }
        rest = behind;
    }
    visible(&safe)
}

/// True for what stands before the first word of a line, or before a place where a mail may break it.
fn begins_line(character: char) -> bool {
    character.is_whitespace() || matches!(character, '>' | '*' | '_' | '`')
}

/// What is behind an opening bracket where it is a box: whether it is ticked, and the text behind it.
fn tick_in(text: &str) -> Option<(bool, &str)> {
    let end = text.char_indices().take(WIDEST_BOX + 2);
    let (end, _) = end.into_iter().find(|(_, c)| *c == ']')?;
    let filled = text[..end].trim();
    let is_box = filled.is_empty() || TICKS.contains(&filled);
    is_box.then(|| (!filled.is_empty(), &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_in_every_form() {
        for (line, tick, label, rest) in [
            (
                "- [ ] **input**: Give it",
                Tick::Empty,
                "input",
                "**: Give it",
            ),
            ("- [x] **go_on**", Tick::Ticked, "go_on", "**"),
            ("* [X] go_on: x", Tick::Ticked, "go_on", ": x"),
            ("  + [ x ] `A`", Tick::Ticked, "A", "`"),
            ("1. [✓] B", Tick::Ticked, "B", ""),
            ("[x] __keep__", Tick::Ticked, "keep", ""),
            ("- [?] keep", Tick::Unclear("?".to_owned()), "keep", ""),
        ] {
            let (found, name, at) = boxed(line).unwrap();
            assert_eq!((found, name), (tick, label), "{line}");
            assert_eq!(line[at..].trim_end_matches('_'), rest, "{line}");
        }
        for line in [
            "[HIGH] a gap",
            "- [x](http://x.example)",
            "text [x] keep",
            "- [a long box] x",
        ] {
            assert_eq!(boxed(line), None, "{line}");
        }
    }

    #[test]
    fn the_places_of_a_form_are_known_by_their_lines() {
        let question = || Some(Mark::Part("Q-004".parse().unwrap()));
        assert_eq!(mark("### Q-004 · Does it hold?"), question());
        assert_eq!(mark("> > ## **Q-004**"), question());
        assert_eq!(mark("Q-004 is the same"), None);
        assert_eq!(mark("\\### Q-004 · Does it hold?"), None);
        assert_eq!(mark("> # Questions of spec"), Some(Mark::Heading));
        assert_eq!(mark("## For Risk (2 questions)"), Some(Mark::Heading));
        assert_eq!(mark("## For admins (new)"), None);
        assert_eq!(mark("*End of the form.* Nothing below"), Some(Mark::End));
        assert_eq!(
            mark("- Session: spec (12ab)"),
            Some(Mark::Session("spec (12ab)"))
        );
        assert_eq!(mark("**Filled in by:** Zoë"), Some(Mark::FilledInBy("Zoë")));
    }

    #[test]
    fn text_of_others_ticks_nothing_and_begins_nothing() {
        let hostile = "- [x] **accept**\n### Q-009 · End?\n[ X ] A and [ ] B ####Q-1 x #\u{b7}## Q-2\n\
                       <!-- hidden --> End of the form. ![a](http://x.example)\n#Q-3";
        let safe = defused(hostile);
        // As it is, quoted, and with a line break at every blank.
        for text in [
            safe.clone(),
            safe.replace('\n', "\n> "),
            safe.replace(' ', "\n"),
        ] {
            for line in text.lines() {
                assert!(boxed(line).is_none(), "{line}");
                assert!(mark(line).is_none(), "{line}");
            }
        }
        assert!(!safe.replace("\\<!--", "").contains("<!--"));
    }
}
