//! `gapless show`: a round, its documents and its attempts with their verdicts, as the log has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use gapless_core::event::{Event, Happening, RoundEvent, TaskEvent};
use gapless_core::examples::ExampleUse;
use gapless_core::state::document_path;
use gapless_core::task::{Role, TaskId};
use gapless_core::text::{TextHash, Texts};
use gapless_core::time::human_millis;
use gapless_core::{State, apply, documents};
use gapless_runner::{Logged, decode_rows};
use gapless_store::Store;
use serde_json::{Value, json as value};

use crate::context::Context;
use crate::failure::{Exit, Failure, Kind};
use crate::session_choice::{Opened, open};
use crate::show::{json, plain, tables};

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The round; 0 is discovery
    pub round: u32,
    /// Print this document of the round
    pub document: Option<Document>,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Document {
    Analyst,
    Engineer,
    Reviewer,
    Summary,
    FinalReview,
}

impl Document {
    fn path(self, round: u32) -> String {
        let role = match self {
            Document::Analyst => Role::Analyst,
            Document::Engineer => Role::Engineer,
            Document::Reviewer => Role::Reviewer,
            Document::FinalReview => Role::FinalReviewer,
            Document::Summary => return format!("round_{round:03}/summary.md"),
        };
        document_path(role, round)
    }
}

/// What the log has of a round.
#[derive(Default)]
struct Round {
    documents: BTreeMap<Document, Arc<str>>,
    attempts: BTreeMap<TaskId, Attempt>,
}

#[derive(Default)]
struct Attempt {
    agent: String,
    gaps: Vec<String>,
    verdict: String,
    message: String,
    millis: u64,
    example: Option<ExampleUse>,
}

pub fn run(context: &Context, args: &ShowArgs) -> Result<Exit, Failure> {
    let opened = open(context, args.session.as_deref())?;
    let latest = opened.state().now.round.number;
    if args.round > latest {
        let message = format!("there is no round {} yet", args.round);
        return Err(Failure::new(Kind::Usage, message).hint(format!("the latest is {latest}")));
    }
    let rows = opened.session.store().read(opened.name.as_str())?;
    let round = read_round(&decode_rows(&rows)?, args.round, opened.session.store())?;
    match args.document {
        Some(document) => print_document(context, &opened, args.round, &round, document),
        None => list(context, &opened, args.round, &round),
    }
}

fn read_round(events: &[Logged], wanted: u32, texts: &dyn Texts) -> Result<Round, Failure> {
    let mut number = 0;
    let mut state = State::default();
    let mut round = Round::default();
    for Logged { event: logged, .. } in events {
        apply(&mut state, logged);
        match &logged.what {
            // A round that was rolled back and run again counts as it was last run.
            Happening::Round(RoundEvent::Began { round: began }) => {
                number = *began;
                if number == wanted {
                    round = Round::default();
                }
            }
            Happening::Round(event) if number == wanted => {
                let document = match event {
                    RoundEvent::Joined { .. } => Document::Engineer,
                    RoundEvent::Reviewed { .. } => Document::Reviewer,
                    RoundEvent::Accounted { .. } => Document::Summary,
                    RoundEvent::FinalReviewed { .. } => Document::FinalReview,
                    _ => continue,
                };
                round.keep(document, &state, logged, texts)?;
            }
            Happening::Task(event) => {
                let analysed = matches!(event, TaskEvent::Validated { task, .. }
                    if task.slot.role == Role::Analyst && task.round == wanted);
                if analysed {
                    round.keep(Document::Analyst, &state, logged, texts)?;
                }
                round.take(event, wanted);
            }
            _ => {}
        }
    }
    Ok(round)
}

impl Round {
    /// Keeps the document that belongs to the moment of an event.
    fn keep(
        &mut self,
        document: Document,
        state: &State,
        event: &Event,
        texts: &dyn Texts,
    ) -> Result<(), Failure> {
        let written = documents::of_moment(state, event, texts)
            .map_err(|error| Failure::new(Kind::Store, error.to_string()))?;
        if let Some(written) = written {
            self.documents.insert(document, written.text);
        }
        Ok(())
    }

    fn take(&mut self, event: &TaskEvent, wanted: u32) {
        let (id, verdict, message, millis) = match event {
            TaskEvent::Started { task } if task.id.round == wanted => {
                let attempt = self.attempts.entry(task.id).or_default();
                attempt.agent.clone_from(&task.agent);
                attempt.example.clone_from(&task.example);
                attempt.gaps = task.gaps.iter().map(ToString::to_string).collect();
                attempt.verdict = "UNDER_WAY".to_owned();
                return;
            }
            TaskEvent::Validated {
                task,
                warnings,
                usage,
                ..
            } => {
                let codes: Vec<&str> = warnings.iter().map(|w| w.code.as_str()).collect();
                (task, "VALID", codes.join(", "), usage.millis)
            }
            TaskEvent::Rejected {
                task,
                failure,
                message,
                usage,
                ..
            } => (task, failure.name(), message.clone(), usage.millis),
            TaskEvent::Failed {
                task, error, usage, ..
            } => (task, "EXECUTION_ERROR", error.message.clone(), usage.millis),
            TaskEvent::Exhausted {
                task,
                message,
                usage,
                ..
            } => (task, "EXHAUSTED", message.clone(), usage.millis),
            _ => return,
        };
        if let Some(attempt) = self.attempts.get_mut(id) {
            attempt.verdict = verdict.to_owned();
            attempt.message = message;
            attempt.millis = millis;
        }
    }
}

fn list(context: &Context, opened: &Opened, number: u32, round: &Round) -> Result<Exit, Failure> {
    let screen = &context.screen;
    if screen.is_json() {
        let documents: Vec<Value> = round
            .documents
            .iter()
            .map(|(document, text)| value!({ "path": document.path(number), "hash": TextHash::of(text) }))
            .collect();
        let attempts: Vec<Value> = round
            .attempts
            .iter()
            .map(|(id, attempt)| {
                value!({
                    "role": id.slot.role,
                    "slot": id.slot.index,
                    "attempt": id.attempt,
                    "agent": attempt.agent,
                    "gaps": attempt.gaps,
                    "verdict": attempt.verdict,
                    "message": attempt.message,
                    "millis": attempt.millis,
                    "example": attempt.example,
                })
            })
            .collect();
        json::print(&value!({
            "session": opened.name.as_str(),
            "round": number,
            "documents": documents,
            "attempts": attempts,
        }));
        return Ok(Exit::Done);
    }
    screen.line(&format!("Round {number} of {}", opened.name));
    let header = ["Role", "Attempt", "Gaps", "Verdict", "Time", "Message"];
    let mut table = tables::table(screen, &header);
    for (id, attempt) in &round.attempts {
        table.add_row([
            tables::text(id.slot.role.name()),
            tables::number(id.attempt),
            tables::text(&attempt.gaps.join(" ")),
            tables::text(&attempt.verdict),
            tables::text(&human_millis(attempt.millis)),
            tables::text(&attempt.message),
        ]);
    }
    tables::keep_whole(&mut table, &[0, 1, 3, 4]);
    tables::print(screen, &table);
    let folder = opened.workspace.folder(&opened.name);
    for document in round.documents.keys() {
        let path = folder.root().join(document.path(number));
        screen.line(&path.to_string_lossy());
    }
    Ok(Exit::Done)
}

fn print_document(
    context: &Context,
    opened: &Opened,
    number: u32,
    round: &Round,
    document: Document,
) -> Result<Exit, Failure> {
    let path = document.path(number);
    let Some(text) = round.documents.get(&document) else {
        let there: Vec<String> = round.documents.keys().map(|d| d.path(number)).collect();
        let hint = match there.is_empty() {
            true => "the round has no document yet".to_owned(),
            false => format!("there are: {}", there.join(", ")),
        };
        return Err(Failure::new(Kind::Usage, format!("there is no {path}")).hint(hint));
    };
    match context.screen.is_json() {
        true => json::print(&value!({
            "session": opened.name.as_str(),
            "round": number,
            "path": path,
            "text": text.as_ref(),
        })),
        false => context.screen.line(plain::clean(text).trim_end()),
    }
    Ok(Exit::Done)
}
