//! The headings of a text that is changed step by step: kept from change to change as long as no change has to do with one, so that a
//! long text is not parsed for each.

use std::cell::OnceCell;
use std::ops::Range;

use super::composed::Splice;
use gapless_markdown::{Document, Heading};
use gapless_reading::read::Section;

/// The headings of a text, once they were looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Headings {
    known: OnceCell<Vec<Heading>>,
}

impl Headings {
    pub fn of(&self, text: &str) -> &[Heading] {
        self.known.get_or_init(|| Document::parse(text).headings)
    }

    /// The part of a text around a stretch, which is parsed as it is in the whole, and where it begins.
    pub fn part<'t>(&self, text: &'t str, around: &Range<usize>) -> (Document<'t>, usize) {
        let part = part_around(self.of(text), text.len(), around);
        (Document::parse(&text[part.clone()]), part.start)
    }

    /// Takes note of splices that are made in a text, in any order.
    pub fn spliced(&mut self, text: &str, splices: &[&Splice]) {
        let Some(headings) = self.known.get_mut() else {
            return;
        };
        let may_head = |text: &str| {
            let mut lines = text.lines();
            lines.any(|line| line.contains('#') || is_line_of_marks(line) || is_fence(line))
        };
        let touches = |splice: &Splice| {
            let (start, end) = (splice.range.start, splice.range.end);
            let before = headings.partition_point(|heading| heading.span.end < start);
            let heading = headings.get(before);
            heading.is_some_and(|heading| heading.span.start < end.max(start + 1))
                || may_head(&splice.text)
                || may_head(text.get(start..end).unwrap_or(""))
        };
        if splices.iter().any(|splice| touches(splice)) {
            self.known.take();
            return;
        }
        let mut ordered: Vec<&&Splice> = splices.iter().collect();
        ordered.sort_by_key(|splice| splice.range.start);
        let (mut added, mut taken) = (0, 0);
        let mut next = ordered.into_iter().peekable();
        for heading in headings {
            while let Some(splice) = next.next_if(|it| it.range.start <= heading.span.start) {
                added += splice.text.len();
                taken += splice.range.len();
            }
            let moved = |at: usize| at + added - taken;
            heading.span = moved(heading.span.start)..moved(heading.span.end);
        }
    }
}

fn is_line_of_marks(line: &str) -> bool {
    let bare = line.trim_matches([' ', '\t', '>']);
    !bare.is_empty() && bare.chars().all(|c| c == '-' || c == '=')
}

fn is_fence(line: &str) -> bool {
    line.contains("```") || line.contains("~~~") || line.contains('<')
}

/// The sections below these headings; where a section begins is said in bytes only.
pub(super) fn sections_below(headings: &[Heading], length: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::with_capacity(headings.len());
    // The sections that are not over yet.
    let mut open: Vec<usize> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let start = heading.span.start;
        if let Some(last) = sections.last_mut() {
            last.own.end = start;
        }
        while let Some(last) = open.last().copied() {
            if sections[last].level < heading.level {
                break;
            }
            sections[last].whole.end = start;
            open.pop();
        }
        open.push(index);
        sections.push(Section {
            title: heading.title.clone(),
            level: heading.level,
            line: heading.line,
            own: start..length,
            whole: start..length,
        });
    }
    sections
}

/// The part of a text between the headings around a stretch, with the heading behind it: what stands there is read in it as in the
/// whole.
fn part_around(headings: &[Heading], length: usize, range: &Range<usize>) -> Range<usize> {
    let behind = headings.partition_point(|heading| heading.span.start < range.start.max(1));
    let start = behind
        .checked_sub(1)
        .map_or(0, |index| headings[index].span.start);
    let mut ends = headings[behind..].iter();
    let end = ends.find(|heading| heading.span.start >= range.end && heading.span.start > start);
    start..end.map_or(length, |heading| heading.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_reading::read::sections;
    use proptest::prelude::*;

    const BLOCKS: [&str; 12] = [
        "# A",
        "## B",
        "### C",
        "Setext\n---",
        "words",
        "- item\n- more",
        "```\n# code\n```",
        "> ## quoted",
        "<div>\n# html\n</div>",
        "| a |\n|---|\n| b |",
        "---",
        "<!-- a\n\n# b -->",
    ];

    proptest! {
        #[test]
        fn what_is_known_of_headings_holds(
            blocks in prop::collection::vec(prop::sample::select(&BLOCKS), 0..12),
            at in prop::collection::vec((any::<prop::sample::Index>(), 0usize..2, prop::sample::select(&BLOCKS)), 1..4),
        ) {
            let mut text = blocks.join("\n\n") + "\n";
            let mut headings = Headings::default();
            for (index, count, new) in at {
                headings.of(&text);
                let starts: Vec<usize> = std::iter::once(0)
                    .chain(text.match_indices("\n\n").map(|(at, _)| at + 2))
                    .chain([text.len()])
                    .collect();
                let first = index.index(starts.len());
                let last = (first + count).min(starts.len() - 1);
                let splice = Splice { range: starts[first]..starts[last], text: format!("{new}\n\n") };
                headings.spliced(&text, &[&splice]);
                text.replace_range(splice.range.clone(), &splice.text);
                let document = Document::parse(&text);
                let spans = |headings: &[Heading]| -> Vec<(Range<usize>, String)> {
                    headings.iter().map(|it| (it.span.clone(), it.title.clone())).collect()
                };
                prop_assert_eq!(spans(headings.of(&text)), spans(&document.headings), "{}", text);
                let below = sections_below(&document.headings, text.len());
                prop_assert_eq!(below, sections(&document));
            }
        }
    }
}
