//! Reads the processes of this machine from `/proc`, and ends trees of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, pidfd_send_signal, waitpid,
};

/// How long killed processes may take to be gone: longer only where the kernel holds them.
const REAPING: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// A process that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// When it started, as the kernel counts: with the id, this names one process.
    pub(super) started: u64,
    pub(super) name: String,
}

/// Reads one process; `None` if there is none or it has ended.
pub(super) fn read(pid: i32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// Reads this process by the id that `/proc` has for it: in a PID namespace of its own it has another one for itself.
pub(super) fn this() -> Option<Process> {
    let pid = fs::read_link("/proc/self").ok()?;
    read(pid.to_str()?.parse().ok()?)
}

fn parse(pid: i32, stat: &str) -> Option<Process> {
    // The name may have anything in it, also parentheses.
    let (before, after) = stat.rsplit_once(") ")?;
    let (_, name) = before.split_once('(')?;
    let fields: Vec<&str> = after.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<i32>().ok();
    if matches!(*fields.first()?, "Z" | "X" | "x") {
        return None;
    }
    Some(Process {
        pid,
        parent: number(1)?,
        session: number(3)?,
        started: fields.get(19)?.parse().ok()?,
        name: name.to_owned(),
    })
}

pub(super) fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(read).collect()
}

/// The processes with these ids and all of their descendants.
pub(super) fn trees(all: &[Process], roots: &[i32]) -> Vec<Process> {
    let mut found: BTreeSet<i32> = roots.iter().copied().collect();
    loop {
        let before = found.len();
        let children = all.iter().filter(|one| found.contains(&one.parent));
        let children: Vec<i32> = children.map(|one| one.pid).collect();
        found.extend(children);
        if found.len() == before {
            break;
        }
    }
    let found = all.iter().filter(|one| found.contains(&one.pid));
    found.cloned().collect()
}

/// The descendants of a process, without itself.
fn below(root: i32) -> Vec<Process> {
    let mut tree = trees(&all(), &[root]);
    tree.retain(|process| process.pid != root);
    tree
}

pub(super) fn is_above_any(root: i32) -> bool {
    !below(root).is_empty()
}

pub(super) fn signal_below(root: i32, signal: Signal) {
    for process in below(root) {
        send(&process, signal);
    }
}

/// Kills all descendants of a process that adopts them, and waits until they are gone.
pub(super) fn kill_below(root: i32) {
    kill_each(|| below(root));
}

/// Kills what `find` finds until it finds nothing: what is killed may just have started another one. Says how many were killed.
pub(super) fn kill_each(find: impl Fn() -> Vec<Process>) -> usize {
    let deadline = Instant::now() + REAPING;
    let mut killed = BTreeSet::new();
    loop {
        let found = find();
        let mut reached = false;
        for process in &found {
            if send(process, Signal::KILL) {
                reached = true;
                killed.insert(process.pid);
            }
        }
        // Those that became children of this process; of others this says nothing.
        for pid in killed.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        if !reached || Instant::now() > deadline {
            return killed.len();
        }
        sleep(LOOK_AGAIN);
    }
}

/// Sends a signal to exactly this process, never to another that got its id since; false if it can't be reached.
fn send(process: &Process, signal: Signal) -> bool {
    let Some(pid) = Pid::from_raw(process.pid) else {
        return false;
    };
    let handle = pidfd_open(pid, PidfdFlags::empty());
    if read(process.pid).is_none_or(|now| now.started != process.started) {
        return false;
    }
    match handle {
        Ok(handle) => pidfd_send_signal(handle, signal).is_ok(),
        // An old kernel.
        Err(Errno::NOSYS) => kill_process(pid, signal).is_ok(),
        Err(_) => false,
    }
}

/// The words of a process's command line.
pub(super) fn command_line(pid: i32) -> Vec<OsString> {
    strings(pid, "cmdline")
}

/// Whether a process was started with a variable of this name.
pub(super) fn has_variable(pid: i32, name: &str) -> bool {
    let start = format!("{name}=");
    let variables = strings(pid, "environ");
    let mut variables = variables.iter().map(|variable| variable.as_encoded_bytes());
    variables.any(|variable| variable.starts_with(start.as_bytes()))
}

/// Whether a process was started with this variable.
pub(super) fn has_value(pid: i32, name: &str, value: &std::ffi::OsStr) -> bool {
    let mut wanted = OsString::from(format!("{name}="));
    wanted.push(value);
    strings(pid, "environ").contains(&wanted)
}

fn strings(pid: i32, file: &str) -> Vec<OsString> {
    let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let words = bytes.split(|byte| *byte == 0);
    words
        .map(|word| OsString::from_vec(word.to_vec()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_anything_in_it() {
        let fields = "S 4 5 6 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 0";
        let process = parse(9, &format!("9 (a) R (b c) {fields}")).unwrap();
        assert_eq!((process.parent, process.session), (4, 6));
        assert_eq!(process.started, 777);
        assert_eq!(process.name, "a) R (b c");
        assert_eq!(parse(9, &format!("9 (a) Z{}", &fields[1..])), None);
        assert_eq!(parse(9, "9 (a) S 4"), None);
    }

    #[test]
    fn a_tree_has_all_descendants() {
        let process = |pid, parent| Process {
            pid,
            parent,
            session: 1,
            started: 1,
            name: String::new(),
        };
        // A child may have a lower id than its parent.
        let all = [process(7, 2), process(3, 9), process(9, 7), process(8, 1)];
        let found = trees(&all, &[7]);
        let found: Vec<i32> = found.iter().map(|one| one.pid).collect();
        assert_eq!(found, [7, 3, 9]);
    }
}
