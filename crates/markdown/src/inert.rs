//! Making markdown of others do nothing where it is shown: what would be markup, a link or a picture stands as the text that it
//! is written as. Code is left as it is: nothing in it acts.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::visible::visible;

/// How often markup may come to light behind markup that was taken.
const MOST_PASSES: usize = 8;
const HARMFUL_TAGS: [&str; 13] = [
    "script", "style", "iframe", "frame", "object", "embed", "applet", "svg", "math", "link",
    "meta", "base", "form",
];
const HARMFUL_ATTRIBUTES: [&str; 3] = ["style", "srcdoc", "formaction"];
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// A document in which nothing is meant to act: no markup, link or picture, and no character that steers.
pub fn inert(text: &str) -> String {
    defused(&visible(text), &|_| true)
}

/// A text in which nothing runs: without scripts and their like, and with links to usual places only.
pub fn without_scripts(text: &str) -> String {
    defused(text, &|found| match found {
        Found::Html(html) => !tags_are_harmless(html),
        Found::Address(address) => !is_usual(address),
    })
}

enum Found<'t> {
    Html(&'t str),
    Address(&'t str),
}

fn defused(text: &str, acts: &dyn Fn(Found) -> bool) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_PASSES {
        let marks = marks(&text, acts);
        if marks.is_empty() {
            return text;
        }
        for at in marks.into_iter().rev() {
            text.insert(at, '\\');
        }
    }
    // Whoever nests deeper than that gets no markup at all.
    text.replace('<', "&lt;").replace("](", "] (")
}

/// The places of the characters that make markup of a text, where a backslash makes them text.
fn marks(text: &str, acts: &dyn Fn(Found) -> bool) -> BTreeSet<usize> {
    let mut marks = BTreeSet::new();
    let behind = |(at, _): (usize, &str)| text.as_bytes().get(at + 1);
    let mut brackets = text.match_indices(']').filter_map(behind);
    if !text.contains('<') && !brackets.any(|byte| matches!(byte, b'(' | b':')) {
        return marks;
    }
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    for (event, span) in parser {
        let written = &text[span.clone()];
        let opening: &[char] = match event {
            Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
                match acts(Found::Html(written)) {
                    true => &['<'],
                    false => continue,
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                match acts(Found::Address(&dest_url)) {
                    true => &['<', '[', '!'],
                    false => continue,
                }
            }
            _ => continue,
        };
        let found = written.char_indices().filter(|(_, c)| opening.contains(c));
        let escaped = |at: usize| {
            let before = text[..at].bytes().rev();
            before.take_while(|byte| *byte == b'\\').count() % 2 == 1
        };
        let places = found.map(|(at, _)| span.start + at);
        marks.extend(places.filter(|at| !escaped(*at)));
    }
    marks
}

/// True where every tag of some HTML only lays out.
fn tags_are_harmless(html: &str) -> bool {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let Some((tag, behind)) = rest.split_once('>') else {
            return false;
        };
        if !tag_is_harmless(tag) {
            return false;
        }
        rest = behind;
    }
    true
}

fn tag_is_harmless(tag: &str) -> bool {
    let tag = tag.trim_start_matches('/').to_ascii_lowercase();
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let (name, attributes) = tag.split_at(end.unwrap_or(tag.len()));
    let separators = |c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'');
    let names = attributes
        .split(separators)
        .map(|word| word.split('=').next().unwrap_or(word));
    let mut harmful =
        names.filter(|name| name.starts_with("on") || HARMFUL_ATTRIBUTES.contains(name));
    let mut values = attributes.split('=').skip(1);
    !HARMFUL_TAGS.contains(&name)
        && harmful.next().is_none()
        && values.all(|value| is_usual(value.trim_start_matches(['"', '\'', ' ', '\t', '\n'])))
}

/// True where an address leads to a page, a mail or a place near by, and is written so that everybody reads it like that.
fn is_usual(address: &str) -> bool {
    let end = address.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
    let Some(end) = end else { return true };
    let (scheme, behind) = address.split_at(end);
    match behind.chars().next() {
        Some(':') => SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()),
        // A colon in disguise.
        Some('&' | '\\') => false,
        Some(c) => !c.is_control(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(text: &str) -> bool {
        !marks(text, &|_| true).is_empty()
    }

    #[test]
    fn nothing_acts_in_a_document() {
        for (text, expected) in [
            ("plain `<b>` [HIGH]: a < b", "plain `<b>` [HIGH]: a < b"),
            ("a <script>x</script>", "a \\<script>x\\</script>"),
            ("[x](javascript:alert(1))", "\\[x](javascript:alert(1))"),
            ("![i](http://evil/x.png)", "\\!\\[i](http://evil/x.png)"),
            ("<svg onload=x>\n\nb", "\\<svg onload=x>\n\nb"),
            ("a\u{1b}[2J\u{202e}", "a␛[2J\u{fffd}"),
        ] {
            assert_eq!(inert(text), expected);
        }
    }

    #[test]
    fn a_spec_keeps_what_lays_out_and_loses_what_runs() {
        for kept in [
            "a<br>b <a id=\"x\"></a> <https://example.org> [l](#there) [m](other.md) <img src=\"a.png\" width=3>",
            "<details open>\n<summary>More</summary>\n\ntext\n\n</details>",
            "<!-- a comment -->\n\n```html\n<script>x</script>\n```",
            "`List<T>` and List<T>",
        ] {
            assert_eq!(without_scripts(kept), kept);
        }
        for (text, expected) in [
            ("a <script>x</script>", "a \\<script>x\\</script>"),
            (
                "<div onclick = 'x'>b</div>",
                "\\<div onclick = 'x'>b\\</div>",
            ),
            (
                "<a href=\"javascript:x\">b</a>",
                "\\<a href=\"javascript:x\">b</a>",
            ),
            (
                "<a href=java&#115;cript:x>b</a>",
                "\\<a href=java&#115;cript:x>b</a>",
            ),
            ("[l](JavaScript:x)", "\\[l](JavaScript:x)"),
            ("[l](java&#115;cript:x)", "\\[l](java&#115;cript:x)"),
        ] {
            assert_eq!(without_scripts(text), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_document_is_inert(text in "(\\PC|\\n|`|<b>|<!--|-->|<script>|\\[x\\]\\(y\\)|!\\[|\\\\|> |- |\\| |<\\?|<div\\n){0,30}") {
            let shown = inert(&text);
            proptest::prop_assert!(!acts(&shown), "{}", shown);
        }
    }
}
