//! Taking records over: whatever they hold, what comes of it is a log that gapless could have written, and it goes on.
#![allow(clippy::unwrap_used)]

use gapless_domain::takeover::{RecordedRound, RecordedSession, RecordedText, Takeover};
use gapless_domain::task::Role;
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_mediator::{Import, Incoming, Input, Outcome, Rest, RunSettings, Start, Step};
use gapless_mediator::{handle, next};
use gapless_session::State;
use gapless_session::audit::follow;
use gapless_session::event::{Happening, SessionEvent};
use proptest::prelude::*;

const SOURCE: &str = "# A lamp\n\n## Looks\n\n- GAP-PRC-001 [LOW]: the price is missing\n\n\
     The base is settled. <!-- gapless: settled GAP-BASE-001 -->\n";

const STATUS: [&str; 14] = [
    "# Status\n\n",
    "**Status:** DONE\n\n",
    "### HIGH\n\n| ID | What | State |\n|--|--|--|\n| GAP-COL-001 | colour | RESOLVED |\n| GAP-BASE-001 | base | OPEN |\n\n",
    "| ID | What | State | Severity |\n|--|--|--|--|\n| GAP-HGT-001 | height | DEFERRED | CRITICAL |\n\n",
    "| GAP-HGT-001 | no table |\n\n",
    "- [x] **GAP-SWI-001**: switch\n- [ ] **GAP-SWI-002** [HIGH]: other switch\n\n",
    "- [ ] **GAP-COL-001**: colour - WONT_FIX\n\n",
    "- [ ] **GAP-NEW-001**: new - BLOCKED\n- [ ] **GAP-SPL-001**: split - SUPERSEDED\n\n",
    "- [ ] **GAP-SPL-001a**: part - IN PROGRESS\n- [ ] **GAP-HGT-001**: height - IN REVIEW\n\n",
    "## Issues\n\n- [ ] **ISSUE-LAMP-001** [CRITICAL]: on GAP-COL-001\n- [ ] **H-2**: on nothing\n\n",
    "## Open Questions\n\n- [ ] **OQ-001**: who?\n- [x] **OQ-001**: me\n- [ ] **TOOLONGACATEGORY-9**: what?\n\n",
    "## Decisions\n\n| Round | Decision |\n|--|--|\n| 1 | blue |\n\n",
    "```\n- [ ] **GAP-FEN-001**: in a fence\n",
    "\u{202e}- [ ] **GAP-ODD-001** [LOW]: odd\n",
];

const DECISIONS: [&str; 6] = [
    "# Decisions\n\n",
    "### Round 1: ISSUE-R1-001 (colour)\n**Decision:** blue\n**Rationale:** nice\n\n",
    "### Round 9: GAP-COL-001\n**Choice:** red\n\n",
    "## Round 0\n\n### Scope\n**Choice:** all\n\n",
    "| Round | Decision ID | Choice |\n|--|--|--|\n| 2 | OQ-001 | me |\n| x | | |\n\n",
    "### Musings\n\nOn lamps.\n\n",
];

const ENGINEER: [&str; 9] = [
    "# Round\n\n",
    "## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nBlue, by the norm.\n\n### New Gaps Introduced\n\n- GAP-NEW-001 [HIGH]: new\n- GAP-COL-001 [LOW]: something else entirely here\n\n",
    "## Gap Resolution: GAP-HGT-001\n\nForty-two.\n\n",
    "## Gap Resolution: GAP-UNK-001\n\nUnknown to all.\n\n",
    "## Gap Resolution: GAP-BASE-001\n\nSettled before.\n\n",
    "BLOCKED_NEEDS_INPUT: GAP-HGT-001: how high?\n\n",
    "## Response to ISSUE-R1-001\n\nIt is lacquered.\n\n",
    "## DISAGREE: ISSUE-R1-002\n\n**Reviewer Concern:** \"the height has no norm\"\n**Engineer Position:** it needs none\n**Rationale:** nobody measures\n\n",
    "```\n## Gap Resolution: GAP-SWI-001\n\nIn a fence.\n",
];

const REVIEWER: [&str; 8] = [
    "# Review\n\n",
    "## Review: GAP-COL-001\n\n### Critical Issues\n\n- **ISSUE-R1-001**: the colour fades\n\n",
    "## Review: GAP-HGT-001\n\n### High Priority\n\n- **ISSUE-R1-002**: the height has no norm\n- **CRIT-001**: no unit\n\n",
    "## Review: GAP-COL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- all\n\n",
    "## Review: GAP-UNK-002\n\n**NO_ISSUES_FOUND**\n\n",
    "### Medium Priority\n\n- something without a gap\n- **ISSUE-R1-001**: again (withdrawn)\n\n",
    "**Verdict:** APPROVED\n\n",
    "### New Gaps Identified\n\n- GAP-SPL-001 [LOW]: split\n- GAP-SPL-001a [LOW]: part\n\n",
];

fn text(parts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let part = 0..parts.len();
    proptest::collection::vec(part, 0..7)
        .prop_map(move |picked| picked.into_iter().map(|index| parts[index]).collect())
}

fn document(
    name: &'static str,
    parts: &'static [&'static str],
) -> impl Strategy<Value = Vec<RecordedText>> {
    let file = move |text| RecordedText {
        file: format!("{name}.md"),
        text,
    };
    proptest::collection::vec(text(parts).prop_map(file), 0..3)
}

fn round() -> impl Strategy<Value = RecordedRound> {
    let documents = (
        document("engineer", &ENGINEER),
        document("reviewer", &REVIEWER),
    );
    (0_u32..6, documents).prop_map(|(round, (engineer, reviewer))| RecordedRound {
        round,
        engineer,
        reviewer,
        summary: Vec::new(),
    })
}

fn record() -> impl Strategy<Value = RecordedSession> {
    let texts = (
        proptest::option::of(text(&STATUS)),
        proptest::option::of(text(&DECISIONS)),
    );
    (texts, proptest::collection::vec(round(), 0..5)).prop_map(|((status, decisions), rounds)| {
        RecordedSession {
            status,
            decisions,
            rounds,
            others: Vec::new(),
        }
    })
}

fn import(record: RecordedSession) -> Outcome {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "human".to_owned()));
    let what = Incoming::Import(Box::new(Import {
        start: Start {
            name: "lamp".to_owned(),
            source_path: "lamp.md".to_owned(),
            source: SOURCE.to_owned(),
            found: Vec::new(),
            met: RunSettings {
                agents: agents.into(),
                ..RunSettings::default()
            },
        },
        from: "record".to_owned(),
        record,
    }));
    let at = Time(1_768_228_200_000);
    handle(&State::default(), Input { at, what }, &TextMap::default()).unwrap()
}

fn takeover(outcome: &Outcome) -> Takeover {
    match &outcome.events.last().unwrap().what {
        Happening::Session(SessionEvent::Imported { takeover }) => (**takeover).clone(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn any_record_becomes_a_lawful_log_that_goes_on(record in record()) {
        let last = record.rounds.iter().map(|round| round.round).max();
        let outcome = import(record);
        let mut state = State::default();
        for event in &outcome.events {
            follow(&mut state, event).unwrap();
            let encoded = event.what.encode();
            let again = Happening::decode(&encoded.type_name, encoded.version, &encoded.body);
            prop_assert_eq!(again.unwrap(), event.what.clone());
        }
        prop_assert_eq!(state.now.round.number, last.unwrap_or(0));
        prop_assert_eq!(takeover(&outcome).rounds, last.unwrap_or(0));
        // It stands where the core can go on alone, or asks.
        let mut texts = outcome.texts;
        for _ in 0..3 {
            match next(&state) {
                Step::Advance => {
                    let input = Input { at: state.kept.clock, what: Incoming::Advance };
                    let Outcome { events, texts: more } = handle(&state, input, &texts).unwrap();
                    texts.extend(more);
                    for event in &events {
                        follow(&mut state, event).unwrap();
                    }
                }
                Step::Rest(rest) => prop_assert!(matches!(rest, Rest::Ended(_)), "{rest:?}"),
                Step::Run { .. } | Step::Await { .. } => break,
            }
        }
    }
}

#[test]
fn what_the_record_leaves_out_is_said() {
    let outcome = import(RecordedSession::default());
    let said = takeover(&outcome);
    assert_eq!(said.not_taken.len(), 1);
    assert_eq!(said.not_taken[0].file, "status.md");
    assert!(said.assumed.is_empty());
}
