//! Exit codes, and the one error type that commands return: its kind, its message and a hint.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use gapless_agents::OpenError;
use gapless_mediator::Refusal;
use gapless_runner::RunError;
use gapless_store::archive::ArchiveError;
use gapless_store::port::PortError;
use gapless_store::{BadSessionName, LockError, MISPLACED_HINT, Misplaced, StoreError};

/// How the program ends for its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did what it was asked.
    Done = 0,
    /// The work ended short of the goal: gaps are left, or an answer was refused.
    Unmet = 1,
    /// The call or its surroundings are at fault.
    Error = 2,
    /// Only the user can go on: a question blocks the session, or it is paused.
    Waiting = 3,
    Interrupted = 130,
}

impl Exit {
    /// The exit of a check.
    pub(crate) fn of_check(passed: bool) -> Self {
        if passed { Self::Done } else { Self::Unmet }
    }

    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// The exit codes, for `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done: the session ended COMPLETE, GOOD_ENOUGH or USER_APPROVED; or the command did what it was asked
  1    unmet: the session ended MAX_ROUNDS, STALL_EXIT or ABANDONED; an answer or command was refused; or the refined
       spec could not be written where you asked for it
  2    a usage or environment error
  3    waiting for you: a question holds the session, or it is paused
  130  interrupted; `gapless resume` goes on";

/// The kind of an error, as `--json` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Usage,
    Spec,
    Config,
    Answers,
    Agent,
    Prompt,
    Example,
    Workspace,
    Session,
    Driven,
    Refused,
    Store,
    Folder,
    Archive,
    Export,
    Trust,
    Internal,
}

/// What a command comes to, unless it fails.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error, with a hint on what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub(crate) kind: Kind,
    pub message: String,
    pub hint: Option<String>,
    pub(crate) exit: Exit,
}

/// The hint of a refusal that leaves everything as it was.
pub(crate) const NOTHING_CHANGED: &str = "nothing has changed";
/// The hint of a refusal before which the session took in its inbox or finished an earlier step.
pub(crate) const WENT_ON: &str = "the session went on with what waited for it before this";

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            hint: None,
            exit: Exit::Error,
        }
    }

    /// The failure for a file or a folder that can't be read.
    pub(crate) fn unreadable(kind: Kind, path: &Path, error: &dyn Display) -> Self {
        let message = format!("{} can't be read: {error}", path.display());
        Self::new(kind, message).hint("check who may read it")
    }

    pub(crate) fn hint(mut self, hint: impl Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    pub(crate) fn exiting(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// The failure for a command of the user's that an agent gave.
    pub(crate) fn from_agent() -> Self {
        let message = "an agent of gapless started this command, and agents can't decide anything";
        Self::new(Kind::Refused, message)
            .hint("nothing has changed; run it yourself, in a terminal of your own; agents may use commands that only read")
            .exiting(Exit::Unmet)
    }

    /// The failure for a command from where the run of a session can't be seen.
    pub(crate) fn out_of_sight(session: &str) -> Self {
        let message = format!(
            "the run that drives {session} can't be seen from here: it is in another container, or this is the sandbox of an agent"
        );
        Self::new(Kind::Refused, message)
            .hint("nothing has changed; give the command where that run was started")
            .exiting(Exit::Unmet)
    }

    /// The failure for a start that the core refused.
    pub(crate) fn of_start(refusal: &Refusal) -> Self {
        let (kind, hint) = match refusal {
            Refusal::EmptySource => (
                Kind::Spec,
                "write down what you know; a page is enough to start from",
            ),
            Refusal::SourceTooLarge { .. } => (Kind::Spec, "refine one part at a time"),
            Refusal::DuplicateGap { .. } => (Kind::Spec, "edit the spec and run again"),
            Refusal::RecordWithHoles { .. } => (
                Kind::Usage,
                "rounds count from 1: round_001, round_002 and so on; nothing was imported",
            ),
            Refusal::Config(_) => (Kind::Config, "see `gapless init` for the keys and ranges"),
            Refusal::NoAgent(_) => (Kind::Agent, "name one with --agents"),
            Refusal::Prompt(_) => (Kind::Prompt, "mend the file in .gapless/prompts"),
            _ => (Kind::Internal, "nothing was written"),
        };
        Self::new(kind, refusal).hint(hint)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (kind, hint) = match &error {
            StoreError::NoSuchSession { .. } => (Kind::Session, error.hint()),
            StoreError::Missing { .. } => (
                Kind::Workspace,
                "start a session with `gapless run SPEC`, or give its folder with --workspace",
            ),
            _ => (Kind::Store, error.hint()),
        };
        Self::new(kind, &error).hint(hint)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::Refused(refusal) => refusal.into(),
            RunError::Decode { .. } => Self::new(Kind::Store, &error).hint(
                "the session was written by a newer gapless, or its database is damaged: update gapless",
            ),
            RunError::Document(_) => {
                Self::new(Kind::Prompt, &error).hint("mend the file in .gapless/prompts, then resume")
            }
            RunError::Folder(inner) if Misplaced::caused(&inner) => {
                Self::new(Kind::Folder, &inner).hint(MISPLACED_HINT)
            }
            RunError::Folder(_) => Self::new(Kind::Folder, &error)
                .hint("check the folder and the disk; what was committed is safe"),
            RunError::Port(error) => error.into(),
            RunError::Archive(error) => error.into(),
            RunError::MissingText(_) | RunError::Assignment(_) => Self::new(Kind::Internal, &error)
                .hint("what was committed is safe; please report this"),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let failure = Self::new(Kind::Refused, &refusal);
        match refusal {
            Refusal::UnknownQuestion(_) => failure.hint("`gapless questions` lists what waits"),
            Refusal::UnknownGap(_) => failure.hint("`gapless gaps` lists them"),
            Refusal::UnknownIssue(_) => failure.hint("`gapless issues` lists them"),
            Refusal::UnknownDecision(_) => failure.hint("`gapless decisions` lists them"),
            Refusal::Ended(_) => failure
                .hint("`gapless reopen` takes it up again; so does any command that changes something of it, like `gapless gap add`")
                .exiting(Exit::Unmet),
            Refusal::Prompt(_) => failure.hint("mend the file in .gapless/prompts"),
            Refusal::CriticalGate { .. } => failure
                .hint("give the sentence with `gapless gap close … --sentence \"…\"`; nothing has changed")
                .exiting(Exit::Unmet),
            Refusal::Category(_) => failure
                .hint("for example: gapless gap add AUTH HIGH \"what is missing\"")
                .exiting(Exit::Unmet),
            Refusal::CriticalConflict(_) => failure
                .hint("`gapless questions` shows it with the commands that decide it")
                .exiting(Exit::Unmet),
            _ => failure.hint(NOTHING_CHANGED).exiting(Exit::Unmet),
        }
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { .. } => Self::new(Kind::Driven, &error).hint(
                "wait for it or stop it with Ctrl-C there; `gapless answer`, `pause`, `stop`, `gap` and `issue` reach it as it runs",
            ),
            LockError::Misplaced(_) => Self::new(Kind::Folder, &error).hint(MISPLACED_HINT),
            LockError::Io { .. } => Self::new(Kind::Folder, &error)
                .hint("check who owns the folder, and whether the disk is full or mounted for reading only"),
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        Self::new(Kind::Archive, &error).hint(error.hint())
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        let failure = Self::new(Kind::Export, &error).hint(error.hint());
        match error {
            // What was given was looked at, and is not what it should be.
            PortError::NotAnExport { .. }
            | PortError::Newer { .. }
            | PortError::Altered { .. }
            | PortError::Unpacking { .. }
            | PortError::Flaw(_) => failure.exiting(Exit::Unmet),
            _ => failure,
        }
    }
}

/// How agents are named, for errors about an unknown one.
const HOW_TO_NAME_AGENTS: &str = "name them with --agents, or --engineer and --reviewer, or in [agents] of gapless.toml; \
     `gapless agents` says which are there; `human` is you, in your editor; `offline` needs no model and proposes defaults; `cmd:<command line>` gets the prompt on \
     stdin and writes its document to stdout; `replay:<folder>` feeds recorded documents back; `anthropic:<model>`, \
     `openai:<model>`, `gemini:<model>` and `ollama:<model>` are models over HTTP";

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let hint = match &error {
            OpenError::Http(missing) => missing.hint(),
            OpenError::NotTrusted { .. } => {
                "`gapless trust` shows what the folder wants, and allows it".to_owned()
            }
            _ => HOW_TO_NAME_AGENTS.to_owned(),
        };
        Self::new(Kind::Agent, &error).hint(hint)
    }
}

impl From<BadSessionName> for Failure {
    fn from(error: BadSessionName) -> Self {
        Self::new(Kind::Usage, &error)
            .hint("like `orders` or `orders-2`; without --name, it is made of the spec's file name")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error_that_says_what_to_do() {
        let full = StoreError::DiskFull {
            file: "/w/.gapless/gapless.db".into(),
        };
        let failure = Failure::from(RunError::from(full));
        assert_eq!(failure.exit, Exit::Error);
        assert_eq!(
            failure.message,
            "no space left to write /w/.gapless/gapless.db"
        );
        assert_eq!(
            failure.hint.as_deref(),
            Some("nothing was written; free some space and resume the session")
        );
    }
}
