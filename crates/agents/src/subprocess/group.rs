//! The processes of a run: started as one, ended as one, killed when it is dropped. Under a supervisor these are all descendants of
//! the program; without one they are its process group, and a process that leaves that by itself (`setsid`) is out of reach.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

#[cfg(windows)]
use process_wrap::tokio::JobObject;
#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

#[cfg(target_os = "linux")]
use crate::supervisor::{Supervised, Supervisor};

/// How long a group may take to end by itself after it was asked to.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(500);
/// How long the death of a killed process is waited for: longer only where the kernel holds it.
const REAPING: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct Group {
    /// The program, or its supervisor.
    child: Box<dyn ChildWrapper>,
    ended: bool,
    #[cfg(target_os = "linux")]
    supervised: Option<Supervised>,
}

/// The three channels of a started program.
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

impl Group {
    /// Starts a program as the leader of its group.
    pub(super) fn spawn(command: Command) -> io::Result<Self> {
        let mut wrapped = piped(command);
        #[cfg(unix)]
        wrapped.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        wrapped.wrap(JobObject);
        Ok(Self {
            child: wrapped.spawn()?,
            ended: false,
            #[cfg(target_os = "linux")]
            supervised: None,
        })
    }

    /// Starts a supervisor with its program.
    #[cfg(target_os = "linux")]
    pub(super) fn spawn_supervised(command: Command, by: &Supervisor) -> io::Result<Self> {
        let mut wrapped = piped(command);
        let (child, supervised) = by.start(|| {
            let child = wrapped.spawn()?;
            let id = child.id();
            Ok((child, id))
        })?;
        Ok(Self {
            child,
            ended: false,
            supervised,
        })
    }

    pub(super) fn take_pipes(&mut self) -> Pipes {
        Pipes {
            stdin: self.child.stdin().take(),
            stdout: self.child.stdout().take(),
            stderr: self.child.stderr().take(),
        }
    }

    /// Waits for the program itself. The wrapper's own wait is passed over: it also waits, uninterruptibly,
    /// for descendants where they become our children (as they do when gapless is process 1).
    pub(super) async fn exited(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.inner_mut().wait().await?;
        // A supervisor that was killed could not end what was below it.
        #[cfg(target_os = "linux")]
        if std::os::unix::process::ExitStatusExt::signal(&status).is_some()
            && let Some(supervised) = self.supervised.take()
        {
            supervised.kill_orphans();
        }
        Ok(status)
    }

    /// Asks the group to end, and kills whatever is left when the program has exited or the grace is over.
    pub(super) async fn end(mut self) {
        #[cfg(unix)]
        self.ask_to_end().await;
        self.kill();
        let _ = timeout(REAPING, self.exited()).await;
    }

    #[cfg(unix)]
    async fn ask_to_end(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(supervised) = &self.supervised {
            if self.child.id().is_some() {
                supervised.ask_to_end();
                let _ = timeout(GRACE, self.exited()).await;
            }
            return;
        }
        const SIGTERM: i32 = 15;
        // An error means that the group is gone already, which is what is wanted.
        if self.child.signal(SIGTERM).is_ok() {
            let _ = timeout(GRACE, self.exited()).await;
        }
    }

    fn kill(&mut self) {
        // Only once, since the id of a group that has ended may come to mean another one.
        if !std::mem::replace(&mut self.ended, true) {
            // As long as it was not waited for, the supervisor's id is its own.
            #[cfg(target_os = "linux")]
            if let Some(supervised) = &self.supervised
                && self.child.id().is_some()
            {
                supervised.kill();
            }
            let _ = self.child.start_kill();
        }
    }
}

fn piped(mut command: Command) -> CommandWrap {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut wrapped = CommandWrap::from(command);
    wrapped.wrap(KillOnDrop);
    wrapped
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
