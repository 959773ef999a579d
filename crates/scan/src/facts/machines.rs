//! Owns the state machines of a spec: transitions from tables, mermaid and arrow diagrams, the states that are declared beside
//! them, and which of those are meant as an end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_markdown::BlockKind;

use super::machine::{Machine, state_key};
use super::spec_text::SpecText;
use super::tables::{Table, bare};
use super::{Class, diagrams};

pub fn machines_of(facts: &SpecText<'_>, tables: &[Table]) -> Vec<Machine> {
    let mut machines: Vec<Machine> = Vec::new();
    machines.extend(tables.iter().filter_map(|table| from_table(facts, table)));
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

fn from_table(facts: &SpecText<'_>, table: &Table) -> Option<Machine> {
    let from = table.column(&["from", "current", "state", "source", "status"])?;
    let to = table.head.iter().position(|head| {
        [
            "to",
            "next",
            "next state",
            "new state",
            "target",
            "target state",
            "becomes",
            "next status",
            "new status",
            "to state",
            "moves to",
        ]
        .contains(&head.as_str())
    })?;
    // Whatever else a row says tells when it is taken, but for what merely explains.
    let explains = [
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
    let when: Vec<usize> = (0..table.head.len())
        .filter(|column| {
            *column != from && *column != to && !explains.contains(&table.head[*column].as_str())
        })
        .take(6)
        .collect();
    if from == to {
        return None;
    }
    let mut machine = Machine::new(table.section);
    for row in table.rows(facts) {
        let span = row.span_of(facts, from);
        let said: Vec<&str> = when
            .iter()
            .map(|column| row.cell(*column))
            .filter(|cell| !cell.is_empty())
            .collect();
        let said = said.join(", ");
        let sources: Vec<&str> = names(row.cell(from));
        let targets: Vec<&str> = names(row.cell(to));
        for source in sources {
            if is_any(source) {
                machine.leaves_any = true;
                for target in &targets {
                    let key = machine.state(target, row.span_of(facts, to));
                    machine.initial.insert(key);
                }
                continue;
            }
            if is_nothing(source) {
                for target in &targets {
                    machine.transition("[*]", target, "", row.span_of(facts, to));
                }
                continue;
            }
            for target in &targets {
                match is_nothing(target) {
                    true => machine.transition(source, "[*]", "", span.clone()),
                    false => machine.transition(source, target, &said, row.span_of(facts, to)),
                }
            }
        }
    }
    // An unmarked start: the state of the first row.
    Some(machine)
}

fn names(cell: &str) -> Vec<&str> {
    let parts: Vec<&str> = cell
        .split([',', '/'])
        .flat_map(|part| part.split(" or "))
        .map(bare)
        .filter(|part| !part.is_empty())
        .collect();
    match parts.is_empty() {
        true => vec!["-"],
        false => parts,
    }
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
        let lists = table
            .head
            .first()
            .is_some_and(|head| head == "state" || head == "status");
        let moves = table
            .head
            .iter()
            .any(|head| head == "to" || head.starts_with("next"));
        if lists && !moves {
            for row in table.rows(facts) {
                let name = bare(row.cell(0)).to_owned();
                let span = row.span_of(facts, 0);
                declared
                    .entry(table.section)
                    .or_default()
                    .push((name, span));
            }
        }
    }
    for sentence in facts
        .binding()
        .filter(|sentence| sentence.has(Class::Statish))
    {
        let codes: Vec<_> = facts
            .words_of(sentence)
            .iter()
            .filter(|word| word.is_code())
            .collect();
        let lists = facts.words_of(sentence).iter().any(|word| {
            matches!(
                facts.text(word.span()),
                "one" | "states" | "statuses" | "either"
            )
        });
        if codes.len() >= 3 && lists {
            let names = codes
                .iter()
                .map(|word| (bare(facts.text(word.span())).to_owned(), word.span()));
            declared.entry(sentence.section).or_default().extend(names);
        }
    }
    declared
}

/// Names that say of themselves that nothing follows.
const ENDS: [&str; 37] = [
    "resolved",
    "withdrawn",
    "superseded",
    "done",
    "complete",
    "completed",
    "finished",
    "closed",
    "cancelled",
    "canceled",
    "failed",
    "failure",
    "rejected",
    "archived",
    "deleted",
    "expired",
    "terminated",
    "succeeded",
    "success",
    "aborted",
    "delivered",
    "refunded",
    "abandoned",
    "dead",
    "ended",
    "end",
    "stopped",
    "exited",
    "settled",
    "removed",
    "discarded",
    "skipped",
    "merged",
    "exit",
    "gone",
    "purged",
    "revoked",
];

/// What the sentences and rows of each section call an end, by section.
fn said_ends(facts: &SpecText<'_>) -> BTreeMap<usize, BTreeSet<String>> {
    let mut said: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for sentence in facts
        .sentences
        .iter()
        .filter(|sentence| sentence.has(Class::Terminal))
    {
        let block = facts.block_of(sentence);
        let row = match block.kind {
            BlockKind::Cell => {
                let row = facts
                    .document
                    .rows
                    .partition_point(|row| row.span.end <= block.span.start);
                facts.document.rows.get(row)
            }
            _ => None,
        };
        let keys = said.entry(sentence.section).or_default();
        match row {
            // Of a row, the first cell is what is meant.
            Some(row) => keys.extend(row.cells.first().map(|cell| state_key(cell))),
            None => keys.extend(
                facts
                    .words_of(sentence)
                    .iter()
                    .map(|word| state_key(facts.text(word.span()))),
            ),
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
