//! Owns what is read from the source spec: its sections, what an earlier session left in it, and entries of it that are
//! not what they seem.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::gap_line::DeclaredGap;
use super::inventory::{Inventory, inventory};
use gapless_domain::ids::{GapId, gap_ids_in};
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

/// What stands around the known limitations at the end of a refined spec.
pub const LIMITATIONS_BEGIN: &str = "<!-- gapless: known limitations -->";
pub const LIMITATIONS_END: &str = "<!-- gapless: end known limitations -->";

/// The known limitations that an earlier session wrote into what is now a source, from comment to comment.
pub fn earlier_limitations(source: &str) -> Option<Range<usize>> {
    if !source.contains(LIMITATIONS_BEGIN) {
        return None;
    }
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

/// The gaps that the document declares, in order, those that two items of a section declare twice. A known limitation of an
/// earlier session declares its gap only where nothing else does.
pub fn declared_gaps(document: &Document) -> Vec<DeclaredGap> {
    inventory(document)
        .declared
        .into_iter()
        .map(|declaration| declaration.gap)
        .collect()
}

/// Entries of gap lists that are not, or not wholly, what they seem to be: each with its line and what was made of it.
pub fn near_misses(document: &Document) -> Vec<(u32, String)> {
    let Inventory {
        declared,
        passed_over,
    } = inventory(document);
    let declared: Vec<DeclaredGap> = declared.into_iter().map(|declared| declared.gap).collect();
    let ids: BTreeSet<&GapId> = declared.iter().map(|gap| &gap.id).collect();
    let aliases: BTreeSet<(u32, &str)> = declared
        .iter()
        .filter_map(|gap| Some((gap.line, gap.alias.as_deref()?)))
        .collect();
    let known = |id: &GapId| ids.contains(id);
    let mut misses = passed_over;
    for item in &document.items {
        if DeclaredGap::from_item(&item.text, item.line).is_none() {
            let word = item
                .text
                .trim_start_matches(['*', '`', '_', '[', ']', ' ', 'x']);
            let word = word.split([' ', ':', '*', '`']).next().unwrap_or("");
            let looks_like_one = word
                .get(..4)
                .is_some_and(|start| word.len() > 4 && start.eq_ignore_ascii_case("gap-"));
            if looks_like_one && !aliases.contains(&(item.line, word)) {
                misses.push((
                    item.line,
                    format!("`{word}` is no gap id (GAP-CATEGORY-NNN) and was not taken"),
                ));
            }
        }
    }
    for gap in &declared {
        if gap.description.is_empty() {
            misses.push((gap.line, format!("{} does not say what is missing", gap.id)));
        }
        if gap.severity.is_none() && gap.description.starts_with('[') {
            let tag = gap
                .description
                .split(']')
                .next()
                .unwrap_or("")
                .trim_start_matches('[');
            misses.push((
                gap.line,
                format!("`{tag}` is no severity; {} was taken as MEDIUM", gap.id),
            ));
        }
        for blocker in gap.blocked_by.iter().filter(|id| !known(id)) {
            misses.push((
                gap.line,
                format!("{} waits on {blocker}, which is not declared", gap.id),
            ));
        }
    }
    misses.sort_by_key(|(line, _)| *line);
    misses
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
        let declared: Vec<String> = declared_gaps(&Document::parse(REFINED))
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

    #[test]
    fn what_only_looks_like_a_gap_is_said() {
        let text = "- GAP-AA-7: short\n- gap-aa-004: small\n- GAP-AA-001 [URGENT]: x\n- GAP-AA-002 [LOW]\n\
                    - GAP-AA-003 (blocked by: GAP-ZZ-999): y\n- the gap-year rule\n- GAP-AA-005 [LOW]: fine\n";
        let said: Vec<String> = near_misses(&Document::parse(text))
            .into_iter()
            .map(|(line, what)| format!("{line}: {what}"))
            .collect();
        assert_eq!(
            said,
            [
                "1: `GAP-AA-7` is no gap id (GAP-CATEGORY-NNN) and was not taken",
                "2: `gap-aa-004` is no gap id (GAP-CATEGORY-NNN) and was not taken",
                "3: `URGENT` is no severity; GAP-AA-001 was taken as MEDIUM",
                "4: GAP-AA-002 does not say what is missing",
                "5: GAP-AA-003 waits on GAP-ZZ-999, which is not declared",
            ]
        );
    }
}
