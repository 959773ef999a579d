//! `gapless show`: a round with its documents and attempts.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use gapless_domain::{Role, TextHash, Texts, Usage, human_millis};
use gapless_runner::{Logged, decode_rows};
use gapless_session::attempt_record::attempt_records;
use gapless_session::state::{Attempt, document_path};
use gapless_session::{AttemptRecord, Event, Happening, RoundEvent, State, TaskEvent, apply};
use gapless_store::Store;
use gapless_views::documents;
use serde_json::{Value, json as value};

use crate::output::wording;
use crate::{
    Context, Exit, Failure, Kind, OpenSession, Result, Screen, Tone, json, open_session, plain,
    tables,
};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The round; 0 is discovery
    pub(crate) round: u32,
    /// Print this document of the round
    document: Option<Document>,
    /// Print this attempt: its prompt, what the agent wrote, and what came of it
    #[arg(long, value_name = "ATTEMPT", conflicts_with = "document")]
    attempt: Option<String>,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Document {
    Analyst,
    Engineer,
    Reviewer,
    Editor,
    Summary,
    FinalReview,
}

impl Document {
    fn path(self, round: u32) -> String {
        let role = match self {
            Document::Analyst => Role::Analyst,
            Document::Engineer => Role::Engineer,
            Document::Reviewer => Role::Reviewer,
            Document::Editor => Role::Editor,
            Document::FinalReview => Role::FinalReviewer,
            Document::Summary => return format!("round_{round:03}/summary.md"),
        };
        document_path(role, round)
    }
}

/// How much of an agent's name a table has room for.
const AGENT_WIDTH: usize = 24;

/// The documents and attempts of a round.
#[derive(Default)]
struct Round {
    documents: BTreeMap<Document, Arc<str>>,
    attempts: Vec<Attempt>,
}

pub(crate) fn run(context: &Context, args: &ShowArgs) -> Result<Exit> {
    let opened = open_session(context, args.session.as_deref())?;
    let latest = opened.state().now.round.number;
    if args.round > latest {
        let message = format!("there is no round {} yet", args.round);
        return Err(Failure::new(Kind::Usage, message).hint(format!("the latest is {latest}")));
    }
    let rows = opened.session.store().read(opened.name.as_str())?;
    let round = read_round(&decode_rows(&rows)?, args.round, opened.session.store())?;
    match (args.document, &args.attempt) {
        (Some(document), _) => print_document(context, &opened, args.round, &round, document),
        (None, Some(name)) => print_attempt(context, &opened, args.round, &round, name),
        (None, None) => list(context, &opened, args.round, &round),
    }
}

fn read_round(events: &[Logged], wanted: u32, texts: &dyn Texts) -> Result<Round> {
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
                    RoundEvent::Edited {
                        editor: Some(_), ..
                    } => Document::Editor,
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
                if state.now.round.number == wanted {
                    round.attempts.clone_from(&state.now.round.attempts);
                }
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
    ) -> Result<()> {
        let written = documents::of_moment(state, event, texts)
            .map_err(|error| Failure::new(Kind::Store, error.to_string()))?;
        if let Some(written) = written {
            self.documents.insert(document, written.text);
        }
        Ok(())
    }
}

fn print_attempts(context: &Context, round: &Round) {
    let screen = &context.screen;
    if round.attempts.is_empty() {
        screen.line(&screen.paint(Tone::Faint, "No agent ran here in this round."));
        return;
    }
    let header = [
        "Attempt", "Agent", "Gaps", "Verdict", "Time", "Tokens", "Message",
    ];
    let rows = attempt_records(&round.attempts).into_iter().map(|record| {
        let time = record.usage.map(|usage| human_millis(usage.millis));
        [
            tables::text(&record.name),
            tables::text(&plain::shortened(&record.agent, AGENT_WIDTH)),
            tables::text(&gaps(&record)),
            tables::text(&record.verdict_words()),
            tables::text(&time.unwrap_or_default()),
            tables::text(&record.usage.map_or(String::new(), tokens)),
            tables::text(&message(&record)),
        ]
    });
    tables::print(screen, header, &[0, 3, 4, 5], rows);
}

fn list(context: &Context, opened: &OpenSession, number: u32, round: &Round) -> Result<Exit> {
    let screen = &context.screen;
    if screen.is_json() {
        let documents: Vec<Value> = round
            .documents
            .iter()
            .map(|(document, text)| value!({ "path": document.path(number), "hash": TextHash::of(text) }))
            .collect();
        let attempts: Vec<Value> = attempt_records(&round.attempts)
            .iter()
            .map(as_json)
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
    print_attempts(context, round);
    if let Some(last) = attempt_records(&round.attempts).last() {
        let (attempt, session) = (&last.name, &opened.name);
        let command = format!("show {number} --attempt {attempt} --session {session}");
        let command = opened.workspace.command(context, &command);
        let text = format!("One of them whole: {command}");
        screen.line(&screen.paint(Tone::Faint, text));
    }
    let folder = opened.workspace.folder(&opened.name);
    for document in round.documents.keys() {
        let path = folder.root().join(document.path(number));
        screen.line(&path.to_string_lossy());
    }
    Ok(Exit::Done)
}

fn print_document(
    context: &Context,
    opened: &OpenSession,
    number: u32,
    round: &Round,
    document: Document,
) -> Result<Exit> {
    let path = document.path(number);
    let Some(text) = round.documents.get(&document) else {
        let paths = round.documents.keys().map(|document| document.path(number));
        let hint = wording::there_are(paths, "the round has no document yet");
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

fn as_json(record: &AttemptRecord) -> Value {
    let mut document = value!(record);
    document["millis"] = record.usage.map_or(0, |usage| usage.millis).into();
    document
}

fn gaps(record: &AttemptRecord) -> String {
    let gaps: Vec<String> = record.gaps.iter().map(ToString::to_string).collect();
    gaps.join(" ")
}

/// The message of an attempt, or the codes of its warnings.
fn message(record: &AttemptRecord) -> String {
    match record.message.is_empty() {
        false => record.message.clone(),
        true => wording::list(record.warnings.iter().map(|warning| &warning.code)),
    }
}

/// Tokens read and written, as far as they are known.
fn tokens(usage: Usage) -> String {
    let count = |tokens: Option<String>| tokens.unwrap_or_else(|| "?".to_owned());
    match (usage.tokens_in(), usage.tokens_out()) {
        (None, None) => "-".to_owned(),
        (read, written) => format!("{} + {}", count(read), count(written)),
    }
}

/// Finds an attempt by its name; one of the first slot also by its first gap, as its neighbours are called.
fn find(attempts: &[Attempt], name: &str) -> Result<usize> {
    let records = attempt_records(attempts);
    let exact = records.iter().position(|record| record.name == name);
    let by_gap = || {
        records.iter().position(|record| {
            record.gaps.first().is_some_and(|gap| {
                name == format!("{}-{gap}-{}", record.role.stem(), record.attempt)
            })
        })
    };
    exact.or_else(by_gap).ok_or_else(|| {
        let names = records.iter().map(|record| &record.name);
        let hint = wording::there_are(names, "the round has no attempt yet");
        Failure::new(Kind::Usage, format!("there is no attempt `{name}`")).hint(hint)
    })
}

fn print_attempt(
    context: &Context,
    opened: &OpenSession,
    number: u32,
    round: &Round,
    name: &str,
) -> Result<Exit> {
    let index = find(&round.attempts, name)?;
    let (attempt, record) = (
        &round.attempts[index],
        &attempt_records(&round.attempts)[index],
    );
    let text = |hash: &TextHash| {
        let missing = || Failure::new(Kind::Store, format!("the log has no text {hash}"));
        opened.session.store().text(hash).ok_or_else(missing)
    };
    let prompt = text(&attempt.prompt)?;
    let end = attempt.finished.as_ref();
    let output = end.and_then(|end| end.written()).map(text).transpose()?;
    let screen = &context.screen;
    if screen.is_json() {
        let mut document = as_json(record);
        document["session"] = opened.name.as_str().into();
        document["round"] = number.into();
        document["prompt"] = prompt.as_ref().into();
        document["output"] = output.as_deref().into();
        json::print(&document);
        return Ok(Exit::Done);
    }
    let title = format!("{} of round {number} of {}", record.name, opened.name);
    screen.line(&screen.paint(Tone::Strong, title));
    show_details(screen, record);
    let absent = match end {
        Some(_) => "(no document)",
        None => "(none yet)",
    };
    for (what, text) in [
        ("Prompt", prompt.as_ref()),
        ("Output", output.as_deref().unwrap_or(absent)),
    ] {
        let rule = "─".repeat(screen.width().min(100).saturating_sub(what.len() + 5));
        screen.line("");
        screen.line(&screen.paint(Tone::Strong, format!("─── {what} {rule}")));
        screen.line(plain::clean(text).trim_end());
    }
    Ok(Exit::Done)
}

fn show_details(screen: &Screen, record: &AttemptRecord) {
    let say = |what: &str, text: &str| {
        if !text.is_empty() {
            screen.line(&format!("{what:<10}{}", plain::one_line(text)));
        }
    };
    say("Agent", &record.agent);
    say("Gaps", &gaps(record));
    say("Verdict", &record.verdict_words());
    say("Message", &record.message);
    for warning in &record.warnings {
        let line = wording::at_line(warning.line);
        let text = format!("{}: {}{line}", warning.code, warning.message);
        say("Warning", &text);
    }
    say("Started", &record.started_at);
    if let Some(usage) = record.usage {
        say("Time", &human_millis(usage.millis));
        say("Tokens", &tokens(usage));
        if let Some(cost) = usage.cost() {
            say("Cost", &cost);
        }
    }
}
