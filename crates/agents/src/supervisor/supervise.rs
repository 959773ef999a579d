//! The supervisor's own process: starts one program, waits for it, passes its end on, and leaves nothing of it running.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid,
    kill_process, pidfd_open, set_child_subreaper, setrlimit, setsid, wait,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::processes::{is_above_any, kill_below, signal_below};
use super::{run_folder, sandbox};

/// How long descendants may take to end by themselves, such as a `tee` that still copies what the program wrote.
const DRAIN: Duration = Duration::from_millis(300);
const LOOK_AGAIN: Duration = Duration::from_millis(2);
/// How often an old kernel is asked whether the driver is still there.
const DRIVER_EVERY: Duration = Duration::from_millis(100);
/// The exit code where the program could not be started; the run's folder says why.
const NOT_STARTED: u8 = 127;

/// What a supervisor is told: its driver, the run's folder, how many folders are protected and which, and the program with its
/// arguments.
struct Call {
    driver: Pid,
    folder: PathBuf,
    protected: Vec<PathBuf>,
    program: OsString,
    arguments: Vec<OsString>,
}

impl Call {
    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let driver = Pid::from_raw(words.next()?.to_str()?.parse().ok()?)?;
        let folder = words.next()?.into();
        let count = words.next()?.to_str()?.parse().ok()?;
        Some(Self {
            driver,
            folder,
            protected: words.by_ref().take(count).map(PathBuf::from).collect(),
            program: words.next()?,
            arguments: words.collect(),
        })
    }
}

/// Runs a program under supervision: `words` is the command line behind [`super::SUPERVISE`].
pub fn supervise(words: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(call) = Call::read(words) else {
        eprintln!("gapless starts this itself; it is no command");
        return ExitCode::from(2);
    };
    // Away from the driver's terminal and group, and the parent of whatever loses its own.
    let _ = setsid();
    let _ = set_child_subreaper(Some(getpid()));
    let driver = pidfd_open(call.driver, PidfdFlags::empty());
    if getppid() != Some(call.driver) {
        return ExitCode::FAILURE;
    }
    let child = match start(&call) {
        Ok(child) => child,
        Err(error) => {
            run_folder::note_not_started(&call.folder, &error);
            return NOT_STARTED.into();
        }
    };
    let _ = let_go_of_pipes();
    let (of_driver, folder) = (call.driver, call.folder.clone());
    std::thread::spawn(move || {
        wait_for_end_of(of_driver, driver);
        end_without_driver(&folder);
        std::process::exit(1);
    });

    let status = wait_for(child);
    if wait_for_the_rest() == Rest::Left {
        kill_below(getpid().as_raw_pid());
    }
    if getppid() != Some(call.driver) {
        run_folder::remove(&call.folder);
    }
    pass_on(status)
}

/// Starts the program, in a thread that may be restricted: the supervisor itself stays as it is.
fn start(call: &Call) -> io::Result<Pid> {
    let start = || {
        if !call.protected.is_empty() && !sandbox::restrict(&call.protected) {
            return Err(Errno::NOSYS.into());
        }
        let mut command = Command::new(&call.program);
        // A group of its own, so that a program that signals its group doesn't signal the supervisor.
        command.args(&call.arguments).process_group(0);
        command.spawn().map(|child| Pid::from_child(&child))
    };
    let started = std::thread::scope(|scope| scope.spawn(start).join());
    started.unwrap_or_else(|_| Err(Errno::NOSYS.into()))
}

/// Only the program has the pipes, so that the driver sees when it closes them.
fn let_go_of_pipes() -> io::Result<()> {
    let null = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    Ok(())
}

fn wait_for_end_of(driver: Pid, handle: rustix::io::Result<OwnedFd>) {
    let Ok(handle) = handle else {
        while getppid() == Some(driver) {
            sleep(DRIVER_EVERY);
        }
        return;
    };
    loop {
        let mut ended = [PollFd::new(&handle, PollFlags::IN)];
        match poll(&mut ended, None) {
            Err(Errno::INTR) => {}
            // Where it can't be watched, it is asked for as on an old kernel.
            Err(_) => return wait_for_end_of(driver, Err(Errno::NOSYS)),
            Ok(_) => return,
        }
    }
}

/// Nobody is left who would read, time or end the program.
fn end_without_driver(folder: &std::path::Path) {
    let this = getpid().as_raw_pid();
    signal_below(this, Signal::TERM);
    let deadline = Instant::now() + DRAIN;
    while is_above_any(this) && Instant::now() < deadline {
        sleep(LOOK_AGAIN);
    }
    kill_below(this);
    run_folder::remove(folder);
}

/// Waits for the program, and for adopted processes that end before it.
fn wait_for(program: Pid) -> Option<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => return Some(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Whether descendants are left.
#[derive(PartialEq, Eq)]
enum Rest {
    Gone,
    Left,
}

fn wait_for_the_rest() -> Rest {
    let deadline = Instant::now() + DRAIN;
    while Instant::now() < deadline {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => sleep(LOOK_AGAIN),
            // No child is left, and so no descendant.
            Err(_) => return Rest::Gone,
        }
    }
    Rest::Left
}

/// Ends as the program did.
fn pass_on(status: Option<WaitStatus>) -> ExitCode {
    let Some(status) = status else {
        return ExitCode::FAILURE;
    };
    if let Some(signal) = status.terminating_signal() {
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        // The program has left its own core, if any.
        let _ = setrlimit(Resource::Core, none);
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process(getpid(), signal);
        }
        return u8::try_from(128 + signal).map_or(ExitCode::FAILURE, Into::into);
    }
    let code = status
        .exit_status()
        .and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, Into::into)
}
