//! Rules for state machines: states that nothing reaches, that nothing leaves, and events with two outcomes.

use std::collections::{BTreeMap, BTreeSet};

use gapless_domain::Severity;

use crate::facts::{Machine, Transition};
use crate::rule::Found;
use crate::{Facts, Rule, Topic};

pub static STATE_UNREACHABLE: Rule = Rule {
    id: "state-unreachable",
    category: "STATE",
    severity: Severity::Medium,
    title: "How is the state reached?",
    reason: "Either the state is not needed, or the transition into it is missing.",
    suggestion: "add the transition that leads to it, or take the state away",
    topic: Topic::StateMachine,
    bad: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send\nsent --> closed : pay\nheld --> sent : release\n```",
        "## States\n\n| from | event | to |\n|---|---|---|\n| draft | send | sent |\n| sent | pay | closed |\n| held | release | sent |",
        "## Order states\n\nAn order is in one of the states `draft`, `sent`, `held` and `closed`.\n\n- `draft` -> `sent`: on send\n- `sent` -> `closed`: on payment",
    ],
    good: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send\nsent --> closed : pay\nsent --> held : hold\nheld --> sent : release\n```",
        "## Flow\n\n```\na -> b\n```",
    ],
    check: unreachable,
};

pub static STATE_DEAD_END: Rule = Rule {
    id: "state-dead-end",
    category: "STATE",
    severity: Severity::Medium,
    title: "What leaves the state, or is it an end?",
    reason: "What gets there stays there for ever, unless the spec says that it is meant to.",
    suggestion: "add the transitions that leave it, or say that it is terminal",
    topic: Topic::StateMachine,
    bad: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send\nsent --> closed : pay\nsent --> held : hold\n```",
        "## States\n\n| from | event | to |\n|---|---|---|\n| draft | send | sent |\n| sent | pay | closed |\n| sent | hold | held |",
    ],
    good: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send\nsent --> closed : pay\nsent --> held : hold\nheld --> [*]\n```",
        "## States\n\nThe state `held` is terminal.\n\n| from | event | to |\n|---|---|---|\n| draft | send | sent |\n| sent | pay | closed |\n| sent | hold | held |",
    ],
    check: dead_ends,
};

pub static STATE_AMBIGUOUS: Rule = Rule {
    id: "state-ambiguous",
    category: "STATE",
    severity: Severity::High,
    title: "Which of the two states follows?",
    reason: "Which of the two happens is left to chance or to whoever implements it.",
    suggestion: "give each transition the condition under which it is taken",
    topic: Topic::StateMachine,
    bad: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send\ndraft --> closed : send\nsent --> closed : pay\n```",
        "## States\n\n| from | event | to |\n|---|---|---|\n| draft | send | sent |\n| draft | send | failed |\n| sent | pay | closed |",
    ],
    good: &[
        "## States\n\n```mermaid\nstateDiagram-v2\n[*] --> draft\ndraft --> sent : send [valid]\ndraft --> closed : send [invalid]\nsent --> closed : pay\n```",
        "## States\n\n| from | event | guard | to |\n|---|---|---|---|\n| draft | send | valid | sent |\n| draft | send | invalid | failed |\n| sent | pay | | closed |",
    ],
    check: ambiguous,
};

fn name<'m>(machine: &'m Machine, key: &'m str) -> &'m str {
    machine.states.get(key).map_or(key, |(shown, _)| shown)
}

fn unreachable(facts: &Facts<'_>, found: &mut Found) {
    for machine in &facts.machines {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Transition { from, to, .. } in &machine.transitions {
            next.entry(from).or_default().push(to);
        }
        let mut reached: BTreeSet<&str> = machine.initial.iter().map(String::as_str).collect();
        let mut open: Vec<&str> = reached.iter().copied().collect();
        while let Some(state) = open.pop() {
            for to in next.get(state).into_iter().flatten() {
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        let entered: BTreeSet<&str> = moves(machine).map(|t| t.to.as_str()).collect();
        let mut unreached: Vec<&String> = machine.order.iter().collect();
        unreached.retain(|key| !reached.contains(key.as_str()) && is_name(key));
        let mut named = unreached.clone();
        named.retain(|key| !entered.contains(key.as_str()));
        // What only unreachable states lead to follows from those; of a circle, the first is named.
        if named.is_empty() {
            named.extend(unreached.first());
        }
        for key in named {
            if let Some((shown, span)) = machine.states.get(key) {
                let message =
                    format!("no transition leads to the state `{shown}`: how is it reached?");
                found.at(span.clone(), message).keyed(key.clone());
            }
        }
    }
}

/// Whether a cell names a state, and doesn't describe one: `the state it had`.
fn is_name(key: &str) -> bool {
    let described = ["the ", "any ", "previous", "same", "its ", "whatever"];
    !described.iter().any(|word| key.starts_with(word))
}

/// The transitions that lead to another state.
fn moves(machine: &Machine) -> impl Iterator<Item = &Transition> {
    machine.transitions.iter().filter(|t| t.from != t.to)
}

fn dead_ends(facts: &Facts<'_>, found: &mut Found) {
    for machine in facts.machines.iter().filter(|machine| !machine.leaves_any) {
        let left: BTreeSet<&str> = moves(machine).map(|t| t.from.as_str()).collect();
        let entered: BTreeSet<&str> = machine.transitions.iter().map(|t| t.to.as_str()).collect();
        let mut stuck: Vec<&String> = machine.order.iter().collect();
        stuck.retain(|key| {
            entered.contains(key.as_str())
                && !left.contains(key.as_str())
                && !machine.terminal.contains(*key)
                && is_name(key)
        });
        // One word for all: several at once are most likely ends that nobody called so.
        let Some((_, span)) = stuck.first().and_then(|key| machine.states.get(*key)) else {
            continue;
        };
        let named = stuck.iter().take(5);
        let named = named.map(|key| format!("`{}`", name(machine, key)));
        let names: Vec<String> = named.collect();
        let listed = names.join(", ");
        let message = match stuck.len() {
            1 => {
                format!("nothing leaves the state {listed}: is it an end, or what leads out of it?")
            }
            count => {
                let more = if count > names.len() {
                    " and others"
                } else {
                    ""
                };
                format!(
                    "nothing leaves the states {listed}{more}: are they ends, or what leads out of them?"
                )
            }
        };
        found.at(span.clone(), message).keyed(names.join(" "));
    }
}

fn ambiguous(facts: &Facts<'_>, found: &mut Found) {
    for machine in &facts.machines {
        let mut outcomes: BTreeMap<(&String, &String), &String> = BTreeMap::new();
        for transition in machine.transitions.iter().filter(|t| !t.event.is_empty()) {
            let Transition {
                from,
                to,
                event,
                span,
            } = transition;
            let first = outcomes.entry((from, event)).or_insert(to);
            if *first != to {
                let message = format!(
                    "`{event}` leads from `{}` to `{}` and to `{}`: which one, and when?",
                    name(machine, from),
                    name(machine, first),
                    name(machine, to)
                );
                let remark = found.at(span.clone(), message);
                remark.keyed(format!("{from} {event}"));
            }
        }
    }
}
