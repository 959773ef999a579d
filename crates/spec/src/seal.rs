//! What makes a text safe to stand inside another: nothing behind it parses differently for it, it steers no
//! terminal, and it has no comments that look like gapless' own.

use pulldown_cmark::{Event, Options, Parser, Tag};

use gapless_markdown::{open_fence, without_byte_order_mark};

/// What ends the blocks that CommonMark keeps open over blank lines, fences aside.
const CLOSERS: [&str; 8] = [
    ">",
    "-->",
    "?>",
    "]]>",
    "</script>",
    "</pre>",
    "</style>",
    "</textarea>",
];

const SENTINEL: &str = "sentinel";

/// The text without what would steer a terminal, hide or reorder words, or pass for a comment of gapless.
pub(super) fn cleaned(text: &str) -> String {
    let text: String = text
        .replace("\r\n", "\n")
        .chars()
        .map(|c| if c == '\r' { '\n' } else { c })
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .filter(|c| !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'))
        .collect();
    without_imitations(&text)
}

/// `<!-- gapless: …` becomes `<!-- gapless; …`, in code too: who looks for the trace by its words finds only the trace.
fn without_imitations(text: &str) -> String {
    const NAME: &str = "gapless";
    let mut harmless = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let (before, comment) = rest.split_at(at + "<!--".len());
        harmless += before;
        rest = comment;
        let inner = comment.trim_start_matches(['-', ' ', '\t', '\n']);
        let named = inner
            .get(..NAME.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(NAME));
        if !named {
            continue;
        }
        let behind = &inner[NAME.len()..];
        if let Some(value) = behind.trim_start().strip_prefix(':') {
            harmless += &comment[..comment.len() - inner.len() + NAME.len()];
            harmless.push(';');
            rest = value;
        }
    }
    harmless + rest
}

/// What has to stand on a line of its own behind a text so that it keeps nothing open; `None` where nothing closes it.
pub(super) fn closer(text: &str) -> Option<String> {
    if is_sealed(text) {
        return Some(String::new());
    }
    let fence = open_fence(&without_byte_order_mark(text));
    let longest = |mark: char| mark.to_string().repeat(longest_run(text, mark).max(3));
    fence
        .into_iter()
        .chain(CLOSERS.map(str::to_owned))
        .chain(['`', '~'].map(longest))
        .find(|closer| is_sealed(&format!("{text}\n{closer}")))
}

/// The text with what it left open closed, else as code.
pub(super) fn sealed(text: &str) -> String {
    match closer(text) {
        Some(closer) if closer.is_empty() => text.to_owned(),
        Some(closer) => format!("{text}\n{closer}"),
        None => fenced(text),
    }
}

/// The text inside a fence that nothing in it can close.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

fn longest_run(text: &str, mark: char) -> usize {
    text.split(|c| c != mark)
        .map(str::len)
        .max()
        .unwrap_or_default()
}

/// True where a paragraph behind the text is a paragraph of the document.
pub(super) fn is_sealed(text: &str) -> bool {
    let probe = format!("{text}\n\n{SENTINEL}\n");
    let readable = without_byte_order_mark(&probe);
    let start = probe.len() - SENTINEL.len() - 1;
    let mut depth = 0u32;
    let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES).into_offset_iter();
    for (event, span) in parser {
        match event {
            Event::Start(Tag::Paragraph) if depth == 0 && span.start == start => return true,
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_open_is_closed() {
        for (open, closed) in [
            ("fine\n\n- list", "fine\n\n- list"),
            ("```json\n{", "```json\n{\n```"),
            ("~~~~\n```", "~~~~\n```\n~~~~"),
            ("<!-- never ends", "<!-- never ends\n-->"),
            ("<?php", "<?php\n?>"),
            ("<![CDATA[ x", "<![CDATA[ x\n]]>"),
            ("<!DOCTYPE", "<!DOCTYPE\n>"),
            ("<script>\nlet x;", "<script>\nlet x;\n</script>"),
            ("<pre>\n\n# x", "<pre>\n\n# x\n</pre>"),
            ("<div>", "<div>"),
        ] {
            assert_eq!(sealed(open), closed);
        }
    }

    #[test]
    fn imitations_and_control_characters_are_defused() {
        let hostile = "a\u{1b}[31m b\r\nc <!-- gapless: GAP-AA-001 -->\n<!--  GAPLESS : end GAP-AA-001 --> <!-- other -->\u{202e}";
        assert_eq!(
            cleaned(hostile),
            "a[31m b\nc <!-- gapless; GAP-AA-001 -->\n<!--  GAPLESS; end GAP-AA-001 --> <!-- other -->"
        );
    }

    #[test]
    fn a_fence_is_longer_than_any_in_it() {
        assert_eq!(fenced("````\nx"), "`````text\n````\nx\n`````");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_sealed(text in "(\\PC|\\n|```|~~~|<!--|-->|<pre>|<script>|<\\?|<!\\[CDATA\\[|> |- |    |<!A){0,30}") {
            proptest::prop_assert!(is_sealed(&sealed(&cleaned(&text))));
        }
    }
}
