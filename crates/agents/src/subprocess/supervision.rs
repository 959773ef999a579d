//! A started program's life: the prompt goes in, output comes out, and the clock is kept, all at once.
//! It reads until the program has exited and its pipes are done, or until a limit or a cancellation ends it;
//! ending the group is left to its owner.

use std::io;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use gapless_domain::{ExecutionError, ExecutionErrorKind, TaskLimits};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::time::{Instant, sleep_until};

use super::group::Group;
use super::listener::Listener;
use super::tail::Tail;
use crate::agent::cancelled;
use crate::patience::{hard_timeout, idle_timeout, millis};
use crate::{Patience, ProgressSink, Watch};

/// After the exit only what was written before it is still in the pipes, unless a descendant holds them open:
/// reading stops when nothing comes for this long …
const DRAIN_QUIET: Duration = Duration::from_millis(100);
/// … or after this long whatever comes.
const DRAIN_LONGEST: Duration = Duration::from_secs(1);
const CHUNK_BYTES: usize = 64 * 1024;
/// A program that came to its own end.
pub(super) struct Exited {
    pub(super) status: ExitStatus,
    pub(super) stderr: Tail,
}

/// A program that did not come to its own end.
pub(super) struct CutShort {
    pub(super) error: ExecutionError,
    /// How long nothing had come on stdout.
    pub(super) stdout_quiet_millis: u64,
}

enum Happened {
    Cancelled,
    /// The latest moment has come.
    Late,
    /// Nothing was read for too long.
    Quiet,
    PromptTaken,
    Stdout(usize),
    Stderr(usize),
    Exit(io::Result<ExitStatus>),
}

pub(super) async fn supervise(
    group: &mut Group,
    prompt: Arc<str>,
    limits: &TaskLimits,
    watch: &Watch,
    listener: &mut dyn Listener,
) -> Result<Exited, CutShort> {
    let pipes = group.take_pipes();
    let mut stdout = Pipe::new(pipes.stdout);
    let mut stderr = Pipe::new(pipes.stderr);
    let mut prompt = pin!(hand_over(pipes.stdin, prompt));
    let mut prompt_taken = false;
    let mut exit: Option<ExitStatus> = None;
    let mut clock = Patience::start(limits);
    let mut heard = Heard::new(listener, &watch.progress);

    loop {
        // What is ready to be read is read before anything is called quiet, or a suspended gapless would
        // blame its agent; but no flood of output can put off the latest moment or a cancellation.
        let happened = tokio::select! {
            biased;
            () = watch.cancel.cancelled() => Happened::Cancelled,
            () = sleep_until(clock.latest) => Happened::Late,
            happened = async {
                tokio::select! {
                    () = &mut prompt, if !prompt_taken => Happened::PromptTaken,
                    read = stdout.read(), if stdout.is_open() => Happened::Stdout(read),
                    read = stderr.read(), if stderr.is_open() => Happened::Stderr(read),
                    status = group.exited(), if exit.is_none() => Happened::Exit(status),
                }
            } => happened,
            () = sleep_until(clock.quiet) => Happened::Quiet,
        };
        match happened {
            Happened::Cancelled => return Err(heard.cut_short(cancelled())),
            Happened::Late | Happened::Quiet if exit.is_some() => break,
            Happened::Late => {
                let error = hard_timeout(limits, &heard.stderr.as_suffix());
                return Err(heard.cut_short(error));
            }
            Happened::Quiet => {
                let error = idle_timeout(limits, &heard.stderr.as_suffix());
                return Err(heard.cut_short(error));
            }
            Happened::PromptTaken => prompt_taken = true,
            Happened::Stdout(read) => {
                heard.on_stdout(stdout.chunk(read), &mut clock);
                if let Some(error) = heard.stdout.must_end().filter(|_| exit.is_none()) {
                    return Err(heard.cut_short(error));
                }
            }
            Happened::Stderr(read) => heard.on_stderr(stderr.chunk(read), &mut clock),
            Happened::Exit(status) => {
                exit = Some(status.map_err(|error| heard.cut_short(lost(&error)))?);
                clock.shorten(DRAIN_QUIET, DRAIN_LONGEST);
            }
        }
        if exit.is_some() && !stdout.is_open() && !stderr.is_open() {
            break;
        }
    }

    match exit {
        Some(status) => Ok(Exited {
            status,
            stderr: heard.stderr,
        }),
        None => Err(heard.cut_short(lost(&io::Error::other("it has no exit status")))),
    }
}

/// Writes the prompt and closes stdin. A program that doesn't want all of it is free to.
async fn hand_over(stdin: Option<ChildStdin>, prompt: Arc<str>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(prompt.as_bytes()).await;
    }
}

/// What was read so far.
struct Heard<'a> {
    stdout: &'a mut dyn Listener,
    stdout_at: Instant,
    stderr: Tail,
    bytes: u64,
    progress: &'a ProgressSink,
}

impl<'a> Heard<'a> {
    fn new(stdout: &'a mut dyn Listener, progress: &'a ProgressSink) -> Self {
        Self {
            stdout,
            stdout_at: Instant::now(),
            stderr: Tail::default(),
            bytes: 0,
            progress,
        }
    }

    fn on_stdout(&mut self, chunk: &[u8], clock: &mut Patience) {
        if !chunk.is_empty() {
            self.stdout_at = Instant::now();
        }
        self.stdout.hear(chunk);
        self.count(chunk, clock);
    }

    fn on_stderr(&mut self, chunk: &[u8], clock: &mut Patience) {
        self.stderr.push(chunk);
        self.count(chunk, clock);
    }

    fn cut_short(&self, error: ExecutionError) -> CutShort {
        CutShort {
            error,
            stdout_quiet_millis: millis(self.stdout_at.elapsed()),
        }
    }

    fn count(&mut self, chunk: &[u8], clock: &mut Patience) {
        if chunk.is_empty() {
            return;
        }
        clock.heard();
        self.bytes = self.bytes.saturating_add(chunk.len() as u64);
        self.progress.tell_bytes(self.bytes);
    }
}

/// One end of an output pipe; closed when it was read to its end or can't be read.
struct Pipe<R> {
    reader: Option<R>,
    buffer: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Pipe<R> {
    fn new(reader: Option<R>) -> Self {
        Self {
            reader,
            buffer: vec![0; CHUNK_BYTES],
        }
    }

    fn is_open(&self) -> bool {
        self.reader.is_some()
    }

    async fn read(&mut self) -> usize {
        let read = match &mut self.reader {
            Some(reader) => reader.read(&mut self.buffer).await.unwrap_or(0),
            None => 0,
        };
        if read == 0 {
            self.reader = None;
        }
        read
    }

    fn chunk(&self, read: usize) -> &[u8] {
        &self.buffer[..read]
    }
}

fn lost(error: &io::Error) -> ExecutionError {
    let message = format!("the agent's process was lost: {error}");
    ExecutionError::new(ExecutionErrorKind::Provider, message)
}
