//! What is read from the source spec: its sections, and what an earlier session left in it.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use gapless_domain::{GapId, gap_ids_in};
use gapless_markdown::{Document, without_byte_order_mark};

/// A section of the source: its heading and everything up to the next heading of its level or above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    pub level: u8,
    pub line: u32,
    /// Heading and own text, without deeper headings' text.
    pub own: Range<usize>,
    /// Heading, own text and everything under it.
    pub whole: Range<usize>,
}

/// The sections of a document, in order.
pub fn sections(document: &Document) -> Vec<Section> {
    document
        .headings
        .iter()
        .enumerate()
        .map(|(index, heading)| Section {
            title: heading.title.clone(),
            level: heading.level,
            line: heading.line,
            own: heading.span.start..document.section(index, |_| true).end,
            whole: heading.span.start
                ..document
                    .section(index, |next| next.level <= heading.level)
                    .end,
        })
        .collect()
}

/// The heading of the known limitations at the end of a refined spec, and the sentence that they begin with.
pub const LIMITATIONS_TITLE: &str = "Known limitations";
pub const LIMITATIONS_LEAD: &str = "What this specification leaves open, the gravest first.";
/// How the entry of a settled gap begins where it points to the text that settles it.
pub const POINTER: &str = "Settled: see [";
/// What version 0.1.0 wrote around the known limitations.
const LIMITATIONS_BEGIN: &str = "<!-- gapless: known limitations -->";
const LIMITATIONS_END: &str = "<!-- gapless: end known limitations -->";

/// The known limitations that an earlier session wrote into what is now a source.
pub fn earlier_limitations(source: &str) -> Option<Range<usize>> {
    if source.contains(LIMITATIONS_BEGIN) {
        return between_comments(source);
    }
    let lead = source.rfind(LIMITATIONS_LEAD)?;
    let sections = sections(&Document::parse(source));
    let mut titled = sections
        .into_iter()
        .filter(|section| section.title == LIMITATIONS_TITLE);
    let own = titled.find(|section| section.own.contains(&lead))?;
    Some(own.own)
}

fn between_comments(source: &str) -> Option<Range<usize>> {
    let readable = without_byte_order_mark(source);
    let mut begin = None;
    let mut block = None;
    for (event, span) in Parser::new_ext(&readable, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Html(html) = event else {
            continue;
        };
        match (html.trim(), begin) {
            (LIMITATIONS_BEGIN, _) => begin = Some(span.start),
            (LIMITATIONS_END, Some(start)) => {
                block = Some(start..span.start);
                begin = None;
            }
            _ => {}
        }
    }
    block
}

/// The gaps that the comments of an earlier session name in what is now a source.
pub fn traced_gaps(source: &str) -> BTreeSet<GapId> {
    const OPENS: &str = "<!-- gapless: ";
    if !source.contains(OPENS) {
        return BTreeSet::new();
    }
    let readable = without_byte_order_mark(source);
    let mut traced = BTreeSet::new();
    for event in Parser::new_ext(&readable, Options::ENABLE_TABLES) {
        let (Event::Html(html) | Event::InlineHtml(html)) = event else {
            continue;
        };
        for comment in html.split(OPENS).skip(1) {
            let words = comment.split("-->").next().unwrap_or("");
            traced.extend(gap_ids_in(words).into_iter().map(|found| found.id));
        }
    }
    traced
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFINED: &str = "\
- Settled in [T](#t) (GAP-AA-001). <!-- gapless: settled GAP-AA-001 -->
- GAP-AA-002 [LOW]: b

```
<!-- gapless: GAP-ZZ-001 -->
<!-- gapless: end known limitations -->
```

<!-- gapless: GAP-AA-003 -->
## Part

<!-- gapless: end GAP-AA-003 -->

<!-- gapless: known limitations -->
## Known limitations

- GAP-AA-002 [LOW]: b (deferred: later)
- GAP-AA-004 [HIGH]: found on the way (deferred: later)

<!-- gapless: end known limitations -->

- GAP-AA-005: behind it
";

    #[test]
    fn a_known_limitation_declares_only_what_nothing_else_does() {
        let declared: Vec<String> = crate::read::declared_gaps(&Document::parse(REFINED))
            .into_iter()
            .map(|gap| format!("{}: {}", gap.line, gap.id))
            .collect();
        assert_eq!(
            declared,
            ["2: GAP-AA-002", "18: GAP-AA-004", "22: GAP-AA-005"]
        );
    }

    #[test]
    fn the_traces_of_an_earlier_session_are_its_comments() {
        let traced: Vec<String> = traced_gaps(REFINED).iter().map(GapId::to_string).collect();
        assert_eq!(traced, ["GAP-AA-001", "GAP-AA-003"]);
        assert!(traced_gaps("`<!-- gapless: GAP-AA-001 -->` and GAP-AA-002").is_empty());
    }
}
