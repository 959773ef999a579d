//! What is asked of any markdown: where its blocks are, and whether anything in it acts. It shares nothing with the core but the parser.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// The outermost blocks of a text.
pub fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut depth = 0u32;
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    blocks.push(span);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            Event::Rule if depth == 0 => blocks.push(span),
            _ => {}
        }
    }
    blocks
}

/// Holds a document that gapless wrote of a session to doing nothing: no markup, link or picture, and no character that steers.
pub fn assert_inert(what: &str, text: &str) {
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let acts = matches!(
            event,
            Event::InlineHtml(_)
                | Event::Html(_)
                | Event::Start(Tag::HtmlBlock | Tag::Link { .. } | Tag::Image { .. })
        );
        assert!(!acts, "{what} has {:?}, which acts:\n{text}", &text[span]);
    }
    assert_no_steering(what, text);
}

/// Holds a text to having no character that steers a terminal, or that turns or hides the words around it.
pub fn assert_no_steering(what: &str, text: &str) {
    let steers = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = text.chars().find(|c| steers(*c));
    assert_eq!(found, None, "{what} steers: {text:?}");
}

/// How many lines a text has, the last one without an end too.
pub fn lines_of(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count() + 1).unwrap_or(u32::MAX)
}
