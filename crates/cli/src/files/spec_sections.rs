//! A section of a spec by its title.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_markdown::Document;
use serde_json::{Value, json};

use crate::output::wording::list;
use crate::spelling::did_you_mean;
use crate::{Failure, Kind, Result};

/// What stands between the titles of a section and of those around it.
const BELOW: char = '>';

/// How many titles are listed.
const MOST_TITLES: usize = 8;

/// A section with what is below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Section<'t> {
    pub(crate) text: &'t str,
    /// The titles of the sections around it, then its own.
    path: Vec<String>,
    /// Its first and last line.
    lines: (u32, u32),
}

impl Section<'_> {
    pub(crate) fn document(&self) -> Value {
        json!({ "title": self.path.join(" > "), "lines": self.lines })
    }
}

/// Finds the section that a title means, which may be `Title` or `Outer > Title`.
pub(crate) fn section<'t>(text: &'t str, wanted: &str) -> Result<Section<'t>> {
    let document = Document::parse(text);
    let sections: Vec<Section<'t>> = sections(&document, text);
    let shown = wanted.trim();
    // A title may have the mark in it.
    let whole = [plain(wanted)];
    let parts: Vec<String> = wanted.split(BELOW).map(plain).collect();
    for wanted in [&whole[..], &parts] {
        let means = |section: &&Section<'t>| means(&section.path, wanted);
        let mut found = sections.iter().filter(means);
        match (found.next(), found.next()) {
            (Some(one), None) => {
                return Ok(Section {
                    text: one.text,
                    path: one.path.clone(),
                    lines: one.lines,
                });
            }
            (Some(_), Some(_)) => {
                let found = sections.iter().filter(means);
                return Err(several(&found.collect::<Vec<_>>(), shown));
            }
            _ => {}
        }
    }
    Err(unknown(&sections, shown))
}

fn sections<'t>(document: &Document<'_>, text: &'t str) -> Vec<Section<'t>> {
    let mut above: Vec<(u8, &str)> = Vec::new();
    let headings = document.headings.iter().enumerate();
    headings
        .map(|(index, heading)| {
            above.retain(|(level, _)| *level < heading.level);
            above.push((heading.level, &heading.title));
            let range = document.section(index, |next| next.level <= heading.level);
            let range = heading.span.start..range.end.max(heading.span.end);
            let text = text.get(range.clone()).unwrap_or("");
            Section {
                text,
                path: above.iter().map(|(_, title)| (*title).to_owned()).collect(),
                lines: lines(document, &range, text),
            }
        })
        .collect()
}

fn lines(document: &Document<'_>, range: &Range<usize>, text: &str) -> (u32, u32) {
    let last = range.start + text.trim_end().len().saturating_sub(1);
    (document.line_of(range.start), document.line_of(last))
}

/// A title as it is compared: without case, marks of a heading, and further white space.
fn plain(title: &str) -> String {
    let title = title.trim().trim_start_matches('#');
    let words: Vec<&str> = title.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Whether the wanted titles are those at the end of a path, with others between them at most.
fn means(path: &[String], wanted: &[String]) -> bool {
    let Some((last, around)) = wanted.split_last() else {
        return false;
    };
    let Some((own, above)) = path.split_last() else {
        return false;
    };
    let mut above = above.iter();
    plain(own) == *last
        && around
            .iter()
            .all(|wanted| above.any(|title| plain(title) == *wanted))
}

fn several(found: &[&Section<'_>], wanted: &str) -> Failure {
    let message = format!("the spec has {} sections called `{wanted}`", found.len());
    let named = |section: &&Section<'_>| {
        let (first, _) = section.lines;
        format!("`{}` (line {first})", section.path.join(" > "))
    };
    let names = list(found.iter().map(named));
    let paths = found.iter().map(|section| &section.path);
    let distinct: BTreeSet<&Vec<String>> = paths.collect();
    let hint = match distinct.len() == found.len() {
        true => format!("name the sections around it too: {names}"),
        false => format!(
            "they can't be told apart by their titles: {names}; print the whole spec, or the section around them"
        ),
    };
    Failure::new(Kind::Usage, message).hint(hint)
}

fn unknown(sections: &[Section<'_>], wanted: &str) -> Failure {
    let message = format!("the spec has no section called `{wanted}`");
    let mut titles: Vec<&str> = Vec::new();
    for title in sections.iter().filter_map(|section| section.path.last()) {
        if !titles.contains(&title.as_str()) {
            titles.push(title);
        }
    }
    let last = wanted.rsplit(BELOW).next().unwrap_or(wanted);
    let has_it = |title: &&&str| !plain(last).is_empty() && plain(title).contains(&plain(last));
    let containing: Vec<&&str> = titles.iter().filter(has_it).collect();
    let hint = match did_you_mean(last.trim(), titles.iter().copied()) {
        None if titles.is_empty() => "it has no headings: leave --section out".to_owned(),
        None if !containing.is_empty() => there_are(containing.into_iter().copied()),
        None => there_are(titles.into_iter()),
        Some(near) => near,
    };
    Failure::new(Kind::Usage, message).hint(hint)
}

fn there_are<'t>(titles: impl ExactSizeIterator<Item = &'t str>) -> String {
    let more = match titles.len().saturating_sub(MOST_TITLES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = list(titles.take(MOST_TITLES).map(|title| format!("`{title}`")));
    format!("there are: {named}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "# API\n\nIntro.\n\n## Errors\n\nOf the API.\n\n### Codes > Names\n\nSome.\n\n\
                        # Worker\n\n## Errors\n\n```\n# no heading\n```\n\nEnd.\n";

    fn found(title: &str) -> Result<&'static str> {
        section(SPEC, title).map(|section| section.text)
    }

    #[test]
    fn a_section_has_what_is_below_it() {
        let worker = "# Worker\n\n## Errors\n\n```\n# no heading\n```\n\nEnd.\n";
        assert_eq!(found("worker"), Ok(worker));
        assert_eq!(
            found("  ## Codes > names"),
            Ok("### Codes > Names\n\nSome.\n\n")
        );
        let section = section(SPEC, "API").unwrap();
        assert_eq!(section.document()["lines"], json!([1, 11]));
    }

    #[test]
    fn sections_of_one_title_are_told_apart_by_those_around_them() {
        let several = found("Errors").unwrap_err();
        assert_eq!(several.message, "the spec has 2 sections called `Errors`");
        let hint =
            "name the sections around it too: `API > Errors` (line 5), `Worker > Errors` (line 15)";
        assert_eq!(several.hint.as_deref(), Some(hint));
        assert!(found("api > errors").unwrap().contains("Of the API"));
        assert!(found("API > Codes > Names").is_err());
    }

    #[test]
    fn an_unknown_title_names_the_nearest() {
        let unknown = |title| found(title).unwrap_err().hint.unwrap();
        assert_eq!(unknown("Erors"), "did you mean `Errors`?");
        assert_eq!(unknown("API > Name"), "there are: `Codes > Names`");
        assert!(unknown("Retention").starts_with("there are: `API`, `Errors`"));
    }
}
