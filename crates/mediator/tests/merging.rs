//! What the source declares and the scan finds in the same place is one gap, with the higher severity and both texts.
#![allow(clippy::unwrap_used)]

use gapless_domain::task::Role;
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_domain::{Origin, ScanFinding, Severity};
use gapless_mediator::{Incoming, Input, Outcome, RunSettings, Start, Step, handle, next};
use gapless_session::State;
use gapless_session::audit::follow;

const SOURCE: &str = "# A lamp\n\n## Open questions\n\n- OQ-1 [LOW]: Which price is TBD?\n";

fn found(severity: Severity) -> ScanFinding {
    ScanFinding {
        rule: "placeholder".to_owned(),
        topics: Vec::new(),
        category: "TBD".to_owned(),
        severity,
        description: "`TBD` stands for the price".to_owned(),
        section: Some("Open questions".to_owned()),
        line: 5,
        is_mark: true,
    }
}

/// A session on the source, as far as it goes by itself.
fn begun(found: ScanFinding) -> State {
    begun_on(SOURCE, vec![found])
}

fn begun_on(source: &str, found: Vec<ScanFinding>) -> State {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "actor".to_owned()));
    let start = Incoming::Start(Box::new(Start {
        name: "lamp".to_owned(),
        source_path: "lamp.md".to_owned(),
        source: source.to_owned(),
        found,
        met: RunSettings {
            agents: agents.into(),
            ..RunSettings::default()
        },
    }));
    let (mut state, mut texts) = (State::default(), TextMap::default());
    let mut what = start;
    loop {
        let at = Time::default();
        let outcome: Outcome = handle(&state, Input { at, what }, &texts).unwrap();
        texts.extend(outcome.texts);
        for event in &outcome.events {
            follow(&mut state, event).unwrap();
        }
        match next(&state) {
            Step::Advance => what = Incoming::Advance,
            _ => return state,
        }
    }
}

#[test]
fn the_graver_of_two_findings_counts_and_both_texts_are_kept() {
    let state = begun(found(Severity::High));
    let gaps: Vec<_> = state.now.gaps.values().collect();
    let [gap] = gaps.as_slice() else {
        panic!("{gaps:?}");
    };
    assert_eq!(gap.severity, Severity::High);
    assert_eq!(gap.description, "Which price is TBD?");
    let also: Vec<String> = gap.also_said().collect();
    assert_eq!(
        also,
        ["`TBD` stands for the price (section: Open questions)"]
    );
    assert!(matches!(
        gap.origins.as_slice(),
        [Origin::Source { line: 5 }, Origin::Scan { line: 5, .. }]
    ));
}

#[test]
fn a_lesser_finding_lowers_nothing() {
    let mut lesser = found(Severity::Low);
    lesser.description = "no price".to_owned();
    let state = begun(lesser);
    let severities: Vec<Severity> = state.now.gaps.values().map(|gap| gap.severity).collect();
    assert_eq!(severities, [Severity::Low]);
}

#[test]
fn the_question_about_the_inventory_says_what_was_merged() {
    let state = begun(found(Severity::High));
    let pending: Vec<String> = state
        .now
        .questions
        .values()
        .map(|question| question.context.clone())
        .collect();
    let said = pending.join("\n");
    assert!(said.contains("HIGH"), "{said}");
    assert!(
        said.contains("merged with: `TBD` stands for the price"),
        "{said}"
    );
    assert!(
        said.contains("the spec itself, line 5; scan: placeholder, line 5"),
        "{said}"
    );
}

#[test]
fn what_is_found_in_the_sentence_of_a_mark_is_the_marks_matter() {
    let source = "# A lamp\n\n## Price\n\n- **P1**: A lamp costs at most [NEEDS CLARIFICATION: which price]. Lamps are sent fast.\n";
    let finding = |rule: &str, severity, is_mark, description: &str| ScanFinding {
        rule: rule.to_owned(),
        is_mark,
        description: description.to_owned(),
        section: Some("Price".to_owned()),
        ..found(severity)
    };
    let found = vec![
        finding(
            "unnumbered-bound",
            Severity::Medium,
            false,
            "\"…A lamp costs at most [NEEDS CLARIFICATION: which price\": what is the value?",
        ),
        finding(
            "placeholder",
            Severity::High,
            true,
            "\"P1: A lamp costs at most [NEEDS CLARIFICATION: which price\": what is decided?",
        ),
        finding(
            "vague-qualifier",
            Severity::Low,
            false,
            "\"Lamps are sent fast\": how fast?",
        ),
    ];
    let state = begun_on(source, found);
    let mut gaps: Vec<(Severity, usize, usize)> = state
        .now
        .gaps
        .values()
        .map(|gap| (gap.severity, gap.origins.len(), gap.also.len()))
        .collect();
    gaps.sort();
    assert_eq!(gaps, [(Severity::Low, 1, 0), (Severity::High, 3, 2)]);
}
