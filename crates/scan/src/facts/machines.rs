//! Owns the state machines of a spec: transitions from tables, mermaid and arrow diagrams, the states that are declared beside
//! them, and which of those are meant as an end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_core::read::BlockKind;

use super::tables::{Table, bare};
use super::{Class, Facts};

#[derive(Debug, Clone)]
pub struct Transition {
    pub from: String,
    pub to: String,
    pub event: String,
    pub span: Range<usize>,
}

#[derive(Debug, Clone)]
pub struct Machine {
    pub section: usize,
    /// Where each state is first named, by its key; with the name as it is written.
    pub states: BTreeMap<String, (String, Range<usize>)>,
    /// The states in the order in which they are named.
    pub order: Vec<String>,
    pub transitions: Vec<Transition>,
    pub initial: BTreeSet<String>,
    pub terminal: BTreeSet<String>,
    /// Whether something leaves every state.
    pub leaves_any: bool,
}

/// A state's name as it is compared.
pub fn state_key(name: &str) -> String {
    // `Browse (root)` is `Browse`.
    let name = match name.split_once(" (") {
        Some((name, _)) if !name.trim().is_empty() => name,
        _ => name,
    };
    bare(name)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

const ARROWS: [&str; 7] = ["-->", "==>", "->>", "->", "=>", "→", "➜"];

impl Machine {
    fn new(section: usize) -> Self {
        Self {
            section,
            states: BTreeMap::new(),
            order: Vec::new(),
            transitions: Vec::new(),
            initial: BTreeSet::new(),
            terminal: BTreeSet::new(),
            leaves_any: false,
        }
    }

    fn state(&mut self, name: &str, span: Range<usize>) -> String {
        let key = state_key(name);
        if !self.states.contains_key(&key) {
            self.states
                .insert(key.clone(), (bare(name).to_owned(), span));
            self.order.push(key.clone());
        }
        key
    }

    fn transition(&mut self, from: &str, to: &str, event: &str, span: Range<usize>) {
        let pseudo = |name: &str| name.trim() == "[*]";
        match (pseudo(from), pseudo(to)) {
            (true, true) => {}
            (true, false) => {
                let to = self.state(to, span);
                self.initial.insert(to);
            }
            (false, true) => {
                let from = self.state(from, span);
                self.terminal.insert(from);
            }
            (false, false) => {
                let from = self.state(from, span.clone());
                let to = self.state(to, span.clone());
                let event = event.trim().to_lowercase();
                self.transitions.push(Transition {
                    from,
                    to,
                    event,
                    span,
                });
            }
        }
    }

    fn is_one(&self) -> bool {
        self.transitions.len() >= 2 && self.states.len() >= 3
    }
}

pub fn machines_of(facts: &Facts<'_>) -> Vec<Machine> {
    let mut machines: Vec<Machine> = Vec::new();
    machines.extend(
        facts
            .tables
            .iter()
            .filter_map(|table| from_table(facts, table)),
    );
    from_blocks(facts, &mut machines);
    machines.retain(Machine::is_one);
    let mut declared = declared_states(facts);
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

fn from_table(facts: &Facts<'_>, table: &Table) -> Option<Machine> {
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

fn from_blocks(facts: &Facts<'_>, machines: &mut Vec<Machine>) {
    let mut arrows: BTreeMap<usize, Machine> = BTreeMap::new();
    for (index, block) in facts.document.blocks.iter().enumerate() {
        let section = facts.section_of_block[index];
        match &block.kind {
            BlockKind::Code(info) => {
                let language = info
                    .split([' ', ',', '{'])
                    .next()
                    .unwrap_or("")
                    .to_lowercase();
                let source = &facts.document.source[block.span.clone()];
                let is_state = source.contains("stateDiagram");
                if language == "mermaid" && is_state {
                    machines.push(diagram(source, block.span.start, section));
                } else if is_about_states(facts, section)
                    && matches!(
                        language.as_str(),
                        "mermaid"
                            | ""
                            | "text"
                            | "txt"
                            | "plain"
                            | "plaintext"
                            | "state"
                            | "states"
                    )
                {
                    let machine = arrows
                        .entry(section)
                        .or_insert_with(|| Machine::new(section));
                    for (at, line) in lines(source) {
                        arrow_line(machine, line, block.span.start + at);
                    }
                }
            }
            BlockKind::Item | BlockKind::Paragraph if is_about_states(facts, section) => {
                let text = facts.text(block.span.clone());
                if ARROWS.iter().any(|arrow| text.contains(arrow)) {
                    let machine = arrows
                        .entry(section)
                        .or_insert_with(|| Machine::new(section));
                    for (at, line) in lines(text) {
                        arrow_line(machine, line, block.span.start + at);
                    }
                }
            }
            _ => {}
        }
    }
    machines.extend(arrows.into_values());
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let from = *at;
        *at += line.len();
        Some((from, line.trim_end()))
    })
}

fn is_about_states(facts: &Facts<'_>, section: usize) -> bool {
    let title = facts.sections[section].title.to_lowercase();
    ["state", "lifecycle", "life cycle", "status", "transition"]
        .iter()
        .any(|word| title.contains(word))
}

/// A mermaid state diagram.
fn diagram(source: &str, start: usize, section: usize) -> Machine {
    let mut machine = Machine::new(section);
    for (at, line) in lines(source) {
        let body = line.trim();
        let place = start + at + (line.len() - line.trim_start().len());
        let span = place..place + body.len();
        if body.starts_with("%%")
            || body.starts_with("```")
            || body.starts_with("note ")
            || body.len() > 400
        {
            continue;
        }
        if let Some((from, rest)) = body.split_once("-->") {
            let (to, event) = rest.split_once(':').unwrap_or((rest, ""));
            if !from.trim().is_empty() && !to.trim().is_empty() {
                machine.transition(from.trim(), to.trim(), event, span);
            }
        } else if let Some(name) = body.strip_prefix("state ") {
            let name = name.split(" as ").last().unwrap_or(name);
            let name = name.split(['<', '{']).next().unwrap_or(name).trim();
            // A choice or a group is no state of its own.
            if !name.is_empty() && !body.contains("<<") && !body.ends_with('{') {
                machine.state(name, span);
            }
        }
    }
    machine
}

/// `a -> b: event`, `a → b → c`, `A -->|event| B`.
fn arrow_line(machine: &mut Machine, line: &str, start: usize) {
    let body = line
        .trim_start_matches([' ', '-', '*', '|', '\t', '.'])
        .trim_end();
    if body.len() > 400 {
        return;
    }
    let at = start
        + (line.len()
            - line
                .trim_start_matches([' ', '-', '*', '|', '\t', '.'])
                .len());
    let Some(arrow) = ARROWS.iter().find(|arrow| body.contains(**arrow)) else {
        return;
    };
    let parts: Vec<&str> = body.split(arrow).collect();
    let mut event = String::new();
    let mut states = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let mut part = part.trim();
        if let Some((label, rest)) = part.strip_prefix('|').and_then(|rest| rest.split_once('|')) {
            label.clone_into(&mut event);
            part = rest.trim();
        }
        if index + 1 == parts.len() {
            let end = part
                .find([':', '(', ',', ';'])
                .or_else(|| part.find(" on "))
                .or_else(|| part.find(" when "))
                .or_else(|| part.find(" if "));
            if let Some(end) = end {
                part[end..]
                    .trim_matches([':', '(', ')', ' ', ','])
                    .clone_into(&mut event);
                part = part[..end].trim();
            }
        }
        let part = part
            .split(['[', '{', '('])
            .next()
            .unwrap_or(part)
            .trim()
            .trim_end_matches('.');
        if !is_state_name(part) {
            return;
        }
        states.push(part);
    }
    for pair in states.windows(2) {
        let event = if states.len() == 2 {
            event.as_str()
        } else {
            ""
        };
        machine.transition(pair[0], pair[1], event, at..at + body.len());
    }
}

fn is_state_name(name: &str) -> bool {
    let inner = bare(name);
    name == "[*]"
        || !inner.is_empty()
            && inner.len() <= 40
            && inner.split([' ', '_', '-']).count() <= 4
            && inner.split(' ').count() <= 3
            && inner
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'))
}

/// The states that a table or a sentence of a section lists, by section.
fn declared_states(facts: &Facts<'_>) -> BTreeMap<usize, Vec<(String, Range<usize>)>> {
    let mut declared: BTreeMap<usize, Vec<(String, Range<usize>)>> = BTreeMap::new();
    for table in &facts.tables {
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
fn said_ends(facts: &Facts<'_>) -> BTreeMap<usize, BTreeSet<String>> {
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
