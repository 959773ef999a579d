//! What holds of a record of another program's, status.md first: it can be read, and what is made of it is a session that
//! gapless could have had, goes on, and is written so that it reads back.

use gapless_domain::{RecordedRound, RecordedSession, RecordedText};
use gapless_markdown::Document;
use gapless_mediator::next;
use gapless_mediator::{Import, Incoming, Refusal, Rest, Step};
use gapless_reading::read::{read_decisions, read_foreign, read_status};

use crate::input::{Input, same_twice};
use crate::markdown::lines_of;
use crate::sessions::{Session, start};

const SOURCE: &str = "# A lamp\n\n## Looks\n\n- GAP-PRC-001 [LOW]: the price is missing\n\n\
     The base is settled. <!-- gapless: settled GAP-BASE-001 -->\n";

/// How many rounds a record has at most.
const MOST_ROUNDS: u8 = 4;

/// A status.md alone, or with decisions and rounds, as a record that is taken over.
pub fn status(data: &[u8]) {
    let mut input = Input::new(data);
    let shape = input.byte();
    let source = match shape & 1 {
        0 => SOURCE.to_owned(),
        _ => input.text(),
    };
    let record = recorded_session(&mut input, shape >> 1);
    let texts = record.status.iter().chain(&record.decisions);
    texts.for_each(|text| assert_read(text));

    let import = Import {
        start: start(&source),
        from: "record".to_owned(),
        record,
    };
    let mut session = Session::default();
    match session.feed(Incoming::Import(Box::new(import))) {
        Ok(()) => {}
        Err(Refusal::EmptySource | Refusal::DuplicateGap { .. } | Refusal::OutOfIds(_)) => return,
        Err(refusal) => panic!("a record was refused: {refusal}"),
    }
    session.assert_documents();
    assert_goes_on(&mut session);
    session.assert_documents();
}

fn recorded_session(input: &mut Input, shape: u8) -> RecordedSession {
    let status = input.text();
    let decisions = input.text_if(shape & 1 != 0);
    let mut rounds = Vec::new();
    for round in 1..=(shape >> 1) % (MOST_ROUNDS + 1) {
        let recorded = |role: &str, text: Option<String>| {
            let file = format!("round-{round}-{role}.md");
            Vec::from_iter(text.map(|text| RecordedText { file, text }))
        };
        rounds.push(RecordedRound {
            round: u32::from(round),
            engineer: recorded("engineer", input.some_text()),
            reviewer: recorded("reviewer", input.some_text()),
            summary: Vec::new(),
        });
    }
    RecordedSession {
        status: Some(status),
        decisions,
        rounds,
        others: Vec::new(),
    }
}

/// A session that was taken over goes on until agents run, a user is asked, or it has ended.
fn assert_goes_on(session: &mut Session) {
    for _ in 0..3 {
        match next(&session.state) {
            Step::Advance => {
                let gone_on = session.feed(Incoming::Advance);
                assert!(gone_on.is_ok(), "it does not go on: {gone_on:?}");
            }
            Step::Rest(rest) => {
                assert!(matches!(rest, Rest::Ended(_)), "{rest:?}");
                break;
            }
            Step::Run { .. } | Step::Await { .. } => break,
        }
    }
}

/// What is read of a record names places and ids that are there, each once.
fn assert_read(text: &str) {
    let document = Document::parse(text);
    let lines = lines_of(text);
    let is_line = |line: u32| assert!((1..=lines).contains(&line), "line {line} of {lines}");
    let reading = same_twice("read twice, and not the same", || read_status(&document));
    for (nth, entry) in reading.gaps.iter().enumerate() {
        let (gap, line) = (&entry.gap, entry.line);
        is_line(line);
        assert!(text.contains(&gap.to_string()), "{gap} stands nowhere");
        let first = reading.gap(gap).map(|first| first.line);
        assert_eq!(first, Some(line), "{gap} is read twice, entry {nth}");
    }
    for issue in &reading.issues {
        assert!(text.contains(&issue.to_string()), "{issue} stands nowhere");
    }
    for entry in read_foreign(&document) {
        is_line(entry.line);
        assert!(text.contains(&entry.name), "{} stands nowhere", entry.name);
    }
    let decisions = same_twice("read twice, and not the same", || read_decisions(&document));
    let made = decisions.decisions.iter();
    made.for_each(|decision| is_line(decision.line));
    decisions.unread.iter().for_each(|(line, _)| is_line(*line));
}
