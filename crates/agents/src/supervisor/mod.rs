//! Keeps agents' processes within reach. On Linux every program is started through a supervisor: a process of gapless's own that
//! has a session of its own and adopts every descendant of the program, also one that called `setsid` or forked twice. It ends all of
//! them when the program has exited and when the driver dies. Here is also how a process finds out that an agent started it, and how
//! what a killed driver left is found. Elsewhere than on Linux a program is only the leader of its process group.

mod leftovers;
mod lineage;
#[cfg(target_os = "linux")]
mod processes;
mod run_folder;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod supervise;

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::io;
#[cfg(target_os = "linux")]
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use leftovers::{Leftovers, end_leftovers};
pub use lineage::{could_see, started_by_agent};
pub(crate) use run_folder::RunFolder;
#[cfg(target_os = "linux")]
pub use supervise::supervise;

/// The first word of a supervisor's command line. It is no command of gapless: no help and no completion has it.
pub const SUPERVISE: &str = "supervise-agent";

/// Whether folders can be kept from being written to by a program under supervision.
pub(crate) fn can_protect() -> bool {
    #[cfg(target_os = "linux")]
    {
        sandbox::is_available()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// The variable that every process of a run inherits: the run's folder.
pub(crate) const RUN_VARIABLE: &str = "GAPLESS_RUN";

/// The variable that a person's editor gets, which is no agent.
pub(crate) const EDITOR_VARIABLE: &str = "GAPLESS_EDITOR";

/// How programs are started under supervision.
#[derive(Debug, Clone)]
pub struct Supervisor {
    /// The program that calls `supervise` when its first argument is [`SUPERVISE`].
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(crate) program: OsString,
    /// The supervisors that run now.
    #[cfg(target_os = "linux")]
    running: Arc<Mutex<BTreeSet<i32>>>,
}

impl Supervisor {
    /// Supervision by the program that is running. `None` where the platform has none.
    pub fn of_this_program() -> Option<Self> {
        #[cfg(target_os = "linux")]
        {
            // Unlike its path, this link still works when the file was replaced or removed.
            const THIS: &str = "/proc/self/exe";
            std::fs::metadata(THIS).ok()?;
            Some(Self {
                program: THIS.into(),
                running: Arc::default(),
            })
        }
        #[cfg(not(target_os = "linux"))]
        None
    }
}

#[cfg(target_os = "linux")]
impl Supervisor {
    /// Starts a supervisor with `spawn`, which gives its process id, and registers it.
    pub(crate) fn start<T>(
        &self,
        spawn: impl FnOnce() -> io::Result<(T, Option<u32>)>,
    ) -> io::Result<(T, Option<Supervised>)> {
        // What a killed supervisor leaves comes to this process, where it is found.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        // Held meanwhile: a supervisor that isn't registered yet would be taken for an orphan.
        let mut running = self.running();
        let (started, id) = spawn()?;
        let pid = id.and_then(|id| i32::try_from(id).ok());
        let supervised = pid.map(|pid| {
            running.insert(pid);
            Supervised {
                pid,
                started: processes::read(pid).map_or(u64::MAX, |process| process.started),
                supervisor: self.clone(),
            }
        });
        Ok((started, supervised))
    }

    fn running(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A supervisor that was started, as its driver sees it.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct Supervised {
    pid: i32,
    /// When, as the kernel counts.
    started: u64,
    supervisor: Supervisor,
}

#[cfg(target_os = "linux")]
impl Supervised {
    /// Asks everything below the supervisor to end.
    pub(crate) fn ask_to_end(&self) {
        processes::signal_below(self.pid, rustix::process::Signal::TERM);
    }

    /// Kills everything below the supervisor, which must not have been waited for.
    pub(crate) fn kill(&self) {
        processes::kill_below(self.pid);
    }

    /// Kills what is left of a supervisor that was ended by a signal: its children became children of this process. What this process
    /// started itself is in its own session, or is a registered supervisor.
    pub(crate) fn kill_orphans(&self) {
        let mut running = self.supervisor.running();
        running.remove(&self.pid);
        let this = rustix::process::getpid().as_raw_pid();
        let Some(session) = processes::read(this).map(|process| process.session) else {
            return;
        };
        processes::kill_each(|| {
            let all = processes::all();
            let roots: Vec<i32> = all
                .iter()
                .filter(|process| {
                    process.parent == this
                        && process.session != session
                        && process.started >= self.started
                        && !running.contains(&process.pid)
                        && !processes::has_variable(process.pid, EDITOR_VARIABLE)
                })
                .map(|process| process.pid)
                .collect();
            processes::trees(&all, &roots)
        });
    }
}

#[cfg(target_os = "linux")]
impl Drop for Supervised {
    fn drop(&mut self) {
        self.supervisor.running().remove(&self.pid);
    }
}
