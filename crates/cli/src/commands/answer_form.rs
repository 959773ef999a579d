//! `gapless answer --form`: takes in a form that people filled in, question by question, and says of each what came of it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use gapless_domain::{Answer, DecidedBy, Person};
use gapless_mediator::{GapCommand, Incoming, Refusal, Step, UserInput};
use gapless_reading::form::{Fault, Filled, FilledForm, Part, PartId, read_form};
use gapless_session::State;
use gapless_session::state::QuestionFate;
use gapless_views::form::{Finding, Repeats, Source, filled_in_by, judge};
use serde_json::{Value, json as value};

use crate::session::{Sent, report_end, send};
use crate::session_choice::driver;
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, Screen, Tone, json, open_session, plain,
};

/// The largest form that is read.
const LARGEST: u64 = 4 * 1024 * 1024;

/// How much of a text is repeated on a line.
const SHOWN: usize = 160;

/// What came of one question of a form.
struct Item {
    id: PartId,
    line: u32,
    came: Came,
}

enum Came {
    Empty,
    Taken { filled: Filled, by: Option<Person> },
    Repeated { first: u32 },
    NotTaken { faults: Vec<Fault> },
}

pub(crate) fn run(
    context: &Context,
    name: Option<&str>,
    file: &Path,
    is_dry_run: bool,
) -> Result<Exit> {
    let shown = shown(file);
    let text = read(context, file)?;
    let form = read_form(&text).map_err(|error| {
        let message = format!("{shown}: {error}");
        Failure::new(Kind::Usage, message).hint("take in one form at a time")
    })?;
    if form.parts.is_empty() {
        let message = format!("no question was found in {shown}");
        return Err(Failure::new(Kind::Usage, message).hint(
            "a form is what `gapless questions --export FILE` writes; each of its questions begins with a heading like `### Q-004`",
        ));
    }
    let named = name.or_else(|| form.sessions.first().map(|session| session.name.as_str()));
    let opened = open_session(context, named)?;
    let source = Source::of(opened.state(), opened.session.store());
    let repeats = Repeats::of(&form, opened.state(), &source);
    let mut taking = Taking {
        context,
        form: &form,
        source,
        repeats,
        opened,
        is_dry_run,
        is_driven: false,
    };
    let mut items = Vec::new();
    for part in &form.parts {
        match taking.take(part) {
            Ok(came) => items.push(Item {
                id: part.id.clone(),
                line: part.line,
                came,
            }),
            // What was taken before stays taken, and is said.
            Err(failure) => {
                context.screen.lines(lines(&context.screen, &items));
                return Err(failure);
            }
        }
    }
    report(&taking, &shown, &items)
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn shown(file: &Path) -> String {
    match is_stdin(file) {
        true => "stdin".to_owned(),
        false => plain::one_line(&file.to_string_lossy()),
    }
}

/// Reads a form: a text of a bounded length.
fn read(context: &Context, file: &Path) -> Result<String> {
    let is_stdin = is_stdin(file);
    let shown = shown(file);
    let wrong = |why: &str| Failure::new(Kind::Usage, format!("--form: {shown} {why}"));
    let unreadable = |error: &std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            wrong("is not there").hint("check the path")
        }
        _ => wrong(&format!("can't be read: {error}")).hint("check who may read it"),
    };
    let mut bytes = Vec::new();
    let read = match is_stdin {
        true => std::io::stdin()
            .lock()
            .take(LARGEST + 1)
            .read_to_end(&mut bytes),
        false => {
            let path = context.resolve(file);
            let found = std::fs::metadata(&path).map_err(|error| unreadable(&error))?;
            // Reading a device or a pipe may never end.
            if !found.is_file() {
                return Err(wrong("is no file").hint("name the file that came back"));
            }
            let file = File::open(&path).map_err(|error| unreadable(&error))?;
            file.take(LARGEST + 1).read_to_end(&mut bytes)
        }
    };
    read.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(wrong("is larger than 4 MB").hint("take in one form at a time"));
    }
    String::from_utf8(bytes).map_err(|_| {
        wrong("is not a text in UTF-8")
            .hint("save it as plain text in UTF-8, and not as a document or a picture")
    })
}

/// A form that is being taken in.
struct Taking<'f> {
    context: &'f Context,
    form: &'f FilledForm,
    source: Source,
    repeats: Repeats,
    opened: OpenSession,
    is_dry_run: bool,
    /// Another process drives the session and took something.
    is_driven: bool,
}

impl Taking<'_> {
    fn take(&mut self, part: &Part) -> Result<Came> {
        let state = self.opened.state();
        let filled = match judge(self.form, part, &self.repeats, state, &self.source) {
            Finding::Empty => return Ok(Came::Empty),
            Finding::Repeated(first) => return Ok(Came::Repeated { first }),
            Finding::Faulty(faults) => return Ok(Came::NotTaken { faults }),
            Finding::NotWaiting => {
                return Ok(not_taken(part.line, why_not_waiting(state, &part.id)));
            }
            Finding::Answer(filled) => filled,
        };
        let by = filled_in_by(self.form, part);
        let said = said(&part.id, &filled, by.clone());
        let refused = match self.is_dry_run {
            true => self.try_out(said),
            false => self.send(said)?,
        };
        Ok(match refused {
            Some(why) => not_taken(filled.line, why),
            None => Came::Taken { filled, by },
        })
    }

    /// Sends an answer to the session as `gapless answer` does; why it was refused, if it was.
    fn send(&mut self, said: UserInput) -> Result<Option<String>> {
        let (context, opened) = (self.context, &self.opened);
        match send(context, &opened.workspace, &opened.name, said) {
            Ok(sent) => self.is_driven |= matches!(sent, Sent::ToDriver(_)),
            Err(failure) if failure.kind == Kind::Refused && failure.exit == Exit::Unmet => {
                self.reopen()?;
                return Ok(Some(failure.message));
            }
            Err(failure) => return Err(failure),
        }
        self.reopen()?;
        Ok(None)
    }

    fn reopen(&mut self) -> Result<()> {
        let name = self.opened.name.as_str().to_owned();
        self.opened = open_session(self.context, Some(&name))?;
        Ok(())
    }

    /// Lets the core judge an answer, and what it does alone after it; nothing of that is written.
    fn try_out(&mut self, said: UserInput) -> Option<String> {
        let now = self.context.clock.now();
        let session = &mut self.opened.session;
        if let Err(refusal) = session.feed(now, Incoming::User(said)) {
            return Some(refusal.to_string());
        }
        while session.step() == Step::Advance {
            if let Err(refusal) = session.feed(now, Incoming::Advance) {
                return Some(refusal.to_string());
            }
        }
        None
    }
}

fn said(id: &PartId, filled: &Filled, by: Option<Person>) -> UserInput {
    match id {
        PartId::Question(question) => UserInput::Answer {
            question: *question,
            answer: Answer {
                option: filled.option.clone(),
                fields: filled.fields.clone(),
                by: DecidedBy::User,
                filled_in_by: by,
            },
        },
        PartId::Gap(gap) => UserInput::Gap {
            command: GapCommand::Input {
                gap: gap.clone(),
                text: filled.fields.values().cloned().collect(),
                filled_in_by: by,
            },
        },
    }
}

fn not_taken(line: u32, what: String) -> Came {
    Came::NotTaken {
        faults: vec![Fault { line, what }],
    }
}

/// Why nothing waits under an id.
fn why_not_waiting(state: &State, id: &PartId) -> String {
    match id {
        PartId::Question(id) => match state.kept.question_fates.get(id) {
            Some(QuestionFate::Answered) => Refusal::AlreadyAnswered(*id),
            Some(QuestionFate::Withdrawn(why)) => Refusal::Withdrawn {
                question: *id,
                why: why.clone(),
            },
            None => Refusal::UnknownQuestion(*id),
        }
        .to_string(),
        PartId::Gap(id) => match state.now.gaps.get(id) {
            Some(gap) => format!("{id} is {} and waits for no input", gap.state),
            None => Refusal::UnknownGap(id.clone()).to_string(),
        },
    }
}

impl Came {
    fn name(&self) -> &'static str {
        match self {
            Came::Empty => "not_filled_in",
            Came::Taken { .. } => "taken",
            Came::Repeated { .. } => "repeated",
            Came::NotTaken { .. } => "not_taken",
        }
    }
}

fn report(taking: &Taking<'_>, file: &str, items: &[Item]) -> Result<Exit> {
    let (context, opened) = (taking.context, &taking.opened);
    let screen = &context.screen;
    let count = |name: &str| items.iter().filter(|item| item.came.name() == name).count();
    let (taken, missed) = (count("taken"), count("not_taken"));
    let signatures = taking.form.signatures.iter();
    let unnamed: Vec<Fault> = signatures
        .filter_map(|signature| {
            let why = signature.person.as_ref().err()?;
            let what = format!("who filled it in is not kept: {why}");
            Some(Fault {
                line: signature.line,
                what,
            })
        })
        .collect();
    let title = format!("{file} for session {}", opened.name);
    screen.line(&screen.paint(Tone::Strong, plain::one_line(&title)));
    for fault in &unnamed {
        screen.line(&screen.paint(Tone::Bad, fault_line(fault)));
    }
    screen.lines(lines(screen, items));
    let verb = match taking.is_dry_run {
        true => "would be taken",
        false => "taken",
    };
    screen.line(&format!(
        "{taken} {verb}, {missed} not taken, {} not filled in",
        items.len() - taken - missed - count("repeated")
    ));
    let mut document = value!({
        "session": opened.name.as_str(),
        "form": file,
        "dry_run": taking.is_dry_run,
        "taken": taken,
        "not_taken": missed,
        "problems": unnamed.iter().map(fault).collect::<Vec<Value>>(),
        "items": items.iter().map(item).collect::<Vec<Value>>(),
    });
    let mut exit = Exit::Done;
    if taken > 0 && !taking.is_dry_run {
        exit = follow(taking, &mut document);
    }
    if screen.is_json() {
        json::print(&document);
    }
    Ok(match missed + unnamed.len() {
        0 => exit,
        _ => Exit::Unmet,
    })
}

/// Says what follows on what was taken.
fn follow(taking: &Taking<'_>, document: &mut Value) -> Exit {
    let (context, opened) = (taking.context, &taking.opened);
    let screen = &context.screen;
    let (name, state) = (&opened.name, opened.state());
    document["by"] = match taking.is_driven {
        true => "driver".into(),
        false => "this command".into(),
    };
    if state.kept.ended.is_some() {
        return report_end(opened.view(context), document);
    }
    let waiting = state.now.questions.len();
    if waiting > 0 {
        let questions = opened.view(context).command(&format!("questions {name}"));
        screen.line(&format!("{waiting} still wait: {questions}"));
    }
    document["waiting"] = waiting.into();
    if driver(&opened.workspace, name).is_none() {
        let resume = opened.view(context).command(&format!("resume {name}"));
        let shown = screen.paint(Tone::Info, &resume);
        screen.line(&format!("Go on with: {shown}"));
        document["next"] = resume.into();
    }
    Exit::Done
}

fn lines(screen: &Screen, items: &[Item]) -> Vec<String> {
    let mut lines = Vec::new();
    for Item { id, line, came } in items {
        let (tone, text) = match came {
            Came::Empty => (Tone::Faint, format!("· {id} (line {line}) not filled in")),
            Came::Repeated { first } => {
                let text = format!("· {id} (line {line}) as on line {first}");
                (Tone::Faint, text)
            }
            Came::Taken { filled, by } => {
                let fields = filled.fields.iter();
                let fields: Vec<String> = fields
                    .map(|(name, text)| format!("{name}: {}", plain::shortened(text, SHOWN)))
                    .collect();
                let fields = match fields.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", fields.join("; ")),
                };
                let by = by.as_ref().map_or(String::new(), |by| format!(", by {by}"));
                let text = format!("✓ {id} (line {line}) taken: {}{fields}{by}", filled.option);
                (Tone::Good, text)
            }
            Came::NotTaken { .. } => (Tone::Bad, format!("✗ {id} (line {line}) not taken")),
        };
        lines.push(screen.paint(tone, plain::one_line(&text)));
        match came {
            Came::NotTaken { faults } => lines.extend(faults.iter().map(fault_line)),
            Came::Taken { filled, .. } => lines.extend(filled.remark.iter().map(|remark| {
                let text = format!("“{}” is no part of the answer", remark.text);
                format!("    line {}: {}", remark.line, plain::one_line(&text))
            })),
            Came::Empty | Came::Repeated { .. } => {}
        }
    }
    lines
}

fn fault_line(fault: &Fault) -> String {
    format!("    line {}: {}", fault.line, plain::one_line(&fault.what))
}

fn fault(fault: &Fault) -> Value {
    value!({ "line": fault.line, "why": fault.what })
}

fn item(item: &Item) -> Value {
    let mut document = value!({
        "id": item.id.to_string(),
        "line": item.line,
        "outcome": item.came.name(),
    });
    match &item.came {
        Came::Empty => {}
        Came::Repeated { first } => document["as_on_line"] = (*first).into(),
        Came::Taken { filled, by } => {
            document["option"] = filled.option.as_str().into();
            document["fields"] = value!(filled.fields);
            document["filled_in_by"] = value!(by);
            if let Some(remark) = &filled.remark {
                document["remark"] = value!({ "line": remark.line, "text": remark.text });
            }
        }
        Came::NotTaken { faults } => {
            document["why"] = faults.iter().map(fault).collect::<Vec<Value>>().into();
        }
    }
    document
}
