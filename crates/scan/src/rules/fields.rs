//! Rules for data fields that have no type, or no bound.

use gapless_domain::{Severity, comma_list_of};
use std::ops::Range;

use gapless_markdown::{Block, BlockKind};

use crate::facts::{Row, Table};
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Topic};

pub static FIELD_TYPE: Rule = Rule {
    id: "field-type",
    category: "DATA",
    severity: Severity::Medium,
    title: "Which type does the field have?",
    reason: "Whoever stores it and whoever sends it will choose two types.",
    suggestion: "give each field a type and a format",
    topic: Topic::Format,
    bad: &[
        "## Request body\n\n| field | type | meaning |\n|---|---|---|\n| `id` | uuid | the order |\n| `total` | | what is paid |",
        "## Order fields\n\n| field | meaning |\n|---|---|\n| `id` | the order |\n| `total` | what is paid |",
        "## Order fields\n\n- `id` (uuid): the order\n- `placed_at` (timestamp, UTC): when it was placed\n- `total`: what is paid",
    ],
    good: &[
        "## Request body\n\n| field | type | meaning |\n|---|---|---|\n| `id` | uuid | the order |\n| `total` | decimal, 2 places, from 0 to 10000 | what is paid |",
        "## Keys\n\n| key | action |\n|---|---|\n| `j` | next |",
        "## Order fields\n\n- `id` (uuid): the order\n- `placed_at` (timestamp, UTC): when it was placed",
    ],
    check: types,
};

pub static FIELD_BOUND: Rule = Rule {
    id: "field-bound",
    category: "DATA",
    severity: Severity::Low,
    title: "How long, how large or how many at most?",
    reason: "A field without a bound takes a megabyte from somebody, and a minus from somebody else.",
    suggestion: "give the longest text, the range of the number or the most members, and what happens beyond",
    topic: Topic::SizeQuota,
    bad: &[
        "## Request body\n\n| field | type | meaning |\n|---|---|---|\n| `name` | string | what the order is called |\n| `count` | integer, 1 to 99 | how many |",
    ],
    good: &[
        "## Request body\n\n| field | type | meaning |\n|---|---|---|\n| `name` | string, 1 to 80 characters | what the order is called |",
        "## Request body\n\n| field | type | meaning |\n|---|---|---|\n| `state` | string | one of `open`, `closed` |\n| `id` | uuid | the order |",
    ],
    check: bounds,
};

const FIELD_HEADS: [&str; 7] = [
    "field",
    "column",
    "attribute",
    "property",
    "parameter",
    "member",
    "fields",
];
const NAME_HEADS: [&str; 2] = ["name", "key"];
const TYPE_HEADS: [&str; 4] = ["type", "format", "schema", "data type"];

/// Whether a table lists data fields, and the column of their types.
fn of_fields(facts: &Facts<'_>, table: &Table) -> Option<Option<usize>> {
    let first = table.head.first()?;
    let mut heads = table.head.iter();
    let types = heads.position(|head| TYPE_HEADS.contains(&head.as_str()));
    let named = FIELD_HEADS
        .iter()
        .any(|head| first == head || first.starts_with(&format!("{head} ")));
    let by_type = NAME_HEADS.contains(&first.as_str()) && types.is_some();
    let informative = facts.sections[table.section].is_informative;
    // `Field | Value` shows an example.
    let mut shown = table.head.iter().skip(1);
    if shown.any(|head| matches!(head.as_str(), "value" | "example" | "example value")) {
        return None;
    }
    // A column of defaults or units says the type by example.
    (!informative && (named || by_type)).then_some(types)
}

fn types(facts: &Facts<'_>, found: &mut Found) {
    for table in &facts.tables {
        match of_fields(facts, table) {
            Some(Some(column)) => {
                for row in table.rows(facts) {
                    let cell = row.cell(column).trim_matches(['*', '`', ' ']);
                    let untyped = matches!(cell, "" | "-" | "—" | "?" | "any" | "n/a");
                    if untyped && !row.cell(0).is_empty() {
                        let name = quoted(row.cell(0).trim_matches(['`', '*']));
                        found.at(
                            row.span_of(facts, 0),
                            format!("`{name}` has no type: which type and format is it?"),
                        );
                    }
                }
            }
            Some(None) => untyped_table(facts, table, found),
            None => {}
        }
    }
    untyped_items(facts, found);
}

fn untyped_table(facts: &Facts<'_>, table: &Table, found: &mut Found) {
    let untyped = table.rows(facts).filter(|row| !says_type(facts, row));
    let names: Vec<&str> = untyped.map(|row| row.cell(0)).collect();
    // `Skills supplied` is a column of a report.
    let spaced = names
        .iter()
        .filter(|name| name.trim().contains(' '))
        .count();
    if names.is_empty() || table.body.len() < 2 || 2 * spaced > names.len() {
        return;
    }
    let listed = listed(&names);
    let which = match names.len() {
        1 => "this field",
        _ => "these fields",
    };
    let message =
        format!("{listed}: the table gives no type for {which}. Which types and formats are they?");
    found.at(table.head_span.clone(), message).keyed(listed);
}

fn says_type(facts: &Facts<'_>, row: &Row<'_>) -> bool {
    facts.sentences_within(row.span).any(|sentence| {
        sentence.has(Class::TypeWord) || sentence.has(Class::Bound) || sentence.has_number
    })
}

fn listed(names: &[&str]) -> String {
    const MOST: usize = 4;
    let names = names.iter().map(|name| name.trim_matches(['`', '*']));
    comma_list_of(names.map(|name| format!("`{}`", quoted(name))), MOST)
}

/// A list item that begins with a field's name.
struct FieldItem<'t> {
    name: &'t str,
    /// It has a type in brackets.
    is_typed: bool,
    /// It says something behind a colon or a dash.
    is_described: bool,
}

fn field_item<'t>(facts: &'t Facts<'_>, block: &Block) -> Option<FieldItem<'t>> {
    let text = facts.text(block.span.clone()).trim_start_matches("**");
    let (name, rest) = text.strip_prefix('`')?.split_once('`')?;
    let rest = rest.trim_start_matches("**").trim_start();
    let bracket = rest.strip_prefix('(');
    let is_typed = bracket.is_some_and(|inner| {
        let mut sentences = facts.sentences_within(&block.span).take(2);
        let says = !inner.is_empty() && !inner.starts_with(')');
        says && sentences.any(|sentence| sentence.has(Class::TypeWord))
    });
    Some(FieldItem {
        name,
        is_typed,
        is_described: rest.starts_with([':', '-', '—', '–']),
    })
}

/// In a list of fields where two or more have a type in brackets, one that has none.
fn untyped_items(facts: &Facts<'_>, found: &mut Found) {
    struct Series {
        section: usize,
        typed: usize,
        untyped: Vec<(Range<usize>, String)>,
    }
    let mut series: Vec<Series> = Vec::new();
    for (index, block) in facts.document.blocks.iter().enumerate() {
        if block.kind != BlockKind::Item {
            continue;
        }
        let Some(item) = field_item(facts, block) else {
            continue;
        };
        let section = facts.section_of_block[index];
        if series.last().is_none_or(|last| last.section != section) {
            series.push(Series {
                section,
                typed: 0,
                untyped: Vec::new(),
            });
        }
        if let Some(last) = series.last_mut() {
            if item.is_typed {
                last.typed += 1;
            } else if item.is_described {
                let start = block.span.start;
                let span = start..start + item.name.len() + 2;
                last.untyped.push((span, item.name.to_owned()));
            }
        }
    }
    series.retain(|series| series.typed >= 2 && series.typed >= series.untyped.len());
    for (span, name) in series.into_iter().flat_map(|series| series.untyped) {
        let name = quoted(&name);
        found.at(
            span,
            format!(
                "`{name}` has no type, though the fields beside it do: which type and format is it?"
            ),
        );
    }
}

fn bounds(facts: &Facts<'_>, found: &mut Found) {
    for table in &facts.tables {
        let Some(Some(column)) = of_fields(facts, table) else {
            continue;
        };
        if !is_of_callers(facts, table) {
            continue;
        }
        let mut unbounded: Vec<(Range<usize>, String)> = Vec::new();
        for row in table.rows(facts) {
            let mut words = row.cell(column).split(|c: char| !c.is_alphanumeric());
            let open = words.any(|word| OPEN_TYPES.contains(&word.to_lowercase().as_str()));
            if open && !has_bound(facts, &row, column) {
                unbounded.push((row.span_of(facts, 0), row.cell(0).to_owned()));
            }
        }
        let names: Vec<&str> = unbounded.iter().map(|(_, name)| name.as_str()).collect();
        if let Some((span, _)) = unbounded.first() {
            let listed = listed(&names);
            let have = if names.len() == 1 { "has" } else { "have" };
            let message =
                format!("{listed} {have} no bound: how long, how large or how many at most?");
            found.at(span.clone(), message).keyed(listed);
        }
    }
}

/// Whether a table lists what callers send or get, by the titles above it.
fn is_of_callers(facts: &Facts<'_>, table: &Table) -> bool {
    const CALLED: [&str; 12] = [
        "request",
        "response",
        "body",
        "payload",
        "endpoint",
        "parameter",
        "input",
        "output",
        "api",
        "post ",
        "get ",
        "put ",
    ];
    let mut at = Some(table.section);
    while let Some(section) = at {
        let section = &facts.sections[section];
        let title = section.title.to_lowercase();
        if CALLED.iter().any(|word| title.contains(word)) {
            return true;
        }
        at = section.parent;
    }
    false
}

/// The types of what callers can make as long as they like.
const OPEN_TYPES: [&str; 6] = ["string", "str", "text", "strings", "bytes", "blob"];

fn has_bound(facts: &Facts<'_>, row: &Row<'_>, column: usize) -> bool {
    let name = row.cell(0).trim_matches(['`', '*']).to_lowercase();
    let mut endings = ["_id", "_at", "_url"].iter();
    let is_reference = name == "id" || endings.any(|ending| name.ends_with(ending));
    let mut sentences = facts.sentences_within(row.span);
    let said = sentences.any(|sentence| sentence.has(Class::Bound) || sentence.has_number);
    let cells = row.cells.iter().enumerate();
    let others = cells.filter(|(index, _)| *index != 0 && *index != column);
    let codes: usize = others.map(|(_, cell)| cell.matches('`').count() / 2).sum();
    is_reference || said || codes >= 2
}
