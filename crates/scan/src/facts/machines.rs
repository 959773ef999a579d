//! Finds the state machines of a spec: transitions from tables, mermaid and arrow diagrams, the states that are declared beside
//! them, and which of those are meant as an end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use gapless_markdown::BlockKind;

use super::machine::{Machine, state_key};
use super::spec_text::SpecText;
use super::tables::{Row, Table, bare};
use super::{Class, diagrams};
use gapless_domain::comma_list;
use gapless_domain::words::phrases;

pub fn machines_of(facts: &SpecText<'_>, tables: &[Table]) -> Vec<Machine> {
    let from_tables = tables.iter().filter_map(|table| from_table(facts, table));
    let mut machines: Vec<Machine> = from_tables.collect();
    diagrams::in_blocks(facts, &mut machines);
    machines.retain(Machine::is_one);
    let mut declared = declared_states(facts, tables);
    let said = said_ends(facts);
    for machine in &mut machines {
        if let Some(names) = declared.remove(&machine.section) {
            declare(machine, names);
        }
        mark_ends(machine, said.get(&machine.section));
        if machine.initial.is_empty()
            && let Some(first) = machine.order.first()
        {
            machine.initial.insert(first.clone());
        }
    }
    machines.sort_by_key(|machine| machine.states.values().map(|(_, span)| span.start).min());
    machines
}

fn declare(machine: &mut Machine, names: Vec<(String, Range<usize>)>) {
    // The names of another list are not this machine's.
    let shared = names
        .iter()
        .filter(|(name, _)| machine.states.contains_key(&state_key(name)))
        .count();
    if shared >= 2 {
        // What is declared first is where it begins.
        let first = names.first().map(|(name, _)| state_key(name));
        for (name, span) in names {
            machine.state(&name, span);
        }
        if machine.initial.is_empty() {
            machine.initial.extend(first);
        }
    }
}

const FROM_HEADS: [&str; 5] = ["from", "current", "state", "source", "status"];

static TO_HEADS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/machine_to_heads.txt")).collect());

/// Columns that explain a transition and don't say when it is taken.
const EXPLAINING_HEADS: [&str; 10] = [
    "note",
    "notes",
    "description",
    "comment",
    "why",
    "effect",
    "effects",
    "meaning",
    "result",
    "actions",
];

/// The columns of a table of transitions.
struct Columns {
    from: usize,
    to: usize,
    /// Those that say when a transition is taken.
    when: Vec<usize>,
}

impl Columns {
    fn of(table: &Table) -> Option<Self> {
        let from = table.column(&FROM_HEADS)?;
        let mut heads = table.head.iter();
        let to = heads.position(|head| TO_HEADS.contains(&head.as_str()))?;
        let explains = |column: usize| EXPLAINING_HEADS.contains(&table.head[column].as_str());
        let when = (0..table.head.len())
            .filter(|column| *column != from && *column != to && !explains(*column))
            .take(6)
            .collect();
        (from != to).then_some(Self { from, to, when })
    }
}

fn from_table(facts: &SpecText<'_>, table: &Table) -> Option<Machine> {
    let columns = Columns::of(table)?;
    let mut machine = Machine::new(table.section);
    for row in table.rows(facts) {
        add_row(&mut machine, facts, &columns, &row);
    }
    Some(machine)
}

/// Adds a transition from each state that a row names to each that it leads to.
fn add_row(machine: &mut Machine, facts: &SpecText<'_>, columns: &Columns, row: &Row<'_>) {
    let from_span = row.span_of(facts, columns.from);
    let to_span = || row.span_of(facts, columns.to);
    let when = columns.when.iter().map(|column| row.cell(*column));
    let when = comma_list(when.filter(|cell| !cell.is_empty()));
    let targets = names(row.cell(columns.to));
    for source in names(row.cell(columns.from)) {
        if is_any(source) {
            machine.leaves_any = true;
            for target in &targets {
                let key = machine.state(target, to_span());
                machine.initial.insert(key);
            }
            continue;
        }
        for target in &targets {
            match (is_nothing(source), is_nothing(target)) {
                (true, _) => machine.transition("[*]", target, "", to_span()),
                (_, true) => machine.transition(source, "[*]", "", from_span.clone()),
                _ => machine.transition(source, target, &when, to_span()),
            }
        }
    }
}

fn names(cell: &str) -> Vec<&str> {
    let parts: Vec<&str> = cell
        .split([',', '/'])
        .flat_map(|part| part.split(" or "))
        .map(bare)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() { vec!["-"] } else { parts }
}

fn is_any(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower == "*" || lower.starts_with("any") || lower == "all" || lower.starts_with("every")
}

fn is_nothing(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "-" | "—"
            | "–"
            | "none"
            | "start"
            | "(none)"
            | "(start)"
            | "initial"
            | "end"
            | "(end)"
            | "n/a"
            | "[*]"
            | "nothing"
            | "(disabled)"
            | "(new)"
            | "new record"
    )
}

/// The states that a table or a sentence of a section lists, by section.
fn declared_states(
    facts: &SpecText<'_>,
    tables: &[Table],
) -> BTreeMap<usize, Vec<(String, Range<usize>)>> {
    let mut declared: BTreeMap<usize, Vec<(String, Range<usize>)>> = BTreeMap::new();
    for table in tables {
        let (first, mut heads) = (table.head.first(), table.head.iter());
        let lists = first.is_some_and(|head| head == "state" || head == "status");
        let moves = heads.any(|head| head == "to" || head.starts_with("next"));
        if lists && !moves {
            let rows = table.rows(facts);
            let names = rows.map(|row| (bare(row.cell(0)).to_owned(), row.span_of(facts, 0)));
            declared.entry(table.section).or_default().extend(names);
        }
    }
    let stating = facts.binding();
    for sentence in stating.filter(|sentence| sentence.has(Class::Statish)) {
        let words = facts.words_of(sentence).iter();
        let codes = words.clone().filter(|word| word.is_code());
        let listing = ["one", "states", "statuses", "either"];
        let lists = words
            .clone()
            .any(|word| listing.contains(&facts.text(word.span())));
        if codes.clone().count() >= 3 && lists {
            let names = codes.map(|word| (bare(facts.text(word.span())).to_owned(), word.span()));
            declared.entry(sentence.section).or_default().extend(names);
        }
    }
    declared
}

/// Names that say of themselves that nothing follows.
static ENDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/machine_ends.txt")).collect());

/// What the sentences and rows of each section call an end, by section.
fn said_ends(facts: &SpecText<'_>) -> BTreeMap<usize, BTreeSet<String>> {
    let mut said: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let sentences = facts.sentences.iter();
    for sentence in sentences.filter(|sentence| sentence.has(Class::Terminal)) {
        let block = facts.block_of(sentence);
        let row = match block.kind {
            BlockKind::Cell => {
                let rows = &facts.document.rows;
                rows.get(rows.partition_point(|row| row.span.end <= block.span.start))
            }
            _ => None,
        };
        let keys = said.entry(sentence.section).or_default();
        match row {
            // Of a row, the first cell is what is meant.
            Some(row) => keys.extend(row.cells.first().map(|cell| state_key(cell))),
            None => {
                let words = facts.words_of(sentence).iter();
                keys.extend(words.map(|word| state_key(facts.text(word.span()))));
            }
        }
    }
    said
}

/// States that are ends: by their name, or because the section says so.
fn mark_ends(machine: &mut Machine, said: Option<&BTreeSet<String>>) {
    let ends: Vec<String> = machine
        .states
        .keys()
        .filter(|key| ENDS.contains(&key.as_str()) || said.is_some_and(|said| said.contains(*key)))
        .cloned()
        .collect();
    machine.terminal.extend(ends);
}
