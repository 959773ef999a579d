//! The process group of a run: started as one, ended as one, killed when it is dropped.
//! A process that leaves the group by itself (`setsid`) is out of reach.

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

/// How long a group may take to end by itself after it was asked to.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(500);
/// How long the death of a killed process is waited for: longer only where the kernel holds it.
const REAPING: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct Group {
    child: Box<dyn ChildWrapper>,
    ended: bool,
}

/// The three channels of a started program.
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

impl Group {
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop);
        #[cfg(unix)]
        wrapped.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        wrapped.wrap(JobObject);
        Ok(Self {
            child: wrapped.spawn()?,
            ended: false,
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
        self.child.inner_mut().wait().await
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
        const SIGTERM: i32 = 15;
        // An error means that the group is gone already, which is what is wanted.
        if self.child.signal(SIGTERM).is_ok() {
            let _ = timeout(GRACE, self.exited()).await;
        }
    }

    fn kill(&mut self) {
        // Only once, since the id of a group that has ended may come to mean another one.
        if !std::mem::replace(&mut self.ended, true) {
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
