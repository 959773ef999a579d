//! What holds of anything that users say, at any point of a session: it is refused and nothing has changed, or taken and the
//! log is one that gapless could have; a session never stands where neither it nor anybody can go on.

use gapless_domain::{
    Answer, DecidedBy, ExecutionError, ExecutionErrorKind, GapId, Question, Role, Severity, Task,
    Usage,
};
use gapless_mediator::next;
use gapless_mediator::{GapCommand, Incoming, IssueCommand, Step, UserInput};
use gapless_session::{State, apply};

use crate::input::Input;
use crate::sessions::{Session, proposal, review, start};

const SOURCE: &str = "# A lamp\n\n## Looks\n\nIt is nice.\n\n## Open\n\n\
    - GAP-COL-001 [CRITICAL]: the colour is missing\n\
    - GAP-HGT-001 [HIGH]: how high it is\n\
    - GAP-PRC-001 [LOW] (blocked by: GAP-HGT-001): what it costs\n\
    - GAP-SWI-001 [MEDIUM]: where the switch is\n";

/// How much is done in one session.
const MOST_STEPS: usize = 60;

/// A session in which anything may be said.
pub fn answers(data: &[u8]) {
    let mut input = Input::new(data);
    let mut session = Session::default();
    let mut begin = start(SOURCE);
    let shape = input.byte();
    begin.met.config.gaps_per_round = 1 + u32::from(shape & 3);
    begin.met.config.max_retries = u32::from(shape >> 2 & 1);
    begin.met.config.max_rounds = Some(1 + u32::from(shape >> 3 & 7));
    begin.met.config.auto_extend = shape & 0x40 != 0;
    let started = session.feed(Incoming::Start(Box::new(begin)));
    assert!(started.is_ok(), "{started:?}");
    for _ in 0..MOST_STEPS {
        if input.is_empty() {
            break;
        }
        go_on(&mut session);
        step(&mut session, &mut input);
    }
    go_on(&mut session);
    session.assert_documents();
    let mut replayed = State::default();
    let events = session.events.iter();
    events.for_each(|event| apply(&mut replayed, event));
    assert_eq!(replayed, session.state, "the log folds to another state");
}

/// Lets the core go on alone for as long as it can. It says so itself: then it must.
fn go_on(session: &mut Session) {
    for _ in 0..200 {
        match next(&session.state) {
            Step::Advance => {
                let gone_on = session.feed(Incoming::Advance);
                assert!(gone_on.is_ok(), "it says that it can go on: {gone_on:?}");
            }
            Step::Await { questions, until } => {
                let waits = !questions.is_empty() || until.is_some();
                assert!(waits, "it waits for nothing");
                for id in &questions {
                    let waits = session.state.now.questions.contains_key(id);
                    assert!(waits, "{id} does not wait");
                }
                match until {
                    Some(until) if questions.is_empty() => session.clock = session.clock.max(until),
                    _ => return,
                }
                let woken = session.feed(Incoming::Advance);
                assert!(woken.is_ok(), "its time has come: {woken:?}");
            }
            Step::Run { tasks, .. } => {
                assert!(!tasks.is_empty());
                return;
            }
            Step::Rest(_) => return,
        }
    }
    panic!("it goes on for ever");
}

/// One thing that comes in.
fn step(session: &mut Session, input: &mut Input) {
    let what = input.byte();
    let tasks = match next(&session.state) {
        Step::Run { tasks, .. } => tasks,
        _ => Vec::new(),
    };
    match (what % 8, tasks.first()) {
        (0 | 1, Some(task)) => output(session, input, task),
        (2, Some(task)) => {
            let error = ExecutionError::new(ExecutionErrorKind::Provider, "it fell over");
            let failed = Incoming::Failed {
                task: task.id,
                error,
                unfinished: None,
                usage: Usage::default(),
            };
            let taken = session.feed(failed);
            assert!(taken.is_ok(), "a failure was refused: {taken:?}");
        }
        (3, _) => {
            let said: Result<UserInput, _> = serde_json::from_slice(input.bytes());
            if let Ok(said) = said {
                say(session, said);
            }
        }
        (4, _) => {
            let command = command(session, input);
            say(session, command);
        }
        _ => answer(session, input),
    }
}

fn output(session: &mut Session, input: &mut Input, task: &Task) {
    let kind = input.byte();
    let round = task.id.round;
    let text = match (kind % 4, task.id.slot.role) {
        (0, _) => input.some_text(),
        (_, Role::Engineer) => Some(proposal(&task.gaps, kind)),
        (_, Role::Reviewer) => Some(review(&task.gaps, round, kind)),
        (_, Role::FinalReviewer) if kind & 4 == 0 => {
            Some("## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n".to_owned())
        }
        _ => input.some_text(),
    };
    let output = Incoming::Output {
        task: task.id,
        text,
        earlier: Vec::new(),
        notes: Vec::new(),
        usage: Usage::default(),
    };
    let taken = session.feed(output);
    assert!(taken.is_ok(), "an output was refused: {taken:?}");
}

/// Says something. What is refused changes nothing, and is refused again.
fn say(session: &mut Session, said: UserInput) {
    let json = serde_json::to_string(&said).unwrap_or_default();
    let read: Result<UserInput, _> = serde_json::from_str(&json);
    assert_eq!(read.ok().as_ref(), Some(&said), "{json}");
    let before = session.events.len();
    if let Err(refusal) = session.feed(Incoming::User(said.clone())) {
        assert_eq!(session.events.len(), before);
        let again = session.feed(Incoming::User(said));
        assert_eq!(again, Err(refusal), "refused, and then not");
    }
}

fn answer(session: &mut Session, input: &mut Input) {
    let waiting: Vec<Question> = session.state.now.questions.values().cloned().collect();
    let Some(question) = waiting.get(usize::from(input.byte()) % waiting.len().max(1)) else {
        return;
    };
    let json = serde_json::to_string(question).unwrap_or_default();
    let read: Result<Question, _> = serde_json::from_str(&json);
    assert_eq!(read.ok().as_ref(), Some(question), "{json}");
    let answer = any_answer(session, input, question);
    let fits = question.check(&answer);
    let before = session.events.len();
    let question = question.id;
    say(session, UserInput::Answer { question, answer });
    if session.events.len() > before {
        assert!(
            fits.is_ok(),
            "an answer that does not fit was taken: {fits:?}"
        );
        let waits = session.state.now.questions.contains_key(&question);
        assert!(!waits, "{question} still waits");
    }
}

/// An answer that may fit or not: any option, and fields with anything in them.
fn any_answer(session: &Session, input: &mut Input, question: &Question) -> Answer {
    let pick = input.byte();
    let nth = usize::from(pick & 0x7f) % (question.options.len() + 1);
    let option = match question.options.get(nth) {
        Some(choice) => choice.label.clone(),
        None => input.text(),
    };
    let by = match pick & 0x80 {
        0 => DecidedBy::User,
        _ => DecidedBy::Policy,
    };
    let mut answer = Answer::of(&option, by);
    for field in &question.fields {
        let value = match input.byte() % 6 {
            0 => continue,
            1 => {
                let told = field.exactly.as_ref().or(field.suggested.as_ref());
                told.cloned().unwrap_or_default()
            }
            2 => gap(session, input),
            3 => format!("{}, {}", gap(session, input), gap(session, input)),
            4 => "because it is so".to_owned(),
            _ => input.text(),
        };
        answer.fields.insert(field.name.clone(), value);
    }
    if input.byte() == 1 {
        answer.fields.insert(input.text(), input.text());
    }
    answer
}

fn gap(session: &Session, input: &mut Input) -> String {
    let gaps: Vec<_> = session.state.now.gaps.keys().collect();
    let gap = gaps.get(usize::from(input.byte()) % (gaps.len() + 1));
    gap.map_or_else(|| "GAP-NONE-001".to_owned(), ToString::to_string)
}

/// Any command. Which choices are read and in which order is fixed, so that inputs keep their meaning.
fn command(session: &Session, input: &mut Input) -> UserInput {
    let kind = input.byte() % 20;
    let severity = *input.one_of(&Severity::GRAVEST_FIRST);
    let nth = input.byte() % 8;
    let named = |input: &mut Input| gap(session, input).parse().ok();
    let (Some(gap), Some(by)) = (named(input), named(input)) else {
        return UserInput::Stop;
    };
    let mut issues = session.state.now.issues.keys().copied();
    let reason = || "a reason".to_owned();
    match (kind, issues.nth(usize::from(nth))) {
        (0, _) => UserInput::Pause,
        (1, _) => UserInput::Resume,
        (2, _) => UserInput::Stop,
        (3, _) => UserInput::Rollback {
            to: Some(u32::from(nth)),
            reason: reason(),
            adjust: Vec::new(),
        },
        (4, _) => UserInput::Rollback {
            to: None,
            reason: reason(),
            adjust: vec![input.text()],
        },
        (5, Some(issue)) => {
            let reason = reason();
            let command = IssueCommand::Waive { issue, reason };
            UserInput::Issue { command }
        }
        (6, Some(issue)) => UserInput::Issue {
            command: IssueCommand::Severity {
                issue,
                severity,
                reason: reason(),
            },
        },
        _ => match gap_command(input, kind, severity, gap, by) {
            Some(command) => UserInput::Gap { command },
            None => UserInput::Abandon,
        },
    }
}

fn gap_command(
    input: &mut Input,
    kind: u8,
    severity: Severity,
    gap: GapId,
    by: GapId,
) -> Option<GapCommand> {
    let reason = "a reason".to_owned();
    let command = match kind {
        7 => GapCommand::Add {
            category: "NEW".to_owned(),
            severity,
            description: input.text(),
            section: None,
        },
        8 => GapCommand::Defer {
            gap,
            reason: input.text(),
        },
        9 => GapCommand::Resume { gap },
        10 => GapCommand::Close {
            gap,
            reason,
            sentence: input.some_text(),
        },
        11 => GapCommand::Reopen { gap, reason },
        12 => GapCommand::Confirm { gap },
        13 => GapCommand::Split {
            gap,
            into: vec![input.text(), input.text()],
        },
        14 => GapCommand::Severity {
            gap,
            severity,
            reason,
        },
        15 => GapCommand::Block { gap, by },
        16 => GapCommand::Unblock { gap, by },
        17 => GapCommand::Input {
            gap,
            text: input.text(),
            filled_in_by: None,
        },
        18 => GapCommand::Assign {
            gap,
            owner: input.text().parse().ok(),
            due: "2026-12-01".parse().ok(),
        },
        _ => return None,
    };
    Some(command)
}
