//! `gapless doctor`: says what of the database and the sessions' files is damaged, and saves what can be saved.

use std::path::{Path, PathBuf};

use clap::Args;
use gapless_runner::{Diagnosis, Found, SessionFinding, diagnose, save};
use gapless_store::{Repair, SessionLock, SessionName, SqliteStore, StoreError};
use serde_json::{Value, json as value};

use crate::output::wording::count;
use crate::session::this_process;
use crate::{Context, Exit, Failure, Kind, Result, Screen, Tone, Workspace, json, plain};

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Save what can be saved into a new database; the damaged one is kept in .gapless/damaged-1
    #[arg(long)]
    repair: bool,
}

impl DoctorArgs {
    /// Whether it replaces the database.
    pub(super) fn changes(&self) -> bool {
        self.repair
    }
}

/// What a repair came to.
struct Repaired {
    /// Where the damaged database is now.
    kept: PathBuf,
    /// Letters to the sessions that were not taken along.
    letters: u32,
}

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<Exit> {
    let workspace = Workspace::existing(context)?;
    let file = workspace.database();
    let repair = Repair::of(&file);
    if args.repair && repair.is_under_way() {
        let kept = repair.finish().map_err(|error| unwritable(&file, &error))?;
        context.screen.note(&format!(
            "an earlier repair is finished; the damaged database is in {}",
            kept.display()
        ));
    }
    let store = SqliteStore::open_damaged(&file).map_err(|error| match repair.is_under_way() {
        true => Failure::from(error)
            .hint("a repair was cut off: finish it with `gapless doctor --repair`"),
        false => unopened(error),
    })?;
    let found = diagnose(&store, |name| {
        Some(workspace.folder(&name.parse::<SessionName>().ok()?))
    });
    let repaired = match args.repair && found.needs_repair() {
        true => Some(rebuild(context, &workspace, &found, store, &repair)?),
        false => None,
    };
    match context.screen.is_json() {
        true => json::print(&document(&file, &found, repaired.as_ref())),
        false => show(context, &workspace, &file, &found, repaired.as_ref()),
    }
    Ok(Exit::of_check(found.is_sound() || repaired.is_some()))
}

fn unopened(error: StoreError) -> Failure {
    let nothing_left = matches!(
        error,
        StoreError::NotADatabase { .. } | StoreError::Corrupt { .. }
    );
    let failure = Failure::from(error);
    match nothing_left {
        true => failure.hint(
            "nothing of it can be read. Move it away with its -wal file, and restore a backup or `gapless import` an export; \
             the session folders still hold the documents",
        ),
        false => failure,
    }
}

fn unwritable(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    let message = format!("{} can't be repaired: {error}", file.display());
    Failure::new(Kind::Store, message)
        .hint("check the disk and who owns the folder, then repair again: nothing is lost")
}

/// Makes a new database of what is sound, and puts it in the place of the damaged one.
fn rebuild(
    context: &Context,
    workspace: &Workspace,
    found: &Diagnosis,
    store: SqliteStore,
    repair: &Repair,
) -> Result<Repaired> {
    let file = workspace.database();
    if found.sessions.iter().all(|session| session.events() == 0) {
        let message = format!("nothing can be saved of {}", file.display());
        return Err(Failure::new(Kind::Store, message).hint(
            "it is left as it is. Restore a backup or `gapless import` an export; the session folders still hold the documents",
        ));
    }
    let process = this_process(context);
    let mut locks = Vec::new();
    for session in &found.sessions {
        let folder = workspace.folder(&session.name.parse()?);
        if session.events() == 0 && !folder.root().exists() {
            continue;
        }
        locks.push(SessionLock::acquire(&folder, &process)?);
    }
    let mut made = repair.begin()?;
    for session in &found.sessions {
        save(&store, session, &mut made)?;
    }
    // The last to close it writes all of it into the one file.
    drop(made);
    let letters = store.waiting_letters();
    drop(store);
    let kept = repair.finish().map_err(|error| unwritable(&file, &error))?;
    Ok(Repaired { kept, letters })
}

fn show(
    context: &Context,
    workspace: &Workspace,
    file: &Path,
    found: &Diagnosis,
    repaired: Option<&Repaired>,
) {
    let screen = &context.screen;
    screen.line(&file.display().to_string());
    let sound = |what: &str, wrong: &[String]| match wrong {
        [] => mark(screen, true, &format!("{what}: sound")),
        wrong => wrong
            .iter()
            .for_each(|wrong| mark(screen, false, &format!("{what}: {wrong}"))),
    };
    sound("database", &found.database);
    match &found.texts {
        Ok(kept) => mark(screen, true, &format!("texts: {kept}, sound")),
        Err(what) => mark(screen, false, &format!("texts: {what}")),
    }
    for session in &found.sessions {
        show_session(screen, session);
    }
    if let Some(error) = found.unusable.as_ref().filter(|_| is_told_nowhere(found)) {
        mark(screen, false, &error.to_string());
    }
    screen.line("");
    let command = |words: &str| workspace.command(context, words);
    match repaired {
        Some(Repaired { kept, letters }) => {
            screen.line(&format!("Saved into a new database: {}", file.display()));
            for session in &found.sessions {
                screen.line(&format!("  {}: {}", session.name, saved(session)));
            }
            if *letters > 0 {
                let letters = count(*letters as usize, "command");
                screen.line(&format!("  {letters} that waited to be taken: not saved"));
            }
            screen.line(&format!(
                "The damaged one is kept as it was in {}",
                kept.display()
            ));
        }
        None if found.is_sound() => screen.line("Nothing is damaged."),
        None if found.needs_repair() => screen.line(&format!(
            "Damaged. Save what can be saved with: {}",
            command("doctor --repair")
        )),
        None => screen.line(&format!(
            "The log is sound: what is damaged is made again by {}",
            command("resume NAME")
        )),
    }
}

/// True where no other line says why the database can't be used.
fn is_told_nowhere(found: &Diagnosis) -> bool {
    let told = |session: &SessionFinding| session.damage.is_some();
    found.database.is_empty() && found.texts.is_ok() && !found.sessions.iter().any(told)
}

fn show_session(screen: &Screen, session: &SessionFinding) {
    let name = &session.name;
    match &session.damage {
        None => {
            let events = count(session.events(), "event");
            mark(screen, true, &format!("{name}: {events}, sound"));
        }
        Some(found) => mark(screen, false, &format!("{name}: {}", since(session, found))),
    }
    for archive in &session.archives {
        mark(screen, false, &format!("{name}: {archive} can't be opened"));
    }
    if let Some(first) = session.files.first() {
        let others = match session.files.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let line = format!(
            "  {name}: {first}{others} differ from the log, as after an edit; resuming writes them again and keeps edits"
        );
        screen.line(&plain::clean(&line));
    }
}

/// Since when a session is damaged, and how much is left.
fn since(session: &SessionFinding, found: &Found) -> String {
    let when = found
        .at
        .map_or_else(String::new, |at| format!(", after {at}"));
    let round = match session.round {
        0 => "before the first round".to_owned(),
        round => format!("in round {round}"),
    };
    format!(
        "damaged since event {}{when}, {round}: {}; {} can be saved",
        found.since,
        found.what,
        of_written(session)
    )
}

fn of_written(session: &SessionFinding) -> String {
    let events = session.events();
    let written = session.damage.as_ref().and_then(|found| found.written);
    match written.filter(|written| *written >= events as u64) {
        Some(written) => format!("{events} of {}", count(written as usize, "event")),
        None => count(events, "event"),
    }
}

fn saved(session: &SessionFinding) -> String {
    match (session.events(), &session.damage) {
        (0, _) => "nothing could be saved".to_owned(),
        (_, None) => "all of it".to_owned(),
        (_, Some(_)) => format!(
            "{}, up to round {}; what came later is lost, but for the files in its folder",
            of_written(session),
            session.round
        ),
    }
}

fn mark(screen: &Screen, is_sound: bool, line: &str) {
    let line = plain::clean(line);
    match is_sound {
        true => screen.line(&format!("  ✓ {line}")),
        false => screen.line(&screen.paint(Tone::Bad, format!("  ✗ {line}"))),
    }
}

fn document(file: &Path, found: &Diagnosis, repaired: Option<&Repaired>) -> Value {
    let sessions = found.sessions.iter().map(|session| {
        let damage = session.damage.as_ref().map(|damage| {
            value!({
                "since_event": damage.since,
                "after": damage.at.map(|at| at.to_string()),
                "what": damage.what,
                "events_written": damage.written,
            })
        });
        value!({
            "session": session.name,
            "is_sound": session.damage.is_none() && session.archives.is_empty(),
            "events": session.events(),
            "round": session.round,
            "damage": damage,
            "archives": session.archives,
            "files": session.files,
        })
    });
    value!({
        "database": file,
        "is_sound": found.is_sound(),
        "complaints": found.database,
        "texts": found.texts.as_ref().ok(),
        "texts_damage": found.texts.as_ref().err(),
        "sessions": sessions.collect::<Vec<Value>>(),
        "repaired": repaired.map(|repaired| value!({
            "damaged_kept_in": repaired.kept,
            "commands_not_saved": repaired.letters,
        })),
    })
}
