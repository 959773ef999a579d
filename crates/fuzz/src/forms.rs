//! What holds of forms: one that is written asks for everything that waits and answers nothing, whatever agents wrote; what
//! comes back is read without a panic, and what is read of it is an answer that the question has.

use gapless_domain::{Answer, DecidedBy, Usage};
use gapless_mediator::{Incoming, Step, UserInput, next};
use gapless_reading::form::{FilledForm, PartId, read_form};
use gapless_views::form::{Finding, Form, Repeats, Source, form, judge};

use crate::input::Input;
use crate::sessions::{Session, start};

const SOURCE: &str = "# A lamp\n\n## Looks\n\nIt is nice.\n\n## Open\n\n\
    - GAP-COL-001 [CRITICAL]: the colour is missing\n\
    - GAP-HGT-001 [HIGH]: how high it is\n";

/// What an agent says it must know, how a form is filled in, and a text that is no form.
pub fn forms(data: &[u8]) {
    let mut input = Input::new(data);
    let (tick, with_text) = (input.byte(), input.yes());
    let said = input.text();
    let mut session = waiting(&said);
    let written = written(&session);
    assert_asks_and_answers_nothing(&session, &written);

    let typed = input.text();
    let filled = filled(&written.text, usize::from(tick), with_text, &typed);
    take(&mut session, &filled);
    take(&mut session, &input.rest_as_text());
}

/// A session that waits for what an agent says it must know.
fn waiting(said: &str) -> Session {
    let mut session = Session::default();
    let started = session.feed(Incoming::Start(Box::new(start(SOURCE))));
    assert!(started.is_ok(), "{started:?}");
    for _ in 0..40 {
        match next(&session.state) {
            Step::Advance => {
                let gone_on = session.feed(Incoming::Advance);
                assert!(gone_on.is_ok(), "{gone_on:?}");
            }
            Step::Run { tasks, .. } => {
                let Some(task) = tasks.first() else { break };
                let lines = task.gaps.iter();
                let lines = lines.map(|gap| format!("BLOCKED_NEEDS_INPUT: {gap} {said}\n\n"));
                let output = Incoming::Output {
                    task: task.id,
                    text: Some(lines.collect()),
                    earlier: Vec::new(),
                    notes: Vec::new(),
                    usage: Usage::default(),
                };
                let taken = session.feed(output);
                assert!(taken.is_ok(), "{taken:?}");
            }
            Step::Await { questions, .. } => {
                let inventory = questions
                    .first()
                    .filter(|_| session.state.now.round.number == 0);
                let Some(question) = inventory else { break };
                let answer = Answer::of("begin", DecidedBy::User);
                let question = *question;
                let said = UserInput::Answer { question, answer };
                if session.feed(Incoming::User(said)).is_err() {
                    break;
                }
            }
            Step::Rest(_) => break,
        }
    }
    session
}

fn written(session: &Session) -> Form {
    form(&session.state, &session.texts, "lamp", None, session.clock)
}

fn findings(session: &Session, form: &FilledForm) -> Vec<(PartId, Finding)> {
    let source = Source::of(&session.state, &session.texts);
    let repeats = Repeats::of(form, &session.state, &source);
    let parts = form.parts.iter();
    parts
        .map(|part| {
            let found = judge(form, part, &repeats, &session.state, &source);
            (part.id.clone(), found)
        })
        .collect()
}

fn assert_asks_and_answers_nothing(session: &Session, written: &Form) {
    assert!(!written.questions.is_empty(), "something waits");
    let quoted: Vec<String> = written
        .text
        .lines()
        .map(|line| format!("> {line}"))
        .collect();
    for text in [written.text.clone(), quoted.join("\n")] {
        let form = read_form(&text).unwrap_or_default();
        let parts: Vec<&PartId> = form.parts.iter().map(|part| &part.id).collect();
        let asked: Vec<&PartId> = written.questions.iter().collect();
        assert_eq!(parts, asked, "{text}");
        for (id, found) in findings(session, &form) {
            assert_eq!(found, Finding::Empty, "{id}: {text}");
        }
    }
    // However a mail breaks its lines.
    let broken = written.text.replace(' ', "\n");
    for part in read_form(&broken).unwrap_or_default().parts {
        assert!(!part.has_tick(), "{broken}");
        assert!(written.questions.contains(&part.id), "{broken}");
    }
}

/// The form with one of its boxes ticked, and a text behind a field of the same question.
fn filled(form: &str, nth: usize, with_text: bool, typed: &str) -> String {
    let boxes: Vec<usize> = form.match_indices("- [ ] **").map(|(at, _)| at).collect();
    let at = boxes[nth % boxes.len()];
    let mut text = format!("{}- [x]{}", &form[..at], &form[at + 5..]);
    if with_text && let Some(field) = text[at..].find("):\n") {
        text.insert_str(at + field + 3, typed);
    }
    text
}

/// Takes in what came back, as far as it is an answer.
fn take(session: &mut Session, text: &str) {
    let Ok(form) = read_form(text) else {
        return;
    };
    for (id, found) in findings(session, &form) {
        let (Finding::Answer(filled), PartId::Question(question)) = (found, id) else {
            continue;
        };
        let waiting = session.state.now.questions.get(&question);
        let Some(asked) = waiting.cloned() else {
            continue;
        };
        let mut answer = Answer::of(&filled.option, DecidedBy::User);
        answer.fields = filled.fields;
        assert_eq!(asked.check(&answer), Ok(()), "{text}");
        // What its fields mean is for the core to say.
        let said = UserInput::Answer { question, answer };
        let _refused = session.feed(Incoming::User(said));
    }
}
