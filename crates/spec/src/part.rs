//! A part of the refined spec: the Engineer's text under a title, its headings below that title, its examples
//! last named as such.

use std::ops::Range;

use super::seal::{cleaned, fenced, sealed};
use super::title;
use super::walk::{Head, walk};
use gapless_markdown::without_scripts;
use gapless_reading::read::is_none_word;

/// An accepted text, read once, before it is known at which level it will stand.
pub(super) struct Draft {
    text: String,
    /// The title that the text begins with.
    pub title: Option<String>,
    dropped: Vec<Range<usize>>,
    /// Headings that stay, with their depth below the part's title.
    heads: Vec<(Head, u8)>,
    /// Link reference definitions, which hold for a whole document.
    definitions: Vec<(String, Range<usize>)>,
    hidden: Vec<usize>,
}

const DEEPEST: u8 = 6;
/// The level at which the Engineer's form has its own headings.
const FORM_LEVEL: u8 = 3;

impl Draft {
    pub fn of(text: &str) -> Self {
        let text = without_scripts(&cleaned(text.trim_end()));
        let text = text.trim_start_matches('\n').to_owned();
        let walked = walk(&text);
        let mut heads = walked.heads;
        let mut dropped = Vec::new();
        let mut title = None;
        if opens_with_title(&text, &heads) {
            let head = heads.remove(0);
            title = title::from_heading(&head.raw);
            dropped.push(head.span);
        }
        // Left over where the form's own heading is not where it belongs.
        heads.retain(|head| {
            let of_form = head.plain.eq_ignore_ascii_case("proposed solution");
            if of_form {
                dropped.push(head.span.clone());
            }
            !of_form
        });
        let heads = placed(heads, &text, &mut dropped);
        dropped.sort_by_key(|range| range.start);
        Self {
            text,
            title,
            dropped,
            heads,
            definitions: walked.definitions,
            hidden: Vec::new(),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn has_definitions(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// Keeps the definitions of these labels from reaching other text: they become words.
    pub fn hide_definitions(&mut self, is_used: impl Fn(&str) -> bool) {
        for (label, span) in &self.definitions {
            if is_used(&label.to_lowercase()) {
                self.hidden.push(span.start);
            }
        }
    }

    /// The text below a title of this level.
    pub fn body(&self, level: u8) -> String {
        let shown = self.heads.iter().map(|(head, depth)| {
            (
                head.span.clone(),
                heading(head, level.saturating_add(*depth), &self.text),
            )
        });
        let mut edits: Vec<(Range<usize>, String)> = self
            .dropped
            .iter()
            .map(|range| (range.clone(), "\n".to_owned()))
            .chain(shown)
            .chain(self.hidden.iter().map(|at| (*at..*at, "\\".to_owned())))
            .collect();
        edits.sort_by_key(|(range, _)| range.start);
        let mut body = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, replacement) in edits {
            if range.start < at {
                continue;
            }
            body += self.text.get(at..range.start).unwrap_or("");
            body += &replacement;
            at = range.end;
        }
        body += self.text.get(at..).unwrap_or("");
        sealed(body.trim_end().trim_start_matches('\n'))
    }

    /// The text as it is, for where nothing else is safe.
    pub fn plain(&self) -> String {
        fenced(&self.text)
    }
}

/// True where the text begins with a heading that is its title and not the first of several like it.
fn opens_with_title(text: &str, heads: &[Head]) -> bool {
    let Some(first) = heads.first().filter(|head| !head.contained) else {
        return false;
    };
    let opens = text[..first.span.start].trim().is_empty();
    let others = || {
        heads[1..]
            .iter()
            .filter(|head| !head.contained && !is_examples(head))
    };
    let numbered = first.plain.starts_with(|c: char| c.is_ascii_digit());
    let is_one_of_several = match numbered || first.level <= FORM_LEVEL {
        true => others().any(|head| head.level <= first.level),
        false => others().any(|head| head.level < first.level && head.level > FORM_LEVEL),
    };
    opens && !is_examples(first) && !is_one_of_several
}

fn is_examples(head: &Head) -> bool {
    let title = head.plain.trim_end_matches(':');
    title.eq_ignore_ascii_case("example") || title.eq_ignore_ascii_case("examples")
}

/// Gives each heading its depth: the shallowest of the text is right below the title, and so are the examples, with
/// what stands under them below that. Examples without any are dropped.
fn placed(heads: Vec<Head>, text: &str, dropped: &mut Vec<Range<usize>>) -> Vec<(Head, u8)> {
    let mut examples: Option<u8> = None;
    let mut grouped: Vec<(Head, Option<u8>)> = Vec::new();
    let spans: Vec<(u8, usize, bool)> = heads
        .iter()
        .map(|head| (head.level, head.span.start, head.contained))
        .collect();
    for (index, head) in heads.into_iter().enumerate() {
        if examples.is_some_and(|level| head.level <= level && !head.contained) {
            examples = None;
        }
        if examples.is_none() && is_examples(&head) && !head.contained {
            let end = spans[index + 1..]
                .iter()
                .find(|(level, _, contained)| *level <= head.level && !contained)
                .map_or(text.len(), |(_, start, _)| *start);
            let said = text.get(head.span.end..end).unwrap_or("").trim();
            if said.is_empty() || is_none_word(said) {
                dropped.push(head.span.start..end);
                continue;
            }
            if head.level <= FORM_LEVEL {
                examples = Some(head.level);
            }
        }
        grouped.push((head, examples));
    }
    let shallowest = grouped
        .iter()
        .filter(|(_, group)| group.is_none())
        .map(|(head, _)| head.level)
        .min()
        .unwrap_or(1);
    grouped
        .into_iter()
        .map(|(head, group)| {
            let depth = head.level.saturating_sub(group.unwrap_or(shallowest)) + 1;
            (head, depth)
        })
        .collect()
}

fn heading(head: &Head, level: u8, text: &str) -> String {
    let end = match text.get(head.span.clone()) {
        Some(words) if words.ends_with('\n') => "\n",
        _ => "",
    };
    if head.raw.is_empty() {
        return end.to_owned();
    }
    match level {
        level if level <= DEEPEST || head.contained => {
            let hashes = "#".repeat(usize::from(level.min(DEEPEST)));
            format!("{hashes} {}{end}", head.raw)
        }
        _ => format!("\n**{}**\n{end}", head.raw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> String {
        Draft::of(text).body(3)
    }

    #[test]
    fn headings_sit_below_the_title_and_keep_their_distance() {
        let text = "#### Retry schedule\n\nIntro.\n\n##### One\n\ntext\n\n##### Two\n```\n# code\n```\n###### Three\n\n> ### Quoted\n\n### Examples\n\n#### First\n\nx\n";
        let draft = Draft::of(text);
        assert_eq!(draft.title.as_deref(), Some("Retry schedule"));
        insta::assert_snapshot!(draft.body(3));
    }

    #[test]
    fn setext_headings_become_atx_and_the_deepest_bold() {
        insta::assert_snapshot!(
            Draft::of("Some\n*title*\n===\ntext\n\nSub\n---\n\n### Deep\n#### Deeper\nend").body(4)
        );
    }

    #[test]
    fn examples_without_any_are_left_out() {
        assert_eq!(body("Text.\n\n### Examples\n\nNone.\n"), "Text.");
        assert_eq!(body("Text.\n\n### Examples\n"), "Text.");
        assert_eq!(
            body("Text.\n\n### Examples\n\nN/A\n\n### More\n\nx"),
            "Text.\n\n\n#### More\n\nx"
        );
        assert_eq!(
            body("Text.\n\n### Examples\n\n- one"),
            "Text.\n\n#### Examples\n\n- one"
        );
    }

    #[test]
    fn the_first_of_several_sections_is_no_title() {
        for text in [
            "### Data model\n\na\n\n### Errors\n\nb",
            "#### 1. Form\n\na\n\n#### 2. Address\n\nb",
            "### Examples\n\nb",
            "> ## Quoted\n\nb",
        ] {
            assert_eq!(Draft::of(text).title, None, "{text}");
        }
    }
}
