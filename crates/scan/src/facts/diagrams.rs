//! Reads diagrams: mermaid state diagrams, and arrows between names in sections about states.

use std::collections::BTreeMap;

use gapless_markdown::BlockKind;

use super::machine::Machine;
use super::spec_text::SpecText;
use super::tables::bare;

/// Languages of code blocks in which arrows may stand between states.
const PLAIN_LANGUAGES: [&str; 8] = [
    "mermaid",
    "",
    "text",
    "txt",
    "plain",
    "plaintext",
    "state",
    "states",
];

const ARROWS: [&str; 7] = ["-->", "==>", "->>", "->", "=>", "→", "➜"];

/// The machines of a spec's code blocks, and of arrows in the text of sections about states.
pub fn in_blocks(facts: &SpecText<'_>, machines: &mut Vec<Machine>) {
    let mut arrows: BTreeMap<usize, Machine> = BTreeMap::new();
    for (index, block) in facts.document.blocks.iter().enumerate() {
        let section = facts.section_of_block[index];
        let text = match &block.kind {
            BlockKind::Code(info) => {
                let language = info.split([' ', ',', '{']).next().unwrap_or("");
                let language = language.to_lowercase();
                let source = &facts.document.source[block.span.clone()];
                if language == "mermaid" && source.contains("stateDiagram") {
                    machines.push(diagram(source, block.span.start, section));
                    continue;
                }
                if !PLAIN_LANGUAGES.contains(&language.as_str()) {
                    continue;
                }
                source
            }
            BlockKind::Item | BlockKind::Paragraph => facts.text(block.span.clone()),
            _ => continue,
        };
        if ARROWS.iter().any(|arrow| text.contains(arrow)) && is_about_states(facts, section) {
            let machine = arrows.entry(section);
            let machine = machine.or_insert_with(|| Machine::new(section));
            for (at, line) in lines(text) {
                arrow_line(machine, line, block.span.start + at);
            }
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

fn is_about_states(facts: &SpecText<'_>, section: usize) -> bool {
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
    let behind = line.trim_start_matches([' ', '-', '*', '|', '\t', '.']);
    let body = behind.trim_end();
    if body.len() > 400 {
        return;
    }
    let at = start + (line.len() - behind.len());
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
        let part = part.split(['[', '{', '(']).next().unwrap_or(part);
        let part = part.trim().trim_end_matches('.');
        if !is_state_name(part) {
            return;
        }
        states.push(part);
    }
    if states.len() > 2 {
        event.clear();
    }
    for pair in states.windows(2) {
        machine.transition(pair[0], pair[1], &event, at..at + body.len());
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
