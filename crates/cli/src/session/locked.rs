//! A session that this process drives: its lock, how it is run, and Ctrl-C.

use std::time::Duration;

use gapless_agents::{Leftovers, OpenContext, end_leftovers};
use gapless_domain::Question;
use gapless_mediator::Incoming;
use gapless_runner::{
    AgentSource, ArchivePlaces, Opener, Outside, RunError, Session, Stopped, ask_only, drive,
};
use gapless_store::{Driver, LockError, SessionLock, SessionName, SqliteStore};
use tokio_util::sync::CancellationToken;

use crate::views::live_progress::LiveProgress;
use crate::views::session_end;
use crate::{
    AnswerSources, Context, Exit, Failure, Result, SessionView, Workspace, agents, cold_storage,
    delivery_grant, plain, runtime, workspace,
};

/// How often the inbox is looked into.
const INBOX_EVERY: Duration = Duration::from_millis(150);

/// A session whose lock this process holds.
pub(crate) struct LockedSession {
    pub(crate) session: Session<SqliteStore>,
    pub(crate) workspace: Workspace,
    pub(crate) name: SessionName,
    /// Held to the end.
    _lock: SessionLock,
}

/// Why a session could not be locked and opened.
pub(crate) enum NotLocked {
    Lock(LockError),
    Failed(Failure),
}

impl From<NotLocked> for Failure {
    fn from(not: NotLocked) -> Self {
        match not {
            NotLocked::Lock(error) => error.into(),
            NotLocked::Failed(failure) => failure,
        }
    }
}

/// How this process is named to others that want the same session.
pub(crate) fn this_process(context: &Context) -> Driver {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().replace('\0', ""))
        .collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    Driver {
        pid: std::process::id(),
        since: context.clock.now(),
        command: format!("gapless {words}"),
    }
}

impl LockedSession {
    /// Locks a session, then opens its log and its folder.
    pub(crate) fn open(
        context: &Context,
        workspace: &Workspace,
        name: &SessionName,
    ) -> Result<Self, NotLocked> {
        let folder = workspace.folder(name);
        let process = this_process(context);
        let lock = SessionLock::acquire(&folder, &process).map_err(NotLocked::Lock)?;
        let opened = workspace.write().and_then(|store| {
            // A person's drafts are written there by the agents' crate.
            workspace::check_folder(&folder, "drafts")?;
            let mut session = Session::open(store, name.as_str())?;
            session.attach(folder)?;
            session.deliver_from(workspace.root());
            let root = workspace.root().to_owned();
            session.ask_before_delivering(Box::new(move |id, file| {
                delivery_grant::is_allowed(&root, id, file)
            }));
            // Without a home folder there is nowhere to move archives to, and they stay.
            if let Ok(cold) = cold_storage::store() {
                session.dispose_from(ArchivePlaces {
                    folder: workspace.folder(name),
                    cold,
                    workspace: cold_storage::place(workspace),
                });
            }
            Ok(session)
        });
        Ok(Self {
            session: opened.map_err(NotLocked::Failed)?,
            workspace: workspace.clone(),
            name: name.clone(),
            _lock: lock,
        })
    }

    pub(crate) fn feed(&mut self, context: &Context, what: Incoming) -> Result<()> {
        Ok(self.session.feed(context.clock.now(), what)?)
    }

    /// Runs the session until it stops, and says why it did.
    pub(crate) fn run(
        mut self,
        context: &Context,
        agents: &mut dyn AgentSource,
        answers: AnswerSources,
    ) -> Result<Exit> {
        let state = self.session.state();
        let notes = [
            agents::unenforced_budgets(state, agents),
            agents::same_model(state, agents),
        ];
        for note in notes.into_iter().flatten() {
            context.screen.note(&note);
        }
        if let Some(note) = ended_leftovers() {
            context.screen.note(&note);
        }
        let endpoints = agents::endpoints(state, agents);
        for endpoint in &endpoints {
            let line = agents::endpoint_line(endpoint);
            context.screen.note(&plain::one_line(&line));
        }
        let has_policy = answers.has_policy();
        let stopped = self.perform(context, answers, agents, async |session, outside| {
            drive(session, outside).await
        })?;
        // Whoever runs it with a policy comes back to a spec, also where the rest waits for them.
        if has_policy && matches!(stopped, Stopped::Waiting(_)) {
            self.session.deliver_so_far(context.clock.now())?;
        }
        Ok(session_end::close(self.view(context), &stopped, &endpoints))
    }

    /// Asks only these questions, and lets nothing else go on; `None` if they are answered and the session has not ended.
    pub(crate) fn ask_only(
        &mut self,
        context: &Context,
        answers: AnswerSources,
        which: fn(&Question) -> bool,
    ) -> Result<Option<Stopped>> {
        // No agent is started meanwhile.
        let mut agents = Opener::new(OpenContext::unattended(self.workspace.root()));
        self.perform(context, answers, &mut agents, async |session, outside| {
            ask_only(session, outside, which).await
        })
    }

    pub(crate) fn view<'s>(&'s self, context: &'s Context) -> SessionView<'s> {
        SessionView {
            context,
            workspace: &self.workspace,
            name: &self.name,
            state: self.session.state(),
        }
    }

    fn perform<T>(
        &mut self,
        context: &Context,
        mut answers: AnswerSources,
        agents: &mut dyn AgentSource,
        what: impl AsyncFnOnce(&mut Session<SqliteStore>, Outside<'_>) -> Result<T, RunError>,
    ) -> Result<T> {
        let interrupt = CancellationToken::new();
        let mut reporter = LiveProgress::new(&context.screen, answers.asked_questions());
        let result = runtime::block_on(async {
            listen(context, interrupt.clone());
            let outside = Outside {
                clock: context.clock.clone(),
                agents,
                asker: &mut answers,
                reporter: &mut reporter,
                interrupt,
                inbox_every: INBOX_EVERY,
            };
            what(&mut self.session, outside).await
        });
        drop(reporter);
        Ok(result??)
    }
}

/// Ends what runs left that were killed, and says so.
fn ended_leftovers() -> Option<String> {
    let Leftovers { processes, folders } = end_leftovers();
    let folders = match folders {
        0 => return None,
        1 => "the temporary folder of 1 agent".to_owned(),
        folders => format!("the temporary folders of {folders} agents"),
    };
    let processes = match processes {
        0 => String::new(),
        1 => ", and ended 1 process of it".to_owned(),
        processes => format!(", and ended {processes} processes"),
    };
    Some(format!(
        "removed {folders} that a killed run had left{processes}"
    ))
}

/// The first request to stop ends the run cleanly, the second at once: what was committed is safe either way. A key that is
/// typed into an editor is the editor's.
fn listen(context: &Context, interrupt: CancellationToken) {
    let screen = context.screen.clone();
    tokio::spawn(async move {
        let Ok(mut signals) = Signals::listen() else {
            return;
        };
        loop {
            match signals.next().await {
                Signal::Typed if screen.is_lent() => continue,
                // A terminal that is closed says so more than once: the kernel does, and the shell.
                Signal::HungUp if interrupt.is_cancelled() => continue,
                _ => {}
            }
            if interrupt.is_cancelled() {
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
            interrupt.cancel();
            screen.note("stopping; Ctrl-C again to leave at once");
        }
    });
}

/// A request to end the run.
enum Signal {
    /// By a key: Ctrl-C or Ctrl-\.
    Typed,
    /// By another process.
    #[cfg(unix)]
    Sent,
    /// The terminal is gone.
    #[cfg(unix)]
    HungUp,
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Typed,
            _ = self.quit.recv() => Signal::Typed,
            _ = self.terminate.recv() => Signal::Sent,
            _ = self.hang_up.recv() => Signal::HungUp,
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> Signal {
        self.0.recv().await;
        Signal::Typed
    }
}
