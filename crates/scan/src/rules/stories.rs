//! Rules for parts that lack what their neighbours have: stories without acceptance criteria, endpoints without errors.

use std::ops::Range;

use gapless_domain::Severity;

use crate::rule::Found;
use crate::{Class, Facts, Rule, Topic};

pub static STORY_WITHOUT_ACCEPTANCE: Rule = Rule {
    id: "story-without-acceptance",
    category: "REQ",
    severity: Severity::Medium,
    title: "When is this story done?",
    reason: "Nobody can tell when it is done.",
    suggestion: "give its acceptance criteria as its neighbours have them",
    topic: Topic::Other,
    bad: &[
        "## Story 1\n\n### Acceptance criteria\n\n- a\n\n## Story 2\n\n### Acceptance criteria\n\n- b\n\n## Story 3\n\nAs a clerk I want a list.",
    ],
    good: &[
        "## Story 1\n\n### Acceptance criteria\n\n- a\n\n## Story 2\n\nAs a clerk I want a list.",
    ],
    check: stories,
};

pub static ENDPOINT_WITHOUT_ERRORS: Rule = Rule {
    id: "endpoint-without-errors",
    category: "API",
    severity: Severity::Medium,
    title: "Which errors do these endpoints answer with?",
    reason: "Callers can't tell whether it has none or whether they were forgotten.",
    suggestion: "list the errors with their codes, or say which common ones apply",
    topic: Topic::ErrorResponse,
    bad: &[
        "## GET /a\n\nErrors: 404 for an unknown id.\n\n## PUT /a\n\nErrors: 400 for a bad name.\n\n## POST /a\n\nErrors: 400 for a bad name.\n\n## PATCH /a\n\nChanges the name.",
    ],
    good: &["## GET /a\n\nErrors: 404 for an unknown id.\n\n## POST /a\n\nAdds one."],
    check: endpoints,
};

/// The range of a section with everything below it, in sections.
fn below(facts: &Facts<'_>, section: usize) -> Range<usize> {
    let level = facts.sections[section].level;
    let rest = facts.sections[section + 1..].iter();
    section..section + 1 + rest.take_while(|other| other.level > level).count()
}

fn stories(facts: &Facts<'_>, found: &mut Found) {
    let titled = |title: &str| {
        let title = title.to_lowercase();
        let titles = [
            "user story",
            "story ",
            "requirement ",
            "requirement:",
            "us-",
            "us1",
        ];
        titles.iter().any(|known| title.starts_with(known))
    };
    let mut with = Vec::new();
    let mut without = Vec::new();
    let mut at = 0;
    while at < facts.sections.len() {
        let section = &facts.sections[at];
        if !titled(&section.title) || section.is_informative {
            at += 1;
            continue;
        }
        let range = below(facts, at);
        let spans = &facts.sections[range.clone()];
        let accepts = spans.iter().any(|part| {
            part.title.to_lowercase().contains("acceptance")
                || part.title.to_lowercase().contains("scenario")
                || facts.sentences[part.sentences.clone()]
                    .iter()
                    .any(|sentence| {
                        let text = facts.text(sentence.span.clone());
                        text.len() < 400 && text.to_lowercase().contains("acceptance")
                    })
        });
        match accepts {
            true => with.push(at),
            false => without.push(at),
        }
        at = range.end;
    }
    if with.len() < 2 || without.len() > with.len() {
        return;
    }
    for story in without {
        let section = &facts.sections[story];
        if let Some(span) = &section.heading {
            let message = format!(
                "\"{}\" has no acceptance criteria, and {} of its neighbours have: when is it done?",
                section.title,
                with.len()
            );
            found.at(span.clone(), message);
        }
    }
}

const METHODS: [&str; 5] = ["GET ", "POST ", "PUT ", "PATCH ", "DELETE "];

fn endpoints(facts: &Facts<'_>, found: &mut Found) {
    let mut with = 0;
    let mut without: Vec<usize> = Vec::new();
    for (at, section) in facts.sections.iter().enumerate() {
        let title = section.title.trim_matches('`');
        let is_endpoint =
            METHODS.iter().any(|method| title.starts_with(method)) && title.contains('/');
        if !is_endpoint || section.is_informative || section.words < 3 {
            continue;
        }
        let fails = facts.sections[below(facts, at)].iter().any(|part| {
            part.own_classes.has(Class::Failure) || part.title.to_lowercase().contains("error")
        });
        match fails {
            true => with += 1,
            false => without.push(at),
        }
    }
    if with < 3 || without.len() > with {
        return;
    }
    let Some(first) = without
        .first()
        .and_then(|at| facts.sections[*at].heading.clone())
    else {
        return;
    };
    let names: Vec<&str> = without
        .iter()
        .map(|at| facts.sections[*at].title.as_str())
        .collect();
    const MOST: usize = 5;
    let shown = names
        .iter()
        .take(MOST)
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>();
    let more = names.len().saturating_sub(MOST);
    let more = match more {
        0 => String::new(),
        _ => format!(" and {more} more"),
    };
    let message = format!(
        "{}{more}: which errors do they answer with? {with} other endpoints list theirs.",
        shown.join(", ")
    );
    found.at(first, message);
}
